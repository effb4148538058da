//! Soldiers, plants and small things as sprites, modelled from round cones and plates and baked into an atlas.
//!
//! | module | contents |
//! |---|---|
//! | [`look`] | heights and reaches of the eight looks of units |
//! | [`pose`] | the sixteen poses and sixteen directions of a kind |
//! | [`level`] | the four levels of detail |
//! | [`material`] | colour, share of army colour and gloss of a surface |
//! | [`primitive`] | round cones and plates, of which all models are made |
//! | [`model`] | the models: on foot, mounted, the ram, weapons, plants, things |
//! | [`raster`] | the nearest surface at each sample |
//! | [`shade`] | light, inner lines, reduction to pixels, outline and cast shadow |
//! | [`atlas`] | all cells of some kinds at one level, packed by shelves |
//! | [`picture`] | single sprites: trees, tufts, stones, barrels, crates and logs |
//! | [`puff`] | small clouds, for dust, smoke and flames |
//!
//! A model is a list of primitives in metres. It is built once a pose, turned to sixteen directions and projected as
//! [`view`](crate::view) projects the map, so that figures stand on the ground as walls do.
//!
//! ```
//! use throng_grid::geom::Vec2;
//! use throng_scene::sprite::{Atlas, Pose, direction_of};
//! use throng_sim::battle::Look;
//! let atlas = Atlas::bake(5.0, &[Look::Archer]);
//! let cell = atlas.cell(Look::Archer, direction_of(Vec2::new(0.0, 1.0)), Pose::STAND).unwrap();
//! let vermilion = atlas.tinted([0xFF, 0x4F, 0x12]);
//! let first_row = &vermilion[atlas.index(cell, 0)..][..usize::from(cell.width)];
//! assert!(!first_row.is_empty());
//! ```

pub mod atlas;
mod flat;
pub mod level;
pub mod look;
pub mod material;
pub mod model;
pub mod picture;
pub mod pose;
pub mod primitive;
pub mod puff;
pub mod raster;
pub mod shade;
mod shelf;

pub use atlas::{Atlas, Cell};
pub use level::Level;
pub use picture::Sprite;
pub use pose::{DIRECTIONS, POSES, Pose, direction_of};
pub use puff::Puff;
