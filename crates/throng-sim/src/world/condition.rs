//! How squads are: the health, the morale and the shots of all their members together.

use super::World;

/// How a squad is.
///
/// See [`World::conditions`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Condition {
    /// Living members on the map.
    pub living: u32,
    /// Those of them that run from the enemy.
    pub fleeing: u32,
    /// Mean share of their full health, 0 to 1.
    pub health: f32,
    /// Mean share of the morale that they had at the start, 0 to 1; 1 for soldiers that never run.
    pub morale: f32,
    /// Shots left.
    pub shots: u32,
}

impl World {
    /// Writes how each squad is, by [`SquadId`](super::SquadId). O(agents).
    ///
    /// ```
    /// use throng_sim::battle::Unit;
    /// use throng_grid::geom::Vec2;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{SquadSpec, Settings, World};
    /// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(4.5), Vec2::splat(6.5)]))?;
    /// let mut squads = Vec::new();
    /// world.conditions(&mut squads);
    /// assert_eq!((squads[0].living, squads[0].fleeing, squads[0].health), (2, 0, 1.0));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn conditions(&self, out: &mut Vec<Condition>) {
        let (crowd, soldiers) = (&self.state.crowd, &self.state.soldiers);
        out.clear();
        out.resize(self.state.squads.len(), Condition::default());
        for &slot in &crowd.rows.slot {
            let Some(squad) = out.get_mut(crowd.slots.squad[slot as usize] as usize) else { continue };
            if self.state.is_dead(slot) {
                continue;
            }
            let (slot, unit) = (slot as usize, self.state.unit_of(slot as usize));
            squad.living += 1;
            squad.fleeing += u32::from(soldiers.flees(slot));
            squad.health += (soldiers.health[slot] / unit.health).clamp(0.0, 1.0);
            let morale = soldiers.morale.get(slot).filter(|_| unit.morale > 0.0);
            squad.morale += morale.map_or(1.0, |morale| (morale / unit.morale).clamp(0.0, 1.0));
            squad.shots += soldiers.ammunition.get(slot).map_or(0, |&shots| u32::from(shots));
        }
        for squad in out {
            let living = squad.living.max(1) as f32;
            (squad.health, squad.morale) = (squad.health / living, squad.morale / living);
        }
    }
}
