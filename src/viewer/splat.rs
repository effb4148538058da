//! Soldiers set pixel by pixel: where the driver is software, a great crowd seen from afar is drawn four times as fast
//! by the processor itself as by a driver that pretends to be a card.

use super::agents::Sprite;
use super::camera::Camera;
use ggez::graphics::{Canvas, DrawParam, GraphicsContext, Image, ImageFormat, Sampler};

/// From so many soldiers on it pays.
const MANY: usize = 20_000;
/// Up to this radius (pixels) a square looks like a soldier.
const SMALL: f32 = 2.2;

/// True where [`Splat`] should draw these soldiers on a software driver.
pub(super) fn pays(sprites: &[Sprite], camera: &Camera) -> bool {
    sprites.len() >= MANY && sprites.first().is_some_and(|sprite| sprite.radius() * camera.zoom < SMALL)
}

/// A picture of the window's size, clear but for soldiers and shots.
#[derive(Default)]
pub(super) struct Splat {
    pixels: Vec<[u8; 4]>,
    image: Option<Image>,
}

impl Splat {
    /// Draws each sprite as a square over what the canvas holds, those of each layer over the layers before. O(pixels +
    /// sprites).
    pub fn draw(&mut self, gfx: &GraphicsContext, canvas: &mut Canvas, layers: &[&[Sprite]], camera: &Camera) {
        let (width, height) = (gfx.frame().width(), gfx.frame().height());
        self.pixels.clear();
        self.pixels.resize(width as usize * height as usize, [0; 4]);
        for sprites in layers {
            plot(&mut self.pixels, [width, height], sprites, camera);
        }
        let bytes: &[u8] = bytemuck::cast_slice(&self.pixels);
        let fits = |image: &&Image| (image.width(), image.height()) == (width, height);
        if let Some(image) = self.image.as_ref().filter(fits) {
            gfx.wgpu().queue.write_texture(
                image.wgpu().texture().as_image_copy(),
                bytes,
                wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None },
                wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            );
        } else {
            self.image = Some(Image::from_pixels(gfx, bytes, ImageFormat::Rgba8UnormSrgb, width, height));
        }
        if let Some(image) = &self.image {
            // Pixel upon pixel: there is nothing to filter.
            canvas.set_sampler(Sampler::nearest_clamp());
            canvas.draw(image, DrawParam::default());
            canvas.set_sampler(Sampler::linear_clamp());
        }
    }
}

/// Sets the pixels of all sprites.
fn plot(pixels: &mut [[u8; 4]], [width, height]: [u32; 2], sprites: &[Sprite], camera: &Camera) {
    for sprite in sprites {
        let side = (2.0 * sprite.radius() * camera.zoom).round().max(2.0);
        let corner = camera.to_pixel(sprite.centre()) - side / 2.0;
        // `as` saturates, so squares are cut at the edges.
        let columns = corner.x.round() as i32..(corner.x + side).round() as i32;
        let columns = columns.start.max(0) as usize..columns.end.clamp(0, width as i32) as usize;
        let rows = (corner.y.round() as i32).max(0)..((corner.y + side).round() as i32).min(height as i32);
        if columns.start < columns.end {
            for row in rows {
                pixels[row as usize * width as usize..][columns.clone()].fill(sprite.rgba);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geom::Vec2;
    use proptest::prelude::*;

    #[test]
    fn a_soldier_is_a_square_at_its_place() {
        let camera = Camera::new(Vec2::new(100.0, 100.0), Vec2::new(128.0, 128.0), 0.0);
        let mut pixels = vec![[0; 4]; 128 * 128];
        let sprite = Sprite::new(Vec2::new(50.0, 50.0), Vec2::X, 0.4, [9; 4]);
        plot(&mut pixels, [128, 128], &[sprite], &camera);
        let set: Vec<usize> = (0..pixels.len()).filter(|&at| pixels[at] == [9; 4]).collect();
        assert_eq!(set, [63 * 128 + 63, 63 * 128 + 64, 64 * 128 + 63, 64 * 128 + 64]);
    }

    proptest! {
        #[test]
        fn soldiers_may_be_anywhere(x in -1e4_f32..1e4, y in -1e4_f32..1e4, radius in 0.1_f32..300.0) {
            let camera = Camera::new(Vec2::new(100.0, 50.0), Vec2::new(64.0, 48.0), 0.0);
            let sprite = Sprite::new(Vec2::new(x, y), Vec2::X, radius, [9; 4]);
            plot(&mut vec![[0; 4]; 64 * 48], [64, 48], &[sprite], &camera);
        }
    }
}
