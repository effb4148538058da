//! Pictures, recordings, tables.
#![allow(clippy::unwrap_used, clippy::needless_for_each, missing_docs)]

mod anywhere;
mod battles;
mod going_on;
#[cfg(feature = "parquet")]
mod parquet;
mod people;
mod pictures;
mod recordings;
mod round_trips;
mod video;
