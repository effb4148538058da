//! Two armies on the town map.

use std::collections::BTreeSet;
use std::path::Path;
use throng::battle::{Order, Unit};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::grid::walls::is_clear;
use throng::world::{Settings, SquadSpec, World};

/// The map.
pub fn town() -> Grid {
    Grid::load(Path::new(env!("CARGO_MANIFEST_DIR")).join("maps/town.map")).unwrap()
}

/// Metres between two places.
const SPACING: f32 = 1.1;

/// The clear places nearest to `centre` that are not `taken`, by rings of a lattice of [`SPACING`].
pub fn places(grid: &Grid, centre: Vec2, count: usize, taken: &mut BTreeSet<(u32, u32)>) -> Vec<Vec2> {
    let mut found = Vec::new();
    let centre = (centre / SPACING).round() * SPACING;
    for ring in 0_i32.. {
        for y in -ring..=ring {
            for x in -ring..=ring {
                let at = centre + Vec2::new(x as f32, y as f32) * SPACING;
                let place = ((at.x / SPACING).round() as u32, (at.y / SPACING).round() as u32);
                let free = x.abs().max(y.abs()) == ring && grid.lattice().covers(at) && is_clear(grid, at, 0.4);
                if free && taken.insert(place) {
                    found.push(at);
                }
            }
        }
        if found.len() >= count {
            found.truncate(count);
            return found;
        }
    }
    found
}

/// Two armies of three squads each, with more health than they lose.
pub fn battle(threads: usize, order: Order, agents: usize) -> World {
    let grid = town();
    let size = grid.lattice().size();
    let mut world = World::new(grid.clone(), Settings { threads, ..Settings::default() }).unwrap();
    let unit = world.add_unit(Unit { health: 400.0, ..Unit::default() }).unwrap();
    let mut taken = BTreeSet::new();
    for (name, x) in [("red", 0.42), ("blue", 0.58)] {
        let army = world.add_army(name).unwrap();
        for y in [0.2, 0.5, 0.8] {
            let positions = places(&grid, size * Vec2::new(x, y), agents / 6 + 1, &mut taken);
            world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &positions) }).unwrap();
        }
    }
    world
}
