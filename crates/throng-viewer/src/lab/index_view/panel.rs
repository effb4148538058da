//! The panel at the left: the trial, the clock, figures.

use super::keys::TrialAction;
use super::trial::TrialState;
use super::{Arrangement, IndexTrial, picture};
use crate::draw::ink::color;
use crate::draw::pen::grouped;
use crate::lab::compare::{bytes, time};
use crate::shell::panel_output::PanelOutput;
use egui::{Align, Button, ComboBox, Layout, Panel, RichText, ScrollArea, Slider};
use std::time::Duration;
use throng_spatial::IndexKind;

/// Width (logical pixels).
const WIDTH_PX: f32 = 248.0;

/// The data that the panels show.
pub(super) struct IndexFacts<'a> {
    /// The trial that was requested last.
    pub trial: &'a IndexTrial,
    pub state: &'a TrialState,
    pub paused: bool,
    /// The cells are shown.
    pub cells: bool,
    /// In words.
    pub speed: &'a str,
    pub frames_per_second: f32,
}

/// Adds a button that takes an action.
pub(super) fn button(
    ui: &mut egui::Ui,
    output: &mut PanelOutput<TrialAction>,
    name: &'static str,
    text: &str,
    hint: &str,
    action: TrialAction,
) {
    let button = ui.add(Button::new(text).min_size(egui::vec2(0.0, 22.0))).on_hover_text(hint);
    output.on_press(name, &button, action);
}

/// Adds one of several choices, which tries this.
fn choice(
    ui: &mut egui::Ui,
    output: &mut PanelOutput<TrialAction>,
    name: &'static str,
    is_on: bool,
    trial: IndexTrial,
) {
    if output.choice(ui, name, name, is_on) {
        output.actions.push(TrialAction::Try(trial));
    }
}

/// Lays the panel out; adds the user's actions to `output`.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &IndexFacts<'_>, output: &mut PanelOutput<TrialAction>) {
    Panel::left("index").exact_size(WIDTH_PX).resizable(false).show(ui, |ui| {
        let area = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            ui.label(RichText::new("spatial index").heading().strong());
            ui.add_space(6.0);
            chosen(ui, facts.trial, output);
            ui.add_space(6.0);
            ui.separator();
            clock(ui, facts, output);
            let mut cells = facts.cells;
            let shown = ui
                .checkbox(&mut cells, "G  cells, fuller ones darker")
                .on_hover_text("the cells or nodes of the index");
            output.has("cells", &shown);
            if shown.changed() {
                output.actions.push(TrialAction::Cells);
            }
            ui.separator();
            figures(ui, facts);
            ui.separator();
            for (overlaps, text) in [(false, "alone"), (true, "overlapping")] {
                ui.horizontal(|ui| {
                    let (square, _) = ui.allocate_exact_size(egui::vec2(11.0, 11.0), egui::Sense::hover());
                    ui.painter().circle_filled(square.center(), 5.5, color(picture::colour(overlaps)));
                    ui.label(RichText::new(text).weak());
                });
            }
        });
        output.place("scroll-index", area.inner_rect.expand(8.0));
    });
}

/// The index, the arrangement, the number of discs.
fn chosen(ui: &mut egui::Ui, trial: &IndexTrial, output: &mut PanelOutput<TrialAction>) {
    const LABEL_WIDTH_PX: f32 = 44.0;
    let label = |ui: &mut egui::Ui, text: &str| {
        ui.add_sized([LABEL_WIDTH_PX, 20.0], egui::Label::new(RichText::new(text).weak()).halign(Align::Min));
    };
    ui.horizontal(|ui| {
        label(ui, "index");
        let names = ComboBox::from_id_salt("index").selected_text(trial.index.to_string()).width(170.0).height(460.0);
        let shown = names.show_ui(ui, |ui| {
            for index in IndexKind::ALL {
                choice(
                    ui,
                    output,
                    index.name(),
                    index == trial.index.kind,
                    IndexTrial { index: index.into(), ..*trial },
                );
            }
        });
        output.has("index", &shown.response.on_hover_text("another index takes over the discs where they are"));
    });
    ui.horizontal(|ui| {
        label(ui, "scene");
        let names = ComboBox::from_id_salt("scene").selected_text(trial.arrangement.name()).width(170.0);
        let shown = names.show_ui(ui, |ui| {
            for arrangement in Arrangement::all() {
                let is_on = arrangement == trial.arrangement;
                choice(ui, output, arrangement.name(), is_on, IndexTrial { arrangement, ..*trial });
            }
        });
        output.has("scene", &shown.response.on_hover_text("where the discs are and how they move"));
    });
    ui.horizontal(|ui| {
        label(ui, "discs");
        let mut discs = trial.discs;
        ui.spacing_mut().slider_width = 112.0;
        let slider = ui.add(Slider::new(&mut discs, 1..=IndexTrial::MOST).logarithmic(true));
        let slider = slider.on_hover_text("the number of discs");
        output.place("discs", slider.rect);
        if slider.changed() {
            output.actions.push(TrialAction::Try(IndexTrial { discs, ..*trial }));
        }
    });
}

/// Pause, one frame, slower, faster.
fn clock(ui: &mut egui::Ui, facts: &IndexFacts<'_>, output: &mut PanelOutput<TrialAction>) {
    use TrialAction::{Faster, Pause, Slower, Step};
    ui.horizontal(|ui| {
        button(ui, output, "pause", if facts.paused { "▶" } else { "⏸" }, "go on or pause  (space)", Pause);
        button(ui, output, "step", "⏩", "one frame  ( . )", Step);
        button(ui, output, "slower", "−", "half as fast  ( [ )", Slower);
        ui.add_sized([44.0, 20.0], egui::Label::new(RichText::new(facts.speed).strong()).selectable(false));
        button(ui, output, "faster", "+", "twice as fast  ( ] )", Faster);
    });
}

/// The figures of the newest frame.
fn figures(ui: &mut egui::Ui, facts: &IndexFacts<'_>) {
    let TrialState { figures, position, frame, cells, cells_cut, .. } = facts.state;
    let micros = |micros: f64| time(Duration::from_secs_f64(micros.max(0.0) * 1e-6));
    let count = position.len() as f64;
    let share = figures.tests as f64 / (count * (count - 1.0) / 2.0).max(1.0);
    let at_least = if *cells_cut { "over " } else { "" };
    let rows = [
        ("frame", grouped(*frame)),
        ("pairs tested", grouped(figures.tests)),
        ("of all pairs", percent(share)),
        ("hits", grouped(figures.hits as u64)),
        ("update", micros(figures.update)),
        ("query", micros(figures.query)),
        ("both", micros(figures.update + figures.query)),
        ("memory", bytes(figures.bytes)),
        ("visible cells", if facts.cells { format!("{at_least}{}", grouped(cells.len() as u64)) } else { "–".into() }),
        ("frames per second", format!("{:.0}", facts.frames_per_second)),
    ];
    for (label, value) in rows {
        ui.horizontal(|ui| {
            ui.label(RichText::new(label).weak());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(RichText::new(value).strong()));
        });
    }
    ui.label(RichText::new("times: medians of the last 60 frames").weak());
}

/// A share in percent, with two digits that count.
fn percent(share: f64) -> String {
    let percent = share * 100.0;
    match percent {
        percent if percent <= 0.0 => "0 %".to_owned(),
        percent if percent < 0.01 => "< 0.01 %".to_owned(),
        percent if percent < 1.0 => format!("{percent:.2} %"),
        percent => format!("{percent:.1} %"),
    }
}

#[cfg(test)]
mod tests {
    use super::percent;

    #[test]
    fn shares_are_short() {
        assert_eq!([0.0, 1e-6, 0.00123, 0.5].map(percent), ["0 %", "< 0.01 %", "0.12 %", "50.0 %"]);
    }
}
