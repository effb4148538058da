//! Tiles out of the text that they are packed in. Nothing is trusted: no more is unpacked than there are cells.

use super::model::{Chunk, Data, Packing};
use crate::MapError;
use crate::files::source::{Source, quoted};
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use base64::read::DecoderReader;
use ruzstd::decoding::StreamingDecoder;
use std::io::{self, BufReader, ErrorKind, Read};

/// Bits of a tile's number that say how its picture is turned.
pub(super) const TURNED: u32 = 0xF000_0000;

/// Some leave out the `=` at the end.
const BASE64: GeneralPurpose = GeneralPurpose::new(
    &alphabet::STANDARD,
    GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent),
);

/// Calls `put` with column, row and number of each tile that is there, row by row, the bits among it that say how it is
/// turned; it returns false for numbers that are not known, and then `known` says which are.
pub(super) fn tiles(
    source: &Source,
    chunk: &Chunk,
    known: &str,
    mut put: impl FnMut(u32, u32, u32) -> bool,
) -> Result<(), MapError> {
    let mut walk = Walk { width: chunk.width, height: chunk.height, column: 0, row: 0 };
    let mut next = |tiles: &[[u8; 4]]| walk.take(tiles, &mut put);
    match &chunk.data {
        Data::Csv(text) => csv(source, text, known, &mut next)?,
        Data::Tiles(numbers) => {
            for &bits in numbers {
                next(&[bits.to_le_bytes()]).map_err(|problem| problem.at(source, chunk.at, known))?;
            }
        }
        Data::Base64(text, packing) => {
            let reader = DecoderReader::new(Letters(text.as_bytes()), &BASE64);
            let result = match packing {
                Packing::Plain => bytes(reader, &mut next),
                Packing::Gzip => bytes(flate2::read::GzDecoder::new(reader), &mut next),
                Packing::Zlib => bytes(flate2::read::ZlibDecoder::new(reader), &mut next),
                Packing::Zstd => match StreamingDecoder::new(BufReader::new(reader)) {
                    Ok(decoder) => bytes(decoder, &mut next),
                    Err(error) => Err(Problem::Damaged(error.to_string())),
                },
            };
            result.map_err(|problem| problem.at(source, chunk.at, known))?;
        }
    }
    if walk.row < walk.height {
        let found = u64::from(walk.row) * u64::from(walk.width) + u64::from(walk.column);
        return Err(source.wrong(chunk.at, format!("{found} tiles"), walk.expected()));
    }
    Ok(())
}

/// A text without its blanks and line breaks.
struct Letters<'a>(&'a [u8]);

impl Read for Letters<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut put = 0;
        while put < buffer.len() && !self.0.is_empty() {
            let near = &self.0[..self.0.len().min(buffer.len() - put)];
            let blank = near.iter().position(u8::is_ascii_whitespace);
            let letters = &near[..blank.unwrap_or(near.len())];
            buffer[put..put + letters.len()].copy_from_slice(letters);
            put += letters.len();
            self.0 = &self.0[letters.len() + usize::from(blank.is_some())..];
        }
        Ok(put)
    }
}

/// Where in a chunk the next tile goes.
struct Walk {
    width: u32,
    height: u32,
    column: u32,
    row: u32,
}

impl Walk {
    /// Takes the next tiles, four bytes each, the lowest first.
    fn take(&mut self, tiles: &[[u8; 4]], put: &mut impl FnMut(u32, u32, u32) -> bool) -> Result<(), Problem> {
        let (mut column, mut row) = (self.column, self.row);
        for &tile in tiles {
            if row >= self.height {
                return Err(Problem::TooMany(self.expected()));
            }
            let bits = u32::from_le_bytes(tile);
            let number = bits & !TURNED;
            if number != 0 && !put(column, row, bits) {
                return Err(Problem::Unknown { number, column, row });
            }
            column += 1;
            if column == self.width {
                (column, row) = (0, row + 1);
            }
        }
        (self.column, self.row) = (column, row);
        Ok(())
    }

    fn expected(&self) -> String {
        format!("{} x {} tiles, as many as cells", self.width, self.height)
    }
}

/// Errors of packed tiles.
enum Problem {
    TooMany(String),
    Unknown { number: u32, column: u32, row: u32 },
    Cut,
    Damaged(String),
}

impl Problem {
    fn words(self, known: &str) -> (String, String) {
        match self {
            Self::TooMany(expected) => ("more tiles".to_owned(), expected),
            Self::Unknown { number, column, row } => {
                (format!("tile {number} in column {column}, row {row}"), known.to_owned())
            }
            Self::Cut => ("tiles that end in the middle of one".to_owned(), "4 bytes a tile".to_owned()),
            Self::Damaged(message) => {
                (format!("tiles that cannot be unpacked ({message})"), "them as Tiled writes them".to_owned())
            }
        }
    }

    fn at(self, source: &Source, offset: usize, known: &str) -> MapError {
        let (found, expected) = self.words(known);
        source.wrong(offset, found, expected)
    }
}

/// Numbers with commas between them.
fn csv(
    source: &Source,
    text: &str,
    known: &str,
    next: &mut impl FnMut(&[[u8; 4]]) -> Result<(), Problem>,
) -> Result<(), MapError> {
    let start = source.offset(text);
    let text = text.trim_end();
    let bytes = text.as_bytes();
    let mut at = 0;
    while at < bytes.len() {
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let first = at;
        let mut number = 0_u64;
        while let Some(digit) = bytes.get(at).map(|byte| byte.wrapping_sub(b'0')).filter(|&digit| digit < 10) {
            number = (number * 10 + u64::from(digit)).min(u64::from(u32::MAX) + 1);
            at += 1;
        }
        let last = at;
        while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
            at += 1;
        }
        let is_end = matches!(bytes.get(at), None | Some(b','));
        let Some(number) = u32::try_from(number).ok().filter(|_| last > first && is_end) else {
            let rest = text.get(first..).unwrap_or_default();
            let found = quoted(rest.split([',', '\n']).next().unwrap_or_default());
            return Err(source.wrong(start + first, found, "the number of a tile"));
        };
        next(&[number.to_le_bytes()]).map_err(|problem| problem.at(source, start + first, known))?;
        at += 1;
        // Tiled has no comma after the last number, others do.
    }
    Ok(())
}

/// Four bytes a tile, the lowest first.
fn bytes(mut reader: impl Read, next: &mut impl FnMut(&[[u8; 4]]) -> Result<(), Problem>) -> Result<(), Problem> {
    let mut buffer = vec![0; 1 << 16];
    let mut kept = 0;
    loop {
        let read = match reader.read(&mut buffer[kept..]) {
            Ok(read) => read,
            Err(error) if error.kind() == ErrorKind::Interrupted => continue,
            Err(error) => return Err(Problem::Damaged(plain(&error))),
        };
        if read == 0 {
            return if kept == 0 { Ok(()) } else { Err(Problem::Cut) };
        }
        let end = kept + read;
        let (tiles, rest) = buffer[..end].as_chunks::<4>();
        let rest = rest.len();
        next(tiles)?;
        buffer.copy_within(end - rest..end, 0);
        kept = rest;
    }
}

fn plain(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::UnexpectedEof => "they end too early".to_owned(),
        _ => error.to_string(),
    }
}
