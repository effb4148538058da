//! The data that the panels show.

use crate::inspect::InspectReply;
use crate::palette::{self, Rgb};
use crate::speed::Speed;
use crate::theme::Theme;
use crate::tick_history::TickHistory;
use throng_sim::world::Frame;

/// The data that the panels show.
pub(crate) struct BattleFacts<'a> {
    pub title: &'a str,
    pub frame: &'a Frame,
    pub theme: Theme,
    pub history: &'a TickHistory,
    pub reply: &'a InspectReply,
    pub speed: Speed,
    pub paused: bool,
    pub ticks_per_second: f32,
    pub frames_per_second: f32,
    /// The first and the last tick of a recording.
    pub span: Option<[u64; 2]>,
    /// The camera follows the hottest fighting.
    pub directs: bool,
}

impl BattleFacts<'_> {
    /// The colour of an army.
    pub fn army(&self, index: usize) -> Rgb {
        palette::army_of(self.frame, self.theme, index)
    }
}
