//! Squads that have carried out an order take the next one of their queue.

use super::parts::{Derived, State};
use super::{Command, Settings, SquadId, World, WorldError, orders};
use crate::battle::{Order, OrderAim, OrderQueue, RouteState, Squad, command};

/// An attack is over once no member has seen an enemy for so long (s), after some have.
const CALM_S: f32 = 3.0;

impl World {
    /// Adds an order to those that a squad carries out one after another, at most [`OrderQueue::MAX`] beside the present one.
    /// A new order by [`World::order`] clears them.
    ///
    /// The next one is taken once the present one is done: to stay (`Hold`, `Guard`) is done at once; to go somewhere, when
    /// more than half of the living members have arrived, or there is no way; an attack, when there is no enemy that can be
    /// reached, or when some have met enemies and none has seen any for three seconds. A flight and a journey are never done, to follow is
    /// once the target is gone.
    ///
    /// # Errors
    /// As [`World::order`], and where too many wait.
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{SquadSpec, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
    /// for corner in [Vec2::new(12.5, 8.5), Vec2::new(12.5, 14.5)] {
    ///     world.queue_order(squad, Order::GoTo(corner))?;
    /// }
    /// world.tick_until(|world| world.ticks() == 300)?;
    /// let (_, place) = world.positions().next().unwrap();
    /// assert!(place.distance(Vec2::new(12.5, 14.5)) < 0.5 && world.squads()[0].queue.is_empty());
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn queue_order(&mut self, squad: SquadId, order: Order) -> Result<(), WorldError> {
        self.log(|| Command::QueueOrder { squad, order });
        let id = squad.index();
        self.check_order(id, order)?;
        let squad = self.state.squads.get_mut(id).ok_or(WorldError::NoSuch { what: "squad", id })?;
        if squad.queue.len() == OrderQueue::MAX {
            return Err(WorldError::TooMany { what: "orders of a squad", limit: OrderQueue::MAX });
        }
        squad.queue.push(order);
        Ok(())
    }

    /// Checks orders that are to wait in the queue of a new squad.
    pub(super) fn check_queue(&self, squad: usize, orders: &[Order]) -> Result<(), WorldError> {
        if orders.len() > OrderQueue::MAX {
            return Err(WorldError::TooMany { what: "orders of a squad", limit: OrderQueue::MAX });
        }
        orders.iter().try_for_each(|&order| self.check_order(squad, order))
    }
}

/// Reads where the members of squads with a queue are and whether they see enemies; writes the orders of those that have carried
/// out the present one. Global: a squad looks at all of its members.
pub(super) fn advance(settings: &Settings, derived: &mut Derived, state: &mut State) {
    let every = ((command::REVIEW_EVERY / settings.step).round() as u64).max(1);
    let calm = (CALM_S / settings.step).round() as u64;
    for s in 0..state.squads.len() {
        let squad = &state.squads[s];
        let is_due = (state.tick + s as u64).is_multiple_of(every);
        // One that is still to come begins its orders then.
        if squad.queue.is_empty() || !is_due || squad.members.is_empty() {
            continue;
        }
        if squad.order.attacks() && sees_enemies(state, squad) {
            state.squads[s].queue.engaged = Some(state.tick);
        }
        if is_done(state, &state.squads[s], calm)
            && let Some(next) = state.squads[s].queue.take()
        {
            orders::set(derived, state, s, next);
        }
    }
}

fn sees_enemies(state: &State, squad: &Squad) -> bool {
    let crowd = &state.crowd;
    let sees = |slot: u32| crowd.row(state.soldiers.target(slot as usize)).is_some();
    squad.members.iter().any(|&id| crowd.row(id).is_some() && sees(id.slot))
}

/// True where a squad has carried out its order; `calm` are the ticks without an enemy after which an attack is over.
fn is_done(state: &State, squad: &Squad, calm: u64) -> bool {
    if matches!(squad.order, Order::Follow(_)) {
        return false;
    }
    let has_no_way = matches!(squad.route_state, RouteState::None | RouteState::Unreachable { .. });
    match squad.order.aim() {
        OrderAim::Stay => true,
        OrderAim::Edge | OrderAim::Journey(_) => false,
        OrderAim::Enemies => {
            let is_calm = squad.queue.engaged.is_some_and(|tick| state.tick - tick > calm);
            is_calm || has_no_way && squad.siege.is_none()
        }
        OrderAim::Point(_) => {
            let living = || squad.members.iter().filter(|&&id| state.crowd.row(id).is_some());
            let come = living().filter(|id| !state.crowd.slots.follower[id.slot as usize].is_sent).count();
            let has_set_out = matches!(squad.route_state, RouteState::Walked { .. });
            has_no_way || has_set_out && 2 * come > living().count()
        }
    }
}
