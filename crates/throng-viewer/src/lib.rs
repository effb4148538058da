//! The window: battles and recordings, planners side by side, spatial indices at work, moving volumes.
//!
//! [`Window::open`] opens a window, or says in one line why it cannot and what to install ([`ViewError`]). It then shows one
//! of four:
//!
//! - [`Window::show`] shows a [`Scene`]: a map and a [`Simulation`], which is a [`World`](throng_sim::world::World), a
//!   [`Replay`] of a recording, or a type of yours. The user pans and zooms, gives orders to squads, edits the map, and
//!   asks an agent why it is not moving. A replay has a time line.
//! - [`Window::compare`] shows a [`Comparison`]: the same trip on the same map for up to [`Comparison::MAX_PLANNERS`] planners,
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
//! | feature | default | adds |
//! |---|---|---|
//! | `spatial-lab` | yes | windows that show a spatial index and moving volumes at work: `Window::index`, `Window::volumes` |
//!
//! The crate needs Vulkan at run time (Metal or Direct3D 12 where they are), and on Linux the libraries of X11
//! or Wayland; [`PACKAGES`] names them for Debian.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]
// Marks and words that those laboratories alone use.
#![cfg_attr(not(feature = "spatial-lab"), allow(dead_code, unused_imports))]

mod battle;
mod draw;
mod film;
mod lab;
mod shell;

pub use battle::command::{Command, Resumed};
pub use battle::inspect::{InspectReply, InspectRequest};
pub use battle::places::{Place, PlaceForm, PlaceKind};
pub use battle::scene::{Scene, Shown};
pub use battle::simulation::Simulation;
pub use battle::simulation_error::SimulationError;
pub use draw::cells::IndexCell;
pub use draw::clusters::Clusters;
pub use draw::theme::Theme;
pub use film::replay::Replay;
pub use lab::compare::{Compared, Comparison};
#[cfg(feature = "spatial-lab")]
pub use lab::index_view::{Arrangement, IndexCurve, IndexTrial};
#[cfg(feature = "spatial-lab")]
pub use lab::volume_view::{VolumeTally, VolumeTrial};
pub use shell::error::{PACKAGES, ViewError};
pub use shell::event::{ContentInfo, Event, FrameTimesInfo, Mark, Page, Tab, Tool};
pub use shell::example::Example;
pub use shell::open_error::OpenError;
pub use shell::opening::Opener;
pub use shell::view_options::{Listener, ViewOptions};
pub use shell::window::Window;
