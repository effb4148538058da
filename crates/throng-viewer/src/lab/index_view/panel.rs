//! The panel at the left: the trial, the clock, figures.

use super::keys::TrialAction;
use super::trial::TrialState;
use super::{Arrangement, IndexTrial, picture};
use crate::draw::ink::color;
use crate::draw::pen::grouped;
use crate::lab::compare::{bytes, time};
use crate::lab::panel;
use crate::shell::panel_output::PanelOutput;
use egui::{ComboBox, Panel, RichText, Slider};
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
    panel::scrolling(ui, Panel::left("index"), WIDTH_PX, "scroll-index", output, |ui, output| {
        ui.label(RichText::new("spatial index").heading().strong());
        ui.add_space(6.0);
        chosen(ui, facts.trial, output);
        ui.add_space(6.0);
        ui.separator();
        panel::steps(ui, output, (facts.paused, facts.speed), "one frame  ( . )", TrialAction::Steps);
        let mut cells = facts.cells;
        let shown =
            ui.checkbox(&mut cells, "G  cells, fuller ones darker").on_hover_text("the cells or nodes of the index");
        output.has("cells", &shown);
        if shown.changed() {
            output.actions.push(TrialAction::Cells);
        }
        ui.separator();
        figures(ui, facts);
        ui.separator();
        for (overlaps, text) in [(false, "alone"), (true, "overlapping")] {
            panel::sample(ui, 11.0, text, |painter, at| {
                painter.circle_filled(at, 5.5, color(picture::colour(overlaps)));
            });
        }
    });
}

/// The index, the arrangement, the number of discs.
fn chosen(ui: &mut egui::Ui, trial: &IndexTrial, output: &mut PanelOutput<TrialAction>) {
    const LABEL_WIDTH_PX: f32 = 44.0;
    panel::setting(ui, LABEL_WIDTH_PX, "index", |ui| {
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
    panel::setting(ui, LABEL_WIDTH_PX, "scene", |ui| {
        let names = ComboBox::from_id_salt("scene").selected_text(trial.arrangement.name()).width(170.0);
        let shown = names.show_ui(ui, |ui| {
            for arrangement in Arrangement::all() {
                let is_on = arrangement == trial.arrangement;
                choice(ui, output, arrangement.name(), is_on, IndexTrial { arrangement, ..*trial });
            }
        });
        output.has("scene", &shown.response.on_hover_text("where the discs are and how they move"));
    });
    panel::setting(ui, LABEL_WIDTH_PX, "discs", |ui| {
        let mut discs = trial.discs;
        ui.spacing_mut().slider_width = 112.0;
        let slider = ui.add(Slider::new(&mut discs, 1..=IndexTrial::MAX_DISCS).logarithmic(true));
        let slider = slider.on_hover_text("the number of discs");
        output.place("discs", slider.rect);
        if slider.changed() {
            output.actions.push(TrialAction::Try(IndexTrial { discs, ..*trial }));
        }
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
        panel::figure(ui, label, RichText::new(value));
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
