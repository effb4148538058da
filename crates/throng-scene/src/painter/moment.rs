//! What is seen at one moment, in little memory: figures, arrows, dust and banners, placed in the picture.

use super::banner::Banner;
use crate::sprite::Pose;
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Grid};
use throng_sim::battle::Look;

/// A figure in a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Placed {
    /// The point between its feet, to the right (pixels).
    pub x: i16,
    /// The point between its feet, down (pixels).
    pub y: i16,
    /// How far south it stands (1/16 m, plus one), as [`Backdrop::front`](super::backdrop::Backdrop::front) counts.
    pub depth: u16,
    /// Its look.
    pub look: Look,
    /// Its pose.
    pub pose: Pose,
    /// Its direction: 0 = east, clockwise, 16 to a turn.
    pub direction: u8,
    /// Its army.
    pub army: u8,
    /// A number that tells figures apart.
    pub tone: u8,
}

/// An arrow in the air.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Its tip (pixels).
    pub tip: Vec2,
    /// The unit vector along which it flies in the picture.
    pub along: Vec2,
    /// Its shadow on the ground (pixels).
    pub shadow: Vec2,
}

/// The material of a cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cloud {
    /// Dust of feet and hooves.
    Dust,
    /// Dust of walls.
    Debris,
    /// Smoke.
    Smoke,
    /// A flame.
    Flame,
}

/// A cloud in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedCloud {
    /// Its middle (pixels).
    pub at: Vec2,
    /// Its radius (pixels).
    pub radius: f32,
    /// How dense it is in its middle, 0 to 1.
    pub opacity: f32,
    /// Its material.
    pub cloud: Cloud,
    /// Which of the pictures of clouds it is.
    pub seed: u8,
}

/// A banner in a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlacedBanner {
    /// The foot of its pole (pixels).
    pub foot: Vec2,
    /// Its army, whose colour the cloth has.
    pub army: u8,
    /// What it shows; its colour is not used.
    pub banner: Banner,
}

/// What is seen at one moment besides the [`Backdrop`](super::backdrop::Backdrop).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Moment {
    /// The figures, from the northernmost on.
    pub figures: Vec<Placed>,
    /// The arrows.
    pub arrows: Vec<Arrow>,
    /// The clouds.
    pub clouds: Vec<PlacedCloud>,
    /// The banners, from the northernmost on.
    pub banners: Vec<PlacedBanner>,
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
    pub army: u8,
}
