//! Map files of every format, read, written and refused; grids that are edited.
#![allow(clippy::unwrap_used, clippy::format_collect, clippy::doc_markdown, missing_docs)]

mod colour_tables;
mod edited;
mod golden_maps;
mod grounds;
mod ldtk_maps;
mod map_files;
mod map_images;
mod plan_lines;
mod plan_units;
mod polygon_holes;
mod polygon_maps;
mod robot_maps;
mod sights;
mod tiled_form;
mod tiled_maps;
mod tiled_places;
mod tiled_walls;
