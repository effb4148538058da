//! What a search knows of one cell at the moment that is shown: its costs, its parent, its turn.

use super::rerun::Rerun;
use crate::draw::pen::grouped;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Cost, Ground, Lattice, STRAIGHT};
use throng_plan::{Capability, Limits, Path, PlanError, Planner, Progress, Query, Rank, Scratch};

/// The cell under the pointer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CellRequest {
    pub task: u64,
    pub pane: usize,
    pub cell: Cell,
    /// After how many expansions the search is looked at; `None` = at its end.
    pub at: Option<u64>,
}

/// How far a search has come with a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum CellState {
    Wall,
    Unseen,
    Open,
    Expanded,
    /// The planner keeps no trace.
    Unknown,
}

impl CellState {
    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Wall => "wall",
            Self::Unseen => "not seen",
            Self::Open => "open",
            Self::Expanded => "expanded",
            Self::Unknown => "no search trace",
        }
    }
}

/// What is known of a cell.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct CellFacts {
    pub request: CellRequest,
    pub state: CellState,
    /// Cost of the way from the start.
    pub g: Option<Cost>,
    /// Estimate and place in the order of expansion.
    pub rank: Option<Rank>,
    /// The cell before it on the way from the start.
    pub parent: Option<Cell>,
    /// The way from the start, by its turning points (m).
    pub way: Vec<Vec2>,
    /// Its first expansion, counted from 1, where that has been.
    pub order: Option<u32>,
    /// Class of its terrain and what that costs; how many times as much a step costs where it is crowded.
    pub class: u8,
    pub weight: u16,
    pub crowd: f32,
}

impl CellFacts {
    /// What the map says of a cell, without a search.
    pub fn of_ground(request: CellRequest, ground: &Ground) -> Self {
        let cell = request.cell;
        let passable = ground.is_passable(cell);
        Self {
            request,
            state: if passable { CellState::Unknown } else { CellState::Wall },
            g: None,
            rank: None,
            parent: None,
            way: Vec::new(),
            order: None,
            class: ground.grid().terrain(cell),
            weight: if passable { ground.weight(cell) } else { 0 },
            crowd: ground.crowd_share(cell),
        }
    }

    /// Adds what a search knows, whose expansions had this order.
    ///
    /// # Errors
    /// As [`Planner::begin`].
    pub fn search(
        &mut self,
        rerun: &mut Rerun,
        planner: &dyn Planner,
        ground: &Ground,
        query: &Query,
        order: &[u32],
    ) -> Result<(), PlanError> {
        let (cell, at) = (self.request.cell, self.request.at.unwrap_or(u64::MAX));
        if self.state == CellState::Wall || !planner.capabilities().can(Capability::Pause) {
            return Ok(());
        }
        if !rerun.advance_to(planner, ground, query, at)? {
            return Ok(());
        }
        if let Some(hpa) = planner.hierarchy() {
            let door = hpa.seen_doors(&rerun.scratch).into_iter().find(|door| door.cell == cell);
            if let Some(door) = door {
                self.state = if door.expanded { CellState::Expanded } else { CellState::Open };
                self.g = Some(door.cost);
            }
            return Ok(());
        }
        if !planner.capabilities().can(Capability::Trace) {
            return Ok(());
        }
        let scratch = &mut rerun.scratch;
        self.state = match (scratch.is_closed(cell), scratch.is_open(cell)) {
            (true, _) => CellState::Expanded,
            (_, true) => CellState::Open,
            _ => CellState::Unseen,
        };
        self.g = scratch.cost(cell);
        self.rank = planner.rank(ground, query, scratch, cell);
        let mut path = Path::default();
        planner.way_to(ground, query, scratch, cell, &mut path);
        self.parent = path.cells.iter().rev().nth(1).copied();
        self.way = path.cells.iter().map(|&cell| ground.lattice().centre(cell)).collect();
        self.order = order.get(cell.index()).copied().filter(|&turn| turn > 0 && u64::from(turn) <= at);
        Ok(())
    }

    /// A label and its value, a line each.
    pub fn lines(&self, lattice: Lattice) -> Vec<(&'static str, String)> {
        let place = |cell: Cell| {
            let (x, y) = lattice.column_row(cell);
            format!("{x}, {y}")
        };
        let length = |cost: f64| {
            let cells = cost / f64::from(STRAIGHT);
            format!("{cells:.3} cells = {:.2} m", cells * f64::from(lattice.cell_size))
        };
        let state = match self.order {
            Some(turn) => format!("{}, {} in order", self.state.name(), ordinal(turn)),
            None => self.state.name().to_owned(),
        };
        let mut lines = vec![("cell", place(self.request.cell)), ("state", state)];
        lines.extend(self.g.map(|g| ("g", length(g as f64))));
        lines.extend(self.rank.map(|rank| ("h", length(rank.h as f64))));
        lines.extend(self.rank.map(|rank| ("f", length(rank.f))));
        lines.extend(self.parent.map(|parent| ("parent", place(parent))));
        if self.state != CellState::Wall {
            lines.push(("terrain", format!("class {}, cost {}", self.class, self.weight)));
        }
        if self.crowd > 1.0 {
            lines.push(("crowd", format!("×{:.2}", self.crowd)));
        }
        lines
    }
}

/// The turn of each cell in the order of first expansions, counted from 1; 0 where it was not expanded: 4 bytes a cell, made
/// only when a cell is pointed at. Empty where the planner expands no cells that it tells of, `None` where the query was
/// cancelled.
///
/// # Errors
/// As [`Planner::begin`].
pub(super) fn expansion_order(
    planner: &dyn Planner,
    ground: &Ground,
    query: &Query,
    scratch: &mut Scratch,
) -> Result<Option<Vec<u32>>, PlanError> {
    let can = planner.capabilities();
    if !can.can(Capability::Trace) || !can.can(Capability::Pause) {
        return Ok(Some(Vec::new()));
    }
    // With a limit that it never comes to a search remembers which cell was last.
    let query = &Query { limits: Limits { expansions: u64::MAX - 1 }, ..query.clone() };
    let mut order = vec![0_u32; ground.lattice().len()];
    planner.begin(ground, query, scratch)?;
    loop {
        let before = scratch.expanded();
        let progress = planner.advance(ground, query, scratch, 1);
        if scratch.expanded() > before
            && let Some(turn) = scratch.last_expanded().and_then(|cell| order.get_mut(cell.index()))
            && *turn == 0
        {
            *turn = scratch.expanded() as u32;
        }
        match progress {
            Progress::Done(outcome) if outcome.status == throng_plan::Status::Cancelled => return Ok(None),
            Progress::Done(_) => return Ok(Some(order)),
            Progress::Running | Progress::Route(_) => {}
        }
    }
}

/// 1st, 2nd, 3rd, 4th …
fn ordinal(number: u32) -> String {
    let end = match (number % 10, number % 100) {
        (_, 11..=13) => "th",
        (1, _) => "st",
        (2, _) => "nd",
        (3, _) => "rd",
        _ => "th",
    };
    format!("{}{end}", grouped(number.into()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::{Grid, Layer};
    use throng_plan::{PlannerChoice, distances_from};

    #[test]
    fn a_cell_tells_what_a_plain_dijkstra_finds() {
        let mut grid = Grid::open_plain(Lattice::new(30, 20, 2.0).unwrap());
        let lattice = grid.lattice();
        (0..16).for_each(|y| grid.set_open(lattice.cell(15, y), false));
        let ground = Arc::new(Ground::new(grid.into(), 0.4).unwrap());
        let (from, to) = (lattice.cell(4, 3), lattice.cell(26, 4));
        let query = Query::new(from, to);
        let mut least = Layer::new(lattice, 0);
        distances_from(&ground, &[from], &mut Scratch::default(), &mut least).unwrap();
        for name in ["dijkstra", "astar", "fringe", "jps", "bidirectional"] {
            let planner = name.parse::<PlannerChoice>().unwrap().build(&ground).unwrap();
            let order = expansion_order(&*planner, &ground, &query, &mut Scratch::default()).unwrap().unwrap();
            let mut rerun = Rerun::default();
            let expanded = order.iter().filter(|&&turn| turn > 0).count();
            let (mut seen, mut turns) = ([0; 3], Vec::new());
            for at in [None, Some(u64::from(order.iter().copied().max().unwrap()) / 2), Some(0)] {
                for cell in lattice.cells() {
                    let request = CellRequest { task: 1, pane: 0, cell, at };
                    let mut facts = CellFacts::of_ground(request, &ground);
                    facts.search(&mut rerun, &*planner, &ground, &query, &order).unwrap();
                    assert_eq!(facts.state == CellState::Wall, !ground.is_passable(cell));
                    seen[0] += usize::from(at.is_none() && facts.order.is_some());
                    if let (Some(turn), None) = (facts.order, at) {
                        turns.push(turn);
                    }
                    let Some(g) = facts.g else { continue };
                    assert!(g >= u64::from(least[cell]), "{name}");
                    if facts.state == CellState::Expanded && !["fringe", "bidirectional"].contains(&name) {
                        assert_eq!(g, u64::from(least[cell]), "{name} {cell:?} {at:?}");
                        seen[1] += 1;
                    }
                    if cell != from {
                        let parent = facts.parent.unwrap();
                        assert_eq!(facts.way.first(), Some(&lattice.centre(from)));
                        assert!(least[parent] < least[cell] || name == "fringe");
                        seen[2] += 1;
                    }
                }
            }
            turns.sort_unstable();
            assert_eq!(seen[0], expanded, "{name}");
            assert!(seen[2] > 0 && turns.windows(2).all(|pair| pair[0] < pair[1]), "{name}: one cell a turn");
        }
    }

    #[test]
    fn lines_are_in_cells_and_metres() {
        let lattice = Lattice::new(9, 9, 2.0).unwrap();
        let ground = Ground::new(Grid::open_plain(lattice).into(), 0.4).unwrap();
        let request = CellRequest { task: 1, pane: 0, cell: lattice.cell(3, 4), at: None };
        let mut facts = CellFacts::of_ground(request, &ground);
        facts.state = CellState::Expanded;
        (facts.g, facts.order) = (Some(3 * u64::from(STRAIGHT) / 2), Some(22));
        let lines = facts.lines(lattice);
        assert!(lines.contains(&("g", "1.500 cells = 3.00 m".to_owned())), "{lines:?}");
        assert!(lines.contains(&("state", "expanded, 22nd in order".to_owned())));
        assert_eq!([1, 3, 11, 112, 1_021].map(ordinal), ["1st", "3rd", "11th", "112th", "1 021st"]);
    }
}
