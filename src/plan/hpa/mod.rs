//! Hierarchical search.

mod cluster;
mod doors;
mod field;
mod itinerary;
mod levels;
mod refine;
mod search;
mod tiling;
mod trim;

pub use itinerary::Itinerary;
pub(super) use itinerary::Memory;
use cluster::{FACTOR, Workshop};
use levels::Level;
use super::PlanError;
use crate::grid::Ground;

/// How coarse the hierarchy is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HpaSettings {
    /// Side of a cluster.
    pub cluster: u32,
    /// Levels.
    pub levels: u8,
}

impl Default for HpaSettings {
    fn default() -> Self {
        Self { cluster: 16, levels: 2 }
    }
}

/// Hpa.
#[derive(Clone, Debug, PartialEq)]
pub struct Hpa {
    settings: HpaSettings,
    levels: Vec<Level>,
}

impl Hpa {
    /// New.
    /// # Errors
    /// Settings.
    pub fn new(ground: &Ground, settings: HpaSettings) -> Result<Self, PlanError> {
        let mut shop = Workshop::default();
        let mut levels: Vec<Level> = Vec::new();
        let mut size = settings.cluster;
        for _ in 0..settings.levels {
            let level = Level::new(ground, size, levels.last(), &mut shop);
            levels.push(level);
            size *= FACTOR;
        }
        Ok(Self { settings, levels })
    }

    /// Bytes.
    pub fn bytes(&self) -> usize {
        self.levels.iter().map(Level::bytes).sum()
    }
}
