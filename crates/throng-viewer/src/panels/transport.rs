//! Time: stop, go on, faster, slower, and to any moment of a recording.

use super::facts::BattleFacts;
use crate::input::BattleAction;
use crate::panel_output::PanelOutput;
use crate::pen::grouped;
use egui::{Align, Layout, RichText, Slider};

/// A row of buttons, the time line where there is one, the time and the rates.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>, output: &mut PanelOutput<BattleAction>) {
    ui.horizontal_centered(|ui| {
        let mut button = |ui: &mut egui::Ui, name: &'static str, sign: &str, what: &str, command: BattleAction| {
            output.sign(ui, name, sign, what, command);
        };
        if facts.span.is_some() {
            button(ui, "back", "⏪", "one frame back  ( , )", BattleAction::Back);
        }
        let (sign, what) = if facts.paused { ("▶", "resume  (space)") } else { ("⏸", "pause  (space)") };
        button(ui, "pause", sign, what, BattleAction::Pause);
        button(ui, "tick", "⏩", "one tick  ( . )", BattleAction::Tick);
        button(ui, "slower", "−", "slower  ( [ )", BattleAction::Slower);
        ui.add_sized([44.0, 20.0], egui::Label::new(RichText::new(facts.speed.to_string()).strong()).selectable(false));
        button(ui, "faster", "+", "faster  ( ] )", BattleAction::Faster);
        let frame = facts.frame;
        ui.add_sized([86.0, 20.0], egui::Label::new(format!("{:.1} s", frame.time)).selectable(false));
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            let rates = format!("{:.0} ticks/s  {:.0} fps", facts.ticks_per_second, facts.frames_per_second);
            ui.add_sized([132.0, 20.0], egui::Label::new(RichText::new(rates).weak()).selectable(false));
            // Of one width whatever it says, or the line would move under the mouse.
            let tick = format!("tick {}", grouped(frame.tick));
            ui.add_sized([104.0, 20.0], egui::Label::new(tick).selectable(false));
            if let Some([first, last]) = facts.span {
                let mut tick = frame.tick;
                ui.spacing_mut().slider_width = (ui.available_width() - 8.0).max(40.0);
                let slider = Slider::new(&mut tick, first..=last.max(first))
                    .show_value(false)
                    .smart_aim(false)
                    .trailing_fill(true);
                let slider = ui.add(slider);
                output.places.push(("time-line", slider.rect));
                if slider.changed() {
                    output.actions.push(BattleAction::GoTo(tick));
                }
            }
        });
    });
}
