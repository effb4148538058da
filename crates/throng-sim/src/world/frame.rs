//! A copy of the visible state of the world.

use super::parts::State;
use super::state::fire::Fire;
use super::state::verdict::Verdict;
use super::{ArmyId, RemainingRoute, SquadId, Stage, UnitId, World};
use crate::battle::{Action, Look, Order, Squad, SquadStats, Unit, action, points};
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Grid};

/// The strength of an army, and what it has done so far. The living, the routed, those that left, the dead and those yet to
/// come are [all](ArmyCount::all) of it, at every tick.
///
/// ```
/// use throng_sim::world::ArmyCount;
/// let red = ArmyCount { alive: 30, routed: 4, left: 1, dead: 15, coming: 20, ..ArmyCount::default() };
/// assert_eq!((red.spawned(), red.all()), (50, 70));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct ArmyCount {
    /// Name of the army.
    pub name: String,
    /// Living soldiers on the map, those that run included.
    pub alive: u32,
    /// Soldiers that have fled over the edge of the map.
    pub routed: u32,
    /// Soldiers that have left at the end of their journey.
    pub left: u32,
    /// Dead ones.
    pub dead: u32,
    /// Soldiers of [waves](super::Effect::SpawnSquad) that have not come yet, and perhaps never will.
    pub coming: u32,
    /// Enemies killed.
    pub kills: u32,
    /// Damage that it has done (points).
    pub dealt: f64,
    /// Damage that it has taken (points).
    pub taken: f64,
    /// How far all its soldiers together have walked (µm), where that is [counted](World::count_walks); recordings do not
    /// keep it.
    pub walked: u64,
}

impl ArmyCount {
    /// The soldiers that the army has had so far.
    pub fn spawned(&self) -> u32 {
        [self.alive, self.routed, self.left, self.dead].into_iter().fold(0, u32::saturating_add)
    }

    /// The soldiers that the army has had and will have.
    pub fn all(&self) -> u32 {
        self.spawned().saturating_add(self.coming)
    }
}

/// A squad, and what it has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SquadCount {
    /// Its army: an index into [`Frame::armies`].
    pub army: ArmyId,
    /// Its kind of soldiers: an index into [`Frame::units`].
    pub unit: UnitId,
    /// Its order.
    pub order: Order,
    /// Its counts of kills, losses, damage and distance.
    pub tally: SquadStats,
}

/// A shot in the air.
///
/// See [`Frame::shots`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Flight {
    /// Its position (m); z is its height above the height 0 of the map.
    pub at: Vec3,
    /// Its velocity (m/s).
    pub velocity: Vec3,
    /// The army that shot it: an index into the armies.
    pub army: ArmyId,
}

/// A copy of the state of the world after a tick, for viewers and recorders: one row an agent. The awake ones come in
/// the order of the cells they stand in, then the sleeping ones.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Unit};
/// use throng_sim::world::{Frame, SquadSpec, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
/// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
/// let order = Order::GoTo(Vec2::new(20.5, 4.5));
/// world.spawn_squad(SquadSpec { order, ..SquadSpec::new(red, soldier, &[Vec2::splat(4.5)]) })?;
/// world.tick_until(|world| world.ticks() == 40)?;
/// let mut frame = Frame::default();
/// world.frame(&mut frame);
/// assert_eq!((frame.tick, frame.armies[0].alive, &frame.id[..]), (40, 1, &[0][..]));
/// assert!(frame.position[0].x > 6.0, "it is on its way: {}", frame.position[0]);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Frame {
    /// Ticks done.
    pub tick: u64,
    /// Simulated time (s).
    pub time: f64,
    /// The map as it is now: another one after an edit. It is not stored with the frame: a [`Grid`] can be, once.
    #[serde(skip)]
    pub grid: Option<Arc<Grid>>,
    /// Ids of the agents; constant over their lives. One that comes may have the id of one who has left.
    pub id: Vec<u32>,
    /// Numbers of the agents among all that were ever there, from 0 in the order in which they came: no two have one number,
    /// also of those who have left.
    pub person: Vec<u32>,
    /// Centres (m).
    pub position: Vec<Vec2>,
    /// Unit vectors of where they look.
    pub heading: Vec<Vec2>,
    /// Radii (m).
    pub radius: Vec<f32>,
    /// Indices into `armies`.
    pub army: Vec<ArmyId>,
    /// Kinds of soldier: indices into `units`.
    pub unit: Vec<UnitId>,
    /// Squads, by [`SquadId`](super::SquadId); `None` for walkers.
    pub squad: Vec<Option<SquadId>>,
    /// Health as a share of the full one, above 0 and at most 1.
    pub health: Vec<f32>,
    /// What each is seen to do.
    pub action: Vec<Action>,
    /// Strength of each army.
    pub armies: Vec<ArmyCount>,
    /// Names of the kinds of soldier, by [`UnitId`](super::UnitId).
    pub units: Vec<String>,
    /// Their appearances, by [`UnitId`](super::UnitId).
    pub looks: Vec<Look>,
    /// Each pair of an army and a kind of soldier of which there is a squad, squads that are yet to come included: indices into
    /// `armies` and `units`, in order, each pair once.
    pub kinds: Vec<(ArmyId, UnitId)>,
    /// The squads, by [`SquadId`](super::SquadId); recordings have none.
    pub squads: Vec<SquadCount>,
    /// How many soldiers each squad has had so far, by [`SquadId`](super::SquadId).
    pub enlisted: Vec<u32>,
    /// For each army a bit for every army that it fights.
    pub enemies: Vec<u16>,
    /// Red, green and blue of each army in pictures, where it has a colour of its own.
    pub colours: Vec<Option<[u8; 3]>>,
    /// Places where soldiers died in this tick (m).
    pub fallen: Vec<Vec2>,
    /// Shots in the air, in the order in which they were shot.
    pub shots: Vec<Flight>,
    /// Remaining routes; empty unless [`World::remaining_routes`](super::World::remaining_routes) wrote them.
    pub remaining_routes: Vec<RemainingRoute>,
    /// Walls and gates that can be broken, each with the share of its health that is left, in the
    /// order of the cells.
    pub ramparts: Vec<(Cell, f32)>,
    /// Fires, those that burn now and the others.
    pub fires: Vec<Fire>,
    /// Start and end of each open link (m).
    pub links: Vec<[Vec2; 2]>,
    /// How many sleep.
    pub asleep: usize,
    /// Time that each stage of the tick took (ms), by [`Stage`].
    pub stage_ms: [f32; Stage::COUNT],
    /// Time that the whole tick took (ms).
    pub tick_ms: f32,
    /// How the battle ended; `None` while it goes on.
    pub verdict: Option<Verdict>,
}

/// [`Clone::clone_from`] uses the memory that is there again.
impl Clone for Frame {
    fn clone(&self) -> Self {
        let mut copy = Self::default();
        copy.clone_from(self);
        copy
    }

    fn clone_from(&mut self, source: &Self) {
        let Self {
            tick,
            time,
            grid,
            id,
            person,
            position,
            heading,
            radius,
            army,
            unit,
            squad,
            health,
            action,
            armies,
            units,
            looks,
            kinds,
            squads,
            enlisted,
            enemies,
            colours,
            fallen,
            shots,
            remaining_routes,
            ramparts,
            fires,
            links,
            asleep,
            stage_ms,
            tick_ms,
            verdict,
        } = source;
        (self.tick, self.time, self.asleep, self.verdict) = (*tick, *time, *asleep, *verdict);
        (self.stage_ms, self.tick_ms) = (*stage_ms, *tick_ms);
        self.grid.clone_from(grid);
        self.id.clone_from(id);
        self.person.clone_from(person);
        self.position.clone_from(position);
        self.heading.clone_from(heading);
        self.radius.clone_from(radius);
        self.army.clone_from(army);
        self.unit.clone_from(unit);
        self.squad.clone_from(squad);
        self.health.clone_from(health);
        self.action.clone_from(action);
        self.armies.clone_from(armies);
        self.fallen.clone_from(fallen);
        self.shots.clone_from(shots);
        self.units.clone_from(units);
        self.looks.clone_from(looks);
        self.kinds.clone_from(kinds);
        self.squads.clone_from(squads);
        self.enlisted.clone_from(enlisted);
        self.enemies.clone_from(enemies);
        self.colours.clone_from(colours);
        self.remaining_routes.clone_from(remaining_routes);
        self.ramparts.clone_from(ramparts);
        self.fires.clone_from(fires);
        self.links.clone_from(links);
    }
}

impl Frame {
    /// The number of the agent of a row among all that were ever there; its id where the frame has no such numbers.
    ///
    /// # Panics
    /// Where there is no such row.
    pub fn person_of(&self, row: usize) -> u32 {
        self.person.get(row).copied().unwrap_or_else(|| self.id[row])
    }
}

impl World {
    /// What the agent in a row is seen to do.
    fn action_of(&self, row: usize) -> Action {
        let State { crowd, soldiers, tick, .. } = &self.state;
        let slot = crowd.rows.slot[row] as usize;
        let besieges = self.state.squad_of(slot).is_some_and(|squad| squad.siege.is_some());
        action(crowd, soldiers, self.state.unit_of(slot), (row, slot), *tick, besieges)
    }

    /// Copies out what can be seen, but for [`Frame::remaining_routes`], which stay empty. The memory of `frame` is used again.
    pub fn frame(&self, frame: &mut Frame) {
        let crowd = &self.state.crowd;
        frame.tick = self.state.tick;
        frame.time = self.seconds();
        frame.grid = Some(Arc::clone(&self.grid));
        frame.id.clear();
        frame.person.clear();
        frame.position.clear();
        frame.heading.clear();
        frame.radius.clear();
        frame.army.clear();
        frame.unit.clear();
        frame.squad.clear();
        frame.health.clear();
        frame.action.clear();
        frame.fallen.clear();
        frame.shots.clear();
        let flights = self.state.shots.position.iter().zip(&self.state.shots.velocity).zip(&self.state.shots.by);
        frame.shots.extend(flights.map(|((&at, &velocity), by)| Flight { at, velocity, army: by.army }));
        frame.remaining_routes.clear();
        frame.ramparts.clear();
        frame.ramparts.extend(self.state.ramparts.iter().map(|(cell, rampart)| (cell, rampart.share())));
        frame.fires.clone_from(&self.state.fires);
        frame.links.clear();
        let open = self.state.links.all.iter().filter(|link| link.is_open);
        frame.links.extend(open.map(|link| [link.from, link.to].map(|cell| self.grid.lattice().centre(cell))));
        frame.asleep = self.asleep();
        // Column by column in the stretches between gone agents, which are few: columns in the order of the rows are
        // copied as they are, and columns fetched by slot do not wait for the rest.
        let (slots, mut start) = (&crowd.rows.slot, 0);
        let is_peaceful =
            self.state.soldiers.target.is_empty() && self.state.squads.iter().all(|squad| squad.siege.is_none());
        let gone = (0..slots.len()).filter(|&row| self.state.is_dead(slots[row]));
        for end in gone.chain([slots.len()]) {
            let rows = start..end;
            let slot = || slots[rows.clone()].iter().map(|&slot| slot as usize);
            frame.id.extend_from_slice(&slots[rows.clone()]);
            frame.position.extend_from_slice(&crowd.rows.position[rows.clone()]);
            frame.radius.extend_from_slice(&crowd.rows.radius[rows.clone()]);
            frame.army.extend(crowd.rows.army[rows.clone()].iter().map(|&army| ArmyId(army)));
            frame.person.extend(slot().map(|slot| crowd.slots.person[slot]));
            frame.heading.extend(slot().map(|slot| crowd.slots.facing[slot]));
            frame.unit.extend(slot().map(|slot| UnitId(crowd.slots.unit[slot])));
            frame.squad.extend(slot().map(|slot| crowd.slots.squad_of(slot)));
            let health = |slot: usize| self.state.soldiers.health[slot] / self.state.unit_of(slot).health;
            frame.health.extend(slot().map(health));
            if is_peaceful {
                frame.action.resize(frame.health.len(), Action::Walk);
            } else {
                frame.action.extend(rows.clone().map(|row| self.action_of(row)));
            }
            if end < slots.len() && !self.state.left.iter().any(|left| left.slot == slots[end]) {
                frame.fallen.push(crowd.rows.position[end]);
            }
            start = end + 1;
        }
        frame.armies.resize_with(self.state.armies.len(), ArmyCount::default);
        for (count, army) in frame.armies.iter_mut().zip(&self.state.armies) {
            count.name.clone_from(&army.name);
            count.alive = army.alive;
            (count.routed, count.left, count.dead, count.coming) = (army.routed, army.left, army.dead(), 0);
            count.kills = army.kills.iter().sum();
            [count.dealt, count.taken] =
                [&army.dealt, &army.taken].map(|damage| points(damage.iter().copied().fold(0, u64::saturating_add)));
            count.walked = army.walked;
        }
        for (squad, soldiers) in self.state.triggers.coming() {
            if let Some(count) =
                self.state.squads.get(squad.index()).and_then(|squad| frame.armies.get_mut(squad.army.index()))
            {
                count.coming = count.coming.saturating_add(soldiers);
            }
        }
        frame.kinds.clear();
        frame.kinds.extend(self.state.squads.iter().map(|squad| (squad.army, squad.unit)));
        frame.kinds.sort_unstable();
        frame.kinds.dedup();
        frame.squads.clear();
        let count =
            |squad: &Squad| SquadCount { army: squad.army, unit: squad.unit, order: squad.order, tally: squad.tally };
        frame.squads.extend(self.state.squads.iter().map(count));
        frame.enlisted.clear();
        frame.enlisted.extend(self.state.squads.iter().map(|squad| squad.tally.spawned));
        frame.enemies.clear();
        frame.enemies.extend((0..self.state.armies.len()).map(|army| self.state.relations.enemies(ArmyId(army as u8))));
        frame.colours.clear();
        frame.colours.extend(self.state.armies.iter().map(|army| army.colour));
        frame.units.resize_with(self.state.units.len(), String::new);
        for (name, unit) in frame.units.iter_mut().zip(&self.state.units) {
            name.clone_from(&unit.name);
        }
        frame.looks.clear();
        frame.looks.extend(self.state.units.iter().map(Unit::look));
        frame.stage_ms = self.profile.stage_ms;
        frame.tick_ms = self.profile.total_ms();
        frame.verdict = self.state.verdict;
    }
}
