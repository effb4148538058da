//! The agents of one frame in whole numbers.

use std::f32::consts::TAU;
use throng_grid::geom::Vec2;
use throng_sim::battle::Action;
use throng_sim::world::{ArmyId, Frame, SquadId, UnitId};

/// The columns that do not change while an agent is there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Constant {
    /// Bits of the radius (m).
    pub radius: u32,
    pub army: u8,
    pub unit: u16,
    /// Its squad; `u32::MAX` where it has none or the format knows none.
    pub squad: u32,
    /// Its number among all that were ever there.
    pub person: u32,
}

impl Default for Constant {
    fn default() -> Self {
        Self { radius: 0, army: 0, unit: 0, squad: u32::MAX, person: 0 }
    }
}

impl Constant {
    /// Bytes of all of it.
    pub const BYTES: usize = 15;

    /// Bytes of all of it in a format.
    pub const fn bytes_in(format: u32) -> usize {
        match format {
            ..3 => 7,
            3..5 => 11,
            _ => Self::BYTES,
        }
    }

    pub fn to_bytes(self) -> [u8; Self::BYTES] {
        let ([a, b, c, d], [e, f]) = (self.radius.to_le_bytes(), self.unit.to_le_bytes());
        let [g, h, i, j] = self.squad.to_le_bytes();
        let [k, l, m, n] = self.person.to_le_bytes();
        [a, b, c, d, self.army, e, f, g, h, i, j, k, l, m, n]
    }

    pub fn from_bytes([a, b, c, d, army, e, f, g, h, i, j, k, l, m, n]: [u8; Self::BYTES]) -> Self {
        Self {
            radius: u32::from_le_bytes([a, b, c, d]),
            army,
            unit: u16::from_le_bytes([e, f]),
            squad: u32::from_le_bytes([g, h, i, j]),
            person: u32::from_le_bytes([k, l, m, n]),
        }
    }
}

/// The columns that may change from frame to frame.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct State {
    /// Centre (cm).
    pub at: [i32; 2],
    /// 256ths of a turn, from x to y.
    pub heading: u8,
    /// 255ths of the full health, rounded, but 0 only for 0.
    pub health: u8,
    /// The place of its action in [`Action::ALL`].
    pub action: u8,
}

/// An agent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Row {
    pub id: u32,
    pub constant: Constant,
    pub state: State,
    /// How far it went from the frame before to this one (cm): the base of the guess of the next place.
    pub pace: [i32; 2],
}

impl Row {
    /// Where it is guessed to be in the next frame (cm). It may be anywhere, if only writer and reader agree.
    pub fn guess(&self) -> [i32; 2] {
        [0, 1].map(|axis| self.state.at[axis].wrapping_add(self.pace[axis]))
    }

    /// Its state in the next frame.
    pub fn go_on(&mut self, state: State) {
        self.pace = [0, 1].map(|axis| state.at[axis].wrapping_sub(self.state.at[axis]));
        self.state = state;
    }
}

/// Metres in whole centimetres, saturating.
pub(super) fn centimetres(metres: f32) -> i32 {
    (f64::from(metres) * 100.0).round() as i32
}

pub(super) fn metres(centimetres: i32) -> f32 {
    (f64::from(centimetres) / 100.0) as f32
}

pub(super) fn point([x, y]: [i32; 2]) -> Vec2 {
    Vec2::new(metres(x), metres(y))
}

pub(super) fn whole(at: Vec2) -> [i32; 2] {
    [at.x, at.y].map(centimetres)
}

/// The agents of a frame in the order of their ids, each once.
pub(super) fn of_frame(frame: &Frame, order: &mut Vec<u64>, rows: &mut Vec<Row>) {
    let Frame { id, position, heading, radius, army, health, action, unit, squad, .. } = frame;
    order.clear();
    order.extend((0..).zip(id).map(|(row, &id): (u64, _)| u64::from(id) << 32 | row));
    order.sort_unstable();
    rows.clear();
    rows.extend(order.iter().map(|key| {
        let row = *key as u32 as usize;
        let radius = radius.get(row).copied().filter(|radius| *radius >= 0.0 && radius.is_finite());
        let heading = heading.get(row).copied().unwrap_or(Vec2::X);
        let health = health.get(row).copied().unwrap_or(1.0);
        Row {
            id: (key >> 32) as u32,
            constant: Constant {
                radius: radius.unwrap_or(0.0).to_bits(),
                army: army.get(row).map_or(0, |army| army.0),
                unit: unit.get(row).map_or(0, |unit| unit.0),
                squad: squad.get(row).copied().flatten().map_or(u32::MAX, |squad| squad.0),
                person: frame.person_of(row),
            },
            state: State {
                at: whole(position.get(row).copied().unwrap_or(Vec2::ZERO)),
                heading: (libm::atan2f(heading.y, heading.x) * (256.0 / TAU)).round() as i32 as u8,
                health: ((health * 255.0).round() as u8).max(u8::from(health > 0.0)),
                action: action.get(row).map_or(0, |&action| number_of(action)),
            },
            pace: [0; 2],
        }
    }));
    rows.dedup_by_key(|row| row.id);
}

fn number_of(action: Action) -> u8 {
    Action::ALL.iter().position(|&known| known == action).unwrap_or(0) as u8
}

/// Unit vectors of the 256 headings.
pub(super) fn headings() -> Box<[Vec2; 256]> {
    let mut headings = Box::new([Vec2::X; 256]);
    for (turn, heading) in (0_u8..=255).zip(headings.iter_mut()) {
        let angle = f32::from(turn) * (TAU / 256.0);
        *heading = Vec2::new(libm::cosf(angle), libm::sinf(angle));
    }
    headings
}

/// Writes the columns of agents into `frame`.
pub(super) fn into_frame(rows: &[Row], headings: &[Vec2; 256], frame: &mut Frame) {
    frame.id.clear();
    frame.id.extend(rows.iter().map(|row| row.id));
    frame.person.clear();
    frame.person.extend(rows.iter().map(|row| row.constant.person));
    frame.position.clear();
    frame.position.extend(rows.iter().map(|row| point(row.state.at)));
    frame.heading.clear();
    frame.heading.extend(rows.iter().map(|row| headings[usize::from(row.state.heading)]));
    frame.radius.clear();
    frame.radius.extend(rows.iter().map(|row| f32::from_bits(row.constant.radius)));
    frame.army.clear();
    frame.army.extend(rows.iter().map(|row| ArmyId(row.constant.army)));
    frame.unit.clear();
    frame.unit.extend(rows.iter().map(|row| UnitId(row.constant.unit)));
    frame.squad.clear();
    let squad = |row: &Row| Some(SquadId(row.constant.squad)).filter(|squad| squad.0 != u32::MAX);
    frame.squad.extend(rows.iter().map(squad));
    frame.health.clear();
    frame.health.extend(rows.iter().map(|row| f32::from(row.state.health) / 255.0));
    frame.action.clear();
    let action = |row: &Row| Action::ALL.get(usize::from(row.state.action)).copied().unwrap_or_default();
    frame.action.extend(rows.iter().map(action));
}
