//! A house.

use super::wing::Wing;

/// A house of up to four wings.
#[derive(Clone, Debug, PartialEq)]
pub struct House {
    /// Its parts; they may overlap.
    pub wings: Vec<Wing>,
    /// Which of eight roofs it has; the same for most houses of a row, and for all of a large building.
    pub roof: u8,
}
