//! What a planner over clusters and doors shows of them.

use super::{Cost, Scratch};
use throng_grid::Cell;

/// A door that a search has come to.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Hierarchy, Hpa, HpaSettings, Path, Query, Scratch, SeenDoor, plan};
/// let mut grid = Grid::open_plain(Lattice::new(200, 200, 1.0)?);
/// (0..150).for_each(|y| grid.set_open(grid.lattice().cell(90, y), false));
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let (hpa, mut scratch) = (Hpa::new(&ground, HpaSettings::default())?, Scratch::default());
/// let query = Query::new(ground.lattice().cell(10, 10), ground.lattice().cell(180, 20));
/// plan(&hpa, &ground, &query, &mut scratch, &mut Path::default())?;
/// let seen: Vec<SeenDoor> = hpa.seen_doors(&scratch);
/// assert!(seen.iter().any(|door| door.expanded) && seen.len() <= hpa.doors(hpa.level(&scratch).unwrap()).count());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct SeenDoor {
    /// Where it is.
    pub cell: Cell,
    /// The cost from the start to it.
    pub cost: Cost,
    /// The search went on from there.
    pub expanded: bool,
}

/// A planner over clusters of cells, on levels of which the lowest is 0, and the doors between them.
pub trait Hierarchy {
    /// How many levels there are.
    fn levels(&self) -> usize;

    /// Steps along a side of the clusters of a level: border lines lie so far apart, and neighbours share them. `None` where there is
    /// no such level.
    fn cluster_side(&self, level: usize) -> Option<u32>;

    /// The doors (entrances) of a level, each once; none where there is no such level. O(doors).
    fn doors(&self, level: usize) -> Box<dyn Iterator<Item = Cell> + '_>;

    /// The level that the search in `scratch` is on, or has ended on; `None` where it needed no doors.
    fn level(&self, scratch: &Scratch) -> Option<usize>;

    /// The doors of its level that the search in `scratch`, which this planner made, has come to. O(doors).
    fn seen_doors(&self, scratch: &Scratch) -> Vec<SeenDoor>;

    /// The doors on the way that the search in `scratch` has found, from the start to the goal, both included; those of
    /// parts that are refined are left out. Empty while there is no way over doors.
    fn way_ahead(&self, scratch: &Scratch) -> Vec<Cell>;
}
