//! The places where the members of a squad stand in the end.

use super::parts::{MapView, State};
use crate::battle::{Squad, assign as assign_places};
use crate::crowd::ARRIVAL_RADIUS;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Cell, Grid, Ground, walls};

/// How often the stretch between a cell and a point in a wall is halved to find where the wall begins.
const HALVINGS: u32 = 12;

/// Posts are so far apart at least, where they are given out anew (diameters).
const APART: f32 = 1.1;

/// Friends count that hold a place within so many times the extent of the posts around the goal: some posts may move aside.
const AWAY: f32 = 3.0;

/// Bodies that are nearer to each other than this share of their radii overlap.
pub(super) const OVERLAP: f32 = 0.95;

/// Cells so many steps beyond the cells that see the goal are looked at too: all that see it are together, but for details
/// smaller than a cell.
const STEPS_BEYOND: u8 = 2;

/// Gives each member of a squad that sets out for a point its post: around the goal as it stands around the middle now. If
/// they have posts already, these move with the goal. A post that is not open, or not seen from the goal, is taken anew, as
/// near to the goal as there is room. So is one that would overlap the post of a friend: of a squad that was sent there before, or
/// that holds the place.
///
/// O(members + squads), and O(cells and friends around the goal) where there is not room for all.
pub(super) fn assign(map: MapView<'_>, state: &mut State, s: usize, to: Cell) {
    let squad = &state.squads[s];
    let (radius, end) = (state.units[squad.unit.index()].radius, map.grid.lattice().centre(to));
    let Some(point) = squad.order.destination() else {
        for &id in &squad.members {
            if state.crowd.row(id).is_some() {
                state.crowd.slots.follower[id.slot as usize].post = end;
            }
        }
        return;
    };
    let goal = open_point(map.grid, end, point, radius);
    let ground = &map.grounds[usize::from(squad.ground)];
    let place = |slot: u32, row: usize| match squad.goal {
        Some(old) => state.crowd.slots.follower[slot as usize].post + (goal - old),
        None => goal + (state.crowd.rows.position[row] - squad.middle),
    };
    let members = squad.members.iter().filter_map(|&id| Some((id.slot, state.crowd.row(id)?)));
    let (slots, mut posts): (Vec<u32>, Vec<Vec2>) = members.map(|(slot, row)| (slot, place(slot, row))).unzip();
    if squad.ranks.is_none() {
        let held = held_by_friends(state, s, goal, furthest(goal, &posts) + radius);
        settle(ground, (goal, to), radius, &held, &mut posts);
    }
    let squad = &mut state.squads[s];
    let is_sent = squad.goal.replace(goal).is_none_or(|old| old.distance(goal) > ARRIVAL_RADIUS);
    squad.extent = furthest(goal, &posts);
    for (slot, post) in slots.into_iter().zip(posts) {
        let follower = &mut state.crowd.slots.follower[slot as usize];
        if follower.post != post {
            state.waking.push(slot);
        }
        follower.send(post, is_sent || follower.is_sent);
    }
}

/// How far the furthest of some posts is from a goal (all m).
fn furthest(goal: Vec2, posts: &[Vec2]) -> f32 {
    posts.iter().map(|post| post.distance_squared(goal)).fold(0.0, f32::max).sqrt()
}

/// The posts and radii (m) of the friends of a squad that stay, or will, around a goal.
fn held_by_friends(state: &State, s: usize, goal: Vec2, reach: f32) -> Vec<(Vec2, f32)> {
    let squad = &state.squads[s];
    let enemies = state.relations.enemies(squad.army);
    let comes_near = |other: &Squad, radius: f32| {
        let (middle, extent) = other.place();
        let most = AWAY * reach + extent + radius;
        middle.distance_squared(goal) < most * most
    };
    let mut held = Vec::new();
    for (o, other) in state.squads.iter().enumerate() {
        let radius = state.units[other.unit.index()].radius;
        if o == s || other.army.is_in(enemies) || !other.has_place() || !comes_near(other, radius) {
            continue;
        }
        let lives = other.members.iter().filter(|&&id| state.crowd.row(id).is_some());
        held.extend(lives.map(|id| (state.crowd.slots.follower[id.slot as usize].post, radius)));
    }
    held
}

/// How near a body of a radius can come from a place to a point on a ground (all m).
pub(super) fn nearest_point(map: MapView<'_>, ground: u16, (from, point): (Vec2, Vec2), radius: f32) -> Vec2 {
    let end = map.grounds[usize::from(ground)].goal_cell(from, point);
    let centre = end.map(|end| map.grid.lattice().centre(end));
    centre.map_or(point, |end| open_point(map.grid, end, point, radius))
}

/// The point itself where a body that comes from `end` (both m) can stand there; else how far it can go towards it.
pub(super) fn open_point(grid: &Grid, end: Vec2, point: Vec2, radius: f32) -> Vec2 {
    let sees = |at: Vec2| walls::line_of_sight(grid, grid.clearance(), end, at, radius);
    if walls::is_clear(grid, point, radius) && sees(point) {
        return point;
    }
    let (mut open, mut closed) = (0.0, 1.0);
    for _ in 0..HALVINGS {
        let middle = 0.5 * (open + closed);
        *(if sees(end.lerp(point, middle)) { &mut open } else { &mut closed }) = middle;
    }
    end.lerp(point, open)
}

/// Moves the `posts` (m) that cannot be taken, or that overlap those `held` by others, to free places: first to places that see the
/// goal, the nearest to it by the way there first. The goal is a point, and the cell from which it is reached.
fn settle(ground: &Ground, (goal, to): (Vec2, Cell), radius: f32, held: &[(Vec2, f32)], posts: &mut [Vec2]) {
    let (grid, lattice) = (ground.grid(), ground.lattice());
    let sees = |at: Vec2| walls::line_of_sight(grid, grid.clearance(), goal, at, radius);
    let is_open = |at: &Vec2| lattice.covers(*at) && walls::is_clear(grid, *at, radius);
    let is_good = |at: &Vec2| is_open(at) && sees(*at);
    let widest = held.iter().map(|&(_, other)| other).fold(radius, f32::max);
    let apart = 2.0 * APART * radius;
    let mut taken = Bodies::new(APART * (radius + widest));
    for &(post, radius) in held {
        taken.insert(post, radius);
    }
    let mut homeless = Vec::new();
    for (i, post) in posts.iter_mut().enumerate() {
        let is_free = |at: &Vec2| is_good(at) && !taken.overlap(*at, radius);
        let free = [*post].into_iter().chain(taken.beside(*post, radius)).find(is_free);
        match free {
            Some(free) => {
                *post = free;
                taken.insert(free, radius);
            }
            None => homeless.push(i),
        }
    }
    if homeless.is_empty() {
        return;
    }
    // Several to a cell that is so large.
    let across = (lattice.cell_size / apart).floor().max(1.0);
    let places = |cell: Cell| {
        let corner = lattice.centre(cell) - 0.5 * lattice.cell_size;
        (0..(across * across) as u32)
            .map(move |i| Vec2::new(i as f32 % across, (i as f32 / across).floor()) + 0.5)
            .map(move |part| corner + part * (lattice.cell_size / across))
            .filter(is_open)
    };
    let beside = |cell: Cell| {
        let (x, y) = lattice.column_row(cell);
        let (x, y) = (i64::from(x), i64::from(y));
        let around = [(x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)];
        around.into_iter().filter_map(|(x, y)| lattice.checked_cell(x, y)).filter(|&cell| ground.is_passable(cell))
    };
    let mut known = BTreeSet::from([to]);
    // A little less, for rounding: places of neighbouring squares are exactly so far apart.
    let is_clear = |place: Vec2, &(other, wide): &(Vec2, f32)| {
        let apart = APART * (radius + wide);
        other.distance_squared(place) > 0.99 * apart * apart
    };
    let (count, mut free) = (homeless.len(), Vec::with_capacity(homeless.len()));
    let mut settle_at = |place: Vec2, free: &mut Vec<Vec2>| {
        if free.len() < count && taken.near(place).all(|other| is_clear(place, other)) {
            free.push(place);
            taken.insert(place, radius);
        }
    };
    // The cells that see the goal, each with its steps out of sight; the cells beyond; and open places of the first ones
    // that are not in sight.
    let (mut near, mut beyond, mut hidden) = (VecDeque::from([(to, 0)]), VecDeque::new(), Vec::new());
    while let Some((cell, mut steps)) = near.pop_front()
        && free.len() < count
    {
        for place in places(cell) {
            if sees(place) {
                steps = 0;
                settle_at(place, &mut free);
            } else {
                hidden.push(place);
            }
        }
        for cell in beside(cell).filter(|&cell| known.insert(cell)) {
            if steps < STEPS_BEYOND { near.push_back((cell, steps + 1)) } else { beyond.push_back(cell) }
        }
    }
    for place in hidden {
        settle_at(place, &mut free);
    }
    while let Some(cell) = beyond.pop_front()
        && free.len() < count
    {
        for place in places(cell) {
            settle_at(place, &mut free);
        }
        beyond.extend(beside(cell).filter(|&cell| known.insert(cell)));
    }
    // There is no room at all: the others to the goal.
    free.resize(count, goal);
    // Each to the place that is on its side.
    let wanted: Vec<Vec2> = homeless.iter().map(|&i| posts[i]).collect();
    for (i, place) in homeless.into_iter().zip(assign_places(&wanted, &free)) {
        posts[i] = free[place as usize];
    }
}

/// Bodies by the square that their middle is in: their middles and radii (m).
pub(super) struct Bodies {
    /// Side of the squares (m).
    side: f32,
    squares: BTreeMap<(i32, i32), Vec<(Vec2, f32)>>,
}

impl Bodies {
    pub(super) fn new(side: f32) -> Self {
        Self { side, squares: BTreeMap::new() }
    }

    fn square(&self, at: Vec2) -> (i32, i32) {
        let square = (at / self.side).floor();
        (square.x as i32, square.y as i32)
    }

    pub(super) fn insert(&mut self, at: Vec2, radius: f32) {
        self.squares.entry(self.square(at)).or_default().push((at, radius));
    }

    /// The places beside each body that one at a place would overlap, straight away from it, no further than where an agent counts
    /// as arrived.
    fn beside(&self, at: Vec2, radius: f32) -> impl Iterator<Item = Vec2> {
        let aside = move |&(other, wide): &(Vec2, f32)| other + unit(at - other) * APART * (radius + wide);
        self.near(at).map(aside).filter(move |aside| aside.distance(at) < ARRIVAL_RADIUS)
    }

    /// True where a body would overlap one of them.
    fn overlap(&self, at: Vec2, radius: f32) -> bool {
        self.near(at).any(|&(other, wide)| {
            let apart = OVERLAP * (radius + wide);
            other.distance_squared(at) < apart * apart
        })
    }

    /// The bodies in the square of a point and the eight around it.
    pub(super) fn near(&self, at: Vec2) -> impl Iterator<Item = &(Vec2, f32)> {
        let (x, y) = self.square(at);
        let around = (y - 1..=y + 1).flat_map(move |y| (x - 1..=x + 1).map(move |x| (x, y)));
        around.filter_map(|square| self.squares.get(&square)).flatten()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::Lattice;

    /// A room of 6 by 4 m in a plain, with a door.
    fn room() -> Ground {
        let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
        for (x, y) in (10..18).flat_map(|x| (10..16).map(move |y| (x, y))) {
            let is_wall = x == 10 || x == 17 || y == 10 || y == 15;
            grid.set_open(grid.lattice().cell(x, y), !is_wall || (x, y) == (17, 12));
        }
        Ground::new(Arc::new(grid), 0.45).unwrap()
    }

    #[test]
    fn posts_in_walls_move_to_the_nearest_free_places() {
        let ground = room();
        let goal = Vec2::new(12.3, 12.6);
        let mut posts: Vec<Vec2> =
            (0..25).map(|i| goal + Vec2::new((i % 5) as f32 - 2.0, (i / 5) as f32 - 2.0)).collect();
        let kept = posts.clone();
        settle(&ground, (goal, ground.lattice().at(goal)), 0.4, &[], &mut posts);
        for (i, &post) in posts.iter().enumerate() {
            assert!(walls::is_clear(ground.grid(), post, 0.4), "{post}");
            assert!(posts[..i].iter().all(|other| other.distance(post) > 0.8), "{post} is taken twice");
        }
        let inside = |at: &&Vec2| (11.0..17.0).contains(&at.x) && (11.0..15.0).contains(&at.y);
        // The others stand as near as there is room: inside first.
        assert!(posts.iter().filter(inside).count() >= 20, "{posts:?}");
        assert!(posts.iter().zip(&kept).filter(|(a, b)| a == b).count() >= 9);
    }

    #[test]
    fn a_goal_in_a_wall_is_the_point_before_it() {
        let ground = room();
        let end = Vec2::new(12.5, 12.5);
        let near = open_point(ground.grid(), end, Vec2::new(8.0, 12.5), 0.4);
        assert!((11.4..11.42).contains(&near.x) && near.y == 12.5, "{near}");
        assert_eq!(open_point(ground.grid(), end, Vec2::new(12.1, 12.9), 0.4), Vec2::new(12.1, 12.9));
        assert!(open_point(ground.grid(), Vec2::new(1.5, 1.5), Vec2::new(-5.0, 1.5), 0.4).x >= 0.4);
    }
}
