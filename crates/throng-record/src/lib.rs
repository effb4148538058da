//! Files from a run of a crowd or a battle, made without a window: pictures, films, recordings, trajectories, tables.
//!
//! A [`Sink`] takes the [`Frame`](throng_sim::world::Frame)s of a run and becomes a file:
//!
//! | sink | file |
//! |---|---|
//! | [`Film`] | an animation of at most 100 frames: GIF, APNG, or raw video for an encoder |
//! | [`Still`] | the last frame as a PNG |
//! | [`Recorder`] | a recording that can be watched again; [`Recording`] reads it |
//! | [`Statistics`] | a table of armies and units over time: CSV or Parquet |
//! | [`SquadTable`] | a table of squads over time: CSV or Parquet |
//! | [`TrajectoryTable`] | the position of every agent in every frame: CSV or Parquet |
//! | [`TrajectoryText`] | the same as text, which `PedPy` opens |
//! | `Trajectories` | the same as an `SQLite` database, which `PedPy` and `JuPedSim` open |
//! | `Plot` | curves of the living and of the mean speed: SVG |
//!
//! A [`Summary`] has the figures of a whole run, made from the world at the end, and is written as JSON.
//!
//! ```
//! use throng_grid::geom::Vec2;
//! use throng_grid::{Grid, Lattice};
//! use throng_record::{Film, Sink, Statistics, Still};
//! use throng_sim::battle::{Block, Order, Unit};
//! use throng_sim::world::{Frame, SquadSpec, Settings, World};
//!
//! let mut world = World::new(Grid::open_plain(Lattice::new(64, 48, 1.0)?), Settings::default())?;
//! let soldier = world.add_unit(Unit::default())?;
//! for (name, x, count) in [("red", 20.0, 20), ("blue", 44.0, 10)] {
//!     let army = world.add_army(name)?;
//!     let positions = Block::new(Vec2::new(x, 24.0), count).positions();
//!     world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, soldier, &positions) })?;
//! }
//!
//! let out = tempfile::tempdir()?;
//! let mut sinks: Vec<Box<dyn Sink>> = vec![
//!     Box::new(Film::new(out.path().join("run.gif"), world.grid(), 320)),
//!     Box::new(Still::new(out.path().join("run.png"), world.grid(), 640)),
//!     Box::new(Statistics::create(out.path().join("run.csv"))?),
//! ];
//! let mut frame = Frame::default();
//! while world.verdict().is_none() {
//!     world.tick()?;
//!     world.frame(&mut frame);
//!     for sink in &mut sinks {
//!         sink.frame(&frame)?;
//!     }
//! }
//! for sink in sinks {
//!     println!("wrote {}", sink.finish()?.display());
//! }
//! assert_eq!(std::fs::read_dir(out.path())?.count(), 3);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Pictures
//!
//! A [`Picture`] is a sheet of palette indices. The map is drawn once as a base layer ([`Picture::map`]) and copied for
//! each frame; agents, routes and more are drawn on the copy. A [`RenderOptions`] chooses the detail, the size and the overlays of a
//! film or a still. [`Picture::write_png`] writes one picture, [`GifWriter`] and [`write_apng`] an animation.
//!
//! **Frames and indices.** Every picture and every frame of an animation uses the one [`palette`](palette::palette):
//! a byte of [`Picture::pixels`] *is* the index of the pixel's colour, in the PNG file, in the GIF file and in memory,
//! so nothing of a plan is quantised. Index [`palette::KEEP`] is used by no picture: within a GIF frame it marks the pixels that
//! stay as they were, and a frame covers only the rectangle in which something changed.
//!
//! **Themes.** [`RenderOptions::theme`] chooses the look: the battle as one sees it, or a plan on light or on dark ground, where it
//! chooses the colours of the indices. An army with a colour of its own ([`Frame::colours`](throng_sim::world::Frame::colours)) has
//! that.
//!
//! **True colour.** A battle is painted as [`ColourPicture`]s. A [`Still`] writes the last as it is, a [`Film`] with at most 255
//! colours: a [`ColourSample`] of the frames makes the [`ColourTable`], a [`Quantiser`] with a weak dither finds the indices. Raw
//! video has all colours. On one core a frame of 768 x 640 of a siege of 10,000 takes 2.5 ms to become video and 4.3 ms to become part
//! of a GIF.
//!
//! # Features
//!
//! | feature | default | adds |
//! |---|---|---|
//! | `plots` | yes | curves as SVG: `Plot` |
//! | `sqlite` | | trajectories as SQLite databases: `Trajectories`; needs a C compiler |
//! | `parquet` | | tables as Parquet, where the name of the file ends in `.parquet` |
#![cfg_attr(doctest, doc = include_str!("../README.md"))]
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

mod apng_writer;
mod area_meter;
pub mod army_colours;
mod battle_footage;
mod battle_scene;
mod camera;
mod caption;
mod colour_picture;
mod colour_sample;
mod colour_table;
mod dark_palette;
mod density;
mod error;
mod film;
mod film_reel;
mod font;
mod frame_change;
mod frame_deltas;
mod frame_renderer;
mod gif_writer;
mod going_on;
mod histogram;
mod legend;
mod lzw;
mod pace;
pub mod palette;
mod picture;
mod planes;
#[cfg(feature = "plots")]
mod plot;
mod quantiser;
mod raster;
mod recording;
mod render_options;
mod samples;
mod sink;
mod squad_summary;
mod squad_table;
mod statistics;
mod still;
mod strength;
mod summary;
mod table;
mod theme;
#[cfg(feature = "sqlite")]
mod trajectories;
mod trajectory_table;
mod trajectory_text;
#[cfg(feature = "sqlite")]
mod walkable_area;
mod watch;
mod y4m_writer;

pub use apng_writer::write_apng;
pub use area_meter::{AreaFigures, AreaMeter};
pub use camera::Camera;
pub use colour_picture::ColourPicture;
pub use colour_sample::ColourSample;
pub use colour_table::ColourTable;
pub use error::RecordError;
pub use film::Film;
pub use gif_writer::GifWriter;
pub use pace::Pace;
pub use picture::{Picture, shot_mark};
#[cfg(feature = "plots")]
pub use plot::Plot;
pub use quantiser::Quantiser;
pub use recording::{About, Ending, Recorder, Recording, RecordingError};
pub use render_options::{Framing, MeasurementArea, Overlays, RenderOptions};
pub use sink::Sink;
pub use squad_summary::SquadSummary;
pub use squad_table::SquadTable;
pub use statistics::Statistics;
pub use still::Still;
pub use summary::{MissionSummary, Quantiles, Summary, Timings, UnitSummary};
pub use theme::{Theme, UnknownTheme};
#[cfg(feature = "sqlite")]
pub use trajectories::Trajectories;
pub use trajectory_table::TrajectoryTable;
pub use trajectory_text::TrajectoryText;
