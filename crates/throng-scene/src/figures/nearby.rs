//! Enemies close by, found by blocks of the ground.

use super::Agents;
use throng_grid::geom::Vec2;

/// Least side of a block (m), no less than the reach of any figure.
const BLOCK: f32 = 5.0;

const MOST_BLOCKS_A_SIDE: f32 = 1024.0;

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
    /// Rows of the agents, block by block.
    members: Vec<u32>,
    /// Where each block starts in `members`.
    starts: Vec<u32>,
}

impl Nearby {
    pub fn of(agents: &Agents) -> Self {
        let (mut least, mut most) = (Vec2::INFINITY, Vec2::NEG_INFINITY);
        for &position in agents.position {
            (least, most) = (least.min(position), most.max(position));
        }
        if agents.position.is_empty() {
            (least, most) = (Vec2::ZERO, Vec2::ZERO);
        }
        // A crowd that is strewn over a wide plain gets larger blocks.
        let side = BLOCK.max((most - least).max_element() / MOST_BLOCKS_A_SIDE);
        let (columns, rows) = (((most.x - least.x) / side) as i32 + 1, ((most.y - least.y) / side) as i32 + 1);
        let mut nearby = Self {
            origin: least,
            side,
            columns,
            rows,
            armies: vec![0; (columns * rows) as usize],
            near: Vec::new(),
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
        let across = spread(&nearby.armies, 1, columns as usize);
        nearby.near = spread(&across, columns as usize, nearby.armies.len());
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

    /// Where the nearest enemy within `reach` (m, at most [`BLOCK`]) of a point stands; of equals the first by number.
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

    /// True where an enemy is within some `reach` (m), to within a block.
    pub fn is_enemy_within(&self, agents: &Agents, point: Vec2, army: u8, reach: f32) -> bool {
        let enemies = enemies_of(agents, army);
        self.around(point, (reach / self.side) as i32 + 1).any(|block| self.armies[block] & enemies != 0)
    }
}

/// The bits of each block and of those `step` before and after it, within runs of so many blocks.
fn spread(bits: &[u16], step: usize, run: usize) -> Vec<u16> {
    let mut out = bits.to_vec();
    for (out, bits) in out.chunks_mut(run).zip(bits.chunks(run)) {
        let shifted = step.min(bits.len());
        for (out, &before) in out[shifted..].iter_mut().zip(bits) {
            *out |= before;
        }
        for (out, &after) in out.iter_mut().zip(&bits[shifted..]) {
            *out |= after;
        }
    }
    out
}

fn enemies_of(agents: &Agents, army: u8) -> u16 {
    agents.enemies.get(usize::from(army)).copied().unwrap_or(!(1 << army))
}
