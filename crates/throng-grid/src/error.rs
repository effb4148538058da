//! Errors of map files.

use super::Lattice;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// A map or query file that cannot be read or written.
///
/// ```
/// let error = throng_grid::Grid::load("nowhere.map").unwrap_err();
/// assert_eq!(error.to_string(), "nowhere.map: no such file; check the path");
/// ```
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MapError {
    /// There is no such file.
    #[error("{}: no such file; check the path", file.display())]
    Missing {
        /// The file.
        file: PathBuf,
    },
    /// The path leads to a folder.
    #[error("{}: this is a folder; name a file in it", file.display())]
    Folder {
        /// The folder.
        file: PathBuf,
    },
    /// The system would not let us read the file.
    #[error("{}: cannot be read: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// The system would not let us write the file.
    #[error("{}: cannot be written: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The message of the operating system.
        source: io::Error,
    },
    /// The file holds nothing.
    #[error("{}: the file is empty; expected {expected}", file.display())]
    Empty {
        /// The file.
        file: PathBuf,
        /// The expected content.
        expected: &'static str,
    },
    /// None of the kinds of map that can be read.
    #[error("{}: this looks like {found}; maps are Moving AI .map files, ASCII .txt files, Tiled .tmx and .tmj files, .wkt and .geojson floor plans, .yaml maps of robots, and PNG, BMP, GIF, JPEG, WebP or PGM images", file.display())]
    Unsupported {
        /// The file.
        file: PathBuf,
        /// The kind of file that it looks like.
        found: &'static str,
    },
    /// A kind of map that this build does not read.
    #[error("{}: this is {found}, which this build leaves out; build throng-grid with the feature \"{feature}\"", file.display())]
    LeftOut {
        /// The file.
        file: PathBuf,
        /// The kind of the file.
        found: &'static str,
        /// The feature that reads it.
        feature: &'static str,
    },
    /// A line has not the expected form.
    #[error("{}:{line}: found {found}, expected {expected}", file.display())]
    Line {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The text there, quoted and cut short.
        found: String,
        /// The expected text.
        expected: String,
    },
    /// No columns or no rows.
    #[error("{}: the map is {width} wide and {height} high; it needs at least one column and one row", file.display())]
    NoCells {
        /// The file.
        file: PathBuf,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// More columns or rows than a lattice may have.
    #[error(
        "{}: the map is {width} wide and {height} high; at most {limit} x {limit} cells can be read, split the map",
        file.display(), limit = Lattice::MAX_SIDE
    )]
    TooLarge {
        /// The file.
        file: PathBuf,
        /// Columns.
        width: u64,
        /// Rows.
        height: u64,
    },
    /// A row is shorter or longer than the header says.
    #[error("{}:{line}: row {row} has {found} letters, expected {expected}: the width in the header", file.display())]
    Row {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Row of the map, from 0.
        row: u32,
        /// Letters in this row.
        found: usize,
        /// Letters a row.
        expected: u32,
    },
    /// The file ends before the last row.
    #[error("{}: the file ends after {found} of {expected} rows, the height in the header; add the others or correct the height", file.display())]
    TooFewRows {
        /// The file.
        file: PathBuf,
        /// Rows found.
        found: u32,
        /// Rows the header promises.
        expected: u32,
    },
    /// Something follows the last row.
    #[error("{}:{line}: the map goes on after row {expected}, the height in the header; remove what follows or correct the height", file.display())]
    TooManyRows {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Rows the header promises.
        expected: u32,
    },
    /// A letter that means nothing.
    #[error("{}:{line}:{column}: unknown letter {found:?}; known are . G S (open) and @ O T W (closed)", file.display())]
    Letter {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letter.
        found: char,
    },
    /// A letter that the legend of an ASCII map does not explain.
    #[error("{}:{line}:{column}: unknown letter {found:?}; the legend explains {known}", file.display())]
    Unexplained {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The letter.
        found: char,
        /// The letters of the legend.
        known: String,
    },
    /// A row of an ASCII map is shorter or longer than the first.
    #[error("{}:{line}:{column}: this row has {found} letters, expected {expected} as in the first row", file.display())]
    Ragged {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Where the row ends too early, or goes on too long; from 1.
        column: usize,
        /// Letters in this row.
        found: usize,
        /// Letters in the first row.
        expected: u32,
    },
    /// A map whose cells are too small or too large for its use.
    #[error(
        "{}: its cells have a side of {found} m, a scenario takes {} to {} m; give it a cell_size",
        file.display(), expected.0, expected.1
    )]
    CellSize {
        /// The file.
        file: PathBuf,
        /// The side of a cell (m).
        found: f32,
        /// The least and the most that is accepted (m).
        expected: (f32, f32),
    },
    /// Bytes that are no text.
    #[error("{}:{line}:{column}: byte 0x{byte:02X} is not UTF-8; save the file as plain text", file.display())]
    NotText {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The first byte that is no text.
        byte: u8,
    },
    /// A file named as an image that is none.
    #[error("{}: this is no {kind} image, it looks like {found}; convert it to {kind}", file.display())]
    NotImage {
        /// The file.
        file: PathBuf,
        /// The kind by its name: "PNG", "JPEG" and so on.
        kind: &'static str,
        /// The kind of file that it looks like.
        found: &'static str,
    },
    /// An image of heights that does not fit its map.
    #[error(
        "{}: the image is {} x {} pixels, the map {} x {} cells; heights need one pixel a cell",
        file.display(), found.0, found.1, expected.0, expected.1
    )]
    HeightSize {
        /// The file.
        file: PathBuf,
        /// Columns and rows of the image.
        found: (u32, u32),
        /// Columns and rows of the map.
        expected: (u32, u32),
    },
    /// An image that would take too much memory.
    #[error(
        "{}: the {kind} image unpacks to {needed} MiB, at most {limit} MiB can be read; make it smaller or save it as PNG",
        file.display()
    )]
    Memory {
        /// The file.
        file: PathBuf,
        /// "JPEG" and so on.
        kind: &'static str,
        /// The memory of its pixels (MiB).
        needed: u64,
        /// The limit of that memory (MiB).
        limit: u64,
    },
    /// A part of a structured file has not the expected form.
    #[error("{}:{line}:{column}: found {found}, expected {expected}", file.display())]
    Element {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The text there, quoted and cut short.
        found: String,
        /// The expected text.
        expected: String,
    },
    /// A text that breaks the rules of its format.
    #[error("{}:{line}:{column}: this cannot be read as {kind}: {message}; correct it, or save it once more", file.display())]
    Syntax {
        /// The file.
        file: PathBuf,
        /// Line, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// "XML" or "JSON".
        kind: &'static str,
        /// The message of the reader.
        message: String,
    },
    /// A floor plan that has not the expected form.
    #[error("{}: found {found}, expected {expected}", file.display())]
    Plan {
        /// The file.
        file: PathBuf,
        /// The content found.
        found: String,
        /// The expected content.
        expected: String,
    },
    /// A tileset of a Tiled map that cannot be read.
    #[error("{}:{line}:{column}: tileset {source}", file.display())]
    Tileset {
        /// The map.
        file: PathBuf,
        /// Line in which it is named, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The error in the text.
        source: Box<MapError>,
    },
    /// The image of a map of a robot that cannot be read.
    #[error("{}:{line}:{column}: image {source}", file.display())]
    Picture {
        /// The map.
        file: PathBuf,
        /// Line in which it is named, from 1.
        line: usize,
        /// Column, from 1.
        column: usize,
        /// The error in the image.
        source: Box<MapError>,
    },
    /// A Tiled map whose cells are no squares in rows and columns.
    #[error("{}: the map is {found}, expected \"orthogonal\"; choose that as orientation in the map's properties{remedy}", file.display())]
    Orientation {
        /// The map.
        file: PathBuf,
        /// Its orientation, quoted.
        found: String,
        /// What else to do.
        remedy: &'static str,
    },
    /// A file that is larger than files of its kind may be.
    #[error("{}: the {kind} file has more than {limit} MiB; split it", file.display())]
    TooMuch {
        /// The file.
        file: PathBuf,
        /// "Tiled" and so on.
        kind: &'static str,
        /// The most it may have (MiB).
        limit: u64,
    },
    /// A colour of an image that its table does not explain.
    #[error(
        "{}: pixel {},{} has the colour {found}, which {} does not explain ({count} of such pixels in all); add it there, or a \
         default or a tolerance",
        file.display(), pixel.0, pixel.1, table.display()
    )]
    Colour {
        /// The image.
        file: PathBuf,
        /// Column and row of the first, from 0.
        pixel: (u32, u32),
        /// Its colour, `#rrggbb`.
        found: String,
        /// Pixels of all colours that are not explained.
        count: u64,
        /// The colour table.
        table: PathBuf,
    },
    /// An image that ends too early.
    #[error("{}: the {kind} image is cut off in the {part}; get a whole copy", file.display())]
    Truncated {
        /// The file.
        file: PathBuf,
        /// "PNG", "JPEG" and so on.
        kind: &'static str,
        /// Where: "header" or "pixels".
        part: &'static str,
    },
    /// An image that breaks the rules of its format.
    #[error("{}: the {kind} image is damaged: {}; get another copy, or save it anew", file.display(), said(source))]
    Damaged {
        /// The file.
        file: PathBuf,
        /// "PNG", "JPEG" and so on.
        kind: &'static str,
        /// The error of the decoder.
        source: Box<dyn Error + Send + Sync>,
    },
    /// An image that uses a rare feature of its format.
    #[error("{}: the {kind} image is of a sort that cannot be read: {}; save it as PNG", file.display(), said(source))]
    Exotic {
        /// The file.
        file: PathBuf,
        /// "JPEG" and so on.
        kind: &'static str,
        /// The error of the decoder.
        source: Box<dyn Error + Send + Sync>,
    },
}

/// The message of a decoder, in one line, without the words around it that name the decoder.
#[allow(clippy::borrowed_box, reason = "as the fields of the errors are")]
fn said(source: &Box<dyn Error + Send + Sync>) -> String {
    let text = source.to_string().split_whitespace().collect::<Vec<_>>().join(" ");
    let text = text.split(" while decoding").next().unwrap_or_default();
    let bare = text.strip_prefix("Format error decoding ").and_then(|rest| rest.split_once(": "));
    bare.map_or(text, |(_, rest)| rest).trim_matches(['.', '"']).to_owned()
}
