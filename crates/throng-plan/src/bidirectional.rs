//! Bidirectional A*: from both ends at once.

use super::engine::Halt;
use super::goal_set::GoalSet;
use super::memory::SearchMemory;
use super::nodes::{Node, Nodes};
use super::open::Buckets;
use super::open::Heap;
use super::open::OpenList;
use super::scratch::SearchCounters;
use super::search::{self, buckets_fit};
use super::successors::{General, LINK, START, Successors};
use super::{Capabilities, Capability, Guarantee, Octile, Path, PlanError, Planner, Progress, Query, Rank, Scratch};
use throng_grid::{Cell, Ground};

/// Bidirectional A*: one A* from the start and one from the goal, a step each in turn. It ends when no route can be
/// cheaper than the best one over a cell that both have reached.
///
/// W. Pijls, H. Post: Yet another bidirectional algorithm for finding the shortest path. Econometric Institute Report
/// 2009-10, 2009. A cell is expanded by one side only; a cell whose f, or whose g with the least f of the other side, tells
/// that no better route leads over it is closed without.
///
/// - **Result**: a cheapest route (bound 1).
/// - **Complexity**: each cell is expanded at most once, in O(1), O(log n) with terrain costs or links; O(cells), 16 bytes a
///   cell. On open ground it expands more than [`AStar`](super::AStar), whose estimate is nearly right there; around
///   obstacles near one end it expands fewer.
/// - **Ties**: the start's side has the first turn. Of equal f the cell that was reached last comes first (with terrain or
///   links the smaller cell), and of equal routes the one found first stays.
/// - **Limits**: the cell nearest to the goal is told among those that the start's side expanded. The trace shows both
///   sides; [`Scratch::cost`] is that from the start.
///
/// ```
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::{BidirectionalAStar, Path, Query, Scratch, plan};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(9, 9, 1.0)?).into(), 0.4)?;
/// let (from, to) = (ground.lattice().cell(4, 4), ground.lattice().cell(6, 5));
/// let mut path = Path::default();
/// plan(&BidirectionalAStar, &ground, &Query::new(from, to), &mut Scratch::default(), &mut path)?;
/// assert_eq!(path.steps(ground.lattice()), (1, 1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BidirectionalAStar;

/// The open lists of both sides, the nodes of the search from the goal, and the shared state.
#[derive(Debug, Default)]
struct ReverseSearch {
    nodes: Nodes,
    buckets: [Buckets; 2],
    heaps: [Heap; 2],
    /// Where the search from the goal ends.
    start: GoalSet,
    meeting: Meeting,
}

/// The knowledge that both sides share.
#[derive(Clone, Copy, Debug, Default)]
struct Meeting {
    /// Cost of the best route so far, and a cell of it that both sides have reached.
    best: Option<(u64, Cell)>,
    /// True once no better route is left.
    is_final: bool,
    /// A bound below the f of all open cells of each side, from the start and from the goal.
    least: [u64; 2],
    /// The side whose turn it is.
    turn: usize,
}

impl ReverseSearch {
    /// True where the best route leads over this cell, in which both sides have met.
    fn has_met_in(&self, cell: Cell) -> bool {
        self.meeting.is_final && self.meeting.best.is_some_and(|(_, best)| best == cell)
    }
}

impl SearchMemory for ReverseSearch {
    fn bytes(&self) -> usize {
        size_of::<Self>()
            + self.nodes.bytes()
            + self.buckets.iter().map(Buckets::bytes).sum::<usize>()
            + self.heaps.iter().map(Heap::bytes).sum::<usize>()
            + self.start.bytes()
    }

    fn is_open(&self, cell: Cell) -> bool {
        self.nodes.of(cell).is_some_and(|node| !node.closed())
    }

    fn is_closed(&self, cell: Cell) -> bool {
        is_closed(&self.nodes, cell)
    }
}

/// Goals far apart have very different f: then buckets do not hold them.
fn by_buckets(ground: &Ground, goals: &GoalSet) -> bool {
    buckets_fit(ground) && goals.only().is_some()
}

impl Planner for BidirectionalAStar {
    fn name(&self) -> &'static str {
        "bidirectional"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Optimal, can: Capability::ALL }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if !search::begin(self, ground, query, scratch)? {
            return Ok(());
        }
        scratch.traced_by::<ReverseSearch>();
        let Scratch { goals, memories, .. } = scratch;
        let first = General::<Octile>::new(ground, query, goals).estimate(query.from);
        let back = memories.of::<ReverseSearch>();
        back.start.restart(ground.lattice(), query.from);
        let to_start = General::<Octile>::new(ground, query, &back.start);
        back.nodes.reset(ground.lattice().len());
        back.meeting = Meeting { least: [first.into(); 2], ..Meeting::default() };
        if goals.contains(query.from) {
            back.meeting.best = Some((0, query.from));
        }
        for (i, &goal) in goals.cells().iter().enumerate() {
            back.nodes.start(goal);
            let f = to_start.estimate(goal);
            match (by_buckets(ground, goals), i) {
                (true, _) => back.buckets[1].restart(f, goal),
                (false, 0) => back.heaps[1].restart(f.into(), goal),
                (false, _) => back.heaps[1].push(f.into(), goal),
            }
        }
        if by_buckets(ground, goals) {
            back.buckets[0].restart(first, query.from);
        } else {
            back.heaps[0].restart(first.into(), query.from);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let Scratch { goals, state, memories } = scratch;
        let ReverseSearch { nodes, buckets, heaps, start, meeting } = memories.of();
        let sides = [General::<Octile>::new(ground, query, goals), General::<Octile>::new(ground, query, start)];
        let limited = query.limits.expansions != u64::MAX;
        search::drive(state, query, sides[0].reached(), 1.0, expansions, |state, stop| {
            let both = [&mut state.nodes, &mut *nodes];
            if by_buckets(ground, goals) {
                // A wide body's way may cost more than was checked for the ground's own.
                let rank = |f: u64| f.min(u64::from(u32::MAX)) as u32;
                expand(&sides, both, buckets, rank, meeting, limited, &mut state.counters, stop)
            } else {
                expand(&sides, both, heaps, |f| f, meeting, limited, &mut state.counters, stop)
            }
        })
    }

    /// Of the cells that the start's side has come to.
    fn rank(&self, ground: &Ground, query: &Query, scratch: &Scratch, cell: Cell) -> Option<Rank> {
        search::rank::<Octile>(ground, query, scratch, cell, |g, h| g + h)
    }

    fn way_to(&self, ground: &Ground, _query: &Query, scratch: &Scratch, cell: Cell, path: &mut Path) {
        search::way_to(ground, scratch, cell, path);
    }

    fn path(&self, ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clear();
        let (Some(mut cell), Some(back)) = (scratch.state.end, scratch.memory_of::<ReverseSearch>()) else { return };
        search::way_to(ground, scratch, cell, path);
        if !back.has_met_in(cell) {
            return;
        }
        // From the cell where both met on, each step the other way round.
        let offsets = ground.lattice().offsets();
        while let Some(node) = back.nodes.of(cell) {
            cell = match node.incoming_step() {
                START => break,
                link @ LINK.. => ground.links().all()[usize::from(link - LINK)].to,
                step => Cell(cell.0.wrapping_add_signed(-offsets[usize::from(step) % 8])),
            };
            path.cells.push(cell);
        }
    }
}

/// Expands nodes, those of the start's side and the goal's in turn, until `counters.expanded` is `stop`.
#[expect(clippy::too_many_arguments)]
fn expand<Q: OpenList<Priority: Into<u64>>>(
    sides: &[General<'_, Octile>; 2],
    mut nodes: [&mut Nodes; 2],
    open: &mut [Q; 2],
    rank: impl Fn(u64) -> Q::Priority,
    meeting: &mut Meeting,
    limited: bool,
    counters: &mut SearchCounters,
    stop: u64,
) -> Halt {
    loop {
        let (side, other) = (meeting.turn, 1 - meeting.turn);
        let popped = open[side].pop();
        let cost = meeting.best.map_or(u64::MAX, |(cost, _)| cost);
        let Some((priority, cell)) = popped.filter(|&(priority, _)| priority.into() < cost) else {
            // All that is open here costs as much as the best route, or nothing is open.
            meeting.is_final = true;
            let Some((_, cell)) = meeting.best else { return Halt::Exhausted };
            return Halt::Met { cell, rest: nodes[1].of(cell).map_or(0, Node::g) };
        };
        if is_closed(nodes[side], cell) || is_closed(nodes[other], cell) {
            continue;
        }
        if counters.expanded == stop {
            open[side].push(priority, cell);
            return Halt::Stop;
        }
        let Some(node) = nodes[side].close(cell) else { continue };
        meeting.turn = other;
        meeting.least[side] = priority.into();
        let g = u64::from(node.g());
        // The other side has not closed this cell, so its way here costs at least its least f without the estimate.
        let rest = meeting.least[other].saturating_sub(sides[other].estimate(cell).into());
        if g + rest >= cost {
            continue;
        }
        if limited && side == 0 {
            counters.expand(cell, sides[0].estimate(cell));
        } else {
            counters.expanded += 1;
            if limited {
                counters.last = Some(cell);
            }
        }
        let [ours, theirs] = if side == 0 {
            let [start, goal] = &mut nodes;
            [&mut **start, &mut **goal]
        } else {
            let [start, goal] = &mut nodes;
            [&mut **goal, &mut **start]
        };
        let mut visit = |to: Cell, cost: u32, incoming_step: u16| {
            let met = theirs.of(to);
            let Some(g) = node.g().checked_add(cost).filter(|_| !met.is_some_and(Node::closed)) else { return };
            if ours.improve(to, g, incoming_step) {
                open[side].push(rank(u64::from(g) + u64::from(sides[side].estimate(to))), to);
                let over = met.map(|met| u64::from(g) + u64::from(met.g()));
                if let Some(over) = over.filter(|&over| meeting.best.is_none_or(|(best, _)| over < best)) {
                    meeting.best = Some((over, to));
                }
            }
        };
        if side == 0 {
            sides[0].each(cell, node.incoming_step(), &mut visit);
        } else {
            sides[1].each_back(cell, &mut visit);
        }
    }
}

fn is_closed(nodes: &Nodes, cell: Cell) -> bool {
    nodes.of(cell).is_some_and(Node::closed)
}
