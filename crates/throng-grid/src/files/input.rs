//! The bytes of a map file: held where the format needs them all at once, else read line by line.

use super::not_text;
use crate::{Lattice, MapError};
use std::borrow::Cow;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read};
use std::path::Path;

/// No map file that can be read is larger (bytes): the largest lattice, two bytes a cell.
const MAX_BYTES: u64 = 2 * Lattice::MAX_SIDE as u64 * Lattice::MAX_SIDE as u64;

/// So many bytes tell the format.
const HEAD: u64 = 4096;

/// Letters of a row take four bytes each at most, heights six.
const MAX_LINE: u64 = 8 * Lattice::MAX_SIDE as u64;

/// A file that is to be read, or its bytes.
pub(super) struct Input<'a> {
    head: Cow<'a, [u8]>,
    /// The bytes after the head.
    rest: Option<File>,
    name: &'a Path,
}

impl<'a> Input<'a> {
    pub fn open(name: &'a Path) -> Result<Self, MapError> {
        if name.is_dir() {
            return Err(MapError::Folder { file: name.to_path_buf() });
        }
        let failed = failed(name);
        let mut file = File::open(name).map_err(&failed)?;
        let mut head = Vec::new();
        file.by_ref().take(HEAD).read_to_end(&mut head).map_err(&failed)?;
        Ok(Self { head: head.into(), rest: Some(file), name })
    }

    /// All bytes of a file of the name `name`, which need not be there.
    pub fn of(bytes: &'a [u8], name: &'a Path) -> Self {
        Self { head: bytes.into(), rest: None, name }
    }

    /// The first bytes, as many as it takes to tell the format.
    pub fn head(&self) -> &[u8] {
        &self.head
    }

    /// All bytes.
    pub fn bytes(self) -> Result<Cow<'a, [u8]>, MapError> {
        let Some(rest) = self.rest else { return Ok(self.head) };
        let failed = failed(self.name);
        let mut bytes = self.head.into_owned();
        // All at once: a buffer that grows would be copied.
        let left = rest.metadata().map_or(0, |about| about.len().min(MAX_BYTES)).saturating_sub(bytes.len() as u64);
        bytes.reserve_exact(left as usize + 1);
        rest.take(MAX_BYTES + 1 - bytes.len() as u64).read_to_end(&mut bytes).map_err(&failed)?;
        if bytes.len() as u64 > MAX_BYTES {
            return Err(failed(io::Error::new(io::ErrorKind::FileTooLarge, format!("more than {MAX_BYTES} bytes"))));
        }
        Ok(bytes.into())
    }

    /// The lines of a text.
    pub fn lines(self) -> Lines<'a> {
        let rest: Box<dyn Read> = match self.rest {
            Some(rest) => Box::new(rest),
            None => Box::new(io::empty()),
        };
        let input = BufReader::with_capacity(1 << 16, Cursor::new(self.head).chain(rest));
        Lines { input: Box::new(input), file: self.name, line: String::new(), number: 0, blank: 0, state: State::Given }
    }
}

fn failed(name: &Path) -> impl Fn(io::Error) -> MapError {
    move |source| match source.kind() {
        io::ErrorKind::NotFound => MapError::Missing { file: name.to_path_buf() },
        io::ErrorKind::IsADirectory => MapError::Folder { file: name.to_path_buf() },
        _ => MapError::Read { file: name.to_path_buf(), source },
    }
}

/// The lines of a text, without the blanks at their ends, and without the empty lines at the end of the file.
pub(super) struct Lines<'a> {
    input: Box<dyn BufRead + 'a>,
    pub file: &'a Path,
    /// The last line that was read, which is not empty.
    line: String,
    /// Lines that were given.
    number: usize,
    /// Empty lines before `line` that were not given yet.
    blank: usize,
    state: State,
}

#[derive(PartialEq, Eq)]
enum State {
    /// The line that was read has been given.
    Given,
    /// A line waits for the empty ones before it.
    Waiting,
    /// There are no more.
    End,
}

impl Lines<'_> {
    /// The next line; `None` at the end.
    pub fn next(&mut self) -> Result<Option<&str>, MapError> {
        if self.state == State::Given {
            self.read()?;
        }
        if self.state == State::End {
            return Ok(None);
        }
        self.number += 1;
        if self.blank > 0 {
            self.blank -= 1;
            return Ok(Some(""));
        }
        self.state = State::Given;
        Ok(Some(&self.line))
    }

    /// The number of the line that was given last, from 1.
    pub fn number(&self) -> usize {
        self.number
    }

    /// Reads up to the next line that is not empty.
    fn read(&mut self) -> Result<(), MapError> {
        loop {
            let number = self.number + self.blank + 1;
            let mut bytes = std::mem::take(&mut self.line).into_bytes();
            bytes.clear();
            let read = self.input.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes).map_err(failed(self.file))?;
            if read == 0 {
                self.state = State::End;
                return Ok(());
            }
            if read as u64 == MAX_LINE {
                return Err(MapError::Line {
                    file: self.file.to_path_buf(),
                    line: number,
                    found: format!("a line of {MAX_LINE} bytes or more"),
                    expected: format!("at most {} cells in a row", Lattice::MAX_SIDE),
                });
            }
            let mut line = String::from_utf8(bytes)
                .map_err(|error| not_text(error.as_bytes(), error.utf8_error().valid_up_to(), number, self.file))?;
            if number == 1 && line.starts_with('\u{feff}') {
                line.remove(0);
            }
            line.truncate(line.trim_end().len());
            self.line = line;
            if !self.line.is_empty() {
                self.state = State::Waiting;
                return Ok(());
            }
            self.blank += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn empty_lines_count_but_not_at_the_end() {
        let name = Path::new("a.txt");
        let texts = ["", "\n \n", "a", "a\r\n\n b \nc\n\n\n", "\u{feff}\na\n"];
        for text in texts {
            let mut lines = Input::of(text.as_bytes(), name).lines();
            let mut found = Vec::new();
            while let Some(line) = lines.next().unwrap() {
                found.push(line.to_owned());
                assert_eq!(lines.number(), found.len());
            }
            let text = text.trim_start_matches('\u{feff}').trim_end();
            let expected: Vec<&str> =
                if text.is_empty() { Vec::new() } else { text.lines().map(str::trim_end).collect() };
            assert_eq!(found, expected, "{text:?}");
            assert!(lines.next().unwrap().is_none());
        }
    }

    #[test]
    fn what_is_no_text_is_said_where_it_is() {
        let name = Path::new("a.txt");
        let mut lines = Input::of(b"a\n\n\xC3\xA4b\xFF\n", name).lines();
        assert_eq!(lines.next().unwrap(), Some("a"));
        let error = lines.next().unwrap_err().to_string();
        assert!(error.starts_with("a.txt:3:3: "), "{error}");
    }

    #[test]
    fn a_line_without_an_end_is_not_held() {
        let endless = vec![b'.'; 1 << 18];
        let mut lines = Input::of(&endless, Path::new("a.map")).lines();
        let error = lines.next().unwrap_err().to_string();
        assert_eq!(error, "a.map:1: found a line of 131072 bytes or more, expected at most 16384 cells in a row");
    }
}
