//! Walks as short as on a map without walls.

use crate::jps::place::Place;
use throng_grid::Ground;

/// Turns that a walk may take; one that needs more counts as blocked.
const MOST_TURNS: usize = 14;

/// The map as a walk sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terrain<'a> {
    moves: &'a [u8],
    offsets: [i32; 8],
    pub(super) stride: u32,
}

/// The places at which a walk changes its direction.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    places: [Place; MOST_TURNS],
    len: usize,
}

impl Turns {
    pub(super) fn places(&self) -> &[Place] {
        &self.places[..self.len]
    }

    /// False where there is no room for one more.
    #[inline]
    fn push(&mut self, place: Place) -> bool {
        let Some(free) = self.places.get_mut(self.len) else { return false };
        *free = place;
        self.len += 1;
        true
    }
}

/// Steps in one direction.
#[derive(Clone, Copy, Debug)]
struct Leg {
    d: usize,
    steps: u32,
}

/// The diagonal and the straight steps from one place to another on a map without walls.
#[inline]
fn legs(from: Place, to: Place) -> (Leg, Leg) {
    let (width, height) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
    let diagonal = match (from.x < to.x, from.y < to.y) {
        (true, false) => 4,
        (true, true) => 5,
        (false, true) => 6,
        (false, false) => 7,
    };
    let straight = match (width > height, from.x < to.x, from.y < to.y) {
        (true, true, _) => 1,
        (true, false, _) => 3,
        (false, _, true) => 2,
        (false, _, false) => 0,
    };
    (Leg { d: diagonal, steps: width.min(height) }, Leg { d: straight, steps: width.abs_diff(height) })
}

/// The place where a walk of first diagonal, then straight steps turns; `None` where it is one line.
#[inline]
pub(super) fn turn(from: Place, to: Place) -> Option<Place> {
    let (diagonal, straight) = legs(from, to);
    (diagonal.steps != 0 && straight.steps != 0).then(|| from.go(diagonal.d, diagonal.steps))
}

impl<'a> Terrain<'a> {
    pub(super) fn new(ground: &'a Ground) -> Self {
        let lattice = ground.lattice();
        Self { moves: &ground.moves_layer().cells, offsets: lattice.offsets(), stride: lattice.stride }
    }

    /// Bits of the legal steps from a place.
    #[inline]
    pub(super) fn moves(&self, place: Place) -> u8 {
        self.moves[place.index(self.stride)]
    }

    /// The way from a cell to the next in a direction.
    #[inline]
    pub(super) fn offset(&self, d: usize) -> isize {
        self.offsets[d % 8] as isize
    }

    /// True where all diagonal steps and then all straight ones are free.
    pub(super) fn diagonal_first(&self, from: Place, to: Place) -> bool {
        let (diagonal, straight) = legs(from, to);
        let mut at = from.index(self.stride);
        [diagonal, straight].into_iter().all(|leg| {
            let steps = self.run(at, leg.d, leg.steps);
            at = at.wrapping_add_signed(self.offset(leg.d) * steps as isize);
            steps == leg.steps
        })
    }
}

/// Where steps go from the cells of a map.
pub(super) trait Runs {
    /// The map.
    fn terrain(&self) -> &Terrain<'_>;

    /// How many steps go in one direction from a cell, of at most `most`.
    fn run(&self, cell: usize, d: usize, most: u32) -> u32;
}

impl Runs for Terrain<'_> {
    #[inline]
    fn terrain(&self) -> &Terrain<'_> {
        self
    }

    /// Looks at one cell after the other.
    #[inline]
    fn run(&self, cell: usize, d: usize, most: u32) -> u32 {
        let (mut at, mut steps) = (cell, 0);
        while steps < most && self.moves[at] >> d & 1 == 1 {
            at = at.wrapping_add_signed(self.offset(d));
            steps += 1;
        }
        steps
    }
}

/// Looks for a walk that takes no more steps than on a map without walls: diagonal steps wherever they go, or else straight
/// ones wherever they go. Writes its turns. Not every such walk is found.
///
/// O(runs).
#[inline]
pub(super) fn walk(runs: &impl Runs, from: Place, to: Place, turns: &mut Turns) -> bool {
    let (diagonal, straight) = legs(from, to);
    greedy(runs, from, diagonal, straight, turns)
        || diagonal.steps != 0 && straight.steps != 0 && greedy(runs, from, straight, diagonal, turns)
}

/// Steps of the first leg wherever they go, of the other where they do not.
#[inline]
fn greedy(runs: &impl Runs, from: Place, first: Leg, other: Leg, turns: &mut Turns) -> bool {
    let terrain = runs.terrain();
    let [first_offset, other_offset] = [first, other].map(|leg| terrain.offset(leg.d));
    let mut at = from.index(terrain.stride);
    let (mut left, mut other_left) = (first.steps, other.steps);
    turns.len = 0;
    loop {
        let steps = runs.run(at, first.d, left);
        at = at.wrapping_add_signed(first_offset * steps as isize);
        left -= steps;
        let here = |other_left: u32| from.go(first.d, first.steps - left).go(other.d, other.steps - other_left);
        if steps > 0 && (left > 0 || other_left > 0) && !turns.push(here(other_left)) {
            return false;
        }
        if left == 0 {
            return runs.run(at, other.d, other_left) == other_left;
        }
        // The other way until the first goes again.
        loop {
            if other_left == 0 || terrain.moves[at] >> other.d & 1 == 0 {
                return false;
            }
            at = at.wrapping_add_signed(other_offset);
            other_left -= 1;
            if terrain.moves[at] >> first.d & 1 == 1 {
                break;
            }
        }
        if !turns.push(here(other_left)) {
            return false;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn a_walk_goes_round_what_it_can_without_a_longer_way() {
        let mut grid = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
        let lattice = grid.lattice();
        grid.set_open(lattice.cell(4, 4), false);
        (10..15).for_each(|y| grid.set_open(lattice.cell(12, y), false));
        let ground = Ground::new(grid.into(), 0.4).unwrap();
        let terrain = Terrain::new(&ground);
        let at = |x, y| Place::new(lattice.cell(x, y), lattice.stride);
        let mut turns = Turns::default();
        assert!(walk(&terrain, at(1, 1), at(10, 6), &mut turns), "around the single wall");
        assert_eq!(turns.places(), [at(3, 3), at(5, 3), at(8, 6)]);
        assert!(!terrain.diagonal_first(at(1, 1), at(10, 6)));
        assert!(!walk(&terrain, at(10, 12), at(15, 12), &mut turns), "the long wall is across");
        assert!(walk(&terrain, at(2, 2), at(2, 2), &mut turns) && turns.places().is_empty());
    }
}
