//! The content of the pictures of a run.

use super::CliError;
use super::numbers::{number, positive};
use clap::{Args, ValueEnum};
use std::path::{Path, PathBuf};
use throng::geom::Vec2;
use throng::grid::Grid;
use throng::record::{Film, Framing, MeasurementArea, Overlays, RenderOptions, Still, Theme, UnknownTheme};
use throng::scenario::Scenario;

/// Longest side (pixels) of the animation.
const FILM_SIDE: u32 = 768;

/// Longest side (pixels) of the picture.
const STILL_SIDE: u32 = 1024;

/// Most remaining routes that are drawn.
pub(super) const MAX_ROUTES: usize = 60;

#[derive(Args, Debug)]
#[command(next_help_heading = "Pictures")]
pub(super) struct PictureArgs {
    /// Write no pictures: the figures only, for timing
    #[arg(long, conflicts_with_all = ["film", "camera", "size", "overlay", "theme", "no_legend", "film_every", "fps"])]
    no_pictures: bool,
    /// Format of the animation; y4m is raw video, some 1 MB a frame, for an encoder as ffmpeg
    #[arg(long, value_name = "FORMAT", default_value = "gif")]
    film: FilmFormat,
    #[command(flatten)]
    options: RenderArgs,
}

/// Options of pictures.
#[derive(Args, Debug)]
#[command(next_help_heading = "Pictures")]
pub(super) struct RenderArgs {
    /// Show a part of the map: its middle and its width in metres, and its height where that is not three quarters of the
    /// width; all of it, map; or what goes on where the fighting is hottest, auto [default: the ground that the armies used;
    /// of a plan, all of the map]
    #[arg(long, value_name = "X,Y,WIDTH[,HEIGHT]|map|auto", value_parser = framing, allow_negative_numbers = true)]
    camera: Option<Framing>,
    /// Longer side of the visible part of the map; a battle has at most 40 pixels a metre
    /// [default: 768 for the animation, 1024 for the picture]
    #[arg(long, value_name = "PIXELS", value_parser = size, allow_negative_numbers = true)]
    size: Option<u32>,
    /// Draw over the map how crowded it is, which ways are still to go, how many of each army live
    #[arg(long, value_name = "WHAT,...", value_delimiter = ',')]
    overlay: Vec<Overlay>,
    /// How the pictures look: a battle as one sees it, the same with the floor plan of a building, a plan on light ground, or a plan
    /// on dark ground [default: battle, or that of the scenario]
    #[arg(long, value_name = "THEME", value_parser = theme)]
    theme: Option<Theme>,
    /// Leave out the time, the armies and the scale bar below the map
    #[arg(long)]
    no_legend: bool,
    /// A frame every N ticks, however many that makes; it plays as fast as it happened, unless --fps is given
    /// [default: 100 frames at most, spread over the run, and 5 MB; 20 MB with --camera auto, 2 MB of a plan]
    #[arg(long, value_name = "N", value_parser = positive, allow_negative_numbers = true)]
    film_every: Option<u64>,
    /// Frames a second of the animation [default: 12.5]
    #[arg(long, value_name = "F", value_parser = |text: &str| number(text, 0.1, 50.0),
        allow_negative_numbers = true)]
    fps: Option<f32>,
}

/// A format of animations; its name is the ending of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum FilmFormat {
    Gif,
    Apng,
    Y4m,
}

impl FilmFormat {
    fn ending(self) -> &'static str {
        match self {
            Self::Gif => "gif",
            Self::Apng => "apng",
            Self::Y4m => "y4m",
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Overlay {
    Density,
    Routes,
    Strength,
}

/// The pictures of a run: an animation and a picture of its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pictures {
    film: FilmFormat,
    size: Option<u32>,
    framing: Framing,
    legend: bool,
    overlays: Overlays,
    theme: Theme,
    every: Option<u64>,
    fps: Option<f32>,
}

impl Default for Pictures {
    fn default() -> Self {
        let (overlays, theme, film) = (Overlays::default(), Theme::default(), FilmFormat::Gif);
        Self { film, size: None, framing: Framing::default(), legend: true, overlays, theme, every: None, fps: None }
    }
}

impl Pictures {
    /// All as usual, but for their look.
    pub(super) fn of(theme: Theme) -> Self {
        Self { theme, ..Self::default() }
    }
}

impl PictureArgs {
    /// `None` where none are wanted. `usual` is the theme where none is named.
    pub(super) fn pictures(&self, usual: Theme) -> Option<Pictures> {
        (!self.no_pictures).then(|| Pictures { film: self.film, ..self.options.pictures(usual) })
    }
}

impl RenderArgs {
    /// The theme that is asked for.
    #[cfg(feature = "viewer")]
    pub(super) fn theme(&self) -> Option<Theme> {
        self.theme
    }

    /// A GIF and a PNG with these options. `usual` is the theme where none is named.
    pub(super) fn pictures(&self, usual: Theme) -> Pictures {
        let has = |overlay| self.overlay.contains(&overlay);
        Pictures {
            film: FilmFormat::Gif,
            size: self.size,
            framing: self.camera.unwrap_or_default(),
            legend: !self.no_legend,
            overlays: Overlays {
                density: has(Overlay::Density),
                routes: has(Overlay::Routes),
                strength: has(Overlay::Strength),
            },
            theme: self.theme.unwrap_or(usual),
            every: self.film_every,
            fps: self.fps,
        }
    }
}

impl Pictures {
    /// Endings of the files.
    pub(super) fn endings(&self) -> [&'static str; 2] {
        [self.film.ending(), "png"]
    }

    /// Every so many ticks the animation has a frame, where that is said.
    pub(super) fn every(&self) -> Option<u64> {
        self.every
    }

    /// Whether the animation is painted before it has been shown all of the run, and looks better if it knows that.
    pub(super) fn look_ahead(&self) -> bool {
        self.every.is_some() && !self.theme.is_plan()
    }

    /// Whether the frames must have remaining routes.
    pub(super) fn wants_routes(&self) -> bool {
        self.overlays.routes
    }

    /// The same on an open plain whose corner has coordinates of its own (m).
    #[must_use]
    pub(super) fn on_plain(mut self, [x, y]: [f64; 2]) -> Self {
        if let Framing::Area(area) = &mut self.framing {
            area.centre -= Vec2::new(x as f32, y as f32);
        }
        self
    }

    /// Says before the run whether there is anything to be seen.
    pub(super) fn check(&self, grid: &Grid) -> Result<(), CliError> {
        match self.framing {
            Framing::Area(area) => check_sees(area, "--camera", grid, [0.0; 2]),
            _ => Ok(()),
        }
    }

    fn options(&self, side: u32) -> RenderOptions {
        let Self { framing, legend, overlays, theme, .. } = *self;
        RenderOptions { longest: self.size.unwrap_or(side), framing, legend, overlays, theme }
    }

    /// The animation, and that it is shown every so many ticks of `step` seconds.
    pub(super) fn film(&self, path: PathBuf, grid: &Grid, step: f32) -> (u64, Film) {
        self.timed(Film::with_options(path, grid, self.options(FILM_SIDE)), step)
    }

    /// The same as raw video on standard output.
    pub(super) fn streamed(&self, grid: &Grid, step: f32) -> (u64, Film) {
        self.timed(Film::stream(std::io::stdout(), grid, self.options(FILM_SIDE)), step)
    }

    fn timed(&self, film: Film, step: f32) -> (u64, Film) {
        let delay = |seconds: f32| (seconds * 100.0).round().clamp(2.0, 1000.0) as u16;
        let film = match (self.fps, self.every) {
            (Some(fps), _) => film.with_delay(delay(1.0 / fps)),
            (None, Some(every)) => film.with_delay(delay(step * every as f32)),
            (None, None) => film,
        };
        match self.every {
            Some(every) => (every, film.whole()),
            None => (1, film),
        }
    }

    pub(super) fn still(&self, path: &Path, grid: &Grid) -> Still {
        Still::with_options(path, grid, self.options(STILL_SIDE))
    }

    /// The picture beside an animation that is shown every tick, too.
    pub(super) fn still_of(&self, film: &Film, path: &Path, grid: &Grid) -> Still {
        film.still(path, grid, self.options(STILL_SIDE))
    }
}

fn framing(text: &str) -> Result<Framing, String> {
    match text.trim() {
        "map" => Ok(Framing::Map),
        "auto" => Ok(Framing::Fighting),
        text => view(text).map(Framing::Area).map_err(|expected| format!("{expected}; or map; or auto")),
    }
}

/// Middle and width in metres, three quarters as high.
fn view(text: &str) -> Result<MeasurementArea, String> {
    match numbers(text).as_deref() {
        Some(&[x, y, width]) if fits(width) => Ok(MeasurementArea::wide(Vec2::new(x, y), width)),
        Some(&[x, y, width, height]) if fits(width) && fits(height) => {
            Ok(MeasurementArea { centre: Vec2::new(x, y), width, height })
        }
        _ => Err("expected X,Y,WIDTH or X,Y,WIDTH,HEIGHT in metres, at least 0.1 wide, as in 192,100,60".into()),
    }
}

/// Middle, width and height in metres.
pub(super) fn measurement_area(text: &str) -> Result<MeasurementArea, String> {
    let four = numbers(text).is_some_and(|numbers| numbers.len() == 4);
    let expected = "expected X,Y,WIDTH,HEIGHT in metres, at least 0.1 wide and high, as in 20,5,4,2";
    view(text).ok().filter(|_| four).ok_or_else(|| expected.into())
}

/// Says whether an area shares ground with a map whose corner lies at `origin` (m).
pub(super) fn check_sees(
    area: MeasurementArea,
    option: &'static str,
    grid: &Grid,
    origin: [f64; 2],
) -> Result<(), CliError> {
    let corner = Vec2::new(origin[0] as f32, origin[1] as f32);
    let (half, end) = (Vec2::new(area.width, area.height) * 0.5, corner + grid.lattice().size());
    let sees = (area.centre + half).cmpgt(corner).all() && (area.centre - half).cmplt(end).all();
    let ([left, top], [right, bottom]) = (corner.to_array(), end.to_array());
    if sees { Ok(()) } else { Err(CliError::OffSight { option, left, top, right, bottom }) }
}

fn numbers(text: &str) -> Option<Vec<f32>> {
    let numbers = text.split(',').map(|number| number.trim().parse().ok().filter(|number: &f32| number.abs() <= 1e6));
    numbers.collect()
}

fn fits(metres: f32) -> bool {
    (0.1..=1e6).contains(&metres)
}

pub(super) fn theme(text: &str) -> Result<Theme, String> {
    text.parse().map_err(|error: UnknownTheme| error.to_string())
}

/// The theme of a scenario.
pub(super) fn theme_of(scenario: &Scenario) -> Theme {
    scenario.theme.as_deref().and_then(|name| name.parse().ok()).unwrap_or_default()
}

fn size(text: &str) -> Result<u32, String> {
    match text.parse() {
        Ok(size @ 16..=8192) => Ok(size),
        _ => Err("expected a whole number from 16 to 8192".into()),
    }
}
