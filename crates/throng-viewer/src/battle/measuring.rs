//! Areas in which a crowd is measured while it goes on.

use super::marks::Marker;
use super::samples::{AtTick, Samples};
use crate::draw::overlay;
use crate::draw::palette;
use crate::draw::style;
use egui::{Align2, Color32, Rect, Stroke, StrokeKind, vec2};
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_record::{AreaFigures, AreaMeter, MeasurementArea, Pace};
use throng_sim::world::Frame;

/// The greatest number of areas.
pub(super) const MAX_AREAS: usize = 8;

/// A flow is a mean over this time (s).
const FLOW_TIME_S: f64 = 2.0;

/// An area with its number, from 1.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct NumberedArea {
    pub number: u8,
    pub area: MeasurementArea,
}

/// What was measured in an area at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct AreaSample {
    pub tick: u64,
    /// The time (s).
    pub time: f64,
    pub figures: AreaFigures,
    /// Agents a second that went out of it, over the last two seconds; `None` where that is not known yet.
    pub flow: Option<f64>,
}

impl AtTick for AreaSample {
    fn tick(&self) -> u64 {
        self.tick
    }
}

/// What was measured in an area over time.
#[derive(Clone, Debug)]
pub(crate) struct AreaCurve {
    pub of: NumberedArea,
    pub samples: Samples<AreaSample>,
    /// That of the tick that is shown.
    pub now: Option<AreaSample>,
}

/// All that was measured, in the order in which the areas were drawn.
pub(super) type Measurements = Arc<Vec<AreaCurve>>;

/// The colour of an area.
pub(super) fn ink(number: u8) -> Color32 {
    crate::draw::ink::color(palette::army(usize::from(number) + 1))
}

/// Draws the areas over the map, each with its number.
pub(super) fn draw(marker: &Marker<'_>, areas: &[NumberedArea]) {
    for &NumberedArea { number, area } in areas {
        let half = Vec2::new(area.width, area.height) * 0.5;
        let place = Rect::from_two_pos(marker.at(area.centre - half), marker.at(area.centre + half));
        marker.painter.rect_stroke(place, 0.0, Stroke::new(4.0, Color32::from_black_alpha(110)), StrokeKind::Middle);
        marker.painter.rect_stroke(place, 0.0, Stroke::new(2.0, ink(number)), StrokeKind::Middle);
        let at = place.left_top() + vec2(4.0, 4.0);
        overlay::plate(marker.painter, &number.to_string(), at, Align2::LEFT_TOP, style::BRIGHT);
    }
}

/// Measures areas on the thread of the simulation.
#[derive(Debug, Default)]
pub(super) struct Meters {
    /// One for each curve.
    of_areas: Vec<AreaMeter>,
    pace: Pace,
    /// The last tick that was measured.
    tick: Option<u64>,
    curves: Measurements,
}

impl Meters {
    /// What was measured so far.
    pub fn curves(&self) -> &Measurements {
        &self.curves
    }

    /// Measures these areas, and forgets all others. After a jump in time nobody has passed. O(areas · agents).
    pub fn measure(&mut self, areas: &[NumberedArea], frame: &Frame, jumped: bool) {
        self.choose(areas);
        if areas.is_empty() {
            (self.tick, self.pace) = (None, Pace::default());
            return;
        }
        let is_same = self.tick == Some(frame.tick);
        let changed = !is_same || !self.pace.holds(frame);
        if jumped && changed || self.tick.is_none() {
            self.pace = Pace::default();
        }
        if changed {
            self.pace.step(frame);
        }
        self.tick = Some(frame.tick);
        for (meter, curve) in self.of_areas.iter_mut().zip(Arc::make_mut(&mut self.curves)) {
            if !changed && curve.now.is_some() {
                continue;
            }
            if jumped || is_same {
                // The state at this tick is another than before, or follows nothing.
                let passed = curve.samples.at(frame.tick).filter(|sample| sample.tick <= frame.tick);
                meter.resume(passed.map_or(0, |sample| sample.figures.passed));
            }
            let mut figures = meter.see(frame, self.pace.speeds());
            // After a jump it was known the first time.
            let known = curve.samples.at(frame.tick).filter(|sample| jumped && sample.tick == frame.tick);
            figures.speed = figures.speed.or(known.and_then(|sample| sample.figures.speed));
            let flow = flow(&curve.samples, frame.time, figures.passed);
            let sample = AreaSample { tick: frame.tick, time: frame.time, figures, flow };
            curve.samples.note(sample);
            curve.now = Some(sample);
        }
    }

    /// Forgets what was measured after a tick.
    pub fn forget_after(&mut self, tick: u64) {
        if !self.curves.is_empty() {
            for curve in Arc::make_mut(&mut self.curves) {
                curve.samples.forget_after(tick);
            }
        }
    }

    /// Keeps the meters of these areas, and adds those that are missing.
    fn choose(&mut self, areas: &[NumberedArea]) {
        if self.curves.iter().map(|curve| &curve.of).eq(areas) {
            return;
        }
        let old = std::mem::take(&mut self.of_areas).into_iter().zip(self.curves.iter().cloned());
        let mut old: Vec<_> = old.collect();
        let mut curves = Vec::new();
        for &of in areas {
            let known = old.iter().position(|(_, curve)| curve.of == of).map(|place| old.swap_remove(place));
            let (meter, curve) = known
                .unwrap_or_else(|| (AreaMeter::new(of.area), AreaCurve { of, samples: Samples::default(), now: None }));
            self.of_areas.push(meter);
            curves.push(curve);
        }
        self.curves = Arc::new(curves);
    }
}

/// Agents a second that passed over the last two seconds, or since the area was drawn where that is less long ago.
fn flow(samples: &Samples<AreaSample>, time: f64, passed: u64) -> Option<f64> {
    let since = samples.iter().rfind(|sample| sample.time <= time - FLOW_TIME_S + 1e-6);
    let since = since.or_else(|| samples.iter().next()).filter(|since| since.time < time)?;
    Some(passed.saturating_sub(since.figures.passed) as f64 / (time - since.time))
}

/// The curves as a table: a row for each tick of which any area has a sample.
pub(super) fn csv(curves: &[AreaCurve]) -> String {
    use std::fmt::Write as _;
    let mut ticks: Vec<(u64, f64)> =
        curves.iter().flat_map(|curve| curve.samples.iter().map(|sample| (sample.tick, sample.time))).collect();
    ticks.sort_unstable_by_key(|&(tick, _)| tick);
    ticks.dedup_by_key(|&mut (tick, _)| tick);
    let mut text = String::from("tick,time_s");
    for curve in curves {
        for what in ["agents", "density_m2", "speed_m_s", "passed", "flow_s"] {
            // Nothing fails that writes into a string.
            let _ = write!(text, ",area{}_{what}", curve.of.number);
        }
    }
    text.push('\n');
    for (tick, time) in ticks {
        let _ = write!(text, "{tick},{time}");
        for curve in curves {
            let Some(sample) = curve.samples.at(tick).filter(|sample| sample.tick == tick) else {
                text.push_str(",,,,,");
                continue;
            };
            let AreaFigures { agents, density, speed, passed } = sample.figures;
            let [speed, flow] = [speed, sample.flow].map(|of| of.map_or_else(String::new, |of| format!("{of:.4}")));
            let _ = write!(text, ",{agents},{density:.6},{speed},{passed},{flow}");
        }
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Forty agents that walk to the right in a row, one metre a second, half a metre apart.
    fn frame(tick: u64) -> Frame {
        let time = tick as f64 * 0.1;
        let position = (0..40).map(|i| Vec2::new(time as f32 - 0.5 * i as f32, 5.0)).collect();
        Frame { tick, time, id: (0..40).collect(), position, ..Frame::default() }
    }

    const DOOR: NumberedArea =
        NumberedArea { number: 1, area: MeasurementArea { centre: Vec2::new(4.0, 5.0), width: 2.0, height: 1.0 } };

    #[test]
    fn a_row_of_agents_has_the_density_the_speed_and_the_flow_that_one_counts() {
        let mut meters = Meters::default();
        (0..150).for_each(|tick| meters.measure(&[DOOR], &frame(tick), false));
        let now = meters.curves()[0].now.unwrap();
        // Two metres of a row with two agents a metre; each metre takes a second.
        assert!((3..=5).contains(&now.figures.agents), "{now:?}");
        assert!((now.figures.speed.unwrap() - 1.0).abs() < 1e-3 && (now.flow.unwrap() - 2.0).abs() < 0.26, "{now:?}");
        // The first was out after five seconds.
        assert!((19..=21).contains(&now.figures.passed), "{now:?}");
    }

    #[test]
    fn what_is_measured_again_is_the_same() {
        let mut meters = Meters::default();
        (0..150).for_each(|tick| meters.measure(&[DOOR], &frame(tick), false));
        let first: Vec<AreaSample> = meters.curves()[0].samples.iter().copied().collect();
        for back in [0, 60, 75, 149] {
            for tick in back..150 {
                meters.measure(&[DOOR], &frame(tick), tick == back);
                // A state that is asked for twice counts once.
                meters.measure(&[DOOR], &frame(tick), false);
            }
            let again: Vec<AreaSample> = meters.curves()[0].samples.iter().copied().collect();
            assert_eq!(again, first, "back to {back}");
        }
        meters.forget_after(75);
        assert_eq!(meters.curves()[0].samples.iter().last().unwrap().tick, 75);
    }

    #[test]
    fn an_area_that_is_removed_leaves_the_others_as_they_are() {
        let other = NumberedArea { number: 2, ..DOOR };
        let mut meters = Meters::default();
        (0..80).for_each(|tick| meters.measure(&[DOOR, other], &frame(tick), false));
        (80..90).for_each(|tick| meters.measure(&[other], &frame(tick), false));
        let table = csv(meters.curves());
        assert!(
            table.starts_with("tick,time_s,area2_agents,area2_density_m2,area2_speed_m_s,area2_passed,area2_flow_s\n")
        );
        assert_eq!(table.lines().count(), 91);
        assert!(table.lines().all(|line| line.split(',').count() == 7), "{table}");
        meters.measure(&[], &frame(90), false);
        assert!(meters.curves().is_empty());
    }
}
