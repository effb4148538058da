//! The data that the panels show.

use crate::battle::chronicle::Chronicle;
use crate::battle::inspect::InspectReply;
use crate::battle::measuring::AreaCurve;
use crate::battle::tick_history::TickHistory;
use crate::draw::palette::{self, Rgb};
use crate::draw::theme::Theme;
use crate::shell::speed::Speed;
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
    /// It can be changed; a recording cannot.
    pub live: bool,
    /// The first and the last tick that can be gone to, where there is a time line.
    pub span: Option<[u64; 2]>,
    /// The tick that is being gone to.
    pub target: Option<u64>,
    /// What has happened so far.
    pub chronicle: &'a Chronicle,
    /// The areas that are measured.
    pub measured: &'a [AreaCurve],
    /// How far a film of the whole battle is, where one is made: 0 to 1.
    pub film: Option<f32>,
    /// The camera follows the hottest fighting.
    pub directs: bool,
}

impl BattleFacts<'_> {
    /// The colour of an army.
    pub fn army(&self, index: usize) -> Rgb {
        palette::army_of(self.frame, self.theme, index)
    }
}
