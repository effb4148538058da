//! Sizes of figures, by their look.

use throng_sim::battle::Look;

/// How high a figure is without what it holds (m): signs over its head that stand above this do not cover it.
pub const fn height(look: Look) -> f32 {
    match look {
        Look::Swordsman | Look::Spearman | Look::Archer | Look::Civilian => 1.9,
        Look::Rider => 2.7,
        Look::Giant => 4.2,
        Look::Ram => 2.4,
        Look::Leader => 2.2,
    }
}

/// How many times the size of a figure on foot it is modelled at.
pub(crate) const fn size(look: Look) -> f32 {
    match look {
        Look::Giant => 2.15,
        Look::Leader => 1.12,
        _ => 1.0,
    }
}
