//! Dust, smoke and flames: where they are at a time, and how they are painted.

use super::canvas::{Canvas, Stamp};
use crate::figures::Figure;
use crate::noise::lattice;
use crate::sprite::Puff;
use crate::view::View;
use std::collections::BTreeMap;
use throng_grid::geom::{Vec2, Vec3};
use throng_sim::battle::Look;
use throng_sim::world::Fire;

/// The material of a cloud.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CloudMaterial {
    /// Dust of feet and hooves.
    Dust,
    /// Dust of walls.
    Debris,
    /// Smoke.
    Smoke,
    /// Light of a fire on what is around it.
    Glow,
    /// The tip of a flame.
    Ember,
    /// The foot of a flame.
    Flame,
}

impl CloudMaterial {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Dust, Self::Debris, Self::Smoke, Self::Glow, Self::Ember, Self::Flame];

    /// Its colour: red, green and blue, 0 to 1.
    pub fn colour(self) -> [f32; 3] {
        match self {
            Self::Dust => [0.80, 0.71, 0.54],
            Self::Debris => [0.74, 0.69, 0.60],
            Self::Smoke => [0.24, 0.23, 0.22],
            Self::Glow => [1.0, 0.40, 0.10],
            Self::Ember => [1.0, 0.50, 0.10],
            Self::Flame => [1.0, 0.80, 0.32],
        }
    }
}

/// A cloud.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cloud {
    /// Its middle (m).
    pub middle: Vec3,
    /// Its radius (m).
    pub radius: f32,
    /// How dense it is in its middle, 0 to 1.
    pub opacity: f32,
    /// Its material.
    pub material: CloudMaterial,
    /// Which of the pictures of clouds it is.
    pub seed: u8,
}

/// Agents faster than this raise dust (m/s).
const DUSTY: f32 = 1.3;

/// Of agents on foot one in so many raises dust that is seen.
const ONE_IN: u32 = 6;

/// Dust of a wall that fell is gone after this time (s).
pub(super) const SETTLES: f64 = 3.5;

/// Clouds of smoke over a fire.
const SMOKE_PUFFS: i32 = 36;

/// A fire takes hold, and dies down, in this time (s).
const TAKES_HOLD: f32 = 4.0;

/// A wall burns from when less of it is left than this.
const BURNS: f32 = 0.6;

/// Dust behind agents that run.
pub(super) fn dust(figures: &[Figure], out: &mut Vec<Cloud>) {
    for figure in figures.iter().filter(|figure| figure.speed > DUSTY) {
        let rides = figure.look == Look::Rider;
        if !rides && !figure.id.is_multiple_of(ONE_IN) {
            continue;
        }
        let behind = crate::sprite::pose::heading_of(figure.direction);
        for puff in 0..=i32::from(rides) {
            // A cloud stays where it was raised for half a metre of the way, then the next one is.
            let step = (figure.foot.dot(behind) * 2.0) as i32;
            let random = |what: i32| lattice(figure.id as i32 * 4 + puff, step + what * 64, 31);
            let back = behind * -(0.4 + 1.6 * random(0));
            let aside = Vec2::new(random(1) - 0.5, random(2) - 0.5) * 1.4;
            let place = (figure.foot + back + aside).extend(0.2 + 0.8 * random(3));
            out.push(Cloud {
                middle: place,
                radius: (1.2 + 1.8 * random(4)),
                opacity: if rides { 0.17 } else { 0.12 },
                material: CloudMaterial::Dust,
                seed: (figure.id % Puff::COUNT as u32) as u8,
            });
        }
    }
}

/// The dust of a wall that fell at a place (m) some time ago (s).
pub(super) fn collapse(place: Vec2, age: f64, out: &mut Vec<Cloud>) {
    let share = (age / SETTLES) as f32;
    for puff in 0..4 {
        let random = |what: i32| lattice((place.x * 8.0) as i32 + puff, (place.y * 8.0) as i32 + what * 64, 37);
        let aside = Vec2::new(random(0) - 0.5, random(1) - 0.5) * (2.0 + 5.0 * share);
        out.push(Cloud {
            middle: (place + aside).extend(1.0 + 3.0 * share * random(2)),
            radius: (1.2 + 3.0 * share),
            opacity: 0.45 * (1.0 - share) * (1.0 - share),
            material: CloudMaterial::Debris,
            seed: puff as u8,
        });
    }
}

/// Flames and smoke over a wall at a place (m), of which a share is left.
pub(super) fn smoulder(place: Vec2, number: u32, share: f32, time: f64, out: &mut Vec<Cloud>) {
    // One in three cells, so that a gate is a few fires.
    if share < BURNS && number.is_multiple_of(3) {
        burn(place.extend(1.8), 1.2, (1.0 - share / BURNS).sqrt(), number as i32, time, out);
    }
}

/// A fire of a scenario, where it burns, on ground or roofs of a height (m).
pub(super) fn fire(fire: &Fire, height: f32, time: f64, out: &mut Vec<Cloud>) {
    let age = (time - f64::from(fire.from)) as f32;
    let left = (f64::from(fire.until) - time) as f32;
    if age >= 0.0 && left > 0.0 {
        // It takes hold, and dies down.
        let power = (0.3 + age / TAKES_HOLD).min(left / TAKES_HOLD).min(1.0);
        let seed = (fire.position.x * 8.0) as i32 * 31 + (fire.position.y * 8.0) as i32;
        burn(fire.position.extend(height), fire.size, power, seed, time, out);
    }
}

/// Smoke, glow and flames over a base (m) of a width (m).
fn burn(base: Vec3, size: f32, power: f32, seed: i32, time: f64, out: &mut Vec<Cloud>) {
    let random = |puff: i32, what: i32| lattice(seed * 64 + puff, what, 41);
    // How far the smoke goes while it is seen (m).
    let reach = size * 2.0 + 2.0;
    for puff in 0..SMOKE_PUFFS {
        let start = f64::from(random(puff, 0) + puff as f32) / f64::from(SMOKE_PUFFS);
        let age = (time * 0.9 / f64::from(reach) + start).fract() as f32;
        let aside = Vec2::new(random(puff, 1) - 0.5, random(puff, 2) - 0.5) * (0.5 * size + 0.5 * reach * age);
        let drift = Vec3::new(3.4 * age, -0.2 * age, 1.7 * libm::powf(age, 0.8)) * reach;
        out.push(Cloud {
            middle: base + aside.extend(0.0) + drift,
            radius: reach * (0.12 + 0.4 * age),
            opacity: 0.95 * power * (1.0 - age) * (0.4 + 6.0 * age).min(1.0),
            material: CloudMaterial::Smoke,
            seed: (puff as usize % Puff::COUNT) as u8,
        });
    }
    let flicker = 0.9 + 0.1 * lattice(seed, (time * 9.0) as i32, 47);
    let glow = |radius: f32, opacity: f32| Cloud {
        middle: base + Vec3::Z * 0.4,
        radius: radius * size + 0.5,
        opacity: opacity * power * flicker,
        material: CloudMaterial::Glow,
        seed: 0,
    };
    out.extend([glow(1.5, 0.3), glow(0.8, 0.4)]);
    for flame in 0..(9.0 * size).clamp(8.0, 70.0) as i32 {
        let random = |what: i32| lattice(seed * 64 + flame, what, 43);
        let age = (time * 1.6 + f64::from(random(0))).fract() as f32;
        let aside = Vec2::new(random(1) - 0.5, 0.5 * (random(2) - 0.5)) * size * (1.0 - 0.3 * age);
        let tall = 0.6 + 0.4 * size.sqrt() + 0.5 * random(3);
        out.push(Cloud {
            middle: base + aside.extend(1.5 * age * tall * power - 0.1),
            radius: (0.48 - 0.34 * age) * (0.6 + 0.4 * power) * size.sqrt().min(1.5),
            opacity: 0.95 * (1.0 - 0.7 * age),
            material: if age < 0.45 { CloudMaterial::Flame } else { CloudMaterial::Ember },
            seed: (flame as usize % Puff::COUNT) as u8,
        });
    }
}

/// Clouds that were painted already, by material, picture, radius (pixels) and opacity (of 32).
#[derive(Clone, Debug, Default)]
pub struct Clouds {
    puffs: Vec<Puff>,
    painted: BTreeMap<(CloudMaterial, u8, u16, u8), Vec<[u8; 4]>>,
}

/// Pictures that are kept; then all are painted anew.
const MAX_CACHED_PICTURES: usize = 4000;

/// Steps of opacity.
const OPACITIES: f32 = 32.0;

impl Clouds {
    /// Paints clouds on a canvas that shows a view.
    pub fn paint(&mut self, clouds: &[Cloud], view: View, canvas: &mut Canvas) {
        if self.puffs.is_empty() && !clouds.is_empty() {
            self.puffs = Puff::all();
        }
        for cloud in clouds {
            let radius = (cloud.radius * view.scale + 0.5) as u16;
            let opacity = (cloud.opacity * OPACITIES + 0.5) as u8;
            let corner = view.to_pixel(cloud.middle).floor() - f32::from(radius);
            let (x, y, side) = (corner.x as i32, corner.y as i32, 2 * usize::from(radius));
            if radius == 0 || opacity == 0 || !canvas.is_seen(x, y, side, side) {
                continue;
            }
            if self.painted.len() > MAX_CACHED_PICTURES {
                self.painted.clear();
            }
            let puffs = &self.puffs;
            let key = (cloud.material, cloud.seed % Puff::COUNT as u8, radius, opacity);
            let painted = self.painted.entry(key).or_insert_with(|| {
                paint(&puffs[usize::from(key.1)], cloud.material, radius, f32::from(opacity) / OPACITIES)
            });
            canvas.blend_lit(Stamp::new(side, painted), x, y, 256);
        }
    }
}

/// A cloud of a material, 2 x `radius` pixels a side: colours are multiplied by their opacity. O(its pixels + those of the puff).
pub fn paint(puff: &Puff, material: CloudMaterial, radius: u16, opacity: f32) -> Vec<[u8; 4]> {
    let colour = material.colour();
    let side = 2 * usize::from(radius);
    let step = Puff::SIZE as f32 / side as f32;
    let mean = |values: &[u8], x: usize, y: usize| {
        let span = |at: usize| {
            let from = (at as f32 * step) as usize;
            from..(((at + 1) as f32 * step).ceil() as usize).clamp(from + 1, Puff::SIZE)
        };
        let (columns, rows) = (span(x), span(y));
        let count = columns.len() * rows.len();
        let sum: u32 = rows
            .map(|row| values[row * Puff::SIZE..][columns.clone()].iter().map(|&value| u32::from(value)).sum::<u32>())
            .sum();
        sum as f32 / count as f32
    };
    let pixel = |index: usize| {
        let (x, y) = (index % side, index / side);
        let alpha = mean(&puff.density, x, y) / 255.0 * opacity;
        let bright = mean(&puff.brightness, x, y) / f32::from(Puff::PLAIN);
        let [r, g, b] = colour.map(|channel: f32| ((channel * bright).min(1.0) * alpha * 255.0 + 0.5) as u8);
        let alpha = (alpha * 255.0 + 0.5) as u8;
        [r.min(alpha), g.min(alpha), b.min(alpha), alpha]
    };
    (0..side * side).map(pixel).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fire_burns_in_its_time_alone_and_above_its_place() {
        let one = Fire { from: 10.0, until: 60.0, ..Fire::new(Vec2::new(237.0, 247.0), 5.0) };
        let clouds = |time: f64| {
            let mut clouds = Vec::new();
            fire(&one, 3.4, time, &mut clouds);
            clouds
        };
        assert!([0.0, 9.9, 60.0, 1e6].iter().all(|&time| clouds(time).is_empty()));
        for time in [10.0, 10.3, 30.0, 59.9] {
            let found = clouds(time);
            assert!(found == clouds(time) && found.len() < 120, "{}", found.len());
            let flames =
                found.iter().filter(|cloud| matches!(cloud.material, CloudMaterial::Flame | CloudMaterial::Ember));
            assert!(flames.clone().count() >= 40);
            assert!(flames.clone().all(|cloud| cloud.middle.truncate().distance(one.position) < 4.0));
            assert!(found.iter().all(|cloud| {
                let is_bounded = (0.0..=1.0).contains(&cloud.opacity) && (0.0..20.0).contains(&cloud.radius);
                is_bounded && cloud.middle.is_finite() && cloud.middle.z >= 3.0
            }));
        }
        // Weaker while it takes hold and while it dies down.
        let smoke = |time: f64| {
            clouds(time).iter().filter(|c| c.material == CloudMaterial::Smoke).map(|c| c.opacity).sum::<f32>()
        };
        assert!(smoke(30.0) > 2.0 * smoke(10.0) && smoke(30.0) > 5.0 * smoke(59.9));
    }
}
