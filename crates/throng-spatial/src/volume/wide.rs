//! Vectors of `f64`: casts and continuous tests compute in them, so that a motion of thousands of diameters loses
//! nothing.

#[inline]
pub(super) fn widen<const D: usize>(v: [f32; D]) -> [f64; D] {
    v.map(f64::from)
}

#[inline]
pub(super) fn narrow<const D: usize>(v: [f64; D]) -> [f32; D] {
    v.map(|x| x as f32)
}

#[inline]
pub(super) fn dot<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    let mut sum = 0.0;
    for axis in 0..D {
        sum += a[axis] * b[axis];
    }
    sum
}

#[inline]
pub(super) fn minus<const D: usize>(a: [f64; D], b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] - b[axis])
}

/// a + s·b.
#[inline]
pub(super) fn along<const D: usize>(a: [f64; D], s: f64, b: [f64; D]) -> [f64; D] {
    std::array::from_fn(|axis| a[axis] + s * b[axis])
}

/// `v` scaled to length 1; zero where it is zero.
#[inline]
pub(super) fn unit<const D: usize>(v: [f64; D]) -> [f64; D] {
    let length = dot(v, v).sqrt();
    if length > 0.0 { v.map(|x| x / length) } else { [0.0; D] }
}
