//! Turns orders into goals of routes, and routes into the aims of agents.

use super::{Order, OrderAim, Ranks, Relations, RouteState, SiegeView, Soldiers, Squad, Unit, sector};
use crate::crowd::brake::{braking, turning};
use crate::crowd::{
    ARRIVAL_RADIUS, AgentId, AgentRows, AgentSlots, Aim, Avoidance, Crowd, Heading, RouteFollower, RouteId,
    RouteProgress, RouteView, downhill, downhill_abreast, follow, next_along, next_downhill,
};
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::{Vec2, unit as direction};
use throng_grid::{Cell, Ground};
use throng_plan::FlowField;
use throng_spatial::simd::prefetch;

/// A squad looks again where to go after this time (s).
pub const REVIEW_EVERY: f32 = 1.0;

/// An enemy that has moved less than this (m), or less than a quarter of the way to it, is still where the route leads.
const GOAL_MOVED: f32 = 8.0;

/// An agent this near to the goal of its squad (m) has arrived.
const AT_GOAL: f32 = 3.0;

/// Writes the route states of the squads that are due in this tick: where each goes by its order. `every` is
/// [`REVIEW_EVERY`] in ticks; squads take turns, and a squad with a new order comes at once.
pub fn update_route_states(
    squads: &mut [Squad],
    crowd: &Crowd,
    soldiers: &Soldiers,
    relations: &Relations,
    fortress: &SiegeView<'_>,
    grounds: &[Arc<Ground>],
    (tick, every): (u64, u64),
) {
    for s in 0..squads.len() {
        let due = (tick + s as u64).is_multiple_of(every);
        if !due && squads[s].route_state != RouteState::New {
            continue;
        }
        squads[s].review(crowd);
        if squads[s].members.is_empty() {
            squads[s].route_state = RouteState::None;
            continue;
        }
        if matches!(squads[s].route_state, RouteState::Asked { .. }) {
            continue;
        }
        let ground = &grounds[usize::from(squads[s].ground)];
        squads[s].route_state = match squads[s].order.aim() {
            OrderAim::Stay | OrderAim::Edge | OrderAim::Journey(_) => RouteState::None,
            // There was no route.
            _ if matches!(squads[s].route_state, RouteState::Unreachable { .. })
                && !squads[s].backoff.may_ask(tick) =>
            {
                squads[s].route_state
            }
            OrderAim::Enemies => {
                let army = squads[s].army;
                let hostile = relations.enemies(army);
                // A ram goes for the wall, even if an enemy stands in a gap that is too narrow for the ram.
                let is_ram = fortress.units[squads[s].unit.index()].is_ram() && !fortress.ramparts.is_empty();
                let near = if is_ram { ground.lattice().cell_size } else { f32::INFINITY };
                let route_state = attack(squads, s, (hostile, near), crowd, soldiers, ground, tick);
                let is_enemy = |other: &Squad| other.army.is_in(hostile) && !other.members.is_empty();
                if route_state == RouteState::None && !fortress.ramparts.is_empty() && squads.iter().any(is_enemy) {
                    fortress.route_state(&mut squads[s], ground, relations.allies(army))
                } else {
                    squads[s].siege = None;
                    route_state
                }
            }
            OrderAim::Point(point) => {
                let squad = &squads[s];
                let to = ground.goal_cell(squad.middle, point);
                let asks = match squad.route_state {
                    RouteState::New | RouteState::Unreachable { .. } => true,
                    // The point was moved.
                    RouteState::Walked { .. } => point != squad.sought && squad.is_astray(point),
                    _ => false,
                };
                match (to, ground.nearest_passable(squad.middle)) {
                    (Some(to), Some(from)) if asks => {
                        squads[s].sought = point;
                        RouteState::Wanted { from, to }
                    }
                    _ if squad.route_state == RouteState::New => RouteState::None,
                    _ => squad.route_state,
                }
            }
        };
    }
}

/// Towards the nearest enemy, of an army in the mask `hostile`, of the nearest squad to which one can get as `near` (m), by the straight distance; ties by the squads'
/// numbers and the members' order.
fn attack(
    squads: &[Squad],
    s: usize,
    (hostile, near): (u16, f32),
    crowd: &Crowd,
    soldiers: &Soldiers,
    ground: &Ground,
    tick: u64,
) -> RouteState {
    let squad = &squads[s];
    let Some(from) = ground.nearest_passable(squad.middle) else { return RouteState::None };
    let nearest_of = |other: &Squad| {
        let places = other.members.iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.rows.position[row]);
        places.map(|at| (at.distance_squared(squad.middle), at)).min_by(|a, b| a.0.total_cmp(&b.0))
    };
    let is_enemy = |other: &&Squad| other.army.is_in(hostile);
    let mut enemies: Vec<_> = squads.iter().filter(is_enemy).filter_map(nearest_of).collect();
    enemies.sort_by(|a, b| a.0.total_cmp(&b.0));
    let reachable = enemies.into_iter().find_map(|(_, place)| {
        let to = ground.nearest_passable(place)?;
        let comes_near = ground.lattice().centre(to).distance(place) <= near;
        (comes_near && ground.leads(from, to)).then_some((place, to))
    });
    let Some((place, to)) = reachable else { return RouteState::None };
    if let RouteState::Walked { to: old } = squad.route_state {
        let goal = ground.lattice().centre(old);
        let near = goal.distance(place) < GOAL_MOVED.max(0.25 * place.distance(squad.middle));
        if to == old || (near && !is_in_vain(squad, goal, crowd, soldiers, tick)) {
            return squad.route_state;
        }
    }
    RouteState::Wanted { from, to }
}

/// True where a member of a squad is at the squad's goal (m), and no member has struck an enemy just now.
fn is_in_vain(squad: &Squad, goal: Vec2, crowd: &Crowd, soldiers: &Soldiers, tick: u64) -> bool {
    let mut places = squad.members.iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.rows.position[row]);
    let struck = |id: &AgentId| soldiers.ready.get(id.slot as usize).is_some_and(|&ready| u64::from(ready) > tick);
    !squad.members.iter().any(struck) && places.any(|at| at.distance(goal) < AT_GOAL)
}

/// A unit that goes further than this between two looks (m) looks in every tick.
const BLIND: f32 = 4.0;

/// A soldier of a squad on its line looks where the line does, up to so far from its place (m).
const IN_LINE_M: f32 = 3.0;

/// Slots that one thread works on before it takes the next ones.
const SLOTS: usize = 256;

/// How many slots ahead rows are fetched.
const PREFETCH_SLOTS: usize = 12;

/// The speed (m/s) that the agent in a slot likes, as its unit has it.
fn likes(kind: &Unit, view: &RouteView<'_>, slot: usize, generation: u32) -> f32 {
    kind.speed_of(view.schedule.seed, AgentId { slot: slot as u32, generation })
}

/// Writes `aim`, `follower`, `facing` and `pace` of the agents that are awake: to the target, else along the route, else to the
/// post. A fleeing agent follows the field in `escape_fields` of its squad's ground to where it leaves the map. `step` is the
/// length of a tick (s), `avoidance` the model of a unit without its own.
pub fn aims(
    view: &RouteView<'_>,
    (step, avoidance): (f32, Avoidance),
    units: &[Unit],
    squads: &[Squad],
    escape_fields: &BTreeMap<u16, Arc<FlowField>>,
    soldiers: &Soldiers,
    crowd: &mut Crowd,
) {
    let awake = crowd.awake();
    let AgentSlots { aim, follower, facing, pace, row_of, generation, unit, squad, .. } = &mut crowd.slots;
    let AgentRows { position, velocity, radius, .. } = &crowd.rows;
    let columns = (
        aim.par_chunks_mut(SLOTS),
        follower.par_chunks_mut(SLOTS),
        facing.par_chunks_mut(SLOTS),
        pace.par_chunks_mut(SLOTS),
    );
    let blind = BLIND / (step * view.schedule.period() as f32);
    columns.into_par_iter().zip(row_of.par_chunks(SLOTS)).enumerate().for_each(|(chunk, (columns, rows))| {
        // Gone, or asleep where it wants to be.
        for (i, _) in rows.iter().enumerate().filter(|&(_, &row)| (row as usize) < awake) {
            let slot = chunk * SLOTS + i;
            let ahead = columns.1.get(i + PREFETCH_SLOTS).map(|follower| Cell(follower.waypoint_index));
            let (aim, follower, facing) = (&mut columns.0[i], &mut columns.1[i], &mut columns.2[i]);
            // Rows are not in the order of slots: those to come are fetched while this one is thought about.
            if let Some(row) = row_of.get(slot + PREFETCH_SLOTS).map(|&row| row as usize).filter(|&row| row < awake) {
                prefetch(position, row);
                prefetch(velocity, row);
                prefetch(radius, row);
                fetch_field(squads.get(squad[slot + PREFETCH_SLOTS] as usize), ahead);
            }
            let row = row_of[slot] as usize;
            let (kind, at) = (&units[usize::from(unit[slot])], position[row]);
            let view = &RouteView { firm: view.firm || kind.terrain.is_some() || follower.goes_round, ..*view };
            let looks = view.schedule.is_due(slot) || kind.top_speed > blind;
            let target = soldiers.target(slot);
            let lives = generation.get(target.slot as usize) == Some(&target.generation);
            let enemy = lives.then(|| row_of[target.slot as usize] as usize);
            let squad = squads.get(squad[slot] as usize);
            let order = squad.map_or(Order::Hold, |squad| squad.order);
            // An enemy in sight across a gap too narrow to walk through is approached along the route. It looks for
            // enemies in this tick too.
            if looks {
                follower.charges = enemy.is_some_and(|enemy| view.can_walk(at, position[enemy], radius[row]));
            }
            let within = order.charges_within();
            let charged = enemy.filter(|&enemy| {
                let is_near = || within == f32::INFINITY || position[enemy].distance(follower.post) < within;
                follower.charges && is_near()
            });
            // An agent that shoots stays where it can.
            let shoots = kind.ranged.as_ref().filter(|_| soldiers.shoots(slot));
            let shot_at = enemy.zip(shoots).filter(|&(enemy, ranged)| {
                !order.passes_enemies() && at.distance_squared(position[enemy]) < ranged.range * ranged.range
            });
            let escapes = squad.filter(|squad| soldiers.escapes(slot, squad));
            let escape_field = escapes.and_then(|squad| escape_fields.get(&squad.ground));
            if let Some(escape_field) = escape_field {
                let heading = downhill(view, escape_field, at, radius[row], looks, None, follower);
                *aim = heading.map_or_else(Aim::default, |heading| Aim::past(heading.point));
                columns.3[i] = f32::INFINITY;
                if velocity[row].length_squared() > 0.01 {
                    *facing = sector::turned(*facing, direction(velocity[row]), kind.turning * step);
                }
                continue;
            }
            // An attack goes as far as the route does.
            let (post, goes_free) = (Some(follower.post).filter(|_| !order.attacks()), follower.route == RouteId::NONE);
            let field = squad.and_then(|squad| squad.field.as_deref()).filter(|_| goes_free);
            let by_gaps = (looks || follower.abreast) && kind.avoidance.unwrap_or(avoidance) == Avoidance::Gap;
            let walks = by_gaps.then(|| (velocity[row], likes(kind, view, slot, generation[slot]), aim.point));
            let heading = match field {
                None if goes_free => None,
                Some(field) => downhill_abreast(view, field, (at, radius[row]), walks, looks, post, follower),
                None => follow(view, slot as u32, at, radius[row], looks, post, follower),
            };
            *aim = match (charged, heading) {
                _ if shot_at.is_some() => Aim::at(at),
                (Some(enemy), _) => {
                    // A little nearer than need be, so that a step back does not break off the fight.
                    let stop = radius[row] + radius[enemy] + 0.75 * kind.reach;
                    let approach = approach(at, position[enemy], velocity[enemy] * step, stop);
                    Aim { stop: stop + approach, ..Aim::at(position[enemy]) }
                }
                _ if squad.is_some_and(Squad::keeps_ranks) && view.can_walk(at, follower.post, radius[row]) => {
                    // An agent that sees its place in the ranks needs no route.
                    follower.clear_misses();
                    // An agent out of its place makes its way past agents in their places.
                    let out = at.distance_squared(follower.post) > 4.0 * radius[row] * radius[row];
                    if out { Aim::past(follower.post) } else { Aim::at(follower.post) }
                }
                (None, Some(Heading { point, last: false })) => Aim::past(point),
                (None, Some(Heading { point, last: true })) => Aim::at(point),
                // It waits where it is for a route of its own.
                (None, None) if awaits_route(follower) => Aim::at(at),
                (None, None) => Aim::at(follower.post),
            };
            if kind.acceleration < f32::INFINITY {
                // An agent that charges does not brake.
                let next =
                    heading.filter(|heading| !heading.last).and_then(|_| next_point(view, field, post, follower));
                let turn = next.map(|next| (next, view.passes_within(radius[row])));
                columns.3[i] = if charged.is_some() { f32::INFINITY } else { careful(kind, step, at, aim, turn) };
            }
            // In ranks it comes there with the others.
            let has_come = || squad.and_then(|squad| squad.ranks.as_deref()).is_none_or(Ranks::has_come);
            if follower.is_sent && looks && at.distance(follower.post) <= ARRIVAL_RADIUS && has_come() {
                (follower.is_sent, follower.has_come) = (false, true);
            }
            let in_ranks = || squad.filter(|squad| squad.keeps_ranks()).and_then(|squad| squad.ranks.as_deref());
            let look = match (enemy, velocity[row]) {
                (Some(enemy), _) => position[enemy] - at,
                (None, walked) if walked.length_squared() > 0.01 => heading_of(in_ranks(), follower, at, walked),
                (None, still) => in_ranks().map_or(still, |ranks| ranks.front(follower.post)),
            };
            if look.length_squared() > 0.01 {
                *facing = sector::turned(*facing, direction(look), kind.turning * step);
            }
        }
    });
}

/// How much nearer (m) an enemy that moves by `moved` (m) in this tick comes to `at` (m), at most half of what there is before `stop`
/// (m): both that go to meet each other stop in reach, and neither walks through the other in a long tick.
fn approach(at: Vec2, enemy: Vec2, moved: Vec2, stop: f32) -> f32 {
    let way = at - enemy;
    let left = (way.length() - stop).max(0.0);
    moved.dot(throng_grid::geom::unit(way)).min(0.5 * left)
}

/// Where a soldier at a place (m) looks that is moving: where it walks; on the line of its squad, once it has come, ahead, even where
/// others push it aside.
fn heading_of(ranks: Option<&Ranks>, follower: &RouteFollower, at: Vec2, walked: Vec2) -> Vec2 {
    let is_near = !follower.is_sent && at.distance(follower.post) <= IN_LINE_M;
    ranks.filter(|ranks| is_near && ranks.is_drawn_up()).map_or(walked, |ranks| ranks.front(follower.post))
}

/// Fetches what a squad's field has of a cell.
fn fetch_field(squad: Option<&Squad>, cell: Option<Cell>) {
    if let (Some(field), Some(cell)) = (squad.and_then(|squad| squad.field.as_deref()), cell) {
        prefetch(&field.costs().cells, cell.index());
        prefetch(&field.headings().cells, cell.index());
    }
}

/// True for an agent that has no route and is to have one.
fn awaits_route(follower: &RouteFollower) -> bool {
    follower.route == RouteId::NONE && (follower.is_lost() || follower.route_progress == RouteProgress::Requested)
}

/// The point (m) to which an agent walks after the one that it walks to.
fn next_point(
    view: &RouteView<'_>,
    field: Option<&FlowField>,
    post: Option<Vec2>,
    follower: &RouteFollower,
) -> Option<Vec2> {
    field.map_or_else(|| next_along(view, post, follower), |field| next_downhill(field, follower))
}

/// How fast an agent with a limit of acceleration may go now (m/s), to stop at its aim, or to `turn` there, within some
/// metres of it, to the point after it.
#[inline(never)]
fn careful(kind: &Unit, step: f32, at: Vec2, aim: &Aim, turn: Option<(Vec2, f32)>) -> f32 {
    let way = aim.point - at;
    let after = match turn.filter(|_| aim.stop < 0.0) {
        Some((next, within)) => turning(kind.acceleration, within, way, next - aim.point),
        None => 0.0,
    };
    braking(step, kind.acceleration, (way.length() - aim.stop.max(0.0)).max(0.0), after)
}
