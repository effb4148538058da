//! Maps as BMP, GIF, JPEG and WebP images, by the `image` crate: dark pixels are walls, as in PNG images.

use super::format::{Kind, looks_like};
use super::png::{brightness, rgb};
use super::tones::Tones;
use super::{Colours, lattice};
use crate::{Grid, MapError};
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};
use std::error::Error;
use std::io::{Cursor, ErrorKind};
use std::path::Path;

/// The most memory (bytes) for the pixels of an image: a small file may claim to be huge. JPEG needs up to three times as
/// much while it is unpacked.
const MEMORY: u64 = 256 << 20;

impl Kind {
    fn format(self) -> ImageFormat {
        match self {
            Self::Bmp => ImageFormat::Bmp,
            Self::Gif => ImageFormat::Gif,
            Self::Jpeg => ImageFormat::Jpeg,
            Self::WebP => ImageFormat::WebP,
        }
    }
}

/// Reads an image, of an animation the first picture, by a table of colours where there is one; `file` is named in errors.
pub(super) fn read(
    bytes: &[u8],
    kind: Kind,
    colours: Option<&Colours>,
    tones: &Tones,
    file: &Path,
) -> Result<Grid, MapError> {
    let (name, file_name) = (kind.name(), || file.to_path_buf());
    if bytes.is_empty() {
        return Err(MapError::Empty { file: file_name(), expected: kind.described() });
    }
    if Kind::of(bytes) != Some(kind) {
        return Err(MapError::NotImage { file: file_name(), kind: name, found: looks_like(bytes) });
    }
    let failed = |part: &'static str| {
        move |error: ImageError| match error {
            error if is_cut(&error) => MapError::Truncated { file: file_name(), kind: name, part },
            ImageError::Unsupported(_) => MapError::Exotic { file: file_name(), kind: name, source: error.into() },
            _ => MapError::Damaged { file: file_name(), kind: name, source: error.into() },
        }
    };
    let mut reader = ImageReader::with_format(Cursor::new(bytes), kind.format());
    let mut limits = Limits::no_limits();
    limits.max_alloc = Some(MEMORY);
    reader.limits(limits);
    let mut decoder = reader.into_decoder().map_err(failed("header"))?;
    let (width, height) = decoder.dimensions();
    lattice(width.into(), height.into(), file)?;
    let needed = decoder.total_bytes();
    if needed > MEMORY {
        return Err(MapError::Memory { file: file_name(), kind: name, needed: needed >> 20, limit: MEMORY >> 20 });
    }
    // The decoder would fill up with grey.
    if kind == Kind::Jpeg && !has_end(bytes) {
        return Err(MapError::Truncated { file: file_name(), kind: name, part: "pixels" });
    }
    // Cameras and scanners say which side is up.
    let orientation = decoder.orientation().map_err(failed("header"))?;
    let mut image = DynamicImage::from_decoder(decoder).map_err(failed("pixels"))?;
    image.apply_orientation(orientation);
    cells(image, colours, tones, file)
}

/// The map of an image: a cell a pixel, by its grey, or as the table says.
fn cells(image: DynamicImage, colours: Option<&Colours>, tones: &Tones, file: &Path) -> Result<Grid, MapError> {
    let lattice = lattice(image.width().into(), image.height().into(), file)?;
    let image = match image {
        DynamicImage::ImageLuma8(_)
        | DynamicImage::ImageLumaA8(_)
        | DynamicImage::ImageRgb8(_)
        | DynamicImage::ImageRgba8(_) => image,
        deep => deep.into_rgba8().into(),
    };
    let samples = usize::from(image.color().channel_count());
    if let Some(colours) = colours {
        let mut painting = colours.painting(lattice);
        for (y, row) in (0..).zip(image.as_bytes().chunks_exact(samples * lattice.width as usize)) {
            painting.row(y, row.chunks_exact(samples).map(rgb));
        }
        return painting.finish(file);
    }
    let mut grid = Grid::closed(lattice);
    for (cell, pixel) in lattice.cells().zip(image.as_bytes().chunks_exact(samples)) {
        let [luma] = brightness::<1>(pixel, false);
        if tones.is_open(luma) {
            grid.set_open(cell, true);
        }
    }
    Ok(grid)
}

/// True where the file ended too early.
fn is_cut(error: &ImageError) -> bool {
    match error {
        ImageError::IoError(error) => error.kind() == ErrorKind::UnexpectedEof,
        ImageError::Decoding(error) => {
            let gif = error.source().and_then(|source| source.downcast_ref());
            matches!(gif, Some(gif::DecodingError::UnexpectedEof))
        }
        _ => false,
    }
}

/// True where the pixels of a JPEG image, which follow its last start of a scan, are followed by an end of image.
fn has_end(bytes: &[u8]) -> bool {
    let last = |mark: [u8; 2]| bytes.windows(2).rposition(|pair| pair == mark);
    last([0xFF, 0xD9]) > last([0xFF, 0xDA])
}
