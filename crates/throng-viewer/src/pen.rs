//! Letters, bars and dark plates over a picture.

use super::palette::Rgb;
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, DrawMode, DrawParam, GraphicsContext, Mesh, Quad, Rect, Text};

/// Width of a character over the size of its line, of the one font there is (Liberation Mono).
pub(super) const ADVANCE_PER_SIZE: f32 = 0.5297;

pub(super) const BRIGHT: Color = Color::new(0.96, 0.94, 0.9, 1.0);
pub(super) const DIM: Color = Color::new(0.96, 0.94, 0.9, 0.62);
pub(super) const TROUGH: Color = Color::new(1.0, 1.0, 1.0, 0.13);
const PLATE: Color = Color::new(0.075, 0.07, 0.065, 0.96);

/// The rounded plates that were drawn so far, which are meshes, by their sizes, and a disc.
#[derive(Default)]
pub(super) struct Plates {
    plates: Vec<([u32; 2], Mesh)>,
    disc: Option<Mesh>,
}

/// Radius of the disc that all others are made of (pixels).
const DISC_MESH_RADIUS_PX: f32 = 64.0;

/// Draws in logical pixels on a canvas that has `scale` pixels for each.
pub(super) struct Pen<'a> {
    pub gfx: &'a GraphicsContext,
    pub canvas: &'a mut Canvas,
    pub plates: &'a mut Plates,
    pub scale: f32,
}

impl Pen<'_> {
    pub fn text(&mut self, text: &str, x: f32, y: f32, size: f32, color: Color) {
        let mut drawn = Text::new(text);
        drawn.set_scale((size * self.scale).round());
        let at = [(x * self.scale).round(), (y * self.scale).round()];
        self.canvas.draw(&drawn, DrawParam::new().dest(at).color(color));
    }

    pub fn text_right(&mut self, text: &str, x: f32, y: f32, size: f32, color: Color) {
        self.text(text, x - self.width(text, size), y, size, color);
    }

    pub fn text_centred(&mut self, text: &str, x: f32, y: f32, size: f32, color: Color) {
        self.text(text, x - self.width(text, size) / 2.0, y, size, color);
    }

    /// How wide a text comes out: sizes are whole pixels.
    pub fn width(&self, text: &str, size: f32) -> f32 {
        text.chars().count() as f32 * (size * self.scale).round() / self.scale * ADVANCE_PER_SIZE
    }

    pub fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        let (dest, size) = ([x * self.scale, y * self.scale], [width * self.scale, height * self.scale]);
        self.canvas.draw(&Quad, DrawParam::new().dest(dest).scale(size).color(color));
    }

    /// A dark rounded rectangle.
    pub fn plate(&mut self, x: f32, y: f32, [w, h]: [f32; 2]) -> GameResult {
        let key = [w, h].map(|side| (side * self.scale).round() as u32);
        let plates = &mut self.plates.plates;
        if !plates.iter().any(|(size, _)| *size == key) {
            let bounds = Rect::new(0.0, 0.0, key[0].max(1) as f32, key[1].max(1) as f32);
            let radius = (8.0 * self.scale).min(bounds.h / 2.0);
            let mesh = Mesh::new_rounded_rectangle(self.gfx, DrawMode::fill(), bounds, radius, Color::WHITE)?;
            if plates.len() > 16 {
                plates.clear();
            }
            plates.push((key, mesh));
        }
        if let Some((_, mesh)) = plates.iter().find(|(size, _)| *size == key) {
            let at = [(x * self.scale).round(), (y * self.scale).round()];
            self.canvas.draw(mesh, DrawParam::new().dest(at).color(PLATE));
        }
        Ok(())
    }

    /// A disc around a point.
    pub fn disc(&mut self, x: f32, y: f32, radius: f32, color: Color) -> GameResult {
        if self.plates.disc.is_none() {
            let mesh =
                Mesh::new_circle(self.gfx, DrawMode::fill(), [0.0, 0.0], DISC_MESH_RADIUS_PX, 0.1, Color::WHITE)?;
            self.plates.disc = Some(mesh);
        }
        if let Some(mesh) = &self.plates.disc {
            let (dest, size) = ([x * self.scale, y * self.scale], [radius * self.scale / DISC_MESH_RADIUS_PX; 2]);
            self.canvas.draw(mesh, DrawParam::new().dest(dest).scale(size).color(color));
        }
        Ok(())
    }
}

pub(super) fn color([red, green, blue]: Rgb) -> Color {
    Color::from_rgb(red, green, blue)
}

/// A colour for letters on a dark plate.
pub(super) fn bright([red, green, blue]: Rgb) -> Color {
    let lift = |channel: u8| channel.saturating_add((255 - channel) / 4);
    Color::from_rgb(lift(red), lift(green), lift(blue))
}

/// A number with its thousands apart.
pub(super) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push(' ');
        }
        out.push(digit);
    }
    out
}

/// `text`, cut to `most` characters.
pub(super) fn short(text: &str, most: usize) -> String {
    if text.chars().count() <= most {
        return text.to_owned();
    }
    text.chars().take(most.saturating_sub(1)).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"].map(str::to_owned));
        assert_eq!((short("siege", 5).as_str(), short("sieges", 5).as_str()), ("siege", "sieg…"));
    }
}
