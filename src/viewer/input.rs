//! Keys and mouse.

use crate::geom::Vec2;
use ggez::winit::event::{ElementState, KeyEvent, MouseButton, MouseScrollDelta};
use ggez::winit::keyboard::{Key, NamedKey};

/// What the user wants of a battle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Command {
    /// Stop or go on.
    Pause,
    /// Do one tick, and pause.
    Tick,
    /// Go one frame back in a recording, and pause.
    Back,
    /// Twice as fast.
    Faster,
    /// Half as fast.
    Slower,
}

/// What the user wants of any window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Common {
    /// Show the whole map.
    Fit,
    /// Show or hide the list of keys.
    Help,
    /// Write a picture of the window.
    Picture,
    /// Close the window.
    Quit,
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 9] = [
    ("space", "pause, go on"),
    (".", "one tick"),
    ("+  -", "faster, slower"),
    ("wheel", "zoom at the pointer"),
    ("right drag", "move the map (or middle)"),
    ("F", "show the whole map"),
    ("F12", "save a picture"),
    ("H", "hide or show this"),
    ("Esc", "quit"),
];

/// The keys of a recording.
pub(super) const REPLAY_HELP: [(&str, &str); 10] = {
    let [space, _, speed, others @ ..] = HELP;
    let [wheel, drag, whole, save, hide, quit] = others;
    let frames = (".  ,", "one frame on, back");
    [space, frames, speed, ("time line", "click or drag"), wheel, drag, whole, save, hide, quit]
};

/// What a key that was pressed wants of any window.
pub(super) fn common(event: &KeyEvent) -> Option<Common> {
    let pressed = event.state == ElementState::Pressed && !event.repeat;
    common_of_key(&event.logical_key).filter(|_| pressed)
}

fn common_of_key(key: &Key) -> Option<Common> {
    match key.as_ref() {
        Key::Named(NamedKey::Escape) => Some(Common::Quit),
        Key::Named(NamedKey::F12) => Some(Common::Picture),
        Key::Named(NamedKey::F1) | Key::Character("h" | "H") => Some(Common::Help),
        Key::Character("f" | "F") => Some(Common::Fit),
        _ => None,
    }
}

/// What a key that was pressed wants of a battle. Holding one down repeats only what makes sense repeated.
pub(super) fn command(event: &KeyEvent) -> Option<Command> {
    let command = of_key(&event.logical_key).filter(|_| event.state == ElementState::Pressed)?;
    (command != Command::Pause || !event.repeat).then_some(command)
}

fn of_key(key: &Key) -> Option<Command> {
    match key.as_ref() {
        Key::Named(NamedKey::Space) | Key::Character(" ") => Some(Command::Pause),
        Key::Character(".") => Some(Command::Tick),
        Key::Character(",") => Some(Command::Back),
        // "=" is the key of "+" on many keyboards.
        Key::Character("+" | "=") => Some(Command::Faster),
        Key::Character("-" | "_") => Some(Command::Slower),
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

/// Where the pointer is and whether it drags the map.
#[derive(Debug, Default)]
pub(super) struct Pointer {
    /// Its place (pixels).
    pub at: Vec2,
    /// The button that drags.
    drag: Option<MouseButton>,
}

impl Pointer {
    /// Follows a button.
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
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()));
        assert_eq!(key("="), Some(Command::Faster));
        assert_eq!(key("q"), None);
        assert_eq!(common_of_key(&Key::Character("f".into())), Some(Common::Fit));
        assert_eq!(common_of_key(&Key::Named(NamedKey::Escape)), Some(Common::Quit));
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
