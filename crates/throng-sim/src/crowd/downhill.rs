//! Walking by a flow field.

use super::follow::{Heading, RouteView};
use super::{RouteFollower, RouteId, RouteProgress};
use throng_grid::Cell;
use throng_grid::geom::Vec2;
use throng_plan::FlowField;

/// How far along the field an agent looks (steps), the furthest first: it walks straight to the first that it sees.
const LOOK: [usize; 8] = [32, 22, 16, 11, 8, 5, 3, 2];

/// So near to the cell it walks to (cells), an agent looks for the next.
const AT_CELL_CELLS: f32 = 1.25;

/// An agent looks for its post if it is no further from the goal than its post is, and this (cells).
const AT_GOAL: f32 = 1.5;

/// So far around it (cells) an agent that was pushed to where the field knows no way looks for a cell with one.
const ASTRAY: i64 = 3;

/// Says where to walk by a flow field, and from its goal on to the `post` (m) if there is one; `None` where it knows no way.
/// `follower.waypoint_index` is the cell walked to.
///
/// The field knows the way from every cell: an agent that was pushed aside goes on from where it is. It is lost only at the end
/// of the field, if its post is round a corner. If it `looks`, or has come to the cell it walked to, it makes for the furthest
/// cell along the field that it sees.
#[inline(never)]
pub fn downhill(
    view: &RouteView<'_>,
    field: &FlowField,
    position: Vec2,
    radius: f32,
    looks: bool,
    post: Option<Vec2>,
    follower: &mut RouteFollower,
) -> Option<Heading> {
    let lattice = field.lattice();
    debug_assert_eq!(follower.route, RouteId::NONE);
    let end = field.goals().first().map(|&goal| lattice.centre(goal));
    // It may have come as near to the end as its post is.
    let is_near = |post: Vec2, end: Vec2| position.distance(end) < post.distance(end) + AT_GOAL * lattice.cell_size;
    let near = post.zip(end).filter(|&(post, end)| is_near(post, end)).map(|(post, _)| post);
    let seen = near.filter(|&post| view.can_walk(position, post, radius));
    if looks && follower.route_progress < RouteProgress::Lost {
        // The post is round a corner.
        let is_missed = near.is_some() && seen.is_none();
        follower.route_progress = if is_missed { follower.route_progress.missed() } else { RouteProgress::OnRoute };
    }
    if let Some(post) = seen {
        return Some(Heading { point: post, last: true });
    }
    let far = |cell: Cell| lattice.centre(cell).distance(position) > lattice.cell_size * AT_CELL_CELLS;
    let towards = Cell(follower.waypoint_index);
    let goes_on = field.is_goal(towards) || field.cost(towards).is_some() && far(towards);
    if !goes_on || looks {
        follower.waypoint_index = look(view, field, position, radius)?.0;
    }
    let towards = Cell(follower.waypoint_index);
    Some(Heading { point: lattice.centre(towards), last: field.is_goal(towards) })
}

/// The middle of the cell (m) to which an agent walks by a field after the one that it walks to.
pub fn next_downhill(field: &FlowField, follower: &RouteFollower) -> Option<Vec2> {
    field.next(Cell(follower.waypoint_index)).map(|next| field.lattice().centre(next))
}

/// The furthest cell along the field that is seen.
fn look(view: &RouteView<'_>, field: &FlowField, position: Vec2, radius: f32) -> Option<Cell> {
    let lattice = field.lattice();
    let sees = |cell: Cell| view.can_walk(position, lattice.centre(cell), radius);
    let here = lattice.at(position);
    let Some(mut next) = field.cost(here).map(|_| here) else { return nearest(field, position, sees) };
    let mut ahead = [here; LOOK[0] + 1];
    // Up to the start of a link.
    for cell in &mut ahead[1..] {
        next = field.step(next).unwrap_or(next);
        *cell = next;
    }
    // One diagonal step and one beside it at most: over nothing but the cells of the way and one that touches it.
    let furthest = if view.firm { 2 } else { LOOK[0] };
    let looks = LOOK.into_iter().filter(|&steps| steps <= furthest);
    let seen = looks.map(|steps| ahead[steps]).find(|&cell| sees(cell));
    // From the middle of a cell the next one is free to go to. An agent beside the middle goes there first.
    let beside = lattice.centre(here).distance(position) > 0.25 * lattice.cell_size;
    Some(seen.unwrap_or(if beside && !sees(ahead[1]) { here } else { ahead[1] }))
}

/// The nearest cell with a way, for an agent on a cell without one: first of those it sees, ties by cell.
fn nearest(field: &FlowField, position: Vec2, sees: impl Fn(Cell) -> bool) -> Option<Cell> {
    let lattice = field.lattice();
    let (x, y) = lattice.column_row(lattice.at(position));
    let (x, y) = (i64::from(x), i64::from(y));
    let around = (y - ASTRAY..=y + ASTRAY)
        .flat_map(|y| (x - ASTRAY..=x + ASTRAY).filter_map(move |x| lattice.checked_cell(x, y)));
    let ways = around.filter(|&cell| field.cost(cell).is_some());
    let rank = |cell: Cell| (!sees(cell), lattice.centre(cell).distance_squared(position), cell);
    ways.map(rank).min_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)).then(a.2.cmp(&b.2))).map(|(_, _, cell)| cell)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::{RouteFollower, Routes, UpdateSchedule};
    use throng_grid::geom::Vec2;
    use throng_grid::{Grid, Ground, Lattice};
    use throng_plan::{FlowField, Scratch};

    #[test]
    fn one_near_the_goal_goes_straight_to_its_post() {
        let ground = Ground::new(Grid::open_plain(Lattice::new(32, 32, 1.0).unwrap()).into(), 0.4).unwrap();
        let (lattice, grid) = (ground.lattice(), ground.grid());
        let field = FlowField::new(&ground, &[lattice.cell(20, 2)], &mut Scratch::default()).unwrap();
        let view = RouteView {
            grid,
            clearance: grid.clearance(),
            routes: &Routes::default(),
            schedule: UpdateSchedule::default(),
            firm: false,
        };
        let here = Vec2::new(19.5, 2.5);
        let post = Vec2::new(20.2, 2.9);
        let heading = downhill(&view, &field, here, 0.4, true, Some(post), &mut RouteFollower::stay(post));
        assert_eq!(heading, Some(Heading { point: post, last: true }));
    }
}
