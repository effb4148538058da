//! Objectives of armies, besides killing all their enemies.

use crate::ids::{ArmyId, SquadId};
use crate::world::journey::Area;
use crate::world::time::seconds;
use serde::{Deserialize, Serialize};

/// An objective of an army.
///
/// See [`Mission`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Objective {
    /// Hold an area for so long (s). An army takes it by being in it, or by having allies in it, without an enemy. The time runs
    /// while it is taken and no enemy is in it, whether an agent stays there or not. It begins anew once enemies have been in it
    /// without an agent of the army and its allies.
    Hold {
        /// The area.
        area: Area,
        /// How long.
        seconds: f32,
    },
    /// Kill all members of a squad: the king, say. It does not matter which army kills them.
    Kill {
        /// The squad.
        squad: SquadId,
    },
    /// Have a soldier left so long (s) after the beginning.
    Survive {
        /// How long.
        seconds: f32,
    },
    /// Put all enemies to rout: the only ones left run, and none are still to come.
    Rout,
}

impl Objective {
    /// Its key in scenarios.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Hold { .. } => "hold",
            Self::Kill { .. } => "kill",
            Self::Survive { .. } => "survive",
            Self::Rout => "rout",
        }
    }
}

/// An objective of an army, and how far it has come. An army has won when all its missions are done.
///
/// ```
/// use throng_sim::battle::Unit;
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::world::{SquadSpec, Objective, Settings, Verdict, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let soldier = world.add_unit(Unit::default())?;
/// for (name, x) in [("red", 10.0), ("blue", 50.0)] {
///     let army = world.add_army(name)?;
///     world.spawn_squad(SquadSpec::new(army, soldier, &[Vec2::new(x, 30.0)]))?;
/// }
/// let blue = throng_sim::world::ArmyId(1);
/// world.add_mission(blue, Objective::Survive { seconds: 2.0 })?;
/// while world.verdict().is_none() {
///     world.tick()?;
/// }
/// assert_eq!((world.verdict(), world.ticks()), (Some(Verdict::Winner(blue)), 40));
/// assert!(world.missions()[0].is_done);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Mission {
    /// The army.
    pub army: ArmyId,
    /// The objective.
    pub objective: Objective,
    /// An area: true while it is taken.
    pub is_held: bool,
    /// An area: ticks that it was held; a squad: how many of it live; a rout: how many enemies stand; else ticks that have passed.
    pub count: u64,
    /// Done, once and for all.
    pub is_done: bool,
}

impl Mission {
    /// The rest of the objective where a tick is `step` seconds long: a time (s), or soldiers of a squad or of all enemies.
    pub fn left(&self, step: f32) -> f64 {
        let passed = seconds(self.count, step);
        match self.objective {
            _ if self.is_done => 0.0,
            Objective::Hold { seconds, .. } | Objective::Survive { seconds } => (f64::from(seconds) - passed).max(0.0),
            Objective::Kill { .. } | Objective::Rout => self.count as f64,
        }
    }
}
