//! Sorts for lists that are nearly in order, each in place.

use std::fmt;
use std::str::FromStr;

/// How a list that was in order a frame ago is put in order again. All give the same list.
///
/// Bubble and insertion sort take O(n + inversions) or so, which is O(n) where nothing overtakes many others. Where the
/// order is far from right they would take O(n²): after 16 moves an entry, quick sort goes on in their place.
///
/// ```
/// use throng_spatial::Sort;
/// assert_eq!("recursive-bubble".parse::<Sort>()?, Sort::RecursiveBubble);
/// assert_eq!(Sort::default().to_string(), "insertion");
/// # Ok::<(), throng_spatial::UnknownSort>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Sort {
    /// Quick sort (Hoare 1962), median of three: O(n log n), whatever the order: `quick`.
    Quick,
    /// Bubble sort that ends each pass where the one before swapped last: `bubble`.
    Bubble,
    /// The same as a recursion on the unsorted rest: `recursive-bubble`.
    RecursiveBubble,
    /// Straight insertion: `insertion`.
    #[default]
    Insertion,
    /// Insertion of the second half into the first, both sorted likewise: `recursive-insertion`.
    RecursiveInsertion,
}

impl Sort {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::Quick, Self::Bubble, Self::RecursiveBubble, Self::Insertion, Self::RecursiveInsertion];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Bubble => "bubble",
            Self::RecursiveBubble => "recursive-bubble",
            Self::Insertion => "insertion",
            Self::RecursiveInsertion => "recursive-insertion",
        }
    }

    /// Puts a list that is nearly in order in order.
    pub(super) fn sort<T: Copy + Ord>(self, items: &mut [T]) {
        let effort = 16 * items.len() + 64;
        let sorted = match self {
            Self::Quick => false,
            Self::Bubble => bubble(items, effort),
            Self::RecursiveBubble => recursive_bubble(items, effort),
            Self::Insertion => insertion(items, effort),
            Self::RecursiveInsertion => recursive_insertion(items, &mut { effort }),
        };
        if !sorted {
            quick(items);
        }
    }
}

impl fmt::Display for Sort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// A sort of an unknown name was asked for.
///
/// ```
/// use throng_spatial::Sort;
/// let error = "buble".parse::<Sort>().unwrap_err();
/// assert!(error.to_string().starts_with("unknown sort \"buble\";"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownSort {
    /// The name.
    pub found: String,
}

impl std::fmt::Display for UnknownSort {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self { found } = self;
        write!(f, "unknown sort {found:?}; known are {}", Sort::ALL.map(Sort::name).join(", "))
    }
}

impl std::error::Error for UnknownSort {}

impl FromStr for Sort {
    type Err = UnknownSort;

    fn from_str(name: &str) -> Result<Self, UnknownSort> {
        Self::ALL.into_iter().find(|sort| sort.name() == name).ok_or_else(|| UnknownSort { found: name.to_owned() })
    }
}

/// The bits of a float, turned so that they are in order as integers.
#[inline]
pub(super) fn ascending(x: f32) -> u32 {
    let bits = x.to_bits();
    bits ^ ((bits as i32 >> 31) as u32 | 1 << 31)
}

/// Sorts any order in O(n log n). The stack stays shallow: only the smaller part is a recursion.
pub(super) fn quick<T: Copy + Ord>(mut items: &mut [T]) {
    /// Below this straight insertion is faster.
    const INSERTION_SORT_ITEMS: usize = 24;
    let mut splits = 2 * items.len().max(1).ilog2();
    while items.len() > INSERTION_SORT_ITEMS {
        if splits == 0 {
            // An order made to defeat the median of three.
            items.sort_unstable();
            return;
        }
        splits -= 1;
        let (mid, last) = (items.len() / 2, items.len() - 1);
        let (a, b, c) = (items[0], items[mid], items[last]);
        let pivot = a.max(b).min(a.min(b).max(c));
        let (mut low, mut high) = (0, last);
        loop {
            while items[low] < pivot {
                low += 1;
            }
            while items[high] > pivot {
                high -= 1;
            }
            if low >= high {
                break;
            }
            items.swap(low, high);
            low += 1;
            high -= 1;
        }
        let (left, right) = items.split_at_mut(low);
        if left.len() < right.len() {
            quick(left);
            items = right;
        } else {
            quick(right);
            items = left;
        }
    }
    insertion(items, usize::MAX);
}

/// Passes of swaps between neighbours. False where `effort` comparisons were not enough.
fn bubble<T: Copy + Ord>(items: &mut [T], mut effort: usize) -> bool {
    let mut end = items.len();
    while end > 1 {
        if effort < end {
            return false;
        }
        effort -= end;
        end = bubble_pass(&mut items[..end]);
    }
    true
}

/// A pass, then the recursion on what may still be out of order: at most some thousand levels with so little effort.
fn recursive_bubble<T: Copy + Ord>(items: &mut [T], effort: usize) -> bool {
    if items.len() < 2 {
        return true;
    }
    let Some(effort) = effort.checked_sub(items.len()) else { return false };
    let end = bubble_pass(items);
    recursive_bubble(&mut items[..end], effort)
}

/// Swaps all neighbours that are out of order, from the first to the last: the part from the returned place on is in
/// order and not less than anything before.
fn bubble_pass<T: Copy + Ord>(items: &mut [T]) -> usize {
    let mut end = 0;
    for i in 1..items.len() {
        if items[i - 1] > items[i] {
            items.swap(i - 1, i);
            end = i;
        }
    }
    end
}

/// Moves `items[i]` down to its place among the sorted ones before it, and tells how far.
#[inline]
fn insert<T: Copy + Ord>(items: &mut [T], i: usize) -> usize {
    let (item, mut at) = (items[i], i);
    while at > 0 && items[at - 1] > item {
        items[at] = items[at - 1];
        at -= 1;
    }
    items[at] = item;
    i - at
}

/// Inserts one after the other. False where `effort` moves were not enough.
fn insertion<T: Copy + Ord>(items: &mut [T], mut effort: usize) -> bool {
    for i in 1..items.len() {
        let moves = insert(items, i);
        if moves > effort {
            return false;
        }
        effort -= moves;
    }
    true
}

/// Sorts both halves, then inserts the second into the first until one need not move. Halves, not all but the last, so
/// that there are log n levels and not n.
fn recursive_insertion<T: Copy + Ord>(items: &mut [T], effort: &mut usize) -> bool {
    if items.len() < 2 {
        return true;
    }
    let mid = items.len() / 2;
    let (left, right) = items.split_at_mut(mid);
    if !recursive_insertion(left, effort) || !recursive_insertion(right, effort) {
        return false;
    }
    for i in mid..items.len() {
        let moves = insert(items, i);
        if moves == 0 {
            break;
        }
        if moves > *effort {
            return false;
        }
        *effort -= moves;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn floats_ascend(a in prop::num::f32::NORMAL | prop::num::f32::ZERO, b in prop::num::f32::NORMAL) {
            if a < b {
                prop_assert!(ascending(a) < ascending(b));
            }
        }

        #[test]
        fn all_sort_any_order(items in prop::collection::vec(0..300_u64, 0..400), swaps in 0..20_usize) {
            let mut expected = items.clone();
            expected.sort_unstable();
            let mut nearly = expected.clone();
            for i in 0..swaps.min(nearly.len() / 2) {
                nearly.swap(i * 2, i * 2 + 1);
            }
            let reversed: Vec<u64> = expected.iter().rev().copied().collect();
            for sort in Sort::ALL {
                for list in [&items, &nearly, &reversed, &expected] {
                    let mut list = list.clone();
                    sort.sort(&mut list);
                    prop_assert_eq!(&list, &expected, "{}", sort);
                }
            }
        }
    }

    #[test]
    fn each_sorts_alone_and_gives_up_where_told() {
        let shuffled: Vec<u64> = (0..200).map(|i| i * 77 % 200).collect();
        let sorts: [fn(&mut [u64], usize) -> bool; 4] =
            [bubble, recursive_bubble, insertion, |items, mut effort| recursive_insertion(items, &mut effort)];
        for sort in sorts {
            let mut items = shuffled.clone();
            assert!(sort(&mut items, usize::MAX));
            assert!(items.is_sorted());
            assert!(!sort(&mut shuffled.clone(), 300));
        }
    }

    #[test]
    fn no_order_takes_long_or_much_stack() {
        let n = 300_000_u64;
        let orders: [fn(u64, u64) -> u64; 5] = [
            |i, n| n - i,
            |i, n| (i + n / 2) % n,
            |i, n| i * 7919 % n,
            |i, n| if i % 2 == 0 { i } else { n - i },
            |i, n| if i + 1 == n { 0 } else { i + 1 },
        ];
        for order in orders {
            for sort in Sort::ALL {
                let mut items: Vec<u64> = (0..n).map(|i| order(i, n)).collect();
                sort.sort(&mut items);
                assert!(items.is_sorted(), "{sort}");
            }
        }
    }

    #[test]
    fn names_are_read_and_written() {
        for sort in Sort::ALL {
            assert_eq!(sort.to_string().parse::<Sort>().unwrap(), sort);
        }
        let known = "known are quick, bubble, recursive-bubble, insertion, recursive-insertion";
        let error = "heap".parse::<Sort>().unwrap_err().to_string();
        assert_eq!(error, format!("unknown sort \"heap\"; {known}"));
    }
}
