//! A frame as the changes since the one before.
//!
//! Everything is in columns, each packed for itself, so that its bytes are alike.

use super::bytes::{Bytes, Fault, put, unzigzag, zigzag};
use super::figures;
use super::flights;
use super::moment::Moment;
use super::pack::{Effort, Packer, unpack};
use super::rows::{Constant, Row, State, point, whole};
use super::walls;
use throng_grid::geom::Vec2;
use throng_sim::world::{ArmyCount, ArmyId, Frame, Verdict};

/// How wrong a guess may be (cm) to be put right by one byte for both axes.
const MAX_NEAR_ERROR_CM: i32 = 7;
const NEAR_ERRORS: i32 = 2 * MAX_NEAR_ERROR_CM + 1;
/// The byte that says that the guess was worse.
const FAR_MOVE_CODE: u8 = 255;

/// Agents have lower numbers: readers may keep a table by them.
pub(super) const MAX_AGENTS: u32 = 1 << 24;

/// Columns of the agents of a frame.
const COLUMNS: usize = 8;
const HEAD: usize = 0;
const GONE: usize = 1;
const NEW: usize = 2;
const MOVES: usize = 3;
const FAR_MOVES: usize = 4;
const HEADINGS: usize = 5;
const HEALTHS: usize = 6;
const ACTIONS: usize = 7;

/// The first format with actions.
const ACTIONS_SINCE: u32 = 6;

/// The columns of a frame before they are packed. Their memory is used again.
#[derive(Debug, Default)]
pub(super) struct Columns {
    agents: [Vec<u8>; COLUMNS],
    shots: flights::Columns,
    walls: Vec<u8>,
    figures: Vec<u8>,
}

impl Columns {
    /// Columns that came with format 2.
    fn newer(&mut self) -> [&mut Vec<u8>; 5] {
        let flights::Columns { turnover, places, velocities } = &mut self.shots;
        [turnover, places, velocities, &mut self.walls, &mut self.figures]
    }
}

/// Writes `frame`, which is `now`, `seconds` after `before`. The moves of the agents are noted in `now`.
pub(super) fn write(
    frame: &Frame,
    seconds: f64,
    now: &mut Moment,
    before: &Moment,
    columns: &mut Columns,
    packer: &mut Packer,
    out: &mut Vec<u8>,
) {
    flights::write(&now.shots, &before.shots, seconds, &mut columns.shots);
    walls::write(&now.walls, &before.walls, &mut columns.walls);
    figures::write(&now.figures, &before.figures, &mut columns.figures);
    put_agents(frame, &mut now.rows, &before.rows, &mut columns.agents);
    for (column, bytes) in columns.agents.iter().enumerate() {
        packer.pack(bytes, if column == NEW { Effort::Repetitions } else { Effort::Runs }, out);
    }
    for bytes in columns.newer() {
        packer.pack(bytes, Effort::Runs, out);
    }
}

fn put_agents(frame: &Frame, now: &mut [Row], before: &[Row], columns: &mut [Vec<u8>; COLUMNS]) {
    columns.iter_mut().for_each(Vec::clear);
    let mut gone = 0;
    let mut after_gone = 0;
    let mut added: Vec<Row> = Vec::new();
    let mut old = (0_usize..).zip(before.iter()).peekable();
    for row in &mut *now {
        // A new agent may have the number of one that is gone.
        while let Some((place, _)) =
            old.next_if(|(_, old)| old.id < row.id || (old.id == row.id && old.constant != row.constant))
        {
            put(&mut columns[GONE], (place - after_gone) as u64);
            (gone, after_gone) = (gone + 1, place + 1);
        }
        let Some((_, old)) = old.next_if(|(_, old)| old.id == row.id) else {
            added.push(*row);
            continue;
        };
        let guess = old.guess();
        let [x, y] = [0, 1].map(|axis| row.state.at[axis].wrapping_sub(guess[axis]));
        if (-MAX_NEAR_ERROR_CM..=MAX_NEAR_ERROR_CM).contains(&x)
            && (-MAX_NEAR_ERROR_CM..=MAX_NEAR_ERROR_CM).contains(&y)
        {
            columns[MOVES].push(((x + MAX_NEAR_ERROR_CM) * NEAR_ERRORS + y + MAX_NEAR_ERROR_CM) as u8);
        } else {
            columns[MOVES].push(FAR_MOVE_CODE);
            for number in [x, y] {
                put(&mut columns[FAR_MOVES], zigzag(number).into());
            }
        }
        columns[HEADINGS].push(row.state.heading.wrapping_sub(old.state.heading));
        columns[HEALTHS].push(row.state.health.wrapping_sub(old.state.health));
        columns[ACTIONS].push(row.state.action.wrapping_sub(old.state.action));
        let state = row.state;
        *row = *old;
        row.go_on(state);
    }
    for (place, _) in old {
        put(&mut columns[GONE], (place - after_gone) as u64);
        (gone, after_gone) = (gone + 1, place + 1);
    }
    put_new(&mut columns[NEW], &added);
    put_head(&mut columns[HEAD], frame, now.len(), gone, added.len());
}

fn put_head(out: &mut Vec<u8>, frame: &Frame, agents: usize, gone: usize, added: usize) {
    put(
        out,
        match frame.verdict {
            None => 0,
            Some(Verdict::Draw) => 1,
            Some(Verdict::Winner(army)) => 2 + u64::from(army.0),
        },
    );
    put(out, frame.asleep.min(agents) as u64);
    put(out, frame.armies.len() as u64);
    for army in &frame.armies {
        put(out, army.alive.into());
        put(out, army.dead.into());
    }
    put_points(out, &frame.fallen);
    put(out, gone as u64);
    put(out, added as u64);
}

/// Points (m), to a centimetre: how many, then the way from each to the next.
pub(super) fn put_points(out: &mut Vec<u8>, points: &[Vec2]) {
    put(out, points.len() as u64);
    let mut last = [0_i32; 2];
    for at in points.iter().map(|&at| whole(at)) {
        for axis in [0, 1] {
            put(out, zigzag(at[axis].wrapping_sub(last[axis])).into());
        }
        last = at;
    }
}

/// Appends the points that [`put_points`] wrote.
pub(super) fn take_points(bytes: &mut Bytes, points: &mut Vec<Vec2>) -> Result<(), Fault> {
    let count = bytes.count(2)?;
    let mut at = [0_i32; 2];
    points.reserve(count);
    for _ in 0..count {
        for number in &mut at {
            *number = number.wrapping_add(unzigzag(bytes.small()?));
        }
        points.push(point(at));
    }
    Ok(())
}

/// The new agents, column by column.
fn put_new(out: &mut Vec<u8>, rows: &[Row]) {
    let mut next = 0_u64;
    for row in rows {
        put(out, u64::from(row.id) - next);
        next = u64::from(row.id) + 1;
    }
    for row in rows {
        out.extend(row.constant.to_bytes());
    }
    for axis in [0, 1] {
        let mut last = 0_i32;
        for row in rows {
            put(out, zigzag(row.state.at[axis].wrapping_sub(last)).into());
            last = row.state.at[axis];
        }
    }
    out.extend(rows.iter().map(|row| row.state.heading));
    out.extend(rows.iter().map(|row| row.state.health));
    out.extend(rows.iter().map(|row| row.state.action));
}

fn take_new(bytes: &mut Bytes, count: usize, format: u32, rows: &mut Vec<Row>) -> Result<(), Fault> {
    rows.clear();
    if count > bytes.0.len() / (Constant::bytes_in(format) + 5) {
        return Err(format!("{count} new agents cannot be in {} bytes", bytes.0.len()));
    }
    rows.resize(count, Row::default());
    let mut next = 0_u64;
    for row in &mut *rows {
        let id = next.saturating_add(bytes.number()?);
        if id >= u64::from(MAX_AGENTS) {
            return Err(format!("an agent has the number {id}, expected at most {}", MAX_AGENTS - 1));
        }
        row.id = id as u32;
        next = id + 1;
    }
    for row in &mut *rows {
        let mut constant = Constant::default().to_bytes();
        let there = Constant::bytes_in(format);
        constant[..there].copy_from_slice(bytes.take(there)?);
        row.constant = Constant::from_bytes(constant);
        if format < 5 {
            row.constant.person = row.id;
        }
        let radius = f32::from_bits(row.constant.radius);
        if !(0.0..=f32::MAX).contains(&radius) {
            return Err(format!("agent {} has the radius {radius}", row.id));
        }
    }
    for axis in [0, 1] {
        let mut last = 0_i32;
        for row in &mut *rows {
            last = last.wrapping_add(unzigzag(bytes.small()?));
            row.state.at[axis] = last;
        }
    }
    for row in &mut *rows {
        row.state.heading = bytes.byte()?;
    }
    for row in &mut *rows {
        row.state.health = bytes.byte()?;
    }
    for row in rows.iter_mut().filter(|_| format >= ACTIONS_SINCE) {
        row.state.action = bytes.byte()?;
    }
    Ok(())
}

/// Reads a frame of [`write`], in a file of a format, `seconds` after the one before: `moment`, which was that one,
/// becomes this one, and all of `frame` is written but its tick, time, map, names and the columns of `moment`.
///
/// After a fault `moment` is of no use.
pub(super) fn read(
    bytes: &mut Bytes,
    (format, seconds): (u32, f64),
    names: &[String],
    moment: &mut Moment,
    columns: &mut Columns,
    frame: &mut Frame,
) -> Result<(), Fault> {
    for (number, column) in columns.agents.iter_mut().enumerate() {
        if number == ACTIONS && format < ACTIONS_SINCE {
            column.clear();
        } else {
            unpack(bytes, column)?;
        }
    }
    for column in columns.newer() {
        if format == 1 {
            column.clear();
        } else {
            unpack(bytes, column)?;
        }
    }
    take_agents(&columns.agents, format, names, &mut moment.rows, frame)?;
    flights::read(&columns.shots, seconds, &mut moment.shots)?;
    walls::read(&columns.walls, &mut moment.walls)?;
    figures::read(&columns.figures, (format, frame.armies.len()), &mut moment.figures)?;
    frame.armies.iter_mut().zip(&moment.figures).for_each(|(army, figures)| figures.into_army(army));
    Ok(())
}

fn take_agents(
    columns: &[Vec<u8>; COLUMNS],
    format: u32,
    names: &[String],
    rows: &mut Vec<Row>,
    frame: &mut Frame,
) -> Result<(), Fault> {
    let mut head = Bytes(&columns[HEAD]);
    frame.verdict = match head.number()? {
        0 => None,
        1 => Some(Verdict::Draw),
        army @ 2..258 => Some(Verdict::Winner(ArmyId((army - 2) as u8))),
        other => return Err(format!("{other} is no verdict")),
    };
    let asleep = head.number()?;
    let armies = head.count(2)?;
    frame.armies.resize_with(armies, ArmyCount::default);
    for (army, place) in frame.armies.iter_mut().zip(0..) {
        army.name.clear();
        army.name.push_str(names.get::<usize>(place).map_or("", |name| name));
        army.alive = head.small()?;
        army.dead = head.small()?;
    }
    frame.fallen.clear();
    take_points(&mut head, &mut frame.fallen)?;
    let (gone, added) = (head.number()?, head.number()?);
    head.end()?;

    let mut leaving = Bytes(&columns[GONE]);
    let mut place = 0_u64;
    for _ in 0..gone {
        place = place.saturating_add(leaving.number()?);
        let count = rows.len();
        let row = usize::try_from(place).ok().and_then(|place| rows.get_mut(place));
        // Marked by a radius that no agent has.
        row.ok_or_else(|| format!("agent {place} of {count} should go"))?.constant.radius = u32::MAX;
        place += 1;
    }
    leaving.end()?;
    rows.retain(|row| row.constant.radius != u32::MAX);

    let count = rows.len();
    for (column, name) in [(MOVES, "moves"), (HEADINGS, "headings"), (HEALTHS, "healths")] {
        if columns[column].len() != count {
            return Err(format!("{count} agents have {} {name}", columns[column].len()));
        }
    }
    if format >= ACTIONS_SINCE && columns[ACTIONS].len() != count {
        return Err(format!("{count} agents have {} actions", columns[ACTIONS].len()));
    }
    let mut far = Bytes(&columns[FAR_MOVES]);
    for (place, (row, ((&by, &turn), &harm))) in
        rows.iter_mut().zip(columns[MOVES].iter().zip(&columns[HEADINGS]).zip(&columns[HEALTHS])).enumerate()
    {
        let by = if by == FAR_MOVE_CODE {
            [unzigzag(far.small()?), unzigzag(far.small()?)]
        } else {
            [i32::from(by) / NEAR_ERRORS - MAX_NEAR_ERROR_CM, i32::from(by) % NEAR_ERRORS - MAX_NEAR_ERROR_CM]
        };
        let guess = row.guess();
        row.go_on(State {
            at: [0, 1].map(|axis| guess[axis].wrapping_add(by[axis])),
            heading: row.state.heading.wrapping_add(turn),
            health: row.state.health.wrapping_add(harm),
            action: row.state.action.wrapping_add(columns[ACTIONS].get(place).copied().unwrap_or(0)),
        });
    }
    far.end()?;

    let mut coming = Bytes(&columns[NEW]);
    let mut new = Vec::new();
    let added = usize::try_from(added).unwrap_or(usize::MAX);
    take_new(&mut coming, added, format, &mut new)?;
    coming.end()?;
    if !new.is_empty() {
        rows.append(&mut new);
        rows.sort_by_key(|row| row.id);
        if let Some(twice) = rows.windows(2).find(|pair| pair[0].id == pair[1].id) {
            return Err(format!("agent {} is there twice", twice[0].id));
        }
    }
    frame.asleep = usize::try_from(asleep).unwrap_or(usize::MAX);
    if frame.asleep > rows.len() {
        return Err(format!("{asleep} of {} agents sleep", rows.len()));
    }
    Ok(())
}
