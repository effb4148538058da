//! How pictures look.

use std::fmt;
use std::str::FromStr;

/// The look of pictures of a run.
///
/// ```
/// use throng_record::Theme;
/// assert_eq!("dark".parse(), Ok(Theme::Dark));
/// let error = "neon".parse::<Theme>().unwrap_err();
/// assert_eq!(error.to_string(), "no theme \"neon\"; expected battle, building, plan or dark");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// The battle as one sees it, from above and from the side, in true colour.
    #[default]
    Battle,
    /// As a battle; closed cells are plain walls of one height, as in the floor plan of a building.
    Building,
    /// A plan seen from above, on light ground.
    Plan,
    /// The plan on dark ground.
    Dark,
}

impl Theme {
    /// All themes, in the order in which messages name them.
    pub const ALL: [Self; 4] = [Self::Battle, Self::Building, Self::Plan, Self::Dark];

    /// True where pictures are plans seen from straight above; others are painted as one sees a battle.
    pub fn is_plan(self) -> bool {
        matches!(self, Self::Plan | Self::Dark)
    }

    /// The word for it in options.
    pub fn name(self) -> &'static str {
        match self {
            Self::Battle => "battle",
            Self::Building => "building",
            Self::Plan => "plan",
            Self::Dark => "dark",
        }
    }
}

impl fmt::Display for Theme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Theme {
    type Err = UnknownTheme;

    fn from_str(text: &str) -> Result<Self, UnknownTheme> {
        let found = Self::ALL.into_iter().find(|theme| theme.name() == text);
        found.ok_or_else(|| UnknownTheme { found: text.into() })
    }
}

/// A word that is no theme.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no theme {found:?}; expected battle, building, plan or dark")]
#[non_exhaustive]
pub struct UnknownTheme {
    /// The word.
    pub found: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn themes_are_read_as_they_are_written() {
        for theme in Theme::ALL {
            assert_eq!(theme.to_string().parse(), Ok(theme));
        }
        let error = "Plan".parse::<Theme>().unwrap_err();
        assert_eq!(error.to_string(), "no theme \"Plan\"; expected battle, building, plan or dark");
        assert_eq!(format!("{:>6}|", Theme::Dark), "  dark|");
    }
}
