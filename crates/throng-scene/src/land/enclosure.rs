//! What walls enclose.

use super::components::components;
use super::dilation::grown;
use super::distance::squared;
use super::raster::Raster;

/// The set with gaps of up to twice `radius` (cells) closed.
pub(super) fn shut(set: &Raster<bool>, radius: f32) -> Raster<bool> {
    let free = squared(set).map(|square| square as f32 >= radius * radius);
    squared(&free).map(|square| square as f32 > (radius - 0.5) * (radius - 0.5))
}

/// The set with all that cannot be left for the border of the map without crossing it.
pub(super) fn filled(set: &Raster<bool>) -> Raster<bool> {
    let Raster { width, height, .. } = *set;
    let mut outside = set.map(|_| false);
    let mut stack: Vec<usize> = Vec::new();
    let border = (0..width).flat_map(|x| [x, (height - 1) * width + x]);
    let border = border.chain((0..height).flat_map(|y| [y * width, y * width + width - 1]));
    let mut visit = |at: usize, stack: &mut Vec<usize>| {
        if !set.cells[at] && !outside.cells[at] {
            outside.cells[at] = true;
            stack.push(at);
        }
    };
    for at in border {
        visit(at, &mut stack);
        while let Some(at) = stack.pop() {
            let (x, y) = (at % width, at / width);
            if x > 0 {
                visit(at - 1, &mut stack);
            }
            if x + 1 < width {
                visit(at + 1, &mut stack);
            }
            if y > 0 {
                visit(at - width, &mut stack);
            }
            if y + 1 < height {
                visit(at + width, &mut stack);
            }
        }
    }
    outside.map(|outside| !outside)
}

/// Parts of the inside that are closed by narrower gaps, neither small nor most of it: the courts of castles.
///
/// `least` is their least area (cells).
pub(super) fn courts(inside: &Raster<bool>, shut: &Raster<bool>, least: usize) -> Raster<bool> {
    let most = inside.count() * 2 / 5;
    let (label, parts) = components(&inside.with(shut, |inside, shut| u8::from(inside && !shut)));
    let is_court: Vec<bool> =
        std::iter::once(false).chain(parts.iter().map(|part| part.cells > least && part.cells < most)).collect();
    let courts = label.map(|label| is_court[label as usize]);
    if courts.cells.contains(&true) { grown(&courts, 2) } else { courts }
}
