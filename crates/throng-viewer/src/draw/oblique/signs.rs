//! What is over the figures: clouds, arrows in the air, a banner for each squad; all of it as films have it.

use super::ObliqueView;
use super::posing::Posing;
use crate::draw::agents::Sprite;
use crate::shell::camera::Camera;
use throng_grid::geom::{Vec2, Vec3};
use throng_scene::painter::arrows::{Arrow, Stroke};
use throng_scene::painter::banner::{Banner, Spot};
use throng_scene::painter::clouds::Cloud;
use throng_scene::view::{self, FORESHORTENING, RISE};
use throng_sim::world::Flight;

/// Shots that are further away than this from what is seen are left out (pixels).
const SHOT_MARGIN_PX: f32 = 200.0;

/// The place on the ground (m) that is seen where a point above it is.
pub fn on_ground(point: Vec3) -> Vec2 {
    Vec2::new(point.x, point.y - point.z * (RISE / FORESHORTENING))
}

/// What a camera at the slant of battles sees, as the painter of films says it.
pub fn view_of(camera: &Camera) -> view::View {
    view::View { origin: camera.view()[0], scale: camera.zoom }
}

/// The signs of a frame.
#[derive(Default)]
pub struct Signs {
    pub clouds: Vec<Cloud>,
    pub arrows: Vec<Arrow>,
    /// Banners with the feet of their poles (pixels).
    pub banners: Vec<(Spot, Banner)>,
}

impl Signs {
    /// Gathers the signs that a camera sees in a window (pixels). O(agents).
    pub fn gather(&mut self, view: &ObliqueView, posing: &Posing, camera: &Camera, window: [u32; 2]) {
        let ObliqueView { frame, past, .. } = *view;
        let window = window.map(|side| side as f32);
        let seen = view_of(camera);
        self.clouds.clear();
        past.clouds(frame, &posing.figures, view.time(), &mut self.clouds);
        self.arrows.clear();
        let before = view.before();
        let is_seen = |arrow: &Arrow| [arrow.tip, arrow.shadow].into_iter().any(|at| is_in(at, window));
        let arrow = |shot: &Flight| Arrow::of(&Flight { at: shot.at - shot.velocity * before, ..*shot }, seen);
        self.arrows.extend(frame.shots.iter().map(arrow).filter(is_seen));
        self.banners.clear();
        self.banners.extend(view.banners.iter().map(|placed| (placed.spot, placed.banner)));
    }
}

fn is_in(pixel: Vec2, window: [f32; 2]) -> bool {
    pixel.cmpge(Vec2::splat(-SHOT_MARGIN_PX)).all() && pixel.cmple(Vec2::from(window) + SHOT_MARGIN_PX).all()
}

/// A stroke as the card draws it.
pub fn sprite(stroke: &Stroke, camera: &Camera) -> Sprite {
    let [r, g, b] = stroke.colour;
    let ends = [stroke.from, stroke.to].map(|pixel| camera.to_world(pixel));
    Sprite::stroke(ends, stroke.width, [r, g, b, (stroke.opacity * 255.0) as u8])
}
