//! Crowds and battles measured.
//!
//! - The module [`batch`] runs a scenario many times with other seeds and numbers, on several threads, and counts the wins.
//! - The module [`experiment`] measures crowds in scenes that are hard for them, the flow through doors, the fundamental
//!   diagram, and battles against Lanchester's laws.
//!
//! ```
//! use throng_lab::experiment::{CrowdKind, CrowdScene, observe};
//! use throng_sim::world::Settings;
//!
//! // 30 agents on a circle, each with its goal on the other side, for 60 s.
//! let scene = CrowdScene::new(CrowdKind::Circle, 30, 1)?;
//! let outcome = observe(&scene, Settings { step: 0.1, ..Settings::default() }, 60.0)?;
//! assert!(outcome.quality.arrived > 90.0, "{} %", outcome.quality.arrived);
//! # Ok::<(), throng_lab::experiment::ExperimentError>(())
//! ```
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `plots` | yes | plots of experiments as SVG: `write_diagram_plot` and `write_lanchester_plot` in [`experiment`] |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod batch;
pub mod experiment;
