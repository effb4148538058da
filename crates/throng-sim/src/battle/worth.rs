//! What a soldier is worth, to balance armies.

use super::Unit;

/// The worth of a soldier of the default kind (points).
const DEFAULT_POINTS: f32 = 10.0;

impl Unit {
    /// The worth of a soldier of this kind (points): 10 for one of the default kind.
    ///
    /// By the square law (F. W. Lanchester, *Aircraft in Warfare*, 1916) the strength of n equal soldiers is n² times health times
    /// damage a second. Two armies are equal where the sums of their soldiers' worth are: the root of health times damage a second.
    /// The damage is that of the better weapon ([`Unit::danger`]); reach, speed and terrain do not count.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// let soldier = Unit::default();
    /// let giant = Unit { health: 4.0 * soldier.health, damage: 4.0 * soldier.damage, ..soldier.clone() };
    /// assert_eq!((soldier.worth().round(), giant.worth().round()), (10.0, 40.0));
    /// ```
    pub fn worth(&self) -> f32 {
        let strength = |unit: &Self| unit.health * unit.danger();
        DEFAULT_POINTS * libm::sqrtf(strength(self) / strength(&Self::default()))
    }
}
