//! Subgoals: the cells at the corners of walls, where shortest routes turn.

use super::budget::Budget;
use super::walk::{Runs, Terrain};
use crate::jps::place::Place;
use crate::{DIAGONAL, STRAIGHT};
use throng_grid::{Ground, Lattice};

/// No subgoal.
const NONE: u32 = u32::MAX;

/// The subgoals of a ground, and how far it is from each cell to the next of them.
///
/// T. Uras, S. Koenig, C. Hernández: Subgoal graphs for optimal pathfinding in eight-neighbor grids. ICAPS 2013. A cell is
/// one where two straight steps are legal and the diagonal between them is not. Every route has an equally short one that
/// turns only there, and between two of them first goes diagonally, then straight.
#[derive(Debug)]
pub(super) struct Subgoals<'a> {
    pub(super) places: Vec<Place>,
    terrain: Terrain<'a>,
    /// The subgoal of a cell.
    at: Vec<u32>,
    /// Steps from a cell to the next subgoal in each direction; where a wall comes first, the free steps, negative.
    clearance: Vec<[i16; 8]>,
}

/// True where two straight steps are legal and the diagonal between them is not.
fn is_corner(moves: u8) -> bool {
    (4..8).any(|d| {
        let sides = 1 << (d - 4) | 1 << ((d - 3) % 4);
        moves & sides == sides && moves >> d & 1 == 0
    })
}

impl<'a> Subgoals<'a> {
    /// The work to find an edge and to sort it.
    const WORK_OF_EDGE: u64 = 16;

    /// Bytes a cell that are there while tables are made.
    pub(super) const BYTES_A_CELL: usize = size_of::<u32>() + size_of::<[i16; 8]>();

    /// How many there would be. O(cells).
    pub(super) fn count(ground: &Ground) -> usize {
        let moves = &ground.moves_layer().cells;
        ground.lattice().cells().filter(|cell| is_corner(moves[cell.index()])).count()
    }

    /// O(cells).
    pub(super) fn new(ground: &'a Ground) -> Self {
        let lattice = ground.lattice();
        let moves = &ground.moves_layer().cells;
        let mut at = vec![NONE; lattice.len()];
        let mut places = Vec::new();
        for cell in lattice.cells().filter(|cell| is_corner(moves[cell.index()])) {
            at[cell.index()] = places.len() as u32;
            places.push(Place::new(cell, lattice.stride));
        }
        let clearance = clearances(lattice, moves, &at);
        Self { places, terrain: Terrain::new(ground), at, clearance }
    }

    /// Calls `visit(subgoal, cost)` for the subgoals of which one is seen from a place, with no other on the way: itself,
    /// where it is one. A subgoal may come twice.
    ///
    /// O(length of the four diagonals).
    pub(super) fn each_near(&self, place: Place, mut visit: impl FnMut(u32, u32)) {
        match self.at[place.index(self.terrain.stride)] {
            NONE => self.each_seen(place, visit),
            subgoal => visit(subgoal, 0),
        }
    }

    /// The same, without the place itself.
    pub(super) fn each_seen(&self, from: Place, mut visit: impl FnMut(u32, u32)) {
        let of = |place: Place| &self.clearance[place.index(self.terrain.stride)];
        for d in 0..8 {
            let steps = of(from)[d];
            if steps > 0 {
                let cost = u32::from(steps.unsigned_abs()) * if d < 4 { STRAIGHT } else { DIAGONAL };
                visit(self.at[from.go(d, steps.unsigned_abs().into()).index(self.terrain.stride)], cost);
            }
        }
        for d in 4..8 {
            for side in [d - 4, (d - 3) % 4] {
                // Behind a subgoal of an earlier ray everything is seen from that.
                let mut reach = short_of_subgoal(of(from)[side]);
                for steps in 1..=short_of_subgoal(of(from)[d]) {
                    if reach == 0 {
                        break;
                    }
                    let place = from.go(d, steps);
                    let found = of(place)[side];
                    let there = found.unsigned_abs().into();
                    if found > 0 && there <= reach {
                        let subgoal = self.at[place.go(side, there).index(self.terrain.stride)];
                        visit(subgoal, steps * DIAGONAL + there * STRAIGHT);
                    }
                    reach = reach.min(short_of_subgoal(found));
                }
            }
        }
    }

    /// The graph of subgoals that see each other; `None` where it has more edges than the budget allows.
    pub(super) fn graph(&self, budget: &mut Budget) -> Option<SubgoalGraph> {
        let mut edges = Vec::new();
        for (subgoal, &place) in (0_u32..).zip(&self.places) {
            let before = edges.len();
            self.each_seen(place, |other, cost| edges.extend([(subgoal, other, cost), (other, subgoal, cost)]));
            budget.spend((edges.len() - before) as u64 * Self::WORK_OF_EDGE)?;
            if size_of_val(&*edges) > budget.passing_bytes {
                return None;
            }
        }
        edges.sort_unstable();
        edges.dedup();
        let mut first = vec![0; self.places.len() + 1];
        for &(from, _, _) in &edges {
            first[from as usize + 1] += 1;
        }
        for i in 1..first.len() {
            first[i] += first[i - 1];
        }
        Some(SubgoalGraph { first, edges: edges.into_iter().map(|(_, to, cost)| (to, cost)).collect() })
    }
}

impl Runs for Subgoals<'_> {
    #[inline]
    fn terrain(&self) -> &Terrain<'_> {
        &self.terrain
    }

    /// Goes from subgoal to subgoal.
    #[inline]
    fn run(&self, cell: usize, d: usize, most: u32) -> u32 {
        let offset = self.terrain.offset(d);
        let (mut at, mut steps) = (cell, 0);
        while steps < most {
            let clearance = self.clearance[at][d % 8];
            let free = u32::from(clearance.unsigned_abs()).min(most - steps);
            steps += free;
            if clearance <= 0 {
                break;
            }
            at = at.wrapping_add_signed(offset * free as isize);
        }
        steps
    }
}

/// Free steps before the next subgoal or wall.
#[inline]
fn short_of_subgoal(clearance: i16) -> u32 {
    u32::from(clearance.unsigned_abs()) - u32::from(clearance > 0)
}

fn clearances(lattice: Lattice, moves: &[u8], at: &[u32]) -> Vec<[i16; 8]> {
    let mut clearance = vec![[0_i16; 8]; lattice.len()];
    for (d, &offset) in lattice.offsets().iter().enumerate() {
        let mut write = |cell: usize| {
            if moves[cell] >> d & 1 == 0 {
                return;
            }
            let next = cell.wrapping_add_signed(offset as isize);
            clearance[cell][d] = match clearance[next][d] {
                _ if at[next] != NONE => 1,
                steps if steps > 0 => steps + 1,
                steps => steps - 1,
            };
        };
        // Each cell after the next one in that direction.
        if offset < 0 {
            (0..moves.len()).for_each(&mut write);
        } else {
            (0..moves.len()).rev().for_each(&mut write);
        }
    }
    clearance
}

/// Subgoals that see each other, with the costs of the ways between: the same both ways.
#[derive(Debug)]
pub(super) struct SubgoalGraph {
    first: Vec<u32>,
    edges: Vec<(u32, u32)>,
}

impl SubgoalGraph {
    /// Subgoals.
    pub(super) fn len(&self) -> usize {
        self.first.len() - 1
    }

    /// Neighbours of a subgoal, and the costs to get there.
    #[inline]
    pub(super) fn edges(&self, subgoal: u32) -> &[(u32, u32)] {
        let subgoal = subgoal as usize;
        &self.edges[self.first[subgoal] as usize..self.first[subgoal + 1] as usize]
    }
}
