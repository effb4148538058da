//! Fires that are seen and touch nothing.

use serde::{Deserialize, Serialize};
use throng_grid::geom::Vec2;

/// A fire with its smoke, in pictures and in the window. It is for show: no agent is hurt or slowed by it.
///
/// See [`World::add_fire`](crate::world::World::add_fire).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Fire {
    /// Its middle (m).
    pub position: Vec2,
    /// How wide it burns (m).
    pub size: f32,
    /// When it begins (s).
    pub from: f32,
    /// When it goes out (s); infinite where it never does.
    pub until: f32,
}

impl Fire {
    /// The range of [`Fire::size`] (m).
    pub const SIZE: (f32, f32) = (0.5, 30.0);

    /// The most that a world may have.
    pub const MAX: usize = 1000;

    /// A fire that burns from the start and never goes out.
    pub fn new(position: Vec2, size: f32) -> Self {
        Self { position, size, from: 0.0, until: f32::INFINITY }
    }
}
