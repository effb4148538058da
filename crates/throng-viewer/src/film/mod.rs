//! Pictures over time: recordings that are replayed, films that are made, pictures that are saved.
//! A recording stands in for a simulation.

pub(crate) mod battle_film;
pub(crate) mod filming;
pub(crate) mod replay;
pub(crate) mod screenshot;
