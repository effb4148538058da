//! Planners side by side: one map, one trip, up to six searches, all made anew as the mouse drags.
//!
//! ```text
//! mouse ── Board ─── Task ──┐                              ┌ Layout, Camera ┐
//!   │        └ MapImage       ├ Worker (Searcher, Rerun) ── SearchNews ── PaneResult ┼ Panes ── screen
//!   └───── Playback ── looks ─┘                              └ Panel, Transport ┘
//! ```

mod action;
mod board;
mod captions;
mod cell_facts;
mod cell_tip;
mod comparison_view;
mod costs;
mod costs_panel;
mod keys;
mod layout;
#[cfg(test)]
mod layout_tests;
mod overlay;
mod pane_result;
mod panel;
mod panes;
mod perform;
mod playback;
mod race_film;
mod replanner;
mod rerun;
mod searcher;
mod trace;
mod transport;
mod walk_panes;
mod walker;
mod worker;

pub(crate) use comparison_view::ComparisonView;
pub(crate) use pane_result::{bytes, time};

use std::sync::Arc;
use throng_compare::Trip;
use throng_grid::{Cell, Ground};
use throng_plan::PlannerChoice;

/// The planners and the map that a window compares.
///
/// ```no_run
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_viewer::{Comparison, ViewOptions, Window};
///
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?);
/// let planners = vec!["astar".parse()?, "dijkstra".parse()?];
/// let comparison = Comparison { title: "a plain".into(), ground, planners, trip: None, problems: vec![], seed: 1 };
/// let compared = Window::open("two planners")?.compare(comparison, ViewOptions::default())?;
/// println!("the last trip: {:?}", compared.trip);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Comparison {
    /// Name of the map.
    pub title: String,
    /// The map as the units see it that ask for routes; edits with the mouse make new ones of the same kind.
    pub ground: Arc<Ground>,
    /// A planner for each pane; beyond [`Comparison::MAX_PLANNERS`] they are reached by the panel only. None is A* alone.
    pub planners: Vec<PlannerChoice>,
    /// Start and goal; `None` = those of the first problem, or random ones.
    pub trip: Option<(Cell, Cell)>,
    /// A bundle of problems to go through.
    pub problems: Vec<Trip>,
    /// Seed of random trips.
    pub seed: u64,
}

impl Comparison {
    /// How many planners stand side by side.
    pub const MAX_PLANNERS: usize = 6;
}

/// A comparison as it was when its window was closed.
///
/// See [`Window::compare`](crate::Window::compare).
#[derive(Clone, Debug, Default)]
pub struct Compared {
    /// Frames drawn.
    pub frames: u64,
    /// Start and goal.
    pub trip: Option<(Cell, Cell)>,
    /// The planners of the panes.
    pub planners: Vec<PlannerChoice>,
}
