//! How a battle ends.

use super::parts::{State, army_mask};
use super::{ArmyId, Settings, Verdict};
use crate::battle::Relations;

/// Reads armies, missions and triggers; writes the verdict. An army wins that has done all its missions, or has no living enemy; if no
/// army is left, or the time is up, it is a draw. Global: counts.
pub(super) fn decide(settings: &Settings, state: &mut State) {
    if state.verdict.is_some() {
        return;
    }
    let done = state.advance_missions(settings);
    state.verdict = winner(done, &state.relations);
    if state.verdict.is_some() || !state.has_opponents() {
        return;
    }
    let (coming, is_known) = state.armies_to_come(settings);
    let lives = |&army: &usize| state.armies[army].alive > 0 || coming >> army & 1 == 1;
    let standing = army_mask((0..state.armies.len()).filter(lives));
    let all = army_mask(0..state.armies.len());
    // Neutral ones have nothing to win.
    let fought = |army: &ArmyId| army.is_in(standing) && state.relations.enemies(*army) & all != 0;
    state.verdict = if !state.relations.has_enmity(standing) && is_known {
        let winner = (0..state.armies.len() as u8).map(ArmyId).find(fought);
        Some(winner.map_or(Verdict::Draw, Verdict::Winner))
    } else if state.tick >= settings.max_ticks {
        Some(Verdict::Draw)
    } else {
        None
    };
}

/// The winner by objectives that are done; `None` where there is none.
fn winner(done: u16, relations: &Relations) -> Option<Verdict> {
    let first = done.trailing_zeros() as u8;
    match done {
        0 => None,
        // Both at once.
        _ if relations.has_enmity(done) => Some(Verdict::Draw),
        _ => Some(Verdict::Winner(ArmyId(first))),
    }
}
