//! Colours: the ones of Okabe and Ito (2008), which people with any colour vision can tell apart.

use crate::Theme;
use throng_record::{army_colours, palette as record};
use throng_sim::world::Frame;

/// Red, green, blue as in a paint program.
pub(crate) type Rgb = [u8; 3];

/// The background around the map.
pub(crate) const DESK: Rgb = [33, 30, 28];

/// The colour of an army in a battle: its own, else that of its number in the theme.
pub(crate) fn army_of(frame: &Frame, theme: Theme, index: usize) -> Rgb {
    frame.colours.get(index).copied().flatten().unwrap_or_else(|| match theme {
        Theme::Battle | Theme::Building => army_colours::BATTLE[index % army_colours::BATTLE.len()],
        Theme::Plan => army(index),
    })
}

/// The colour of a number, as that of an army on a plan.
pub(crate) fn army(index: usize) -> Rgb {
    record::rgb(record::army(index as u32))
}

/// Plain ground.
pub(super) const PLAIN: Rgb = [214, 204, 180];

/// Open ground of a class of terrain. It differs from plain ground as it does on the pictures, only more: here soldiers have rims
/// that stand out from any of them.
pub(crate) fn ground(class: u8) -> Rgb {
    const CONTRAST: f32 = 1.5;
    let ([plain, own], base) = ([0, class].map(|class| record::rgb(record::ground(class))), PLAIN);
    std::array::from_fn(|i| (f32::from(base[i]) + CONTRAST * (f32::from(own[i]) - f32::from(plain[i]))) as u8)
}

/// A channel as in a paint program (0 to 255) as an amount of light (0 to 1).
pub(crate) fn light(channel: u8) -> f32 {
    let value = f32::from(channel) / 255.0;
    if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
}

/// The inverse of [`light`].
pub(super) fn channel(light: f32) -> u8 {
    let value = if light <= 0.003_130_8 { light * 12.92 } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
    (value.clamp(0.0, 1.0) * 255.0 + 0.5) as u8
}

/// [`light`] and [`channel`] for millions of texels.
pub(super) struct Lights {
    lights: [f32; 256],
    channels: Vec<u8>,
}

/// Steps of light that are told apart.
const LIGHT_STEPS: usize = 4096;

impl Lights {
    pub fn new() -> Self {
        let most = (LIGHT_STEPS - 1) as f32;
        Self {
            lights: std::array::from_fn(|value| light(value as u8)),
            channels: (0..LIGHT_STEPS).map(|step| channel(step as f32 / most)).collect(),
        }
    }

    /// As [`light`].
    pub fn light(&self, channel: u8) -> f32 {
        self.lights[usize::from(channel)]
    }

    /// As [`channel`], with dark shades in steps.
    pub fn channel(&self, light: f32) -> u8 {
        self.channels[((light * (LIGHT_STEPS - 1) as f32 + 0.5) as usize).min(LIGHT_STEPS - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn armies_are_vermillion_blue_and_so_on() {
        assert_eq!((army(0), army(1), army(16)), ([213, 94, 0], [0, 114, 178], army(0)));
    }

    #[test]
    fn ground_of_another_class_is_told_apart() {
        assert_eq!(ground(0), PLAIN);
        let differ = |a: Rgb, b: Rgb| a.iter().zip(b).map(|(a, b)| a.abs_diff(b)).max() > Some(12);
        for class in 1..5 {
            assert!((0..class).all(|other| differ(ground(class), ground(other))), "{class}");
        }
    }

    #[test]
    fn light_and_channel_are_inverse() {
        for value in 0..=255 {
            assert_eq!(channel(light(value)), value);
        }
    }
}
