//! A picture of a run that costs nothing else where it fails.

use super::fault::guarded;
use std::io;
use std::path::{Path, PathBuf};
use throng::record::{RecordError, Sink};
use throng::world::Frame;

/// A sink of pictures. Where it fails, the run goes on without it, and its end tells the failure.
#[derive(Debug)]
pub(super) struct PictureSink {
    file: PathBuf,
    /// Gone at once when it fails: its part of a full disk is free for the others.
    sink: Result<Box<dyn Sink>, RecordError>,
}

impl PictureSink {
    pub(super) fn new(file: &Path, sink: impl Sink + 'static) -> Self {
        Self { file: file.to_path_buf(), sink: Ok(Box::new(sink)) }
    }

    fn fault(file: PathBuf) -> RecordError {
        let source = io::Error::other("its painter has failed, by a fault of throng");
        RecordError::Write { file, source }
    }
}

impl Sink for PictureSink {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if let Ok(sink) = &mut self.sink {
            let shown = guarded(|| sink.frame(frame)).unwrap_or_else(|| Err(Self::fault(self.file.clone())));
            if let Err(error) = shown {
                self.sink = Err(error);
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let Self { file, sink } = *self;
        let sink = sink?;
        guarded(|| sink.finish()).unwrap_or_else(|| Err(Self::fault(file)))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Fails at a tick, or at the end.
    #[derive(Debug)]
    struct Brittle(Option<u64>);

    impl Sink for Brittle {
        fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
            assert!(self.0 != Some(frame.tick), "brittle");
            Ok(())
        }

        fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
            assert!(self.0.is_some(), "brittle at the end");
            Ok("a.png".into())
        }
    }

    #[test]
    fn a_picture_that_fails_costs_itself_and_says_so_at_the_end() {
        for (brittle, fails) in [(Brittle(Some(9)), false), (Brittle(Some(1)), true), (Brittle(None), true)] {
            let mut sink = Box::new(PictureSink::new(Path::new("a.png"), brittle));
            for tick in 0..3 {
                sink.frame(&Frame { tick, ..Frame::default() }).unwrap();
            }
            let expected = "a.png: cannot be written: its painter has failed, by a fault of throng";
            assert_eq!(sink.finish().map_err(|error| error.to_string()).err(), fails.then(|| expected.to_owned()));
        }
    }
}
