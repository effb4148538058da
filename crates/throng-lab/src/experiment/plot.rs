//! The fundamental diagram as a drawing.

use super::{DiagramFigures, ExperimentError, weidmann};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;

/// Width and height (pixels).
pub(super) const SIZE: (u32, u32) = (900, 600);

pub(super) const INK: RGBColor = RGBColor(50, 50, 50);
pub(super) const GRID: RGBColor = RGBColor(225, 225, 225);

/// Blue and vermilion, which people with any kind of colour vision can tell apart: M. Okabe, K. Ito, Color Universal
/// Design, 2008.
pub(super) const MEASURED: RGBColor = RGBColor(0, 114, 178);
pub(super) const EXPECTED: RGBColor = RGBColor(213, 94, 0);

/// Draws speed against density as SVG: a point for each crowd, and the curve of [`weidmann`].
///
/// # Errors
/// [`ExperimentError::Plot`] where the plotting library cannot draw.
///
/// ```
/// use throng_lab::experiment::{DiagramFigures, diagram_plot};
/// let point = DiagramFigures { density: 1.0, speed: 1.05, ..Default::default() };
/// assert!(diagram_plot(&[point])?.starts_with("<svg"));
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
pub fn diagram_plot(figures: &[DiagramFigures]) -> Result<String, ExperimentError> {
    let mut svg = String::new();
    draw(figures, &mut svg).map_err(|error| ExperimentError::Plot { message: error.to_string() })?;
    Ok(svg)
}

/// As [`diagram_plot`], into a file that is written whole or not at all.
///
/// # Errors
/// [`ExperimentError::Write`] where the file cannot be written, [`ExperimentError::Plot`] where the plotting library
/// cannot draw.
pub fn write_diagram_plot(figures: &[DiagramFigures], path: impl AsRef<Path>) -> Result<(), ExperimentError> {
    write_diagram_plot_at(figures, path.as_ref())
}

fn write_diagram_plot_at(figures: &[DiagramFigures], path: &Path) -> Result<(), ExperimentError> {
    let svg = diagram_plot(figures)?;
    super::figures::write(path, |out| out.write_all(svg.as_bytes()))
}

fn draw(figures: &[DiagramFigures], svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = |size: i32| font(size).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text("Fundamental diagram: pedestrians in a corridor without end", &text(24), (20, 28))?;
    area.draw_text("metres per second", &text(18), (86, 62))?;
    let most = figures.iter().map(|point| point.density).fold(4.0, f64::max) * 1.05;
    let fastest = figures.iter().map(|point| point.speed).fold(1.4, f64::max) * 1.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(14)
        .margin_top(78)
        .margin_right(30)
        .x_label_area_size(60)
        .y_label_area_size(70)
        .build_cartesian_2d(0.0..most, 0.0..fastest)?;
    chart
        .configure_mesh()
        .label_style(font(18))
        .axis_desc_style(font(20))
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(WHITE)
        .x_label_formatter(&|density| format!("{density:.1}"))
        .y_label_formatter(&|speed| format!("{speed:.1}"))
        .x_desc("agents per square metre")
        .draw()?;
    let curve: Vec<(f64, f64)> =
        (4..=200).map(|i| f64::from(i) * most / 200.0).map(|density| (density, weidmann(density).max(0.0))).collect();
    // Piece by piece: some programs fill a line of more pieces.
    chart.draw_series(curve.windows(2).map(|piece| PathElement::new(piece, EXPECTED.stroke_width(2))))?;
    let points = figures.iter().map(|point| Circle::new((point.density, point.speed), 5, MEASURED.filled()));
    chart.draw_series(points)?;
    area.draw(&Circle::new((540, 110), 5, MEASURED.filled()))?;
    area.draw_text("throng", &text(18), (564, 110))?;
    area.draw(&PathElement::new([(530, 138), (552, 138)], EXPECTED.stroke_width(2)))?;
    area.draw_text("Weidmann (1993)", &text(18), (564, 138))?;
    area.present()
}
