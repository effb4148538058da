//! A film of the visible part of a battle, made while it runs.

use super::camera::Camera;
use super::event::Event;
use super::screenshot::free_name;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_record::{Film, Framing, MeasurementArea, RenderOptions, Sink};
use throng_sim::world::Frame;

/// Time between two pictures.
const MIN_FRAME_INTERVAL: Duration = Duration::from_millis(80);

/// The longer side of a film (pixels).
const LONGER_SIDE_PX: u32 = 640;

/// The film that is being made, and the films that are being written.
#[derive(Default)]
pub(super) struct Filming {
    film: Option<Box<Film>>,
    /// The last picture: when, and of which tick.
    last: Option<(Instant, u64)>,
    /// Films are made into files beside the window.
    writing: Vec<JoinHandle<Event>>,
    /// The notices about films that could not be written.
    lost: Vec<Event>,
}

impl Filming {
    /// True while a film is made.
    pub fn runs(&self) -> bool {
        self.film.is_some()
    }

    /// Begins a film of what the camera sees now; the name of its file.
    pub fn begin(&mut self, camera: &Camera, grid: &Grid, tick: u64) -> PathBuf {
        let path = free_name(Path::new("throng"), tick, &[".gif"]);
        let [low, high] = camera.view();
        let size = grid.lattice().size();
        let (low, high) = (low.max(Vec2::ZERO), high.min(size));
        let seen = (high - low).max(Vec2::ONE);
        let area = MeasurementArea { centre: low.midpoint(high), width: seen.x, height: seen.y };
        let options = RenderOptions { framing: Framing::Area(area), ..RenderOptions::new(LONGER_SIDE_PX) };
        self.film = Some(Box::new(Film::with_options(&path, grid, options).with_delay(8).whole()));
        self.last = None;
        path
    }

    /// Shows the film a frame, where one is due; what went wrong.
    pub fn show(&mut self, frame: &Frame) -> Option<String> {
        let film = self.film.as_mut()?;
        let due = self.last.is_none_or(|(at, tick)| tick != frame.tick && at.elapsed() >= MIN_FRAME_INTERVAL);
        if !due {
            return None;
        }
        self.last = Some((Instant::now(), frame.tick));
        let error = film.frame(frame).err()?;
        self.film = None;
        Some(format!("no film: {error}"))
    }

    /// Ends the film; it is written on a thread of its own.
    pub fn end(&mut self) {
        let Some(film) = self.film.take() else { return };
        let write = move || match film.finish() {
            Ok(path) => Event::Film { path },
            Err(error) => Event::notice(format!("no film: {error}")),
        };
        // If no thread can be started, the film is lost, and a notice says so.
        match std::thread::Builder::new().name("film".into()).spawn(write) {
            Ok(writing) => self.writing.push(writing),
            Err(error) => self.lost.push(Event::notice(format!("no film: {error}"))),
        }
    }

    /// The events of films that were written or failed; with `all` it waits for all of them.
    pub fn news(&mut self, all: bool) -> Vec<Event> {
        let mut news = std::mem::take(&mut self.lost);
        let mut still = Vec::new();
        for writing in self.writing.drain(..) {
            if all || writing.is_finished() {
                news.push(writing.join().unwrap_or_else(|_| Event::notice("no film: its thread has failed")));
            } else {
                still.push(writing);
            }
        }
        self.writing = still;
        news
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::Lattice;

    #[test]
    fn a_film_is_written_beside_the_window() {
        let grid = Grid::open_plain(Lattice::new(32, 24, 1.0).unwrap());
        let camera = Camera::new(grid.lattice().size(), Vec2::new(640.0, 480.0), 0.0);
        let mut filming = Filming::default();
        let name = filming.begin(&camera, &grid, 987_654_321);
        assert!(filming.runs() && name.to_string_lossy().contains("987654321"));
        let frame = Frame { grid: Some(std::sync::Arc::new(grid)), ..Frame::default() };
        assert_eq!(filming.show(&frame), None);
        filming.end();
        let news = filming.news(true);
        assert_eq!(news, [Event::Film { path: name.clone() }]);
        assert!(std::fs::read(&name).unwrap().starts_with(b"GIF89a"));
        std::fs::remove_file(name).unwrap();
    }
}
