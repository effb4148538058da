//! Planners against each other, against reference searches and against known optimal lengths.
#![allow(clippy::unwrap_used, missing_docs)]

#[path = "../flood/mod.rs"]
mod flood;

mod any_angle;
mod anytime;
mod budgets;
mod cells;
mod classic;
mod custom;
mod dijkstra;
mod flow;
mod golden_counts;
mod graphs;
mod grounds;
mod hpa;
mod jps;
mod labels;
mod own_maps;
mod planners;
mod reference;
mod shared_scratch;
