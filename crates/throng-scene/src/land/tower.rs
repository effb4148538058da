//! A round tower.

use super::disc::Disc;

/// A round tower.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tower {
    /// Where it stands.
    pub disc: Disc,
    /// Whether it has a cone for a roof, as the towers of a keep; else it has a platform with battlements.
    pub is_roofed: bool,
}
