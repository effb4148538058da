//! Input that somebody has made to do harm: it is refused or taken, and neither panics, hangs, takes much memory nor gives numbers
//! that are none. Each case follows from its number, so that one that fails can be repeated.
#![allow(clippy::unwrap_used, missing_docs)]

mod case;
mod files;
mod mutate;
mod numbers;
mod options;
mod snapshots;
