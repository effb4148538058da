//! Runs as they are painted: whatever the order of rows, the threads and the edits on the way.

use super::*;
use crate::land::Land;
use crate::painter::moment::Change;
use crate::view::{FORESHORTENING, View};
use std::sync::Arc;
use throng_grid::generate::{Kind, generate};
use throng_grid::geom::{Vec2, Vec3, direction};
use throng_grid::{Cell, Edit, Grid, Lattice};
use throng_sim::battle::Look;
use throng_sim::world::{ArmyCount, ArmyId, Flight, Frame, SquadId, UnitId};

const COLOURS: [[u8; 3]; 2] = [[255, 79, 18], [33, 120, 255]];

fn town() -> Arc<Grid> {
    Arc::new(generate(Kind::Fortress, 256, 256, 3).unwrap())
}

/// Two armies on open cells, a step further with each tick.
fn frame(grid: &Arc<Grid>, tick: u64) -> Frame {
    let lattice = grid.lattice();
    let open: Vec<Cell> = lattice.cells().filter(|&cell| grid.is_open(cell)).step_by(37).collect();
    let count = open.len();
    Frame {
        tick,
        time: tick as f64 * 0.5,
        grid: Some(grid.clone()),
        id: (0..count as u32).collect(),
        position: open.iter().map(|&cell| lattice.centre(cell) + 0.1 * tick as f32).collect(),
        heading: (0..count).map(|row| direction(row as f32 * 31.0)).collect(),
        radius: vec![0.3; count],
        army: (0..count).map(|row| ArmyId((row % 2) as u8)).collect(),
        unit: (0..count).map(|row| UnitId((row % 8) as u16)).collect(),
        squad: (0..count).map(|row| Some(SquadId((row % 6) as u32))).collect(),
        health: vec![0.8; count],
        armies: vec![ArmyCount::default(); 2],
        looks: Look::ALL.to_vec(),
        enlisted: vec![count as u32; 6],
        enemies: vec![0b10, 0b01],
        shots: (0..20).map(|shot| flight(shot as f32 * 5.0)).collect(),
        ..Frame::default()
    }
}

fn flight(x: f32) -> Flight {
    Flight { at: Vec3::new(x, 40.0, 6.0), velocity: Vec3::new(8.0, 3.0, -4.0), army: ArmyId(0) }
}

/// Rows in another order.
fn turned(frame: &Frame) -> Frame {
    let mut turned = frame.clone();
    turned.id.reverse();
    turned.position.reverse();
    turned.heading.reverse();
    turned.army.reverse();
    turned.unit.reverse();
    turned.squad.reverse();
    turned
}

fn view() -> View {
    View { origin: Vec2::new(10.0, 5.0), scale: 5.0 }
}

const SIZE: (u32, u32) = (400, 300);

fn watcher(grid: &Arc<Grid>) -> Watcher {
    Watcher::new(grid.clone())
}

fn painter(grid: &Grid) -> BattlePainter {
    BattlePainter::new(|| Land::of(grid), None, view(), SIZE, &Look::ALL, &COLOURS)
}

fn painted(painter: &mut BattlePainter, moment: &Moment, changes: &[Change]) -> Canvas {
    let mut canvas = Canvas::default();
    painter.paint(moment, changes, &mut canvas);
    canvas
}

#[test]
fn the_order_of_rows_and_the_number_of_threads_do_not_matter() {
    let grid = town();
    let picture = |threads: usize, reversed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut watcher = watcher(&grid);
            let mut moment = Moment::default();
            for tick in 0..3 {
                let frame = frame(&grid, tick);
                let frame = if reversed { turned(&frame) } else { frame };
                watcher.show(&frame);
                moment = watcher.moment(&frame);
            }
            // Means of places are sums in the order of rows.
            moment.companies.clear();
            painted(&mut painter(&grid), &moment, watcher.changes())
        })
    };
    let one = picture(1, false);
    assert!(one == picture(5, false) && one == picture(2, true));
}

#[test]
fn a_painter_that_joins_later_paints_the_same() {
    let grid = town();
    let mut watcher = watcher(&grid);
    let mut moments = Vec::new();
    let mut present = grid;
    for tick in 0..6 {
        if tick == 3 {
            let mut after = Grid::clone(&present);
            let lattice = after.lattice();
            let walls: Vec<Edit> = lattice
                .cells()
                .filter(|&cell| !after.is_open(cell))
                .skip(200)
                .step_by(9)
                .take(40)
                .map(Edit::Open)
                .collect();
            after.edit(&walls, &mut Vec::new());
            present = Arc::new(after);
        }
        let mut frame = frame(&present, tick);
        if tick > 1 {
            // One in eight has fallen since the first state.
            let gone: Vec<usize> = (0..frame.id.len()).filter(|row| row % 8 == tick as usize).collect();
            frame.fallen = gone.iter().map(|&row| frame.position[row]).collect();
            for &row in gone.iter().rev() {
                frame.id.remove(row);
                frame.position.remove(row);
                frame.heading.remove(row);
                frame.army.remove(row);
                frame.unit.remove(row);
                frame.squad.remove(row);
            }
        }
        watcher.show(&frame);
        moments.push(watcher.moment(&frame));
    }
    let fallen = watcher.changes().iter().filter(|change| matches!(change, Change::Fallen(_))).count();
    assert!(fallen > 20, "{fallen}");
    let first = painter(&town());
    let mut along = first.clone();
    let pictures: Vec<Canvas> = moments.iter().map(|moment| painted(&mut along, moment, watcher.changes())).collect();
    for (moment, picture) in moments.iter().zip(&pictures) {
        assert!(*picture == painted(&mut first.clone(), moment, watcher.changes()));
    }
    assert!(pictures[2] != pictures[3]);
}

#[test]
fn a_window_shows_what_is_seen_there_in_a_larger_one() {
    let grid = town();
    let state = frame(&grid, 1);
    let picture = |view: View, size: (u32, u32)| {
        let mut watcher = Watcher::new(grid.clone());
        watcher.show(&state);
        let mut moment = watcher.moment(&state);
        // Banners grow with the picture, clouds are not laid on whole pixels.
        moment.companies.clear();
        moment.clouds.clear();
        moment.shots.clear();
        let mut painter = BattlePainter::new(|| Land::of(&grid), None, view, size, &Look::ALL, &COLOURS);
        painted(&mut painter, &moment, watcher.changes())
    };
    let large = picture(view(), (400, 300));
    let [right, down] = [100, 80];
    let origin = view().origin + Vec2::new(right as f32, down as f32 / FORESHORTENING) / view().scale;
    let small = picture(View { origin, ..view() }, (160, 120));
    let mut differing = 0;
    for y in 0..120 {
        for x in 0..160 {
            let [a, b] = [small.pixels[y * 160 + x], large.pixels[(y + down) * 400 + x + right]];
            differing += usize::from(a[..3] != b[..3]);
        }
    }
    // The depth of what is built is whole sixteenths of a metre from another edge.
    assert!(differing < 160 * 120 / 100, "{differing}");
}

#[test]
fn an_agent_in_the_open_is_seen_in_the_colour_of_its_army() {
    let grid = Arc::new(Grid::open_plain(Lattice::new(96, 96, 1.0).unwrap()));
    for look in Look::ALL {
        for (army, colour) in (0..).zip(COLOURS) {
            let mut state = frame(&grid, 0);
            (state.looks, state.shots) = (vec![look], Vec::new());
            let columns = 1;
            state.id.truncate(columns);
            (state.position, state.heading) = (vec![Vec2::new(45.0, 40.0)], vec![Vec2::Y]);
            (state.army, state.unit, state.squad) = (vec![ArmyId(army)], vec![UnitId(0)], vec![None]);
            let mut watcher = watcher(&grid);
            watcher.show(&Frame { id: Vec::new(), squad: Vec::new(), ..state.clone() });
            let empty = painted(&mut painter(&grid), &Moment::default(), &[]);
            watcher.show(&state);
            let moment = watcher.moment(&state);
            assert_eq!(moment.figures.len(), 1);
            let picture = painted(&mut painter(&grid), &moment, watcher.changes());
            let foot = view().to_pixel(Vec3::new(45.0, 40.0, 0.0));
            let is_own = |pixel: &[u8; 4]| {
                let [r, _, b, _] = pixel.map(i32::from);
                if colour[0] > colour[2] { r > b + 60 } else { b > r + 60 }
            };
            let mut own = 0;
            for (index, (pixel, before)) in picture.pixels.iter().zip(&empty.pixels).enumerate() {
                let at = Vec2::new((index % 400) as f32, (index / 400) as f32);
                if pixel != before {
                    assert!(at.distance(foot) < 40.0, "{look} is painted at {at}, not at {foot}");
                    own += usize::from(is_own(pixel));
                }
            }
            assert!(own >= 3, "{look}: {own} pixels of {colour:?}");
        }
    }
}

#[test]
fn nothing_of_a_frame_without_agents_is_missing() {
    let grid = Arc::new(Grid::open_plain(Lattice::new(1, 1, 0.5).unwrap()));
    let mut watcher = Watcher::new(grid.clone());
    watcher.show(&Frame::default());
    let moment = watcher.moment(&Frame::default());
    assert_eq!(moment, Moment::default());
    let mut painter = BattlePainter::new(
        || Land::of(&grid),
        watcher.worn(),
        View { origin: Vec2::ZERO, scale: 0.3 },
        (1, 1),
        &[],
        &[],
    );
    assert_eq!(painted(&mut painter, &moment, &[]).pixels.len(), 1);
}
