//! One scene, from beginning to end.

use super::{CrowdScene, DoorFlow, ExperimentError, Finish, Meter, Quality, lane_order};
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_sim::world::{Settings, as_written};

/// The result of a scene.
///
/// See [`observe`].
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Outcome {
    /// How well the crowd got through.
    pub quality: Quality,
    /// The flow through the door, where there is one.
    pub door: Option<DoorFlow>,
    /// Mean order of the lanes while both crowds meet, where there is a corridor.
    pub lanes: Option<f64>,
    /// Time that the ticks took (s), on the threads of the world.
    pub ticking: f64,
}

/// Runs a scene for so many seconds of its time and measures every tick. Agents that arrive stay.
///
/// # Errors
/// Where the world refuses the settings.
///
/// ```
/// use throng_lab::experiment::{CrowdKind, CrowdScene, observe};
/// use throng_sim::world::Settings;
/// let scene = CrowdScene::new(CrowdKind::Rand15, 50, 1)?;
/// let outcome = observe(&scene, Settings { step: 0.1, threads: 1, ..Settings::default() }, 60.0)?;
/// assert!(outcome.quality.arrived > 90.0, "{outcome:?}");
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
pub fn observe(scene: &CrowdScene, settings: Settings, seconds: f32) -> Result<Outcome, ExperimentError> {
    let step = as_written(settings.step);
    let mut world = scene.world(settings)?;
    let mut meter = Meter::new(&scene.starts, &scene.finish, scene.unit.radius, scene.unit.speed);
    let mut place = vec![Vec2::ZERO; scene.len()];
    let (mut order, mut ordered) = (0.0, 0_u32);
    let mut ticking = Duration::ZERO;
    let ticks = (f64::from(seconds) / step).round() as u64;
    for tick in 0..ticks {
        world.tick()?;
        ticking += Duration::from_secs_f64(f64::from(world.profile().total_ms()) * 1e-3);
        for (id, at) in world.positions() {
            place[id.slot as usize] = at;
        }
        meter.frame(tick as f64 * step, &place)?;
        if let Some(now) = scene.lanes.and_then(|stretch| order_between(scene, stretch, &place)) {
            order += now;
            ordered += 1;
        }
    }
    let times: Vec<f64> = meter.arrivals().iter().flatten().copied().collect();
    Ok(Outcome {
        quality: meter.quality(),
        door: scene.door.map(|width| DoorFlow::of(&times, f64::from(width))),
        lanes: (ordered > 0).then(|| order / f64::from(ordered)),
        ticking: ticking.as_secs_f64(),
    })
}

/// The order of the lanes in a stretch along x.
fn order_between(scene: &CrowdScene, (from, to): (f32, f32), place: &[Vec2]) -> Option<f64> {
    let (mut right, mut left) = (Vec::new(), Vec::new());
    for ((&at, start), finish) in place.iter().zip(&scene.starts).zip(&scene.finish) {
        if (from..to).contains(&at.x) {
            match finish {
                Finish::Near { goal, .. } if goal.x < start.x => left.push(at),
                _ => right.push(at),
            }
        }
    }
    lane_order(&right, &left)
}
