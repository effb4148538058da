//! What steps cost beside their length: terrain, links, crowds, each where it is switched on.

use throng_grid::{Grid, Ground, Mobility, PLAIN, Steps, TerrainCosts};

/// The cost of the classes that a table of costs has to be made for, but for the plain one.
const DEFAULT_COST: u16 = 3;
/// The greatest cost that can be chosen.
pub(super) const MAX_COST: u16 = 20;

/// What counts.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Costs {
    /// Costs of the classes of terrain; `None` = all the same.
    pub terrain: Option<TerrainCosts>,
    /// Doors, jumps, drops can be used.
    pub links: bool,
    /// A step costs more where it is crowded.
    pub crowds: bool,
}

impl Costs {
    /// Those that a ground counts by itself, crowds apart.
    pub fn of(ground: &Ground) -> Self {
        let mobility = ground.mobility();
        Self { terrain: mobility.terrain.clone(), links: !mobility.links.is_empty(), crowds: false }
    }

    /// How units like those of `base` move that take such steps and count these costs.
    pub fn mobility(&self, base: &Mobility, steps: Steps) -> Mobility {
        Mobility {
            steps,
            terrain: self.terrain.clone(),
            links: if self.links { base.links.clone() } else { Vec::new() },
            congestion: if self.crowds { base.congestion } else { 0.0 },
            ..base.clone()
        }
    }
}

/// The costs of the classes on the open ground of a map: those of the units of `base`, others where those have none.
pub(super) fn table(grid: &Grid, base: &Mobility) -> TerrainCosts {
    let mut is_there = [false; 256];
    let open = grid.lattice().cells().filter(|&cell| grid.is_open(cell));
    open.for_each(|cell| is_there[usize::from(grid.terrain(cell))] = true);
    let known = |class| base.terrain.as_ref().and_then(|costs| costs.of(class));
    let classes = (0..=u8::MAX).filter(|&class| is_there[usize::from(class)] || known(class).is_some());
    TerrainCosts::new(classes.map(|class| {
        let usual = if class == PLAIN { 1 } else { DEFAULT_COST };
        (class, known(class).unwrap_or(Some(usual)))
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::{Edit, Lattice, Link, SWAMP};

    #[test]
    fn what_is_switched_off_does_not_count() {
        let mut grid = Grid::open_plain(Lattice::new(9, 9, 1.0).unwrap());
        let (from, to) = (grid.lattice().cell(1, 1), grid.lattice().cell(7, 7));
        grid.edit(&[Edit::Terrain(from, SWAMP)], &mut Vec::new());
        let base = Mobility { links: vec![Link::new(from, to, 10)], congestion: 2.0, ..Mobility::new(0.4) };
        let costs = table(&grid, &base);
        assert_eq!(costs.classes().collect::<Vec<_>>(), [(PLAIN, Some(1)), (SWAMP, Some(DEFAULT_COST))]);
        let own = Mobility { terrain: Some(TerrainCosts::new([(PLAIN, Some(2)), (SWAMP, None)])), ..base.clone() };
        assert_eq!(table(&grid, &own), own.terrain.clone().unwrap());
        let none = Costs::default().mobility(&own, Steps::Four);
        assert!(none.terrain.is_none() && none.links.is_empty() && none.congestion == 0.0 && none.steps == Steps::Four);
        let ground = Ground::build(Arc::new(grid), own.clone()).unwrap();
        let all = Costs { crowds: true, ..Costs::of(&ground) };
        assert_eq!(all.mobility(&own, own.steps), own);
    }
}
