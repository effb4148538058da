//! The places where soldiers died.

use super::agents::Sprite;
use crate::shell::camera::Camera;
use std::collections::VecDeque;
use throng_grid::geom::{Vec2, direction};

/// How many marks are kept; the oldest go first.
const MAX_MARKS: usize = 20_000;
/// How long a fresh mark takes to fade to a stain (s of the simulation).
const FADE_TIME_S: f64 = 40.0;
/// Radius of a mark (m).
const MARK_RADIUS_M: f32 = 0.42;

/// Marks on the ground, the oldest first.
#[derive(Default)]
pub(crate) struct Fallen {
    marks: VecDeque<(Vec2, f64)>,
}

impl Fallen {
    /// Forgets all.
    pub fn clear(&mut self) {
        self.marks.clear();
    }

    /// Adds the deaths of `time` (s).
    pub fn add(&mut self, places: &[Vec2], time: f64) {
        self.marks.extend(places.iter().map(|&place| (place, time)));
        let surplus = self.marks.len().saturating_sub(MAX_MARKS);
        self.marks.drain(..surplus);
    }

    /// Writes a sprite for each mark that `camera` sees: dark at first, a faint stain in the end.
    pub fn sprites(&self, now: f64, camera: &Camera, out: &mut Vec<Sprite>) {
        out.clear();
        let seen = self.marks.iter().enumerate().filter(|(_, (place, _))| camera.sees(*place));
        out.extend(seen.map(|(index, &(place, time))| {
            let age = ((now - time) / FADE_TIME_S).clamp(0.0, 1.0) as f32;
            // Any angle that is the same in each frame does.
            let turn = direction((place.x * 37.0 + place.y * 91.0 + (index & 1) as f32) % 360.0);
            let alpha = 0.62 + (0.2 - 0.62) * age;
            Sprite::new(place, turn, MARK_RADIUS_M, [74, 24, 16, (alpha * 255.0) as u8])
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_fade_and_their_number_is_bounded() {
        let mut fallen = Fallen::default();
        let camera = Camera::new(Vec2::splat(50.0), Vec2::splat(500.0), 0.0);
        fallen.add(&[Vec2::ONE; 2], 0.0);
        let mut sprites = Vec::new();
        fallen.sprites(0.0, &camera, &mut sprites);
        let fresh = sprites[0].rgba[3];
        fallen.sprites(1000.0, &camera, &mut sprites);
        assert!(sprites.len() == 2 && sprites[0].rgba[3] < fresh / 2 && sprites[0].rgba[3] > 0);
        fallen.add(&vec![Vec2::ZERO; MAX_MARKS], 1.0);
        fallen.sprites(1.0, &camera, &mut sprites);
        assert_eq!(sprites.len(), MAX_MARKS);
    }
}
