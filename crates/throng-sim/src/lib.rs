//! Crowds and battles on a grid map, a tick at a time.
//!
//! A [`World`](world::World) holds the map, the agents and their routes. [`World::tick`](world::World::tick) advances it
//! by one step: agents get their routes, follow them, avoid each other and the walls, and fight.
//! [`World::frame`](world::World::frame) copies out what a viewer or a recorder shows. The same settings, calls and seed
//! give the same bytes, for any number of threads and any spatial index.
//!
//! ```
//! use throng_grid::geom::Vec2;
//! use throng_grid::{Grid, Lattice};
//! use throng_sim::battle::{Block, Order, Unit};
//! use throng_sim::world::{SquadSpec, Settings, Verdict, World};
//!
//! // An open plain of 64 m x 48 m.
//! let mut world = World::new(Grid::open_plain(Lattice::new(64, 48, 1.0)?), Settings::default())?;
//! let soldier = world.add_unit(Unit::default())?;
//! for (name, x, count) in [("red", 16.0, 40), ("blue", 48.0, 20)] {
//!     let army = world.add_army(name)?;
//!     let positions = Block::new(Vec2::new(x, 24.0), count).positions();
//!     let squad = world.spawn_squad(SquadSpec::new(army, soldier, &positions))?;
//!     world.order(squad, Order::Attack)?;
//! }
//!
//! while world.verdict().is_none() {
//!     world.tick()?;
//! }
//! let [red, blue] = world.armies() else { return Ok(()) };
//! println!("after {} ticks: {} red, {} blue", world.ticks(), red.alive, blue.alive);
//! assert!(matches!(world.verdict(), Some(Verdict::Winner(army)) if world.armies()[army.index()].name == "red"));
//! # Ok::<(), throng_sim::world::WorldError>(())
//! ```
//!
//! # Modules
//!
//! - [`world`]: the [`World`](world::World), its [`Settings`](world::Settings) and its tick. Squads are made of a
//!   [`SquadSpec`](world::SquadSpec); walkers follow a [`Journey`](world::Journey); a [`Trigger`](world::Trigger) waits for its
//!   cause; [`World::why`](world::World::why) says why an agent is not moving;
//!   [`World::save`](world::World::save) writes a snapshot.
//! - [`battle`]: a [`Unit`](battle::Unit) is a kind of soldier, an [`Order`](battle::Order) tells a squad its task, and a
//!   [`Formation`](battle::Formation) keeps its ranks. Melee, shots, morale and sieges are here.
//! - [`crowd`]: the columns of the agents, how they follow routes, and five models of
//!   [`Avoidance`](crowd::Avoidance), of which [ORCA](crowd::orca) is the default.
//! - [`walk`]: the stages of a tick that move agents over the ground.
//!
//! # Features
//!
//! The crate has none.
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod battle;
pub mod crowd;
mod ids;
mod mixed;
pub mod walk;
pub mod world;
