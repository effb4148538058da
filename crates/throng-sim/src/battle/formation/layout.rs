//! The places of a formation.

use super::shape::LOOSE_SPACINGS;
use super::{Formation, Shape};
use std::f32::consts::{PI, TAU};
use throng_grid::geom::Vec2;
/// How far aside of its place a skirmisher may stand (spacings): two of them stay a spacing apart.
const ASTRAY: f32 = 0.35;

/// The places of a formation, from the front to the rear; of a circle from the inside out.
///
/// ```
/// use throng_sim::battle::{Formation, Shape};
/// let wedge = Formation::new(Shape::Wedge, 1.0).layout(6);
/// assert_eq!(wedge.rank, [0, 1, 1, 2, 2, 2]);
/// assert!(wedge.places[0].y > wedge.places[1].y, "its point is in front");
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Layout {
    /// Each place (m): x to the right, y ahead, from the middle of all.
    pub places: Vec<Vec2>,
    /// The rank of each, 0 in front; of a circle the ring, 0 inside.
    pub rank: Vec<u32>,
}

impl Layout {
    /// From the place furthest to the left to that furthest to the right (m).
    pub fn width(&self) -> f32 {
        self.extent(|place| place.x)
    }

    /// From the foremost place to the rearmost (m).
    pub fn depth(&self) -> f32 {
        self.extent(|place| place.y)
    }

    /// How far the foremost place is ahead of the middle (m).
    pub fn front(&self) -> f32 {
        self.places.iter().map(|place| place.y).fold(0.0, f32::max)
    }

    fn extent(&self, axis: impl Fn(&Vec2) -> f32) -> f32 {
        let (low, high) = self
            .places
            .iter()
            .map(axis)
            .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), x| (low.min(x), high.max(x)));
        (high - low).max(0.0)
    }

    fn push(&mut self, x: f32, y: f32, rank: u32) {
        self.places.push(Vec2::new(x, y));
        self.rank.push(rank);
    }

    /// A rank of so many, abreast around the middle.
    fn abreast(&mut self, count: usize, spacing: f32, y: f32, rank: u32) {
        for i in 0..count {
            self.push((i as f32 - 0.5 * (count - 1) as f32) * spacing, y, rank);
        }
    }

    /// Rank behind rank, the last in the middle.
    fn block(count: usize, files: usize, spacing: f32) -> Self {
        let mut layout = Self::default();
        for (rank, start) in (0..count).step_by(files).enumerate() {
            layout.abreast(files.min(count - start), spacing, -(rank as f32) * spacing, rank as u32);
        }
        layout
    }

    fn wedge(count: usize, spacing: f32) -> Self {
        let (mut layout, mut rank) = (Self::default(), 0);
        while layout.places.len() < count {
            let abreast = (rank + 1).min(count - layout.places.len());
            layout.abreast(abreast, spacing, -(rank as f32) * spacing, rank as u32);
            rank += 1;
        }
        layout
    }

    fn circle(count: usize, spacing: f32) -> Self {
        let mut layout = Self::default();
        // So few stand in one ring, with none in the middle.
        let few = (2..=6).contains(&count);
        if !few && count > 0 {
            layout.push(0.0, 0.0, 0);
        }
        let mut ring = 1;
        while layout.places.len() < count {
            let left = count - layout.places.len();
            let (radius, room) = if few {
                (0.5 * spacing / libm::sinf(PI / count as f32), count)
            } else {
                let room = PI / libm::asinf(0.5 / ring as f32);
                // A hair more, so that rounding takes no place: six stand in the first ring.
                (ring as f32 * spacing, (room + 1e-3) as usize)
            };
            let there = room.min(left);
            for i in 0..there {
                let angle = TAU * i as f32 / there as f32;
                layout.push(radius * libm::sinf(angle), radius * libm::cosf(angle), if few { 0 } else { ring });
            }
            ring += 1;
        }
        layout
    }

    fn loose(count: usize, files: usize, spacing: f32) -> Self {
        let mut layout = Self::block(count, files, LOOSE_SPACINGS * spacing);
        for (i, place) in layout.places.iter_mut().enumerate() {
            let half = if layout.rank[i] % 2 == 1 { 0.25 } else { -0.25 };
            place.x += half * LOOSE_SPACINGS * spacing;
            *place += Vec2::new(stray(2 * i), stray(2 * i + 1)) * spacing;
        }
        layout
    }

    /// All places around the middle of their extent across, and of their mean ahead.
    fn centred(mut self) -> Self {
        let count = self.places.len().max(1) as f32;
        let middle = self.places.iter().sum::<Vec2>() / count;
        self.places.iter_mut().for_each(|place| *place -= middle);
        self
    }
}

/// Between minus and plus [`ASTRAY`], the same for the same number.
fn stray(i: usize) -> f32 {
    let mixed = (i as u32).wrapping_add(1).wrapping_mul(0x9e37_79b9);
    let mixed = (mixed ^ mixed >> 15).wrapping_mul(0x85eb_ca6b);
    let share = (mixed >> 16) as f32 / 65_535.0;
    (2.0 * share - 1.0) * ASTRAY
}

impl Formation {
    /// How many stand side by side, of `count`; the broadest rank, for a wedge and a circle.
    pub fn abreast(&self, count: usize) -> usize {
        let root = |count: f64| count.sqrt().ceil() as usize;
        let usual = match self.shape {
            Shape::Line if count < 6 => count,
            Shape::Line if count < 16 => count.div_ceil(2),
            Shape::Line => count.div_ceil(3),
            Shape::Column => count.div_ceil(2).min(4),
            Shape::Square => root(count as f64),
            Shape::Wedge | Shape::Loose => root(2.0 * count as f64),
            Shape::Circle => root(count as f64 * 4.0 / f64::from(PI)),
        };
        let files = self.files.filter(|_| self.shape.has_files()).map_or(usual, |files| files as usize);
        files.clamp(1, count.max(1))
    }

    /// The places of so many soldiers. O(count).
    pub fn layout(&self, count: usize) -> Layout {
        let (files, spacing) = (self.abreast(count), self.spacing);
        let layout = match self.shape {
            Shape::Line | Shape::Column | Shape::Square => Layout::block(count, files, spacing),
            Shape::Wedge => Layout::wedge(count, spacing),
            Shape::Circle => Layout::circle(count, spacing),
            Shape::Loose => Layout::loose(count, files, spacing),
        };
        layout.centred()
    }

    /// The places where only so many have room side by side: rank behind rank, whatever the shape. O(count).
    pub fn thinned(&self, count: usize, files: usize) -> Layout {
        Layout::block(count, files.max(1), self.spacing).centred()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_stands_nearer_to_another_than_the_spacing() {
        for shape in Shape::ALL {
            for count in (0..40).chain([60, 61, 100, 333]) {
                let layout = Formation::new(shape, 1.5).layout(count);
                assert_eq!((layout.places.len(), layout.rank.len()), (count, count), "{shape}");
                let middle = layout.places.iter().sum::<Vec2>() / count.max(1) as f32;
                assert!(middle.length() < 1e-3, "{shape} of {count} is around {middle}");
                for (i, a) in layout.places.iter().enumerate() {
                    let nearest = layout.places[..i].iter().map(|b| a.distance(*b)).fold(f32::INFINITY, f32::min);
                    assert!(nearest > 1.499, "{shape} of {count}: {i} is {nearest} m from another");
                }
                assert!(layout.rank.is_sorted(), "{shape}");
            }
        }
    }

    #[test]
    fn shapes_are_as_broad_and_deep_as_they_should_be() {
        let size = |shape, count| {
            let layout = Formation::new(shape, 1.0).layout(count);
            (layout.width().round() as u32, layout.depth().round() as u32)
        };
        assert_eq!(size(Shape::Line, 60), (19, 2));
        assert_eq!(size(Shape::Column, 60), (3, 14));
        assert_eq!(size(Shape::Square, 64), (7, 7));
        assert_eq!(size(Shape::Wedge, 55), (9, 9));
        assert_eq!(size(Shape::Circle, 37), (6, 6));
        let (width, depth) = size(Shape::Loose, 50);
        assert!((18..22).contains(&width) && (7..11).contains(&depth), "{width} x {depth}");
    }

    #[test]
    fn a_line_of_more_has_more_ranks() {
        let abreast = |count| Formation::new(Shape::Line, 1.0).abreast(count);
        assert_eq!([0, 1, 5, 6, 15, 16, 60].map(abreast), [1, 1, 5, 3, 8, 6, 20]);
    }

    #[test]
    fn a_thin_front_is_a_block() {
        let wedge = Formation::new(Shape::Wedge, 1.0);
        let thin = wedge.thinned(10, 3);
        assert_eq!(thin.rank, [0, 0, 0, 1, 1, 1, 2, 2, 2, 3]);
        assert_eq!((thin.width(), thin.depth()), (2.0, 3.0));
        assert_eq!(thin.places[9].x, 0.0, "the last stands in the middle");
    }
}
