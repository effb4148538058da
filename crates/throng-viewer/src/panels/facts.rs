//! What the panels show.

use crate::deed::Sight;
use crate::history::History;
use crate::speed::Speed;
use std::path::PathBuf;
use throng_sim::world::Frame;

/// What the panels show.
pub(crate) struct Facts<'a> {
    pub title: &'a str,
    pub frame: &'a Frame,
    pub history: &'a History,
    pub sight: &'a Sight,
    pub speed: Speed,
    pub paused: bool,
    pub ticks_per_second: f32,
    pub frames_per_second: f32,
    /// The first and the last tick of a recording.
    pub span: Option<[u64; 2]>,
    /// Files that were opened lately, the last first.
    pub recent: &'a [PathBuf],
    /// Why a file could not be opened.
    pub trouble: Option<&'a str>,
}
