//! Bodies of any shape.

use super::{Bodies, SpatialIndex, queries};
use crate::volume::{Hit, Sweep, Volume};
use std::ops::ControlFlow;

/// The balls around volumes, by which an index finds bodies of any shape; these are then tested exactly.
///
/// A long and thin volume has a wide ball: where there are many of those, cut them into shorter ones, or into a
/// [`SphereTree`](crate::volume::SphereTree).
///
/// ```
/// use throng_spatial::{BoundingBalls, Index, IndexKind, SpatialIndex};
/// use throng_spatial::volume::{Ball, Obb, Shape2};
/// let gate = Obb::turned([0.0, 0.0], [6.0, 0.2], 45.0);
/// let volumes: [Shape2; 3] = [
///     gate.into(),
///     Ball { centre: [4.0, 4.0], radius: 0.5 }.into(),
///     Ball { centre: [4.0, -4.0], radius: 0.5 }.into(),
/// ];
/// let mut balls = BoundingBalls::default();
/// balls.update(&volumes);
/// let bodies = balls.bodies(&[0, 1, 2], &[]);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut pairs = Vec::new();
/// throng_spatial::volume_pairs(&index, bodies, &volumes, |i, j| {
///     pairs.push((i, j));
///     std::ops::ControlFlow::Continue(())
/// });
/// assert_eq!(pairs, [(0, 1)], "the other one is beside the gate");
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct BoundingBalls<const D: usize> {
    position: Vec<[f32; D]>,
    radius: Vec<f32>,
}

impl<const D: usize> BoundingBalls<D> {
    /// Takes the balls of volumes, one a row. O(n).
    pub fn update<V: Volume<D>>(&mut self, volumes: &[V]) {
        self.position.clear();
        self.radius.clear();
        for volume in volumes {
            let ball = volume.bounding_ball();
            self.position.push(ball.centre);
            // Wider by what rounding may take off the distance of two centres.
            self.radius.push(ball.radius * (1.0 + 1e-6));
        }
    }

    /// The columns for an index.
    pub fn bodies<'a>(&'a self, id: &'a [u32], resting: &'a [bool]) -> Bodies<'a, D> {
        Bodies { position: &self.position, radius: &self.radius, id, resting }
    }
}

/// Calls `visit(i, j)` with i < j once for each pair of volumes that overlap, but for two that rest. Returns how many
/// pairs of volumes were tested exactly: those whose balls overlap.
///
/// `index` is built of `bodies`, which are the [`BoundingBalls`] of `volumes`; so in the other functions on volumes.
///
/// # Panics
/// Where, here and in the others, there are fewer volumes than bodies.
pub fn volume_pairs<const D: usize, V: Volume<D>>(
    index: &impl SpatialIndex<D>,
    bodies: Bodies<D>,
    volumes: &[V],
    mut visit: impl FnMut(u32, u32) -> ControlFlow<()>,
) -> u64 {
    let mut tests = 0;
    index.pairs(bodies, |i, j| {
        tests += 1;
        if volumes[i as usize].overlaps(&volumes[j as usize]) { visit(i, j) } else { ControlFlow::Continue(()) }
    });
    tests
}

/// Calls `visit` with each row whose volume overlaps `probe`.
pub fn volumes_overlapping<const D: usize, V: Volume<D>>(
    index: &impl SpatialIndex<D>,
    bodies: Bodies<D>,
    volumes: &[V],
    probe: &V,
    mut visit: impl FnMut(u32) -> ControlFlow<()>,
) -> ControlFlow<()> {
    index.touching(bodies, &probe.bounds(), |row| {
        if volumes[row as usize].overlaps(probe) { visit(row) } else { ControlFlow::Continue(()) }
    })
}

/// Which of the volumes that `accept` takes a moving ball hits first, and where. `hit` is the continuous test of the
/// volumes, as `|sweep, shape| sweep.hit_shape(shape)`. Ties go to the smaller id.
pub fn volume_cast<const D: usize, V: Volume<D>>(
    index: &impl SpatialIndex<D>,
    bodies: Bodies<D>,
    volumes: &[V],
    sweep: &Sweep<D>,
    hit: impl Fn(&Sweep<D>, &V) -> Option<Hit<D>>,
    accept: impl FnMut(u32) -> bool,
) -> Option<(u32, Hit<D>)> {
    let of = |row: u32| hit(sweep, &volumes[row as usize]);
    let (row, _) = queries::first(index, bodies, sweep, |row| of(row).map(|hit| hit.time), accept)?;
    of(row).map(|hit| (row, hit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::volume::{Aabb, Ball, Cylinder, Obb, Pose, PosedTree, Shape2, Shape3, SphereTree};
    use crate::{Border, Bvh, HashGrid, Index, IndexKind, Octree};
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg32;
    use std::sync::Arc;

    fn plane(count: usize, random: &mut Pcg32) -> Vec<Shape2> {
        let leaves = [[0.0, 0.0], [1.0, 0.0], [2.0, 0.5]].map(|centre| Ball { centre, radius: 0.6 });
        let tree = Arc::new(SphereTree::new(&leaves).unwrap());
        (0..count)
            .map(|i| {
                let at = [(); 2].map(|()| random.random_range(-12.0..12.0_f32));
                let half = [(); 2].map(|()| random.random_range(0.1..2.5_f32));
                let degrees = random.random_range(0.0..360.0);
                match i % 4 {
                    0 => Ball { centre: at, radius: half[0] }.into(),
                    1 => Aabb { low: at, high: [at[0] + half[0], at[1] + half[1]] }.into(),
                    2 => Obb::turned(at, half, degrees).into(),
                    _ => Shape2::Tree(PosedTree { tree: Arc::clone(&tree), pose: Pose::turned(at, degrees) }),
                }
            })
            .collect()
    }

    fn space(count: usize, random: &mut Pcg32) -> Vec<Shape3> {
        let leaves = [[0.0; 3], [1.0, 0.0, 0.2], [2.0, 0.5, 0.0]].map(|centre| Ball { centre, radius: 0.7 });
        let tree = Arc::new(SphereTree::new(&leaves).unwrap());
        (0..count)
            .map(|i| {
                let at = [(); 3].map(|()| random.random_range(-6.0..6.0_f32));
                let half = [(); 3].map(|()| random.random_range(0.1..1.5_f32));
                let turn = glam::Quat::from_euler(glam::EulerRot::XYZ, half[0], half[1] * 2.0, half[2] * 3.0);
                match i % 5 {
                    0 => Ball { centre: at, radius: half[0] }.into(),
                    1 => Aabb { low: at, high: [at[0] + half[0], at[1] + half[1], at[2] + half[2]] }.into(),
                    2 => Obb::rotated(at, half, turn).unwrap().into(),
                    3 => {
                        let [x, y, low] = at;
                        Cylinder { centre: [x, y], radius: half[0], low, high: low + half[1] }.into()
                    }
                    _ => Shape3::Tree(PosedTree { tree: Arc::clone(&tree), pose: Pose::rotated(at, turn).unwrap() }),
                }
            })
            .collect()
    }

    fn check<const D: usize, V: Volume<D>>(
        index: &mut impl SpatialIndex<D>,
        volumes: &[V],
        hit: fn(&Sweep<D>, &V) -> Option<Hit<D>>,
        random: &mut Pcg32,
        name: &str,
    ) {
        let n = volumes.len();
        let id: Vec<u32> = (0..n as u32).map(|row| 500 - row).collect();
        let resting: Vec<bool> = (0..n).map(|_| random.random_ratio(1, 5)).collect();
        let mut balls = BoundingBalls::default();
        balls.update(volumes);
        let bodies = balls.bodies(&id, &resting);
        index.rebuild(bodies).unwrap();
        let mut found = Vec::new();
        let tests = volume_pairs(index, bodies, volumes, |i, j| {
            found.push((i as usize, j as usize));
            ControlFlow::Continue(())
        });
        found.sort_unstable();
        let mut expected = Vec::new();
        for i in 0..n {
            for j in i + 1..n {
                if volumes[i].overlaps(&volumes[j]) && !(resting[i] && resting[j]) {
                    expected.push((i, j));
                }
            }
        }
        assert!(!expected.is_empty());
        assert_eq!(found, expected, "{name}");
        assert!(tests as usize >= found.len() && (tests as usize) < n * (n - 1) / 2, "{name}: {tests} tests");
        for probe in volumes.iter().take(9) {
            let mut found = Vec::new();
            let _ = volumes_overlapping(index, bodies, volumes, probe, |row| {
                found.push(row as usize);
                ControlFlow::Continue(())
            });
            found.sort_unstable();
            let expected: Vec<usize> = (0..n).filter(|&row| volumes[row].overlaps(probe)).collect();
            assert_eq!(found, expected, "{name}");
        }
        for _ in 0..20 {
            let centre = [(); D].map(|()| random.random_range(-14.0..14.0_f32));
            let motion = [(); D].map(|()| random.random_range(-200.0..200.0_f32));
            let sweep = Sweep::new(&Ball { centre, radius: 0.2 }, motion);
            let found = volume_cast(index, bodies, volumes, &sweep, hit, |row| row % 3 != 0);
            let expected = (0..n as u32)
                .filter(|row| row % 3 != 0)
                .filter_map(|row| Some((hit(&sweep, &volumes[row as usize])?, id[row as usize], row)))
                .min_by(|a, b| (a.0.time, a.1).partial_cmp(&(b.0.time, b.1)).unwrap());
            assert_eq!(found, expected.map(|(hit, _, row)| (row, hit)), "{name}: {sweep:?}");
        }
    }

    #[test]
    fn every_index_finds_the_volumes_that_overlap() {
        let mut random = Pcg32::seed_from_u64(4);
        for kind in IndexKind::ALL {
            let volumes = plane(90, &mut random);
            check(&mut Index::new(kind), &volumes, Sweep::<2>::hit_shape, &mut random, kind.name());
        }
        let volumes = space(100, &mut random);
        check(&mut Octree::new(Border::Leaves), &volumes, Sweep::<3>::hit_shape, &mut random, "octree");
        check(&mut Bvh::default(), &volumes, Sweep::<3>::hit_shape, &mut random, "bvh");
        check(&mut HashGrid::default(), &volumes, Sweep::<3>::hit_shape, &mut random, "hash");
    }
}
