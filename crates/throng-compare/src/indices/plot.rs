//! Frames per second against the number of bodies, a line for each index.

use super::super::CompareError;
use super::super::chart::{Decades, Failure, INK, Style, around, pale, short};
use super::super::figures::write;
use super::IndexFigures;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;

/// Width and height of the drawing of one scene, with its names (pixels).
const PANEL: (u32, u32) = (930, 560);

/// Width (pixels) of the column with the names.
const LEGEND: u32 = 290;

/// Height (pixels) of the title.
const TITLE: u32 = 60;

/// Draws frames per second over the number of bodies as SVG, both axes logarithmic: a drawing for each scene, side by side
/// two by two, a line for each index. Colour and mark tell the indices apart, and after the seventh a thin line; the
/// legend of a scene begins with the index that is fastest on its largest crowd.
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
    write_plot_at(figures, title, path.as_ref())
}

fn write_plot_at(figures: &[IndexFigures], title: &str, path: &Path) -> Result<(), CompareError> {
    let svg = plot(figures, title)?;
    write(path, |out| out.write_all(svg.as_bytes()))
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
    let area =
        SVGBackend::with_string(svg, (PANEL.0 * columns as u32, PANEL.1 * rows as u32 + TITLE)).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = |size: i32| font(size).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text(title, &text(26), (20, 32))?;
    let (_, below) = area.split_vertically(TITLE);

    // The same axes everywhere, so that drawings can be compared.
    let bodies = around(figures.iter().map(|row| f64::from(row.agents)));
    let rates = around(figures.iter().map(IndexFigures::frames_per_second));
    for (panel, scene) in below.split_evenly((rows, columns)).iter().zip(&scenes) {
        let (panel, list) = panel.split_horizontally(PANEL.0 - LEGEND);
        panel.draw_text(scene, &text(22), (86, 14))?;
        panel.draw_text("frames per second", &text(18), (220, 15))?;
        let mut chart = ChartBuilder::on(&panel)
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
        let here: Vec<&IndexFigures> = figures.iter().filter(|row| row.scene == *scene).collect();
        legend(&list, &here, &indices)?;
    }
    area.present()
}

/// The indices of a scene, the fastest on its largest crowd first; indices that were left out there come last.
fn legend(area: &DrawingArea<SVGBackend, Shift>, figures: &[&IndexFigures], indices: &[&str]) -> Result<(), Failure> {
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = font(18).pos(Pos::new(HPos::Left, VPos::Center));
    let right = font(18).pos(Pos::new(HPos::Right, VPos::Center));
    let edge = |y: i32| (LEGEND as i32 - 24, y);
    let most = figures.iter().map(|row| row.agents).max().unwrap_or(0);
    let rate = |index: &str| {
        let on_most = figures.iter().find(|row| row.index == index && row.agents == most);
        on_most.map_or(0.0, |row| row.frames_per_second())
    };
    let mut by_rate: Vec<(usize, f64)> = indices.iter().map(|index| rate(index)).enumerate().collect();
    by_rate.sort_by(|a, b| b.1.total_cmp(&a.1));
    let crowd = if most == 1 { "1 body".into() } else { format!("{} bodies", short_whole(most)) };
    area.draw_text(&crowd, &right, edge(15))?;
    let line = 27.min((PANEL.1 as usize - 60) / by_rate.len().max(1));
    for (row, (i, rate)) in by_rate.into_iter().enumerate() {
        let (y, style) = ((48 + row * line) as i32, Style::of(i));
        area.draw(&PathElement::new([(4, y), (32, y)], style.colour.stroke_width(style.width)))?;
        style.draw_mark(area, (18, y))?;
        area.draw_text(indices[i], &text, (42, y))?;
        if rate > 0.0 {
            area.draw_text(&format!("{}/s", short(rate)), &right, edge(y))?;
        }
    }
    Ok(())
}

/// A whole number, the thousands set apart.
fn short_whole(number: u32) -> String {
    if number < 1000 { number.to_string() } else { short(f64::from(number)) }
}
