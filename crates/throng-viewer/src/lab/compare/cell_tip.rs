//! The tooltip of the cell under the pointer, and the way there.

use super::captions::TIP_OFFSET;
use super::cell_facts::CellFacts;
use crate::draw::int_rect::IntRect;
use crate::shell::camera::Camera;
use egui::{Area, Color32, Frame, Grid, Id, LayerId, Order, Pos2, Stroke, pos2};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// The way to a cell: a thin line with an edge of the other shade, seen on light and dark ground.
const WAY: [(f32, Color32); 2] = [(3.0, Color32::from_rgb(20, 20, 24)), (1.2, Color32::WHITE)];

/// Shows what is known of a cell beside the pointer, and the way to it on its pane. `map` is the pane's map and `pointer`
/// the pointer (pixels), with `scale` pixels for a logical one.
pub(super) fn lay_out(
    ui: &egui::Ui,
    facts: &CellFacts,
    lattice: Lattice,
    camera: &Camera,
    map: IntRect,
    pointer: Vec2,
    scale: f32,
) {
    let point = |pixel: Vec2| pos2(pixel.x / scale, pixel.y / scale);
    let corner = map.corner();
    let area = egui::Rect::from_min_max(point(corner), point(Vec2::new(map.right as f32, map.bottom as f32)));
    let painter = ui.ctx().layer_painter(LayerId::background()).with_clip_rect(area);
    let way: Vec<Pos2> = facts.way.iter().map(|&at| point(camera.to_pixel(at) + corner)).collect();
    for (width, ink) in WAY {
        painter.line(way.clone(), Stroke::new(width, ink));
    }
    let tip = Area::new(Id::new("cell-tip")).order(Order::Tooltip).fixed_pos(point(pointer) + TIP_OFFSET);
    tip.interactable(false).constrain(true).show(ui.ctx(), |ui| {
        Frame::popup(ui.style()).show(ui, |ui| {
            Grid::new("cell-facts").num_columns(2).spacing([10.0, 2.0]).show(ui, |ui| {
                for (label, value) in facts.lines(lattice) {
                    ui.weak(label);
                    ui.label(value);
                    ui.end_row();
                }
            });
        });
    });
}
