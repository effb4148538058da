//! Time: stop, go on, back, faster, slower, and to any moment.

use super::facts::BattleFacts;
use super::time_line::{ROW_HEIGHT_PX, TimeLine};
use crate::battle::action::BattleAction;
use crate::draw::pen::grouped;
use crate::shell::panel_output::PanelOutput;
use egui::{Align, Layout, RichText, vec2};

/// A row of buttons, the time and the rates; the time line beside them or below, where there is one.
pub(super) fn lay_out(
    ui: &mut egui::Ui,
    facts: &BattleFacts<'_>,
    time: TimeLine,
    output: &mut PanelOutput<BattleAction>,
) {
    if TimeLine::is_beside(ui.available_width()) {
        ui.horizontal_centered(|ui| {
            buttons(ui, facts, output);
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                rates(ui, facts);
                time.lay_out(ui, facts, output);
            });
        });
        return;
    }
    let row = vec2(ui.available_width(), ROW_HEIGHT_PX - 6.0);
    ui.allocate_ui_with_layout(row, Layout::left_to_right(Align::Center), |ui| {
        buttons(ui, facts, output);
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| rates(ui, facts));
    });
    let rest = ui.available_size();
    ui.allocate_ui_with_layout(rest, Layout::right_to_left(Align::Center), |ui| time.lay_out(ui, facts, output));
}

fn buttons(ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    let mut button = |ui: &mut egui::Ui, name: &'static str, sign: &str, what: &str, command: BattleAction| {
        output.sign(ui, name, sign, what, command);
    };
    if facts.span.is_some() {
        let what = if facts.live { "one tick back  ( , )" } else { "one frame back  ( , )" };
        button(ui, "back", "⏪", what, BattleAction::Back);
    }
    let (sign, what) = if facts.paused { ("▶", "resume  (space)") } else { ("⏸", "pause  (space)") };
    button(ui, "pause", sign, what, BattleAction::Pause);
    button(ui, "tick", "⏩", "one tick  ( . )", BattleAction::Tick);
    button(ui, "slower", "−", "slower  ( [ )", BattleAction::Slower);
    ui.add_sized([44.0, 20.0], egui::Label::new(RichText::new(facts.speed.to_string()).strong()).selectable(false));
    button(ui, "faster", "+", "faster  ( ] )", BattleAction::Faster);
    ui.add_sized([86.0, 20.0], egui::Label::new(format!("{:.1} s", facts.frame.time)).selectable(false));
}

fn rates(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    let rates = format!("{:.0} ticks/s  {:.0} fps", facts.ticks_per_second, facts.frames_per_second);
    ui.add_sized([132.0, 20.0], egui::Label::new(RichText::new(rates).weak()).selectable(false));
    // Of one width whatever it says, or the line would move under the mouse.
    let tick = format!("tick {}", grouped(facts.frame.tick));
    ui.add_sized([104.0, 20.0], egui::Label::new(tick).selectable(false));
}
