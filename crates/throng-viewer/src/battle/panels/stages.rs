//! How long ticks take.

use super::facts::BattleFacts;
use crate::draw::ink::ink;
use crate::draw::palette;
use egui::{Align, Layout, RichText};
use egui_plot::{Line, Plot, PlotPoints};
use throng_sim::world::Stage;

/// The last ticks as a graph of its stages, one on the other, and the newest in figures.
pub(super) fn lay_out(ui: &mut egui::Ui, facts: &BattleFacts<'_>) {
    ui.horizontal(|ui| {
        ui.weak("all stages");
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
            ui.strong(format!("{:.2} ms", facts.frame.tick_ms));
        });
    });
    let stages = facts.history.stages();
    let most = stages[Stage::COUNT - 1].iter().copied().fold(1.0, f64::max);
    Plot::new("stages")
        .height(64.0)
        .show_axes(false)
        .show_grid(false)
        .allow_drag(false)
        .allow_zoom(false)
        .allow_scroll(false)
        .allow_boxed_zoom(false)
        .include_y(0.0)
        .include_y(most)
        .set_margin_fraction(egui::Vec2::ZERO)
        .show(ui, |plot| {
            // From the top down: each covers those below it.
            for (stage, times) in stages.iter().enumerate().rev() {
                let line = Line::new(Stage::ALL[stage].name(), PlotPoints::from_ys_f64(times));
                plot.line(line.color(ink(palette::army(stage))).fill(0.0).fill_alpha(1.0).width(1.0));
            }
        });
    for stage in Stage::ALL {
        ui.horizontal(|ui| {
            let (square, _) = ui.allocate_exact_size(egui::vec2(9.0, 9.0), egui::Sense::hover());
            ui.painter().rect_filled(square, 2.0, ink(palette::army(stage as usize)));
            ui.label(RichText::new(stage.name()).weak());
            ui.with_layout(Layout::right_to_left(Align::Center), |ui| {
                ui.weak(format!("{:.2}", facts.frame.stage_ms[stage as usize]));
            });
        });
    }
}
