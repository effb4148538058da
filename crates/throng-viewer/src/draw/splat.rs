//! Soldiers set pixel by pixel: where the driver is software, a great crowd seen from afar is drawn several times as
//! fast by the processor itself as by a driver that pretends to be a card.

use super::agents::Sprite;
use super::palette::Lights;
use crate::shell::camera::Camera;
use throng_grid::geom::Vec2;

/// The least number of soldiers for which splatting pays.
const MIN_SPLAT_AGENTS: usize = 5_000;
/// Up to this radius (pixels) a square looks like a soldier.
const MAX_SQUARE_RADIUS_PX: f32 = 2.2;

/// True where soldiers should be [set](Plot) on a software driver.
pub(super) fn pays(sprites: &[Sprite], camera: &Camera) -> bool {
    sprites.len() >= MIN_SPLAT_AGENTS
        && sprites.first().is_some_and(|sprite| sprite.radius() * camera.zoom < MAX_SQUARE_RADIUS_PX)
}

/// A picture of `size` pixels that sprites are set into.
pub(super) struct Plot<'a> {
    pub pixels: &'a mut [[u8; 4]],
    pub size: [u32; 2],
    pub camera: &'a Camera,
    pub lights: &'a Lights,
}

impl Plot<'_> {
    /// Sets each sprite as a square, as opaque as it is. O(pixels of sprites).
    pub fn squares(&mut self, sprites: &[Sprite]) {
        for sprite in sprites {
            let side = round(2.0 * sprite.radius() * self.camera.zoom).max(2);
            self.square(self.camera.to_pixel(sprite.centre()), side, sprite.rgba);
        }
    }

    /// Sets each opaque sprite as a stroke along where it looks, twice as long as the radius. O(pixels of sprites).
    pub fn strokes(&mut self, sprites: &[Sprite]) {
        for sprite in sprites {
            let (middle, half) = (self.camera.to_pixel(sprite.centre()), sprite.radius() * self.camera.zoom);
            let (along, dots) = (sprite.heading() * half, round(half).max(1));
            for dot in 0..dots {
                self.square(middle + along * ((2 * dot + 1 - dots) as f32 / dots as f32), 2, sprite.rgba);
            }
        }
    }

    /// Sets a square around a place (pixels), cut at the edges.
    fn square(&mut self, middle: Vec2, side: i32, rgba: [u8; 4]) {
        let Self { size: [width, height], lights, .. } = *self;
        let (right, bottom) = (width as i32, height as i32);
        let corner = middle - 0.5 * side as f32;
        let (x, y) = (round(corner.x), round(corner.y));
        let is_whole = corner.cmpge(Vec2::ZERO).all() && x < right - side && y < bottom - side;
        let first = y.max(0) as usize * width as usize + x.max(0) as usize;
        match (rgba[3], side) {
            (255, 2) if is_whole => square::<2>(&mut self.pixels[first..], width, rgba),
            (255, 3) if is_whole => square::<3>(&mut self.pixels[first..], width, rgba),
            _ => {
                let columns = x.clamp(0, right) as usize..x.saturating_add(side).clamp(0, right) as usize;
                for row in y.max(0)..y.saturating_add(side).min(bottom) {
                    let line = &mut self.pixels[row as usize * width as usize..][columns.clone()];
                    match rgba[3] {
                        255 => line.fill(rgba),
                        _ => line.iter_mut().for_each(|pixel| *pixel = blend(*pixel, rgba, lights)),
                    }
                }
            }
        }
    }
}

/// The nearest whole number, without the calls that `floor` is on processors of old; `as` saturates.
fn round(value: f32) -> i32 {
    let cut = (value + 0.5) as i32;
    cut.saturating_sub(i32::from(cut as f32 > value + 0.5))
}

/// Sets a square of `SIDE` pixels: the usual sizes are compiled apart, several times as fast as others.
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

    fn set(pixels: &mut [[u8; 4]], size: [u32; 2], sprite: &Sprite, camera: &Camera) {
        Plot { pixels, size, camera, lights: &Lights::new() }.squares(std::slice::from_ref(sprite));
    }

    #[test]
    fn a_shot_is_a_stroke_along_its_way() {
        let camera = Camera::new(Vec2::splat(40.0), Vec2::splat(40.0), 0.0).with_margin(0.0);
        let lights = Lights::new();
        for (way, reach) in [(Vec2::X, Vec2::new(8.0, 1.0)), (Vec2::Y, Vec2::new(1.0, 8.0))] {
            let mut pixels = vec![[0, 0, 0, 255]; 1600];
            let shot = Sprite::new(Vec2::splat(20.0), way, 8.0, [9, 9, 9, 255]);
            Plot { pixels: &mut pixels, size: [40, 40], camera: &camera, lights: &lights }.strokes(&[shot]);
            let set: Vec<usize> = (0..1600).filter(|&at| pixels[at][0] == 9).collect();
            let off = |at: usize| (Vec2::new((at % 40) as f32, (at / 40) as f32) + 0.5 - 20.0).abs();
            assert!(set.iter().all(|&at| off(at).cmple(reach + 0.6).all()), "{set:?}");
            assert!((28..=36).contains(&set.len()), "{} pixels", set.len());
        }
    }

    #[test]
    fn a_soldier_is_a_square_at_its_place() {
        let camera = Camera::new(Vec2::new(100.0, 100.0), Vec2::new(128.0, 128.0), 0.0);
        let mut pixels = vec![[0, 0, 0, 255]; 128 * 128];
        let sprite = Sprite::new(Vec2::new(50.0, 50.0), Vec2::X, 0.4, [9, 8, 7, 255]);
        set(&mut pixels, [128, 128], &sprite, &camera);
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
                set(&mut pixels, [40, 40], &Sprite::new(centre, Vec2::X, radius, [9, 9, 9, 255]), &camera);
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
        set(&mut pixels, [8, 8], &shadow(0), &camera);
        assert!(pixels.iter().all(|pixel| *pixel == [200, 100, 50, 255]));
        set(&mut pixels, [8, 8], &shadow(128), &camera);
        // Half the light is more than half the number.
        assert!(pixels.iter().all(|pixel| (130..160).contains(&pixel[0]) && pixel[3] == 255), "{:?}", pixels[0]);
    }

    proptest! {
        #[test]
        fn soldiers_may_be_anywhere(x in -1e4_f32..1e4, y in -1e4_f32..1e4, radius in 0.1_f32..300.0, alpha: u8) {
            let camera = Camera::new(Vec2::new(100.0, 50.0), Vec2::new(64.0, 48.0), 0.0);
            let sprite = Sprite::new(Vec2::new(x, y), Vec2::X, radius, [9, 9, 9, alpha]);
            let mut pixels = vec![[0; 4]; 64 * 48];
            set(&mut pixels, [64, 48], &sprite, &camera);
            let lights = Lights::new();
            Plot { pixels: &mut pixels, size: [64, 48], camera: &camera, lights: &lights }.strokes(&[sprite]);
        }
    }
}
