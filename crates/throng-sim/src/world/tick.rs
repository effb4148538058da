//! One tick: a list of stages, each of which reads some columns and writes one.

use super::trigger::look;
use super::{
    Profile, Stage, World, WorldError, avoidance, combat, command, crossing, exchange, motion, neighbours, ordering,
    removal, sleep, steering, verdict, walks,
};
use crate::crowd::Watch;
use std::sync::Arc;
use std::time::Instant;

impl World {
    /// Lets the time of one tick pass.
    ///
    /// O(n) in the number of agents, and as much planning as the budget allows.
    ///
    /// # Errors
    /// Where a planner panicked, or a unit cannot use the edited map. The tick was done all the same, without that route
    /// or edit.
    pub fn tick(&mut self) -> Result<(), WorldError> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| self.stages())
    }

    /// Lets ticks pass as [`World::tick`] does, until `stop`, which is asked before each, says that it is enough. In between
    /// no thread has to be woken, which counts where a tick takes some hundred microseconds.
    ///
    /// ```
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?), Settings::default())?;
    /// world.tick_until(|world| world.ticks() == 30)?;
    /// assert_eq!(world.ticks(), 30);
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    ///
    /// # Errors
    /// As [`World::tick`]; the tick with the first error is the last.
    pub fn tick_until(&mut self, mut stop: impl FnMut(&Self) -> bool + Send) -> Result<(), WorldError> {
        let threads = Arc::clone(&self.threads);
        threads.install(|| {
            while !stop(self) {
                self.stages()?;
            }
            Ok(())
        })
    }

    /// The stages of a tick, in their order. Each says in its first line what it reads and writes, and whether it is local: whether
    /// what it writes of an agent depends on those near it alone.
    fn stages(&mut self) -> Result<(), WorldError> {
        self.profile = Profile::default();
        self.state.events.clear();
        let mut clock = Instant::now();
        // The map as it is from now on, and the orders and waves that are due.
        let edited = self.apply_edits();
        self.perform();
        self.profile.add(Stage::Edits, &mut clock);

        let delivered = self.deliver_routes();
        self.profile.add(Stage::Deliver, &mut clock);

        removal::bury(&self.settings, &self.derived, &mut self.scratch, &mut self.state);
        sleep::rouse(&mut self.derived, &mut self.scratch, &mut self.state.crowd);
        let indexed = ordering::sort(&mut self.derived, &mut self.state);
        self.profile.add(Stage::Reap, &mut clock);

        self.strike_walls(true);
        combat::fight(&self.settings, &self.grid, &mut self.derived, &mut self.scratch, &mut self.state);
        self.besiege();
        look::causes(&self.derived, &mut self.state);
        self.profile.add(Stage::Battle, &mut clock);

        command::errands(&self.settings, &self.grid, &self.derived, &mut self.state);
        self.advance_travels();
        let ready = self.ready_refuges();
        let held = crossing::hold(&self.state);
        command::aims(&self.settings, &self.grid, &self.derived, &mut self.scratch, &mut self.state);
        crossing::begin(&self.settings, &self.grid, &self.derived, &mut self.state, held);
        self.profile.add(Stage::Command, &mut clock);

        steering::steer(&self.settings, &self.grid, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Steer, &mut clock);

        neighbours::find(&self.settings, &mut self.derived, &mut self.scratch, &self.state);
        crossing::part(&self.state, &mut self.scratch.near);
        exchange::exchange(&self.settings, &self.grid, &self.derived, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Neighbours, &mut clock);

        avoidance::adapt(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        avoidance::avoid(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Avoid, &mut clock);

        motion::note_places(&self.state, &mut self.scratch.stood);
        crossing::halt(&mut self.state);
        motion::integrate(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        crossing::carry(&self.settings, &mut self.state);
        walks::sum(&self.scratch.stood, &mut self.state);
        self.profile.add(Stage::Integrate, &mut clock);

        let struck = combat::fly(&self.settings, &self.grid, &self.derived, &self.scratch.stood, &mut self.state);
        for (cell, damage) in struck {
            self.batter(cell, damage);
        }
        let routed = self.rout();
        self.profile.add(Stage::Battle, &mut clock);

        self.mind_the_crowd();
        let fielded = self.ask_fields();
        self.ask_routes();
        self.profile.add(Stage::Ask, &mut clock);

        self.state.tick += 1;
        sleep::settle(&self.settings, &mut self.derived, &mut self.scratch, &mut self.state);
        verdict::judge(&self.settings, &mut self.state);
        self.profile.add(Stage::Reap, &mut clock);
        edited.and(delivered).and(indexed).and(ready.and(routed).and(fielded).map_err(WorldError::from))
    }

    /// The tick, and which agents look around in it.
    pub(super) fn watch(&self) -> Watch {
        Watch { seed: self.settings.seed, tick: self.state.tick }
    }
}
