//! A number in a file belongs to one agent for the whole run.

use proptest::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_record::{About, Recorder, Recording, Sink, Trajectories, TrajectoryTable, TrajectoryText};
use throng_sim::battle::Unit;
use throng_sim::crowd::AgentId;
use throng_sim::world::{Frame, Settings, World};

/// Seconds a tick.
const STEP: f32 = 0.1;

/// Metres that are lost in a file of centimetres, from one frame to the next.
const ROUNDED: f64 = 0.02;

/// Where each person was (m), by its number, then by tick.
type Tracks = BTreeMap<u64, BTreeMap<u64, [f64; 2]>>;

/// What is done before a tick: some come, some go, all is put into a snapshot and taken out again.
type Deed = (u8, u8, bool);

fn walk(deeds: &[Deed], mut see: impl FnMut(&Frame)) -> u64 {
    let grid = Grid::open_plain(Lattice::new(60, 60, 1.0).unwrap());
    let mut world = World::new(grid, Settings { step: STEP, ..Settings::default() }).unwrap();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
    let (mut there, mut ever, mut frame): (Vec<AgentId>, u64, _) = (Vec::new(), 0, Frame::default());
    for (tick, &(come, go, resumes)) in deeds.iter().enumerate() {
        // The first who came go first, and the next come far from where they stood.
        let gone: Vec<AgentId> = there.drain(..usize::from(go).min(there.len())).collect();
        world.remove(&gone);
        let places: Vec<Vec2> =
            (0..come).map(|i| Vec2::new(3.0 + 9.0 * f32::from(i), 3.0 + (tick * 17 % 53) as f32)).collect();
        there.extend(world.spawn_walkers(all, walker, &places, &[Vec2::splat(30.0)]).unwrap());
        ever += u64::from(come);
        if resumes {
            let kept = world.snapshot();
            world = World::from_snapshot(&kept).unwrap();
        }
        world.frame(&mut frame);
        see(&frame);
        world.tick().unwrap();
    }
    ever
}

fn table(path: &Path) -> Tracks {
    let mut tracks = Tracks::new();
    for row in csv::Reader::from_path(path).unwrap().records().map(Result::unwrap) {
        let at = [3, 4].map(|column| row[column].parse().unwrap());
        tracks.entry(row[2].parse().unwrap()).or_default().insert(row[0].parse().unwrap(), at);
    }
    tracks
}

fn text(path: &Path) -> Tracks {
    let mut tracks = Tracks::new();
    for line in std::fs::read_to_string(path).unwrap().lines().filter(|line| !line.starts_with('#')) {
        let row: Vec<f64> = line.split(' ').map(|number| number.parse().unwrap()).collect();
        tracks.entry(row[0] as u64).or_default().insert(row[1] as u64, [row[2], row[3]]);
    }
    tracks
}

fn database(path: &Path) -> Tracks {
    let connection = rusqlite::Connection::open(path).unwrap();
    let mut query = connection.prepare("SELECT frame, id, pos_x, pos_y FROM trajectory_data").unwrap();
    let mut rows = query.query([]).unwrap();
    let mut tracks = Tracks::new();
    while let Some(row) = rows.next().unwrap() {
        let [frame, id] = [0, 1].map(|column| row.get::<_, i64>(column).unwrap() as u64);
        tracks.entry(id).or_default().insert(frame, [2, 3].map(|column| row.get(column).unwrap()));
    }
    tracks
}

fn recording(path: &Path) -> Tracks {
    let mut recording = Recording::open(path).unwrap();
    let (mut tracks, mut frame) = (Tracks::new(), Frame::default());
    for number in 0..recording.frames() {
        recording.frame(number, &mut frame).unwrap();
        for (&person, at) in frame.person.iter().zip(&frame.position) {
            tracks.entry(person.into()).or_default().insert(frame.tick, [at.x.into(), at.y.into()]);
        }
    }
    tracks
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(24) })]

    /// As many tracks as there ever were people, and none jumps or has a gap.
    #[test]
    fn a_number_is_one_person(deeds in prop::collection::vec((0..5_u8, 0..5_u8, any::<bool>()), 2..20)) {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str| folder.path().join(name);
        let size = Vec2::splat(60.0);
        let about = About { step: STEP, ..About::default() };
        let mut sinks: Vec<Box<dyn Sink>> = vec![
            Box::new(TrajectoryTable::create(file("a.csv"), [0.0; 2]).unwrap()),
            Box::new(TrajectoryText::create(file("a.txt"), STEP, 1, [0.0; 2]).unwrap()),
            Box::new(Trajectories::create(file("a.sqlite"), STEP, 1, [0.0; 2], size).unwrap()),
            Box::new(Recorder::create(file("a.throng"), &about).unwrap()),
        ];
        let ever = walk(&deeds, |frame| sinks.iter_mut().for_each(|sink| sink.frame(frame).unwrap()));
        sinks.into_iter().for_each(|sink| { sink.finish().unwrap(); });
        let files = [("a.csv", table as fn(&Path) -> Tracks), ("a.txt", text), ("a.sqlite", database), ("a.throng", recording)];
        let farthest = f64::from(Unit::default().top_speed * STEP) + ROUNDED;
        for (name, read) in files {
            let tracks = read(&file(name));
            prop_assert_eq!(tracks.keys().copied().collect::<BTreeSet<_>>(), (0..ever).collect(), "{}", name);
            for (person, track) in &tracks {
                for ((&tick, from), (&next, to)) in track.iter().zip(track.iter().skip(1)) {
                    let way = (to[0] - from[0]).hypot(to[1] - from[1]);
                    prop_assert!(next == tick + 1 && way <= farthest, "{name}: {person} goes {way} m from {tick} to {next}");
                }
            }
        }
    }
}
