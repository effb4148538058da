//! Orders and formations of squads.

use super::parts::{Derived, MapView, State, release};
use super::pursuit::pursued;
use super::spawn::check_formation;
use super::state::requests::Requester;
use super::travel::assign_journey;
use super::{Command, SquadId, World, WorldError, posts, sleep};
use crate::battle::{Formation, Leader, Order, OrderAim, OrderQueue, Pursuit, Ranks, RetryBackoff, RouteState, Squad};
use crate::crowd::{AgentId, RouteId};
use throng_grid::geom::Vec2;

impl World {
    /// Gives a squad a new order, and forgets those that [were to follow](World::queue_order) the one before.
    ///
    /// On its way to a point, a squad that is sent to another one walks on as it did until the new route is there. The order that it has is no
    /// new one, where it names a point or the enemies: to have it look for another way on a map that has changed, let it hold first.
    ///
    /// A target that is [followed](Order::Follow) may be yet to come, as the squad of a trigger.
    ///
    /// A point to go to may lie in a wall or off the map: the squad goes to the nearest cell to it that it can reach.
    ///
    /// # Errors
    /// Where there is no such squad or journey, the squad is to follow itself, or a number is out of range.
    pub fn order(&mut self, squad: SquadId, order: Order) -> Result<(), WorldError> {
        self.log(|| Command::Order { squad, order });
        let id = squad.index();
        self.check_order(id, order)?;
        if id >= self.state.squads.len() {
            return Err(WorldError::NoSuch { what: "squad", id });
        }
        give(&mut self.derived, &mut self.state, id, order);
        Ok(())
    }

    /// Has a squad keep a formation from now on, or none. Its members take their places at once, where it has nowhere to go.
    /// Squads on a journey keep none.
    ///
    /// # Errors
    /// Where there is no such squad, or the spacing is less than twice the radius of its unit.
    ///
    /// ```
    /// use throng_sim::battle::{Formation, Shape, Unit};
    /// use throng_grid::geom::Vec2;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{SquadSpec, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let positions = [0, 1, 2, 3].map(|i| Vec2::new(10.5 + i as f32, 8.5));
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &positions))?;
    /// world.form(squad, Formation::new(Shape::Circle, 2.0))?;
    /// assert!(world.form(squad, Formation::new(Shape::Circle, 0.5)).is_err(), "too dense");
    /// world.form(squad, None)?;
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn form(&mut self, squad: SquadId, formation: impl Into<Option<Formation>>) -> Result<(), WorldError> {
        let formation = formation.into();
        self.log(|| Command::Form { squad, formation });
        let id = squad.index();
        let squad = self.state.squads.get(id).ok_or(WorldError::NoSuch { what: "squad", id })?;
        let radius = self.state.units[squad.unit.index()].radius;
        formation.map_or(Ok(()), |formation| check_formation(formation, radius))?;
        let heading = heading(&self.state, id);
        let squad = &mut self.state.squads[id];
        squad.ranks = formation.map(|formation| Box::new(Ranks::new(formation, heading)));
        if let (None, Some(_), RouteState::Walked { to }) = (formation, squad.goal, squad.route_state) {
            // Their places in the ranks are no posts: they have them around the goal again.
            let of = |world: &Self, id: &AgentId| {
                world.state.crowd.row(*id).map(|_| world.state.crowd.slots.follower[id.slot as usize].is_sent)
            };
            let members = squad.members.clone();
            let sent: Vec<Option<bool>> = members.iter().map(|id| of(self, id)).collect();
            self.state.squads[id].goal = None;
            self.state.squads[id].review(&self.state.crowd);
            let map = MapView::new(&self.settings, &self.grid, &self.derived);
            posts::assign(map, &mut self.state, id, to);
            for (member, sent) in members.iter().zip(sent) {
                if let Some(sent) = sent {
                    self.state.crowd.slots.follower[member.slot as usize].is_sent = sent;
                }
            }
        }
        Ok(())
    }

    /// Checks an order of a squad.
    pub(super) fn check_order(&self, squad: usize, order: Order) -> Result<(), WorldError> {
        if let Order::Follow(Pursuit { leader: Leader::Squad(leader), .. }) = order
            && leader.index() == squad
        {
            return Err(WorldError::FollowsItself { squad: leader });
        }
        match order.fault() {
            Some((field, expected, found)) => Err(WorldError::Setting { field, expected, found: found.into() }),
            None => order.journey().map_or(Ok(()), |journey| self.check_journey(journey)),
        }
    }
}

/// The unit vector in which a squad looks: its ranks, or else its first member.
fn heading(state: &State, s: usize) -> Vec2 {
    let (squad, crowd) = (&state.squads[s], &state.crowd);
    let first = squad.members.iter().find_map(|&id| crowd.row(id)).map(|row| crowd.rows.slot[row]);
    let facing = first.map_or(Vec2::X, |slot| crowd.slots.facing[slot as usize]);
    squad.ranks.as_ref().map_or(facing, |ranks| ranks.heading())
}

/// Gives a squad a new order, and no other after it. The order that it has is no new one, where it names a point or the enemies.
pub(super) fn give(derived: &mut Derived, state: &mut State, s: usize, order: Order) {
    state.squads[s].queue = OrderQueue::default();
    let order = match (order, state.squads[s].order) {
        (Order::Follow(new), Order::Follow(old)) if new.is_as(&old) => return,
        (Order::Follow(new), _) => pursued(state, s, new),
        _ => order,
    };
    let is_known = order == state.squads[s].order && order.front().is_none();
    if !(is_known && matches!(order.aim(), OrderAim::Point(_) | OrderAim::Enemies)) {
        set(derived, state, s, order);
    }
}

/// Sets the present order of a squad. On the way to a point, sent to another, its members walk on as they did until the new
/// route is there; else they stay where they are until then.
pub(super) fn set(derived: &mut Derived, state: &mut State, s: usize, order: Order) {
    let squad = &state.squads[s];
    let is_led = squad.order.destination().is_some() && squad.order.front().is_none();
    if is_led
        && order.front().is_none()
        && let Some(point) = order.destination()
    {
        redirect(&mut state.squads[s], order, point);
        return;
    }
    if let Some(front) = order.front() {
        let radius = state.units[state.squads[s].unit.index()].radius;
        let heading = heading(state, s);
        let ranks = &mut state.squads[s].ranks;
        let formation = front.formation(ranks.as_ref().map(|ranks| ranks.formation()), radius);
        if ranks.as_ref().is_none_or(|ranks| ranks.formation() != formation) {
            *ranks = Some(Box::new(Ranks::new(formation, heading)));
        }
    }
    let squad = &mut state.squads[s];
    (squad.order, squad.route_state, squad.backoff) = (order, RouteState::New, RetryBackoff::default());
    (squad.goal, squad.field, squad.siege) = (None, None, None);
    let State { squads, crowd, routes, requests, waking, .. } = &mut *state;
    routes.release(squads[s].take_route(RouteId::NONE));
    requests.withdraw(Requester::Squad(s));
    requests.withdraw(Requester::Detour(s));
    release(&squads[s].members, crowd, routes, requests);
    let members = squads[s].members.iter().filter(|&&id| crowd.row(id).is_some());
    waking.extend(members.map(|id| id.slot));
    assign_journey(state, s);
    sleep::wake(derived, state);
}

/// Sends a squad that is under way to a point to another one. A route that leads near there is of use.
fn redirect(squad: &mut Squad, order: Order, point: Vec2) {
    squad.order = order;
    match squad.route_state {
        RouteState::Asked { .. } | RouteState::Walked { .. } if !squad.is_astray(point) => {}
        _ => (squad.route_state, squad.backoff) = (RouteState::New, RetryBackoff::default()),
    }
}
