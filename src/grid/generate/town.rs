//! town

use super::dice::Dice;
use crate::grid::{Grid, Lattice};

pub(super) fn town(lattice: Lattice, _dice: &mut Dice) -> Grid {
    Grid::open_plain(lattice)
}
