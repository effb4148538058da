//! What hardly ever changes: names of the armies and of the kinds of soldiers, how they look, the squads, fires, links: the block
//! `N`.

use super::bytes::{Bytes, Fault, put, put_floats, put_text};
use throng_grid::geom::Vec2;
use throng_sim::battle::Look;
use throng_sim::world::{ArmyId, Fire, Frame, UnitId};

/// The names from one block on.
#[derive(Debug, Default)]
pub(super) struct Names {
    pub armies: Vec<String>,
    pub units: Vec<String>,
    /// Which army has, or may yet get, which kind of soldiers.
    pub kinds: Vec<(ArmyId, UnitId)>,
    /// The looks of the kinds of soldiers.
    pub looks: Vec<Look>,
    /// For each army a bit for every army that it fights.
    pub enemies: Vec<u16>,
    /// How many soldiers each squad has had so far.
    pub enlisted: Vec<u32>,
    /// Red, green and blue of each army that has a colour of its own.
    pub colours: Vec<Option<[u8; 3]>>,
    /// The fires, those that burn and the others.
    pub fires: Vec<Fire>,
    /// Start and end of each open link (m).
    pub links: Vec<[Vec2; 2]>,
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
            fires: frame.fires.clone(),
            links: frame.links.clone(),
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
            && frame.fires == self.fires
            && frame.links == self.links
    }

    pub fn write(&self, out: &mut Vec<u8>) {
        for names in [&self.armies, &self.units] {
            put(out, names.len() as u64);
            for name in names {
                put_text(out, name);
            }
        }
        put(out, self.kinds.len() as u64);
        for &(ArmyId(army), UnitId(unit)) in &self.kinds {
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
        put(out, self.fires.len() as u64);
        for fire in &self.fires {
            let numbers = [fire.position.x, fire.position.y, fire.size, fire.from, fire.until];
            put_floats(out, &numbers);
        }
        put(out, self.links.len() as u64);
        for [from, to] in &self.links {
            put_floats(out, &[from.x, from.y, to.x, to.y]);
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
        frame.fires.clone_from(&self.fires);
        frame.links.clone_from(&self.links);
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
            let unit = u16::try_from(unit).map_err(|_| format!("there is no kind of soldiers {unit}"))?;
            names.kinds.push((ArmyId(army), UnitId(unit)));
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
            for _ in 0..bytes.count(20)? {
                let [x, y, size, from, until] = bytes.floats()?;
                if ![x, y, size, from].iter().all(|number| number.is_finite()) || until.is_nan() {
                    return Err("a fire is nowhere".into());
                }
                names.fires.push(Fire { position: Vec2::new(x, y), size, from, until });
            }
            for _ in 0..bytes.count(16)? {
                let [x, y, to_x, to_y] = bytes.floats()?;
                let link = [Vec2::new(x, y), Vec2::new(to_x, to_y)];
                if !link.iter().all(|at| at.is_finite()) {
                    return Err("a link leads nowhere".into());
                }
                names.links.push(link);
            }
        }
        bytes.end().map(|()| names)
    }
}
