//! A recording in place of a simulation.

use crate::Simulation;
use crate::battle::simulation_error::SimulationError;
use std::fmt::Display;
use throng_record::{Recording, RecordingError};
use throng_sim::world::Frame;

/// The frames of a recording, one after the other or in any order. Damaged frames are left out, or not gone to.
///
/// ```
/// use throng_record::{About, Recorder, Recording, Sink};
/// use throng_viewer::{Replay, Simulation};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.throng");
/// let mut sink = Recorder::create(&path, &About::default())?;
/// for tick in 0..50 {
///     sink.frame(&Frame { tick, ..Frame::default() })?;
/// }
/// Box::new(sink).finish()?;
///
/// let mut replay = Replay::new(Recording::open(&path)?, 10, 49)?;
/// replay.go_to(30)?;
/// replay.tick()?;
/// let mut frame = Frame::default();
/// replay.frame(&mut frame);
/// assert_eq!((frame.tick, replay.span()), (31, Some([10, 49])));
/// # Ok::<(), Box<dyn std::error::Error + Send + Sync>>(())
/// ```
#[derive(Debug)]
pub struct Replay {
    recording: Recording,
    /// Numbers of the first and the last frame.
    ends: [usize; 2],
    /// Number of the frame that is shown.
    at: usize,
    frame: Frame,
    /// The frame to be read into: a damaged one leaves the other as it is.
    spare: Frame,
    /// The message about frames left out at the start, until it was requested.
    left_out: Option<String>,
}

impl Replay {
    /// Shows the frames from `first` to `last`, beginning with the first that can be read.
    ///
    /// # Errors
    /// Where none of them can be read.
    pub fn new(recording: Recording, first: usize, last: usize) -> Result<Self, RecordingError> {
        let (frame, spare) = (Frame::default(), Frame::default());
        let mut replay = Self { recording, ends: [first, last], at: first, frame, spare, left_out: None };
        match replay.jump(first) {
            Ok(missing) => replay.left_out = missing.as_ref().map(unknown),
            Err(error) => match replay.leave_out(first, &error) {
                Some(Ok(left_out)) => replay.left_out = Some(left_out),
                Some(Err(error)) => return Err(error),
                None => return Err(error),
            },
        }
        Ok(replay)
    }

    /// Goes on with the first frame after `first` that can be read, since that cannot: what is left out, in words, or `None`
    /// where nothing follows.
    fn leave_out(&mut self, first: usize, why: &dyn Display) -> Option<Result<String, RecordingError>> {
        // Frames that build on a damaged one cannot be read either.
        let next = (first + 1..=self.ends[1]).find(|&number| self.recording.frame(number, &mut self.spare).is_ok())?;
        let left_out = format!("left out {}, which cannot be read: {why}", self.ticks(first, next - 1));
        let missing = self.jump(next);
        Some(missing.map(|missing| match missing {
            Some(missing) => format!("{left_out}; {}", unknown(&missing)),
            None => left_out,
        }))
    }

    /// Shows any frame, with all deaths before it, or returns the error of these.
    fn jump(&mut self, number: usize) -> Result<Option<RecordingError>, RecordingError> {
        let missing = self.recording.moment(number, &mut self.spare).err();
        if missing.is_some() {
            self.recording.frame(number, &mut self.spare)?;
        }
        self.show(number);
        Ok(missing)
    }

    /// Shows the frame that was read last.
    fn show(&mut self, number: usize) {
        std::mem::swap(&mut self.frame, &mut self.spare);
        self.at = number;
    }

    /// The ticks of some frames, in words.
    fn ticks(&self, first: usize, last: usize) -> String {
        match [first, last].map(|frame| self.recording.tick(frame)) {
            [first, last] if first == last => format!("tick {first}"),
            [first, last] => format!("ticks {first} to {last}"),
        }
    }
}

fn unknown(error: &RecordingError) -> String {
    format!("earlier deaths are unknown: {error}")
}

impl Simulation for Replay {
    fn tick(&mut self) -> Result<(), SimulationError> {
        if self.at < self.ends[1] {
            self.recording.frame(self.at + 1, &mut self.spare)?;
            self.show(self.at + 1);
        }
        Ok(())
    }

    fn frame(&self, frame: &mut Frame) {
        frame.clone_from(&self.frame);
    }

    fn span(&self) -> Option<[u64; 2]> {
        Some(self.ends.map(|frame| self.recording.tick(frame)))
    }

    fn go_to(&mut self, tick: u64) -> Result<Option<String>, SimulationError> {
        let [first, last] = self.ends;
        let number = self.recording.frame_of(tick).clamp(first, last);
        match self.jump(number) {
            Ok(missing) => Ok(missing.as_ref().map(unknown)),
            Err(source) => Err(SimulationError::Unreadable { ticks: self.ticks(number, number), source }),
        }
    }

    fn skip(&mut self, error: SimulationError) -> Result<String, SimulationError> {
        let (first, last) = (self.at + 1, self.ends[1]);
        match self.leave_out(first, &error) {
            Some(left_out) => Ok(left_out?),
            None => Err(SimulationError::Ends { ticks: self.ticks(first, last), source: Box::new(error) }),
        }
    }

    fn left_out(&mut self) -> Option<String> {
        self.left_out.take()
    }

    fn again(&self) -> Option<Box<dyn Simulation>> {
        let recording = Recording::open(self.recording.file()).ok()?;
        let [first, last] = self.ends;
        Some(Box::new(Self::new(recording, first, last).ok()?))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::geom::Vec2;
    use throng_record::{About, Recorder, Sink};

    /// A recording of 100 frames in each of which one falls, damaged in the blocks of a kind that belong to a tick; every 32nd
    /// frame is complete in itself.
    fn damaged(kind: u8, tick: u64) -> (tempfile::TempDir, Replay) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.throng");
        let mut sink = Recorder::create(&path, &About::default()).unwrap();
        for tick in 0..100 {
            sink.frame(&Frame { tick, fallen: vec![Vec2::new(tick as f32, 1.0)], ..Frame::default() }).unwrap();
        }
        Box::new(sink).finish().unwrap();
        let mut bytes = std::fs::read(&path).unwrap();
        let (mut place, mut changed) = (12, false);
        while let Some(head) = bytes.get(place..place + 20) {
            let length = u32::from_le_bytes(head[4..8].try_into().unwrap()) as usize;
            if head[0] == kind && head[8..16] == tick.to_le_bytes() {
                bytes[place + 20] ^= 1;
                changed = true;
            }
            place += 20 + length;
        }
        assert!(changed, "there is no such block");
        std::fs::write(&path, bytes).unwrap();
        (folder, Replay::new(Recording::open(path).unwrap(), 0, 99).unwrap())
    }

    fn shown(replay: &Replay) -> (u64, usize) {
        let mut frame = Frame::default();
        replay.frame(&mut frame);
        (frame.tick, frame.fallen.len())
    }

    #[test]
    fn damaged_frames_are_left_out() {
        let (folder, mut replay) = damaged(b'S', 40);
        assert_eq!(replay.go_to(37).unwrap(), None);
        replay.tick().unwrap();
        replay.tick().unwrap();
        assert_eq!(shown(&replay), (39, 1));
        let error = replay.tick().unwrap_err();
        assert_eq!(shown(&replay), (39, 1));
        let news = replay.skip(error).unwrap().replace(&format!("{}/", folder.path().display()), "");
        let start = "left out ticks 40 to 63, which cannot be read: run.throng: block ";
        assert!(news.starts_with(start) && news.contains(" is damaged: its checksum is "), "{news}");
        // The deaths meanwhile are known.
        assert_eq!(shown(&replay), (64, 65));
        replay.tick().unwrap();
        assert_eq!(shown(&replay), (65, 1));
    }

    #[test]
    fn it_begins_with_the_first_frame_that_can_be_read() {
        let (folder, mut replay) = damaged(b'K', 0);
        let told = replay.left_out().unwrap().replace(&format!("{}/", folder.path().display()), "");
        assert!(told.starts_with("left out ticks 0 to 31, which cannot be read: run.throng: block "), "{told}");
        assert_eq!((shown(&replay), replay.span(), replay.left_out()), ((32, 33), Some([0, 99]), None));
        let recording = || Recording::open(folder.path().join("run.throng")).unwrap();
        assert!(Replay::new(recording(), 0, 31).is_err(), "nothing is left");
        assert_eq!(Replay::new(recording(), 32, 99).unwrap().left_out(), None);
    }

    #[test]
    fn nobody_goes_to_a_damaged_frame() {
        let (folder, mut replay) = damaged(b'S', 40);
        replay.go_to(70).unwrap();
        for tick in [40, 50, 63] {
            let error =
                replay.go_to(tick).unwrap_err().to_string().replace(&format!("{}/", folder.path().display()), "");
            assert!(error.starts_with(&format!("tick {tick} cannot be read: run.throng: block ")), "{error}");
            assert_eq!(shown(&replay), (70, 71));
        }
        replay.tick().unwrap();
        assert_eq!(shown(&replay), (71, 1));
        assert_eq!(replay.go_to(39).unwrap(), None);
        assert_eq!(shown(&replay), (39, 40));
    }

    #[test]
    fn where_nothing_follows_one_can_still_go_back() {
        let (_folder, mut replay) = damaged(b'S', 98);
        replay.go_to(97).unwrap();
        let error = replay.tick().unwrap_err();
        let error = replay.skip(error).unwrap_err().to_string();
        assert!(error.starts_with("ticks 98 to 99 cannot be read, and nothing follows: "), "{error}");
        assert_eq!(shown(&replay), (97, 98));
        assert_eq!(replay.go_to(3).unwrap(), None);
        assert_eq!(shown(&replay), (3, 4));
    }

    #[test]
    fn frames_are_shown_without_the_fallen_that_cannot_be_read() {
        let (_folder, mut replay) = damaged(b'D', 64);
        assert_eq!(replay.go_to(63).unwrap(), None);
        let news = replay.go_to(80).unwrap().unwrap();
        assert!(news.starts_with("earlier deaths are unknown: "), "{news}");
        assert_eq!(shown(&replay), (80, 1));
    }
}
