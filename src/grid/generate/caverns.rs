//! caverns

use crate::grid::{Grid, Lattice};
use rand_pcg::Pcg32;

pub(super) fn caverns(lattice: Lattice, _random: &mut Pcg32) -> Grid {
    Grid::open_plain(lattice)
}
