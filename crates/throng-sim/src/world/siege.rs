//! Walls and gates that can be broken.

use super::parts::{Derived, Scratch, State};
use super::{ArmyId, Command, Settings, World, WorldError};
use crate::battle::WallHit;
use crate::battle::{Ramparts, RouteState, SiegeView};
use std::sync::Arc;
use throng_grid::{Cell, Edit, Grid, Ground, PLAIN};

/// The range of the health of a wall, for messages.
const HEALTH: &str = "between 0.001 and 1000000000 (points)";

impl World {
    /// Gives closed cells health (points, each), so that they can be broken: by squads that attack and can reach no enemy,
    /// whose unit has a [`breach`](crate::battle::Unit::breach), and by [`World::damage_wall`]. A cell that has none left opens at
    /// the start of the next tick, as by [`Edit::Open`], and all routes know. Closed again, it is a plain wall. Cells that have
    /// health get the new one. The army `keeper` and its allies do not go for it. O(cells × log).
    ///
    /// # Errors
    /// Where a cell is off the map or open, the health is out of range, or there is no such army; then nothing is changed.
    ///
    /// ```
    /// use throng_grid::{Edit, Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let gate = grid.lattice().cell(30, 12);
    /// grid.set_open(gate, false);
    /// let mut world = World::new(grid, Settings::default())?;
    /// world.fortify(&[gate], 500.0, None)?;
    /// world.damage_wall(gate, 450.0);
    /// assert_eq!(world.ramparts().get(gate).map(|gate| gate.share()), Some(0.1));
    /// assert_eq!(world.damage_wall(gate, 450.0), 50.0, "no more than it had");
    /// world.tick()?;
    /// assert!(world.grid().is_open(gate) && world.events().breached == [gate]);
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn fortify(&mut self, cells: &[Cell], health: f32, keeper: Option<ArmyId>) -> Result<(), WorldError> {
        self.log(|| Command::Fortify { cells: cells.to_vec(), health, keeper });
        if !(1e-3..=1e9).contains(&health) {
            return Err(WorldError::Setting { field: "the health of a wall", expected: HEALTH, found: health.into() });
        }
        if let Some(army) = keeper.filter(|army| army.index() >= self.state.armies.len()) {
            return Err(WorldError::NoSuch { what: "army", id: army.0.into() });
        }
        let lattice = self.grid.lattice();
        if let Some(&cell) = cells.iter().find(|&&cell| !lattice.contains(cell) || self.grid.is_open(cell)) {
            return Err(WorldError::NoWall { cell });
        }
        for &cell in cells {
            self.state.ramparts.fortify(cell, health, keeper);
        }
        Ok(())
    }

    /// Makes plain walls of cells that [can be broken](World::fortify); squads that wanted to break them think again.
    /// O(cells × log).
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let gate = grid.lattice().cell(30, 12);
    /// grid.set_open(gate, false);
    /// let mut world = World::new(grid, Settings::default())?;
    /// world.fortify(&[gate], 500.0, None)?;
    /// world.dismantle(&[gate]);
    /// assert!(world.ramparts().is_empty() && !world.grid().is_open(gate));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn dismantle(&mut self, cells: &[Cell]) {
        self.log(|| Command::Dismantle { cells: cells.to_vec() });
        let standing: Vec<Cell> =
            cells.iter().copied().filter(|&cell| self.state.ramparts.get(cell).is_some()).collect();
        lift(&mut self.state, &standing);
    }

    /// Leaves so much health (points, above 0) to a cell that [can be broken](World::fortify), at most what it had whole, without a
    /// hit. O(log cells).
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Settings, World};
    /// let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
    /// let gate = grid.lattice().cell(30, 12);
    /// grid.set_open(gate, false);
    /// let mut world = World::new(grid, Settings::default())?;
    /// world.fortify(&[gate], 500.0, None)?;
    /// world.set_wall_health(gate, 100.0);
    /// assert_eq!(world.ramparts().get(gate).map(|gate| gate.share()), Some(0.2));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn set_wall_health(&mut self, cell: Cell, health: f32) {
        self.log(|| Command::SetWallHealth { cell, health });
        self.state.ramparts.set_health(cell, health);
    }

    /// Takes health (points) off a cell, and says how much of that it had: 0 where it [cannot be broken](World::fortify).
    /// O(log cells).
    pub fn damage_wall(&mut self, cell: Cell, damage: f32) -> f32 {
        self.log(|| Command::DamageWall { cell, damage });
        damage_wall(&self.grid, &self.derived.grounds, &mut self.state, cell, damage)
    }

    /// The walls and gates that can be broken, and the damage done to them.
    pub fn ramparts(&self) -> &Ramparts {
        &self.state.ramparts
    }
}

/// Reads squads in a siege; writes the health of walls at which rams strike. Local, but for the walls that open.
pub(super) fn advance_rams(
    settings: &Settings,
    grid: &Grid,
    derived: &Derived,
    scratch: &mut Scratch,
    state: &mut State,
) {
    strike_walls(true, settings, grid, derived, &mut scratch.wall_hits, state);
}

/// Reads squads in a siege, and which soldiers have not struck at enemies; writes the health of walls at which they strike, and which
/// were broken since the last tick. Local, but for the walls that open.
pub(super) fn strike(settings: &Settings, grid: &Grid, derived: &Derived, scratch: &mut Scratch, state: &mut State) {
    strike_walls(false, settings, grid, derived, &mut scratch.wall_hits, state);
    state.events.breached.append(&mut state.ramparts.take_broken());
}

/// Strikes at walls: of rams, or of the others.
fn strike_walls(
    rams: bool,
    settings: &Settings,
    grid: &Grid,
    derived: &Derived,
    wall_hits: &mut Vec<WallHit>,
    state: &mut State,
) {
    if state.ramparts.is_empty() || state.squads.iter().all(|squad| squad.siege.is_none()) {
        return;
    }
    let State { ramparts, units, squads, crowd, relations, soldiers, tick, .. } = &mut *state;
    let fortress = SiegeView { grid, clearance: grid.clearance(), ramparts, units };
    let besiegers = squads.iter().filter(|squad| units[squad.unit.index()].is_ram() == rams);
    let allies = |army: ArmyId| relations.allies(army);
    fortress.strike(besiegers, crowd, allies, (settings.seed, *tick, settings.step), soldiers, wall_hits);
    for &WallHit { cell, damage, .. } in &*wall_hits {
        damage_wall(grid, &derived.grounds, state, cell, damage);
    }
}

/// Takes health (points) off a cell, and says how much of that it had. A cell without health opens at the start of the next tick.
pub(super) fn damage_wall(grid: &Grid, grounds: &[Arc<Ground>], state: &mut State, cell: Cell, damage: f32) -> f32 {
    let breaches = state.ramparts.breaches();
    let taken = state.ramparts.damage(cell, damage);
    if state.ramparts.breaches() > breaches {
        let class = grid.terrain(cell);
        let costs =
            |ground: &Arc<Ground>| ground.mobility().terrain.as_ref().is_none_or(|costs| costs.of(class).is_some());
        state.edits.add(Edit::Open(cell));
        // Ground that was painted under a wall may have no cost for a unit: rubble is plain.
        if !grounds.iter().all(costs) {
            state.edits.add(Edit::Terrain(cell, PLAIN));
        }
    }
    taken
}

/// Cells can be broken no more, since they are open or plain walls, and squads that wanted to break a way think again.
pub(super) fn lift(state: &mut State, cells: &[Cell]) {
    if cells.is_empty() {
        return;
    }
    state.ramparts.forget(cells);
    if state.squads.iter().all(|squad| squad.siege.is_none()) {
        return;
    }
    // Squads that had nothing to break have waited.
    for squad in state.squads.iter_mut().filter(|squad| squad.order.attacks()) {
        if squad.siege.take().is_some() || squad.route_state == RouteState::None {
            squad.route_state = RouteState::New;
        }
    }
}
