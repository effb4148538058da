//! Where one walks between two waters: bridges, dams, causeways.

use super::Wing;
use super::components::components;
use super::contour::contours;
use super::enclosure::shut;
use super::raster::Raster;
use super::rectangles::Frame;
use throng_grid::geom::Vec2;

/// Wider ways between waters are land (m).
const MAX_BRIDGE_WIDTH_M: f32 = 13.0;

/// How far beside a bridge its water begins at most, behind parapets (m).
const MAX_PARAPET_M: f32 = 3.2;

/// Rectangles (m) along the ways over water. `metre` is the length of a metre in cells. O(cells) where there is water.
pub(super) fn bridges(open: &Raster<bool>, water: &Raster<bool>, metre: f32) -> Vec<Wing> {
    if !water.cells.contains(&true) {
        return Vec::new();
    }
    let gap = shut(water, MAX_BRIDGE_WIDTH_M * 0.5 * metre).with(open, |shut, open| shut && open);
    let (label, parts) = components(&gap.map(u8::from));
    let mut bridges = Vec::new();
    for (number, part) in (1..).zip(&parts) {
        if (part.cells as f32) < 6.0 * metre * metre {
            continue;
        }
        let window = part.window.grown(1, gap.width, gap.height);
        let corner = Vec2::new(window.left as f32, window.top as f32);
        let lines = contours(&label.cut(window, |label| label == number));
        let points = || lines.iter().flatten().map(|&point| point + corner);
        let mut upright = Frame { along: Vec2::X, span: Frame::around(&points()).span };
        upright.span.low = points().reduce(Vec2::min).unwrap_or_default();
        upright.span.high = points().reduce(Vec2::max).unwrap_or_default();
        // Where a river winds, its banks are no sides of the least box.
        let found = [Frame::around(&points()), upright].iter().find_map(|frame| crossing(*frame, water, metre));
        bridges.extend(found);
    }
    bridges
}

/// The bridge that fills a box, if there is water on two of its sides only.
fn crossing(frame: Frame, water: &Raster<bool>, metre: f32) -> Option<Wing> {
    let (middle, half) = ((frame.span.low + frame.span.high) * 0.5, frame.span.size() * 0.5);
    let centre = frame.place(middle);
    let axes = [(frame.along, half.x, half.y), (frame.along.perp(), half.y, half.x)];
    axes.into_iter().find_map(|(along, length, width)| {
        let across = along.perp();
        let side = |sign: f32| {
            let reach = |step: i32| sign * (width + MAX_PARAPET_M * metre * step as f32 / 8.0);
            share(centre, along, length * 0.8, |at| (1..=8).any(|step| wet(water, *at + across * reach(step))))
        };
        let end = |sign: f32| {
            share(centre, across, width * 0.7, |at| wet(water, *at + along * (sign * (length + 1.5 * metre))))
        };
        let is_crossing = side(1.0).min(side(-1.0)) >= 0.4 && end(1.0).max(end(-1.0)) <= 0.35;
        let size = 1.0 / metre;
        (is_crossing && width * 2.0 <= MAX_BRIDGE_WIDTH_M * metre && length >= metre).then(|| Wing {
            centre: centre * size,
            along,
            half_length: length * size + 1.2,
            half_width: width * size + 0.25,
        })
    })
}

fn wet(water: &Raster<bool>, at: Vec2) -> bool {
    water.or(at.x.floor() as i32, at.y.floor() as i32, false)
}

/// The share of points of a line to which something applies.
fn share(centre: Vec2, along: Vec2, half: f32, is: impl Fn(&Vec2) -> bool) -> f32 {
    let points = (-4..=4).map(|step| centre + along * (half * step as f32 / 4.0));
    points.filter(is).count() as f32 / 9.0
}
