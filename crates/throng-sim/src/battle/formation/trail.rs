//! The line along which a formation marches.

use serde::{Deserialize, Serialize};
use throng_grid::geom::{Vec2, unit};

/// A line through points (m), which goes on straight before its start and after its end. The member at the head of a march is
/// on it, and so is every rank behind it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(into = "(Vec<Vec2>, Vec2)", from = "(Vec<Vec2>, Vec2)")]
pub(super) struct Trail {
    points: Vec<Vec2>,
    /// How far it is to each point (m).
    upto: Vec<f32>,
    /// Unit vector of the way before the start.
    tail: Vec2,
}

impl From<Trail> for (Vec<Vec2>, Vec2) {
    fn from(trail: Trail) -> Self {
        (trail.points, trail.tail)
    }
}

impl From<(Vec<Vec2>, Vec2)> for Trail {
    fn from((points, tail): (Vec<Vec2>, Vec2)) -> Self {
        Self::new(points, tail)
    }
}

impl Trail {
    /// Along points; `tail` is the unit vector of the way before the first.
    pub(super) fn new(mut points: Vec<Vec2>, tail: Vec2) -> Self {
        points.dedup();
        if points.is_empty() {
            points.push(Vec2::ZERO);
        }
        let mut upto = Vec::with_capacity(points.len());
        let mut length = 0.0;
        upto.push(length);
        for line in points.windows(2) {
            length += line[0].distance(line[1]);
            upto.push(length);
        }
        Self { points, upto, tail }
    }

    /// The trail of a squad that stands at a point and faces along a unit vector.
    pub(super) fn stand(at: Vec2, heading: Vec2) -> Self {
        Self::new(vec![at], heading)
    }

    pub(super) fn set_tail(&mut self, tail: Vec2) {
        self.tail = tail;
    }

    pub(super) fn length(&self) -> f32 {
        self.upto.last().copied().unwrap_or(0.0)
    }

    /// False where a number is none, or the way before the start is no unit vector.
    pub(super) fn is_sound(&self) -> bool {
        let is_near = |point: &Vec2| point.is_finite() && point.abs().max_element() < 1e7;
        self.tail.length_squared() < 1.1 && self.points.iter().all(is_near) && self.length() < 1e7
    }

    /// The unit vector of a stretch.
    fn direction(&self, stretch: usize) -> Vec2 {
        match self.points.get(stretch..stretch + 2) {
            Some(line) => unit(line[1] - line[0]),
            None => self.tail,
        }
    }

    /// The point so far along (m), before the start and after the end too.
    pub(super) fn point(&self, along: f32) -> Vec2 {
        let last = self.points.len() - 1;
        if along < 0.0 {
            return self.points[0] + self.tail * along;
        }
        let stretch = self.upto.partition_point(|&upto| upto <= along);
        let from = stretch.saturating_sub(1);
        let direction = self.direction(from.min(last.saturating_sub(1)));
        self.points[from] + direction * (along - self.upto[from])
    }

    /// The unit vector of the way so far along, over so many metres to either side, so that it turns before a corner and
    /// goes on turning after it.
    pub(super) fn tangent(&self, along: f32, reach: f32) -> Vec2 {
        let chord = unit(self.point(along + reach) - self.point(along - reach));
        if chord == Vec2::ZERO { self.tail } else { chord }
    }

    /// How far along its point is that is nearest to a place.
    pub(super) fn nearest(&self, place: Vec2) -> f32 {
        let mut best = (f32::INFINITY, 0.0);
        for (stretch, line) in self.points.windows(2).enumerate() {
            let direction = self.direction(stretch);
            let along = (place - line[0]).dot(direction).clamp(0.0, self.upto[stretch + 1] - self.upto[stretch]);
            let squared = place.distance_squared(line[0] + direction * along);
            if squared < best.0 {
                best = (squared, self.upto[stretch] + along);
            }
        }
        best.1
    }

    /// A trail that goes on from this one where it is `at` metres along, over `points`, as soon as these are ahead and a body
    /// that `sees` so far can go to them; `keep` metres of this one stay behind.
    pub(super) fn turned(&self, at: f32, keep: f32, points: &[Vec2], sees: impl Fn(Vec2, Vec2) -> bool) -> Self {
        let here = self.point(at);
        let onward = Self::new(points.to_vec(), self.tail);
        let nearest = onward.nearest(here);
        let next = onward.upto.partition_point(|&upto| upto <= nearest).min(onward.points.len() - 1);
        // Not round the foot of the perpendicular: to the next point, where that is in sight.
        let foot = onward.point(nearest);
        let ahead = &onward.points[next..];
        let mut line = Vec::new();
        let start = (at - keep).max(0.0).min(at);
        line.push(self.point(start));
        let between = |&(_, &upto): &(&Vec2, &f32)| upto > start && upto < at;
        line.extend(self.points.iter().zip(&self.upto).filter(between).map(|(&point, _)| point));
        line.push(here);
        if !ahead.first().is_some_and(|&ahead| sees(here, ahead)) {
            line.push(foot);
        }
        line.extend_from_slice(ahead);
        let tail = if start > 0.0 { self.tangent(start, 0.1) } else { self.tail };
        Self::new(line, tail)
    }

    /// The trail that leads back over the last `reach` metres of the way to the point `at` metres along this one.
    pub(super) fn back(&self, at: f32, reach: f32) -> Self {
        let between = |&(_, &upto): &(&Vec2, &f32)| upto > at && upto < at + reach;
        let mut line = vec![self.point(at + reach)];
        line.extend(self.points.iter().zip(&self.upto).rev().filter(between).map(|(&point, _)| point));
        line.push(self.point(at));
        Self::new(line, -self.tangent(at + reach, 0.1))
    }

    pub(super) fn bytes(&self) -> usize {
        self.points.capacity() * size_of::<Vec2>() + self.upto.capacity() * size_of::<f32>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn goes_on_before_its_start_and_after_its_end() {
        let points = [(0.0, 0.0), (0.0, 0.0), (10.0, 0.0), (10.0, 5.0)].map(Vec2::from);
        let trail = Trail::new(points.to_vec(), Vec2::Y);
        assert_eq!(trail.length(), 15.0);
        for (along, at) in [
            (-2.0, (0.0, -2.0)),
            (0.0, (0.0, 0.0)),
            (4.0, (4.0, 0.0)),
            (10.0, (10.0, 0.0)),
            (12.0, (10.0, 2.0)),
            (15.0, (10.0, 5.0)),
            (18.0, (10.0, 8.0)),
        ] {
            assert_eq!(trail.point(along), Vec2::from(at), "{along}");
            let nearest = trail.nearest(trail.point(along));
            assert_eq!(nearest, along.clamp(0.0, 15.0), "{along}");
        }
        assert!(trail.tangent(10.0, 2.0).distance(unit(Vec2::ONE)) < 1e-6, "half way round the corner");
        let stand = Trail::stand(Vec2::ONE, Vec2::X);
        assert_eq!((stand.point(3.0), stand.point(-3.0)), (Vec2::new(4.0, 1.0), Vec2::new(-2.0, 1.0)));
        assert_eq!((stand.tangent(0.0, 2.0), stand.nearest(Vec2::ZERO)), (Vec2::X, 0.0));
        let read: Trail = postcard::from_bytes(&postcard::to_stdvec(&trail).unwrap()).unwrap();
        assert_eq!(read, trail);
    }
}
