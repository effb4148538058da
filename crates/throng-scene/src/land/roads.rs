//! Where the ground is worn: ways from gates to the middle of the map and to its sides.

use super::components::components;
use super::distance::{near, squared};
use super::raster::Raster;
use crate::noise::Noise;

/// Costs are counted in this many parts of a cell.
const PARTS: f32 = 8.0;

/// Steps to the eight neighbours.
const STEPS: [(i32, i32); 8] = [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1)];

/// Gaps nearer to the border of the map are no gates (cells).
const RIM: usize = 6;

/// How far a road goes on from a gate outwards (cells).
const OUTWARDS: u32 = 75;

/// How far a road goes on from a gate inwards (cells).
const INWARDS: u32 = 300;

/// How worn each cell is, 0 to 1; nothing is where there is no gate. `barrier` is walls with towers and moats, `clearance` the distance
/// to the nearest closed cell (cells). O(cells).
pub(super) fn roads(open: &Raster<bool>, barrier: &Raster<bool>, clearance: &Raster<f32>) -> Raster<f32> {
    let Raster { width, height, .. } = *open;
    let gates = gates(open, barrier);
    let mut worn = Raster::new(width, height, 0.0_f32);
    if gates.is_empty() {
        return worn;
    }
    let cost = costs(open, clearance);
    let (mid_x, mid_y) = (width / 2, height / 2);
    let sides = [(mid_x, 2), (mid_x, height.saturating_sub(3)), (4, mid_y), (width.saturating_sub(5), mid_y)];
    let at = |(x, y): (usize, usize)| y.min(height - 1) * width + x.min(width - 1);
    let (inwards, outwards) =
        rayon::join(|| ways(&cost, width, &[at((mid_x, mid_y))]), || ways(&cost, width, &sides.map(at)));
    for &gate in &gates {
        for (ways, length, is_outward) in [(&inwards, INWARDS, false), (&outwards, OUTWARDS, true)] {
            let (mut at, mut left) = (gate, length);
            while left > 0 && ways[at] < 8 {
                worn.cells[at] += if is_outward { 1.2 * left as f32 / OUTWARDS as f32 } else { 1.0 };
                let (dx, dy) = STEPS[ways[at] as usize];
                at = (at as i64 - i64::from(dx) - i64::from(dy) * width as i64) as usize;
                left -= 1;
            }
        }
    }
    for value in &mut worn.cells {
        *value = value.min(3.0);
    }
    blur(&mut worn, 1.5);
    for value in &mut worn.cells {
        *value = (*value * 1.5).min(1.0);
    }
    worn
}

/// The middles of the open gaps in a barrier, at most ten cells wide.
fn gates(open: &Raster<bool>, barrier: &Raster<bool>) -> Vec<usize> {
    if !barrier.cells.contains(&true) {
        return Vec::new();
    }
    // Closed by a disc of five cells, away from the corners that it fills as well.
    let close = near(barrier, 5.5).map(|near| !near);
    let close = squared(&close).map(|square| square as f32 > 5.0 * 5.0);
    let beside = near(barrier, 4.5);
    let gap = close.with(&beside, |close, beside| close && beside).with(open, |gap, open| gap && open);
    // Between a wall and the border of the map there is no gate.
    let at_border = |part: &super::components::Component| {
        let window = part.window;
        window.left < RIM || window.top < RIM || window.right + RIM > open.width || window.bottom + RIM > open.height
    };
    let (label, parts) = components(&gap.map(u8::from));
    let mut sums = vec![(0_usize, 0_usize); parts.len()];
    for (at, &label) in label.cells.iter().enumerate() {
        if label > 0 {
            let sum = &mut sums[label as usize - 1];
            *sum = (sum.0 + at % open.width, sum.1 + at / open.width);
        }
    }
    let parts = parts.iter().zip(sums).filter(|(part, _)| part.cells > 20 && !at_border(part));
    parts.map(|(part, (x, y))| y / part.cells * open.width + x / part.cells).filter(|&at| open.cells[at]).collect()
}

/// The cost of a cell, in parts: dearer beside walls, uneven as ground is. Closed cells cost nothing.
fn costs(open: &Raster<bool>, clearance: &Raster<f32>) -> Vec<u16> {
    use rayon::prelude::*;
    let noise = Noise::new(18.0, 5, 1);
    let xs: Vec<f32> = (0..open.width).map(|x| x as f32 + 0.5).collect();
    let mut cost = vec![0_u16; open.cells.len()];
    cost.par_chunks_mut(open.width).with_min_len(16).enumerate().for_each(|(y, cost)| {
        let mut uneven = vec![0.0; xs.len()];
        noise.row(&xs, y as f32 + 0.5, &mut uneven);
        let at = y * xs.len();
        for x in 0..xs.len() {
            if open.cells[at + x] {
                let value = 1.0 + 5.0 / (clearance.cells[at + x] + 0.3) + 0.8 * (uneven[x] + 1.0);
                cost[x] = (value * PARTS) as u16;
            }
        }
    });
    cost
}

/// For each cell the step (of [`STEPS`]) by which the cheapest way from the nearest source comes to it; 8 at sources and
/// where there is none.
///
/// Source: R. Dial, *Algorithm 360: Shortest-Path Forest with Topological Ordering*, Communications of the ACM 12, 1969.
fn ways(cost: &[u16], width: usize, sources: &[usize]) -> Vec<u8> {
    let height = cost.len() / width;
    let most = usize::from(cost.iter().copied().max().unwrap_or(0)) * 3 / 2 + 2;
    let mut queue: Vec<Vec<u32>> = vec![Vec::new(); most + 1];
    let mut distance = vec![u32::MAX; cost.len()];
    let mut ways = vec![8_u8; cost.len()];
    let mut left = 0;
    for &source in sources {
        if distance[source] != 0 {
            distance[source] = 0;
            queue[0].push(source as u32);
            left += 1;
        }
    }
    let mut now = 0_u32;
    while left > 0 {
        let bucket = now as usize % queue.len();
        let mut next = 0;
        while next < queue[bucket].len() {
            let at = queue[bucket][next] as usize;
            next += 1;
            left -= 1;
            if distance[at] != now {
                continue;
            }
            let (x, y) = ((at % width) as i32, (at / width) as i32);
            for (way, &(dx, dy)) in STEPS.iter().enumerate() {
                let (to_x, to_y) = (x + dx, y + dy);
                if to_x < 0 || to_y < 0 || to_x as usize >= width || to_y as usize >= height {
                    continue;
                }
                let to = to_y as usize * width + to_x as usize;
                if cost[to] == 0 {
                    continue;
                }
                let both = u32::from(cost[at]) + u32::from(cost[to]);
                let step = if way < 4 { both / 2 } else { both * 181 / 256 };
                let there = now + step.max(1);
                if there < distance[to] {
                    distance[to] = there;
                    ways[to] = way as u8;
                    queue[there as usize % (most + 1)].push(to as u32);
                    left += 1;
                }
            }
        }
        queue[bucket].clear();
        now += 1;
    }
    ways
}

/// Blurs by about a normal distribution of this deviation (cells): three boxes.
pub(super) fn blur(values: &mut Raster<f32>, deviation: f32) {
    use rayon::prelude::*;
    let reach = (((4.0 * deviation * deviation + 1.0).sqrt() - 1.0) * 0.5).round().max(1.0) as usize;
    let Raster { width, height, .. } = *values;
    for _ in 0..3 {
        values.cells.par_chunks_mut(width).with_min_len(16).for_each(|row| {
            let before = row.to_vec();
            let share = 1.0 / (2 * reach + 1) as f32;
            let value = |at: i64| before[at.clamp(0, before.len() as i64 - 1) as usize];
            let mut sum: f32 = (-(reach as i64)..=reach as i64).map(value).sum();
            for (at, out) in row.iter_mut().enumerate() {
                *out = sum * share;
                sum += value((at + reach + 1) as i64) - value(at as i64 - reach as i64);
            }
        });
        let before = values.cells.clone();
        let row = |y: i64| &before[y.clamp(0, height as i64 - 1) as usize * width..][..width];
        values.cells.par_chunks_mut(width).with_min_len(16).enumerate().for_each(|(y, out)| {
            out.fill(0.0);
            for from in y as i64 - reach as i64..=(y + reach) as i64 {
                for (out, value) in out.iter_mut().zip(row(from)) {
                    *out += value;
                }
            }
            let share = 1.0 / (2 * reach + 1) as f32;
            for out in out.iter_mut() {
                *out *= share;
            }
        });
    }
}
