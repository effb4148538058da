//! How a squad stands, and how it keeps its order on the march.

mod assign;
mod block;
mod close_up;
mod layout;
mod line;
mod march;
mod ranks;
mod room;
mod shape;
mod trail;

pub(crate) use assign::assign;
pub use block::Block;
pub use layout::Layout;
pub use march::{FormationView, march};
pub use ranks::Ranks;
pub use shape::{Formation, Shape, UnknownShape};
