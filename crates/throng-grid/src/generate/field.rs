//! Open country with a river.

use super::buildings::{church, farm, house, rock, trees};
use super::dice::Dice;
use super::noise::{fractal, noise};
use super::sheet::{Plot, Sheet};
use crate::geom::{Vec2, unit};
use crate::{Grid, Lattice, WATER};

/// A river winds from the upper to the lower edge; bridges and fords lead over it and a brook runs into it. Woods,
/// farms with hedges and a village lie on both sides; the middle of each side is open for armies to form up.
pub(super) fn field(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, true);
    let size = Vec2::new(lattice.width as f32, lattice.height as f32);
    let mut taken = Sheet::new(lattice, false);
    let river = river(size, dice);
    let width = (size.x / 48.0).clamp(6.0, 16.0);
    let seed = dice.seed();
    for pair in river.windows(2) {
        let wide = width * (1.0 + 0.3 * noise(seed, pair[0], 60.0));
        sheet.lines(pair, wide, false);
        taken.lines(pair, wide + 12.0, true);
    }
    let brook = brook(size, &river, dice);
    for pair in brook.windows(2) {
        sheet.lines(pair, 3.4, false);
        taken.lines(pair, 9.0, true);
    }
    let dry = sheet.clone();
    let crossings = crossings(&mut sheet, &mut taken, &river, width, dice);
    fords(&mut sheet, &mut taken, &brook, dice);
    roads(&mut taken, &crossings, size);

    // A village at the middle bridge.
    if let Some(&(bridge, along)) = crossings.get(1) {
        let side = if dice.chance(0.5) { 1.0 } else { -1.0 };
        village(&mut sheet, &mut taken, bridge + along * (side * size.x * 0.095), size, dice);
    }
    for side in [0.19, 0.81] {
        let muster = Plot::upright(size * Vec2::new(side, 0.5), size * Vec2::new(0.1, 0.24));
        taken.polygon(&muster.corners(), true);
    }
    woods(&mut sheet, &mut taken, size, dice);
    farms(&mut sheet, &mut taken, size, dice);
    sheet.drop_patches(false, 2);
    let mut grid = sheet.into_grid(lattice);
    for cell in lattice.cells() {
        let (column, row) = lattice.column_row(cell);
        if !grid.is_open(cell) && !dry.at(column as i32, row as i32) {
            grid.set_terrain(cell, WATER);
        }
    }
    grid
}

/// The middle line of the river, from above the map to below it.
fn river(size: Vec2, dice: &mut Dice) -> Vec<Vec2> {
    let seed = dice.seed();
    let lean = dice.range(-0.12, 0.12);
    let steps = (size.y / 4.0) as i32 + 2;
    let point = |i: i32| {
        let y = (i - 1) as f32 * 4.0;
        let t = y / size.y - 0.5;
        let bends =
            0.11 * fractal(seed, Vec2::new(0.0, y), size.y * 0.3) + 0.025 * noise(seed ^ 7, Vec2::new(9.0, y), 44.0);
        Vec2::new(size.x * (0.5 + lean * t + bends), y)
    };
    (0..=steps).map(point).collect()
}

/// A brook from the left or right edge to the river.
fn brook(size: Vec2, river: &[Vec2], dice: &mut Dice) -> Vec<Vec2> {
    let seed = dice.seed();
    let mouth = river[(river.len() as f32 * dice.range(0.55, 0.75)) as usize];
    let from = Vec2::new(if dice.chance(0.5) { 0.0 } else { size.x }, mouth.y - size.y * dice.range(0.15, 0.3));
    let across = unit(mouth - from).perp();
    let bend = |i: i32| {
        let t = i as f32 / 60.0;
        let spot = from.lerp(mouth, t);
        spot + across * (size.y * 0.16 * t.min(1.0 - t) * 2.0 * fractal(seed, spot, size.x * 0.12))
    };
    (0..=60).map(bend).collect()
}

/// Three bridges and three fords by turns; returns where the bridges are and which way they lead.
fn crossings(sheet: &mut Sheet, taken: &mut Sheet, river: &[Vec2], width: f32, dice: &mut Dice) -> Vec<(Vec2, Vec2)> {
    const COUNT: i32 = 6;
    let mut bridges = Vec::new();
    for i in 0..COUNT {
        let share = (i as f32 + 0.5 + 0.25 * dice.bell()) / COUNT as f32;
        let at = ((river.len() as f32 * share) as usize).clamp(2, river.len() - 3);
        let (spot, flow) = (river[at], unit(river[at + 2] - river[at - 2]));
        let along = flow.perp();
        let reach = along * (width * 0.65 + 6.0);
        taken.line(spot - reach * 1.6, spot + reach * 1.6, 22.0, true);
        if i % 2 == 0 {
            let open = dice.range(6.0, 8.0);
            // Parapets lead onto the bridge.
            for side in [-1.0, 1.0] {
                let foot = spot + flow * (side * (open * 0.5 + 0.8));
                sheet.line(foot - reach, foot + reach, 1.6, false);
            }
            sheet.line(spot - reach * 1.5, spot + reach * 1.5, open, true);
            bridges.push((spot, along));
        } else {
            let open = dice.range(9.0, 12.0);
            sheet.line(spot - reach, spot + reach, open, true);
            for _ in 0..5 {
                let stone = spot + along * (width * 0.5 * dice.bell()) + flow * (open * 0.36 * dice.bell());
                sheet.disc(stone, 0.7, false);
            }
        }
    }
    bridges
}

/// Places where the brook can be waded.
fn fords(sheet: &mut Sheet, taken: &mut Sheet, brook: &[Vec2], dice: &mut Dice) {
    for at in (6..brook.len().saturating_sub(6)).step_by(9) {
        let (spot, flow) = (brook[at], unit(brook[at + 1] - brook[at - 1]));
        sheet.line(spot - flow.perp() * 6.0, spot + flow.perp() * 6.0, dice.range(6.0, 10.0), true);
        taken.disc(spot, 11.0, true);
    }
}

/// Keeps the ways from the bridges to both sides of the map free.
fn roads(taken: &mut Sheet, bridges: &[(Vec2, Vec2)], size: Vec2) {
    for &(bridge, _) in bridges {
        for x in [0.0, size.x] {
            let end = Vec2::new(x, size.y * 0.5 + (bridge.y - size.y * 0.5) * 0.8);
            taken.lines(&[bridge, end], 9.0, true);
        }
    }
}

/// Houses on both sides of a street, around a church.
fn village(sheet: &mut Sheet, taken: &mut Sheet, heart: Vec2, size: Vec2, dice: &mut Dice) {
    let reach = size.min_element() * 0.09;
    let mut green = taken.clone();
    green.disc(heart, 10.0, true);
    church(sheet, heart + Vec2::new(0.0, -14.0), Vec2::X, 8.0);
    for _ in 0..260 {
        let spot = heart + Vec2::new(dice.bell() * 1.7, dice.bell()) * reach;
        let half = Vec2::new(dice.range(3.0, 5.5), dice.range(2.6, 3.6));
        // Houses look at the green.
        let plot = Plot { middle: spot, along: unit(spot - heart).perp(), half };
        let apron = plot.grown(3.0).corners();
        if sheet.all(&apron, true) && green.all(&apron, false) {
            house(sheet, plot, dice);
        }
    }
    taken.polygon(&Plot::upright(heart, Vec2::new(reach * 1.8, reach)).corners(), true);
}

/// Hedged fields, several side by side.
fn farms(sheet: &mut Sheet, taken: &mut Sheet, size: Vec2, dice: &mut Dice) {
    for _ in 0..(size.x * size.y / 4000.0) as i32 {
        let (spot, along) = (dice.point(Vec2::ZERO, size), crate::geom::direction(dice.range(-20.0, 20.0)));
        let half = Vec2::new(dice.range(13.0, 22.0), dice.range(11.0, 17.0));
        for (u, v) in [(0.0, 0.0), (2.0, 0.0), (0.0, 2.0), (2.0, 2.0)] {
            let whole = Plot { middle: spot, along, half };
            let plot = Plot { middle: whole.point(u, v), ..whole };
            let inner = plot.grown(-1.5).corners();
            if taken.all(&plot.grown(3.0).corners(), false) && sheet.all(&inner, true) && dice.chance(0.8) {
                farm(sheet, plot, dice);
            }
        }
        let estate = Plot { middle: spot + along * half.x + along.perp() * half.y, along, half: half * 2.0 };
        if !sheet.all(&estate.corners(), true) {
            taken.polygon(&estate.grown(6.0).corners(), true);
        }
    }
}

/// Woods with clearings, and rocks.
fn woods(sheet: &mut Sheet, taken: &mut Sheet, size: Vec2, dice: &mut Dice) {
    for _ in 0..(size.x * size.y / 9000.0) as i32 {
        let (spot, radius) = (dice.point(Vec2::ZERO, size), dice.range(1.5, 4.0));
        let apron = Plot::upright(spot, Vec2::splat(radius + 3.0)).corners();
        if taken.all(&apron, false) && sheet.all(&apron, true) {
            rock(sheet, spot, radius, dice);
        }
    }
    let seed = dice.seed();
    trees(sheet, taken, dice, |point| 4.5 * fractal(seed, point, size.min_element() * 0.2) - 0.75);
}
