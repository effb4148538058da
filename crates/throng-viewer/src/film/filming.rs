//! A film of the visible part of a battle, made while it runs.

use super::screenshot::free_name;
use crate::Theme;
use crate::shell::camera::Camera;
use crate::shell::event::Event;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{SyncSender, TrySendError, sync_channel};
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

/// Pictures that wait to be painted; while there are as many, others are left out.
const MAX_WAITING: usize = 32;

/// The film that is being made, and the films that are being written.
#[derive(Default)]
pub(crate) struct Filming {
    /// To the thread that makes the film.
    film: Option<SyncSender<Frame>>,
    /// The last picture: when, and of which tick.
    last: Option<(Instant, u64)>,
    /// Films are made into files beside the window, each on a thread of its own.
    writing: Vec<JoinHandle<Event>>,
    /// The notices about films that could not be begun.
    lost: Vec<Event>,
}

impl Filming {
    /// True while a film is made.
    pub fn runs(&self) -> bool {
        self.film.is_some()
    }

    /// Begins a film of what is seen of the map now beside the panels, in the look of the window; the name of its file.
    pub fn begin(&mut self, camera: &Camera, theme: Theme, grid: &Grid, tick: u64) -> PathBuf {
        let path = free_name(Path::new("throng"), tick, &[".gif"]);
        let [low, high] = camera.clear_view();
        let size = grid.lattice().size();
        let (low, high) = (low.max(Vec2::ZERO), high.min(size));
        let seen = (high - low).max(Vec2::ONE);
        let area = MeasurementArea { centre: low.midpoint(high), width: seen.x, height: seen.y };
        let options = RenderOptions {
            framing: Framing::Area(area),
            theme: theme.of_films(),
            ..RenderOptions::new(LONGER_SIDE_PX)
        };
        let mut film = Box::new(Film::with_options(&path, grid, options).with_delay(8).whole());
        let (sender, frames) = sync_channel::<Frame>(MAX_WAITING);
        let make = move || {
            let shown = frames.iter().try_for_each(|frame| film.frame(&frame));
            match shown.and_then(|()| film.finish()) {
                Ok(path) => Event::Film { path },
                Err(error) => Event::notice(format!("no film: {error}")),
            }
        };
        self.last = None;
        // If no thread can be started, the film is lost, and a notice says so.
        match std::thread::Builder::new().name("film".into()).spawn(make) {
            Ok(writing) => {
                self.writing.push(writing);
                self.film = Some(sender);
            }
            Err(error) => self.lost.push(Event::notice(format!("no film: {error}"))),
        }
        path
    }

    /// Shows the film a frame, where one is due. It is painted on the film's own thread.
    pub fn show(&mut self, frame: &Frame) {
        let Some(film) = &self.film else { return };
        let due = self.last.is_none_or(|(at, tick)| tick != frame.tick && at.elapsed() >= MIN_FRAME_INTERVAL);
        if !due {
            return;
        }
        self.last = Some((Instant::now(), frame.tick));
        if let Err(TrySendError::Disconnected(_)) = film.try_send(frame.clone()) {
            // It has failed, and its thread says why.
            self.film = None;
        }
    }

    /// Ends the film; the rest of it is painted and written meanwhile.
    pub fn end(&mut self) {
        self.film = None;
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
        let name = filming.begin(&camera, Theme::Plan, &grid, 987_654_321);
        assert!(filming.runs() && name.to_string_lossy().contains("987654321"));
        let frame = Frame { grid: Some(std::sync::Arc::new(grid)), ..Frame::default() };
        filming.show(&frame);
        filming.end();
        let news = filming.news(true);
        assert_eq!(news, [Event::Film { path: name.clone() }]);
        assert!(std::fs::read(&name).unwrap().starts_with(b"GIF89a"));
        std::fs::remove_file(name).unwrap();
    }
}
