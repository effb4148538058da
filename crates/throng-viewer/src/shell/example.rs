//! A battle that comes with a program, to be chosen from its menu.

use egui::{Color32, ColorImage};
use std::borrow::Cow;
use std::path::PathBuf;

/// A battle that can be chosen from the menu.
///
/// ```
/// use throng_viewer::Example;
/// let siege = Example {
///     name: "siege".into(),
///     line: "6,000 raiders storm a fortress.".into(),
///     file: "examples/siege.toml".into(),
///     thumbnail: Vec::new().into(),
/// };
/// assert_eq!(siege.name, "siege");
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// Its name.
    pub name: String,
    /// A line that says what it is about.
    pub line: String,
    /// The file that is opened.
    pub file: PathBuf,
    /// A picture of it (PNG, some 16 to 9); empty where there is none.
    pub thumbnail: Cow<'static, [u8]>,
}

impl Example {
    /// Its picture, where there is one that can be read.
    pub(super) fn picture(&self) -> Option<ColorImage> {
        let mut decoder = png::Decoder::new(std::io::Cursor::new(&self.thumbnail[..]));
        decoder.set_transformations(png::Transformations::EXPAND | png::Transformations::STRIP_16);
        let mut reader = decoder.read_info().ok()?;
        let mut bytes = vec![0; reader.output_buffer_size()?];
        let info = reader.next_frame(&mut bytes).ok()?;
        let parts = info.color_type.samples();
        let pixel = |part: &[u8]| match *part {
            [grey] | [grey, _] => Some(Color32::from_gray(grey)),
            [red, green, blue, ..] => Some(Color32::from_rgb(red, green, blue)),
            [] => None,
        };
        let pixels: Vec<Color32> = bytes[..info.buffer_size()].chunks_exact(parts).filter_map(pixel).collect();
        Some(ColorImage::new([info.width as usize, info.height as usize], pixels))
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;

    /// Some, with words of usual length.
    pub(crate) fn examples() -> Vec<Example> {
        let one = |number: usize| Example {
            name: format!("example {number}"),
            line: "Two lines meet, archers shoot over their heads, and the horse of the reds rides round the flank."
                .into(),
            file: format!("{number}.toml").into(),
            thumbnail: Vec::new().into(),
        };
        (0..14).map(one).collect()
    }

    #[test]
    fn pictures_of_all_depths_are_read() {
        for (colour, bytes) in [(png::ColorType::Grayscale, vec![9; 6]), (png::ColorType::Rgb, vec![9; 18])] {
            let mut file = Vec::new();
            let mut encoder = png::Encoder::new(&mut file, 3, 2);
            encoder.set_color(colour);
            let mut writer = encoder.write_header().unwrap();
            writer.write_image_data(&bytes).unwrap();
            writer.finish().unwrap();
            let example = Example { thumbnail: file.into(), ..examples().remove(0) };
            let picture = example.picture().unwrap();
            assert_eq!((picture.size, picture.pixels[5]), ([3, 2], Color32::from_gray(9)));
        }
        assert!(examples()[0].picture().is_none());
    }
}
