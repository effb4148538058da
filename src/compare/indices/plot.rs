//! Frames per second against the number of bodies, a line for each index.

use super::super::CompareError;
use super::super::chart::{Decades, Failure, INK, Style, around, pale, short};
use super::super::figures::write;
use super::IndexFigures;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;

/// Width and height of the drawing of one scene (pixels).
const PANEL: (u32, u32) = (720, 560);

/// Width (pixels) of the column with the names.
const LEGEND: u32 = 300;

/// Height (pixels) of the title.
const TITLE: u32 = 60;

/// Draws frames per second over the number of bodies as SVG, both axes logarithmic: a drawing for each scene, side by side
/// two by two, a line for each index. Colour and mark tell the indices apart, and after the seventh a thin line; the
/// legend begins with the one that is fastest on the largest crowd of the first scene.
///
/// # Errors
/// [`CompareError::Plot`] where the plotting library cannot draw.
pub fn plot(figures: &[IndexFigures], title: &str) -> Result<String, CompareError> {
    let mut svg = String::new();
    draw(figures, title, &mut svg).map_err(|error| CompareError::Plot { message: error.to_string() })?;
    Ok(svg)
}

/// As [`plot`], into a file that is written whole or not at all.
///
/// # Errors
/// [`CompareError::Write`] where the file cannot be written, [`CompareError::Plot`] where the plotting library cannot
/// draw.
pub fn write_plot(figures: &[IndexFigures], title: &str, path: impl AsRef<Path>) -> Result<(), CompareError> {
    let svg = plot(figures, title)?;
    write(path.as_ref(), |out| out.write_all(svg.as_bytes()))
}

/// All different values, in the order in which they come.
fn different<'a>(values: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for value in values {
        if !all.contains(&value) {
            all.push(value);
        }
    }
    all
}

fn draw(figures: &[IndexFigures], title: &str, svg: &mut String) -> Result<(), Failure> {
    let scenes = different(figures.iter().map(|row| row.scene.as_str()));
    let indices = different(figures.iter().map(|row| row.index.as_str()));
    let columns = scenes.len().clamp(1, 2);
    let rows = scenes.len().div_ceil(columns).max(1);
    let width = PANEL.0 * columns as u32 + LEGEND;
    let area = SVGBackend::with_string(svg, (width, PANEL.1 * rows as u32 + TITLE)).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = |size: i32| font(size).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(title, &text(26), (20, 32))?;
    let (_, below) = area.split_vertically(TITLE);
    let (left, legend) = below.split_horizontally(PANEL.0 * columns as u32);

    // The same axes everywhere, so that drawings can be compared.
    let bodies = around(figures.iter().map(|row| f64::from(row.agents)));
    let rates = around(figures.iter().map(IndexFigures::frames_per_second));
    for (panel, scene) in left.split_evenly((rows, columns)).iter().zip(&scenes) {
        panel.draw_text(scene, &text(22), (86, 14))?;
        panel.draw_text("frames per second", &text(18), (220, 15))?;
        let mut chart = ChartBuilder::on(panel)
            .margin(14)
            .margin_top(34)
            .x_label_area_size(60)
            .y_label_area_size(80)
            .build_cartesian_2d(Decades(bodies.clone()), Decades(rates.clone()))?;
        chart
            .configure_mesh()
            .label_style(font(18))
            .axis_desc_style(font(20))
            .axis_style(INK)
            .bold_line_style(pale(BLACK, 0.18))
            .light_line_style(pale(BLACK, 0.07))
            .x_desc("bodies")
            .draw()?;
        for (index, style) in indices.iter().zip((0..).map(Style::of)) {
            let mut points: Vec<(f64, f64)> = figures
                .iter()
                .filter(|row| row.scene == *scene && row.index == *index)
                .map(|row| (f64::from(row.agents), row.frames_per_second()))
                .collect();
            points.sort_by(|a, b| a.0.total_cmp(&b.0));
            // Piece by piece: some programs fill a line of more pieces.
            let pieces = points.windows(2).map(|piece| PathElement::new(piece, style.colour.stroke_width(style.width)));
            chart.draw_series(pieces)?;
            for point in &points {
                style.draw_mark(&area, chart.backend_coord(point))?;
            }
        }
    }

    // What is fastest on the largest crowd of the first scene comes first.
    let first = figures.iter().filter(|row| scenes.first().is_some_and(|scene| row.scene == *scene));
    let rate = |index: &str| {
        let own = first.clone().filter(|row| row.index == index);
        own.max_by_key(|row| row.agents).map_or((0, 0.0), |row| (row.agents, row.frames_per_second()))
    };
    let mut by_rate: Vec<usize> = (0..indices.len()).collect();
    by_rate.sort_by(|&a, &b| rate(indices[b]).partial_cmp(&rate(indices[a])).unwrap_or(std::cmp::Ordering::Equal));
    let most = figures.iter().map(|row| row.agents).max().unwrap_or(0);
    let right = |size: i32| font(size).pos(Pos::new(HPos::Right, VPos::Center));
    let edge = |y: i32| (LEGEND as i32 - 16, y);
    let heading = format!("{} bodies, {}", short(f64::from(most)), scenes.first().unwrap_or(&""));
    legend.draw_text(&heading, &right(18), edge(14))?;
    let line = 26.min((PANEL.1 * rows as u32 - 60) as usize / by_rate.len().max(1));
    for (row, i) in by_rate.into_iter().enumerate() {
        let (y, style) = ((46 + row * line) as i32, Style::of(i));
        legend.draw(&PathElement::new([(4, y), (32, y)], style.colour.stroke_width(style.width)))?;
        style.draw_mark(&legend, (18, y))?;
        legend.draw_text(indices[i], &text(18), (42, y))?;
        let (agents, rate) = rate(indices[i]);
        if agents == most {
            legend.draw_text(&format!("{}/s", short(rate)), &right(18), edge(y))?;
        }
    }
    area.present()
}
