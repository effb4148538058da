//! The picture: in each pane the map, what was searched, the route.

use super::layout::{Layout, Pane};
use super::overlay::{self, Overlays, SearchOverlay};
use super::pane_result::PaneResult;
use super::trace::Trace;
use super::walk_panes::WalkPane;
use super::walker::Walker;
use crate::draw::int_rect::IntRect;
use crate::draw::map_image::MapImage;
use crate::draw::palette::{self, Rgb};
use crate::draw::pen::{Discs, Pen, TROUGH, color};
use crate::draw::pipeline::field_pass;
use crate::draw::view_buffer::{ViewBuffer, map_pipeline};
use crate::shell::Shell;
use crate::shell::camera::Camera;
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, GraphicsContext};
use throng_grid::Lattice;
use throng_grid::geom::Vec2;

/// Lines between clusters that lie closer are not drawn (logical pixels).
const MIN_LINE_SPACING_PX: f32 = 7.0;
/// Radius of the disc of the agent that walks, and the distance between the dots of its route (logical pixels).
const WALKER_RADIUS_PX: f32 = 6.5;
const DOT_SPACING_PX: f32 = 8.0;
/// The ink of warnings.
const WARNING_INK: Rgb = [230, 159, 0];

/// The frame to draw.
pub(super) struct ComparisonFrame<'a> {
    pub layout: &'a Layout,
    pub camera: &'a Camera,
    pub lattice: Lattice,
    pub results: &'a [PaneResult],
    /// The cells that the brush would paint (m): corner and size.
    pub brush: Option<(Vec2, Vec2)>,
    /// The agent that walks to the goal.
    pub walker: Option<&'a Walker>,
}

/// The resources of the panes on the card.
pub(super) struct Panes {
    view: ViewBuffer,
    map: wgpu::RenderPipeline,
    overlays: Overlays,
    /// By pane.
    shown: Vec<SearchOverlay>,
    cell_size: f32,
    discs: Discs,
}

impl Panes {
    /// Sends the map to the card and makes the pipelines.
    pub fn new(gfx: &GraphicsContext, image: &MapImage, lattice: Lattice, count: usize) -> Self {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let view = ViewBuffer::new(device, queue, Some(image), lattice.size());
        let overlays = Overlays::new(device, &view, format);
        let clear = Trace::clear(lattice);
        let shown = (0..count).map(|_| SearchOverlay::new(device, &overlays, &clear, lattice.cell_size)).collect();
        Self {
            map: map_pipeline(device, &view, format),
            view,
            overlays,
            shown,
            cell_size: lattice.cell_size,
            discs: Discs::default(),
        }
    }

    /// Changes the number of panes at their end.
    pub fn resize(&mut self, gfx: &GraphicsContext, lattice: Lattice, count: usize) {
        let device = &gfx.wgpu().device;
        let clear = Trace::clear(lattice);
        self.shown.resize_with(count, || SearchOverlay::new(device, &self.overlays, &clear, lattice.cell_size));
    }

    /// Sends areas of the map's picture, by level, to the card.
    pub fn repaint(&self, gfx: &GraphicsContext, image: &MapImage, areas: Vec<IntRect>) {
        self.view.repaint(&gfx.wgpu().queue, image, areas);
    }

    /// Sends what a pane has come to to the card.
    pub fn show(&mut self, gfx: &GraphicsContext, pane: usize, result: &PaneResult, clear: &Trace) {
        let (device, queue) = (&gfx.wgpu().device, &gfx.wgpu().queue);
        self.shown[pane].write_trace(queue, result.trace().unwrap_or(clear));
        self.shown[pane].write_route(device, result.route(), result.is_on_the_way());
    }

    /// Shows another trace and route in a pane than those of its own search.
    pub fn show_walk(&mut self, gfx: &GraphicsContext, pane: usize, walk: &WalkPane) {
        let (device, queue) = (&gfx.wgpu().device, &gfx.wgpu().queue);
        if let Some(shown) = self.shown.get_mut(pane) {
            shown.write_trace(queue, &walk.trace);
            shown.write_route(device, &walk.route, false);
        }
    }

    /// Draws a frame and shows it.
    pub fn draw(&mut self, shell: &mut Shell, scene: &ComparisonFrame) -> GameResult {
        let scale = shell.scale();
        let graphics = &mut shell.graphics;
        graphics.begin_frame()?;
        let queue = graphics.gfx.wgpu().queue.clone();
        self.view.write(&queue, scene.camera);
        for overlay in &self.shown {
            overlay.write_view(&queue, scene.camera.zoom, scale, self.cell_size);
        }
        let target = graphics.gfx.frame().wgpu().clone();
        let whole = IntRect::whole(graphics.gfx.frame().width(), graphics.gfx.frame().height());
        if let Some(encoder) = graphics.gfx.commands() {
            let mut pass = field_pass(encoder, &target, palette::DESK);
            self.view.bind(&mut pass);
            for (pane, overlay) in scene.layout.panes.iter().zip(&self.shown) {
                // All panes share one view: what differs is where it is put. A window may shrink faster than its frame.
                let map = pane.map;
                if map.within(whole) != map {
                    continue;
                }
                let [x, y, width, height] = [map.left, map.top, map.width(), map.height()];
                pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
                pass.set_scissor_rect(x, y, width, height);
                pass.set_pipeline(&self.map);
                pass.draw(0..4, 0..1);
                overlay.draw(&self.overlays, &mut pass);
            }
        }
        let gfx = &graphics.gfx;
        let mut canvas = Canvas::from_frame(gfx, None::<Color>);
        let mut pen = Pen { gfx, canvas: &mut canvas, discs: &mut self.discs, scale };
        for (index, pane) in scene.layout.panes.iter().enumerate() {
            frame(&mut pen, pane);
            marks(&mut pen, scene, index, pane)?;
        }
        canvas.finish(&mut graphics.gfx)?;
        shell.ui.paint(graphics);
        graphics.end_frame()
    }
}

/// A line around a pane.
fn frame(pen: &mut Pen, Pane { map, caption }: &Pane) {
    let [left, top, right, bottom] = [map.left, map.top, map.right, caption.bottom].map(|edge| edge as f32 / pen.scale);
    let (width, height) = (right - left, bottom - top);
    for [x, y, w, h] in [
        [left - 1.0, top - 1.0, width + 2.0, 1.0],
        [left - 1.0, bottom, width + 2.0, 1.0],
        [left - 1.0, top, 1.0, height],
        [right, top, 1.0, height],
    ] {
        pen.bar(x, y, w, h, TROUGH);
    }
}

/// Lines between clusters, start, goal, doors on the way ahead, and what the brush would paint, where the pane shows them.
fn marks(pen: &mut Pen, scene: &ComparisonFrame, index: usize, pane: &Pane) -> GameResult {
    let scale = pen.scale;
    let place = |point: Vec2| (scene.camera.to_pixel(point) + pane.map.corner()) / scale;
    if let Some(found) = scene.results.get(index).and_then(PaneResult::found) {
        clusters(pen, scene, &found.clusters, pane);
    }
    if let Some((corner, size)) = scene.brush {
        let (low, high) = (place(corner), place(corner + size));
        // Cut off at the pane's edge.
        let edges = [pane.map.corner(), Vec2::new(pane.map.right as f32, pane.map.bottom as f32)].map(|e| e / scale);
        let (low, high) = (low.max(edges[0]).min(edges[1]), high.max(edges[0]).min(edges[1]));
        let [w, h] = (high - low).to_array();
        let line = 1.0;
        for (x, y, w, h) in [
            (low.x, low.y, w, line),
            (low.x, high.y - line, w, line),
            (low.x, low.y, line, h),
            (high.x - line, low.y, line, h),
        ] {
            pen.bar(x, y, w, h, Color::new(0.0, 0.0, 0.0, 0.75));
        }
    }
    let ahead = scene.results.get(index).and_then(PaneResult::improvement).map_or(&[][..], |better| &better.ahead);
    for &door in ahead {
        let at = place(door);
        if pane.map.covers(at * scale) {
            pen.disc(at.x, at.y, 4.0, Color::WHITE)?;
            pen.disc(at.x, at.y, 3.0, color(overlay::route()))?;
        }
    }
    if let Some(walker) = scene.walker {
        let (here, ahead) = walker.ahead(scene.lattice);
        let mut last = place(here);
        for dot in ahead.map(place) {
            if dot.distance(last) >= DOT_SPACING_PX && pane.map.covers(dot * scale) {
                pen.disc(dot.x, dot.y, 3.4, Color::WHITE)?;
                pen.disc(dot.x, dot.y, 2.4, color(WARNING_INK))?;
                last = dot;
            }
        }
        let at = place(here);
        if pane.map.covers(at * scale) {
            pen.disc(at.x, at.y, WALKER_RADIUS_PX + 1.5, Color::WHITE)?;
            pen.disc(at.x, at.y, WALKER_RADIUS_PX, color(WARNING_INK))?;
        }
    }
    Ok(())
}

/// The lines between the clusters of each level, those of higher levels stronger; none where they would lie too close.
fn clusters(pen: &mut Pen, scene: &ComparisonFrame, sides: &[u32], pane: &Pane) {
    let scale = pen.scale;
    let place = |point: Vec2| (scene.camera.to_pixel(point) + pane.map.corner()) / scale;
    let (low, high) = (pane.map.corner() / scale, Vec2::new(pane.map.right as f32, pane.map.bottom as f32) / scale);
    let (first, last) = (place(Vec2::ZERO).max(low), place(scene.lattice.size()).min(high));
    for (level, &side) in sides.iter().enumerate() {
        let step = side as f32 * scene.lattice.cell_size;
        if step * scene.camera.zoom < MIN_LINE_SPACING_PX * scale {
            continue;
        }
        let ink = Color::new(0.16, 0.1, 0.02, 0.28 + 0.3 * level as f32 / sides.len() as f32);
        let wide = 1.0 + 0.5 * level as f32;
        // Lines lie on the cells that neighbours share.
        let half = Vec2::splat(0.5 * scene.lattice.cell_size);
        for number in 1..scene.lattice.width.max(scene.lattice.height).div_ceil(side) {
            let at = place(Vec2::splat(number as f32 * step) + half);
            if at.x > first.x && at.x < last.x {
                pen.bar(at.x - 0.5 * wide, first.y, wide, last.y - first.y, ink);
            }
            if at.y > first.y && at.y < last.y {
                pen.bar(first.x, at.y - 0.5 * wide, last.x - first.x, wide, ink);
            }
        }
    }
}
