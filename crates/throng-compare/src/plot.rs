//! Time against length of the route, a colour for each planner.

use super::chart::{Decades, Failure, INK, Style, around, pale, short};
use super::figures::{Figures, write};
use super::{CompareError, Comparison, Score};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;

/// Width and height (pixels).
const SIZE: (u32, u32) = (1180, 680);

/// Width (pixels) of the column with the names.
const LEGEND: u32 = 330;

/// Pixels from one name to the next.
const LINE: usize = 26;

/// The most points on the line of a planner.
const BINS: usize = 12;

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
    write_plot_at(comparison, title, path.as_ref())
}

fn write_plot_at(comparison: &Comparison, title: &str, path: &Path) -> Result<(), CompareError> {
    let svg = plot(comparison, title)?;
    write(path, |out| out.write_all(svg.as_bytes()))
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

/// Length and time of each answer.
fn points(comparison: &Comparison, score: &Score) -> Vec<(f64, f64)> {
    let point = |(trip, answer): &(usize, super::Answer)| {
        let length = *comparison.lengths.get(*trip)?;
        // A clock may be too coarse for a short trip.
        (length > 0.0).then_some((length, (answer.time.as_secs_f64() * 1e6).max(0.01)))
    };
    score.answers.iter().filter_map(point).collect()
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
