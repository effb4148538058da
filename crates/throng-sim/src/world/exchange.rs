//! Mates exchange their posts.

use super::Settings;
use super::parts::{Derived, Scratch, State, route_view};
use crate::battle::Squad;
use rayon::iter::ParallelIterator;
use throng_grid::Grid;

/// An agent that is so near to its post (m), and slower than this share of its top speed, looks whether the post of a
/// neighbour would be better.
const NEAR: f32 = 20.0;
const SLOW: f32 = 0.3;

/// Reads neighbours; writes posts: agents that look around in this tick exchange theirs with a neighbour of their squad. Local.
///
/// So no agent has to make its way through standing ones. No exchange makes the longer of both ways longer, and each shortens
/// it or both together, so they come to an end.
///
/// O(agents · neighbours / 8).
pub(super) fn exchange(settings: &Settings, grid: &Grid, derived: &Derived, scratch: &Scratch, state: &mut State) {
    let State { crowd, squads, soldiers, routes, tick, waking, .. } = state;
    let view = route_view(grid, routes, settings.schedule(*tick));
    let awake = crowd.awake();
    let any = squads.iter().any(|squad| squad.goal.is_some() && squad.ranks.is_none());
    // Else there are no lists of neighbours in this tick.
    if !(any && derived.looks_around(settings)) {
        return;
    }
    let rows = awake.min(scratch.near.len());
    let walks_alone = |squad: &Squad| squad.goal.is_none() || squad.ranks.is_some();
    // What no exchange changes is asked on all threads.
    let may = |&slot: &usize| {
        let row = crowd.row_of[slot] as usize;
        row < rows
            && crowd.velocity[row].length() < SLOW * crowd.top_speed[row]
            && !squads.get(crowd.squad[slot] as usize).is_none_or(walks_alone)
    };
    let slow: Vec<usize> = view.schedule.par_slots(crowd.follower.len()).filter(may).collect();
    for slot in slow {
        let row = crowd.row_of[slot] as usize;
        let (at, post, radius) = (crowd.position[row], crowd.follower[slot].post, crowd.radius[row]);
        let far = at.distance_squared(post);
        // Most are on their way still, or there.
        if !(radius * radius..NEAR * NEAR).contains(&far) {
            continue;
        }
        let s = crowd.squad[slot];
        let gain = |other: usize| {
            let mate = crowd.slot[other] as usize;
            let (there, other_post) = (crowd.position[other], crowd.follower[mate].post);
            let now = far + there.distance_squared(other_post);
            let (own, theirs) = (at.distance_squared(other_post), there.distance_squared(post));
            let gained = now - own - theirs;
            // A mate that stands in the way takes the post behind it, and leaves its own: so they close up.
            let (longest, before) = (own.max(theirs), far.max(there.distance_squared(other_post)));
            let is_better = longest < 0.9 * before || longest <= before && gained > radius * radius;
            let is_free = soldiers.health[mate] > 0.0 && !soldiers.flees(mate);
            let is_worth_it = crowd.squad[mate] == s && is_better && is_free;
            (is_worth_it && view.can_walk(at, other_post, radius)).then_some((gained, mate))
        };
        let gains = scratch.near.of(row).iter().filter_map(|&other| gain(other as usize));
        let best = gains.max_by(|a, b| a.0.total_cmp(&b.0).then(b.1.cmp(&a.1)));
        if let Some((_, other)) = best {
            let theirs = std::mem::replace(&mut crowd.follower[other].post, post);
            crowd.follower[slot].post = theirs;
            waking.push(other as u32);
        }
    }
}
