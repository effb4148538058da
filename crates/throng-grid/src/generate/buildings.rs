//! Houses, trees and other things on the ground.

use super::dice::Dice;
use super::noise::fractal;
use super::sheet::{Plot, Sheet, centre, edges, middle};
use crate::geom::{Vec2, direction, unit};

/// Rows of houses along the inside of a polygon.
pub(super) struct Row {
    /// From the polygon's edge to the middle of the houses (cells).
    pub(super) inset: f32,
    /// Side of the houses across the row (cells).
    pub(super) depth: f32,
    /// Shortest and longest side along the row (cells).
    pub(super) length: (f32, f32),
    /// Between two houses (cells).
    pub(super) gap: f32,
    /// Share of the places that stay empty.
    pub(super) empty: f32,
}

impl Row {
    /// Builds houses where they and three cells around them are open and not `taken`.
    pub(super) fn build(&self, sheet: &mut Sheet, taken: &Sheet, corners: &[Vec2], dice: &mut Dice) {
        let heart = middle(corners);
        for (a, b) in edges(corners) {
            let along = unit(b - a);
            let inward = if along.perp().dot(heart - a) > 0.0 { along.perp() } else { -along.perp() };
            let mut at = dice.range(0.0, 4.0);
            while at < a.distance(b) {
                let (length, depth) = (dice.range(self.length.0, self.length.1), self.depth + dice.range(-1.0, 1.0));
                let spot = a + along * (at + length * 0.5) + inward * (self.inset + dice.range(-0.7, 0.7));
                let plot = Plot { middle: spot, along, half: Vec2::new(length, depth) * 0.5 };
                let apron = plot.grown(3.0).corners();
                if !dice.chance(self.empty) && sheet.all(&apron, true) && taken.all(&apron, false) {
                    house(sheet, plot, dice);
                    at += length + self.gap;
                } else {
                    at += 3.0;
                }
            }
        }
    }
}

/// A house: a block, an L, or four wings around a yard with a gate.
pub(super) fn house(sheet: &mut Sheet, plot: Plot, dice: &mut Dice) {
    let wing = |u: f32, v: f32, half: Vec2| Plot {
        middle: plot.middle
            + plot.along * (u * (plot.half.x - half.x))
            + plot.along.perp() * (v * (plot.half.y - half.y)),
        half,
        ..plot
    };
    let (side, end) = (if dice.chance(0.5) { 1.0 } else { -1.0 }, if dice.chance(0.5) { 1.0 } else { -1.0 });
    if plot.half.min_element() >= 6.0 && dice.chance(0.7) {
        sheet.polygon(&plot.corners(), false);
        sheet.polygon(&plot.grown(-3.0).corners(), true);
        sheet.line(plot.middle, plot.point(0.0, side * 1.2), 3.2, true);
    } else if plot.half.min_element() >= 3.2 && dice.chance(0.45) {
        sheet.polygon(&wing(0.0, side, Vec2::new(plot.half.x, plot.half.y * 0.55)).corners(), false);
        sheet.polygon(&wing(end, 0.0, Vec2::new(plot.half.x * 0.45, plot.half.y)).corners(), false);
    } else {
        sheet.polygon(&plot.corners(), false);
    }
}

/// A hedged field with a gate in the middle of each side and a farmhouse in a corner.
pub(super) fn farm(sheet: &mut Sheet, plot: Plot, dice: &mut Dice) {
    sheet.outline(&plot.corners(), 1.5, false);
    for (u, v) in [(0.0, -1.0), (0.0, 1.0), (-1.0, 0.0), (1.0, 0.0)] {
        let gate = plot.point(u, v);
        sheet.disc(gate, dice.range(3.0, 4.5), true);
    }
    let half = Vec2::new(dice.range(4.0, 6.0), dice.range(2.8, 3.8));
    let (u, v) = (if dice.chance(0.5) { 1.0 } else { -1.0 }, if dice.chance(0.5) { 1.0 } else { -1.0 });
    let inset = Vec2::ONE - (half + Vec2::splat(3.8)) / plot.half;
    if inset.min_element() > 0.0 {
        house(sheet, Plot { middle: plot.point(u * inset.x, v * inset.y), half, ..plot }, dice);
    }
}

/// A round tower.
pub(super) fn tower(sheet: &mut Sheet, middle: Vec2, radius: f32) {
    sheet.disc(middle, radius, false);
}

/// A church: nave, transept, apse and tower, along a direction.
pub(super) fn church(sheet: &mut Sheet, middle: Vec2, along: Vec2, size: f32) {
    let along = unit(along);
    sheet.line(middle - along * size, middle + along * size, size * 0.62, false);
    let crossing = middle + along * (size * 0.35);
    sheet.line(crossing - along.perp() * (size * 0.62), crossing + along.perp() * (size * 0.62), size * 0.4, false);
    sheet.disc(middle + along * size, size * 0.31, false);
    sheet.polygon(&Plot { middle: middle - along * size, along, half: Vec2::splat(size * 0.36) }.corners(), false);
}

/// A rock of uneven outline.
pub(super) fn rock(sheet: &mut Sheet, middle: Vec2, radius: f32, dice: &mut Dice) {
    let turn = dice.range(0.0, 360.0);
    let corners: Vec<Vec2> =
        (0..9).map(|i| middle + direction(turn + 40.0 * i as f32) * (radius * dice.range(0.65, 1.15))).collect();
    sheet.polygon(&corners, false);
}

/// Trees where `density` (0 none … 1 thick), given a point, says so, on open ground that is not `taken`. There is
/// room to walk between most of them.
pub(super) fn trees(sheet: &mut Sheet, taken: &Sheet, dice: &mut Dice, density: impl Fn(Vec2) -> f32) {
    const SPACING: i32 = 5;
    let clumps = dice.seed();
    for y in (0..sheet.height).step_by(SPACING as usize) {
        for x in (0..sheet.width).step_by(SPACING as usize) {
            let spot = centre(x, y) + Vec2::new(dice.bell(), dice.bell()) * 2.2;
            let radius = dice.range(0.9, 2.4);
            let thick = density(spot) + 0.25 * fractal(clumps, spot, 24.0);
            let apron = Plot::upright(spot, Vec2::splat(radius + 1.0)).corners();
            if dice.chance(thick.clamp(0.0, 0.9)) && taken.all(&apron, false) && sheet.all(&apron, true) {
                sheet.disc(spot, radius, false);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Lattice;

    #[test]
    fn a_large_house_has_a_yard_with_one_gate() {
        let lattice = Lattice::new(40, 40, 1.0).unwrap();
        let plot = Plot::upright(Vec2::splat(20.0), Vec2::splat(10.0));
        let house = |seed: u64| {
            let mut sheet = Sheet::new(lattice, true);
            house(&mut sheet, plot, &mut Dice::new(seed));
            sheet
        };
        let with_yard = (0..20).map(house).filter(|sheet| sheet.at(20, 20)).collect::<Vec<_>>();
        assert!((8..20).contains(&with_yard.len()), "{}", with_yard.len());
        for sheet in with_yard {
            assert_eq!((sheet.at(14, 14), sheet.at(12, 12)), (true, false), "the yard and its wall");
            assert_eq!(sheet.patches(true).len(), 1, "the gate");
            assert_eq!(sheet.patches(false).len(), 1);
        }
    }
}
