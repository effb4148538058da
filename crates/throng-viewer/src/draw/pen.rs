//! Bars and discs over a picture, and numbers in words.

use super::palette::Rgb;
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, DrawMode, DrawParam, GraphicsContext, Mesh, Quad};

pub(crate) const TROUGH: Color = Color::new(1.0, 1.0, 1.0, 0.13);

/// The disc that all others are made of, once one was drawn.
#[derive(Default)]
pub(crate) struct Discs(Option<Mesh>);

/// Radius of the disc that all others are made of (pixels).
const DISC_MESH_RADIUS_PX: f32 = 64.0;

/// Draws in logical pixels on a canvas that has `scale` pixels for each.
pub(crate) struct Pen<'a> {
    pub gfx: &'a GraphicsContext,
    pub canvas: &'a mut Canvas,
    pub discs: &'a mut Discs,
    pub scale: f32,
}

impl Pen<'_> {
    pub fn bar(&mut self, x: f32, y: f32, width: f32, height: f32, color: Color) {
        let (dest, size) = ([x * self.scale, y * self.scale], [width * self.scale, height * self.scale]);
        self.canvas.draw(&Quad, DrawParam::new().dest(dest).scale(size).color(color));
    }

    /// A disc around a point.
    pub fn disc(&mut self, x: f32, y: f32, radius: f32, color: Color) -> GameResult {
        if self.discs.0.is_none() {
            let mesh =
                Mesh::new_circle(self.gfx, DrawMode::fill(), [0.0, 0.0], DISC_MESH_RADIUS_PX, 0.1, Color::WHITE)?;
            self.discs.0 = Some(mesh);
        }
        if let Some(mesh) = &self.discs.0 {
            let (dest, size) = ([x * self.scale, y * self.scale], [radius * self.scale / DISC_MESH_RADIUS_PX; 2]);
            self.canvas.draw(mesh, DrawParam::new().dest(dest).scale(size).color(color));
        }
        Ok(())
    }
}

pub(crate) fn color([red, green, blue]: Rgb) -> Color {
    Color::from_rgb(red, green, blue)
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_stand_apart() {
        assert_eq!([0, 999, 1000, 1_234_567].map(grouped), ["0", "999", "1 000", "1 234 567"].map(str::to_owned));
    }
}
