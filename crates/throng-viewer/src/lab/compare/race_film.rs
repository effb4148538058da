//! A race of the searches as a GIF: all panes from their start to their end, painted without the window on a thread of its own.

use super::overlay::{DOOR_INK, FAR_INK, NEAR_INK, OPEN_INK};
use super::pane_result::{PaneResult, time};
use super::playback::{Length, Playback};
use super::rerun::Rerun;
use super::searcher::Found;
use super::trace::{MAX_CLOSED, OPEN_VALUE, Trace};
use crate::draw::pen::grouped;
use crate::film::screenshot::free_name;
use crate::shell::event::Event;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;
use throng_grid::{Cell, Ground};
use throng_plan::{Planner, PlannerChoice, Query};
use throng_record::{Camera, ColourTable, GifWriter, Picture, palette};

/// The widest that a film is (pixels).
const WIDTH_PX: u32 = 960;
const GAP_PX: u32 = 8;
/// Height of the caption of a pane: two lines (pixels).
const CAPTION_PX: u32 = 44;
/// How long a picture is shown, and the last one (s / 100).
const FRAME_DELAY_CS: u16 = 8;
const LAST_FRAME_DELAY_CS: u16 = 200;
/// The most pictures: longer races go faster.
const MAX_FRAMES: u64 = 250;
/// Shades of expanded cells from near to far.
const SHADE_COUNT: u8 = 16;
/// Dots of traces that are single points (pixels).
const DOT_PX: i32 = 3;

/// A pane of the film.
pub(super) struct FilmPane {
    pub planner: PlannerChoice,
    /// The search at its end, or why there is none, in words.
    pub result: Result<Box<Found>, String>,
    /// How long the search takes.
    pub time: Duration,
}

/// What the film is of.
pub(super) struct Race {
    pub ground: Arc<Ground>,
    pub trip: (Cell, Cell),
    pub panes: Vec<FilmPane>,
    /// Its pace and speed count.
    pub playback: Playback,
}

/// The film that is being made.
pub(super) struct RaceFilm {
    pub path: PathBuf,
    progress: Arc<Progress>,
    thread: Option<JoinHandle<Event>>,
    /// The share that was told last (percent).
    told: usize,
}

#[derive(Default)]
struct Progress {
    done: AtomicUsize,
    all: AtomicUsize,
    ends: AtomicBool,
}

impl RaceFilm {
    /// Begins a film; the number goes into its name.
    ///
    /// # Errors
    /// Where no thread can be started.
    pub fn begin(race: Race, number: u64) -> std::io::Result<Self> {
        let path = free_name(Path::new("throng-race"), number, &[".gif"]);
        let progress = Arc::new(Progress::default());
        let (file, told) = (path.clone(), Arc::clone(&progress));
        let make = move || match write(&race, &file, &told) {
            Ok(true) => Event::Film { path: file },
            Ok(false) => Event::notice("the film was given up: no file is left"),
            Err(error) => Event::notice(format!("no film: {error}")),
        };
        let thread = std::thread::Builder::new().name("race film".into()).spawn(make)?;
        Ok(Self { path, progress, thread: Some(thread), told: 0 })
    }

    /// The share that is done (percent).
    pub fn percent(&self) -> usize {
        let [done, all] = [&self.progress.done, &self.progress.all].map(|count| count.load(Ordering::Relaxed));
        100 * done / all.max(1)
    }

    /// True where another share is done than at the last call.
    pub fn has_come_on(&mut self) -> bool {
        let percent = self.percent();
        std::mem::replace(&mut self.told, percent) != percent
    }

    /// Gives it up: no file is left.
    pub fn give_up(&self) {
        self.progress.ends.store(true, Ordering::Relaxed);
    }

    /// How it ended, once it has.
    pub fn news(&mut self) -> Option<Event> {
        if !self.thread.as_ref()?.is_finished() {
            return None;
        }
        let joined = self.thread.take()?.join();
        Some(joined.unwrap_or_else(|_| Event::notice("no film: its thread has failed")))
    }
}

impl Drop for RaceFilm {
    fn drop(&mut self) {
        self.give_up();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A pane while the film is made.
struct FilmedPane {
    planner: Result<Arc<dyn Planner>, String>,
    name: String,
    rerun: Rerun,
    result: PaneResult,
    /// The picture of its end, once it was painted.
    end: Option<Picture>,
}

/// Writes the film; false where it was given up.
fn write(race: &Race, path: &Path, progress: &Progress) -> Result<bool, String> {
    let lengths: Vec<Option<Length>> =
        race.panes.iter().map(|pane| Some((pane.result.as_ref().ok()?.end, pane.time))).collect();
    let last = lengths.iter().flatten().map(|(end, _)| *end).max().unwrap_or(0);
    let frames = frames(&race.playback, last);
    progress.all.store(frames as usize + 1, Ordering::Relaxed);
    let count = race.panes.len() as u32;
    let columns = if count == 4 { 2 } else { count.clamp(1, 3) };
    let longest = (WIDTH_PX - GAP_PX) / columns - GAP_PX;
    let (map, camera) = Picture::map(race.ground.grid(), longest);
    let rows = count.div_ceil(columns);
    let width = GAP_PX + columns * (map.width + GAP_PX);
    let height = GAP_PX + rows * (map.height + CAPTION_PX + GAP_PX);
    let table = table();
    let mut writer = GifWriter::with_table(path, width, height, &table, 0).map_err(|error| error.to_string())?;
    let mut panes: Vec<FilmedPane> = race.panes.iter().map(|pane| FilmedPane::new(pane, &race.ground)).collect();
    let query = Query::new(race.trip.0, race.trip.1);
    let mut playback = race.playback.clone();
    for frame in 0..=frames {
        if progress.ends.load(Ordering::Relaxed) {
            return Ok(false);
        }
        playback.jump(if frame == frames { last } else { last * frame / frames }, last);
        let places = playback.places(&lengths);
        let mut picture = Picture::new(width, height, palette::BAR);
        for (number, (pane, place)) in (0..).zip(panes.iter_mut().zip(places)) {
            pane.look(&race.ground, &query, place);
            let corner = [GAP_PX, GAP_PX + (map.height + CAPTION_PX + GAP_PX) * (number / columns)];
            let corner = [corner[0] + (map.width + GAP_PX) * (number % columns), corner[1]];
            if pane.result.look.is_some() {
                blit(&mut picture, &pane.paint(&map, camera, race), corner);
            } else {
                let end = pane.end.take().unwrap_or_else(|| pane.paint(&map, camera, race));
                blit(&mut picture, pane.end.insert(end), corner);
            }
            pane.caption(&mut picture, [corner[0], corner[1] + map.height], map.width);
        }
        let delay = if frame == frames { LAST_FRAME_DELAY_CS } else { FRAME_DELAY_CS };
        writer.frame(&picture, delay).map_err(|error| error.to_string())?;
        progress.done.fetch_add(1, Ordering::Relaxed);
    }
    writer.finish().map_err(|error| error.to_string())?;
    Ok(true)
}

/// How many pictures there are before the last one, at the pace of the playback.
fn frames(playback: &Playback, last: u64) -> u64 {
    let seconds = last as f64 / playback.speed(last).max(1.0);
    ((seconds * 100.0 / f64::from(FRAME_DELAY_CS)).ceil() as u64).clamp(1, MAX_FRAMES).min(last.max(1))
}

/// The colours of plans, then those of traces.
fn table() -> ColourTable {
    let plan = ColourTable::plan();
    let mut colours = plan.colours().to_vec();
    colours.resize(usize::from(first_shade()), [0; 3]);
    let shade = |step: u8| {
        let part = f32::from(step) / f32::from(SHADE_COUNT - 1);
        std::array::from_fn(|i| (f32::from(NEAR_INK[i]) * (1.0 - part) + f32::from(FAR_INK[i]) * part).round() as u8)
    };
    colours.extend((0..SHADE_COUNT).map(shade));
    colours.extend([OPEN_INK, DOOR_INK]);
    ColourTable::new(colours)
}

/// The index after those of plans.
fn first_shade() -> u8 {
    (ColourTable::plan().colours().len() as u8).max(ColourTable::plan().keep() + 1)
}

/// The index of a value of a trace.
fn index(value: u8) -> u8 {
    match value {
        OPEN_VALUE => first_shade() + SHADE_COUNT,
        1..=MAX_CLOSED => {
            first_shade() + ((u32::from(value) * u32::from(SHADE_COUNT - 1)) / u32::from(MAX_CLOSED)) as u8
        }
        _ => first_shade() + SHADE_COUNT + 1,
    }
}

fn blit(picture: &mut Picture, part: &Picture, [left, top]: [u32; 2]) {
    for (row, pixels) in (top..).zip(part.pixels.chunks_exact(part.width as usize)) {
        let start = (row * picture.width + left) as usize;
        picture.pixels[start..start + pixels.len()].copy_from_slice(pixels);
    }
}

impl FilmedPane {
    fn new(pane: &FilmPane, ground: &Arc<Ground>) -> Self {
        let result =
            PaneResult { task: 1, result: Some(pane.result.clone()), time: pane.time, first: None, look: None };
        let planner = pane.planner.build(ground).map_err(|error| error.to_string());
        Self { planner, name: pane.planner.to_string(), rerun: Rerun::default(), result, end: None }
    }

    /// Goes to a place of the search, or to its end.
    fn look(&mut self, ground: &Ground, query: &Query, place: Option<u64>) {
        let furthest = self.result.found().and_then(|found| found.trace.as_ref()).map_or(1, |trace| trace.furthest);
        self.result.look = match (&self.planner, place) {
            (Ok(planner), Some(at)) => {
                self.rerun.look(&**planner, ground, query, at, furthest).ok().flatten().map(Box::new)
            }
            _ => None,
        };
    }

    fn paint(&self, map: &Picture, camera: Camera, race: &Race) -> Picture {
        let mut picture = map.clone();
        let lattice = race.ground.lattice();
        if let Some(trace) = self.result.trace() {
            paint_trace(&mut picture, trace, camera.scale * lattice.cell_size * trace.block as f32);
        }
        picture.draw_path(camera, self.result.route(), palette::PATH);
        for (cell, colour) in [(race.trip.0, palette::START), (race.trip.1, palette::GOAL)] {
            picture.draw_mark(camera, lattice.centre(cell), colour);
        }
        picture
    }

    /// The planner's name, and its counts.
    fn caption(&self, picture: &mut Picture, [left, top]: [u32; 2], width: u32) {
        let counts = match (&self.result.look, self.result.found()) {
            (Some(look), Some(found)) => format!("{} of {} expanded", grouped(look.at), grouped(found.end)),
            (_, Some(found)) => match self.result.words() {
                Some(words) => words,
                None => format!(
                    "{} expanded, {}, cost {:.1}",
                    grouped(found.outcome.expanded),
                    time(self.result.time),
                    found.length
                ),
            },
            (_, None) => self.result.words().unwrap_or_default(),
        };
        for (row, text, colour) in [(0, self.name.as_str(), palette::TEXT), (1, counts.as_str(), palette::RULE)] {
            // The font of pictures has no other signs.
            let text = text.replace('µ', "u").replace('×', "x").replace('…', "...").replace('–', "-");
            let letters = text.chars().count() as u32;
            let size = if 12 * letters <= width { 2 } else { 1 };
            let text: String = text.chars().take((width / (6 * size)) as usize).collect();
            picture.draw_text(left as i32, (top + 4 + 20 * row) as i32, size, &text, colour);
        }
    }
}

/// Paints a trace whose texels have a side of so many pixels.
fn paint_trace(picture: &mut Picture, trace: &Trace, side: f32) {
    let Some(seen) = trace.seen else { return };
    let least = if trace.is_sparse() { DOT_PX } else { 1 };
    let span = |at: u32, end: u32| {
        let (from, to) = ((at as f32 * side).round() as i32, ((at + 1) as f32 * side).round() as i32);
        let grown = (least - (to - from)).max(0);
        let from = (from - grown / 2).clamp(0, end as i32);
        from as usize..(from + (to - from).max(least)).clamp(0, end as i32) as usize
    };
    for y in seen.top..seen.bottom {
        for x in seen.left..seen.right {
            let value = trace.values[(y * trace.size[0] + x) as usize];
            if value == 0 {
                continue;
            }
            let columns = span(x, picture.width);
            for row in span(y, picture.height) {
                let start = row * picture.width as usize;
                picture.pixels[start + columns.start..start + columns.end].fill(index(value));
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::BufReader;
    use throng_grid::{Grid, Lattice};
    use throng_plan::{Outcome, Status};

    fn race(names: &[&str]) -> Race {
        let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
        (0..25).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
        let ground = Arc::new(Ground::new(grid.into(), 0.4).unwrap());
        let trip = (ground.lattice().cell(4, 4), ground.lattice().cell(35, 4));
        let query = Query::new(trip.0, trip.1);
        let pane = |name: &&str| {
            let planner: PlannerChoice = name.parse().unwrap();
            let built = planner.build(&ground).unwrap();
            let mut rerun = Rerun::default();
            let (_, end) = rerun.improvements(&*built, &ground, &query).unwrap().unwrap();
            let trace = super::super::rerun::trace(&*built, &ground, &rerun.scratch, None);
            let found = Found {
                outcome: Outcome { status: Status::Found, cost: 1, bound: 1.0, expanded: end },
                memory: Some(0),
                time: Duration::from_micros(end),
                first: None,
                tables: None,
                length: 47.0,
                route: vec![ground.lattice().centre(trip.0), ground.lattice().centre(trip.1)],
                improvements: Vec::new(),
                end,
                clusters: Vec::new(),
                trace,
            };
            FilmPane { planner, time: found.time, result: Ok(Box::new(found)) }
        };
        let panes = names.iter().map(pane).collect();
        Race { ground, trip, panes, playback: Playback::default() }
    }

    #[test]
    fn a_race_is_a_gif_of_as_many_pictures_as_its_pace_asks() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("race.gif");
        let race = race(&["dijkstra", "astar", "jps", "hpa", "flow-field"]);
        let last = race.panes.iter().map(|pane| pane.result.as_ref().unwrap().end).max().unwrap();
        let expected = frames(&race.playback, last) + 1;
        let progress = Progress::default();
        assert_eq!(write(&race, &path, &progress), Ok(true));
        let mut options = gif::DecodeOptions::new();
        options.set_color_output(gif::ColorOutput::Indexed);
        let mut decoder = options.read_info(BufReader::new(std::fs::File::open(&path).unwrap())).unwrap();
        let (mut count, mut changed, mut first) = (0, 0, Vec::new());
        while let Some(frame) = decoder.read_next_frame().unwrap() {
            assert_eq!(frame.delay, if count == expected - 1 { LAST_FRAME_DELAY_CS } else { FRAME_DELAY_CS });
            if count == 0 {
                first = frame.buffer.to_vec();
            }
            changed += u64::from(!frame.buffer.is_empty());
            count += 1;
        }
        assert_eq!((count, progress.done.into_inner() as u64), (expected, expected));
        assert!(count > 60 && changed > 60, "{count} pictures, {changed} with a change");
        assert!(first.contains(&palette::START) && first.contains(&palette::TEXT));
        // Given up it leaves nothing.
        let other = folder.path().join("other.gif");
        let progress = Progress { ends: AtomicBool::new(true), ..Progress::default() };
        assert_eq!(write(&race, &other, &progress), Ok(false));
        assert!(!other.exists());
    }
}
