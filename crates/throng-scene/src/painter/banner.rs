//! Banners: a flag over each squad, which tells its army, its kind, its strength and its morale at any zoom.

use super::canvas::Stamp;
use super::emblem::{draw_emblem, draw_line, fill_polygon};
use std::collections::BTreeMap;
use throng_sim::battle::Look;
use tiny_skia::Pixmap;

/// What a banner shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Banner {
    /// The look of its squad.
    pub look: Look,
    /// The colour of its army.
    pub colour: [u8; 3],
    /// How much of the squad is left, 0 to 1.
    pub strength: f32,
    /// How it hangs, by the squad's morale: 1 = it flies, 0 = it droops.
    pub morale: f32,
    /// Its size: 1 = a pole of 41 pixels.
    pub size: f32,
    /// How far its waves have come, 0 to 1.
    pub wave: f32,
    /// Whether its squad is selected.
    pub is_selected: bool,
}

/// Banners that were drawn already, by what they show.
#[derive(Clone, Debug, Default)]
pub struct Banners {
    drawn: BTreeMap<Key, Drawn>,
}

type Key = (u8, [u8; 3], u8, u8, u16, u8, bool);

/// A banner's picture.
#[derive(Clone, Debug)]
struct Drawn {
    width: usize,
    pixels: Vec<[u8; 4]>,
    /// The foot of the pole in it (pixels).
    foot: (i32, i32),
}

/// Pictures that are kept; then all are drawn anew.
const MAX_CACHED_PICTURES: usize = 2000;

impl Banners {
    /// The picture of a banner and where the foot of its pole is in it (pixels).
    pub fn stamp(&mut self, banner: &Banner) -> (Stamp<'_>, (i32, i32)) {
        let steps = |share: f32, steps: f32| (share.clamp(0.0, 1.0) * steps).round() as u8;
        let key = (
            banner.look as u8,
            banner.colour,
            steps(banner.strength, 22.0),
            steps(banner.morale, 4.0),
            (banner.size * 64.0) as u16,
            steps(banner.wave.rem_euclid(1.0), 8.0) % 8,
            banner.is_selected,
        );
        if self.drawn.len() > MAX_CACHED_PICTURES {
            self.drawn.clear();
        }
        let drawn = self.drawn.entry(key).or_insert_with(|| {
            let rounded = Banner {
                strength: f32::from(key.2) / 22.0,
                morale: f32::from(key.3) / 4.0,
                size: f32::from(key.4) / 64.0,
                wave: f32::from(key.5) / 8.0,
                ..*banner
            };
            draw(&rounded)
        });
        (Stamp::new(drawn.width, &drawn.pixels), drawn.foot)
    }
}

const INK: [u8; 3] = [18, 14, 12];
const POLE: [u8; 3] = [216, 190, 130];
const SELECTED: [u8; 3] = [255, 244, 170];
const EMBLEM: [u8; 3] = [255, 252, 244];

/// Length (pixels) of cloth and of its bar at size 1.
const LENGTH: f32 = 26.0;
const HEIGHT: f32 = 16.0;

fn draw(banner: &Banner) -> Drawn {
    let size = banner.size;
    let (left, above) = (4.0 * size, 40.0 * size);
    let (width, height) = (((LENGTH + 10.0) * size).ceil() as u32, (50.0 * size).ceil() as u32);
    let Some(mut sheet) = Pixmap::new(width.max(1), height.max(1)) else {
        return Drawn { width: 1, pixels: vec![[0; 4]], foot: (0, 0) };
    };
    // From the top of the pole, in pixels of size 1.
    let at = |[x, y]: [f32; 2]| [left + x * size, above + (y - 34.0) * size];
    let all = |points: &[[f32; 2]]| points.iter().map(|&point| at(point)).collect::<Vec<_>>();
    // The cloth of a squad that wavers hangs down from the pole.
    let droop = 1.0 - banner.morale.clamp(0.0, 1.0);
    let hang = |[x, y]: [f32; 2]| {
        let t = x / LENGTH;
        let wave = 1.6 * libm::sinf(t * 5.2 - banner.wave * std::f32::consts::TAU) * t * (1.0 - 0.6 * droop);
        [x * (1.0 - 0.55 * droop * t), y + wave + droop * 14.0 * t]
    };
    let upper: Vec<_> = (0..14).map(|i| hang([LENGTH * i as f32 / 13.0, 0.0])).collect();
    let lower: Vec<_> = (0..14).rev().map(|i| hang([LENGTH * i as f32 / 13.0, HEIGHT])).collect();
    let notch = hang([21.0, HEIGHT / 2.0]);
    let cloth: Vec<_> = all(&upper).into_iter().chain([at(notch)]).chain(all(&lower)).collect();
    let shade = |factor: f32| banner.colour.map(|channel| (f32::from(channel) * factor) as u8);
    let edge = if banner.is_selected { SELECTED } else { INK };

    draw_line(&mut sheet, &all(&[[0.0, -3.0], [0.0, 38.0]]), 3.4 * size, INK, 1.0);
    fill_polygon(&mut sheet, &cloth, shade(0.92), 1.0);
    let tail = [hang([17.0, 0.0]), hang([26.0, 0.0]), notch, hang([26.0, HEIGHT]), hang([17.0, HEIGHT])];
    fill_polygon(&mut sheet, &all(&tail), shade(0.6), 0.35);
    let outline: Vec<_> = cloth.iter().chain(&cloth[..1]).copied().collect();
    draw_line(&mut sheet, &outline, 1.3 * size, edge, 1.0);
    draw_line(&mut sheet, &all(&[[0.0, -3.0], [0.0, 38.0]]), 1.5 * size, POLE, 1.0);
    draw_emblem(&mut sheet, banner.look, at(hang([9.3, 8.0])), 5.6 * size, 1.7 * size, EMBLEM);
    let bar = |from: f32, top: f32, to: f32, bottom: f32| all(&[[from, top], [to, top], [to, bottom], [from, bottom]]);
    fill_polygon(&mut sheet, &bar(1.6, 18.2, 26.0, 23.0), [16, 14, 14], 0.92);
    let left_over = 2.6 + 22.4 * banner.strength.clamp(0.0, 1.0);
    fill_polygon(
        &mut sheet,
        &bar(2.6, 19.2, left_over, 22.0),
        if banner.is_selected { [255, 236, 130] } else { [255, 250, 238] },
        1.0,
    );
    Drawn {
        width: width.max(1) as usize,
        pixels: sheet.data().as_chunks::<4>().0.to_vec(),
        foot: (left as i32, (above + 4.0 * size) as i32),
    }
}

/// A place for a banner: the top of what it stands on (pixels).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Pixels to the right.
    pub x: f32,
    /// Pixels down.
    pub y: f32,
}

/// Moves banners of a size aside until none is over another of those before it in the list. O(banners²).
pub fn part_banners(spots: &mut [Spot], size: f32) {
    for i in 0..spots.len() {
        for j in 0..i {
            let (other, spot) = (spots[j], &mut spots[i]);
            if (spot.x - other.x).abs() < 28.0 * size && (spot.y - other.y).abs() < 26.0 * size {
                let aside = 29.0 * size;
                spot.x = if spot.x >= other.x { other.x + aside } else { other.x - aside };
            }
        }
    }
}
