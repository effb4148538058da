//! The keys of a comparison.

use ggez::winit::event::{ElementState, KeyEvent};
use ggez::winit::keyboard::{Key, ModifiersState, NamedKey};

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Another random trip.
    Scatter,
    /// The map as it was at first.
    Restore,
    /// Another planner in this pane.
    Planner(usize),
    /// Take the last stroke of the brush back.
    Undo,
    /// Hide or show the panel.
    Panel,
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 12] = [
    ("drag S, G", "move the start, the goal"),
    ("left drag", "from open ground: build walls"),
    ("", "from a wall: tear walls down"),
    ("right drag", "move the map (or middle); wheel zooms"),
    ("R", "another random start and goal"),
    ("C", "the map as it was at first"),
    ("ctrl Z", "the last stroke taken back"),
    ("1 … 6", "the next planner in that pane (or click its name)"),
    ("Tab", "hide or show the panel"),
    ("F", "show the whole map"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; quit"),
];

/// The command of a key that was pressed.
pub(super) fn command(event: &KeyEvent, modifiers: ModifiersState) -> Option<Command> {
    let pressed = event.state == ElementState::Pressed && !event.repeat;
    of_key(&event.logical_key, modifiers.control_key() || modifiers.super_key()).filter(|_| pressed)
}

fn of_key(key: &Key, control: bool) -> Option<Command> {
    match key.as_ref() {
        Key::Character("z" | "Z") if control => Some(Command::Undo),
        _ if control => None,
        Key::Character("r" | "R") => Some(Command::Scatter),
        Key::Character("c" | "C") => Some(Command::Restore),
        Key::Named(NamedKey::Tab) => Some(Command::Panel),
        Key::Character(digit @ ("1" | "2" | "3" | "4" | "5" | "6")) => {
            digit.parse().ok().map(|n: usize| Command::Planner(n - 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()), false);
        assert_eq!([key("r"), key("C")].map(Option::unwrap), [Command::Scatter, Command::Restore]);
        assert_eq!(of_key(&Key::Character("z".into()), true), Some(Command::Undo));
        assert_eq!((key("1"), key("6"), key("7")), (Some(Command::Planner(0)), Some(Command::Planner(5)), None));
        assert_eq!(of_key(&Key::Named(NamedKey::Tab), false), Some(Command::Panel));
    }
}
