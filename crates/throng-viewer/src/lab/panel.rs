//! The pieces of which the panels of laboratories are made.

use super::step_control::StepAction;
use crate::shell::panel_output::PanelOutput;
use egui::{Align, Button, Label, Layout, Painter, Panel, Pos2, RichText, ScrollArea, Sense, Ui, vec2};

/// Lays out a panel of this width (points) whose content scrolls; `scroll` is the name of the part that does.
pub(super) fn scrolling<A>(
    ui: &mut Ui,
    panel: Panel,
    width: f32,
    scroll: &'static str,
    output: &mut PanelOutput<A>,
    add: impl FnOnce(&mut Ui, &mut PanelOutput<A>),
) {
    panel.exact_size(width).resizable(false).show(ui, |ui| {
        let area = ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
            ui.add_space(4.0);
            add(ui, output);
        });
        output.place(scroll, area.inner_rect.expand(8.0));
    });
}

/// Adds a button that takes an action.
pub(super) fn button<A>(
    ui: &mut Ui,
    output: &mut PanelOutput<A>,
    name: &'static str,
    text: &str,
    hint: &str,
    action: A,
) {
    let button = ui.add(Button::new(text).min_size(vec2(0.0, 22.0))).on_hover_text(hint);
    output.on_press(name, &button, action);
}

/// Pause, one step, slower, the speed in words, faster; `step` is what a step is, and `act` makes an action of the window.
pub(super) fn steps<A>(
    ui: &mut Ui,
    output: &mut PanelOutput<A>,
    (paused, speed): (bool, &str),
    step: &str,
    act: fn(StepAction) -> A,
) {
    ui.horizontal(|ui| {
        let sign = if paused { "▶" } else { "⏸" };
        button(ui, output, "pause", sign, "go on or pause  (space)", act(StepAction::Pause));
        button(ui, output, "step", "⏩", step, act(StepAction::Step));
        button(ui, output, "slower", "−", "half as fast  ( [ )", act(StepAction::Slower));
        ui.add_sized([44.0, 20.0], Label::new(RichText::new(speed).strong()).selectable(false));
        button(ui, output, "faster", "+", "twice as fast  ( ] )", act(StepAction::Faster));
    });
}

/// A line of a label of a width (points) and what is set there.
pub(super) fn setting(ui: &mut Ui, width: f32, label: &str, add: impl FnOnce(&mut Ui)) {
    ui.horizontal(|ui| {
        ui.add_sized([width, 20.0], Label::new(RichText::new(label).weak()).halign(Align::Min));
        add(ui);
    });
}

/// A line of a label at the left and a figure at the right.
pub(super) fn figure(ui: &mut Ui, label: &str, value: RichText) {
    ui.horizontal(|ui| {
        ui.label(RichText::new(label).weak());
        ui.with_layout(Layout::right_to_left(Align::Center), |ui| ui.label(value.strong()));
    });
}

/// A line of a legend: what `draw` draws in the middle of a square of this side (points), and what it means.
pub(super) fn sample(ui: &mut Ui, side: f32, text: &str, draw: impl FnOnce(&Painter, Pos2)) {
    ui.horizontal(|ui| {
        let (square, _) = ui.allocate_exact_size(vec2(side, side), Sense::hover());
        draw(ui.painter(), square.center());
        ui.label(RichText::new(text).weak());
    });
}
