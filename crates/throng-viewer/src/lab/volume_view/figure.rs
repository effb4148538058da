//! The drawing of a volume, in the plane or in space.

use glam::Vec3;
use throng_spatial::volume::{Aabb, Ball, Cylinder, Obb, PosedTree};

/// A volume as it is drawn. In the plane all heights are 0.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum VolumeFigure {
    Ball {
        centre: Vec3,
        radius: f32,
    },
    /// The middle, and the half sides along the axes.
    Block {
        centre: Vec3,
        half: [Vec3; 3],
    },
    /// The middle of the lower end, the radius, the height.
    Cylinder {
        foot: Vec3,
        radius: f32,
        height: f32,
    },
    /// All balls of a sphere tree, the outer ones first, and whether each is a leaf.
    Tree {
        balls: Vec<(Vec3, f32, bool)>,
    },
}

/// A point of the plane or of space.
pub(super) fn lifted<const D: usize>(point: [f32; D]) -> Vec3 {
    Vec3::from_array(std::array::from_fn(|axis| point.get(axis).copied().unwrap_or(0.0)))
}

impl VolumeFigure {
    pub fn ball<const D: usize>(ball: &Ball<D>) -> Self {
        Self::Ball { centre: lifted(ball.centre), radius: ball.radius }
    }

    pub fn aabb<const D: usize>(bounds: &Aabb<D>) -> Self {
        Self::obb(&Obb::from(*bounds))
    }

    pub fn obb<const D: usize>(obb: &Obb<D>) -> Self {
        let half = |axis: usize| if axis < D { lifted(obb.axes[axis]) * obb.half[axis] } else { Vec3::ZERO };
        Self::Block { centre: lifted(obb.centre), half: [half(0), half(1), half(2)] }
    }

    pub fn cylinder(cylinder: &Cylinder) -> Self {
        let [x, y] = cylinder.centre;
        let foot = Vec3::new(x, y, cylinder.low);
        Self::Cylinder { foot, radius: cylinder.radius, height: cylinder.high - cylinder.low }
    }

    pub fn tree<const D: usize>(posed: &PosedTree<D>) -> Self {
        let levels: Vec<_> = posed.tree.balls().collect();
        // The balls below a ball come next, so that a leaf is followed by one that is not below it.
        let is_leaf = |i: usize| levels.get(i + 1).is_none_or(|next| next.1 <= levels[i].1);
        let placed = levels.iter().enumerate().map(|(i, (ball, _))| {
            let centre = lifted(posed.pose.point(ball.centre));
            (centre, ball.radius, is_leaf(i))
        });
        Self::Tree { balls: placed.collect() }
    }

    /// The same elsewhere.
    pub fn moved(mut self, by: Vec3) -> Self {
        match &mut self {
            Self::Ball { centre, .. } | Self::Block { centre, .. } => *centre += by,
            Self::Cylinder { foot, .. } => *foot += by,
            Self::Tree { balls } => balls.iter_mut().for_each(|(centre, ..)| *centre += by),
        }
        self
    }

    /// Its middle, or nearly: to sort by depth.
    pub fn middle(&self) -> Vec3 {
        match self {
            Self::Ball { centre, .. } | Self::Block { centre, .. } => *centre,
            Self::Cylinder { foot, height, .. } => *foot + Vec3::Z * (0.5 * height),
            Self::Tree { balls } => balls.first().map_or(Vec3::ZERO, |ball| ball.0),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_spatial::volume::{Pose, SphereTree};

    #[test]
    fn figures_are_placed_and_leaves_are_told_from_the_balls_around_them() {
        let leaves = [0.0, 2.0, 4.0].map(|x| Ball { centre: [x, 0.0], radius: 1.0 });
        let tree = Arc::new(SphereTree::new(&leaves).unwrap());
        let figure = VolumeFigure::tree(&PosedTree { tree, pose: Pose::moved([10.0, 5.0]) }).moved(Vec3::X);
        let VolumeFigure::Tree { balls } = figure else { unreachable!() };
        let mut found: Vec<f32> = balls.iter().filter(|ball| ball.2).map(|ball| ball.0.x).collect();
        found.sort_by(f32::total_cmp);
        assert_eq!((found, balls.len()), (vec![11.0, 13.0, 15.0], 5));
        assert!((balls[0].1 - 3.0).abs() < 1e-3 && balls[0].0.y == 5.0, "{balls:?}");
        let VolumeFigure::Block { centre, half } = VolumeFigure::aabb(&Aabb { low: [0.0; 2], high: [2.0, 4.0] }) else {
            unreachable!()
        };
        assert_eq!((centre, half), (Vec3::new(1.0, 2.0, 0.0), [Vec3::X, 2.0 * Vec3::Y, Vec3::ZERO]));
    }
}
