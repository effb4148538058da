//! Snapshots of a battle, thinned out so that they stay below a budget.

use super::command_history::CommandHistory;
use std::sync::Arc;
use throng_sim::world::Snapshot;

/// Ticks from one snapshot to the next.
const SNAPSHOT_INTERVAL_TICKS: u64 = 20;

/// The greatest number of snapshots.
const MAX_SNAPSHOTS: usize = 64;

/// The greatest size of all snapshots together (bytes).
const MAX_BYTES: usize = 256 << 20;

/// Bytes of a cell of a map that a snapshot holds and the one before does not: walls, terrain, and the layers of a ground.
const BYTES_A_CELL: usize = 16;

/// A snapshot, and what had been commanded up to then.
#[derive(Clone)]
pub(super) struct Kept {
    pub snapshot: Arc<Snapshot>,
    pub commands: CommandHistory,
    bytes: usize,
}

impl Kept {
    pub fn tick(&self) -> u64 {
        self.snapshot.tick()
    }
}

/// Snapshots in the order of their ticks. The first is always there.
#[derive(Default)]
pub(super) struct Snapshots {
    kept: Vec<Kept>,
}

impl Snapshots {
    /// The first of all.
    pub fn first(&self) -> Option<&Kept> {
        self.kept.first()
    }

    /// The last one at a tick or before it. O(log snapshots).
    pub fn before(&self, tick: u64) -> Option<&Kept> {
        self.kept.partition_point(|kept| kept.tick() <= tick).checked_sub(1).map(|place| &self.kept[place])
    }

    /// True where a snapshot should be taken at a tick; `target` is the tick that is being gone to, if one is: just before it a
    /// snapshot is worth more, since steps back often follow.
    pub fn wants(&self, tick: u64, target: Option<u64>) -> bool {
        const BEFORE_TARGET_TICKS: u64 = 8;
        let gap = self.before(tick).map_or(u64::MAX, |kept| tick - kept.tick());
        match target {
            Some(target) => gap >= BEFORE_TARGET_TICKS && tick + BEFORE_TARGET_TICKS == target,
            None => gap >= SNAPSHOT_INTERVAL_TICKS,
        }
    }

    /// Adds one, and drops others where there are too many.
    pub fn add(&mut self, snapshot: Snapshot, commands: CommandHistory) {
        let place = self.kept.partition_point(|kept| kept.tick() < snapshot.tick());
        if self.kept.get(place).is_some_and(|kept| kept.tick() == snapshot.tick()) {
            return;
        }
        let is_new_map = |kept: &Kept| !Arc::ptr_eq(kept.snapshot.grid(), snapshot.grid());
        let map = place.checked_sub(1).is_some_and(|before| is_new_map(&self.kept[before]));
        let bytes = snapshot.bytes() + if map { snapshot.grid().lattice().len() * BYTES_A_CELL } else { 0 };
        let at = snapshot.tick();
        self.kept.insert(place, Kept { snapshot: Arc::new(snapshot), commands, bytes });
        self.thin_out(at);
    }

    /// Drops those after a tick.
    pub fn forget_after(&mut self, tick: u64) {
        self.kept.retain(|kept| kept.tick() <= tick);
    }

    /// Drops those whose neighbours are the nearest to each other for their distance from the present, until the rest fits.
    fn thin_out(&mut self, at: u64) {
        let bytes = |kept: &[Kept]| kept.iter().map(|kept| kept.bytes).sum::<usize>();
        while self.kept.len() > 2 && (self.kept.len() > MAX_SNAPSHOTS || bytes(&self.kept) > MAX_BYTES) {
            let loss = |place: &usize| {
                let gap = self.kept[place + 1].tick() - self.kept[place - 1].tick();
                let away = self.kept[*place].tick().abs_diff(at) + SNAPSHOT_INTERVAL_TICKS;
                gap as f64 / away as f64
            };
            let least = (1..self.kept.len() - 1).min_by(|a, b| loss(a).total_cmp(&loss(b)));
            self.kept.remove(least.unwrap_or(1));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};
    use throng_sim::world::{Settings, World};

    #[test]
    fn they_stay_below_the_budget_and_lie_closer_near_the_present() {
        let plain = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        let mut world = World::new(plain, Settings { threads: 1, ..Settings::default() }).unwrap();
        let mut snapshots = Snapshots::default();
        for tick in 0..6000 {
            if snapshots.wants(tick, None) {
                snapshots.add(world.snapshot(), CommandHistory::default());
            }
            world.tick().unwrap();
        }
        let ticks: Vec<u64> = snapshots.kept.iter().map(Kept::tick).collect();
        assert!(ticks.len() == MAX_SNAPSHOTS && ticks[0] == 0 && ticks[63] == 5980, "{ticks:?}");
        let gaps: Vec<u64> = ticks.windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(gaps.iter().all(|&gap| gap <= 600) && gaps[55..].iter().all(|&gap| gap <= 40), "{gaps:?}");
        assert_eq!(snapshots.before(5979).map(Kept::tick), Some(ticks[62]));
        assert!(
            !snapshots.wants(5990, None) && snapshots.wants(5995, Some(6003)) && !snapshots.wants(5995, Some(6010))
        );
        snapshots.forget_after(100);
        assert!(snapshots.kept.iter().all(|kept| kept.tick() <= 100));
        assert_eq!(snapshots.first().map(Kept::tick), Some(0));
    }
}
