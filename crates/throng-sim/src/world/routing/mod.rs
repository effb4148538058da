//! The routing room: squads and agents ask for routes, and what is found is handed out to them.
//!
//! A request is asked for ([`request`], [`ask`]) under a [`key`], falls due under the budget of a tick ([`delivery`]), and is handed out
//! ([`hand_out`]) to those that follow it ([`follower`]). Squads may walk by [`fields`] instead, and look for a [`detour`] where the map is
//! crowded ([`congestion`]); many that go to one place share a field
//! ([`shared_field`]); agents that others at rest hold up go round them ([`way_round`]). A changed map makes them ask anew ([`revise`]).

pub(super) mod ask;
pub(super) mod congestion;
pub(super) mod delivery;
pub(super) mod detour;
pub(super) mod fields;
pub(super) mod follower;
pub(super) mod hand_out;
pub(super) mod key;
pub(super) mod request;
pub(super) mod revise;
pub(super) mod shared_field;
pub(super) mod way_round;
