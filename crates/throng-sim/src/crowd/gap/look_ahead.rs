//! Looking ahead for a lane: past those that come, and past a queue.

use super::PERSON;
use crate::crowd::stream::{Extent, Streams};
use crate::crowd::{AgentView, CHUNK};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::Vec2;
use throng_grid::walls::line_of_sight;

/// The width of a lane, and the steps in which it looks ahead (m).
const LANE: f32 = 0.8;

/// So many steps it looks ahead.
const STEPS: usize = 8;

/// So many lanes it sees on either side.
const LANES_ASIDE: i32 = 2;

/// The furthest lane that it sees is so far aside (m).
pub(in crate::crowd) const FURTHEST: f32 = LANES_ASIDE as f32 * LANE;

/// Within so many steps it comes to the lane that it takes. One that ends in a wall sooner is none.
const CHANGE: usize = 2;

/// What a metre aside costs; one agent straight ahead that comes costs 1.
const DETOUR: f32 = 0.3;

/// Where some come, the gain of a metre to the right.
const RIGHT: f32 = 0.4;

/// The gain of one that goes the same way.
const COMPANY: f32 = 0.3;

/// The cost of one that goes the same way and stands; of one that walks, its share of the speed that it lacks.
const QUEUE: f32 = 0.5;

/// While all that is straight ahead costs less than that, it looks for no other lane.
const NOTICE: f32 = 0.5;

/// It comes to the lane that it chose in this time (s).
const PATIENCE: f32 = 0.3;

/// Side of the cells in which [`look_ahead`] wants its streams counted (m), for agents with such a radius (m).
pub fn lane_width(radius: f32) -> f32 {
    LANE * (radius / PERSON)
}

/// None sees streams further away than this (m): of a crowd of an extent, where the radii (m) lie between two.
pub(crate) fn reach(extent: Extent, [least, greatest]: [f32; 2]) -> f32 {
    (STEPS as i32 + LANES_ASIDE) as f32 * lane_width(greatest) + 2.0 * extent.side(lane_width(least))
}

/// Writes `aside`, how far each row for which `looks` is true bears to the right (m; lengths are those of people): to the one of five lanes
/// with the fewest that come or stand, and the most that walk its way; one that does not `walk` keeps to none. `streams` are those of the
/// [headings](AgentView::heading), and count the share of its speed that each lacks. `since` it looked last (s).
///
/// The same on any number of threads. O(1) an agent, beside the walls in sight.
///
/// # Panics
/// Where the view has no headings.
pub fn look_ahead(
    view: &AgentView<'_>,
    streams: &Streams,
    (looks, walks): (impl Fn(usize) -> bool + Sync, impl Fn(usize) -> bool + Sync),
    since: f32,
    aside: &mut [f32],
) {
    assert!(view.heading.len() == view.position.len(), "columns differ in length");
    let share = since / (since + PATIENCE);
    aside.par_chunks_mut(CHUNK).enumerate().for_each(|(chunk, aside)| {
        for (i, aside) in aside.iter_mut().enumerate() {
            let row = chunk * CHUNK + i;
            if looks(row) {
                let lane = if walks(row) { best_lane(view, streams, row) } else { 0.0 };
                *aside += (lane - *aside) * share;
            }
        }
    });
}

/// How far to the right the best lane is (m).
fn best_lane(view: &AgentView<'_>, streams: &Streams, row: usize) -> f32 {
    let (from, heading) = (view.position[row], view.heading[row]);
    if heading == Vec2::ZERO {
        return 0.0;
    }
    let right = Vec2::new(-heading.y, heading.x);
    let width = lane_width(view.radius[row]);
    let seen = |offset: f32| {
        let mut lane = Lane { blocked: false, coming: 0.0, queue: 0.0, company: 0.0 };
        let mut before = from;
        for step in 1..=STEPS {
            let ahead = step as f32;
            let place = from + (heading * ahead + right * (offset * (ahead / CHANGE as f32).min(1.0))) * width;
            if !line_of_sight(view.grid, view.clearance, before, place, 0.0) {
                lane.blocked = step <= CHANGE;
                break;
            }
            before = place;
            let here = streams.at(place);
            // Near ones count more.
            let count = width * width * (1.0 - ahead / (STEPS + 1) as f32);
            let along = here.sum.dot(heading) * count;
            if along > 0.0 {
                lane.company += along;
                lane.queue += here.weight * count;
            } else {
                lane.coming -= along;
            }
        }
        lane
    };
    let straight = seen(0.0);
    if straight.coming < NOTICE && QUEUE * straight.queue < NOTICE {
        return 0.0;
    }
    let keep_right = if straight.coming < NOTICE { 0.0 } else { RIGHT };
    let mut best = (straight.cost(), 0.0);
    for side in (1..=LANES_ASIDE).flat_map(|side| [side, -side]) {
        let (lane, offset) = (seen(side as f32), side as f32 * LANE);
        let cost = lane.cost() + DETOUR * offset.abs() - keep_right * offset;
        if !lane.blocked && cost < best.0 {
            best = (cost, offset);
        }
    }
    best.1
}

/// A lane as far as it is seen: agents, the nearer the more.
struct Lane {
    /// A wall is where it would be entered.
    blocked: bool,
    coming: f32,
    company: f32,
    queue: f32,
}

impl Lane {
    fn cost(&self) -> f32 {
        self.coming + QUEUE * self.queue - COMPANY * self.company
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::AgentColumns;
    use throng_grid::{Grid, Lattice, clearance::clearance};
    use throng_spatial::Near;

    /// How far aside the first bears, which goes to +x in the middle of a corridor, so many metres wide; the others are so far before it and to its
    /// right, and walk at such a velocity.
    fn borne(corridor: u32, others: &[([f32; 2], [f32; 2])]) -> f32 {
        let mut grid = Grid::closed(Lattice::new(60, 40, 0.5).unwrap());
        let lattice = grid.lattice();
        for cell in lattice.cells() {
            grid.set_open(cell, lattice.column_row(cell).1.abs_diff(20) < corridor);
        }
        let start = Vec2::new(5.0, 10.0);
        let position: Vec<Vec2> =
            [start].into_iter().chain(others.iter().map(|other| start + Vec2::from(other.0))).collect();
        let velocity: Vec<Vec2> = [Vec2::X].into_iter().chain(others.iter().map(|other| other.1.into())).collect();
        // Those that stand want to go to +x, too.
        let heading: Vec<Vec2> = velocity.iter().map(|v| if v.x < 0.0 { Vec2::NEG_X } else { Vec2::X }).collect();
        let (layer, near, n) = (clearance(&grid), Near::default(), position.len());
        let columns = AgentColumns {
            position: &position,
            velocity: &velocity,
            preferred_velocity: &heading,
            radius: &vec![PERSON; n],
            top_speed: &vec![2.0; n],
            weight: &vec![1.0; n],
            progress: &vec![1.0; n],
            slot: &vec![0; n],
        };
        let view = AgentView::new(0.1, &grid, &layer, columns, &near).unwrap().with_headings(&heading).unwrap();
        let mut streams = Streams::default();
        let lacks = |row: usize| Some(1.0 - velocity[row].length());
        streams.rebuild(None, lane_width(PERSON), lacks, &position, &heading);
        let mut aside = vec![0.0; n];
        // It has looked for ever.
        look_ahead(&view, &streams, (|row| row == 0, |_| true), 1e9, &mut aside);
        assert!(aside[1..].iter().all(|&aside| aside == 0.0), "none but the first looks");
        aside[0]
    }

    #[test]
    fn it_looks_for_a_lane_where_some_come_or_stand() {
        let line = |right: f32, speed: f32| (1..=12).map(move |i| ([0.5 * i as f32, right], [speed, 0.0]));
        let wall = |from: i32, to: i32, speed: f32| -> Vec<_> {
            (from..=to).flat_map(|lane| line(0.8 * lane as f32, speed)).collect()
        };
        for (what, corridor, others, expected) in [
            ("alone", 12, vec![], 0.0..=0.0),
            ("behind others", 12, wall(-2, 2, 1.0), 0.0..=0.0),
            ("some come: to the right", 12, wall(0, 0, -1.0), 0.7..=1.7),
            ("they come everywhere but on the left", 12, wall(-1, 3, -1.0), -1.7..=-1.5),
            ("some stand", 12, wall(0, 0, 0.0), -0.9..=0.9),
            ("all stand but on the left", 12, wall(-1, 2, 0.0), -1.7..=-1.5),
            ("some come, and there is no room aside", 1, wall(0, 0, -1.0), 0.0..=0.0),
            ("a lane goes its way", 12, [wall(-2, -2, 1.0), wall(-1, 3, -1.0)].concat(), -1.7..=-1.5),
        ] {
            let aside = borne(corridor, &others);
            assert!(expected.contains(&aside), "{what}: {aside} m");
        }
        assert!(borne(12, &wall(0, 0, 0.0)) != 0.0, "it passes those that stand");
    }
}
