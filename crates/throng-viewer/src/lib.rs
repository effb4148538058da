//! The window: battles and recordings, planners side by side, spatial indices at work, moving volumes.
//!
//! [`Window::open`] opens a window, or says in one line why it cannot and what to install ([`ViewError`]). It then shows one
//! of four:
//!
//! - [`Window::show`] shows a [`Scene`]: a map and a [`Simulation`], which is a [`World`](throng_sim::world::World), a
//!   [`Replay`] of a recording, or a type of yours. The user pans and zooms, gives orders to squads, edits the map, and
//!   asks an agent why it is not moving. A replay has a time line.
//! - [`Window::compare`] shows a [`Comparison`]: the same trip on the same map for up to [`Comparison::MOST`] planners,
//!   searched anew while the mouse drags its ends and draws walls.
//! - [`Window::index`] shows an [`IndexTrial`]: discs, the cells of a spatial index over them, and the times it takes.
//! - [`Window::volumes`] shows a [`VolumeTrial`]: shots at bodies of all kinds, and the hits that sub-steps miss.
//!
//! ```no_run
//! use throng_grid::geom::Vec2;
//! use throng_grid::{Grid, Lattice};
//! use throng_sim::battle::{Block, Order, Unit};
//! use throng_sim::world::{SquadSpec, Settings, World};
//! use throng_viewer::{Scene, ViewOptions, Window};
//!
//! let mut world = World::new(Grid::open_plain(Lattice::new(96, 64, 1.0)?), Settings::default())?;
//! let soldier = world.add_unit(Unit::default())?;
//! for (name, x, facing) in [("red", 24.0, 0.0), ("blue", 72.0, 180.0)] {
//!     let army = world.add_army(name)?;
//!     let positions = Block { facing, ..Block::new(Vec2::new(x, 32.0), 200) }.positions();
//!     world.spawn_squad(SquadSpec { facing, order: Order::Attack, ..SquadSpec::new(army, soldier, &positions) })?;
//! }
//! let scene = Scene {
//!     title: "a skirmish".into(),
//!     grid: world.grid().clone(),
//!     step: world.settings().step,
//!     simulation: Box::new(world),
//!     scenario: None,
//!     deploys: false,
//! };
//! let shown = Window::open("a skirmish")?.show(scene, ViewOptions::default())?;
//! println!("{} frames", shown.frames);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! [`Window::show`] runs the simulation on a thread of its own and draws its newest state: the map with all its smaller
//! versions, one instanced draw for the agents, one for the fallen, and the numbers on top.
//!
//! ```text
//! Simulation ── thread ── Handover ── Motion ── agents ┐
//!                                     Fallen ── agents ┤
//!                                     Frame ── Flights ┼─ Window ── screen
//!                          Grid ── MapImage ── map     │
//!                                     Frame ── Hud     ┘
//! ```
//!
//! # Features
//!
//! The crate has none. It needs Vulkan at run time (Metal or Direct3D 12 where they are), and on Linux the libraries of X11
//! or Wayland; [`PACKAGES`] names them for Debian.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod agents;
mod backdrop;
mod banners;
mod battle;
mod battle_film;
mod brush;
mod camera;
mod cells;
mod chronicle;
mod clusters;
mod command;
mod compare;
mod deploying;
mod destinations;
mod dialog;
mod directing;
mod error;
mod event;
mod example;
mod fallen;
mod filming;
mod flights;
mod frame_times;
mod graphics;
mod groups;
mod handover;
mod heat;
mod hints;
mod hud;
mod index_view;
mod ink;
mod input;
mod inspect;
mod int_rect;
mod layers;
#[cfg(test)]
mod layout_check;
mod lines;
mod map_image;
mod map_painter;
mod marks;
mod measuring;
mod menu;
mod mini_map;
mod motion;
mod oblique;
mod opening;
mod order_sign;
mod outlines;
mod overlay;
mod palette;
mod panel_output;
mod panels;
mod pen;
mod pipeline;
mod pixel_layer;
mod places;
mod replay;
mod room;
mod samples;
mod saving;
mod screenshot;
mod selection;
mod settings;
mod shell;
mod simulation;
mod software;
mod speed;
mod splat;
mod squad_table;
mod step_control;
mod style;
mod tabs;
mod theme;
mod tick_history;
mod tools;
mod ui;
mod undo_stack;
mod view_buffer;
mod volume_view;
mod window;
mod worker;

pub use cells::IndexCell;
pub use clusters::Clusters;
pub use command::{Command, Resumed};
pub use compare::{Compared, Comparison};
pub use error::{PACKAGES, ViewError};
pub use event::{ContentInfo, Event, FrameTimesInfo, Mark, Page, Tab, Tool};
pub use example::Example;
pub use index_view::{Arrangement, IndexCurve, IndexTrial};
pub use inspect::{InspectReply, InspectRequest};
pub use opening::Opener;
pub use places::{Place, PlaceForm, PlaceKind};
pub use replay::Replay;
pub use simulation::Simulation;
pub use theme::Theme;
pub use volume_view::{VolumeTally, VolumeTrial};
pub use window::Window;

use std::path::PathBuf;
use std::sync::Arc;
use throng_grid::Grid;
use throng_scenario::Scenario;
use throng_sim::world::Frame;

/// The content of a window.
///
/// See [`Window`] for one.
pub struct Scene {
    /// The name on the panel.
    pub title: String,
    /// The map.
    pub grid: Arc<Grid>,
    /// Simulated time of a tick (s).
    pub step: f32,
    /// The simulation of the agents.
    pub simulation: Box<dyn Simulation>,
    /// The scenario it was made from, where there is one: an edited map is saved with it.
    pub scenario: Option<Box<Scenario>>,
    /// It begins paused, for its squads to be deployed.
    pub deploys: bool,
}

impl std::fmt::Debug for Scene {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.grid.lattice().size();
        f.debug_struct("Scene").field("title", &self.title).field("size", &size).finish_non_exhaustive()
    }
}

/// Called with each event of a window.
pub type Listener = Box<dyn FnMut(&Event) + Send>;

/// How a window is shown.
///
/// See [`Window::show`].
#[derive(Default)]
pub struct ViewOptions {
    /// Called with each event, from [`Event::Ready`] after the first frame to [`Event::End`].
    pub events: Option<Listener>,
    /// Closes the window after this number of frames.
    pub frames: Option<u64>,
    /// Writes a picture of the window when it closes (PNG).
    pub screenshot: Option<PathBuf>,
    /// Opens files that are dropped on the window, and those of before; without it the window keeps what it has.
    pub opener: Option<Opener>,
    /// The look of a battle; without one it is that of `THRONG_THEME` (`battle` or `plan`), or a battle.
    pub theme: Option<Theme>,
    /// The file that is shown, to be found among those of before.
    pub file: Option<PathBuf>,
    /// The battles that can be chosen from the menu.
    pub examples: Vec<Example>,
    /// Begins with the menu open.
    pub menu: bool,
}

impl std::fmt::Debug for ViewOptions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ViewOptions")
            .field("events", &self.events.is_some())
            .field("frames", &self.frames)
            .field("screenshot", &self.screenshot)
            .field("opener", &self.opener.is_some())
            .field("theme", &self.theme)
            .field("file", &self.file)
            .field("examples", &self.examples.len())
            .field("menu", &self.menu)
            .finish()
    }
}

/// The last state of a battle's window.
///
/// See [`Window::show`].
#[derive(Clone, Debug, Default)]
pub struct Shown {
    /// Frames drawn.
    pub frames: u64,
    /// The last state that was drawn.
    pub last: Frame,
    /// Why the simulation, or the painter of the landscape, ended before the window did, where one did.
    pub failure: Option<String>,
}
