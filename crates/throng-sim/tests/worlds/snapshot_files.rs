//! Files that are no snapshot, or one that is damaged: errors that say so, and never a panic.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{MapMark, Resume, Settings, SnapshotError, SquadSpec, World};

const HEAD: usize = 40;

fn field() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(48, 32, 1.0).unwrap());
    for y in (0..32).filter(|y| y % 10 > 2) {
        grid.set_open(grid.lattice().cell(24, y), false);
    }
    grid
}

/// A small battle in which a little of everything is under way.
fn battle() -> World {
    let settings = Settings { threads: 1, plan_budget: 20, ..Settings::default() };
    let mut world = World::new(field(), settings).unwrap();
    let soldier = world.add_unit(Unit { health: 30.0, sight: 30.0, ..Unit::default() }).unwrap();
    for (name, x) in [("red", 12.0), ("blue", 18.0)] {
        let army = world.add_army(name).unwrap();
        for (y, planner) in [(3.0, "ara"), (12.0, "flow-field"), (22.0, "hpa:8,1")] {
            let positions: Vec<Vec2> = (0..5).map(|i| Vec2::new(x, y + i as f32 * 1.1)).collect();
            let planner = planner.parse().unwrap();
            let order = if y < 20.0 { Order::Attack } else { Order::GoTo(Vec2::new(40.0, 5.0)) };
            world.spawn_squad(SquadSpec { planner, order, ..SquadSpec::new(army, soldier, &positions) }).unwrap();
        }
    }
    let lattice = world.grid().lattice();
    for tick in 0..75 {
        if tick % 20 == 10 {
            world
                .edit(&[Edit::Close(lattice.cell(30 + tick / 20, 15)), Edit::Close(lattice.at(Vec2::new(12.0, 3.0)))])
                .unwrap();
        }
        if tick == 72 {
            for squad in 0..6 {
                world.order(throng_sim::world::SquadId(squad), Order::GoTo(Vec2::new(44.0, 28.0))).unwrap();
            }
        }
        world.tick().unwrap();
    }
    world.edit(&[Edit::Close(lattice.cell(3, 3)), Edit::Terrain(lattice.cell(4, 4), 1)]).unwrap();
    world.tick().unwrap();
    assert!(world.routes_pending() > 0 && world.agents() < 30, "{} {}", world.routes_pending(), world.agents());
    world
}

/// The battle in a file, and its bytes.
fn stored() -> (tempfile::TempDir, PathBuf, Vec<u8>) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("battle.snapshot");
    battle().save(&path).unwrap();
    let bytes = std::fs::read(&path).unwrap();
    (folder, path, bytes)
}

fn one() -> Resume<'static> {
    Resume { threads: 1, ..Resume::default() }
}

/// What is said of these bytes.
fn said(path: &Path, bytes: &[u8]) -> String {
    std::fs::write(path, bytes).unwrap();
    let error = World::restore(path, one()).unwrap_err().to_string();
    let name = path.display().to_string();
    error.strip_prefix(&name).unwrap_or_else(|| panic!("the file is not named: {error}")).to_owned()
}

/// These bytes with the length and the checksum that belong to them.
fn signed(mut bytes: Vec<u8>) -> Vec<u8> {
    let length = (bytes.len() - HEAD) as u64;
    bytes[28..36].copy_from_slice(&length.to_le_bytes());
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..36]);
    sum.update(&bytes[HEAD..]);
    bytes[36..HEAD].copy_from_slice(&sum.finalize().to_le_bytes());
    bytes
}

#[test]
fn errors_name_the_file_what_was_found_what_was_expected_and_what_to_do() {
    let (_folder, path, bytes) = stored();
    assert_eq!(signed(bytes.clone()), bytes);
    assert_eq!(
        said(&path, b"\x89PNG\r\n\x1a\nand more"),
        ": is no snapshot of throng: it begins with \"\\x89PNG\\r\\n\\x1a\\n\", expected \"\\x93THRONG\\n\"; name a file that \
         throng run --snapshot wrote"
    );
    assert!(said(&path, b"").starts_with(": is no snapshot of throng: it begins with \"\", expected"));
    let length = bytes.len();
    for cut in [3, 20, 39] {
        let expected = format!(": has {cut} bytes, expected 40: it was cut short or added to; copy it again");
        assert_eq!(said(&path, &bytes[..cut]), expected);
    }
    let cut = format!(": has {} bytes, expected {length}: it was cut short or added to; copy it again", length - 1);
    assert_eq!(said(&path, &bytes[..length - 1]), cut);
    let more = said(&path, &[&bytes[..], b"x"].concat());
    assert!(more.contains(&format!("has {} bytes, expected {length}", length + 1)), "{more}");

    let mut other = bytes.clone();
    other[8] = 77;
    other[12..20].copy_from_slice(b"9.8.7\0\0\0");
    assert_eq!(
        said(&path, &other),
        format!(
            ": is a snapshot of format 77, written by throng 9.8.7; this throng {} reads format 27: go on with the throng \
             that wrote it, or start anew",
            env!("CARGO_PKG_VERSION")
        )
    );
    let mut flipped = bytes.clone();
    flipped[length / 2] ^= 4;
    let damaged = said(&path, &flipped);
    let sum = u32::from_le_bytes(bytes[36..40].try_into().unwrap());
    assert!(damaged.starts_with(": is damaged: its checksum is "), "{damaged}");
    assert!(damaged.ends_with(&format!(", expected {sum:08x}; copy it again, or go on from another")), "{damaged}");

    let longer = said(&path, &signed([&bytes[..], b"xyz"].concat()));
    assert_eq!(longer, ": is no world, though its checksum is right: 3 bytes are left over; go on from another");
    let huge = said(&path, &signed(bytes[..HEAD].iter().copied().chain([0xff; 30]).collect()));
    assert!(huge.starts_with(": is no world, though its checksum is right: "), "{huge}");

    std::fs::remove_file(&path).unwrap();
    let missing = World::restore(&path, one()).unwrap_err();
    assert!(matches!(missing, SnapshotError::Read { .. }));
    assert!(missing.to_string().ends_with("battle.snapshot: cannot be read: No such file or directory (os error 2)"));
    let folder = World::restore(path.parent().unwrap(), one()).unwrap_err();
    assert!(matches!(folder, SnapshotError::Read { .. }), "{folder}");
    let nowhere = path.parent().unwrap().join("no/such/a.snapshot");
    let error = battle().save(&nowhere).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: the snapshot cannot be written: ", nowhere.display())), "{error}");
    assert!(error.ends_with("; one that was there before is as it was"), "{error}");
}

#[test]
fn a_snapshot_of_another_map_is_refused() {
    let (_folder, path, _) = stored();
    // The map has been edited: it is known by what it was at first.
    let grid = field();
    assert!(World::restore(&path, Resume { map: Some(&grid), ..one() }).is_ok());
    let mut other = grid.clone();
    other.set_open(other.lattice().cell(7, 7), false);
    let error = World::restore(&path, Resume { map: Some(&other), ..one() }).unwrap_err().to_string();
    let (found, expected) = (MapMark::of(&grid), MapMark::of(&other));
    let text =
        format!(": was made with another map: {found}, expected {expected}; go on with the map it was made with");
    assert!(error.ends_with(&text), "{error}");
    let coarse = grid.with_cell_size(2.0);
    assert!(matches!(World::restore(&path, Resume { map: Some(&coarse), ..one() }), Err(SnapshotError::Map { .. })));
}

#[test]
fn settings_that_cannot_be_are_refused() {
    let (_folder, path, _) = stored();
    let error = World::restore(&path, Resume { threads: 0, ..one() }).unwrap_err().to_string();
    let text = ": no world can be made of it: the number of threads must be at least 1, found 0";
    assert!(error.ends_with(text), "{error}");
}

/// What becomes of bytes: cut, flipped, written over, or taken out.
fn hurt(bytes: &[u8], changes: &[(prop::sample::Index, u8, u8)]) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for &(place, what, value) in changes {
        if bytes.is_empty() {
            break;
        }
        let at = place.index(bytes.len());
        match what {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, value),
            2 => drop(bytes.drain(at..(at + usize::from(value)).min(bytes.len()))),
            3 => bytes[at] = value,
            _ => bytes[at] ^= 1 << (value % 8),
        }
    }
    bytes
}

fn changes() -> impl Strategy<Value = Vec<(prop::sample::Index, u8, u8)>> {
    prop::collection::vec((any::<prop::sample::Index>(), 0..7_u8, any::<u8>()), 1..4)
}

#[test]
fn hurt_bytes_are_refused_or_the_same() {
    let (_folder, path, bytes) = stored();
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(changes in changes())| {
        let hurt = hurt(&bytes, &changes);
        std::fs::write(&path, &hurt).unwrap();
        prop_assert_eq!(World::restore(&path, one()).is_ok(), hurt == bytes);
    });
}

/// A forged file has a right checksum.
#[test]
fn signed_nonsense_does_no_harm() {
    let (_folder, path, bytes) = stored();
    let config = ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() };
    proptest!(config, |(changes in changes())| {
        let body = hurt(&bytes[HEAD..], &changes);
        std::fs::write(&path, signed([&bytes[..HEAD], &body].concat())).unwrap();
        if let Ok(mut world) = World::restore(&path, one()) {
            for _ in 0..3 {
                let _ = world.tick();
            }
            world.save(&path).unwrap();
        }
    });
}

/// With a checksum that is right again.
fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
    let mut sum = crc32fast::Hasher::new();
    sum.update(&bytes[..HEAD - 4]);
    sum.update(&bytes[HEAD..]);
    bytes[HEAD - 4..HEAD].copy_from_slice(&sum.finalize().to_le_bytes());
    bytes
}

#[test]
#[ignore = "writes the broken snapshots of tests/bad anew, and what is said of them: to be run when the format changes"]
fn write_the_broken_snapshots() {
    let bad = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/bad");
    let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    world.spawn_squad(SquadSpec::new(army, unit, [Vec2::splat(2.5), Vec2::splat(4.5)])).unwrap();
    world.tick().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("world.snapshot");
    world.save(&path).unwrap();
    let whole = std::fs::read(&path).unwrap();
    let said = |name: &str, bytes: &[u8]| {
        let path = bad.join(name);
        std::fs::write(&path, bytes).unwrap();
        let told = World::restore(&path, Resume { threads: 1, ..Resume::default() }).err();
        told.map_or_else(String::new, |told| told.to_string().replace(&format!("{}/", bad.display()), ""))
    };
    let with = |at: usize, byte: u8| {
        let mut bytes = whole.clone();
        bytes[at] = byte;
        bytes
    };
    let is_bool = |bytes: &Vec<u8>| said("snapshot_room.snapshot", bytes).contains("a bool that wasn't 0 or 1");
    let wrong_bool = (HEAD..whole.len()).map(|at| sealed(with(at, 7))).find(is_bool).unwrap();
    let broken = [
        ("snapshot_as_text.snapshot", [&whole[..7], b"\r\n", &whole[8..]].concat()),
        ("snapshot_cut_in_head.snapshot", whole[..20].to_vec()),
        ("snapshot_cut_off.snapshot", whole[..whole.len() - 9].to_vec()),
        ("snapshot_damaged.snapshot", with(whole.len() / 2, !whole[whole.len() / 2])),
        ("snapshot_longer.snapshot", [&whole[..], b"\n"].concat()),
        ("snapshot_room.snapshot", wrong_bool),
        ("snapshot_version.snapshot", sealed(with(8, 3))),
    ];
    let messages = std::fs::read_to_string(bad.join("messages.txt")).unwrap();
    let mut lines: Vec<String> = messages.lines().map(str::to_owned).collect();
    for (name, bytes) in broken {
        let told = said(name, &bytes);
        let line = lines.iter_mut().find(|line| line.starts_with(&format!("{name}\t"))).unwrap();
        *line = format!("{name}\t{told}");
    }
    std::fs::write(bad.join("messages.txt"), lines.join("\n") + "\n").unwrap();
}
