//! Hierarchical path-finding: routes from door to door of clusters, refined to cells part by part.

mod cluster;

mod doors;
mod field;
mod hierarchy;
mod insight;
mod itinerary;
mod levels;
mod planner;
mod refine;
mod search;
mod settings;
mod straight;
#[cfg(test)]
mod tests;
mod tiling;
mod trim;

pub use hierarchy::Hpa;
pub use itinerary::Itinerary;
pub use settings::HpaSettings;
