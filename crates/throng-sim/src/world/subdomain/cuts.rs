//! Where a world is cut into subdomains.

use crate::mixed::mixed;
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// A box of cells of the lattice that orders the rows: from its low column and row to below its high ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellBox {
    pub low: [u32; 2],
    pub high: [u32; 2],
}

impl CellBox {
    fn size(&self, axis: usize) -> u32 {
        self.high[axis] - self.low[axis]
    }

    /// True for the agents at a point (m) that belong to it.
    pub fn owns(&self, lattice: Lattice, at: Vec2) -> bool {
        let (x, y) = lattice.column_row(lattice.at(at));
        (self.low[0]..self.high[0]).contains(&x) && (self.low[1]..self.high[1]).contains(&y)
    }

    /// True for a point that is no further away than `ring` (m).
    pub fn is_near(&self, lattice: Lattice, at: Vec2, ring: f32) -> bool {
        let [low, high] =
            [self.low, self.high].map(|corner| Vec2::new(corner[0] as f32, corner[1] as f32) * lattice.cell_size);
        self.low != self.high && at.cmpge(low - ring).all() && at.cmple(high + ring).all()
    }
}

/// How the lines of the cuts are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cutting {
    /// So that all subdomains have about as many agents.
    Even,
    /// Anywhere, as a function of a seed, and with NaN in the columns of agents outside a window: for tests.
    Random(u64),
}

/// Cuts a lattice into `count` boxes along lines between its cells. `agents` has the number of agents of each cell, by its place in memory. Some are empty
/// where there are fewer cells. Recursive bisection across the longer side (Berger and Bokhari 1987). O(cells · log count).
pub(super) fn cut(lattice: Lattice, agents: &[u32], count: usize, cutting: Cutting) -> Vec<CellBox> {
    let mut boxes = Vec::with_capacity(count);
    let whole = CellBox { low: [0, 0], high: [lattice.width, lattice.height] };
    bisect(lattice, agents, whole, count, cutting, &mut boxes);
    boxes
}

fn bisect(lattice: Lattice, agents: &[u32], part: CellBox, count: usize, cutting: Cutting, boxes: &mut Vec<CellBox>) {
    let axis = usize::from(part.size(1) > part.size(0));
    if count < 2 || part.size(axis) < 2 {
        boxes.push(part);
        let nothing = CellBox { low: part.low, high: part.low };
        boxes.extend((1..count).map(|_| nothing));
        return;
    }
    let first = count / 2;
    let lines = 1..part.size(axis);
    let line = match cutting {
        Cutting::Random(seed) => 1 + (mixed(seed ^ boxes.len() as u64) % u64::from(part.size(axis) - 1)) as u32,
        Cutting::Even => {
            let mut sums = vec![0_u64; part.size(axis) as usize];
            for y in part.low[1]..part.high[1] {
                for x in part.low[0]..part.high[0] {
                    sums[([x, y][axis] - part.low[axis]) as usize] += u64::from(agents[lattice.cell(x, y).index()]);
                }
            }
            let total: u64 = sums.iter().sum();
            let mut before = 0;
            let off = lines.map(|line| {
                before += sums[line as usize - 1];
                ((before * count as u64).abs_diff(total * first as u64), line.abs_diff(part.size(axis) / 2), line)
            });
            off.min().map_or(1, |(.., line)| line)
        }
    };
    let (mut low, mut high) = (part, part);
    low.high[axis] = part.low[axis] + line;
    high.low[axis] = part.low[axis] + line;
    let next = |offset: u64| match cutting {
        Cutting::Even => cutting,
        Cutting::Random(seed) => Cutting::Random(mixed(seed.wrapping_add(offset))),
    };
    bisect(lattice, agents, low, first, next(1), boxes);
    bisect(lattice, agents, high, count - first, next(2), boxes);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_cell_belongs_to_one(
            (width, height) in (1_u32..40, 1_u32..40),
            count in 1_usize..9,
            seed in prop::option::of(any::<u64>()),
            crowd in any::<u64>(),
        ) {
            let lattice = Lattice::new(width, height, 4.0).unwrap();
            let agents: Vec<u32> = (0..lattice.len() as u64).map(|cell| (mixed(crowd ^ cell) % 50) as u32).collect();
            let cutting = seed.map_or(Cutting::Even, Cutting::Random);
            let boxes = cut(lattice, &agents, count, cutting);
            prop_assert_eq!(boxes.len(), count);
            for cell in lattice.cells() {
                let owners = boxes.iter().filter(|part| part.owns(lattice, lattice.centre(cell))).count();
                prop_assert_eq!(owners, 1);
            }
        }
    }

    #[test]
    fn even_cuts_are_even_where_agents_are_spread() {
        let lattice = Lattice::new(64, 48, 4.0).unwrap();
        let agents: Vec<u32> = (0..lattice.len() as u64).map(|cell| (mixed(cell) % 20) as u32).collect();
        let total: u32 = lattice.cells().map(|cell| agents[cell.index()]).sum();
        for count in 2..9 {
            for part in cut(lattice, &agents, count, Cutting::Even) {
                let own = lattice.cells().filter(|&cell| part.owns(lattice, lattice.centre(cell)));
                let own: u32 = own.map(|cell| agents[cell.index()]).sum();
                let even = f64::from(total) / count as f64;
                assert!((f64::from(own) / even - 1.0).abs() < 0.12, "{own} of {total} in one of {count}");
            }
        }
    }
}
