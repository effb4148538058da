//! Samples over the ticks of a battle, of bounded number whatever its length.

/// The greatest number of samples.
pub(super) const MAX_SAMPLES: usize = 2000;

/// A sample of a tick.
pub(crate) trait AtTick {
    fn tick(&self) -> u64;
}

/// Samples in the order of their ticks, spread evenly; the newest one always.
#[derive(Clone, Debug)]
pub(crate) struct Samples<T> {
    /// Ticks from one that is kept to the next.
    every: u64,
    kept: Vec<T>,
    newest: Option<T>,
}

impl<T> Default for Samples<T> {
    fn default() -> Self {
        Self { every: 1, kept: Vec::new(), newest: None }
    }
}

impl<T: AtTick + Clone> Samples<T> {
    /// Takes in a sample; it takes the place of one of the same tick. O(log samples) for the newest, now and then O(samples).
    pub fn note(&mut self, sample: T) {
        let tick = sample.tick();
        match self.kept.binary_search_by_key(&tick, T::tick) {
            Ok(place) => self.kept[place] = sample.clone(),
            Err(_) if !self.is_due(tick) => {}
            Err(_) => {
                if self.kept.len() >= MAX_SAMPLES - 1 {
                    self.every *= 2;
                    let (every, mut first) = (self.every, true);
                    self.kept.retain(|kept| std::mem::take(&mut first) || kept.tick().is_multiple_of(every));
                }
                if self.is_due(tick) {
                    let place = self.kept.partition_point(|kept| kept.tick() < tick);
                    self.kept.insert(place, sample.clone());
                }
            }
        }
        if self.newest.as_ref().is_none_or(|newest| newest.tick() <= tick) {
            self.newest = Some(sample);
        }
    }

    fn is_due(&self, tick: u64) -> bool {
        tick.is_multiple_of(self.every) || self.kept.is_empty()
    }

    /// Forgets all after a tick.
    pub fn forget_after(&mut self, tick: u64) {
        self.kept.retain(|sample| sample.tick() <= tick);
        self.newest = self.newest.take().filter(|newest| newest.tick() <= tick).or_else(|| self.kept.last().cloned());
    }

    /// The samples in their order, the newest last. At most [`MAX_SAMPLES`].
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &T> {
        let newest = self.newest.iter();
        self.kept.iter().chain(newest.filter(|newest| self.kept.last().is_none_or(|last| last.tick() < newest.tick())))
    }

    /// The last sample at a tick or before it, else the first. O(log samples).
    pub fn at(&self, tick: u64) -> Option<&T> {
        if let Some(newest) = self.newest.as_ref().filter(|newest| newest.tick() <= tick) {
            return Some(newest);
        }
        let place = self.kept.partition_point(|sample| sample.tick() <= tick);
        self.kept.get(place.saturating_sub(1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A tick, and the number of its visit.
    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Visit(u64, usize);

    impl AtTick for Visit {
        fn tick(&self) -> u64 {
            self.0
        }
    }

    proptest! {
        /// Whatever way time goes: in order, of the last visit of each tick, and bounded.
        #[test]
        fn samples_are_those_of_the_last_visits(turns in prop::collection::vec((0..9000_u64, 1..4000_u64), 1..6)) {
            let (mut samples, mut last, mut visit) = (Samples::default(), std::collections::BTreeMap::new(), 0);
            for (from, count) in turns {
                for tick in from..from + count {
                    visit += 1;
                    samples.note(Visit(tick, visit));
                    last.insert(tick, visit);
                }
            }
            let all: Vec<Visit> = samples.iter().copied().collect();
            prop_assert!(all.len() <= MAX_SAMPLES && all.is_sorted_by(|one, other| one.0 < other.0));
            prop_assert!(all.iter().all(|&Visit(tick, visit)| last[&tick] == visit));
            let (&end, &of_end) = last.last_key_value().unwrap();
            prop_assert_eq!(all.last(), Some(&Visit(end, of_end)));
            let middle = end / 2;
            samples.forget_after(middle);
            prop_assert!(samples.iter().all(|visit| visit.0 <= middle));
            let kept: Vec<Visit> = all.into_iter().filter(|visit| visit.0 <= middle).collect();
            prop_assert_eq!(samples.iter().copied().collect::<Vec<_>>(), kept);
        }
    }

    #[test]
    fn every_tick_is_near_a_sample() {
        let mut samples = Samples::default();
        (3..50_000).for_each(|tick| samples.note(Visit(tick, 0)));
        let all: Vec<u64> = samples.iter().map(AtTick::tick).collect();
        assert!((900..=MAX_SAMPLES).contains(&all.len()), "{}", all.len());
        assert_eq!((all[0], all[all.len() - 1]), (3, 49_999));
        for tick in (3..50_000).step_by(997) {
            let sample = samples.at(tick).unwrap();
            assert!(sample.0 <= tick && tick - sample.0 < 64, "{tick}: {}", sample.0);
        }
    }
}
