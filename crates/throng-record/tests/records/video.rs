//! Raw video: its header, its frames, its colours, and that a stream gets it as it comes.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::io::{self, Write};
use std::sync::{Arc, Mutex};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_record::{ColourTable, Film, RenderOptions, Sink, Theme, palette};
use throng_sim::world::{ArmyCount, ArmyId, Frame, SquadId, UnitId};

fn grid() -> Grid {
    Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap())
}

/// A row of ten that goes to the right.
fn state(tick: u64) -> Frame {
    let count = 10;
    Frame {
        tick,
        time: tick as f64 * 0.05,
        id: (0..count).collect(),
        position: (0..count).map(|i| Vec2::new(10.0 + 0.05 * tick as f32, 15.0 + i as f32)).collect(),
        heading: vec![Vec2::X; count as usize],
        radius: vec![0.4; count as usize],
        army: vec![ArmyId(0); count as usize],
        unit: vec![UnitId(0); count as usize],
        squad: vec![Some(SquadId(0)); count as usize],
        armies: vec![ArmyCount { name: "red".into(), alive: count, ..ArmyCount::default() }],
        ..Frame::default()
    }
}

/// What a stream has got so far.
#[derive(Clone, Default)]
struct Got(Arc<Mutex<Vec<u8>>>);

impl Write for Got {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().extend(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The fields of the header of a video, its width and height, and its frames.
fn parsed(bytes: &[u8]) -> (Vec<String>, usize, usize, Vec<&[u8]>) {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap();
    let fields: Vec<String> = std::str::from_utf8(&bytes[..end]).unwrap().split(' ').map(str::to_owned).collect();
    let side = |at: usize, letter: char| fields[at].strip_prefix(letter).unwrap().parse::<usize>().unwrap();
    let (width, height) = (side(1, 'W'), side(2, 'H'));
    let frames = bytes[end + 1..].chunks(6 + width * height * 3 / 2);
    let frames = frames.map(|frame| frame.strip_prefix(b"FRAME\n").unwrap()).collect();
    (fields, width, height, frames)
}

fn video(options: RenderOptions, delay: u16, whole: bool, states: u64) -> Vec<u8> {
    let got = Got::default();
    let film = Film::stream(got.clone(), &grid(), options).with_delay(delay);
    let mut film = if whole { film.whole() } else { film };
    (0..states).for_each(|tick| film.frame(&state(tick)).unwrap());
    Box::new(film).finish().unwrap();
    got.0.lock().unwrap().clone()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]
    #[test]
    fn a_video_has_the_frames_and_the_size_that_it_says(
        longest in 16_u32..90, delay in 2_u16..40, whole: bool, states in 0_u64..130, theme in 0..3_usize, legend: bool,
    ) {
        let theme = [Theme::Battle, Theme::Plan, Theme::Dark][theme];
        let bytes = video(RenderOptions { theme, legend, ..RenderOptions::new(longest) }, delay, whole, states);
        let (fields, width, height, frames) = parsed(&bytes);
        prop_assert_eq!(&fields[0], "YUV4MPEG2");
        prop_assert_eq!((width % 2, height % 2), (0, 0));
        let (over, under) = fields[3].strip_prefix('F').unwrap().split_once(':').unwrap();
        let rate = over.parse::<f64>().unwrap() / under.parse::<f64>().unwrap();
        prop_assert!((rate - 100.0 / f64::from(delay)).abs() < 1e-9);
        prop_assert_eq!(&fields[4..], &["Ip", "A1:1", "C420jpeg", "XCOLORRANGE=LIMITED"]);
        prop_assert!(frames.iter().all(|frame| frame.len() == width * height * 3 / 2));
        // Of a whole film every state, the last for two seconds and a half.
        let held = usize::from(250_u16.div_ceil(delay));
        let moving = if whole { states.saturating_sub(1) } else if states > 100 { states.div_ceil(2) } else { states.min(99) };
        prop_assert_eq!(frames.len(), moving as usize + held);
        prop_assert!(frames[moving as usize..].windows(2).all(|pair| pair[0] == pair[1]));
    }
}

#[test]
fn colours_are_those_of_the_picture() {
    let options = RenderOptions { theme: Theme::Dark, ..RenderOptions::new(300) };
    let bytes = video(options, 8, false, 3);
    let (_, width, height, frames) = parsed(&bytes);
    // The corner of the caption, by the equations of ITU-R BT.601.
    let [r, g, b] = ColourTable::of(Theme::Dark).rgb(palette::BAR).map(f64::from);
    let luma = 16.0 + (65.481 * r + 128.553 * g + 24.966 * b) / 255.0;
    let blue = 128.0 + (-37.797 * r - 74.203 * g + 112.0 * b) / 255.0;
    let red = 128.0 + (112.0 * r - 93.786 * g - 18.214 * b) / 255.0;
    let last = frames[0];
    let (pixels, quarter) = (width * height, width * height / 4);
    for (found, expected) in [(last[pixels - 1], luma), (last[pixels + quarter - 1], blue), (last[last.len() - 1], red)]
    {
        assert!((f64::from(found) - expected).abs() <= 1.0, "{found} for {expected}");
    }
}

#[test]
fn a_file_holds_what_a_stream_gets_for_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    for theme in [Theme::Battle, Theme::Plan] {
        for whole in [false, true] {
            let options = RenderOptions { theme, ..RenderOptions::new(120) };
            let with_threads = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| video(options, 8, whole, 70))
            };
            let streamed = with_threads(1);
            assert!(streamed == with_threads(3), "{theme:?}");
            let film = Film::with_options(folder.path().join("a.Y4M"), &grid(), options);
            let mut film = if whole { film.whole() } else { film };
            (0..70).for_each(|tick| film.frame(&state(tick)).unwrap());
            assert!(std::fs::read(Box::new(film).finish().unwrap()).unwrap() == streamed, "{theme:?}");
        }
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1);
}

#[test]
fn a_stream_gets_frames_as_they_come() {
    for theme in [Theme::Battle, Theme::Plan] {
        let got = Got::default();
        let options = RenderOptions { theme, ..RenderOptions::new(60) };
        let mut film = Film::stream(got.clone(), &grid(), options).whole();
        let mut most = 0;
        for tick in 0..300 {
            film.frame(&state(tick)).unwrap();
            let bytes = got.0.lock().unwrap();
            let come = if bytes.is_empty() { 0 } else { parsed(&bytes).3.len() };
            most = most.max(tick as usize - come);
        }
        assert!(most <= 64, "{theme:?}: {most} frames are kept back");
    }
}

/// A pipe that nobody reads.
struct Gone;

impl Write for Gone {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(io::ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_stream_that_is_closed_and_a_folder_that_is_not_there_are_errors() {
    let mut film = Film::stream(Gone, &grid(), RenderOptions::new(60)).whole();
    let error = (0..100).find_map(|tick| film.frame(&state(tick)).err()).unwrap();
    assert_eq!(error.to_string(), "-: cannot be written: broken pipe");
    let film = Film::with_options("no/folder/a.y4m", &grid(), RenderOptions::new(60));
    let error = Box::new(film).finish().unwrap_err().to_string();
    assert!(error.starts_with("no/folder/a.y4m: cannot be written: "), "{error}");
}
