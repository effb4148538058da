//! The processor's painting for software drivers: the ground, and great crowds upon it. A driver that pretends to be
//! a card takes several times as long.

use super::agents::Sprite;
use super::backdrop::Backdrop;
use super::map_image::MapImage;
use super::pixel_layer::PixelLayer;
use super::splat::Plot;
use crate::shell::camera::Camera;
use ggez::graphics::GraphicsContext;
use throng_grid::geom::Vec2;

/// The variable that chooses the painter, `card` or `processor`, whatever the driver is: to compare them. With `none` the painter of
/// landscapes fails, to see what comes of that.
const PAINTER_VARIABLE: &str = "THRONG_PAINTER";

/// True where the processor paints.
pub(super) fn paints(device: &wgpu::Device) -> bool {
    match std::env::var(PAINTER_VARIABLE).as_deref() {
        Ok("card") => false,
        Ok("processor") => true,
        _ => device.adapter_info().device_type == wgpu::DeviceType::Cpu,
    }
}

/// True where the painter of landscapes is to fail.
pub(super) fn fails() -> bool {
    std::env::var(PAINTER_VARIABLE).as_deref() == Ok("none")
}

/// Great crowds, and what belongs to them.
pub(super) struct Crowded<'a> {
    /// Layers of squares, each over those before.
    pub squares: [&'a [Sprite]; 4],
    /// Over all of them.
    pub strokes: &'a [Sprite],
}

/// One opaque picture, drawn before all else.
pub(super) struct Software {
    backdrop: Backdrop,
    layer: PixelLayer,
    /// The ground with a crowd on it.
    pixels: Vec<[u8; 4]>,
    /// A crowd was on the last one.
    crowded: bool,
}

impl Software {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        Self { backdrop: Backdrop::new(), layer: PixelLayer::new(device, format), pixels: Vec::new(), crowded: false }
    }

    /// The map has changed.
    pub fn forget_ground(&mut self) {
        self.backdrop.forget();
    }

    /// Paints a map of this size (m) and sets a crowd upon it. O(pixels + sprites).
    pub fn paint(
        &mut self,
        gfx: &GraphicsContext,
        (image, map): (&MapImage, Vec2),
        camera: &Camera,
        crowd: Option<&Crowded>,
    ) {
        let gpu = gfx.wgpu();
        let window = [gfx.frame().width(), gfx.frame().height()];
        let is_new = self.backdrop.paint(image, map, camera, window);
        if let Some(crowd) = crowd {
            self.pixels.clear();
            self.pixels.extend_from_slice(self.backdrop.pixels());
            let mut plot = Plot { pixels: &mut self.pixels, size: window, camera, lights: self.backdrop.lights() };
            crowd.squares.iter().for_each(|sprites| plot.squares(sprites));
            plot.strokes(crowd.strokes);
            self.layer.write(&gpu.device, &gpu.queue, window, &self.pixels);
        } else if is_new || self.crowded {
            self.layer.write(&gpu.device, &gpu.queue, window, self.backdrop.pixels());
        }
        self.crowded = crowd.is_some();
    }

    /// Draws what was painted last.
    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        self.layer.draw(pass);
    }
}
