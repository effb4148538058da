//! One tick: a list of stages, each of which reads some columns and writes one.

use super::mission::winner;
use super::parts::{Derived, State, army_mask};
use super::travel::walk;
use super::{Stage, Verdict, World, WorldError, avoidance, combat, exchange, motion, neighbours, steering, walks};
use crate::battle::{self, Fortress, command};
use crate::crowd::{RouteId, Watch};
use std::sync::Arc;
use std::time::Instant;
use throng_plan::PlanError;
use throng_spatial::SpatialIndex;

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

    fn stages(&mut self) -> Result<(), WorldError> {
        self.profile = super::Profile::default();
        self.state.events.clear();
        let mut clock = Instant::now();
        let edited = self.apply_edits();
        self.perform();
        self.profile.add(Stage::Edits, &mut clock);
        let delivered = self.deliver_routes();
        self.profile.add(Stage::Deliver, &mut clock);
        let indexed = self.reap();
        self.profile.add(Stage::Reap, &mut clock);
        self.strike_walls(true);
        combat::fight(&self.settings, &self.grid, &mut self.derived, &mut self.scratch, &mut self.state);
        self.besiege();
        self.look_for_causes();
        self.profile.add(Stage::Battle, &mut clock);
        let ready = self.command();
        self.profile.add(Stage::Command, &mut clock);
        steering::steer(&self.settings, &self.grid, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Steer, &mut clock);
        neighbours::find(&self.settings, &mut self.derived, &mut self.scratch, &self.state);
        exchange::exchange(&self.settings, &self.grid, &self.derived, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Neighbours, &mut clock);
        avoidance::adapt(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        avoidance::avoid(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        self.profile.add(Stage::Avoid, &mut clock);
        motion::note_places(&self.state, &mut self.scratch.stood);
        motion::integrate(&self.settings, &self.grid, self.derived.mix, &mut self.scratch, &mut self.state);
        walks::sum(&self.scratch.stood, &mut self.state);
        self.profile.add(Stage::Integrate, &mut clock);
        for (cell, damage) in
            combat::fly(&self.settings, &self.grid, &self.derived, &self.scratch.stood, &mut self.state)
        {
            self.batter(cell, damage);
        }
        let routed = self.rout();
        self.profile.add(Stage::Battle, &mut clock);
        self.mind_the_crowd();
        let fielded = self.ask_fields();
        self.ask_routes();
        self.profile.add(Stage::Ask, &mut clock);
        self.state.tick += 1;
        self.sleep();
        self.profile.add(Stage::Reap, &mut clock);
        self.judge();
        edited.and(delivered).and(indexed).and(ready.and(routed).and(fielded).map_err(WorldError::from))
    }

    /// Sleepers who are needed wake; the dead of last tick leave; the rows are put in order; the index is rebuilt.
    fn reap(&mut self) -> Result<(), WorldError> {
        if !(self.state.dead.is_empty() && self.state.left.is_empty()) {
            let mut gone = std::mem::take(&mut self.state.dead);
            gone.append(&mut self.state.left);
            self.release_routes(&gone);
            for &id in &gone {
                self.state.travels.forget(id);
                self.state.driven.remove(&id.slot);
            }
            self.wake_around(&gone);
            self.state.crowd.remove(&gone);
            self.state.dead = gone;
            self.state.dead.clear();
        }
        self.rouse();
        self.state.crowd.sort(self.derived.home);
        Ok(self.derived.index.rebuild(battle::bodies(&self.state.crowd))?)
    }

    /// The tick, and who looks around in it.
    pub(super) fn watch(&self) -> Watch {
        Watch { seed: self.settings.seed, tick: self.state.tick }
    }

    /// Squads decide where to go, their members where to walk.
    ///
    /// # Errors
    /// Where a field for those who run cannot be built; then they fight on.
    fn command(&mut self) -> Result<(), PlanError> {
        let every = ((command::REVIEW_EVERY / self.settings.step).round() as u64).max(1);
        let Self { grid, state, derived, .. } = self;
        let State { squads, crowd, soldiers, relations, tick, ramparts, units, .. } = state;
        let Derived { grounds, .. } = derived;
        let fortress = Fortress { grid, clearance: grid.clearance(), ramparts, units };
        command::errands(squads, crowd, soldiers, relations, &fortress, grounds, (*tick, every));
        for squad in self.state.squads.iter_mut().filter(|squad| squad.members.is_empty()) {
            self.state.routes.release(std::mem::replace(&mut squad.route, RouteId::NONE));
            squad.field = None;
        }
        self.advance_travels();
        let ready = self.ready_refuges();
        let watch = self.watch();
        let Self { settings, grid, state, derived, scratch, .. } = self;
        let State { units, squads, soldiers, crowd, routes, .. } = state;
        let (walk, step) = (walk(grid, routes, watch), settings.step);
        if squads.iter().any(|squad| squad.ranks.is_some()) {
            let country = battle::Country { walk, units, grounds: &derived.grounds, step };
            battle::march(&country, squads, soldiers, crowd, &mut scratch.waking);
        }
        command::aims(&walk, step, units, squads, &derived.refuges, soldiers, crowd);
        ready
    }

    /// Writes the verdict: who has done what he had to do, or has no living enemy, has won; nobody left, or time up, is a draw.
    fn judge(&mut self) {
        if self.state.verdict.is_some() {
            return;
        }
        let done = self.advance_missions();
        self.state.verdict = winner(done, &self.state.relations);
        if self.state.verdict.is_some() || !self.has_opponents() {
            return;
        }
        let (coming, is_known) = self.armies_to_come();
        let lives = |&army: &usize| self.state.armies[army].alive > 0 || coming >> army & 1 == 1;
        let standing = army_mask((0..self.state.armies.len()).filter(lives));
        let all = army_mask(0..self.state.armies.len());
        // Neutral ones have nothing to win.
        let fought = |&army: &u8| standing >> army & 1 == 1 && self.state.relations.enemies(army) & all != 0;
        self.state.verdict = if !self.state.relations.has_enmity(standing) && is_known {
            let winner = (0..self.state.armies.len() as u8).find(fought);
            Some(winner.map_or(Verdict::Draw, |army| Verdict::Winner(super::ArmyId(army))))
        } else if self.state.tick >= self.settings.max_ticks {
            Some(Verdict::Draw)
        } else {
            None
        };
    }
}
