//! The keys of a comparison.

use super::action::CompareAction;
use crate::shell::input::pressed;
use ggez::winit::event::KeyEvent;
use ggez::winit::keyboard::{Key, ModifiersState, NamedKey};

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 20] = [
    ("pointer on a cell", "its costs, its parent, its turn"),
    ("drag S, G", "move the start, the goal"),
    ("left drag", "from open ground: draw walls"),
    ("", "from a wall: erase walls"),
    ("right drag", "move the map (or middle); wheel zooms"),
    ("R", "random start and goal"),
    ("C", "restore the map"),
    ("W", "an agent walks by D* Lite: draw walls on its way"),
    ("ctrl Z  Y", "undo, redo the last stroke"),
    ("1 … 6", "the next planner in that pane (or click its name)"),
    ("space", "play or stop the searches"),
    (". ,", "one expansion forward, back (also right, left)"),
    ("[ ]", "slower, faster"),
    ("Home End", "start, end of the searches"),
    ("F9", "a film of the race (GIF); again: give it up"),
    ("N P", "next, previous problem of the bundle"),
    ("Tab", "hide or show the panels"),
    ("F", "show the whole map"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; the menu"),
];

/// The action of a pressed key.
pub(super) fn action(event: &KeyEvent, modifiers: ModifiersState) -> Option<CompareAction> {
    // A step is repeated while its key is held.
    let action = of_key(&event.logical_key, modifiers);
    pressed(event, action, |action| matches!(action, CompareAction::Step(_)))
}

fn of_key(key: &Key, modifiers: ModifiersState) -> Option<CompareAction> {
    let control = modifiers.control_key() || modifiers.super_key();
    match key.as_ref() {
        Key::Character("z" | "Z") if control && modifiers.shift_key() => Some(CompareAction::Redo),
        Key::Character("z" | "Z") if control => Some(CompareAction::Undo),
        Key::Character("y" | "Y") if control => Some(CompareAction::Redo),
        _ if control => None,
        Key::Character("r" | "R") => Some(CompareAction::Scatter),
        Key::Character("c" | "C") => Some(CompareAction::Restore),
        Key::Character("w" | "W") => Some(CompareAction::Walk),
        Key::Named(NamedKey::Tab) => Some(CompareAction::Panel),
        Key::Named(NamedKey::Space) => Some(CompareAction::Play),
        Key::Named(NamedKey::ArrowRight) | Key::Character("." | ">") => Some(CompareAction::Step(true)),
        Key::Named(NamedKey::ArrowLeft) | Key::Character("," | "<") => Some(CompareAction::Step(false)),
        Key::Named(NamedKey::F9) => Some(CompareAction::Film),
        Key::Named(NamedKey::Home) => Some(CompareAction::Jump(0)),
        Key::Named(NamedKey::End) => Some(CompareAction::Jump(u64::MAX)),
        Key::Character("[") => Some(CompareAction::Faster(false)),
        Key::Character("]") => Some(CompareAction::Faster(true)),
        Key::Character("n" | "N") => Some(CompareAction::Problem(true)),
        Key::Character("p" | "P") => Some(CompareAction::Problem(false)),
        Key::Character(digit @ ("1" | "2" | "3" | "4" | "5" | "6")) => {
            digit.parse().ok().map(|n: usize| CompareAction::NextPlanner(n - 1))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_meanings() {
        let key = |text: &str| of_key(&Key::Character(text.into()), ModifiersState::empty());
        assert_eq!([key("r"), key("C")].map(Option::unwrap), [CompareAction::Scatter, CompareAction::Restore]);
        let control = |text: &str, shift| of_key(&Key::Character(text.into()), ModifiersState::CONTROL | shift);
        assert_eq!(control("z", ModifiersState::empty()), Some(CompareAction::Undo));
        assert_eq!(control("Z", ModifiersState::SHIFT), Some(CompareAction::Redo));
        assert_eq!(control("y", ModifiersState::empty()), Some(CompareAction::Redo));
        assert_eq!(
            (key("1"), key("6"), key("7")),
            (Some(CompareAction::NextPlanner(0)), Some(CompareAction::NextPlanner(5)), None)
        );
        let named = [NamedKey::Tab, NamedKey::Space, NamedKey::ArrowLeft]
            .map(|key| of_key(&Key::Named(key), ModifiersState::empty()));
        assert_eq!(named.map(Option::unwrap), [CompareAction::Panel, CompareAction::Play, CompareAction::Step(false)]);
        assert_eq!(
            ["[", ".", "n"].map(key).map(Option::unwrap),
            [CompareAction::Faster(false), CompareAction::Step(true), CompareAction::Problem(true),]
        );
    }
}
