//! Time: stop, go on, faster, slower, and to any moment of a recording.

use super::asked::Asked;
use super::facts::Facts;
use crate::input::Command;
use crate::pen::grouped;
use egui::{Align, Layout, RichText, Slider};

/// A row of buttons, the time line where there is one, the time and the rates.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &Facts<'_>, asked: &mut Asked) {
    ui.horizontal_centered(|ui| {
        let mut button = |ui: &mut egui::Ui, name: &'static str, sign: &str, what: &str, command: Command| {
            let button = egui::Button::new(RichText::new(sign).size(15.0)).min_size(egui::vec2(28.0, 24.0));
            let button = ui.add(button).on_hover_text(what);
            if asked.has(name, &button) {
                asked.commands.push(command);
            }
        };
        if facts.span.is_some() {
            button(ui, "back", "⏪", "one frame back  ( , )", Command::Back);
        }
        let (sign, what) = if facts.paused { ("▶", "go on  (space)") } else { ("⏸", "pause  (space)") };
        button(ui, "pause", sign, what, Command::Pause);
        button(ui, "tick", "⏩", "one tick  ( . )", Command::Tick);
        button(ui, "slower", "−", "slower  ( - )", Command::Slower);
        ui.add_sized([44.0, 20.0], egui::Label::new(RichText::new(facts.speed.to_string()).strong()).selectable(false));
        button(ui, "faster", "+", "faster  ( + )", Command::Faster);
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
                asked.places.push(("time-line", slider.rect));
                if slider.changed() {
                    asked.commands.push(Command::GoTo(tick));
                }
            }
        });
    });
}
