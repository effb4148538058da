//! How agents avoid each other: all that a scenario may set.

use super::{Avoidance, Bias, Gap, Orca, Relaxation, Separation, SocialForce};
use serde::{Deserialize, Serialize};

/// Everything about avoidance that a scenario may set.
///
/// ```
/// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
/// let settings = AvoidanceSettings::new(Avoidance::Push);
/// assert!(settings.bias.is_off() && settings.passes == 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct AvoidanceSettings {
    /// Its kind.
    pub kind: Avoidance,
    /// Neighbours (`k`, `reach`) for all kinds; the time horizon for `orca`.
    pub orca: Orca,
    /// How people of `gap` keep apart.
    pub gap: Gap,
    /// How `push` comes to its preferred.
    pub relaxation: Relaxation,
    /// How hard neighbours push with `separation`.
    pub separation: Separation,
    /// The constants of `social-force`.
    pub social_force: SocialForce,
    /// How blocked agents look aside ([`bias`](super::bias::bias)). [`Bias::default`] with `orca`, else off.
    pub bias: Bias,
    /// The share of its weight that an agent near its goal keeps, so that it gives way to those passing: of one passing and one
    /// arrived, the second takes 1 / (1 + this) of the duty. Default 0.2 with `orca`. At 1 none gives way, and late comers do not
    /// get through arrived ones; at 0.1 arrived ones are pushed about.
    pub settled: f32,
    /// Push-apart passes after the move ([`push`](super::push::push)). Default 2 with `orca` and
    /// `separation`, 3 with `push`, else 0. More passes gain nothing: pushes travel in chains.
    pub passes: u32,
    /// The furthest that one push-apart pass moves a body (m). Default 0.25. Small values let overlaps last longer,
    /// large ones make bodies jump.
    pub cap: f32,
}

impl AvoidanceSettings {
    /// The defaults of a kind.
    pub fn new(kind: Avoidance) -> Self {
        let (bias, passes) = match kind {
            // The social force as it was published; a model from outside as it is.
            Avoidance::None | Avoidance::SocialForce | Avoidance::Custom => (Bias::OFF, 0),
            Avoidance::Push => (Bias::OFF, 3),
            Avoidance::Separation | Avoidance::Orca | Avoidance::Gap => (Bias::default(), 2),
        };
        Self {
            kind,
            orca: Orca::default(),
            gap: Gap::default(),
            relaxation: Relaxation::default(),
            separation: Separation::default(),
            social_force: SocialForce::default(),
            bias,
            settled: 0.2,
            passes,
            cap: 0.25,
        }
    }

    /// The defaults of a kind where some units have models of their own. `bias` and `passes` are the same for all agents, as high
    /// as any of the models needs.
    ///
    /// ```
    /// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
    /// let mixed = AvoidanceSettings::mixed(Avoidance::None, [Avoidance::Push, Avoidance::Orca]);
    /// assert_eq!((mixed.kind, mixed.bias.is_off(), mixed.passes), (Avoidance::None, false, 3));
    /// ```
    pub fn mixed(kind: Avoidance, others: impl IntoIterator<Item = Avoidance>) -> Self {
        others.into_iter().map(Self::new).fold(Self::new(kind), |settings, other| Self {
            bias: if settings.bias.amount > 0.0 || other.bias.is_off() { settings.bias } else { other.bias },
            passes: settings.passes.max(other.passes),
            ..settings
        })
    }
}

impl Default for AvoidanceSettings {
    /// The defaults of `orca`.
    fn default() -> Self {
        Self::new(Avoidance::default())
    }
}
