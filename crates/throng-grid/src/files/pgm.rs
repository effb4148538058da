//! Portable grey maps (PGM), plain (P2) and raw (P5), as robots and scanners write them.
//!
//! Source: <https://netpbm.sourceforge.net/doc/pgm.html>.

use super::format::{is_pgm, looks_like};
use super::tones::Tones;
use super::{Colours, lattice};
use crate::{Grid, MapError};
use std::path::Path;

const KIND: &str = "PGM";

/// Reads an image: by a table of colours where there is one, else by its greys. `file` is named in errors. O(pixels).
pub(super) fn read(bytes: &[u8], colours: Option<&Colours>, tones: &Tones, file: &Path) -> Result<Grid, MapError> {
    if bytes.is_empty() {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a PGM image" });
    }
    if !is_pgm(bytes) {
        return Err(MapError::NotImage { file: file.to_path_buf(), kind: KIND, found: looks_like(bytes) });
    }
    let mut samples = Samples { rest: &bytes[2..], is_raw: false, most: 0, file };
    let [width, height] = [samples.number("header")?, samples.number("header")?];
    let lattice = lattice(width.into(), height.into(), file)?;
    samples.most = samples.number("header")?;
    if !(1..=65_535).contains(&samples.most) {
        return Err(samples.damaged(format!("white is {}, expected 1 to 65535", samples.most)));
    }
    samples.is_raw = bytes[1] == b'5';
    // One blank ends the header.
    samples.rest = samples.rest.get(1..).unwrap_or_default();
    if let Some(colours) = colours {
        let mut painting = colours.painting(lattice);
        let mut row = Vec::with_capacity(lattice.width as usize);
        for y in 0..lattice.height {
            row.clear();
            for _ in 0..lattice.width {
                row.push([samples.grey()?; 3]);
            }
            painting.row(y, row.iter().copied());
        }
        return painting.finish(file);
    }
    let mut grid = Grid::closed(lattice);
    for cell in lattice.cells() {
        if tones.is_open(samples.grey()?) {
            grid.set_open(cell, true);
        }
    }
    Ok(grid)
}

/// What follows in a file.
struct Samples<'a> {
    rest: &'a [u8],
    is_raw: bool,
    /// White.
    most: u32,
    file: &'a Path,
}

impl Samples<'_> {
    /// The grey of the next pixel, black 0 and white 255.
    #[inline]
    fn grey(&mut self) -> Result<u8, MapError> {
        let sample = match (self.is_raw, self.rest) {
            (true, [grey, rest @ ..]) if self.most < 256 => {
                self.rest = rest;
                u32::from(*grey)
            }
            (true, [high, low, rest @ ..]) if self.most >= 256 => {
                self.rest = rest;
                u32::from(u16::from_be_bytes([*high, *low]))
            }
            (true, _) => return Err(self.cut("pixels")),
            (false, _) => self.number("pixels")?,
        };
        if sample > self.most {
            return Err(self.damaged(format!("a pixel of {sample}, where white is {}", self.most)));
        }
        Ok(if self.most == 255 { sample } else { (sample * 255 + self.most / 2) / self.most } as u8)
    }

    /// The next whole number of a text, after blanks and comments.
    fn number(&mut self, part: &'static str) -> Result<u32, MapError> {
        loop {
            self.rest = self.rest.trim_ascii_start();
            let [b'#', ..] = self.rest else { break };
            let end = self.rest.iter().position(|&byte| byte == b'\n').unwrap_or(self.rest.len());
            self.rest = &self.rest[end..];
        }
        let digits = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let (number, rest) = self.rest.split_at(digits);
        if number.is_empty() {
            return Err(match rest {
                [] => self.cut(part),
                [byte, ..] => {
                    self.damaged(format!("found {:?} where a number should be", byte.escape_ascii().to_string()))
                }
            });
        }
        self.rest = rest;
        let add = |sum: u32, digit: &u8| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'));
        Ok(number.iter().fold(0, add))
    }

    fn cut(&self, part: &'static str) -> MapError {
        MapError::Truncated { file: self.file.to_path_buf(), kind: KIND, part }
    }

    fn damaged(&self, message: String) -> MapError {
        MapError::Damaged { file: self.file.to_path_buf(), kind: KIND, source: message.into() }
    }
}
