//! Names of the armies and of the kinds of soldiers, and the kind of each squad: the block `N`.

use super::bytes::{Bytes, Fault, put, put_text};
use throng_sim::world::Frame;

/// The names from one block on.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub armies: Vec<String>,
    pub units: Vec<String>,
    /// Which army has, or may yet get, which kind of soldiers.
    pub kinds: Vec<(u8, u16)>,
}

impl Names {
    pub fn of(frame: &Frame) -> Self {
        let armies = frame.armies.iter().map(|army| army.name.clone()).collect();
        Self { armies, units: frame.units.clone(), kinds: frame.kinds.clone() }
    }

    /// Whether these are still the names in a frame.
    pub fn are_in(&self, frame: &Frame) -> bool {
        frame.armies.iter().map(|army| &army.name).eq(&self.armies)
            && frame.units == self.units
            && frame.kinds == self.kinds
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        for names in [&self.armies, &self.units] {
            put(out, names.len() as u64);
            for name in names {
                put_text(out, name);
            }
        }
        put(out, self.kinds.len() as u64);
        for &(army, unit) in &self.kinds {
            out.push(army);
            put(out, unit.into());
        }
    }

    /// Writes them into `frame`, but for those of the armies.
    pub fn show(&self, frame: &mut Frame) {
        frame.units.clone_from(&self.units);
        frame.kinds.clone_from(&self.kinds);
    }

    /// Reads those of a file in this format.
    pub fn read(mut bytes: Bytes, format: u32) -> Result<Self, Fault> {
        let mut names = Self::default();
        for list in [&mut names.armies, &mut names.units] {
            let count = bytes.count(1)?;
            *list = (0..count).map(|_| bytes.text()).collect::<Result<_, _>>()?;
        }
        let kinds = if format == 1 { 0 } else { bytes.count(2)? };
        for _ in 0..kinds {
            let (army, unit) = (bytes.byte()?, bytes.number()?);
            names.kinds.push((army, u16::try_from(unit).map_err(|_| format!("there is no kind of soldiers {unit}"))?));
        }
        bytes.end().map(|()| names)
    }
}
