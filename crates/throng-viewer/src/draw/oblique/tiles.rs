//! The squares in which a land is painted: which of them a camera sees at a scale, the nearest to its middle first.

use crate::shell::camera::Camera;
use throng_grid::geom::Vec2;
use throng_scene::scenery::Scenery;
use throng_scene::view::{FORESHORTENING, View};

/// Side of a tile (pixels).
pub const TILE_SIDE_PX: i32 = 512;

/// A tile of a land at a scale.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TileKey {
    /// The bits of the scale (pixels a metre).
    scale: u32,
    column: i32,
    row: i32,
}

impl TileKey {
    /// Pixels a metre to the east.
    pub fn scale(self) -> f32 {
        f32::from_bits(self.scale)
    }
}

/// All tiles of a land at one scale: the map with a border around it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sheet {
    scale: f32,
    /// The pixel of its corner, from that of the map.
    corner: [i32; 2],
    size: [i32; 2],
}

/// A rectangle of pixels at a scale, counted from the corner of the map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Area {
    /// Its left and upper edge.
    pub corner: [i32; 2],
    /// Its width and height.
    pub size: [i32; 2],
}

impl Sheet {
    /// Of a map of this size (m) at so many pixels a metre.
    pub fn new(map: Vec2, scale: f32) -> Self {
        let pixels = Vec2::new(scale, scale * FORESHORTENING);
        let low = (-Scenery::BORDER * pixels).floor();
        let size = ((map + Scenery::BORDER) * pixels).ceil() - low;
        Self { scale, corner: low.to_array().map(|part| part as i32), size: size.to_array().map(|part| part as i32) }
    }

    /// The pixels of a tile of this scale.
    pub fn area(&self, key: TileKey) -> Area {
        let offset = [key.column * TILE_SIDE_PX, key.row * TILE_SIDE_PX];
        Area {
            corner: [self.corner[0] + offset[0], self.corner[1] + offset[1]],
            size: [TILE_SIDE_PX.min(self.size[0] - offset[0]), TILE_SIDE_PX.min(self.size[1] - offset[1])],
        }
    }

    /// What to paint for a tile.
    pub fn view(&self, area: Area) -> View {
        let [x, y] = area.corner.map(|part| part as f32);
        View { origin: Vec2::new(x, y / FORESHORTENING) / self.scale, scale: self.scale }
    }

    /// The tiles of this scale that show something of a rectangle of the ground (m).
    pub fn touched(&self, [low, high]: [Vec2; 2]) -> impl Iterator<Item = TileKey> + use<> {
        let pixels = Vec2::new(self.scale, self.scale * FORESHORTENING);
        let index = |point: Vec2, part: usize| {
            let most = (self.size[part] - 1).div_euclid(TILE_SIDE_PX);
            let at = (point * pixels).to_array()[part] as i32 - self.corner[part];
            (at.div_euclid(TILE_SIDE_PX), most)
        };
        let range = |part| {
            let ((from, most), (to, _)) = (index(low, part), index(high, part));
            from.max(0)..=to.min(most)
        };
        let (columns, scale) = (range(0), self.scale.to_bits());
        range(1).flat_map(move |row| columns.clone().map(move |column| TileKey { scale, column, row }))
    }

    /// The tiles that a camera sees, the nearest to the middle of the window first.
    pub fn seen(&self, camera: &Camera) -> Vec<TileKey> {
        let view = camera.view();
        let middle = view[0].midpoint(view[1]) * Vec2::new(self.scale, self.scale * FORESHORTENING);
        let mut keys: Vec<TileKey> = self.touched(view).collect();
        keys.sort_by_key(|&key| {
            let Area { corner, size } = self.area(key);
            let [x, y] = [0, 1].map(|part| i64::from(corner[part] + size[part] / 2));
            (x - middle.x as i64).pow(2) + (y - middle.y as i64).pow(2)
        });
        keys
    }
}

/// The factor between two scales of the ladder.
const LADDER_FACTOR: f32 = 1.5;

/// The scales that a land is painted at (pixels a metre).
const SCALE_RANGE: std::ops::RangeInclusive<f32> = 1.0..=40.0;

/// The scale of the ladder that is nearest to a zoom (pixels a metre).
pub fn rung(zoom: f32) -> f32 {
    let rung =
        libm::roundf(libm::logf(zoom.clamp(*SCALE_RANGE.start(), *SCALE_RANGE.end())) / libm::logf(LADDER_FACTOR));
    libm::powf(LADDER_FACTOR, rung).clamp(*SCALE_RANGE.start(), *SCALE_RANGE.end())
}

/// The scale that is as the zoom, where it can be painted (pixels a metre).
pub fn exact(zoom: f32) -> f32 {
    zoom.clamp(*SCALE_RANGE.start(), *SCALE_RANGE.end())
}

/// The most pixels of the first, coarse picture of the whole map.
const MAX_COARSE_PIXELS: f32 = 4e5;

/// The scale of the first picture of a map of this size (m), which is shown until finer tiles are there.
pub fn coarse(map: Vec2) -> f32 {
    let side = map + 2.0 * Scenery::BORDER;
    libm::sqrtf(MAX_COARSE_PIXELS / (side.x * side.y * FORESHORTENING)).clamp(*SCALE_RANGE.start(), 4.0)
}

/// How far what changes on the ground is seen to change (m): north-west and south-east of it. What is built rises up to the
/// north and throws its shadow to the south-east; both are at most [`MAX_HEIGHT_M`] high, and a breach is looked for around walls.
pub fn around([low, high]: [Vec2; 2]) -> [Vec2; 2] {
    let rise = MAX_HEIGHT_M * throng_scene::view::RISE / FORESHORTENING;
    let shadow = throng_scene::view::SHADOW * MAX_HEIGHT_M;
    [low - Vec2::new(0.0, rise) - CHANGE_MARGIN_M, high + shadow + CHANGE_MARGIN_M]
}

/// What is built is at most so high (m).
const MAX_HEIGHT_M: f32 = 12.0;
/// How far around what changes walls are looked for (m).
const CHANGE_MARGIN_M: f32 = 10.0;

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn scales_are_those_of_the_ladder() {
        for zoom in [0.1, 1.0, 2.6, 5.2, 11.0, 30.0, 160.0] {
            let scale = rung(zoom);
            assert!(scale / exact(zoom) < 1.23 && exact(zoom) / scale < 1.34, "{scale} for {zoom}");
            assert_eq!(rung(scale), scale);
        }
        assert!(coarse(Vec2::splat(100.0)) > 3.9 && coarse(Vec2::splat(4000.0)) == 1.0);
    }

    proptest! {
        #[test]
        fn tiles_cover_what_is_seen_of_the_map(
            map in (20.0_f32..900.0, 20.0_f32..900.0), zoom in 0.5_f32..30.0, at in (0.0_f32..1.0, 0.0_f32..1.0),
        ) {
            let (map, at) = (Vec2::from(map), Vec2::from(at));
            let mut camera = Camera::new(map, Vec2::new(1280.0, 720.0), 0.0);
            camera.set_slant(FORESHORTENING);
            camera.zoom_at(Vec2::new(1280.0, 720.0) * at, zoom);
            let sheet = Sheet::new(map, exact(camera.zoom));
            let seen = sheet.seen(&camera);
            let pixels = Vec2::new(sheet.scale, sheet.scale * FORESHORTENING);
            for corner in [Vec2::ZERO, Vec2::X, Vec2::Y, Vec2::ONE, Vec2::splat(0.5)] {
                let point = camera.to_world(Vec2::new(1280.0, 720.0) * corner);
                if point.cmpge(Vec2::ZERO).all() && point.cmple(map).all() {
                    let pixel = (point * pixels).to_array();
                    let covers = |key: &&TileKey| {
                        let Area { corner, size } = sheet.area(**key);
                        (0..2).all(|part| {
                            let from = pixel[part] - corner[part] as f32;
                            from >= -0.5 && from <= size[part] as f32 + 0.5
                        })
                    };
                    prop_assert!(seen.iter().any(|key| covers(&key)), "{point}");
                }
            }
            for key in seen {
                let area = sheet.area(key);
                prop_assert!(area.size[0] > 0 && area.size[1] > 0 && area.size[0] <= TILE_SIDE_PX && area.size[1] <= TILE_SIDE_PX);
                let again = sheet.view(area).origin * pixels;
                prop_assert!((again.x - area.corner[0] as f32).abs() < 0.1 && (again.y - area.corner[1] as f32).abs() < 0.1);
            }
        }
    }
}
