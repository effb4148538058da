//! The figures of the armies: empty if they are those of the frame before.

use super::bytes::{Bytes, Fault, put};
use throng_sim::world::ArmyCount;

/// The figures of an army so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Figures {
    pub kills: u64,
    /// Tenths of a point.
    pub dealt: u64,
    pub taken: u64,
    /// Those that fled, those that left, and those yet to come.
    pub routed: u64,
    pub left: u64,
    pub coming: u64,
}

/// How many numbers an army has in a format.
fn numbers_in(format: u32) -> usize {
    if format < 4 { 3 } else { 6 }
}

impl Figures {
    pub fn of(army: &ArmyCount) -> Self {
        let [dealt, taken] = [army.dealt, army.taken].map(|points| (points * 10.0).round() as u64);
        let [kills, routed, left, coming] = [army.kills, army.routed, army.left, army.coming].map(u64::from);
        Self { kills, dealt, taken, routed, left, coming }
    }

    fn numbers(&self) -> [u64; 6] {
        [self.kills, self.dealt, self.taken, self.routed, self.left, self.coming]
    }

    fn numbers_mut(&mut self) -> [&mut u64; 6] {
        [&mut self.kills, &mut self.dealt, &mut self.taken, &mut self.routed, &mut self.left, &mut self.coming]
    }

    pub fn into_army(self, army: &mut ArmyCount) {
        let small = |number: u64| u32::try_from(number).unwrap_or(u32::MAX);
        [army.kills, army.routed, army.left, army.coming] =
            [self.kills, self.routed, self.left, self.coming].map(small);
        [army.dealt, army.taken] = [self.dealt, self.taken].map(|tenths| tenths as f64 / 10.0);
        army.walked = 0;
    }
}

/// Writes the figures `now`, after `before`.
pub(super) fn write(now: &[Figures], before: &[Figures], out: &mut Vec<u8>) {
    out.clear();
    let old = |army: usize| before.get(army).copied().unwrap_or_default();
    if now.iter().enumerate().all(|(army, figures)| *figures == old(army)) {
        return;
    }
    for (army, figures) in now.iter().enumerate() {
        for (number, old) in figures.numbers().into_iter().zip(old(army).numbers()) {
            put(out, number.wrapping_sub(old));
        }
    }
}

/// Turns the figures of the frame before into those of this one, with `armies` armies, in a file of a format.
pub(super) fn read(column: &[u8], (format, armies): (u32, usize), figures: &mut Vec<Figures>) -> Result<(), Fault> {
    figures.resize(armies, Figures::default());
    if column.is_empty() {
        return Ok(());
    }
    let mut bytes = Bytes(column);
    for figures in figures {
        for number in figures.numbers_mut().into_iter().take(numbers_in(format)) {
            *number = number.wrapping_add(bytes.number()?);
        }
    }
    bytes.end()
}

#[cfg(test)]
mod tests {
    use super::super::format::FORMAT;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn figures_come_back(frames in prop::collection::vec(prop::collection::vec(any::<[u64; 6]>(), 0..4), 1..6)) {
            let (mut before, mut back, mut column) = (Vec::new(), Vec::new(), Vec::new());
            for frame in frames {
                let figures = |[kills, dealt, taken, routed, left, coming]: [u64; 6]| {
                    Figures { kills, dealt, taken, routed, left, coming }
                };
                let now: Vec<Figures> = frame.into_iter().map(figures).collect();
                write(&now, &before, &mut column);
                read(&column, (FORMAT, now.len()), &mut back).unwrap();
                prop_assert_eq!(&back, &now);
                write(&now, &now, &mut column);
                prop_assert!(column.is_empty());
                before = now;
            }
        }
    }

    #[test]
    fn points_are_kept_to_a_tenth() {
        let army = ArmyCount { kills: 9, dealt: 120.26, taken: 0.04, walked: 5, ..ArmyCount::default() };
        let mut back = ArmyCount { walked: 3, ..ArmyCount::default() };
        Figures::of(&army).into_army(&mut back);
        assert_eq!((back.kills, back.dealt, back.taken, back.walked), (9, 120.3, 0.0, 0));
        assert_eq!(read(&[1, 2], (3, 1), &mut Vec::new()).unwrap_err(), "1 bytes should follow, found 0");
        assert_eq!(read(&[1, 2, 3, 4], (3, 1), &mut Vec::new()).unwrap_err(), "1 bytes too many");
    }
}
