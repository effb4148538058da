//! Arrows, bolts and stones in the air.

mod aim;
mod clear;
mod flight;
mod land;
mod shoot;
#[cfg(test)]
mod tests;

pub use aim::{Aimed, lob, straight};
pub(super) use clear::clears_walls;
pub use flight::{Obstacle, ProjectileImpact, ProjectileView};
pub use land::{advance_projectiles, land};
pub use shoot::{Archers, shoot, shoot_at};

use super::Origin;
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec3;

/// The columns of the shots in the air, in the order in which they were shot: by tick, by the shooter's slot, by number.
///
/// z is the height above the height 0 of the map (m).
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::{Order, Ranged, Unit};
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
/// let soldier = world.add_unit(Unit::default())?;
/// let archer = world.add_unit(Unit { ranged: Some(Ranged::default()), ..Unit::default() })?;
/// let (red, blue) = (world.add_army("red")?, world.add_army("blue")?);
/// world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(red, archer, &[Vec2::new(8.5, 30.5)]) })?;
/// world.spawn_squad(SquadSpec::new(blue, soldier, &[Vec2::new(48.5, 30.5)]))?;
/// world.tick_until(|world| !world.shots().is_empty())?;
/// let shots = world.shots();
/// assert_eq!((shots.len(), shots.by[0].army), (1, red));
/// assert!(shots.velocity[0].x > 0.0 && shots.velocity[0].z > 0.0, "to the right, and up");
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shots {
    /// Position of each (m).
    pub position: Vec<Vec3>,
    /// Its velocity (m/s).
    pub velocity: Vec<Vec3>,
    /// The shooter of each.
    pub by: Vec<Origin>,
    /// The launch of each: with the slot of its shooter it identifies the shot.
    pub launch: Vec<ShotLaunch>,
    /// The impacts of this tick, in the order of the shots.
    #[serde(skip)]
    pub impacts: Vec<ProjectileImpact>,
    #[serde(skip)]
    hits: Vec<land::ProjectileHit>,
    /// Scratch: slots, rows and distances of those around a place.
    #[serde(skip)]
    around: Vec<(u32, u32, f32)>,
    #[serde(skip)]
    salvos: Vec<shoot::Salvo>,
}

/// When a shot was launched. No two shots of a shooter have the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShotLaunch {
    /// The tick.
    pub tick: u32,
    /// Its number in the salvo.
    pub number: u16,
}

impl Shots {
    /// How many are in the air.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True where none is.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// One more, from a place (m) with a velocity (m/s).
    pub fn launch(&mut self, position: Vec3, velocity: Vec3, by: Origin, launch: ShotLaunch) {
        self.position.push(position);
        self.velocity.push(velocity);
        self.by.push(by);
        self.launch.push(launch);
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        2 * self.position.capacity() * size_of::<Vec3>()
            + self.by.capacity() * size_of::<Origin>()
            + self.launch.capacity() * size_of::<ShotLaunch>()
            + self.impacts.capacity() * size_of::<ProjectileImpact>()
            + self.hits.capacity() * size_of::<land::ProjectileHit>()
            + self.salvos.capacity() * size_of::<shoot::Salvo>()
    }

    /// Removes the shots that have struck an obstacle; the others keep their order.
    fn clear_struck(&mut self) {
        let mut impacts = self.impacts.iter().map(|impact| impact.shot as usize).peekable();
        let mut kept = 0;
        for shot in 0..self.position.len() {
            if impacts.next_if_eq(&shot).is_some() {
                continue;
            }
            self.position[kept] = self.position[shot];
            self.velocity[kept] = self.velocity[shot];
            self.by[kept] = self.by[shot];
            self.launch[kept] = self.launch[shot];
            kept += 1;
        }
        self.position.truncate(kept);
        self.velocity.truncate(kept);
        self.by.truncate(kept);
        self.launch.truncate(kept);
    }
}
