//! Fighting: units, formations, orders, targets, melee, shots, morale, sieges.

mod action;
mod army_occupancy;
mod cell_bitmap;
pub mod command;
mod damage_event;
mod formation;
mod front;
mod look;
mod melee;
mod morale;
mod order;
mod order_queue;
mod pedestrian;
mod ramparts;
mod ranged;
mod relations;
mod retry_backoff;
mod sector;
mod shots;
mod siege;
mod soldiers;
mod squad;
mod squad_stats;
mod target_preference;
mod targets;
mod unit;
mod unit_numbers;
mod worth;

pub use action::Action;
pub(crate) use action::action;
pub use army_occupancy::ArmyOccupancy;
pub use damage_event::{DamageEvent, Death, Origin};
pub use formation::{Block, EXACT, Formation, FormationView, Layout, Ranks, Shape, UnknownShape, assign, march};
pub use front::Front;
pub use look::{Look, UnknownLook};
pub use melee::{damage, strike};
pub use morale::{MoraleLoss, morale};
pub(crate) use order::Hurry;
pub use order::{JourneyId, Order, OrderAim, OrderKind};
pub use order_queue::OrderQueue;
pub use ramparts::{Rampart, Ramparts};
pub use ranged::{GRAVITY, Ranged};
pub use relations::{MAX_ARMIES, Relation, Relations};
pub use retry_backoff::RetryBackoff;
pub use shots::{
    Aimed, Archers, Obstacle, ProjectileImpact, ProjectileView, ShotLaunch, Shots, advance_projectiles, land, lob,
    shoot, straight,
};
pub use siege::{SiegeView, WallHit};
pub use soldiers::{MeleeHit, Soldiers};
pub use squad::{RouteState, Siege, Squad};
pub use squad_stats::{SquadStats, micropoints, points};
pub use target_preference::{TargetPreference, UnknownTargetPreference};
pub use targets::{CombatView, attackers, bodies, targets};
pub use unit::{Unit, UnitError, army_layer};
pub use unit_numbers::{NumberRange, UnitNumber};
