//! Every body against every other one.

use super::{Bodies, NearRows, SpatialIndex};
use crate::volume::{Ball, distance_squared};

/// No index at all: every question looks at every body. Costs O(n) a query and O(n²) for all pairs.
///
/// The other indices are tested against this one. Below some fifty bodies it is also the fastest.
///
/// ```
/// use throng::spatial::{Bodies, BruteForce, SpatialIndex};
/// let bodies = Bodies { position: &[[0.0, 0.0], [0.8, 0.0]], radius: &[0.5, 0.5], id: &[7, 3] };
/// let mut index = BruteForce;
/// index.rebuild(bodies);
/// let mut pairs = Vec::new();
/// index.pairs(bodies, |i, j| pairs.push((i, j)));
/// assert_eq!(pairs, [(1, 0)], "id 3 comes before id 7");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BruteForce;

/// A candidate: bits of the squared distance (they order like the distance, which is not negative), id, row.
type Candidate = (u32, u32, u32);

impl<const D: usize> SpatialIndex<D> for BruteForce {
    fn rebuild(&mut self, _: Bodies<D>) {}

    fn pairs(&self, bodies: Bodies<D>, mut visit: impl FnMut(u32, u32)) {
        let ball = |row: usize| Ball { centre: bodies.position[row], radius: bodies.radius[row] };
        for i in 0..bodies.len() {
            for j in i + 1..bodies.len() {
                if ball(i).overlaps(&ball(j)) {
                    if bodies.id[i] < bodies.id[j] {
                        visit(i as u32, j as u32);
                    } else {
                        visit(j as u32, i as u32);
                    }
                }
            }
        }
    }

    fn within(&self, bodies: Bodies<D>, point: [f32; D], radius: f32, mut visit: impl FnMut(u32, f32)) {
        let limit = radius.max(0.0) * radius;
        for (row, &position) in bodies.position.iter().enumerate() {
            let squared = distance_squared(position, point);
            if squared < limit {
                visit(row as u32, squared);
            }
        }
    }

    fn nearest(
        &self,
        bodies: Bodies<D>,
        point: [f32; D],
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        let mut best: Option<Candidate> = None;
        self.within(bodies, point, reach, |row, squared| {
            let candidate = (squared.to_bits(), bodies.id[row as usize], row);
            if best.is_none_or(|best| candidate < best) && accept(row) {
                best = Some(candidate);
            }
        });
        best.map(|(squared, _, row)| (row, f32::from_bits(squared)))
    }

    fn neighbours(&self, bodies: Bodies<D>, first: usize, reach: f32, near: NearRows<'_>) {
        if near.k == 0 {
            return;
        }
        let mut found: Vec<Candidate> = Vec::with_capacity(near.k + 1);
        for (i, (count, rows)) in near.count.iter_mut().zip(near.rows.chunks_mut(near.k)).enumerate() {
            found.clear();
            self.within(bodies, bodies.position[first + i], reach, |row, squared| {
                let candidate = (squared.to_bits(), bodies.id[row as usize], row);
                if row as usize == first + i || (found.len() == near.k && found.last().is_some_and(|&l| l < candidate))
                {
                    return;
                }
                let place = found.partition_point(|&other| other < candidate);
                found.insert(place, candidate);
                found.truncate(near.k);
            });
            *count = found.len() as u8;
            for (place, candidate) in rows.iter_mut().zip(&found) {
                *place = candidate.2;
            }
        }
    }
}
