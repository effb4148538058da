//! JPS+: jump point search by a table.

use crate::jps::bitmaps::JumpBitmaps;
use crate::jps::jump::{self, Jumps};
use crate::jps::place::Place;
use crate::{Capabilities, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use std::sync::Arc;
use throng_grid::{Cell, Ground};

/// JPS+: the search of [`Jps`](crate::Jps) with the lengths of all jumps in a table, eight for each cell.
///
/// D. Harabor, A. Grastien: Improving jump point search. ICAPS 2014. The lengths are those of [`Jps`](crate::Jps), so both
/// expand the same nodes in the same order and give the same route; only the time is different. The table saves the scans
/// and costs memory: where few jumps are made it is faster, where many cells are touched slower.
///
/// - **Ground**, **result**, **ties**, **route**: as [`Jps`](crate::Jps).
/// - **Complexity**: an expansion is O(jump points found). O(cells) beforehand, and again for every edit; 18 bytes a cell.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{JpsPlus, Path, Planner, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let query = Query::new(ground.lattice().cell(3, 3), ground.lattice().cell(60, 40));
/// let planner = JpsPlus::new(&ground)?;
/// let outcome = plan(&planner, &ground, &query, &mut Scratch::default(), &mut Path::default())?;
/// assert_eq!(outcome.expanded, 1, "the goal is seen from the start");
/// assert!(planner.bytes() >= 16 * ground.lattice().len());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct JpsPlus {
    table: Table,
}

#[derive(Clone, Debug, PartialEq)]
struct Table {
    stride: u32,
    bitmaps: JumpBitmaps,
    /// Steps of the jumps of a cell.
    steps: Box<[[u16; 8]]>,
}

impl Jumps for Table {
    fn ground(&self) -> u64 {
        self.bitmaps.ground()
    }

    #[inline]
    fn mask(&self, place: Place) -> u8 {
        self.bitmaps.mask(place)
    }

    #[inline]
    fn jump(&self, place: Place, d: usize) -> u32 {
        self.steps[place.index(self.stride)][d % 8].into()
    }
}

impl Table {
    fn new(bitmaps: JumpBitmaps, ground: &Ground) -> Self {
        let lattice = ground.lattice();
        let mut steps = vec![[0; 8]; lattice.len()].into_boxed_slice();
        for cell in lattice.cells() {
            let place = Place::new(cell, lattice.stride);
            for d in 0..8 {
                steps[cell.index()][d] = bitmaps.jump(place, d) as u16;
            }
        }
        Self { stride: lattice.stride, bitmaps, steps }
    }
}

impl JpsPlus {
    /// The planner for a ground.
    ///
    /// # Errors
    /// [`PlanError::Cannot`] where steps go to four neighbours or cut corners, terrain has costs, or there are links.
    pub fn new(ground: &Ground) -> Result<Self, PlanError> {
        jump::require("jps-plus", ground)?;
        Ok(Self { table: Table::new(JumpBitmaps::new(ground), ground) })
    }
}

impl Planner for JpsPlus {
    fn name(&self) -> &'static str {
        "jps-plus"
    }

    fn capabilities(&self) -> Capabilities {
        jump::CAPABILITIES
    }

    fn bytes(&self) -> usize {
        self.table.bitmaps.bytes() + size_of_val(&*self.table.steps)
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        jump::begin(self, &self.table, ground, query, scratch)
    }

    fn advance(&self, _ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        jump::advance(&self.table, query, scratch, expansions)
    }

    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        crate::search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        jump::way_to(ground, scratch, cell, path);
    }

    fn updated(&self, ground: &Arc<Ground>, dirty: &[Cell]) -> Result<Option<Arc<dyn Planner>>, PlanError> {
        jump::require("jps-plus", ground)?;
        Ok(Some(Arc::new(Self { table: Table::new(self.table.bitmaps.updated(ground, dirty), ground) })))
    }
}
