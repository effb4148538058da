//! What the user wants of a comparison.

use super::playback::PlaybackPace;
use throng_grid::Steps;
use throng_plan::PlannerChoice;

/// What the user wants, by the panels or by keys.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum CompareAction {
    /// Another planner in a pane.
    Planner(usize, PlannerChoice),
    /// The next planner in a pane.
    NextPlanner(usize),
    /// One pane more.
    More,
    /// Without this pane.
    Less(usize),
    /// Other steps.
    Steps(Steps),
    /// Another random trip.
    Scatter,
    /// The map as it was at first.
    Restore,
    /// The last stroke taken back.
    Undo,
    /// Draws again what was taken back last.
    Redo,
    /// The panels hidden, or shown.
    Panel,
    /// The next problem of the bundle, or the one before.
    Problem(bool),
    /// Play, or stop.
    Play,
    /// One expansion on, or back.
    Step(bool),
    /// To a moment (expansions of the longest search).
    Jump(u64),
    /// Play faster, or slower.
    Faster(bool),
    /// What the searches have in common.
    PlaybackPace(PlaybackPace),
    /// Back to the battle whose tab this is.
    Leave,
}
