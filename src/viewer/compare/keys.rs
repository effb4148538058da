//! The keys of a comparison.

use ggez::winit::event::{ElementState, KeyEvent};
use ggez::winit::keyboard::{Key, NamedKey};

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Another random trip.
    Scatter,
    /// The map as it was at first.
    Restore,
    /// Another planner in this pane.
    Planner(usize),
    /// Another planner in the pane under the pointer.
    PlannerHere,
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 11] = [
    ("drag S, G", "move the start, the goal"),
    ("left drag", "from open ground: build walls"),
    ("", "from a wall: tear walls down"),
    ("right drag", "move the map (or middle); wheel zooms"),
    ("space  R", "another random start and goal"),
    ("C", "the map as it was at first"),
    ("1 2 3 4", "the next planner in that pane"),
    ("Tab", "the next one under the pointer (or click its name)"),
    ("F", "show the whole map"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; quit"),
];

/// The command of a key that was pressed.
pub(super) fn command(event: &KeyEvent) -> Option<Command> {
    let pressed = event.state == ElementState::Pressed && !event.repeat;
    of_key(&event.logical_key).filter(|_| pressed)
}

fn of_key(key: &Key) -> Option<Command> {
    match key.as_ref() {
        Key::Named(NamedKey::Space) | Key::Character(" " | "r" | "R") => Some(Command::Scatter),
        Key::Character("c" | "C") => Some(Command::Restore),
        Key::Named(NamedKey::Tab) => Some(Command::PlannerHere),
        Key::Character(digit @ ("1" | "2" | "3" | "4")) => digit.parse().ok().map(|n: usize| Command::Planner(n - 1)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()));
        assert_eq!(
            [key("r"), key(" "), key("C")].map(Option::unwrap),
            [Command::Scatter, Command::Scatter, Command::Restore]
        );
        assert_eq!((key("1"), key("4"), key("5")), (Some(Command::Planner(0)), Some(Command::Planner(3)), None));
        assert_eq!(of_key(&Key::Named(NamedKey::Tab)), Some(Command::PlannerHere));
    }
}
