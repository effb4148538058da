//! Arrows in the ground as pictures for the card, by their direction.

use std::collections::BTreeSet;
use throng_grid::geom::{Vec2, Vec3};
use throng_scene::painter::Canvas;
use throng_scene::painter::arrows::{STUCK_FROM, stuck};
use throng_scene::sprite::{direction_of, pose::heading_of};
use throng_scene::view::View;

/// Pictures are drawn up to this zoom (pixels a metre), and stretched beyond it.
const MAX_PICTURE_ZOOM: f32 = 40.0;
/// An arrow is seen within this way of its foot (m).
const REACH_M: f32 = 0.9;
/// The parts of their speed that arrows fall with, as they are told apart.
const SLOPES: [f32; 3] = [0.25, 0.6, 0.9];

/// How many pictures there are.
pub const KINDS: u32 = 16 * SLOPES.len() as u32;

/// The pictures of one zoom.
#[derive(Default)]
pub struct StuckPictures {
    zoom: f32,
    drawn: BTreeSet<u32>,
}

/// The picture of an arrow that came down with a velocity (m/s).
pub fn kind(velocity: Vec3) -> u32 {
    let falls = -velocity.z / velocity.length().max(f32::MIN_POSITIVE);
    let slope = SLOPES.windows(2).filter(|pair| falls > f32::midpoint(pair[0], pair[1])).count();
    u32::from(direction_of(velocity.truncate())) + 16 * slope as u32
}

impl StuckPictures {
    /// Goes to a zoom (pixels a metre): half the side of its pictures, and pixels of the window for one of them. `None` where
    /// arrows are not seen.
    pub fn set_zoom(&mut self, zoom: f32) -> Option<(u32, f32)> {
        if zoom < STUCK_FROM {
            return None;
        }
        if self.zoom.to_bits() != zoom.to_bits() {
            self.zoom = zoom;
            self.drawn.clear();
        }
        let scale = zoom.min(MAX_PICTURE_ZOOM);
        Some(((REACH_M * scale).ceil() as u32 + 2, zoom / scale))
    }

    /// The picture of a kind, where it was not drawn at this zoom yet; the foot of the arrow is in its middle.
    pub fn draw(&mut self, kind: u32, half: u32) -> Option<Vec<[u8; 4]>> {
        self.drawn.insert(kind).then(|| draw(kind, half, self.zoom.min(MAX_PICTURE_ZOOM)))
    }
}

fn draw(kind: u32, half: u32, scale: f32) -> Vec<[u8; 4]> {
    let falls = SLOPES[(kind / 16) as usize % SLOPES.len()];
    let velocity = (heading_of((kind % 16) as u8) * (1.0 - falls * falls).sqrt()).extend(-falls);
    let view = View { origin: Vec2::ZERO, scale };
    let place = view.to_ground(Vec2::splat(half as f32));
    // What it hides of white and of black tells how opaque it is.
    let [on_black, on_white] = [[0; 3], [255; 3]].map(|ground| {
        let mut canvas = Canvas::new(2 * half as usize, 2 * half as usize, ground);
        for stroke in stuck(place, velocity, view) {
            stroke.draw(&mut canvas);
        }
        canvas.pixels
    });
    let pixel = |(&[r, g, b, _], &[_, green, ..]): (&[u8; 4], &[u8; 4])| {
        let opacity = 255 - green.saturating_sub(g);
        [r.min(opacity), g.min(opacity), b.min(opacity), opacity]
    };
    on_black.iter().zip(&on_white).map(pixel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_are_drawn_from_their_foot_against_the_way_they_came() {
        let mut pictures = StuckPictures::default();
        assert_eq!(pictures.set_zoom(3.0), None);
        let (half, ratio) = pictures.set_zoom(20.0).unwrap();
        assert!((ratio - 1.0).abs() < 1e-6);
        for (velocity, side) in [(Vec3::new(20.0, 0.0, -12.0), -1.0), (Vec3::new(-20.0, 0.0, -12.0), 1.0)] {
            let picture = pictures.draw(kind(velocity), half).unwrap();
            assert!(kind(velocity) < KINDS && pictures.draw(kind(velocity), half).is_none(), "it is drawn once");
            // Of what is opaque, most is above the foot, where it came from.
            let side_px = 2 * half as usize;
            let solid = (0..picture.len()).filter(|&index| picture[index][3] > 200);
            let places: Vec<Vec2> = solid
                .map(|index| Vec2::new((index % side_px) as f32, (index / side_px) as f32) - half as f32)
                .collect();
            let mean = places.iter().sum::<Vec2>() / places.len() as f32;
            assert!(places.len() > 10 && mean.x * side > 2.0 && mean.y < -1.0, "{mean}");
            assert_eq!(picture[0], [0; 4]);
        }
    }
}
