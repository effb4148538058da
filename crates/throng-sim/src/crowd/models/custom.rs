//! A model of avoidance from outside this crate, or a stage before it.

use super::whole_crowd::{Rows, WholeCrowd, each};
use crate::crowd::AgentView;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_spatial::panicked;

/// A model of avoidance: how an agent moves next. Or a [stage](crate::world::Settings::stage) before it: how an agent would like to move.
///
/// Rows are worked on by several threads, in no particular order. A velocity must follow from the view, the row and the model
/// alone: no clock, no thread, no random number without a seed of these, and no order of a hash table may show in it. Then a
/// world has the same bytes whatever the threads and the index.
///
/// A velocity that is no finite number stops the body for the tick, and a panic stops all bodies of the model. The tick is done all
/// the same, and returns [`WorldError::Model`](crate::world::WorldError::Model), which names the model.
pub trait AvoidanceModel: Send + Sync {
    /// The next velocity (m/s) of the agent in `row`.
    fn new_velocity(&self, view: &AgentView<'_>, row: usize) -> Vec2;
}

impl<F: Fn(&AgentView<'_>, usize) -> Vec2 + Send + Sync> AvoidanceModel for F {
    fn new_velocity(&self, view: &AgentView<'_>, row: usize) -> Vec2 {
        self(view, row)
    }
}

impl<M: AvoidanceModel> WholeCrowd for M {
    fn avoid(&self, view: &AgentView<'_>, rows: Rows<'_>, new_velocity: &mut [Vec2]) {
        each(new_velocity, rows, |row| self.new_velocity(view, row));
    }
}

/// A model of avoidance from outside that broke what [`AvoidanceModel`] promises.
///
/// See [`World::tick`](crate::world::World::tick).
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the {what} {name:?} broke its promise: {fault}")]
#[non_exhaustive]
pub struct ModelFault {
    /// What it is: a "model of avoidance", a "stage".
    pub what: &'static str,
    /// Its name.
    pub name: String,
    /// What it did.
    pub fault: String,
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
/// use throng_sim::crowd::models::CustomModel;
/// use throng_sim::crowd::{AgentView, Avoidance, AvoidanceSettings};
/// use throng_sim::world::{Settings, World};
/// let polite = CustomModel::new("polite", |view: &AgentView<'_>, row: usize| {
///     if view.near.of(row).is_empty() { view.preferred_velocity[row] } else { Vec2::ZERO }
/// });
/// let avoidance = AvoidanceSettings::new(Avoidance::Custom);
/// let settings = Settings { avoidance, model: Some(polite), ..Settings::default() };
/// let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), settings)?;
/// let (all, walker) = (world.add_army("all")?, world.add_unit(Unit::default())?);
/// let places = [Vec2::new(4.5, 8.5), Vec2::new(6.5, 8.5), Vec2::new(24.5, 8.5)];
/// world.spawn_walkers(all, walker, &places, &places.map(|place| place + Vec2::Y * 9.0))?;
/// world.tick_until(|world| world.ticks() == 20)?;
/// let moved: Vec<bool> = world.positions().map(|(_, place)| place.y > 8.6).collect();
/// assert_eq!(moved, [false, false, true]);
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Serialize, Deserialize)]
#[serde(into = "String", from = "String")]
pub struct CustomModel {
    name: Arc<str>,
    model: Option<Arc<dyn WholeCrowd>>,
}

impl CustomModel {
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

    /// Writes `new_velocity` (m/s) of the chosen rows; `what` it is, for errors.
    ///
    /// # Errors
    /// Where the model panics, or gives a velocity that is no finite number.
    pub(crate) fn avoid(
        &self,
        view: &AgentView<'_>,
        rows: Rows<'_>,
        new_velocity: &mut [Vec2],
        what: &'static str,
    ) -> Result<(), ModelFault> {
        let Some(model) = &self.model else { return Ok(()) };
        let done = catch_unwind(AssertUnwindSafe(|| model.avoid(view, rows, new_velocity)));
        let fault = if let Err(panic) = done {
            each(new_velocity, rows, |_| Vec2::ZERO);
            Some(panicked(panic.as_ref()))
        } else {
            let wrong = |&row: &usize| rows.has(row) && !new_velocity[row].is_finite();
            let first = (0..new_velocity.len()).find(wrong);
            first.map(|row| format!("the velocity of agent {} is {}", view.slot[row], new_velocity[row]))
        };
        if let Some(fault) = fault {
            for velocity in new_velocity.iter_mut().filter(|velocity| !velocity.is_finite()) {
                *velocity = Vec2::ZERO;
            }
            return Err(ModelFault { what, name: self.name.to_string(), fault });
        }
        Ok(())
    }
}

impl From<String> for CustomModel {
    fn from(name: String) -> Self {
        Self { name: name.into(), model: None }
    }
}

impl From<CustomModel> for String {
    fn from(model: CustomModel) -> Self {
        model.name.to_string()
    }
}

impl PartialEq for CustomModel {
    /// Models are equal where their names are.
    fn eq(&self, other: &Self) -> bool {
        self.name == other.name
    }
}

impl fmt::Debug for CustomModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("CustomModel").field(&self.name).finish()
    }
}
