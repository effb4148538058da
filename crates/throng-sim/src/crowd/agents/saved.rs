//! Columns that were read from a file.

use super::{Aim, Crowd};
use throng_grid::geom::Vec2;

impl Crowd {
    /// Makes the columns that are not stored, and checks that the stored ones fit together.
    ///
    /// # Errors
    /// A message about the first column that does not fit.
    pub(crate) fn revive(&mut self) -> Result<(), String> {
        let Self {
            position,
            velocity,
            preferred_velocity,
            new_velocity,
            radius,
            top_speed,
            weight,
            progress,
            army,
            slot,
            row_of,
            generation,
            person,
            unit,
            squad,
            facing,
            follower,
            aim,
            pace,
            rest,
            awake,
            arrivals,
            vacant,
            start: _,
        } = self;
        let (rows, slots) = (position.len(), row_of.len());
        let lengths = [
            ("velocities", velocity.len(), rows),
            ("radii", radius.len(), rows),
            ("top speeds", top_speed.len(), rows),
            ("weights", weight.len(), rows),
            ("shares of progress", progress.len(), rows),
            ("armies", army.len(), rows),
            ("slots", slot.len(), rows),
            ("generations", generation.len(), slots),
            ("numbers of people", person.len(), slots),
            ("units", unit.len(), slots),
            ("squads", squad.len(), slots),
            ("facings", facing.len(), slots),
            ("route followers", follower.len(), slots),
            ("rests", rest.len(), slots),
            ("vacant slots", vacant.len(), slots.wrapping_sub(rows)),
        ];
        for (column, found, expected) in lengths {
            if found != expected {
                return Err(format!("there are {found} {column} and should be {expected}"));
            }
        }
        if *awake > rows {
            return Err(format!("{awake} agents are awake, and there are {rows}"));
        }
        if let Some(late) = person.iter().find(|person| **person >= *arrivals) {
            return Err(format!("an agent has the number {late}, and {arrivals} were ever there"));
        }
        let finite = position.iter().chain(&*velocity).all(|at| at.is_finite())
            && rest.iter().all(|rest| rest.place.is_finite())
            && radius.iter().chain(&*top_speed).chain(&*weight).all(|number| number.is_finite() && *number >= 0.0);
        if !finite {
            return Err("an agent is nowhere, or of no size".into());
        }
        if !progress.iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err("the progress of an agent is no share".into());
        }
        // Each slot has one row, or is vacant once.
        let mut left = vec![true; slots];
        let mut take = |slot: u32| left.get_mut(slot as usize).is_some_and(std::mem::take);
        let living = (0..).zip(&*slot).all(|(row, &slot)| take(slot) && row_of[slot as usize] == row);
        if !living || !vacant.iter().all(|&slot| take(slot) && row_of[slot as usize] == u32::MAX) {
            return Err("the rows and the slots of the agents do not belong to each other".into());
        }
        preferred_velocity.resize(rows, Vec2::ZERO);
        new_velocity.resize(rows, Vec2::ZERO);
        aim.resize(slots, Aim::default());
        pace.resize(slots, f32::INFINITY);
        Ok(())
    }
}
