//! The whole map in a corner, with the armies and what the window shows of it.

use crate::Theme;
use crate::draw::ink::{color, upload};
use crate::draw::palette;
use crate::shell::camera::Camera;
use egui::{Color32, ColorImage, Painter, Pos2, Rect, Sense, Stroke, TextureHandle};
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

/// The longer side of it (points).
const LONGER_SIDE_PT: f32 = 180.0;

/// The picture is made anew no sooner than that.
const MIN_REDRAW_INTERVAL: Duration = Duration::from_millis(150);

const WALL: Color32 = Color32::from_rgb(90, 82, 74);

/// A small picture of the map.
#[derive(Default)]
pub(super) struct MiniMap {
    texture: Option<TextureHandle>,
    made: Option<(Instant, u64)>,
    /// Where it was laid out.
    area: Option<Rect>,
}

impl MiniMap {
    /// Gives it room in the lower right corner of `free` (points), where there is some. Returns the place to which the camera is to
    /// move (m), and the place of the map.
    pub fn lay_out(&mut self, ui: &egui::Ui, free: Rect, frame: &Frame) -> Option<(Option<Vec2>, Rect)> {
        self.area = None;
        let grid = frame.grid.as_deref()?;
        let size = grid.lattice().size();
        let shown = size * (LONGER_SIDE_PT / size.max_element());
        if free.width() < 3.0 * shown.x || free.height() < 2.0 * shown.y {
            return None;
        }
        let area =
            Rect::from_min_size(free.max - egui::vec2(shown.x + 12.0, shown.y + 12.0), egui::vec2(shown.x, shown.y));
        let clicked = egui::Area::new("mini-map".into()).fixed_pos(area.min).constrain(false).show(ui.ctx(), |ui| {
            let (area, response) = ui.allocate_exact_size(area.size(), Sense::click_and_drag());
            let pressed = response.is_pointer_button_down_on();
            response.interact_pointer_pos().filter(|_| pressed).map(|pointer| {
                let share = (pointer - area.min) / area.size();
                Vec2::new(share.x, share.y) * size
            })
        });
        self.area = Some(area);
        Some((clicked.inner, area))
    }

    /// Draws it where it was laid out: what the camera shows moves without a layout.
    pub fn draw(&mut self, painter: &Painter, (frame, theme): (&Frame, Theme), camera: &Camera) {
        let (Some(area), Some(grid)) = (self.area, frame.grid.as_deref()) else { return };
        let is_old = self.made.is_none_or(|(at, tick)| tick != frame.tick && at.elapsed() >= MIN_REDRAW_INTERVAL);
        if is_old && let Some(image) = image(frame, theme, Vec2::new(area.width(), area.height())) {
            self.made = Some((Instant::now(), frame.tick));
            upload(&mut self.texture, painter.ctx(), "mini-map", image);
        }
        let Some(texture) = &self.texture else { return };
        let whole = Rect::from_min_max(Pos2::ZERO, Pos2::new(1.0, 1.0));
        painter.image(texture.id(), area, whole, Color32::WHITE);
        painter.rect_stroke(area, 2.0, Stroke::new(1.0, Color32::BLACK), egui::StrokeKind::Outside);
        let size = grid.lattice().size();
        let [low, high] = camera.view().map(|corner| {
            let share = corner.clamp(Vec2::ZERO, size) / size;
            area.lerp_inside(egui::vec2(share.x, share.y))
        });
        let frame = Rect::from_two_pos(low, high);
        painter.rect_stroke(frame, 0.0, Stroke::new(1.5, Color32::WHITE), egui::StrokeKind::Inside);
    }
}

fn image(frame: &Frame, theme: Theme, shown: Vec2) -> Option<ColorImage> {
    let grid = frame.grid.as_deref()?;
    let lattice = grid.lattice();
    let [width, height] = shown.ceil().max(Vec2::ONE).to_array().map(|pixels| pixels as usize);
    let scale = lattice.size() / Vec2::new(width as f32, height as f32);
    let ground = (0..width * height).map(|i| {
        let at = Vec2::new((i % width) as f32 + 0.5, (i / width) as f32 + 0.5) * scale;
        let cell = lattice.at(at);
        if grid.is_open(cell) || grid.is_water(cell) { color(palette::ground(grid.terrain(cell))) } else { WALL }
    });
    let mut pixels: Vec<Color32> = ground.collect();
    for (at, &army) in frame.position.iter().zip(&frame.army) {
        let [x, y] = (*at / scale).to_array();
        let ink = color(palette::army_of(frame, theme, army.index()));
        pixels[(y as usize).min(height - 1) * width + (x as usize).min(width - 1)] = ink;
    }
    Some(ColorImage::new([width, height], pixels))
}
