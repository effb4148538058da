//! Arrows: in the air with their shadow, and stuck in the ground.

use super::canvas::{Canvas, Screen};
use crate::view::{SHADOW, View};
use throng_grid::geom::{Vec2, Vec3, unit};
use throng_sim::world::Flight;

/// An arrow in the air, in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Its tip (pixels).
    pub tip: Vec2,
    /// The unit vector along which it flies.
    pub along: Vec2,
    /// Its shadow on the ground (pixels).
    pub shadow: Vec2,
}

/// From this zoom on stuck arrows are seen (pixels a metre).
pub const STUCK_FROM: f32 = 6.0;

impl Arrow {
    /// A shot as a view shows it.
    pub fn of(shot: &Flight, view: View) -> Self {
        let tip = view.to_pixel(shot.at);
        let along = unit(view.to_pixel(shot.at + shot.velocity * 0.01) - tip);
        let ground = shot.at.truncate() + SHADOW * shot.at.z.max(0.0);
        Self { tip, along, shadow: view.to_pixel(ground.extend(0.0)) }
    }

    /// Its strokes at a zoom (pixels a metre), the lowest first; that of its shadow is apart.
    pub fn strokes(&self, zoom: f32) -> impl Iterator<Item = Stroke> {
        let (length, width) = extent(zoom);
        let back = self.along * length;
        let tip = self.tip;
        let stroke = |from: f32, to: f32, width: f32, colour: [u8; 3], opacity: f32| Stroke {
            from: tip - back * from,
            to: tip - back * to,
            width,
            colour,
            opacity,
        };
        let shaft = if zoom < 20.0 { [246, 236, 208] } else { [196, 160, 112] };
        let feathers = (zoom > 8.0).then(|| stroke(0.8, 1.0, width + 1.0, [252, 250, 245], 1.0));
        [
            stroke(0.9, 3.2, width, [250, 240, 215], 0.13),
            stroke(0.0, 1.0, width + 1.0, [30, 22, 16], 0.65),
            stroke(0.0, 1.0, width, shaft, 1.0),
        ]
        .into_iter()
        .chain(feathers)
    }

    /// The stroke of its shadow.
    pub fn shadow(&self, zoom: f32) -> Stroke {
        let (length, width) = extent(zoom);
        let to = self.shadow - self.along * length * 0.7;
        Stroke { from: self.shadow, to, width, colour: [10, 12, 18], opacity: 0.22 }
    }
}

/// A straight line with smooth edges, in pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stroke {
    /// One end.
    pub from: Vec2,
    /// The other one.
    pub to: Vec2,
    /// How wide it is.
    pub width: f32,
    /// Its colour.
    pub colour: [u8; 3],
    /// Its opacity, 0 to 1.
    pub opacity: f32,
}

impl Stroke {
    /// Draws it. O(its pixels).
    pub fn draw(&self, canvas: &mut Canvas) {
        canvas.streak(self.from, self.to, self.width, self.colour, self.opacity);
    }
}

/// Length and width of an arrow (pixels).
fn extent(zoom: f32) -> (f32, f32) {
    let width = if zoom < 8.0 {
        1.0
    } else if zoom < 20.0 {
        1.5
    } else {
        2.0
    };
    ((1.1 * zoom).max(6.0), width)
}

/// The strokes of an arrow that came down at a place (m) with a velocity (m/s), the lowest first: its shadow, its shaft, its
/// feathers.
pub fn stuck(place: Vec2, velocity: Vec3, view: View) -> [Stroke; 3] {
    let foot = view.to_pixel(place.extend(0.0));
    let along = velocity / velocity.length().max(f32::MIN_POSITIVE);
    let tail = view.to_pixel(place.extend(0.0) - along * 0.8);
    let width = if view.scale < 20.0 { 1.0 } else { 1.8 };
    let stroke = |from, to, width, colour, opacity| Stroke { from, to, width, colour, opacity };
    [
        stroke(foot, foot + Vec2::new(1.0, 0.4) * (foot.y - tail.y).abs(), 1.0, [15, 15, 20], 0.4),
        stroke(foot, tail, width, [70, 50, 32], 1.0),
        stroke(foot.lerp(tail, 0.75), tail, width + 0.5, [214, 206, 190], 1.0),
    ]
}

/// Draws an arrow that came down at a place (m), where it is near enough and nothing is built; `front` is as that of
/// [`Screen`], row by row of the canvas. O(its pixels).
pub fn stick(place: Vec2, velocity: Vec3, view: View, front: &[u16], canvas: &mut Canvas) {
    if view.scale < STUCK_FROM {
        return;
    }
    let foot = view.to_pixel(place.extend(0.0));
    let screen = Screen { front, stride: canvas.width, foot: 0, ghost: ([0; 3], 0) };
    if !canvas.is_built(&screen, foot.x as i32, foot.y as i32, 1, 1) {
        for stroke in stuck(place, velocity, view) {
            stroke.draw(canvas);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::ArmyId;

    #[test]
    fn arrows_are_above_their_shadows_and_fly_tip_first() {
        let view = View { origin: Vec2::ZERO, scale: 10.0 };
        let shot = Flight { at: Vec3::new(50.0, 50.0, 8.0), velocity: Vec3::new(40.0, 0.0, 0.0), army: ArmyId(0) };
        let arrow = Arrow::of(&shot, view);
        assert_eq!(arrow.tip, view.to_pixel(shot.at));
        assert!(arrow.shadow.y > arrow.tip.y + 60.0 && arrow.shadow.x > arrow.tip.x + 60.0, "{arrow:?}");
        assert!(arrow.strokes(10.0).all(|stroke| stroke.to.x < stroke.from.x && stroke.from.x <= arrow.tip.x));
        // One that came down is seen above its foot.
        let foot = view.to_pixel(Vec3::new(5.0, 5.0, 0.0));
        let [_, shaft, _] = stuck(Vec2::splat(5.0), Vec3::new(10.0, 0.0, -10.0), view);
        assert!(shaft.from == foot && shaft.to.y < foot.y && shaft.to.x < foot.x, "{shaft:?}");
    }
}
