//! One tick: a list of stages, each of which reads some columns and writes one.

use super::mission::winner;
use super::travel::walk;
use super::{Events, Settings, Stage, Verdict, World, WorldError};
use crate::battle::{self, Air, Field, Fortress, Obstacle, Order, Relation, Shots, Struck, Unit, command};
use crate::crowd::walls::{HORIZON, along_walls};
use crate::crowd::{self, AgentId, Crowd, RouteId, Speed, Watch};
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
        self.events.clear();
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
        self.tick += 1;
        self.sleep();
        self.profile.add(Stage::Reap, &mut clock);
        self.judge();
        edited.and(delivered).and(indexed).and(ready.and(routed).and(fielded).map_err(WorldError::from))
    }

    /// Sleepers who are needed wake; the dead of last tick leave; the rows are put in order; the index is rebuilt.
    fn reap(&mut self) -> Result<(), WorldError> {
        if !(self.dead.is_empty() && self.left.is_empty()) {
            let mut gone = std::mem::take(&mut self.dead);
            gone.append(&mut self.left);
            self.release_routes(&gone);
            for &id in &gone {
                self.travels.forget(id);
                self.driven.remove(&id.slot);
            }
            self.wake_around(&gone);
            self.crowd.remove(&gone);
            self.dead = gone;
            self.dead.clear();
        }
        self.rouse();
        self.crowd.sort(self.home);
        Ok(self.index.rebuild(battle::bodies(&self.crowd))?)
    }

    /// Targets, strikes, damage, deaths.
    fn fight(&mut self) {
        if !self.is_at_war() {
            return;
        }
        self.soldiers.arm();
        let sight = self.units.iter().map(|unit| unit.notices(self.widest)).fold(0.0, f32::max);
        let awake = ..self.crowd.awake();
        let Self { presence, crowd, units, soldiers, .. } = self;
        rayon::join(
            || presence.rebuild(&crowd.position, &crowd.army, sight),
            || battle::attackers(crowd, units, soldiers),
        );
        let (mut soldiers, mut shots) = (std::mem::take(&mut self.soldiers), std::mem::take(&mut self.shots));
        let (mut events, mut waking) = (std::mem::take(&mut self.events), std::mem::take(&mut self.waking));
        let field = self.field();
        let Settings { seed, step, .. } = self.settings;
        battle::targets(&field, &mut soldiers);
        let slots = field.watch.slots(self.crowd.row_of.len());
        let alarmed = |&slot: &usize| soldiers.target[slot] != AgentId::NONE && self.crowd.sleeps(slot as u32);
        waking.extend(slots.filter(alarmed).map(|slot| slot as u32));
        battle::strike(&field, seed, step, &mut soldiers);
        battle::damage(&field, &mut soldiers, &mut events.harms, &mut events.deaths);
        if !soldiers.ammunition.is_empty() {
            let health = std::mem::take(&mut soldiers.health);
            let air = self.air(&field, &self.crowd.position[awake], 0.0, &health);
            battle::shoot(&air, seed, step, &mut soldiers, &mut shots);
            soldiers.health = health;
        }
        (self.soldiers, self.shots, self.events, self.waking) = (soldiers, shots, events, waking);
        self.bury(0);
    }

    /// Shots fly, and strike those who have moved in this tick.
    fn fly(&mut self) {
        if self.shots.is_empty() {
            return;
        }
        let (mut soldiers, mut shots) = (std::mem::take(&mut self.soldiers), std::mem::take(&mut self.shots));
        let mut events = std::mem::take(&mut self.events);
        let (field, before) = (self.field(), events.harms.len());
        let Settings { seed, step, .. } = self.settings;
        let ways = self.stood.iter().zip(&self.crowd.position).map(|(from, to)| from.distance_squared(*to));
        // A little more, so that rounding leaves nobody out.
        let gone = ways.fold(0.0, f32::max).sqrt() * 1.001;
        battle::fly(&self.air(&field, &self.stood, gone, &soldiers.health), step, &mut shots);
        let walls: Vec<(Cell, f32)> = if self.ramparts.is_empty() { Vec::new() } else { self.walls_struck(&shots) };
        let Events { harms, deaths, .. } = &mut events;
        battle::land((&self.crowd, &self.units), (seed, self.tick), &mut shots, &mut soldiers, harms, deaths);
        (self.soldiers, self.shots, self.events) = (soldiers, shots, events);
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
                Some((cell, self.units[usize::from(by.unit)].breach))
            }
            _ => None,
        };
        shots.struck.iter().filter_map(wall).collect()
    }

    /// The tick, and who looks around in it.
    pub(super) fn watch(&self) -> Watch {
        Watch { seed: self.settings.seed, tick: self.tick }
    }

    /// What enemies are looked for in.
    pub(super) fn field(&self) -> Field<'_> {
        Field {
            grid: &self.grid,
            clearance: self.grid.clearance(),
            units: &self.units,
            crowd: &self.crowd,
            index: &self.index,
            sleepers: &self.sleepers,
            presence: &self.presence,
            relations: &self.relations,
            widest: self.widest,
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
            tallest: self.units.iter().map(|unit| unit.height).fold(0.0, f32::max),
            friendly_fire: self.settings.friendly_fire,
        }
    }

    /// Takes those out of the count who died, from a place in the list of harms on, and counts what was done.
    fn bury(&mut self, first: usize) {
        for harm in &self.events.harms[first..] {
            let (damage, died) = (f64::from(harm.damage), u32::from(harm.is_fatal));
            let [by, to] = [harm.by, harm.to].map(|of| (usize::from(of.army), usize::from(of.unit)));
            self.armies[by.0].dealt[by.1] += damage;
            // Friends are killed, too, and do nobody honour.
            let of_friends = self.relations.of(harm.by.army, harm.to.army) == Relation::Ally;
            self.armies[by.0].kills[by.1] += if of_friends { 0 } else { died };
            let army = &mut self.armies[to.0];
            army.taken[to.1] += damage;
            army.losses[to.1] += died;
            army.alive -= died;
            if let Some(squad) = self.squads.get_mut(harm.by.squad as usize) {
                squad.tally.dealt += damage;
                squad.tally.kills += if of_friends { 0 } else { died };
            }
            if let Some(squad) = self.squads.get_mut(harm.to.squad as usize) {
                squad.tally.taken += damage;
                squad.tally.losses += died;
            }
            self.dead.extend(harm.is_fatal.then_some(harm.to.who));
        }
    }

    /// Squads decide where to go, their members where to walk.
    ///
    /// # Errors
    /// Where a field for those who run cannot be built; then they fight on.
    fn command(&mut self) -> Result<(), PlanError> {
        let every = ((command::REVIEW_EVERY / self.settings.step).round() as u64).max(1);
        let Self { squads, crowd, soldiers, relations, grounds, tick, grid, ramparts, units, .. } = self;
        let fortress = Fortress { grid, clearance: grid.clearance(), ramparts, units };
        command::errands(squads, crowd, soldiers, relations, &fortress, grounds, (*tick, every));
        for squad in self.squads.iter_mut().filter(|squad| squad.members.is_empty()) {
            self.routes.release(std::mem::replace(&mut squad.route, RouteId::NONE));
            squad.field = None;
        }
        self.advance_travels();
        let ready = self.ready_refuges();
        let walk = walk(&self.grid, &self.routes, self.watch());
        if self.squads.iter().any(|squad| squad.ranks.is_some()) {
            let step = self.settings.step;
            let country = battle::Country { walk, units: &self.units, grounds: &self.grounds, step };
            battle::march(&country, &mut self.squads, &self.soldiers, &mut self.crowd, &mut self.waking);
        }
        let Self { settings, units, squads, refuges, soldiers, crowd, .. } = self;
        command::aims(&walk, settings.step, units, squads, refuges, soldiers, crowd);
        ready
    }

    /// Wishes: towards the aim, along walls.
    fn steer(&mut self) {
        let (crowd, avoidance) = (&mut self.crowd, &self.settings.avoidance);
        let step = self.settings.step;
        let awake = ..crowd.awake();
        self.wants.clear();
        self.wants.resize(crowd.len(), false);
        let hills = self.grid.height_layer().map(|_| &*self.grid);
        let (position, wish) = (&crowd.position[awake], &mut crowd.wish[awake]);
        let (slot, aim, pace, wants) = (&crowd.slot[awake], &crowd.aim, &crowd.pace, &mut self.wants[awake]);
        let (unit, soldiers) = (&crowd.unit, &self.soldiers);
        let (seed, generation) = (self.settings.seed, &crowd.generation);
        // Who runs does so as fast as he can.
        let hurries = |order: Order| matches!(order, Order::Charge | Order::Flee);
        let hurried = self.squads.iter().any(|squad| hurries(squad.order));
        let flees = soldiers.flees.iter().any(|&flees| flees);
        let runs = |slot: usize| {
            hurried
                && self.squads.get(crowd.squad[slot] as usize).is_some_and(|squad| match squad.order {
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
        match &self.units[..] {
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
            let (wants, slot) = (&self.wants, &crowd.slot);
            let calm = |row: usize| self.soldiers.target(slot[row] as usize) == AgentId::NONE;
            let walks = |row: usize| wants[row] && calm(row);
            self.streams.rebuild(&avoidance.bias, walks, position, wish);
            crowd::stream::lean(&avoidance.bias, &self.streams, walks, position, wish);
        }
        along_walls(&self.grid, self.grid.clearance(), HORIZON, position, &crowd.radius[awake], wish);
    }

    /// Who is near whom: only asked where somebody avoids somebody.
    fn find_neighbours(&mut self) {
        self.look_up_units();
        if !self.looks_around() {
            return;
        }
        let bodies = battle::bodies(&self.crowd);
        let reach = self.reach();
        crowd::neighbours::neighbours(&self.index, bodies, self.neighbours_asked(), reach, &mut self.near);
        self.join_sleepers();
        self.mask();
    }

    /// True where anything depends on who is near.
    pub(super) fn looks_around(&self) -> bool {
        let avoidance = &self.settings.avoidance;
        self.mix.looks() || self.mix.headway || avoidance.passes > 0 || !avoidance.bias.is_off()
    }

    /// Wishes that look at the neighbours: aside where somebody is stuck, behind those ahead.
    fn adapt(&mut self) {
        let (crowd, avoidance) = (&mut self.crowd, &self.settings.avoidance);
        let awake = ..crowd.awake();
        let duty = &mut self.scratch;
        duty.clear();
        let settled = |(&weight, &wants): (&f32, &bool)| if wants { weight } else { weight * avoidance.settled };
        duty.extend(crowd.weight.iter().zip(&self.wants).map(settled));
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
                &self.wants,
                &self.near,
                wish,
                &mut progress[awake],
                &mut next[awake],
            );
            std::mem::swap(wish, next);
        }
        // Whoever looks aside follows those who are before him there.
        if self.mix.headway {
            let headway = |row: usize| self.units[usize::from(self.unit_of[row])].headway;
            let (position, radius) = (&crowd.position, &crowd.radius);
            let slowed = &mut crowd.next[awake];
            crowd::headway::headway(headway, position, radius, &self.near, &crowd.wish, slowed);
            std::mem::swap(&mut crowd.wish, &mut crowd.next);
        }
    }

    /// Notes where those awake stand before they move, where that is asked for after it.
    fn note_places(&mut self) {
        self.stood.clear();
        if self.counts_walks || !(self.shots.is_empty() && self.soldiers.morale.is_empty()) {
            self.stood.extend_from_slice(&self.crowd.position[..self.crowd.awake()]);
        }
    }

    /// Everybody moves, sliding along walls; overlaps are pushed apart.
    fn integrate(&mut self) {
        self.remember();
        let (grid, clearance) = (&*self.grid, self.grid.clearance());
        let Settings { step, avoidance, .. } = &self.settings;
        let crowd = &mut self.crowd;
        // They stand where they were put while the others are pushed.
        for driven in self.driven.values() {
            if let Some(row) = crowd.row(driven.id) {
                crowd.next[row] = Vec2::ZERO;
            }
        }
        let awake = ..crowd.awake();
        let room = &mut self.scratch;
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
            crowd::push::push(avoidance.cap, position, radius, weight, slot, &self.near, pushed);
            crowd::integrate::displace(grid, clearance, pushed, &radius[awake], &mut position[awake], room);
        }
        self.settle();
        self.hold_driven();
    }

    /// True where two armies are enemies, whether they have soldiers or not.
    pub(super) fn is_at_war(&self) -> bool {
        self.relations.has_enmity(armies(0..self.armies.len()))
    }

    /// Writes the verdict: who has done what he had to do, or has no living enemy, has won; nobody left, or time up, is a draw.
    fn judge(&mut self) {
        if self.verdict.is_some() {
            return;
        }
        let done = self.advance_missions();
        self.verdict = winner(done, &self.relations);
        if self.verdict.is_some() || !self.has_opponents() {
            return;
        }
        let (coming, is_known) = self.armies_to_come();
        let lives = |&army: &usize| self.armies[army].alive > 0 || coming >> army & 1 == 1;
        let standing = armies((0..self.armies.len()).filter(lives));
        let all = armies(0..self.armies.len());
        // Neutral ones have nothing to win.
        let fought = |&army: &u8| standing >> army & 1 == 1 && self.relations.enemies(army) & all != 0;
        self.verdict = if !self.relations.has_enmity(standing) && is_known {
            let winner = (0..self.armies.len() as u8).find(fought);
            Some(winner.map_or(Verdict::Draw, |army| Verdict::Winner(super::ArmyId(army))))
        } else if self.tick >= self.settings.max_ticks {
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
