//! What kind of map a file is.

use super::{ascii, image, png, polygons, tiled};
use crate::grid::MapError;
use std::path::Path;

/// A kind of map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    MovingAi,
    Ascii,
    Png,
    Image(image::Kind),
    Tiled,
    Wkt,
    GeoJson,
}

impl Format {
    /// By the first bytes of a file and its name.
    pub fn of(head: &[u8], name: &Path) -> Result<Self, MapError> {
        let has_extension = |wanted: &str| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
        let is_tiled = ["tmx", "tmj", "tsx", "tsj"].into_iter().any(has_extension);
        Ok(if head.starts_with(png::SIGNATURE) {
            Self::Png
        } else if let Some(kind) = image::Kind::of(head).or_else(|| image::Kind::named(name)) {
            Self::Image(kind)
        } else if has_extension("png") {
            Self::Png
        } else if is_tiled || tiled::is_map(head) {
            Self::Tiled
        } else if has_extension("wkt") || polygons::is_wkt(head) {
            Self::Wkt
        } else if has_extension("geojson") {
            Self::GeoJson
        } else if has_extension("json") || head.trim_ascii_start().starts_with(b"{") {
            // Both are named so.
            if is_plan(head) { Self::GeoJson } else { Self::Tiled }
        } else if is_ascii(head) {
            Self::Ascii
        } else if has_extension("map") || head.starts_with(b"type ") {
            Self::MovingAi
        } else if has_extension("txt") || has_extension("ascii") {
            Self::Ascii
        } else {
            return Err(MapError::Unsupported { file: name.to_path_buf(), found: looks_like(head) });
        })
    }
}

/// True for an ASCII map that says so.
fn is_ascii(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(ascii::TITLE.as_bytes())
}

/// True for JSON that begins as `GeoJSON` does.
fn is_plan(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    has(b"\"features\"") || has(b"\"FeatureCollection\"") || has(b"\"coordinates\"") || has(b"\"geometry\"")
}

/// What a file seems to hold, by its first bytes.
pub(super) fn looks_like(bytes: &[u8]) -> &'static str {
    const KNOWN: [(&[u8], &str); 9] = [
        (png::SIGNATURE, "a PNG image"),
        (b"II*\0", "a TIFF image"),
        (b"MM\0*", "a TIFF image"),
        (b"8BPS", "a Photoshop image"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"type ", "a Moving AI map"),
        (ascii::TITLE.as_bytes(), "an ASCII map"),
    ];
    if let Some((_, name)) = KNOWN.iter().find(|(start, _)| bytes.starts_with(start)) {
        return name;
    }
    if let Some(kind) = image::Kind::of(bytes) {
        return kind.described();
    }
    let head = &bytes[..bytes.len().min(512)];
    match std::str::from_utf8(head) {
        _ if head.is_empty() => "an empty file",
        Ok(text) if text.trim_start().starts_with("<?xml") || text.trim_start().starts_with('<') => "XML or HTML",
        Ok(text) if text.trim_start().starts_with('{') => "JSON",
        Ok(text) if !text.contains('\0') => "text",
        Err(error) if error.error_len().is_none() && !head.contains(&0) => "text",
        _ => "binary data",
    }
}
