//! Squads as their banners show them: where most of each stand, how many are left, how well they are.

use super::banner::Banner;
use crate::figures::Agents;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// A squad under its banner.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Company {
    /// Its squad.
    pub squad: u32,
    /// Where most of it stand (m).
    pub place: Vec2,
    /// Its army.
    pub army: u8,
    /// What its banner shows. The size is relative to others; the colour is not used.
    pub banner: Banner,
}

/// Squads of fewer living have small banners.
const SMALL: u32 = 30;

/// The size of small banners.
const SMALL_SIZE: f32 = 0.62;

/// An agent so far from the middle of its squad (m) counts half.
const NEAR: f32 = 6.0;

#[derive(Clone, Copy, Default)]
struct Members {
    count: u32,
    health: f32,
    row: usize,
    middle: Vec2,
    sum: Vec2,
    weight: f32,
}

/// The squads that have a living agent, by their number. O(agents).
///
/// Their place is a mean in which agents weigh less the further they are from the mean of all, so that a banner stands over
/// the many and not between two groups. Morale is the mean health, less a third of what the squad has lost.
pub fn companies(frame: &Frame) -> Vec<Company> {
    let squads = frame.squad.iter().filter(|&&squad| squad != u32::MAX).max().map_or(0, |&most| most as usize + 1);
    let mut members = vec![Members::default(); squads];
    let rows = || frame.squad.iter().map(|&squad| squad as usize).enumerate().filter(|&(_, squad)| squad < squads);
    for (row, squad) in rows() {
        let one = &mut members[squad];
        *one = Members {
            count: one.count + 1,
            health: one.health + frame.health.get(row).copied().unwrap_or(1.0),
            row,
            sum: one.sum + frame.position[row],
            weight: one.weight + 1.0,
            ..*one
        };
    }
    for _ in 0..2 {
        for one in &mut members {
            one.middle = one.sum / one.weight.max(f32::MIN_POSITIVE);
            (one.sum, one.weight) = (Vec2::ZERO, 0.0);
        }
        for (row, squad) in rows() {
            let (one, place) = (&mut members[squad], frame.position[row]);
            let weight = 1.0 / (1.0 + place.distance_squared(one.middle) / (NEAR * NEAR));
            (one.sum, one.weight) = (one.sum + place * weight, one.weight + weight);
        }
    }
    let company = |(squad, one): (u32, Members)| {
        let enlisted = frame.enlisted.get(squad as usize).copied().unwrap_or(one.count).max(one.count);
        let strength = one.count as f32 / enlisted as f32;
        let banner = Banner {
            look: Agents::from(frame).look(one.row),
            colour: [0; 3],
            strength,
            morale: (one.health / one.count as f32 - (1.0 - strength) / 3.0).clamp(0.0, 1.0),
            size: if one.count < SMALL { SMALL_SIZE } else { 1.0 },
            wave: (frame.time * 0.7 + f64::from(squad) * 0.37).fract() as f32,
            is_selected: false,
        };
        Company { squad, place: one.sum / one.weight, army: frame.army[one.row], banner }
    };
    (0..).zip(members).filter(|(_, one)| one.count > 0).map(company).collect()
}
