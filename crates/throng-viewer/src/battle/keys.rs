//! The keys of a battle.

use super::action::BattleAction;
use super::groups::GroupUse;
use crate::shell::event::{Mark, Tool};
use crate::shell::input::pressed;
use ggez::winit::event::KeyEvent;
use ggez::winit::keyboard::{Key, KeyCode, ModifiersState, NamedKey, PhysicalKey};
use throng_grid::geom::Vec2;

/// The keys, as the help shows them.
pub(crate) const HELP: [(&str, &str); 32] = [
    ("space", "pause or resume"),
    (".  ,", "one tick forward, back"),
    ("Home  End", "to the start; to the newest tick"),
    ("O", "the result of the battle"),
    ("[  ]", "slower, faster"),
    ("wheel  + -", "zoom at the pointer"),
    ("middle drag", "move the map (or WASD, arrows; right drag)"),
    ("F", "show the armies; again: the whole map"),
    ("K", "follow the hottest fighting"),
    ("F5 … F8", "return to a view; shift stores it"),
    ("click, box", "select squads, by banner or card too; shift adds"),
    ("double click", "all of that kind; ctrl A: all of the army"),
    ("right click", "go there, or attack; ctrl: do not fight"),
    ("right drag", "a line to stand on, from flank to flank"),
    ("shift right", "a way-point: after the present order"),
    ("ctrl 1 … 9", "control group; 1 … 9 selects, shift adds"),
    ("J", "open or fold the squad cards"),
    ("T", "follow the selection"),
    ("Q E U", "select, edit the map, new squad"),
    ("ctrl Z  Y  S", "undo; redo; save map and scenario"),
    ("N V R P B", "neighbours, velocities, routes, radii, health"),
    ("H G C I", "density, cells of the index, clusters of hpa, places"),
    ("M  F3", "measure an area; the laboratory"),
    ("L", "the look: battle or plan"),
    ("F2", "planners side by side on this map"),
    ("Tab", "hide or show the panel"),
    ("F9", "begin or end a film (GIF)"),
    ("F11", "full screen"),
    ("F12", "save a picture"),
    ("F1", "hide or show this"),
    ("Esc", "close the result; clear the selection; the menu"),
    ("ctrl Q", "quit"),
];

/// The keys of a recording.
pub(crate) const REPLAY_HELP: [(&str, &str); 24] = {
    let [
        space,
        ticks,
        ends,
        result,
        speed,
        wheel,
        drag,
        whole,
        fighting,
        views,
        select,
        ..,
        measure,
        look,
        planners,
        panel,
        film,
        full,
        save,
        hide,
        menu,
        quit,
    ] = HELP;
    let frames = (ticks.0, "one frame forward, back");
    let marks = ("P B H", "radii, health, density");
    [
        space,
        frames,
        ends,
        result,
        speed,
        ("time line", "click or drag"),
        wheel,
        drag,
        whole,
        fighting,
        views,
        (select.0, "select squads; T follows them"),
        ("J", "open or fold the squad cards"),
        marks,
        measure,
        look,
        planners,
        panel,
        film,
        full,
        save,
        hide,
        (menu.0, "the menu"),
        quit,
    ]
};

/// The action of a pressed key in a battle. Holding one down repeats only actions that make sense repeated.
pub(crate) fn action(event: &KeyEvent, modifiers: ModifiersState) -> Option<BattleAction> {
    let action = of_digit(event.physical_key, modifiers).or_else(|| of_key(&event.logical_key, modifiers));
    pressed(event, action, |action| {
        matches!(
            action,
            BattleAction::Tick
                | BattleAction::Back
                | BattleAction::Faster
                | BattleAction::Slower
                | BattleAction::Pan(_)
                | BattleAction::Zoom(_)
        )
    })
}

/// The digits of control groups; by their place, since with shift they are other signs.
const DIGITS: [KeyCode; 9] = [
    KeyCode::Digit1,
    KeyCode::Digit2,
    KeyCode::Digit3,
    KeyCode::Digit4,
    KeyCode::Digit5,
    KeyCode::Digit6,
    KeyCode::Digit7,
    KeyCode::Digit8,
    KeyCode::Digit9,
];

fn of_digit(key: PhysicalKey, modifiers: ModifiersState) -> Option<BattleAction> {
    let PhysicalKey::Code(code) = key else { return None };
    let number = DIGITS.iter().position(|&digit| digit == code)? as u8 + 1;
    let does = match (modifiers.control_key() || modifiers.super_key(), modifiers.shift_key()) {
        (true, _) => GroupUse::Store,
        (false, true) => GroupUse::Add,
        (false, false) => GroupUse::Select,
    };
    Some(BattleAction::Group(number, does))
}

/// How far a key moves the map (pixels).
const PAN_STEP_PX: f32 = 60.0;

/// How far a key zooms.
const KEY_ZOOM_FACTOR: f32 = 1.25;

fn of_key(key: &Key, modifiers: ModifiersState) -> Option<BattleAction> {
    if modifiers.control_key() || modifiers.super_key() {
        return match key.as_ref() {
            Key::Character("z" | "Z") if modifiers.shift_key() => Some(BattleAction::Redo),
            Key::Character("z" | "Z") => Some(BattleAction::Undo),
            Key::Character("y" | "Y") => Some(BattleAction::Redo),
            Key::Character("s" | "S") => Some(BattleAction::Save),
            Key::Character("a" | "A") => Some(BattleAction::SelectArmies),
            _ => None,
        };
    }
    Some(match key.as_ref() {
        Key::Named(NamedKey::Space) | Key::Character(" ") => BattleAction::Pause,
        Key::Character(".") => BattleAction::Tick,
        Key::Character(",") => BattleAction::Back,
        Key::Named(NamedKey::Home) => BattleAction::Start,
        Key::Named(NamedKey::End) => BattleAction::Newest,
        Key::Character("o" | "O") => BattleAction::Outcome,
        Key::Character("]") => BattleAction::Faster,
        Key::Character("[") => BattleAction::Slower,
        // "=" is the key of "+" on many keyboards.
        Key::Character("+" | "=") => BattleAction::Zoom(KEY_ZOOM_FACTOR),
        Key::Character("-" | "_") => BattleAction::Zoom(1.0 / KEY_ZOOM_FACTOR),
        Key::Named(NamedKey::ArrowUp) | Key::Character("w" | "W") => BattleAction::Pan(Vec2::new(0.0, PAN_STEP_PX)),
        Key::Named(NamedKey::ArrowDown) | Key::Character("s" | "S") => BattleAction::Pan(Vec2::new(0.0, -PAN_STEP_PX)),
        Key::Named(NamedKey::ArrowLeft) | Key::Character("a" | "A") => BattleAction::Pan(Vec2::new(PAN_STEP_PX, 0.0)),
        Key::Named(NamedKey::ArrowRight) | Key::Character("d" | "D") => BattleAction::Pan(Vec2::new(-PAN_STEP_PX, 0.0)),
        Key::Character("q" | "Q") => BattleAction::Take(Tool::Select),
        Key::Character("e" | "E") => BattleAction::Take(Tool::Paint),
        Key::Character("u" | "U") => BattleAction::Take(Tool::SpawnSquad),
        Key::Character("m" | "M") => BattleAction::Take(Tool::Measure),
        Key::Named(NamedKey::F3) => BattleAction::Laboratory,
        Key::Character("j" | "J") => BattleAction::Cards,
        Key::Character("t" | "T") => BattleAction::Follow,
        Key::Character("k" | "K") => BattleAction::Direct,
        Key::Named(key @ (NamedKey::F5 | NamedKey::F6 | NamedKey::F7 | NamedKey::F8)) => {
            let number = match key {
                NamedKey::F5 => 1,
                NamedKey::F6 => 2,
                NamedKey::F7 => 3,
                _ => 4,
            };
            if modifiers.shift_key() { BattleAction::Store(number) } else { BattleAction::Recall(number) }
        }
        Key::Character("l" | "L") => BattleAction::Theme,
        Key::Character("n" | "N") => BattleAction::Mark(Mark::Neighbours),
        Key::Character("v" | "V") => BattleAction::Mark(Mark::Velocities),
        Key::Character("p" | "P") => BattleAction::Mark(Mark::Radii),
        Key::Character("r" | "R") => BattleAction::Mark(Mark::Routes),
        Key::Character("g" | "G") => BattleAction::Mark(Mark::Cells),
        Key::Character("c" | "C") => BattleAction::Mark(Mark::Clusters),
        Key::Character("b" | "B") => BattleAction::Mark(Mark::Bars),
        Key::Character("i" | "I") => BattleAction::Mark(Mark::Places),
        Key::Character("h" | "H") => BattleAction::Mark(Mark::Density),
        Key::Named(NamedKey::Tab) => BattleAction::Panel,
        Key::Named(NamedKey::F9) => BattleAction::Film,
        Key::Named(NamedKey::Delete) => BattleAction::Remove,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands() {
        let key = |text: &str| of_key(&Key::Character(text.into()), ModifiersState::empty());
        assert_eq!(key("]"), Some(BattleAction::Faster));
        assert_eq!((key("q"), key("1")), (Some(BattleAction::Take(Tool::Select)), None));
        let digit = |shift| of_digit(PhysicalKey::Code(KeyCode::Digit7), shift);
        assert_eq!(digit(ModifiersState::empty()), Some(BattleAction::Group(7, GroupUse::Select)));
        assert_eq!(digit(ModifiersState::SHIFT), Some(BattleAction::Group(7, GroupUse::Add)));
        assert_eq!(digit(ModifiersState::CONTROL), Some(BattleAction::Group(7, GroupUse::Store)));
        assert_eq!(of_digit(PhysicalKey::Code(KeyCode::Digit0), ModifiersState::empty()), None);
        let control = |text: &str, shift| of_key(&Key::Character(text.into()), ModifiersState::CONTROL | shift);
        assert_eq!(control("z", ModifiersState::empty()), Some(BattleAction::Undo));
        assert_eq!(control("Z", ModifiersState::SHIFT), Some(BattleAction::Redo));
        assert_eq!(control("y", ModifiersState::empty()), Some(BattleAction::Redo));
        let view = |shift| of_key(&Key::Named(NamedKey::F6), shift);
        assert_eq!(view(ModifiersState::SHIFT), Some(BattleAction::Store(2)));
        assert_eq!(view(ModifiersState::empty()), Some(BattleAction::Recall(2)));
    }
}
