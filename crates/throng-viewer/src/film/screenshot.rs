//! Pictures of the window.

use ggez::graphics::{GraphicsContext, ImageFormat};
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// Writes what was drawn last as a PNG.
pub(crate) fn save(gfx: &GraphicsContext, path: &Path) -> Result<(), String> {
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

/// A name that begins so, and this tick, for files with all these endings, of which there are none yet: those of before stay. It
/// has the first of them.
pub(crate) fn free_name(start: &Path, tick: u64, endings: &[&str]) -> PathBuf {
    let start = start.display();
    let name = |number: u32, ending: &str| match number {
        1 => PathBuf::from(format!("{start}-{tick}{ending}")),
        _ => PathBuf::from(format!("{start}-{tick}-{number}{ending}")),
    };
    let is_free = |number: &u32| !endings.iter().any(|ending| name(*number, ending).exists());
    let number = (1..1000).find(is_free).unwrap_or(1000);
    name(number, endings.first().copied().unwrap_or_default())
}
