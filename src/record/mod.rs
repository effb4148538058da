//! What is left of a run: pictures and animations, made without a window.
//!
//! A [`Picture`] is a sheet of palette indices. The map is drawn once as a base layer ([`Picture::map`]) and copied for
//! each frame; agents, routes and a caption are drawn on the copy. [`Picture::write_png`] writes one picture,
//! [`GifWriter`] an animation.
//!
//! **Frames and indices.** Every picture and every frame of an animation uses the one [`palette`](palette::palette):
//! a byte of [`Picture::pixels`] *is* the index of the pixel's colour, in the PNG file, in the GIF file and in memory,
//! so nothing is quantised. Index [`palette::KEEP`] is used by no picture: within a GIF frame it marks the pixels that
//! stay as they were, and a frame covers only the rectangle in which something changed.

mod animation;
mod error;
mod font;

pub mod palette;
mod picture;
mod raster;

pub use animation::GifWriter;
pub use error::RecordError;
pub use picture::{Camera, Picture};
