//! Flow fields: which way to go from every cell.

mod field;
mod heading;
mod planner;
mod repair;

pub use field::FlowField;
pub use planner::FlowFieldPlanner;
