//! What is built on a land, as heights: walls with parapets and merlons, towers, houses, hedges, rocks, cliffs.

use super::frame::Frame;
use super::heights::{AMID, EDGE, Heights, Material, Roof, edges};
use super::mend;
use super::octaves::Octaves;
use crate::land::{Disc, House, Land, Outline, Tower};
use crate::noise::{Noise, lattice};
use std::f32::consts::{PI, TAU};
use throng_grid::geom::Vec2;

/// Heights of the walks of walls, of blocks, and of the platforms of towers with a radius of 3.5 m (m).
const WALL_HEIGHT_M: f32 = 4.4;
const BLOCK_HEIGHT_M: f32 = 5.9;
const TOWER_HEIGHT_M: f32 = 7.4;
const HEDGE: f32 = 1.35;
const CLIFF: f32 = 3.0;

/// Parapets are so much higher than walks, and merlons (m).
const PARAPET: f32 = 0.8;
const MERLON: f32 = 1.5;

/// From merlon to merlon (m).
const MERLONS: f32 = 1.9;

/// What is built up in a cell that would look open is not higher (m), but for walls that are there anyway.
const MAX_LOW_BUILT_M: f32 = 1.0;

/// Nothing is higher (m): so wide need be the border of a picture.
const HIGHEST: f32 = 24.0;

/// Hardly anything is higher (m).
pub(super) const MAX_USUAL_HEIGHT_M: f32 = 12.0;

/// How far from a breach a wall is damaged (m).
pub(super) const DAMAGE: f32 = 9.0;

/// The parts of a land that stand in a frame, or near enough to be seen there or to cast a shadow into it.
#[derive(Debug)]
pub(super) struct Built<'a> {
    walls: Vec<&'a Outline>,
    blocks: Vec<&'a Outline>,
    hedges: Vec<&'a Outline>,
    cliffs: Vec<&'a Outline>,
    partitions: Vec<&'a Outline>,
    partition: (f32, Material),
    towers: Vec<&'a Tower>,
    houses: Vec<&'a House>,
    rocks: Vec<&'a Disc>,
    loose: Vec<&'a Disc>,
    damage: Vec<Vec2>,
    /// Height of the highest of them (m); 0 if there are none.
    pub(super) tallest: f32,
}

impl<'a> Built<'a> {
    /// O(all points of the land).
    #[inline(never)]
    pub(super) fn around(land: &'a Land, frame: Frame) -> Self {
        let [west, north, east, south] = frame.bounds();
        let (west, north) = (west - HIGHEST * 0.8 - 3.0, north - HIGHEST * 0.36 - 3.0);
        let (east, south) = (east + 4.0, south + HIGHEST * 0.75 + 3.0);
        let mut tallest = 0.0_f32;
        let mut near = |low: Vec2, high: Vec2, height: f32| {
            let is_near = low.x < east && high.x > west && low.y < south && high.y > north;
            if is_near {
                tallest = tallest.max(height.min(HIGHEST));
            }
            is_near
        };
        let mut lines = |outlines: &'a [Outline], height: f32| -> Vec<&'a Outline> {
            let is_near = |outline: &&Outline| {
                let low = outline.iter().copied().reduce(Vec2::min).unwrap_or_default();
                let high = outline.iter().copied().reduce(Vec2::max).unwrap_or_default();
                near(low, high, height)
            };
            outlines.iter().filter(is_near).collect()
        };
        let walls = lines(&land.walls, WALL_HEIGHT_M + MERLON);
        let blocks = lines(&land.blocks, BLOCK_HEIGHT_M + MERLON);
        let hedges = lines(&land.hedges, HEDGE);
        let cliffs = lines(&land.cliffs, CLIFF + 0.8);
        let partitions = lines(&land.partitions, land.partition_height);
        let partition = (land.partition_height, if land.is_building { Material::Panel } else { Material::Plain });
        let mut discs = |disc: &Disc, height: f32| near(disc.centre - disc.radius, disc.centre + disc.radius, height);
        let towers = land.towers.iter().filter(|tower| discs(&tower.disc, spire(tower))).collect();
        let rocks = land.rocks.iter().filter(|disc| discs(disc, disc.radius)).collect();
        let loose = land.rubble.iter().chain(&land.debris).filter(|disc| discs(disc, disc.radius)).collect();
        let is_house = |house: &&House| {
            house.wings.iter().any(|wing| {
                let half = Vec2::splat(wing.half_length + wing.half_width);
                near(wing.centre - half, wing.centre + half, ridge(wing.half_width))
            })
        };
        let houses = land.houses.iter().filter(is_house).collect();
        if tallest < MAX_LOW_BUILT_M
            && mend::any_closed(
                land,
                frame.grown(frame.across(3.0), frame.across(3.0), frame.across(3.0), frame.across(3.0)),
            )
        {
            tallest = MAX_LOW_BUILT_M;
        }
        let damage = land.rubble.iter().map(|disc| disc.centre).chain(land.breaches.iter().copied());
        let damage = damage
            .filter(|p| p.x > west - DAMAGE && p.x < east + DAMAGE && p.y > north - DAMAGE && p.y < south + DAMAGE)
            .collect();
        Self { walls, blocks, hedges, cliffs, partitions, partition, towers, houses, rocks, loose, damage, tallest }
    }

    /// Builds all of it. O(points, and spots that are built on).
    #[inline(never)]
    pub(super) fn raise(&self, heights: &mut Heights) {
        hedges(heights, &self.hedges);
        walls(heights, &self.walls, WALL_HEIGHT_M, Material::Walk, Material::Rim);
        walls(heights, &self.blocks, BLOCK_HEIGHT_M, Material::Block, Material::BlockRim);
        massif(heights, &self.cliffs);
        partitions(heights, &self.partitions, self.partition);
        let noise = Noise::new(1.8, 31, 3).coarser_than(1.0 / heights.frame.scale);
        for &spot in &self.damage {
            damage(heights, spot, &noise);
        }
        for tower in &self.towers {
            raise_tower(heights, tower);
        }
        for disc in &self.rocks {
            boulder(heights, disc, Material::Rock);
        }
        for disc in &self.loose {
            boulder(heights, disc, Material::Loose);
        }
        for house in &self.houses {
            raise_house(heights, house);
        }
    }
}

/// Height of the platform of a tower, or of the edge of its roof.
fn platform(tower: &Tower) -> f32 {
    (TOWER_HEIGHT_M + 0.25 * (tower.disc.radius - 3.5) + if tower.is_roofed { 1.5 } else { 0.0 }).min(HIGHEST - 2.0)
}

/// Height of its top.
fn spire(tower: &Tower) -> f32 {
    platform(tower) + if tower.is_roofed { (tower.disc.radius + 0.3) * CONE } else { MERLON }
}

/// Metres of height for a metre towards the middle of a tower's roof.
pub(super) const CONE: f32 = 1.05;

/// At most how high a roof is over a house of this half width.
fn ridge(half_width: f32) -> f32 {
    2.5 + 0.35 * 3.0 + half_width * pitch(half_width)
}

fn pitch(half_width: f32) -> f32 {
    if half_width < 3.5 { 0.78 } else { 0.62 }
}

fn hedges(heights: &mut Heights, outlines: &[&Outline]) {
    heights.fill(outlines.iter().copied(), |heights, row, start, end| {
        for at in heights.at(start, row)..heights.at(end, row) {
            heights.set(at, HEDGE, Material::Hedge, AMID);
        }
    });
    for (a, b) in outlines.iter().flat_map(|outline| edges(outline)) {
        let angle = angle_of(a, b);
        heights.along(a, b, 1.0, |heights, at, _, distance| {
            if heights.material[at] == Material::Hedge {
                let near = distance / EDGE;
                heights.z[at] = heights.z[at].min(HEDGE - 0.5 * (1.0 - near) * (1.0 - near));
                nearest(&mut heights.owner[at], near, angle);
            }
        });
    }
}

#[inline(never)]
fn walls(heights: &mut Heights, outlines: &[&Outline], walk: f32, body: Material, rim: Material) {
    heights.fill(outlines.iter().copied(), |heights, row, start, end| {
        for at in heights.at(start, row)..heights.at(end, row) {
            if heights.z[at] <= walk + 0.01 || body == Material::Block {
                heights.set(at, walk, body, AMID);
            }
        }
    });
    for (a, b) in outlines.iter().flat_map(|outline| edges(outline)) {
        let angle = angle_of(a, b);
        let length = (b - a).length();
        let merlons = libm::floorf(length / MERLONS);
        let step = length / merlons.max(1.0);
        heights.along(a, b, 1.0, |heights, at, along, distance| {
            if heights.material[at] == body || heights.material[at] == rim {
                let phase = along / step - libm::floorf(along / step);
                let is_merlon = merlons > 1.0 && along > 0.0 && along < length && (0.19..0.81).contains(&phase);
                heights.z[at] = heights.z[at].max(walk + if is_merlon { MERLON } else { PARAPET });
                heights.material[at] = rim;
                nearest(&mut heights.owner[at], distance / EDGE, angle);
            }
        });
    }
}

/// Plain walls of one height.
fn partitions(heights: &mut Heights, outlines: &[&Outline], (high, material): (f32, Material)) {
    heights.fill(outlines.iter().copied(), |heights, row, start, end| {
        for at in heights.at(start, row)..heights.at(end, row) {
            if heights.z[at] < high {
                heights.set(at, high, material, AMID);
            }
        }
    });
    for (a, b) in outlines.iter().flat_map(|outline| edges(outline)) {
        let angle = angle_of(a, b);
        heights.along(a, b, 0.6, |heights, at, _, distance| {
            if heights.material[at] == material {
                nearest(&mut heights.owner[at], distance / EDGE, angle);
            }
        });
    }
}

/// A massif: a rough top, steep sides.
#[inline(never)]
fn massif(heights: &mut Heights, outlines: &[&Outline]) {
    if outlines.is_empty() {
        return;
    }
    let frame = heights.frame;
    // From afar fine roughness would be a mush.
    let mut rough = Octaves::new(Noise::new(6.0, 71, 4).coarser_than(6.0 / frame.scale), frame.scale);
    rough.begin(frame);
    let (mut bumps, mut known) = (vec![0.0; frame.width as usize], -1);
    heights.fill(outlines.iter().copied(), |heights, row, start, end| {
        if known != row {
            rough.row(frame, row, &mut bumps);
            known = row;
        }
        let first = heights.at(start, row);
        for (at, bump) in (first..).zip(&bumps[start as usize..end as usize]) {
            heights.set(at, CLIFF + 0.7 * bump, Material::Cliff, AMID);
        }
    });
    for (a, b) in outlines.iter().flat_map(|outline| edges(outline)) {
        let angle = angle_of(a, b);
        heights.along(a, b, 4.0, |heights, at, _, distance| {
            if heights.material[at] == Material::Cliff {
                nearest(&mut heights.owner[at], distance / (4.0 * EDGE), angle);
            }
        });
    }
    for row in 0..frame.height {
        let [start, end] = heights.spans[row as usize];
        if start >= end {
            continue;
        }
        for at in heights.at(start, row)..heights.at(end, row) {
            if heights.material[at] == Material::Cliff && heights.owner[at] != AMID {
                let near = f32::from(heights.owner[at] >> 8) / 255.0;
                heights.z[at] *= 0.55 + 0.45 * near * (2.0 - near);
            }
        }
    }
}

/// Walls fall off towards a breach.
fn damage(heights: &mut Heights, spot: Vec2, noise: &Noise) {
    let frame = heights.frame;
    let [west, north, east, south] = frame.cut(spot.x - DAMAGE, spot.y - DAMAGE, spot.x + DAMAGE, spot.y + DAMAGE);
    let xs: Vec<f32> = (west..east).map(|column| frame.x_at(column)).collect();
    let mut bumps = vec![0.0; xs.len()];
    let is_wall = |m: Material| {
        matches!(m, Material::Walk | Material::Rim | Material::Block | Material::BlockRim | Material::Loose)
    };
    for row in north..south {
        let first = heights.at(west, row);
        let spots = first..first + xs.len();
        if xs.is_empty() || !heights.material[spots.clone()].iter().any(|&m| is_wall(m)) {
            continue;
        }
        let y = frame.y_at(row);
        noise.row(&xs, y, &mut bumps);
        for ((at, x), bump) in spots.zip(&xs).zip(&bumps) {
            let low = (0.5 + 0.75 * Vec2::new(x - spot.x, y - spot.y).length().min(DAMAGE) + 1.3 * bump).max(0.25);
            if is_wall(heights.material[at]) && low < heights.z[at] {
                heights.z[at] = low;
                heights.material[at] = Material::Loose;
            }
        }
    }
}

fn raise_tower(heights: &mut Heights, tower: &Tower) {
    let (centre, radius, high) = (tower.disc.centre, tower.disc.radius, platform(tower));
    let teeth = libm::floorf(TAU * radius / MERLONS).max(8.0) / TAU;
    let owner = heights.towers.len() as u16;
    heights.towers.push(*tower);
    heights.disc(centre, radius + 0.6, |heights, at, offset| {
        let distance = offset.length();
        if heights.material[at] == Material::Rim {
            // No merlons in the corners.
            heights.z[at] = heights.z[at].min(WALL_HEIGHT_M);
            heights.material[at] = Material::Walk;
        }
        if tower.is_roofed {
            if distance < radius + 0.35 {
                heights.set(at, high + (radius + 0.3 - distance) * CONE, Material::Cone, owner);
            }
        } else if distance < radius - 0.65 {
            heights.set(at, high, Material::Ledge, owner);
        } else if distance < radius + 0.1 {
            let turn = turn(offset) * teeth;
            let rim = if turn - libm::floorf(turn) < 0.6 { 1.45 } else { 0.75 };
            heights.set(at, high + rim, Material::Crown, owner);
        }
    });
}

fn boulder(heights: &mut Heights, disc: &Disc, material: Material) {
    let wide = disc.radius * 1.12;
    heights.disc(disc.centre, wide, |heights, at, offset| {
        let high = (1.0 - offset.length_squared() / (wide * wide)).max(0.0).sqrt() * disc.radius * 0.9;
        if high > heights.z[at] {
            heights.set(at, high, material, AMID);
        }
    });
}

fn raise_house(heights: &mut Heights, house: &House) {
    let Some(first) = house.wings.first() else {
        return;
    };
    // Of its place, not of its number: when another house comes or goes, it stays as it is.
    let number = (lattice((first.centre.x * 4.0) as i32, (first.centre.y * 4.0) as i32, 91) * 65535.0) as u32;
    for wing in &house.wings {
        let pitch = pitch(wing.half_width);
        let eaves = 2.5 + 0.35 * (number * 7 % 4) as f32;
        let owner = heights.roofs.len() as u16;
        heights.roofs.push(Roof { wing: *wing, pitch, house: number, look: house.roof });
        let (half_length, half_width) = (wing.half_length + 0.1, wing.half_width + 0.15);
        let across = wing.along.perp();
        let (a, b) = (wing.along.abs() * half_length, across.abs() * half_width);
        let reach = a + b;
        let frame = heights.frame;
        let [west, north, east, south] = frame.cut(
            wing.centre.x - reach.x,
            wing.centre.y - reach.y,
            wing.centre.x + reach.x,
            wing.centre.y + reach.y,
        );
        for row in north..south {
            if west < east {
                heights.touch(row, west, east);
            }
            for column in west..east {
                let offset = Vec2::new(frame.x_at(column), frame.y_at(row)) - wing.centre;
                let (u, v) = (offset.dot(wing.along).abs(), offset.dot(across).abs());
                if u < half_length && v < half_width {
                    let high = (eaves + (wing.half_width - v) * pitch).min(HIGHEST);
                    let at = heights.at(column, row);
                    if high > heights.z[at] {
                        heights.set(at, high, Material::Home, owner);
                    }
                }
            }
        }
    }
}

/// Notes an edge where it is the nearest: `near` is 0 at the edge and 1 where its distance is no longer known.
fn nearest(owner: &mut u16, near: f32, angle: u8) {
    let code = ((near * 254.0) as u16) << 8 | u16::from(angle);
    if code >> 8 < *owner >> 8 {
        *owner = code;
    }
}

/// The normal of a line, of its two the one towards the south, in 255ths of a half turn from the east.
fn angle_of(a: Vec2, b: Vec2) -> u8 {
    let normal = (b - a).perp();
    let normal = if normal.y < 0.0 { -normal } else { normal };
    libm::roundf(libm::atan2f(normal.y, normal.x).clamp(0.0, PI) / PI * 255.0) as u8
}

/// The angle of a vector, -π to π, to a few thousandths of a degree: a polynomial of the smaller quotient (Abramowitz and
/// Stegun 1964, 4.4.49).
#[inline]
pub(super) fn turn(v: Vec2) -> f32 {
    let (x, y) = (v.x.abs(), v.y.abs());
    let t = x.min(y) / x.max(y).max(1e-9);
    let s = t * t;
    let a = t * (0.999_866 + s * (-0.330_299_5 + s * (0.180_141 + s * (-0.085_133 + s * 0.020_835_1))));
    let a = if y > x { PI / 2.0 - a } else { a };
    let a = if v.x < 0.0 { PI - a } else { a };
    if v.y < 0.0 { -a } else { a }
}
