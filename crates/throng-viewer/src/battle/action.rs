//! The actions of a user in a battle.

use super::command::Command;
use super::groups::GroupUse;
use super::selection::Pick;
use crate::shell::event::{Mark, Page, Tool};
use throng_grid::geom::Vec2;
use throng_sim::world::SquadId;

/// An action of the user in a battle.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum BattleAction {
    /// Stop or go on.
    Pause,
    /// Do one tick, and pause.
    Tick,
    /// Go one tick or frame back, and pause.
    Back,
    /// Go to the first tick, and pause.
    Start,
    /// Go to the newest tick, and pause.
    Newest,
    /// Twice as fast.
    Faster,
    /// Half as fast.
    Slower,
    /// Go to a tick.
    GoTo(u64),
    /// Fold or unfold the time line.
    FoldTime,
    /// Show or hide the result.
    Outcome,
    /// Fight the battle anew, without what was commanded after its first tick.
    Restart,
    /// Watch it from its start.
    WatchAgain,
    /// Make a film of all of it.
    FilmBattle,
    /// Stop making that film.
    CancelFilm,
    /// Show or hide the panel at the left.
    Panel,
    /// Show the battle as a landscape or as a plan.
    Theme,
    /// Move the map (pixels).
    Pan(Vec2),
    /// Zoom at the middle.
    Zoom(f32),
    /// Start or stop keeping the selection in the middle.
    Follow,
    /// Start or stop following the hottest fighting.
    Direct,
    /// Store what is seen under a number, 1 to 4.
    Store(u8),
    /// Show what was stored under a number.
    Recall(u8),
    /// Take a tool.
    Take(Tool),
    /// Open a page of the panel at the left.
    Open(Page),
    /// Open the laboratory, or close it.
    Laboratory,
    /// Measure an area no longer.
    Unmeasure(u8),
    /// Write what was measured.
    SaveCurves,
    /// Give a command to the world.
    Execute(Command),
    /// Undo the last command.
    Undo,
    /// Redo the command that was undone last.
    Redo,
    /// Write map and scenario.
    Save,
    /// Begin or end a film.
    Film,
    /// Open the menu.
    Menu,
    /// Take the selected squads off the field.
    Remove,
    /// Show or hide marks.
    Mark(Mark),
    /// Show planners side by side on this map.
    Planners,
    /// Use the control group under a digit.
    Group(u8, GroupUse),
    /// Select all squads of the armies of the selection.
    SelectArmies,
    /// Select a squad, or more.
    Pick(SquadId, Pick),
    /// Open or fold the squad cards.
    Cards,
}
