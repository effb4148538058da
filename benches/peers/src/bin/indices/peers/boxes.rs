//! The boxes that are given to peers.

use throng::spatial::Bodies;

/// The least and greatest coordinates of a body, widened so far that bodies which overlap by the test in `f32` have boxes
/// that do: rounding moves each side by half a last place of the coordinate, and the test itself by some of the radius.
#[inline(always)]
pub fn of(bodies: &Bodies<2>, row: usize) -> ([f32; 2], [f32; 2]) {
    let ([x, y], radius) = (bodies.position[row], bodies.radius[row] * 1.000_001);
    let [wide, high] = [x, y].map(|x| radius + x.abs() * f32::EPSILON);
    ([x - wide, y - high], [x + wide, y + high])
}
