//! Shots in the air: a stroke where each is seen, and its shadow on the ground.

use super::agents::Sprite;
use super::palette::Rgb;
use crate::shell::camera::Camera;
use throng_grid::geom::{Vec2, unit};
use throng_record::{palette, shot_mark};
use throng_sim::world::Flight;

/// Radius of a shadow (m).
const SHADOW_RADIUS_M: f32 = 0.12;

/// Writes a stroke and a shadow for each shot that `camera` sees, where they were some time (s) before their frame.
pub(super) fn sprites(
    shots: &[Flight],
    before: f32,
    camera: &Camera,
    strokes: &mut Vec<Sprite>,
    shadows: &mut Vec<Sprite>,
) {
    strokes.clear();
    shadows.clear();
    let opaque = |[red, green, blue]: Rgb, alpha: u8| [red, green, blue, alpha];
    for shot in shots {
        let shot = Flight { at: shot.at - shot.velocity * before, ..*shot };
        let [tail, head] = shot_mark(&shot);
        let below = shot.at.truncate();
        if !(camera.sees(head) || camera.sees(below)) {
            continue;
        }
        let half = 0.5 * tail.distance(head);
        // One that falls straight down is a dot.
        let (along, half) = if half > 0.05 { (unit(head - tail), half) } else { (Vec2::X, 0.05) };
        strokes.push(Sprite::new(tail.midpoint(head), along, half, opaque(palette::rgb(palette::EDGE), 255)));
        shadows.push(Sprite::new(below, Vec2::X, SHADOW_RADIUS_M, opaque([0; 3], 70)));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom::Vec3;
    use throng_sim::world::ArmyId;

    #[test]
    fn strokes_are_above_their_shadows_and_come_along() {
        let camera = Camera::new(Vec2::splat(100.0), Vec2::splat(500.0), 0.0);
        let shot =
            |x: f32| Flight { at: Vec3::new(x, 50.0, 8.0), velocity: Vec3::new(40.0, 0.0, 0.0), army: ArmyId(0) };
        let (mut strokes, mut shadows) = (Vec::new(), Vec::new());
        sprites(&[shot(50.0), shot(5000.0)], 0.05, &camera, &mut strokes, &mut shadows);
        let ([stroke], [shadow]) = (&strokes[..], &shadows[..]) else { panic!("one is out of sight") };
        assert_eq!(shadow.centre(), Vec2::new(48.0, 50.0));
        assert!(stroke.centre().y < 47.0 && (stroke.centre().x - 48.0).abs() < 1.0, "{}", stroke.centre());
    }
}
