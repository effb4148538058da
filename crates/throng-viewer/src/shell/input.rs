//! Keys and mouse, as every window takes them.

use ggez::winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta};
use ggez::winit::keyboard::{Key, ModifiersState, NamedKey};
use throng_grid::geom::Vec2;

/// An action of the user in any window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum WindowAction {
    /// Show the armies, or the whole map.
    Fit,
    /// Show or hide the list of keys.
    Help,
    /// Write a picture of the window.
    Picture,
    /// Fill the screen, or no longer.
    FullScreen,
    /// Open the menu, or close it.
    Menu,
    /// Close the window.
    Quit,
}

/// An action whose key was pressed; while the key is held down, again only where it `repeats`.
pub(crate) fn pressed<A>(event: &KeyEvent, action: Option<A>, repeats: impl FnOnce(&A) -> bool) -> Option<A> {
    action.filter(|action| event.state == ElementState::Pressed && (!event.repeat || repeats(action)))
}

/// The action of a pressed key in any window.
pub(super) fn common(event: &KeyEvent, modifiers: ModifiersState) -> Option<WindowAction> {
    pressed(event, common_of_key(&event.logical_key, modifiers), |_| false)
}

fn common_of_key(key: &Key, modifiers: ModifiersState) -> Option<WindowAction> {
    if modifiers.control_key() || modifiers.super_key() {
        return matches!(key.as_ref(), Key::Character("q" | "Q")).then_some(WindowAction::Quit);
    }
    match key.as_ref() {
        Key::Named(NamedKey::Escape) => Some(WindowAction::Menu),
        Key::Named(NamedKey::F12) => Some(WindowAction::Picture),
        Key::Named(NamedKey::F1) => Some(WindowAction::Help),
        Key::Named(NamedKey::F11) => Some(WindowAction::FullScreen),
        Key::Character("f" | "F") => Some(WindowAction::Fit),
        _ => None,
    }
}

/// Clicks of a wheel, up is positive. Touch pads give pixels.
pub(super) fn clicks(delta: MouseScrollDelta) -> f32 {
    match delta {
        MouseScrollDelta::LineDelta(_, y) => y,
        MouseScrollDelta::PixelDelta(pixels) => pixels.y as f32 / 40.0,
    }
}

/// The place of the pointer, and whether it drags the map.
#[derive(Debug, Default)]
pub(crate) struct Pointer {
    /// Its place (pixels).
    pub at: Vec2,
    /// The button that drags.
    drag: Option<MouseButton>,
}

impl Pointer {
    /// Follows a button: the right and the middle one drag.
    pub fn button(&mut self, button: MouseButton, state: ElementState) {
        let drags = matches!(button, MouseButton::Right | MouseButton::Middle);
        if drags && state == ElementState::Pressed {
            self.drag = Some(button);
        } else if self.drag == Some(button) {
            self.drag = None;
        }
    }

    /// Follows a move; the distance to drag the map by (pixels), where there is one.
    pub fn moved(&mut self, to: Vec2) -> Option<Vec2> {
        let by = to - self.at;
        self.at = to;
        (self.drag.is_some() && by != Vec2::ZERO).then_some(by)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_of_any_window_have_actions() {
        assert_eq!(common_of_key(&Key::Character("f".into()), ModifiersState::empty()), Some(WindowAction::Fit));
        assert_eq!(common_of_key(&Key::Named(NamedKey::Escape), ModifiersState::empty()), Some(WindowAction::Menu));
        assert_eq!(common_of_key(&Key::Character("q".into()), ModifiersState::CONTROL), Some(WindowAction::Quit));
    }

    #[test]
    fn only_the_button_that_began_a_drag_ends_it() {
        let mut pointer = Pointer::default();
        assert_eq!(pointer.moved(Vec2::ONE), None);
        pointer.button(MouseButton::Left, ElementState::Pressed);
        assert_eq!(pointer.moved(Vec2::ZERO), None);
        pointer.button(MouseButton::Right, ElementState::Pressed);
        pointer.button(MouseButton::Left, ElementState::Released);
        assert_eq!(pointer.moved(Vec2::ONE), Some(Vec2::ONE));
        pointer.button(MouseButton::Right, ElementState::Released);
        assert_eq!(pointer.moved(Vec2::ZERO), None);
    }
}
