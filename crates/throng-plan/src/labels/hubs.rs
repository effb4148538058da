//! Hub labels: for each subgoal the costs to its hubs, so that two subgoals have one on a shortest way in common.

use super::budget::{Budget, work_of_choice};
use super::label_entry::LabelEntry;
use super::order::HubOrder;
use super::pruned_search::PrunedSearch;
use super::subgoals::SubgoalGraph;

/// The greatest cost from a subgoal to a hub: two of them and the ways to the subgoals stay below
/// [`UNREACHED`](super::label_entry::UNREACHED).
const MOST_COST: u32 = (1 << 29) - (1 << 27);

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
            budget.spend(search.take_work() + work_of_choice(count))?;
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
