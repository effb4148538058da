//! Velocities that avoid collisions.

use super::Surroundings;
use crate::crowd::models::{self, ModelFault, Rows};
use crate::crowd::{AgentView, Avoidance, PIECE, acceleration};
use rayon::prelude::*;
use throng_grid::geom::Vec2;

/// Reads weights; writes those of this tick: an agent that has arrived gives way, as if it weighed less. Local.
pub(super) fn yield_weights(settled: f32, weight: &[f32], wants: &[bool], yield_weight: &mut Vec<f32>) {
    let weigh = |(&weight, &wants): (&f32, &bool)| if wants { weight } else { weight * settled };
    weight.par_iter().zip(wants).with_min_len(PIECE).map(weigh).collect_into_vec(yield_weight);
}

/// Writes the model of each row, where units have different ones.
pub(super) fn models(around: &Surroundings<'_>, unit_of: &[u16], model_of: &mut Vec<Avoidance>) {
    let Surroundings { avoidance, usage, units, .. } = *around;
    model_of.clear();
    if !usage.single() {
        let model = |&unit: &u16| units[usize::from(unit)].avoidance.unwrap_or(avoidance.kind);
        unit_of.par_iter().with_min_len(PIECE).map(model).collect_into_vec(model_of);
    }
}

/// The rows of a model.
pub(super) fn rows_of<'a>(around: &Surroundings<'_>, kind: Avoidance, model_of: &'a [Avoidance]) -> Rows<'a> {
    if around.usage.single() { Rows::All } else { Rows::Of(kind, model_of) }
}

/// Reads preferred velocities, neighbours and walls; writes the new velocities (m/s), which avoid collisions. Local.
///
/// Each unit has its model, and its limit of acceleration. `unit_of` has the unit of each row where they differ, `model_of` its model.
///
/// # Errors
/// Where a model from outside breaks what it promises; all have a velocity all the same.
pub(super) fn avoid(
    around: &Surroundings<'_>,
    view: &AgentView<'_>,
    unit_of: &[u16],
    model_of: &[Avoidance],
    new_velocity: &mut [Vec2],
) -> Result<(), ModelFault> {
    let Surroundings { avoidance, usage, units, .. } = *around;
    let rows = |kind| rows_of(around, kind, model_of);
    // ORCA and gaps, the last of them, are written for all agents, and together: so they go first.
    let together = usage.uses(Avoidance::Gap);
    let is_written = |kind: Avoidance| usage.uses(kind) && !(together && kind == Avoidance::Orca);
    for kind in Avoidance::ALL.into_iter().rev().filter(|&kind| is_written(kind)) {
        models::avoid(kind, avoidance, view, rows(kind), new_velocity);
    }
    let model = around.model.filter(|_| usage.uses(Avoidance::Custom));
    let done =
        model.map_or(Ok(()), |model| model.avoid(view, rows(Avoidance::Custom), new_velocity, "model of avoidance"));
    if usage.limited {
        let limit = |row: usize| units[usize::from(unit_of[row])].acceleration;
        acceleration::limit(view.step, view.velocity, limit, new_velocity);
    }
    done
}
