//! Areas in which a crowd is measured while it goes on.

use super::marks::Marker;
use super::overlay;
use super::palette;
use super::samples::{AtTick, Samples};
use super::style;
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
pub(super) struct NumberedArea {
    pub number: u8,
    pub area: MeasurementArea,
}

/// What was measured in an area at a tick.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct AreaSample {
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
pub(super) struct AreaCurve {
    pub of: NumberedArea,
    pub samples: Samples<AreaSample>,
    /// That of the tick that is shown.
    pub now: Option<AreaSample>,
}

/// All that was measured, in the order in which the areas were drawn.
pub(super) type Measurements = Arc<Vec<AreaCurve>>;

/// The colour of an area.
pub(super) fn ink(number: u8) -> Color32 {
    super::ink::color(palette::army(usize::from(number) + 1))
}

/// Draws the areas over the map, each with its number.
pub(super) fn draw(marker: &Marker<'_>, areas: &[NumberedArea]) {
    for &NumberedArea { number, area } in areas {
        let half = Vec2::new(area.width, area.height) * 0.5;
        let place = Rect::from_two_pos(marker.at(area.centre - half), marker.at(area.centre + half));
        marker.painter.rect_stroke(place, 0.0, Stroke::new(4.0, Color32::from_black_alpha(110)), StrokeKind::Middle);
        marker.painter.rect_stroke(place, 0.0, Stroke::new(2.0, ink(number)), StrokeKind::Middle);
        let at = place.left_top() + vec2(4.0, 4.0);
        overlay::plate(marker.painter, &number.to_string(), at, Align2::LEFT_TOP, style::readable(ink(number)));
    }
}

/// Measures areas on the thread of the simulation.
#[derive(Debug, Default)]
pub(super) struct Meters {
    /// One for each curve.
    meters: Vec<AreaMeter>,
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
        if jumped || self.tick.is_none() {
            self.pace = Pace::default();
        }
        if changed {
            self.pace.step(frame);
        }
        self.tick = Some(frame.tick);
        for (meter, curve) in self.meters.iter_mut().zip(Arc::make_mut(&mut self.curves)) {
            if !changed && curve.now.is_some() {
                continue;
            }
            if jumped || is_same {
                // The state at this tick is another than before, or follows nothing.
                let passed = curve.samples.at(frame.tick).filter(|sample| sample.tick <= frame.tick);
                meter.resume(passed.map_or(0, |sample| sample.figures.passed));
            }
            let figures = meter.see(frame, self.pace.speeds());
            let flow = flow(&curve.samples, frame.time, figures.passed);
            let sample = AreaSample { tick: frame.tick, time: frame.time, figures, flow };
            curve.samples.note(sample);
            curve.now = Some(sample);
        }
    }

    /// Forgets what was measured after a tick.
    pub fn forget_after(&mut self, tick: u64) {
        if !self.curves.is_empty() {
            Arc::make_mut(&mut self.curves).iter_mut().for_each(|curve| curve.samples.forget_after(tick));
        }
    }

    /// Keeps the meters of these areas, and adds those that are missing.
    fn choose(&mut self, areas: &[NumberedArea]) {
        if self.curves.iter().map(|curve| &curve.of).eq(areas) {
            return;
        }
        let old = std::mem::take(&mut self.meters).into_iter().zip(self.curves.iter().cloned());
        let mut old: Vec<_> = old.collect();
        let mut curves = Vec::new();
        for &of in areas {
            let known = old.iter().position(|(_, curve)| curve.of == of).map(|place| old.swap_remove(place));
            let (meter, curve) = known
                .unwrap_or_else(|| (AreaMeter::new(of.area), AreaCurve { of, samples: Samples::default(), now: None }));
            self.meters.push(meter);
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
