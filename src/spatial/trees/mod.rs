//! Trees of cells that are cut in half along every axis: quadtrees and octrees.

mod lattice;
mod orth;

pub use orth::{Border, Octree, OrthTree, Quadtree};

/// Nobody, no node.
const NONE: u32 = u32::MAX;
