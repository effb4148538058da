//! The keys of a comparison.

use super::wish::Wish;
use ggez::winit::event::{ElementState, KeyEvent};
use ggez::winit::keyboard::{Key, ModifiersState, NamedKey};

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 17] = [
    ("drag S, G", "move the start, the goal"),
    ("left drag", "from open ground: build walls"),
    ("", "from a wall: tear walls down"),
    ("right drag", "move the map (or middle); wheel zooms"),
    ("R", "another random start and goal"),
    ("C", "the map as it was at first"),
    ("ctrl Z  Y", "the last stroke taken back, drawn again"),
    ("1 … 6", "the next planner in that pane (or click its name)"),
    ("space", "play the searches, or stop"),
    (". ,", "one expansion on, or back (also right, left)"),
    ("[ ]", "slower, faster"),
    ("Home End", "to the start of the searches, to their end"),
    ("N P", "of a bundle the next problem, the one before"),
    ("Tab", "hide or show the panels"),
    ("F", "show the whole map"),
    ("F12", "save a picture"),
    ("F1  Esc", "hide or show this; quit"),
];

/// What the user wants by a key that was pressed.
pub(super) fn wish(event: &KeyEvent, modifiers: ModifiersState) -> Option<Wish> {
    let wish = of_key(&event.logical_key, modifiers)?;
    // A step is repeated while its key is held.
    let again = !event.repeat || matches!(wish, Wish::Step(_));
    (event.state == ElementState::Pressed && again).then_some(wish)
}

fn of_key(key: &Key, modifiers: ModifiersState) -> Option<Wish> {
    let control = modifiers.control_key() || modifiers.super_key();
    match key.as_ref() {
        Key::Character("z" | "Z") if control && modifiers.shift_key() => Some(Wish::Redo),
        Key::Character("z" | "Z") if control => Some(Wish::Undo),
        Key::Character("y" | "Y") if control => Some(Wish::Redo),
        _ if control => None,
        Key::Character("r" | "R") => Some(Wish::Scatter),
        Key::Character("c" | "C") => Some(Wish::Restore),
        Key::Named(NamedKey::Tab) => Some(Wish::Panel),
        Key::Named(NamedKey::Space) => Some(Wish::Play),
        Key::Named(NamedKey::ArrowRight) | Key::Character("." | ">") => Some(Wish::Step(true)),
        Key::Named(NamedKey::ArrowLeft) | Key::Character("," | "<") => Some(Wish::Step(false)),
        Key::Named(NamedKey::Home) => Some(Wish::Jump(0)),
        Key::Named(NamedKey::End) => Some(Wish::Jump(u64::MAX)),
        Key::Character("[") => Some(Wish::Faster(false)),
        Key::Character("]") => Some(Wish::Faster(true)),
        Key::Character("n" | "N") => Some(Wish::Problem(true)),
        Key::Character("p" | "P") => Some(Wish::Problem(false)),
        Key::Character(digit @ ("1" | "2" | "3" | "4" | "5" | "6")) => {
            digit.parse().ok().map(|n: usize| Wish::NextPlanner(n - 1))
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
        assert_eq!([key("r"), key("C")].map(Option::unwrap), [Wish::Scatter, Wish::Restore]);
        let control = |text: &str, shift| of_key(&Key::Character(text.into()), ModifiersState::CONTROL | shift);
        assert_eq!(control("z", ModifiersState::empty()), Some(Wish::Undo));
        assert_eq!(control("Z", ModifiersState::SHIFT), Some(Wish::Redo));
        assert_eq!(control("y", ModifiersState::empty()), Some(Wish::Redo));
        assert_eq!((key("1"), key("6"), key("7")), (Some(Wish::NextPlanner(0)), Some(Wish::NextPlanner(5)), None));
        let named = [NamedKey::Tab, NamedKey::Space, NamedKey::ArrowLeft]
            .map(|key| of_key(&Key::Named(key), ModifiersState::empty()));
        assert_eq!(named.map(Option::unwrap), [Wish::Panel, Wish::Play, Wish::Step(false)]);
        assert_eq!(
            ["[", ".", "n"].map(key).map(Option::unwrap),
            [Wish::Faster(false), Wish::Step(true), Wish::Problem(true),]
        );
    }
}
