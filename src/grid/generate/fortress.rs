//! fortress

use crate::grid::{Grid, Lattice};
use rand_pcg::Pcg32;

pub(super) fn fortress(lattice: Lattice, _random: &mut Pcg32) -> Grid {
    Grid::open_plain(lattice)
}
