//! The bar at the bottom: play the searches, stop, step, jump, faster, slower.

use super::action::CompareAction;
use super::playback::{Playback, PlaybackPace};
use crate::draw::pen::grouped;
use crate::shell::panel_output::PanelOutput;
use egui::{Align, ComboBox, Label, Layout, Panel, RichText, Slider};

/// The width that the place in words takes, and the least of the line (points).
const PLACE_WIDTH_PX: f32 = 150.0;
const MIN_LINE_PX: f32 = 90.0;

/// Height (logical pixels).
pub(super) const HEIGHT_PX: f32 = 38.0;

/// Lays the bar out; adds the user's actions to `output`. `last` is the longest search (expansions), `film` how much of the film
/// is done (percent), where one is made.
pub(super) fn lay_out(
    ui: &mut egui::Ui,
    playback: &Playback,
    last: u64,
    film: Option<usize>,
    output: &mut PanelOutput<CompareAction>,
) {
    Panel::bottom("transport").exact_size(HEIGHT_PX).resizable(false).show(ui, |ui| {
        ui.horizontal_centered(|ui| {
            let mut button = |ui: &mut egui::Ui, name: &'static str, sign: &str, what: &str, action: CompareAction| {
                output.sign(ui, name, sign, what, action);
            };
            button(ui, "to-start", "⏮", "to the start  (Home)", CompareAction::Jump(0));
            button(ui, "back", "⏪", "one expansion back  (left or , )", CompareAction::Step(false));
            let (sign, what) = if playback.playing { ("⏸", "stop  (space)") } else { ("▶", "play  (space)") };
            button(ui, "play", sign, what, CompareAction::Play);
            button(ui, "step", "⏩", "one expansion forward  (right or . )", CompareAction::Step(true));
            button(ui, "to-end", "⏭", "to the end  (End)", CompareAction::Jump(u64::MAX));
            button(ui, "slower", "−", "slower  ( [ )", CompareAction::Faster(false));
            let speed = RichText::new(format!("{} /s", grouped(playback.speed(last) as u64))).strong();
            ui.add_sized([84.0, 20.0], Label::new(speed).selectable(false)).on_hover_text("expansions per second");
            button(ui, "faster", "+", "faster  ( ] )", CompareAction::Faster(true));
            let (sign, what) = match film {
                None => ("GIF".to_owned(), "a film of the race (GIF)  (F9)".to_owned()),
                Some(percent) => {
                    (format!("{percent} %"), "the film is being made; press to give it up  (F9)".to_owned())
                }
            };
            output.sign(ui, "film", &sign, &what, CompareAction::Film);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                let text =
                    PlaybackPace::ALL.iter().find(|(pace, _)| *pace == playback.pace).map_or("", |(_, text)| text);
                let paces = ComboBox::from_id_salt("pace").selected_text(text).width(168.0);
                let chosen = paces.show_ui(ui, |ui| {
                    for (pace, text) in PlaybackPace::ALL {
                        if ui.selectable_label(pace == playback.pace, text).clicked() {
                            output.actions.push(CompareAction::PlaybackPace(pace));
                        }
                    }
                });
                let chosen = chosen.response.on_hover_text("how the searches share the time");
                output.place("pace", chosen.rect);
                let mut at = playback.place(last);
                // Of one width whatever it says, or the line would move under the mouse.
                let text = format!("{} of {}", grouped(at), grouped(last));
                if ui.available_width() > PLACE_WIDTH_PX + MIN_LINE_PX {
                    ui.add_sized([PLACE_WIDTH_PX, 20.0], Label::new(text.as_str()).truncate().selectable(false));
                }
                ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(40.0);
                let slider = Slider::new(&mut at, 0..=last).show_value(false).smart_aim(false).trailing_fill(true);
                let slider = ui.add(slider).on_hover_text(format!("{text} expansions of the longest search"));
                output.place("moment", slider.rect);
                if slider.changed() {
                    output.actions.push(CompareAction::Jump(at));
                }
            });
        });
    });
}
