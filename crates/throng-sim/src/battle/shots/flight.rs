//! The first obstacle on the path of a shot.

use crate::battle::targets::touching;
use crate::battle::{CombatView, Relation, bodies};
use crate::ids::ArmyId;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, HeightField, walls};
use throng_spatial::Bodies;
use throng_spatial::volume::{Aabb, Cylinder, Ray};

/// All that shots may strike: the agents, the ground and its walls.
#[derive(Clone, Copy, Debug)]
pub struct ProjectileView<'a> {
    /// The battle.
    pub field: &'a CombatView<'a>,
    /// The positions of the awake agents when they were indexed, by row (m): they go straight from there to where they are.
    pub stood: &'a [Vec2],
    /// The most that any of them has gone (m).
    pub gone: f32,
    /// The health of all agents, by slot: shots pass the dead.
    pub health: &'a [f32],
    /// The height of the tallest unit (m).
    pub tallest: f32,
    /// Whether shots hit friends and neutrals.
    pub friendly_fire: bool,
}

/// An obstacle that a shot has struck.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Obstacle {
    /// An agent, by its row.
    Body(u32),
    /// The ground, or a wall.
    Cell(Cell),
    /// Nothing: it has left the map.
    Beyond,
}

/// The impact of a shot on an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ProjectileImpact {
    /// Index of the shot.
    pub shot: u32,
    /// When, as a share of the tick.
    pub time: f64,
    /// Place (m).
    pub at: Vec3,
    /// The obstacle.
    pub what: Obstacle,
}

impl ProjectileView<'_> {
    /// The bodies as they were indexed.
    pub(super) fn bodies(&self) -> Bodies<'_, 2> {
        Bodies { position: bytemuck::cast_slice(self.stood), ..bodies(self.field.crowd) }
    }

    /// The ground with its walls.
    pub fn skyline(&self) -> HeightField<'_> {
        self.field.skyline()
    }

    /// The first obstacle on the straight path from one point to another (m) in the time of a tick: when, and which. The shooter
    /// is in a slot, of an army. Ties go to the smaller slot, and to bodies before walls.
    ///
    /// A body is an upright cylinder that moves straight and evenly through the tick.
    pub fn first_struck(&self, from: Vec3, to: Vec3, by: u32, army: ArmyId) -> Option<(f64, Obstacle)> {
        let crowd = self.field.crowd;
        let skyline = self.skyline();
        let landing = skyline.raycast(from, to);
        let mut best = (landing.map_or(1.0, |landing| landing.time), u32::MAX, None);
        // On uneven ground others may stand higher.
        let reaches_down = self.field.grid.height_layer().is_some() || from.z.min(to.z) < self.tallest;
        if reaches_down {
            let mut test = |row: u32, stood: Vec2| {
                let row = row as usize;
                let slot = crowd.rows.slot[row];
                if slot == by || self.health[slot as usize] <= 0.0 || !self.hits(army, crowd.rows.army_of(row)) {
                    return;
                }
                let low = skyline.ground(stood);
                let high = low + self.field.units[usize::from(crowd.slots.unit[slot as usize])].height;
                let body = Cylinder { centre: stood.to_array(), radius: crowd.rows.radius[row], low, high };
                let mut ray = Ray::between(from.to_array(), to.to_array());
                let motion = crowd.rows.position[row] - stood;
                ray.along[0] -= f64::from(motion.x);
                ray.along[1] -= f64::from(motion.y);
                if let Some(hit) = ray.hit_cylinder(&body)
                    && (hit.time, slot) < (best.0, best.1)
                {
                    best = (hit.time, slot, Some(row as u32));
                }
            };
            let (a, b) = (from.truncate(), to.truncate());
            let region = Aabb { low: (a.min(b) - self.gone).to_array(), high: (a.max(b) + self.gone).to_array() };
            touching(self.field, self.bodies(), &region, &mut |row| test(row, self.stood[row as usize]));
            if !self.field.sleepers.is_empty() {
                let (middle, reach) = (a.midpoint(b), 0.5 * a.distance(b));
                self.field.sleepers.around(crowd, middle, reach, 1e-3 * (1.0 + reach), |slot| {
                    let row = crowd.slots.row_of[slot as usize];
                    test(row, crowd.rows.position[row as usize]);
                });
            }
        }
        match (best.2, landing) {
            (Some(row), _) => Some((best.0, Obstacle::Body(row))),
            (None, Some(landing)) => Some((landing.time, landing.cell.map_or(Obstacle::Beyond, Obstacle::Cell))),
            (None, None) => None,
        }
    }

    /// True where shots of one army hit soldiers of another.
    pub(super) fn hits(&self, army: ArmyId, other: ArmyId) -> bool {
        self.friendly_fire || self.field.relations.of(army, other) == Relation::Enemy
    }

    /// Writes `(slot, row, distance)` of all living agents whose bodies are nearer than `reach` to a point (m), in the order of the slots.
    pub(super) fn around(&self, point: Vec3, reach: f32, found: &mut Vec<(u32, u32, f32)>) {
        let crowd = self.field.crowd;
        let skyline = self.skyline();
        found.clear();
        let mut offer = |row: u32| {
            let at = crowd.rows.position[row as usize];
            let slot = crowd.rows.slot[row as usize];
            let low = skyline.ground(at);
            let high = low + self.field.units[usize::from(crowd.slots.unit[slot as usize])].height;
            let body = Cylinder { centre: at.to_array(), radius: crowd.rows.radius[row as usize], low, high };
            let distance = body.distance_squared(point.to_array()).sqrt() as f32;
            let shielded = || !walls::line_of_sight(self.field.grid, self.field.clearance, point.truncate(), at, 0.0);
            if distance < reach && self.health[slot as usize] > 0.0 && !shielded() {
                found.push((slot, row, distance));
            }
        };
        let place = point.truncate();
        let region = Aabb { low: (place - reach - self.gone).to_array(), high: (place + reach + self.gone).to_array() };
        touching(self.field, self.bodies(), &region, &mut offer);
        self.field.sleepers.around(crowd, place, reach, 1e-3, |slot| offer(crowd.slots.row_of[slot as usize]));
        found.sort_unstable_by_key(|&(slot, ..)| slot);
    }
}
