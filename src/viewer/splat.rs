//! Soldiers set pixel by pixel: where the driver is software, a great crowd seen from afar is drawn four times as fast
//! by the processor itself as by a driver that pretends to be a card.

use super::agents::Sprite;
use super::camera::Camera;
use super::palette::Lights;
use crate::geom::Vec2;

/// From so many soldiers on it pays.
const MANY: usize = 20_000;
/// Up to this radius (pixels) a square looks like a soldier.
const SMALL: f32 = 2.2;

/// True where soldiers should be [set](plot) on a software driver.
pub(super) fn pays(sprites: &[Sprite], camera: &Camera) -> bool {
    sprites.len() >= MANY && sprites.first().is_some_and(|sprite| sprite.radius() * camera.zoom < SMALL)
}

/// Sets each sprite as a square into a picture of `width` x `height` pixels, as opaque as it is. O(pixels of sprites).
pub(super) fn plot(
    pixels: &mut [[u8; 4]],
    [width, height]: [u32; 2],
    sprites: &[Sprite],
    camera: &Camera,
    lights: &Lights,
) {
    // Without the calls that `floor` is on processors of old; `as` saturates.
    let round = |value: f32| {
        let cut = (value + 0.5) as i32;
        cut.saturating_sub(i32::from(cut as f32 > value + 0.5))
    };
    let (right, bottom) = (width as i32, height as i32);
    for sprite in sprites {
        let side = round(2.0 * sprite.radius() * camera.zoom).max(2);
        let corner = camera.to_pixel(sprite.centre()) - 0.5 * side as f32;
        let (x, y) = (round(corner.x), round(corner.y));
        let is_whole = corner.cmpge(Vec2::ZERO).all() && x < right - side && y < bottom - side;
        let first = y.max(0) as usize * width as usize + x.max(0) as usize;
        match (sprite.rgba[3], side) {
            (255, 2) if is_whole => square::<2>(&mut pixels[first..], width, sprite.rgba),
            (255, 3) if is_whole => square::<3>(&mut pixels[first..], width, sprite.rgba),
            _ => {
                let columns = x.clamp(0, right) as usize..x.saturating_add(side).clamp(0, right) as usize;
                for row in y.max(0)..y.saturating_add(side).min(bottom) {
                    let line = &mut pixels[row as usize * width as usize..][columns.clone()];
                    match sprite.rgba[3] {
                        255 => line.fill(sprite.rgba),
                        _ => line.iter_mut().for_each(|pixel| *pixel = blend(*pixel, sprite.rgba, lights)),
                    }
                }
            }
        }
    }
}

/// Sets a square of so many pixels, whose first is the first: the usual ones, and several times as fast as any others.
fn square<const SIDE: usize>(pixels: &mut [[u8; 4]], width: u32, rgba: [u8; 4]) {
    for line in pixels.chunks_mut(width as usize).take(SIDE) {
        line[..SIDE].copy_from_slice(&[rgba; SIDE]);
    }
}

/// A colour over another, mixed as light.
fn blend(under: [u8; 4], [red, green, blue, alpha]: [u8; 4], lights: &Lights) -> [u8; 4] {
    let share = f32::from(alpha) / 255.0;
    let mix = |over: u8, under: u8| {
        let [over, under] = [over, under].map(|channel| lights.light(channel));
        lights.channel(under + (over - under) * share)
    };
    [mix(red, under[0]), mix(green, under[1]), mix(blue, under[2]), 255]
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_soldier_is_a_square_at_its_place() {
        let camera = Camera::new(Vec2::new(100.0, 100.0), Vec2::new(128.0, 128.0), 0.0);
        let mut pixels = vec![[0, 0, 0, 255]; 128 * 128];
        let sprite = Sprite::new(Vec2::new(50.0, 50.0), Vec2::X, 0.4, [9, 8, 7, 255]);
        plot(&mut pixels, [128, 128], &[sprite], &camera, &Lights::new());
        let set: Vec<usize> = (0..pixels.len()).filter(|&at| pixels[at] == [9, 8, 7, 255]).collect();
        assert_eq!(set, [63 * 128 + 63, 63 * 128 + 64, 64 * 128 + 63, 64 * 128 + 64]);
    }

    #[test]
    fn squares_are_cut_at_the_edges_and_are_the_same_everywhere() {
        let camera = Camera::new(Vec2::splat(40.0), Vec2::splat(40.0), 0.0).with_margin(0.0);
        for (radius, side) in [(0.2, 2), (1.0, 2), (1.5, 3), (2.0, 4)] {
            for (x, y) in [(20.0, 20.0), (0.0, 0.0), (40.0, 40.0), (39.0, 3.0), (-0.6, 12.0), (10.0, 40.4)] {
                let centre = Vec2::new(x, y);
                let mut pixels = vec![[0, 0, 0, 255]; 1600];
                plot(
                    &mut pixels,
                    [40, 40],
                    &[Sprite::new(centre, Vec2::X, radius, [9, 9, 9, 255])],
                    &camera,
                    &Lights::new(),
                );
                let corner = centre - 0.5 * side as f32;
                let begin = corner.to_array().map(|edge| (edge + 0.5).floor() as i32);
                let inside = |at: i32, begin: i32| (begin..begin + side).contains(&at);
                for at in 0..1600 {
                    let is_set = inside(at % 40, begin[0]) && inside(at / 40, begin[1]);
                    assert_eq!(pixels[at as usize][0] == 9, is_set, "{centre} {radius} at {at}");
                }
            }
        }
    }

    #[test]
    fn shadows_let_the_ground_through() {
        let camera = Camera::new(Vec2::splat(4.0), Vec2::splat(8.0), 0.0).with_margin(0.0);
        let mut pixels = vec![[200, 100, 50, 255]; 64];
        let shadow = |alpha| Sprite::new(Vec2::splat(2.0), Vec2::X, 9.0, [0, 0, 0, alpha]);
        plot(&mut pixels, [8, 8], &[shadow(0)], &camera, &Lights::new());
        assert!(pixels.iter().all(|pixel| *pixel == [200, 100, 50, 255]));
        plot(&mut pixels, [8, 8], &[shadow(128)], &camera, &Lights::new());
        // Half the light is more than half the number.
        assert!(pixels.iter().all(|pixel| (130..160).contains(&pixel[0]) && pixel[3] == 255), "{:?}", pixels[0]);
    }

    proptest! {
        #[test]
        fn soldiers_may_be_anywhere(x in -1e4_f32..1e4, y in -1e4_f32..1e4, radius in 0.1_f32..300.0, alpha: u8) {
            let camera = Camera::new(Vec2::new(100.0, 50.0), Vec2::new(64.0, 48.0), 0.0);
            let sprite = Sprite::new(Vec2::new(x, y), Vec2::X, radius, [9, 9, 9, alpha]);
            plot(&mut vec![[0; 4]; 64 * 48], [64, 48], &[sprite], &camera, &Lights::new());
        }
    }
}
