//! The keys of the window with moving volumes.

use super::VolumeTrial;
use crate::lab::step_control::StepAction;
use crate::shell::input::pressed;
use ggez::winit::event::KeyEvent;
use ggez::winit::keyboard::{Key, NamedKey};

/// A layer that can be shown or hidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// The balls around bodies, and those of sphere trees.
    Balls,
    /// The cells of the index.
    Cells,
    /// The view cone; without it all bodies are bright.
    Cone,
    /// The ways of the shots and the places of the sub-steps.
    Ways,
}

impl Layer {
    pub const ALL: [Self; 4] = [Self::Cone, Self::Ways, Self::Balls, Self::Cells];

    pub fn name(self) -> &'static str {
        match self {
            Self::Balls => "balls",
            Self::Cells => "cells",
            Self::Cone => "cone",
            Self::Ways => "ways",
        }
    }
}

/// The choice of layers that are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct VisibleLayers([bool; 4]);

impl Default for VisibleLayers {
    fn default() -> Self {
        Self([true, true, false, false])
    }
}

impl VisibleLayers {
    fn place(layer: Layer) -> usize {
        Layer::ALL.iter().position(|&other| other == layer).unwrap_or(0)
    }

    pub fn has(self, layer: Layer) -> bool {
        self.0[Self::place(layer)]
    }

    pub fn toggle(&mut self, layer: Layer) {
        self.0[Self::place(layer)] ^= true;
    }
}

/// An action of the user.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum VolumeAction {
    /// Stop steps or let them go on, one at a time, faster or slower.
    Steps(StepAction),
    /// Show or hide a layer.
    Toggle(Layer),
    /// Show or hide the panel.
    Panel,
    /// Replace the trial.
    Try(VolumeTrial),
    /// The same with the plane for space, or the other way round.
    Space,
}

/// The keys, as the help shows them.
pub(super) const HELP: [(&str, &str); 14] = [
    ("space", "pause or resume"),
    (".", "to the end of the step"),
    ("[  ]", "slower, faster"),
    ("D", "the plane or space"),
    ("C", "hide or show the view cone"),
    ("W", "hide or show ways and sub-steps"),
    ("B", "hide or show bounding balls"),
    ("G", "hide or show the cells of the index"),
    ("wheel", "zoom at the pointer"),
    ("right drag", "move the picture (or middle)"),
    ("F", "show the whole"),
    ("Tab", "hide or show the panel"),
    ("F11  F12", "full screen; save a picture"),
    ("F1  Esc", "hide or show this; the menu"),
];

/// The action of a key that was pressed.
pub(super) fn action(event: &KeyEvent) -> Option<VolumeAction> {
    let action = of_key(&event.logical_key);
    pressed(event, action, |action| matches!(action, VolumeAction::Steps(steps) if steps.repeats()))
}

fn of_key(key: &Key) -> Option<VolumeAction> {
    match key.as_ref() {
        Key::Character("d" | "D") => Some(VolumeAction::Space),
        Key::Character("c" | "C") => Some(VolumeAction::Toggle(Layer::Cone)),
        Key::Character("w" | "W") => Some(VolumeAction::Toggle(Layer::Ways)),
        Key::Character("b" | "B") => Some(VolumeAction::Toggle(Layer::Balls)),
        Key::Character("g" | "G") => Some(VolumeAction::Toggle(Layer::Cells)),
        Key::Named(NamedKey::Tab) => Some(VolumeAction::Panel),
        _ => StepAction::of_key(key).map(VolumeAction::Steps),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_commands_and_layers_are_told_apart() {
        let key = |text: &str| of_key(&Key::Character(text.into()));
        assert_eq!(
            [key("."), key("D"), key("q")],
            [Some(VolumeAction::Steps(StepAction::Step)), Some(VolumeAction::Space), None]
        );
        let mut layers = VisibleLayers::default();
        for layer in Layer::ALL {
            let before = layers;
            layers.toggle(layer);
            let changed = Layer::ALL.into_iter().filter(|&other| layers.has(other) != before.has(other));
            assert_eq!(changed.collect::<Vec<_>>(), [layer]);
        }
    }
}
