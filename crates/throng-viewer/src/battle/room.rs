//! Room for soldiers that are put somewhere at once: clear of walls and of each other.

use std::collections::HashMap;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, walls};

/// Bodies may be so much nearer to each other than their radii together: those in a crowd press.
const MIN_DISTANCE_OVER_RADII: f32 = 0.95;
/// The most spots of a map that are looked at.
const MAX_SPOTS: usize = 1 << 26;

/// A map with the bodies on it.
pub(super) struct Room<'a> {
    grid: &'a Grid,
    /// Side of the squares (m).
    side: f32,
    // Only ever asked for single squares, so its order cannot show.
    squares: HashMap<[i32; 2], Vec<(Vec2, f32)>>,
    largest: f32,
}

impl<'a> Room<'a> {
    /// A map on which bodies stand: places and radii (m).
    pub fn new(grid: &'a Grid, bodies: impl Iterator<Item = (Vec2, f32)>) -> Self {
        let mut room = Self { grid, side: 2.0, squares: HashMap::new(), largest: 0.0 };
        bodies.for_each(|(at, radius)| room.take(at, radius));
        room
    }

    fn square(&self, at: Vec2) -> [i32; 2] {
        (at / self.side).floor().as_ivec2().to_array()
    }

    fn take(&mut self, at: Vec2, radius: f32) {
        self.largest = self.largest.max(radius);
        self.squares.entry(self.square(at)).or_default().push((at, radius));
    }

    /// True where a body of this radius (m) meets no wall.
    fn is_clear(&self, at: Vec2, radius: f32) -> bool {
        self.grid.lattice().covers(at) && walls::is_clear(self.grid, at, radius)
    }

    /// True where it meets no other body.
    fn is_free(&self, at: Vec2, radius: f32) -> bool {
        let reach = Vec2::splat(radius + self.largest);
        let ([left, top], [right, bottom]) = (self.square(at - reach), self.square(at + reach));
        let mut squares = (top..=bottom).flat_map(|y| (left..=right).map(move |x| [x, y]));
        squares.all(|square| {
            let bodies = self.squares.get(&square).into_iter().flatten();
            bodies.into_iter().all(|&(other, of)| other.distance(at) >= MIN_DISTANCE_OVER_RADII * (radius + of))
        })
    }

    /// The places of soldiers of a radius (m): those that would be in a wall, off the map or on others get the nearest free spot.
    /// Soldiers that were this near to each other before stay so. Their places are taken from then on.
    ///
    /// # Errors
    /// Where the map has no room for all of them, in words for the user.
    pub fn fit(&mut self, places: &[Vec2], radius: f32) -> Result<Vec<Vec2>, String> {
        let stays: Vec<bool> = places.iter().map(|&at| self.is_clear(at, radius) && self.is_free(at, radius)).collect();
        let mut fitted = places.to_vec();
        for (&at, _) in places.iter().zip(&stays).filter(|(_, stays)| **stays) {
            self.take(at, radius);
        }
        let mut spots = Spots::new(self.grid, radius);
        let moved: Vec<usize> = (0..places.len()).filter(|&i| !stays[i]).collect();
        for (done, &i) in moved.iter().enumerate() {
            let Some(at) = spots.nearest(self, places[i]) else {
                let (all, left) = (places.len(), moved.len() - done);
                return Err(format!(
                    "{left} of {all} soldiers would find no place: there are walls, the edge of the map or others everywhere; \
                     make the squad smaller, or make room"
                ));
            };
            fitted[i] = at;
            self.take(at, radius);
        }
        Ok(fitted)
    }
}

/// The spots on which soldiers of a radius can stand: the middles of the cells, or of equal parts of large cells.
struct Spots {
    radius: f32,
    /// Distance of two (m).
    pitch: f32,
    columns: i32,
    rows: i32,
    /// Those that are taken or in walls, for all that is known.
    dead: Vec<bool>,
}

impl Spots {
    fn new(grid: &Grid, radius: f32) -> Self {
        let lattice = grid.lattice();
        let most = (MAX_SPOTS / lattice.len().max(1)).isqrt().max(1);
        let parts = ((lattice.cell_size / (2.0 * radius)) as usize).clamp(1, most);
        let [columns, rows] = [lattice.width, lattice.height].map(|cells| cells as i32 * parts as i32);
        let dead = vec![false; columns as usize * rows as usize];
        Self { radius, pitch: lattice.cell_size / parts as f32, columns, rows, dead }
    }

    /// The nearest free spot to a place (m), which is dead from then on. O(spots within that distance).
    fn nearest(&mut self, room: &Room<'_>, place: Vec2) -> Option<Vec2> {
        let middle = (place / self.pitch).floor().as_ivec2();
        let (x, y) = (middle.x.clamp(0, self.columns - 1), middle.y.clamp(0, self.rows - 1));
        let (mut best, mut nearest) = (None, f32::INFINITY);
        for ring in 0..self.columns.max(self.rows) {
            // All spots of this ring are farther off than that.
            if (ring - 1) as f32 * self.pitch > nearest {
                break;
            }
            for (x, y) in edge(ring).map(|(dx, dy)| (x + dx, y + dy)) {
                if x < 0 || y < 0 || x >= self.columns || y >= self.rows {
                    continue;
                }
                let spot = y as usize * self.columns as usize + x as usize;
                let at = (Vec2::new(x as f32, y as f32) + 0.5) * self.pitch;
                let distance = at.distance(place);
                if self.dead[spot] || distance >= nearest {
                    continue;
                }
                if room.is_clear(at, self.radius) && room.is_free(at, self.radius) {
                    (best, nearest) = (Some((spot, at)), distance);
                } else {
                    self.dead[spot] = true;
                }
            }
        }
        let (spot, at) = best?;
        self.dead[spot] = true;
        Some(at)
    }
}

/// The edge of a square of so many steps around (0, 0).
fn edge(ring: i32) -> impl Iterator<Item = (i32, i32)> {
    (-ring..=ring).flat_map(move |y| {
        let step = if y.abs() == ring { 1 } else { (2 * ring).max(1) };
        (-ring..=ring).step_by(step as usize).map(move |x| (x, y))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_grid::Lattice;
    use throng_sim::battle::Block;

    /// A map with walls, and a squad that is put on a place of it, beside others.
    fn map(side: u32, cell: f32, closed: &[(u32, u32)]) -> Grid {
        let mut grid = Grid::open_plain(Lattice::new(side, side, cell).unwrap());
        for &(column, row) in closed {
            grid.set_open(grid.lattice().cell(column, row), false);
        }
        grid
    }

    impl Spots {
        /// All of them (m).
        fn all(&self) -> impl Iterator<Item = Vec2> {
            let (columns, pitch) = (self.columns, self.pitch);
            let row = move |y| (0..columns).map(move |x| (Vec2::new(x as f32, y as f32) + 0.5) * pitch);
            (0..self.rows).flat_map(row)
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(96) })]
        #[test]
        fn all_soldiers_stand_as_near_to_their_places_as_there_is_room(
            closed in prop::collection::vec((0..24_u32, 0..24_u32), 0..240),
            house in (0..20_u32, 0..20_u32),
            x in -9.0..33.0_f32, y in -9.0..33.0_f32,
            cell in prop::sample::select(vec![0.5_f32, 1.0, 3.0]),
            radius in prop::sample::select(vec![0.2_f32, 0.3, 0.4, 0.9]),
            others in prop::collection::vec((0.0..24.0_f32, 0.0..24.0_f32), 0..60),
        ) {
            let (left, top) = house;
            let house: Vec<(u32, u32)> = (left..left + 4).flat_map(|x| (top..top + 4).map(move |y| (x, y))).collect();
            let grid = map(24, cell, &[&closed[..], &house].concat());
            let others: Vec<(Vec2, f32)> = others.into_iter().map(|(x, y)| (Vec2::new(x, y) * cell, 0.4)).collect();
            let block = Block { spacing: 3.0 * radius, ..Block::new(Vec2::new(x, y) * cell, 20) };
            let places = block.positions();
            let mut room = Room::new(&grid, others.iter().copied());
            let all = match room.fit(&places, radius) {
                Ok(all) => all,
                Err(told) => {
                    // The map is full: each spot is in a wall or taken.
                    let is_free = |at: Vec2| room.is_clear(at, radius) && room.is_free(at, radius);
                    prop_assert!(!Spots::new(&grid, radius).all().any(is_free), "{}", told);
                    return Ok(());
                }
            };
            prop_assert_eq!(all.len(), places.len());
            let bare = Room::new(&grid, others.iter().copied());
            let stays: Vec<bool> = places.iter().map(|&at| bare.is_clear(at, radius) && bare.is_free(at, radius)).collect();
            for (i, (&at, &place)) in all.iter().zip(&places).enumerate() {
                prop_assert!(bare.is_clear(at, radius) && bare.is_free(at, radius), "{}", at);
                prop_assert!(!stays[i] || at == place);
                prop_assert!(all[..i].iter().all(|other| other.distance(at) >= 1.89 * radius), "{} is taken", at);
                // No free spot is left that would be nearer.
                let nearer = |spot: &Vec2| !stays[i] && spot.distance(place) < at.distance(place) - 1e-3;
                for spot in Spots::new(&grid, radius).all().filter(nearer) {
                    prop_assert!(!room.is_clear(spot, radius) || !room.is_free(spot, radius), "{} for {}", spot, at);
                }
            }
        }
    }

    #[test]
    fn a_squad_on_a_house_at_an_edge_or_in_a_crowd_loses_nobody_and_a_full_map_is_told() {
        let house: Vec<(u32, u32)> = (8..16).flat_map(|x| (8..16).map(move |y| (x, y))).collect();
        let grid = map(30, 1.0, &house);
        let squad = |at: Vec2, count: usize| Block { spacing: 1.0, ..Block::new(at, count) }.positions();
        let crowd: Vec<(Vec2, f32)> = squad(Vec2::new(22.0, 22.0), 40).into_iter().map(|at| (at, 0.4)).collect();
        let places = [(12.0, 12.0), (0.0, 0.0), (30.0, 15.0), (60.0, -40.0), (22.0, 22.0), (8.0, 12.0)];
        for at in places.map(Vec2::from) {
            let fitted = Room::new(&grid, crowd.iter().copied()).fit(&squad(at, 20), 0.4).unwrap();
            assert_eq!(fitted.len(), 20, "{at}");
        }
        let told = Room::new(&grid, crowd.iter().copied()).fit(&squad(Vec2::splat(12.0), 900), 0.4).unwrap_err();
        assert!(told.contains(" of 900 soldiers would find no place"), "{told}");
    }
}
