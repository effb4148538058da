//! The agent that walks a route while walls are drawn on its way.

use super::replanner::{Effort, Replan};
use crate::draw::pen::grouped;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Lattice};

/// The whole first route takes so long (s), unless it would be slower than the least speed (cells/s).
const WALKING_TIME_S: f64 = 12.0;
const MIN_SPEED_CELLS_PER_S: f64 = 4.0;

/// An agent, its route and the effort of its searches so far.
#[derive(Clone, Debug)]
pub(super) struct Walker {
    /// The cell where it set out.
    pub start: Cell,
    /// The route from the cell where it was last told one; at least the cell in which it stands.
    cells: Vec<Cell>,
    /// Cells that it has gone along the route.
    gone: f64,
    /// Cells a second.
    speed: f64,
    /// It stands while a route is searched.
    waits: bool,
    /// Why it stands, where it has no route.
    pub trouble: Option<String>,
    pub first: Effort,
    pub repairs: u64,
    pub repaired: Effort,
    pub anew: Effort,
}

impl Walker {
    pub fn new(start: Cell) -> Self {
        Self {
            start,
            cells: vec![start],
            gone: 0.0,
            speed: MIN_SPEED_CELLS_PER_S,
            waits: true,
            trouble: None,
            first: Effort::default(),
            repairs: 0,
            repaired: Effort::default(),
            anew: Effort::default(),
        }
    }

    /// The cell in which it stands.
    pub fn at(&self) -> Cell {
        self.cells[(self.gone as usize).min(self.cells.len() - 1)]
    }

    /// It stands until it is told a route.
    pub fn wait(&mut self) {
        self.cells.drain(..(self.gone as usize).min(self.cells.len() - 1));
        self.gone = 0.0;
        self.waits = true;
    }

    /// Takes a route from the cell in which it stands.
    pub fn take(&mut self, replan: Result<Replan, String>) {
        self.waits = false;
        self.gone = 0.0;
        match replan {
            Ok(Replan { cells, is_repair, effort, anew, .. }) => {
                if is_repair {
                    self.repairs += 1;
                    self.repaired += effort;
                    self.anew += anew;
                } else {
                    self.first += effort;
                    self.speed = MIN_SPEED_CELLS_PER_S.max(cells.len() as f64 / WALKING_TIME_S);
                }
                self.trouble = cells.is_empty().then(|| "no way to the goal: erase a wall".to_owned());
                if self.trouble.is_none() {
                    self.cells = cells;
                } else {
                    self.cells.truncate(1);
                }
            }
            Err(reason) => {
                self.trouble = Some(reason);
                self.cells.truncate(1);
            }
        }
    }

    /// True where it goes on as time passes.
    pub fn walks(&self) -> bool {
        !self.waits && self.gone < (self.cells.len() - 1) as f64
    }

    /// Lets time pass; true when it comes to the end of its route.
    pub fn follow(&mut self, elapsed: Duration) -> bool {
        if !self.walks() {
            return false;
        }
        self.gone = (self.gone + elapsed.as_secs_f64() * self.speed).min((self.cells.len() - 1) as f64);
        !self.walks()
    }

    /// Its place (m), and the centres of the cells ahead.
    pub fn ahead(&self, lattice: Lattice) -> (Vec2, impl Iterator<Item = Vec2> + '_) {
        let (whole, part) = (self.gone as usize, self.gone.fract() as f32);
        let here = lattice.centre(self.at());
        let next = self.cells.get(whole + 1).map_or(here, |&cell| lattice.centre(cell));
        (here + (next - here) * part, self.cells.iter().skip(whole + 1).map(move |&cell| lattice.centre(cell)))
    }

    /// Lines about it.
    pub fn lines(&self) -> Vec<String> {
        if let Some(trouble) = &self.trouble {
            return vec![trouble.clone()];
        }
        let mut lines = vec![format!("first search: {} cells", grouped(self.first.expanded))];
        if self.repairs == 0 {
            lines.push("draw walls on its way".to_owned());
        } else {
            let plural = if self.repairs == 1 { "repair" } else { "repairs" };
            lines.push(format!("{} {plural}: {} cells", grouped(self.repairs), grouped(self.repaired.expanded)));
            lines.push(format!("A* anew each time: {} cells", grouped(self.anew.expanded)));
        }
        lines
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_walks_waits_and_arrives() {
        let mut walker = Walker::new(Cell(3));
        assert!(!walker.walks() && walker.at() == Cell(3));
        let effort = Effort { expanded: 9, time: Duration::ZERO };
        let replan = |cells: &[u32], is_repair| {
            Ok(Replan {
                cells: cells.iter().copied().map(Cell).collect(),
                is_repair,
                effort,
                anew: effort,
                traces: Default::default(),
                anew_route: Vec::new(),
            })
        };
        walker.take(replan(&[3, 4, 5, 6], false));
        assert!(!walker.follow(Duration::from_millis(400)) && walker.at() == Cell(4));
        walker.wait();
        assert!(!walker.follow(Duration::from_secs(9)) && walker.at() == Cell(4));
        walker.take(replan(&[], true));
        assert!(walker.trouble.is_some() && !walker.walks() && walker.at() == Cell(4));
        walker.take(replan(&[4, 14, 15], true));
        assert!(walker.trouble.is_none() && walker.follow(Duration::from_secs(9)) && walker.at() == Cell(15));
        assert!(!walker.follow(Duration::from_secs(9)));
        assert_eq!((walker.first.expanded, walker.repairs, walker.repaired.expanded), (9, 2, 18));
    }
}
