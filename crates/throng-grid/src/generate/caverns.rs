//! Caves.

use super::dice::Dice;
use super::noise::{fractal, noise};
use super::sheet::{Sheet, centre};
use crate::geom::{Vec2, unit};
use crate::{Grid, Lattice};
use std::collections::HashSet;

/// Halls joined by winding passages, roughened and then worn smooth by a cellular automaton.
///
/// Source of the last part: L. Johnson, G. N. Yannakakis, J. Togelius, *Cellular automata for real-time generation of
/// infinite cave levels*, Workshop on Procedural Content Generation in Games, 2010.
pub(super) fn caverns(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut carved = Sheet::new(lattice, false);
    let size = Vec2::new(lattice.width as f32, lattice.height as f32);
    let halls = halls(size, dice);
    let seed = dice.seed();
    for &(heart, radius) in &halls {
        let reach = Vec2::splat(radius * 1.6);
        carved.paint(heart - reach, heart + reach, true, |point| {
            // Halls are longer than high, with bays.
            let away = ((point - heart) * Vec2::new(0.85, 1.1)).length();
            away < radius * (1.0 + 0.55 * fractal(seed, point, radius))
        });
    }
    let mut trail = Vec::new();
    for (from, to) in passages(&halls, dice) {
        passage(&mut carved, &mut trail, halls[from].0, halls[to].0, dice);
    }
    // Single boulders stand in the larger halls.
    for &(heart, radius) in halls.iter().filter(|(_, radius)| *radius > 10.0) {
        for _ in 0..(radius / 2.2) as i32 {
            let spot = heart + dice.turn() * (radius * dice.range(0.25, 0.8));
            carved.disc(spot, dice.range(1.4, 2.8), false);
        }
    }
    let mut sheet = roughened(&carved, lattice, dice);
    for _ in 0..5 {
        sheet = worn(&sheet, lattice);
    }
    // No passage may have closed.
    for &spot in &trail {
        sheet.disc(spot, 2.2, true);
    }
    sheet.drop_patches(false, 5);
    sheet.into_grid(lattice)
}

/// Halls whose middles are farther apart than this are not too close, whatever their radii (cells).
const FARTHEST_APART: f32 = 2.0 * MAX_HALL_RADIUS * 1.12 + 3.0;

/// The greatest radius of a hall (cells).
const MAX_HALL_RADIUS: f32 = 26.0;

/// Middles and radii of the halls: no two too close.
fn halls(size: Vec2, dice: &mut Dice) -> Vec<(Vec2, f32)> {
    let mut halls: Vec<(Vec2, f32)> = Vec::new();
    let wanted = (size.x * size.y / 900.0) as usize + 4;
    let greatest = (size.min_element() * 0.1).clamp(10.0, MAX_HALL_RADIUS);
    // By squares: those that may be too close are in the nine around.
    let columns = (size.x / FARTHEST_APART) as usize + 1;
    let square = |at: Vec2| [at.x, at.y].map(|part| (part / FARTHEST_APART).max(0.0) as usize);
    let mut squares = vec![Vec::<usize>::new(); columns * ((size.y / FARTHEST_APART) as usize + 1)];
    for _ in 0..wanted * 60 {
        let radius = 5.0 + (greatest - 5.0) * dice.share() * dice.share();
        let margin = Vec2::splat(radius * 1.1 + 3.0);
        let heart = dice.point(margin, size - margin);
        if halls.len() == wanted {
            continue; // the dice roll on, for the same caves
        }
        let apart = |&hall: &usize| {
            let (other, other_radius): (Vec2, f32) = halls[hall];
            other.distance(heart) > (radius + other_radius) * 1.12 + 3.0
        };
        let [x, y] = square(heart);
        let rows = squares.chunks_exact(columns).skip(y.saturating_sub(1)).take(if y == 0 { 2 } else { 3 });
        let near = rows.flat_map(|row| &row[x.saturating_sub(1)..(x + 2).min(columns)]);
        if near.flatten().all(apart) {
            squares[y * columns + x].push(halls.len());
            halls.push((heart, radius));
        }
    }
    halls
}

/// Pairs of halls that a passage joins: the shortest tree over all, and some short ways round.
fn passages(halls: &[(Vec2, f32)], dice: &mut Dice) -> Vec<(usize, usize)> {
    let length = |a: usize, b: usize| halls[a].0.distance(halls[b].0) - halls[a].1 - halls[b].1;
    let mut pairs = Vec::new();
    // Prim's algorithm: of each hall outside the nearest one of the tree, of equals the one that joined first.
    let mut nearest: Vec<Option<usize>> = vec![Some(0); halls.len()];
    nearest[0] = None;
    while let Some((from, to)) = (0..halls.len())
        .filter_map(|to| Some((nearest[to]?, to)))
        .min_by(|a, b| length(a.0, a.1).total_cmp(&length(b.0, b.1)))
    {
        pairs.push((from, to));
        nearest[to] = None;
        for (hall, near) in nearest.iter_mut().enumerate() {
            *near = near.map(|near| if length(to, hall) < length(near, hall) { to } else { near });
        }
    }
    let tree: HashSet<(usize, usize)> = pairs.iter().copied().collect();
    for a in 0..halls.len() {
        for b in a + 1..halls.len() {
            let known = || tree.contains(&(a, b)) || tree.contains(&(b, a));
            if length(a, b) < 26.0 && !known() && dice.chance(0.2) {
                pairs.push((a, b));
            }
        }
    }
    pairs
}

/// Carves a winding way of changing width and writes down its middle.
fn passage(carved: &mut Sheet, trail: &mut Vec<Vec2>, from: Vec2, to: Vec2, dice: &mut Dice) {
    let (seed, across) = (dice.seed(), unit(to - from).perp());
    let length = from.distance(to);
    let steps = (length * 1.5) as i32 + 1;
    for i in 0..=steps {
        let t = i as f32 / steps as f32;
        // No bend at the ends.
        let swing = 4.0 * t * (1.0 - t) * (length * 0.22).min(16.0);
        let straight = from.lerp(to, t);
        let spot = straight + across * (swing * fractal(seed, straight, 26.0) * 1.6);
        let width = 2.9 + 1.3 * noise(seed ^ 1, straight, 14.0);
        carved.disc(spot, width, true);
        trail.push(spot);
    }
}

/// Gnaws at the rims: open cells near rock may close, rock near open cells may open.
fn roughened(carved: &Sheet, lattice: Lattice, dice: &mut Dice) -> Sheet {
    let mut sheet = carved.clone();
    let seed = dice.seed();
    for y in 0..lattice.height as i32 {
        for x in 0..lattice.width as i32 {
            let open = carved.at(x, y);
            let around = carved.neighbours(x, y);
            let rim = if open { around < 8 } else { around > 0 };
            // Here and there the rock is brittle and caves of their own come about.
            let brittle = 0.44 + 0.12 * noise(seed, centre(x, y), 30.0);
            let flip = if rim {
                0.35
            } else if open {
                0.06
            } else {
                brittle * 0.8
            };
            let border = x.min(y).min(sheet.width - 1 - x).min(sheet.height - 1 - y) < 2;
            let value = if dice.chance(flip) { !open } else { open };
            sheet.set(x, y, value && !border);
        }
    }
    sheet
}

/// One step of the automaton: a cell is open where most of the nine cells around it are.
fn worn(sheet: &Sheet, lattice: Lattice) -> Sheet {
    let mut next = Sheet::new(lattice, false);
    for y in 0..sheet.height {
        for x in 0..sheet.width {
            next.set(x, y, sheet.neighbours(x, y) + usize::from(sheet.at(x, y)) >= 5);
        }
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The shortest tree by its definition: always the shortest passage from a hall of the tree to one outside.
    fn tree(halls: &[(Vec2, f32)]) -> Vec<(usize, usize)> {
        let length = |a: usize, b: usize| halls[a].0.distance(halls[b].0) - halls[a].1 - halls[b].1;
        let (mut joined, mut pairs) = (vec![0], Vec::new());
        while joined.len() < halls.len() {
            let outside = (0..halls.len()).filter(|hall| !joined.contains(hall));
            let ways = outside.flat_map(|to| joined.iter().map(move |&from| (from, to)));
            let (from, to) = ways.min_by(|a, b| length(a.0, a.1).total_cmp(&length(b.0, b.1))).unwrap();
            joined.push(to);
            pairs.push((from, to));
        }
        pairs
    }

    proptest! {
        #[test]
        fn passages_join_all_halls_and_halls_are_apart(seed in any::<u64>(), width in 24_u32..400, height in 24_u32..400) {
            let mut dice = Dice::new(seed);
            let halls = halls(Vec2::new(width as f32, height as f32), &mut dice);
            let pairs = passages(&halls, &mut dice);
            prop_assert_eq!(&pairs[..halls.len() - 1], &tree(&halls)[..]);
            for (i, (one, radius)) in halls.iter().enumerate() {
                for (other, other_radius) in &halls[..i] {
                    prop_assert!(one.distance(*other) > (radius + other_radius) * 1.12 + 3.0);
                }
            }
        }
    }
}
