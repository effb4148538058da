//! The picture: bodies from the farthest to the nearest, the cone, the ways of the shots, the hits.

use super::figure::VolumeFigure;
use super::keys::{Layer, VisibleLayers};
use super::projection::Projection;
use super::state::{DrawnCone, VolumeState};
use egui::{Color32, Painter, Pos2, Shape, Stroke, pos2, vec2};
use glam::Vec3;
use throng_grid::geom::Vec2;

pub(super) const SHOT_INK: Color32 = Color32::from_rgb(245, 240, 230);
/// Hits that sub-steps find, and hits that they miss: apart for any eye, since one is a ring and the other a cross.
pub(super) const FOUND_INK: Color32 = Color32::from_rgb(60, 220, 170);
pub(super) const TUNNELLED_INK: Color32 = Color32::from_rgb(255, 96, 56);
const FLOOR: Color32 = Color32::from_rgb(22, 24, 29);
const WALL_INK: Color32 = Color32::from_rgb(110, 112, 120);
const CELL_INK: Color32 = Color32::from_rgb(92, 108, 140);
const CONE_INK: Color32 = Color32::from_rgb(255, 236, 170);
/// How much of their colour bodies keep that the cone does not see.
const UNSEEN_BRIGHTNESS: f32 = 0.42;
/// Corners of circles in space.
const CIRCLE_CORNERS: u16 = 28;

/// The colour of a kind of body.
pub(super) fn kind_ink(kind: usize) -> Color32 {
    const INKS: [[u8; 3]; 5] = [[86, 180, 233], [150, 140, 255], [204, 121, 167], [230, 159, 0], [240, 228, 66]];
    let [red, green, blue] = INKS[kind % INKS.len()];
    Color32::from_rgb(red, green, blue)
}

/// A painter, and the transform of points and lengths (m) to its points.
pub(super) struct Canvas<'a> {
    pub painter: Painter,
    pub projection: Projection,
    /// From a place in the picture (m) to one on the painter.
    pub place: &'a dyn Fn(Vec2) -> Vec2,
    /// Points a metre.
    pub zoom: f32,
}

fn shade(ink: Color32, light: f32) -> Color32 {
    let [red, green, blue, _] = ink.to_array();
    let part = |channel: u8| (f32::from(channel) * light).min(255.0) as u8;
    Color32::from_rgb(part(red), part(green), part(blue))
}

impl Canvas<'_> {
    fn at(&self, point: Vec3) -> Pos2 {
        let place = (self.place)(self.projection.point(point));
        pos2(place.x, place.y)
    }

    /// Draws a state.
    pub fn paint(&self, state: &VolumeState, layers: VisibleLayers) {
        self.room(state);
        if layers.has(Layer::Cells) {
            for &[low, high] in &state.cells {
                self.frame([low, high].map(|corner| corner.clamp(Vec3::ZERO, top(state))), Stroke::new(1.0, CELL_INK));
            }
        }
        if layers.has(Layer::Cone) {
            self.cone(&state.cone, state.trial.space);
        }
        let mut order: Vec<_> = state.bodies.iter().collect();
        order.sort_by(|a, b| {
            let depth = |figure: &VolumeFigure| self.projection.depth(figure.middle());
            depth(&b.figure).total_cmp(&depth(&a.figure))
        });
        for body in order {
            let is_bright = body.seen || !layers.has(Layer::Cone);
            let ink = shade(kind_ink(body.kind), if is_bright { 1.0 } else { UNSEEN_BRIGHTNESS });
            self.body(&body.figure, ink, layers.has(Layer::Balls));
        }
        for shot in &state.shots {
            let [from, now, end] = shot.way;
            if layers.has(Layer::Ways) {
                self.painter
                    .line_segment([self.at(from), self.at(end)], Stroke::new(1.0, SHOT_INK.gamma_multiply(0.28)));
                self.painter
                    .line_segment([self.at(from), self.at(now)], Stroke::new(1.4, SHOT_INK.gamma_multiply(0.55)));
                for place in &shot.tested {
                    self.painter.circle_filled(self.at(*place), 1.6, SHOT_INK.gamma_multiply(0.7));
                }
            }
            let radius = (shot.radius * self.zoom).max(2.2);
            self.painter.circle_filled(self.at(now), radius, SHOT_INK);
        }
        for hit in &state.hits {
            mark(&self.painter, self.at(hit.at), hit.tunnelled, hit.strength);
        }
    }

    /// The floor and the walls.
    fn room(&self, state: &VolumeState) {
        let side = state.side;
        let floor = [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)].map(|(x, y)| self.at(Vec3::new(x, y, 0.0)));
        self.painter.add(Shape::convex_polygon(floor.to_vec(), FLOOR, Stroke::NONE));
        self.frame([Vec3::ZERO, top(state)], Stroke::new(1.0, WALL_INK));
    }

    /// The edges of a box.
    fn frame(&self, [low, high]: [Vec3; 2], stroke: Stroke) {
        let corner = |bits: u8| {
            let pick = |axis: usize| if bits >> axis & 1 == 1 { high[axis] } else { low[axis] };
            Vec3::new(pick(0), pick(1), pick(2))
        };
        let is_flat = low.z == high.z;
        for from in 0..if is_flat { 4 } else { 8 } {
            for axis in 0..if is_flat { 2 } else { 3 } {
                if from >> axis & 1 == 0 {
                    self.painter.line_segment([self.at(corner(from)), self.at(corner(from | 1 << axis))], stroke);
                }
            }
        }
    }

    fn cone(&self, cone: &DrawnCone, space: bool) {
        let direction = cone.direction.normalize_or_zero();
        let aside = direction.cross(Vec3::Z);
        let (sin, cos) = libm::sincosf(cone.half_angle);
        let stroke = Stroke::new(1.2, CONE_INK.gamma_multiply(0.7));
        let fill = CONE_INK.gamma_multiply(0.07);
        if !space {
            let steps = i16::try_from(CIRCLE_CORNERS).unwrap_or(1);
            let arc = (-steps..=steps).map(|step| {
                let (sin, cos) = libm::sincosf(cone.half_angle * f32::from(step) / f32::from(steps));
                self.at(cone.apex + (direction * cos + aside * sin) * cone.range)
            });
            let outline = std::iter::once(self.at(cone.apex)).chain(arc).collect();
            self.painter.add(Shape::convex_polygon(outline, fill, stroke));
            return;
        }
        let ring: Vec<Pos2> = self.ring(cone.apex + direction * (cone.range * cos), cone.range * sin, [aside, Vec3::Z]);
        let mut outline = ring.clone();
        outline.push(self.at(cone.apex));
        self.painter.add(Shape::convex_polygon(hull(outline), fill, stroke));
        self.painter.add(Shape::closed_line(ring, stroke));
    }

    /// The corners of a circle in space.
    fn ring(&self, centre: Vec3, radius: f32, [one, other]: [Vec3; 2]) -> Vec<Pos2> {
        let corner = |step: u16| {
            let (sin, cos) = libm::sincosf(std::f32::consts::TAU * f32::from(step) / f32::from(CIRCLE_CORNERS));
            self.at(centre + (one * cos + other * sin) * radius)
        };
        (0..CIRCLE_CORNERS).map(corner).collect()
    }

    fn body(&self, figure: &VolumeFigure, ink: Color32, balls: bool) {
        let rim = Stroke::new(1.0, shade(ink, 0.45));
        let around = Stroke::new(1.0, ink.gamma_multiply(0.55));
        match figure {
            VolumeFigure::Ball { centre, radius } => self.disc(*centre, *radius, ink, rim),
            VolumeFigure::Block { centre, half } => {
                self.block(*centre, half, ink, rim);
                if balls {
                    let radius = half.iter().map(|side| side.length_squared()).sum::<f32>().sqrt();
                    self.painter.circle_stroke(self.at(*centre), radius * self.zoom, around);
                }
            }
            VolumeFigure::Cylinder { foot, radius, height } => {
                let [low, high] =
                    [*foot, *foot + Vec3::Z * *height].map(|end| self.ring(end, *radius, [Vec3::X, Vec3::Y]));
                let outline = hull(low.into_iter().chain(high.iter().copied()).collect());
                self.painter.add(Shape::convex_polygon(outline, shade(ink, 0.7), rim));
                self.painter.add(Shape::convex_polygon(high, ink, rim));
                if balls {
                    let reach = (radius * radius + 0.25 * height * height).sqrt();
                    self.painter.circle_stroke(self.at(figure.middle()), reach * self.zoom, around);
                }
            }
            VolumeFigure::Tree { balls: all } => {
                for &(centre, radius, _) in all.iter().filter(|ball| ball.2) {
                    self.disc(centre, radius, ink, rim);
                }
                for &(centre, radius, _) in all.iter().filter(|ball| balls && !ball.2) {
                    self.painter.circle_stroke(self.at(centre), radius * self.zoom, around);
                }
            }
        }
    }

    fn disc(&self, centre: Vec3, radius: f32, ink: Color32, rim: Stroke) {
        self.painter.circle(self.at(centre), radius * self.zoom, ink, rim);
    }

    /// The sides of a box that are turned to the viewer; in the plane the one there is.
    fn block(&self, centre: Vec3, half: &[Vec3; 3], ink: Color32, rim: Stroke) {
        let side = |middle: Vec3, one: Vec3, other: Vec3, light: f32| {
            let corners =
                [one + other, one - other, -one - other, other - one].map(|way| self.at(centre + middle + way));
            self.painter.add(Shape::convex_polygon(corners.to_vec(), shade(ink, light), rim));
        };
        if half[2] == Vec3::ZERO {
            side(Vec3::ZERO, half[0], half[1], 1.0);
            return;
        }
        for axis in 0..3 {
            for sign in [-1.0, 1.0] {
                let middle = half[axis] * sign;
                let normal = self.projection.turned(middle).normalize_or_zero();
                // Towards the viewer; lighter the more it faces upwards.
                if normal.z < 0.0 {
                    side(middle, half[(axis + 1) % 3], half[(axis + 2) % 3], 0.72 - 0.28 * normal.y);
                }
            }
        }
    }
}

/// A hit: a ring where sub-steps find it, a cross where it tunnels.
pub(super) fn mark(painter: &Painter, at: Pos2, tunnelled: bool, strength: f32) {
    let fade = |ink: Color32| ink.gamma_multiply(strength);
    if !tunnelled {
        painter.circle_stroke(at, 6.0, Stroke::new(2.0, fade(FOUND_INK)));
        return;
    }
    for (width, ink) in [(5.0, Color32::BLACK), (2.6, TUNNELLED_INK)] {
        for (x, y) in [(6.0, 6.0), (6.0, -6.0)] {
            painter.line_segment([at - vec2(x, y), at + vec2(x, y)], Stroke::new(width, fade(ink)));
        }
    }
}

/// The corner of the room that is farthest from the origin.
fn top(state: &VolumeState) -> Vec3 {
    Vec3::new(state.side, state.side, if state.trial.space { state.side } else { 0.0 })
}

/// The convex hull of some points (Andrew 1979).
fn hull(mut points: Vec<Pos2>) -> Vec<Pos2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    let half = |points: &mut dyn Iterator<Item = &Pos2>| {
        let mut chain: Vec<Pos2> = Vec::new();
        for &point in points {
            while let [.., a, b] = chain[..]
                && (b - a).x * (point - a).y - (b - a).y * (point - a).x <= 0.0
            {
                chain.pop();
            }
            chain.push(point);
        }
        chain.pop();
        chain
    };
    let mut outline = half(&mut points.iter());
    outline.extend(half(&mut points.iter().rev()));
    outline
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hull_has_the_corners_alone() {
        let points = [(0.0, 0.0), (4.0, 0.0), (2.0, 1.0), (4.0, 4.0), (0.0, 4.0), (2.0, 0.0)].map(|(x, y)| pos2(x, y));
        let mut found = hull(points.to_vec());
        found.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
        assert_eq!(found, [pos2(0.0, 0.0), pos2(0.0, 4.0), pos2(4.0, 0.0), pos2(4.0, 4.0)]);
    }
}
