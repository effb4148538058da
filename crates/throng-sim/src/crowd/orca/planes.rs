//! The half-planes of one agent at a time: for inspection, and as the reference against which the lanes are tested.

use super::Orca;
use super::walls::{Around, Ground, Line, Walker};
use crate::crowd::AgentView;
use crate::crowd::apart::apart;
use crate::crowd::gap::{Gap, GapRows};
use crate::crowd::models::Rows;
use throng_grid::geom::{Vec2, cross};

/// A half-plane of velocities that an agent may have without running into a neighbour or a wall: those `v` with
/// `normal · (v - point)` not negative.
///
/// ```
/// use throng_sim::crowd::HalfPlane;
/// use throng_grid::geom::Vec2;
/// let slow = HalfPlane { point: Vec2::X, normal: -Vec2::X };
/// assert!(slow.permits(Vec2::ZERO) && !slow.permits(Vec2::new(1.5, 0.0)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct HalfPlane {
    /// On its border (m/s).
    pub point: Vec2,
    /// The unit vector into it.
    pub normal: Vec2,
}

impl HalfPlane {
    /// True where it holds a velocity (m/s).
    pub fn permits(&self, velocity: Vec2) -> bool {
        self.normal.dot(velocity - self.point) >= 0.0
    }
}

/// The half-planes that the agent in `row` is kept to, walls first, for inspection: as [`orca`](super::orca()) uses them, or
/// [`gap`](crate::crowd::gap::gap) where the agent goes by gaps. `near` are the rows of its neighbours. O(neighbours + walls).
///
/// # Panics
/// Where a row is not one of the view's, or where it goes by gaps and the view has no headings.
pub fn half_planes(params: Orca, gap: Option<Gap>, view: &AgentView<'_>, row: usize, near: &[u32]) -> Vec<HalfPlane> {
    let mut lines = Vec::new();
    let gap = gap.map(|gap| GapRows::of(gap, view, Rows::All));
    planes(params, gap.as_ref(), view, row, near, &mut Around::default(), &mut lines);
    let half = |line: &Line| HalfPlane { point: line.point, normal: Vec2::new(-line.direction.y, line.direction.x) };
    lines.iter().map(half).collect()
}

/// Writes the borders of the half-planes, those of walls first; how many those are.
pub(super) fn planes(
    params: Orca,
    gap: Option<&GapRows<'_>>,
    view: &AgentView<'_>,
    row: usize,
    near: &[u32],
    around: &mut Around,
    lines: &mut Vec<Line>,
) -> usize {
    let AgentView { step, grid, clearance, position, velocity, radius, weight, slot, .. } = *view;
    let companion = gap.and_then(|gap| gap.companion(view, row, near));
    let horizon = gap.filter(|_| companion.is_some()).map_or(params.horizon, GapRows::horizon);
    let (per_horizon, per_step) = (1.0 / horizon, 1.0 / step);
    let ground = Ground { grid, clearance, horizon: params.wall_horizon.max(step) };
    let walker = Walker {
        place: position[row],
        velocity: velocity[row],
        preferred: view.preferred_velocity[row],
        radius: radius[row],
        top_speed: view.top_speed[row],
    };
    lines.clear();
    lines.extend_from_slice(around.lines(ground, walker));
    let walls = lines.len();
    lines.extend(near.iter().map(|&other| {
        let other = other as usize;
        if let Some((point, direction)) = companion.as_ref().and_then(|own| own.half_plane(view, other)) {
            return Line { point, direction };
        }
        let way = Encounter {
            position: position[other] - position[row],
            velocity: velocity[row] - velocity[other],
            radius: radius[row] + radius[other],
        };
        let duty = weight[other] / (weight[row] + weight[other]);
        let (direction, change) =
            way.change(per_horizon, per_step).unwrap_or_else(|| way.escape(per_step, slot[row], slot[other]));
        Line { point: velocity[row] + change * duty, direction }
    }));
    walls
}

/// A neighbour as an agent sees it.
#[derive(Clone, Copy)]
struct Encounter {
    /// From the agent to the neighbour (m).
    position: Vec2,
    /// Of the agent relative to the neighbour (m/s).
    velocity: Vec2,
    /// Sum of the radii (m).
    radius: f32,
}

impl Encounter {
    /// The direction of the border of the velocity obstacle at its point nearest to the relative velocity, and the
    /// change u of velocity that leads there. `None` where that point is not defined: both stand on one point, with one
    /// velocity.
    fn change(self, per_horizon: f32, per_step: f32) -> Option<(Vec2, Vec2)> {
        let Self { position, velocity, radius } = self;
        let squared = position.length_squared();
        let overlap = squared <= radius * radius;
        // The obstacle is a cone whose tip is cut off by a disc: that of all velocities which collide at the horizon,
        // or, for agents that overlap already, after this step.
        let per_time = if overlap { per_step } else { per_horizon };
        let w = velocity - position * per_time;
        let along = w.dot(position);
        if overlap || (along < 0.0 && along * along > radius * radius * w.length_squared()) {
            let length = w.length();
            let normal = w / length;
            return (length > 1e-9).then(|| (Vec2::new(normal.y, -normal.x), normal * (radius * per_time - length)));
        }
        // The nearest leg of the cone.
        let leg = (squared - radius * radius).sqrt();
        let side = if cross(position, w) > 0.0 { 1.0 } else { -1.0 };
        let direction =
            Vec2::new(position.x * leg - side * position.y * radius, side * position.x * radius + position.y * leg)
                * (side / squared);
        Some((direction, direction * velocity.dot(direction) - velocity))
    }

    /// As [`Encounter::change`], for agents on one point: away from each other.
    fn escape(self, per_step: f32, own: u32, other: u32) -> (Vec2, Vec2) {
        let normal = apart(own, other);
        (Vec2::new(normal.y, -normal.x), normal * (self.radius * per_step))
    }
}
