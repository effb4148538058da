//! `throng replay`: a recording, in a window or as other files.

use super::command_log;
use super::file_kind::{self, FileKind, Wanted};
use super::numbers::{number, positive};
use super::output::{
    JsonArgs, check_file, check_folder, check_not_read, grouped, is_closed, is_json, note, note_closed, note_loss,
    result, say, tell,
};
use super::picture_sink::PictureSink;
use super::pictures::{Pictures, RenderArgs};
use super::progress::{Progress, busy};
use super::stop::Stop;
use super::{CliError, Ended};
use clap::{Args, ValueEnum};
use serde::Serialize;
use std::path::{Path, PathBuf};
#[cfg(feature = "sqlite")]
use throng::record::Trajectories;
use throng::record::{Ending, Film, RecordError, Recording, RecordingError, Sink, Statistics, Theme, TrajectoryText};
use throng::world::{Frame, seconds};

/// The name of standard output among files.
const STANDARD_OUTPUT: &str = "-";

#[derive(Args, Debug)]
#[command(after_help = "\
In the window: space stops and goes on, . and , go one frame on and back, + and - change the speed, and the line at the \
bottom leads to any moment: click on it or drag. Where no window can be opened, it says why and writes a GIF and a PNG.

Examples:
  throng run examples/siege.toml --record siege.throng
  throng replay siege.throng
  throng replay siege.throng --info
  throng replay siege.throng --to sqlite --every 5
  throng replay siege.throng --to gif,png --from 20 --until 35 --out pictures
  throng replay siege.throng --to apng --camera 192,100,60 --film-every 2
  throng replay siege.throng --to y4m --film-every 2 --out - | ffmpeg -i - siege.mp4
  throng replay fault.commands --info")]
pub(super) struct ReplayArgs {
    /// A recording (.throng), or a log of the commands that a program gave a world: those are done again, and the places compared
    file: PathBuf,
    /// Write files instead of opening a window: sqlite and txt hold trajectories, csv figures over time, y4m raw video
    #[arg(long, value_name = "FORMAT,...", value_delimiter = ',', conflicts_with = "info")]
    to: Vec<Format>,
    /// List its content instead; reads all of it
    #[arg(long)]
    info: bool,
    /// Begin at this simulated time (s)
    #[arg(long, value_name = "S", value_parser = |text: &str| number(text, 0.0, 1e9), allow_negative_numbers = true)]
    from: Option<f32>,
    /// End at this simulated time (s)
    #[arg(long, value_name = "S", value_parser = |text: &str| number(text, 0.0, 1e9), allow_negative_numbers = true)]
    until: Option<f32>,
    /// For sqlite, txt and csv: every n-th tick [default: all that were recorded]
    #[arg(long, value_name = "N", value_parser = positive, requires = "to", allow_negative_numbers = true)]
    every: Option<u64>,
    /// Folder for the files, as NAME.FORMAT; or the file, where there is one format; with --to y4m - is standard output
    #[arg(long, value_name = "PATH", default_value = "out")]
    out: PathBuf,
    /// Of a log of commands: keep the world at its end, or at --until, to go on from
    #[arg(long, value_name = "FILE", conflicts_with_all = ["to", "from"])]
    snapshot: Option<PathBuf>,
    #[command(flatten)]
    look: RenderArgs,
    #[command(flatten)]
    json: JsonArgs,
    #[cfg(feature = "viewer")]
    #[command(flatten)]
    window: super::view::WindowArgs,
}

/// The form that a recording is turned into; its name is the ending of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Format {
    Sqlite,
    Txt,
    Csv,
    Gif,
    Apng,
    Y4m,
    Png,
}

impl Format {
    fn ending(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Txt => "txt",
            Self::Csv => "csv",
            Self::Gif => "gif",
            Self::Apng => "apng",
            Self::Y4m => "y4m",
            Self::Png => "png",
        }
    }
}

pub(super) fn replay(args: &ReplayArgs) -> Result<Ended, CliError> {
    args.json.speak();
    file_kind::check(&args.file, Wanted::Recording)?;
    if file_kind::of(&args.file) == Some(FileKind::Commands) {
        if !args.to.is_empty() || args.from.is_some() {
            return Err(CliError::NoFramesOfCommands { file: args.file.clone() });
        }
        return command_log::replay(&args.file, args.until, args.info, args.snapshot.as_deref());
    }
    if args.snapshot.is_some() {
        return Err(CliError::NoWorld { file: args.file.clone() });
    }
    let mut recording = Recording::open(&args.file)?;
    if *recording.ending() != Ending::Proper {
        let (file, frames) = (args.file.display(), grouped(recording.frames() as u64));
        tell("warning", &format!("{file}: {}; {frames} frames can be read", recording.ending()));
    }
    if recording.frames() == 0 {
        return Err(CliError::NoFrames { file: args.file.clone() });
    }
    if args.info {
        return info(recording, &args.file);
    }
    if args.to.is_empty() {
        return show(recording, args);
    }
    write(&mut recording, &args.to, args)
}

/// The first and the last frame that are wanted.
fn span(recording: &Recording, args: &ReplayArgs) -> Result<(usize, usize), CliError> {
    let last_of_all = recording.frames() - 1;
    let first = args.from.map_or(0, |from| {
        let frame = recording.frame_at(from.into());
        // A time as it was typed is a little before or after that of a tick.
        if recording.time(frame) < f64::from(from) - 1e-6 { frame + 1 } else { frame }
    });
    let last = args.until.map_or(last_of_all, |until| recording.frame_at(f64::from(until) + 1e-6));
    if first > last {
        let seconds = recording.time(last_of_all);
        return Err(CliError::NothingThen { file: args.file.clone(), seconds });
    }
    Ok((first, last))
}

/// Shows the frames to sinks.
fn write(recording: &mut Recording, formats: &[Format], args: &ReplayArgs) -> Result<Ended, CliError> {
    let (first, last) = span(recording, args)?;
    let recorded = recording.about().every;
    let every = args.every.unwrap_or(recorded);
    if !every.is_multiple_of(recorded) {
        return Err(CliError::NotRecorded { file: args.file.clone(), option: "--every", every, recorded });
    }
    let pictures = args.look.pictures(Theme::default());
    if let Some(every) = pictures.every().filter(|every| !every.is_multiple_of(recorded)) {
        return Err(CliError::NotRecorded { file: args.file.clone(), option: "--film-every", every, recorded });
    }
    if pictures.wants_routes() {
        return Err(CliError::NoRoutes { file: args.file.clone() });
    }
    let is_streamed = args.out == Path::new(STANDARD_OUTPUT);
    if is_streamed && (formats != [Format::Y4m] || is_json()) {
        return Err(CliError::Streamed);
    }
    if is_streamed && is_closed() {
        note_closed();
        return Ok(Ended::Well);
    }
    let files = if is_streamed { vec![args.out.clone()] } else { files(formats, args)? };
    let mut sinks = Vec::new();
    for (&format, file) in formats.iter().zip(&files) {
        sinks.push(sink(recording, format, file, every, pictures, &args.file, [first, last])?);
    }
    let stop = Stop::watch("what is written");
    let mut progress = Progress::new("frame", (last - first + 1) as u64);
    let mut frame = Frame::default();
    let mut one = |number: usize, recording: &mut Recording| -> Result<(), CliError> {
        if number == first { recording.moment(number, &mut frame) } else { recording.frame(number, &mut frame) }?;
        let mut due = sinks.iter_mut().filter(|(every, _)| frame.tick.is_multiple_of(*every));
        due.try_for_each(|(_, sink)| sink.frame(&frame))?;
        progress.show((number - first + 1) as u64, || format!("tick {}", grouped(frame.tick)));
        Ok(())
    };
    let mut ran = (first..=last).take_while(|_| !stop.is_asked()).try_for_each(|number| one(number, recording));
    progress.clear();
    let ended = stop.ended();
    if ended != Ended::Well {
        note(&format!("stopped by {}; writing what there is", stop.name()));
    }
    // Also after an error: the readable part is kept.
    let mut written = Vec::new();
    for (_, sink) in sinks {
        match sink.finish() {
            Ok(path) => written.push(path.display().to_string()),
            Err(error) if ran.is_ok() => ran = Err(error.into()),
            // What a stream does not take has been said.
            Err(_) if is_streamed => {}
            Err(error) => tell("error", &error.to_string()),
        }
    }
    if is_streamed {
        return match ran {
            Err(CliError::Record(RecordError::Write { source, .. })) => {
                note_loss(Err(source));
                Ok(Ended::Well)
            }
            ran => ran.map(|()| ended),
        };
    }
    if !written.is_empty() {
        say(&format!("wrote {}", written.join(", ")));
    }
    result(&serde_json::json!({ "wrote": written }));
    ran.map(|()| ended)
}

/// The file of each format, which can be written and is not the input.
fn files(formats: &[Format], args: &ReplayArgs) -> Result<Vec<PathBuf>, CliError> {
    const OPTION: &str = "--out";
    let is_folder = args.out.is_dir() || args.out.extension().is_none() || formats.len() > 1;
    let name = args.file.file_stem().map_or_else(|| "recording".into(), |stem| stem.to_string_lossy().into_owned());
    let names: Vec<_> = formats.iter().map(|format| format!("{name}.{}", format.ending())).collect();
    let files = if is_folder {
        check_folder(&args.out, &names)?;
        names.iter().map(|name| args.out.join(name)).collect()
    } else {
        check_file(&args.out, OPTION)?;
        vec![args.out.clone()]
    };
    files.iter().try_for_each(|file| check_not_read(file, OPTION, &[&args.file]))?;
    Ok(files)
}

/// The sink that writes a format; it is shown every so many ticks.
fn sink(
    recording: &mut Recording,
    format: Format,
    file: &Path,
    every: u64,
    pictures: Pictures,
    source: &Path,
    span: [usize; 2],
) -> Result<(u64, Box<dyn Sink>), CliError> {
    let about = recording.about().clone();
    let step = about.step;
    if format == Format::Txt {
        return Ok((every, Box::new(TrajectoryText::create(file, step, every, about.origin)?)));
    }
    if format == Format::Csv {
        return Ok((every, Box::new(Statistics::create(file)?)));
    }
    let map = recording.first_map()?.ok_or_else(|| CliError::NoMap { file: source.to_path_buf() })?;
    let pictures = pictures.on_plain(about.origin);
    Ok(match format {
        #[cfg(not(feature = "sqlite"))]
        Format::Sqlite => return Err(throng::record::RecordError::NoSqlite { file: file.to_path_buf() }.into()),
        #[cfg(feature = "sqlite")]
        Format::Sqlite if about.origin != [0.0; 2] => {
            let table = Trajectories::create(file, step, every, about.origin, map.lattice().size())?;
            (every, Box::new(table))
        }
        #[cfg(feature = "sqlite")]
        Format::Sqlite => (every, Box::new(Trajectories::on_map(file, step, every, &map)?)),
        Format::Png => {
            pictures.check(&map)?;
            (1, Box::new(PictureSink::new(file, pictures.still(file, &map))))
        }
        _ => {
            pictures.check(&map)?;
            let is_stream = file == Path::new(STANDARD_OUTPUT);
            let (every, mut film) =
                if is_stream { pictures.streamed(&map, step) } else { pictures.film(file.to_path_buf(), &map, step) };
            if pictures.look_ahead() {
                busy("looking ahead", || preview(recording, &mut film, span));
            }
            if is_stream {
                // It is all that is wanted: nothing else is lost with it.
                (every, Box::new(film))
            } else {
                (every, Box::new(PictureSink::new(file, film)))
            }
        }
    })
}

/// Shows a film beforehand what it will be shown, as far as that can be read.
fn preview(recording: &mut Recording, film: &mut Film, [first, last]: [usize; 2]) {
    let mut frame = Frame::default();
    for number in first..=last {
        if recording.frame(number, &mut frame).is_err() {
            return;
        }
        film.preview(&frame);
    }
}

/// The properties of a recording.
#[derive(Serialize)]
struct Info {
    title: String,
    seed: u64,
    program: String,
    /// Length of a tick.
    step_s: f32,
    every: u64,
    frames: usize,
    /// Ticks of the first and of the last frame.
    ticks: [u64; 2],
    /// Simulated time from the first to the last frame.
    seconds: f64,
    /// The most agents of a frame.
    agents: usize,
    armies: Vec<String>,
    map: Option<[u32; 2]>,
    bytes: u64,
    /// Of one agent in one frame, everything included.
    bytes_an_agent_and_frame: f64,
    proper: bool,
    /// How it ends.
    ending: String,
}

fn info(mut recording: Recording, file: &Path) -> Result<Ended, CliError> {
    let frames = recording.frames();
    let mut progress = Progress::new("frame", frames as u64);
    let (mut frame, mut all, mut agents) = (Frame::default(), 0_u64, 0);
    let mut damage: Option<RecordingError> = None;
    for number in 0..frames {
        match recording.frame(number, &mut frame) {
            Ok(()) => (all, agents) = (all + frame.id.len() as u64, agents.max(frame.id.len())),
            Err(error) => damage = damage.or(Some(error)),
        }
        progress.show(number as u64 + 1, String::new);
    }
    progress.clear();
    let about = recording.about().clone();
    let info = Info {
        title: about.title,
        seed: about.seed,
        program: about.program,
        step_s: about.step,
        every: about.every,
        frames,
        ticks: [recording.tick(0), recording.tick(frames - 1)],
        seconds: seconds(recording.tick(frames - 1).saturating_sub(recording.tick(0)), about.step),
        agents,
        armies: frame.armies.iter().map(|army| army.name.clone()).collect(),
        map: frame.grid.as_ref().map(|grid| [grid.lattice().width, grid.lattice().height]),
        bytes: recording.bytes(),
        bytes_an_agent_and_frame: (recording.bytes() as f64 / all.max(1) as f64 * 1e3).round() / 1e3,
        proper: *recording.ending() == Ending::Proper,
        ending: recording.ending().to_string(),
    };
    say(&format!("{}: {}, seed {}, recorded by throng {}", file.display(), info.title, info.seed, info.program));
    let ticks = if info.every == 1 { "every tick".to_owned() } else { format!("every {} ticks", info.every) };
    say(&format!(
        "  {} frames, {ticks} of {} s from tick {} to {}, {:.1} s",
        grouped(frames as u64),
        info.step_s,
        grouped(info.ticks[0]),
        grouped(info.ticks[1]),
        info.seconds
    ));
    let map = info.map.map_or_else(String::new, |[width, height]| format!(", on a map of {width} x {height} cells"));
    let armies = if info.armies.is_empty() { String::new() } else { format!(" of {}", info.armies.join(", ")) };
    say(&format!("  up to {} agents{armies}{map}", grouped(agents as u64)));
    let each = info.bytes_an_agent_and_frame;
    say(&format!("  {} bytes, {each:.2} an agent and frame; {}", grouped(info.bytes), info.ending));
    result(&info);
    damage.map_or(Ok(Ended::Well), |error| Err(error.into()))
}

/// Does its work without a window where it can.
fn headless(reason: &str, recording: &mut Recording, args: &ReplayArgs) -> Result<Ended, CliError> {
    super::output::note(&format!("{reason}; writing a GIF and a PNG, see {}", args.out.display()));
    write(recording, &[Format::Gif, Format::Png], args)
}

/// Shows the recording until the window is closed.
#[cfg(feature = "viewer")]
fn show(mut recording: Recording, args: &ReplayArgs) -> Result<Ended, CliError> {
    use throng::viewer::{Replay, Scene, Window};
    let (first, last) = span(&recording, args)?;
    let mut options = args.window.options(&[&args.file])?;
    let threads = super::numbers::default_threads();
    options.file = Some(args.file.clone());
    options.theme = args.look.theme().map(Into::into);
    options.opener = Some(std::sync::Arc::new(move |path: &std::path::Path| super::open::open(path, threads)));
    options.examples = super::examples::all();
    let about = recording.about().clone();
    let map = recording.first_map()?.ok_or_else(|| CliError::NoMap { file: args.file.clone() })?;
    let window = match Window::open(&format!("throng: {}", about.title)) {
        Ok(window) => window,
        Err(reason) => return headless(&reason.to_string(), &mut recording, args),
    };
    let step = about.step * about.every as f32;
    let replay = Replay::new(recording, first, last)?;
    let scene =
        Scene { title: about.title, grid: map, step, simulation: Box::new(replay), scenario: None, deploys: false };
    let shown = window.show(scene, options).map_err(|error| CliError::View(error.to_string()))?;
    shown.failure.map_or(Ok(Ended::Well), |failure| Err(CliError::View(failure)))
}

#[cfg(not(feature = "viewer"))]
fn show(mut recording: Recording, args: &ReplayArgs) -> Result<Ended, CliError> {
    headless("no window: built without the viewer feature", &mut recording, args)
}
