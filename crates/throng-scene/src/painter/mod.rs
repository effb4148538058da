//! Pictures of a battle, painted without a graphics card.

pub mod banner;
pub mod canvas;
pub mod emblem;
