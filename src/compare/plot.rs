//! Time against length of the route, a colour for each planner.

use super::figures::{Figures, write};
use super::{CompareError, Comparison, Score};
use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::ops::Range;
use std::path::Path;

/// Width and height (pixels).
const SIZE: (u32, u32) = (1180, 680);

/// Width (pixels) of the column with the names.
const LEGEND: u32 = 330;

/// Pixels from one name to the next.
const LINE: usize = 26;

/// The most points on the line of a planner.
const BINS: usize = 12;

/// Colours that people with any kind of colour vision can tell apart: M. Okabe, K. Ito, Color Universal Design, 2008,
/// without the yellow, which is lost on white.
const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

const INK: RGBColor = RGBColor(50, 50, 50);

type Failure = DrawingAreaErrorKind<std::io::Error>;

/// Draws the times (µs) over the lengths of the shortest routes (cells) as SVG, both axes logarithmic: a faint dot for
/// each answer, and for each planner a line through the medians of up to twelve classes of length. Colour and mark tell
/// the planners apart, and after the seventh a thin line; the legend begins with the slowest. Trips of no length are left out.
///
/// # Errors
/// [`CompareError::Plot`] where the plotting library cannot draw.
pub fn plot(comparison: &Comparison, title: &str) -> Result<String, CompareError> {
    let mut svg = String::new();
    draw(comparison, title, &mut svg).map_err(|error| CompareError::Plot { message: error.to_string() })?;
    Ok(svg)
}

/// As [`plot`], into a file that is written whole or not at all.
///
/// # Errors
/// [`CompareError::Write`] where the file cannot be written, [`CompareError::Plot`] where the plotting library cannot
/// draw.
pub fn write_plot(comparison: &Comparison, title: &str, path: impl AsRef<Path>) -> Result<(), CompareError> {
    let svg = plot(comparison, title)?;
    write(path.as_ref(), |out| out.write_all(svg.as_bytes()))
}

fn draw(comparison: &Comparison, title: &str, svg: &mut String) -> Result<(), Failure> {
    let all: Vec<Vec<(f64, f64)>> = comparison.scores.iter().map(|score| points(comparison, score)).collect();
    let drawn = || all.iter().flatten();
    let (lengths, times) = (around(drawn().map(|point| point.0)), around(drawn().map(|point| point.1)));

    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = |size: i32| font(size).pos(Pos::new(HPos::Left, VPos::Center));
    let right = |size: i32| font(size).pos(Pos::new(HPos::Right, VPos::Center));
    let edge = |y: i32| (LEGEND as i32 - 20, y);
    area.draw_text(title, &text(26), (20, 30))?;
    // Above the axis: not every program that shows SVG can turn text.
    area.draw_text("time to plan a route (µs): a dot for each query, lines through the medians", &text(20), (20, 66))?;
    let (left, legend) = area.split_horizontally(SIZE.0 - LEGEND);
    let mut chart = ChartBuilder::on(&left)
        .margin(16)
        .margin_top(90)
        .x_label_area_size(60)
        .y_label_area_size(70)
        .build_cartesian_2d(Decades(lengths), Decades(times))?;
    chart
        .configure_mesh()
        .label_style(font(18))
        .axis_desc_style(font(20))
        .axis_style(INK)
        .bold_line_style(pale(BLACK, 0.18))
        .light_line_style(pale(BLACK, 0.07))
        .x_desc("length of the shortest route (cells)")
        .draw()?;

    for (points, style) in all.iter().zip((0..).map(Style::of)) {
        let faint = pale(style.colour, 0.4).filled();
        chart.draw_series(points.iter().map(|&point| Circle::new(point, 2, faint)))?;
    }
    for (points, style) in all.iter().zip((0..).map(Style::of)) {
        let medians = medians(points);
        // Piece by piece: some programs fill a line of more pieces.
        let pieces = medians.windows(2).map(|piece| PathElement::new(piece, style.colour.stroke_width(style.width)));
        chart.draw_series(pieces)?;
        for median in &medians {
            style.draw_mark(&area, chart.backend_coord(median))?;
        }
    }

    let mut by_time: Vec<usize> = (0..comparison.scores.len()).collect();
    let mean = |&i: &usize| Figures::of(&comparison.scores[i]).mean_us;
    by_time.sort_by(|a, b| mean(b).total_cmp(&mean(a)));
    let line = LINE.min((SIZE.1 as usize - 120) / by_time.len().max(1));
    legend.draw_text("mean of all queries", &right(18), edge(66))?;
    for (row, i) in by_time.into_iter().enumerate() {
        let (y, style) = ((98 + row * line) as i32, Style::of(i));
        legend.draw(&PathElement::new([(4, y), (32, y)], style.colour.stroke_width(style.width)))?;
        style.draw_mark(&legend, (18, y))?;
        legend.draw_text(&comparison.scores[i].planner, &text(18), (42, y))?;
        legend.draw_text(&format!("{} µs", short(mean(&i))), &right(18), edge(y))?;
    }
    area.present()
}

/// The colour on white paper, so much of it. (Not every program that shows SVG can mix.)
fn pale(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |part: u8| (f64::from(part) * share + 255.0 * (1.0 - share)) as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// Length and time of each answer.
fn points(comparison: &Comparison, score: &Score) -> Vec<(f64, f64)> {
    let point = |(trip, answer): &(usize, super::Answer)| {
        let length = *comparison.lengths.get(*trip)?;
        // A clock may be too coarse for a short trip.
        (length > 0.0).then_some((length, (answer.time.as_secs_f64() * 1e6).max(0.01)))
    };
    score.answers.iter().filter_map(point).collect()
}

/// A little more than the range of these numbers.
fn around(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = numbers.fold((f64::MAX, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    if low > high { 1.0..10.0 } else { low / 1.2..high * 1.2 }
}

/// The points in classes of length, each class one point: the geometric mean of its lengths, the median of its times.
fn medians(points: &[(f64, f64)]) -> Vec<(f64, f64)> {
    let range = around(points.iter().map(|point| point.0));
    let width = (range.end / range.start).ln() / BINS as f64;
    let mut bins = vec![Vec::new(); BINS];
    for &(length, time) in points {
        let bin = (length / range.start).ln() / width;
        bins[(bin as usize).min(BINS - 1)].push((time, length));
    }
    bins.retain(|bin| !bin.is_empty());
    let middle = bins.into_iter().map(|mut bin| {
        bin.sort_by(|a, b| a.0.total_cmp(&b.0));
        let mean = bin.iter().map(|(_, length)| length.ln()).sum::<f64>() / bin.len() as f64;
        (mean.exp(), bin[(bin.len() - 1) / 2].0)
    });
    middle.collect()
}

/// How a planner is drawn.
#[derive(Clone, Copy)]
struct Style {
    colour: RGBColor,
    mark: usize,
    /// Width of the line (pixels).
    width: u32,
}

impl Style {
    /// Of the planner in this place: 28 differ.
    fn of(place: usize) -> Self {
        let width = if place < COLOURS.len() { 2 } else { 1 };
        Self { colour: COLOURS[place % COLOURS.len()], mark: place % 4, width }
    }

    /// Draws a disc, a square, a triangle or a diamond.
    fn draw_mark(self, area: &DrawingArea<SVGBackend, Shift>, (x, y): (i32, i32)) -> Result<(), Failure> {
        let fill = self.colour.filled();
        match self.mark {
            0 => area.draw(&Circle::new((x, y), 5, fill)),
            1 => area.draw(&Rectangle::new([(x - 4, y - 4), (x + 4, y + 4)], fill)),
            2 => area.draw(&TriangleMarker::new((x, y), 6, fill)),
            _ => area.draw(&Polygon::new([(x, y - 6), (x + 6, y), (x, y + 6), (x - 6, y)], fill)),
        }
    }
}

/// A logarithmic axis with labels at 1, 2 and 5 of each decade; fewer where there are many decades, more on a piece of one.
struct Decades(Range<f64>);

impl Decades {
    /// The multiples of each power of ten, in tenths, that lie on the axis.
    fn multiples(&self, tenths: &[u32]) -> Vec<f64> {
        let (first, last) = (self.0.start.log10().floor() as i32, self.0.end.log10().ceil() as i32);
        let all =
            (first..=last).flat_map(|power| tenths.iter().map(move |&t| f64::from(t) * 10_f64.powi(power) / 10.0));
        all.filter(|number| self.0.contains(number)).collect()
    }
}

impl Ranged for Decades {
    type FormatOption = NoDefaultFormatting;
    type ValueType = f64;

    fn map(&self, value: &f64, limit: (i32, i32)) -> i32 {
        RangedCoordf64::from(self.0.start.ln()..self.0.end.ln()).map(&value.ln(), limit)
    }

    fn key_points<Hint: KeyPointHint>(&self, hint: Hint) -> Vec<f64> {
        let lines = self.multiples(&[10, 20, 30, 40, 50, 60, 70, 80, 90]);
        if hint.weight().allow_light_points() {
            return lines;
        }
        let labels = self.multiples(&[10, 20, 50]);
        match (labels.len(), lines.len()) {
            (2..=12, _) => labels,
            (13.., _) => self.multiples(&[10]),
            (_, 2..) => lines,
            _ => self.multiples(&[10, 12, 14, 16, 18, 20, 22, 25, 30, 35, 40, 45, 50, 55, 60, 65]),
        }
    }

    fn range(&self) -> Range<f64> {
        self.0.clone()
    }
}

impl ValueFormatter<f64> for Decades {
    fn format_ext(&self, value: &f64) -> String {
        if *value >= 99.5 {
            return short(*value);
        }
        // Two digits that count.
        let decimals = (1.0 - value.log10().floor()).max(0.0) as usize;
        let text = format!("{value:.decimals$}");
        if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').to_owned() } else { text }
    }
}

/// Three digits or more, the thousands set apart.
fn short(number: f64) -> String {
    match number {
        n if n >= 999.5 => {
            let (thousands, rest) = (n.round() as u64 / 1000, n.round() as u64 % 1000);
            if thousands < 1000 {
                format!("{thousands},{rest:03}")
            } else {
                format!("{},{rest:03}", short(thousands as f64))
            }
        }
        n if n >= 99.5 => format!("{n:.0}"),
        n if n >= 9.95 => format!("{n:.1}"),
        n => format!("{n:.2}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_in_three_digits() {
        let texts = [0.013, 2.0, 9.96, 45.67, 99.96, 999.4, 999.6, 12_345.6, 1_000_000.0, 2_005_010.0].map(short);
        let expected = ["0.01", "2.00", "10.0", "45.7", "100", "999", "1,000", "12,346", "1,000,000", "2,005,010"];
        assert_eq!(texts, expected);
        let ticks = [0.02, 0.5, 1.0, 1.2, 20.0, 25.0, 500.0, 100_000.0].map(|tick| Decades(1.0..2.0).format_ext(&tick));
        assert_eq!(ticks, ["0.02", "0.5", "1", "1.2", "20", "25", "500", "100,000"]);
    }

    #[test]
    fn axes_have_labels_whatever_their_range() {
        let labels = |range| Decades(range).key_points(plotters::coord::ranged1d::BoldPoints(20));
        assert_eq!(labels(150.0..900.0), [200.0, 500.0]);
        assert_eq!(labels(0.9..11.0), [1.0, 2.0, 5.0, 10.0]);
        assert_eq!(labels(0.9..1e6).len(), 6);
        assert_eq!(labels(250.0..480.0), [300.0, 400.0]);
        assert_eq!(labels(1.1..1.58), [1.2, 1.4]);
        for start in 0..1000 {
            let start = 0.03 * 1.01_f64.powi(start);
            assert!(labels(start..start * 1.44).len() >= 2, "{start}");
        }
    }
}
