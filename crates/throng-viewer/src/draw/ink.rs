//! The colours of the pictures in egui.

use super::palette::Rgb;
use super::style::readable;
use egui::{Color32, ColorImage, Context, TextureHandle, TextureOptions};

/// A colour of the pictures on a panel.
pub(crate) fn color([red, green, blue]: Rgb) -> Color32 {
    Color32::from_rgb(red, green, blue)
}

/// Letters of that colour, light enough for a dark panel.
pub(crate) fn ink(rgb: Rgb) -> Color32 {
    readable(color(rgb))
}

/// Sends an image to the card, in place of the one before.
pub(crate) fn upload(texture: &mut Option<TextureHandle>, context: &Context, name: &str, image: ColorImage) {
    match texture {
        Some(texture) => texture.set(image, TextureOptions::LINEAR),
        None => *texture = Some(context.load_texture(name, image, TextureOptions::LINEAR)),
    }
}
