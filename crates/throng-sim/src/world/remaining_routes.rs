//! Remaining routes, for pictures.

use super::parts::State;
use super::{ArmyId, World};
use crate::battle::Squad;
use crate::crowd::RouteId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::geom::Vec2;

/// A remaining route shorter than this (m) is left out.
const MIN_LENGTH_M: f32 = 3.0;

/// The part of a route that lies ahead of an agent or a squad: see [`World::remaining_routes`].
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct RemainingRoute {
    /// Index of its army.
    pub army: ArmyId,
    /// Its position, the turns ahead of it, its goal (m).
    pub points: Vec<Vec2>,
}

impl World {
    /// Writes at most `most` remaining routes, spread evenly over all there are.
    ///
    /// A shared route is told once, from the agent that is furthest back. A squad with a flow field has one line from its
    /// middle. An agent that sees its goal has a straight line. Routes shorter than three metres are left out.
    /// O(agents · log routes).
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let (from, to) = (Vec2::new(8.5, 8.5), Vec2::new(40.5, 8.5));
    /// world.spawn_walkers(red, soldier, &[from], &[to])?;
    /// let mut routes = Vec::new();
    /// world.remaining_routes(10, &mut routes);
    /// assert_eq!(routes[0].points, [from, to]);
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn remaining_routes(&self, most: usize, routes: &mut Vec<RemainingRoute>) {
        routes.clear();
        let crowd = &self.state.crowd;
        // The agent of each route that is furthest from its end.
        let mut last = BTreeMap::<RouteId, (u32, u32)>::new();
        let mut straight = Vec::new();
        for (row, &slot) in crowd.rows.slot.iter().enumerate() {
            let follower = &crowd.slots.follower[slot as usize];
            if self.state.is_dead(slot) || follower.charges {
                continue;
            }
            if follower.route == RouteId::NONE {
                let squad = self.state.squad_of(slot as usize);
                let is_led = squad.is_some_and(|squad| squad.field.is_some());
                if !is_led && crowd.rows.position[row].distance_squared(follower.post) > MIN_LENGTH_M * MIN_LENGTH_M {
                    straight.push(slot);
                }
            } else {
                let place = last.entry(follower.route).or_insert((follower.waypoint_index, slot));
                *place = (*place).min((follower.waypoint_index, slot));
            }
        }
        let walkers: Vec<u32> = last.into_values().map(|(_, slot)| slot).chain(straight).collect();
        let led: Vec<usize> = (0..self.state.squads.len()).filter(|&s| self.state.squads[s].field.is_some()).collect();
        let count = walkers.len() + led.len();
        let shown = count.min(most);
        for i in (0..shown).map(|i| i * count / shown) {
            let route = match i.checked_sub(walkers.len()) {
                None => remaining_route(&self.state, walkers[i]),
                Some(squad) => route_by_field(&self.state.squads[led[squad]]),
            };
            let is_far = |route: &RemainingRoute| {
                route.points.windows(2).map(|pair| pair[0].distance(pair[1])).sum::<f32>() > MIN_LENGTH_M
            };
            routes.extend(route.filter(is_far));
        }
    }
}

/// Along the route, or straight to the post.
pub(super) fn remaining_route(state: &State, slot: u32) -> Option<RemainingRoute> {
    let id = slot as usize;
    let row = *state.crowd.slots.row_of.get(id)? as usize;
    let (follower, army) = (&state.crowd.slots.follower[id], ArmyId(*state.crowd.rows.army.get(row)?));
    let mut points = vec![state.crowd.rows.position[row]];
    let turns = state.routes.points(follower.route);
    points.extend(turns.iter().skip(follower.waypoint_index as usize).map(|turn| turn.abreast(follower.lane)));
    if follower.route == RouteId::NONE || state.travels.travellers.contains_key(&slot) {
        points.push(follower.post);
    }
    Some(RemainingRoute { army, points })
}

/// From the middle of a squad, cell by cell.
fn route_by_field(squad: &Squad) -> Option<RemainingRoute> {
    let field = squad.field.as_ref()?;
    let lattice = field.lattice();
    let mut points = vec![squad.middle];
    let mut cell = lattice.at(squad.middle);
    let mut step = Vec2::ZERO;
    while let Some(next) = field.next(cell) {
        let at = lattice.centre(next);
        let new_step = at - lattice.centre(cell);
        // Only where it turns.
        if new_step == step && points.len() > 1 {
            points.pop();
        }
        points.push(at);
        (cell, step) = (next, new_step);
    }
    (!squad.members.is_empty()).then_some(RemainingRoute { army: squad.army, points })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Order, Unit};
    use crate::world::{Settings, SquadSpec};
    use throng_grid::{Grid, Lattice};
    use throng_plan::PlannerChoice;

    /// A wall with a gap at the bottom, a squad before it and its goal behind it.
    fn world(planner: PlannerChoice) -> World {
        let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
        for y in 0..26 {
            grid.set_open(grid.lattice().cell(20, y), false);
        }
        let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
        let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
        let positions: Vec<Vec2> = (0..9).map(|i| Vec2::new(4.5 + (i % 3) as f32, 4.5 + (i / 3) as f32)).collect();
        let order = Order::GoTo(Vec2::new(36.5, 4.5));
        world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(red, unit, positions) }).unwrap();
        world
    }

    #[test]
    fn a_squad_has_one_way_round_the_wall() {
        for planner in [PlannerChoice::AStar, PlannerChoice::FlowField] {
            let mut world = world(planner.clone());
            (0..20).for_each(|_| world.tick().unwrap());
            let mut routes = Vec::new();
            world.remaining_routes(100, &mut routes);
            let [route] = &routes[..] else { panic!("{planner:?}: {routes:?}") };
            assert!(route.points[0].x < 12.0 && route.points.last().unwrap().distance(Vec2::new(36.5, 4.5)) < 3.0);
            assert!(route.points.iter().any(|point| point.y > 25.5), "{planner:?}: {route:?}");
            let sees = |pair: &[Vec2]| {
                (0..=200).all(|i| {
                    let cell = world.grid().lattice().at(pair[0].lerp(pair[1], i as f32 / 200.0));
                    world.grid().is_open(cell)
                })
            };
            assert!(route.points.windows(2).all(sees), "{planner:?}: {route:?}");
            world.remaining_routes(0, &mut routes);
            assert!(routes.is_empty());
        }
    }
}
