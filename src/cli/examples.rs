//! The examples, which are part of the program: they are found wherever it is called, and wherever it was installed.

use super::CliError;
use directories::ProjectDirs;
use std::path::{Path, PathBuf};

/// The folder of the examples, as the repository has it.
const FOLDER: &str = "examples";

/// Files by their paths in the repository.
macro_rules! files {
    ($($path:literal)*) => {
        [$(($path, include_bytes!(concat!("../../", $path)) as &[u8])),*]
    };
}

/// All files that the scenarios need.
static FILES: [(&str, &[u8]); 32] = files! {
    "examples/arena.toml" "examples/bridge.toml" "examples/flank.toml" "examples/formations.toml" "examples/gate.toml"
    "examples/keep.toml" "examples/links.map" "examples/links.toml" "examples/march.toml" "examples/mirror.toml"
    "examples/pass.toml" "examples/plain.toml" "examples/sally.toml" "examples/siege.toml" "examples/station.map"
    "examples/station.toml" "examples/storm.toml" "examples/zombies.toml"
    "examples/library/units.toml"
    "maps/bridge.txt" "maps/castle.txt" "maps/caverns.map" "maps/field.map" "maps/fortress.map" "maps/gates.map"
    "maps/keep-tiles.png" "maps/keep.tmx" "maps/keep.tsx" "maps/meadow.png" "maps/pass.png" "maps/plain.png"
    "maps/town.map"
};

/// A path for each of the files: those of the current folder where it has examples, else of a folder of the user's data, to which
/// files that are not there, or are others, are written.
///
/// # Errors
/// Where they cannot be written.
fn folder() -> Result<PathBuf, CliError> {
    if Path::new(FOLDER).join("siege.toml").exists() {
        return Ok(FOLDER.into());
    }
    let data = ProjectDirs::from("", "", "throng").map(|folders| folders.data_local_dir().to_path_buf());
    let root = data.unwrap_or_else(|| std::env::temp_dir().join("throng")).join("shipped");
    for (name, bytes) in FILES {
        let path = root.join(name);
        if std::fs::read(&path).is_ok_and(|found| found == bytes) {
            continue;
        }
        let written = path.parent().map_or(Ok(()), std::fs::create_dir_all).and_then(|()| std::fs::write(&path, bytes));
        written.map_err(|source| CliError::Example { path: path.clone(), source })?;
    }
    Ok(root.join(FOLDER))
}

/// The path of an example.
///
/// # Errors
/// Where it cannot be written.
pub(super) fn path(name: &str) -> Result<PathBuf, CliError> {
    Ok(folder()?.join(format!("{name}.toml")))
}

/// Those that the menu offers, in its order, each with its picture.
#[cfg(feature = "viewer")]
pub(super) fn all() -> Vec<throng::viewer::Example> {
    let Ok(folder) = folder() else { return Vec::new() };
    let example = |(name, thumbnail): (&str, &'static [u8])| {
        let file = folder.join(format!("{name}.toml"));
        let text = FILES.iter().find(|(path, _)| path.strip_prefix("examples/") == Some(&format!("{name}.toml")))?.1;
        let line = line_of(std::str::from_utf8(text).ok()?);
        Some(throng::viewer::Example { name: name.to_owned(), line, file, thumbnail: thumbnail.into() })
    };
    PICTURES.into_iter().filter_map(example).collect()
}

/// The first sentence of a scenario's first comment.
#[cfg(feature = "viewer")]
fn line_of(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.strip_prefix('#')).map(str::trim);
    let all = lines.take_while(|line| !line.is_empty()).collect::<Vec<_>>().join(" ");
    let end = all.find(". ").map_or(all.len(), |end| end + 1);
    // "The siege: " is its name.
    let named = all[..end].split_once(": ").filter(|(name, _)| name.split(' ').count() <= 2);
    let line = named.map_or(&all[..end], |(_, rest)| rest);
    let mut letters = line.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// The pictures, by name.
#[cfg(feature = "viewer")]
macro_rules! pictures {
    ($($name:literal)*) => {
        [$(($name, include_bytes!(concat!("../../examples/pictures/", $name, ".png")) as &[u8])),*]
    };
}

#[cfg(feature = "viewer")]
static PICTURES: [(&str, &[u8]); 16] = pictures! {
    "siege" "storm" "sally" "gate" "keep" "bridge" "pass" "flank" "plain" "arena" "march" "formations" "links" "zombies"
    "station" "mirror"
};

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn the_program_has_each_file_that_the_scenarios_need() {
        let root = tempfile::tempdir().unwrap();
        for (name, bytes) in FILES {
            let path = root.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, bytes).unwrap();
        }
        let is_scenario = |name: &str| Path::new(name).extension().is_some_and(|ending| ending == "toml");
        for (name, _) in FILES.iter().filter(|(name, _)| is_scenario(name) && !name.contains("library")) {
            throng::scenario::Scenario::load(root.path().join(name)).unwrap();
        }
    }

    #[cfg(feature = "viewer")]
    #[test]
    fn lines_are_the_first_sentences_of_scenarios() {
        assert_eq!(
            line_of("# The siege: 6,000 raiders storm\n# a fortress. Houses burn.\n#\n# run"),
            "6,000 raiders storm a fortress."
        );
        assert_eq!(line_of("# Six squads march: thus.\nname = \"x\""), "Six squads march: thus.");
        assert!(
            PICTURES.iter().all(|(name, _)| all().iter().any(|known| known.name == *name && !known.line.is_empty()))
        );
    }
}
