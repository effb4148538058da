//! The time line: strengths and deaths over time, events, and the way to any moment.

use super::facts::BattleFacts;
use super::strengths::{self, share};
use crate::battle::action::BattleAction;
use crate::battle::chronicle::{Chronicle, Happening};
use crate::draw::pen::grouped;
use crate::draw::style::{BRIGHT, DIM, WARNING};
use crate::shell::panel_output::PanelOutput;
use egui::{Align, Color32, Layout, Painter, Rect, Sense, Shape, Stroke, pos2, vec2};
use std::fmt::Write as _;

/// Height of a row of buttons with what is around it (points).
pub(super) const ROW_HEIGHT_PX: f32 = 34.0;
/// How much higher the line is when it is unfolded (points).
const UNFOLDED_MORE_PX: f32 = 30.0;
/// Height of the line under a row of buttons (points).
const LINE_BELOW_HEIGHT_PX: f32 = 30.0;
/// A panel of this width has room for the line beside the buttons (points).
const MIN_BESIDE_WIDTH_PX: f32 = 900.0;
/// What a band of deaths takes of the height.
const DEATHS_SHARE: f32 = 0.34;
/// An event that is so near to the pointer is told (points).
const EVENT_REACH_PX: f32 = 4.0;
/// Deaths are counted over columns of this width (points).
const DEATHS_COLUMN_PX: f32 = 4.0;

/// Whether the line is folded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(in super::super) struct TimeLine {
    /// It is higher.
    pub unfolded: bool,
}

impl TimeLine {
    /// Whether the line is beside the buttons in a panel of this width (points), or below them.
    pub fn is_beside(width: f32) -> bool {
        width >= MIN_BESIDE_WIDTH_PX
    }

    /// The height of the panel (points).
    pub fn panel_height(self, width: f32) -> f32 {
        let more = if self.unfolded { UNFOLDED_MORE_PX } else { 0.0 };
        let below = if Self::is_beside(width) { 0.0 } else { LINE_BELOW_HEIGHT_PX };
        ROW_HEIGHT_PX + more + below
    }

    /// Lays the line out from the right to the left: buttons, and the line in what is left.
    pub fn lay_out(self, ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
        let Some(span) = facts.span else { return };
        let (sign, what) = if self.unfolded { ("⏷", "a lower time line") } else { ("⏶", "a higher time line") };
        output.sign(ui, "fold-time", sign, what, BattleAction::FoldTime);
        if facts.frame.verdict.is_some() || facts.chronicle.events.iter().any(|event| event.kind == Happening::Verdict)
        {
            output.sign(ui, "outcome", "⚑", "the result of the battle  (O)", BattleAction::Outcome);
        }
        ui.with_layout(Layout::left_to_right(Align::Center), |ui| {
            let size = vec2(ui.available_width().max(40.0), (ui.available_height() - 4.0).max(20.0));
            let (area, response) = ui.allocate_exact_size(size, Sense::click_and_drag());
            output.place("time-line", area);
            let line = area.shrink2(vec2(6.0, 1.0));
            let tick_at = |x: f32| {
                let share = f64::from(((x - line.left()) / line.width()).clamp(0.0, 1.0));
                span[0] + (share * span[1].saturating_sub(span[0]) as f64).round() as u64
            };
            let is_down = response.is_pointer_button_down_on();
            let was_down = ui.data_mut(|data| std::mem::replace(data.get_temp_mut_or_default(response.id), is_down));
            // A quick click is down and up in one frame.
            if (is_down || response.clicked() && !was_down)
                && let Some(pointer) = response.interact_pointer_pos()
            {
                output.actions.push(BattleAction::GoTo(tick_at(pointer.x)));
            }
            draw(&ui.painter_at(area), line, facts, span);
            if let Some(pointer) = response.hover_pos() {
                let (tick, reach) = (tick_at(pointer.x), (EVENT_REACH_PX / line.width() * span[1] as f32) as u64);
                response.on_hover_text_at_pointer(told(facts, tick, reach));
            }
        });
    }
}

fn draw(painter: &Painter, line: Rect, facts: &BattleFacts<'_>, span: [u64; 2]) {
    let visuals = painter.ctx().global_style().visuals.clone();
    painter.rect_filled(line, 3.0, visuals.extreme_bg_color);
    let floor = line.bottom() - line.height() * DEATHS_SHARE;
    let upper = Rect::from_min_max(line.min + vec2(0.0, 3.0), pos2(line.right(), floor - 1.0));
    let lower = Rect::from_min_max(pos2(line.left(), floor), line.max);
    deaths(painter, lower, facts.chronicle, span);
    strengths::draw(painter, upper, facts, span);
    for event in &facts.chronicle.events {
        let x = line.left() + line.width() * share(event.tick, span);
        mark(painter, x, line, event.kind);
    }
    let now = line.left() + line.width() * share(facts.target.unwrap_or(facts.frame.tick), span);
    // The future of a battle that was turned back is paler.
    let future = Rect::from_min_max(pos2(now, line.top()), line.max);
    painter.rect_filled(future, 0.0, PALER);
    painter.vline(now, line.y_range(), Stroke::new(2.0, BRIGHT));
    painter.circle_filled(pos2(now, line.center().y), 7.0, BRIGHT);
}

/// What lies over the future.
const PALER: Color32 = Color32::from_rgba_premultiplied(10, 12, 14, 120);

/// Deaths a second as bars, the most of any as high as the band.
fn deaths(painter: &Painter, area: Rect, chronicle: &Chronicle, span: [u64; 2]) {
    let columns = (area.width() / DEATHS_COLUMN_PX).max(1.0) as usize;
    let mut rates = vec![0.0_f64; columns];
    let mut before: Option<(f64, u64)> = None;
    for sample in chronicle.samples() {
        let column = ((share(sample.tick, span) * columns as f32) as usize).min(columns - 1);
        if let Some((time, dead)) = before.filter(|(time, _)| sample.time > *time) {
            let rate = sample.dead().saturating_sub(dead) as f64 / (sample.time - time);
            rates[column] = rates[column].max(rate);
        }
        before = Some((sample.time, sample.dead()));
    }
    let most = rates.iter().copied().fold(0.0, f64::max);
    if most <= 0.0 {
        return;
    }
    for (column, rate) in rates.into_iter().enumerate().filter(|(_, rate)| *rate > 0.0) {
        let height = area.height() * (rate / most) as f32;
        let left = area.left() + column as f32 * DEATHS_COLUMN_PX;
        let bar =
            Rect::from_min_max(pos2(left, area.bottom() - height), pos2(left + DEATHS_COLUMN_PX - 1.0, area.bottom()));
        painter.rect_filled(bar, 0.0, DIM.gamma_multiply(0.7));
    }
}

/// A tick of an event: its form tells the kind.
fn mark(painter: &Painter, x: f32, line: Rect, kind: Happening) {
    let top = line.top();
    let stroke = Stroke::new(1.0, BRIGHT);
    match kind {
        Happening::Breach => {
            let cross = [[-3.0, 0.0, 3.0, 6.0], [3.0, 0.0, -3.0, 6.0]];
            for [a, b, c, d] in cross {
                painter.line_segment([pos2(x + a, top + b), pos2(x + c, top + d)], Stroke::new(1.5, WARNING));
            }
        }
        Happening::Trigger => {
            let points = [(0.0, 0.0), (3.5, 3.5), (0.0, 7.0), (-3.5, 3.5)].map(|(dx, dy)| pos2(x + dx, top + dy));
            painter.add(Shape::closed_line(points.to_vec(), stroke));
        }
        Happening::Squad => _ = painter.circle_stroke(pos2(x, top + 3.5), 3.0, stroke),
        Happening::Command => {
            let points = [(-3.5, 0.0), (3.5, 0.0), (0.0, 6.0)].map(|(dx, dy)| pos2(x + dx, top + dy));
            painter.add(Shape::convex_polygon(points.to_vec(), BRIGHT, Stroke::NONE));
        }
        Happening::Verdict => _ = painter.vline(x, line.y_range(), Stroke::new(2.0, WARNING)),
    }
}

/// The armies and the events at a tick, in words.
fn told(facts: &BattleFacts<'_>, tick: u64, reach: u64) -> String {
    const MAX_EVENTS: usize = 6;
    let seconds = |tick: u64| {
        let rate = if facts.frame.tick > 0 { facts.frame.time / facts.frame.tick as f64 } else { 0.0 };
        facts.chronicle.at(tick).filter(|sample| sample.tick == tick).map_or(rate * tick as f64, |sample| sample.time)
    };
    let mut text = format!("tick {}, {:.1} s", grouped(tick), seconds(tick));
    if let Some(sample) = facts.chronicle.at(tick) {
        for (army, &[alive, routed, left, dead, coming]) in facts.frame.armies.iter().zip(&sample.armies) {
            // Nothing fails that writes into a string.
            let _ = write!(text, "\n{}: {}", army.name, words([alive, routed, left, dead, coming]));
        }
    }
    let near = |event: &&crate::battle::chronicle::TimedEvent| event.tick.abs_diff(tick) <= reach;
    for event in facts.chronicle.events.iter().filter(near).take(MAX_EVENTS) {
        let by = if event.kind == Happening::Command { "you: " } else { "" };
        let _ = write!(text, "\n{} at tick {}", format_args!("{by}{}", event.text), grouped(event.tick));
    }
    text
}

/// Living, routed, left, dead and coming, in words.
pub(super) fn words([alive, routed, left, dead, coming]: [u32; 5]) -> String {
    let mut text =
        format!("{} living, {} routed, {} fallen", grouped(alive.into()), grouped(routed.into()), grouped(dead.into()));
    for (count, what) in [(left, "left"), (coming, "yet to come")] {
        if count > 0 {
            let _ = write!(text, ", {} {what}", grouped(count.into()));
        }
    }
    text
}
