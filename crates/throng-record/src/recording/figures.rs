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
}

impl Figures {
    pub fn of(army: &ArmyCount) -> Self {
        let [dealt, taken] = [army.dealt, army.taken].map(|points| (points * 10.0).round() as u64);
        Self { kills: army.kills.into(), dealt, taken }
    }

    pub fn into_army(self, army: &mut ArmyCount) {
        army.kills = u32::try_from(self.kills).unwrap_or(u32::MAX);
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
    for (army, Figures { kills, dealt, taken }) in now.iter().enumerate() {
        let old = old(army);
        for number in [kills.wrapping_sub(old.kills), dealt.wrapping_sub(old.dealt), taken.wrapping_sub(old.taken)] {
            put(out, number);
        }
    }
}

/// Turns the figures of the frame before into those of this one, with `armies` armies.
pub(super) fn read(column: &[u8], armies: usize, figures: &mut Vec<Figures>) -> Result<(), Fault> {
    figures.resize(armies, Figures::default());
    if column.is_empty() {
        return Ok(());
    }
    let mut bytes = Bytes(column);
    for Figures { kills, dealt, taken } in figures {
        for number in [kills, dealt, taken] {
            *number = number.wrapping_add(bytes.number()?);
        }
    }
    bytes.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn figures_come_back(frames in prop::collection::vec(prop::collection::vec(any::<[u64; 3]>(), 0..4), 1..6)) {
            let (mut before, mut back, mut column) = (Vec::new(), Vec::new(), Vec::new());
            for frame in frames {
                let figures = |[kills, dealt, taken]: [u64; 3]| Figures { kills, dealt, taken };
                let now: Vec<Figures> = frame.into_iter().map(figures).collect();
                write(&now, &before, &mut column);
                read(&column, now.len(), &mut back).unwrap();
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
        assert_eq!(read(&[1, 2], 1, &mut Vec::new()).unwrap_err(), "1 bytes should follow, found 0");
        assert_eq!(read(&[1, 2, 3, 4], 1, &mut Vec::new()).unwrap_err(), "1 bytes too many");
    }
}
