//! The places of a squad that stands on a line, where walls leave room.

use super::layout::Layout;
use super::room::Terrain;
use crate::battle::Front;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeSet, VecDeque};
use throng_grid::geom::Vec2;
use throng_grid::walls;

/// The way round a wall is looked for so far beyond the block (m).
const AROUND_M: f32 = 4.0;

/// So many points are looked at for each member without a place, at most; then all others stand where the way ends.
const POINTS_A_MEMBER: usize = 64;

/// A block is moved by so many places in a direction at most, to find room for it.
const MOST_STEPS: i32 = 16;

/// The line on which a squad was drawn up.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Line {
    /// The middle of its first rank (m): where a body can stand.
    pub(super) centre: Vec2,
    /// The order that it stands there by.
    pub(super) front: Front,
}

/// The points of a square lattice in the squad's own axes: files to the right, ranks to the rear.
struct Points<'a> {
    terrain: Terrain<'a>,
    origin: Vec2,
    right: Vec2,
    ahead: Vec2,
    spacing: f32,
    radius: f32,
}

type Point = (i32, i32);

impl Points<'_> {
    fn place(&self, (file, rank): Point) -> Vec2 {
        self.origin + (self.right * file as f32 - self.ahead * rank as f32) * self.spacing
    }

    fn nearest(&self, place: Vec2) -> Point {
        let from = (place - self.origin) / self.spacing;
        (libm::roundf(from.dot(self.right)) as i32, libm::roundf(-from.dot(self.ahead)) as i32)
    }

    fn sees(&self, from: Vec2, to: Vec2) -> bool {
        walls::line_of_sight(self.terrain.grid, self.terrain.clearance, from, to, self.radius)
    }
}

fn beside((file, rank): Point) -> [Point; 4] {
    [(file, rank + 1), (file - 1, rank), (file + 1, rank), (file, rank - 1)]
}

impl Line {
    /// The line for a layout around `goal` (m) that looks along a unit vector: as near to it as all places have room and are in sight
    /// of their middle, which is in sight of the goal; at the goal, if there is no such room. O(members · middles tried).
    pub(super) fn around(
        terrain: Terrain<'_>,
        layout: &Layout,
        spacing: f32,
        radius: f32,
        (goal, ahead): (Vec2, Vec2),
    ) -> Self {
        let right = Vec2::new(-ahead.y, ahead.x);
        let sees = |from, to| walls::line_of_sight(terrain.grid, terrain.clearance, from, to, radius);
        let fits =
            |middle: Vec2| layout.places.iter().all(|place| sees(middle, middle + right * place.x + ahead * place.y));
        let steps = |metres: f32| ((metres / spacing).ceil() as i32 + 1).min(MOST_STEPS);
        let (wide, deep) = (steps(0.5 * layout.width()), steps(layout.depth()));
        let mut shifts: Vec<Point> =
            (-wide..=wide).flat_map(|file| (-deep..=deep).map(move |rank| (file, rank))).collect();
        // Beyond the goal rather than before it: it has come to a gap to go through.
        let weight = |rank: i32| if rank > 0 { 4 * rank * rank } else { rank * rank };
        shifts.sort_by_key(|&(file, rank)| (file * file + weight(rank), rank, file));
        let middle = |(file, rank): Point| goal + (right * file as f32 - ahead * rank as f32) * spacing;
        let middle = shifts.into_iter().map(middle).find(|&middle| sees(goal, middle) && fits(middle)).unwrap_or(goal);
        let centre = terrain.clip(middle, middle + ahead * layout.front(), radius);
        let facing = libm::atan2f(ahead.y, ahead.x).to_degrees();
        Self { centre, front: Front { centre: goal, facing, width: layout.width(), fights: true } }
    }

    /// The places (m) of a layout on the line. A place in a wall, or one to which there is no way beside the others, moves to the
    /// nearest room behind or before the line. Bodies of a radius stand `spacing` apart (m). O(area of the block), and O(members without
    /// a place).
    pub(super) fn places(&self, terrain: Terrain<'_>, layout: &Layout, spacing: f32, radius: f32) -> Vec<Vec2> {
        let ahead = self.front.ahead();
        let right = Vec2::new(-ahead.y, ahead.x);
        let front = layout.front();
        let ideal = |place: &Vec2| self.centre + right * place.x + ahead * (place.y - front);
        let mut places: Vec<Vec2> = layout.places.iter().map(ideal).collect();
        let reach = layout.depth().hypot(0.5 * layout.width()) + 1.0;
        if walls::free_radius(terrain.clearance, self.centre) - radius > reach {
            return places;
        }
        let aside = layout.places.first().map_or(0.0, |place| place.x % spacing);
        let points = Points { terrain, origin: self.centre + right * aside, right, ahead, spacing, radius };
        let steps = |metres: f32| (metres / spacing).ceil() as i32 + 1;
        let (half, rear, around) = (steps(0.5 * layout.width()), steps(layout.depth()), steps(AROUND_M));
        let is_near = |&(file, rank): &Point| file.abs() <= half + around && (-around..=rear + around).contains(&rank);
        let mut open: BTreeSet<Point> = BTreeSet::new();
        let (mut near, mut beyond) = (VecDeque::new(), VecDeque::new());
        let start = points.nearest(self.centre);
        for point in [start].into_iter().chain(beside(start)) {
            if points.sees(self.centre, points.place(point)) && open.insert(point) {
                near.push_back(point);
            }
        }
        let mut order = Vec::new();
        while let Some(point) = near.pop_front() {
            order.push(point);
            let from = points.place(point);
            for next in beside(point) {
                if open.contains(&next) || !points.sees(from, points.place(next)) {
                    continue;
                }
                open.insert(next);
                if is_near(&next) { near.push_back(next) } else { beyond.push_back(next) }
            }
        }
        let mut taken = BTreeSet::new();
        let mut without = Vec::new();
        for (i, &place) in places.iter().enumerate() {
            let point = points.nearest(place);
            let at = points.place(point);
            if open.contains(&point) && (at.distance_squared(place) < 1e-4 || points.sees(at, place)) {
                let around = (-1..=1).flat_map(|file| (-1..=1).map(move |rank| (point.0 + file, point.1 + rank)));
                taken.extend(around.filter(|&other| points.place(other).distance(place) < 0.95 * spacing));
            } else {
                without.push(i);
            }
        }
        // Behind the line first, then before it, then further away.
        let (behind, before): (Vec<Point>, Vec<Point>) = order.into_iter().partition(|point| point.1 >= 0);
        let mut free = behind.into_iter().chain(before).filter(|point| !taken.contains(point)).collect::<VecDeque<_>>();
        let mut left = POINTS_A_MEMBER * without.len();
        for i in without {
            while free.is_empty()
                && left > 0
                && let Some(point) = beyond.pop_front()
            {
                left -= 1;
                free.push_back(point);
                let from = points.place(point);
                for next in beside(point) {
                    if !open.contains(&next) && points.sees(from, points.place(next)) {
                        open.insert(next);
                        beyond.push_back(next);
                    }
                }
            }
            places[i] = free.pop_front().map_or(self.centre, |point| points.place(point));
        }
        places
    }
}
