//! Rings on the ground around the feet of those who are selected.

use super::instances;
use crate::draw::outlines::MIN_RING_RADIUS_PX;
use crate::shell::camera::Camera;
use std::collections::{BTreeMap, BTreeSet};
use throng_grid::geom::Vec2;
use throng_sim::world::{Frame, SquadId};

/// Radius of a ring, in radii of the body, and its least on the screen (pixels).
const RADIUS_OVER_BODY: f32 = 1.35;
const MIN_RADIUS_PX: f32 = 3.0;
/// Rings are drawn up to this radius (pixels).
const MAX_RADIUS_PX: u32 = 38;
/// Half the width of the line (pixels).
const HALF_LINE_PX: f32 = 0.75;
const INK: [u8; 3] = [0xFF, 0xF4, 0xAA];
/// More would only cover the ground.
const MAX_RINGS: usize = 20_000;

/// A ring in the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ring {
    /// The upper left corner of its picture (pixels).
    pub corner: [i32; 2],
    /// Its radius (pixels).
    pub radius: u32,
    /// As [`Instance::foot`](super::instances::Instance::foot).
    pub foot: u16,
}

/// A ring's picture.
pub struct RingPicture {
    pub width: usize,
    /// Premultiplied.
    pub pixels: Vec<[u8; 4]>,
}

/// The pictures of rings, by their radius.
#[derive(Default)]
pub struct Rings {
    pictures: BTreeMap<u32, RingPicture>,
}

impl Rings {
    /// The picture of a radius (pixels).
    pub fn picture(&mut self, radius: u32, slant: f32) -> &RingPicture {
        self.pictures.entry(radius).or_insert_with(|| draw(radius, slant))
    }
}

/// Half the width and half the height of a picture (pixels).
fn half(radius: u32, slant: f32) -> [i32; 2] {
    [radius as i32 + 1, libm::ceilf(radius as f32 * slant) as i32 + 1]
}

fn draw(radius: u32, slant: f32) -> RingPicture {
    let [across, down] = half(radius, slant);
    let (width, height) = (2 * across as usize, 2 * down as usize);
    let pixel = |index: usize| {
        let at = Vec2::new((index % width) as f32 + 0.5, (index / width) as f32 + 0.5)
            - Vec2::new(across as f32, down as f32);
        // The distance to an ellipse, near enough for a thin line.
        let flat = at / Vec2::new(1.0, slant);
        let slope = (flat / Vec2::new(1.0, slant)).length() / flat.length().max(1e-3);
        let off = (flat.length() - radius as f32).abs() / slope;
        let cover = (HALF_LINE_PX + 0.5 - off).clamp(0.0, 1.0);
        let part = |channel: u8| (f32::from(channel) * cover) as u8;
        [part(INK[0]), part(INK[1]), part(INK[2]), (cover * 255.0) as u8]
    };
    RingPicture { width, pixels: (0..width * height).map(pixel).collect() }
}

/// Writes a ring for each agent of some squads that a camera sees, where they are not too small for that; `scale` are the pixels of
/// a point.
pub fn around(
    frame: &Frame,
    place: impl Fn(usize) -> Vec2,
    selected: &BTreeSet<SquadId>,
    (camera, scale): (&Camera, f32),
    out: &mut Vec<Ring>,
) {
    out.clear();
    if selected.is_empty() {
        return;
    }
    let horizon = instances::horizon(camera);
    let rows = (0..frame.squad.len().min(frame.id.len()))
        .filter(|&row| frame.squad[row].is_some_and(|squad| selected.contains(&squad)));
    let rows = rows.filter(|&row| frame.radius[row] * camera.zoom >= MIN_RING_RADIUS_PX * scale);
    let seen = rows.map(|row| (row, place(row))).filter(|&(_, at)| camera.sees(at)).take(MAX_RINGS);
    out.extend(seen.map(|(row, at)| {
        let radius = (RADIUS_OVER_BODY * frame.radius[row] * camera.zoom).max(MIN_RADIUS_PX).round() as u32;
        let radius = radius.min(MAX_RADIUS_PX);
        let [across, down] = half(radius, camera.slant());
        let [x, y] = camera.to_pixel(at).round().to_array().map(|part| part as i32);
        Ring { corner: [x - across, y - down], radius, foot: instances::foot(at.y - horizon) }
    }));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rings_are_thin_and_flat() {
        for radius in [3, 10, MAX_RADIUS_PX] {
            let RingPicture { width, pixels } = draw(radius, 0.8);
            let height = pixels.len() / width;
            assert!(height <= width && width <= 78);
            let at = |x: usize, y: usize| pixels[y * width + x][3];
            assert_eq!(at(width / 2, height / 2), 0, "{radius}");
            assert!(at(1, height / 2) > 120 && at(width / 2, 1) > 60, "{radius}");
            assert!(pixels.iter().all(|pixel| pixel[..3].iter().all(|&part| part <= pixel[3])));
        }
    }
}
