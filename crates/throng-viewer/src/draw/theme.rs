//! How a battle looks.

use serde::{Deserialize, Serialize};

/// How a battle looks in the window.
///
/// ```
/// use throng_viewer::Theme;
/// assert_eq!(Theme::default(), Theme::Battle);
/// assert_eq!(Theme::Battle.other(Theme::Battle), Theme::Plan);
/// assert_eq!(Theme::Plan.other(Theme::Building), Theme::Building);
/// ```
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// A landscape with soldiers, seen at a slant.
    #[default]
    Battle,
    /// The same, with closed cells as plain walls of one height.
    Building,
    /// A plan, seen from straight above.
    Plan,
}

impl From<throng_record::Theme> for Theme {
    /// Plans look alike here.
    fn from(theme: throng_record::Theme) -> Self {
        match theme {
            throng_record::Theme::Battle => Self::Battle,
            throng_record::Theme::Building => Self::Building,
            throng_record::Theme::Plan | throng_record::Theme::Dark => Self::Plan,
        }
    }
}

/// The variable that chooses the first look, `battle` or `plan`.
const THEME_VARIABLE: &str = "THRONG_THEME";

impl Theme {
    /// The look that the surroundings ask for, where they do.
    pub(crate) fn of_surroundings() -> Option<Self> {
        match std::env::var(THEME_VARIABLE).as_deref() {
            Ok("plan") => Some(Self::Plan),
            Ok("battle") => Some(Self::Battle),
            _ => None,
        }
    }

    /// The plan, or from the plan the one that was shown `first`; a battle where that is a plan too.
    #[must_use]
    pub fn other(self, first: Self) -> Self {
        match (self, first) {
            (Self::Battle | Self::Building, _) => Self::Plan,
            (Self::Plan, Self::Building) => Self::Building,
            (Self::Plan, Self::Battle | Self::Plan) => Self::Battle,
        }
    }

    /// The same look of a film.
    pub(crate) fn of_films(self) -> throng_record::Theme {
        match self {
            Self::Battle => throng_record::Theme::Battle,
            Self::Building => throng_record::Theme::Building,
            Self::Plan => throng_record::Theme::Plan,
        }
    }

    /// As [`Camera::set_slant`](crate::shell::camera::Camera::set_slant).
    pub(crate) fn slant(self) -> f32 {
        match self {
            Self::Battle | Self::Building => throng_scene::view::FORESHORTENING,
            Self::Plan => 1.0,
        }
    }
}
