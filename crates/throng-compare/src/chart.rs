//! The common parts of the plots: logarithmic axes, colours and marks, numbers in few digits.

use plotters::coord::Shift;
use plotters::coord::ranged1d::{KeyPointHint, NoDefaultFormatting, Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use std::ops::Range;

/// Colours that people with any kind of colour vision can tell apart: M. Okabe, K. Ito, Color Universal Design, 2008,
/// without the yellow, which is lost on white.
pub(super) const COLOURS: [RGBColor; 7] = [
    RGBColor(0, 114, 178),
    RGBColor(213, 94, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(230, 159, 0),
    RGBColor(86, 180, 233),
    RGBColor(0, 0, 0),
];

pub(super) const INK: RGBColor = RGBColor(50, 50, 50);

pub(super) type Failure = DrawingAreaErrorKind<std::io::Error>;

/// The colour on white paper, so much of it. (Not every program that shows SVG can mix.)
pub(super) fn pale(colour: RGBColor, share: f64) -> RGBColor {
    let mix = |part: u8| (f64::from(part) * share + 255.0 * (1.0 - share)) as u8;
    RGBColor(mix(colour.0), mix(colour.1), mix(colour.2))
}

/// A little more than the range of these numbers.
pub(super) fn around(numbers: impl Iterator<Item = f64>) -> Range<f64> {
    let (low, high) = numbers.fold((f64::MAX, 0.0_f64), |(low, high), x| (low.min(x), high.max(x)));
    if low > high { 1.0..10.0 } else { low / 1.2..high * 1.2 }
}

/// How one of those compared is drawn.
#[derive(Clone, Copy)]
pub(super) struct Style {
    pub(super) colour: RGBColor,
    mark: usize,
    /// Width of the line (pixels).
    pub(super) width: u32,
}

impl Style {
    /// The style of the curve in this place: 28 differ.
    pub(super) fn of(place: usize) -> Self {
        let width = if place < COLOURS.len() { 2 } else { 1 };
        Self { colour: COLOURS[place % COLOURS.len()], mark: place % 4, width }
    }

    /// Draws a disc, a square, a triangle or a diamond.
    pub(super) fn draw_mark(self, area: &DrawingArea<SVGBackend, Shift>, (x, y): (i32, i32)) -> Result<(), Failure> {
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
pub(super) struct Decades(pub(super) Range<f64>);

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
pub(super) fn short(number: f64) -> String {
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
