//! Bands across one axis, in each of which the bodies are in order along another.

use super::bodies::{around, meet};
use super::runs::Columns;
use super::sorts::{Sort, ascending, quick};
use super::{Bodies, SpatialError};
use crate::simd::prefetch;
use crate::volume::Aabb;
use std::ops::{ControlFlow, Range};

/// The lists of bodies that a sweep and a divide and conquer work on.
///
/// A body is listed in every band that its box touches, so that no pair is missed at a border. A pair that meets in
/// several bands counts in the first only: there at least one of the two is listed for the first time.
#[derive(Clone, Debug, Default)]
pub(super) struct Bands<const D: usize> {
    layout: Layout,
    /// Where bands begin on the axis across, the first at -∞; and +∞ after the last.
    borders: Vec<f32>,
    /// The first and last band of each row.
    span: Vec<[u16; 2]>,
    /// `start[k]..start[k + 1]` are the entries of band k.
    start: Vec<u32>,
    /// By entry: the lower edge of the box along the axis, in an order of integers, above the row. No two are equal.
    order: Vec<u64>,
    entries: Entries<D>,
    /// By band: no box is longer along the axis.
    longest: Vec<f64>,
    /// The state of the lists when they were built.
    built: Built,
    /// The order to be, and the bodies that come into a band: band above row. Kept for their memory.
    next: Vec<u64>,
    next_start: Vec<u32>,
    joining: Vec<u64>,
    sample: Vec<f32>,
}

/// The columns of the entries, longer than the lists by [`PADDING_ENTRIES`].
#[derive(Clone, Debug, Default)]
struct Entries<const D: usize> {
    /// The edges of the box along the axis.
    low: Vec<f32>,
    high: Vec<f32>,
    centre: Vec<[f32; D]>,
    radius: Vec<f32>,
    row: Vec<u32>,
    /// [`LISTED_BEFORE`] and [`RESTS`]. Two entries that share one are no pair to test.
    mark: Vec<u8>,
}

/// The axes, and a band across.
struct Place {
    along: usize,
    across: usize,
    begin: f32,
    end: f32,
}

/// An entry that is being written.
struct Written {
    key: u64,
    /// Of its box along the axis (m).
    length: f64,
    /// Whether it touches the band.
    inside: bool,
}

impl<const D: usize> Entries<D> {
    /// Makes room for some entries.
    fn resize(&mut self, entries: usize) {
        let n = entries + PADDING_ENTRIES;
        self.low.resize(n, 0.0);
        self.high.resize(n, 0.0);
        self.centre.resize(n, [0.0; D]);
        self.radius.resize(n, 0.0);
        self.row.resize(n, 0);
        self.mark.resize(n, 0);
    }

    /// Writes an entry of a band.
    #[expect(clippy::inline_always, reason = "the innermost of loops, called in three")]
    #[inline(always)]
    fn put(&mut self, bodies: Bodies<D>, place: &Place, entry: usize, row: u32) -> Written {
        let &Place { along, across, begin, end } = place;
        let (centre, radius) = (bodies.position[row as usize], bodies.radius[row as usize]);
        // One axis at a time: which ones they are is known at run time alone.
        let Aabb { low: [low], high: [high] } = around([centre[along]], radius);
        let Aabb { low: [nearest], high: [furthest] } = around([centre[across]], radius);
        self.low[entry] = low;
        self.high[entry] = high;
        self.centre[entry] = centre;
        self.radius[entry] = radius;
        self.row[entry] = row;
        let again = if nearest < begin { LISTED_BEFORE } else { 0 };
        self.mark[entry] = again | if bodies.rests(row as usize) { RESTS } else { 0 };
        Written {
            key: u64::from(ascending(low)) << 32 | u64::from(row),
            length: f64::from(high) - f64::from(low),
            inside: nearest < end && furthest >= begin,
        }
    }

    fn bytes(&self) -> usize {
        (self.low.capacity() + self.high.capacity() + self.radius.capacity() + self.row.capacity()) * size_of::<f32>()
            + self.centre.capacity() * size_of::<[f32; D]>()
            + self.mark.capacity()
    }
}

/// So many entries ahead bodies are fetched: their rows lie anywhere.
const PREFETCH_ENTRIES: usize = 24;

/// The body is listed in the band before as well.
const LISTED_BEFORE: u8 = 1;
/// The body rests.
const RESTS: u8 = 2;
/// So that vectors can be read to the very end of the lists.
const PADDING_ENTRIES: usize = 16;

#[derive(Clone, Copy, Debug, Default)]
struct Built {
    bodies: usize,
    entries: usize,
    fullest: usize,
}

/// Which way the bands run, and how many there should be.
#[derive(Clone, Copy, Debug, Default)]
struct Layout {
    along: usize,
    across: usize,
    bands: usize,
    /// Spread of the middle three quarters of the bodies on the axis along (m).
    spread: f32,
    spacing: f32,
}

/// Bodies that are looked at to choose axes, and borders.
const AXIS_SAMPLE_BODIES: usize = 256;
const BORDER_SAMPLE_BODIES: usize = 8192;
/// Height of a band in typical distances of bodies: higher ones hold more candidates, lower ones list more bodies twice.
const BAND_HEIGHT_SPACINGS: f32 = 4.0;

impl<const D: usize> Bands<D> {
    pub(super) fn clear(&mut self) {
        self.span.clear();
        self.start.clear();
        self.order.clear();
    }

    /// Chooses axes and borders afresh, and lists all bodies. O(n log n).
    pub(super) fn rebuild(&mut self, bodies: Bodies<D>) -> Result<(), SpatialError> {
        self.clear();
        bodies.check()?;
        self.build(bodies);
        Ok(())
    }

    /// Puts the lists in order, from the order of the last frame; builds them where that is a poor start.
    pub(super) fn update(&mut self, bodies: Bodies<D>, sort: Sort) -> Result<(), SpatialError> {
        if let Err(error) = bodies.check() {
            self.clear();
            return Err(error);
        }
        if self.is_stale(bodies) {
            self.build(bodies);
        } else {
            self.mend(bodies, sort);
        }
        Ok(())
    }

    fn build(&mut self, bodies: Bodies<D>) {
        self.clear();
        self.layout = self.choose(bodies, BORDER_SAMPLE_BODIES);
        self.draw_borders(bodies);
        self.mend(bodies, Sort::Quick);
        let fullest = self.start.windows(2).map(|ends| (ends[1] - ends[0]) as usize).max().unwrap_or(0);
        self.built = Built { bodies: bodies.len(), entries: self.order.len(), fullest };
    }

    /// True where axes and borders suit the bodies no more.
    fn is_stale(&mut self, bodies: Bodies<D>) -> bool {
        let (n, Built { bodies: then, entries, fullest }) = (bodies.len(), self.built);
        if self.span.is_empty() || n > 2 * then || 2 * n < then {
            return true;
        }
        if 2 * self.order.len() > 3 * entries + 128
            || self.start.windows(2).any(|ends| (ends[1] - ends[0]) as usize > 2 * fullest + 64)
        {
            return true;
        }
        let now = self.choose(bodies, AXIS_SAMPLE_BODIES);
        let turned = now.along != self.layout.along && {
            let spread = self.spread(bodies, self.layout.along, AXIS_SAMPLE_BODIES);
            (spread[1] - spread[0]) < 0.5 * now.spread
        };
        turned || now.bands > 2 * self.layout.bands + 1 || 2 * now.bands + 1 < self.layout.bands
    }

    /// The middle three quarters of some `most` bodies along an axis, or all of them where these lie on one point. Fills
    /// `sample`.
    fn spread(&mut self, bodies: Bodies<D>, axis: usize, most: usize) -> [f32; 2] {
        let m = bodies.len().min(most);
        self.sample.clear();
        // Multiples of the golden ratio: spread over the rows, in step with no pattern in them.
        self.sample.extend((0..m as u32).map(|i| {
            let share = u64::from(i.wrapping_mul(0x9E37_79B9));
            bodies.position[((share * bodies.len() as u64) >> 32) as usize][axis]
        }));
        if m == 0 {
            return [0.0; 2];
        }
        let mut quantile = |place: usize| *self.sample.select_nth_unstable_by(place, f32::total_cmp).1;
        let middle = [quantile(m / 8), quantile(m - 1 - m / 8)];
        if middle[0] < middle[1] { middle } else { [quantile(0), quantile(m - 1)] }
    }

    /// Bands run along the axis of the widest spread, the next one is across.
    fn choose(&mut self, bodies: Bodies<D>, most: usize) -> Layout {
        let spreads: [f32; D] = std::array::from_fn(|axis| {
            let [low, high] = self.spread(bodies, axis, most);
            high - low
        });
        let widest = |but: Option<usize>| {
            (0..D).filter(|&axis| Some(axis) != but).max_by(|&a, &b| spreads[a].total_cmp(&spreads[b]).then(b.cmp(&a)))
        };
        let along = widest(None).unwrap_or(0);
        let across = widest(Some(along)).unwrap_or(along);
        let (n, long) = (bodies.len() as f64, f64::from(spreads[along]));
        let ratio = if across != along && long > 0.0 { f64::from(spreads[across]) / long } else { 0.0 };
        let bands = ((n * ratio).sqrt() / f64::from(BAND_HEIGHT_SPACINGS))
            .clamp(1.0, (n / 16.0).clamp(1.0, f64::from(u16::MAX))) as usize;
        let flat = spreads.iter().filter(|&&spread| spread > 0.0).count();
        let volume: f64 = spreads.iter().filter(|&&spread| spread > 0.0).map(|&spread| f64::from(spread)).product();
        let spacing = if flat > 0 { libm::pow(volume / (0.75 * n).max(1.0), 1.0 / flat as f64) as f32 } else { 0.0 };
        Layout { along, across, bands, spread: spreads[along], spacing }
    }

    /// Draws borders between about equally many bodies. None are closer than twice the mean diameter, so that the lists
    /// are at most a few times as long as there are bodies.
    fn draw_borders(&mut self, bodies: Bodies<D>) {
        let Layout { across, bands, .. } = self.layout;
        self.borders.clear();
        self.borders.push(f32::NEG_INFINITY);
        if bands > 1 {
            let _ = self.spread(bodies, across, BORDER_SAMPLE_BODIES);
            self.sample.sort_unstable_by(f32::total_cmp);
            let sum: f64 = bodies.radius.iter().map(|&radius| f64::from(radius)).sum();
            let least = (4.0 * sum / bodies.len() as f64) as f32;
            let mut last = f32::NEG_INFINITY;
            for band in 1..bands {
                let border = self.sample[band * self.sample.len() / bands];
                if border - last > least && border > self.sample[0] {
                    self.borders.push(border);
                    last = border;
                }
            }
        }
        self.borders.push(f32::INFINITY);
    }

    /// Notes the bands of all bodies, and which come into which. True where lists change.
    fn note_spans(&mut self, bodies: Bodies<D>) -> bool {
        let Layout { across, .. } = self.layout;
        let (n, then) = (bodies.len(), self.span.len());
        self.joining.clear();
        self.span.resize(n, [0, 0]);
        if self.borders.len() == 2 && n == then {
            return false;
        }
        let mut changed = n < then;
        for (row, (span, (&centre, &radius))) in
            self.span.iter_mut().zip(bodies.position.iter().zip(bodies.radius)).enumerate()
        {
            let bounds = around(centre, radius);
            let was = *span;
            let is =
                [band(&self.borders, bounds.low[across], was[0]), band(&self.borders, bounds.high[across], was[1])];
            if is != was || row >= then {
                changed = true;
                *span = is;
                let joins = |band: &u16| row >= then || *band < was[0] || was[1] < *band;
                self.joining.extend((is[0]..=is[1]).filter(joins).map(|band| u64::from(band) << 32 | row as u64));
            }
        }
        changed
    }

    /// Lists the bodies as they are now: those that stay in a band, in their order of last time, which `sort` mends, and
    /// those that come, which are merged in.
    fn mend(&mut self, bodies: Bodies<D>, sort: Sort) {
        let changed = self.note_spans(bodies);
        self.joining.sort_unstable();
        let most = self.order.len() + self.joining.len();
        self.entries.resize(most);
        self.next.resize(most, 0);
        self.longest.clear();
        self.next_start.clear();
        self.next_start.push(0);
        let (mut joined, mut end) = (0, 0);
        for band in 0..self.borders.len() - 1 {
            let first = end;
            let place = Place {
                along: self.layout.along,
                across: self.layout.across,
                begin: self.borders[band],
                end: self.borders[band + 1],
            };
            let mut longest = 0.0_f64;
            let old =
                self.start.get(band).zip(self.start.get(band + 1)).map_or(0..0, |(&a, &b)| a as usize..b as usize);
            for (&entry, later) in self.order[old.clone()].iter().zip(old.start + PREFETCH_ENTRIES..) {
                if let Some(&later) = self.order.get(later) {
                    prefetch(bodies.position, later as u32 as usize);
                    prefetch(bodies.radius, later as u32 as usize);
                }
                let row = entry as u32;
                if changed && row as usize >= bodies.len() {
                    continue;
                }
                // Written in the old order, which is nearly the new one; a body that has left is written over.
                let written = self.entries.put(bodies, &place, end, row);
                self.next[end] = written.key;
                longest = longest.max(written.length);
                end += usize::from(written.inside);
            }
            sort.sort(&mut self.next[first..end]);
            let coming = self.joining[joined..].iter().take_while(|&&joining| (joining >> 32) as usize == band).count();
            let coming = &mut self.joining[joined..joined + coming];
            for (entry, joining) in (end..).zip(&mut *coming) {
                let written = self.entries.put(bodies, &place, entry, *joining as u32);
                *joining = written.key;
                longest = longest.max(written.length);
            }
            quick(coming);
            merge(&mut self.next[first..end + coming.len()], coming);
            joined += coming.len();
            end += coming.len();
            for entry in first..end {
                let row = self.next[entry] as u32;
                if row != self.entries.row[entry] {
                    self.entries.put(bodies, &place, entry, row);
                }
            }
            // More than rounding may take off when it is added to a lower edge.
            self.longest.push(longest * (1.0 + 1e-6));
            self.next_start.push(end as u32);
        }
        self.next.truncate(end);
        self.entries.resize(end);
        std::mem::swap(&mut self.start, &mut self.next_start);
        std::mem::swap(&mut self.order, &mut self.next);
    }

    /// The entries of each band.
    pub(super) fn lists(&self) -> impl Iterator<Item = Range<usize>> {
        self.start.windows(2).map(|ends| ends[0] as usize..ends[1] as usize)
    }

    /// The columns that pairs are found in.
    pub(super) fn columns(&self) -> Columns<'_, D> {
        Columns {
            centre: &self.entries.centre,
            radius: &self.entries.radius,
            mark: &self.entries.mark,
            row: &self.entries.row,
            low: &self.entries.low,
            high: &self.entries.high,
        }
    }

    pub(super) fn touching(&self, region: &Aabb<D>, mut visit: impl FnMut(u32) -> ControlFlow<()>) -> ControlFlow<()> {
        let Layout { along, across, .. } = self.layout;
        if self.order.is_empty() {
            return ControlFlow::Continue(());
        }
        let bands = self.borders.len() - 1;
        let of = |x: f32| self.borders[1..bands].partition_point(|&border| border <= x);
        let begin = of(region.low[across]);
        for band in begin..=of(region.high[across]) {
            let (start, end) = (self.start[band] as usize, self.start[band + 1] as usize);
            let near = f64::from(region.low[along]);
            let before = |&low: &f32| f64::from(low) + self.longest[band] < near;
            let from = start + self.entries.low[start..end].partition_point(before);
            for entry in from..end {
                if self.entries.low[entry] > region.high[along] {
                    break;
                }
                // In the first band of the region, or in its own first one.
                if (band == begin || self.entries.mark[entry] & LISTED_BEFORE == 0)
                    && meet(&around(self.entries.centre[entry], self.entries.radius[entry]), region)
                {
                    visit(self.entries.row[entry])?;
                }
            }
        }
        ControlFlow::Continue(())
    }

    /// The box around the bodies of each band. O(n).
    pub(super) fn cells(
        &self,
        region: &Aabb<D>,
        mut visit: impl FnMut(&Aabb<D>, usize) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        for list in self.lists().filter(|list| !list.is_empty()) {
            let mut hull = Aabb { low: [f32::INFINITY; D], high: [f32::NEG_INFINITY; D] };
            for entry in list.clone() {
                let bounds = around(self.entries.centre[entry], self.entries.radius[entry]);
                for axis in 0..D {
                    hull.low[axis] = hull.low[axis].min(bounds.low[axis]);
                    hull.high[axis] = hull.high[axis].max(bounds.high[axis]);
                }
            }
            if meet(&hull, region) {
                visit(&hull, list.len())?;
            }
        }
        ControlFlow::Continue(())
    }

    pub(super) fn spacing(&self) -> f32 {
        self.layout.spacing
    }

    pub(super) fn bytes(&self) -> usize {
        let words = self.borders.capacity()
            + self.span.capacity()
            + self.start.capacity()
            + self.next_start.capacity()
            + self.sample.capacity();
        let doubles = self.order.capacity() + self.next.capacity() + self.joining.capacity() + self.longest.capacity();
        words * size_of::<f32>() + doubles * size_of::<u64>() + self.entries.bytes()
    }
}

/// The band of a coordinate on the axis across, looked for from `near` on.
#[inline]
fn band(borders: &[f32], x: f32, near: u16) -> u16 {
    let mut band = near;
    while x >= borders[usize::from(band) + 1] {
        band += 1;
    }
    while x < borders[usize::from(band)] {
        band -= 1;
    }
    band
}

/// Merges sorted items into sorted ones, after which there is room for them; from the end backwards.
fn merge(items: &mut [u64], coming: &[u64]) {
    let mut right = coming.len();
    let mut left = items.len() - right;
    while right > 0 {
        let place = left + right - 1;
        if left > 0 && items[left - 1] > coming[right - 1] {
            items[place] = items[left - 1];
            left -= 1;
        } else {
            items[place] = coming[right - 1];
            right -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn merging_keeps_order(
            mut a in prop::collection::vec(0..99_u64, 0..50),
            mut b in prop::collection::vec(0..99_u64, 0..50),
        ) {
            a.sort_unstable();
            b.sort_unstable();
            let (mut items, mut expected) = (a.clone(), [a, b.clone()].concat());
            items.resize(expected.len(), 0);
            merge(&mut items, &b);
            expected.sort_unstable();
            prop_assert_eq!(items, expected);
        }
    }
}
