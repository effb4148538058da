//! Three buffers between two threads that never wait for one another.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The buffer in the middle, held only while two pointers are exchanged.
struct Middle<T> {
    value: Box<T>,
    /// Published and not yet taken.
    fresh: bool,
}

/// The side that writes.
pub(crate) struct Publisher<T> {
    back: Box<T>,
    middle: Arc<Mutex<Middle<T>>>,
}

/// The side that reads.
pub(crate) struct Reader<T> {
    front: Box<T>,
    middle: Arc<Mutex<Middle<T>>>,
}

/// Both sides. The writer fills a hidden buffer and publishes it; the reader takes the newest one. A buffer that is
/// not taken in time is overwritten.
pub(super) fn handover<T: Default>() -> (Publisher<T>, Reader<T>) {
    let middle = Arc::new(Mutex::new(Middle { value: Box::default(), fresh: false }));
    (Publisher { back: Box::default(), middle: Arc::clone(&middle) }, Reader { front: Box::default(), middle })
}

fn lock<T>(middle: &Mutex<Middle<T>>) -> MutexGuard<'_, Middle<T>> {
    middle.lock().unwrap_or_else(PoisonError::into_inner)
}

impl<T> Publisher<T> {
    /// The buffer to fill; what it holds is old.
    pub fn back(&mut self) -> &mut T {
        &mut self.back
    }

    /// Hands the filled buffer over. If the one before was never taken, `merge(new, missed)` may save things.
    pub fn publish(&mut self, merge: impl FnOnce(&mut T, &mut T)) {
        let mut middle = lock(&self.middle);
        if middle.fresh {
            merge(&mut self.back, &mut middle.value);
        }
        std::mem::swap(&mut self.back, &mut middle.value);
        middle.fresh = true;
    }
}

impl<T> Reader<T> {
    /// True where something was published since the last [`Reader::take`].
    pub fn is_fresh(&self) -> bool {
        lock(&self.middle).fresh
    }

    /// Makes the newest published buffer the front one; false where there is none.
    pub fn take(&mut self) -> bool {
        let mut middle = lock(&self.middle);
        let fresh = std::mem::take(&mut middle.fresh);
        if fresh {
            std::mem::swap(&mut self.front, &mut middle.value);
        }
        fresh
    }

    /// The buffer taken last.
    pub fn front(&self) -> &T {
        &self.front
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_value_is_taken_and_missed_ones_are_merged() {
        let (mut publisher, mut reader) = handover::<Vec<u32>>();
        assert!(!reader.is_fresh() && !reader.take());
        for n in 0..3 {
            publisher.back().clear();
            publisher.back().push(n);
            publisher.publish(Vec::append);
        }
        assert!(reader.is_fresh() && reader.take());
        assert_eq!(reader.front(), &[2, 1, 0]);
        assert!(!reader.take());
        assert_eq!(reader.front(), &[2, 1, 0]);
    }

    #[test]
    fn nothing_is_torn_or_goes_back_in_time_between_threads() {
        let (mut publisher, mut reader) = handover::<[u64; 32]>();
        let writer = std::thread::spawn(move || {
            for n in 1..=20_000 {
                *publisher.back() = [n; 32];
                publisher.publish(|_, _| {});
            }
        });
        let mut last = 0;
        while last < 20_000 {
            if reader.take() {
                let front = reader.front();
                assert!(front.iter().all(|&n| n == front[0]), "torn: {front:?}");
                assert!(front[0] > last);
                last = front[0];
            }
        }
        writer.join().unwrap();
    }
}
