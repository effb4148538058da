//! A castle between two wide fields.

use super::buildings::{Row, church, farm, rock, tower, trees};
use super::dice::Dice;
use super::noise::fractal;
use super::sheet::{Plot, Sheet, contains, edges, meets};
use crate::geom::{Vec2, direction, unit};
use crate::{Grid, Lattice};

/// A castle seen from above: moat and outer ring wall with towers, eight gates and two breaches; a bailey with rows of
/// houses; an inner wall with four gates; a keep in the middle. It lies in the middle half of the map's height: the
/// upper and the lower quarter are open fields, and woods stand at the sides.
pub(super) fn fortress(lattice: Lattice, dice: &mut Dice) -> Grid {
    let mut sheet = Sheet::new(lattice, true);
    let size = Vec2::new(lattice.width as f32, lattice.height as f32);
    let middle = size * 0.5;
    let moat_half = Vec2::new(size.x * 0.37, size.y * 0.236);
    let jitter: Vec<f32> = (0..12).map(|_| dice.range(0.93, 1.03)).collect();
    let ring = |half: Vec2| ring(middle, half, &jitter);
    let (moat, wall) = (ring(moat_half), ring(moat_half - Vec2::splat(11.0)));
    let inner_half = (moat_half - Vec2::splat(11.0)) * Vec2::new(0.4, 0.5);
    let inner = chamfered(middle, inner_half, 9.0);

    sheet.outline(&moat, 5.0, false);
    sheet.outline(&wall, 3.6, false);
    let gates = gates(&wall, middle, size, dice);
    let mut taken = Sheet::new(lattice, false);
    towers(&mut sheet, &wall, &gates);
    for gate in &gates {
        gate.build(&mut sheet);
    }
    breaches(&mut sheet, &wall, middle, dice);
    for gate in gates.iter().filter(|gate| gate.main && gate.inward.y.abs() < 0.7) {
        ravelin(&mut sheet, gate);
    }

    // Streets: from each gate to the nearest gate of the inner wall, and a market.
    let doors = [Vec2::new(0.0, -1.0), Vec2::new(0.0, 1.0), Vec2::new(-1.0, 0.0), Vec2::new(1.0, 0.0)];
    let doors = doors.map(|way| (middle + way * inner_half, way));
    for gate in &gates {
        let inside = gate.at + gate.inward * 14.0;
        taken.line(gate.at - gate.inward * 30.0, inside, gate.width + 5.0, true);
        let nearest = doors.iter().map(|&(door, way)| door + way * 12.0);
        let nearest = nearest.min_by(|a, b| a.distance_squared(inside).total_cmp(&b.distance_squared(inside)));
        taken.lines(&[inside, nearest.unwrap_or(middle)], 6.0, true);
    }
    let markets = [-1.0, 1.0].map(|side| middle + Vec2::new(side * (inner_half.x + moat_half.x - 11.0) * 0.5, 0.0));
    taken.disc(markets[0], 15.0, true);
    taken.disc(markets[1], 13.0, true);
    taken.outline(&inner, 9.0, true);
    taken.polygon(&inner, true);
    bailey(&mut sheet, &taken, &wall, &inner, dice);
    market(&mut sheet, markets[0], dice);
    church(&mut sheet, markets[1], Vec2::X, 9.0);

    sheet.outline(&inner, 4.0, false);
    for (from, to) in edges(&inner) {
        tower(&mut sheet, from, 4.6);
        let long = from.distance(to) > 60.0;
        for share in if long { &[0.3, 0.7][..] } else { &[] } {
            tower(&mut sheet, from.lerp(to, *share), 3.6);
        }
    }
    for (door, way) in doors {
        let width = if way.x == 0.0 { 8.0 } else { 6.0 };
        Gate { at: door, inward: -way, along: way.perp(), width, main: false }.build(&mut sheet);
    }
    ward(&mut sheet, lattice, &inner, middle, dice);
    country(&mut sheet, lattice, &moat, &gates, size, dice);
    sheet.into_grid(lattice)
}

/// Twelve corners around a rounded rectangle, with an edge across each of the four axes.
fn ring(middle: Vec2, half: Vec2, jitter: &[f32]) -> Vec<Vec2> {
    let round = |v: f32| if v < 0.0 { -libm::powf(-v, 0.62) } else { libm::powf(v, 0.62) };
    let corner = |(i, jitter): (usize, &f32)| {
        let way = direction(15.0 + 30.0 * i as f32);
        middle + Vec2::new(round(way.x), round(way.y)) * half * *jitter
    };
    jitter.iter().enumerate().map(corner).collect()
}

/// A rectangle without its corners.
fn chamfered(middle: Vec2, half: Vec2, cut: f32) -> Vec<Vec2> {
    let (x, y) = (half.x, half.y);
    let (p, q) = (x - cut, y - cut);
    let corners = [(-p, -y), (p, -y), (x, -q), (x, q), (p, y), (-p, y), (-x, q), (-x, -q)];
    corners.into_iter().map(|(x, y)| middle + Vec2::new(x, y)).collect()
}

/// An opening in a wall.
struct Gate {
    at: Vec2,
    /// Unit vector through the gate.
    inward: Vec2,
    /// Unit vector along the wall.
    along: Vec2,
    width: f32,
    main: bool,
}

impl Gate {
    /// Two towers, and an open way between them through wall and moat.
    fn build(&self, sheet: &mut Sheet) {
        let radius = if self.main { 5.6 } else { 4.2 };
        for side in [-1.0, 1.0] {
            let foot = self.at + self.along * (side * (self.width * 0.5 + radius - 0.4));
            tower(sheet, foot, radius);
            if self.main {
                let back = foot + self.inward * 5.0;
                sheet.polygon(
                    &Plot { middle: back, along: self.along, half: Vec2::new(radius - 0.6, 5.0) }.corners(),
                    false,
                );
            }
        }
        sheet.line(self.at - self.inward * 18.0, self.at + self.inward * 12.0, self.width, true);
    }
}

/// A half-moon of wall beyond the moat that covers a gate, with a way out on either side.
fn ravelin(sheet: &mut Sheet, gate: &Gate) {
    let heart = gate.at - gate.inward * 19.0;
    let arc: Vec<Vec2> = (-4..=4)
        .map(|i| {
            let turn = direction(22.0 * i as f32);
            heart - gate.inward * (turn.x * 14.0) + gate.along * (turn.y * 15.0)
        })
        .collect();
    sheet.lines(&arc[..2], 2.6, false);
    sheet.lines(&arc[2..7], 2.6, false);
    sheet.lines(&arc[7..], 2.6, false);
    for i in [2, 4, 6] {
        tower(sheet, arc[i], 3.4);
    }
}

/// Three gates in the north and in the south, one in the east and in the west.
fn gates(wall: &[Vec2], middle: Vec2, size: Vec2, dice: &mut Dice) -> Vec<Gate> {
    let mut gates = Vec::new();
    let mut gate = |offset: Vec2, way: Vec2, width: f32, main: bool| {
        let outside = middle + offset - way * size.max_element();
        if let Some((at, along)) = meets(wall, outside, middle + offset) {
            let across = along.perp();
            let inward = if across.dot(way) > 0.0 { across } else { -across };
            gates.push(Gate { at, inward, along, width, main });
        }
    };
    for way in [Vec2::Y, -Vec2::Y] {
        gate(Vec2::new(size.x * dice.range(-0.02, 0.02), 0.0), way, 8.0, true);
        for side in [-1.0, 1.0] {
            gate(
                Vec2::new(size.x * side * dice.range(0.18, 0.24), 0.0),
                way,
                if side > 0.0 { 7.0 } else { 6.0 },
                false,
            );
        }
    }
    gate(Vec2::new(0.0, size.y * dice.range(-0.03, 0.03)), Vec2::X, 7.0, true);
    gate(Vec2::new(0.0, size.y * dice.range(-0.03, 0.03)), -Vec2::X, 7.0, true);
    gates
}

/// Towers at the corners of the wall and along its longer stretches, away from the gates.
fn towers(sheet: &mut Sheet, wall: &[Vec2], gates: &[Gate]) {
    for (from, to) in edges(wall) {
        tower(sheet, from, 5.2);
        let count = (from.distance(to) / 24.0) as i32;
        for i in 1..count {
            let spot = from.lerp(to, i as f32 / count as f32);
            if gates.iter().all(|gate| gate.at.distance(spot) > 19.0) {
                tower(sheet, spot, 3.7);
            }
        }
    }
}

/// Two places where the wall has fallen into the moat.
fn breaches(sheet: &mut Sheet, wall: &[Vec2], middle: Vec2, dice: &mut Dice) {
    for (x, y) in [(-0.62, -1.0), (0.62, 1.0)] {
        let way = Vec2::new(x * dice.range(0.85, 1.1), y) * 400.0;
        let Some((at, along)) = meets(wall, middle + way, middle) else { continue };
        let out = if along.perp().dot(way) > 0.0 { along.perp() } else { -along.perp() };
        for _ in 0..26 {
            let spot = at + along * (5.0 * dice.bell()) + out * dice.range(-5.0, 15.0);
            sheet.disc(spot, dice.range(2.0, 3.6), true);
        }
        sheet.line(at - out * 4.0, at + out * 15.0, 7.0, true);
        for _ in 0..14 {
            let spot = at + along * (12.0 * dice.bell()) + out * dice.range(-7.0, 4.0);
            if (spot - at).dot(along).abs() > 3.5 {
                sheet.disc(spot, dice.range(0.5, 1.3), false);
            }
        }
    }
}

/// Rows of houses between the walls.
fn bailey(sheet: &mut Sheet, taken: &Sheet, wall: &[Vec2], inner: &[Vec2], dice: &mut Dice) {
    for (inset, depth) in [(10.0, 7.0), (21.5, 7.5), (33.5, 8.0), (46.0, 7.0), (57.5, 8.0)] {
        Row { inset, depth, length: (7.0, 15.0), gap: 3.2, empty: 0.05 }.build(sheet, taken, wall, dice);
    }
    // Against the outside of the inner wall, and then small ones where there is room left.
    Row { inset: -11.0, depth: 6.0, length: (7.0, 13.0), gap: 3.2, empty: 0.1 }.build(sheet, taken, inner, dice);
    for inset in 8..60 {
        let row = Row { inset: inset as f32, depth: 5.0, length: (5.0, 9.0), gap: 3.2, empty: 0.3 };
        row.build(sheet, taken, wall, dice);
    }
    let inside = |point: Vec2| if contains(wall, point) { 0.12 } else { -1.0 };
    let mut streets = taken.clone();
    streets.outline(wall, 14.0, true);
    trees(sheet, &streets, dice, inside);
}

/// A fountain between stalls.
fn market(sheet: &mut Sheet, middle: Vec2, dice: &mut Dice) {
    sheet.disc(middle, 2.2, false);
    for i in 0..8 {
        let way = direction(45.0 * i as f32 + 22.5);
        let stall = Plot { middle: middle + way * dice.range(9.0, 10.5), along: way.perp(), half: Vec2::new(1.6, 1.0) };
        sheet.polygon(&stall.corners(), false);
    }
}

/// The buildings inside the inner wall: the keep, ranges along the wall, a chapel and a well.
fn ward(sheet: &mut Sheet, lattice: Lattice, inner: &[Vec2], middle: Vec2, dice: &mut Dice) {
    let reach = inner.iter().fold(Vec2::ZERO, |reach, &corner| reach.max((corner - middle).abs()));
    let keep = Plot::upright(middle, Vec2::new((reach.x * 0.3).clamp(9.0, 19.0), (reach.y * 0.36).clamp(7.0, 15.0)));
    let mut taken = Sheet::new(lattice, false);
    for way in [Vec2::X, Vec2::Y] {
        taken.line(middle - way * reach, middle + way * reach, 12.0, true);
    }
    taken.polygon(&keep.grown(3.0).corners(), true);
    let quarter = keep.half + (reach - keep.half) * 0.5;
    let chapel = middle + Vec2::new(quarter.x * 0.97, -quarter.y * 0.62);
    taken.polygon(&Plot::upright(chapel, Vec2::new(11.0, 7.0)).corners(), true);
    for length in [(9.0, 16.0), (5.0, 9.0)] {
        Row { inset: 8.8, depth: 6.0, length, gap: 3.2, empty: 0.0 }.build(sheet, &taken, inner, dice);
    }
    if reach.min_element() > 30.0 {
        church(sheet, chapel, Vec2::X, 6.0);
        tower(sheet, middle + Vec2::new(-quarter.x, quarter.y * 0.62), 1.6);
        tower(sheet, middle + Vec2::new(-quarter.x, -quarter.y * 0.62), 2.6);
    }
    sheet.polygon(&keep.corners(), false);
    sheet.polygon(&keep.grown(-3.2).corners(), true);
    // Two inner walls make three halls.
    for side in [-0.36, 0.36] {
        sheet.line(keep.point(side, -1.0), keep.point(side, 1.0), 2.0, false);
        sheet.line(keep.point(side - 0.2, 0.0), keep.point(side + 0.2, 0.0), 5.0, true);
    }
    for corner in keep.corners() {
        tower(sheet, corner, 4.4);
    }
    sheet.line(keep.point(0.0, -1.3), keep.point(0.0, 1.3), 6.0, true);
}

/// Woods and rocks at the sides, farms in front of the side gates; the fields stay open.
fn country(sheet: &mut Sheet, lattice: Lattice, moat: &[Vec2], gates: &[Gate], size: Vec2, dice: &mut Dice) {
    let mut taken = Sheet::new(lattice, false);
    taken.polygon(moat, true);
    taken.outline(moat, 14.0, true);
    for gate in gates {
        taken.line(gate.at, gate.at - unit(gate.inward) * 60.0, 14.0, true);
        if gate.main {
            taken.disc(gate.at - gate.inward * 19.0, 24.0, true);
        }
    }
    // Where the armies gather.
    let field = Vec2::new(size.x * 0.37, size.y * 0.26);
    for y in [0.0, size.y] {
        taken.polygon(&Plot::upright(Vec2::new(size.x * 0.5, y), field).corners(), true);
    }
    for _ in 0..60 {
        let spot = dice.point(Vec2::ZERO, size);
        let half = Vec2::new(dice.range(11.0, 16.0), dice.range(9.0, 15.0));
        let plot = Plot { middle: spot, along: direction(dice.range(-25.0, 25.0)), half };
        let apron = plot.grown(5.0).corners();
        if taken.all(&apron, false) && sheet.all(&apron, true) {
            farm(sheet, plot, dice);
            taken.polygon(&plot.grown(2.0).corners(), true);
        }
    }
    let seed = dice.seed();
    let wood = |point: Vec2| {
        let aside = ((point.x / size.x - 0.5).abs() - 0.37) / 0.13;
        aside * 1.5 - 0.3 + 1.1 * fractal(seed, point, 48.0)
    };
    for _ in 0..(size.x * size.y / 7000.0) as i32 {
        let (spot, radius) = (dice.point(Vec2::ZERO, size), dice.range(1.5, 3.8));
        let apron = Plot::upright(spot, Vec2::splat(radius + 2.0)).corners();
        if taken.all(&apron, false) && sheet.all(&apron, true) {
            rock(sheet, spot, radius, dice);
        }
    }
    trees(sheet, &taken, dice, wood);
}
