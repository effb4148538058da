//! Cells as discs: trees, rocks, rubble.

use super::Disc;
use throng_grid::geom::Vec2;

/// Discs over cells given by their columns and rows: one where they are round, else those of their halves, and so on.
///
/// A disc has the area of its cells and their mean for a centre (cells), and no radius above `most`. O(n log n).
pub(super) fn clumps(cells: &mut [(u16, u16)], most: f32, out: &mut Vec<Disc>) {
    if cells.is_empty() {
        return;
    }
    let mut sum = Vec2::ZERO;
    for &(x, y) in &*cells {
        sum += Vec2::new(f32::from(x) + 0.5, f32::from(y) + 0.5);
    }
    let centre = sum / cells.len() as f32;
    let radius = (cells.len() as f32 / std::f32::consts::PI).sqrt();
    let reach = (radius + 0.25) * (radius + 0.25);
    let is_round =
        cells.iter().all(|&(x, y)| Vec2::new(f32::from(x) + 0.5, f32::from(y) + 0.5).distance_squared(centre) <= reach);
    if cells.len() == 1 || is_round && radius <= most {
        out.push(Disc { centre, radius });
        return;
    }
    let range = |values: &mut dyn Iterator<Item = u16>| {
        let (mut low, mut high) = (u16::MAX, 0);
        for value in values {
            (low, high) = (low.min(value), high.max(value));
        }
        high - low
    };
    let wide = range(&mut cells.iter().map(|cell| cell.0)) >= range(&mut cells.iter().map(|cell| cell.1));
    let half = cells.len() / 2;
    cells.select_nth_unstable_by_key(half, |&(x, y)| if wide { (x, y) } else { (y, x) });
    let (a, b) = cells.split_at_mut(half);
    clumps(a, most, out);
    clumps(b, most, out);
}
