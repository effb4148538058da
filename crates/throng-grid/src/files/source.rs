//! The text of a file, and where in it something is.

use crate::MapError;
use std::path::Path;

/// A text and the name of its file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Source<'a> {
    pub text: &'a str,
    pub file: &'a Path,
}

impl Source<'_> {
    /// Line and column, from 1, of a byte.
    pub fn place(&self, offset: usize) -> (usize, usize) {
        let before = &self.text.as_bytes()[..offset.min(self.text.len())];
        let start = before.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        let line = before.split(|&byte| byte == b'\n').count();
        (line, 1 + String::from_utf8_lossy(&before[start..]).chars().count())
    }

    /// Where `part`, a piece of this very text, begins; 0 for any other text.
    pub fn offset(&self, part: &str) -> usize {
        let offset = (part.as_ptr() as usize).wrapping_sub(self.text.as_ptr() as usize);
        if offset <= self.text.len() { offset } else { 0 }
    }

    /// An error at a byte.
    pub fn wrong(&self, offset: usize, found: impl Into<String>, expected: impl Into<String>) -> MapError {
        let (line, column) = self.place(offset);
        let (found, expected) = (found.into(), expected.into());
        MapError::Element { file: self.file.to_path_buf(), line, column, found, expected }
    }

    #[cfg(feature = "images")]
    /// A text that breaks the rules of its format, from a byte on.
    pub fn syntax(&self, offset: usize, kind: &'static str, message: impl Into<String>) -> MapError {
        let (line, column) = self.place(offset);
        MapError::Syntax { file: self.file.to_path_buf(), line, column, kind, message: one_line(&message.into()) }
    }
}

/// The message of a library, which may quote anything in the file: in one line, cut short.
pub(super) fn one_line(text: &str) -> String {
    let words: Vec<_> =
        text.split(|c: char| c.is_whitespace() || c.is_control()).filter(|word| !word.is_empty()).collect();
    // The library's names for numbers, in words.
    let line =
        words.join(" ").replace("expected u32", "expected a whole number").replace("expected f64", "expected a number");
    match line.char_indices().nth(160) {
        Some((end, _)) => format!("{} and more", &line[..end]),
        None => line,
    }
}

/// A text for a message: quoted, and cut short.
pub(super) fn quoted(text: &str) -> String {
    match text.char_indices().nth(40) {
        Some((end, _)) => format!("{:?} and more", &text[..end]),
        None => format!("{text:?}"),
    }
}
