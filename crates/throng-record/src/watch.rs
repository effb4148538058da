//! A battle as it is followed for its films and pictures.

use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};
use throng_grid::Grid;
use throng_scene::painter::Watcher;
use throng_sim::world::Frame;

/// What is known of a run. All that are shown the same states share it: the first to be shown one takes it in.
#[derive(Debug)]
pub(super) struct Watch {
    pub watcher: Watcher,
    /// All of the run, where it is known before.
    foreseen: Option<Watcher>,
    /// The state that was shown last.
    pub last: Frame,
    /// States that were shown.
    shown: u64,
}

/// One of those who follow a run.
#[derive(Debug)]
pub(super) struct Follower {
    watch: Arc<RwLock<Watch>>,
    /// States that it was shown.
    seen: u64,
}

impl Watch {
    /// Where the armies are and which ways they use, as far as that is known.
    pub fn outlook(&self) -> &Watcher {
        self.foreseen.as_ref().unwrap_or(&self.watcher)
    }
}

impl Follower {
    pub fn new(grid: &Arc<Grid>) -> Self {
        let watch = Watch { watcher: Watcher::new(grid.clone()), foreseen: None, last: Frame::default(), shown: 0 };
        Self { watch: Arc::new(RwLock::new(watch)), seen: 0 }
    }

    /// Another one, who will be shown the same states.
    pub fn fork(&self) -> Self {
        Self { watch: self.watch.clone(), seen: self.seen }
    }

    /// Takes in a state of the run.
    pub fn show(&mut self, frame: &Frame) {
        self.seen += 1;
        let mut watch = self.write();
        if watch.shown < self.seen {
            watch.shown = self.seen;
            watch.watcher.show(frame);
            watch.last.clone_from(frame);
        }
    }

    /// Takes in a state that will be shown.
    pub fn preview(&mut self, grid: &Arc<Grid>, frame: &Frame) {
        self.write().foreseen.get_or_insert_with(|| Watcher::new(grid.clone())).show(frame);
    }

    /// What is known; nobody may be shown a state meanwhile.
    pub fn read(&self) -> RwLockReadGuard<'_, Watch> {
        self.watch.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same, to make moments of it.
    pub fn write(&self) -> RwLockWriteGuard<'_, Watch> {
        self.watch.write().unwrap_or_else(PoisonError::into_inner)
    }
}
