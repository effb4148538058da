//! Names of the armies and of the kinds of soldiers: the block `N`.

use super::bytes::{Bytes, Fault, put, put_text};
use crate::world::Frame;

/// The names from one block on.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub armies: Vec<String>,
    pub units: Vec<String>,
}

impl Names {
    pub fn of(frame: &Frame) -> Self {
        let armies = frame.armies.iter().map(|army| army.name.clone()).collect();
        Self { armies, units: frame.units.clone() }
    }

    /// Whether these are still the names in a frame.
    pub fn are_in(&self, frame: &Frame) -> bool {
        frame.armies.iter().map(|army| &army.name).eq(&self.armies) && frame.units == self.units
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        for names in [&self.armies, &self.units] {
            put(out, names.len() as u64);
            for name in names {
                put_text(out, name);
            }
        }
    }

    pub fn read(mut bytes: Bytes) -> Result<Self, Fault> {
        let mut names = Self::default();
        for list in [&mut names.armies, &mut names.units] {
            let count = bytes.count(1)?;
            *list = (0..count).map(|_| bytes.text()).collect::<Result<_, _>>()?;
        }
        bytes.end().map(|()| names)
    }
}
