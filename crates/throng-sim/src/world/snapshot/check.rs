//! Whether the pieces of a world fit together: what is out of range here would be a panic in a tick.

use crate::battle::MAX_ARMIES;
use crate::battle::{Order, OrderQueue, RouteState, Squad, SquadStats};
use crate::crowd::{AgentId, RouteFollower, RouteId};
use crate::walk::Driven;
use crate::world::state::given::Given;
use crate::world::state::links::{Crosser, WorldLinks};
use crate::world::state::obstacles::Obstacles;
use crate::world::state::requests::{Pending, Requester, RouteKey};
use crate::world::state::travels::TravelState;
use crate::world::{Fire, Mission, Stop, Task, Verdict, World};
use crate::world::{mission, trigger};
use std::collections::BTreeMap;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Links};

/// No battle lasts so many ticks.
const MOST_TICKS: u64 = 1 << 48;

/// No agent is so far beyond the edge of the map (m).
const EDGE: f32 = 1.0;

/// Nothing walks so far aside, or so fast (m, m/s).
const MAX_ASIDE: f32 = 1e5;

/// No agent is given a larger radius (m).
const MAX_GIVEN_RADIUS: f32 = 10.0;

/// No body is so small (m).
const MIN_RADIUS: f32 = 0.01;

/// No squad has killed so many, and no army has walked so far (µm).
const MOST_KILLS: u32 = 1 << 31;
const MAX_WALKED_UM: u64 = 1 << 62;

/// Says what does not fit.
pub(super) fn check(world: &World) -> Result<(), String> {
    if world.state.tick > MOST_TICKS {
        return Err(format!("it is at tick {}", world.state.tick));
    }
    world.state.units.iter().try_for_each(|unit| unit.check().map_err(|error| error.to_string()))?;
    agents(world)?;
    bodies(world)?;
    armies(world)?;
    world.state.squads.iter().enumerate().try_for_each(|(s, squad)| self::squad(world, s, squad))?;
    tallies(world)?;
    followers(world)?;
    requests(world)?;
    travels(world)?;
    given(world)?;
    pressing(world)?;
    obstacles(world)?;
    driven(world)?;
    links(world)?;
    missions(world)?;
    ramparts(world)?;
    fires(world)?;
    trigger::check(world).map_err(|error| format!("a trigger cannot be: {error}"))?;
    holders(world)?;
    let off_map = world.state.edits.pending.keys().find(|&&cell| !world.grid.lattice().contains(cell));
    off_map.map_or(Ok(()), |cell| Err(format!("{cell:?} is to be edited and off the map")))
}

fn within(what: &str, found: usize, count: usize) -> Result<(), String> {
    if found < count { Ok(()) } else { Err(format!("{what} {found} is named and there are {count}")) }
}

fn agents(world: &World) -> Result<(), String> {
    let (crowd, soldiers) = (&world.state.crowd, &world.state.soldiers);
    let slots = crowd.slots.row_of.len();
    let lengths @ [health, target, ready] = [soldiers.health.len(), soldiers.target.len(), soldiers.ready.len()];
    if health != slots || target > slots || ready != target {
        return Err(format!("the columns of the soldiers have {lengths:?} rows, expected {slots}"));
    }
    crowd.rows.army.iter().try_for_each(|&army| within("army", army.into(), world.state.armies.len()))?;
    for slot in 0..slots {
        within("unit", crowd.slots.unit[slot].into(), world.state.units.len())?;
        if crowd.slots.squad[slot] != u32::MAX {
            within("squad", crowd.slots.squad[slot] as usize, world.state.squads.len())?;
        }
        let target = soldiers.target(slot);
        let lives = crowd.slots.generation.get(target.slot as usize) == Some(&target.generation);
        if target != AgentId::NONE && (target.slot as usize >= slots || lives && crowd.row(target).is_none()) {
            return Err(format!("the target {target:?} is no agent"));
        }
    }
    let mut dead = [&world.state.dead[..], &world.state.left].concat();
    dead.sort_unstable();
    dead.dedup();
    if dead.len() != world.state.dead.len() + world.state.left.len() || dead.iter().any(|&id| crowd.row(id).is_none()) {
        return Err("an agent died that was not there, or died twice".into());
    }
    Ok(())
}

/// All agents are on the map, and a tick can compute with their numbers.
fn bodies(world: &World) -> Result<(), String> {
    let (crowd, size) = (&world.state.crowd, world.grid.lattice().size());
    let on_map = |at: &Vec2| (-EDGE..=size.x + EDGE).contains(&at.x) && (-EDGE..=size.y + EDGE).contains(&at.y);
    if !crowd.rows.position.iter().all(on_map) {
        return Err("an agent is off the map".into());
    }
    // The greatest of two numbers of which one is none is the other.
    let moves = |v: &Vec2| v.is_finite() && v.abs().max_element() <= MAX_ASIDE;
    let fits = crowd.rows.velocity.iter().all(moves)
        && crowd.rows.radius.iter().all(|&radius| radius > MIN_RADIUS && radius <= world.derived.widest)
        && crowd.rows.top_speed.iter().all(|&speed| speed <= MAX_ASIDE);
    if !fits {
        return Err("an agent is too large or too fast".into());
    }
    let goes = |follower: &RouteFollower| {
        follower.post.is_finite()
            && follower.lane.right.abs() <= follower.lane.half
            && (0.0..=MAX_ASIDE).contains(&follower.lane.half)
    };
    let places = world
        .state
        .squads
        .iter()
        .flat_map(|squad| [squad.centre, squad.middle, squad.sought, squad.goal.unwrap_or_default()]);
    let is_near = |squad: &Squad| (0.0..=MAX_ASIDE).contains(&squad.extent);
    if !world.state.squads.iter().all(is_near)
        || !crowd.slots.rest.iter().all(|rest| rest.place.is_finite() && rest.anchor.is_finite() && rest.nearest >= 0.0)
        || !crowd.slots.follower.iter().all(goes)
        || !crowd.slots.aim.iter().all(|aim| moves(&aim.point) && !aim.stop.is_nan())
        || !crowd.slots.facing.iter().copied().chain(places).all(Vec2::is_finite)
    {
        return Err("an agent or a squad goes nowhere".into());
    }
    let soldiers = &world.state.soldiers;
    if !soldiers.health.iter().chain(&soldiers.morale).all(|points| points.is_finite()) {
        return Err("a health or a courage is none".into());
    }
    shots(world)
}

/// A tick can compute with the shots in the air.
fn shots(world: &World) -> Result<(), String> {
    let (shots, slots) = (&world.state.shots, world.state.crowd.slots.row_of.len());
    if [shots.velocity.len(), shots.by.len(), shots.launch.len()] != [shots.len(); 3] {
        return Err("the columns of the shots are not of one length".into());
    }
    if world.state.soldiers.ammunition.len() > slots
        || world.state.soldiers.morale.len() > slots
        || world.state.soldiers.flees.len() != world.state.soldiers.morale.len()
    {
        return Err(format!("the columns of the soldiers are longer than {slots} rows"));
    }
    for by in &shots.by {
        within("army", by.army.index(), world.state.armies.len())?;
        within("unit", by.unit.index(), world.state.units.len())?;
        by.squad.map_or(Ok(()), |squad| within("squad", squad.index(), world.state.squads.len()))?;
    }
    let flies = |at: &Vec3| at.is_finite() && at.abs().max_element() <= MAX_ASIDE;
    if shots.position.iter().chain(&shots.velocity).all(flies) { Ok(()) } else { Err("a shot flies nowhere".into()) }
}

fn armies(world: &World) -> Result<(), String> {
    if world.state.armies.len() > MAX_ARMIES {
        return Err(format!("there are {} armies, at most {MAX_ARMIES} may be", world.state.armies.len()));
    }
    if !world.state.relations.is_sound() {
        return Err("two armies are not to each other what the other is to them".into());
    }
    let mut alive = vec![0_u32; world.state.armies.len()];
    world.state.crowd.rows.army.iter().for_each(|&army| alive[usize::from(army)] += 1);
    let gone = world.state.dead.iter().chain(&world.state.left);
    gone.for_each(|id| alive[world.state.crowd.army_of(id.slot).index()] -= 1);
    let sum = |counts: &[u32]| counts.iter().map(|&count| u64::from(count)).sum::<u64>();
    for (army, &alive) in world.state.armies.iter().zip(&alive) {
        if army.alive != alive
            || army.walked > MAX_WALKED_UM
            || u64::from(army.spawned) != sum(&[alive, army.left, army.routed]) + sum(&army.losses)
            || [army.kills.len(), army.losses.len(), army.dealt.len(), army.taken.len()] != [world.state.units.len(); 4]
        {
            return Err(format!("the army \"{}\" does not count its soldiers right", army.name));
        }
    }
    match world.state.verdict {
        Some(Verdict::Winner(army)) => within("army", army.0.into(), world.state.armies.len()),
        _ => Ok(()),
    }
}

/// The living of each squad are as many as it says.
fn tallies(world: &World) -> Result<(), String> {
    let mut alive = vec![0_u32; world.state.squads.len()];
    let mut count = |slot: u32, by: u32| {
        if let Some(alive) = alive.get_mut(world.state.crowd.slots.squad[slot as usize] as usize) {
            *alive = alive.wrapping_add(by);
        }
    };
    world.state.crowd.rows.slot.iter().for_each(|&slot| count(slot, 1));
    world.state.dead.iter().chain(&world.state.left).for_each(|id| count(id.slot, u32::MAX));
    for (s, (squad, alive)) in world.state.squads.iter().zip(alive).enumerate() {
        let SquadStats { spawned, left, routed, losses, kills, walked, .. } = squad.tally;
        let sum = [alive, left, routed, losses].into_iter().map(u64::from).sum::<u64>();
        let fits = kills <= MOST_KILLS && walked <= MAX_WALKED_UM;
        if u64::from(spawned) != sum || !fits {
            return Err(format!("squad {s} does not count its soldiers right"));
        }
    }
    Ok(())
}

fn missions(world: &World) -> Result<(), String> {
    for Mission { army, objective, count, .. } in &world.state.missions {
        if *count > 2 * MOST_TICKS {
            return Err(format!("a mission has been going on for {count} ticks"));
        }
        mission::check(objective, *army, world).map_err(|error| format!("a mission cannot be: {error}"))?;
    }
    Ok(())
}

fn ramparts(world: &World) -> Result<(), String> {
    for (cell, rampart) in world.state.ramparts.iter() {
        let stands = world.grid.lattice().contains(cell) && !world.grid.is_open(cell);
        if !(stands && rampart.health > 0.0 && rampart.health <= rampart.full && rampart.full.is_finite()) {
            return Err(format!("{cell:?} can be broken and does not stand, or has no health"));
        }
        rampart.keeper.map_or(Ok(()), |army| within("army", army.index(), world.state.armies.len()))?;
    }
    world.state.ramparts.broken().iter().chain(&world.state.events.breached).try_for_each(|&cell| on_map(world, cell))
}

fn squad(world: &World, s: usize, squad: &Squad) -> Result<(), String> {
    within("army", squad.army.index(), world.state.armies.len())?;
    within("unit", squad.unit.index(), world.state.units.len())?;
    ready(world, squad.planner, squad.ground)?;
    squad.wide.map_or(Ok(()), |wide| ready(world, squad.planner, wide))?;
    let radius = world.state.units[squad.unit.index()].radius;
    squad.ranks.as_ref().map_or(Ok(()), |ranks| ranks.check(radius).map_err(|what| format!("squad {s}: {what}")))?;
    let cells = match squad.route_state {
        RouteState::New | RouteState::None => [None; 2],
        RouteState::Wanted { from, to } => [Some(from), Some(to)],
        RouteState::Asked { to } | RouteState::Walked { to } | RouteState::Unreachable { to } => [None, Some(to)],
    };
    let siege = squad.siege.map(|siege| [siege.wall, siege.stand]);
    let cells = cells.into_iter().flatten().chain(siege.into_iter().flatten());
    cells.into_iter().try_for_each(|cell| on_map(world, cell))?;
    if squad.queue.len() > OrderQueue::MAX {
        return Err(format!("squad {s} has {} orders, at most {} may wait", squad.queue.len(), OrderQueue::MAX));
    }
    let fits = |order: Order| world.check_order(s, order).map_err(|error| format!("squad {s}: {error}"));
    [squad.order].into_iter().chain(squad.queue.iter()).try_for_each(fits)
}

/// A planner is there, and ready for a ground.
fn ready(world: &World, planner: u16, ground: u16) -> Result<(), String> {
    within("planner", planner.into(), world.derived.planners.len())?;
    within("ground", ground.into(), world.derived.grounds.len())?;
    let (choice, built) = &world.derived.planners[usize::from(planner)];
    if built.contains_key(&ground) { Ok(()) } else { Err(format!("{choice} is not ready for ground {ground}")) }
}

fn on_map(world: &World, cell: Cell) -> Result<(), String> {
    if world.grid.lattice().contains(cell) { Ok(()) } else { Err(format!("a goal is {cell:?}, off the map")) }
}

fn followers(world: &World) -> Result<(), String> {
    for (slot, &RouteFollower { route, waypoint_index, .. }) in world.state.crowd.slots.follower.iter().enumerate() {
        let lives = world.state.crowd.slots.row_of[slot] != u32::MAX;
        // By a field, now or from the next tick on, the point that it walks to is a cell.
        if lives && route == RouteId::NONE && waypoint_index as usize >= world.grid.lattice().len() {
            return Err(format!("the agent in slot {slot} walks to a cell off the map"));
        }
        if !lives && route != RouteId::NONE {
            return Err(format!("slot {slot} is vacant and has a route"));
        }
    }
    Ok(())
}

fn requests(world: &World) -> Result<(), String> {
    let key = |&RouteKey { planner, ground, from, to, goal }: &RouteKey| {
        ready(world, planner, ground)?;
        [from.unwrap_or(to), to, goal].into_iter().try_for_each(|cell| on_map(world, cell))
    };
    let requests = &world.state.requests;
    requests
        .pending
        .values()
        .map(|pending| &pending.key)
        .chain(requests.by_key.keys())
        .chain(requests.walked.keys())
        .try_for_each(key)?;
    if requests.walked.keys().any(|key| key.from.is_none()) {
        return Err("a route that is walked begins nowhere".into());
    }
    let shares =
        |pending: &Pending| pending.key.from.is_none() && pending.requesters.iter().any(|one| one.alone().is_none());
    if requests.pending.values().any(shares) {
        return Err("a field is shared by others than those that go alone".into());
    }
    if requests.by_key.values().any(|ticket| !requests.pending.contains_key(ticket)) {
        return Err("a request joins a search that is not there".into());
    }
    for &requester in requests.pending.values().flat_map(|pending| &pending.requesters) {
        match requester {
            Requester::Squad(s) | Requester::Detour(s) => within("squad", s, world.state.squads.len())?,
            Requester::Traveller(id) | Requester::WayRound(id) => {
                within("agent", id.slot as usize, world.state.crowd.slots.squad.len())?;
            }
            Requester::Agent(id) => {
                within("agent", id.slot as usize, world.state.crowd.slots.squad.len())?;
                if world.state.crowd.row(id).is_some() {
                    within(
                        "squad",
                        world.state.crowd.slots.squad[id.slot as usize] as usize,
                        world.state.squads.len(),
                    )?;
                }
            }
        }
    }
    Ok(())
}

/// Agents that others hold up are in their order, each in a slot.
fn pressing(world: &World) -> Result<(), String> {
    let pressing = &world.state.pressing;
    pressing.iter().try_for_each(|&slot| within("agent", slot as usize, world.state.crowd.slots.row_of.len()))?;
    if pressing.is_sorted() { Ok(()) } else { Err("the agents that are held up are in no order".into()) }
}

/// Obstacles are on the map, and cover what they are said to.
fn obstacles(world: &World) -> Result<(), String> {
    let Obstacles { placed, next, covers, under } = &world.state.obstacles;
    let mut counted = BTreeMap::new();
    for &cell in placed.values().flatten() {
        on_map(world, cell)?;
        *counted.entry(cell).or_insert(0) += 1;
    }
    let fits = counted == *covers
        && under.iter().all(|cell| covers.contains_key(cell))
        && placed.iter().all(|(id, cells)| id < next && cells.is_sorted());
    if fits { Ok(()) } else { Err("an obstacle covers cells that it does not".into()) }
}

/// The numbers that single agents were given are such that a tick can compute with them.
fn given(world: &World) -> Result<(), String> {
    let Given { blows, shots, speeds, shoves, widest } = &world.state.given;
    let slots = world.state.crowd.slots.row_of.len();
    let known = |id: &AgentId| (id.slot as usize) < slots;
    let is_number = |number: f32| (0.0..=f32::MAX).contains(&number);
    let fits = blows.iter().all(|blow| known(&blow.to) && blow.by.iter().all(known) && is_number(blow.damage))
        && shots.iter().all(|(id, at)| known(id) && at.is_finite())
        && speeds.iter().all(|(&slot, &speed)| (slot as usize) < slots && (0.0..=MAX_ASIDE).contains(&speed))
        && shoves
            .iter()
            .all(|(&slot, shove)| slot == shove.id.slot && known(&shove.id) && shove.velocity.length() <= MAX_ASIDE)
        && (0.0..=MAX_GIVEN_RADIUS).contains(widest);
    if fits { Ok(()) } else { Err("an agent was given a number that is none".into()) }
}

/// Bodies that are moved from outside are agents, and on the map.
fn driven(world: &World) -> Result<(), String> {
    let is_somewhere = |one: &Driven| {
        world.grid.lattice().covers(one.position)
            && one.velocity.length() <= MAX_ASIDE
            && (0.0..=MAX_ASIDE).contains(&one.radius)
    };
    let known = |(&slot, one): (&u32, &Driven)| {
        one.id.slot == slot && world.state.crowd.row(one.id).is_some() && is_somewhere(one)
    };
    if world.state.driven.iter().all(known) {
        Ok(())
    } else {
        Err("a body that is moved from outside is nowhere".into())
    }
}

/// Links are on the map, as the planners know them, and an agent on one of them is over the map.
fn links(world: &World) -> Result<(), String> {
    let WorldLinks { all, ready, crossers, .. } = &world.state.links;
    let known = world.derived.grounds.iter().all(|ground| ground.mobility().links.len() == all.len());
    if ready.len() != all.len() || all.len() > Links::MAX || !known {
        return Err(format!("there are {} links, of which something has another number", all.len()));
    }
    let fits = |(index, link)| world.check_link(index, link).map_err(|error| error.to_string());
    all.iter().enumerate().try_for_each(fits)?;
    let crosses = |(&slot, one): (&u32, &Crosser)| {
        let over = [one.from, one.to].into_iter().all(|at| world.grid.lattice().covers(at));
        let on_time = one.begun <= world.state.tick && world.state.tick - one.begun <= one.ticks;
        one.id.slot == slot && world.state.crowd.row(one.id).is_some() && over && on_time
    };
    if crossers.iter().all(crosses) { Ok(()) } else { Err("an agent is on a link and nowhere".into()) }
}

fn fires(world: &World) -> Result<(), String> {
    let fires = &world.state.fires;
    if fires.len() > Fire::MAX {
        return Err(format!("there are {} fires", fires.len()));
    }
    fires.iter().try_for_each(|fire| world.check_fire(fire).map_err(|error| error.to_string()))
}

/// Travellers are agents, at stops that exist; an agent with a place or in a line is a traveller there.
fn travels(world: &World) -> Result<(), String> {
    let travels = &world.state.travels;
    for (&(leader, _), journey) in &travels.follows {
        let stops = travels.courses.get(journey.0 as usize).map(|course| &course.journey.stops);
        let leads = |stop: &Stop| matches!(stop.task, Task::Follow { leader: known, .. } if known == leader);
        if !stops.is_some_and(|stops| stops.iter().all(leads)) {
            return Err("those that follow a leader are on no journey after it".into());
        }
    }
    let mut targeted: Vec<_> = travels.courses.iter().map(|course| vec![(0, 0); course.stops.len()]).collect();
    for (&slot, one) in &travels.travellers {
        let number = format!("the traveller in slot {slot}");
        if one.id.slot != slot || world.state.crowd.row(one.id).is_none() {
            return Err(format!("{number} is no agent"));
        }
        if let Some(to) = one.sent_to() {
            ready(world, one.planner, one.ground)?;
            one.to.map_or(Ok(()), |to| on_map(world, to))?;
            if !(one.goal.is_finite() && to.is_finite() && one.place.is_none()) {
                return Err(format!("{number} goes nowhere"));
            }
            continue;
        }
        let course = travels.courses.get(one.journey.0 as usize).ok_or(format!("{number} has no journey"))?;
        let stop = course.stops.get(one.stop as usize).ok_or(format!("{number} is at no stop"))?;
        ready(world, one.planner, one.ground)?;
        one.to.map_or(Ok(()), |to| on_map(world, to))?;
        if !one.goal.is_finite() {
            return Err(format!("{number} goes nowhere"));
        }
        if let Some((at, place)) = one.place {
            let holder = course.stops.get(at as usize).and_then(|at| at.taken.get(place as usize));
            if holder != Some(&one.id) {
                return Err(format!("{number} is in the place of another"));
            }
        }
        if one.state != TravelState::New {
            targeted[one.journey.0 as usize][one.stop as usize].0 += 1;
        }
        let lined = matches!(one.state, TravelState::Lined { .. } | TravelState::Gathers | TravelState::Outside);
        if lined != stop.line.contains(&one.id) {
            return Err(format!("{number} stands in line and does not"));
        }
        targeted[one.journey.0 as usize][one.stop as usize].1 += usize::from(lined);
    }
    for (course, targeted) in travels.courses.iter().zip(targeted) {
        for (stop, (targeted, lined)) in course.stops.iter().zip(targeted) {
            let known = |id: &AgentId| travels.travellers.get(&id.slot).is_some_and(|one| one.id == *id);
            let taken = stop.taken.iter().filter(|&&id| id != AgentId::NONE).all(known);
            if stop.targeted != targeted || stop.line.len() != lined || !taken {
                return Err("the agents at a stop are not the agents that go there".into());
            }
        }
    }
    Ok(())
}

/// Routes are held as often as they say.
fn holders(world: &World) -> Result<(), String> {
    let mut found = Vec::new();
    let agent_routes = world.state.crowd.slots.follower.iter().map(|follower| follower.route);
    for route in
        agent_routes.chain(world.state.squads.iter().map(|squad| squad.route)).chain(world.state.requests.routes())
    {
        if route != RouteId::NONE {
            found.push(route);
        }
    }
    found.sort_unstable();
    let mut known = world.state.routes.ids();
    for held in found.chunk_by(|a, b| a == b) {
        if known.next() != Some(held[0]) || world.state.routes.holders(held[0]) as usize != held.len() {
            return Err(format!("{:?} is held by {} and says otherwise", held[0], held.len()));
        }
    }
    known.next().map_or(Ok(()), |route| Err(format!("{route:?} is held by none and says otherwise")))
}
