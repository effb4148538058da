//! Pictures of the window.

use crate::whole_file::WholeFile;
use ggez::graphics::{GraphicsContext, ImageFormat};
use std::path::{Path, PathBuf};

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
    let mut file = WholeFile::create(path).map_err(|error| error.to_string())?;
    let mut encoder = png::Encoder::new(&mut file, frame.width(), frame.height());
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(|error| error.to_string())?;
    writer.write_image_data(&pixels).map_err(|error| error.to_string())?;
    writer.finish().map_err(|error| error.to_string())?;
    file.finish().map_err(|error| error.to_string())
}

/// A name for a file of this tick that begins so and that no file has: those of before stay.
pub(super) fn free_name(start: &Path, tick: u64, ending: &str) -> PathBuf {
    let start = start.display();
    let name = |number: u32| match number {
        1 => PathBuf::from(format!("{start}-{tick}.{ending}")),
        _ => PathBuf::from(format!("{start}-{tick}-{number}.{ending}")),
    };
    (1..1000).map(name).find(|path| !path.exists()).unwrap_or_else(|| name(1000))
}
