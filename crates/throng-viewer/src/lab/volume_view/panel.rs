//! The panel at the left: the trial, the clock, what the tests find, what the colours mean.

use super::VolumeTrial;
use super::keys::{Layer, VisibleLayers, VolumeAction};
use super::paint::{FOUND_INK, SHOT_INK, TUNNELLED_INK, kind_ink, mark};
use super::state::VolumeState;
use crate::draw::pen::grouped;
use crate::lab::panel::{self, sample};
use crate::shell::panel_output::PanelOutput;
use egui::{Checkbox, Panel, RichText, Slider};
use throng_spatial::volume::{Shape2, Shape3};
use throng_spatial::{Response, Solid};

/// Width (logical pixels).
const WIDTH_PX: f32 = 278.0;
/// Width of the labels of settings (logical pixels).
const LABEL_WIDTH_PX: f32 = 70.0;
/// Side of the squares of a legend (logical pixels).
const SAMPLE_PX: f32 = 14.0;

/// The data that the panel shows.
pub(super) struct VolumeFacts<'a> {
    /// The trial that was requested last.
    pub trial: &'a VolumeTrial,
    pub state: &'a VolumeState,
    pub layers: VisibleLayers,
    pub paused: bool,
    /// In words.
    pub speed: &'a str,
}

/// Lays the panel out; adds the user's actions to `output`.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &VolumeFacts<'_>, output: &mut PanelOutput<VolumeAction>) {
    panel::scrolling(ui, Panel::left("volumes"), WIDTH_PX, "scroll-volumes", output, |ui, output| {
        ui.label(RichText::new("moving volumes").heading().strong());
        ui.add_space(6.0);
        chosen(ui, facts.trial, output);
        ui.separator();
        panel::steps(ui, output, (facts.paused, facts.speed), "to the end of the step  ( . )", VolumeAction::Steps);
        layers(ui, facts, output);
        ui.separator();
        figures(ui, facts);
        ui.separator();
        legend(ui, facts.trial.space);
    });
}

/// A line of a label and what is set there.
fn row(ui: &mut egui::Ui, label: &str, add: impl FnOnce(&mut egui::Ui)) {
    panel::setting(ui, LABEL_WIDTH_PX, label, add);
}

/// Adds one of several choices with a hint; true where it was pressed.
fn choice(
    ui: &mut egui::Ui,
    output: &mut PanelOutput<VolumeAction>,
    name: &'static str,
    text: &str,
    hint: &str,
    is_on: bool,
) -> bool {
    let choice = ui.selectable_label(is_on, text).on_hover_text(hint);
    output.has(name, &choice)
}

/// Plane or space, numbers, the response.
fn chosen(ui: &mut egui::Ui, trial: &VolumeTrial, output: &mut PanelOutput<VolumeAction>) {
    row(ui, "in", |ui| {
        for (name, space) in [("plane", false), ("space", true)] {
            let hint = "bodies in the plane, or in space  (D)";
            if choice(ui, output, name, name, hint, trial.space == space) {
                output.actions.push(VolumeAction::Try(VolumeTrial { space, ..*trial }));
            }
        }
    });
    let mut next = *trial;
    ui.spacing_mut().slider_width = 104.0;
    row(ui, "shapes", |ui| {
        let slider = ui.add(Slider::new(&mut next.shapes, 2..=VolumeTrial::MAX_SHAPES).logarithmic(true));
        let slider = slider.on_hover_text("how many bodies and shots there are");
        output.place("shapes", slider.rect);
    });
    row(ui, "speed", |ui| {
        let slider = Slider::new(&mut next.speed, 0.5..=100.0).logarithmic(true).fixed_decimals(1).suffix(" m");
        output.place("speed", ui.add(slider).on_hover_text("the way of a shot in a step").rect);
    });
    row(ui, "sub-steps", |ui| {
        let slider = Slider::new(&mut next.substeps, 1..=VolumeTrial::MAX_SUBSTEPS).logarithmic(true);
        let hint = "into how many parts a step is cut by the test that may miss hits";
        output.place("substeps", ui.add(slider).on_hover_text(hint).rect);
    });
    row(ui, "a hit", |ui| {
        ui.spacing_mut().item_spacing.x = 2.0;
        for response in Response::ALL {
            let name = response.name();
            if choice(ui, output, name, name, "what a shot does after a hit", trial.response == response) {
                next.response = response;
            }
        }
    });
    row(ui, "shots heed", |ui| {
        for (name, text, tunnels) in [("all hits", "all", false), ("found hits", "sub-steps", true)] {
            let hint = "whether shots fly through what the sub-steps miss";
            if choice(ui, output, name, text, hint, trial.tunnels == tunnels) {
                next.tunnels = tunnels;
            }
        }
    });
    if next != *trial {
        output.actions.push(VolumeAction::Try(next));
    }
}

fn layers(ui: &mut egui::Ui, facts: &VolumeFacts<'_>, output: &mut PanelOutput<VolumeAction>) {
    for (layer, text) in [
        (Layer::Cone, "C  view cone: what it sees is bright"),
        (Layer::Ways, "W  ways and sub-steps"),
        (Layer::Balls, "B  bounding balls, sphere trees"),
        (Layer::Cells, if facts.trial.space { "G  cells of the octree" } else { "G  cells of the quadtree" }),
    ] {
        let mut shown = facts.layers.has(layer);
        let response = ui.add(Checkbox::new(&mut shown, text)).on_hover_text("shown or hidden");
        output.on_press(layer.name(), &response, VolumeAction::Toggle(layer));
    }
}

/// The results of the tests so far.
fn figures(ui: &mut egui::Ui, facts: &VolumeFacts<'_>) {
    let VolumeState { tally, bodies, shots, seen, trial, .. } = facts.state;
    let share = match tally.hits {
        0 => "–".to_owned(),
        hits => format!("{:.1} %", 100.0 * tally.tunnelled as f64 / hits as f64),
    };
    let found = tally.hits - tally.tunnelled;
    let by = if trial.substeps == 1 { "by 1 sub-step".to_owned() } else { format!("by {} sub-steps", trial.substeps) };
    for (label, value, ink) in [
        ("steps", grouped(tally.steps), None),
        ("shots, bodies", format!("{}, {}", grouped(shots.len() as u64), grouped(bodies.len() as u64)), None),
        ("pairs tested", grouped(tally.pairs), None),
        ("hits, continuous test", grouped(tally.hits), None),
        (by.as_str(), grouped(found), Some(FOUND_INK)),
        ("tunnelled", grouped(tally.tunnelled), Some(TUNNELLED_INK)),
        ("share", share, Some(TUNNELLED_INK)),
        ("bodies in the cone", format!("{} of {}", grouped(*seen as u64), grouped(bodies.len() as u64)), None),
    ] {
        let value = RichText::new(value);
        panel::figure(ui, label, if let Some(ink) = ink { value.color(ink) } else { value });
    }
}

/// The legend of colours and marks.
fn legend(ui: &mut egui::Ui, space: bool) {
    let kinds = if space { <Shape3 as Solid<3>>::KINDS } else { <Shape2 as Solid<2>>::KINDS };
    let kinds = kinds.iter().enumerate().map(|(kind, &name)| (name, kind_ink(kind)));
    ui.columns(2, |columns| {
        for (place, (text, ink)) in kinds.chain([("shot", SHOT_INK)]).enumerate() {
            sample(&mut columns[place % 2], SAMPLE_PX, text, |painter, at| {
                painter.circle_filled(at, 5.5, ink);
            });
        }
    });
    for (text, tunnelled) in [("hit that sub-steps find", false), ("hit that tunnels", true)] {
        sample(ui, SAMPLE_PX, text, |painter, at| mark(painter, at, tunnelled, 1.0));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shell::layout_check;

    #[test]
    fn all_words_can_be_read_and_all_controls_have_a_hint() {
        for space in [false, true] {
            let trial = VolumeTrial { space, shapes: 2000, ..VolumeTrial::default() };
            let state = VolumeState { trial, seen: 1999, ..VolumeState::default() };
            let lay = |ui: &mut egui::Ui, output: &mut PanelOutput<VolumeAction>| {
                let (layers, paused, speed) = (VisibleLayers::default(), true, "1000×");
                lay_out(ui, &VolumeFacts { trial: &trial, state: &state, layers, paused, speed }, output);
                let keys = crate::draw::overlay::Overlay {
                    keys: &super::super::keys::HELP,
                    help: false,
                    notice: None,
                    trouble: None,
                };
                crate::draw::overlay::lay_out(ui, ui.available_rect_before_wrap(), &keys, output);
            };
            layout_check::assert_readable(lay);
        }
    }
}
