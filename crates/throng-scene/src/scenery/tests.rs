//! Tiles join, threads do not matter, what is built hides what is north of it, an edit is as a fresh picture.

use super::*;
use crate::land::{Disc, House, Kind, Tower, Wing};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, Layer};

/// A small land with everything on it.
fn land() -> Land {
    let lattice = Lattice::new(96, 80, 1.0).expect("it can be made");
    let box_of = |west: f32, north: f32, east: f32, south: f32| {
        vec![Vec2::new(west, north), Vec2::new(east, north), Vec2::new(east, south), Vec2::new(west, south)]
    };
    let disc = |x: f32, y: f32, radius: f32| Disc { centre: Vec2::new(x, y), radius };
    let mut inside = Layer::new(lattice, false);
    let mut court = Layer::new(lattice, false);
    let mut road = Layer::new(lattice, 0.0);
    for cell in lattice.cells() {
        let at = lattice.centre(cell);
        inside.cells[cell.index()] = at.x > 20.0 && at.x < 70.0 && at.y > 18.0;
        court.cells[cell.index()] = at.x > 50.0 && at.x < 70.0 && at.y > 40.0;
        road.cells[cell.index()] = (1.0 - (at.x - 44.0).abs() * 0.3).clamp(0.0, 1.0);
    }
    let mut land = Land::of(&Grid::open_plain(lattice));
    // Nothing is mended: what stands does not follow from cells.
    land.kinds = Layer::new(lattice, Kind::Tree);
    land.walls = vec![
        box_of(20.0, 18.0, 40.0, 21.0),
        vec![Vec2::new(48.0, 18.0), Vec2::new(69.3, 31.0), Vec2::new(67.0, 34.0), Vec2::new(47.0, 21.5)],
    ];
    land.blocks = vec![box_of(36.0, 14.0, 42.0, 23.0)];
    land.towers = vec![
        Tower { disc: disc(20.0, 20.0, 4.0), is_roofed: false },
        Tower { disc: disc(69.0, 33.0, 4.5), is_roofed: true },
    ];
    land.moats = vec![box_of(5.0, 6.0, 60.0, 11.0)];
    land.hedges = vec![box_of(10.0, 50.0, 20.0, 51.5)];
    land.houses = vec![House {
        wings: vec![
            Wing { centre: Vec2::new(32.0, 40.0), along: Vec2::new(0.8, 0.6), half_length: 6.0, half_width: 3.0 },
            Wing { centre: Vec2::new(30.0, 44.0), along: Vec2::new(-0.6, 0.8), half_length: 4.0, half_width: 2.5 },
        ],
        roof: 3,
    }];
    land.trees = vec![disc(80.0, 60.0, 2.0)];
    land.rocks = vec![disc(85.0, 30.0, 3.0)];
    land.rubble = vec![disc(55.0, 27.0, 1.0)];
    land.breaches = vec![Vec2::new(48.0, 20.0)];
    land.debris = vec![disc(46.0, 22.0, 0.4)];
    land.inside = inside;
    land.court = court;
    land.wood = Layer::new(lattice, 0.2);
    land.road = road;
    land.clearance = Layer::new(lattice, 3.0);
    land
}

fn extra() -> [Disc; 1] {
    [Disc { centre: Vec2::new(60.0, 60.0), radius: 4.0 }]
}

#[test]
fn tiles_join_without_a_seam() {
    let (land, scorched) = (land(), extra());
    let mut trample = Layer::new(land.lattice, 0.0);
    for cell in land.lattice.cells() {
        trample.cells[cell.index()] = land.lattice.centre(cell).y / 80.0;
    }
    let extra = Extra { trample: Some(&trample), scorched: &scorched };
    for scale in [1.0, 2.6, 5.2, 17.0] {
        let (width, height) = (((40.0 * scale) as u32) & !3, ((34.0 * scale) as u32) & !3);
        let view = View { origin: Vec2::new(17.0, 5.0), scale };
        let whole = paint(&land, &extra, view, width, height);
        let (part_width, part_height) = (width / 4, height / 2);
        let corner = Frame::of(view, width, height);
        for (column, row) in (0..8).map(|k| (k % 4, k / 4)) {
            let (x, y) = (column * part_width, row * part_height);
            let north = Frame { y: corner.y + y as i32, ..corner }.bounds()[1];
            let origin = Vec2::new(((corner.x + x as i32) as f32) / scale, north);
            let part = paint(&land, &extra, View { origin, scale }, part_width, part_height);
            let deeper = north - corner.bounds()[1];
            for index in 0..part.pixels.len() {
                let (column, row) = (index as u32 % part_width + x, index as u32 / part_width + y);
                let at = (row * width + column) as usize;
                assert_eq!(part.pixels[index], whole.pixels[at], "pixel ({column}, {row}) at {scale}");
                match (part.foot(index), whole.foot(at)) {
                    (None, None) => {}
                    (Some(a), Some(b)) => assert!((a + deeper - b).abs() < 0.13, "{a} + {deeper} is not {b}"),
                    other => panic!("{other:?} at ({column}, {row}) at {scale}"),
                }
            }
        }
    }
}

#[test]
fn threads_do_not_matter() {
    let land = land();
    let on = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("it can be made");
        pool.install(|| Scenery::paint(&land, &Extra::default(), 9.0))
    };
    let (one, five) = (on(1), on(5));
    assert!(one.tiles().count() > 3);
    assert!(one == five);
}

#[test]
fn an_edit_is_as_a_fresh_picture() {
    let before = land();
    let mut after = before.clone();
    // A house goes, a wall is breached, a tower comes.
    after.houses.clear();
    after.breaches.push(Vec2::new(60.0, 27.0));
    after.towers.push(Tower { disc: Disc { centre: Vec2::new(75.0, 70.0), radius: 4.0 }, is_roofed: true });
    let changes = [
        [Vec2::new(23.0, 33.0), Vec2::new(39.0, 50.0)],
        [Vec2::new(60.0, 27.0), Vec2::new(60.0, 27.0)],
        [Vec2::new(71.0, 66.0), Vec2::new(79.0, 74.0)],
    ];
    for scale in [2.6, 7.0] {
        let mut scenery = Scenery::paint(&before, &Extra::default(), scale);
        let fresh = Scenery::paint(&after, &Extra::default(), scale);
        assert!(scenery != fresh);
        let touched = scenery.repaint(&after, &Extra::default(), &changes);
        assert!(!touched.is_empty());
        assert!(scenery == fresh, "at {scale}");
    }
}

#[test]
fn a_wall_hides_what_is_right_behind_it() {
    let land = land();
    let view = View { origin: Vec2::new(15.0, 5.0), scale: 6.0 };
    let tile = paint(&land, &Extra::default(), view, 150, 150);
    let at = |x: f32, y: f32, z: f32| {
        let pixel = view.to_pixel(Vec2::new(x, y).extend(z));
        (pixel.y as u32 * tile.width + pixel.x as u32) as usize
    };
    // The wall from y = 18 m to 21 m is 4.4 m high and covers 3.3 m of the ground north of it.
    for (y, z, is_hidden) in
        [(17.0, 0.0, true), (17.0, 1.7, true), (14.0, 0.0, false), (17.0, 5.0, false), (21.2, 0.5, false)]
    {
        let foot = tile.foot(at(30.0, y, z)).map_or(0.0, |foot| foot + 5.0);
        assert_eq!(foot > y + 0.3, is_hidden, "a body at {y} m, {z} m up; what is seen stands at {foot} m");
    }
    // In the shadow of the wall it is darker than in the open.
    assert!(tile.light(at(33.0, 21.3, 0.0)) < 0.5);
    assert!(tile.light(at(24.0, 29.0, 0.0)) > 0.9);
    assert_eq!(tile.grass(at(30.0, 9.5, 0.0)), None, "water");
    assert!(tile.grass(at(30.0, 13.0, 0.0)).is_some());
}
