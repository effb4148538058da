//! Columns that were read from a file.

use super::Crowd;
use crate::crowd::gap::FURTHEST;

impl Crowd {
    /// Makes the columns that are not stored, and checks that the stored ones fit together.
    ///
    /// # Errors
    /// A message about the first column that does not fit.
    pub(crate) fn revive(&mut self) -> Result<(), String> {
        let Self { rows, slots, awake, arrivals, vacant, .. } = self;
        let (len, places) = (rows.len(), slots.row_of.len());
        rows.revive(len)?;
        slots.revive(places)?;
        if vacant.len() != places.wrapping_sub(len) {
            return Err(format!("there are {} vacant slots, expected {}", vacant.len(), places.wrapping_sub(len)));
        }
        if *awake > len {
            return Err(format!("{awake} agents are awake, and there are {len}"));
        }
        if let Some(late) = slots.person.iter().find(|person| **person >= *arrivals) {
            return Err(format!("an agent has the number {late}, and {arrivals} were ever there"));
        }
        let finite = rows.position.iter().chain(&rows.velocity).all(|at| at.is_finite())
            && slots.rest.iter().all(|rest| rest.place.is_finite())
            && rows
                .radius
                .iter()
                .chain(&rows.top_speed)
                .chain(&rows.weight)
                .all(|number| number.is_finite() && *number >= 0.0);
        if !finite {
            return Err("an agent is nowhere, or of no size".into());
        }
        if !rows.progress.iter().all(|share| (0.0..=1.0).contains(share)) {
            return Err("the progress of an agent is no share".into());
        }
        if !rows.aside.iter().all(|aside| aside.abs() <= FURTHEST) {
            return Err("an agent bears to a lane that none sees".into());
        }
        // Each slot has one row, or is vacant once.
        let mut left = vec![true; places];
        let mut take = |slot: u32| left.get_mut(slot as usize).is_some_and(std::mem::take);
        let living = (0..).zip(&rows.slot).all(|(row, &slot)| take(slot) && slots.row_of[slot as usize] == row);
        if !living || !vacant.iter().all(|&slot| take(slot) && slots.row_of[slot as usize] == u32::MAX) {
            return Err("the rows and the slots of the agents do not belong to each other".into());
        }
        Ok(())
    }
}
