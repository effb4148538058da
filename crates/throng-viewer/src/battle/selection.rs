//! What is selected, and how it changes.

use std::collections::BTreeSet;
use throng_sim::world::Frame;

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
pub(super) fn kind_of(frame: &Frame, squad: u32) -> Option<(u8, u16)> {
    if let Some(count) = frame.squads.get(squad as usize) {
        return Some((count.army, count.unit));
    }
    let row = frame.squad.iter().position(|&other| other == squad)?;
    Some((*frame.army.get(row)?, *frame.unit.get(row)?))
}

/// The squads of which `is` an agent in a row one. O(agents).
pub(super) fn squads_where(frame: &Frame, is: impl Fn(usize) -> bool) -> BTreeSet<u32> {
    let rows = 0..frame.squad.len().min(frame.id.len());
    rows.filter(|&row| frame.squad[row] != u32::MAX && is(row)).map(|row| frame.squad[row]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_told_apart_by_army_and_unit() {
        let frame = Frame {
            id: vec![0, 1, 2, 3, 4],
            squad: vec![0, 1, 2, 3, u32::MAX],
            army: vec![0, 0, 1, 0, 0],
            unit: vec![5, 5, 5, 6, 5],
            ..Frame::default()
        };
        let (army, unit) = kind_of(&frame, 1).unwrap();
        let alike = squads_where(&frame, |row| (frame.army[row], frame.unit[row]) == (army, unit));
        assert_eq!(alike, BTreeSet::from([0, 1]));
        assert_eq!(kind_of(&frame, 9), None);
    }
}
