//! The page of settings.

use super::MenuAction;
use crate::Theme;
use crate::shell::panel_output::PanelOutput;
use crate::shell::settings::{ArmyColours, Settings, TEXT_PERCENTS};

/// Lays out all settings; a change counts at once.
pub(super) fn lay_out(ui: &mut egui::Ui, settings: Settings, output: &mut PanelOutput<MenuAction>) {
    let mut next = settings;
    ui.heading("Settings");
    ui.add_space(6.0);
    ui.horizontal_wrapped(|ui| {
        ui.label("size of words");
        for percent in TEXT_PERCENTS {
            if output.choice(ui, format!("text-{percent}"), &format!("{percent} %"), settings.text_percent == percent) {
                next.text_percent = percent;
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("battles look like");
        for (look, name, text) in [(Theme::Battle, "look-battle", "a landscape"), (Theme::Plan, "look-plan", "a plan")]
        {
            if output.choice(ui, name, text, settings.look == look) {
                next.look = look;
            }
        }
    });
    ui.weak("Of the next battles that are opened, where a scenario asks for no other; L changes it at any time.");
    ui.horizontal_wrapped(|ui| {
        ui.label("colours of the armies");
        let choices = [
            (ArmyColours::Own, "colours-own", "those of the scenario"),
            (ArmyColours::Distinct, "colours-distinct", "for any colour vision"),
        ];
        for (colours, name, text) in choices {
            if output.choice(ui, name, text, settings.colours == colours) {
                next.colours = colours;
            }
        }
    });
    ui.horizontal_wrapped(|ui| {
        ui.label("battles begin at");
        if output.button(ui, "speed-slower", "−") {
            next.speed = settings.speed.slower();
        }
        ui.strong(settings.speed.to_string());
        if output.button(ui, "speed-faster", "+") {
            next.speed = settings.speed.faster();
        }
        ui.label("times the speed of life");
    });
    if next != settings {
        output.actions.push(MenuAction::Apply(next));
    }
}
