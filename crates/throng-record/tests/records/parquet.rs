//! Tables as Parquet: the values read back are those of the CSV.
#![allow(clippy::unwrap_used, missing_docs)]

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::Field;
use std::fs::File;
use std::path::{Path, PathBuf};
use throng_grid::geom::Vec2;
use throng_record::{Sink, SquadTable, Statistics, TrajectoryTable};
use throng_sim::battle::SquadStats;
use throng_sim::world::{ArmyCount, ArmyId, Frame, SquadCount, UnitId, seconds};

fn frame(tick: u64, agents: u32) -> Frame {
    let ids = 0..agents;
    Frame {
        tick,
        time: seconds(tick, 0.05),
        position: ids.clone().map(|id| Vec2::new(id as f32 * 0.37, tick as f32 * 0.1)).collect(),
        heading: vec![Vec2::Y; agents as usize],
        army: ids.clone().map(|id| ArmyId((id % 2) as u8)).collect(),
        unit: ids.clone().map(|id| UnitId((id % 3) as u16)).collect(),
        health: vec![0.5; agents as usize],
        armies: ["red", "blue"]
            .map(|name| ArmyCount { name: name.into(), alive: agents, ..ArmyCount::default() })
            .to_vec(),
        units: ["a", "b", "c"].map(String::from).to_vec(),
        id: ids.collect(),
        ..Frame::default()
    }
}

/// Names, and rows with NaN for missing values.
type Rows = (Vec<String>, Vec<Vec<f64>>);

fn parquet(path: &Path) -> Rows {
    let reader = SerializedFileReader::new(File::open(path).unwrap()).unwrap();
    let fields = reader.metadata().file_metadata().schema_descr().columns();
    let names = fields.iter().map(|column| column.name().to_owned()).collect();
    let number = |field: &Field| match *field {
        Field::Long(count) => count as f64,
        Field::Double(number) => number,
        Field::Null => f64::NAN,
        ref other => panic!("{other}"),
    };
    let rows = reader.get_row_iter(None).unwrap();
    (names, rows.map(|row| row.unwrap().get_column_iter().map(|(_, field)| number(field)).collect()).collect())
}

fn csv(path: &Path) -> Rows {
    let mut reader = csv::Reader::from_path(path).unwrap();
    let names = reader.headers().unwrap().iter().map(String::from).collect();
    let number = |text: &str| text.parse().unwrap_or(f64::NAN);
    (names, reader.records().map(|row| row.unwrap().iter().map(number).collect()).collect())
}

fn same((names, rows): &Rows, (other_names, other_rows): &Rows) {
    assert_eq!(names, other_names);
    assert_eq!(rows.len(), other_rows.len());
    for (row, other) in rows.iter().zip(other_rows) {
        assert_eq!(row.len(), other.len());
        let near = |(a, b): (&f64, &f64)| (a - b).abs() <= 5.1e-5 || a.is_nan() && b.is_nan();
        assert!(row.iter().zip(other).all(near), "{row:?} and {other:?}");
    }
}

/// The same frames into a CSV and a Parquet file.
fn both<S: Sink>(folder: &Path, create: impl Fn(PathBuf) -> S, frames: &[Frame]) -> [Rows; 2] {
    let write = |name: &str| {
        let mut sink = create(folder.join(name));
        frames.iter().for_each(|frame| sink.frame(frame).unwrap());
        Box::new(sink).finish().unwrap()
    };
    [csv(&write("a.csv")), parquet(&write("a.parquet"))]
}

#[test]
fn statistics_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let frames: Vec<_> = (0..20).map(|tick| frame(tick, 30)).collect();
    let [csv, parquet] = both(folder.path(), |path| Statistics::create(path).unwrap().with_times(), &frames);
    assert_eq!((parquet.1.len(), parquet.0.len()), (20, 5 + 14 + 12 + 11));
    // No agent has a speed in the first row.
    assert!(parquet.1[0][4].is_nan() && !parquet.1[1][4].is_nan());
    same(&csv, &parquet);
}

#[test]
fn squads_come_back_with_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let tally = SquadStats {
        spawned: 9,
        losses: 2,
        kills: 3,
        dealt: 12_250_000,
        taken: 70_000_000,
        walked: 1_234_567,
        ..SquadStats::default()
    };
    let squads = vec![SquadCount { army: ArmyId(1), unit: UnitId(2), tally, ..SquadCount::default() }];
    let frames: Vec<_> = (0..3).map(|tick| Frame { squads: squads.clone(), ..frame(tick, 4) }).collect();
    let names = || vec!["first, of foot".to_owned()];
    let path = folder.path().join("a.parquet");
    let mut sink = SquadTable::create(&path).unwrap().with_names(names());
    frames.iter().for_each(|frame| sink.frame(frame).unwrap());
    Box::new(sink).finish().unwrap();
    let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
    let rows: Vec<String> = reader.get_row_iter(None).unwrap().map(|row| row.unwrap().to_string()).collect();
    // The squad, and the agents of the other army, which are in none.
    assert_eq!(rows.len(), 6);
    assert!(
        rows[0].contains("squad: 0, name: \"first, of foot\", army: \"blue\", unit: \"c\", order: \"hold\""),
        "{rows:?}"
    );
    assert!(
        rows[0].ends_with("alive: 7, losses: 2, kills: 3, dealt: 12.3, taken: 70.0, distance_m: 1.234567}"),
        "{rows:?}"
    );
    assert!(rows[1].contains("squad: null, name: \"\", army: \"red\""), "{rows:?}");
}

#[test]
fn trajectories_come_back_over_groups_of_rows() {
    let folder = tempfile::tempdir().unwrap();
    // More figures than a group of rows holds.
    let frames: Vec<_> = (0..60).map(|tick| frame(tick, 2000)).collect();
    let [csv, parquet] = both(folder.path(), |path| TrajectoryTable::create(path, [10.0, 0.0]).unwrap(), &frames);
    assert_eq!(parquet.1.len(), 120_000);
    same(&csv, &parquet);
    let reader = SerializedFileReader::new(File::open(folder.path().join("a.parquet")).unwrap()).unwrap();
    assert_eq!(reader.num_row_groups(), 2);
}
