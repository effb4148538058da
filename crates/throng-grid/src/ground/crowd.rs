//! Grounds with a crowd on them.

use super::{Ground, next_id};
use crate::{Cell, Crowding};
use std::sync::Arc;

impl Ground {
    /// The same ground with a crowd on it: a step costs more by
    /// [`Mobility::congestion`](crate::Mobility::congestion) times how full its two cells' blocks are, both ways. All else is shared with this one; O(1). Searches under way keep the ground that they began on.
    ///
    /// ```
    /// use std::sync::Arc;
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Crowding, Direction, Grid, Ground, Lattice, Mobility, STRAIGHT};
    /// let grid = Arc::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?));
    /// let ground = Ground::build(grid.clone(), Mobility { congestion: 2.0, ..Mobility::new(0.4) })?;
    /// let packed = (0..16).map(|i| (Vec2::new(0.5 + (i % 4) as f32, 0.5 + (i / 4) as f32), 0.5));
    /// let jammed = ground.crowded(Arc::new(Crowding::new(&grid)?.counted(packed)));
    /// let at = |x| ground.lattice().cell(x, 2);
    /// assert_eq!(jammed.step_cost(at(1), at(2), Direction::East), 3 * STRAIGHT);
    /// assert_eq!(jammed.step_cost(at(8), at(9), Direction::East), STRAIGHT);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn crowded(&self, crowding: Arc<Crowding>) -> Self {
        let crowding = (self.toll > 0).then_some(crowding);
        Self {
            grid: Arc::clone(&self.grid),
            mobility: self.mobility.clone(),
            id: next_id(),
            moves: Arc::clone(&self.moves),
            regions: Arc::clone(&self.regions),
            sizes: self.sizes.clone(),
            classes: self.classes.clone(),
            weights: self.weights.clone(),
            slopes: self.slopes.clone(),
            is_uniform: self.is_uniform && crowding.is_none(),
            crowding,
            links: self.links.clone(),
            closed_before: Arc::clone(&self.closed_before),
            ..*self
        }
    }

    /// Where it is crowded, if that counts.
    pub fn crowding(&self) -> Option<&Arc<Crowding>> {
        self.crowding.as_ref()
    }

    /// How many times its cost a step costs where it is as crowded as in a cell.
    pub fn crowd_share(&self, cell: Cell) -> f32 {
        let full = self.crowding.as_ref().map_or(0, |crowding| crowding.fullness(cell));
        1.0 + self.mobility.congestion * f32::from(full) / 255.0
    }
}
