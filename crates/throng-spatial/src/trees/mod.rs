//! Trees of cells that are cut in half along every axis: quadtrees and octrees.

mod lattice;
mod linear;
mod loose;
mod morton;
mod order;
mod orth;
mod postorder;

pub use linear::{LinearOctree, LinearQuadtree};
pub use loose::{LooseOctree, LooseQuadtree, LooseTree};
pub(super) use morton::interleave;
pub use orth::{Border, Octree, OrthTree, Quadtree};

/// No body, no node.
const NONE: u32 = u32::MAX;
