//! A model of avoidance from outside this crate.

use super::each;
use crate::crowd::Crowd;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer};
use throng_spatial::Near;

/// The columns that a model of avoidance may read in a tick. Rows are indices into the columns.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct AvoidanceView<'a> {
    /// Length of the tick (s).
    pub step: f32,
    /// The map.
    pub grid: &'a Grid,
    /// The distance of each cell of the map to the nearest wall (m).
    pub clearance: &'a Layer<f32>,
    /// Position of each agent (m).
    pub position: &'a [Vec2],
    /// How it moves (m/s).
    pub velocity: &'a [Vec2],
    /// The velocity at which it would move if it were alone (m/s).
    pub preferred_velocity: &'a [Vec2],
    /// Its radius (m).
    pub radius: &'a [f32],
    /// Its greatest speed (m/s).
    pub top_speed: &'a [f32],
    /// Its weight: of two agents the lighter one gives way more.
    pub weight: &'a [f32],
    /// Its slot, which never changes while it lives.
    pub slot: &'a [u32],
    /// The rows of its neighbours, nearest first.
    pub near: &'a Near,
}

/// A model of avoidance: how an agent moves next.
///
/// Rows are worked on by several threads, in no particular order. A velocity must follow from the view, the row and the model
/// alone: no clock, no thread, no random number without a seed of these, and no order of a hash table may show in it. Then a
/// world has the same bytes whatever the threads and the index. A velocity that is no finite number ends the tick with an error.
pub trait AvoidanceModel: Send + Sync {
    /// The next velocity (m/s) of the agent in `row`.
    fn new_velocity(&self, view: &AvoidanceView<'_>, row: usize) -> Vec2;
}

impl<F: Fn(&AvoidanceView<'_>, usize) -> Vec2 + Send + Sync> AvoidanceModel for F {
    fn new_velocity(&self, view: &AvoidanceView<'_>, row: usize) -> Vec2 {
        self(view, row)
    }
}

/// Writes the velocities of a choice of rows: the only call that is dynamic.
trait WholeCrowd: Send + Sync {
    fn avoid(&self, view: &AvoidanceView<'_>, chosen: &(dyn Fn(usize) -> bool + Sync), next: &mut [Vec2]);
}

impl<M: AvoidanceModel> WholeCrowd for M {
    fn avoid(&self, view: &AvoidanceView<'_>, chosen: &(dyn Fn(usize) -> bool + Sync), next: &mut [Vec2]) {
        each(next, chosen, |row| self.new_velocity(view, row));
    }
}

/// A model of avoidance from outside, with the name by which snapshots know it.
///
/// Agents move by it where their unit or their world names [`Avoidance::Custom`](crate::crowd::Avoidance::Custom). Of what is read
/// from a snapshot only the name is known: the model must be given again.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::Unit;
/// use throng_sim::crowd::models::{AvoidanceView, CustomAvoidance};
/// use throng_sim::crowd::{Avoidance, AvoidanceSettings};
/// use throng_sim::world::{Settings, World};
/// let polite = CustomAvoidance::new("polite", |view: &AvoidanceView<'_>, row: usize| {
///     if view.near.of(row).is_empty() { view.preferred_velocity[row] } else { Vec2::ZERO }
/// });
/// let avoidance = AvoidanceSettings::new(Avoidance::Custom);
/// let settings = Settings { avoidance, model: Some(polite), ..Settings::default() };
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), settings)?;
/// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
/// let places = [Vec2::new(4.5, 8.5), Vec2::new(6.5, 8.5), Vec2::new(24.5, 8.5)];
/// world.walkers(all, walker, &places, &places.map(|place| place + Vec2::Y * 9.0))?;
/// world.tick_until(|world| world.ticks() == 20)?;
/// let moved: Vec<bool> = world.positions().map(|(_, place)| place.y > 8.6).collect();
/// assert_eq!(moved, [false, false, true]);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct CustomAvoidance {
    name: Arc<str>,
    model: Option<Arc<dyn WholeCrowd>>,
}

impl CustomAvoidance {
    /// A model under a name.
    pub fn new(name: impl Into<Arc<str>>, model: impl AvoidanceModel + 'static) -> Self {
        Self { name: name.into(), model: Some(Arc::new(model)) }
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// True where only its name is known.
    pub fn is_missing(&self) -> bool {
        self.model.is_none()
    }

    /// Writes `next` (m/s) of the chosen awake rows.
    pub(crate) fn avoid(
        &self,
        step: f32,
        (grid, clearance): (&Grid, &Layer<f32>),
        near: &Near,
        chosen: impl Fn(usize) -> bool + Sync,
        crowd: &mut Crowd,
    ) {
        let Some(model) = &self.model else { return };
        let awake = crowd.awake();
        let Crowd { position, velocity, wish, next, radius, top_speed, weight, slot, .. } = crowd;
        let view = AvoidanceView {
            step,
            grid,
            clearance,
            position,
            velocity,
            preferred_velocity: wish,
            radius,
            top_speed,
            weight,
            slot,
            near,
        };
        model.avoid(&view, &chosen, &mut next[..awake]);
    }
}

impl From<String> for CustomAvoidance {
    fn from(name: String) -> Self {
        Self { name: name.into(), model: None }
    }
}

impl From<CustomAvoidance> for String {
    fn from(model: CustomAvoidance) -> Self {
        model.name.to_string()
    }
}

impl PartialEq for CustomAvoidance {
    /// Models are equal where their names are.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for CustomAvoidance {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomAvoidance").field(&self.name).finish()
    }
}
