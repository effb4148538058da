//! Actions of the user in a comparison.

use super::costs::Costs;
use super::playback::PlaybackPace;
use throng_grid::Steps;
use throng_plan::PlannerChoice;

/// An action of the user, by panels or keys.
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
    /// Other costs of steps.
    Costs(Costs),
    /// Another random trip.
    Scatter,
    /// The map as it was at first.
    Restore,
    /// Undo the last stroke.
    Undo,
    /// Redo the stroke that was undone last.
    Redo,
    /// The panels hidden, or shown.
    Panel,
    /// Let an agent walk to the goal by D* Lite, or stop it.
    Walk,
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
    /// Make a GIF of the race, or give it up.
    Film,
    /// The pace that all searches share.
    PlaybackPace(PlaybackPace),
    /// Back to the battle whose tab this is.
    Leave,
}
