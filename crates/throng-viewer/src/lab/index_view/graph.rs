//! The panel at the right: what a frame takes over the number of discs, growing while it is measured.

use super::curves::{Curves, IndexCurve};
use super::keys::TrialAction;
use super::panel::IndexFacts;
use crate::draw::ink::ink;
use crate::draw::palette::army;
use crate::draw::pen::grouped;
use crate::lab::compare::time;
use crate::lab::panel::button;
use crate::shell::panel_output::PanelOutput;
use egui::{Color32, Grid, Panel, Rangef, RichText, ScrollArea, Sense, Shape, Stroke, vec2};
use egui_plot::{AxisHints, GridMark, Line, LineStyle, MarkerShape, Plot, PlotPoints, Points};
use std::time::Duration;
use throng_spatial::IndexKind;

/// Width, and the same in a window that is narrower than this (logical pixels).
const WIDTH_PX: f32 = 380.0;
const NARROW_WIDTH_PX: f32 = 236.0;
const NARROW_WINDOW_PX: f32 = 780.0;
/// Height of the graph, at most (logical pixels).
const GRAPH_HEIGHT_PX: f32 = 372.0;
/// Labels along an axis that are as near as this are left out, or shown (logical pixels): none is half shown.
const LABEL_SPACING_PX: Rangef = Rangef { min: 20.0, max: 30.0 };
/// Both axes go at least from here to there: hundreds of discs to the most, 10 µs to 10 ms.
const MIN_AXES_LOG10: [f64; 2] = [1.9, 1.0];
const MAX_AXES_LOG10: [f64; 2] = [4.4, 4.0];

/// The colour of an index.
fn colour(index: IndexKind) -> Color32 {
    ink(army(place(index)))
}

/// The shape of its points: so that no two have both in common.
fn shape(index: IndexKind) -> MarkerShape {
    const SHAPES: [MarkerShape; 3] = [MarkerShape::Circle, MarkerShape::Square, MarkerShape::Up];
    SHAPES[place(index) / 8 % SHAPES.len()]
}

/// Lengths of the dashes of its line and of the gaps between (logical pixels); whole where there are none.
fn dashes(index: IndexKind) -> Option<[f32; 2]> {
    [None, Some([7.0, 4.0]), Some([2.0, 3.0])][place(index) / 8 % 3]
}

/// Its line, in the graph.
fn style(index: IndexKind) -> LineStyle {
    match dashes(index) {
        None => LineStyle::Solid,
        Some([dash, gap]) if dash > gap => LineStyle::Dashed { length: dash },
        Some([dash, gap]) => LineStyle::Dotted { spacing: dash + gap },
    }
}

/// Its line, beside its name.
fn sample(ui: &mut egui::Ui, index: IndexKind) {
    let (place, _) = ui.allocate_exact_size(vec2(22.0, 12.0), Sense::hover());
    let (ends, pen) = ([place.left_center(), place.right_center()], Stroke::new(2.0, colour(index)));
    if let Some([dash, gap]) = dashes(index) {
        ui.painter().extend(Shape::dashed_line(&ends, pen, dash, gap));
    } else {
        ui.painter().line_segment(ends, pen);
    }
}

/// Its place among all.
fn place(index: IndexKind) -> usize {
    IndexKind::ALL.iter().position(|&kind| kind == index).unwrap_or(0)
}

/// Lays the panel out; adds the user's actions to `output`.
pub(super) fn lay_out(
    ui: &mut egui::Ui,
    facts: &IndexFacts<'_>,
    curves: &Curves,
    output: &mut PanelOutput<TrialAction>,
) {
    let is_narrow = ui.ctx().content_rect().width() < NARROW_WINDOW_PX;
    let width = if is_narrow { NARROW_WIDTH_PX } else { WIDTH_PX };
    Panel::right("graph").exact_size(width).resizable(false).show(ui, |ui| {
        let height = ui.available_height();
        let area = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            ui.label(RichText::new("time of a frame").heading().strong());
            ui.horizontal(|ui| {
                let (text, hint) = if facts.state.grows {
                    ("stop", "stop growing  (Enter)")
                } else {
                    ("grow", "double the number of discs from 100 to 20 000, and draw what a frame takes  (Enter)")
                };
                button(ui, output, "grow", text, hint, TrialAction::Grow);
                button(ui, output, "clear", "clear", "forget all curves", TrialAction::Clear);
            });
            ui.weak("update and pairs, over the number of discs; both axes logarithmic");
            let of: Vec<&IndexCurve> = curves.of(facts.trial.arrangement).collect();
            plot(ui, facts, &of, GRAPH_HEIGHT_PX.min(height - 150.0).max(150.0));
            table(ui, facts, of, is_narrow);
        });
        output.place("scroll-graph", area.inner_rect.expand(8.0));
    });
}

fn plot(ui: &mut egui::Ui, facts: &IndexFacts<'_>, curves: &[&IndexCurve], height: f32) {
    let figures = &facts.state.figures;
    let now = [facts.state.trial.discs.into(), figures.update + figures.query].map(f64::log10);
    Plot::new("graph")
        .height(height)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_x(false)
        .show_y(false)
        .include_x(MIN_AXES_LOG10[0])
        .include_x(MAX_AXES_LOG10[0])
        .include_y(MIN_AXES_LOG10[1])
        .include_y(MAX_AXES_LOG10[1])
        .custom_x_axes(vec![AxisHints::new_x().label_spacing(LABEL_SPACING_PX)])
        .x_grid_spacer(|axis| decades(axis.bounds))
        .y_grid_spacer(|axis| decades(axis.bounds))
        .x_axis_formatter(|mark, _| if is_whole(mark.value) { grouped(tens(mark.value)) } else { String::new() })
        .y_axis_formatter(|mark, _| if is_whole(mark.value) { of_decade(mark.value) } else { String::new() })
        .y_axis_min_width(48.0)
        .show(ui, |plot| {
            for curve in curves {
                let (color, name) = (colour(curve.index.kind), curve.index.to_string());
                let wide = if curve.index == facts.trial.index { 2.6 } else { 1.4 };
                let places = || -> PlotPoints<'_> {
                    let points = curve.points.iter();
                    points.map(|&(discs, micros)| [f64::from(discs).log10(), micros.max(1e-3).log10()]).collect()
                };
                plot.line(Line::new(&name, places()).color(color).width(wide).style(style(curve.index.kind)));
                plot.points(
                    Points::new(&name, places()).color(color).radius(1.4 * wide).shape(shape(curve.index.kind)),
                );
            }
            if now.iter().all(|part| part.is_finite()) {
                // The place of the frames that are seen now.
                let ring = Points::new("now", vec![now]).shape(MarkerShape::Circle).filled(false);
                plot.points(ring.radius(7.0).color(Color32::WHITE));
            }
        });
}

/// A line at each power of ten, and fainter ones at its multiples.
fn decades((low, high): (f64, f64)) -> Vec<GridMark> {
    let [from, to] = [low.floor() as i32, high.ceil() as i32];
    let marks = (from..=to).flat_map(|decade| {
        (1..10).map(move |part| {
            let value = f64::from(decade) + f64::from(part).log10();
            GridMark { value, step_size: if part == 1 { 1.0 } else { 0.2 } }
        })
    });
    marks.filter(|mark| (low..=high).contains(&mark.value)).collect()
}

fn is_whole(value: f64) -> bool {
    (value - value.round()).abs() < 1e-6
}

fn tens(decade: f64) -> u64 {
    10.0_f64.powf(decade).round() as u64
}

/// A power of ten of microseconds.
fn of_decade(decade: f64) -> String {
    match decade.round() as i32 {
        low @ ..0 => format!("{} ns", tens(f64::from(low + 3))),
        low @ 0..=2 => format!("{} µs", tens(f64::from(low))),
        low @ 3..=5 => format!("{} ms", tens(f64::from(low - 3))),
        low => format!("{} s", tens(f64::from(low - 6))),
    }
}

/// Each index that was tried: its longest point, the fastest first. In a narrow panel without the numbers of discs.
fn table(ui: &mut egui::Ui, facts: &IndexFacts<'_>, mut curves: Vec<&IndexCurve>, is_narrow: bool) {
    if curves.is_empty() {
        ui.add_space(8.0);
        let text = "Press grow: the number of discs grows from 100 to 20 000, and the time of a frame is drawn as it is \
            measured. Then choose another index and grow again.";
        ui.label(RichText::new(text).weak());
        return;
    }
    let last = |curve: &IndexCurve| curve.points.last().copied().unwrap_or_default();
    // Curves that reach as far are compared by time.
    curves.sort_by(|a, b| last(b).0.cmp(&last(a).0).then(last(a).1.total_cmp(&last(b).1)));
    ui.add_space(4.0);
    let heads: &[&str] = if is_narrow { &["", "index", "frame"] } else { &["", "index", "discs", "frame", "a disc"] };
    Grid::new("curves").num_columns(heads.len()).striped(true).spacing([10.0, 2.0]).show(ui, |ui| {
        for head in heads {
            ui.weak(*head);
        }
        ui.end_row();
        for curve in curves {
            let (discs, micros) = last(curve);
            sample(ui, curve.index.kind);
            let name = RichText::new(curve.index.to_string()).color(colour(curve.index.kind));
            let name = if curve.index == facts.trial.index { name.strong() } else { name };
            let count = format!("{} discs", grouped(discs.into()));
            ui.label(name).on_hover_text(count);
            if !is_narrow {
                ui.label(grouped(discs.into()));
            }
            ui.label(time(Duration::from_secs_f64(micros.max(0.0) * 1e-6)));
            if !is_narrow {
                ui.label(format!("{:.0} ns", micros * 1e3 / f64::from(discs.max(1))));
            }
            ui.end_row();
        }
    });
}

#[cfg(test)]
mod tests {
    use super::super::IndexTrial;
    use super::super::trial::TrialState;
    use super::*;
    use crate::shell::layout_check;

    #[test]
    fn powers_of_ten_are_marked_in_their_unit() {
        let texts = [-1.0, 0.0, 2.0, 3.0, 5.0, 6.0].map(of_decade);
        assert_eq!(texts, ["100 ns", "1 µs", "100 µs", "1 ms", "100 ms", "1 s"]);
        let marks = decades((1.9, 4.4));
        assert_eq!(marks.iter().filter(|mark| is_whole(mark.value)).count(), 3);
        assert!(marks.iter().all(|mark| (1.9..=4.4).contains(&mark.value)));
    }

    #[test]
    fn all_words_can_be_read_and_all_controls_have_a_hint() {
        let state = TrialState { cells_cut: true, grows: true, ..TrialState::default() };
        let trial = IndexTrial { discs: 20_000, ..IndexTrial::default() };
        let mut curves = Curves::default();
        for kind in IndexKind::ALL {
            for discs in [100, 20_000] {
                curves.add(&IndexTrial { index: kind.into(), discs, ..trial }, 123.4 * f64::from(discs));
            }
        }
        for curves in [Curves::default(), curves] {
            let lay = |ui: &mut egui::Ui, output: &mut PanelOutput<TrialAction>| {
                let (cells, speed, frames_per_second) = (true, "1000×", 60.0);
                let facts = IndexFacts { trial: &trial, state: &state, paused: true, cells, speed, frames_per_second };
                super::super::panel::lay_out(ui, &facts, output);
                lay_out(ui, &facts, &curves, output);
                let free = ui.available_rect_before_wrap();
                crate::draw::overlay::trouble(ui, free, crate::draw::cells::TOO_MANY_TEXT);
                let keys = crate::draw::overlay::Overlay {
                    keys: &super::super::keys::HELP,
                    help: false,
                    notice: None,
                    trouble: None,
                };
                crate::draw::overlay::lay_out(ui, free, &keys, output);
            };
            layout_check::assert_readable(lay);
        }
    }

    #[test]
    fn no_two_indices_look_alike() {
        let mut looks: Vec<_> =
            IndexKind::ALL.iter().map(|&kind| format!("{:?}{:?}", colour(kind), shape(kind))).collect();
        looks.sort();
        looks.dedup();
        assert_eq!(looks.len(), IndexKind::ALL.len());
    }
}
