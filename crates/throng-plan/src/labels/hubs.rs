//! Hub labels: for each subgoal the costs to its hubs, so that two subgoals have one on a shortest way in common.

use super::budget::{Budget, work_of_choice};
use super::order::HubOrder;
use super::subgoals::SubgoalGraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// More than any cost of a way.
pub(super) const UNREACHED: u32 = 1 << 30;

/// The greatest cost from a subgoal to a hub: two of them and the ways to the subgoals stay below [`UNREACHED`].
const MOST_COST: u32 = (1 << 29) - (1 << 27);

/// What a subgoal knows about one of its hubs.
#[derive(Clone, Copy, Debug)]
pub(super) struct LabelEntry {
    /// The cost to get there.
    pub(super) cost: u32,
    /// Place of the hub in the order of hubs.
    pub(super) hub: u16,
    /// The next subgoal on the way there; the hub itself has itself.
    pub(super) next: u16,
    /// The place of the hub in the label of that.
    pub(super) place: u16,
}

/// The labels of all subgoals.
///
/// T. Akiba, Y. Iwata, Y. Yoshida: Fast exact shortest-path distance queries on large networks by pruned landmark
/// labeling. SIGMOD 2013. Hubs come one after the other, the most important first; a search from each writes itself into the
/// labels of the subgoals to which it is the first to know the shortest way. So of all subgoals on shortest ways between
/// two, the most important one is in the labels of both.
#[derive(Debug)]
pub(super) struct HubLabels {
    /// A label a subgoal, in the order of hubs.
    pub(super) labels: Vec<Vec<LabelEntry>>,
    /// The subgoals in the order of their importance as hubs.
    pub(super) hubs: Vec<u16>,
}

/// A search from a subgoal for those to which no label knows a way as short.
#[derive(Debug)]
pub(super) struct PrunedSearch {
    cost: Vec<u32>,
    /// Costs from the subgoal in which the search starts to its hubs.
    to_hub: Vec<u32>,
    pub(super) parent: Vec<u32>,
    seen: Vec<u32>,
    open: BinaryHeap<Reverse<(u32, u32)>>,
    /// The work since the last count.
    work: u64,
}

impl PrunedSearch {
    /// The work to put a subgoal into the queue and to take it out.
    const WORK_OF_QUEUE: u64 = 24;

    fn new(subgoals: usize) -> Self {
        Self {
            cost: vec![UNREACHED; subgoals],
            to_hub: vec![UNREACHED; subgoals],
            parent: vec![0; subgoals],
            seen: Vec::new(),
            open: BinaryHeap::new(),
            work: 0,
        }
    }

    /// Whether labels know a way to the subgoal of this label that costs no more.
    fn is_known(&mut self, label: &[LabelEntry], cost: u32) -> bool {
        let known = label.iter().position(|entry| self.to_hub[usize::from(entry.hub)] + entry.cost <= cost);
        self.work += 2 * known.unwrap_or(label.len()) as u64;
        known.is_some()
    }

    /// Adds work that was done with what a search found.
    pub(super) fn add_work(&mut self, work: u64) {
        self.work += work;
    }

    /// Calls `settle(subgoal, cost, parent, label)` for each of them, nearest first; the parent of the first is itself.
    pub(super) fn run(
        &mut self,
        graph: &SubgoalGraph,
        labels: &mut [Vec<LabelEntry>],
        root: u32,
        mut settle: impl FnMut(u32, u32, u32, &mut [Vec<LabelEntry>]),
    ) {
        for entry in &labels[root as usize] {
            self.to_hub[usize::from(entry.hub)] = entry.cost;
        }
        let known = labels[root as usize].len();
        self.open.push(Reverse((0, root)));
        self.seen.push(root);
        (self.cost[root as usize], self.parent[root as usize]) = (0, root);
        while let Some(Reverse((cost, subgoal))) = self.open.pop() {
            self.work += Self::WORK_OF_QUEUE;
            if cost > self.cost[subgoal as usize] || self.is_known(&labels[subgoal as usize], cost) {
                continue;
            }
            settle(subgoal, cost, self.parent[subgoal as usize], labels);
            self.work += graph.edges(subgoal).len() as u64 / 2;
            for &(next, step) in graph.edges(subgoal) {
                let (cost, best) = (cost + step, &mut self.cost[next as usize]);
                if cost < *best {
                    if *best == UNREACHED {
                        self.seen.push(next);
                    }
                    *best = cost;
                    self.parent[next as usize] = subgoal;
                    self.open.push(Reverse((cost, next)));
                }
            }
        }
        for entry in &labels[root as usize][..known] {
            self.to_hub[usize::from(entry.hub)] = UNREACHED;
        }
        for subgoal in self.seen.drain(..) {
            self.cost[subgoal as usize] = UNREACHED;
        }
    }
}

impl HubLabels {
    /// Labels with at most so many entries; `None` where they would need more, or more work than the budget has, where
    /// there are more subgoals than 65,535, or a way costs too much.
    pub(super) fn new(graph: &SubgoalGraph, most_entries: usize, budget: &mut Budget) -> Option<Self> {
        let count = graph.len();
        if count > usize::from(u16::MAX) {
            return None;
        }
        let mut labels = vec![Vec::new(); count];
        let mut search = PrunedSearch::new(count);
        let mut order = HubOrder::new(graph);
        let (mut hubs, mut len) = (Vec::with_capacity(count), 0);
        for rank in 0..count as u16 {
            order.grow(graph, &mut labels, &mut search);
            let hub = order.take_best();
            hubs.push(hub as u16);
            let mut farthest = 0;
            search.run(graph, &mut labels, hub, |subgoal, cost, parent, labels| {
                // Of the parent's label this hub's entry is the last, since it was settled before.
                let place = labels[parent as usize].len().saturating_sub(1);
                labels[subgoal as usize].push(LabelEntry {
                    cost,
                    hub: rank,
                    next: parent as u16,
                    place: if parent == subgoal { labels[subgoal as usize].len() } else { place } as u16,
                });
                farthest = cost;
                len += 1;
            });
            budget.spend(std::mem::take(&mut search.work) + work_of_choice(count))?;
            if len > most_entries || farthest > MOST_COST {
                return None;
            }
        }
        Some(Self { labels, hubs })
    }

    /// The place of a hub in the label of a subgoal.
    pub(super) fn find(&self, subgoal: u32, hub: u16) -> Option<usize> {
        self.labels[subgoal as usize].binary_search_by_key(&hub, |entry| entry.hub).ok()
    }
}
