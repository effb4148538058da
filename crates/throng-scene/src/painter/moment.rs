//! What is seen at one moment: figures, shots, clouds and squads, in the world's metres.

use super::clouds::Cloud;
use super::companies::Company;
use crate::figures::Figure;
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Grid};
use throng_sim::battle::Look;
use throng_sim::world::{ArmyId, Flight};

/// What is seen at one moment besides the [`Backdrop`](super::backdrop::Backdrop). 20 bytes an agent.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// The figures, from the northernmost on.
    pub figures: Vec<Figure>,
    /// The shots in the air.
    pub shots: Vec<Flight>,
    /// The clouds.
    pub clouds: Vec<Cloud>,
    /// The squads, from the northernmost on.
    pub companies: Vec<Company>,
    /// How many of the [changes](super::watcher::Watcher::changes) have happened.
    pub changes: usize,
}

/// Something that changes the backdrop for good.
#[derive(Clone, Debug)]
pub enum Change {
    /// An agent fell.
    Fallen(Fallen),
    /// An arrow came down.
    Stuck {
        /// Where (m).
        place: Vec2,
        /// Its velocity (m/s).
        velocity: Vec3,
    },
    /// Cells of the map opened or closed.
    Edited {
        /// The map after that.
        grid: Arc<Grid>,
        /// Those cells.
        cells: Vec<Cell>,
    },
}

/// An agent that fell.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fallen {
    /// Where (m).
    pub place: Vec2,
    /// Its id.
    pub id: u32,
    /// Its look.
    pub look: Look,
    /// Its direction: 0 = east, clockwise, 16 to a turn.
    pub direction: u8,
    /// Its army.
    pub army: ArmyId,
}
