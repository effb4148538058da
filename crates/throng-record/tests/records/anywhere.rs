//! Pictures of any map from anywhere: none fails.

use proptest::prelude::*;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_record::{Film, Framing, MeasurementArea, Overlays, RenderOptions, Sink, Still, Theme};
use throng_sim::world::{ArmyCount, ArmyId, Flight, Frame, SquadId, UnitId};

/// A map of walls, rooms, water and terrain.
fn maps() -> impl Strategy<Value = Grid> {
    let side = || prop_oneof![1_u32..6, 1_u32..40, 1_u32..=300];
    let cell_size = prop_oneof![Just(0.01_f32), Just(0.25), Just(1.0), Just(1.0), Just(4.0), Just(1000.0)];
    // Of each kind of thing a few, by the fractions of the map that they take.
    let part = (0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0);
    let things = proptest::collection::vec((part, 0_u8..6), 0..8);
    (side(), side(), cell_size, 0..4, things).prop_map(|(width, height, cell_size, ground, things)| {
        let lattice = Lattice::new(width, height, cell_size).unwrap();
        let mut grid = if ground > 0 { Grid::open_plain(lattice) } else { Grid::closed(lattice) };
        if ground > 1 {
            lay(&mut grid, [0.0, 0.0], [1.0, 1.0], 1);
        }
        for ((x, y, wide, high), kind) in things {
            lay(&mut grid, [x, y], [wide, high], kind);
        }
        grid
    })
}

/// Fills or frames a rectangle of a map.
fn lay(grid: &mut Grid, [x, y]: [f32; 2], [wide, high]: [f32; 2], kind: u8) {
    let lattice = grid.lattice();
    let span = |from: f32, length: f32, side: u32| {
        let first = (from * side as f32) as u32;
        (first, (first + (length * side as f32) as u32).min(side - 1))
    };
    let ((left, right), (top, bottom)) = (span(x, wide, lattice.width), span(y, high, lattice.height));
    for row in top..=bottom {
        for column in left..=right {
            let cell = lattice.cell(column, row);
            let is_edge = row == top || row == bottom || column == left || column == right;
            match kind {
                0 => grid.set_open(cell, false),
                1 => grid.set_open(cell, !is_edge),
                2 => grid.set_open(cell, true),
                3 => grid.set_terrain(cell, (left % 256) as u8),
                4 => grid.set_height(cell, (top * 7 % 900) as u16),
                _ => {
                    grid.set_open(cell, false);
                    grid.set_terrain(cell, throng_grid::WATER);
                }
            }
        }
    }
}

/// A part of the world near a map or nowhere near it, from a hand's breadth to a country.
fn framings() -> impl Strategy<Value = Framing> {
    let place = || prop_oneof![-50.0_f32..350.0, -1e6_f32..1e6, Just(0.0)];
    let side = || prop_oneof![0.1_f32..4.0, 1.0_f32..400.0, 1e3_f32..1e6];
    let area = (place(), place(), side(), side())
        .prop_map(|(x, y, width, height)| Framing::Area(MeasurementArea { centre: Vec2::new(x, y), width, height }));
    prop_oneof![Just(Framing::Armies), Just(Framing::Map), Just(Framing::Fighting), area.clone(), area]
}

/// Some agents on the map and off it, a step further with each tick.
fn state(grid: &Arc<Grid>, tick: u64) -> Frame {
    let size = grid.lattice().size();
    let places = [[0.1, 0.1], [0.5, 0.5], [0.9, 0.4], [-0.2, 0.5], [1.4, 1.1]];
    let count = places.len();
    Frame {
        tick,
        time: tick as f64 * 0.5,
        grid: Some(Arc::clone(grid)),
        id: (0..count as u32).collect(),
        position: places.iter().map(|&share| Vec2::from(share) * size + 0.1 * tick as f32).collect(),
        heading: vec![Vec2::X; count],
        radius: vec![0.3; count],
        army: (0..count).map(|row| ArmyId((row % 2) as u8)).collect(),
        unit: vec![UnitId(0); count],
        squad: (0..count).map(|row| Some(SquadId((row % 2) as u32))).collect(),
        health: vec![0.8; count],
        armies: vec![ArmyCount::default(); 2],
        enlisted: vec![count as u32; 2],
        fallen: vec![size * 0.3, size * 2.0],
        shots: vec![Flight { at: (size * 0.5).extend(3.0), velocity: Vec2::ONE.extend(-1.0), army: ArmyId(0) }],
        ..Frame::default()
    }
}

/// The same map with its middle turned: what was open is closed.
fn edited(grid: &Grid) -> Arc<Grid> {
    let mut grid = grid.clone();
    let lattice = grid.lattice();
    for offset in 0..3 {
        let cell = lattice.cell((lattice.width / 2 + offset).min(lattice.width - 1), lattice.height / 2);
        grid.set_open(cell, !grid.is_open(cell));
    }
    Arc::new(grid)
}

/// Paints the end of a run, and a film of it where that is wanted.
fn painted(grid: &Grid, options: RenderOptions, is_filmed: bool) {
    let folder = tempfile::tempdir().unwrap();
    let mut sinks: Vec<Box<dyn Sink>> = vec![Box::new(Still::with_options(folder.path().join("a.png"), grid, options))];
    if is_filmed {
        sinks.push(Box::new(Film::with_options(folder.path().join("a.gif"), grid, options)));
    }
    let first = Arc::new(grid.clone());
    for frame in [state(&first, 0), state(&first, 1), state(&edited(grid), 2)] {
        sinks.iter_mut().for_each(|sink| sink.frame(&frame).unwrap());
    }
    sinks.into_iter().for_each(|sink| assert!(sink.finish().unwrap().exists()));
}

const THEMES: [Theme; 4] = [Theme::Battle, Theme::Building, Theme::Plan, Theme::Dark];

fn check(grid: &Grid, framing: Framing, longest: u32, which: usize, is_filmed: bool) {
    let overlays =
        Overlays { density: which.is_multiple_of(3), strength: which.is_multiple_of(2), ..Overlays::default() };
    let legend = !which.is_multiple_of(5);
    painted(grid, RenderOptions { longest, framing, legend, overlays, theme: THEMES[which % 4] }, is_filmed);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn any_map_can_be_painted_from_anywhere(
        grid in maps(), framing in framings(), longest in 16_u32..32, which in 0_usize..60,
    ) {
        check(&grid, framing, longest, which, false);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    #[ignore = "the same, in some minutes"]
    fn any_map_can_be_painted_from_anywhere_many_times(
        grid in maps(), framing in framings(), longest in 16_u32..200, which in 0_usize..60,
    ) {
        check(&grid, framing, longest, which, which % 7 == 0);
    }
}

#[test]
fn a_small_walled_room_is_painted_from_near() {
    let lattice = Lattice::new(16, 16, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    lay(&mut grid, [0.0, 0.0], [1.0, 1.0], 1);
    for (x, y, width) in [(8.0, 8.0, 60.0), (8.0, 8.0, 3.0), (0.0, 0.0, 2.0), (8.0, 8.0, 1e6)] {
        for theme in THEMES {
            let framing = Framing::Area(MeasurementArea::wide(Vec2::new(x, y), width));
            painted(&grid, RenderOptions { framing, theme, ..RenderOptions::new(16) }, false);
        }
    }
}
