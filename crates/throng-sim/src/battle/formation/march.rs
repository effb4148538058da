//! Squads march in formation: an imagined leader walks along the route, and each member keeps its place around it.

use super::line::Line;
use super::ranks::{Ranks, Stage};
use super::room::{Stretch, Terrain};
use super::trail::Trail;
use crate::battle::squad::middle_of;
use crate::battle::{RouteState, Soldiers, Squad, Unit};
use crate::crowd::{ARRIVAL_RADIUS, Crowd, RouteId, RouteView, waypoints};
use rayon::prelude::*;
use std::sync::Arc;
use throng_grid::geom::{Vec2, unit as direction};
use throng_grid::{Ground, pace, walls};

/// The leader walks a little slower than its people, so that they can keep up.
const LEAD: f32 = 0.95;

/// A squad marches as fast as it can where so many are in their places, and waits where no more than so many are.
const IN_PLACE: [f32; 2] = [0.5, 0.85];

/// It waits no longer than this (s), then goes on at half its speed.
const WAIT: f32 = 8.0;

/// After so long without an enemy in sight (s) it forms up again.
const CALM_S: f32 = 2.0;

/// It becomes thinner so far before it has to (m), and broader only where it could stay so for so much further (m).
const MARGIN: [f32; 2] = [3.0, 4.0];

/// It does not become broader sooner than this after it was made thinner (s).
const BROADER_AFTER: f32 = 1.5;

/// If a member has not reached its place for this time (s), places are given out anew: the nearest member takes it.
const EXCHANGE: f32 = 4.0;

/// A squad is drawn up on its line from so far away, beside half of its width and its depth (m).
const DRAW_UP_M: f32 = 6.0;

/// In larger squads that would take too long, and one member out of its place is not seen.
const MAX_EXCHANGED: usize = 256;

/// The cosine of a turn on the march; on a sharper one all members take the nearest place rather than wheel.
const WHEELS: f32 = 0.0;

/// The cosine of a turn before the march after which all turn about where they stand, rather than wheel.
const ABOUT: f32 = 0.2;

/// All that a march reads.
#[derive(Clone, Copy, Debug)]
pub struct FormationView<'a> {
    /// The map, the routes, the clock.
    pub view: RouteView<'a>,
    /// Kinds of soldiers.
    pub units: &'a [Unit],
    /// The grounds of squads.
    pub grounds: &'a [Arc<Ground>],
    /// Length of a tick (s).
    pub step: f32,
}

/// Moves the places of squads in formation on, and writes them as the posts of their members. Sleeping members that are to
/// move go to `waking`. Squads without a formation are passed over.
///
/// The middle of a squad goes along its route, at the speed of its slowest member, less a share for members that have to
/// catch up. No place moves faster than a soldier, so that a front wheels. O(members).
pub fn march(
    country: &FormationView<'_>,
    squads: &mut [Squad],
    soldiers: &Soldiers,
    crowd: &mut Crowd,
    waking: &mut Vec<u32>,
) {
    squads.par_iter_mut().enumerate().for_each(|(s, squad)| {
        if let Some(mut ranks) = squad.ranks.take() {
            advance(country, soldiers, crowd, s, squad, &mut ranks);
            squad.ranks = Some(ranks);
        }
    });
    let awake = crowd.awake();
    for (s, squad) in squads.iter_mut().enumerate() {
        let Some(ranks) = squad.ranks.as_deref_mut() else { continue };
        // A member that has got a route of its own has got a post with it.
        let looks = looks(country, s) && ranks.stage == Stage::Marches;
        if !(std::mem::take(&mut ranks.moved) || looks) {
            continue;
        }
        for (&id, &place) in ranks.posted.iter().zip(&ranks.places) {
            let Some(row) = crowd.row(id) else { continue };
            let post = &mut crowd.slots.follower[id.slot as usize].post;
            if *post != place {
                *post = place;
                if row >= awake {
                    waking.push(id.slot);
                }
            }
        }
    }
}

/// Squads look about them in turns.
fn looks(country: &FormationView<'_>, s: usize) -> bool {
    country.view.schedule.is_due(s)
}

fn advance(
    country: &FormationView<'_>,
    soldiers: &Soldiers,
    crowd: &Crowd,
    s: usize,
    squad: &Squad,
    ranks: &mut Ranks,
) {
    if squad.members.is_empty() || squad.order.journey().is_some() {
        ranks.stage = Stage::Waits;
        ranks.fresh = true;
        return;
    }
    let (view, unit) = (&country.view, &country.units[squad.unit.index()]);
    let (terrain, radius) = (Terrain { grid: view.grid, clearance: view.clearance }, unit.radius);
    let has_way = squad.route != RouteId::NONE || squad.field.is_some();
    if !has_way && matches!(ranks.stage, Stage::Marches | Stage::Fights { .. }) {
        ranks.stage = Stage::Waits;
        ranks.fresh = true;
    }
    if ranks.fresh && has_way && stands_in_line(squad, ranks) {
        // Another way to where it stands.
        ranks.fresh = false;
    }
    if ranks.fresh {
        let stays = matches!(squad.route_state, RouteState::None | RouteState::Unreachable { .. });
        if !(has_way || stays) {
            return;
        }
        ranks.fresh = false;
        form_up(country, crowd, squad, ranks, has_way);
    }
    ranks.refresh(terrain, radius);
    let looks = looks(country, s);
    if looks {
        ranks.close_up(terrain, radius, crowd);
        if has_way {
            mind_enemies(country, soldiers, crowd, ranks);
        }
    }
    if looks && ranks.stage == Stage::Stands && ranks.astray {
        look(country, crowd, unit, ranks);
        exchange(country, terrain, unit, crowd, ranks);
    }
    if ranks.stage != Stage::Marches || ranks.posted.is_empty() {
        return;
    }
    if looks && ranks.line.is_none() {
        draw_up(country, terrain, unit, crowd, squad, ranks);
    }
    if ranks.line.is_some() {
        if looks {
            look(country, crowd, unit, ranks);
            exchange(country, terrain, unit, crowd, ranks);
        }
        return;
    }
    if looks {
        look(country, crowd, unit, ranks);
        thin(country, terrain, unit, crowd, ranks);
        exchange(country, terrain, unit, crowd, ranks);
    }
    step(country, unit, ranks);
}

/// True where a squad has been drawn up on the line of its present order.
fn stands_in_line(squad: &Squad, ranks: &Ranks) -> bool {
    let is_there = |line: &Line| match squad.order.front() {
        Some(front) => front == line.front && squad.goal == Some(line.centre),
        None => squad.goal == Some(line.front.centre),
    };
    ranks.stage == Stage::Marches && ranks.line.as_ref().is_some_and(is_there)
}

/// Draws a squad up where it is sent to, once it is time: each member takes the place there to which the ways are shortest.
fn draw_up(
    country: &FormationView<'_>,
    terrain: Terrain<'_>,
    unit: &Unit,
    crowd: &Crowd,
    squad: &Squad,
    ranks: &mut Ranks,
) {
    let line = match (squad.order.front(), squad.goal) {
        (Some(front), Some(centre)) => line_in_sight(terrain, unit, ranks, Line { centre, front }),
        (_, Some(goal)) => line_at(terrain, unit, ranks, goal),
        _ => None,
    };
    let Some(line) = line else { return };
    let ahead = line.front.ahead();
    ranks.line = Some(line);
    ranks.trail = Trail::stand(line.centre - ahead * ranks.full.front(), ahead);
    ranks.rooms.reset(terrain, &ranks.trail, unit.radius, true);
    reform(country, terrain, unit, crowd, ranks, None);
    ranks.at = 0.0;
}

/// The line of its order, once that is near and in sight, or its way ends.
fn line_in_sight(terrain: Terrain<'_>, unit: &Unit, ranks: &Ranks, line: Line) -> Option<Line> {
    let (at, centre) = (ranks.centre(), line.centre);
    let reach = 0.5 * ranks.full.width() + ranks.full.depth() + DRAW_UP_M;
    let is_near = at.distance_squared(centre) < reach * reach
        && walls::line_of_sight(terrain.grid, terrain.clearance, at, centre, unit.radius);
    (is_near || ranks.has_come()).then_some(line)
}

/// The line on which a squad stands around its `goal` (m), once its front is there, where it has no room along its way.
fn line_at(terrain: Terrain<'_>, unit: &Unit, ranks: &Ranks, goal: Vec2) -> Option<Line> {
    let end = ranks.trail.length();
    let has_no_room = ranks.files.is_some() || ranks.is_cramped;
    let is_there = ranks.at + ranks.layout.front() >= end && ranks.trail.point(end) == goal;
    (has_no_room && is_there).then(|| {
        // Not the direction of the last step alone.
        let before = ranks.trail.point(end - 0.5 * ranks.full.width() - 1.0);
        let ahead = if before == goal { ranks.heading() } else { direction(goal - before) };
        Line::around(terrain, &ranks.full, ranks.formation.spacing, unit.radius, (goal, ahead))
    })
}

/// The time since a tick (s).
fn since(country: &FormationView<'_>, tick: u64) -> f32 {
    country.view.schedule.tick.saturating_sub(tick) as f32 * country.step
}

/// True where `files` are fewer than the squad has abreast.
fn is_thinner(files: Option<u32>, ranks: &Ranks) -> bool {
    match (files, ranks.files) {
        (Some(files), Some(now)) => files < now,
        (files, now) => files.is_some() && now.is_none(),
    }
}

/// How many may be abreast with so much room ahead of the front; also where the rear is now.
fn fit(terrain: Terrain<'_>, ranks: &mut Ranks, margin: f32) -> Option<u32> {
    let Ranks { rooms, trail, formation, full, layout, at, .. } = ranks;
    let front = *at + layout.front();
    let stretch = Stretch { front, rear: front - layout.depth(), margin };
    rooms.fit(terrain, trail, formation, full, stretch)
}

/// Fewer abreast before a narrow place, more behind it, once all are there.
fn thin(country: &FormationView<'_>, terrain: Terrain<'_>, unit: &Unit, crowd: &Crowd, ranks: &mut Ranks) {
    let files = fit(terrain, ranks, MARGIN[0]);
    let broader = files != ranks.files && !is_thinner(files, ranks);
    let files = if broader {
        let ready = ranks.haste[0] >= 1.0 && since(country, ranks.thinned) > BROADER_AFTER;
        let later = if ready { fit(terrain, ranks, MARGIN[0] + MARGIN[1]) } else { ranks.files };
        if is_thinner(later, ranks) { ranks.files } else { later }
    } else {
        files
    };
    if files != ranks.files {
        reform(country, terrain, unit, crowd, ranks, files);
    }
}

/// If a member does not get to its place for a while, a small squad gives out its places anew. If none
/// changes, since the member cannot get past others, the nearest of them goes there for it.
fn exchange(country: &FormationView<'_>, terrain: Terrain<'_>, unit: &Unit, crowd: &Crowd, ranks: &mut Ranks) {
    let few = ranks.posted.len() <= MAX_EXCHANGED;
    if few && ranks.astray && ranks.haste[0] > 0.0 && since(country, ranks.changed) > EXCHANGE {
        let before = ranks.posted.clone();
        ranks.take_order(terrain, unit.radius, crowd, ranks.files);
        if ranks.posted == before && ranks.has_come() {
            ranks.make_way(crowd);
        }
        ranks.changed = country.view.schedule.tick;
    }
}

fn reform(
    country: &FormationView<'_>,
    terrain: Terrain<'_>,
    unit: &Unit,
    crowd: &Crowd,
    ranks: &mut Ranks,
    files: Option<u32>,
) {
    let furthest = ranks.take_order(terrain, unit.radius, crowd, files);
    (ranks.changed, ranks.thinned) = (country.view.schedule.tick, country.view.schedule.tick);
    ranks.haste[0] = 0.0;
    ranks.astray = true;
    // Twice the time of the member that has furthest to go.
    ranks.waited = [0.0, WAIT + 2.0 * furthest / unit.speed.max(0.1)];
}

/// Gives each member a place: around the middle of all where there is nowhere to go, else along the way.
fn form_up(country: &FormationView<'_>, crowd: &Crowd, squad: &Squad, ranks: &mut Ranks, has_way: bool) {
    let (view, unit) = (&country.view, &country.units[squad.unit.index()]);
    let terrain = Terrain { grid: view.grid, clearance: view.clearance };
    ranks.line = None;
    let marches = ranks.stage == Stage::Marches && has_way;
    let heading = ranks.heading();
    if ranks.posted.is_empty() {
        ranks.posted.clone_from(&squad.members);
    }
    ranks.posted.retain(|&id| crowd.row(id).is_some());
    if !marches {
        ranks.trail = Trail::stand(middle(crowd, ranks), heading);
        ranks.at = 0.0;
    }
    ranks.stage = if has_way { Stage::Marches } else { Stage::Stands };
    if has_way {
        let sees = |a: Vec2, b: Vec2| walls::line_of_sight(view.grid, view.clearance, a, b, unit.radius);
        let way = way(country, squad);
        // The ranks behind go on along the old way.
        let mut keep = if marches { ranks.layout.depth() + ranks.reach() } else { 0.0 };
        let mut trail = ranks.trail.turned(ranks.at, keep, &way, sees);
        if marches && heading.dot(trail.tangent(ranks.at.clamp(0.0, keep) + 0.1, 0.1)) < WHEELS {
            // They turn about where they stand, so that the front is behind.
            let back = ranks.trail.back(ranks.at, ranks.layout.depth());
            (ranks.at, keep) = (back.length(), back.length());
            trail = back.turned(ranks.at, keep, &way, sees);
        }
        ranks.at = ranks.at.clamp(0.0, keep);
        ranks.trail = trail;
    }
    ranks.rooms.reset(terrain, &ranks.trail, unit.radius, true);
    let ahead = ranks.trail.tangent(ranks.at + 0.1, 0.1);
    let wheels = heading.dot(ahead);
    if !marches && wheels < ABOUT {
        ranks.trail.set_tail(ahead);
    }
    ranks.moved = true;
    ranks.refresh(terrain, unit.radius);
    ranks.lay(terrain, unit.radius);
    if !marches || wheels < WHEELS {
        let files = fit(terrain, ranks, MARGIN[0]);
        reform(country, terrain, unit, crowd, ranks, files);
    }
}

/// The mean of the places of the living members (m).
fn middle(crowd: &Crowd, ranks: &Ranks) -> Vec2 {
    middle_of(ranks.posted.iter().filter_map(|&id| crowd.row(id)).map(|row| crowd.rows.position[row]))
}

/// The points of the way of a squad, in the middle; the last is its goal, where the way leads there.
fn way(country: &FormationView<'_>, squad: &Squad) -> Vec<Vec2> {
    let ground = &country.grounds[usize::from(squad.ground)];
    let mut points: Vec<Vec2>;
    if let Some(field) = &squad.field {
        let (lattice, mut cells) = (field.lattice(), Vec::new());
        let mut cell = lattice.at(squad.middle);
        cells.push(cell);
        while let Some(next) = field.next(cell) {
            cells.push(next);
            cell = next;
        }
        let mut bare = Vec::new();
        waypoints(ground, country.view.clearance, &cells, cell, ground.radius(), 0.0, &mut bare);
        points = bare.iter().map(|point| point.at).collect();
    } else {
        points = country.view.routes.points(squad.route).iter().map(|point| point.at).collect();
    }
    if let (RouteState::Walked { to }, Some(goal)) = (squad.route_state, squad.goal)
        && points.last() == Some(&ground.lattice().centre(to))
    {
        // The middle of its cell lies beside the straight way to it.
        let before = points.len().checked_sub(2).map_or(squad.middle, |i| points[i]);
        if walls::line_of_sight(country.view.grid, country.view.clearance, before, goal, ground.radius()) {
            points.pop();
        }
        points.push(goal);
    }
    points
}

/// A member with an enemy in sight sets all free to fight; after a while without one, they form up again.
fn mind_enemies(country: &FormationView<'_>, soldiers: &Soldiers, crowd: &Crowd, ranks: &mut Ranks) {
    let tick = country.view.schedule.tick;
    let charges = |slot: usize| crowd.slots.follower[slot].charges && crowd.row(soldiers.target(slot)).is_some();
    let meets = ranks.posted.iter().any(|&id| crowd.row(id).is_some() && charges(id.slot as usize));
    match ranks.stage {
        _ if meets => {
            if ranks.stage == Stage::Marches {
                // A member without an enemy goes on to the end of the way.
                let terrain = Terrain { grid: country.view.grid, clearance: country.view.clearance };
                let radius =
                    ranks.posted.iter().find_map(|&id| crowd.row(id)).map_or(0.0, |row| crowd.rows.radius[row]);
                ranks.line = None;
                ranks.at = ranks.trail.length();
                ranks.lay(terrain, radius);
                ranks.moved = true;
            }
            ranks.stage = Stage::Fights { seen: tick };
        }
        Stage::Fights { seen } if since(country, seen) > CALM_S => ranks.fresh = true,
        _ => {}
    }
}

/// How many are in their places, and how fast the slowest of them is there.
fn look(country: &FormationView<'_>, crowd: &Crowd, unit: &Unit, ranks: &mut Ranks) {
    let near = (0.75 * ranks.formation.spacing).max(unit.radius);
    let hills = country.view.grid.height_layer().map(|_| country.view.grid);
    let heading = ranks.heading();
    // Where it stays, a member is in its place that has arrived there.
    let there = if ranks.has_come() { ARRIVAL_RADIUS } else { near };
    let (mut count, mut in_place, mut there_count, mut slowest) = (0, 0, 0, f32::INFINITY);
    for (&id, place) in ranks.posted.iter().zip(&ranks.places) {
        let Some(row) = crowd.row(id) else { continue };
        let at = crowd.rows.position[row];
        count += 1;
        in_place += u32::from(at.distance_squared(*place) < near * near);
        there_count += u32::from(at.distance_squared(*place) < there * there);
        let slope = hills.map_or(1.0, |hills| pace(hills.slope(at, heading)));
        let own =
            if unit.speed_spread > 0.0 { unit.speed_of(country.view.schedule.seed, id) / unit.speed } else { 1.0 };
        slowest = slowest.min(slope * own);
    }
    let slowest = if count > 0 { slowest } else { 1.0 };
    ranks.astray = there_count < count;
    let share = in_place as f32 / count.max(1) as f32;
    let [none, all] = IN_PLACE;
    ranks.haste = [((share - none) / (all - none)).clamp(0.0, 1.0), slowest];
}

/// Moves the places on along the trail.
fn step(country: &FormationView<'_>, unit: &Unit, ranks: &mut Ranks) {
    let terrain = Terrain { grid: country.view.grid, clearance: country.view.clearance };
    let left = ranks.trail.length() - ranks.at;
    if left <= 0.0 {
        return;
    }
    let [share, slopes] = ranks.haste;
    let [waited, patience] = ranks.waited;
    // A member that cannot come is not waited for for ever.
    let share = if waited > patience { share.max(0.5) } else { share };
    ranks.waited[0] = if ranks.haste[0] < 0.5 { waited + country.step } else { 0.0 };
    let walked = unit.speed * slopes * country.step;
    let ahead = (LEAD * walked * share).min(left);
    if ahead <= 0.0 {
        return;
    }
    let (start, before) = (ranks.at, std::mem::take(&mut ranks.places));
    let mut go = |share: f32| {
        ranks.at = start + ahead * share;
        ranks.lay(terrain, unit.radius);
        let moved = ranks.places.iter().zip(&before).map(|(a, b)| a.distance_squared(*b));
        moved.fold(0.0, f32::max).sqrt()
    };
    // No place runs away from its member: the outer files of a wheel limit the speed.
    let fastest = go(1.0);
    if fastest > walked {
        go((walked / fastest).max(0.2));
    }
    ranks.moved = true;
}
