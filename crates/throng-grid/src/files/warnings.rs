//! What of a map was left out: each thing once, and not too many.

use super::source::{Source, quoted};
use crate::MapWarning;

/// The most lines.
const MAX_LINES: usize = 20;

/// Warnings of one map.
#[derive(Debug, Default)]
pub(super) struct Warnings {
    all: Vec<MapWarning>,
    more: usize,
}

impl Warnings {
    /// Adds a warning about what begins at a byte, unless the same was said before.
    pub fn add(&mut self, source: &Source, at: usize, message: String) {
        if self.all.iter().any(|known| known.message == message) {
            return;
        }
        if self.all.len() == MAX_LINES {
            self.more += 1;
            return;
        }
        self.all.push(MapWarning { file: source.file.into(), place: Some(source.place(at)), message });
    }

    /// A name with a word for walls among others.
    pub fn unclear(&mut self, source: &Source, at: usize, what: &str, name: &str) {
        let message = format!(
            "the {what} {} is not taken for walls; name it \"walls\", or give it the boolean property \"wall\", true or false",
            quoted(name)
        );
        self.add(source, at, message);
    }

    /// A picture is no wall.
    pub fn image(&mut self, source: &Source, at: usize, name: &str) {
        let message = format!("the image layer {} is left out; draw walls as tiles, or as objects", quoted(name));
        self.add(source, at, message);
    }

    /// Adds those of a tileset.
    pub fn extend(&mut self, other: &Self) {
        for warning in &other.all {
            if self.all.len() < MAX_LINES {
                self.all.push(warning.clone());
            } else {
                self.more += 1;
            }
        }
        self.more += other.more;
    }

    /// All, and how many more there are.
    pub fn into_list(mut self) -> Vec<MapWarning> {
        if let Some(last) = self.all.last().filter(|_| self.more > 0) {
            let (file, more) = (last.file.clone(), self.more);
            self.all.push(MapWarning { file, place: None, message: format!("{more} more parts were left out") });
        }
        self.all
    }
}
