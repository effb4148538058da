//! How a squad stands.

use throng_grid::geom::{Vec2, direction};

/// A block of soldiers, rank behind rank.
///
/// ```
/// use throng_sim::battle::Block;
/// use throng_grid::geom::Vec2;
/// let block = Block { facing: 90.0, ..Block::new(Vec2::new(40.0, 20.0), 8) };
/// assert_eq!((block.columns, block.ranks()), (4, 2), "twice as broad as deep");
/// let positions = block.positions();
/// assert_eq!(positions.len(), 8);
/// assert!(positions[0].distance(Vec2::new(41.5, 20.5)) < 1e-5, "it looks down the map, the first on its left wing");
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Block {
    /// Centre (m).
    pub centre: Vec2,
    /// Direction in which it faces (degrees from +x towards +y).
    pub facing: f32,
    /// Soldiers side by side, at least 1.
    pub columns: usize,
    /// Soldiers in all.
    pub count: usize,
    /// Distance between neighbours (m).
    pub spacing: f32,
}

impl Block {
    /// A block of `count` soldiers around `centre` (m), twice as broad as deep, a metre apart, looking to the right.
    pub fn new(centre: Vec2, count: usize) -> Self {
        let columns = (2.0 * count as f64).sqrt().ceil().max(1.0) as usize;
        Self { centre, facing: 0.0, columns, count, spacing: 1.0 }
    }

    /// How many ranks there are.
    pub fn ranks(&self) -> usize {
        self.count.div_ceil(self.columns.max(1))
    }

    /// The point (m) in a column, from the left, and a rank, from the front, both from 0; outside the block too.
    pub fn point(&self, column: i64, rank: i64) -> Vec2 {
        let ahead = direction(self.facing);
        let right = Vec2::new(-ahead.y, ahead.x);
        // Twice the distance from the centre in places, so that even and odd blocks are both centred.
        let across = (2 * column - (self.columns as i64 - 1)) as f32 * 0.5 * self.spacing;
        let behind = (2 * rank - (self.ranks() as i64 - 1)) as f32 * 0.5 * self.spacing;
        self.centre + right * across - ahead * behind
    }

    /// Column and rank of each soldier, rank by rank; the last rank stands in the middle.
    pub fn places(&self) -> impl Iterator<Item = (i64, i64)> + use<> {
        let (columns, count) = (self.columns.max(1), self.count);
        (0..count).map(move |i| {
            let (column, rank) = (i % columns, i / columns);
            let vacant = columns - columns.min(count - rank * columns);
            ((column + vacant / 2) as i64, rank as i64)
        })
    }

    /// The position of each soldier (m).
    pub fn positions(&self) -> Vec<Vec2> {
        self.places().map(|(column, rank)| self.point(column, rank)).collect()
    }
}
