//! How coarse a hierarchy is.

use super::cluster::{CLUSTERS_PER_SIDE, MAX_SIDE_CELLS};
use crate::PlanError;
use throng_grid::Lattice;

/// How coarse a hierarchy is.
///
/// ```
/// use throng_grid::Lattice;
/// use throng_plan::HpaSettings;
/// assert_eq!(HpaSettings::default(), HpaSettings { cluster: 32, levels: 2 });
/// // A small map takes a small hierarchy.
/// assert_eq!(HpaSettings::fitting(Lattice::new(100, 40, 1.0)?), HpaSettings { cluster: 32, levels: 1 });
/// # Ok::<(), throng_grid::LatticeError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct HpaSettings {
    /// Side of a cluster of the lowest level (cells). Larger ones make shorter searches and longer preparation.
    pub cluster: u32,
    /// Levels. The clusters of each are four times as long and wide as those of the level below.
    pub levels: u8,
}

impl HpaSettings {
    /// The smallest clusters.
    pub const LEAST_CLUSTER: u32 = 4;
    /// The largest clusters.
    pub const MOST_CLUSTER: u32 = 256;

    /// The default, or the part of it that fits the map.
    pub fn fitting(lattice: Lattice) -> Self {
        let mut settings = Self::default();
        while !settings.fits(lattice) && settings.levels > 1 {
            settings.levels -= 1;
        }
        while !settings.fits(lattice) && settings.cluster > Self::LEAST_CLUSTER {
            settings.cluster /= 2;
        }
        settings
    }

    /// Side of a cluster of the highest level.
    fn top(self) -> u64 {
        u64::from(self.cluster) * u64::from(CLUSTERS_PER_SIDE).pow(u32::from(self.levels) - 1)
    }

    pub(super) fn fits(self, lattice: Lattice) -> bool {
        self.top() <= u64::from(lattice.width.max(lattice.height).max(Self::LEAST_CLUSTER))
    }

    /// # Errors
    /// Where no map can have such a hierarchy.
    pub(crate) fn check_alone(self) -> Result<(), PlanError> {
        let (least, most) = (Self::LEAST_CLUSTER, Self::MOST_CLUSTER);
        if !(least..=most).contains(&self.cluster) {
            return Err(PlanError::ClusterSide { found: self.cluster, least, most });
        }
        let most = (MAX_SIDE_CELLS / self.cluster).ilog(CLUSTERS_PER_SIDE) as u8 + 1;
        if !(1..=most).contains(&self.levels) {
            return Err(PlanError::Levels { cluster: self.cluster, found: self.levels, most });
        }
        Ok(())
    }

    pub(super) fn check(self, lattice: Lattice) -> Result<(), PlanError> {
        self.check_alone()?;
        if !self.fits(lattice) {
            let Self { cluster, levels } = self;
            let Lattice { width, height, .. } = lattice;
            return Err(PlanError::HierarchyTooLarge { cluster, levels, side: self.top(), width, height });
        }
        Ok(())
    }
}

impl Default for HpaSettings {
    /// Two levels over clusters of 32 x 32 cells.
    fn default() -> Self {
        Self { cluster: 32, levels: 2 }
    }
}
