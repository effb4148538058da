//! The ticks in which an agent looks around.

use rayon::prelude::*;
use throng_grid::geom::mixed;

/// An agent looks around every this many ticks: along its route, for enemies, at those beside it.
pub const LOOK_EVERY: u64 = 8;

/// Tells which agents look around in a tick: one of each block of [`LOOK_EVERY`] slots, in turn.
///
/// The slot that comes first is drawn for each block. So the work of eight ticks is spread evenly, and no army looks
/// earlier on average because of its place in the file.
///
/// ```
/// use throng_sim::crowd::{LOOK_EVERY, UpdateSchedule};
/// let ticks = (0..LOOK_EVERY).map(|tick| UpdateSchedule { seed: 1, tick });
/// assert_eq!(ticks.filter(|schedule| schedule.is_due(42)).count(), 1);
/// let schedule = UpdateSchedule { seed: 1, tick: 7 };
/// assert!(schedule.slots(1000).all(|slot| schedule.is_due(slot)));
/// assert_eq!(schedule.slots(1000).count(), 125);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct UpdateSchedule {
    /// The seed from which the turns are drawn.
    pub seed: u64,
    /// Ticks done.
    pub tick: u64,
}

impl UpdateSchedule {
    /// True where the agent in a slot looks around in this tick.
    pub fn is_due(self, slot: usize) -> bool {
        self.looker(slot / BLOCK) == slot
    }

    /// The slots below `count` whose turn it is, ascending.
    pub fn slots(self, count: usize) -> impl Iterator<Item = usize> {
        (0..count.div_ceil(BLOCK)).map(move |block| self.looker(block)).filter(move |&slot| slot < count)
    }

    /// As [`UpdateSchedule::slots`], for many threads.
    pub fn par_slots(self, count: usize) -> impl ParallelIterator<Item = usize> {
        let blocks = (0..count.div_ceil(BLOCK)).into_par_iter().with_min_len(32);
        blocks.map(move |block| self.looker(block)).filter(move |&slot| slot < count)
    }

    fn looker(self, block: usize) -> usize {
        let first = mixed(mixed(self.seed) ^ block as u64);
        BLOCK * block + (first.wrapping_sub(self.tick) % LOOK_EVERY) as usize
    }
}

const BLOCK: usize = LOOK_EVERY as usize;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn everybody_looks_once_in_eight_ticks(seed: u64, tick in 0..u64::MAX / 2, count in 0_usize..2000) {
            let mut looked = vec![0; count];
            for schedule in (tick..tick + LOOK_EVERY).map(|tick| UpdateSchedule { seed, tick }) {
                let slots: Vec<usize> = schedule.slots(count).collect();
                prop_assert!(slots.is_sorted() && slots.len().abs_diff(count / BLOCK) <= 1);
                prop_assert_eq!(schedule.par_slots(count).collect::<Vec<_>>(), slots.clone());
                prop_assert!((0..count).filter(|&slot| schedule.is_due(slot)).eq(slots.iter().copied()));
                for slot in slots {
                    looked[slot] += 1;
                }
            }
            prop_assert!(looked.iter().all(|&looks| looks == 1));
        }
    }

    #[test]
    fn no_place_in_the_file_looks_sooner() {
        // Two squads of 20, one filed behind the other: how many of each look in the first tick, over many seeds.
        let looks = |slots: std::ops::Range<usize>| {
            let schedules = (0..4000).map(|seed| UpdateSchedule { seed, tick: 0 });
            schedules.map(|schedule| slots.clone().filter(|&slot| schedule.is_due(slot)).count()).sum::<usize>()
        };
        let (first, second) = (looks(0..20), looks(20..40));
        // 10,000 each expected; the spread of a count is some 63.
        assert!(first.abs_diff(10_000) < 300 && second.abs_diff(10_000) < 300, "{first} {second}");
    }
}
