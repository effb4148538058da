//! Which pairs began and ended.

use super::{Bodies, Pairs};

/// The pairs of two frames, compared: which have begun to overlap, and which have ceased to.
///
/// O(p log p) in the number of pairs; sorted pairs of ids make the lists the same for every index.
///
/// ```
/// use throng_spatial::{Bodies, Contacts, Pairs};
/// let bodies = Bodies::new(&[[0.0, 0.0], [0.5, 0.0]], &[0.5, 0.5], &[9, 4]);
/// let mut pairs = Pairs::default();
/// pairs.push(0, 1);
/// let mut contacts = Contacts::default();
/// contacts.update(bodies, &pairs);
/// assert_eq!(contacts.begun().collect::<Vec<_>>(), [(4, 9)]);
/// contacts.update(bodies, &Pairs::default());
/// assert_eq!(contacts.begun().count(), 0);
/// assert_eq!(contacts.ended().collect::<Vec<_>>(), [(4, 9)]);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Contacts {
    /// Pairs of ids, the smaller one in the upper half; sorted.
    now: Vec<u64>,
    before: Vec<u64>,
    begun: Vec<u64>,
    ended: Vec<u64>,
}

fn ids(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

impl Contacts {
    /// Takes the pairs of a new frame.
    ///
    /// # Panics
    /// Where a pair names a row that `bodies` lacks.
    pub fn update<const D: usize>(&mut self, bodies: Bodies<D>, pairs: &Pairs) {
        std::mem::swap(&mut self.now, &mut self.before);
        self.now.clear();
        self.now.extend(pairs.iter().map(|(i, j)| {
            let (a, b) = (bodies.id[i as usize], bodies.id[j as usize]);
            u64::from(a.min(b)) << 32 | u64::from(a.max(b))
        }));
        self.now.sort_unstable();
        difference(&self.now, &self.before, &mut self.begun);
        difference(&self.before, &self.now, &mut self.ended);
    }

    /// The pairs of ids that overlap now, the smaller id first, sorted.
    pub fn now(&self) -> impl Iterator<Item = (u32, u32)> {
        self.now.iter().copied().map(ids)
    }

    /// The pairs that did not overlap the frame before.
    pub fn begun(&self) -> impl Iterator<Item = (u32, u32)> {
        self.begun.iter().copied().map(ids)
    }

    /// The pairs that did overlap the frame before, and no longer do; also where one of the two is gone.
    pub fn ended(&self) -> impl Iterator<Item = (u32, u32)> {
        self.ended.iter().copied().map(ids)
    }
}

/// Writes `found`: the pairs in `these` and not in `those`; all are sorted.
fn difference(these: &[u64], those: &[u64], found: &mut Vec<u64>) {
    found.clear();
    let mut those = those.iter().copied().peekable();
    found.extend(these.iter().copied().filter(|&pair| {
        while those.next_if(|&other| other < pair).is_some() {}
        those.peek() != Some(&pair)
    }));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tests::{Crowd, Lie, Size};
    use crate::{Index, IndexKind, SpatialIndex};
    use std::collections::BTreeSet;

    #[test]
    fn begun_and_ended_are_the_differences_of_the_sets() {
        for kind in IndexKind::ALL {
            let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Mixed, 90, 6);
            let (mut index, mut pairs, mut contacts) = (Index::new(kind), Pairs::default(), Contacts::default());
            let mut before = BTreeSet::new();
            let mut changes = 0;
            for _ in 0..30 {
                crowd.stir();
                let bodies = crowd.bodies();
                index.update(bodies).unwrap();
                index.collect_pairs(bodies, &mut pairs);
                contacts.update(bodies, &pairs);
                let mut now = BTreeSet::new();
                for i in 0..bodies.len() {
                    for j in 0..i {
                        if bodies.overlap(i, j) && !(bodies.rests(i) && bodies.rests(j)) {
                            now.insert((bodies.id[i].min(bodies.id[j]), bodies.id[i].max(bodies.id[j])));
                        }
                    }
                }
                assert!(contacts.now().eq(now.iter().copied()));
                assert!(contacts.begun().eq(now.difference(&before).copied()));
                assert!(contacts.ended().eq(before.difference(&now).copied()));
                changes += contacts.ended().count();
                before = now;
            }
            assert!(changes > 30);
        }
    }
}
