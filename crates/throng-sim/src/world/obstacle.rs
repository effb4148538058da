//! Obstacles that come, move and go.

use super::state::edits::Edits;
use super::state::obstacles::Obstacles;
use super::{Area, Command, World, WorldError};
use crate::ids::ObstacleId;
use throng_grid::{Cell, Edit, Grid};

impl World {
    /// Puts an obstacle on the map (m): a crate, a fallen tree, a barricade. The open cells whose middle it covers are closed from the next
    /// tick on, one at least: so routes lead round it, and nobody walks or shoots through it. A cell in which an agent stands is closed once
    /// the agent has gone. Where obstacles overlap, a cell is open again once all of them have gone; what was a wall before stays one.
    ///
    /// A body that is smaller than a cell, or moves in each tick, is better [driven](World::drive): agents go round one that stands, too.
    /// O(cells of its bounds + obstacles · log).
    ///
    /// # Errors
    /// Where a number of the area is out of range, or it covers no cell of the map.
    ///
    /// ```
    /// use throng_grid::geom::Vec2;
    /// use throng_grid::{Grid, Lattice};
    /// use throng_sim::world::{Area, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let tree = Area::Rectangle { from: Vec2::new(4.0, 4.0), to: Vec2::new(12.0, 5.0) };
    /// let tree = world.place_obstacle(&tree)?;
    /// world.tick()?;
    /// assert!(!world.grid().is_open(world.grid().lattice().cell(8, 4)));
    /// world.move_obstacle(tree, &Area::Disc { centre: Vec2::new(20.5, 20.5), radius: 1.5 })?;
    /// world.tick()?;
    /// assert!(world.grid().is_open(world.grid().lattice().cell(8, 4)));
    /// world.remove_obstacle(tree)?;
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn place_obstacle(&mut self, area: &Area) -> Result<ObstacleId, WorldError> {
        self.log(|| Command::PlaceObstacle { area: area.clone() });
        let cells = covered(&self.grid, area)?;
        let Obstacles { placed, next, .. } = &mut self.state.obstacles;
        let id = *next;
        *next += 1;
        placed.insert(id, Vec::new());
        cover(&self.grid, &mut self.state.edits, &mut self.state.obstacles, id, &cells);
        Ok(ObstacleId(id))
    }

    /// Moves an obstacle, or gives it another shape (m), from the next tick on. Only cells that are covered newly, or no more, change.
    ///
    /// # Errors
    /// As [`World::place_obstacle`], and where there is no such obstacle.
    pub fn move_obstacle(&mut self, obstacle: ObstacleId, area: &Area) -> Result<(), WorldError> {
        self.log(|| Command::MoveObstacle { obstacle, area: area.clone() });
        self.check_obstacle(obstacle)?;
        let cells = covered(&self.grid, area)?;
        cover(&self.grid, &mut self.state.edits, &mut self.state.obstacles, obstacle.0, &cells);
        Ok(())
    }

    /// Takes an obstacle away, from the next tick on.
    ///
    /// # Errors
    /// Where there is no such obstacle.
    pub fn remove_obstacle(&mut self, obstacle: ObstacleId) -> Result<(), WorldError> {
        self.log(|| Command::RemoveObstacle { obstacle });
        self.check_obstacle(obstacle)?;
        cover(&self.grid, &mut self.state.edits, &mut self.state.obstacles, obstacle.0, &[]);
        self.state.obstacles.placed.remove(&obstacle.0);
        Ok(())
    }

    /// The obstacles, and the cells that each covers.
    pub fn obstacles(&self) -> impl Iterator<Item = (ObstacleId, &[Cell])> {
        self.state.obstacles.placed.iter().map(|(&id, cells)| (ObstacleId(id), cells.as_slice()))
    }

    fn check_obstacle(&self, obstacle: ObstacleId) -> Result<(), WorldError> {
        let is_there = self.state.obstacles.placed.contains_key(&obstacle.0);
        if is_there { Ok(()) } else { Err(WorldError::NoSuch { what: "obstacle", id: obstacle.0 as usize }) }
    }
}

/// The cells whose middle an area covers, in their order; that under its own middle where it covers none.
fn covered(grid: &Grid, area: &Area) -> Result<Vec<Cell>, WorldError> {
    area.check()?;
    let lattice = grid.lattice();
    let (least, most) = area.bounds();
    let middle = 0.5 * (least + most);
    let [low, high] = [least, most].map(|corner| lattice.column_row(lattice.at(corner)));
    let bounds = (low.1..=high.1).flat_map(|y| (low.0..=high.0).map(move |x| lattice.cell(x, y)));
    let mut cells: Vec<Cell> = bounds.filter(|&cell| area.contains(lattice.centre(cell))).collect();
    if cells.is_empty() && lattice.covers(middle) {
        cells.push(lattice.at(middle));
    }
    if cells.is_empty() {
        return Err(WorldError::OffMap { what: "an obstacle", x: middle.x, y: middle.y });
    }
    Ok(cells)
}

/// Lets an obstacle cover these cells, and no others.
fn cover(grid: &Grid, edits: &mut Edits, obstacles: &mut Obstacles, id: u32, cells: &[Cell]) {
    let before = obstacles.placed.insert(id, cells.to_vec()).unwrap_or_default();
    for &cell in cells.iter().filter(|cell| before.binary_search(cell).is_err()) {
        let covers = obstacles.covers.get(&cell).copied().unwrap_or(0);
        let was_open = if covers > 0 { obstacles.under.contains(&cell) } else { edits.will_be_open(grid, cell) };
        obstacles.covers.insert(cell, covers + 1);
        if covers == 0 && was_open {
            obstacles.under.insert(cell);
            edits.add(Edit::Close(cell));
        }
    }
    for &cell in before.iter().filter(|cell| cells.binary_search(cell).is_err()) {
        let covers = obstacles.covers.remove(&cell).unwrap_or(1) - 1;
        if covers > 0 {
            obstacles.covers.insert(cell, covers);
        } else if obstacles.under.remove(&cell) {
            edits.add(Edit::Open(cell));
        }
    }
}
