//! Rectangles packed by shelves: rows of like height, one below another.

/// Where rectangles lie.
pub(super) struct Shelves {
    /// Width of the whole.
    pub width: usize,
    /// Height of the whole.
    pub height: usize,
    /// Left and top of each rectangle, in the order given.
    pub places: Vec<(usize, usize)>,
}

/// Packs rectangles of these widths and heights, a pixel apart, at most `most` wide; no shelf crosses a multiple of `page` rows.
///
/// The highest come first (next-fit decreasing height, Coffman et al. 1980). O(n log n).
pub(super) fn pack(sizes: &[(usize, usize)], most: usize, page: usize) -> Shelves {
    let area: usize = sizes.iter().map(|&(w, h)| (w + GAP) * (h + GAP)).sum();
    let widest = sizes.iter().map(|&(w, _)| w).max().unwrap_or(1);
    // A power of two between two rows would make them share lines of the processor's cache.
    let square = (area as f64).sqrt() as usize / 32 * 32 + 16;
    let width = square.min(most).max(widest);
    let mut order: Vec<usize> = (0..sizes.len()).collect();
    order.sort_by_key(|&i| (core::cmp::Reverse(sizes[i].1), i));
    let mut places = vec![(0, 0); sizes.len()];
    let (mut x, mut y, mut shelf) = (0, 0, 0);
    for i in order {
        let (w, h) = sizes[i];
        if x + w > width {
            (x, y, shelf) = (0, y + shelf + GAP, 0);
        }
        if shelf == 0 {
            shelf = h;
            if y / page != (y + h - 1) / page {
                y = (y + h - 1) / page * page;
            }
        }
        places[i] = (x, y);
        x += w + GAP;
    }
    Shelves { width, height: y + shelf, places }
}

/// Free pixels between two rectangles, so that a blend of neighbours does not reach into the next one.
const GAP: usize = 1;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn rectangles_do_not_overlap(sizes in prop::collection::vec((1_usize..30, 1_usize..20), 0..40)) {
            let (most, page) = (96, 64);
            let shelves = pack(&sizes, most, page);
            prop_assert!(shelves.width <= most);
            let mut taken = vec![false; shelves.width * shelves.height];
            for (&(w, h), &(left, top)) in sizes.iter().zip(&shelves.places) {
                prop_assert!(left + w <= shelves.width && top + h <= shelves.height);
                prop_assert_eq!(top / page, (top + h - 1) / page);
                for y in top..top + h {
                    for x in left..left + w {
                        prop_assert!(!std::mem::replace(&mut taken[y * shelves.width + x], true));
                    }
                }
            }
        }
    }
}
