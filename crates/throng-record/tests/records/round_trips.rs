//! Written trajectories and figures of random frames are read again.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use throng_grid::geom::Vec2;
use throng_record::{Sink, Statistics, Trajectories, TrajectoryText};
use throng_sim::world::{ArmyCount, Frame};

/// Frames in which agents come and go and jump, in any order of their rows.
fn frames() -> impl Strategy<Value = Vec<Frame>> {
    let agent = (0..40_u32, 0.0..200.0_f32, 0.0..100.0_f32, 0.0..6.25_f32);
    proptest::collection::vec(proptest::collection::vec(agent, 0..20), 1..8).prop_map(|frames| {
        let frame = |(tick, agents): (usize, Vec<(u32, f32, f32, f32)>)| {
            let mut frame = Frame { tick: tick as u64, time: 0.1 * tick as f64, ..Frame::default() };
            for (id, x, y, angle) in agents {
                if !frame.id.contains(&id) {
                    frame.id.push(id);
                    frame.position.push(Vec2::new(x, y));
                    frame.heading.push(Vec2::from_angle(angle));
                }
            }
            let [alive, dead] = [frame.id.len() as u32, tick as u32];
            frame.asleep = frame.id.len() / 2;
            frame.armies = vec![ArmyCount { name: "red, \"the\" first".into(), alive, dead, ..ArmyCount::default() }];
            frame
        };
        frames.into_iter().enumerate().map(frame).collect()
    })
}

fn written(mut sink: impl Sink, frames: &[Frame]) -> PathBuf {
    for frame in frames {
        sink.frame(frame).unwrap();
    }
    Box::new(sink).finish().unwrap()
}

/// The position of each agent in each frame, as the files have it: frames are counted from 0.
fn places(frames: &[Frame], origin: [f64; 2]) -> BTreeMap<(i64, i64), [f64; 2]> {
    let mut places = BTreeMap::new();
    for (number, frame) in (0..).zip(frames) {
        for (&id, at) in frame.id.iter().zip(&frame.position) {
            places.insert((number, id.into()), [origin[0] + f64::from(at.x), origin[1] + f64::from(at.y)]);
        }
    }
    places
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(40) })]

    /// To the bit, since a database holds more digits than the simulation has.
    #[test]
    fn trajectories_in_a_database(frames in frames()) {
        let folder = tempfile::tempdir().unwrap();
        let origin = [-12.5, 40.0];
        let sink = Trajectories::create(folder.path().join("a.sqlite"), 0.1, 1, origin, Vec2::new(200.0, 100.0)).unwrap();
        let connection = rusqlite::Connection::open(written(sink, &frames)).unwrap();
        let mut query = connection.prepare("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data").unwrap();
        let rows = query.query_map([], |row| {
            let pair = |column| Ok::<_, rusqlite::Error>([row.get::<_, f64>(column)?, row.get(column + 1)?]);
            Ok(((row.get(0)?, row.get(1)?), (pair(2)?, pair(4)?)))
        });
        let rows: BTreeMap<(i64, i64), ([f64; 2], [f64; 2])> = rows.unwrap().map(Result::unwrap).collect();
        prop_assert_eq!(rows.iter().map(|(&key, &(place, _))| (key, place)).collect::<BTreeMap<_, _>>(), places(&frames, origin));
        for (number, frame) in (0..).zip(&frames) {
            for (&id, heading) in frame.id.iter().zip(&frame.heading) {
                prop_assert_eq!(rows[&(number, i64::from(id))].1, [f64::from(heading.x), f64::from(heading.y)]);
            }
        }
        let fps: String = connection.query_row("SELECT value FROM metadata WHERE key = 'fps'", [], |row| row.get(0)).unwrap();
        prop_assert_eq!(fps.parse(), Ok(10.0));
    }

    /// To half of a tenth of a millimetre.
    #[test]
    fn trajectories_as_text(frames in frames()) {
        let folder = tempfile::tempdir().unwrap();
        let origin = [100.25, -3.0];
        let sink = TrajectoryText::create(folder.path().join("a.txt"), 0.1, 1, origin).unwrap();
        let text = std::fs::read_to_string(written(sink, &frames)).unwrap();
        let mut found = BTreeMap::new();
        for line in text.lines().filter(|line| !line.starts_with('#')) {
            let [id, frame, x, y, _] = line.split_whitespace().collect::<Vec<_>>()[..] else { panic!("{line}") };
            found.insert((frame.parse().unwrap(), id.parse().unwrap()), [x.parse().unwrap(), y.parse::<f64>().unwrap()]);
        }
        let expected = places(&frames, origin);
        prop_assert!(found.keys().eq(expected.keys()));
        for (key, place) in &expected {
            for axis in 0..2 {
                prop_assert!((found[key][axis] - place[axis]).abs() <= 0.5001e-4, "{key:?}: {place:?}");
            }
        }
    }

    /// Counts are exact; names may hold any text that CSV must quote.
    #[test]
    fn figures_over_time(frames in frames()) {
        let folder = tempfile::tempdir().unwrap();
        let path = written(Statistics::create(folder.path().join("a.csv")).unwrap(), &frames);
        let mut table = csv::Reader::from_path(path).unwrap();
        let header = table.headers().unwrap().clone();
        let column = |name: &str| header.iter().position(|found| found == name).unwrap();
        let rows: Vec<csv::StringRecord> = table.records().map(Result::unwrap).collect();
        prop_assert_eq!(rows.len(), frames.len());
        for (row, frame) in rows.iter().zip(&frames) {
            let number = |name: &str| row[column(name)].parse::<f64>().unwrap();
            prop_assert_eq!(number("tick"), frame.tick as f64);
            prop_assert!((number("time_s") - frame.time).abs() < 1e-6);
            prop_assert_eq!(number("agents"), frame.id.len() as f64);
            prop_assert_eq!(number("asleep"), frame.asleep as f64);
            prop_assert_eq!(number("red, \"the\" first_alive"), f64::from(frame.armies[0].alive));
            prop_assert_eq!(number("red, \"the\" first_dead"), f64::from(frame.armies[0].dead));
        }
    }
}
