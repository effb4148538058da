//! A planner from outside the library: it floods the map breadth first, in memory of its own.
#![allow(clippy::unwrap_used, missing_docs, dead_code)]

use std::collections::VecDeque;
use throng_grid::{Cell, Ground};
use throng_plan::{
    Cancel, Capabilities, Capability, Cost, DIAGONAL, Guarantee, Outcome, Path, PlanError, Planner, Progress, Query,
    STRAIGHT, Scratch, SearchMemory, Status,
};

#[derive(Clone, Copy, Debug, Default)]
pub struct Flood;

/// Where each cell was reached from, and the cells to be expanded.
#[derive(Debug, Default)]
pub struct FloodMemory {
    from: Vec<Option<(Cell, Cost)>>,
    closed: Vec<bool>,
    open: VecDeque<Cell>,
    end: Option<Cell>,
}

impl SearchMemory for FloodMemory {
    fn bytes(&self) -> usize {
        self.from.capacity() * size_of::<Option<(Cell, Cost)>>() + self.closed.capacity() + self.open.capacity() * 4
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.from[cell.index()].is_some() && !self.closed[cell.index()]
    }

    fn is_closed(&self, cell: Cell) -> bool {
        self.closed[cell.index()]
    }

    fn cost(&self, cell: Cell) -> Option<Cost> {
        self.from[cell.index()].map(|(_, cost)| cost)
    }
}

impl Planner for Flood {
    fn name(&self) -> &'static str {
        "flood"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: &[Capability::Pause, Capability::Trace] }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        let search = scratch.begin(self, ground, query)?;
        scratch.traced_by::<FloodMemory>();
        let memory = scratch.memory::<FloodMemory>();
        memory.from.clear();
        memory.from.resize(ground.lattice().len(), None);
        memory.closed.clear();
        memory.closed.resize(ground.lattice().len(), false);
        memory.open.clear();
        memory.end = None;
        if search {
            memory.from[query.from.index()] = Some((query.from, 0));
            memory.open.push_back(query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let goal = scratch.goals().first().copied();
        let (limit, before) = (query.limits.expansions, scratch.expanded());
        let memory = scratch.memory::<FloodMemory>();
        let mut expanded = 0;
        let cancelled = query.cancel.as_ref().is_some_and(Cancel::is_cancelled);
        let mut status = if cancelled { Status::Cancelled } else { Status::NoRoute };
        while let Some(cell) = memory.open.pop_front().filter(|_| !cancelled) {
            if Some(cell) == goal {
                memory.closed[cell.index()] = true;
                (memory.end, status) = (goal, Status::Found);
                break;
            }
            if expanded == expansions || before + expanded == limit {
                memory.open.push_front(cell);
                if before + expanded < limit {
                    scratch.count(expanded);
                    return Progress::Running;
                }
                (memory.end, status) = (Some(cell), Status::Partial);
                break;
            }
            expanded += 1;
            memory.closed[cell.index()] = true;
            let (_, g) = memory.from[cell.index()].unwrap();
            for (d, offset) in ground.lattice().offsets().into_iter().enumerate() {
                let to = Cell(cell.0.wrapping_add_signed(offset));
                if ground.moves(cell) >> d & 1 == 1 && memory.from[to.index()].is_none() {
                    memory.from[to.index()] = Some((cell, g + Cost::from(if d < 4 { STRAIGHT } else { DIAGONAL })));
                    memory.open.push_back(to);
                }
            }
        }
        memory.open.clear();
        let cost = memory.end.and_then(|end| memory.cost(end)).unwrap_or(0);
        scratch.count(expanded);
        Progress::Done(Outcome { status, cost, bound: f64::INFINITY, expanded: scratch.expanded() })
    }

    fn path(&self, _: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clear();
        let Some(memory) = scratch.memory_of::<FloodMemory>() else { return };
        let Some(mut cell) = memory.end else { return };
        path.cells.push(cell);
        while cell != query.from {
            cell = memory.from[cell.index()].unwrap().0;
            path.cells.push(cell);
        }
        path.cells.reverse();
    }
}
