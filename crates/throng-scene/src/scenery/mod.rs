//! A land as one sees it: ground, water, shadows, and all that is built, painted into tiles.
//!
//! What a pixel shows depends on its place in the world alone, so pictures of neighbouring windows join without a seam, and
//! a part that is painted again has the bytes it would have had at first. Everything built is a map of heights at twice the
//! resolution; each half pixel of the picture shows the southernmost spot that reaches up to it.

mod blur;
mod brush;
mod canvas;
#[cfg(test)]
mod cell_tests;
mod colours;
mod extra;
mod extrude;
mod frame;
mod ground;
mod heights;
mod house;
mod mend;
mod octave;
mod octaves;
mod patch;
mod raise;
mod reduce;
mod row;
mod shade;
mod shadows;
mod soil;
mod spot;
mod step;
mod stone;
#[cfg(test)]
mod tests;
mod tile;
mod tiles;
mod water;

pub use extra::Extra;
pub use tile::Tile;
pub use tiles::Scenery;

use crate::land::Land;
use crate::view::View;
use brush::Brush;
use frame::Frame;

/// Paints a window of a land, `width` x `height` pixels; its corner is moved to the nearest whole pixel of the world.
///
/// Scales are above 0 and up to 40 pixels a metre; below 1.5 the window is painted larger and reduced, at most 24 times. O(pixels
/// painted, and points of the land). For a whole map see [`Scenery`], which paints in parallel.
pub fn paint(land: &Land, extra: &Extra, view: View, width: u32, height: u32) -> Tile {
    let view = View { scale: view.scale.clamp(1e-6, 40.0), ..view };
    let frame = Frame::of(view, width, height);
    Brush::new(view.scale * reduce::reduction(view.scale) as f32).reduced(land, extra, frame)
}
