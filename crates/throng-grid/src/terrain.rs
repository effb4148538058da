//! Costs of a step by class of terrain.

/// The class of all terrain of which nothing is said.
pub const PLAIN: u8 = 0;

/// The class of swamp, `S` in map files.
pub const SWAMP: u8 = 1;

/// The class of water, `W` in map files, where it is deep: closed cells of this class are no walls but
/// [water](super::Grid::is_water).
pub const WATER: u8 = 2;

/// How much dearer each class of terrain is for a kind of unit, as whole numbers: 1 for the best ground.
///
/// A step from one cell to the next costs the length of the step times the mean of the two cells. It is rounded down,
/// so that it costs the same both ways. For steps of a half, count in halves: plain ground 2, forest 3.
///
/// Costs are used where they are given. Without any ([`Mobility::terrain`](super::Mobility::terrain) is `None`) all
/// terrain is the same.
///
/// ```
/// use throng_grid::TerrainCosts;
/// let wheels = TerrainCosts::new([(0, Some(1)), (1, Some(4)), (2, None)]);
/// assert_eq!(wheels.of(1), Some(Some(4)));
/// assert_eq!(wheels.of(2), Some(None), "never entered");
/// assert_eq!(wheels.of(3), None, "unknown");
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct TerrainCosts {
    costs: Vec<(u8, Option<u16>)>,
}

impl TerrainCosts {
    /// Pairs of a class and its cost; `None` = units of this kind never enter it. Of a class named twice the last cost
    /// counts.
    pub fn new(costs: impl IntoIterator<Item = (u8, Option<u16>)>) -> Self {
        let mut all: Vec<(u8, Option<u16>)> = Vec::new();
        for (class, cost) in costs {
            all.retain(|&(known, _)| known != class);
            all.push((class, cost));
        }
        all.sort_unstable();
        Self { costs: all }
    }

    /// Cost of a class: `None` where it was not given, `Some(None)` where the class is never entered.
    pub fn of(&self, class: u8) -> Option<Option<u16>> {
        self.costs.iter().find(|&&(known, _)| known == class).map(|&(_, cost)| cost)
    }

    /// The classes with their costs, in the order of the classes.
    pub fn classes(&self) -> impl Iterator<Item = (u8, Option<u16>)> {
        self.costs.iter().copied()
    }
}
