//! What is over the figures: shots with their shadows, dust behind runners, a banner for each squad.

use super::instances::ARMIES;
use crate::agents::Sprite;
use crate::camera::Camera;
use std::collections::BTreeSet;
use throng_grid::geom::{Vec2, Vec3, unit};
use throng_scene::figures::Figure;
use throng_scene::noise::lattice;
use throng_scene::painter::banner::{Banner, Spot, part_banners};
use throng_scene::sprite::look;
use throng_scene::view::{FORESHORTENING, RISE, SHADOW};
use throng_sim::world::{Flight, Frame};

/// Length of the stroke of a shot (m), and its least length on the screen (pixels).
const SHOT_LENGTH_M: f32 = 1.1;
const MIN_SHOT_LENGTH_PX: f32 = 6.0;
const SHOT_INK: [u8; 4] = [242, 232, 204, 240];
const SHOT_SHADOW_INK: [u8; 4] = [10, 10, 12, 80];

/// Agents of at least this speed raise dust (m/s).
const RUN: f32 = 2.2;
const DUST_INK: [u8; 4] = [204, 181, 138, 38];

/// Of squads larger than this (agents) banners are drawn in full size.
const LARGE_SQUAD: u32 = 30;
const SMALL_BANNER: f32 = 0.62;
/// Below this zoom (pixels a metre) a squad is hardly larger than its banner.
const FAR_ZOOM: f32 = 3.7;
const FAR_BANNER: f32 = 0.8;
/// Banners beyond this number would only hide the battle.
const MOST_BANNERS: usize = 400;

/// The place on the ground (m) that is seen where a point above it is.
pub fn on_ground(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.y - point.z * (RISE / FORESHORTENING))
}

/// Writes a stroke and a shadow for each shot that `camera` sees, where they were some time (s) before their frame.
pub fn shots(shots: &[Flight], before: f32, camera: &Camera, strokes: &mut Vec<Sprite>, shadows: &mut Vec<Sprite>) {
    strokes.clear();
    shadows.clear();
    // From afar a volley would hide the battle.
    let share = (camera.zoom / FAR_ZOOM).clamp(0.2, 1.0);
    let length = SHOT_LENGTH_M.max(MIN_SHOT_LENGTH_PX * share.max(0.6) / camera.zoom);
    let [ink, shadow] = [SHOT_INK, SHOT_SHADOW_INK].map(|[r, g, b, a]| [r, g, b, (f32::from(a) * share) as u8]);
    for shot in shots {
        let head = shot.at - shot.velocity * before;
        let way = shot.velocity / shot.velocity.length().max(f32::MIN_POSITIVE);
        let tail = head - way * length;
        let stroke = |[tail, head]: [Vec2; 2], ink| {
            let half = 0.5 * tail.distance(head);
            let (along, half) = if half > 0.05 { (unit(head - tail), half) } else { (Vec2::X, 0.05) };
            Sprite::new(tail.midpoint(head), along, half, ink)
        };
        let ends = [tail, head].map(on_ground);
        if camera.sees(ends[1]) {
            strokes.push(stroke(ends, ink));
        }
        let below = [tail, head].map(|point| point.truncate() + SHADOW * point.z.max(0.0));
        if camera.sees(below[1]) {
            shadows.push(stroke(below, shadow));
        }
    }
}

/// Writes a small cloud behind some of the figures that run and that `camera` sees.
pub fn dust(figures: &[Figure], camera: &Camera, out: &mut Vec<Sprite>) {
    out.clear();
    for figure in figures.iter().filter(|figure| figure.speed > RUN && figure.id.is_multiple_of(3)) {
        let behind = throng_scene::sprite::pose::heading_of(figure.direction) * 0.8;
        let at = figure.foot - behind - Vec2::new(0.0, 0.3);
        if camera.sees(at) {
            // Each cloud swells and is gone before the next.
            let share = (lattice(figure.id as i32, 5, 93) + figure.foot.dot(behind) * 0.4).rem_euclid(1.0);
            let [red, green, blue, alpha] = DUST_INK;
            let alpha = (f32::from(alpha) * (1.0 - share)) as u8;
            out.push(Sprite::new(at, Vec2::X, 0.5 + 0.9 * share, [red, green, blue, alpha]));
        }
    }
}

/// Writes the banners of the squads that `camera` sees, each with the foot of its pole in the window (pixels): over the
/// middle of its squad, and none over another. O(agents), and O(banners²).
pub fn banners(
    frame: &Frame,
    place: impl Fn(usize) -> Vec2,
    (selected, colours): (&BTreeSet<u32>, &[[u8; 3]; ARMIES]),
    (camera, window, scale): (&Camera, [u32; 2], f32),
    out: &mut Vec<(Spot, Banner)>,
) {
    out.clear();
    // By squad: how many, the sum of their places, the row of one of them.
    let mut squads: Vec<(u32, Vec2, usize)> = Vec::new();
    for row in 0..frame.squad.len().min(frame.id.len()) {
        let squad = frame.squad[row] as usize;
        if frame.squad[row] == u32::MAX {
            continue;
        }
        if squads.len() <= squad {
            squads.resize(squad + 1, (0, Vec2::ZERO, 0));
        }
        let (count, sum, first) = &mut squads[squad];
        if *count == 0 || frame.id[row] < frame.id[*first] {
            *first = row;
        }
        (*count, *sum) = (*count + 1, *sum + place(row));
    }
    let [width, height] = window.map(|side| side as f32);
    for (squad, &(count, sum, row)) in squads.iter().enumerate().filter(|(_, squad)| squad.0 > 0) {
        let unit = usize::from(frame.unit.get(row).copied().unwrap_or(0));
        let look = frame.looks.get(unit).copied().unwrap_or_default();
        let middle = sum / count as f32;
        let at = camera.to_pixel(on_ground(middle.extend(look::height(look))));
        if at.x < 0.0 || at.y < 0.0 || at.x > width || at.y > height + 40.0 {
            continue;
        }
        let most = frame.enlisted.get(squad).copied().unwrap_or(0).max(count);
        let afar = if camera.zoom < FAR_ZOOM { FAR_BANNER } else { 1.0 };
        let size = scale * afar * if count < LARGE_SQUAD { SMALL_BANNER } else { 1.0 };
        let wave = (frame.time * 0.7) as f32 + lattice(squad as i32, 3, 94);
        let banner = Banner {
            look,
            colour: colours[usize::from(frame.army[row]) % ARMIES],
            strength: count as f32 / most.max(1) as f32,
            morale: 1.0,
            size,
            wave: wave.rem_euclid(1.0),
            is_selected: selected.contains(&(squad as u32)),
        };
        out.push((Spot { x: at.x, y: at.y }, banner));
    }
    // Large squads keep their place.
    out.sort_by(|one, other| other.1.size.total_cmp(&one.1.size));
    out.truncate(MOST_BANNERS);
    let mut spots: Vec<Spot> = out.iter().map(|banner| banner.0).collect();
    part_banners(&mut spots, scale);
    out.iter_mut().zip(spots).for_each(|(banner, spot)| banner.0 = spot);
    // Those further south are nearer.
    out.sort_by(|one, other| one.0.y.total_cmp(&other.0.y));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn camera() -> Camera {
        let mut camera = Camera::new(Vec2::splat(100.0), Vec2::splat(800.0), 0.0);
        camera.set_slant(FORESHORTENING);
        camera
    }

    #[test]
    fn shots_are_above_the_place_over_which_they_fly() {
        let shot = |x: f32| Flight { at: Vec3::new(x, 50.0, 8.0), velocity: Vec3::new(40.0, 0.0, 0.0), army: 0 };
        let (mut strokes, mut shadows) = (Vec::new(), Vec::new());
        shots(&[shot(50.0), shot(5000.0)], 0.05, &camera(), &mut strokes, &mut shadows);
        assert_eq!((strokes.len(), shadows.len()), (1, 1));
        // 8 m up are 6 m of the ground to the north.
        assert!((strokes[0].centre().y - 44.0).abs() < 1e-3 && (strokes[0].centre().x - 47.5).abs() < 0.6);
        assert!(shadows[0].centre().y > 52.0 && shadows[0].centre().x > 53.0);
    }

    #[test]
    fn banners_are_over_their_squads_and_not_over_one_another() {
        let frame = Frame {
            id: (0..90).collect(),
            position: (0..90).map(|i| Vec2::new(50.0 + (i / 45) as f32 * 0.2, 50.0)).collect(),
            squad: (0..90).map(|i| if i % 9 == 8 { u32::MAX } else { i / 45 }).collect(),
            army: (0..90).map(|i| (i / 45) as u8).collect(),
            unit: vec![0; 90],
            enlisted: vec![80, 40],
            ..Frame::default()
        };
        let mut out = Vec::new();
        let selected = BTreeSet::from([1]);
        banners(
            &frame,
            |row| frame.position[row],
            (&selected, &[[200; 3]; ARMIES]),
            (&camera(), [800, 800], 1.0),
            &mut out,
        );
        assert_eq!(out.len(), 2);
        assert!((out[0].0.x - out[1].0.x).abs() >= 28.0, "{out:?}");
        assert_eq!(out.iter().filter(|banner| banner.1.is_selected).count(), 1);
        let strengths: Vec<f32> = out.iter().map(|banner| banner.1.strength).collect();
        assert!(strengths.contains(&0.5) && strengths.contains(&1.0), "{strengths:?}");
    }
}
