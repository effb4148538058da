//! All tables of a ground.

use super::blocks::Blocks;
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
    /// The tables, in at most so many bytes; `None` where they would need more.
    pub(super) fn new(ground: &Ground, most_bytes: usize, threads: usize) -> Option<Self> {
        let terrain = Terrain::new(ground);
        let subgoals = Subgoals::new(ground);
        let labels = HubLabels::new(&subgoals.graph(), most_bytes / Chains::bytes_of(1))?;
        let chains = Chains::new(&labels, &subgoals.places, terrain);
        let left = most_bytes.checked_sub(chains.bytes())?;
        let blocks = Blocks::new(ground.lattice(), &subgoals, &labels, left, threads)?;
        Some(Self { blocks, chains, hubs: labels.hubs.len() })
    }

    /// Bytes of memory.
    pub(super) fn bytes(&self) -> usize {
        self.blocks.bytes() + self.chains.bytes()
    }
}
