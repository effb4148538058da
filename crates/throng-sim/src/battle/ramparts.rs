//! Walls that can be broken.

use crate::ids::ArmyId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use throng_grid::Cell;

/// A closed cell that can be broken: a piece of a wall, or of a gate.
///
/// ```
/// use throng_sim::battle::Rampart;
/// use throng_sim::world::ArmyId;
/// let gate = Rampart { health: 125.0, full: 500.0, keeper: Some(ArmyId(1)) };
/// assert_eq!(gate.share(), 0.25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rampart {
    /// Its health (points), above 0.
    pub health: f32,
    /// Its full health (points).
    pub full: f32,
    /// The army that keeps it: neither that nor its allies go for it.
    pub keeper: Option<ArmyId>,
}

impl Rampart {
    /// How much of it is left, above 0 and at most 1.
    pub fn share(&self) -> f32 {
        self.health / self.full
    }
}

/// The closed cells that can be broken, in the order of the cells, and what has been done to them.
///
/// ```
/// use throng_sim::battle::Ramparts;
/// use throng_grid::Lattice;
/// let gate = Lattice::new(8, 8, 1.0)?.cell(4, 4);
/// let mut ramparts = Ramparts::default();
/// ramparts.fortify(gate, 500.0, None);
/// assert_eq!((ramparts.damage(gate, 400.0), ramparts.damage(gate, 400.0)), (400.0, 100.0));
/// assert_eq!((ramparts.is_empty(), ramparts.breaches(), ramparts.dealt()), (true, 1, 500.0));
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Ramparts {
    standing: BTreeMap<Cell, Rampart>,
    /// Broken, and not yet taken out.
    broken: Vec<Cell>,
    breaches: u64,
    dealt: f64,
}

impl Ramparts {
    /// Gives a closed cell health (points, above 0), whatever it had before.
    pub fn fortify(&mut self, cell: Cell, health: f32, keeper: Option<ArmyId>) {
        self.standing.insert(cell, Rampart { health, full: health, keeper });
    }

    /// Takes health (points) off a cell, and says how much of that it had. Nothing happens to cells that cannot be broken.
    /// O(log cells).
    pub fn damage(&mut self, cell: Cell, damage: f32) -> f32 {
        let Some(rampart) = self.standing.get_mut(&cell).filter(|_| damage > 0.0) else { return 0.0 };
        let taken = damage.min(rampart.health);
        rampart.health -= taken;
        self.dealt += f64::from(taken);
        if rampart.health <= 0.0 {
            self.standing.remove(&cell);
            self.broken.push(cell);
            self.breaches += 1;
        }
        taken
    }

    /// Leaves so much health (points) to a cell, at most what it had whole, as if it had never been struck.
    pub(crate) fn set_health(&mut self, cell: Cell, health: f32) {
        if let Some(rampart) = self.standing.get_mut(&cell).filter(|_| health > 0.0) {
            rampart.health = health.min(rampart.full);
        }
    }

    /// Cells are open now, or can be broken no more.
    pub fn forget(&mut self, cells: &[Cell]) {
        if !self.standing.is_empty() {
            for cell in cells {
                self.standing.remove(cell);
            }
        }
    }

    /// Takes out what has been broken since the last time, in that order.
    pub fn take_broken(&mut self) -> Vec<Cell> {
        std::mem::take(&mut self.broken)
    }

    /// Broken, and not yet taken out.
    pub fn broken(&self) -> &[Cell] {
        &self.broken
    }

    /// The rampart on a cell; `None` where the cell cannot be broken.
    #[inline]
    pub fn get(&self, cell: Cell) -> Option<&Rampart> {
        self.standing.get(&cell)
    }

    /// All that can be broken.
    pub fn iter(&self) -> impl Iterator<Item = (Cell, &Rampart)> {
        self.standing.iter().map(|(&cell, rampart)| (cell, rampart))
    }

    /// True where nothing can be broken.
    pub fn is_empty(&self) -> bool {
        self.standing.is_empty()
    }

    /// How many cells can be broken.
    pub fn len(&self) -> usize {
        self.standing.len()
    }

    /// How many cells have been broken so far.
    pub fn breaches(&self) -> u64 {
        self.breaches
    }

    /// The damage that all cells together have taken so far (points).
    pub fn dealt(&self) -> f64 {
        self.dealt
    }
}
