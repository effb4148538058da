//! The columns of all agents, each declared once: all that is done with every column follows from two tables.

use super::PIECE;
use super::agent::{Aim, Newcomer, Rest, RouteFollower};
use super::simd_batch::alike;
use crate::ids::{ArmyId, SquadId};
use bytemuck::{Pod, cast_slice, cast_slice_mut};
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;
use throng_spatial::Bodies;

/// Makes a struct of columns. A line is a column: its type, its value for a newcomer, and how it is kept.
///
/// | kept, in rows | put in the order of the cells |
/// |---|---|
/// | `points` | by exchange with spare memory |
/// | `plain` | by a copy |
/// | `alike` | by a copy, but not where all values are the same |
/// | `anew` | not: each tick writes it anew, and it is not saved |
///
/// | kept, in slots | when the slot is taken again |
/// |---|---|
/// | `own` | written anew |
/// | `lasting` | kept |
/// | `anew` | written anew; it is not saved |
macro_rules! columns {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident($new:ident, $number:ident) in $place:ident;
        $($(#[$about:meta])* $column:ident: $type:ty = $value:expr, $kept:ident;)*
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Debug, Default, Serialize, Deserialize)]
        pub struct $name {
            $($(#[$about])* pub $column: Vec<$type>,)*
        }

        impl $name {
            /// Bytes of one value of each column.
            pub(super) const BYTES: usize = 0 $(+ size_of::<$type>())*;

            /// Appends the values of a newcomer.
            pub(super) fn push(&mut self, $new: &Newcomer, $number: u32) {
                $(self.$column.push($value);)*
            }

            /// Makes room for `more` values, and no more than that where they are many.
            pub(super) fn reserve(&mut self, more: usize) {
                $(make_room(&mut self.$column, more);)*
            }

            /// Fills the columns that are not saved.
            ///
            /// # Errors
            /// A message about the first column that has not `len` values.
            pub(super) fn revive(&mut self, len: usize) -> Result<(), String> {
                $(columns!(@revive $kept, self.$column, len, $value, stringify!($column));)*
                Ok(())
            }
        }

        columns!(@$place $name, $new, $number, $($column = $value, $kept;)*);
    };
    (@rows $name:ident, $new:ident, $number:ident, $($column:ident = $value:expr, $kept:ident;)*) => {
        impl $name {
            /// Exchanges two rows.
            pub(super) fn swap(&mut self, a: usize, b: usize) {
                $(self.$column.swap(a, b);)*
            }

            /// Puts the values of a row into another, but for what each tick writes anew.
            pub(super) fn copy(&mut self, from: usize, to: usize) {
                $(columns!(@copy $kept, self.$column, from, to);)*
            }

            /// Leaves out the rows from `len` on.
            pub(super) fn truncate(&mut self, len: usize) {
                $(self.$column.truncate(len);)*
            }

            /// Takes copies of `rows` of others.
            pub(crate) fn gather(&mut self, others: &Self, rows: &[u32]) {
                $(gather(&mut self.$column, &others.$column, rows);)*
            }

            /// Puts the first rows in an order; those behind them stay. `spare` has other values afterwards, but for those behind.
            pub(super) fn permute(&mut self, order: &[u32], spare: &mut Vec<Vec2>) {
                $(columns!(@permute $kept, &mut self.$column, order, spare);)*
            }
        }
    };
    (@slots $name:ident, $new:ident, $number:ident, $($column:ident = $value:expr, $kept:ident;)*) => {
        impl $name {
            /// Puts the values of a newcomer into a slot that another has left.
            pub(super) fn put(&mut self, slot: usize, $new: &Newcomer, $number: u32) {
                $(columns!(@put $kept, self.$column[slot], $value);)*
            }
        }
    };
    (@revive anew, $column:expr, $len:ident, $value:expr, $name:expr) => { $column.resize($len, $value) };
    (@revive $kept:ident, $column:expr, $len:ident, $value:expr, $name:expr) => {
        if $column.len() != $len {
            return Err(format!("the column {} has {} values, expected {}", $name, $column.len(), $len));
        }
    };
    (@copy anew, $column:expr, $from:ident, $to:ident) => {};
    (@copy $kept:ident, $column:expr, $from:ident, $to:ident) => { $column[$to] = $column[$from] };
    (@permute anew, $column:expr, $order:ident, $spare:ident) => {};
    (@permute points, $column:expr, $order:ident, $spare:ident) => { permute_points($column, $spare, $order) };
    (@permute plain, $column:expr, $order:ident, $spare:ident) => { permute($column, $spare, $order) };
    (@permute alike, $column:expr, $order:ident, $spare:ident) => { permute_unless_alike($column, $spare, $order) };
    (@put lasting, $value:expr, $new:expr) => {};
    (@put $kept:ident, $value:expr, $new:expr) => { $value = $new };
}

columns! {
    /// The hot columns: a row an agent, in the order in which a tick works on them.
    pub struct AgentRows(new, slot) in rows;
    /// Centre (m).
    position: Vec2 = new.position, points;
    /// Velocity (m/s).
    velocity: Vec2 = Vec2::ZERO, points;
    /// The velocity at which it would move if it were alone (m/s).
    #[serde(skip)]
    preferred_velocity: Vec2 = Vec2::ZERO, anew;
    /// The velocity that avoids collisions (m/s).
    #[serde(skip)]
    new_velocity: Vec2 = Vec2::ZERO, anew;
    /// Radius (m).
    radius: f32 = new.radius, alike;
    /// Greatest speed (m/s).
    top_speed: f32 = new.top_speed, alike;
    /// How little it gives way, beside others.
    weight: f32 = new.weight, alike;
    /// The share of its preferred velocity that it has done of late, 0 to 1; see [`bias`](super::bias::bias).
    progress: f32 = 1.0, alike;
    /// How far it bears to the right, to a lane that it has seen ahead (m, in lengths of people).
    aside: f32 = 0.0, alike;
    /// Army.
    army: u8 = new.army.0, alike;
    /// Slot; the identity of the agent among the living.
    slot: u32 = slot, plain;
}

columns! {
    /// The cold columns: a slot an agent, which it keeps while it lives.
    pub struct AgentSlots(new, row) in slots;
    /// Row of the agent, `u32::MAX` where the slot is vacant.
    row_of: u32 = row, own;
    /// How many agents had the slot before.
    generation: u32 = 0, lasting;
    /// The number of the agent among all that were ever there, from 0 in the order in which they came.
    person: u32 = 0, own;
    /// Kind of soldier.
    unit: u16 = new.unit.0, own;
    /// Squad, or `u32::MAX`.
    squad: u32 = new.squad.map_or(u32::MAX, |squad| squad.0), own;
    /// Unit vector of where it looks.
    facing: Vec2 = new.facing, own;
    /// The way it goes.
    follower: RouteFollower = RouteFollower::stay(new.position), own;
    /// Where it walks now.
    aim: Aim = Aim::default(), own;
    /// How fast it may go now (m/s), so that it can stop at its aim, or turn; less than its top speed for agents that brake slowly.
    #[serde(skip)]
    pace: f32 = f32::INFINITY, anew;
    /// How long it has been at rest.
    rest: Rest = Rest::none(new.position), own;
}

impl AgentSlots {
    /// The squad of the agent in a slot.
    ///
    /// # Panics
    /// Where there is no such slot.
    #[inline]
    pub fn squad_of(&self, slot: usize) -> Option<SquadId> {
        Some(SquadId(self.squad[slot])).filter(|squad| squad.0 != u32::MAX)
    }
}

impl AgentRows {
    /// The army of the agent in a row.
    ///
    /// # Panics
    /// Where there is no such row.
    #[inline]
    pub fn army_of(&self, row: usize) -> ArmyId {
        ArmyId(self.army[row])
    }

    /// The bodies of the first rows, for an index.
    ///
    /// # Panics
    /// Where there are fewer rows.
    pub fn bodies(&self, rows: usize) -> Bodies<'_, 2> {
        Bodies::new(cast_slice(&self.position[..rows]), &self.radius[..rows], &self.slot[..rows])
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// True where there is none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }
}

/// Makes room for `more`: exactly that where they are many, else for an eighth of all, so that a column that grows one by
/// one is moved seldom and has little to spare.
pub(crate) fn make_room<T>(column: &mut Vec<T>, more: usize) {
    if column.capacity() - column.len() < more {
        column.reserve_exact(more.max(column.len() / 8));
    }
}

fn gather<T: Copy>(to: &mut Vec<T>, from: &[T], rows: &[u32]) {
    to.clear();
    to.extend(rows.iter().map(|&row| from[row as usize]));
}

/// Puts the first points of `column` in the order of `rows`; those behind them stay. `spare` has other points afterwards,
/// but for those behind.
fn permute_points(column: &mut Vec<Vec2>, spare: &mut Vec<Vec2>, rows: &[u32]) {
    let ordered = &mut spare[..rows.len()];
    ordered.par_iter_mut().zip(rows).with_min_len(PIECE).for_each(|(to, &row)| *to = column[row as usize]);
    if rows.len() == column.len() {
        std::mem::swap(column, spare);
    } else {
        column[..rows.len()].copy_from_slice(ordered);
    }
}

/// Puts the first values of `column`, none larger than a point, in the order of `rows`. The memory of `spare` is used for that.
fn permute<T: Pod + Send + Sync>(column: &mut [T], spare: &mut [Vec2], rows: &[u32]) {
    let column = &mut column[..rows.len()];
    let ordered: &mut [T] = &mut cast_slice_mut(&mut spare[..rows.len()])[..rows.len()];
    ordered.par_iter_mut().zip(rows).with_min_len(PIECE).for_each(|(to, &row)| *to = column[row as usize]);
    column.copy_from_slice(ordered);
}

/// Radii, weights, armies: often the same for all, which is seen faster than moved.
fn permute_unless_alike<T: Pod + PartialEq + Send + Sync>(column: &mut [T], spare: &mut [Vec2], rows: &[u32]) {
    if !alike(&column[..rows.len()]) {
        permute(column, spare, rows);
    }
}
