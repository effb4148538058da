//! What is measured in an area over time.

use super::MeasurementArea;
use super::pace::mean;
use serde::{Deserialize, Serialize};
use throng_sim::world::Frame;

/// The figures of a [`MeasurementArea`] in a frame.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct AreaFigures {
    /// Agents with their centres in it.
    pub agents: u64,
    /// Their number a square metre of the whole area, walls included.
    pub density: f64,
    /// Their mean speed (m/s), over those whose speed is known.
    pub speed: Option<f64>,
    /// Agents that have gone out of it so far: over its edge, or out of the world in it, but not by death.
    pub passed: u64,
}

/// Measures an area in each frame of a run.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{AreaMeter, MeasurementArea, Pace};
/// use throng_sim::world::Frame;
///
/// let door = MeasurementArea { centre: Vec2::new(20.0, 5.0), width: 4.0, height: 2.0 };
/// let (mut meter, mut pace) = (AreaMeter::new(door), Pace::default());
/// for tick in 0..4 {
///     let position = vec![Vec2::new(19.5 + tick as f32, 5.0)];
///     let frame = Frame { tick, time: tick as f64, id: vec![0], position, ..Frame::default() };
///     let figures = meter.see(&frame, pace.step(&frame));
///     assert_eq!((figures.agents, figures.passed), if tick < 3 { (1, 0) } else { (0, 1) });
/// }
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct AreaMeter {
    area: MeasurementArea,
    /// The numbers of those inside in the frame before, by id, and how many they were.
    inside: Vec<Option<u32>>,
    count: u64,
    passed: u64,
}

impl AreaMeter {
    /// Measures an area from the next frame on.
    pub fn new(area: MeasurementArea) -> Self {
        Self { area, inside: Vec::new(), count: 0, passed: 0 }
    }

    /// The area that it measures.
    pub fn area(&self) -> &MeasurementArea {
        &self.area
    }

    /// The next frame does not follow the last one: so many have passed until then.
    pub fn resume(&mut self, passed: u64) {
        self.inside.fill(None);
        (self.count, self.passed) = (0, passed);
    }

    /// The figures of the next frame, with the speed of each of its rows ([`Pace::step`](crate::Pace::step)); speeds that are missing are
    /// unknown. O(agents).
    pub fn see(&mut self, frame: &Frame, speeds: &[f64]) -> AreaFigures {
        let Self { area, inside, count, passed } = self;
        let (mut agents, mut stayed, mut out) = (0, 0, 0);
        for (row, (&id, &position)) in frame.id.iter().zip(&frame.position).enumerate() {
            let (id, is_inside) = (id as usize, area.contains(position));
            if id >= inside.len() {
                inside.resize(id + 1, None);
            }
            let person = frame.person_of(row);
            // Another with its id is gone.
            let was_inside = std::mem::replace(&mut inside[id], is_inside.then_some(person)) == Some(person);
            agents += u64::from(is_inside);
            stayed += u64::from(was_inside && is_inside);
            out += u64::from(was_inside && !is_inside);
        }
        // Those that are in the world no more.
        let gone = *count - stayed - out;
        if gone > 0 {
            let mut is_here = vec![false; inside.len()];
            frame.id.iter().for_each(|&id| is_here[id as usize] = true);
            inside.iter_mut().zip(is_here).for_each(|(inside, is_here)| *inside = inside.filter(|_| is_here));
        }
        let fallen = frame.fallen.iter().filter(|&&place| area.contains(place)).count() as u64;
        *passed += out + gone.saturating_sub(fallen);
        *count = agents;
        let known = frame.position.iter().zip(speeds).filter(|&(&position, _)| area.contains(position));
        let speed = mean(known.map(|(_, &speed)| speed));
        AreaFigures { agents, density: agents as f64 / area.square_metres(), speed, passed: *passed }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeSet;
    use throng_grid::geom::Vec2;

    const AREA: MeasurementArea = MeasurementArea { centre: Vec2::new(5.0, 5.0), width: 4.0, height: 4.0 };

    proptest! {
        /// As counted by sets of agents: those that come, go, die and leave the world.
        #[test]
        fn passed_are_those_that_were_in_and_are_not(
            steps in prop::collection::vec(prop::collection::vec((0..4_u8, 0.0..10.0_f32, 0.0..10.0_f32), 12), 1..12),
        ) {
            let mut meter = AreaMeter::new(AREA);
            let (mut before, mut passed) = (BTreeSet::new(), 0);
            let mut places = [Vec2::NAN; 12];
            for step in steps {
                let (mut frame, mut left) = (Frame::default(), 0);
                for (id, (does, x, y)) in step.into_iter().enumerate() {
                    let was_inside = before.contains(&id);
                    match does {
                        // It dies where it is.
                        0 if was_inside => frame.fallen.push(places[id]),
                        // It leaves the world.
                        1 if was_inside => left += 1,
                        0 | 1 => {}
                        _ => {
                            places[id] = Vec2::new(x, y);
                            frame.id.push(id as u32);
                            frame.position.push(places[id]);
                        }
                    }
                }
                let here: BTreeSet<usize> = frame.id.iter().map(|&id| id as usize).collect();
                let inside: BTreeSet<usize> = here.iter().copied().filter(|&id| AREA.contains(places[id])).collect();
                passed += left + before.intersection(&here).filter(|&id| !inside.contains(id)).count() as u64;
                let figures = meter.see(&frame, &[]);
                prop_assert_eq!((figures.agents, figures.passed), (inside.len() as u64, passed));
                prop_assert_eq!((figures.density, figures.speed), (inside.len() as f64 / 16.0, None));
                before = inside;
            }
        }
    }

    #[test]
    fn after_a_jump_nobody_has_passed_by_it() {
        let mut meter = AreaMeter::new(AREA);
        let frame = |x| Frame { id: vec![3], position: vec![Vec2::new(x, 5.0)], ..Frame::default() };
        assert_eq!(meter.see(&frame(5.0), &[]).passed, 0);
        assert_eq!(meter.see(&frame(9.0), &[]).passed, 1);
        meter.see(&frame(5.0), &[]);
        meter.resume(7);
        assert_eq!(meter.see(&frame(9.0), &[]).passed, 7);
    }
}
