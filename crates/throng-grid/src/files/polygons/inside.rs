//! The stretches of a line that are inside a polygon: its outer ring less all of its holes.
//!
//! Each ring counts by itself and by the nonzero rule: where it winds around a place, however often and in whatever direction, that place is inside.
//! So a ring may cross itself, and a hole may be listed twice, cross another one, or stick out.

/// Where a ring of a polygon crosses a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    pub polygon: u32,
    /// Twice the number of the ring; one more where it crosses the other way.
    ring: u32,
    pub at: f64,
}

/// A stretch of a line inside a polygon.
#[derive(Clone, Copy, Debug)]
pub(super) struct Inside {
    pub polygon: u32,
    pub from: f64,
    pub to: f64,
}

/// Where an outer ring, or a hole, begins (1) or ends (-1).
type Event = (f64, i32, i32);

impl Crossing {
    pub(super) fn new(polygon: u32, ring: u32, is_back: bool, at: f64) -> Self {
        Self { polygon, ring: 2 * ring + u32::from(is_back), at }
    }

    /// The outer ring is 0.
    fn ring(self) -> u32 {
        self.ring / 2
    }
}

/// Appends the stretches inside one polygon, which crosses the line here. `events` is memory for the work. O(n log n).
pub(super) fn inside(crossings: &mut [Crossing], events: &mut Vec<Event>, stretches: &mut Vec<Inside>) {
    let Some(&Crossing { polygon, .. }) = crossings.first() else { return };
    crossings.sort_unstable_by(|a, b| a.ring().cmp(&b.ring()).then(a.at.total_cmp(&b.at)));
    events.clear();
    crossings.chunk_by(|a, b| a.ring() == b.ring()).for_each(|ring| wound(ring, events));
    events.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let (mut outer, mut holes, mut from) = (0, 0, None);
    for event in events.chunk_by(|a, b| a.0 == b.0) {
        outer += event.iter().map(|event| event.1).sum::<i32>();
        holes += event.iter().map(|event| event.2).sum::<i32>();
        let is_inside = outer > 0 && holes == 0;
        match from {
            Some(start) if !is_inside => {
                stretches.push(Inside { polygon, from: start, to: event[0].0 });
                from = None;
            }
            None if is_inside => from = Some(event[0].0),
            _ => {}
        }
    }
}

/// Appends where a ring begins to wind around the line, and where it ends.
fn wound(ring: &[Crossing], events: &mut Vec<Event>) {
    let (outer, hole) = if ring[0].ring() == 0 { (1, 0) } else { (0, 1) };
    let mut winding = 0;
    for crossing in ring {
        let before = winding;
        winding += if crossing.ring.is_multiple_of(2) { 1 } else { -1 };
        if before == 0 {
            events.push((crossing.at, outer, hole));
        } else if winding == 0 {
            events.push((crossing.at, -outer, -hole));
        }
    }
}
