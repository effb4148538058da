//! Reads the strengths of the armies out of a recording, once, on a thread of its own.

use super::Simulation;
use crate::battle::chronicle::SharedChronicle;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::JoinHandle;
use throng_sim::world::Frame;

/// A thread that reads a recording from its first frame to its last. Dropping this ends it.
pub(super) struct Strengths {
    stop: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Strengths {
    /// Begins to read; `None` where the system has no thread left: then the time line has no curves.
    pub fn read(mut recording: Box<dyn Simulation>, chronicle: SharedChronicle) -> Option<Self> {
        let stop = Arc::new(AtomicBool::new(false));
        let stopped = Arc::clone(&stop);
        let last = recording.span().map_or(0, |[_, last]| last);
        let work = move || {
            let mut frame = Frame::default();
            while !stopped.load(Ordering::Relaxed) {
                recording.frame(&mut frame);
                chronicle.write(|chronicle| chronicle.note(&frame, std::iter::empty()));
                // What is damaged is left out here as where it is shown.
                let goes_on =
                    frame.tick < last && recording.tick().or_else(|error| recording.skip(error).map(drop)).is_ok();
                if !goes_on {
                    return;
                }
            }
        };
        let thread = std::thread::Builder::new().name("strengths".into()).spawn(work).ok()?;
        Some(Self { stop, thread: Some(thread) })
    }
}

impl Drop for Strengths {
    fn drop(&mut self) {
        self.stop.store(true, Ordering::Relaxed);
        // It ends after the frame that it is at; a panic there is no loss.
        let _ = self.thread.take().map(JoinHandle::join);
    }
}
