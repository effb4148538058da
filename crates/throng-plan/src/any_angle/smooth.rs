//! Pulling routes straight.

use crate::{Cost, Path};
use throng_grid::line_cost;
use throng_grid::{Cell, Ground, LineOfSight};

/// Pulls routes straight: leaves out cells between which the way is free, as a string around the corners.
///
/// Of the candidates, which are the route's own cells, the cheapest chain is taken in which each sees the next and is at
/// most [`Smoother::WINDOW`] candidates before it: an exact search by dynamic programming. The chain's cells are the
/// candidates of the next round, so that straight lines grow beyond the window, until nothing gets cheaper.
///
/// - **Result**: the turning points of a route over some of its cells, each in [sight](LineOfSight) [with
///   room](LineOfSight::with_room) of the one before, as the ground's corner rule and the body's radius demand. It costs no more than
///   the route, over any terrain: the cost of a line is that of [`LineOfSight::cost`]. Start and goal stay, and so does each link
///   that is cheaper than the straight way.
/// - **Complexity**: O(candidates × window) lines of sight a round, and few rounds. On uniform ground candidates are the
///   cells where the route turns and those next to a wall, else all its cells. Memory is used again from route to route.
/// - **Ties**: of equally cheap chains one with the fewest cells, and of those the one whose last cells come first on the
///   route.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{AStar, Octile, Path, Query, Scratch, Smoother, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(1, 1), ground.lattice().cell(13, 6));
/// let mut path = Path::default();
/// plan(&AStar(Octile), &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// let cost = Smoother::default().smooth(&ground, 0.0, &mut path);
/// assert_eq!(path.cells, [from, to]);
/// assert_eq!(cost, 13 * 2378);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Smoother {
    candidates: Vec<Cell>,
    /// Column and row of each.
    places: Vec<(u32, u32)>,
    /// The best chain to each candidate: its cost, its length, and the candidate before.
    chains: Vec<(Cost, u32, u32)>,
}

impl Smoother {
    /// How many candidates a line may leave out in a round, and one.
    pub const WINDOW: usize = 48;

    /// Pulls a route straight, for bodies of `radius` metres or, where that is more, the ground's. Returns its cost
    /// then.
    ///
    /// The route is one of this ground: of neighbours, of turning points in sight of each other, or of links.
    pub fn smooth(&mut self, ground: &Ground, radius: f32, path: &mut Path) -> Cost {
        let sight = LineOfSight::new(ground).for_radius(radius).with_room();
        // The cost of a link, where there is one and it is cheaper than the straight way.
        let link = |a: Cell, b: Cell| {
            let links = ground.links().from(a).filter(|(_, link)| link.to == b);
            let cheapest = links.map(|(_, link)| Cost::from(link.cost)).min()?;
            sight.cost(a, b).is_none_or(|line| cheapest < line).then_some(cheapest)
        };
        let mut cost = 0;
        let (mut start, mut kept) = (0, 0);
        // A pulled part takes no more room than before, so it is written back where it was.
        while start < path.cells.len() {
            let steps = path.cells[start..].windows(2);
            let len = steps.take_while(|step| link(step[0], step[1]).is_none()).count() + 1;
            let end = start + len;
            cost += self.pull(&sight, ground, &path.cells[start..end]);
            path.cells[kept..kept + self.candidates.len()].copy_from_slice(&self.candidates);
            kept += self.candidates.len();
            cost += path.cells.get(end).and_then(|&over| link(path.cells[end - 1], over)).unwrap_or(0);
            start = end;
        }
        path.cells.truncate(kept);
        cost
    }

    /// Writes into `candidates` the rest of a route without links, and returns its cost.
    fn pull(&mut self, sight: &LineOfSight, ground: &Ground, cells: &[Cell]) -> Cost {
        self.candidates.clear();
        for (i, &cell) in cells.iter().enumerate() {
            let straight_on = i > 0
                && i + 1 < cells.len()
                && cells[i + 1].0.wrapping_sub(cell.0) == cell.0.wrapping_sub(cells[i - 1].0);
            if !straight_on || !ground.is_uniform() || sight.moves(cell) != u8::MAX {
                self.candidates.push(cell);
            }
        }
        let mut cost = Cost::MAX;
        loop {
            let pulled = self.round(ground, sight);
            if pulled >= cost {
                return pulled;
            }
            cost = pulled;
        }
    }

    /// Leaves the cheapest chain of the candidates and returns its cost. Pieces that are not free stay as they are.
    fn round(&mut self, ground: &Ground, sight: &LineOfSight) -> Cost {
        let Self { candidates, places, chains } = self;
        places.clear();
        places.extend(candidates.iter().map(|&cell| ground.lattice().column_row(cell)));
        let least = ground.least_share();
        chains.clear();
        chains.push((0, 0, 0));
        for i in 1..candidates.len() {
            let straight = |j: usize| {
                let (dx, dy) = (places[i].0 as i32 - places[j].0 as i32, places[i].1 as i32 - places[j].1 as i32);
                Cost::from(line_cost(dx, dy))
            };
            let mut best: Option<(Cost, u32, u32)> = None;
            for j in i.saturating_sub(Self::WINDOW)..i {
                let (cost, len, _) = chains[j];
                // A line that could not be the best is not looked along. (Steps may cost a little less than lines.)
                if best.is_some_and(|best| cost + straight(j) * least / (1 << 16) > best.0 + 1) {
                    continue;
                }
                if let Some(line) = sight.cost(candidates[j], candidates[i]) {
                    let chain = (cost + line, len + 1, j as u32);
                    best = Some(best.map_or(chain, |best| best.min(chain)));
                }
            }
            let (cost, len, _) = chains[i - 1];
            chains.push(best.unwrap_or((cost + straight(i - 1), len + 1, i as u32 - 1)));
        }
        let Some(&(cost, len, _)) = chains.last() else { return 0 };
        // Backwards; each is written at or behind its own place.
        let mut at = chains.len() - 1;
        let mut place = at;
        loop {
            candidates[place] = candidates[at];
            if at == 0 {
                break;
            }
            (at, place) = (chains[at].2 as usize, place - 1);
        }
        candidates.drain(..place);
        debug_assert_eq!(candidates.len(), len as usize + 1);
        cost
    }
}
