//! The picture, from the ground up: map, the fallen, the living, numbers.

use super::agents::{Kind, Sprite, SpriteLayer};
use super::camera::Camera;
use super::fallen::Fallen;
use super::graphics::Graphics;
use super::hud::{Hud, Status};
use super::map_image::MapImage;
use super::map_painter::MapPainter;
use super::motion::Motion;
use super::pipeline::field_pass;
use super::splat::{self, Splat};
use super::view_buffer::{ViewBuffer, map_pipeline};
use crate::grid::Grid;
use crate::world::Frame;
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, GraphicsContext};
use std::sync::Arc;

/// Who is drawn, and where.
pub(super) struct Crowd<'a> {
    pub frame: &'a Frame,
    pub motion: &'a Motion,
    pub fallen: &'a Fallen,
}

/// What each layer keeps on the card.
pub(super) struct Layers {
    view: ViewBuffer,
    painter: MapPainter,
    map: wgpu::RenderPipeline,
    fallen: SpriteLayer,
    living: SpriteLayer,
    /// Instead of `living` where the driver is software and the crowd great.
    splat: Splat,
    software: bool,
    hud: Hud,
    sprites: Vec<Sprite>,
}

impl Layers {
    /// Paints the map and makes the pipelines.
    pub fn new(gfx: &GraphicsContext, grid: &Arc<Grid>) -> Self {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let view = ViewBuffer::new(device, queue, &MapImage::new(grid), grid.lattice().size());
        Self {
            painter: MapPainter::new(Arc::clone(grid)),
            map: map_pipeline(device, &view, format),
            fallen: SpriteLayer::new(device, &view, format, Kind::Fallen),
            living: SpriteLayer::new(device, &view, format, Kind::Living),
            splat: Splat::default(),
            software: device.adapter_info().device_type == wgpu::DeviceType::Cpu,
            hud: Hud::default(),
            sprites: Vec::new(),
            view,
        }
    }

    /// Draws a frame and shows it.
    pub fn draw(&mut self, graphics: &mut Graphics, camera: &Camera, crowd: &Crowd, status: &Status) -> GameResult {
        graphics.gfx.begin_frame()?;
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let view = &self.view;
        self.painter.follow(crowd.frame.grid.as_ref(), |image, areas| view.repaint(&queue, image, areas));
        self.view.write(&queue, camera);
        crowd.fallen.sprites(crowd.frame.time, camera, &mut self.sprites);
        self.fallen.write(&device, &queue, &mut self.sprites);
        crowd.motion.sprites(crowd.frame, camera, &mut self.sprites);
        let splat = self.software && splat::pays(&self.sprites, camera);
        if !splat {
            self.living.write(&device, &queue, &mut self.sprites);
        }
        let target = graphics.gfx.frame().wgpu().clone();
        if let Some(encoder) = graphics.gfx.commands() {
            let mut pass = field_pass(encoder, &target);
            self.view.bind(&mut pass);
            pass.set_pipeline(&self.map);
            pass.draw(0..4, 0..1);
            self.fallen.draw(&mut pass);
            if !splat {
                self.living.draw(&mut pass);
            }
        }
        let gfx = &graphics.gfx;
        let (width, height) = gfx.drawable_size();
        let scale = gfx.window().scale_factor() as f32;
        let mut canvas = Canvas::from_frame(gfx, None::<Color>);
        if splat {
            self.splat.draw(gfx, &mut canvas, &self.sprites, camera);
        }
        self.hud.draw(gfx, &mut canvas, ([width, height], scale), crowd.frame, status)?;
        canvas.finish(&mut graphics.gfx)?;
        graphics.gfx.end_frame()
    }
}
