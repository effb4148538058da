//! The events of a window, for programs and tests that drive it.

use crate::Theme;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use throng_sim::world::SquadId;

/// An event of a window. The program prints each as a JSON object (`--print-events`).
///
/// ```
/// use throng_viewer::Event;
///
/// let event = Event::Paused { paused: true };
/// assert_eq!(event, Event::Paused { paused: true });
/// ```
#[allow(missing_docs)] // names and units of fields say it
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Event {
    /// The first state is on the screen. Sizes in pixels, zoom in pixels a metre.
    Ready {
        size: [u32; 2],
        zoom: f32,
        content: ContentInfo,
    },
    /// A button or the like is at another place: its middle and its size (pixels).
    Place {
        name: String,
        middle: [i32; 2],
        size: [i32; 2],
    },
    /// A button or the like was pressed.
    Pressed {
        name: String,
    },
    /// A text was shown for a while.
    Notice {
        text: String,
    },
    /// A picture of the window was written.
    Picture {
        path: PathBuf,
    },
    /// The window closes.
    End {
        frames: u64,
    },
    /// The whole map is shown, or all agents: the corners of what is seen beside the panels (m).
    Fit {
        zoom: f32,
        view: [[f32; 2]; 2],
    },
    /// The map is being zoomed, up to this; with the wheel the point of the map (m) under the pointer stays.
    Zoom {
        zoom: f32,
        under: Option<[f32; 2]>,
    },
    /// The map was moved: the point of the map (m) in the middle.
    Pan {
        centre: [f32; 2],
    },
    Help {
        shown: bool,
    },
    FullScreen {
        on: bool,
    },
    /// The menu is open, or no longer.
    Menu {
        open: bool,
    },
    /// A battle is shown in this look.
    Theme {
        theme: Theme,
    },
    Panel {
        shown: bool,
    },
    Resized {
        size: [u32; 2],
    },
    /// The window is covered or minimised, or no longer.
    Hidden {
        hidden: bool,
        moment: u64,
    },
    /// Nothing moves any more.
    Still,
    /// Fifty more frames were drawn.
    Frames {
        frames: u64,
        per_second: f32,
        moment: u64,
        ticks_per_second: f32,
        times: FrameTimesInfo,
    },

    Paused {
        paused: bool,
    },
    /// A single tick, frame or step was requested, forwards or back.
    Step {
        back: bool,
    },
    /// The speed: times life, "max", or expansions a second.
    Speed {
        speed: String,
    },
    /// The tick that is shown while paused, or after a jump.
    Tick {
        tick: u64,
    },
    /// The small map was clicked: the point (m) that comes to the middle.
    LooksAt {
        point: [f32; 2],
    },
    Selected {
        agent: Option<u32>,
        squads: Vec<SquadId>,
    },
    /// An order was given by the mouse, at a point of the map (m): at once, or after the present one.
    Ordered {
        order: String,
        point: [f32; 2],
        queued: bool,
        /// The direction in which the first squad is to look (degrees from +x towards +y), where that was said.
        facing: Option<f32>,
    },
    /// Squads were kept under a digit.
    Grouped {
        number: u8,
        squads: Vec<SquadId>,
    },
    /// The squad cards were opened or folded.
    Cards {
        shown: bool,
    },
    Follows {
        follows: bool,
    },
    /// The camera follows the hottest fighting, or no longer.
    Directs {
        directs: bool,
    },
    /// A view was stored under a number, or was returned to: the point (m) in the middle of what the panels leave free.
    Bookmark {
        number: u8,
        stored: bool,
        centre: [f32; 2],
        zoom: f32,
    },
    Tool {
        tool: Tool,
    },
    Mark {
        mark: Mark,
        shown: bool,
    },
    Tab {
        tab: Tab,
    },
    /// Another page of the panel at the left.
    Page {
        page: Page,
    },
    /// An area of this number is measured from now on: the place of its middle, its width and height (m).
    Measures {
        number: u8,
        centre: [f32; 2],
        size: [f32; 2],
    },
    /// An area is no longer measured.
    Unmeasured {
        number: u8,
    },
    /// A command was executed.
    Done {
        name: String,
    },
    Undone {
        name: String,
    },
    Redone {
        name: String,
    },
    NothingToUndo,
    NothingToRedo,
    /// A command was refused.
    Refused {
        reason: String,
    },
    /// Map and scenario were saved; `text` is shown.
    Saved {
        files: Vec<PathBuf>,
        text: String,
    },
    /// A film begins.
    Filming {
        path: PathBuf,
    },
    /// A film of the whole battle was begun.
    FilmingBattle {
        path: PathBuf,
    },
    /// The window with the result is open, or no longer.
    Outcome {
        shown: bool,
    },
    /// The time line is higher, or no longer.
    TimeLine {
        unfolded: bool,
    },
    /// The battle begins anew.
    Restarted,
    /// A film is written.
    Film {
        path: PathBuf,
    },
    /// Another file is shown.
    Opened {
        title: String,
    },
    NotOpened {
        reason: String,
    },
    /// The simulation or the painter of the landscape ended early.
    Failed {
        reason: String,
    },
    /// The battle is over.
    Result {
        text: String,
    },
    /// The first edit of the map is on the screen.
    EditShown {
        frames: u64,
        millis: f64,
    },

    /// A search of a comparison is over: length of the route (cells) and expansions, or the reason for no route.
    PaneResult {
        pane: usize,
        planner: String,
        found: Option<(f64, u64)>,
        reason: Option<String>,
    },
    /// All searches of a task are over: start and goal (column and row).
    Task {
        number: u64,
        trip: Option<[[u32; 2]; 2]>,
    },
    /// Length of the shortest route (cells).
    Optimum {
        length: Option<f64>,
    },
    /// The searches are shown at a moment (expansions of the longest): seen cells of each pane, `None` at its end.
    Moment {
        at: u64,
        last: u64,
        seen: Vec<Option<u64>>,
    },
    /// What the search of a pane knows of the cell under the pointer (column and row; costs in cells; its turn in the order of
    /// expansions, from 1).
    CellFacts {
        pane: usize,
        cell: [u32; 2],
        state: String,
        g: Option<f64>,
        h: Option<f64>,
        f: Option<f64>,
        order: Option<u32>,
        parent: Option<[u32; 2]>,
    },
    Playback {
        playing: bool,
        at: u64,
        last: u64,
    },
    Pace {
        pace: String,
    },
    Problem {
        number: usize,
        count: usize,
    },
    Panes {
        count: usize,
    },
    PanePlanner {
        pane: usize,
        planner: String,
    },
    Steps {
        steps: String,
    },
    /// What steps cost beside their length.
    Costs {
        terrain: bool,
        links: bool,
        crowds: bool,
    },
    /// An agent walks to the goal by D* Lite, or no longer.
    Walks {
        walks: bool,
    },
    /// The agent has a new route of so many cells: cells that D* Lite has expanded for it, and that A* would.
    Replanned {
        repair: bool,
        cells: usize,
        expanded: u64,
        anew: u64,
    },
    /// The agent is at the goal.
    Arrived,
    RandomTrip,
    MapRestored,
    HoldsStart,
    HoldsGoal,
    /// A stroke begins: it erases or draws walls from a column and row on.
    Stroke {
        erases: bool,
        from: [u32; 2],
    },

    /// Another index, scene or number of discs is tried.
    Trial {
        index: String,
        scene: String,
        discs: u32,
    },
    /// A frame of a trial that is paused.
    TrialFrame {
        frame: u64,
        index: String,
        discs: u32,
        tests: u64,
        hits: usize,
        cells: usize,
    },
    Cells {
        shown: bool,
    },
    Growth {
        grows: bool,
    },
    /// A point of a curve: median time of a frame (µs).
    Point {
        index: String,
        discs: u32,
        micros: f64,
    },
    /// The number of discs has grown to the most.
    Grown {
        index: String,
    },
    CurvesCleared,

    /// Other moving volumes, or other settings of them.
    Volumes {
        space: bool,
        shapes: u32,
        speed: f32,
        substeps: u32,
        response: String,
        tunnels: bool,
    },
    /// The end of a step of moving volumes that are paused: the counts so far, and how many bodies the view cone sees.
    VolumeStep {
        step: u64,
        hits: u64,
        tunnelled: u64,
        seen: usize,
    },
    /// Something beside the volumes is shown or hidden.
    Layer {
        name: String,
        shown: bool,
    },
}

/// The content of a window at first.
#[allow(missing_docs)]
#[derive(Clone, Debug, Deserialize, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ContentInfo {
    Battle {
        agents: usize,
    },
    /// Size of the map of a pane (pixels).
    Comparison {
        panes: usize,
        size: [f32; 2],
    },
    Index {
        index: String,
        discs: u32,
    },
    Volumes {
        space: bool,
        shapes: u32,
    },
}

/// Times of the last fifty frames (ms): medians, a mean, and the longest.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Serialize)]
pub struct FrameTimesInfo {
    /// Processor time of the panels and the marks over the map.
    pub panels: f64,
    /// The same on average: panels are not laid out for every frame.
    pub panels_mean: f64,
    /// Processor time until the driver has all.
    pub draw: f64,
    /// From one frame to the next.
    pub frame: f64,
    /// The longest frame.
    pub worst: f64,
}

/// A tool of the left button.
#[derive(Clone, Copy, Debug, Default, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tool {
    /// Selects agents and squads.
    #[default]
    Select,
    /// Paints the map.
    Paint,
    /// Adds squads.
    SpawnSquad,
    /// Draws areas to be measured.
    Measure,
}

/// A page of the panel at the left of a battle.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, Default, Deserialize, Hash, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Page {
    /// The armies, the tools, the orders.
    #[default]
    Armies,
    /// What is shown over the map.
    Show,
    /// Measuring, models, times.
    Laboratory,
}

/// Marks over the map.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Mark {
    Neighbours,
    Velocities,
    Radii,
    Routes,
    Cells,
    Clusters,
    Bars,
    Density,
    Places,
}

/// A tab of a battle's window.
#[allow(missing_docs)]
#[derive(Clone, Copy, Debug, Deserialize, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    Battle,
    Planners,
}

impl Event {
    pub(crate) fn notice(text: impl Into<String>) -> Self {
        Self::Notice { text: text.into() }
    }

    /// Its text on the screen, of events that are shown for a while.
    pub(crate) fn text(&self) -> String {
        match self {
            Self::Notice { text } | Self::Saved { text, .. } => text.clone(),
            Self::Picture { path } => format!("picture {}", path.display()),
            Self::Done { name } => format!("done: {name}"),
            Self::Undone { name } => format!("undone: {name}"),
            Self::Redone { name } => format!("redone: {name}"),
            Self::NothingToUndo => "nothing to undo".to_owned(),
            Self::NothingToRedo => "nothing to redo".to_owned(),
            Self::Refused { reason } => format!("refused: {reason}"),
            Self::Failed { reason } => reason.clone(),
            Self::Filming { path } => format!("filming {}; F9 ends it", path.display()),
            Self::Grouped { number, squads } if squads.is_empty() => format!("group {number} is empty now"),
            Self::Grouped { number, squads } if squads.len() == 1 => format!("group {number}: 1 squad"),
            Self::Grouped { number, squads } => format!("group {number}: {} squads", squads.len()),
            Self::FilmingBattle { path } => format!("filming the whole battle into {}", path.display()),
            Self::Restarted => "the battle begins anew".to_owned(),
            Self::Film { path } => format!("film {}", path.display()),
            Self::Opened { title } => format!("opened {title}"),
            Self::Bookmark { number, stored: true, .. } => {
                format!("this view is stored; F{} returns to it", number + 4)
            }
            _ => String::new(),
        }
    }
}
