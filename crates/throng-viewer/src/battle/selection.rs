//! What is selected, and how it changes.

use std::collections::BTreeSet;
use throng_sim::world::{ArmyId, Frame, SquadId, UnitId};

/// How a squad that was clicked changes the selection.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pick {
    /// It alone.
    Only,
    /// It too, or no longer.
    Toggle,
    /// All of its kind and army that are seen; they too, where others are to stay.
    Kind { adds: bool },
}

/// The army and the kind of soldier of a squad that has a living member. O(agents) in a recording.
pub(super) fn kind_of(frame: &Frame, squad: SquadId) -> Option<(ArmyId, UnitId)> {
    if let Some(count) = frame.squads.get(squad.index()) {
        return Some((count.army, count.unit));
    }
    let row = frame.squad.iter().position(|&other| other == Some(squad))?;
    Some((*frame.army.get(row)?, *frame.unit.get(row)?))
}

/// The squads of which `is` an agent in a row one. O(agents).
pub(super) fn squads_where(frame: &Frame, is: impl Fn(usize) -> bool) -> BTreeSet<SquadId> {
    let rows = 0..frame.squad.len().min(frame.id.len());
    rows.filter(|&row| is(row)).filter_map(|row| frame.squad[row]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_army_and_unit() {
        let frame = Frame {
            id: vec![0, 1, 2, 3, 4],
            squad: vec![Some(SquadId(0)), Some(SquadId(1)), Some(SquadId(2)), Some(SquadId(3)), None],
            army: [0, 0, 1, 0, 0].map(ArmyId).to_vec(),
            unit: [5, 5, 5, 6, 5].map(UnitId).to_vec(),
            ..Frame::default()
        };
        let (army, unit) = kind_of(&frame, SquadId(1)).unwrap();
        let alike = squads_where(&frame, |row| (frame.army[row], frame.unit[row]) == (army, unit));
        assert_eq!(alike, BTreeSet::from([0, 1].map(SquadId)));
        assert_eq!(kind_of(&frame, SquadId(9)), None);
    }
}
