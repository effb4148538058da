//! What a ray hits beside balls.

use super::slabs::{Stretch, stretch};
use super::wide::{along, dot, minus, narrow, widen};
use super::{Aabb, Hit, Ray, Segment};

/// A hit before it is rounded.
struct Wide<const D: usize> {
    time: f64,
    point: [f64; D],
    normal: [f64; D],
}

impl<const D: usize> Ray<D> {
    /// Where it first enters a box, by its slabs (Kay & Kajiya 1986). A ray that starts inside hits at once, where it
    /// starts; the normal is then against its motion. A ray that only touches the box, runs along a face or starts on
    /// it and leads away does not hit it. A box that is flat is hit where it is crossed, by a ray that starts on it as
    /// well.
    ///
    /// ```
    /// use throng::volume::{Aabb, Ray};
    /// let square = Aabb { low: [0.0, 0.0], high: [2.0, 2.0] };
    /// let hit = Ray::between([-2.0, 1.0], [6.0, 1.0]).hit_aabb(&square).unwrap();
    /// assert_eq!((hit.time, hit.point, hit.normal), (0.25, [0.0, 1.0], [-1.0, 0.0]));
    /// assert_eq!(Ray::between([-2.0, 2.0], [6.0, 2.0]).hit_aabb(&square), None, "along its upper side");
    /// ```
    pub fn hit_aabb(&self, target: &Aabb<D>) -> Option<Hit<D>> {
        let Wide { time, point, normal } = self.enter_box(widen(target.low), widen(target.high))?;
        Some(Hit { time, point: narrow(point), normal: narrow(normal) })
    }

    fn enter_box(&self, low: [f64; D], high: [f64; D]) -> Option<Wide<D>> {
        let inside = stretch(self, low, high)?;
        let time = inside.hit(self.until)?;
        let mut point = self.at(time);
        let Stretch { enter: 0.0.., axis: Some(axis), .. } = inside else {
            return Some(Wide { time, point, normal: self.facing([0.0; D]) });
        };
        for axis in 0..D {
            point[axis] = point[axis].max(low[axis]).min(high[axis]);
        }
        point[axis] = if self.along[axis] > 0.0 { low[axis] } else { high[axis] };
        let mut normal = [0.0; D];
        normal[axis] = -self.along[axis].signum();
        Some(Wide { time, point, normal })
    }
}

impl Ray<2> {
    /// Where it crosses a segment. A ray that starts on the segment hits it at once, one that ends on it does not, so
    /// none is passed between two ticks; and where segments share an end none slips through between them. A ray along
    /// the segment does not hit it. The normal is at right angles to the segment, towards where the ray comes from.
    ///
    /// ```
    /// use throng::volume::{Ray, Segment};
    /// let wall = Segment { from: [3.0, -1.0], to: [3.0, 1.0] };
    /// let hit = Ray::between([0.0, 0.0], [4.0, 0.0]).hit_segment(&wall).unwrap();
    /// assert_eq!((hit.time, hit.point, hit.normal), (0.75, [3.0, 0.0], [-1.0, 0.0]));
    /// ```
    pub fn hit_segment(&self, target: &Segment<2>) -> Option<Hit<2>> {
        let cross = |a: [f64; 2], b: [f64; 2]| a[0] * b[1] - a[1] * b[0];
        let (a, b) = (widen(target.from), widen(target.to));
        let span = minus(b, a);
        // On which side of the segment it starts and ends: from the same points as the ticks before and after.
        let start = cross(span, minus(self.from, a));
        let speed = cross(span, self.along);
        let crosses = if self.until.is_finite() {
            let end = cross(span, minus(self.at(self.until), a));
            start == 0.0 && end != 0.0 || start * end < 0.0
        } else {
            start * speed <= 0.0 && speed != 0.0
        };
        // On which side of the ray the ends are: for a shared end the same for both segments.
        let (left, right) = (cross(self.along, minus(a, self.from)), cross(self.along, minus(b, self.from)));
        if !crosses || left * right > 0.0 || left == right {
            return None;
        }
        let point = along(a, left / (left - right), span);
        let time = (dot(minus(point, self.from), self.along) / dot(self.along, self.along)).max(0.0);
        let facing = if speed > 0.0 { [span[1], -span[0]] } else { [-span[1], span[0]] };
        Some(Hit { time, point: narrow(point), normal: narrow(self.facing(facing)) })
    }
}
