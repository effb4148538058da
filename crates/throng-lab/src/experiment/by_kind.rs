//! The scene of a kind.

use super::{CrowdKind, CrowdScene, ExperimentError, open, passages};
use rand::SeedableRng;
use rand_pcg::Pcg32;
use throng_sim::battle::Unit;

impl CrowdScene {
    /// A scene of `agents` agents (rounded to whole groups in those with walls).
    ///
    /// # Errors
    /// Where there are fewer than 8, or more than the scene has room for.
    pub fn new(kind: CrowdKind, agents: usize, seed: u64) -> Result<Self, ExperimentError> {
        let most = match kind {
            CrowdKind::Door => 1000,
            CrowdKind::Blocks | CrowdKind::Corridor | CrowdKind::Corner => 400,
            CrowdKind::Crossing => 800,
            _ => 1_000_000,
        };
        if !(8..=most).contains(&agents) {
            return Err(ExperimentError::Agents { scene: kind, found: agents, most });
        }
        let mut random = Pcg32::seed_from_u64(seed);
        match kind {
            CrowdKind::Circle => open::circle(agents, &mut random),
            CrowdKind::Armies => open::armies(agents, &mut random),
            CrowdKind::Rand15 => open::rand(kind, agents, 0.15, &mut random),
            CrowdKind::Rand30 => open::rand(kind, agents, 0.30, &mut random),
            CrowdKind::Rand60 => open::rand(kind, agents, 0.60, &mut random),
            CrowdKind::Blocks => passages::blocks(agents, &mut random),
            CrowdKind::Door => Self::bottleneck(Unit::pedestrian(), 2.0, agents, seed),
            CrowdKind::Corridor => passages::corridor(agents, &mut random),
            CrowdKind::Corner => passages::corner(agents, &mut random),
            CrowdKind::Crossing => passages::crossing(agents, &mut random),
        }
    }
}
