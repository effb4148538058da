//! The ticks in which an agent looks around.

use rayon::prelude::*;
use throng_grid::geom::mixed;

/// Time (s) after which an agent looks around again: along its route, for enemies, at those beside it.
pub const LOOK_PERIOD_S: f32 = 0.4;

/// The most ticks between two looks, as a power of two.
const MOST_BITS: u32 = 16;

/// Tells which agents look around in a tick: one of each block of [`period`](UpdateSchedule::period) slots, in turn.
///
/// The slot that comes first is drawn for each block. So the work of a period is spread evenly over its ticks, and no army looks
/// earlier on average because of its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UpdateSchedule {
    /// The seed from which the turns are drawn.
    pub seed: u64,
    /// Ticks done.
    pub tick: u64,
    /// The ticks between two looks, as a power of two.
    bits: u32,
}

impl Default for UpdateSchedule {
    /// Of the first tick, of 0.05 s.
    fn default() -> Self {
        Self::new(0, 0, 0.05)
    }
}

impl UpdateSchedule {
    /// The schedule of a tick of a length (s): the ticks between two looks are the power of two that comes nearest to
    /// [`LOOK_PERIOD_S`].
    pub fn new(seed: u64, tick: u64, step: f32) -> Self {
        let is_short = |bits: u32| step * (1_u32 << bits) as f32 * std::f32::consts::SQRT_2 < LOOK_PERIOD_S;
        let bits = (0..MOST_BITS).take_while(|&bits| is_short(bits)).count() as u32;
        Self { seed, tick, bits }
    }

    /// Ticks between two looks of an agent.
    pub fn period(self) -> u64 {
        1 << self.bits
    }

    /// How many times each agent has looked, or is about to.
    pub fn round(self) -> u64 {
        self.tick >> self.bits
    }

    /// True where the agent in a slot looks around in this tick.
    pub fn is_due(self, slot: usize) -> bool {
        self.looker(slot >> self.bits) == slot
    }

    /// The slots below `count` whose turn it is, ascending.
    pub fn par_slots(self, count: usize) -> impl ParallelIterator<Item = usize> {
        let blocks = (0..self.blocks(count)).into_par_iter().with_min_len(32);
        blocks.map(move |block| self.looker(block)).filter(move |&slot| slot < count)
    }

    fn looker(self, block: usize) -> usize {
        let first = mixed(mixed(self.seed) ^ block as u64);
        (block << self.bits) + (first.wrapping_sub(self.tick) & (self.period() - 1)) as usize
    }

    fn blocks(self, count: usize) -> usize {
        count.div_ceil(1 << self.bits)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn each_agent_looks_once_in_a_period(
            seed: u64,
            tick in 0..u64::MAX / 2,
            count in 0_usize..2000,
            step in prop_oneof![Just(0.05_f32), 0.001_f32..2.0],
        ) {
            let period = UpdateSchedule::new(seed, tick, step).period();
            let seconds = period as f32 * step;
            prop_assert!(period == 1 && seconds >= 0.28 || (0.28..0.57).contains(&seconds), "{} s", seconds);
            let mut looked = vec![0; count];
            for schedule in (tick..tick + period).map(|tick| UpdateSchedule::new(seed, tick, step)) {
                let slots: Vec<usize> = schedule.par_slots(count).collect();
                prop_assert!(slots.is_sorted() && slots.len().abs_diff(count / period as usize) <= 1);
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
            let schedules = (0..4000).map(|seed| UpdateSchedule::new(seed, 0, 0.05));
            schedules.map(|schedule| slots.clone().filter(|&slot| schedule.is_due(slot)).count()).sum::<usize>()
        };
        let (first, second) = (looks(0..20), looks(20..40));
        // 10,000 each expected; the spread of a count is some 63.
        assert!(first.abs_diff(10_000) < 300 && second.abs_diff(10_000) < 300, "{first} {second}");
    }
}
