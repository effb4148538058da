//! Names of the armies and of the kinds of soldiers, how they look, and the squads: the block `N`.

use super::bytes::{Bytes, Fault, put, put_text};
use throng_sim::battle::Look;
use throng_sim::world::Frame;

/// The names from one block on.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub armies: Vec<String>,
    pub units: Vec<String>,
    /// Which army has, or may yet get, which kind of soldiers.
    pub kinds: Vec<(u8, u16)>,
    /// The looks of the kinds of soldiers.
    pub looks: Vec<Look>,
    /// For each army a bit for every army that it fights.
    pub enemies: Vec<u16>,
    /// How many soldiers each squad has had so far.
    pub enlisted: Vec<u32>,
    /// Red, green and blue of each army that has a colour of its own.
    pub colours: Vec<Option<[u8; 3]>>,
}

impl Names {
    pub fn of(frame: &Frame) -> Self {
        let armies = frame.armies.iter().map(|army| army.name.clone()).collect();
        Self {
            armies,
            units: frame.units.clone(),
            kinds: frame.kinds.clone(),
            looks: frame.looks.clone(),
            enemies: frame.enemies.clone(),
            enlisted: frame.enlisted.clone(),
            colours: frame.colours.clone(),
        }
    }

    /// Whether these are still the names in a frame.
    pub fn are_in(&self, frame: &Frame) -> bool {
        frame.armies.iter().map(|army| &army.name).eq(&self.armies)
            && frame.units == self.units
            && frame.kinds == self.kinds
            && frame.looks == self.looks
            && frame.enemies == self.enemies
            && frame.enlisted == self.enlisted
            && frame.colours == self.colours
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
        put(out, self.looks.len() as u64);
        out.extend(self.looks.iter().map(|&look| look as u8));
        put(out, self.enemies.len() as u64);
        self.enemies.iter().for_each(|&enemies| put(out, enemies.into()));
        put(out, self.enlisted.len() as u64);
        self.enlisted.iter().for_each(|&enlisted| put(out, enlisted.into()));
        put(out, self.colours.len() as u64);
        for colour in &self.colours {
            out.push(colour.is_some().into());
            out.extend(colour.iter().flatten());
        }
    }

    /// Writes them into `frame`, but for those of the armies.
    pub fn show(&self, frame: &mut Frame) {
        frame.units.clone_from(&self.units);
        frame.kinds.clone_from(&self.kinds);
        frame.looks.clone_from(&self.looks);
        frame.enemies.clone_from(&self.enemies);
        frame.enlisted.clone_from(&self.enlisted);
        frame.colours.clone_from(&self.colours);
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
        if format >= 3 {
            for _ in 0..bytes.count(1)? {
                let look = bytes.byte()?;
                let known = Look::ALL.get(usize::from(look)).ok_or_else(|| format!("there is no look {look}"))?;
                names.looks.push(*known);
            }
            for _ in 0..bytes.count(1)? {
                let enemies = bytes.number()?;
                let bits = u16::try_from(enemies).map_err(|_| format!("an army fights {enemies:#x}"))?;
                names.enemies.push(bits);
            }
            for _ in 0..bytes.count(1)? {
                names.enlisted.push(bytes.small()?);
            }
            for _ in 0..bytes.count(1)? {
                names.colours.push(match bytes.byte()? {
                    0 => None,
                    1 => Some([bytes.byte()?, bytes.byte()?, bytes.byte()?]),
                    other => return Err(format!("an army has {other} colours")),
                });
            }
        }
        bytes.end().map(|()| names)
    }
}
