//! The keys of the window with an index.

use super::IndexTrial;
use crate::lab::step_control::StepAction;
use crate::shell::input::pressed;
use ggez::winit::event::KeyEvent;
use ggez::winit::keyboard::{Key, NamedKey};

/// An action of the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum TrialAction {
    /// Stop frames or let them go on, one at a time, faster or slower.
    Steps(StepAction),
    /// Show or hide the cells.
    Cells,
    /// Show or hide the panels.
    Panel,
    /// Let the number of discs grow, or stop that.
    Grow,
    /// Forget all curves.
    Clear,
    /// Replace the trial.
    Try(IndexTrial),
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 12] = [
    ("space", "pause or resume"),
    (".", "one frame"),
    ("[  ]", "slower, faster"),
    ("G", "hide or show the cells of the index"),
    ("Enter", "start or stop growing the number of discs"),
    ("wheel", "zoom at the pointer"),
    ("right drag", "move the ground (or middle)"),
    ("F", "show the whole ground"),
    ("Tab", "hide or show the panels"),
    ("F11", "full screen"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; the menu"),
];

/// The action of a key that was pressed.
pub(super) fn action(event: &KeyEvent) -> Option<TrialAction> {
    let action = of_key(&event.logical_key);
    pressed(event, action, |action| matches!(action, TrialAction::Steps(steps) if steps.repeats()))
}

fn of_key(key: &Key) -> Option<TrialAction> {
    match key.as_ref() {
        Key::Character("g" | "G") => Some(TrialAction::Cells),
        Key::Named(NamedKey::Tab) => Some(TrialAction::Panel),
        Key::Named(NamedKey::Enter) => Some(TrialAction::Grow),
        _ => StepAction::of_key(key).map(TrialAction::Steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()));
        assert_eq!(
            [key("."), key("G"), key("q")],
            [Some(TrialAction::Steps(StepAction::Step)), Some(TrialAction::Cells), None]
        );
        assert_eq!(of_key(&Key::Named(NamedKey::Enter)), Some(TrialAction::Grow));
    }
}
