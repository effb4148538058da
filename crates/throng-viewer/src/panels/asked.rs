//! What the user wants by the panels.

use crate::input::Command;
use egui::{Button, Rect};

/// What the user wants by the panels.
#[derive(Default)]
pub(crate) struct Asked {
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
    pub fn has(&mut self, name: &'static str, response: &egui::Response) -> bool {
        self.places.push((name, response.rect));
        self.pressed.extend(response.clicked().then_some(name));
        response.clicked()
    }

    /// A button by this name; true where it was pressed.
    pub fn button(&mut self, ui: &mut egui::Ui, name: &'static str, text: &str) -> bool {
        let button = ui.add(Button::new(text).small());
        self.has(name, &button)
    }

    /// One of several, by this name; true where it was pressed.
    pub fn choice(&mut self, ui: &mut egui::Ui, name: &'static str, text: &str, is_on: bool) -> bool {
        let choice = ui.selectable_label(is_on, text);
        self.has(name, &choice)
    }
}
