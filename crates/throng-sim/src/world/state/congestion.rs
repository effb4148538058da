//! How crowded the map was when it was counted last.

use std::sync::Arc;
use throng_grid::Crowding;

/// The empty map on which a count is based, made anew after an edit, and the last count.
#[derive(Debug, Default)]
pub(crate) struct Congestion {
    pub(crate) empty: Option<(u32, Crowding)>,
    pub(crate) last: Option<Arc<Crowding>>,
}

impl Congestion {
    /// The last count.
    pub(crate) fn last(&self) -> Option<&Arc<Crowding>> {
        self.last.as_ref()
    }

    /// After this count.
    pub(crate) fn after(last: Option<Arc<Crowding>>) -> Self {
        Self { empty: None, last }
    }
}
