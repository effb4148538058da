//! The time of a frame over the number of discs: a curve an index.

use super::{Arrangement, IndexTrial};
use throng_spatial::IndexSpec;

/// The time of an index for a frame, update and pairs together, over the number of discs.
///
/// See [`Window::index`](crate::Window::index).
#[derive(Clone, Debug, PartialEq)]
pub struct IndexCurve {
    /// The index.
    pub index: IndexSpec,
    /// How the discs lay.
    pub arrangement: Arrangement,
    /// Discs, and the median of the time of a frame (µs); by discs.
    pub points: Vec<(u32, f64)>,
}

/// All that were measured.
#[derive(Debug, Default)]
pub(super) struct Curves(pub Vec<IndexCurve>);

impl Curves {
    /// Adds a point in its place; one with as many discs is replaced.
    pub fn add(&mut self, trial: &IndexTrial, micros: f64) {
        let IndexTrial { index, arrangement, discs, .. } = *trial;
        let of = |curve: &IndexCurve| curve.index == index && curve.arrangement == arrangement;
        let at = self.0.iter().position(of).unwrap_or_else(|| {
            self.0.push(IndexCurve { index, arrangement, points: Vec::new() });
            self.0.len() - 1
        });
        let points = &mut self.0[at].points;
        match points.binary_search_by_key(&discs, |point| point.0) {
            Ok(place) => points[place].1 = micros,
            Err(place) => points.insert(place, (discs, micros)),
        }
    }

    /// The curves of an arrangement.
    pub fn of(&self, arrangement: Arrangement) -> impl Iterator<Item = &IndexCurve> {
        self.0.iter().filter(move |curve| curve.arrangement == arrangement)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_stand_in_order_each_once() {
        let mut curves = Curves::default();
        for (discs, micros) in [(400, 4.0), (100, 1.0), (200, 2.0), (100, 1.5)] {
            curves.add(&IndexTrial { discs, ..IndexTrial::default() }, micros);
        }
        curves
            .add(&IndexTrial { index: throng_spatial::IndexKind::Bvh.into(), discs: 7, ..IndexTrial::default() }, 3.0);
        let all: Vec<_> = curves.of(Arrangement::Bouncing).map(|curve| curve.points.clone()).collect();
        assert_eq!(all, [vec![(100, 1.5), (200, 2.0), (400, 4.0)], vec![(7, 3.0)]]);
        assert_eq!(curves.of(Arrangement::Scene(throng_spatial::SceneKind::Line)).count(), 0);
    }
}
