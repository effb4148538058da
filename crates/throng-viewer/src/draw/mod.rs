//! All that is drawn: sprites, layers, the picture of the map, the oblique view, colours and sizes of words.
//! It draws what it is handed, and changes nothing but pictures.

pub(crate) mod agents;
mod backdrop;
pub(crate) mod banners;
pub(crate) mod cells;
pub(crate) mod clusters;
pub(crate) mod fallen;
mod flights;
pub(crate) mod heat;
pub(crate) mod ink;
pub(crate) mod int_rect;
pub(crate) mod layers;
pub(crate) mod map_image;
pub(crate) mod map_painter;
pub(crate) mod motion;
pub(crate) mod oblique;
pub(crate) mod order_sign;
pub(crate) mod outlines;
pub(crate) mod overlay;
pub(crate) mod palette;
pub(crate) mod pen;
pub(crate) mod pipeline;
mod pixel_layer;
mod software;
mod splat;
pub(crate) mod style;
pub(crate) mod theme;
pub(crate) mod view_buffer;
