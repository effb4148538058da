//! The map as one kind of unit sees it.

mod crowd;
mod edit;

use super::closed_before::ClosedBefore;
use super::regions::{self, Passable, Regions};
use super::slope::{self, Slopes};
use super::{Cell, Crowding, DIAGONAL, Direction, Grid, Lattice, Layer, Link, Links, STRAIGHT, Steps, TerrainCosts};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// A ground that cannot be made.
///
/// ```
/// use throng_grid::{Cell, Grid, Ground, GroundError, Lattice, Link, Mobility};
/// let grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let from = grid.lattice().cell(1, 1);
/// let mobility = Mobility { links: vec![Link::new(from, Cell::NONE, 5)], ..Mobility::new(0.4) };
/// let error = Ground::build(grid.into(), mobility).unwrap_err();
/// assert_eq!(error, GroundError::LinkOffMap { index: 0, end: "ends" });
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum GroundError {
    /// A route on this map could cost more than a node of a search can hold.
    #[error(
        "this map is too winding: a route of {steps} steps is possible, the limit is {limit}; \
         split the map or use larger cells"
    )]
    Winding {
        /// The most steps a shortest route may have.
        steps: u64,
        /// The most that can be held.
        limit: u64,
    },
    /// With these costs a route could cost more than a node of a search can hold.
    #[error(
        "the costs of terrain and links are too great for this map: a route of {steps} steps over terrain of cost \
         {greatest} and links of {links} is possible, the limit of a route's cost is {limit}; use smaller costs"
    )]
    Overflow {
        /// The most steps a shortest route may have.
        steps: u64,
        /// The greatest cost of a class of terrain on this map.
        greatest: u16,
        /// Cost of all links together.
        links: u64,
        /// The most that can be held.
        limit: u64,
    },
    /// A class of terrain without a cost.
    #[error("terrain class {class}, at ({x}, {y}), has no cost; give one, or say that it is never entered")]
    NoCost {
        /// The class.
        class: u8,
        /// Column of the first cell of this class.
        x: u32,
        /// Row of that cell.
        y: u32,
    },
    /// A cost of zero.
    #[error("terrain class {class} costs 0; the least cost is 1")]
    FreeTerrain {
        /// The class.
        class: u8,
    },
    /// A radius that is no number of metres.
    #[error("the radius of a unit must be a finite number of metres, at least 0; found {0}")]
    Radius(f32),
    /// A congestion that is no number of times.
    #[error("the congestion of a unit must be between 0 and 1000 (times); found {0}")]
    Congestion(f32),
    /// A size class that is no wider than the unit itself.
    #[error("a size class must be wider than the radius of the ground, {radius} m; found {found}")]
    Size {
        /// The ground's radius (m).
        radius: f32,
        /// The size class (m).
        found: f32,
    },
    /// A link that starts or ends off the map.
    #[error("link {index} {end} off the map")]
    LinkOffMap {
        /// Which link, from 0.
        index: usize,
        /// "starts" or "ends".
        end: &'static str,
    },
    /// Too many links.
    #[error("a ground may have at most {limit} links, found {found}")]
    TooManyLinks {
        /// How many there are.
        found: usize,
        /// The limit.
        limit: usize,
    },
}

/// How a kind of unit moves over a map.
///
/// ```
/// use throng_grid::{Direction, Grid, Ground, Lattice, Mobility, STRAIGHT, TerrainCosts};
/// let mut grid = Grid::open_plain(Lattice::new(8, 8, 1.0)?);
/// let [road, edge, swamp] = [3, 4, 5].map(|x| grid.lattice().cell(x, 4));
/// grid.set_terrain(swamp, 1);
/// let terrain = Some(TerrainCosts::new([(0, Some(1)), (1, Some(5))]));
/// let ground = Ground::build(grid.into(), Mobility { terrain, ..Mobility::new(1.2) })?;
/// assert_eq!(ground.step_cost(road, edge, Direction::East), STRAIGHT);
/// assert_eq!(ground.step_cost(edge, swamp, Direction::East), 3 * STRAIGHT, "half the step is in the swamp");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct Mobility {
    /// Radius of the body (m): it stands only where it is clear of walls.
    pub radius: f32,
    /// The neighbours that a step can reach.
    pub steps: Steps,
    /// Costs of terrain; `None` = the same everywhere.
    pub terrain: Option<TerrainCosts>,
    /// Doors, jumps, drops, one-way steps, teleporters. One that starts or ends where the unit cannot stand is closed to it, until an
    /// edit of the map opens both ends.
    pub links: Vec<Link>,
    /// Greater radii (m) that queries on this ground ask for (`Query::radius` of throng-plan): their
    /// regions are known, so that an impossible trip is refused at once. Other radii can be asked for too.
    pub sizes: Vec<f32>,
    /// How many times its length a step costs more where it is as crowded as can be ([`Ground::crowded`]); 0 = crowds do not
    /// count.
    pub congestion: f32,
}

impl Mobility {
    /// Units of `radius` metres that walk to all eight neighbours, cut no corner and find all terrain the same.
    pub fn new(radius: f32) -> Self {
        Self { radius, ..Self::default() }
    }
}

/// The map as one kind of unit sees it: its legal steps, their costs, and its connected cells.
///
/// Unless its [`Mobility`] says otherwise, a step goes to one of the eight neighbours. A diagonal step is legal only
/// where both cells beside it are open too, so that no corner is cut. A unit wider than a cell may only stand where its
/// whole body is clear of walls.
///
/// Grounds are immutable and shared by all searches. Making one costs O(cells).
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// let grid = Arc::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?));
/// let ground = Ground::new(grid, 0.4)?;
/// let corner = ground.lattice().cell(0, 0);
/// assert_eq!(ground.moves(corner).count_ones(), 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Ground {
    grid: Arc<Grid>,
    mobility: Mobility,
    id: u64,
    moves: Arc<Layer<u8>>,
    /// Shared with the grounds that an edit made of this one, where it joined and parted nothing.
    regions: Arc<Regions>,
    /// Regions of the wider size classes, by radius.
    sizes: Vec<(f32, Arc<Regions>)>,
    /// How many cells are passable.
    passable: u64,
    /// Of each class of terrain, where it counts.
    classes: Option<Box<[u32; 256]>>,
    /// Cost of each class of terrain where it is not 1 everywhere.
    weights: Option<Box<[u16; 256]>>,
    /// The least cost of terrain on this map.
    least: u16,
    /// The effect of heights on steps, where they are not all the same. Grounds that edits made of this one without
    /// changing a height share it.
    slopes: Option<Arc<Slopes>>,
    /// Where it is crowded, and the cost of that in 256ths.
    crowding: Option<Arc<Crowding>>,
    toll: u32,
    /// Whether every step costs its length.
    is_uniform: bool,
    links: Links,
    /// Made by the first that looks along lines.
    closed_before: Arc<OnceLock<ClosedBefore>>,
}

/// Two grounds are equal where they were made from equal maps for equal units.
impl PartialEq for Ground {
    fn eq(&self, other: &Self) -> bool {
        self.grid == other.grid
            && self.mobility == other.mobility
            && self.moves == other.moves
            && self.regions == other.regions
            && self.sizes == other.sizes
            && (&self.weights, self.least, &self.links) == (&other.weights, other.least, &other.links)
            && (&self.slopes, &self.crowding) == (&other.slopes, &other.crowding)
    }
}

impl Ground {
    /// The ground for units of `radius` metres that walk to all eight neighbours without cutting corners.
    ///
    /// # Errors
    /// [`GroundError::Winding`] where the cost of a shortest route might not fit a node.
    pub fn new(grid: Arc<Grid>, radius: f32) -> Result<Self, GroundError> {
        Self::build(grid, Mobility::new(radius))
    }

    /// The ground for units that move like this.
    ///
    /// # Errors
    /// [`GroundError`] where the cost of a shortest route might not fit a node, a class of terrain on the map has no
    /// cost or costs nothing, a link starts or ends off the map, or a radius is impossible.
    pub fn build(grid: Arc<Grid>, mobility: Mobility) -> Result<Self, GroundError> {
        let lattice = grid.lattice();
        if !(mobility.radius.is_finite() && mobility.radius >= 0.0) {
            return Err(GroundError::Radius(mobility.radius));
        }
        if !(0.0..=1000.0).contains(&mobility.congestion) {
            return Err(GroundError::Congestion(mobility.congestion));
        }
        let weights = weights(mobility.terrain.as_ref())?;
        check_classes(&grid, mobility.terrain.as_ref(), lattice.cells())?;
        let passable = Passable::new(&grid, mobility.radius, weights.as_deref());
        let moves = legal_moves(&passable, mobility.steps);
        let regions = regions::regions(&passable, mobility.steps);
        let mut sizes = Vec::new();
        for &found in &mobility.sizes {
            if !(found.is_finite() && found > mobility.radius) {
                return Err(GroundError::Size { radius: mobility.radius, found });
            }
            let passable = Passable::new(&grid, found, weights.as_deref());
            sizes.push((found, Arc::new(regions::regions(&passable, mobility.steps))));
        }
        sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
        check_links(lattice, &mobility.links)?;
        let classes = weights.as_deref().map(|_| {
            let mut classes = Box::new([0; 256]);
            passable.cells().for_each(|cell| classes[usize::from(grid.terrain(cell))] += 1);
            classes
        });
        let ground = Self {
            links: Links::new(&regions.labels, &mobility.links),
            moves: Arc::new(moves),
            regions: Arc::new(regions),
            sizes,
            passable: passable.count(),
            classes,
            weights,
            least: 1,
            slopes: Slopes::new(&grid).map(Arc::new),
            crowding: None,
            toll: (256.0 * mobility.congestion).round() as u32,
            is_uniform: false,
            closed_before: Arc::default(),
            id: next_id(),
            mobility,
            grid,
        };
        ground.finish()
    }

    /// Looks at what terrain there is.
    ///
    /// # Errors
    /// Where the cost of a route might not fit a node.
    fn finish(mut self) -> Result<Self, GroundError> {
        let (least, greatest) = self.extremes();
        self.check_costs(self.passable, greatest)?;
        // Where all terrain on the map costs 1, nothing has to be looked up.
        self.weights = self.weights.filter(|_| greatest > 1);
        self.least = least;
        self.is_uniform = self.weights.is_none() && self.slopes.is_none() && self.crowding.is_none();
        Ok(self)
    }

    /// Least and greatest cost of the terrain of passable cells.
    fn extremes(&self) -> (u16, u16) {
        let (Some(weights), Some(classes)) = (&self.weights, &self.classes) else { return (1, 1) };
        let used = weights.iter().zip(&**classes).filter(|&(_, &count)| count > 0).map(|(&weight, _)| weight);
        let (least, greatest) = used.fold((u16::MAX, 1), |(least, most), weight| (least.min(weight), most.max(weight)));
        (least.min(greatest), greatest)
    }

    /// Every route on this ground must fit a node.
    fn check_costs(&self, cells: u64, greatest: u16) -> Result<(), GroundError> {
        // A search never looks at a node more than three steps beyond the goal's cost.
        let share = self.slopes.as_ref().map_or(slope::WHOLE, |slopes| slopes.greatest);
        let dearest = (u64::from(DIAGONAL) * u64::from(greatest) * u64::from(share)).div_ceil(slope::WHOLE.into());
        let dearest = dearest + (dearest * u64::from(self.toll)).div_ceil(256);
        let links = self.links.cost();
        let fits = |steps: u64| (steps + 3) * dearest + links <= MAX_NODE_COST;
        if fits(cells) {
            return Ok(());
        }
        // Two cells of a region are at most two depths apart.
        let depths = regions::depths(&self.moves, &self.regions.labels);
        let steps =
            2 * if self.links.is_empty() { depths.into_iter().max().unwrap_or(0) } else { depths.into_iter().sum() };
        if fits(steps) {
            return Ok(());
        }
        let limit = MAX_NODE_COST;
        Err(if greatest == 1 && links == 0 {
            GroundError::Winding { steps, limit: limit / dearest - 3 }
        } else {
            GroundError::Overflow { steps, greatest, links, limit }
        })
    }

    /// The map this ground was made from.
    pub fn grid(&self) -> &Arc<Grid> {
        &self.grid
    }

    /// How the units move that this ground was made for.
    pub fn mobility(&self) -> &Mobility {
        &self.mobility
    }

    /// The geometry.
    #[inline]
    pub fn lattice(&self) -> Lattice {
        self.moves.lattice
    }

    /// Radius (m) of the units this ground was made for.
    pub fn radius(&self) -> f32 {
        self.mobility.radius
    }

    /// The neighbours that a step can reach.
    pub fn steps(&self) -> Steps {
        self.mobility.steps
    }

    /// A number that no other ground of this process has: planners that keep tables know their ground by it.
    pub fn id(&self) -> u64 {
        self.id
    }

    /// The legal steps from a cell: bit `d` is set where [`Direction`] `d` is legal.
    #[inline]
    pub fn moves(&self, cell: Cell) -> u8 {
        self.moves[cell]
    }

    /// The mask of legal steps of every cell.
    pub fn moves_layer(&self) -> &Layer<u8> {
        &self.moves
    }

    /// The links that are open.
    pub fn links(&self) -> &Links {
        &self.links
    }

    /// True where every step costs [`STRAIGHT`] or [`DIAGONAL`]; links apart.
    #[inline]
    pub fn is_uniform(&self) -> bool {
        self.is_uniform
    }

    /// True where steps cost more over some terrain than over other.
    pub fn weighs_terrain(&self) -> bool {
        self.weights.is_some()
    }

    /// True where all cells have the same height, so that each step costs as much forth as back.
    pub fn is_level(&self) -> bool {
        self.slopes.is_none()
    }

    /// Cost of the terrain of a passable cell: 1 on uniform ground.
    #[inline]
    pub fn weight(&self, cell: Cell) -> u16 {
        self.weights.as_ref().map_or(1, |weights| weights[usize::from(self.grid.terrain(cell))])
    }

    /// The least cost of terrain on this map.
    pub fn least_weight(&self) -> u16 {
        self.least
    }

    /// The least cost of a line over this ground, in 65536ths of its length.
    pub fn least_share(&self) -> u64 {
        u64::from(self.least) * u64::from(self.slopes.as_ref().map_or(slope::WHOLE, |slopes| slopes.least))
    }

    /// Cost of a legal step between two neighbours: its length times the mean cost of the two cells, rounded down; and
    /// that by the time that the slope takes ([`pace`](super::pace)), rounded up; and more where it is crowded
    /// ([`Ground::crowded`]), rounded down. Where heights differ, a step costs less downhill than uphill.
    #[inline]
    pub fn step_cost(&self, from: Cell, to: Cell, direction: Direction) -> u32 {
        let length = if direction.is_diagonal() { DIAGONAL } else { STRAIGHT };
        if self.is_uniform { length } else { self.uneven_cost(from, to, length) }
    }

    #[inline]
    fn uneven_cost(&self, from: Cell, to: Cell, length: u32) -> u32 {
        let level = u64::from(length) * (u64::from(self.weight(from)) + u64::from(self.weight(to))) / 2;
        let cost = self.slopes.as_ref().map_or(level, |slopes| {
            let share = slopes.share(self.rise(from, to), length == DIAGONAL);
            (level * u64::from(share)).div_ceil(slope::WHOLE.into())
        });
        let Some(crowding) = &self.crowding else { return cost as u32 };
        let full = u64::from(crowding.fullness(from)) + u64::from(crowding.fullness(to));
        (cost + cost * full * u64::from(self.toll) / (2 * 255 * 256)) as u32
    }

    /// How much higher a cell lies than another (cm).
    #[inline]
    pub(super) fn rise(&self, from: Cell, to: Cell) -> i32 {
        i32::from(self.grid.height(to)) - i32::from(self.grid.height(from))
    }

    /// True where a unit of this ground's radius may stand on the cell's centre.
    #[inline]
    pub fn is_passable(&self, cell: Cell) -> bool {
        self.regions.labels[cell] != 0
    }

    /// The region of a cell: two cells are joined by legal steps exactly where their regions are equal and not 0, the
    /// region of closed cells. Links may join regions.
    #[inline]
    pub fn region(&self, cell: Cell) -> u32 {
        self.regions.labels[cell]
    }

    /// True where steps and open links lead from a cell to another. O(1) in one region or without links, else O(links · regions).
    pub fn leads(&self, from: Cell, to: Cell) -> bool {
        let (from, to) = (self.region(from), self.region(to));
        if from == to || self.links.is_empty() {
            return from == to && from != 0;
        }
        let mut reached = Vec::new();
        self.links.reachable(&self.regions.labels, from, &mut reached);
        from != 0 && to != 0 && reached.binary_search(&to).is_ok()
    }

    /// The regions for bodies of `radius` metres: those of the widest size class that is not wider. For a radius that is
    /// no size class two cells of one region may not be joined; cells of two regions never are.
    pub fn regions(&self, radius: f32) -> &Layer<u32> {
        let class = self.sizes.iter().rev().find(|&&(size, _)| size <= radius);
        &class.map_or(&self.regions, |(_, regions)| regions).labels
    }

    /// Where there is no wall in a box; made on the first call, O(cells), 4 bytes a cell.
    pub(super) fn closed_before(&self) -> &ClosedBefore {
        self.closed_before.get_or_init(|| ClosedBefore::new(self.lattice(), |cell| self.is_passable(cell)))
    }

    /// How many regions there are.
    pub fn region_count(&self) -> u32 {
        self.regions.firsts.len() as u32
    }

    /// The passable cell whose centre is nearest to a point (m), ties by the smaller cell.
    pub fn nearest_passable(&self, point: crate::geom::Vec2) -> Option<Cell> {
        self.grid.nearest(point, |cell| self.is_passable(cell))
    }
}

/// The greatest cost that a node of a search can hold.
const MAX_NODE_COST: u64 = u32::MAX as u64;

fn next_id() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}

/// Cost of each class, 0 where it is never entered; `None` where terrain does not count.
fn weights(costs: Option<&TerrainCosts>) -> Result<Option<Box<[u16; 256]>>, GroundError> {
    let Some(costs) = costs else { return Ok(None) };
    let mut weights = Box::new([0; 256]);
    for (class, cost) in costs.classes() {
        weights[usize::from(class)] = match cost {
            Some(0) => return Err(GroundError::FreeTerrain { class }),
            Some(cost) => cost,
            None => 0,
        };
    }
    Ok(Some(weights))
}

/// The first of `cells` that is open and of a class without a cost is an error.
fn check_classes(
    grid: &Grid,
    costs: Option<&TerrainCosts>,
    cells: impl Iterator<Item = Cell>,
) -> Result<(), GroundError> {
    let Some(costs) = costs else { return Ok(()) };
    let mut known = [false; 256];
    for cell in cells {
        let class = grid.terrain(cell);
        if !known[usize::from(class)] && grid.is_open(cell) {
            known[usize::from(class)] = true;
            if costs.of(class).is_none() {
                let (x, y) = grid.lattice().column_row(cell);
                return Err(GroundError::NoCost { class, x, y });
            }
        }
    }
    Ok(())
}

/// Bit `d` of a cell is set where the step in direction `d` is legal.
fn legal_moves(passable: &Passable, steps: Steps) -> Layer<u8> {
    let lattice = passable.lattice();
    let mut table = [0_u8; 256];
    for (mask, free) in table.iter_mut().zip(0..=u8::MAX) {
        *mask = steps.mask(free);
    }
    let mut moves = Layer::new(lattice, 0_u8);
    for cell in passable.cells() {
        moves[cell] = table[usize::from(passable.around(cell))];
    }
    moves
}

fn check_links(lattice: Lattice, links: &[Link]) -> Result<(), GroundError> {
    if links.len() > Links::MAX {
        return Err(GroundError::TooManyLinks { found: links.len(), limit: Links::MAX });
    }
    for (index, link) in links.iter().enumerate() {
        for (end, cell) in [("starts", link.from), ("ends", link.to)] {
            if !lattice.contains(cell) {
                return Err(GroundError::LinkOffMap { index, end });
            }
        }
    }
    Ok(())
}
