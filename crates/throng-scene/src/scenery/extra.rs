//! What happened to the ground.

use crate::land::Disc;
use throng_grid::Layer;

/// What happened to the ground.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extra<'a> {
    /// How worn by armies each cell is, 0 to 1; a layer of another lattice than the land's is left out.
    pub trample: Option<&'a Layer<f32>>,
    /// Where it burned.
    pub scorched: &'a [Disc],
}
