//! What a soldier does and which way it looks, as a column and a row of the atlas.

use throng_grid::geom::Vec2;

/// Directions of a kind: 0 looks east, each next one 22.5 degrees further clockwise as seen (y is down).
pub const DIRECTIONS: usize = 16;

/// Poses of a kind.
pub const POSES: usize = 16;

/// What a soldier does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Pose(u8);

impl Pose {
    /// Stands.
    pub const STAND: Self = Self(13);
    /// Pictures of a walk.
    pub const WALKS: usize = 6;
    /// Pictures of a strike.
    pub const STRIKES: usize = 4;
    /// Pictures of a shot, or of a cheer.
    pub const SHOTS: usize = 3;

    /// Walks; `phase` counts double steps, so that its whole part does not matter.
    pub fn walk(phase: f32) -> Self {
        let step = ((phase - phase.floor()) * Self::WALKS as f32) as usize;
        Self(step.min(Self::WALKS - 1) as u8)
    }

    /// Strikes: draws back, raises, hits, recovers. A civilian cowers. `i` counts on and on.
    pub const fn strike(i: usize) -> Self {
        Self((Self::WALKS + i % Self::STRIKES) as u8)
    }

    /// Lays the arrow on, draws, has shot. Whoever has no bow cheers. `i` counts on and on.
    pub const fn shoot(i: usize) -> Self {
        Self((Self::WALKS + Self::STRIKES + i % Self::SHOTS) as u8)
    }

    /// Lies on the ground, in one of two ways. `i` counts on and on.
    pub const fn fallen(i: usize) -> Self {
        Self((14 + i % 2) as u8)
    }

    /// Whether it strikes.
    pub const fn is_strike(self) -> bool {
        matches!(self.act(), Act::Strike(_))
    }

    /// All poses, in the order of their columns.
    pub fn all() -> impl Iterator<Item = Self> {
        (0..POSES as u8).map(Self)
    }

    /// Its column of the atlas.
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// What it does, and how far it is with it.
    pub(crate) const fn act(self) -> Act {
        match self.0 {
            i @ 0..6 => Act::Walk(i),
            i @ 6..10 => Act::Strike(i - 6),
            i @ 10..13 => Act::Shoot(i - 10),
            13 => Act::Stand,
            i => Act::Fallen(i - 14),
        }
    }
}

/// What a pose shows, with the picture's number within it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Act {
    Walk(u8),
    Strike(u8),
    Shoot(u8),
    Stand,
    Fallen(u8),
}

/// The direction that is nearest to a heading of any length (y down); 0 where that is zero.
///
/// It compares with the slopes between two directions: the platform's arc tangent may differ from machine to machine.
pub fn direction_of(heading: Vec2) -> u8 {
    let (x, y) = (heading.x.abs(), heading.y.abs());
    // The tangents of 11.25, 33.75, 56.25 and 78.75 degrees.
    let slopes = [0.198_912_37, 0.668_178_6, 1.496_605_8, 5.027_339_5];
    let quarter = slopes.iter().filter(|&slope| y > x * slope).count() as u8;
    match (heading.x < 0.0, heading.y < 0.0) {
        (false, false) => quarter,
        (true, false) => 8 - quarter,
        (true, true) => (8 + quarter) % 16,
        (false, true) => (16 - quarter) % 16,
    }
}

/// The unit vector of a direction (y down).
pub fn heading_of(direction: u8) -> Vec2 {
    throng_grid::geom::direction(f32::from(direction) * 360.0 / DIRECTIONS as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom::direction;

    #[test]
    fn headings_up_to_half_a_step_away_have_the_direction() {
        for index in 0..DIRECTIONS as u8 {
            for off in [-11.0, 0.0, 11.0] {
                let heading = direction(f32::from(index) * 22.5 + off) * 3.0;
                assert_eq!(direction_of(heading), index, "{index} {off}");
            }
            assert_eq!(direction_of(heading_of(index)), index);
        }
        assert_eq!(direction_of(Vec2::ZERO), 0);
        assert_eq!(direction_of(Vec2::new(-1.0, -0.0)), 8);
    }

    #[test]
    fn poses_have_their_columns() {
        assert_eq!(Pose::walk(7.99).index(), 5);
        assert_eq!(Pose::walk(-0.99).index(), 0);
        assert_eq!((Pose::strike(5).index(), Pose::shoot(2).index(), Pose::fallen(3).index()), (7, 12, 15));
        assert_eq!(Pose::all().count(), POSES);
        assert_eq!(Pose::STAND.act(), Act::Stand);
        assert_eq!(Pose::fallen(1).act(), Act::Fallen(1));
    }
}
