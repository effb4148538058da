//! Kinds of map files.

use super::ascii;
use crate::MapError;
use std::path::Path;

/// The first bytes of every PNG image.
pub(super) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1A\n";

/// A kind of image.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Bmp,
    Gif,
    Jpeg,
    WebP,
}

impl Kind {
    /// By the first bytes.
    pub(super) fn of(bytes: &[u8]) -> Option<Self> {
        match bytes {
            [b'G', b'I', b'F', b'8', ..] => Some(Self::Gif),
            [0xFF, 0xD8, 0xFF, ..] => Some(Self::Jpeg),
            [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some(Self::WebP),
            // Text may begin with these letters too, but has no zeros.
            [b'B', b'M', ..] if bytes.iter().take(14).any(|&byte| byte == 0) => Some(Self::Bmp),
            _ => None,
        }
    }

    /// By the ending of a file name.
    pub(super) fn named(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "bmp" => Some(Self::Bmp),
            "gif" => Some(Self::Gif),
            "jpg" | "jpeg" => Some(Self::Jpeg),
            "webp" => Some(Self::WebP),
            _ => None,
        }
    }

    #[cfg(feature = "images")]
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Bmp => "BMP",
            Self::Gif => "GIF",
            Self::Jpeg => "JPEG",
            Self::WebP => "WebP",
        }
    }

    pub(super) fn described(self) -> &'static str {
        match self {
            Self::Bmp => "a BMP image",
            Self::Gif => "a GIF image",
            Self::Jpeg => "a JPEG image",
            Self::WebP => "a WebP image",
        }
    }
}

/// A kind of map file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    MovingAi,
    Ascii,
    Png,
    Image(Kind),
    Pgm,
    Robot,
    Tiled,
    Ldtk,
    Wkt,
    GeoJson,
}

impl Format {
    /// The kind of its files, with an article.
    pub fn described(self) -> &'static str {
        match self {
            Self::MovingAi => "a Moving AI map",
            Self::Ascii => "an ASCII map",
            Self::Png => "a PNG image",
            Self::Image(kind) => kind.described(),
            Self::Pgm => "a PGM image",
            Self::Robot => "a map of a robot",
            Self::Tiled => "a Tiled map",
            Self::Ldtk => "an LDtk project",
            Self::Wkt => "a WKT floor plan",
            Self::GeoJson => "a GeoJSON floor plan",
        }
    }

    /// The feature of this crate that reads it; none is needed for Moving AI and ASCII maps.
    pub fn feature(self) -> &'static str {
        match self {
            Self::MovingAi | Self::Ascii => "default",
            Self::Png | Self::Image(_) | Self::Pgm | Self::Robot => "images",
            Self::Tiled | Self::Ldtk => "tiled",
            Self::Wkt | Self::GeoJson => "polygons",
        }
    }

    /// By the first bytes of a file and its name.
    pub fn of(head: &[u8], name: &Path) -> Result<Self, MapError> {
        let has_extension = |wanted: &str| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
        let is_tiled = ["tmx", "tmj", "tsx", "tsj"].into_iter().any(has_extension);
        Ok(if head.starts_with(SIGNATURE) {
            Self::Png
        } else if let Some(kind) = Kind::of(head).or_else(|| Kind::named(name)) {
            Self::Image(kind)
        } else if has_extension("png") {
            Self::Png
        } else if is_pgm(head) || has_extension("pgm") {
            Self::Pgm
        } else if has_extension("yaml") || has_extension("yml") || is_robot_map(head) {
            Self::Robot
        } else if is_tiled || is_tiled_map(head) {
            Self::Tiled
        } else if has_extension("ldtk") || has_extension("ldtkl") || is_ldtk(head) {
            Self::Ldtk
        } else if has_extension("wkt") || is_wkt(head) {
            Self::Wkt
        } else if has_extension("geojson") {
            Self::GeoJson
        } else if has_extension("json") || head.trim_ascii_start().starts_with(b"{") {
            // Both are named so.
            if is_plan(head) { Self::GeoJson } else { Self::Tiled }
        } else if is_ascii(head) || ascii::is_bare(head) {
            Self::Ascii
        } else if head.starts_with(b"type ") || has_extension("map") {
            Self::MovingAi
        } else if has_extension("txt") || has_extension("ascii") {
            Self::Ascii
        } else {
            return Err(MapError::Unsupported { file: name.to_path_buf(), found: looks_like(head) });
        })
    }
}

impl Format {
    /// The kind of map that a file seems to be: by its first bytes, else by an ending that only maps have, if it is text.
    pub fn seems(head: &[u8], name: &Path) -> Option<Self> {
        let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
        match Self::of(head, Path::new("")) {
            // Much else is JSON.
            Ok(Self::Tiled) if !is_xml(head) && !has(b"\"layers\"") && !has(b"\"tilewidth\"") => None,
            Ok(format) => Some(format),
            Err(_) if looks_like(head) != "text" => None,
            Err(_) => {
                let has_extension =
                    |wanted: &str| name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted));
                let begins = ["legend ", "cell_size", "map"]
                    .iter()
                    .any(|word| head.trim_ascii_start().starts_with(word.as_bytes()));
                let is_map = ["map", "wkt", "geojson", "tmx", "tmj"].into_iter().any(has_extension)
                    || begins && ["txt", "ascii"].into_iter().any(has_extension);
                is_map.then(|| Self::of(head, name).ok()).flatten()
            }
        }
    }
}

/// True for XML that begins as a map does.
fn is_tiled_map(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    is_xml(head) && head.windows(4).any(|window| window == b"<map")
}

/// True for JSON that names its editor first, as `LDtk` does.
fn is_ldtk(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    head.trim_ascii_start().starts_with(b"{")
        && head.windows(14).any(|window| window == b"\"LDtk Project\"" || window == b"LDtk Project J")
}

pub(super) fn is_xml(bytes: &[u8]) -> bool {
    let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).trim_ascii_start();
    bytes.starts_with(b"<")
}

/// True for text that begins as a plan does.
fn is_wkt(bytes: &[u8]) -> bool {
    let start = bytes.trim_ascii_start();
    let is_numbered = start.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"SRID"));
    let start = start.splitn(2, |&byte| is_numbered && byte == b';').last().unwrap_or(start).trim_ascii_start();
    ["POLYGON", "MULTIPOLYGON", "LINESTRING", "MULTILINESTRING", "GEOMETRYCOLLECTION"]
        .iter()
        .any(|word| start.get(..word.len()).is_some_and(|start| start.eq_ignore_ascii_case(word.as_bytes())))
}

/// True for an ASCII map that says so.
fn is_ascii(bytes: &[u8]) -> bool {
    bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(bytes).starts_with(ascii::TITLE.as_bytes())
}

/// True for text that has the keys of a map of a robot.
fn is_robot_map(bytes: &[u8]) -> bool {
    let head = String::from_utf8_lossy(&bytes[..bytes.len().min(4096)]);
    let has = |key: &str| head.lines().any(|line| line.starts_with(key));
    has("image:") && has("resolution:")
}

/// True for a portable grey map.
pub(super) fn is_pgm(bytes: &[u8]) -> bool {
    matches!(bytes, [b'P', b'2' | b'5', next, ..] if next.is_ascii_whitespace() || *next == b'#')
}

/// True for JSON that begins as `GeoJSON` does.
fn is_plan(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(4096)];
    let has = |word: &[u8]| head.windows(word.len()).any(|window| window == word);
    has(b"\"features\"") || has(b"\"FeatureCollection\"") || has(b"\"coordinates\"") || has(b"\"geometry\"")
}

/// The kind of content that the first bytes of a file suggest.
pub(super) fn looks_like(bytes: &[u8]) -> &'static str {
    const KNOWN: [(&[u8], &str); 12] = [
        (SIGNATURE, "a PNG image"),
        (b"II*\0", "a TIFF image"),
        (b"MM\0*", "a TIFF image"),
        (b"8BPS", "a Photoshop image"),
        (b"%PDF", "a PDF document"),
        (b"PK\x03\x04", "a ZIP archive"),
        (b"\x1F\x8B", "a gzip archive"),
        (b"type ", "a Moving AI map"),
        (b"P3\n", "a PPM image"),
        (b"P6\n", "a PPM image"),
        (b"P4\n", "a PBM image"),
        (ascii::TITLE.as_bytes(), "an ASCII map"),
    ];
    if let Some((_, name)) = KNOWN.iter().find(|(start, _)| bytes.starts_with(start)) {
        return name;
    }
    if let Some(kind) = Kind::of(bytes) {
        return kind.described();
    }
    if is_pgm(bytes) {
        return "a PGM image";
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
