//! Data goes one way: a room may import only what the table in `docs/architecture.md` allows.
#![allow(clippy::unwrap_used, missing_docs)]

use std::fs;
use std::path::{Path, PathBuf};

/// Each room and the rooms it may import; `*` = every room of the library.
const ROOMS: &[(&str, &[&str])] = &[
    ("geom", &[]),
    ("simd", &[]),
    ("whole_file", &[]),
    ("volume", &["geom"]),
    ("grid", &["geom", "whole_file"]),
    ("plan", &["geom", "simd", "grid"]),
    ("compare", &["geom", "whole_file", "grid", "plan", "spatial"]),
    ("spatial", &["geom", "simd", "volume"]),
    ("crowd", &["geom", "simd", "grid", "plan", "spatial"]),
    ("battle", &["geom", "simd", "volume", "grid", "plan", "spatial", "crowd"]),
    ("world", &["geom", "whole_file", "simd", "volume", "grid", "plan", "spatial", "crowd", "battle"]),
    ("experiment", &["geom", "simd", "whole_file", "volume", "grid", "plan", "spatial", "crowd", "battle", "world"]),
    ("scenario", &["geom", "whole_file", "grid", "plan", "spatial", "crowd", "battle", "world"]),
    (
        "batch",
        &["geom", "whole_file", "simd", "volume", "grid", "plan", "spatial", "crowd", "battle", "world", "scenario"],
    ),
    ("record", &["geom", "whole_file", "grid", "battle", "world"]),
    (
        "viewer",
        &[
            "geom",
            "whole_file",
            "volume",
            "grid",
            "plan",
            "compare",
            "spatial",
            "crowd",
            "battle",
            "world",
            "scenario",
            "record",
        ],
    ),
];

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_path_buf());
    }
}

/// The rooms that a source names as `crate::room`, also inside `use crate::{a, b}`; tests and examples in comments apart.
fn imports(source: &str) -> Vec<String> {
    let code: String = source
        .split("#[cfg(test)]")
        .next()
        .unwrap()
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"))
        .collect::<Vec<_>>()
        .join("\n");
    let word = |text: &str| text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect::<String>();
    let mut rooms = Vec::new();
    for rest in code.split("crate::").skip(1) {
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0;
            let mut name = String::new();
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        rooms.push(word(name.trim()));
                        name.clear();
                        continue;
                    }
                    _ => {}
                }
                name.push(c);
            }
            rooms.push(word(name.trim()));
        } else {
            rooms.push(word(rest));
        }
    }
    rooms.retain(|room| !room.is_empty());
    rooms
}

#[test]
fn rooms_import_only_what_they_may() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let mut seen = 0;
    for (room, allowed) in ROOMS {
        let mut files = Vec::new();
        sources(&root.join(room), &mut files);
        sources(&root.join(format!("{room}.rs")), &mut files);
        for file in files.into_iter().filter(|file| file.exists()) {
            seen += 1;
            for import in imports(&fs::read_to_string(&file).unwrap()) {
                assert!(
                    import == *room || allowed.contains(&import.as_str()) || !ROOMS.iter().any(|(r, _)| *r == import),
                    "{} imports {import}; {room} may import {allowed:?}",
                    file.display()
                );
            }
        }
    }
    assert!(seen > 40, "found only {seen} source files");
}

#[test]
fn every_room_is_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    for entry in fs::read_dir(root).unwrap() {
        let path = entry.unwrap().path();
        let room = path.file_stem().unwrap().to_str().unwrap().to_owned();
        let known = ["lib", "main", "cli"].contains(&room.as_str()) || ROOMS.iter().any(|(r, _)| *r == room);
        assert!(known, "{} is in no room of the table", path.display());
    }
}

#[test]
fn unsafe_is_only_in_the_simd_room() {
    let mut files = Vec::new();
    sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), &mut files);
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let has = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("unsafe"));
        let room = file.ancestors().any(|folder| folder.ends_with("src/simd"));
        assert!(!has || room, "unsafe in {}", file.display());
    }
}

#[test]
fn the_readme_shows_the_first_example_as_it_is() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let readme = fs::read_to_string(root.join("README.md")).unwrap();
    let example = fs::read_to_string(root.join("examples/hello.rs")).unwrap();
    let (_, code) = example.split_once("\n\n").unwrap();
    assert!(readme.contains(code.trim()), "README.md and examples/hello.rs differ");
}

#[test]
fn imports_are_found_in_lists_and_alone() {
    let source = "use crate::geom::Vec2;\nuse crate::{grid::{Cell, Grid}, plan};\nlet x = crate::world::World;";
    assert_eq!(imports(source), ["geom", "grid", "plan", "world"]);
}
