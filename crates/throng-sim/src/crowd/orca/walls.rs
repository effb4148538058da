//! The half-planes that keep an agent out of the walls.
//!
//! A wall is an obstacle that stands still and does no part of the duty. The walls around an agent are a few boxes
//! ([`Blocks`]); of each, the velocities that lead into it within the horizon are a convex set, and any line between
//! that set and a velocity outside is a permitted border. The line that leaves most to the preferred velocity is taken. Far from
//! a wall it is the wall's face pushed out by the radius; at the end of a wall it is the tangent past the corner. So an
//! agent that walks by does not brake, nor one that walks through a door. Standing still is always permitted, so all of
//! the borders can be kept at once.

use throng_grid::geom::{Vec2, clamp_length, cross};
use throng_grid::walls::Blocks;
use throng_grid::{Grid, Layer};

/// The most half-planes of walls that one agent keeps: those of the nearest walls.
pub(super) const WALLS: usize = 8;

/// The border of a half-plane of velocities (m/s): what lies to the side where `cross(direction, v - point)` is not
/// negative is permitted.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Line {
    pub(super) point: Vec2,
    pub(super) direction: Vec2,
}

/// The map.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) grid: &'a Grid,
    pub(super) clearance: &'a Layer<f32>,
    /// For how long agents keep clear of walls (s).
    pub(super) horizon: f32,
}

/// The agent that looks at the walls.
#[derive(Clone, Copy)]
pub(super) struct Walker {
    pub(super) place: Vec2,
    pub(super) velocity: Vec2,
    pub(super) preferred: Vec2,
    pub(super) radius: f32,
    pub(super) top_speed: f32,
}

/// Room for the walls around one agent.
#[derive(Default)]
pub(super) struct Around {
    blocks: Blocks,
    lines: [Line; WALLS],
    /// Of each line, the unit vector towards the wall, and how far the body may go that way within the horizon (m).
    toward: [(Vec2, f32); WALLS],
}

impl Around {
    /// The half-planes of the walls near a walker, the nearest first.
    #[inline]
    pub(super) fn lines(&mut self, ground: Ground<'_>, walker: Walker) -> &[Line] {
        let Ground { grid, clearance, horizon } = ground;
        let reach = walker.radius + walker.top_speed * horizon;
        if !self.blocks.find(grid, clearance, walker.place, reach) {
            return &[];
        }
        self.fill(horizon, walker)
    }

    fn fill(&mut self, horizon: f32, walker: Walker) -> &[Line] {
        // As far as it prefers to go, at its present speed: a standing agent looks at near walls, and a corner far ahead does not
        // keep it from its first step.
        let Walker { preferred, velocity, top_speed, .. } = walker;
        let is_slower = velocity.length_squared() < preferred.length_squared();
        let way = clamp_length(preferred, if is_slower { velocity.length() } else { top_speed }) * horizon;
        let mut len = 0;
        for block in self.blocks.all() {
            let wall = Wall { low: block.low - walker.place, high: block.high - walker.place, radius: walker.radius };
            // A border beyond that of another wall is kept clear of with that.
            let hidden = |&(toward, room): &(Vec2, f32)| wall.room(toward) >= room - 1e-4 * walker.radius;
            if self.toward[..len].iter().any(hidden) {
                continue;
            }
            let Some(toward) = wall.toward(way) else { continue };
            let room = wall.room(toward).max(0.0);
            self.toward[len] = (toward, room);
            self.lines[len] = Line { point: toward * (room / horizon), direction: Vec2::new(-toward.y, toward.x) };
            len += 1;
            if len == WALLS {
                break;
            }
        }
        &self.lines[..len]
    }
}

/// A box of wall in the frame of an agent at the origin, with this radius (m).
#[derive(Clone, Copy)]
struct Wall {
    low: Vec2,
    high: Vec2,
    radius: f32,
}

impl Wall {
    /// How far the body may go in a direction, before a border across it touches the wall somewhere (m).
    fn room(self, toward: Vec2) -> f32 {
        let nearest = Vec2::select(toward.cmpgt(Vec2::ZERO), self.low, self.high);
        toward.dot(nearest) - self.radius
    }

    /// The unit vector across the border that leaves most to a body that would like to go this `way` (m) within the
    /// horizon. `None` in the wall.
    fn toward(self, way: Vec2) -> Option<Vec2> {
        let nearest = Vec2::ZERO.max(self.low).min(self.high);
        let distance = nearest.length();
        if distance <= 0.0 {
            return None;
        }
        let ahead = nearest / distance;
        // Touching: straight away, as there are no tangents.
        if distance <= self.radius * 1.000_1 {
            return Some(ahead);
        }
        let end = way.max(self.low).min(self.high);
        let back = end - way;
        let length = back.length();
        if length > 1e-6 {
            // It ends outside: across the shortest way back from the wall.
            let toward = back / length;
            if self.room(toward) >= 0.0 {
                return Some(toward);
            }
            return Some(self.tangent(ahead, if cross(ahead, toward) < 0.0 { -1.0 } else { 1.0 }));
        }
        // It ends in the wall: before one of its faces or past one of its ends, wherever less is lost.
        let faces = [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y].into_iter().filter(|&face| self.room(face) >= 0.0);
        let ends = [self.tangent(ahead, -1.0), self.tangent(ahead, 1.0)];
        let lost = |toward: &Vec2| way.dot(*toward) - self.room(*toward).max(0.0);
        faces.chain(ends).min_by(|a, b| lost(a).total_cmp(&lost(b)))
    }

    /// Across the tangent that passes the wall: `ahead`, turned as far to a `side` (1 or -1) as no corner comes nearer
    /// than the radius.
    fn tangent(self, ahead: Vec2, side: f32) -> Vec2 {
        let Self { low, high, radius } = self;
        let corners = [low, Vec2::new(high.x, low.y), high, Vec2::new(low.x, high.y)];
        let across = |corner: Vec2| {
            let squared = corner.length_squared();
            let leg = (squared - radius * radius).max(0.0).sqrt();
            (corner * radius + Vec2::new(-corner.y, corner.x) * (side * leg)) / squared
        };
        let mut turned = across(corners[0]);
        for corner in &corners[1..] {
            let other = across(*corner);
            if other.dot(ahead) > turned.dot(ahead) {
                turned = other;
            }
        }
        turned
    }
}

#[cfg(test)]
mod tests;
