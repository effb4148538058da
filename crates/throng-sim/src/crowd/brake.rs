//! How fast a body may go that cannot stop or turn at once.

use throng_grid::geom::{Vec2, unit};

/// The speed (m/s) from which a body that changes its velocity by `acceleration` (m/s²) comes to `after` (m/s) within
/// `distance` (m), in ticks of `step` seconds. With an infinite acceleration it is that which leads exactly there in a tick.
pub fn braking(step: f32, acceleration: f32, distance: f32, after: f32) -> f32 {
    if acceleration == f32::INFINITY {
        return distance / step;
    }
    // It goes on for a tick before it brakes: v · step + (v² - after²) / 2a = distance.
    let change = acceleration * step;
    (change * change + after * after + 2.0 * acceleration * distance).sqrt() - change
}

/// The greatest speed (m/s) at which such a body turns from the direction of `way` to that of `next`, and is carried no further
/// than `room` (m) off its way meanwhile.
pub fn turning(acceleration: f32, room: f32, way: Vec2, next: Vec2) -> f32 {
    // It changes by 2 v sin(half the angle); in that time it is carried about v times as long to the side, and back.
    let half = (0.5 * (1.0 - unit(way).dot(unit(next)))).max(0.0).sqrt();
    (acceleration * room / half.max(1e-6)).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sharper_a_turn_the_slower() {
        let speeds = [0.1_f32, 0.5, 1.0, 2.0, 3.0].map(|angle| turning(4.0, 1.0, Vec2::X, Vec2::from_angle(angle)));
        assert!(speeds.windows(2).all(|pair| pair[0] > pair[1]), "{speeds:?}");
        assert!((turning(4.0, 1.0, Vec2::X, Vec2::NEG_X) - 2.0).abs() < 1e-6);
    }
}
