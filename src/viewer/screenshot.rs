//! Pictures of the window.

use ggez::graphics::{GraphicsContext, ImageFormat};
use std::path::Path;

/// Writes what was drawn last as a PNG.
pub(super) fn save(gfx: &GraphicsContext, path: &Path) -> Result<(), String> {
    let frame = gfx.frame();
    let mut pixels = frame.to_pixels(gfx).map_err(|error| error.to_string())?;
    let swapped = matches!(frame.format(), ImageFormat::Bgra8UnormSrgb | ImageFormat::Bgra8Unorm);
    for pixel in pixels.chunks_exact_mut(4) {
        if swapped {
            pixel.swap(0, 2);
        }
        pixel[3] = 255;
    }
    let file = std::fs::File::create(path).map_err(|error| error.to_string())?;
    let mut encoder = png::Encoder::new(std::io::BufWriter::new(file), frame.width(), frame.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(&pixels).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())
}
