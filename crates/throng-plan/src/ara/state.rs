//! A search in rounds of falling weights, each of which goes on from what the ones before have found.

use crate::memory::SearchMemory;
use crate::nodes::{Node, Nodes};
use crate::open::{Coarse, LAST_BUCKET};
use crate::scratch::{SearchCounters, SearchState};
use crate::search::CANCEL_CHECK_EXPANSIONS;
use crate::successors::{LINK, START, Successors};
use crate::{Cost, Outcome, Progress, Query, Status};
use throng_grid::{Cell, Direction, Ground};

/// A weight of 1. Weights are fractions of this, so that priorities are integers.
pub(crate) const ONE: u64 = 1 << 16;

/// No route is known.
const NONE: u32 = u32::MAX;

/// The state of a search in rounds besides the nodes.
#[derive(Debug, Default)]
pub(crate) struct AraState {
    open: Coarse,
    /// Cells to which a better way was found and that have to wait: [`Node::parked`], each once. (A cell that is no longer
    /// parked may be here too.)
    later: Vec<Cell>,
    /// Cost of the best way to a goal, or [`NONE`].
    best: u32,
    goal: Cell,
    /// Cost of the route that was written down last, or [`NONE`].
    written: u32,
    /// Cost of the route that was reported last, or [`NONE`].
    reported: u32,
    /// No route costs less.
    proven: u32,
    /// The weight of the round, by its place in the schedule.
    weight: usize,
    /// Rounds that have begun.
    round: u16,
}

/// How a node takes part in a search in rounds, in the 15 bits that tell of other searches how a cell was reached: 7 bits
/// for that, 1 bit that is set while the cell waits for a later round, 7 bits for the round in which it was expanded last.
/// A node is closed where it was expanded with the g it has.
impl Node {
    const ARRIVAL: u64 = 0x7f;
    const PARKED: u64 = 1 << 7;
    const ROUND: u64 = 0x7f << 8;
    pub(crate) const MAX_ROUND_NUMBER: usize = 0x7f;

    #[inline]
    fn parked(self) -> bool {
        self.0 & Self::PARKED != 0
    }

    /// Direction of the last step here, [`START`], or [`BY_LINK`] and the place of a link among those into this cell.
    #[inline]
    fn reached_by(self) -> u16 {
        (self.0 & Self::ARRIVAL) as u16
    }
}

/// A search that came over a link arrives by this and the link's place among those into the cell.
const BY_LINK: u16 = START + 1;

/// The most links into one cell.
pub(crate) const MAX_LINKS_INTO_A_CELL: usize = Node::ARRIVAL as usize + 1 - BY_LINK as usize;

/// The parameters of the expansions of a round.
struct Round<'a, M> {
    ground: &'a Ground,
    moves: &'a M,
    weight: u64,
    limited: bool,
}

/// Why [`Round::expand`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Halt {
    /// No open cell has a priority below the cost of the best route.
    Over,
    /// As many nodes are expanded as were asked for.
    Stop,
}

/// The step after a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Next {
    /// The same round for some cells more: its bound is not proven.
    Repair,
    /// A round of lower weight.
    Round,
    /// Nothing.
    End,
}

impl SearchMemory for AraState {
    fn bytes(&self) -> usize {
        self.open.bytes() + self.later.capacity() * size_of::<Cell>()
    }
}

impl AraState {
    /// Starts a search from a cell with this estimate.
    pub(crate) fn restart(&mut self, from: Cell, moves: &impl Successors, weight: u64) {
        self.later.clear();
        let estimate = moves.estimate(from);
        (self.best, self.written, self.reported) = (NONE, NONE, NONE);
        (self.proven, self.weight, self.round) = (estimate, 0, 1);
        if moves.is_goal(from) {
            (self.best, self.goal) = (0, from);
        }
        let first = weight * u64::from(estimate);
        self.open.restart(ONE * u64::from(estimate), first * 2);
        self.open.push(self.open.bucket(first), from);
    }

    /// The weight of the round, by its place in the schedule.
    pub(crate) fn round_weight(&self) -> usize {
        self.weight
    }

    fn bound(&self) -> f64 {
        if self.best <= self.proven { 1.0 } else { (f64::from(self.best) / f64::from(self.proven)).next_up() }
    }
}

impl<M: Successors> Round<'_, M> {
    #[inline]
    fn priority(&self, g: u32, cell: Cell) -> u64 {
        ONE * u64::from(g) + self.weight * u64::from(self.moves.estimate(cell))
    }

    /// How a node says that its cell was reached.
    #[inline]
    fn reached_by(&self, to: Cell, incoming_step: u16) -> u16 {
        if incoming_step < LINK {
            return incoming_step;
        }
        let place = self.ground.links().to(to).position(|(i, _)| i == usize::from(incoming_step - LINK));
        BY_LINK + place.unwrap_or(0) as u16
    }

    /// Expands nodes, those of the lowest priority first, until `counters.expanded` is `stop`.
    fn expand(&self, nodes: &mut Nodes, rounds: &mut AraState, counters: &mut SearchCounters, stop: u64) -> Halt {
        let AraState { open, later, round, .. } = rounds;
        let (mut best, mut goal) = (rounds.best, rounds.goal);
        let stamp = nodes.stamp;
        let this_round = u64::from(*round) << Node::ROUND.trailing_zeros();
        let last =
            |open: &Coarse, best: u32| if best == NONE { LAST_BUCKET } else { open.bucket(ONE * u64::from(best)) };
        let mut end = last(open, best);
        let mut halt = Halt::Over;
        while let Some((bucket, cell)) = open.pop() {
            let node = nodes.nodes[cell.index()];
            if node.0 & (Node::CLOSED | Node::PARKED) != 0 {
                continue;
            }
            if bucket >= end {
                // Other buckets tell it without a look.
                if best == NONE {
                    open.push(bucket, cell);
                    open.widen(|cell| self.priority(nodes.nodes[cell.index()].g(), cell));
                    continue;
                }
                if bucket > end {
                    open.push(bucket, cell);
                    break;
                }
                if self.priority(node.g(), cell) >= ONE * u64::from(best) {
                    nodes.nodes[cell.index()].0 |= Node::PARKED;
                    later.push(cell);
                    continue;
                }
            }
            if counters.expanded == stop {
                open.push(bucket, cell);
                halt = Halt::Stop;
                break;
            }
            nodes.nodes[cell.index()].0 = node.0 & !Node::ROUND | this_round | Node::CLOSED;
            if self.limited {
                counters.expand(cell, self.moves.estimate(cell));
            } else {
                counters.expanded += 1;
            }
            let before = best;
            self.moves.each(cell, node.reached_by(), |to, cost, incoming_step| {
                let Some(g) = node.g().checked_add(cost) else { return };
                let seen = &mut nodes.nodes[to.index()];
                let better = Node::open(stamp, g);
                if better.0 <= seen.0 & !Node::CLOSED {
                    return;
                }
                let h = self.moves.estimate(to);
                // No way through it is cheaper than the route that is known.
                if u64::from(g) + u64::from(h) >= u64::from(best) {
                    return;
                }
                let way = better.0 | u64::from(self.reached_by(to, incoming_step));
                if self.moves.is_goal(to) {
                    (best, goal) = (g, to);
                    seen.0 = way | Node::CLOSED;
                    return;
                }
                let old = if seen.stamp() == stamp { seen.0 & (Node::ROUND | Node::PARKED) } else { 0 };
                let priority = ONE * u64::from(g) + self.weight * u64::from(h);
                let bucket = open.bucket(priority);
                if bucket > end || old & Node::ROUND == this_round {
                    if old & Node::PARKED == 0 {
                        later.push(to);
                    }
                    seen.0 = way | old | Node::PARKED;
                } else {
                    seen.0 = way | old & !Node::PARKED;
                    open.push(bucket, to);
                }
            });
            if best != before {
                end = last(open, best);
            }
        }
        (rounds.best, rounds.goal) = (best, goal);
        halt
    }
}

/// Goes on with a search in rounds for up to `expansions` nodes, or to the next better route.
pub(crate) fn advance(
    state: &mut SearchState,
    rounds: &mut AraState,
    ground: &Ground,
    query: &Query,
    moves: &impl Successors,
    weights: &[u64],
    expansions: u64,
) -> Progress {
    let limit = query.limits.expansions;
    let end = state.counters.expanded.saturating_add(expansions).min(limit);
    while state.outcome.is_none() {
        let expanded = state.counters.expanded;
        let status = if query.cancel.as_ref().is_some_and(crate::Cancel::is_cancelled) {
            Status::Cancelled
        } else {
            let SearchState { nodes, counters, .. } = &mut *state;
            let round = Round { ground, moves, weight: weights[rounds.weight], limited: limit != u64::MAX };
            let stop = end.min(expanded.saturating_add(CANCEL_CHECK_EXPANSIONS));
            match round.expand(nodes, rounds, counters, stop) {
                Halt::Stop if counters.expanded >= limit => Status::Partial,
                Halt::Stop if counters.expanded >= end => return Progress::Running,
                Halt::Stop => continue,
                Halt::Over if rounds.best == NONE => Status::NoRoute,
                Halt::Over => {
                    write_route(state, rounds, ground);
                    match round_over(&mut state.nodes, rounds, moves, weights) {
                        Next::Round if rounds.written < rounds.reported => {
                            rounds.reported = rounds.written;
                            return Progress::Route(outcome(state, rounds, moves, Status::Found));
                        }
                        Next::Round | Next::Repair => continue,
                        Next::End => Status::Found,
                    }
                }
            }
        };
        finish(state, rounds, ground, moves, query.from, status);
    }
    state.outcome.map_or(Progress::Running, Progress::Done)
}

/// The best route so far, or an end without one.
fn outcome(state: &SearchState, rounds: &AraState, moves: &impl Successors, status: Status) -> Outcome {
    let (written, expanded) = (rounds.written, state.counters.expanded);
    if written == NONE {
        return Outcome { status, cost: 0, bound: 1.0, expanded };
    }
    let status = if status == Status::Found { moves.reached() } else { status };
    Outcome { status, cost: written.into(), bound: rounds.bound(), expanded }
}

/// Ends the search.
fn finish(
    state: &mut SearchState,
    rounds: &mut AraState,
    ground: &Ground,
    moves: &impl Successors,
    from: Cell,
    status: Status,
) {
    write_route(state, rounds, ground);
    let found = rounds.written != NONE;
    let status = if found && status == Status::Partial { Status::Found } else { status };
    let mut end = outcome(state, rounds, moves, status);
    if status == Status::Partial {
        end.cost = way_to(&state.nodes, ground, state.counters.nearest_or(from), &mut state.route);
    }
    state.outcome = Some(end);
}

/// Writes down the route to the goal where it is better than the one written before.
fn write_route(state: &mut SearchState, rounds: &mut AraState, ground: &Ground) {
    let SearchState { nodes, route, .. } = state;
    if rounds.best >= rounds.written {
        return;
    }
    // Cells on the way may have been reached more cheaply since: the route gains by it.
    let cost = way_to(nodes, ground, rounds.goal, route) as u32;
    let node = &mut nodes.nodes[rounds.goal.index()];
    node.0 = Node::open(nodes.stamp, cost).0 | u64::from(node.reached_by()) | Node::CLOSED;
    (rounds.best, rounds.written) = (cost, cost);
}

/// Writes the cells of the way to a cell and returns its cost.
pub(crate) fn way_to(nodes: &Nodes, ground: &Ground, mut cell: Cell, route: &mut Vec<Cell>) -> Cost {
    let offsets = ground.lattice().offsets();
    let mut cost = 0;
    route.clear();
    route.push(cell);
    loop {
        let incoming_step = nodes.nodes[cell.index()].reached_by();
        let from = match incoming_step {
            START => break,
            BY_LINK.. => {
                let Some((_, link)) = ground.links().to(cell).nth(usize::from(incoming_step - BY_LINK)) else { break };
                cost += Cost::from(link.cost);
                link.from
            }
            step => {
                let d = usize::from(step) % 8;
                let from = Cell(cell.0.wrapping_add_signed(-offsets[d]));
                cost += Cost::from(ground.step_cost(from, cell, Direction::ALL[d]));
                from
            }
        };
        cell = from;
        route.push(cell);
    }
    route.reverse();
    cost
}

/// Prepares what comes after a round: the same weight once more for the cells that stand against its bound, else the next
/// weight that promises more than is proven.
fn round_over(nodes: &mut Nodes, rounds: &mut AraState, moves: &impl Successors, weights: &[u64]) -> Next {
    let AraState { open, later, best, proven, weight, round, .. } = rounds;
    let nodes = &mut nodes.nodes;
    open.drain(|cell| {
        let node = &mut nodes[cell.index()];
        if !node.closed() && !node.parked() {
            node.0 |= Node::PARKED;
            later.push(cell);
        }
    });
    // The cheapest route costs at least what the cheapest way on from one of these cells may cost.
    let mut least = *best;
    later.retain(|cell| {
        let node = &mut nodes[cell.index()];
        let f = node.g().saturating_add(moves.estimate(*cell));
        let keep = node.parked() && f < *best;
        if keep {
            least = least.min(f);
        } else {
            node.0 &= !Node::PARKED;
        }
        keep
    });
    *proven = least.max(*proven);
    let holds = |weight: u64, f: u32| weight * u64::from(f) >= ONE * u64::from(*best);
    let again = !holds(weights[*weight], least);
    if !again {
        match weights.iter().position(|&weight| !holds(weight, *proven)) {
            Some(next) => *weight = next,
            None => return Next::End,
        }
        *round += 1;
    }
    let base = ONE * u64::from(least);
    open.restart(base, ONE * u64::from(*best) - base);
    later.retain(|cell| {
        let node = &mut nodes[cell.index()];
        let h = moves.estimate(*cell);
        let f = node.g() + h;
        let priority = ONE * u64::from(node.g()) + weights[*weight] * u64::from(h);
        let opens = if again { !holds(weights[*weight], f) } else { priority < ONE * u64::from(*best) };
        if opens {
            node.0 &= !Node::PARKED;
            // Those of a round before have the mark of none.
            node.0 &= !Node::ROUND;
            open.push(open.bucket(priority), *cell);
        }
        !opens
    });
    if again { Next::Repair } else { Next::Round }
}
