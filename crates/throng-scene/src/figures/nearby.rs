//! Enemies close by, found by blocks of the ground.

use super::Agents;
use throng_grid::geom::Vec2;

/// Least side of a block (m), no less than the reach of any figure.
const MIN_BLOCK_SIDE_M: f32 = 5.0;

/// The most blocks along a side of the ground: with more, blocks are larger.
const MAX_BLOCKS_PER_SIDE: f32 = 1024.0;

/// The agents of each block of the ground.
pub(super) struct Nearby {
    /// The upper left corner of the first block (m).
    origin: Vec2,
    /// Side of a block (m).
    side: f32,
    columns: i32,
    rows: i32,
    /// For each block a bit for every army in it.
    armies: Vec<u16>,
    /// The same of the block and the eight around it.
    near: Vec<u16>,
    /// The same of all blocks within the reach that was asked for.
    far: Vec<u16>,
    /// Rows of the agents, block by block.
    members: Vec<u32>,
    /// Where each block starts in `members`.
    starts: Vec<u32>,
}

impl Nearby {
    /// The agents of a moment; with `far`, armies can be looked for within so many metres. O(agents and blocks).
    pub fn of(agents: &Agents, far: Option<f32>) -> Self {
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for &position in agents.position {
            (least, most) = (least.min(position), most.max(position));
        }
        if agents.position.is_empty() {
            (least, most) = (Vec2::ZERO, Vec2::ZERO);
        }
        // A crowd that is strewn over a wide plain gets larger blocks.
        let side = MIN_BLOCK_SIDE_M.max((most - least).max_element() / MAX_BLOCKS_PER_SIDE);
        let (columns, rows) = (((most.x - least.x) / side) as i32 + 1, ((most.y - least.y) / side) as i32 + 1);
        let mut nearby = Self {
            origin: least,
            side,
            columns,
            rows,
            armies: vec![0; (columns * rows) as usize],
            near: Vec::new(),
            far: Vec::new(),
            members: vec![0; agents.position.len()],
            starts: vec![0; (columns * rows) as usize + 1],
        };
        for &position in agents.position {
            let block = nearby.block(position);
            nearby.starts[block + 1] += 1;
        }
        for block in 1..nearby.starts.len() {
            nearby.starts[block] += nearby.starts[block - 1];
        }
        let mut next = nearby.starts.clone();
        for (row, &position) in agents.position.iter().enumerate() {
            let block = nearby.block(position);
            nearby.members[next[block] as usize] = row as u32;
            next[block] += 1;
            nearby.armies[block] |= 1 << agents.army[row];
        }
        nearby.near = spread(nearby.armies.clone(), 1, columns as usize);
        if let Some(far) = far {
            nearby.far = spread(nearby.armies.clone(), (far / side) as usize + 1, columns as usize);
        }
        nearby
    }

    fn place(&self, point: Vec2) -> (i32, i32) {
        let place = (point - self.origin) / self.side;
        ((place.x as i32).clamp(0, self.columns - 1), (place.y as i32).clamp(0, self.rows - 1))
    }

    fn block(&self, point: Vec2) -> usize {
        let (column, row) = self.place(point);
        (row * self.columns + column) as usize
    }

    /// The blocks within so many of that of a point.
    fn around(&self, point: Vec2, blocks: i32) -> impl Iterator<Item = usize> {
        let (column, row) = self.place(point);
        let columns = (column - blocks).max(0)..=(column + blocks).min(self.columns - 1);
        let rows = (row - blocks).max(0)..=(row + blocks).min(self.rows - 1);
        let stride = self.columns;
        rows.flat_map(move |row| columns.clone().map(move |column| (row * stride + column) as usize))
    }

    /// Where the nearest enemy within `reach` (m, at most [`MIN_BLOCK_SIDE_M`]) of a point stands; of equals the first by
    /// number.
    pub fn enemy(&self, agents: &Agents, point: Vec2, army: u8, reach: f32) -> Option<Vec2> {
        let enemies = enemies_of(agents, army);
        if self.near[self.block(point)] & enemies == 0 {
            return None;
        }
        let mut best = (reach * reach, u32::MAX, None);
        for block in self.around(point, 1) {
            if self.armies[block] & enemies == 0 {
                continue;
            }
            for &row in &self.members[self.starts[block] as usize..self.starts[block + 1] as usize] {
                let row = row as usize;
                if enemies & (1 << agents.army[row]) == 0 {
                    continue;
                }
                let (distance, id) = (agents.position[row].distance_squared(point), agents.id[row]);
                if (distance, id) < (best.0, best.1) {
                    best = (distance, id, Some(agents.position[row]));
                }
            }
        }
        best.2
    }

    /// True where an enemy is within the reach that was asked for, to within a block.
    pub fn is_enemy_far(&self, agents: &Agents, point: Vec2, army: u8) -> bool {
        self.far.get(self.block(point)).is_some_and(|armies| armies & enemies_of(agents, army) != 0)
    }
}

/// The bits of each block and of all that are at most so many columns and rows away. O(blocks log blocks away).
fn spread(mut bits: Vec<u16>, blocks: usize, columns: usize) -> Vec<u16> {
    let all = bits.len();
    for (stride, run) in [(1, columns), (columns, all)] {
        let mut reached = 0;
        while reached < blocks {
            // What each has of those around it is handed on; no further, or it would come from beyond the edge.
            let step = (blocks - reached).min(reached + 1);
            let before = bits.clone();
            for (bits, before) in bits.chunks_mut(run).zip(before.chunks(run)) {
                let shift = (step * stride).min(run);
                bits[shift..].iter_mut().zip(before).for_each(|(bits, before)| *bits |= before);
                bits.iter_mut().zip(&before[shift..]).for_each(|(bits, after)| *bits |= after);
            }
            reached += step;
        }
    }
    bits
}

fn enemies_of(agents: &Agents, army: u8) -> u16 {
    agents.enemies.get(usize::from(army)).copied().unwrap_or(!(1 << army))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_spread_over_a_square(columns in 1_usize..30, rows in 1_usize..20, blocks in 0_usize..24, seeds in prop::collection::vec(0_usize..600, 0..6)) {
            let mut bits = vec![0_u16; columns * rows];
            for (army, seed) in seeds.iter().enumerate() {
                bits[seed % (columns * rows)] |= 1 << army;
            }
            let found = spread(bits.clone(), blocks, columns);
            for (at, &found) in found.iter().enumerate() {
                let is_near = |other: usize| {
                    (at % columns).abs_diff(other % columns).max((at / columns).abs_diff(other / columns)) <= blocks
                };
                let expected = (0..bits.len()).filter(|&other| is_near(other)).fold(0, |all, other| all | bits[other]);
                prop_assert_eq!(found, expected);
            }
        }
    }
}
