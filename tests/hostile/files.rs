//! Files of each kind that is read, changed by chance.

use super::case::{count, threads, try_all};
use super::mutate;
use rand::RngExt;
use std::fmt::Display;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng::geom::Vec2;
use throng::grid::Scen;
use throng::grid::{Colours, Grid, Lattice};
use throng::record::Recording;
use throng::scenario::{CrowdTable, Scenario};
use throng::world::Frame;

/// Files of a kind that are read.
pub fn seeds(kind: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(kind);
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.into_iter().map(|file| (file.clone(), std::fs::read(file).unwrap())).collect()
}

/// A refusal is one line, and names the file.
fn told<T, E: Display>(read: Result<T, E>, file: &Path) -> Option<T> {
    read.map_err(|error| {
        let line = error.to_string();
        let name = file.file_name().unwrap().to_string_lossy().into_owned();
        assert!(line.contains(&name) && !line.contains('\n'), "{line:?}");
    })
    .ok()
}

/// Puts beside a scenario what the seeds name: a map, a library of units, heights.
pub fn furnish(folder: &Path) {
    const MAP: &str = "type octile\nheight 6\nwidth 12\nmap\n............\n....@@......\n....@@..SS..\n........SS..\n............\n............\n";
    const UNITS: &str = "[[unit]]\nname = \"swordsman\"\nhealth = 30\n[[unit]]\nname = \"giant\"\nradius = 2\n";
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join("a.map"), MAP).unwrap();
    std::fs::write(folder.join("units.toml"), UNITS).unwrap();
    std::fs::write(folder.join("a.png"), include_bytes!("../../fuzz/seeds/heights/wide.png")).unwrap();
}

/// Changes files of a kind and has them read.
fn try_files(kind: &'static str, is_text: bool, read: fn(&Path, &[u8])) {
    let (folder, all) = (tempfile::tempdir().unwrap(), Arc::new(seeds(kind)));
    let path = Arc::new(folder.path().to_path_buf());
    for thread in 0..threads() {
        furnish(&path.join(thread.to_string()));
    }
    try_all(kind, count(500), move |thread, _, random| {
        let (name, bytes) = &all[random.random_range(0..all.len())];
        let mut bytes = bytes.clone();
        if is_text && random.random_range(0..4) > 0 {
            mutate::text(&mut bytes, random);
        } else {
            mutate::bytes(&mut bytes, 0, random);
        }
        let ending = name.extension().unwrap().to_string_lossy();
        let file = path.join(thread.to_string()).join(format!("hostile.{ending}"));
        std::fs::write(&file, &bytes).unwrap();
        read(&file, &bytes);
    });
}

fn grid(file: &Path, _: &[u8]) {
    told(Grid::load(file), file);
}

#[test]
fn maps() {
    for kind in ["map", "ascii", "tmx", "tmj", "ldtk", "wkt", "geojson", "robot"] {
        try_files(kind, true, grid);
    }
}

#[test]
fn images() {
    for kind in ["png", "pgm", "image"] {
        try_files(kind, false, grid);
    }
    try_files("heights", false, |file, _| {
        let mut grid = Grid::open_plain(Lattice::new(8, 6, 1.0).unwrap());
        told(grid.load_heights(file, 20.0), file);
    });
}

#[test]
fn tables() {
    try_files("colours", true, |file, _| drop(told(Colours::load(file), file)));
    try_files("crowd", true, |file, _| drop(told(CrowdTable::load(file), file)));
    try_files("scen", true, |file, _| drop(told(Scen::load(file), file)));
}

#[test]
fn scenarios() {
    try_files("scenario", true, |file, _| scenario(file));
}

/// Loads a scenario and, where it is small, makes its world and lets it go on.
pub fn scenario(file: &Path) {
    // A map or a library of another name is named by it.
    let told = |error: String| assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
    match Scenario::load(file) {
        Err(error) => told(error.to_string()),
        Ok((scenario, warnings)) => {
            for warning in &warnings {
                told(warning.to_string());
            }
            if scenario.agents() > 200 {
                return;
            }
            match scenario.build(1) {
                Err(error) => told(error.to_string()),
                Ok(mut world) => {
                    for _ in 0..3 {
                        let _ = world.tick().map_err(|error| told(error.to_string()));
                    }
                    assert!(world.positions().all(|(_, at)| Vec2::is_finite(at)));
                }
            }
        }
    }
}

/// With the checksums that belong to the blocks.
#[test]
fn recordings() {
    /// Bytes before the first block, and of the head of a block up to its checksum.
    const START: usize = 12;
    const HEAD: usize = 16;
    try_files("recording", false, |_, bytes| {
        let mut bytes = bytes.to_vec();
        let mut at = START;
        while let Some(length) = bytes.get(at + 4..at + 8) {
            let length = u32::from_le_bytes([length[0], length[1], length[2], length[3]]) as usize;
            let (sum, content) = (at + HEAD, at + HEAD + 4);
            let Some(end) = content.checked_add(length).filter(|&end| end <= bytes.len()) else { break };
            let mut hasher = crc32fast::Hasher::new();
            hasher.update(&bytes[at..sum]);
            hasher.update(&bytes[content..end]);
            bytes[sum..content].copy_from_slice(&hasher.finalize().to_le_bytes());
            at = end;
        }
        let told = |error: String| assert!(!error.is_empty() && !error.contains('\n'), "{error:?}");
        match Recording::from_bytes(bytes) {
            Err(error) => told(error.to_string()),
            Ok(mut recording) => {
                let (mut frame, frames) = (Frame::default(), recording.frames());
                let _ = recording.first_map().map_err(|error| told(error.to_string()));
                for number in (0..frames.min(20)).chain([frames.saturating_sub(1), frames / 2]) {
                    match recording.moment(number, &mut frame) {
                        Err(error) => told(error.to_string()),
                        Ok(()) => assert!(frame.position.iter().all(|at| at.is_finite())),
                    }
                }
            }
        }
    });
}
