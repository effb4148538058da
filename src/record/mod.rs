//! What is left of a run: pictures, animations, trajectories and figures, made without a window.
//!
//! What watches a run tick by tick is a [`Sink`]: a [`Film`], a [`Still`], [`Trajectories`], [`TrajectoryText`],
//! [`Statistics`], a [`SquadTable`]. A [`Summary`] is made from the world at the end.
//!
//! A [`Picture`] is a sheet of palette indices. The map is drawn once as a base layer ([`Picture::map`]) and copied for
//! each frame; agents, routes and more are drawn on the copy. A [`Look`] chooses what a film or a still shows. [`Picture::write_png`] writes one picture,
//! [`GifWriter`] and [`write_apng`] an animation.
//!
//! **Frames and indices.** Every picture and every frame of an animation uses the one [`palette`](palette::palette):
//! a byte of [`Picture::pixels`] *is* the index of the pixel's colour, in the PNG file, in the GIF file and in memory,
//! so nothing is quantised. Index [`palette::KEEP`] is used by no picture: within a GIF frame it marks the pixels that
//! stay as they were, and a frame covers only the rectangle in which something changed.

mod animation;
mod area;
mod density;
mod error;
mod film;
mod font;
mod legend;
mod look;

mod pace;
pub mod palette;
mod picture;
mod plot;
mod raster;
mod recording;
mod reel;
mod samples;
mod sink;
mod squad_summary;
mod squad_table;
mod stage;
mod statistics;
mod strength;
mod summary;
mod table;
mod trajectories;
mod trajectory_table;
mod trajectory_text;

pub use animation::{GifWriter, write_apng};
pub use error::RecordError;
pub use film::{Film, Still};
pub use look::{Look, Overlays, Patch};
#[cfg(feature = "viewer")]
pub(crate) use picture::shot_mark;
pub use picture::{Camera, Picture};
pub use plot::Plot;
pub use recording::{About, Ending, Recorder, Recording, RecordingError};
pub use sink::Sink;
pub use squad_summary::SquadSummary;
pub use squad_table::SquadTable;
pub use statistics::Statistics;
pub use summary::{MissionSummary, Quantiles, Summary, Timings, UnitSummary};
pub use trajectories::Trajectories;
pub use trajectory_table::TrajectoryTable;
pub use trajectory_text::TrajectoryText;
