//! Who looks around in which tick.

use rayon::prelude::*;
use throng_grid::geom::mixed;

/// An agent looks around every this many ticks: along its route, for enemies, at those beside it.
pub const LOOK_EVERY: u64 = 8;

/// The tick, and whose turn it is to look around in it: one of every block of [`LOOK_EVERY`] slots, which one comes first drawn for each
/// block. So the work of eight ticks is spread evenly, everybody has a tick of its own, and no army has more of those who look first
/// for being filed in another place.
///
/// ```
/// use throng_sim::crowd::{LOOK_EVERY, Watch};
/// let ticks = (0..LOOK_EVERY).map(|tick| Watch { seed: 1, tick });
/// assert_eq!(ticks.filter(|watch| watch.looks(42)).count(), 1);
/// let watch = Watch { seed: 1, tick: 7 };
/// assert!(watch.slots(1000).all(|slot| watch.looks(slot)));
/// assert_eq!(watch.slots(1000).count(), 125);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Watch {
    /// What the turns are drawn from.
    pub seed: u64,
    /// Ticks done.
    pub tick: u64,
}

impl Watch {
    /// True where the agent in a slot looks around in this tick.
    pub fn looks(self, slot: usize) -> bool {
        self.looker(slot / BLOCK) == slot
    }

    /// The slots below `count` whose turn it is, ascending.
    pub fn slots(self, count: usize) -> impl Iterator<Item = usize> {
        (0..count.div_ceil(BLOCK)).map(move |block| self.looker(block)).filter(move |&slot| slot < count)
    }

    /// As [`Watch::slots`], for many threads.
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
            for watch in (tick..tick + LOOK_EVERY).map(|tick| Watch { seed, tick }) {
                let slots: Vec<usize> = watch.slots(count).collect();
                prop_assert!(slots.is_sorted() && slots.len().abs_diff(count / BLOCK) <= 1);
                prop_assert_eq!(watch.par_slots(count).collect::<Vec<_>>(), slots.clone());
                prop_assert!((0..count).filter(|&slot| watch.looks(slot)).eq(slots.iter().copied()));
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
            let watches = (0..4000).map(|seed| Watch { seed, tick: 0 });
            watches.map(|watch| slots.clone().filter(|&slot| watch.looks(slot)).count()).sum::<usize>()
        };
        let (first, second) = (looks(0..20), looks(20..40));
        // 10,000 each expected; the spread of a count is some 63.
        assert!(first.abs_diff(10_000) < 300 && second.abs_diff(10_000) < 300, "{first} {second}");
    }
}
