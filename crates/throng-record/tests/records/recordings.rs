//! Recordings: the frames read equal the recorded ones, from whole files and from broken ones.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Edit, Grid, Lattice};
use throng_record::{About, Ending, Recorder, Recording, RecordingError, Sink, Still};
use throng_sim::battle::{Action, GRAVITY, Look};
use throng_sim::world::{ArmyCount, ArmyId, Fire, Flight, Frame, SquadId, UnitId, Verdict, seconds};

/// Half the quantum of positions (m), and the rounding of f32.
const POSITION_TOLERANCE_M: f32 = 0.005_1;

fn record(path: &Path, every: u64, frames: &[Frame]) {
    let about = About { title: "a test".into(), seed: 9, step: 0.1, every, origin: [-3.5, 2.0], ..About::default() };
    let mut sink = Box::new(Recorder::create(path, &about).unwrap());
    for frame in frames {
        sink.frame(frame).unwrap();
    }
    assert_eq!(sink.finish().unwrap(), path);
}

fn bytes_of(frames: &[Frame]) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.throng");
    record(&path, 1, frames);
    std::fs::read(path).unwrap()
}

/// The rows of a frame in the order of ids, and everything else of it as it is.
fn sorted(frame: &Frame) -> Frame {
    let mut order: Vec<usize> = (0..frame.id.len()).collect();
    order.sort_by_key(|&row| frame.id[row]);
    let rows = |row: &usize| *row;
    Frame {
        id: order.iter().map(rows).map(|row| frame.id[row]).collect(),
        position: order.iter().map(rows).map(|row| frame.position[row]).collect(),
        heading: order.iter().map(rows).map(|row| frame.heading[row]).collect(),
        radius: order.iter().map(rows).map(|row| frame.radius[row]).collect(),
        army: order.iter().map(rows).map(|row| frame.army[row]).collect(),
        health: order.iter().map(rows).map(|row| frame.health[row]).collect(),
        action: order.iter().map(rows).map(|row| frame.action[row]).collect(),
        squad: order.iter().map(rows).map(|row| frame.squad[row]).collect(),
        stage_ms: Default::default(),
        tick_ms: 0.0,
        ..frame.clone()
    }
}

fn same(found: &Frame, recorded: &Frame) {
    let expected = sorted(recorded);
    assert_eq!((found.tick, found.asleep, found.verdict), (expected.tick, expected.asleep, expected.verdict));
    assert_eq!(found.time, seconds(found.tick, 0.1));
    assert_eq!((&found.id, &found.army, &found.radius), (&expected.id, &expected.army, &expected.radius));
    assert_eq!(found.action, expected.action);
    let rounded = |army: &ArmyCount| {
        let [dealt, taken] = [army.dealt, army.taken].map(|points| (points * 10.0).round() / 10.0);
        ArmyCount { dealt, taken, ..army.clone() }
    };
    assert_eq!(found.armies, expected.armies.iter().map(rounded).collect::<Vec<_>>());
    assert_eq!((&found.units, &found.kinds), (&expected.units, &expected.kinds));
    assert_eq!((&found.looks, &found.enemies), (&expected.looks, &expected.enemies));
    assert_eq!((&found.squad, &found.enlisted), (&expected.squad, &expected.enlisted));
    assert_eq!(found.colours, expected.colours);
    assert_eq!((&found.fires, &found.links), (&expected.fires, &expected.links));
    assert_eq!(found.shots.len(), expected.shots.len());
    for (a, b) in found.shots.iter().zip(&expected.shots) {
        assert_eq!(a.army, b.army);
        let off = (a.at - b.at).abs().max((a.velocity - b.velocity).abs()).max_element();
        assert!(off <= POSITION_TOLERANCE_M, "{a:?} {b:?}");
    }
    assert_eq!(found.ramparts.len(), expected.ramparts.len());
    for (a, b) in found.ramparts.iter().zip(&expected.ramparts) {
        assert!(a.0 == b.0 && a.1 > 0.0 && (a.1 - b.1).abs() <= 1.0 / 255.0, "{a:?} {b:?}");
    }
    assert_eq!(found.grid, expected.grid);
    assert_eq!(found.grid.as_ref().map(|grid| grid.revision()), expected.grid.as_ref().map(|grid| grid.revision()));
    let near = |a: &[Vec2], b: &[Vec2]| {
        a.len() == b.len() && a.iter().zip(b).all(|(a, b)| (a - b).abs().max_element() <= POSITION_TOLERANCE_M)
    };
    assert!(near(&found.position, &expected.position), "{:?}\n{:?}", found.position, expected.position);
    assert!(near(&found.fallen, &expected.fallen), "{:?}\n{:?}", found.fallen, expected.fallen);
    for (a, b) in found.heading.iter().zip(&expected.heading) {
        assert!(a.angle_to(*b).abs() <= std::f32::consts::PI / 256.0 + 1e-5, "{a} {b}");
    }
    for (a, b) in found.health.iter().zip(&expected.health) {
        assert!((a - b).abs() <= 1.0 / 255.0 && (*a > 0.0) == (*b > 0.0), "{a} {b}");
    }
}

/// What changes seldom.
/// A pair of an army and a kind of soldier.
fn kind(army: u8, unit: u16) -> (ArmyId, UnitId) {
    (ArmyId(army), UnitId(unit))
}

fn names(seed: u64, tick: u64) -> Frame {
    let is_early = tick < 30;
    Frame {
        units: vec!["pike".into(), "horse".into()],
        looks: vec![Look::Spearman, Look::Rider],
        enemies: if is_early { vec![0b10, 0b01] } else { vec![0, 0] },
        colours: vec![None, (tick > 90).then_some([0x21, 0x78, 0xFF])],
        enlisted: (1..2 + tick as u32 / 60).collect(),
        fires: vec![Fire { from: 2.5, ..Fire::new(Vec2::new(3.0, 4.25), 2.0) }; usize::from(seed.is_multiple_of(2))],
        links: if (20..70).contains(&tick) { vec![[Vec2::ZERO, Vec2::new(5.5, 2.5)]] } else { Vec::new() },
        kinds: if is_early { vec![kind(0, 0), kind(1, 0)] } else { vec![kind(0, 0), kind(1, 0), kind(1, 1)] },
        ..Frame::default()
    }
}

fn army_count(name: &str, [dead, kills]: [u32; 2], [dealt, taken]: [f64; 2]) -> ArmyCount {
    ArmyCount { name: name.into(), dead, kills, dealt, taken, ..ArmyCount::default() }
}

/// Random numbers below a bound.
fn drawn(mut random: u64) -> impl FnMut(u64) -> u64 {
    move |below| {
        random = random.wrapping_mul(0x5851_F42D_4C95_7F2D).wrapping_add(0x1405_7B7E_F767_814F);
        (random >> 33) % below
    }
}

/// A run in which agents walk, stand, come, go, die, are carried off, and take the numbers of others; shots fly, and walls
/// are built, broken and built again.
pub fn run(seed: u64, frames: u64) -> Vec<Frame> {
    let mut next = drawn(seed);
    let mut grid = Grid::open_plain(Lattice::new(40, 20, 0.5).unwrap());
    let mut agents: Vec<(u32, Vec2, Vec2, f32, u8, f32)> = Vec::new();
    let mut map = Arc::new(grid.clone());
    let mut dead = 0;
    let (mut shots, mut walls): (Vec<Flight>, BTreeMap<Cell, f32>) = (Vec::new(), BTreeMap::new());
    let (mut kills, mut dealt) = ([0; 2], [0.0; 2]);
    (0..frames)
        .map(|tick| {
            let mut fallen = Vec::new();
            agents.retain(|agent| match next(40) {
                0 => false,
                1 => {
                    fallen.push(agent.1);
                    false
                }
                _ => true,
            });
            dead += fallen.len() as u32;
            for (_, at, by, _, _, health) in &mut agents {
                match next(20) {
                    0 => *at = Vec2::new(next(400_000) as f32, next(4000) as f32) * 0.01 - 1000.0,
                    1 => *by = Vec2::new(next(200) as f32, next(200) as f32) * 0.001 - 0.1,
                    2 => *by = Vec2::ZERO,
                    3 => *health = (*health - next(50) as f32 / 100.0).max(0.001),
                    _ => {}
                }
                *at += *by;
            }
            for _ in 0..next(9) {
                let id = next(70) as u32;
                if agents.iter().all(|agent| agent.0 != id) {
                    let at = Vec2::new(next(2000) as f32, next(1000) as f32) * 0.013;
                    agents.push((id, at, Vec2::new(0.07, -0.03), 0.2 + next(3) as f32 * 0.1, next(2) as u8, 1.0));
                }
            }
            if next(30) == 0 {
                let cell = grid.lattice().cell(next(40) as u32, next(20) as u32);
                let edit = [Edit::Close(cell), Edit::Terrain(cell, 2), Edit::Height(cell, 70)][next(3) as usize];
                grid.edit(&[edit], &mut Vec::new());
                map = Arc::new(grid.clone());
            }
            for shot in &mut shots {
                let fall = Vec3::Z * GRAVITY * 0.1;
                shot.at += shot.velocity * 0.1 - fall * 0.05;
                shot.velocity -= fall;
            }
            shots.retain(|shot| shot.at.z > 0.0 && next(20) > 0);
            for _ in 0..if tick % 80 < 40 { next(4) } else { 0 } {
                let [x, y, z] = [20, 20, 30].map(|most| next(most * 2000) as f32 * 0.001 - most as f32);
                let (at, velocity) = (Vec3::new(x + 20.0, y, 1.5), Vec3::new(x, y, z.abs()));
                shots.push(Flight { at, velocity, army: ArmyId((tick % 3) as u8) });
            }
            for _ in 0..next(3) {
                let cell = grid.lattice().cell(next(9) as u32, next(20) as u32);
                match next(4) {
                    0 => drop(walls.remove(&cell)),
                    _ => drop(walls.insert(cell, (next(1000) + 1) as f32 / 1000.0)),
                }
                let army = next(2) as usize;
                (kills[army], dealt[army]) = (kills[army] + next(3) as u32, dealt[army] + next(400) as f64 * 0.33);
            }
            let count = |army: u8| agents.iter().filter(|agent| agent.4 == army).count() as u32;
            let army = |name: &str, army: u8| {
                let [own, other] = [army, 1 - army].map(usize::from);
                let (kills, dealt, taken) = (kills[own], dealt[own], dealt[other]);
                let [routed, left] = [dead / 2, kills];
                ArmyCount {
                    alive: count(army),
                    routed,
                    left,
                    coming: 3,
                    ..army_count(name, [dead, kills], [dealt, taken])
                }
            };
            Frame {
                tick,
                time: seconds(tick, 0.1),
                grid: Some(Arc::clone(&map)),
                id: agents.iter().map(|agent| agent.0).collect(),
                position: agents.iter().map(|agent| agent.1).collect(),
                heading: agents.iter().map(|agent| Vec2::from_angle(agent.1.x * 7.0)).collect(),
                radius: agents.iter().map(|agent| agent.3).collect(),
                army: agents.iter().map(|agent| ArmyId(agent.4)).collect(),
                health: agents.iter().map(|agent| agent.5).collect(),
                action: agents.iter().map(|agent| Action::ALL[(agent.0 as usize + tick as usize / 7) % 3]).collect(),
                armies: vec![army("red", 0), army(if tick < 50 { "blue" } else { "the blue" }, 1)],
                fallen,
                shots: shots.clone(),
                ramparts: walls.iter().map(|(&cell, &share)| (cell, share)).collect(),
                squad: agents.iter().map(|agent| (agent.0 % 5 != 0).then_some(SquadId(agent.0 % 5))).collect(),
                asleep: agents.len() / 3,
                verdict: (tick + 1 == frames).then_some(Verdict::Winner(ArmyId(1))),
                ..names(seed, tick)
            }
        })
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    #[test]
    fn what_is_read_is_what_was_recorded(seed in any::<u64>(), length in 1_u64..200, jumps in prop::collection::vec(any::<prop::sample::Index>(), 9)) {
        let frames = run(seed, length);
        let mut recording = Recording::from_bytes(bytes_of(&frames)).unwrap();
        prop_assert_eq!((recording.frames(), recording.ending()), (frames.len(), &Ending::Proper));
        let mut found = Frame::default();
        for (number, frame) in frames.iter().enumerate() {
            recording.frame(number, &mut found).unwrap();
            same(&found, frame);
        }
        // In any order.
        for jump in jumps {
            let number = jump.index(frames.len());
            recording.frame(number, &mut found).unwrap();
            same(&found, &frames[number]);
            let mut fallen = Vec::new();
            recording.fallen(number, &mut fallen).unwrap();
            prop_assert_eq!(fallen.len(), frames[..=number].iter().map(|frame| frame.fallen.len()).sum::<usize>());
        }
    }
}

#[test]
fn every_nth_tick_is_kept_and_the_last_with_the_fallen_of_those_between() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.throng");
    let frames = run(5, 101);
    record(&path, 7, &frames);
    let mut recording = Recording::open(&path).unwrap();
    let about = recording.about().clone();
    assert_eq!((about.title.as_str(), about.seed, about.every, about.origin), ("a test", 9, 7, [-3.5, 2.0]));
    // Ticks 0, 7, ... 98, and 100, in which the battle was decided.
    assert_eq!(recording.frames(), 16);
    assert_eq!([0, 14, 15, 99].map(|number| recording.tick(number)), [0, 98, 100, 100]);
    let mut frame = Frame::default();
    let mut fallen = 0;
    for number in 0..16 {
        recording.frame(number, &mut frame).unwrap();
        fallen += frame.fallen.len();
    }
    assert_eq!(fallen, frames.iter().map(|frame| frame.fallen.len()).sum::<usize>());
    assert_eq!(frame.verdict, Some(Verdict::Winner(ArmyId(1))));
    // Times of frames, and frames of times.
    assert!((recording.time(1) - 0.7).abs() < 1e-6);
    assert_eq!([-1.0, 0.0, 0.69, 0.71, 9.9, 1e9].map(|time| recording.frame_at(time)), [0, 0, 0, 1, 14, 15]);
}

/// A frame that is as a recording rounds it, on a map of 1 m cells: agents, shots, and a wall in ruins.
fn rounded() -> Frame {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    let wall: Vec<Cell> = (3..27).map(|y| grid.lattice().cell(20, y)).collect();
    for &cell in &wall {
        grid.set_open(cell, false);
    }
    let metres = |centimetres: i32| (f64::from(centimetres) / 100.0) as f32;
    let shot = |i: i32| {
        let at = Vec3::new(metres(500 + 131 * i), metres(300 + 97 * i), metres(700 - 30 * i));
        let velocity = Vec3::new(metres(2000 + 17 * i), metres(51 * i), metres(900 - 170 * i));
        Flight { at, velocity, army: ArmyId((i % 2) as u8) }
    };
    let agents = 0..30;
    let red = ArmyCount { name: "red".into(), alive: 30, dealt: 12.5, ..ArmyCount::default() };
    Frame {
        id: agents.clone().collect(),
        person: agents.clone().collect(),
        position: (0..30).map(|i| Vec2::new(metres(812 + 7 * i), metres(250 + 80 * i))).collect(),
        heading: vec![Vec2::X; 30],
        radius: vec![0.4; 30],
        squad: vec![None; 30],
        army: agents.clone().map(|i| ArmyId((i % 2) as u8)).collect(),
        unit: vec![UnitId(0); 30],
        health: agents.clone().map(|i| f32::from(255 - i as u8) / 255.0).collect(),
        action: agents.map(|_| Action::Walk).collect(),
        armies: vec![red, ArmyCount { name: "blue".into(), ..ArmyCount::default() }],
        units: vec!["pike".into()],
        kinds: vec![kind(0, 0), kind(1, 0)],
        shots: (0..12).map(shot).collect(),
        ramparts: (0..).zip(wall).map(|(i, cell)| (cell, f32::from(10 + 10 * i as u8) / 255.0)).collect(),
        grid: Some(Arc::new(grid)),
        ..Frame::default()
    }
}

#[test]
fn what_is_read_is_drawn_as_what_was_recorded() {
    let frame = rounded();
    let mut found = Frame::default();
    Recording::from_bytes(bytes_of(std::slice::from_ref(&frame))).unwrap().frame(0, &mut found).unwrap();
    assert_eq!(found, frame);
    let folder = tempfile::tempdir().unwrap();
    let picture = |frame: &Frame| {
        let mut still = Still::new(folder.path().join("a.png"), frame.grid.as_ref().unwrap(), 400);
        still.frame(frame).unwrap();
        std::fs::read(Box::new(still).finish().unwrap()).unwrap()
    };
    let drawn = picture(&found);
    assert!(drawn == picture(&frame));
    // Each of them is to be seen.
    assert!(drawn != picture(&Frame { shots: Vec::new(), ..frame.clone() }));
    assert!(drawn != picture(&Frame { ramparts: Vec::new(), ..frame }));
}

#[test]
fn a_recording_of_the_first_format_is_read() {
    let bytes = include_bytes!("old/recording_1.throng").to_vec();
    assert_eq!(bytes[8..12], [1, 0, 0, 0]);
    let mut recording = Recording::from_bytes(bytes).unwrap();
    assert_eq!(recording.ending(), &Ending::Proper);
    let mut frame = Frame::default();
    for number in 0..recording.frames() {
        recording.frame(number, &mut frame).unwrap();
        assert!(!frame.id.is_empty() && frame.grid.is_some() && frame.armies.len() == 2);
        assert!(frame.shots.is_empty() && frame.ramparts.is_empty() && frame.kinds.is_empty());
        assert!(frame.armies.iter().all(|army| (army.kills, army.dealt, army.taken) == (0, 0.0, 0.0)));
    }
    assert_eq!((recording.frames(), frame.id.len(), frame.tick), (55, 1, 54));
}

#[test]
fn equal_runs_give_equal_files() {
    let frames = run(77, 90);
    assert!(bytes_of(&frames) == bytes_of(&frames));
}

#[test]
fn a_file_that_is_cut_short_is_read_up_to_the_last_whole_frame() {
    let frames = run(3, 70);
    let bytes = bytes_of(&frames);
    let mut found = Frame::default();
    let mut most = 0;
    for end in 0..bytes.len() {
        match Recording::from_bytes(bytes[..end].to_vec()) {
            Err(error) => assert_eq!(most, 0, "{end}: {error}"),
            Ok(mut recording) => {
                assert_ne!(recording.ending(), &Ending::Proper);
                assert!(recording.frames() == most || recording.frames() == most + 1);
                // Each is read when it first appears, the rest now and then.
                if recording.frames() > most || end % 997 == 0 {
                    most = recording.frames();
                    for (number, frame) in frames.iter().enumerate().take(most).skip(most.saturating_sub(3)) {
                        recording.frame(number, &mut found).unwrap();
                        same(&found, frame);
                    }
                }
            }
        }
    }
    assert_eq!(most, 70);
}

#[test]
fn a_changed_byte_is_found_and_named() {
    let frames = run(11, 70);
    let bytes = bytes_of(&frames);
    let mut whole = Frame::default();
    // All of the first and the last blocks, and every so often one between.
    for place in (0..bytes.len()).filter(|place| *place < 300 || place + 300 > bytes.len() || place % 29 == 0) {
        let mut bytes = bytes.clone();
        bytes[place] ^= 1 << (place % 8);
        let mut recording = match Recording::from_bytes(bytes) {
            Ok(recording) => recording,
            Err(RecordingError::Damaged { block: 0, offset: 12, .. }) => continue,
            Err(RecordingError::Foreign { .. } | RecordingError::Version { .. }) if place < 12 => continue,
            Err(RecordingError::Short { .. }) if place < 40 => continue,
            Err(other) => panic!("{place}: {other}"),
        };
        if let Ending::Damaged { offset, .. } = recording.ending() {
            assert!(*offset as usize <= place, "{place} {:?}", recording.ending());
        }
        // Either the index is whole and says so of a frame, or the file ends there.
        let mut wrong = usize::from(*recording.ending() != Ending::Proper);
        let mut first = true;
        for (number, expected) in frames.iter().enumerate().take(recording.frames()) {
            match recording.frame(number, &mut whole) {
                Ok(()) => same(&whole, expected),
                Err(RecordingError::Damaged { offset, .. }) => {
                    // Of another format it fits no more from the first block of names on.
                    assert!(offset as usize <= place || (8..12).contains(&place), "{place} {offset}");
                    if std::mem::take(&mut first) {
                        assert!(place < offset as usize + 10_000);
                    }
                    wrong += 1;
                }
                Err(other) => panic!("{place}: {other}"),
            }
        }
        assert!(wrong > 0 || (recording.fallen(69, &mut Vec::new()).is_err()), "{place}: not found");
    }
}

fn refused(bytes: &[u8]) -> String {
    Recording::from_bytes(bytes.to_vec()).unwrap_err().to_string()
}

#[test]
fn what_is_no_recording_is_said() {
    let expected = r#"expected "\x93THRREC\n"; name a file that throng run --record wrote"#;
    assert_eq!(refused(b""), format!("recording: is no recording of throng: it begins with \"\", {expected}"));
    assert_eq!(
        refused(b"SQLite format 3"),
        format!("recording: is no recording of throng: it begins with \"SQLite f\", {expected}")
    );
    assert_eq!(refused(b"\x93THRR"), "recording: is cut short: 5 bytes hold no block; record the run again");
    assert_eq!(
        refused(b"\x93THRREC\n\x01\0\0\0"),
        "recording: is cut short: 12 bytes hold no block; record the run again"
    );
    assert_eq!(
        refused(b"\x93THRREC\n\x07\0\0\0"),
        "recording: is a recording in format 7, expected 1 to 6; read it with the version of throng that wrote it"
    );
    let mut bytes = bytes_of(&run(1, 5));
    bytes[40] ^= 8;
    assert!(
        refused(&bytes).starts_with("recording: block 0 at byte 12 is damaged: its checksum is "),
        "{}",
        refused(&bytes)
    );
    bytes.truncate(40);
    bytes[12] = b'?';
    assert_eq!(refused(&bytes), "recording: block 0 at byte 12 is damaged: there is no kind of block 0x3f");
    let mut recording = Recording::from_bytes(bytes_of(&run(1, 5))).unwrap();
    let message = recording.frame(5, &mut Frame::default()).unwrap_err().to_string();
    assert_eq!(message, "recording: has no frame 5, its frames are 0 to 4");
}

/// The blocks of a recording but for its index.
fn blocks_of(bytes: &[u8]) -> Vec<&[u8]> {
    let mut left = &bytes[12..];
    let mut blocks = Vec::new();
    while left[0] != b'I' {
        let length = u32::from_le_bytes(left[4..8].try_into().unwrap()) as usize;
        let (block, rest) = left.split_at(20 + length);
        blocks.push(block);
        left = rest;
    }
    blocks
}

#[test]
fn blocks_that_stand_twice_or_in_another_order_are_refused() {
    let whole = bytes_of(&run(3, 40));
    let blocks = blocks_of(&whole);
    let file = |blocks: &[&[u8]]| [&whole[..12], &blocks.concat()].concat();
    assert_eq!(Recording::from_bytes(file(&blocks)).unwrap().frames(), 40);
    let mut accepted = Vec::new();
    let mut check = |name: String, blocks: &[&[u8]]| match Recording::from_bytes(file(blocks)) {
        Err(RecordingError::Damaged { what, .. }) if what.contains("blocks stand twice or in another order") => {}
        Err(other) => panic!("{name}: {other}"),
        Ok(_) => accepted.push(name),
    };
    for first in 0..blocks.len() {
        for count in [1, 2, 7, blocks.len()] {
            let again = &blocks[first..(first + count).min(blocks.len())];
            let (before, after) = blocks.split_at(first + again.len());
            check(format!("{count} from {first} at once"), &[before, again, after].concat());
            // What follows the last frame may be alone there: a run that was cut.
            if again.iter().any(|block| matches!(block[0], b'A' | b'K' | b'S')) {
                check(format!("{count} from {first} at the end"), &[&blocks, again].concat());
            }
        }
    }
    let is_frame = |block: &[u8]| matches!(block[0], b'K' | b'S');
    for at in (2..blocks.len()).filter(|&at| is_frame(blocks[at - 1]) && is_frame(blocks[at])) {
        let mut swapped = blocks.clone();
        swapped.swap(at - 1, at);
        check(format!("{at} before {}", at - 1), &swapped);
    }
    assert!(accepted.is_empty(), "{} are accepted, the first: {}", accepted.len(), accepted[0]);
    let twice = file(&[&blocks[..], &blocks[1..]].concat());
    let message = refused(&twice);
    assert!(message.contains(" and stands after tick "), "{message}");
    assert!(message.starts_with("recording: block "), "{message}");
}

#[test]
fn files_that_cannot_be_read_are_named() {
    let folder = tempfile::tempdir().unwrap();
    let message = |path: &Path| Recording::open(path).unwrap_err().to_string();
    let nowhere = folder.path().join("no.throng");
    let expected = format!("{}: cannot be read: No such file or directory (os error 2)", nowhere.display());
    assert_eq!(message(&nowhere), expected);
    let expected = format!("{}: cannot be read: is a directory", folder.path().display());
    assert_eq!(message(folder.path()), expected);
    let nowhere = folder.path().join("no/a.throng");
    let message = Recorder::create(&nowhere, &About::default()).unwrap_err().to_string();
    assert_eq!(message, format!("{}: cannot be written: No such file or directory (os error 2)", nowhere.display()));
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_said_at_once() {
    // The head is written when the recording begins.
    let message = Recorder::create("/dev/full", &About::default()).unwrap_err().to_string();
    assert_eq!(message, "/dev/full: cannot be written: No space left on device (os error 28)");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn no_bytes_do_harm(seed in any::<u64>(), changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..20)) {
        // With the checksums made right again, so that the bytes behind them are reached.
        let mut bytes = bytes_of(&run(seed, 6));
        for (place, byte) in changes {
            let place = place.index(bytes.len());
            bytes[place] = byte;
        }
        let mut place = 12;
        while place + 20 <= bytes.len() {
            let length = u32::from_le_bytes(bytes[place + 4..place + 8].try_into().unwrap()) as usize;
            let Some(content) = bytes.get(place + 20..place + 20 + length) else { break };
            let mut sum = crc32fast::Hasher::new();
            sum.update(&bytes[place..place + 16]);
            sum.update(content);
            let sum = sum.finalize();
            bytes[place + 16..place + 20].copy_from_slice(&sum.to_le_bytes());
            place += 20 + length;
        }
        if let Ok(mut recording) = Recording::from_bytes(bytes) {
            let mut frame = Frame::default();
            for number in 0..recording.frames() {
                let _ = recording.frame(number, &mut frame);
            }
            let _ = recording.first_map();
            let _ = recording.fallen(usize::MAX, &mut Vec::new());
        }
    }
}
