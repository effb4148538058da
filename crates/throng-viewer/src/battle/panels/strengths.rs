//! The strengths of the armies over time as curves.

use super::facts::BattleFacts;
use crate::battle::chronicle::Chronicle;
use crate::draw::ink::ink;
use egui::{Painter, Pos2, Rect, Shape, Stroke, pos2};

/// Where a tick is between the ends of a time line: 0 to 1.
pub(super) fn share(tick: u64, [first, last]: [u64; 2]) -> f32 {
    let span = last.saturating_sub(first).max(1);
    (tick.saturating_sub(first).min(span) as f64 / span as f64) as f32
}

/// The greatest strength of any army.
pub(super) fn most(chronicle: &Chronicle) -> u32 {
    let samples = chronicle.samples().flat_map(|sample| &sample.armies);
    samples.map(|counts| counts[0]).max().unwrap_or(0).max(1)
}

/// Draws a curve of the living of each army into `area`. At most two points a column of pixels: O(samples).
pub(super) fn draw(painter: &Painter, area: Rect, facts: &BattleFacts<'_>, span: [u64; 2]) {
    let most = most(facts.chronicle) as f32;
    for army in 0..facts.frame.armies.len() {
        let mut points: Vec<Pos2> = Vec::new();
        for sample in facts.chronicle.samples() {
            let x = area.left() + area.width() * share(sample.tick, span);
            let y = area.bottom() - area.height() * (sample.alive(army) as f32 / most).min(1.0);
            match points.last_mut() {
                // Less than half a point further: the newer one counts.
                Some(last) if points_are_close(*last, x) && sample.tick < span[1] => last.y = y,
                _ => points.push(pos2(x, y)),
            }
        }
        painter.add(Shape::line(points, Stroke::new(1.5, ink(facts.army(army)))));
    }
}

fn points_are_close(last: Pos2, x: f32) -> bool {
    x - last.x < 0.5
}
