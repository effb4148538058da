//! Lanchester's laws as a drawing.

use super::plot::{EXPECTED, GRID, INK, MEASURED, SIZE};
use super::{ExperimentError, LanchesterFigures, Law};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use std::io::Write;
use std::path::Path;

/// Draws the survivors of the larger side, as a share of it, against the odds, as SVG: a point for each battle, the
/// square law as a full line, the linear law as a thin one.
///
/// # Errors
/// [`ExperimentError::Plot`] where the plotting library cannot draw.
///
/// ```
/// use throng_lab::experiment::{LanchesterFigures, Law, lanchester_plot};
/// let battle = LanchesterFigures { law: Some(Law::Square), more: 50, fewer: 40, survivors: 29, ..Default::default() };
/// assert!(lanchester_plot(&[battle])?.starts_with("<svg"));
/// # Ok::<(), throng_lab::experiment::ExperimentError>(())
/// ```
pub fn lanchester_plot(figures: &[LanchesterFigures]) -> Result<String, ExperimentError> {
    let mut svg = String::new();
    draw(figures, &mut svg).map_err(|error| ExperimentError::Plot { message: error.to_string() })?;
    Ok(svg)
}

/// As [`lanchester_plot`], into a file that is written whole or not at all.
///
/// # Errors
/// [`ExperimentError::Write`] where the file cannot be written, [`ExperimentError::Plot`] where the plotting library cannot draw.
pub fn write_lanchester_plot(figures: &[LanchesterFigures], path: impl AsRef<Path>) -> Result<(), ExperimentError> {
    write_lanchester_plot_at(figures, path.as_ref())
}

fn write_lanchester_plot_at(figures: &[LanchesterFigures], path: &Path) -> Result<(), ExperimentError> {
    let svg = lanchester_plot(figures)?;
    super::figures::write(path, |out| out.write_all(svg.as_bytes()))
}

fn draw(figures: &[LanchesterFigures], svg: &mut String) -> Result<(), DrawingAreaErrorKind<std::io::Error>> {
    let area = SVGBackend::with_string(svg, SIZE).into_drawing_area();
    area.fill(&WHITE)?;
    let font = |size: i32| ("sans-serif", size).into_font().color(&INK);
    let text = |size: i32| font(size).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw_text("Lanchester's laws: what is left of the larger side", &text(24), (20, 28))?;
    area.draw_text("share of the larger side", &text(18), (86, 62))?;
    let odds = |battle: &LanchesterFigures| battle.more as f64 / battle.fewer.max(1) as f64;
    let most = figures.iter().map(odds).fold(2.0, f64::max) * 1.05;
    let mut chart = ChartBuilder::on(&area)
        .margin(14)
        .margin_top(78)
        .margin_right(30)
        .x_label_area_size(60)
        .y_label_area_size(70)
        .build_cartesian_2d(1.0..most, 0.0..1.0_f64)?;
    chart
        .configure_mesh()
        .label_style(font(18))
        .axis_desc_style(font(20))
        .axis_style(INK)
        .bold_line_style(GRID)
        .light_line_style(WHITE)
        .x_label_formatter(&|odds| format!("{odds:.1}"))
        .y_label_formatter(&|share| format!("{share:.1}"))
        .x_desc("odds")
        .draw()?;
    for (law, width) in [(Law::Square, 2), (Law::Linear, 1)] {
        let curve: Vec<(f64, f64)> = (0..=200)
            .map(|i| 1.0 + f64::from(i) * (most - 1.0) / 200.0)
            .map(|odds| (odds, law.survivors(odds, 1.0) / odds))
            .collect();
        // Piece by piece: some programs fill a line of more pieces.
        chart.draw_series(curve.windows(2).map(|piece| PathElement::new(piece, EXPECTED.stroke_width(width))))?;
        let own = figures.iter().filter(|battle| battle.law == Some(law));
        let place =
            |battle: &LanchesterFigures| (odds(battle), f64::from(battle.survivors) / battle.more.max(1) as f64);
        let style = if law == Law::Square { MEASURED.filled() } else { MEASURED.stroke_width(1) };
        chart.draw_series(own.map(|battle| Circle::new(place(battle), 4, style)))?;
    }
    for (y, law, style, width) in [
        (340, "shots: square law", MEASURED.filled(), 2),
        (368, "hand to hand: linear law", MEASURED.stroke_width(1), 1),
    ] {
        area.draw(&PathElement::new([(560, y), (582, y)], EXPECTED.stroke_width(width)))?;
        area.draw(&Circle::new((571, y), 4, style))?;
        area.draw_text(law, &text(18), (594, y))?;
    }
    area.present()
}
