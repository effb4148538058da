//! A town.

use super::buildings::{church, farm, house, trees};
use super::dice::Dice;
use super::sheet::{Plot, Sheet, bounds, edges, middle};
use crate::geom::{Vec2, cross, unit};
use crate::{Grid, Lattice};

/// Widths (cells) of the streets between the parts of each cut, the first cuts first.
const STREETS: [f32; 7] = [11.0, 9.0, 8.0, 6.0, 5.0, 4.6, 4.6];

/// A town grown around a market: the ground is cut by straight streets, wide ones first, into blocks; houses stand
/// along the edges of each block around a yard; some blocks are squares, churches, gardens. Farms and orchards lie at
/// the edge.
pub(super) fn town(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, true);
    let size = Vec2::new(lattice.width as f32, lattice.height as f32);
    let market = size * 0.5 + Vec2::new(dice.bell(), dice.bell()) * size * 0.06;
    let whole = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
    let mut blocks = Vec::new();
    cut(whole.to_vec(), 0, market, dice, &mut blocks);

    let mut orchards = Sheet::new(lattice, false);
    // An avenue runs through all blocks, from a corner of the map to the market and on to a side.
    let corner = Vec2::new(if dice.chance(0.5) { 0.0 } else { size.x }, if dice.chance(0.5) { 0.0 } else { size.y });
    let avenue = [corner, market, size - corner + Vec2::new(0.0, (corner.y - size.y * 0.5) * dice.range(0.4, 0.9))];
    let plaza = (size.min_element() * 0.055).clamp(10.0, 30.0);
    let mut taken = Sheet::new(lattice, false);
    taken.lines(&avenue, 13.0, true);
    taken.disc(market, plaza, true);
    let mut churches = vec![market];
    let centre_block = blocks.iter().map(|block| middle(block).distance(market)).fold(f32::MAX, f32::min);
    for block in &blocks {
        let heart = middle(block);
        let out = ((heart - market) / size * 2.0).length() + 0.12 * dice.bell();
        let (least, most) = bounds(block);
        let room = (most - least).min_element();
        if heart.distance(market) <= centre_block {
            square(&mut sheet, block, dice);
        } else if out > 1.02 {
            orchards.polygon(block, true);
            if dice.chance(0.75) {
                farmstead(&mut sheet, &mut orchards, block, dice);
            }
        } else if room > 26.0 && dice.chance(0.07) {
            square(&mut sheet, block, dice);
        } else if room > 30.0
            && churches.iter().all(|church| church.distance(heart) > size.min_element() * 0.21)
            && taken.all(&Plot::upright(heart, Vec2::splat(13.0)).corners(), false)
            && dice.chance(0.5)
        {
            let (a, b) = longest(block);
            churches.push(heart);
            church(&mut sheet, heart, b - a, (room * 0.3).min(15.0));
        } else {
            lots(&mut sheet, block, dice);
        }
    }
    sheet.lines(&avenue, 9.0, true);
    sheet.disc(market, plaza, true);
    stalls(&mut sheet, market, plaza, dice);
    church(&mut sheet, market + Vec2::new(plaza * 0.25, -plaza * 0.35), Vec2::new(1.0, 0.2), plaza * 0.36);
    trees(&mut sheet, &taken, dice, |point| if orchards.at(point.x as i32, point.y as i32) { 0.4 } else { -1.0 });
    sheet.drop_patches(false, 3);
    sheet.into_grid(lattice)
}

/// Cuts a convex block in two, and these again, until they are small; leaves streets between them.
fn cut(block: Vec<Vec2>, depth: usize, market: Vec2, dice: &mut Dice, blocks: &mut Vec<Vec<Vec2>>) {
    let (a, b) = longest(&block);
    let across = width_along(&block, unit(b - a).perp());
    let along = width_along(&block, unit(b - a));
    let target = dice.range(38.0, 62.0);
    if along < target || (along < 80.0 && across < 18.0) || depth > 12 {
        blocks.push(block);
        return;
    }
    // Through the middle of the block, the first two times through the market; seldom quite square.
    let through = if depth < 1 { market } else { middle(&block) + (b - a) * (0.16 * dice.bell()) };
    let skew = if depth < 2 { 0.34 * dice.bell().signum() * dice.range(0.5, 1.0) } else { 0.22 * dice.bell() };
    let way = unit(unit(b - a).perp() + unit(b - a) * skew);
    let street = STREETS[depth.min(STREETS.len() - 1)] * 0.5;
    for side in [way, -way] {
        let half = clip(&block, through + side.perp() * street, side);
        if half.len() > 2 {
            cut(half, depth + 1, market, dice, blocks);
        }
    }
}

/// The part of a convex polygon to the right of a line (y grows downwards).
fn clip(corners: &[Vec2], through: Vec2, way: Vec2) -> Vec<Vec2> {
    let mut kept = Vec::new();
    for (a, b) in edges(corners) {
        let (from, to) = (cross(way, a - through), cross(way, b - through));
        if from >= 0.0 {
            kept.push(a);
        }
        if (from < 0.0) != (to < 0.0) {
            kept.push(a + (b - a) * (from / (from - to)));
        }
    }
    kept
}

/// The longest edge.
fn longest(corners: &[Vec2]) -> (Vec2, Vec2) {
    let longer = |best: (Vec2, Vec2), edge: (Vec2, Vec2)| {
        if edge.0.distance_squared(edge.1) > best.0.distance_squared(best.1) { edge } else { best }
    };
    edges(corners).fold((Vec2::ZERO, Vec2::ZERO), longer)
}

/// How far a polygon reaches along a direction.
fn width_along(corners: &[Vec2], way: Vec2) -> f32 {
    let reach = corners.iter().map(|corner| corner.dot(way));
    let (least, most) = reach.fold((f32::MAX, f32::MIN), |(least, most), at| (least.min(at), most.max(at)));
    most - least
}

/// A convex polygon whose edges lie `inset` further in.
fn shrunk(corners: &[Vec2], inset: f32) -> Vec<Vec2> {
    let heart = middle(corners);
    let mut rest = corners.to_vec();
    for (a, b) in edges(corners) {
        let along = unit(b - a);
        let way = if cross(along, heart - a) > 0.0 { along } else { -along };
        rest = clip(&rest, a + way.perp() * inset, way);
    }
    rest
}

/// Houses along the edges of a block, and a yard with sheds behind them.
fn lots(sheet: &mut Sheet, block: &[Vec2], dice: &mut Dice) {
    let depth = dice.range(7.0, 9.5);
    let yard = shrunk(block, depth);
    sheet.polygon(block, false);
    let (a, b) = longest(&yard);
    if yard.len() < 3 || width_along(&yard, unit(b - a).perp()) < 5.0 {
        // No room for a yard: an alley through the middle of long ones.
        let (a, b) = longest(block);
        if a.distance(b) > 26.0 {
            let (spot, across) = (a.lerp(b, dice.range(0.4, 0.6)), unit(b - a).perp());
            let reach = across * width_along(block, across) * 0.8;
            sheet.line(spot - reach, spot + reach, 3.4, true);
        }
        return;
    }
    sheet.polygon(&yard, true);
    for (from, to) in edges(&yard) {
        let along = unit(to - from);
        let out = if along.perp().dot(middle(&yard) - from) > 0.0 { -along.perp() } else { along.perp() };
        // Houses of different depth: bays at the back.
        let mut at = dice.range(2.0, 6.0);
        while at + 8.0 < from.distance(to) {
            let length = dice.range(5.0, 9.0);
            let spot = from + along * (at + length * 0.5);
            let bay = dice.range(-2.4, 2.4);
            let back = Plot { middle: spot - out * (bay * 0.5), along, half: Vec2::new(length * 0.5, bay.abs() * 0.5) };
            sheet.polygon(&back.corners(), bay < 0.0);
            at += length + dice.range(0.0, 4.0);
        }
    }
    // Ways in: the longest edge that faces a street always has one.
    let size = Vec2::new(sheet.width as f32, sheet.height as f32);
    let on_border = |point: Vec2| point.min(size - point).min_element() < 0.5;
    let facing = |a: &Vec2, b: &Vec2| !on_border((*a + *b) * 0.5);
    let length = |a: Vec2, b: Vec2| if facing(&a, &b) { a.distance(b) } else { 0.0 };
    let longest = edges(block).map(|(a, b)| length(a, b)).fold(0.0, f32::max);
    for (from, to) in edges(block) {
        let length = length(from, to);
        if length >= longest || (length > 16.0 && dice.chance(0.45)) {
            let (spot, along) = (from.lerp(to, dice.range(0.35, 0.65)), unit(to - from));
            let inward = if along.perp().dot(middle(block) - from) > 0.0 { along.perp() } else { -along.perp() };
            sheet.line(spot - inward, spot + inward * (depth + 3.5), dice.range(3.2, 4.4), true);
        }
    }
    let inside = shrunk(&yard, 4.0);
    if inside.len() > 2 {
        sheds(sheet, &inside, dice);
    }
}

/// Sheds and trees in a yard.
fn sheds(sheet: &mut Sheet, yard: &[Vec2], dice: &mut Dice) {
    let (least, most) = bounds(yard);
    let (a, b) = longest(yard);
    for _ in 0..((most - least).element_product() / 90.0) as i32 {
        let half = Vec2::new(dice.range(1.0, 3.0), dice.range(1.0, 2.2));
        let plot = Plot { middle: dice.point(least, most), along: unit(b - a), half };
        let within = plot.corners().iter().all(|&corner| super::sheet::contains(yard, corner));
        if within && sheet.all(&plot.grown(2.6).corners(), true) {
            house(sheet, plot, dice);
        }
    }
}

/// An open square: trees along its edge and something in the middle.
fn square(sheet: &mut Sheet, block: &[Vec2], dice: &mut Dice) {
    sheet.disc(middle(block), dice.range(1.5, 3.0), false);
    let alley = shrunk(block, 3.0);
    for (from, to) in edges(&alley) {
        let count = (from.distance(to) / 6.0) as i32;
        for i in 0..count {
            sheet.disc(from.lerp(to, (i as f32 + 0.5) / count as f32), 0.9, false);
        }
    }
}

/// A fountain and rows of stalls.
fn stalls(sheet: &mut Sheet, market: Vec2, radius: f32, dice: &mut Dice) {
    sheet.disc(market, 2.4, false);
    let rows = (radius / 7.0) as i32;
    for row in 1..rows {
        for column in -rows..=rows {
            let spot = market + Vec2::new(column as f32 * 7.5, row as f32 * 6.5);
            if spot.distance(market) < radius - 4.0 && !dice.chance(0.2) {
                sheet.polygon(&Plot::upright(spot, Vec2::new(2.0, 1.0)).corners(), false);
            }
        }
    }
}

/// A hedged field in a block at the edge of the town.
fn farmstead(sheet: &mut Sheet, orchards: &mut Sheet, block: &[Vec2], dice: &mut Dice) {
    let (a, b) = longest(block);
    let (along, heart) = (unit(b - a), middle(block));
    let half = Vec2::new(width_along(block, along), width_along(block, along.perp())) * 0.5 - Vec2::splat(5.0);
    if half.min_element() > 9.0 {
        orchards.polygon(block, false);
        farm(sheet, Plot { middle: heart, along, half: half.min(Vec2::splat(24.0)) }, dice);
    }
}
