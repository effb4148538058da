//! Whether an agent still sees its route.

use serde::{Deserialize, Serialize};

/// Whether an agent sees its route, from what its last checks found; in the order in which it gets worse. Saved as a number.
///
/// ```
/// use throng_sim::crowd::RouteProgress;
/// let mut progress = RouteProgress::OnRoute;
/// for _ in 0..4 {
///     progress = progress.missed();
/// }
/// assert_eq!(progress, RouteProgress::Lost);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
#[repr(u8)]
pub enum RouteProgress {
    /// It sees the point it walks to.
    #[default]
    OnRoute = 0,
    /// It sees only the line of its route, and goes back to it.
    Returning = 1,
    /// One check saw neither.
    MissedOnce = 2,
    /// Two checks in a row did.
    MissedTwice = 3,
    /// Three did.
    MissedThrice = 4,
    /// Four did: it needs a route of its own.
    Lost = 5,
    /// Its route is closed further on: it needs another, though it may see the next point.
    Cut = 6,
    /// It waits for a route that it has asked for.
    Requested = u8::MAX,
}

impl RouteProgress {
    const ALL: [Self; 8] = [
        Self::OnRoute,
        Self::Returning,
        Self::MissedOnce,
        Self::MissedTwice,
        Self::MissedThrice,
        Self::Lost,
        Self::Cut,
        Self::Requested,
    ];

    /// After one more check in a row that saw neither the next point nor the line of the route.
    #[must_use]
    pub fn missed(self) -> Self {
        match self {
            Self::OnRoute | Self::Returning => Self::MissedOnce,
            Self::MissedOnce => Self::MissedTwice,
            Self::MissedTwice => Self::MissedThrice,
            Self::MissedThrice => Self::Lost,
            Self::Lost | Self::Cut | Self::Requested => self,
        }
    }
}

impl From<RouteProgress> for u8 {
    fn from(progress: RouteProgress) -> Self {
        progress as u8
    }
}

impl TryFrom<u8> for RouteProgress {
    type Error = String;

    fn try_from(number: u8) -> Result<Self, String> {
        let known = Self::ALL.into_iter().find(|&progress| progress as u8 == number);
        known.ok_or_else(|| format!("{number} is no state of an agent on its route, expected 0 to 6, or 255"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_saved_as_one_byte_and_no_other_byte_is_read() {
        let known: Vec<u8> = (0..=6).chain([255]).collect();
        for byte in 0..=u8::MAX {
            let read = postcard::from_bytes::<RouteProgress>(&[byte]);
            assert_eq!(read.is_ok(), known.contains(&byte), "{byte}");
            if let Ok(progress) = read {
                assert_eq!(postcard::to_allocvec(&progress).unwrap(), [byte]);
            }
        }
        assert!(RouteProgress::ALL.is_sorted());
    }
}
