//! The project's statements about itself are true: where `unsafe` is, and that the README shows a program that runs.

use std::fs;
use std::path::{Path, PathBuf};

fn sources(path: &Path, found: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in fs::read_dir(path).unwrap() {
            sources(&entry.unwrap().path(), found);
        }
    } else if path.extension().is_some_and(|extension| extension == "rs") {
        found.push(path.to_path_buf());
    }
}

#[test]
fn unsafe_is_only_in_the_simd_module_and_where_c_calls() {
    let mut files = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    sources(&root.join("src"), &mut files);
    for entry in fs::read_dir(root.join("crates")).unwrap() {
        sources(&entry.unwrap().path().join("src"), &mut files);
    }
    assert!(files.len() > 400, "found only {} source files", files.len());
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        let has = text.lines().any(|line| !line.trim_start().starts_with("//") && line.contains("unsafe"));
        let walled = file.ancestors().any(|folder| folder.ends_with("throng-spatial/src/simd"))
            || file.ends_with("throng-ffi/src/lib.rs");
        assert!(!has || walled, "unsafe in {}", file.display());
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
