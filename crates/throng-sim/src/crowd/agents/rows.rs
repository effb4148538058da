//! Moving agents between rows: falling asleep, waking, leaving.

use super::Crowd;
use crate::crowd::{AgentId, Rest};
use throng_grid::geom::Vec2;

impl Crowd {
    /// How many agents are awake: they have the first rows.
    #[inline]
    pub fn awake(&self) -> usize {
        self.awake
    }

    /// True where the agent in a slot sleeps.
    #[inline]
    pub fn sleeps(&self, slot: u32) -> bool {
        let row = self.slots.row_of[slot as usize];
        row != u32::MAX && row as usize >= self.awake
    }

    /// Wakes the agent in a slot; false where it was awake, or gone. O(1).
    pub fn wake(&mut self, slot: u32) -> bool {
        if !self.sleeps(slot) {
            return false;
        }
        let row = self.slots.row_of[slot as usize] as usize;
        self.slots.rest[slot as usize] = Rest::none(self.rows.position[row]);
        self.swap_rows(row, self.awake);
        self.awake += 1;
        true
    }

    /// Lets the agent in a row fall asleep, standing. The last awake agent takes its row. O(1).
    ///
    /// # Panics
    /// Where the agent of the row is not awake.
    pub fn lay_down(&mut self, row: usize) {
        assert!(row < self.awake, "row {row} is not awake");
        self.awake -= 1;
        let last = self.awake;
        self.swap_rows(row, last);
        self.rows.velocity[last] = Vec2::ZERO;
        self.rows.preferred_velocity[last] = Vec2::ZERO;
        self.rows.new_velocity[last] = Vec2::ZERO;
        self.rows.progress[last] = 1.0;
    }

    /// Removes agents; the awake rows close up in their order. Routes must have been released before. O(awake +
    /// gone).
    pub fn remove(&mut self, gone: &[AgentId]) {
        let awake = self.awake;
        // Rows of sleepers that leave.
        let mut holes = Vec::new();
        let mut any = false;
        for &id in gone {
            let Some(row) = self.row(id) else { continue };
            let slot = id.slot as usize;
            self.slots.row_of[slot] = u32::MAX;
            self.slots.generation[slot] = self.slots.generation[slot].wrapping_add(1);
            self.vacant.push(id.slot);
            any = true;
            if row >= awake {
                holes.push(row);
            }
        }
        if !any {
            return;
        }
        let mut kept = 0;
        for row in 0..awake {
            if self.slots.row_of[self.rows.slot[row] as usize] != u32::MAX {
                self.copy_row(row, kept);
                kept += 1;
            }
        }
        self.awake = kept;
        // The last sleepers move to where rows are free now.
        let rows = kept + (self.len() - awake) - holes.len();
        holes.extend(kept..awake);
        holes.sort_unstable();
        let mut last = self.len();
        for &hole in holes.iter().take_while(|&&hole| hole < rows) {
            last -= 1;
            while holes.binary_search(&last).is_ok() {
                last -= 1;
            }
            self.copy_row(last, hole);
        }
        self.rows.truncate(rows);
        // An agent that moved there has none.
        self.rows.preferred_velocity[kept..].fill(Vec2::ZERO);
        self.rows.new_velocity[kept..].fill(Vec2::ZERO);
    }

    /// Puts the rows of the sleepers in the order of their slots. Nothing depends on that order. O(asleep log asleep).
    pub fn order_sleepers(&mut self) {
        let mut slots = self.rows.slot[self.awake..].to_vec();
        slots.sort_unstable();
        for (row, slot) in (self.awake..).zip(slots) {
            self.swap_rows(row, self.slots.row_of[slot as usize] as usize);
        }
    }

    /// Exchanges two rows.
    pub(super) fn swap_rows(&mut self, a: usize, b: usize) {
        if a == b {
            return;
        }
        self.rows.swap(a, b);
        for row in [a, b] {
            self.slots.row_of[self.rows.slot[row] as usize] = row as u32;
        }
    }

    /// Puts the agent of a row into another, but for what each tick writes anew.
    fn copy_row(&mut self, from: usize, to: usize) {
        self.rows.copy(from, to);
        self.slots.row_of[self.rows.slot[to] as usize] = to as u32;
    }
}

#[cfg(test)]
mod tests {
    use super::super::Newcomer;
    use super::*;
    use crate::ids::{ArmyId, UnitId};
    use proptest::prelude::*;
    use std::collections::BTreeMap;
    use throng_grid::Lattice;

    /// The properties by which an agent is known.
    fn newcomer(number: u32) -> Newcomer {
        let n = number as f32;
        Newcomer {
            position: Vec2::new(n * 7.0 % 31.0, n * 3.0 % 29.0),
            facing: Vec2::X,
            radius: 0.25 + n * 1e-3,
            top_speed: 1.0 + n,
            weight: 80.0 + n,
            army: ArmyId((number % 3) as u8),
            unit: UnitId(number as u16),
            squad: None,
        }
    }

    proptest! {
        #[test]
        fn everybody_keeps_what_is_his(moves in prop::collection::vec((0_u8..6, any::<prop::sample::Index>()), 0..200)) {
            let mut crowd = Crowd::default();
            let mut known: BTreeMap<AgentId, (u32, bool)> = BTreeMap::new();
            let mut next = 0;
            for (what, which) in moves {
                let ids: Vec<AgentId> = known.keys().copied().collect();
                let some = (!ids.is_empty()).then(|| ids[which.index(ids.len())]);
                match (what, some) {
                    (0, _) => for _ in 0..which.index(9) {
                        known.insert(crowd.spawn(newcomer(next)), (next, true));
                        next += 1;
                    },
                    (1, Some(id)) => {
                        let awake = &mut known.get_mut(&id).unwrap().1;
                        prop_assert_eq!(crowd.wake(id.slot), !*awake);
                        *awake = true;
                    }
                    (2, Some(_)) => for &id in ids.iter().skip(which.index(ids.len())).step_by(2) {
                        if std::mem::take(&mut known.get_mut(&id).unwrap().1) {
                            crowd.lay_down(crowd.row(id).unwrap());
                        }
                    },
                    (3, Some(id)) => {
                        let gone: Vec<AgentId> = ids.into_iter().skip(which.index(5)).step_by(3).chain([id]).collect();
                        crowd.remove(&gone);
                        known.retain(|id, _| !gone.contains(id));
                        prop_assert!(gone.iter().all(|&id| crowd.row(id).is_none()));
                    }
                    (5, _) => {
                        crowd.order_sleepers();
                        prop_assert!(crowd.rows.slot[crowd.awake()..].is_sorted());
                    }
                    _ => crowd.sort(Lattice::new(9, 9, 4.0).unwrap()),
                }
                prop_assert_eq!(crowd.len(), known.len());
                prop_assert_eq!(crowd.awake(), known.values().filter(|(_, awake)| *awake).count());
                for (&id, &(number, awake)) in &known {
                    let new = newcomer(number);
                    let row = crowd.row(id).unwrap();
                    prop_assert_eq!(crowd.sleeps(id.slot), !awake);
                    prop_assert_eq!((crowd.rows.slot[row], crowd.rows.position[row]), (id.slot, new.position));
                    prop_assert_eq!((crowd.rows.radius[row], crowd.rows.top_speed[row]), (new.radius, new.top_speed));
                    prop_assert_eq!((crowd.rows.weight[row], crowd.rows.army_of(row)), (new.weight, new.army));
                    prop_assert_eq!(crowd.slots.unit[id.slot as usize], new.unit.0);
                }
                prop_assert!([crowd.rows.preferred_velocity.len(), crowd.rows.new_velocity.len(), crowd.rows.progress.len()] == [known.len(); 3]);
            }
        }
    }
}
