//! The colours of the pictures in egui.

use super::palette::Rgb;
use egui::Color32;

/// A colour of the pictures on a panel.
pub(super) fn color([red, green, blue]: Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Letters of that colour, light enough for a dark panel.
pub(super) fn ink(rgb: Rgb) -> Color32 {
    color(rgb.map(|channel| channel / 2 + 127))
}
