//! The events of the last ticks.

use super::{Events, World};
use std::collections::VecDeque;

/// The events of the ticks before the last, for a caller that does not look after every one.
#[derive(Clone, Debug, Default)]
pub(super) struct RecentEvents {
    /// Of so many ticks.
    most: usize,
    /// Each with the number of ticks there had been after it; the oldest first.
    ticks: VecDeque<(u64, Events)>,
}

impl RecentEvents {
    /// Keeps the events of a tick that is over.
    pub(super) fn keep(&mut self, tick: u64, events: &Events) {
        if self.most == 0 {
            return;
        }
        while self.ticks.len() >= self.most {
            self.ticks.pop_front();
        }
        self.ticks.push_back((tick, events.clone()));
    }
}

impl World {
    /// Keeps the events of so many ticks before the last one, for [`World::events_after`]; at first of none. Snapshots do not store them.
    pub fn keep_events(&mut self, ticks: usize) {
        self.recent.most = ticks;
        while self.recent.ticks.len() > ticks {
            self.recent.ticks.pop_front();
        }
    }

    /// The events of all ticks after this one that are kept, each with its number, the oldest first: the number of the last is the cursor
    /// with which to ask next.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::battle::Unit;
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
    /// let id = world.spawn_walkers(all, walker, &[Vec2::splat(4.5)], &[])?[0];
    /// world.keep_events(1000);
    /// world.walk_to(id, Vec2::new(9.5, 4.5))?;
    /// let mut cursor = 0;
    /// world.tick_until(|world| world.ticks() == 400)?;
    /// let mut arrived = Vec::new();
    /// for (tick, events) in world.events_after(cursor) {
    ///     arrived.extend(&events.arrived);
    ///     cursor = tick;
    /// }
    /// assert_eq!((arrived, cursor), (vec![id], 400));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn events_after(&self, tick: u64) -> impl Iterator<Item = (u64, &Events)> {
        let kept = self.recent.ticks.iter().map(|(tick, events)| (*tick, events));
        kept.chain([(self.ticks(), self.events())]).filter(move |&(number, _)| number > tick)
    }
}
