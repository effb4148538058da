//! A wall as towers, thick blocks and thin stretches, and where it is broken.

use super::contour::{contours, simplified};
use super::dilation::grown;
use super::distance::{distance, opened};
use super::raster::Raster;
use throng_grid::geom::Vec2;

/// The least radius of a tower (m).
pub(super) const LEAST_RADIUS_M: f32 = 2.7;

/// Lengths of what belongs to a fortification (cells).
#[derive(Clone, Copy, Debug)]
pub(super) struct Measures {
    /// Walls thicker than twice this are towers or blocks.
    pub thick: f32,
    /// The least radius of a tower.
    pub tower: f32,
    /// The radius around a place in which one counts the wall.
    pub reach: f32,
}

impl Measures {
    /// Those for walls of a usual width (cells); `metre` is the length of a metre in cells.
    pub fn of(width: f32, metre: f32) -> Self {
        let thick = (2.6 * metre).max(0.54 * width);
        Self { thick, tower: (LEAST_RADIUS_M * metre).max(0.6 * width), reach: 2.3 * thick }
    }
}

/// A wall taken apart (cells).
#[derive(Clone, Debug, Default)]
pub(super) struct Fort {
    /// Towers: middle and radius.
    pub towers: Vec<(Vec2, f32)>,
    pub blocks: Vec<Vec<Vec2>>,
    pub walls: Vec<Vec<Vec2>>,
    /// Where it ends without a tower.
    pub ends: Vec<Vec2>,
}

/// How far points may be off a straightened wall (cells): stairs become straight.
pub(super) const STAIRS: f32 = 0.62;

impl Fort {
    /// Takes the cells of one wall apart; `depth` is their distance to others. O(cells), and O(cells) for each tower.
    pub fn of(wall: &Raster<bool>, depth: &Raster<f32>, measures: Measures) -> Self {
        let thick = opened(wall, depth, measures.thick);
        if !thick.cells.contains(&true) {
            let walls = contours(wall).iter().map(|line| simplified(line, STAIRS)).collect();
            return Self { walls, ..Self::default() };
        }
        let (towers, discs) = towers(&thick, depth, measures);
        let rest = thick.with(&discs, |thick, disc| thick && !disc);
        let square = opened(&rest, &distance(&rest.map(|set| !set)), measures.thick * 0.46);
        let square = grown(&square, 3).with(&thick, |near, thick| near && thick);
        let blocks = contours(&square)
            .iter()
            .filter(|line| super::contour::sides(line).sum::<f32>() > 16.0)
            .map(|line| simplified(line, STAIRS))
            .collect();
        let thin = wall.with(&thick, |wall, thick| wall && !thick).with(&discs, |thin, disc| thin && !disc);
        // They reach into the towers.
        let thin = grown(&thin, 2).with(wall, |near, wall| near && wall);
        let walls = contours(&thin).iter().map(|line| simplified(line, STAIRS)).collect();
        let ends = ends(wall, depth, &towers, measures);
        Self { towers, blocks, walls, ends }
    }
}

/// Circles at the deepest places of the thick parts, the deepest first, and the cells in them.
fn towers(thick: &Raster<bool>, depth: &Raster<f32>, measures: Measures) -> (Vec<(Vec2, f32)>, Raster<bool>) {
    let mut spots: Vec<(usize, f32)> = Vec::new();
    for (at, (&thick, &depth)) in thick.cells.iter().zip(&depth.cells).enumerate() {
        if thick && depth > measures.tower {
            spots.push((at, depth));
        }
    }
    spots.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
    let place = |at: usize| Vec2::new((at % thick.width) as f32, (at / thick.width) as f32);
    let mut towers: Vec<(Vec2, f32)> = Vec::new();
    let mut discs = thick.map(|_| false);
    // A plateau of the depth has its middle as the centre.
    let mut taken: Vec<(Vec2, f32)> = Vec::new();
    for &(at, radius) in &spots {
        let spot = place(at);
        if taken.iter().any(|&(other, reach)| other.distance_squared(spot) < reach * reach) {
            continue;
        }
        taken.push((spot, radius + 2.5));
        let (mut sum, mut count) = (Vec2::ZERO, 0.0);
        for y in -1..=1 {
            for x in -1..=1 {
                let (x, y) = (spot.x as i32 + x, spot.y as i32 + y);
                if depth.or(x, y, 0.0) > radius - 0.3 {
                    sum += Vec2::new(x as f32, y as f32);
                    count += 1.0;
                }
            }
        }
        let centre = sum / count;
        towers.push((centre + 0.5, radius + 0.15));
        disc(&mut discs, centre, radius + 0.4);
    }
    (towers, discs)
}

/// Sets the cells whose middles are nearer than `radius` to a middle.
fn disc(set: &mut Raster<bool>, centre: Vec2, radius: f32) {
    let reach = radius.ceil() as i32 + 1;
    for y in centre.y as i32 - reach..=centre.y as i32 + reach {
        for x in centre.x as i32 - reach..=centre.x as i32 + reach {
            let is_near = Vec2::new(x as f32, y as f32).distance_squared(centre) < radius * radius;
            if is_near && set.or(x, y, true) == set.or(x, y, false) {
                set.set(x as usize, y as usize, true);
            }
        }
    }
}

/// Where a wall ends without a tower: in a disc around there is half as much of it as along it.
fn ends(wall: &Raster<bool>, depth: &Raster<f32>, towers: &[(Vec2, f32)], measures: Measures) -> Vec<Vec2> {
    let reach = measures.reach.round() as i32;
    let mut ends = wall.map(|_| false);
    for y in 0..wall.height {
        for x in 0..wall.width {
            if !wall.at(x, y) {
                continue;
            }
            let middle = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
            if towers.iter().any(|&(tower, radius)| tower.distance(middle) <= radius + measures.reach) {
                continue;
            }
            let (mut count, mut half) = (0, 0.0_f32);
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let (x, y) = (x as i32 + dx, y as i32 + dy);
                    if dx * dx + dy * dy <= reach * reach && wall.or(x, y, false) {
                        count += 1;
                        half = half.max(depth.or(x, y, 0.0));
                    }
                }
            }
            let across = if half < 1.2 { 1.5 } else { 2.0 * half.min(measures.thick) };
            // A stretch that goes on fills a band of the disc; one that ends, half of that.
            ends.set(x, y, (count as f32) < 0.56 * 2.0 * measures.reach * across);
        }
    }
    let (label, parts) = super::components::components(&grown(&ends, 2).map(u8::from));
    let mut sums = vec![(Vec2::ZERO, 0.0_f32); parts.len()];
    for (at, &end) in ends.cells.iter().enumerate() {
        if end && let Some(sum) = sums.get_mut((label.cells[at] as usize).wrapping_sub(1)) {
            sum.0 += Vec2::new((at % wall.width) as f32 + 0.5, (at / wall.width) as f32 + 0.5);
            sum.1 += 1.0;
        }
    }
    sums.into_iter().filter(|sum| sum.1 > 0.0).map(|(sum, count)| sum / count).collect()
}
