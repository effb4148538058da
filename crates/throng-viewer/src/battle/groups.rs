//! Control groups: selections that are kept under the digits 1 to 9.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};
use throng_sim::world::SquadId;

/// A digit that is pressed again within this time moves the camera to its group.
const DOUBLE_PRESS_TIME: Duration = Duration::from_millis(400);

/// What a digit does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum GroupUse {
    /// Keeps the selection under it.
    Store,
    /// Selects what is kept.
    Select,
    /// Adds that to the selection.
    Add,
}

/// The squads under each digit.
#[derive(Debug, Default)]
pub(crate) struct ControlGroups {
    groups: [BTreeSet<SquadId>; 9],
    /// The digit that was selected last, and when.
    last: Option<(u8, Instant)>,
}

impl ControlGroups {
    fn index(number: u8) -> usize {
        usize::from(number.clamp(1, 9)) - 1
    }

    /// Keeps squads under a digit of 1 to 9.
    pub fn store(&mut self, number: u8, squads: &BTreeSet<SquadId>) {
        self.groups[Self::index(number)].clone_from(squads);
    }

    /// True where no digit has a squad.
    pub fn is_empty(&self) -> bool {
        self.groups.iter().all(BTreeSet::is_empty)
    }

    /// The squads under a digit.
    pub fn squads(&self, number: u8) -> &BTreeSet<SquadId> {
        &self.groups[Self::index(number)]
    }

    /// The lowest digit that a squad is kept under.
    pub fn number_of(&self, squad: SquadId) -> Option<u8> {
        (1..=9).find(|&number| self.squads(number).contains(&squad))
    }

    /// Notes that a digit was pressed; true where it was twice quickly.
    pub fn is_twice(&mut self, number: u8, now: Instant) -> bool {
        let twice =
            self.last.is_some_and(|(last, then)| last == number && now.duration_since(then) <= DOUBLE_PRESS_TIME);
        self.last = (!twice).then_some((number, now));
        twice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_group_keeps_its_squads_until_others_are_stored() {
        let mut groups = ControlGroups::default();
        groups.store(3, &BTreeSet::from([4, 9].map(SquadId)));
        groups.store(5, &BTreeSet::from([9, 11].map(SquadId)));
        assert_eq!(
            (groups.number_of(SquadId(9)), groups.number_of(SquadId(11)), groups.number_of(SquadId(1))),
            (Some(3), Some(5), None)
        );
        groups.store(3, &BTreeSet::new());
        assert_eq!((groups.number_of(SquadId(9)), groups.squads(3).len()), (Some(5), 0));
    }

    #[test]
    fn only_a_digit_that_comes_again_quickly_counts_twice() {
        let (mut groups, now) = (ControlGroups::default(), Instant::now());
        let later = |millis| now + Duration::from_millis(millis);
        assert!(!groups.is_twice(2, now));
        assert!(!groups.is_twice(3, later(100)));
        assert!(groups.is_twice(3, later(300)));
        assert!(!groups.is_twice(3, later(400)), "the third press begins anew");
        assert!(!groups.is_twice(3, later(900)));
    }
}
