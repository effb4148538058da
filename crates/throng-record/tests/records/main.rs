//! Pictures, recordings, tables.
#![allow(clippy::unwrap_used, missing_docs)]

#[cfg(feature = "parquet")]
mod parquet;
mod battles;
mod pictures;
mod recordings;
mod round_trips;
