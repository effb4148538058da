//! The keys of the window with an index.

use ggez::winit::event::{ElementState, KeyEvent};
use ggez::winit::keyboard::{Key, NamedKey};

/// What the user wants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Stop or go on.
    Pause,
    /// Do one frame, and pause.
    Step,
    /// Twice as fast.
    Faster,
    /// Half as fast.
    Slower,
    /// Show or hide the cells.
    Cells,
    /// Show or hide the panels.
    Panel,
    /// Let the number of discs grow, or stop that.
    Grow,
    /// Forget all curves.
    Clear,
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 12] = [
    ("space", "pause, go on"),
    (".", "one frame"),
    ("[  ]", "slower, faster"),
    ("G", "hide or show the cells of the index"),
    ("Enter", "grow the number of discs, or stop that"),
    ("wheel", "zoom at the pointer"),
    ("right drag", "move the ground (or middle)"),
    ("F", "show all of it"),
    ("Tab", "hide or show the panels"),
    ("F11", "full screen"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; quit"),
];

/// The command of a key that was pressed.
pub(super) fn command(event: &KeyEvent) -> Option<Command> {
    let command = of_key(&event.logical_key).filter(|_| event.state == ElementState::Pressed)?;
    let repeats = matches!(command, Command::Step | Command::Faster | Command::Slower);
    (repeats || !event.repeat).then_some(command)
}

fn of_key(key: &Key) -> Option<Command> {
    match key.as_ref() {
        Key::Named(NamedKey::Space) | Key::Character(" ") => Some(Command::Pause),
        Key::Character(".") => Some(Command::Step),
        Key::Character("]") => Some(Command::Faster),
        Key::Character("[") => Some(Command::Slower),
        Key::Character("g" | "G") => Some(Command::Cells),
        Key::Named(NamedKey::Tab) => Some(Command::Panel),
        Key::Named(NamedKey::Enter) => Some(Command::Grow),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()));
        assert_eq!([key("."), key("G"), key("q")], [Some(Command::Step), Some(Command::Cells), None]);
        assert_eq!(of_key(&Key::Named(NamedKey::Enter)), Some(Command::Grow));
    }
}
