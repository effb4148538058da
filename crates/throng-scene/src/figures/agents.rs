//! The agents of one moment.

use throng_grid::geom::Vec2;
use throng_sim::battle::{Action, Look};
use throng_sim::world::{ArmyId, Frame, SquadId, UnitId};

/// The agents of one moment: a row each, in any order. Units and squads may be missing.
#[derive(Clone, Copy, Debug)]
pub struct Agents<'a> {
    /// Simulated time (s).
    pub time: f64,
    /// Ids; constant over their lives.
    pub id: &'a [u32],
    /// Centres (m).
    pub position: &'a [Vec2],
    /// Unit vectors of where they look.
    pub heading: &'a [Vec2],
    /// Their armies.
    pub army: &'a [ArmyId],
    /// Their units: indices into `looks`.
    pub unit: &'a [UnitId],
    /// Their squads, where they have one.
    pub squad: &'a [Option<SquadId>],
    /// The look of each unit.
    pub looks: &'a [Look],
    /// What each does; agents beyond the end of the column walk or stand.
    pub action: &'a [Action],
}

impl<'a> From<&'a Frame> for Agents<'a> {
    fn from(frame: &'a Frame) -> Self {
        Self {
            time: frame.time,
            id: &frame.id,
            position: &frame.position,
            heading: &frame.heading,
            army: &frame.army,
            unit: &frame.unit,
            squad: &frame.squad,
            looks: &frame.looks,
            action: &frame.action,
        }
    }
}

impl Agents<'_> {
    /// The look of a row's unit.
    pub fn look(&self, row: usize) -> Look {
        let unit = self.unit.get(row).map(|unit| unit.index());
        unit.and_then(|unit| self.looks.get(unit)).copied().unwrap_or_default()
    }
}
