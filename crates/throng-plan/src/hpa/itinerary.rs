//! A route as doors, and its cells part by part.

use super::field::Spread;
use super::planner::Memory;
use super::refine::{self, Leg};
use super::search::End;
use super::straight::{Sight, Straight};
use super::trim::Trim;
use super::{Hpa, HpaSettings};
use crate::{Cost, Path, Scratch};
use throng_grid::{Cell, Ground};

/// The first part that a search reports is so long at least (steps), so that an agent that sets out on it
/// walks while the rest is found.
const FIRST_PART_STEPS: usize = 10;

/// How a trip is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum ItineraryKind {
    /// Not at all.
    #[default]
    None,
    /// Straight on.
    Straight(Straight),
    /// Inside one cluster of the lowest level.
    Inside,
    /// Through doors of this level; `goal` is false where the way ends at the last of them.
    Doors { level: usize, goal: bool },
}

/// A route that is known as a list of doors; its cells are found part by part, when an agent comes near.
///
/// [`Hpa::itinerary`] fills it, [`Itinerary::refine_next`] gives the cells of one part after the other, from one door of
/// the highest level to the next. Both use the memory again that they have, so that nothing is allocated once it has
/// grown.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Hpa, HpaSettings, Itinerary, Path, Query, Scratch};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(100, 100, 1.0)?).into(), 0.4)?;
/// let mut grid = Grid::clone(ground.grid());
/// (0..90).for_each(|y| grid.set_open(grid.lattice().cell(50, y), false));
/// let ground = Ground::new(grid.into(), 0.4)?;
/// let hpa = Hpa::new(&ground, HpaSettings { cluster: 16, levels: 1 })?;
///
/// let at = |x, y| ground.lattice().cell(x, y);
/// let (mut scratch, mut itinerary, mut part) = (Scratch::default(), Itinerary::default(), Path::default());
/// hpa.itinerary(&ground, &Query::new(at(2, 3), at(95, 4)), &mut scratch, &mut itinerary)?;
/// let (mut here, mut parts) = (at(2, 3), 0);
/// while itinerary.refine_next(&hpa, &ground, &mut scratch, &mut part) {
///     assert_eq!(part.cells[0], here);
///     here = *part.cells.last().unwrap_or(&here);
///     parts += 1;
/// }
/// assert_eq!(here, at(95, 4));
/// assert!(parts > 3);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Default)]
pub struct Itinerary {
    pub(super) from: End,
    pub(super) to: End,
    pub(super) kind: ItineraryKind,
    /// For each door the cluster that is crossed on the way to it, and its number there.
    pub(super) doors: Vec<(u32, u32)>,
    /// The cost of the way through the doors.
    pub(super) cost: u32,
    /// The ground and the settings of the hierarchy whose doors these are.
    pub(super) made_for: Option<(u64, HpaSettings)>,
    /// Parts refined.
    part: usize,
    /// Cells so far.
    route: Vec<Cell>,
    /// How many of them were given out.
    given: usize,
    trim: Trim,
    legs: Vec<Leg>,
}

impl Itinerary {
    /// A bound above the cost of the route: that of the way through the doors, before it is pulled straight.
    pub fn cost(&self) -> Cost {
        self.cost.into()
    }

    /// Parts that are not refined yet.
    pub fn parts_left(&self) -> usize {
        self.parts() - self.part
    }

    /// Finds the cells of the next part and writes them into `path`, the last cell of the part before included; `false`
    /// where none is left. `hpa` and `ground` must be those that [`Hpa::itinerary`] was called with; after an edit of the map
    /// there is nothing more to refine, and the route has to be asked for again.
    ///
    /// Parts that were given out stay as they are. So the route is pulled straight across all the doors but those at
    /// which a part was cut off.
    pub fn refine_next(&mut self, hpa: &Hpa, ground: &Ground, scratch: &mut Scratch, path: &mut Path) -> bool {
        path.cells.clear();
        if self.parts_left() == 0 || self.made_for != Some((hpa.ground, hpa.settings)) || hpa.ground != ground.id() {
            return false;
        }
        self.refine(hpa, ground, &mut scratch.memory::<Memory>().spread);
        let given = self.given;
        self.give(ground);
        path.cells.extend_from_slice(&self.route[given.saturating_sub(1)..self.given]);
        true
    }

    /// Forgets the route.
    pub(super) fn restart(&mut self, kind: ItineraryKind, cost: u32) {
        (self.kind, self.cost, self.part, self.given) = (kind, cost, 0, 0);
        self.route.clear();
        self.trim.restart();
    }

    /// How many parts are refined.
    pub(super) fn refined(&self) -> usize {
        self.part
    }

    fn parts(&self) -> usize {
        match self.kind {
            ItineraryKind::None => 0,
            ItineraryKind::Straight(_) | ItineraryKind::Inside => 1,
            ItineraryKind::Doors { goal, .. } => self.doors.len() + usize::from(goal),
        }
    }

    /// The cells that stay as they are.
    pub(super) fn given(&self) -> &[Cell] {
        &self.route[..self.given]
    }

    /// The least that a route can cost.
    pub(super) fn least(&self, ground: &Ground) -> u32 {
        Sight::new(ground).estimate(self.from.cell, self.to.cell)
    }

    /// Finds a first part of [`FIRST_PART_STEPS`] steps or more and gives it out; `false` where that would be the whole route.
    pub(super) fn begin(&mut self, hpa: &Hpa, ground: &Ground, spread: &mut Spread) -> bool {
        while self.parts_left() > 1 {
            self.refine(hpa, ground, spread);
            if self.trim.settled(&self.route) >= FIRST_PART_STEPS {
                self.given = self.trim.fix(ground.lattice(), &self.route, FIRST_PART_STEPS);
                return true;
            }
        }
        false
    }

    /// Gives out the legs found: all of them at the end, else not the last leg, which the next may still straighten.
    pub(super) fn give(&mut self, ground: &Ground) {
        self.given = match self.parts_left() {
            0 => self.route.len(),
            _ => self.trim.fix(ground.lattice(), &self.route, self.given),
        };
    }

    /// Finds the cells of the next part.
    pub(super) fn refine(&mut self, hpa: &Hpa, ground: &Ground, spread: &mut Spread) {
        if self.part == 0 {
            self.route.push(self.from.cell);
        }
        match self.kind {
            ItineraryKind::None => {}
            ItineraryKind::Straight(way) => way.walk(self.from.cell, &mut self.route),
            ItineraryKind::Inside => {
                let area = hpa.levels[0].tiling.area(self.from.clusters[0]);
                refine::inside(ground, area, (&self.from, &self.to), spread, &mut self.route);
            }
            ItineraryKind::Doors { level, .. } => self.refine_part(hpa, ground, level),
        }
        self.part += 1;
    }

    fn refine_part(&mut self, hpa: &Hpa, ground: &Ground, level: usize) {
        let levels = &hpa.levels;
        self.legs.clear();
        let next = self.doors.get(self.part);
        let last = self.part.checked_sub(1).and_then(|last| self.doors.get(last));
        let cell = |&(cluster, door): &(u32, u32)| levels[level].clusters[cluster as usize].doors[door as usize].cell;
        match (last.map(cell), next) {
            (None, Some(&(_, door))) => refine::from_start(levels, &self.from, level, door as usize, &mut self.legs),
            (Some(cell), Some(&(cluster, door))) => {
                refine::between(levels, level, cluster, cell, door as usize, &mut self.legs);
            }
            (Some(cell), None) => {
                if let Some(door) = levels[level].clusters[self.to.clusters[level] as usize].door(cell) {
                    refine::to_goal(levels, &self.to, level, door, &mut self.legs);
                }
            }
            (None, None) => {}
        }
        let sight = Sight::new(ground);
        for &leg in &self.legs {
            let first = self.route.len();
            let cost = refine::cells(&levels[0], leg, &mut self.route);
            let added = self.route.len() - first;
            self.trim.pull(ground.lattice(), &sight, &mut self.route, added, cost);
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.doors.capacity() * size_of::<(u32, u32)>()
            + self.route.capacity() * size_of::<Cell>()
            + self.legs.capacity() * size_of::<Leg>()
            + self.from.bytes()
            + self.to.bytes()
    }
}
