//! Lines on which squads stand.

use super::{Formation, Shape};
use serde::{Deserialize, Serialize};
use throng_grid::geom::{Vec2, direction};

/// The widest line (m).
const MAX_WIDTH_M: f32 = 10_000.0;

/// Soldiers of a squad that had no formation stand so far apart (radii).
const SPACING_RADII: f32 = 3.0;

/// A line from flank to flank on which a squad stands, rank behind rank: the first rank is on the line.
///
/// ```
/// use throng_sim::battle::{Formation, Front, Shape};
/// use throng_grid::geom::Vec2;
/// // From the left flank to the right one, as the squad sees them: it looks up the map.
/// let front = Front::between(Vec2::new(10.0, 20.0), Vec2::new(19.0, 20.0));
/// assert_eq!((front.centre, front.facing, front.width), (Vec2::new(14.5, 20.0), -90.0, 9.0));
/// let line = front.formation(Some(Formation::new(Shape::Line, 1.0)), 0.3);
/// let places = front.places(line, 20);
/// assert_eq!(line.files, Some(10));
/// assert!(places[0].distance(Vec2::new(10.0, 20.0)) < 1e-4 && places[19].distance(Vec2::new(19.0, 21.0)) < 1e-4);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Front {
    /// The middle of the line (m).
    pub centre: Vec2,
    /// The direction in which the squad looks (degrees from +x towards +y).
    pub facing: f32,
    /// The length of the line (m): as many stand side by side as find room on it.
    pub width: f32,
    /// Fight enemies that come into sight on the way and there; else only strike those within reach.
    pub fights: bool,
}

impl Front {
    /// The line between two flanks (m), for a squad that has them at its left and at its right.
    pub fn between(left: Vec2, right: Vec2) -> Self {
        let along = right - left;
        let facing = libm::atan2f(-along.x, along.y).to_degrees();
        Self { centre: left.midpoint(right), facing, width: along.length(), fights: true }
    }

    /// The unit vector in which the squad looks.
    pub fn ahead(&self) -> Vec2 {
        direction(self.facing)
    }

    /// True where its numbers are such that a squad can stand on it.
    pub(crate) fn is_sound(&self) -> bool {
        self.centre.is_finite() && self.facing.is_finite() && (0.0..=MAX_WIDTH_M).contains(&self.width)
    }

    /// The formation in which a squad of a body radius (m) stands on it: the one that it has, with as many files as find room
    /// where its shape has files; without one, a line.
    pub fn formation(&self, before: Option<Formation>, radius: f32) -> Formation {
        let formation = before.unwrap_or_else(|| Formation::new(Shape::Line, SPACING_RADII * radius));
        if !formation.shape.has_files() {
            return formation;
        }
        // A hair more, so that the last stands on the flank itself.
        let files = (self.width / formation.file_spacing() + 0.01) as u32 + 1;
        Formation { files: Some(files), ..formation }
    }

    /// The places (m) of so many soldiers in a formation on it, from the first rank to the last, where there are no walls. O(count).
    pub fn places(&self, formation: Formation, count: usize) -> Vec<Vec2> {
        let layout = formation.layout(count);
        let (ahead, front) = (self.ahead(), layout.front());
        let right = Vec2::new(-ahead.y, ahead.x);
        layout.places.iter().map(|place| self.centre + right * place.x + ahead * (place.y - front)).collect()
    }
}
