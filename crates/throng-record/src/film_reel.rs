//! The frames of a film in memory, and how they become a file.

use super::apng_writer::ApngWriter;
use super::frame_deltas::FrameDeltas;
use super::frame_painter::Sheet;
use super::{ColourPicture, ColourSample, ColourTable, GifWriter, Picture, Quantiser, RecordError};
use std::path::Path;

/// Frames, spread evenly, from which the colours of a film are chosen.
const SAMPLED: usize = 16;

/// Frames after which the colours of a film of any length are chosen.
const SETTLED: usize = 64;

/// A pixel of a film in true colour stays while its new colour is so many steps of grey away.
const TOLERANCE: u8 = 8;

/// The frames of a film, all of one kind.
#[derive(Debug)]
pub(super) struct FilmReel {
    /// Bytes of indices; of true colours (three a pixel) as long as there is no quantiser.
    deltas: FrameDeltas,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Indexed(ColourTable),
    Coloured { required: Vec<[u8; 3]>, quantiser: Option<Quantiser> },
}

impl FilmReel {
    /// Of indices of a table.
    pub fn indexed(table: ColourTable) -> Self {
        Self { deltas: FrameDeltas::default(), kind: Kind::Indexed(table) }
    }

    /// Of true colours, some of which the film must have as they are.
    pub fn coloured(required: Vec<[u8; 3]>) -> Self {
        Self { deltas: FrameDeltas::default(), kind: Kind::Coloured { required, quantiser: None } }
    }

    /// Gives armies the colours that they have of their own; a painter does that itself.
    pub fn set_armies(&mut self, colours: &[Option<[u8; 3]>]) {
        if let Kind::Indexed(table) = &mut self.kind {
            *table = table.clone().with_armies(colours);
        }
    }

    pub fn len(&self) -> usize {
        self.deltas.len()
    }

    /// Adds a frame, of the size and the kind of the first.
    pub fn push(&mut self, sheet: &Sheet) {
        match (&self.kind, sheet) {
            (Kind::Coloured { quantiser: Some(quantiser), .. }, Sheet::Coloured(picture)) => {
                self.deltas.push(sheet.size(), &quantiser.quantise(picture).pixels);
            }
            _ => self.deltas.push(sheet.size(), sheet.bytes()),
        }
    }

    /// Takes frames off the end.
    pub fn truncate(&mut self, len: usize) {
        self.deltas.truncate(len);
    }

    /// Forgets every second frame, from the second on.
    pub fn halve(&mut self) {
        self.deltas.halve();
    }

    /// Of a film of any length: chooses its colours once there are enough frames, so that a frame takes a third of the
    /// memory from then on.
    pub fn settle(&mut self) {
        if self.len() >= SETTLED {
            self.quantise();
        }
    }

    /// Chooses the colours and goes over to indices, unless that is done.
    fn quantise(&mut self) {
        let Kind::Coloured { required, quantiser: quantiser @ None } = &mut self.kind else { return };
        let mut sample = ColourSample::default();
        let size = self.deltas.size();
        self.deltas.play(self.deltas.len().div_ceil(SAMPLED).max(1), |bytes| sample.add(&coloured(size, bytes)));
        let chosen = Quantiser::new(sample.table(required), required);
        let mut indexed = FrameDeltas::default();
        self.deltas.play(1, |bytes| indexed.push(size, &chosen.quantise(&coloured(size, bytes)).pixels));
        (self.deltas, *quantiser) = (indexed, Some(chosen));
    }

    /// Writes every `step`-th frame and the end, as an animated PNG where the name says so, else as a GIF. `delays`, of the
    /// frames and of the end, are in hundredths of a second.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be written.
    pub fn write(&mut self, path: &Path, end: &Sheet, step: usize, delays: [u16; 2]) -> Result<(), RecordError> {
        let [delay, last_delay] = delays;
        if self.len() == 0 {
            // Nothing but the end: its own colours.
            self.push(end);
            self.quantise();
            self.truncate(0);
        }
        self.quantise();
        let size = end.size();
        let indices = |pixels: &[u8]| Picture { width: size.0, height: size.1, pixels: pixels.to_vec() };
        let (table, tolerance, end) = match (&self.kind, end) {
            (Kind::Indexed(table), end) => (table, 0, indices(end.bytes())),
            (Kind::Coloured { quantiser: Some(quantiser), .. }, Sheet::Coloured(end)) => {
                (quantiser.table(), TOLERANCE, quantiser.quantise(end))
            }
            // No film has frames of two kinds.
            (Kind::Coloured { .. }, _) => return Ok(()),
        };
        let is_png = |ending: &std::ffi::OsStr| ["apng", "png"].iter().any(|png| ending.eq_ignore_ascii_case(png));
        if path.extension().is_some_and(is_png) {
            let count = self.deltas.len().div_ceil(step) + 1;
            let mut writer = ApngWriter::create(path, size, count, table, tolerance)?;
            self.deltas.try_play(step, |pixels| writer.frame(&indices(pixels), delay, false))?;
            writer.frame(&end, last_delay, true)?;
            writer.finish()
        } else {
            let mut writer = GifWriter::with_table(path, size.0, size.1, table, tolerance)?;
            self.deltas.try_play(step, |pixels| writer.frame(&indices(pixels), delay))?;
            writer.exact_frame(&end, last_delay)?;
            writer.finish()
        }
    }
}

/// The picture whose channels are some bytes.
fn coloured((width, height): (u32, u32), bytes: &[u8]) -> ColourPicture {
    ColourPicture { width, height, pixels: bytes.as_chunks().0.to_vec() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Film, FramePainter, Sink, Still};
    use throng_sim::world::Frame;

    const ARMY: [u8; 3] = [255, 79, 18];

    /// A meadow over which a soldier walks, a pixel a tick.
    #[derive(Debug)]
    struct Meadow;

    impl FramePainter for Meadow {
        fn show(&mut self, _: &Frame) {}

        fn paint(&mut self, frame: &Frame) -> ColourPicture {
            let mut picture = ColourPicture::new(96, 64, [0; 3]);
            for (i, pixel) in picture.pixels.iter_mut().enumerate() {
                let (x, y) = (i % 96, i / 96);
                let grass = (x * 31 + y * 17) % 23;
                *pixel = [80 + grass / 2, 95 + grass, 60 + y / 3].map(|channel| channel as u8);
                if (x as u64).abs_diff(frame.tick % 96) < 3 && y.abs_diff(32) < 4 {
                    *pixel = ARMY;
                }
            }
            picture
        }

        fn required_colours(&self) -> Vec<[u8; 3]> {
            vec![ARMY]
        }
    }

    /// The colours on the screen after each frame of a GIF.
    fn play(path: &Path) -> Vec<Vec<[u8; 3]>> {
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::RGBA);
        let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
        let (mut screen, mut played) = (vec![[0; 3]; 96 * 64], Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            for (i, pixel) in frame.buffer.as_chunks().0.iter().enumerate() {
                let [red, green, blue, opacity] = *pixel;
                let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
                if opacity > 0 {
                    screen[(y + usize::from(frame.top)) * 96 + x + usize::from(frame.left)] = [red, green, blue];
                }
            }
            played.push(screen.clone());
        }
        played
    }

    fn film(path: &Path, ticks: u64, whole: bool) {
        let mut film = Film::with_painter(path, Box::new(Meadow));
        if whole {
            film = film.whole();
        }
        for tick in 0..ticks {
            film.frame(&Frame { tick, ..Frame::default() }).unwrap();
        }
        Box::new(film).finish().unwrap();
    }

    #[test]
    fn a_painted_film_shows_what_was_painted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.gif");
        // Beyond the frame after which the colours are chosen.
        for (ticks, whole) in [(0, false), (1, false), (40, false), (90, true)] {
            film(&path, ticks, whole);
            let played = play(&path);
            assert_eq!(played.len() as u64, if whole { ticks } else { ticks + 1 });
            for (tick, screen) in (0..).zip(&played) {
                let tick = tick.min(ticks.saturating_sub(1));
                let painted = Meadow.paint(&Frame { tick, ..Frame::default() });
                for (i, (&shown, &wanted)) in screen.iter().zip(&painted.pixels).enumerate() {
                    let error = (0..3).map(|i| shown[i].abs_diff(wanted[i])).max().unwrap();
                    assert!(error <= 12, "frame {tick}, pixel {i}: {shown:?} instead of {wanted:?}");
                    assert_eq!(shown == ARMY, wanted == ARMY);
                }
            }
        }
    }

    #[test]
    fn a_painted_film_as_an_animated_png_and_a_still() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.apng");
        film(&path, 20, false);
        let reader = |path: &Path| {
            let file = std::io::BufReader::new(std::fs::File::open(path).unwrap());
            png::Decoder::new(file).read_info().unwrap()
        };
        let mut played = reader(&path);
        assert_eq!(played.info().animation_control().unwrap().num_frames, 21);
        let mut bytes = vec![0; played.output_buffer_size().unwrap()];
        for _ in 0..21 {
            played.next_frame(&mut bytes).unwrap();
        }
        let path = folder.path().join("a.png");
        let mut still = Still::with_painter(&path, Box::new(Meadow));
        let frame = Frame { tick: 7, ..Frame::default() };
        still.frame(&frame).unwrap();
        Box::new(still).finish().unwrap();
        let mut bytes = vec![0; 96 * 64 * 3];
        reader(&path).next_frame(&mut bytes).unwrap();
        assert_eq!(bytes, Meadow.paint(&frame).pixels.as_flattened());
    }
}
