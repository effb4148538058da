//! The panels of a battle: time at the bottom, figures at the left.

mod agent;
mod armies;
mod files;
mod means;
mod squads;
mod stages;
mod tools;
mod transport;

use super::deed::Sight;
use super::heat::Heat;
use super::history::History;
use super::input::Command;
use super::marks::Shown;
use super::palette::Rgb;
use super::speed::Speed;
use super::tools::Tools;
use crate::world::Frame;
use egui::{Align2, Button, CollapsingHeader, Color32, Panel, Rect, RichText};
use std::path::PathBuf;

/// Width of the panel at the left (logical pixels).
pub(super) const WIDTH: f32 = 264.0;

/// Height of the panel at the bottom (logical pixels).
pub(super) const BAR: f32 = 34.0;

/// What the panels show.
pub(super) struct Facts<'a> {
    pub title: &'a str,
    pub frame: &'a Frame,
    pub history: &'a History,
    pub sight: &'a Sight,
    pub speed: Speed,
    pub paused: bool,
    pub ticks_per_second: f32,
    pub frames_per_second: f32,
    /// The first and the last tick of a recording.
    pub span: Option<[u64; 2]>,
    /// Files that were opened lately, the last first.
    pub recent: &'a [PathBuf],
    /// Why a file could not be opened.
    pub trouble: Option<&'a str>,
}

/// What the user wants by the panels.
#[derive(Default)]
pub(super) struct Asked {
    pub commands: Vec<Command>,
    /// Where buttons and the like are, by name.
    pub places: Vec<(&'static str, Rect)>,
    /// Those that were pressed.
    pub pressed: Vec<&'static str>,
}

impl Asked {
    /// Forgets all: egui may lay out twice.
    pub fn clear(&mut self) {
        self.commands.clear();
        self.places.clear();
        self.pressed.clear();
    }

    /// Something by this name that can be pressed; true where it was.
    fn has(&mut self, name: &'static str, response: &egui::Response) -> bool {
        self.places.push((name, response.rect));
        self.pressed.extend(response.clicked().then_some(name));
        response.clicked()
    }

    /// A button by this name; true where it was pressed.
    fn button(&mut self, ui: &mut egui::Ui, name: &'static str, text: &str) -> bool {
        let button = ui.add(Button::new(text).small());
        self.has(name, &button)
    }

    /// One of several, by this name; true where it was pressed.
    fn choice(&mut self, ui: &mut egui::Ui, name: &'static str, text: &str, is_on: bool) -> bool {
        let choice = ui.selectable_label(is_on, text);
        self.has(name, &choice)
    }
}

/// Which panels are open, and what is drawn over the map.
pub(super) struct Panels {
    /// The one at the left.
    pub side: bool,
    pub shown: Shown,
    pub heat: Heat,
}

impl Default for Panels {
    fn default() -> Self {
        Self { side: true, shown: Shown::default(), heat: Heat::None }
    }
}

impl Panels {
    /// Lays the panels out; adds what the user wants to `asked`.
    pub fn lay_out(&mut self, ui: &mut egui::Ui, facts: &Facts<'_>, tools: &mut Tools, asked: &mut Asked) {
        Panel::bottom("time").exact_size(BAR).show(ui, |ui| transport::lay_out(ui, facts, asked));
        if let Some(trouble) = facts.trouble {
            let window = egui::Window::new("this file cannot be opened").collapsible(false).resizable(false);
            window.anchor(Align2::CENTER_CENTER, egui::Vec2::ZERO).default_width(460.0).show(ui.ctx(), |ui| {
                ui.label(trouble);
                if asked.button(ui, "dismiss", "go on with the old one") {
                    asked.commands.push(Command::Dismiss);
                }
            });
        }
        agent::lay_out(ui, facts, tools);
        if !self.side {
            return;
        }
        Panel::left("figures").exact_size(WIDTH).resizable(false).show(ui, |ui| {
            egui::ScrollArea::vertical().auto_shrink(false).show(ui, |ui| {
                ui.add_space(4.0);
                ui.add(egui::Label::new(RichText::new(facts.title).size(19.0).strong()).truncate());
                armies::lay_out(ui, facts);
                ui.add_space(6.0);
                ui.separator();
                // A recording can be looked at, not changed.
                let live = facts.span.is_none();
                if live {
                    tools::lay_out(ui, facts, tools, asked);
                    section(ui, "squads", |ui| squads::lay_out(ui, facts, &tools.squads, asked));
                }
                section(ui, "show", |ui| means::overlays(ui, facts, &mut self.shown, &mut self.heat, asked));
                if live {
                    section(ui, "means", |ui| means::lay_out(ui, facts, asked));
                }
                section(ui, "files", |ui| files::lay_out(ui, facts, asked));
                if live {
                    section(ui, "one tick", |ui| stages::lay_out(ui, facts));
                }
            });
        });
    }
}

/// A part that can be folded.
fn section(ui: &mut egui::Ui, title: &str, lay_out: impl FnOnce(&mut egui::Ui)) {
    CollapsingHeader::new(RichText::new(title).strong()).default_open(true).show_unindented(ui, lay_out);
}

/// A colour of the pictures on a panel.
pub(super) fn color([red, green, blue]: Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Letters of that colour, light enough for a dark panel.
pub(super) fn ink(rgb: Rgb) -> Color32 {
    color(rgb.map(|channel| channel / 2 + 127))
}
