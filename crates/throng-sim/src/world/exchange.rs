//! Mates, and friends who gather at one place, exchange their posts.

use super::Settings;
use super::parts::{Derived, State, route_view};
use super::posts::OVERLAP;
use crate::battle::{Order, Relations, Squad};
use crate::crowd::{ARRIVAL_RADIUS, Crowd, NEAR_POST, RouteFollower, RouteId, Routes};
use rayon::iter::ParallelIterator;
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Grid, walls};
use throng_spatial::Near;

/// An agent that is near its post, and comes nearer to it at less than this share of its top speed, looks whether the post of a
/// neighbour would be better.
const SLOW_SHARE: f32 = 0.3;

/// An agent that is held up before its post gives it up at so many looks, a second apart; where
/// only mates stand there, later: they may exchange posts yet.
const GIVES_UP: u16 = 3;
const ALONE_GIVES_UP: u16 = 30;

/// A fast agent keeps away from others as far as it goes in such a time (s).
const STEPS_S: f32 = 0.4;

/// One stands before an agent within an angle of its way, of which this is the cosine.
const AHEAD_COSINE: f32 = 0.3;

/// Bodies that are nearer to each other than so many times their radii are in each other's way.
const IN_THE_WAY_RADII: f32 = 1.4;

/// Squads whose places are so near to each other (m) are in each other's way.
const SQUADS_APART_M: f32 = 2.0;

/// Reads neighbours; writes posts: agents that look around in this tick exchange theirs with a neighbour of their
/// squad, or of one of their kind that has been sent to the same place. Local.
///
/// So no agent has to make its way through standing ones. No exchange makes the longer of both ways longer, and each shortens
/// it or both together, so they come to an end.
///
/// O(agents · neighbours / 8).
pub(super) fn exchange(settings: &Settings, grid: &Grid, derived: &Derived, near: &Near, state: &mut State) {
    let State { crowd, squads, soldiers, routes, tick, waking, relations, .. } = state;
    let view = route_view(grid, routes, settings.schedule(*tick));
    let awake = crowd.awake();
    let any = squads.iter().any(has_posts);
    // Else there are no lists of neighbours in this tick.
    if !(any && derived.looks_around(settings)) {
        return;
    }
    let rows = awake.min(near.len());
    // What no exchange changes is asked on all threads.
    let may = |&slot: &usize| {
        let row = crowd.slots.row_of[slot] as usize;
        row < rows && is_slow(crowd, row, slot) && squads.get(crowd.slots.squad[slot] as usize).is_some_and(has_posts)
    };
    let slow: Vec<usize> = view.schedule.par_slots(crowd.slots.follower.len()).filter(may).collect();
    for slot in slow {
        let row = crowd.slots.row_of[slot] as usize;
        let (at, post, radius) = (crowd.rows.position[row], crowd.slots.follower[slot].post, crowd.rows.radius[row]);
        let far = at.distance_squared(post);
        // Most are on their way still, or there.
        let arrived = radius.min(ARRIVAL_RADIUS);
        if !(arrived * arrived..NEAR_POST * NEAR_POST).contains(&far) {
            continue;
        }
        let s = crowd.slots.squad[slot];
        let own_squad = &squads[s as usize];
        let is_mate = |of: u32| of == s || squads.get(of as usize).is_some_and(|other| gather(own_squad, other));
        let gain = |other: usize| {
            let mate = crowd.rows.slot[other] as usize;
            let (there, other_post) = (crowd.rows.position[other], crowd.slots.follower[mate].post);
            let now = far + there.distance_squared(other_post);
            let (own, theirs) = (at.distance_squared(other_post), there.distance_squared(post));
            let gained = now - own - theirs;
            // A mate that stands in the way takes the post behind it, and leaves its own: so they close up.
            let (longest, before) = (own.max(theirs), far.max(there.distance_squared(other_post)));
            let is_better = longest < 0.9 * before || longest <= before && gained > radius * radius;
            let is_free = soldiers.health[mate] > 0.0 && !soldiers.flees(mate);
            let is_worth_it = is_better && is_free && is_mate(crowd.slots.squad[mate]);
            (is_worth_it && view.can_walk(at, other_post, radius)).then_some((gained, mate))
        };
        let gains = near.of(row).iter().filter_map(|&other| gain(other as usize));
        let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        let held_up = crowd.slots.rest[slot].held_up;
        let is_patient = || held_up < ALONE_GIVES_UP && !is_crowded(squads, s as usize, relations);
        if best.is_none()
            && held_up >= GIVES_UP
            && own_squad.goal.is_some()
            && !is_patient()
            && is_shut_out(crowd, squads, near.of(row), row, settings.step)
            && walls::is_clear(grid, at, radius)
            && view.can_walk(at, post, radius)
        {
            crowd.slots.follower[slot].post = at;
            ends_at_post(routes, &mut crowd.slots.follower[slot]);
            squads[s as usize].reaches(at);
        }
        if let Some((_, other)) = best {
            let theirs = std::mem::replace(&mut crowd.slots.follower[other].post, post);
            crowd.slots.follower[slot].post = theirs;
            redirect(crowd, settings.step, slot, (post, theirs));
            redirect(crowd, settings.step, other, (theirs, post));
            ends_at_post(routes, &mut crowd.slots.follower[slot]);
            let there = crowd.slots.row_of[other] as usize;
            if view.can_walk(crowd.rows.position[there], post, crowd.rows.radius[there]) {
                ends_at_post(routes, &mut crowd.slots.follower[other]);
            }
            if crowd.slots.squad[other] != s {
                squads[s as usize].reaches(theirs);
                squads[crowd.slots.squad[other] as usize].reaches(post);
            }
            waking.push(other as u32);
        }
    }
}

/// Turns the preferred velocity of this tick of an agent that was to walk to its old post (m) to its new one: else two would change places, and
/// exchange again.
fn redirect(crowd: &mut Crowd, step: f32, slot: usize, (old, new): (Vec2, Vec2)) {
    let row = crowd.slots.row_of[slot] as usize;
    if crowd.slots.aim[slot].point == old && row < crowd.awake() {
        let way = new - crowd.rows.position[row];
        let most = crowd.rows.preferred_velocity[row].length().min(way.length() / step);
        crowd.slots.aim[slot].point = new;
        crowd.rows.preferred_velocity[row] = unit(way) * most;
    }
}

/// Sends an agent that sees its new post there, and not first to the points of its route that are left: else it would leave the post
/// again and again to walk to them.
fn ends_at_post(routes: &Routes, follower: &mut RouteFollower) {
    // By a flow field this is a cell, and a post in sight comes first. One that goes round others sees its post past them.
    if follower.route != RouteId::NONE && !follower.goes_round {
        follower.waypoint_index = routes.points(follower.route).len() as u32;
    }
}

/// True where any member may take the post of any other.
fn has_posts(squad: &Squad) -> bool {
    (squad.goal.is_some() || squad.order == Order::Hold) && squad.ranks.is_none()
}

/// True for squads of one kind that have been sent to one place.
fn gather(one: &Squad, other: &Squad) -> bool {
    let (Some(goal), Some(there)) = (one.goal, other.goal) else { return false };
    let reach = one.extent + other.extent;
    let is_alike = (one.army, one.unit) == (other.army, other.unit);
    is_alike && one.ranks.is_none() && other.ranks.is_none() && goal.distance_squared(there) < reach * reach
}

/// True where others that are at their posts, and were sent there or are at the place of its squad, stand before an agent on its straight way to its own (m), but do
/// not overlap it: it may stay beside them.
fn is_shut_out(crowd: &Crowd, squads: &[Squad], near: &[u32], row: usize, step: f32) -> bool {
    let (at, radius) = (crowd.rows.position[row], crowd.rows.radius[row]);
    let own = crowd.slots.squad[crowd.rows.slot[row] as usize];
    let ahead = unit(crowd.slots.follower[crowd.rows.slot[row] as usize].post - at);
    let blind = step.max(STEPS_S) * crowd.rows.top_speed[row];
    let (middle, extent) = squads[own as usize].place();
    let (mut is_before, mut is_apart) = (false, true);
    for &other in near {
        let other = other as usize;
        let (way, reach) = (crowd.rows.position[other] - at, radius + crowd.rows.radius[other]);
        let distance = way.length();
        let slot = crowd.rows.slot[other] as usize;
        let post = crowd.slots.follower[slot].post;
        let is_held = crowd.slots.squad[slot] != own
            && squads.get(crowd.slots.squad[slot] as usize).is_some_and(|squad| squad.order.stays());
        is_apart &= distance > OVERLAP * reach && !(is_held && post.distance(at) < OVERLAP * reach);
        let off = post.distance(crowd.rows.position[other]);
        // Bodies on the way, as a vehicle in a door, hold an agent up elsewhere.
        let was_sent = squads.get(crowd.slots.squad[slot] as usize).is_some_and(|squad| !squad.order.stays());
        let is_there = was_sent || crowd.rows.position[other].distance(middle) < extent + reach + SQUADS_APART_M;
        let stands = is_there && off < crowd.rows.radius[other].max(ARRIVAL_RADIUS);
        is_before |= stands && distance < IN_THE_WAY_RADII * reach + blind && way.dot(ahead) > AHEAD_COSINE * distance;
    }
    is_before && is_apart
}

/// True where friends of other squads have their places where this squad has its own.
fn is_crowded(squads: &[Squad], s: usize, relations: &Relations) -> bool {
    let enemies = relations.enemies(squads[s].army);
    let is_friend = |o: usize, other: &Squad| o != s && !other.army.is_in(enemies) && other.has_place();
    squads.iter().enumerate().any(|(o, other)| is_friend(o, other) && share_place(&squads[s], other))
}

/// True for squads whose places are so near to each other that they are in each other's way.
pub(super) fn share_place(one: &Squad, other: &Squad) -> bool {
    let ((middle, extent), (there, reach)) = (one.place(), other.place());
    middle.distance(there) < extent + reach + SQUADS_APART_M
}

/// True for an agent that hardly moves, or has been held up and comes no nearer to its post.
fn is_slow(crowd: &Crowd, row: usize, slot: usize) -> bool {
    let (velocity, way) = (crowd.rows.velocity[row], crowd.slots.follower[slot].post - crowd.rows.position[row]);
    let slow = SLOW_SHARE * crowd.rows.top_speed[row];
    velocity.length_squared() < slow * slow || crowd.slots.rest[slot].held_up > 0 && velocity.dot(unit(way)) < slow
}
