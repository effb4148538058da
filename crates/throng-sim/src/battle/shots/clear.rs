//! Whether shots can go over walls.

use super::aim::{CHEST, HAND, SLOPES, fall, lob};
use crate::battle::{CombatView, Unit};
use throng_grid::geom::Vec2;

/// How long the chords are by which the steepest arc is tried on the walls (s).
const CHORD_S: f32 = 0.1;

/// True where some arc of the shots of a unit goes over the walls between one place and another (m) in its range: then the steepest
/// does. Reads walls alone; O(cells under the arc).
pub(in crate::battle) fn clears_walls(field: &CombatView<'_>, unit: &Unit, at: Vec2, target: usize) -> bool {
    let (crowd, skyline) = (field.crowd, field.skyline());
    let place = crowd.rows.position[target];
    let Some(ranged) = unit.ranged.as_ref().filter(|ranged| at.distance(place) < ranged.range) else { return false };
    let chest = CHEST * field.units[usize::from(crowd.slots.unit[crowd.rows.slot[target] as usize])].height;
    let from = at.extend(skyline.ground(at) + HAND * unit.height);
    let to = place.extend(skyline.ground(place) + chest);
    let [.., steepest] = SLOPES;
    let Some(aimed) = lob(from, to, ranged.speed, steepest) else { return false };
    let (mut at, mut velocity, mut left) = (from, aimed.velocity, aimed.time);
    while left > 1e-3 {
        let time = left.min(CHORD_S);
        let (next, slower) = fall(at, velocity, time);
        if skyline.raycast(at, next).is_some() {
            return false;
        }
        (at, velocity, left) = (next, slower, left - time);
    }
    true
}
