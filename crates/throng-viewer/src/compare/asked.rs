//! What the user wants by the panels of a comparison.

use super::wish::Wish;
use egui::{Button, Rect, RichText};

/// What the user wants, and where buttons and the like are.
#[derive(Default)]
pub(super) struct Asked {
    pub wishes: Vec<Wish>,
    pub places: Vec<(&'static str, Rect)>,
    /// Buttons that were pressed.
    pub pressed: Vec<&'static str>,
}

impl Asked {
    /// A button with a sign, by this name, that wants this, and says so.
    pub fn sign(&mut self, ui: &mut egui::Ui, name: &'static str, sign: &str, what: &str, wish: Wish) {
        let button = Button::new(RichText::new(sign).size(15.0)).min_size(egui::vec2(28.0, 24.0));
        let button = ui.add(button).on_hover_text(what);
        self.wants(name, &button, wish);
    }

    /// A button by this name, that wants this.
    pub fn button(&mut self, ui: &mut egui::Ui, name: &'static str, text: &str, wish: Wish) {
        let button = ui.add(Button::new(text).small());
        self.wants(name, &button, wish);
    }

    fn wants(&mut self, name: &'static str, button: &egui::Response, wish: Wish) {
        self.places.push((name, button.rect));
        if button.clicked() {
            self.pressed.push(name);
            self.wishes.push(wish);
        }
    }
}
