//! What a shot does after a hit.

use crate::volume::{bounce_off, slide};
use std::fmt;
use std::str::FromStr;

/// What a shot of a [`Volley`](super::Volley) does where it hits a body.
///
/// ```
/// use throng_spatial::Response;
/// assert_eq!("slide".parse::<Response>()?, Response::Slide);
/// assert_eq!(Response::default().to_string(), "bounce");
/// # Ok::<(), throng_spatial::UnknownResponse>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Response {
    /// `pass`: it flies on.
    Pass,
    /// `stop`: it stops.
    Stop,
    /// `slide`: it loses the part of its motion that leads into the body.
    Slide,
    /// `bounce`: that part is turned round.
    #[default]
    Bounce,
}

impl Response {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pass, Self::Stop, Self::Slide, Self::Bounce];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Stop => "stop",
            Self::Slide => "slide",
            Self::Bounce => "bounce",
        }
    }

    /// The motion after a hit, as the body sees it: before and after in m a step, and the normal of the hit.
    pub(super) fn answer<const D: usize>(self, motion: [f32; D], normal: [f32; D]) -> [f32; D] {
        match self {
            Self::Pass => motion,
            Self::Stop => [0.0; D],
            Self::Slide => slide(motion, 0.0, normal),
            Self::Bounce => bounce_off(motion, normal, 1.0),
        }
    }
}

impl fmt::Display for Response {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// No response has this name.
///
/// ```
/// use throng_spatial::Response;
/// let error = "bonce".parse::<Response>().unwrap_err();
/// assert_eq!(error.to_string(), "unknown response \"bonce\"; known are pass, stop, slide, bounce");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownResponse {
    /// The name.
    pub found: String,
}

impl fmt::Display for UnknownResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let known = Response::ALL.map(Response::name).join(", ");
        write!(f, "unknown response {:?}; known are {known}", self.found)
    }
}

impl std::error::Error for UnknownResponse {}

impl FromStr for Response {
    type Err = UnknownResponse;

    fn from_str(name: &str) -> Result<Self, UnknownResponse> {
        let found = Self::ALL.into_iter().find(|response| response.name() == name);
        found.ok_or_else(|| UnknownResponse { found: name.to_owned() })
    }
}
