//! From doors to cells.

use super::cluster::{Cluster, Fields, Ways, children};
use super::field::{HERE, Spread};
use super::levels::Level;
use super::search::End;
use super::tiling::Area;
use throng_grid::{Cell, Ground};

/// A way through one cluster of the lowest level, which a field holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    cluster: u32,
    /// The door to which the field leads.
    door: u32,
    /// Where the way begins that ends at the door.
    outer: Cell,
    /// True where it is to be taken the other way round, from the door.
    backwards: bool,
}

/// Adds the legs from the start to a door of its cluster on a level.
pub(super) fn from_start(levels: &[Level], start: &End, level: usize, door: usize, legs: &mut Vec<Leg>) {
    let cluster = start.clusters[level];
    if level == 0 {
        legs.push(Leg { cluster, door: door as u32, outer: start.cell, backwards: false });
    } else if let Some(through) = start.through(levels, level, door) {
        from_start(levels, start, level - 1, through, legs);
        let below = &levels[level - 1].clusters[start.clusters[level - 1] as usize];
        between(levels, level, cluster, below.doors[through].cell, door, legs);
    }
}

/// Adds the legs from a door of the goal's cluster on a level to the goal.
pub(super) fn to_goal(levels: &[Level], goal: &End, level: usize, door: usize, legs: &mut Vec<Leg>) {
    // The ways lead to the door: found in that direction, and turned round.
    let first = legs.len();
    from_start(levels, goal, level, door, legs);
    legs[first..].reverse();
    for leg in &mut legs[first..] {
        leg.backwards = true;
    }
}

/// Adds the legs from a door below to a door of a cluster.
pub(super) fn between(levels: &[Level], level: usize, cluster: u32, from: Cell, door: usize, legs: &mut Vec<Leg>) {
    let this = &levels[level].clusters[cluster as usize];
    let to = this.doors[door].cell;
    let Ways::Doors(hops) = &this.ways else {
        if from != to {
            legs.push(Leg { cluster, door: door as u32, outer: from, backwards: false });
        }
        return;
    };
    let below = &levels[level - 1];
    let children = children(below, &levels[level].tiling, cluster);
    let mut at = from;
    let Some(mut place) = hops.place(below, children, from) else { return };
    while at != to {
        let Some((child, through, next)) = hops.next(below, children, place, door, this.doors.len()) else { return };
        between(levels, level - 1, child, at, through, legs);
        at = below.clusters[child as usize].doors[through].cell;
        place = next;
    }
}

/// Adds the cells of a leg to a route, without the first; returns its cost.
pub(super) fn cells(level: &Level, leg: Leg, route: &mut Vec<Cell>) -> u32 {
    let Cluster { ways: Ways::Cells(bytes), .. } = &*level.clusters[leg.cluster as usize] else { return 0 };
    let lattice = level.tiling.lattice;
    let fields = Fields::new(level.tiling.area(leg.cluster), bytes);
    let (x, y) = lattice.column_row(leg.outer);
    let (first, at) = (route.len(), fields.index(x, y));
    if leg.backwards {
        route.push(leg.outer);
    }
    let cost = fields.walk(lattice, leg.door as usize, leg.outer, at, route);
    if leg.backwards {
        // The door is in the route already.
        route.pop();
        route[first..].reverse();
    }
    cost
}

/// Finds the way between two cells of a cluster of the lowest level that stays inside it, and adds its cells to a route,
/// without the first.
pub(super) fn inside(
    ground: &Ground,
    area: Area,
    (from, to): (&End, &End),
    spread: &mut Spread,
    route: &mut Vec<Cell>,
) {
    super::search::inside(ground, area, (from, to), spread, &mut 0);
    let offsets = ground.lattice().offsets();
    let local = area.offsets();
    let (mut at, mut cell) = (area.index(from.x, from.y), from.cell);
    while spread.back[at] < HERE {
        let d = usize::from(spread.back[at]) % 8;
        at = at.wrapping_add_signed(local[d] as isize);
        cell = Cell(cell.0.wrapping_add_signed(offsets[d]));
        route.push(cell);
    }
}
