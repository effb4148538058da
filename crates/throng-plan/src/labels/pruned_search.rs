//! A search that stops where labels know the way.

use super::label_entry::{LabelEntry, UNREACHED};
use super::subgoals::SubgoalGraph;
use std::cmp::Reverse;
use std::collections::BinaryHeap;

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

    pub(super) fn new(subgoals: usize) -> Self {
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

    /// The work since the last count, which begins anew.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
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
