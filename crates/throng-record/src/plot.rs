//! A run as a drawing of curves.

use super::pace::{Pace, mean};
use super::samples::Samples;
use super::{RecordError, Sink, palette};
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;
use throng_sim::world::{ArmyCount, Frame};

/// Width and height (pixels).
const SIZE_PX: (u32, u32) = (960, 720);

/// Height of the upper of the two charts, with the title (pixels).
const UPPER_HEIGHT_PX: i32 = 430;

/// Points of a curve at most.
const MAX_SAMPLES: usize = 400;

const TEXT_COLOUR: RGBColor = RGBColor(50, 50, 50);
const GRID_COLOUR: RGBColor = RGBColor(225, 225, 225);
const ALL_COLOUR: RGBColor = RGBColor(130, 130, 130);

/// Curves of a run over time as SVG: how many of each army live, how many agents there are in all, and their mean speed.
///
/// The colours of the armies are those of the pictures. Of long runs only some times are drawn, spread evenly.
///
/// ```
/// use throng_record::{Plot, Sink};
/// use throng_sim::world::{ArmyCount, Frame};
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.svg");
/// let mut plot = Plot::create(&path)?;
/// for tick in 0..10 {
///     let armies = vec![ArmyCount { name: "red".into(), alive: 10 - tick, dead: tick, ..ArmyCount::default() }];
///     plot.frame(&Frame { time: f64::from(tick), armies, ..Frame::default() })?;
/// }
/// Box::new(plot).finish()?;
/// assert!(std::fs::read_to_string(path)?.starts_with("<svg"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Plot {
    out: WholeFile,
    path: PathBuf,
    armies: Vec<ArmyCount>,
    pace: Pace,
    /// All agents, their mean speed (m/s), then the living of each army.
    samples: Samples,
}

impl Plot {
    /// Starts a plot.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made.
    pub fn create(path: impl AsRef<Path>) -> Result<Self, RecordError> {
        Self::create_at(path.as_ref())
    }

    fn create_at(path: &Path) -> Result<Self, RecordError> {
        let path = path.to_path_buf();
        let out = WholeFile::create(&path).map_err(RecordError::write(&path))?;
        let (armies, pace, samples) = (Vec::new(), Pace::default(), Samples::new(MAX_SAMPLES));
        Ok(Self { out, path, armies, pace, samples })
    }

    fn draw(&self, svg: &mut String) -> Result<(), Failure> {
        let area = SVGBackend::with_string(svg, SIZE_PX).into_drawing_area();
        area.fill(&WHITE)?;
        let (upper, lower) = area.split_vertically(UPPER_HEIGHT_PX);
        upper.draw_text("Agents over time", &text(24), (20, 28))?;
        let colour = |army: usize| {
            let at = 3 * usize::from(palette::army(army as u32));
            let [r, g, b] = [0, 1, 2].map(|part| palette::palette()[at + part]);
            RGBColor(r, g, b)
        };
        let mut curves: Vec<(String, RGBColor, u32, usize)> = Vec::new();
        if self.armies.len() != 1 {
            curves.push(("all".into(), ALL_COLOUR, 1, AGENTS));
        }
        for (army, count) in self.armies.iter().enumerate() {
            curves.push((count.name.clone(), colour(army), 2, FIRST_ARMY + army));
        }
        let (start, end) = self.samples.span();
        let times = start..end.max(start + 1e-3);
        let most = self.samples.most(AGENTS..AGENTS + 1).max(self.samples.most(FIRST_ARMY..self.samples.columns()));
        self.curves(&upper, 78, times.clone(), most.max(1.0) * 1.05, "agents", &curves)?;
        let fastest = self.samples.most(SPEED..SPEED + 1).max(0.1) * 1.05;
        self.curves(&lower, 36, times, fastest, "m/s", &[("mean speed".into(), TEXT_COLOUR, 2, SPEED)])?;
        area.present()
    }

    /// Draws some curves with their names above them.
    fn curves(
        &self,
        area: &DrawingArea<SVGBackend, Shift>,
        head: i32,
        times: std::ops::Range<f64>,
        most: f64,
        unit: &str,
        curves: &[(String, RGBColor, u32, usize)],
    ) -> Result<(), Failure> {
        area.draw_text(unit, &text(16), (24, head - 16))?;
        let mut x = 90;
        for (name, colour, _, _) in curves {
            area.draw(&PathElement::new([(x, head - 16), (x + 24, head - 16)], colour.stroke_width(3)))?;
            area.draw_text(name, &text(16), (x + 32, head - 16))?;
            // Letters are 9 pixels wide at most, about.
            x += 32 + 9 * name.chars().count() as i32 + 24;
        }
        let is_whole = most >= 20.0;
        let mut chart = ChartBuilder::on(area)
            .margin(14)
            .margin_top(head)
            .margin_right(30)
            .x_label_area_size(46)
            .y_label_area_size(70)
            .build_cartesian_2d(times, 0.0..most)?;
        chart
            .configure_mesh()
            .label_style(font(16))
            .axis_desc_style(font(16))
            .axis_style(TEXT_COLOUR)
            .bold_line_style(GRID_COLOUR)
            .light_line_style(WHITE)
            .x_label_formatter(&|time| format!("{time:.0}"))
            .y_label_formatter(&|number| if is_whole { format!("{number:.0}") } else { format!("{number:.1}") })
            .x_desc("seconds")
            .draw()?;
        for &(_, colour, width, column) in curves {
            let points: Vec<_> = self.samples.curve(column).filter(|(_, value)| !value.is_nan()).collect();
            // Piece by piece: some programs fill a line of more pieces.
            chart.draw_series(points.windows(2).map(|piece| PathElement::new(piece, colour.stroke_width(width))))?;
        }
        Ok(())
    }
}

const AGENTS: usize = 0;
const SPEED: usize = 1;
const FIRST_ARMY: usize = 2;

type Failure = DrawingAreaErrorKind<std::io::Error>;

fn font(size: i32) -> TextStyle<'static> {
    ("sans-serif", size).into_font().color(&TEXT_COLOUR)
}

fn text(size: i32) -> TextStyle<'static> {
    font(size).pos(Pos::new(HPos::Left, VPos::Center))
}

impl Sink for Plot {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        if self.armies.is_empty() {
            self.armies.clone_from(&frame.armies);
        }
        let speed = mean(self.pace.step(frame).iter().copied());
        let whole = [frame.id.len() as f64, speed.unwrap_or(f64::NAN)];
        let armies =
            (0..self.armies.len()).map(|army| frame.armies.get(army).map_or(0.0, |army| f64::from(army.alive)));
        self.samples.push(frame.time, whole.into_iter().chain(armies));
        Ok(())
    }

    fn finish(self: Box<Self>) -> Result<PathBuf, RecordError> {
        let mut svg = String::new();
        let drawn = self.draw(&mut svg).map_err(|error| std::io::Error::other(error.to_string()));
        let Self { mut out, path, .. } = *self;
        let attempt = || {
            drawn?;
            out.write_all(svg.as_bytes())?;
            out.finish()
        };
        attempt().map_err(RecordError::write(&path))?;
        Ok(path)
    }
}
