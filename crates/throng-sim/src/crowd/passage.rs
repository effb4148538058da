//! Walking abreast round the corner of a passage, by a flow field.
//!
//! The shortest ways of all lead by the corner itself. Where they are many there, they keep the places that they have beside each other, up to
//! the line across the passage at its corner: so its whole width is walked. One that is alone cuts the corner.

use super::downhill::downhill;
use super::follow::{Heading, RouteView};
use super::{RouteFollower, RouteProgress};
use throng_grid::geom::{Vec2, unit};
use throng_grid::walls::{free_radius, wall_near};
use throng_grid::{Cell, Grid};
use throng_plan::FlowField;

/// A passage is no wider than this (radii): 8 m for people.
const WIDEST: f32 = 40.0;

/// The cell at a corner is no further from the wall than this (radii).
const AT_CORNER: f32 = 8.0;

/// So many cells along the field it looks for the corner, and as many behind that tell where the way goes on.
const STEPS: (usize, usize) = (16, 6);

/// One that lacks so much of its speed is in a crowd, and keeps its place in full.
const CROWDED: f32 = 0.5;

/// One that lacks so much of it chooses its place anew.
const STUCK: f32 = 0.6;

/// So near to its point (radii) it looks whether it is past the corner.
const NEAR: f32 = 2.5;

/// So far behind the corner it walks (m), so that it comes past it.
const BEYOND: f32 = 0.1;

/// The line across a passage at a corner.
struct Gate {
    /// The middle of the cell at the corner (m).
    corner: Vec2,
    /// Unit vector, from the corner across the passage.
    across: Vec2,
    /// How far it is to the other side (m).
    width: f32,
    /// Unit vector, where the way leads.
    through: Vec2,
}

impl Gate {
    /// `None` where no wall is near, or the field ends.
    fn of(view: &RouteView<'_>, field: &FlowField, corner: Cell, radius: f32) -> Option<Self> {
        let at = field.lattice().centre(corner);
        let wall = wall_near(view.grid, view.clearance, at, AT_CORNER * radius)?;
        let across = unit(at - wall);
        let beyond = (0..STEPS.1).try_fold(corner, |cell, _| field.next(cell))?;
        let right = Vec2::new(-across.y, across.x);
        let through = if right.dot(field.lattice().centre(beyond) - at) < 0.0 { -right } else { right };
        Some(Self { corner: at, across, width: room(view, at, across, WIDEST * radius), through })
    }

    fn is_passed(&self, position: Vec2) -> bool {
        (position - self.corner).dot(self.through) >= 0.0
    }

    /// True for a point (m) of the line, or so far behind it as they walk.
    fn has(&self, point: Vec2) -> bool {
        ((point - self.corner).dot(self.through) - BEYOND).abs() < 0.5 * BEYOND
    }

    /// The point (m) with so great a share of the width between it and the corner.
    fn point(&self, share: f32, radius: f32) -> Vec2 {
        let aside = (share * self.width).min(self.width - radius).max(0.0);
        self.corner + self.across * aside + self.through * BEYOND
    }
}

/// The distance (m) from a point to the first wall in a direction, `most` at most.
fn room(view: &RouteView<'_>, from: Vec2, direction: Vec2, most: f32) -> f32 {
    let least = 0.25 * view.grid.lattice().cell_size;
    let mut done = 0.0;
    while done < most {
        let at = from + direction * done;
        if !is_open(view.grid, at) {
            return done;
        }
        done += free_radius(view.clearance, at).max(least);
    }
    most
}

fn is_open(grid: &Grid, at: Vec2) -> bool {
    let inside = at.cmpge(Vec2::ZERO).all() && at.cmplt(grid.lattice().size()).all();
    inside && grid.is_open(grid.lattice().at(at))
}

/// As [`downhill`], but for one that goes round a corner among others: it walks `abreast`, to the point of the line across the passage that
/// is as far aside as it is now. `walks` are its velocity, the speed that it likes (m/s) and its aim of the tick before (m); without them
/// it cuts all corners.
pub(crate) fn downhill_abreast(
    view: &RouteView<'_>,
    field: &FlowField,
    (position, radius): (Vec2, f32),
    walks: Option<(Vec2, f32, Vec2)>,
    looks: bool,
    post: Option<Vec2>,
    follower: &mut RouteFollower,
) -> Option<Heading> {
    let Some((velocity, speed, aim)) = walks else {
        return downhill(view, field, position, radius, looks, post, follower);
    };
    // What it lacks of its speed.
    let lack = |to: Vec2| 1.0 - velocity.dot(unit(to - position)) / speed;
    let corner = Cell(follower.waypoint_index);
    // Others may have written its aim since.
    let is_kept = follower.abreast
        && Gate::of(view, field, corner, radius).is_some_and(|gate| {
            let asks = looks || position.distance(aim) < NEAR * radius;
            let is_ahead = || !gate.is_passed(position) && view.can_walk(position, aim, radius) && lack(aim) < STUCK;
            gate.has(aim) && (!asks || is_ahead())
        });
    let kept = is_kept.then_some(aim);
    if let Some(point) = kept.filter(|_| !looks) {
        return Some(Heading { point, last: false });
    }
    let heading = downhill(view, field, position, radius, looks, post, follower)?;
    follower.abreast = false;
    if heading.last || !looks || follower.route_progress >= RouteProgress::Lost {
        return Some(heading);
    }
    let found = kept.map(|point| (corner, point)).or_else(|| {
        let seen = Cell(follower.waypoint_index);
        choose(view, field, (position, radius), seen, |corner| (lack(corner) / CROWDED).clamp(0.0, 1.0))
    });
    let Some((corner, point)) = found else { return Some(heading) };
    (follower.waypoint_index, follower.abreast) = (corner.0, true);
    Some(Heading { point, last: false })
}

/// The corner at which its way leaves its sight, from the cell on that it has `seen`, and the point where it walks past it; `None` in wide rooms,
/// and where there is no corner.
fn choose(
    view: &RouteView<'_>,
    field: &FlowField,
    (position, radius): (Vec2, f32),
    seen: Cell,
    crowded: impl Fn(Vec2) -> f32,
) -> Option<(Cell, Vec2)> {
    let mut corner = seen;
    let hidden = (0..STEPS.0).find_map(|_| {
        let next = field.next(corner)?;
        let sees = view.can_walk(position, field.lattice().centre(next), radius);
        corner = if sees { next } else { corner };
        (!sees).then_some(next)
    });
    hidden?;
    let gate = Gate::of(view, field, corner, radius).filter(|gate| !gate.is_passed(position))?;
    let most = WIDEST * radius;
    let come = unit(gate.corner - position);
    let right = Vec2::new(-come.y, come.x);
    let outward = if right.dot(gate.across) < 0.0 { -right } else { right };
    let (outer, inner) = (room(view, position, outward, most), room(view, position, -outward, most));
    let share = crowded(gate.corner) * inner / (inner + outer).max(radius);
    let point = gate.point(share, radius);
    let is_passage = share > 0.0 && inner + outer < most && gate.width < most;
    (is_passage && view.can_walk(position, point, radius)).then_some((corner, point))
}
