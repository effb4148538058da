//! All tables of a ground.

use super::block_rows;
use super::blocks::Blocks;
use super::budget::{Budget, work_of_choice};
use super::chains::Chains;
use super::hubs::HubLabels;
use super::subgoals::Subgoals;
use super::walk::Terrain;
use throng_grid::Ground;

/// The tables that answer queries on a ground.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Tables {
    pub(super) blocks: Blocks,
    pub(super) chains: Chains,
    /// Hubs, which are as many as subgoals.
    pub(super) hubs: usize,
}

impl Tables {
    /// The tables; `None` where they would cost more than the budget. Corners are counted before anything is made of them.
    pub(super) fn new(ground: &Ground, mut budget: Budget, threads: usize) -> Option<Self> {
        let corners = Subgoals::count(ground);
        let passing = ground.lattice().len() * Subgoals::BYTES_A_CELL;
        let choices = corners as u64 * work_of_choice(corners);
        if corners > usize::from(u16::MAX) || passing > budget.passing_bytes || choices > budget.work {
            return None;
        }
        let terrain = Terrain::new(ground);
        let subgoals = Subgoals::new(ground);
        let graph = subgoals.graph(&mut budget)?;
        let labels = HubLabels::new(&graph, budget.bytes / Chains::bytes_of(1), &mut budget)?;
        let chains = Chains::new(&labels, &subgoals.places, terrain);
        budget.bytes = budget.bytes.checked_sub(chains.bytes())?;
        let blocks = block_rows::blocks(ground.lattice(), &subgoals, &labels, budget, threads)?;
        Some(Self { blocks, chains, hubs: labels.hubs.len() })
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.bytes() + self.chains.bytes()
    }
}
