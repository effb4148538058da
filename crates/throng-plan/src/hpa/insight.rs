//! A look inside: the clusters and doors of each level, and those that a search has seen.

use super::Hpa;
use super::itinerary::Way;
use super::planner::Memory;
use crate::{Cost, Scratch};
use throng_grid::Cell;

/// A door that a search has come to.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{Hpa, HpaSettings, Path, Query, Scratch, SeenDoor, plan};
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
pub struct SeenDoor {
    /// Where it is.
    pub cell: Cell,
    /// The cost from the start to it.
    pub cost: Cost,
    /// The search went on from there.
    pub expanded: bool,
}

impl Hpa {
    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.levels.len()
    }

    /// Steps along a side of the clusters of a level, the lowest being 0: border lines lie so far apart, and neighbours
    /// share them. `None` where there is no such level.
    pub fn cluster_side(&self, level: usize) -> Option<u32> {
        self.levels.get(level).map(|level| level.tiling.size)
    }

    /// The doors (entrances) of a level, each once; none where there is no such level. O(doors).
    pub fn doors(&self, level: usize) -> impl Iterator<Item = Cell> {
        let levels = self.levels.get(level).into_iter();
        levels.flat_map(|level| {
            let clusters = level.clusters.iter().enumerate();
            clusters.flat_map(|(number, cluster)| {
                // A door is counted by one of the clusters that share it.
                let own = cluster.doors.iter().filter(move |door| door.owner.0 as usize == number);
                own.map(|door| door.cell)
            })
        })
    }

    /// The level that the search in `scratch` is on, or has ended on; `None` where it needed no doors.
    pub fn level(&self, scratch: &Scratch) -> Option<usize> {
        scratch.memory_of::<Memory>()?.level().filter(|&level| level < self.levels.len())
    }

    /// The doors of its level that the search in `scratch`, which this planner made, has come to. O(doors).
    pub fn seen_doors(&self, scratch: &Scratch) -> Vec<SeenDoor> {
        let level = self.level(scratch).and_then(|level| self.levels.get(level));
        let (Some(level), Some(memory)) = (level, scratch.memory_of::<Memory>()) else { return Vec::new() };
        let doors = |&(cluster, door, cost, expanded): &(u32, u16, u32, bool)| {
            let door = level.clusters.get(cluster as usize)?.doors.get(usize::from(door))?;
            Some(SeenDoor { cell: door.cell, cost: cost.into(), expanded })
        };
        memory.seen().iter().filter_map(doors).collect()
    }

    /// The doors on the way that the search in `scratch` has found, from the start to the goal, both included; those of
    /// parts that are refined are left out. Empty while there is no way over doors.
    pub fn way_ahead(&self, scratch: &Scratch) -> Vec<Cell> {
        let Some(way) = scratch.memory_of::<Memory>().map(Memory::way) else { return Vec::new() };
        let Way::Doors { level, goal } = way.way else { return Vec::new() };
        let cell = |&(cluster, door): &(u32, u32)| {
            let cluster = self.levels.get(level)?.clusters.get(cluster as usize)?;
            cluster.doors.get(door as usize).map(|door| door.cell)
        };
        let left = way.doors.iter().skip(way.refined()).filter_map(cell);
        let start = (way.refined() == 0).then_some(way.from.cell);
        start.into_iter().chain(left).chain(goal.then_some(way.to.cell)).collect()
    }
}
