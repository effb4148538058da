//! Squads as their banners show them: where most of each stand, how many are left, how well they are.

use super::banner::{Banner, Spot, part_banners};
use crate::figures::Agents;
use crate::sprite::look::height as height_of;
use crate::view::View;
use throng_grid::geom::Vec2;
use throng_sim::battle::Look;
use throng_sim::world::{ArmyId, Frame, SquadId};

/// A squad under its banner.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Company {
    /// Its squad.
    pub squad: SquadId,
    /// Where most of it stand (m).
    pub place: Vec2,
    /// Its army.
    pub army: ArmyId,
    /// What its banner shows. The size is relative to others; the colour is not used.
    pub banner: Banner,
}

/// Squads of fewer living have small banners.
const SMALL_SQUAD_AGENTS: u32 = 30;

/// The size of small banners.
const SMALL_SIZE: f32 = 0.62;

/// An agent so far from the middle of its squad (m) counts half.
const HALF_WEIGHT_DISTANCE_M: f32 = 6.0;

#[derive(Clone, Copy, Default)]
struct Members {
    count: u32,
    health: f32,
    row: usize,
    middle: Vec2,
    sum: Vec2,
    weight: f32,
}

/// The squads of soldiers that have a living agent, from the northernmost on; civilians have no banner. `places` are those of the agents, row by row (m): of the
/// frame, or where they are drawn. O(agents).
///
/// Their place is a mean in which agents weigh less the further they are from the mean of all, so that a banner stands over
/// the many and not between two groups. Morale is the mean health, less a third of what the squad has lost.
pub fn companies(frame: &Frame, places: &[Vec2]) -> Vec<Company> {
    let squads = frame.squad.iter().max().copied().flatten().map_or(0, |most| most.index() + 1);
    let mut members = vec![Members::default(); squads];
    let rows = || {
        let squads = frame.squad.iter().take(places.len()).enumerate();
        squads.filter_map(|(row, squad)| Some((row, squad.as_ref()?.index())))
    };
    for (row, squad) in rows() {
        let one = &mut members[squad];
        *one = Members {
            count: one.count + 1,
            health: one.health + frame.health.get(row).copied().unwrap_or(1.0),
            row,
            sum: one.sum + places[row],
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
            let (one, place) = (&mut members[squad], places[row]);
            let weight =
                1.0 / (1.0 + place.distance_squared(one.middle) / (HALF_WEIGHT_DISTANCE_M * HALF_WEIGHT_DISTANCE_M));
            (one.sum, one.weight) = (one.sum + place * weight, one.weight + weight);
        }
    }
    let company = |(squad, one): (SquadId, Members)| {
        let enlisted = frame.enlisted.get(squad.index()).copied().unwrap_or(one.count).max(one.count);
        let strength = one.count as f32 / enlisted as f32;
        let banner = Banner {
            look: Agents::from(frame).look(one.row),
            colour: [0; 3],
            strength,
            morale: (one.health / one.count as f32 - (1.0 - strength) / 3.0).clamp(0.0, 1.0),
            size: if one.count < SMALL_SQUAD_AGENTS { SMALL_SIZE } else { 1.0 },
            wave: (frame.time * 0.7 + f64::from(squad.0) * 0.37).fract() as f32,
            is_selected: false,
        };
        Company { squad, place: one.sum / one.weight, army: frame.army[one.row], banner }
    };
    let all = (0..).map(SquadId).zip(members).filter(|(_, one)| one.count > 0).map(company);
    let mut companies: Vec<Company> = all.filter(|company| company.banner.look != Look::Civilian).collect();
    companies.sort_by(|a, b| a.place.y.total_cmp(&b.place.y).then(a.squad.cmp(&b.squad)));
    companies
}

/// Banners beyond this number would only hide the battle.
pub const MOST_BANNERS: usize = 400;

/// The banners that are seen in a picture of a width and a height (pixels), at the size of [`banner_size`]: each with the foot
/// of its pole, and none over another. O(companies + banners²).
pub fn banners<'a>(companies: &'a [Company], view: View, size: [f32; 2], scale: f32) -> Vec<(&'a Company, Spot)> {
    let [width, height] = size;
    let spot = |company: &'a Company| {
        let Vec2 { x, y } = view.to_pixel(company.place.extend(height_of(company.banner.look)));
        (x > 0.0 && x < width && y > 0.0 && y < height).then_some((company, Spot { x, y }))
    };
    let mut seen: Vec<(&Company, Spot)> = companies.iter().filter_map(spot).take(MOST_BANNERS).collect();
    let mut spots: Vec<Spot> = seen.iter().map(|(_, spot)| *spot).collect();
    part_banners(&mut spots, scale);
    seen.iter_mut().zip(spots).for_each(|(banner, spot)| banner.1 = spot);
    seen
}

/// The size of banners at a zoom (pixels a metre), in a picture of a width (pixels).
pub fn banner_size(zoom: f32, width: f32) -> f32 {
    let by_zoom = if zoom < 8.0 {
        0.92
    } else if zoom < 19.0 {
        1.2
    } else {
        1.5
    };
    by_zoom * (width / 1600.0).clamp(0.5, 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_sim::world::UnitId;

    #[test]
    fn banners_are_over_their_squads_and_not_over_one_another() {
        let frame = Frame {
            id: (0..90).collect(),
            position: (0..90).map(|i| Vec2::new(50.0 + (i / 45) as f32 * 0.2, 50.0)).collect(),
            squad: (0..90).map(|i| (i % 9 != 8).then_some(SquadId(i / 45))).collect(),
            army: (0..90).map(|i| ArmyId((i / 45) as u8)).collect(),
            unit: vec![UnitId(0); 90],
            enlisted: vec![80, 40],
            ..Frame::default()
        };
        let view = View { origin: Vec2::ZERO, scale: 8.0 };
        let squads = companies(&frame, &frame.position);
        let out = banners(&squads, view, [800.0, 800.0], 1.0);
        assert_eq!(out.len(), 2);
        assert!((out[0].1.x - out[1].1.x).abs() >= 28.0, "{out:?}");
        let foot = view.to_pixel(Vec2::new(50.0, 50.0).extend(0.0));
        assert!(
            out.iter().all(|(_, spot)| (spot.x - foot.x).abs() < 60.0 && spot.y < foot.y && spot.y > foot.y - 20.0)
        );
        let strengths: Vec<f32> = out.iter().map(|(company, _)| company.banner.strength).collect();
        assert!(strengths.contains(&0.5) && strengths.contains(&1.0), "{strengths:?}");
        // Those that have lost half hang lower.
        let morale = |strength| squads.iter().find(|squad| squad.banner.strength == strength).unwrap().banner.morale;
        assert!(morale(0.5) < morale(1.0));
        // One that is out of sight has none.
        assert!(banners(&squads, View { origin: Vec2::splat(200.0), ..view }, [800.0, 800.0], 1.0).is_empty());
    }
}
