//! The numbers by which a world knows armies, kinds of soldiers, squads and links: places in its lists.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Makes a number that is a place in a list of a world.
macro_rules! ids {
    ($($(#[$about:meta])* $name:ident($number:ty);)*) => {
        $(
            $(#[$about])*
            #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
            pub struct $name(pub $number);

            impl $name {
                /// The place in the list.
                #[inline]
                pub const fn index(self) -> usize {
                    self.0 as usize
                }
            }

            /// Its number.
            impl fmt::Display for $name {
                fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                    self.0.fmt(f)
                }
            }
        )*
    };
}

ids! {
    /// An army of a world: its place in [`Frame::armies`](crate::world::Frame::armies).
    ArmyId(u8);
    /// A kind of soldier of a world: its place in [`Frame::units`](crate::world::Frame::units).
    UnitId(u16);
    /// A squad of a world: its place in [`Frame::squads`](crate::world::Frame::squads).
    SquadId(u32);
    /// A link of a world: its place in [`World::links`](crate::world::World::links).
    LinkId(u32);
    /// An [obstacle](crate::world::World::place_obstacle) of a world.
    ObstacleId(u32);
}

impl ArmyId {
    /// True where a mask of a bit an army has its bit.
    #[inline]
    pub const fn is_in(self, armies: u16) -> bool {
        armies >> self.0 & 1 == 1
    }
}
