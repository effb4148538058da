//! The hierarchy of a ground.

use super::HpaSettings;
use super::cluster::{CLUSTERS_PER_SIDE, Workshop};
use super::levels::Level;
use super::tiling::Area;
use crate::{Capability, PlanError, Planner};
use throng_grid::{Cell, Ground};

/// Hierarchical path-finding A\* (HPA\*): a search over the doors of clusters, refined to cells.
///
/// A. Botea, M. Müller, J. Schaeffer: Near optimal hierarchical path-finding. Journal of Game Development 1(1), 2004.
///
/// Each level cuts the map into square clusters. Where the border line between two clusters is open it has *doors* (the
/// entrances of the paper). Inside each cluster the costs between its doors are known (the intra edges). A search
/// connects start and goal to the doors of their clusters, finds the cheapest way over doors, and refines it level by
/// level to cells. Different from the paper:
///
/// - Neighbouring clusters share their border line. So a door is one cell that both have, the inter edge across the border
///   is no edge any more, and diagonal runs need not be broken there.
/// - For each door a cluster keeps a field of first steps, half a byte a cell (on the higher levels a first part and a cost
///   for each door below). So start and goal are connected and routes refined without any search.
/// - Edges that are as long as two others one after the other are left out.
/// - The route is pulled straight from leg to leg while its cells are written.
///
/// The graph of doors is made of flat arrays, a pair for each cluster, so that an edit replaces the clusters it touches and
/// shares the others ([`Planner::updated`](crate::Planner::updated)). `petgraph`'s A\* on the same graph takes 1.4 times as
/// long (geometric mean over six of the maps below), although start and goal need not be connected there.
///
/// - **Result**: a route where there is one. No bound is known beforehand; [`Outcome::bound`](crate::Outcome::bound) is the
///   cost over the cost on a map without walls. On 200 queries each of twelve
///   Moving AI maps the routes cost 0.6 % more than the least in the mean (by map from 0 to 2.8 %, the most on noise), and
///   2.7 % before they are pulled straight.
/// - **Complexity**: a search takes O(e log e) for e edges between doors of the highest level on the way, refining
///   O(cells of the route). The tables take 1.5 to 18 bytes a cell, the most on noise.
/// - **Ties**: of equal f the door with the greater g, then that with the smaller number; of two equal ways to a door
///   the one found first; of a straight way the diagonal steps first.
/// - **In parts**: [`Planner::advance`](crate::Planner::advance) reports the first part of the route, up to the first door
///   of the highest level, before the rest is refined; or take the parts as they are needed, with [`Hpa::itinerary`].
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Hierarchy, Hpa, HpaSettings, Path, Query, Scratch, Status, plan};
/// let mut grid = Grid::open_plain(Lattice::new(200, 200, 1.0)?);
/// (0..150).for_each(|y| grid.set_open(grid.lattice().cell(90, y), false));
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let hpa = Hpa::new(&ground, HpaSettings::default())?;
///
/// let query = Query::new(ground.lattice().cell(10, 10), ground.lattice().cell(180, 20));
/// let mut path = Path::default();
/// let outcome = plan(&hpa, &ground, &query, &mut Scratch::default(), &mut path)?;
/// assert_eq!(outcome.status, Status::Found);
/// assert_eq!(outcome.cost, path.cost(ground.lattice()));
/// assert_eq!(hpa.levels(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Hpa {
    pub(super) settings: HpaSettings,
    /// The ground it was made for.
    pub(super) ground: u64,
    /// The lowest first.
    pub(super) levels: Vec<Level>,
}

/// Two are equal where they would answer every query alike.
impl PartialEq for Hpa {
    fn eq(&self, other: &Self) -> bool {
        (self.settings, &self.levels) == (other.settings, &other.levels)
    }
}

impl Hpa {
    /// The hierarchy of a ground.
    ///
    /// O(cells · doors of a cluster).
    ///
    /// # Errors
    /// [`PlanError::ClusterSide`] and [`PlanError::Levels`] where the settings are impossible,
    /// [`PlanError::HierarchyTooLarge`] where a cluster would be larger than the map, [`PlanError::Cannot`] where the
    /// ground has links or terrain costs.
    pub fn new(ground: &Ground, settings: HpaSettings) -> Result<Self, PlanError> {
        settings.check(ground.lattice())?;
        Self::suits(ground)?;
        let mut shop = Workshop::default();
        let mut levels: Vec<Level> = Vec::new();
        for number in 0..settings.levels {
            let size = settings.cluster * CLUSTERS_PER_SIDE.pow(number.into());
            let level = Level::new(ground, size, levels.last(), &mut shop);
            levels.push(level);
        }
        Ok(Self { settings, ground: ground.id(), levels })
    }

    /// The hierarchy of a ground that differs from this one's in the `dirty` cells alone: equal to one that is made anew.
    ///
    /// The clusters around the cells are made anew, and all others are shared. The time is that of the clusters made anew,
    /// on each level one to four a cell, and of a pass over the list of all clusters.
    ///
    /// # Errors
    /// [`PlanError::Cannot`] where the ground has links or terrain costs, [`PlanError::OtherGround`] where it has another
    /// size.
    pub fn repaired(&self, ground: &Ground, dirty: &[Cell]) -> Result<Self, PlanError> {
        Self::suits(ground)?;
        let lattice = ground.lattice();
        if self.levels.iter().any(|level| level.tiling.lattice != lattice) {
            return Err(PlanError::OtherGround { planner: self.name() });
        }
        // So far from a cell a wide body feels it, and a step beside it is cut.
        let reach = (ground.radius() / lattice.cell_size).ceil() as u32 + 1;
        let around = |&cell: &Cell| {
            let (x, y) = lattice.column_row(cell);
            Area {
                left: x.saturating_sub(reach),
                top: y.saturating_sub(reach),
                right: (x + reach).min(lattice.width - 1),
                bottom: (y + reach).min(lattice.height - 1),
            }
        };
        let areas: Vec<Area> = dirty.iter().filter(|&&cell| lattice.contains(cell)).map(around).collect();
        let mut shop = Workshop::default();
        let mut levels: Vec<Level> = Vec::with_capacity(self.levels.len());
        let mut changed = Vec::new();
        for level in &self.levels {
            let dirty = level.dirty(&areas, levels.last().map(|below| (below, &*changed)));
            let (level, now) = level.repaired(ground, levels.last(), &areas, &dirty, &mut shop);
            levels.push(level);
            changed = now;
        }
        Ok(Self { settings: self.settings, ground: ground.id(), levels })
    }

    pub(super) const NAME: &'static str = "hpa";

    /// How coarse it is.
    pub fn settings(&self) -> HpaSettings {
        self.settings
    }

    /// Its capabilities.
    pub(super) const CAN: &'static [Capability] =
        &[Capability::FourNeighbours, Capability::CutCorners, Capability::Pause];

    pub(super) fn suits(ground: &Ground) -> Result<(), PlanError> {
        let cannot = |what| Err(PlanError::Cannot { planner: Self::NAME, what });
        if ground.weighs_terrain() {
            return cannot(Capability::Terrain);
        }
        if !ground.is_level() {
            return cannot(Capability::Heights);
        }
        if ground.crowding().is_some() {
            return cannot(Capability::Crowds);
        }
        if !ground.links().is_empty() {
            return cannot(Capability::Links);
        }
        Ok(())
    }
}
