//! The actions that a user takes on panels, and the places of the buttons.

use super::hints;
use egui::{Button, Rect, Response, RichText};
use std::borrow::Cow;

/// The name by which a test knows a control.
pub(crate) type Name = Cow<'static, str>;

/// The output of one layout of panels, for windows whose actions are of type `A`.
pub(crate) struct PanelOutput<A> {
    pub actions: Vec<A>,
    /// The rectangles of buttons and the like, by name (points).
    pub places: Vec<(Name, Rect)>,
    /// The names of the pressed buttons.
    pub pressed: Vec<Name>,
}

impl<A> Default for PanelOutput<A> {
    fn default() -> Self {
        Self { actions: Vec::new(), places: Vec::new(), pressed: Vec::new() }
    }
}

impl<A> PanelOutput<A> {
    /// Registers a widget that can be pressed by its name, and gives it the [hint](hints) of that name; true where it was pressed.
    pub fn has(&mut self, name: impl Into<Name>, response: &Response) -> bool {
        let name = name.into();
        if let Some(hint) = hints::of(&name) {
            response.clone().on_hover_text(hint);
        }
        self.place(name.clone(), response.rect);
        self.pressed.extend(response.clicked().then_some(name));
        response.clicked()
    }

    /// Tells where something is.
    pub fn place(&mut self, name: impl Into<Name>, area: Rect) {
        self.places.push((name.into(), area));
    }

    /// Registers a widget, and takes an action where it was pressed.
    pub fn on_press(&mut self, name: impl Into<Name>, response: &Response, action: A) {
        if self.has(name, response) {
            self.actions.push(action);
        }
    }

    /// Adds a small button; true where it was pressed.
    pub fn button(&mut self, ui: &mut egui::Ui, name: impl Into<Name>, text: &str) -> bool {
        let button = ui.add(Button::new(text).small());
        self.has(name, &button)
    }

    /// Adds a small button that takes an action.
    pub fn action(&mut self, ui: &mut egui::Ui, name: impl Into<Name>, text: &str, action: A) {
        let button = ui.add(Button::new(text).small());
        self.on_press(name, &button, action);
    }

    /// Adds a button with a sign that takes an action; `hint` is shown while the pointer rests on it.
    pub fn sign(&mut self, ui: &mut egui::Ui, name: impl Into<Name>, sign: &str, hint: &str, action: A) {
        let button = Button::new(RichText::new(sign).size(15.0)).min_size(egui::vec2(28.0, 24.0));
        let button = ui.add(button).on_hover_text(hint);
        self.on_press(name, &button, action);
    }

    /// Adds one of several choices; true where it was pressed.
    pub fn choice(&mut self, ui: &mut egui::Ui, name: impl Into<Name>, text: &str, is_on: bool) -> bool {
        let choice = ui.selectable_label(is_on, text);
        self.has(name, &choice)
    }
}
