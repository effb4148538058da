//! One tick: a list of stages, each of which reads some columns and writes one.

use super::mission::winner;
use super::travel::walk;
use super::{Events, Settings, Stage, Verdict, World, WorldError};
use crate::battle::{self, Air, Field, Fortress, Obstacle, Order, Relation, Shots, Struck, Unit, command};
use crate::crowd::walls::{HORIZON, along_walls};
use crate::crowd::{self, AgentId, Crowd, RouteId, Speed, Watch};
use crate::world::parts::{Derived, State};
use std::sync::Arc;
use std::time::Instant;
use throng_grid::Cell;
use throng_grid::geom::Vec2;
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
        self.fight();
        self.besiege();
        self.look_for_causes();
        self.profile.add(Stage::Battle, &mut clock);
        let ready = self.command();
        self.profile.add(Stage::Command, &mut clock);
        self.steer();
        self.profile.add(Stage::Steer, &mut clock);
        self.find_neighbours();
        self.exchange_posts();
        self.profile.add(Stage::Neighbours, &mut clock);
        self.adapt();
        self.avoid();
        self.profile.add(Stage::Avoid, &mut clock);
        self.note_places();
        self.integrate();
        self.sum_walks();
        self.profile.add(Stage::Integrate, &mut clock);
        self.fly();
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

    /// Targets, strikes, damage, deaths.
    fn fight(&mut self) {
        if !self.is_at_war() {
            return;
        }
        self.state.soldiers.arm();
        let sight = self.state.units.iter().map(|unit| unit.notices(self.derived.widest)).fold(0.0, f32::max);
        let awake = ..self.state.crowd.awake();
        let Self { state, derived, .. } = self;
        let State { crowd, units, soldiers, .. } = state;
        let Derived { presence, .. } = derived;
        rayon::join(
            || presence.rebuild(&crowd.position, &crowd.army, sight),
            || battle::attackers(crowd, units, soldiers),
        );
        let (mut soldiers, mut shots) =
            (std::mem::take(&mut self.state.soldiers), std::mem::take(&mut self.state.shots));
        let (mut events, mut waking) =
            (std::mem::take(&mut self.state.events), std::mem::take(&mut self.scratch.waking));
        let field = self.field();
        let Settings { seed, step, .. } = self.settings;
        battle::targets(&field, &mut soldiers);
        let slots = field.watch.slots(self.state.crowd.row_of.len());
        let alarmed = |&slot: &usize| soldiers.target[slot] != AgentId::NONE && self.state.crowd.sleeps(slot as u32);
        waking.extend(slots.filter(alarmed).map(|slot| slot as u32));
        battle::strike(&field, seed, step, &mut soldiers);
        battle::damage(&field, &mut soldiers, &mut events.harms, &mut events.deaths);
        if !soldiers.ammunition.is_empty() {
            let health = std::mem::take(&mut soldiers.health);
            let air = self.air(&field, &self.state.crowd.position[awake], 0.0, &health);
            battle::shoot(&air, seed, step, &mut soldiers, &mut shots);
            soldiers.health = health;
        }
        (self.state.soldiers, self.state.shots, self.state.events, self.scratch.waking) =
            (soldiers, shots, events, waking);
        self.bury(0);
    }

    /// Shots fly, and strike those who have moved in this tick.
    fn fly(&mut self) {
        if self.state.shots.is_empty() {
            return;
        }
        let (mut soldiers, mut shots) =
            (std::mem::take(&mut self.state.soldiers), std::mem::take(&mut self.state.shots));
        let mut events = std::mem::take(&mut self.state.events);
        let (field, before) = (self.field(), events.harms.len());
        let Settings { seed, step, .. } = self.settings;
        let ways =
            self.scratch.stood.iter().zip(&self.state.crowd.position).map(|(from, to)| from.distance_squared(*to));
        // A little more, so that rounding leaves nobody out.
        let gone = ways.fold(0.0, f32::max).sqrt() * 1.001;
        battle::fly(&self.air(&field, &self.scratch.stood, gone, &soldiers.health), step, &mut shots);
        let walls: Vec<(Cell, f32)> =
            if self.state.ramparts.is_empty() { Vec::new() } else { self.walls_struck(&shots) };
        let Events { harms, deaths, .. } = &mut events;
        battle::land(
            (&self.state.crowd, &self.state.units),
            (seed, self.state.tick),
            &mut shots,
            &mut soldiers,
            harms,
            deaths,
        );
        (self.state.soldiers, self.state.shots, self.state.events) = (soldiers, shots, events);
        self.bury(before);
        for (cell, damage) in walls {
            self.batter(cell, damage);
        }
    }

    /// The walls that shots have struck in this tick, with what each does to them (points).
    fn walls_struck(&self, shots: &Shots) -> Vec<(Cell, f32)> {
        let wall = |struck: &Struck| match struck.what {
            Obstacle::Cell(cell) if !self.grid.is_open(cell) => {
                let by = shots.by[struck.shot as usize];
                Some((cell, self.state.units[usize::from(by.unit)].breach))
            }
            _ => None,
        };
        shots.struck.iter().filter_map(wall).collect()
    }

    /// The tick, and who looks around in it.
    pub(super) fn watch(&self) -> Watch {
        Watch { seed: self.settings.seed, tick: self.state.tick }
    }

    /// What enemies are looked for in.
    pub(super) fn field(&self) -> Field<'_> {
        Field {
            grid: &self.grid,
            clearance: self.grid.clearance(),
            units: &self.state.units,
            crowd: &self.state.crowd,
            index: &self.derived.index,
            sleepers: &self.derived.sleepers,
            presence: &self.derived.presence,
            relations: &self.state.relations,
            widest: self.derived.widest,
            watch: self.watch(),
        }
    }

    /// What shots fly through; those awake `stood` there (m) when they were indexed, and have `gone` no further than that (m) since.
    fn air<'a>(&self, field: &'a Field<'a>, stood: &'a [Vec2], gone: f32, health: &'a [f32]) -> Air<'a> {
        Air {
            field,
            stood,
            gone,
            health,
            wall_height: self.settings.wall_height,
            tallest: self.state.units.iter().map(|unit| unit.height).fold(0.0, f32::max),
            friendly_fire: self.settings.friendly_fire,
        }
    }

    /// Takes those out of the count who died, from a place in the list of harms on, and counts what was done.
    fn bury(&mut self, first: usize) {
        for harm in &self.state.events.harms[first..] {
            let (damage, died) = (f64::from(harm.damage), u32::from(harm.is_fatal));
            let [by, to] = [harm.by, harm.to].map(|of| (usize::from(of.army), usize::from(of.unit)));
            self.state.armies[by.0].dealt[by.1] += damage;
            // Friends are killed, too, and do nobody honour.
            let of_friends = self.state.relations.of(harm.by.army, harm.to.army) == Relation::Ally;
            self.state.armies[by.0].kills[by.1] += if of_friends { 0 } else { died };
            let army = &mut self.state.armies[to.0];
            army.taken[to.1] += damage;
            army.losses[to.1] += died;
            army.alive -= died;
            if let Some(squad) = self.state.squads.get_mut(harm.by.squad as usize) {
                squad.tally.dealt += damage;
                squad.tally.kills += if of_friends { 0 } else { died };
            }
            if let Some(squad) = self.state.squads.get_mut(harm.to.squad as usize) {
                squad.tally.taken += damage;
                squad.tally.losses += died;
            }
            self.state.dead.extend(harm.is_fatal.then_some(harm.to.who));
        }
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

    /// Wishes: towards the aim, along walls.
    fn steer(&mut self) {
        let (crowd, avoidance) = (&mut self.state.crowd, &self.settings.avoidance);
        let step = self.settings.step;
        let awake = ..crowd.awake();
        self.scratch.wants.clear();
        self.scratch.wants.resize(crowd.len(), false);
        let hills = self.grid.height_layer().map(|_| &*self.grid);
        let (position, wish) = (&crowd.position[awake], &mut crowd.wish[awake]);
        let (slot, aim, pace, wants) = (&crowd.slot[awake], &crowd.aim, &crowd.pace, &mut self.scratch.wants[awake]);
        let (unit, soldiers) = (&crowd.unit, &self.state.soldiers);
        let (seed, generation) = (self.settings.seed, &crowd.generation);
        // Who runs does so as fast as he can.
        let hurries = |order: Order| matches!(order, Order::Charge | Order::Flee);
        let hurried = self.state.squads.iter().any(|squad| hurries(squad.order));
        let flees = soldiers.flees.iter().any(|&flees| flees);
        let runs = |slot: usize| {
            hurried
                && self.state.squads.get(crowd.squad[slot] as usize).is_some_and(|squad| match squad.order {
                    Order::Charge => crowd.trip[slot].charges && soldiers.target(slot) != AgentId::NONE,
                    order => hurries(order),
                })
        };
        let speed = |kind: &Unit, slot: u32| {
            let fast = soldiers.flees(slot as usize) || runs(slot as usize);
            let likes = match kind.speed_spread {
                _ if fast => kind.top_speed,
                0.0 => kind.speed,
                _ => kind.speed_of(seed, AgentId { slot, generation: generation[slot as usize] }),
            };
            Speed {
                likes,
                at_most: if kind.acceleration < f32::INFINITY { pace[slot as usize] } else { f32::INFINITY },
            }
        };
        match &self.state.units[..] {
            // All alike: no unit has to be looked up.
            [only] if only.speed_spread == 0.0 && only.acceleration == f32::INFINITY && !hurried && !flees => {
                let speed = Speed { likes: only.speed, at_most: f32::INFINITY };
                crowd::steer(step, hills, position, slot, aim, |_| speed, wish, wants);
            }
            units => {
                let speed = |slot: u32| speed(&units[usize::from(unit[slot as usize])], slot);
                crowd::steer(step, hills, position, slot, aim, speed, wish, wants);
            }
        }
        if avoidance.bias.ahead > 0.0 {
            // Whoever has an enemy goes to meet him.
            let (wants, slot) = (&self.scratch.wants, &crowd.slot);
            let calm = |row: usize| self.state.soldiers.target(slot[row] as usize) == AgentId::NONE;
            let walks = |row: usize| wants[row] && calm(row);
            self.scratch.streams.rebuild(&avoidance.bias, walks, position, wish);
            crowd::stream::lean(&avoidance.bias, &self.scratch.streams, walks, position, wish);
        }
        along_walls(&self.grid, self.grid.clearance(), HORIZON, position, &crowd.radius[awake], wish);
    }

    /// Who is near whom: only asked where somebody avoids somebody.
    fn find_neighbours(&mut self) {
        self.look_up_units();
        if !self.looks_around() {
            return;
        }
        let bodies = battle::bodies(&self.state.crowd);
        let reach = self.reach();
        crowd::neighbours::neighbours(
            &self.derived.index,
            bodies,
            self.neighbours_asked(),
            reach,
            &mut self.scratch.near,
        );
        self.join_sleepers();
        self.mask();
    }

    /// True where anything depends on who is near.
    pub(super) fn looks_around(&self) -> bool {
        let avoidance = &self.settings.avoidance;
        self.derived.mix.looks() || self.derived.mix.headway || avoidance.passes > 0 || !avoidance.bias.is_off()
    }

    /// Wishes that look at the neighbours: aside where somebody is stuck, behind those ahead.
    fn adapt(&mut self) {
        let (crowd, avoidance) = (&mut self.state.crowd, &self.settings.avoidance);
        let awake = ..crowd.awake();
        let duty = &mut self.scratch.duty;
        duty.clear();
        let settled = |(&weight, &wants): (&f32, &bool)| if wants { weight } else { weight * avoidance.settled };
        duty.extend(crowd.weight.iter().zip(&self.scratch.wants).map(settled));
        if !avoidance.bias.is_off() {
            let Crowd { position, velocity, radius, progress, wish, next, .. } = &mut *crowd;
            crowd::bias::bias(
                avoidance.bias,
                &self.grid,
                self.grid.clearance(),
                self.settings.step,
                position,
                velocity,
                radius,
                &self.scratch.wants,
                &self.scratch.near,
                wish,
                &mut progress[awake],
                &mut next[awake],
            );
            std::mem::swap(wish, next);
        }
        // Whoever looks aside follows those who are before him there.
        if self.derived.mix.headway {
            let headway = |row: usize| self.state.units[usize::from(self.scratch.unit_of[row])].headway;
            let (position, radius) = (&crowd.position, &crowd.radius);
            let slowed = &mut crowd.next[awake];
            crowd::headway::headway(headway, position, radius, &self.scratch.near, &crowd.wish, slowed);
            std::mem::swap(&mut crowd.wish, &mut crowd.next);
        }
    }

    /// Notes where those awake stand before they move, where that is asked for after it.
    fn note_places(&mut self) {
        self.scratch.stood.clear();
        if self.state.counts_walks || !(self.state.shots.is_empty() && self.state.soldiers.morale.is_empty()) {
            self.scratch.stood.extend_from_slice(&self.state.crowd.position[..self.state.crowd.awake()]);
        }
    }

    /// Everybody moves, sliding along walls; overlaps are pushed apart.
    fn integrate(&mut self) {
        self.remember();
        let (grid, clearance) = (&*self.grid, self.grid.clearance());
        let Settings { step, avoidance, .. } = &self.settings;
        let crowd = &mut self.state.crowd;
        // They stand where they were put while the others are pushed.
        for driven in self.state.driven.values() {
            if let Some(row) = crowd.row(driven.id) {
                crowd.next[row] = Vec2::ZERO;
            }
        }
        let awake = ..crowd.awake();
        let room = &mut self.scratch.duty;
        room.resize(crowd.awake(), 0.0);
        crowd::integrate::integrate(
            grid,
            clearance,
            *step,
            &crowd.next[awake],
            &crowd.radius[awake],
            &crowd.top_speed[awake],
            &mut crowd.position[awake],
            &mut crowd.velocity[awake],
            room,
        );
        // The velocities have been walked: their memory is free.
        let Crowd { position, radius, weight, slot, next: pushed, .. } = crowd;
        let pushed = &mut pushed[awake];
        for _ in 0..avoidance.passes {
            crowd::push::push(avoidance.cap, position, radius, weight, slot, &self.scratch.near, pushed);
            crowd::integrate::displace(grid, clearance, pushed, &radius[awake], &mut position[awake], room);
        }
        self.settle();
        self.hold_driven();
    }

    /// True where two armies are enemies, whether they have soldiers or not.
    pub(super) fn is_at_war(&self) -> bool {
        self.state.relations.has_enmity(armies(0..self.state.armies.len()))
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
        let standing = armies((0..self.state.armies.len()).filter(lives));
        let all = armies(0..self.state.armies.len());
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

/// A bit for each army.
fn armies(numbers: impl Iterator<Item = usize>) -> u16 {
    numbers.fold(0, |mask, army| mask | 1 << army)
}
