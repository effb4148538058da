//! Panels (egui) over what ggez draws, and marks between the two.
//!
//! Panels are laid out when something has come from the user, or a while after the last time; their triangles are painted until
//! then. Marks move with what they mark: they are drawn anew for each frame, without a layout.

use super::graphics::Graphics;
use crate::draw::style::{self, PANEL};
use egui::{Color32, Id, LayerId, Order, Painter, Pos2, Rect};
use egui_wgpu::ScreenDescriptor;
use ggez::graphics::GraphicsContext;
use ggez::winit::event::WindowEvent;
use ggez::winit::window::Window;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;

/// Panels over what moves are laid out anew after this time: words that change more often cannot be read.
const LAYOUT_INTERVAL: Duration = Duration::from_millis(80);

/// The state of egui between frames.
pub(crate) struct Ui {
    context: egui::Context,
    state: egui_winit::State,
    renderer: egui_wgpu::Renderer,
    /// Those of the marks, then those of the panels.
    triangles: Vec<egui::ClippedPrimitive>,
    /// How many are of the marks.
    marks: usize,
    textures: egui::TexturesDelta,
    pixels_per_point: f32,
    /// The part of the window that the panels leave to the map (points).
    free: Rect,
    /// When the panels were laid out last.
    laid: Instant,
    /// The time of the next layout, if something fades, opens, or shows a hint.
    again: Option<Instant>,
    /// Processor time that panels and marks of the frame took so far.
    pub spent: Duration,
}

impl Ui {
    /// Makes the panels for a window. egui-winit asks for accessibility and clipboard only by features that are off.
    pub fn new(gfx: &GraphicsContext) -> Self {
        let context = egui::Context::default();
        style::apply(&context);
        let side = gfx.wgpu().device.limits().max_texture_dimension_2d as usize;
        let id = egui::ViewportId::ROOT;
        let state = egui_winit::State::new(context.clone(), id, gfx.window(), None, None, Some(side));
        let format = gfx.frame().format();
        // Filters of its own would make the panels twice as dear on a software driver.
        let options = egui_wgpu::RendererOptions {
            predictable_texture_filtering: false,
            ..egui_wgpu::RendererOptions::PREDICTABLE
        };
        let renderer = egui_wgpu::Renderer::new(&gfx.wgpu().device, format, options);
        Self {
            context,
            state,
            renderer,
            triangles: Vec::new(),
            marks: 0,
            textures: egui::TexturesDelta::default(),
            pixels_per_point: 1.0,
            free: Rect::EVERYTHING,
            laid: Instant::now(),
            again: None,
            spent: Duration::ZERO,
        }
    }

    /// Makes words and panels as large as so much of their usual size (percent).
    pub fn set_text_percent(&mut self, percent: u32) {
        self.context.set_zoom_factor(percent as f32 / 100.0);
    }

    /// Gives egui an event; true if it keeps a key for itself, since a text field has the focus.
    pub fn takes(&mut self, window: &Window, event: &WindowEvent) -> bool {
        let is_key = matches!(event, WindowEvent::KeyboardInput { .. } | WindowEvent::Ime(_));
        let writes = self.context.text_edit_focused();
        // The keys are the map's: the space bar must not press the button that was clicked last as well.
        if !is_key || writes {
            let _ = self.state.on_window_event(window, event);
        }
        is_key && writes
    }

    /// True where a panel or something that floats is under a pixel.
    pub fn covers(&self, pixel: Vec2) -> bool {
        let point = Pos2::from((pixel / self.pixels_per_point).to_array());
        let floats = self.context.layer_id_at(point).is_some_and(|layer| layer.order != Order::Background);
        floats || !self.free.contains(point)
    }

    /// The part of the window that the panels leave to the map: its upper left corner and its size (pixels).
    pub fn free(&self) -> [Vec2; 2] {
        let pixels = |vector: egui::Vec2| Vec2::new(vector.x, vector.y) * self.pixels_per_point;
        [pixels(self.free.min.to_vec2()), pixels(self.free.size())]
    }

    /// Says whether panels have a ground of their own, or lie on one that has their colour already: a software driver takes long
    /// to blend it.
    pub fn fill_panels(&mut self, fills: bool) {
        let [r, g, b] = PANEL;
        let fill = if fills { Color32::from_rgb(r, g, b) } else { Color32::TRANSPARENT };
        if self.context.global_style().visuals.panel_fill != fill {
            self.context.all_styles_mut(|style| style.visuals.panel_fill = fill);
        }
    }

    /// True where the panels want to be laid out anew by themselves.
    pub fn is_due(&self) -> bool {
        self.again.is_some_and(|again| again <= Instant::now())
    }

    /// True where the panels are so old that they may not show what has come since.
    pub fn is_old(&self) -> bool {
        self.laid.elapsed() >= LAYOUT_INTERVAL
    }

    /// Lays the panels out; there are no marks until they are drawn.
    pub fn lay_out(&mut self, window: &Window, mut lay: impl FnMut(&mut egui::Ui)) {
        let begun = Instant::now();
        let input = self.state.take_egui_input(window);
        let mut free = Rect::EVERYTHING;
        let out = self.context.run_ui(input, |ui| {
            lay(ui);
            free = ui.available_rect_before_wrap();
        });
        self.free = free;
        self.state.handle_platform_output(window, out.platform_output);
        self.pixels_per_point = out.pixels_per_point;
        (self.triangles, self.marks) = (self.context.tessellate(out.shapes, out.pixels_per_point), 0);
        self.textures.append(out.textures_delta);
        self.laid = begun;
        let output = out.viewport_output.get(&egui::ViewportId::ROOT);
        self.again = output.and_then(|output| Instant::now().checked_add(output.repaint_delay));
        self.spent += begun.elapsed();
    }

    /// Draws the marks of a frame into the part of the window that the panels leave, under the panels; there has been a layout.
    pub fn draw_marks(&mut self, draw: impl FnOnce(&Painter)) {
        let begun = Instant::now();
        let layer = LayerId::new(Order::Background, Id::new("marks"));
        #[allow(clippy::redundant_closure_for_method_calls)] // the method is of one lifetime
        let words = || self.context.fonts(|fonts| fonts.num_galleys_in_cache());
        let before = words();
        draw(&Painter::new(self.context.clone(), layer, self.free));
        // Letters that were not there before come to the card with the next layout.
        if words() != before {
            self.again = Some(begun);
        }
        let drawn = self.context.graphics_mut(|layers| std::mem::take(layers.entry(layer)));
        let marks = self.context.tessellate(drawn.all_entries().cloned().collect(), self.pixels_per_point);
        let count = marks.len();
        self.triangles.splice(..self.marks, marks);
        self.marks = count;
        self.textures.append(self.context.tex_manager().write().take_delta());
        self.spent += begun.elapsed();
    }

    /// Paints the panels into the frame that ggez draws.
    pub fn paint(&mut self, graphics: &mut Graphics) {
        let begun = Instant::now();
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let frame = graphics.gfx.frame();
        let screen = ScreenDescriptor {
            size_in_pixels: [frame.width(), frame.height()],
            pixels_per_point: self.pixels_per_point,
        };
        let target = frame.wgpu().clone();
        let textures = std::mem::take(&mut self.textures);
        for (id, delta) in &textures.set {
            self.renderer.update_texture(&device, &queue, *id, delta);
        }
        if let Some(encoder) = graphics.gfx.commands() {
            // Callbacks of our own would have commands to submit; there are none.
            let _ = self.renderer.update_buffers(&device, &queue, encoder, &self.triangles, &screen);
            let pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                label: Some("panels"),
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &target,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store },
                })],
                ..wgpu::RenderPassDescriptor::default()
            });
            self.renderer.render(&mut pass.forget_lifetime(), &self.triangles, &screen);
        }
        for id in &textures.free {
            self.renderer.free_texture(id);
        }
        self.spent += begun.elapsed();
    }
}
