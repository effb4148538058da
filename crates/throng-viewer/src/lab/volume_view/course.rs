//! A volley and its tests, step by step.

use super::figure::lifted;
use super::solids::Drawn;
use super::state::{DrawnBody, DrawnCone, DrawnShot, HitMark, VolumeState};
use super::{VolumeTally, VolumeTrial};
use glam::Vec3;
use std::ops::ControlFlow;
use throng_spatial::volume::{Aabb, Shape2, Shape3, VolumeError};
use throng_spatial::{Border, Cone, Index, IndexKind, Octree, SpatialError, SpatialIndex, Volley};

/// Frames that show a step.
const FRAMES_PER_STEP: u32 = 24;
/// Half the angle of the view cone (radians), and its range as a share of the side.
const CONE_HALF_ANGLE_RAD: f32 = 0.45;
const CONE_RANGE_SHARE: f32 = 0.48;
/// How far the cone turns in a frame (radians).
const CONE_TURN_PER_FRAME_RAD: f32 = 0.008;

/// A hit of the step under way: when, where, and whether sub-steps miss it.
#[derive(Clone, Copy, Debug)]
struct StepHit {
    shot: u32,
    time: f32,
    at: Vec3,
    tunnelled: bool,
}

/// Why a volley cannot go on.
#[derive(Debug, thiserror::Error)]
pub(super) enum CourseError {
    #[error(transparent)]
    Volley(#[from] VolumeError),
    #[error(transparent)]
    Index(#[from] SpatialError),
}

/// A trial in the plane or in space.
pub(super) trait VolumeCourse: Send {
    /// Shows the next part of the step; the next step after the last part.
    fn go_on(&mut self) -> Result<(), CourseError>;
    /// Shows the end of the step, or of the next one where it is there.
    fn finish(&mut self) -> Result<(), CourseError>;
    /// Takes other settings of the same volley.
    fn set(&mut self, trial: VolumeTrial) -> Result<(), CourseError>;
    fn show(&self, state: &mut VolumeState);
}

/// A course, in the plane or in space.
pub(super) fn course(trial: VolumeTrial) -> Result<Box<dyn VolumeCourse>, CourseError> {
    Ok(if trial.space {
        Box::new(Flight::<3, Shape3, _>::new(trial, Octree::new(Border::Parent))?)
    } else {
        Box::new(Flight::<2, Shape2, _>::new(trial, Index::new(IndexKind::Quadtree))?)
    })
}

/// The volley, the index of its bodies, and the step under way.
struct Flight<const D: usize, S, I> {
    trial: VolumeTrial,
    volley: Volley<D, S>,
    index: I,
    near: Vec<(u32, u32)>,
    /// The pairs among them that the shots heed.
    heeded: Vec<(u32, u32)>,
    hits: Vec<StepHit>,
    before: Vec<StepHit>,
    /// How much of its way each shot makes.
    shares: Vec<f64>,
    /// Parts of the step that are over.
    part: u32,
    frame: u64,
    tally: VolumeTally,
}

impl<const D: usize, S: Drawn<D>, I: SpatialIndex<D>> Flight<D, S, I> {
    fn new(trial: VolumeTrial, index: I) -> Result<Self, CourseError> {
        let volley = Volley::new(trial.shapes.clamp(2, VolumeTrial::MAX_SHAPES), trial.speed, trial.seed)?;
        let mut flight = Self {
            trial,
            volley,
            index,
            near: Vec::new(),
            heeded: Vec::new(),
            hits: Vec::new(),
            before: Vec::new(),
            shares: Vec::new(),
            part: 0,
            frame: 0,
            tally: VolumeTally::default(),
        };
        flight.begin()?;
        Ok(flight)
    }

    /// Tests the step that begins.
    fn begin(&mut self) -> Result<(), CourseError> {
        self.part = 0;
        self.index.update(self.volley.bodies())?;
        self.volley.near(&self.index, &mut self.near);
        std::mem::swap(&mut self.hits, &mut self.before);
        self.hits.clear();
        self.heeded.clear();
        for &pair in &self.near {
            let Some(hit) = self.volley.hit(pair) else { continue };
            let tunnelled = !self.volley.meets(pair, self.trial.substeps);
            if !(tunnelled && self.trial.tunnels) {
                self.heeded.push(pair);
            }
            let time = hit.time as f32;
            let at = lifted(hit.point) + lifted(self.volley.body_motion[pair.1 as usize]) * time;
            self.hits.push(StepHit { shot: pair.0, time, at, tunnelled });
        }
        self.shares = self.volley.shares(&self.heeded, self.trial.response);
        // The shot does not reach bodies behind the end of its way.
        let shares = &self.shares;
        self.hits.retain(|hit| hit.time <= shares[hit.shot as usize] as f32);
        self.tally.steps += 1;
        self.tally.pairs += self.near.len() as u64;
        self.tally.hits += self.hits.len() as u64;
        self.tally.tunnelled += self.hits.iter().filter(|hit| hit.tunnelled).count() as u64;
        Ok(())
    }

    /// The view cone from the middle, which turns.
    fn cone(&self) -> Cone<D> {
        let (sin, cos) = libm::sincosf(CONE_TURN_PER_FRAME_RAD * (self.frame % 100_000) as f32);
        let direction = std::array::from_fn(|axis| [cos, sin, 0.0][axis.min(2)]);
        let side = self.volley.side;
        Cone { apex: [0.5 * side; D], direction, half_angle: CONE_HALF_ANGLE_RAD, range: CONE_RANGE_SHARE * side }
    }
}

impl<const D: usize, S: Drawn<D>, I: SpatialIndex<D>> VolumeCourse for Flight<D, S, I> {
    fn go_on(&mut self) -> Result<(), CourseError> {
        self.frame += 1;
        self.part += 1;
        if self.part > FRAMES_PER_STEP {
            self.volley.advance(&self.heeded, self.trial.response);
            self.begin()?;
        }
        Ok(())
    }

    fn finish(&mut self) -> Result<(), CourseError> {
        self.go_on()?;
        while self.part < FRAMES_PER_STEP {
            self.go_on()?;
        }
        Ok(())
    }

    fn set(&mut self, trial: VolumeTrial) -> Result<(), CourseError> {
        if trial.speed != self.trial.speed {
            self.volley.set_speed(trial.speed);
        }
        self.trial = trial;
        self.tally = VolumeTally::default();
        // The step begins anew with the new settings.
        self.near.clear();
        self.hits.clear();
        self.begin()
    }

    fn show(&self, state: &mut VolumeState) {
        let Self { trial, volley, frame, tally, .. } = self;
        let phase = self.part as f32 / FRAMES_PER_STEP as f32;
        (state.trial, state.frame, state.side, state.phase) = (*trial, *frame, volley.side, phase);
        state.tally = *tally;
        let cone = self.cone();
        let mut seen = vec![false; volley.bodies.len()];
        let _: ControlFlow<()> = self.index.cone(volley.bodies(), &cone, |row, _| {
            seen[row as usize] = true;
            ControlFlow::Continue(())
        });
        state.seen = seen.iter().filter(|&&seen| seen).count();
        state.cone = DrawnCone {
            apex: lifted(cone.apex),
            direction: lifted(cone.direction),
            half_angle: cone.half_angle,
            range: cone.range,
        };
        state.bodies.clear();
        for (row, (body, &motion)) in volley.bodies.iter().zip(&volley.body_motion).enumerate() {
            let figure = body.figure().moved(lifted(motion) * phase);
            state.bodies.push(DrawnBody { figure, kind: row % S::KINDS.len(), seen: seen[row] });
        }
        state.shots.clear();
        for ((shot, &motion), &share) in volley.shots.iter().zip(&volley.shot_motion).zip(&self.shares) {
            let (from, motion) = (lifted(shot.centre), lifted(motion));
            let share = share as f32;
            let parts = (0..=trial.substeps).map(|step| step as f32 / trial.substeps as f32);
            let tested = parts.take_while(|&part| part <= share).map(|part| from + motion * part).collect();
            let way = [from, from + motion * phase.min(share), from + motion * share];
            state.shots.push(DrawnShot { way, tested, radius: shot.radius });
        }
        state.hits.clear();
        let old = self.before.iter().map(|hit| (hit, 0.5 - 0.5 * phase));
        let new = self.hits.iter().filter(|hit| hit.time <= phase).map(|hit| (hit, 1.0));
        for (hit, strength) in old.chain(new) {
            state.hits.push(HitMark { at: hit.at, tunnelled: hit.tunnelled, strength });
        }
        state.cells.clear();
        let everywhere = Aabb { low: [f32::MIN; D], high: [f32::MAX; D] };
        let _ = self.index.cells(&everywhere, |cell, _| {
            state.cells.push([lifted(cell.low), lifted(cell.high)]);
            ControlFlow::Continue(())
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(course: &dyn VolumeCourse) -> VolumeState {
        let mut state = VolumeState::default();
        course.show(&mut state);
        state
    }

    #[test]
    fn steps_are_shown_in_parts_and_more_sub_steps_miss_less() {
        for space in [false, true] {
            let mut missed = Vec::new();
            for substeps in [1, 4, 64] {
                let trial = VolumeTrial { space, substeps, ..VolumeTrial::default() };
                let mut course = course(trial).unwrap();
                course.go_on().unwrap();
                let first = shown(&*course);
                assert!(
                    first.phase > 0.0 && first.phase < 0.1 && first.bodies.len() == 300 && first.shots.len() == 100
                );
                assert!(first.seen > 5 && first.seen < 100 && first.cells.len() > 10, "{}", first.seen);
                assert_eq!(first.seen, first.bodies.iter().filter(|body| body.seen).count());
                for step in 1..=20 {
                    course.finish().unwrap();
                    let state = shown(&*course);
                    assert_eq!((state.tally.steps, state.phase), (step, 1.0));
                }
                let state = shown(&*course);
                assert!(!state.hits.is_empty() && state.tally.hits > 20, "{:?}", state.tally);
                missed.push((state.tally.hits, state.tally.tunnelled));
            }
            // All heed the continuous test, so that the shots fly the same ways.
            assert!(missed[0].0 == missed[2].0 && missed[0].1 > missed[1].1 && missed[1].1 > missed[2].1, "{missed:?}");
        }
    }

    #[test]
    fn shots_that_heed_sub_steps_fly_through_what_these_miss() {
        let trial = VolumeTrial { substeps: 1, tunnels: true, ..VolumeTrial::default() };
        let mut course = course(trial).unwrap();
        course.finish().unwrap();
        let ways =
            |state: &VolumeState| -> f32 { state.shots.iter().map(|shot| shot.way[0].distance(shot.way[2])).sum() };
        let through = ways(&shown(&*course));
        course.set(VolumeTrial { tunnels: false, ..trial }).unwrap();
        assert!(through > 1.02 * ways(&shown(&*course)), "{through}");
        assert_eq!(shown(&*course).tally.steps, 1);
        course.set(VolumeTrial { speed: 5.0, ..trial }).unwrap();
        assert!(ways(&shown(&*course)) < 0.5 * through);
    }
}
