//! Shots in the air: guessed by free fall from the frame before.

use super::bytes::{Bytes, Fault, put, unzigzag, zigzag};
use super::rows::{centimetres, metres};
use throng_grid::geom::Vec3;
use throng_sim::world::{ArmyId, Flight};

/// How wrong a guess may be (cm, cm/s) to be put right by one byte for the three axes; a shot of which it is worse is
/// another one.
const MAX_NEAR_ERROR_CM: i32 = 2;
const NEAR_ERRORS: i32 = 2 * MAX_NEAR_ERROR_CM + 1;

/// How much faster a shot falls each second (cm/s).
const GRAVITY_CM_S2: f64 = 981.0;

/// A shot in whole numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Shot {
    /// Where it is (cm).
    pub at: [i32; 3],
    /// Its velocity (cm/s).
    pub velocity: [i32; 3],
    pub army: u8,
}

/// The columns of the shots of a frame.
#[derive(Debug, Default)]
pub(super) struct Columns {
    /// The shots that are gone and the new ones; empty if there are none.
    pub turnover: Vec<u8>,
    /// A byte for each of the others: how far it is from where it was guessed.
    pub places: Vec<u8>,
    /// The same of velocities.
    pub velocities: Vec<u8>,
}

impl Shot {
    /// Bytes of a new one, at least.
    const BYTES: usize = 7;

    pub fn of(flight: &Flight) -> Self {
        let whole = |v: Vec3| v.to_array().map(centimetres);
        Self { at: whole(flight.at), velocity: whole(flight.velocity), army: flight.army.0 }
    }

    pub fn flight(&self) -> Flight {
        let [at, velocity] = [self.at, self.velocity].map(|whole| Vec3::from_array(whole.map(metres)));
        Flight { at, velocity, army: ArmyId(self.army) }
    }

    /// Its velocity after a time (s), by free fall.
    fn falling(&self, seconds: f64) -> [i32; 3] {
        let [x, y, z] = self.velocity;
        [x, y, z.wrapping_sub((GRAVITY_CM_S2 * seconds).round() as i32)]
    }

    /// Where it is after a time (s), at the end of which it has that velocity.
    fn flown(&self, velocity: [i32; 3], seconds: f64) -> [i32; 3] {
        [0, 1, 2].map(|axis| {
            let twice = f64::from(self.velocity[axis]) + f64::from(velocity[axis]);
            self.at[axis].wrapping_add((twice * 0.5 * seconds).round() as i32)
        })
    }
}

/// How far `found` is from `guessed`, in one byte; `None` where it is too far.
fn miss(found: [i32; 3], guessed: [i32; 3]) -> Option<u8> {
    let mut byte = 0;
    for axis in 0..3 {
        let by = found[axis].wrapping_sub(guessed[axis]);
        if !(-MAX_NEAR_ERROR_CM..=MAX_NEAR_ERROR_CM).contains(&by) {
            return None;
        }
        byte = byte * NEAR_ERRORS + by + MAX_NEAR_ERROR_CM;
    }
    Some(byte as u8)
}

/// The errors of the guesses that [`miss`] has stored.
fn hit(byte: u8, guessed: [i32; 3]) -> Result<[i32; 3], Fault> {
    let byte = i32::from(byte);
    if byte >= NEAR_ERRORS * NEAR_ERRORS * NEAR_ERRORS {
        return Err(format!("a shot is {byte} off"));
    }
    let by = [byte / (NEAR_ERRORS * NEAR_ERRORS), byte / NEAR_ERRORS % NEAR_ERRORS, byte % NEAR_ERRORS];
    Ok([0, 1, 2].map(|axis| guessed[axis].wrapping_add(by[axis] - MAX_NEAR_ERROR_CM)))
}

/// Writes the shots `now`, `seconds` after those `before`. Both are in the order in which they were shot.
pub(super) fn write(now: &[Shot], before: &[Shot], seconds: f64, columns: &mut Columns) {
    let Columns { turnover, places, velocities } = columns;
    for column in [&mut *turnover, &mut *places, &mut *velocities] {
        column.clear();
    }
    let (mut gone, mut kept) = (Vec::new(), 0);
    for (place, old) in before.iter().enumerate() {
        let found = now.get(kept).filter(|shot| shot.army == old.army).and_then(|shot| {
            let velocity = miss(shot.velocity, old.falling(seconds))?;
            Some((miss(shot.at, old.flown(shot.velocity, seconds))?, velocity))
        });
        let Some((at, velocity)) = found else {
            gone.push(place);
            continue;
        };
        places.push(at);
        velocities.push(velocity);
        kept += 1;
    }
    let new = &now[kept..];
    if gone.is_empty() && new.is_empty() {
        return;
    }
    put(turnover, gone.len() as u64);
    let mut next = 0;
    for place in gone {
        put(turnover, (place - next) as u64);
        next = place + 1;
    }
    put(turnover, new.len() as u64);
    turnover.extend(new.iter().map(|shot| shot.army));
    for axis in 0..3 {
        let mut last = 0_i32;
        for shot in new {
            put(turnover, zigzag(shot.at[axis].wrapping_sub(last)).into());
            last = shot.at[axis];
        }
    }
    for axis in 0..3 {
        for shot in new {
            put(turnover, zigzag(shot.velocity[axis]).into());
        }
    }
}

/// Turns the shots of the frame before into those of this one, `seconds` later.
///
/// After a fault they are of no use.
pub(super) fn read(columns: &Columns, seconds: f64, shots: &mut Vec<Shot>) -> Result<(), Fault> {
    let mut turnover = Bytes(&columns.turnover);
    if !turnover.0.is_empty() {
        let mut place = 0_u64;
        let mut gone = Vec::new();
        for _ in 0..turnover.count(1)? {
            place = place.saturating_add(turnover.number()?);
            if place >= shots.len() as u64 {
                return Err(format!("shot {place} of {} should go", shots.len()));
            }
            gone.push(place as usize);
            place += 1;
        }
        let (mut gone, mut place) = (gone.into_iter().peekable(), 0..);
        shots.retain(|_| place.next().is_none_or(|place| gone.next_if_eq(&place).is_none()));
    }
    let kept = shots.len();
    for (column, name) in [(&columns.places, "places"), (&columns.velocities, "velocities")] {
        if column.len() != kept {
            return Err(format!("{kept} shots have {} {name}", column.len()));
        }
    }
    for (shot, (&at, &velocity)) in shots.iter_mut().zip(columns.places.iter().zip(&columns.velocities)) {
        let velocity = hit(velocity, shot.falling(seconds))?;
        shot.at = hit(at, shot.flown(velocity, seconds))?;
        shot.velocity = velocity;
    }
    if columns.turnover.is_empty() {
        return Ok(());
    }
    let count = turnover.count(Shot::BYTES)?;
    shots.extend(turnover.take(count)?.iter().map(|&army| Shot { army, ..Shot::default() }));
    let new = &mut shots[kept..];
    for axis in 0..3 {
        let mut last = 0_i32;
        for shot in &mut *new {
            last = last.wrapping_add(unzigzag(turnover.small()?));
            shot.at[axis] = last;
        }
    }
    for axis in 0..3 {
        for shot in &mut *new {
            shot.velocity[axis] = unzigzag(turnover.small()?);
        }
    }
    turnover.end()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use throng_sim::battle::GRAVITY;

    /// A shot after some seconds of free fall.
    fn after(flight: &Flight, seconds: f32) -> Flight {
        let fall = Vec3::Z * GRAVITY * seconds;
        let at = flight.at + flight.velocity * seconds - fall * (0.5 * seconds);
        Flight { at, velocity: flight.velocity - fall, ..*flight }
    }

    #[test]
    fn a_shot_that_flies_costs_two_bytes() {
        for (step, frames) in [(0.05_f32, 80), (0.1, 40), (1.0, 4)] {
            let mut air =
                [Flight { at: Vec3::new(310.7, 9.13, 1.51), velocity: Vec3::new(-21.3, 17.77, 20.2), army: ArmyId(3) }];
            let mut columns = Columns::default();
            let (mut before, mut back) = (Vec::new(), Vec::new());
            for frame in 0..frames {
                let now: Vec<Shot> = air.iter().map(Shot::of).collect();
                write(&now, &before, f64::from(step), &mut columns);
                assert_eq!(columns.turnover.is_empty(), frame > 0, "{step} {frame}");
                read(&columns, f64::from(step), &mut back).unwrap();
                assert_eq!(back, now);
                before = now;
                air[0] = after(&air[0], step);
            }
        }
    }

    proptest! {
        #[test]
        fn any_shots_come_back(frames in prop::collection::vec(prop::collection::vec((any::<[i16; 3]>(), any::<[i16; 3]>(), 0..3_u8), 0..6), 1..6), stays in any::<u64>()) {
            let mut columns = Columns::default();
            let (mut before, mut back): (Vec<Shot>, Vec<Shot>) = (Vec::new(), Vec::new());
            for (number, new) in frames.into_iter().enumerate() {
                // Some of those before, a little off, then new ones.
                let old = before.iter().enumerate().filter(|(i, _)| stays >> (number * 7 + i) & 1 == 1).map(|(i, shot)| {
                    let velocity = shot.falling(0.05).map(|v| v + (i % 4) as i32 - 1);
                    Shot { at: shot.flown(velocity, 0.05).map(|at| at - (i % 3) as i32), velocity, army: shot.army }
                });
                let new = new.into_iter().map(|(at, velocity, army)| Shot { at: at.map(i32::from), velocity: velocity.map(i32::from), army });
                let now: Vec<Shot> = old.chain(new).collect();
                write(&now, &before, 0.05, &mut columns);
                read(&columns, 0.05, &mut back).unwrap();
                prop_assert_eq!(&back, &now);
                before = now;
            }
        }
    }

    #[test]
    fn what_cannot_be_is_said() {
        let fault = |turnover: &[u8], places: &[u8], velocities: &[u8]| {
            let [turnover, places, velocities] = [turnover, places, velocities].map(<[u8]>::to_vec);
            let mut shots = vec![Shot::default(); 2];
            read(&Columns { turnover, places, velocities }, 0.1, &mut shots).unwrap_err()
        };
        assert_eq!(fault(&[], &[62], &[62, 62]), "2 shots have 1 places");
        assert_eq!(fault(&[], &[62, 62], &[62]), "2 shots have 1 velocities");
        assert_eq!(fault(&[], &[62, 125], &[62, 62]), "a shot is 125 off");
        assert_eq!(fault(&[1, 2, 0], &[62], &[62]), "shot 2 of 2 should go");
        assert_eq!(fault(&[9, 0, 0], &[62], &[62]), "9 things should follow, there is room for 2");
        assert_eq!(fault(&[1, 0, 200, 1], &[62], &[62]), "200 things should follow, there is room for 0");
        assert_eq!(fault(&[1, 0, 1, 0, 0, 0, 0, 0, 0, 0, 5], &[62], &[62]), "1 bytes too many");
    }
}
