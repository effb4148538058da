//! A look inside: the clusters and doors of each level, and those that a search has seen.

use super::Hpa;
use super::itinerary::ItineraryKind;
use super::planner::Memory;
use crate::{Hierarchy, Scratch, SeenDoor};
use throng_grid::Cell;

impl Hierarchy for Hpa {
    fn levels(&self) -> usize {
        self.levels.len()
    }

    fn cluster_side(&self, level: usize) -> Option<u32> {
        self.levels.get(level).map(|level| level.tiling.size)
    }

    fn doors(&self, level: usize) -> Box<dyn Iterator<Item = Cell> + '_> {
        let levels = self.levels.get(level).into_iter();
        Box::new(levels.flat_map(|level| {
            let clusters = level.clusters.iter().enumerate();
            clusters.flat_map(|(number, cluster)| {
                // A door is counted by one of the clusters that share it.
                let own = cluster.doors.iter().filter(move |door| door.owner.0 as usize == number);
                own.map(|door| door.cell)
            })
        }))
    }

    fn level(&self, scratch: &Scratch) -> Option<usize> {
        scratch.memory_of::<Memory>()?.level().filter(|&level| level < self.levels.len())
    }

    fn seen_doors(&self, scratch: &Scratch) -> Vec<SeenDoor> {
        let level = self.level(scratch).and_then(|level| self.levels.get(level));
        let (Some(level), Some(memory)) = (level, scratch.memory_of::<Memory>()) else { return Vec::new() };
        let doors = |&(cluster, door, cost, expanded): &(u32, u16, u32, bool)| {
            let door = level.clusters.get(cluster as usize)?.doors.get(usize::from(door))?;
            Some(SeenDoor { cell: door.cell, cost: cost.into(), expanded })
        };
        memory.seen().iter().filter_map(doors).collect()
    }

    fn way_ahead(&self, scratch: &Scratch) -> Vec<Cell> {
        let Some(way) = scratch.memory_of::<Memory>().map(Memory::way) else { return Vec::new() };
        let ItineraryKind::Doors { level, goal } = way.kind else { return Vec::new() };
        let cell = |&(cluster, door): &(u32, u32)| {
            let cluster = self.levels.get(level)?.clusters.get(cluster as usize)?;
            cluster.doors.get(door as usize).map(|door| door.cell)
        };
        let left = way.doors.iter().skip(way.refined()).filter_map(cell);
        let start = (way.refined() == 0).then_some(way.from.cell);
        start.into_iter().chain(left).chain(goal.then_some(way.to.cell)).collect()
    }
}
