//! The areas in which the crowd is measured: their figures, and curves over time.

use super::facts::BattleFacts;
use crate::battle::action::BattleAction;
use crate::battle::measuring::{AreaCurve, AreaSample, NumberedArea, ink};
use crate::draw::style;
use crate::shell::event::Tool;
use crate::shell::panel_output::PanelOutput;
use egui::{Grid, RichText, vec2};
use egui_plot::{HoverPosition, Line, Plot, PlotPoints, VLine};
use throng_record::MeasurementArea;

/// Height of a graph (points).
const GRAPH_HEIGHT_PX: f32 = 62.0;
/// At most so many points a curve: more would not be seen.
const MAX_POINTS: usize = 400;

/// A quantity that is drawn over time: its name, its unit, and its value in a sample.
type Quantity = (&'static str, &'static str, fn(&AreaSample) -> Option<f64>);

const QUANTITIES: [Quantity; 3] = [
    ("density", "1/m²", |sample| Some(sample.figures.density)),
    ("speed", "m/s", |sample| sample.figures.speed),
    ("flow", "1/s", |sample| sample.flow),
];

/// Lays out the tool, the areas and the curves.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>, tool: Tool, output: &mut PanelOutput<BattleAction>) {
    let is_on = tool == Tool::Measure;
    ui.horizontal(|ui| {
        if output.choice(ui, "tool-measure", "M new area", is_on) {
            output.actions.push(BattleAction::Take(if is_on { Tool::Select } else { Tool::Measure }));
        }
        if !facts.measured.is_empty() {
            output.action(ui, "save-curves", "save as CSV", BattleAction::SaveCurves);
        }
    });
    if facts.measured.is_empty() {
        ui.weak("Drag a rectangle over the map: its density, speed and flow are measured in each tick.");
        return;
    }
    Grid::new("areas").num_columns(6).min_col_width(0.0).spacing([10.0, 2.0]).show(ui, |ui| {
        for head in ["", "agents", "1/m²", "m/s", "1/s", ""] {
            ui.weak(head);
        }
        ui.end_row();
        for curve in facts.measured {
            area(ui, curve, output);
            ui.end_row();
        }
    });
    for quantity in QUANTITIES {
        graph(ui, facts, quantity);
    }
}

/// An area in figures.
fn area(ui: &mut egui::Ui, curve: &AreaCurve, output: &mut PanelOutput<BattleAction>) {
    let NumberedArea { number, area } = curve.of;
    let name = ui.strong(RichText::new(number.to_string()).color(style::readable(ink(number))));
    let (MeasurementArea { centre, width, height }, passed) = (area, curve.now.map_or(0, |now| now.figures.passed));
    name.on_hover_text(format!(
        "{width:.1} x {height:.1} m around {:.1}, {:.1}; {passed} have gone out of it\nfor throng run: --measure {:.1},{:.1},{width:.1},{height:.1}",
        centre.x, centre.y, centre.x, centre.y,
    ));
    let agents = curve.now.map_or_else(String::new, |now| now.figures.agents.to_string());
    ui.label(agents);
    for (.., of) in QUANTITIES {
        let value = curve.now.and_then(|now| of(&now));
        ui.label(value.map_or_else(|| "–".to_owned(), |value| format!("{value:.2}")));
    }
    output.sign(ui, format!("unmeasure-{number}"), "×", "measure it no longer", BattleAction::Unmeasure(number));
}

/// A quantity of all areas over time.
fn graph(ui: &mut egui::Ui, facts: &BattleFacts<'_>, (name, unit, of): Quantity) {
    let samples = facts.measured.iter().flat_map(|curve| curve.samples.iter());
    let most = samples.filter_map(of).fold(1e-3, f64::max);
    ui.horizontal(|ui| {
        ui.strong(name);
        ui.weak(format!("0 to {most:.2} {unit}"));
    });
    Plot::new(name)
        .height(GRAPH_HEIGHT_PX)
        .show_axes(false)
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .allow_double_click_reset(false)
        .show_y(false)
        .label_formatter(move |at| {
            let (HoverPosition::NearDataPoint { position, .. } | HoverPosition::Elsewhere { position }) = at;
            Some(format!("{:.1} s: {:.2} {unit}", position.x, position.y))
        })
        .include_y(0.0)
        .include_y(most)
        .set_margin_fraction(vec2(0.0, 0.06))
        .show(ui, |plot| {
            for curve in facts.measured {
                plot.line(
                    Line::new(format!("{}", curve.of.number), points(curve, of)).color(ink(curve.of.number)).width(1.6),
                );
            }
            plot.vline(VLine::new("now", facts.frame.time).color(style::DIM).width(1.0));
        });
}

/// A curve, thinned to what can be seen.
fn points(curve: &AreaCurve, of: fn(&AreaSample) -> Option<f64>) -> PlotPoints<'static> {
    let count = curve.samples.iter().count();
    let every = count.div_ceil(MAX_POINTS).max(1);
    let kept = curve.samples.iter().enumerate().filter(|(place, _)| place % every == 0 || place + 1 == count);
    kept.filter_map(|(_, sample)| Some([sample.time, of(sample)?])).collect()
}
