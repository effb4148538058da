//! How far south things stand.

use crate::view::View;

/// How far south of the upper edge of a view a place of the ground is (1/16 m, plus one).
#[inline]
pub(super) fn depth(view: View, y: f32) -> u16 {
    ((y - view.origin.y) * 16.0 + 1.0).clamp(1.0, 65535.0) as u16
}
