//! People on foot, and how much faster one of them walks than another.

use super::Unit;
use crate::crowd::AgentId;
use crate::mixed::mixed;

/// The least speed that the spread leaves an agent whose unit walks at all (m/s).
const SLOWEST: f32 = 0.1;

/// A speed differs from the mean by this many standard deviations at most.
const MOST_DEVIATIONS: f32 = 2.0;

/// Mean and standard deviation of the sum of four whole numbers from 0 to 65535.
const SUM_MEAN: f32 = 131_070.0;
const SUM_DEVIATION: f32 = 37_837.23;

impl Unit {
    /// The units that scenarios know by name without defining them: the soldier and the pedestrian.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// assert_eq!(Unit::presets().map(|unit| unit.name), ["soldier", "pedestrian"]);
    /// ```
    pub fn presets() -> [Self; 2] {
        [Self::default(), Self::pedestrian()]
    }

    /// A person on foot, without weapons.
    ///
    /// | | | after |
    /// |---|---|---|
    /// | radius | 0.2 m | |
    /// | speed | 1.34 ± 0.26 m/s | U. Weidmann, "Transporttechnik der Fussgänger" (1993) |
    /// | top speed | 1.9 m/s | the fastest of that spread |
    /// | headway | 0.65 s | our measurements of the flow through bottlenecks |
    /// | acceleration | 5 m/s² | the same |
    ///
    /// Of people, 1.2 to 2.0 per metre of width and second get through a bottleneck: A. Seyfried et al., "New insights into
    /// pedestrian flow through bottlenecks" (2009); W. Liao et al., "Experimental study on pedestrian flow through wide
    /// bottleneck" (2014). The headway is chosen so that these do, where it is 1.2 to 4 m wide. One of 0.8 m lets through 0.9; by
    /// [`Avoidance::Gap`](crate::crowd::Avoidance::Gap), which knows no headway, each of these 1.6 to 1.7.
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// let pedestrian = Unit::pedestrian();
    /// assert!(pedestrian.check().is_ok());
    /// assert_eq!((pedestrian.speed, pedestrian.speed_spread), (1.34, 0.26));
    /// ```
    pub fn pedestrian() -> Self {
        Self {
            name: "pedestrian".into(),
            radius: 0.2,
            speed: 1.34,
            speed_spread: 0.26,
            top_speed: 1.9,
            headway: 0.65,
            acceleration: 5.0,
            damage: 0.0,
            ..Self::default()
        }
    }

    /// The speed at which an agent walks by itself in a world of this seed (m/s): nearly normally distributed around
    /// `speed`, up to two times `speed_spread` away from it, and never above `top_speed`. It depends on nothing else, so an
    /// agent keeps its speed.
    ///
    /// ```
    /// use throng_sim::{battle::Unit, crowd::AgentId};
    /// let id = AgentId { slot: 7, generation: 0 };
    /// assert_eq!(Unit::default().speed_of(1, id), 1.5);
    /// assert!((0.8..1.9).contains(&Unit::pedestrian().speed_of(1, id)));
    /// ```
    pub fn speed_of(&self, seed: u64, id: AgentId) -> f32 {
        let who = u64::from(id.generation) << 32 | u64::from(id.slot);
        let bits = mixed(mixed(seed.wrapping_add(0x9e37_79b9_7f4a_7c15)) ^ who);
        // Four uniform numbers: their sum is nearly normally distributed. It is a whole number, hence the same everywhere.
        let sum: u32 = [0, 16, 32, 48].map(|shift| u32::from((bits >> shift) as u16)).into_iter().sum();
        let deviations = ((sum as f32 - SUM_MEAN) / SUM_DEVIATION).clamp(-MOST_DEVIATIONS, MOST_DEVIATIONS);
        let speed = self.speed + self.speed_spread * deviations;
        speed.max(SLOWEST.min(self.speed)).min(self.top_speed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn speeds(unit: &Unit, seed: u64, generation: u32) -> Vec<f32> {
        (0..20_000).map(|slot| unit.speed_of(seed, AgentId { slot, generation })).collect()
    }

    /// The mean product of how far both are from 1.34 m/s.
    fn covariance(some: &[f32], others: &[f32]) -> f32 {
        let products = some.iter().zip(others).map(|(one, other)| (one - 1.34) * (other - 1.34));
        products.sum::<f32>() / some.len() as f32
    }

    proptest! {
        #[test]
        fn pedestrians_walk_as_fast_as_people(seed: u64) {
            let first = speeds(&Unit::pedestrian(), seed, 0);
            let mean = first.iter().sum::<f32>() / first.len() as f32;
            let deviation = covariance(&first, &first).sqrt();
            prop_assert!((mean - 1.34).abs() < 0.01 && (deviation - 0.26).abs() < 0.02, "{mean} ± {deviation}");
            // Neighbouring slots, successive agents in a slot, and the agents of another seed have nothing in common.
            let others = [speeds(&Unit::pedestrian(), seed, 1), speeds(&Unit::pedestrian(), seed ^ 1, 0)];
            for others in [&first[1..], &others[0], &others[1]] {
                prop_assert!(covariance(&first, others).abs() < 0.05 * 0.26 * 0.26);
            }
        }

        #[test]
        fn no_speed_is_out_of_range(seed: u64, speed in 0.0_f32..3.0, above in 0.0_f32..1.0, speed_spread in 0.0_f32..9.0) {
            let unit = Unit { speed, speed_spread, top_speed: speed + above, ..Unit::default() };
            let fits = |found: &f32| (SLOWEST.min(speed)..=speed + above).contains(found);
            prop_assert!(speeds(&unit, seed, 0).iter().all(fits));
            let alike = Unit { speed_spread: 0.0, ..unit };
            prop_assert!(speeds(&alike, seed, 0).iter().all(|&found| found == speed));
        }
    }
}
