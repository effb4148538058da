//! The laboratories: planners side by side, spatial indices at work, moving volumes.
//! Each tries something on a thread of its own, and its window shows the newest state.

pub(crate) mod compare;
#[cfg(feature = "spatial-lab")]
pub(crate) mod index_view;
mod panel;
mod step_control;
#[cfg(feature = "spatial-lab")]
pub(crate) mod volume_view;
