//! A battle as one sees it from above: soldiers as sprites, the map as a landscape with height, light and shadow.
//!
//! | module | contents |
//! |---|---|
//! | [`view`] | the oblique view: one linear map from metres to pixels, and the sun |
//! | [`noise`] | random numbers and value noise as functions of a place |
//! | [`edits`] | the cells in which two maps differ |
//! | [`land`] | closed cells of a map told apart by their shape |
//! | [`scenery`] | a land painted in tiles: ground, water, shadows, what is built |
//! | [`figures`] | agents as they are seen: look, direction and pose of each |
//! | [`painter`] | pictures of a battle, painted without a graphics card |
//! | [`sprite`] | soldiers, plants and things, modelled and baked into an atlas |
//!
//! All of it is made from code: there are no picture files. Equal input gives equal pixels on any machine and with any
//! number of threads: sines, roots and powers are those of `libm`, never those of the platform.
#![deny(clippy::print_stdout, clippy::print_stderr, clippy::panic, clippy::exit)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::panic))]

pub mod edits;
pub mod figures;
pub mod land;
pub mod noise;
pub mod painter;
pub mod scenery;
pub mod sprite;
pub mod view;
