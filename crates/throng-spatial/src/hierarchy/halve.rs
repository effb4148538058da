//! Cutting bodies in two by a number of each, such as a coordinate.

use super::Entry;
use crate::bodies::{larger, smaller};

/// The most bodies that a median is taken of.
const MEDIAN_SAMPLE_BODIES: usize = 32;

/// The box around some points.
#[inline]
pub(crate) fn hull<const D: usize>(points: impl Iterator<Item = [f32; D]>) -> ([f32; D], [f32; D]) {
    let (mut low, mut high) = ([f32::INFINITY; D], [f32::NEG_INFINITY; D]);
    for point in points {
        for axis in 0..D {
            low[axis] = smaller(point[axis], low[axis]);
            high[axis] = larger(point[axis], high[axis]);
        }
    }
    (low, high)
}

/// Brings the entries below `pivot`, or below about the median where none is given, to the front; how many they are.
///
/// Neither side ever holds less than an eighth: where the pivot would do that, the exact median is taken, ties by row.
pub(crate) fn halve<const D: usize>(
    entries: &mut [Entry<D>],
    key: impl Fn(&Entry<D>) -> f32,
    pivot: Option<f32>,
) -> usize {
    let pivot = pivot.unwrap_or_else(|| sampled_median(entries, &key));
    let count = partition(entries, |entry| key(entry) < pivot);
    let fewer = count.min(entries.len() - count);
    if fewer > 0 && fewer >= entries.len() / 8 {
        return count;
    }
    let half = entries.len() / 2;
    entries.select_nth_unstable_by(half, |a, b| key(a).total_cmp(&key(b)).then(a.row.cmp(&b.row)));
    half
}

/// The median of some entries, spread evenly over all of them.
fn sampled_median<const D: usize>(entries: &[Entry<D>], key: impl Fn(&Entry<D>) -> f32) -> f32 {
    let count = entries.len().min(MEDIAN_SAMPLE_BODIES);
    let mut sample = [0.0; MEDIAN_SAMPLE_BODIES];
    for (i, number) in sample[..count].iter_mut().enumerate() {
        *number = key(&entries[i * entries.len() / count]);
    }
    *sample[..count].select_nth_unstable_by(count / 2, f32::total_cmp).1
}

/// Brings the entries that are `before` to the front; how many they are. Without a branch to mispredict (Lomuto).
#[inline]
pub(crate) fn partition<const D: usize>(entries: &mut [Entry<D>], before: impl Fn(&Entry<D>) -> bool) -> usize {
    let mut count = 0;
    for i in 0..entries.len() {
        let entry = entries[i];
        entries.swap(i, count);
        count += usize::from(before(&entry));
    }
    count
}
