//! Arrows, bolts and stones in the air.

mod aim;
mod flight;
mod land;
mod shoot;
#[cfg(test)]
mod tests;

pub use aim::{Aimed, lob, straight};
pub use flight::{Air, Obstacle, Struck};
pub use land::{fly, land};
pub use shoot::shoot;

use super::Origin;
use crate::geom::Vec3;
use serde::{Deserialize, Serialize};

/// The columns of the shots in the air, in the order in which they were shot.
///
/// z is the height above the height 0 of the map (m).
///
/// ```
/// use throng::battle::{Origin, Shots};
/// use throng::crowd::AgentId;
/// use throng::geom::Vec3;
/// let mut shots = Shots::default();
/// let by = Origin { who: AgentId { slot: 0, generation: 0 }, army: 0, unit: 0, squad: 0 };
/// shots.launch(Vec3::new(4.0, 4.0, 1.5), Vec3::new(30.0, 0.0, 10.0), by);
/// assert_eq!(shots.len(), 1);
/// ```
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Shots {
    /// Where each is (m).
    pub position: Vec<Vec3>,
    /// Its velocity (m/s).
    pub velocity: Vec<Vec3>,
    /// Whose it is.
    pub by: Vec<Origin>,
    /// What was struck in this tick, in the order of the shots.
    #[serde(skip)]
    pub struck: Vec<Struck>,
    #[serde(skip)]
    hits: Vec<land::Hit>,
    /// Scratch: slots, rows and distances of those around a place.
    #[serde(skip)]
    around: Vec<(u32, u32, f32)>,
    #[serde(skip)]
    launched: Vec<shoot::Launch>,
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
    pub fn launch(&mut self, position: Vec3, velocity: Vec3, by: Origin) {
        self.position.push(position);
        self.velocity.push(velocity);
        self.by.push(by);
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        2 * self.position.capacity() * size_of::<Vec3>()
            + self.by.capacity() * size_of::<Origin>()
            + self.struck.capacity() * size_of::<Struck>()
            + self.hits.capacity() * size_of::<land::Hit>()
            + self.launched.capacity() * size_of::<shoot::Launch>()
    }

    /// Takes out those that have struck something; the others keep their order.
    fn clear_struck(&mut self) {
        let mut struck = self.struck.iter().map(|struck| struck.shot as usize).peekable();
        let mut kept = 0;
        for shot in 0..self.position.len() {
            if struck.next_if_eq(&shot).is_some() {
                continue;
            }
            self.position[kept] = self.position[shot];
            self.velocity[kept] = self.velocity[shot];
            self.by[kept] = self.by[shot];
            kept += 1;
        }
        self.position.truncate(kept);
        self.velocity.truncate(kept);
        self.by.truncate(kept);
    }
}
