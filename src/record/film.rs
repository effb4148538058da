//! A run as an animation, and its end as a picture.

use super::{Camera, GifWriter, Picture, RecordError, Sink, palette, write_apng};
use crate::geom::Vec2;
use crate::grid::Grid;
use crate::world::{Frame, Verdict};
use std::path::{Path, PathBuf};

/// A film has at most so many frames.
const MAX_FRAMES: usize = 100;

/// A film has at most so many bytes.
const MAX_BYTES: u64 = 2_000_000;

/// Hundredths of a second that a frame is shown.
const DELAY: u16 = 8;

/// Hundredths of a second that the last frame is shown.
const LAST_DELAY: u16 = 250;

/// The map, and on it everybody who fell so far.
#[derive(Debug)]
struct Stage {
    base: Picture,
    camera: Camera,
    longest: u32,
    revision: u32,
}

impl Stage {
    fn new(grid: &Grid, longest: u32) -> Self {
        let (base, camera) = Picture::map(grid, longest);
        Self { base, camera, longest, revision: grid.revision() }
    }

    /// Shows the map as it is now, and on it everybody who fell before.
    fn show(&mut self, frame: &Frame) {
        if let Some(grid) = frame.grid.as_ref().filter(|grid| grid.revision() != self.revision) {
            let old = std::mem::replace(self, Self::new(grid, self.longest));
            for (pixel, old) in self.base.pixels.iter_mut().zip(old.base.pixels) {
                if old == palette::FALLEN {
                    *pixel = old;
                }
            }
        }
        self.bury(&frame.fallen);
    }

    fn bury(&mut self, fallen: &[Vec2]) {
        for &place in fallen {
            let pixel = self.camera.to_pixel(place);
            // `as` saturates: off the picture to the left is column 0.
            let (x, y) = (pixel.x as u32, pixel.y as u32);
            if x < self.base.width && y < self.base.height {
                self.base.pixels[(y * self.base.width + x) as usize] = palette::FALLEN;
            }
        }
    }

    fn draw(&self, frame: &Frame) -> Picture {
        let mut picture = self.base.clone();
        let colours: Vec<u8> = frame.army.iter().map(|&army| palette::army(u32::from(army))).collect();
        picture.draw_agents(self.camera, &frame.position, &frame.heading, &frame.radius, &colours);
        picture.add_bar();
        let tick = format!("tick {}", frame.tick);
        let armies: Vec<_> = (0..)
            .zip(&frame.armies)
            .map(|(army, count)| (format!("  {} {}", count.name, count.alive), palette::army(army)))
            .collect();
        let end = match frame.verdict {
            Some(Verdict::Winner(army)) => {
                let winner = frame.armies.get(usize::from(army.0));
                winner.map_or_else(String::new, |army| format!("  {} won", army.name))
            }
            Some(Verdict::Draw) => "  a draw".into(),
            None => String::new(),
        };
        let mut pieces = vec![(tick.as_str(), palette::TEXT)];
        pieces.extend(armies.iter().map(|(text, colour)| (text.as_str(), *colour)));
        pieces.push((end.as_str(), palette::TEXT));
        picture.draw_caption(&pieces);
        picture
    }
}

/// An animation of a run of unknown length: at most 100 frames spread evenly over it, and less than 2 MB. A file named
/// `.apng` or `.png` becomes an animated PNG, any other a GIF.
///
/// Keeps all frames in memory; whenever there are too many, every second one is forgotten.
///
/// ```
/// use throng::{grid::{Grid, Lattice}, record::{Film, Sink}, world::Frame};
/// # let folder = tempfile::tempdir()?;
/// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// let mut film = Film::new(folder.path().join("run.gif"), &grid, 128);
/// film.frame(&Frame::default())?;
/// assert!(Box::new(film).finish()?.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Film {
    path: PathBuf,
    stage: Stage,
    /// Every `every`-th tick from 0 on.
    pictures: Vec<Picture>,
    every: u64,
    /// The state that was shown last, for the end.
    last: Frame,
}

impl Film {
    /// A film whose longer side has at most `longest` pixels.
    pub fn new(path: impl AsRef<Path>, grid: &Grid, longest: u32) -> Self {
        let stage = Stage::new(grid, longest);
        Self { path: path.as_ref().to_path_buf(), stage, pictures: Vec::new(), every: 1, last: Frame::default() }
    }
}

impl Sink for Film {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.stage.show(frame);
        if frame.tick.is_multiple_of(self.every) {
            if self.pictures.len() == MAX_FRAMES {
                let mut even = false;
                self.pictures.retain(|_| {
                    even = !even;
                    even
                });
                self.every *= 2;
            }
            if frame.tick.is_multiple_of(self.every) {
                self.pictures.push(self.stage.draw(frame));
            }
        }
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let Self { path, stage, mut pictures, last, .. } = *self;
        // Room for the last one, which is always shown.
        pictures.truncate(MAX_FRAMES - 1);
        let end = stage.draw(&last);
        let is_png =
            path.extension().is_some_and(|ending| ["apng", "png"].iter().any(|png| ending.eq_ignore_ascii_case(png)));
        let mut skip = 1;
        loop {
            let shown = pictures.iter().step_by(skip).map(|picture| (picture, DELAY));
            let shown: Vec<_> = shown.chain([(&end, LAST_DELAY)]).collect();
            if is_png {
                write_apng(&path, &shown)?;
            } else {
                let mut writer = GifWriter::create(&path, end.width, end.height)?;
                shown.iter().try_for_each(|&(picture, delay)| writer.frame(picture, delay))?;
                writer.finish()?;
            }
            let bytes = std::fs::metadata(&path).map_err(RecordError::write(&path))?;
            if bytes.len() < MAX_BYTES || skip >= pictures.len() {
                return Ok(path);
            }
            skip += 1;
        }
    }
}

/// A PNG of the last state of a run.
///
/// ```
/// use throng::{grid::{Grid, Lattice}, record::{Sink, Still}, world::Frame};
/// # let folder = tempfile::tempdir()?;
/// let grid = Grid::open_plain(Lattice::new(64, 64, 1.0)?);
/// let mut still = Still::new(folder.path().join("run.png"), &grid, 256);
/// still.frame(&Frame::default())?;
/// assert!(Box::new(still).finish()?.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Still {
    path: PathBuf,
    stage: Stage,
    last: Frame,
}

impl Still {
    /// A picture whose longer side has at most `longest` pixels.
    pub fn new(path: impl AsRef<Path>, grid: &Grid, longest: u32) -> Self {
        Self { path: path.as_ref().to_path_buf(), stage: Stage::new(grid, longest), last: Frame::default() }
    }
}

impl Sink for Still {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.stage.show(frame);
        self.last.clone_from(frame);
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let picture = self.stage.draw(&self.last);
        picture.write_png(&self.path)?;
        Ok(self.path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::grid::Lattice;

    #[test]
    fn a_film_of_any_length_stays_short() {
        let grid = Grid::open_plain(Lattice::new(40, 20, 1.0).unwrap());
        for ticks in [0, 1, 99, 100, 101, 1000] {
            let folder = tempfile::tempdir().unwrap();
            let mut film = Film::new(folder.path().join("a.gif"), &grid, 80);
            for tick in 0..=ticks {
                film.frame(&Frame { tick, ..Frame::default() }).unwrap();
            }
            assert!(film.pictures.len() <= MAX_FRAMES);
            assert!(film.pictures.len() as u64 >= (ticks + 1).min(50), "{} of {ticks}", film.pictures.len());
            let path = Box::new(film).finish().unwrap();
            let mut options = gif::DecodeOptions::new();
            options.set_color_output(gif::ColorOutput::Indexed);
            let mut decoder = options.read_info(std::fs::File::open(path).unwrap()).unwrap();
            let mut frames = 0;
            while decoder.next_frame_info().unwrap().is_some() {
                frames += 1;
            }
            assert!(frames <= MAX_FRAMES);
        }
    }

    #[test]
    fn the_fallen_stay_in_the_picture() {
        let grid = Grid::open_plain(Lattice::new(8, 8, 1.0).unwrap());
        let mut still = Still::new("unused.png", &grid, 8);
        still.frame(&Frame { fallen: vec![Vec2::new(2.5, 3.5), Vec2::new(-1e9, 1e9)], ..Frame::default() }).unwrap();
        still.frame(&Frame::default()).unwrap();
        assert_eq!(still.stage.draw(&still.last).pixels[3 * 8 + 2], palette::FALLEN);
    }
}
