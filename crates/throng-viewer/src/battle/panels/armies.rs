//! How strong the armies are.

use super::facts::BattleFacts;
use crate::draw::ink::{color, ink};
use crate::draw::pen::grouped;
use egui::{Align, Label, Layout, ProgressBar, RichText};

/// A bar an army, with the living, the dead and the kills of late.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    for (index, army) in facts.frame.armies.iter().enumerate() {
        let rgb = facts.army(index);
        ui.add_space(6.0);
        ui.horizontal(|ui| {
            ui.label(RichText::new(&army.name).strong().color(ink(rgb)));
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.label(RichText::new(grouped(army.alive.into())).strong());
            });
        });
        let share = army.alive as f32 / army.all().max(1) as f32;
        ui.add(ProgressBar::new(share).desired_height(8.0).fill(color(rgb)));
        // Words of any length: a second line where one does not do.
        ui.horizontal_wrapped(|ui| {
            let routed =
                if army.routed > 0 { format!("{} routed, ", grouped(army.routed.into())) } else { String::new() };
            let weak = |text: String| Label::new(RichText::new(text).weak()).extend();
            ui.add(weak(format!("{routed}{} dead,", grouped(army.dead.into()))));
            let kills = grouped(army.kills.into());
            ui.add(weak(format!("{kills} kills, {:.1} /s", facts.history.kills_a_second(index))))
                .on_hover_text("Enemies killed so far, and per second of simulated time");
        });
    }
    for (army, text, progress) in &facts.reply.objectives {
        ui.add_space(4.0);
        ui.add(Label::new(RichText::new(text).color(ink(facts.army((*army).into())))).wrap());
        if let Some(progress) = progress {
            ui.add(ProgressBar::new(*progress).desired_height(6.0).fill(color(facts.army((*army).into()))));
        }
    }
}
