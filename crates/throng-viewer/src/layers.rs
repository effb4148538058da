//! The picture, from the ground up: map, walls that break, the fallen, the living, shots, health, cells of the index, clusters,
//! numbers.

use super::agents::{Kind, Sprite, SpriteLayer};
use super::camera::Camera;
use super::cells::{self, IndexCell};
use super::clusters::{self, Hierarchy};
use super::fallen::Fallen;
use super::flights;
use super::graphics::Graphics;
use super::hud::{Hud, Status};
use super::map_image::MapImage;
use super::map_painter::MapPainter;
use super::motion::Motion;
use super::pipeline::field_pass;
use super::software::{self, Crowded, Software};
use super::splat;
use super::ui::Ui;
use super::view_buffer::{ViewBuffer, map_pipeline};
use ggez::GameResult;
use ggez::graphics::{Canvas, Color, GraphicsContext};
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_record::palette::{rampart, rgb};
use throng_sim::world::Frame;

/// The agents to draw, and their positions.
pub(super) struct Crowd<'a> {
    pub frame: &'a Frame,
    pub motion: &'a Motion,
    pub fallen: &'a Fallen,
    /// The cells of the spatial index that are shown.
    pub cells: &'a [IndexCell],
    /// The clusters and doors that are shown.
    pub clusters: Option<&'a Hierarchy>,
    /// The health of the wounded is shown.
    pub bars: bool,
    /// Simulated time of a tick (s).
    pub step: f32,
}

/// The painter of the ground.
enum Ground {
    Card(wgpu::RenderPipeline),
    /// The driver is software; great crowds are drawn here as well.
    Processor(Box<Software>),
}

/// The resources of each layer on the card.
pub(super) struct Layers {
    view: ViewBuffer,
    painter: MapPainter,
    /// The ground, by the card or by the processor.
    ground: Ground,
    /// Walls that can be broken.
    blocks: SpriteLayer,
    /// Outlines of the cells of the spatial index and of clusters.
    lines: SpriteLayer,
    /// Doors between clusters.
    doors: SpriteLayer,
    /// Health of the wounded.
    bars: SpriteLayer,
    fallen: SpriteLayer,
    shadows: SpriteLayer,
    shots: SpriteLayer,
    living: SpriteLayer,
    hud: Hud,
    sprites: Vec<Sprite>,
    /// Walls that can be broken.
    ramparts: Vec<Sprite>,
    /// The fallen, or doors.
    bodies: Vec<Sprite>,
    /// Strokes and shadows of the shots.
    flights: [Vec<Sprite>; 2],
}

impl Layers {
    /// Paints the map and makes the pipelines.
    pub fn new(gfx: &GraphicsContext, grid: &Arc<Grid>) -> Self {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        let (image, size) = (MapImage::new(grid), grid.lattice().size());
        let (view, image, ground) = if software::paints(device) {
            let ground = Ground::Processor(Box::new(Software::new(device, format)));
            (ViewBuffer::new(device, queue, None, size), Some(image), ground)
        } else {
            let view = ViewBuffer::new(device, queue, Some(&image), size);
            let ground = Ground::Card(map_pipeline(device, &view, format));
            (view, None, ground)
        };
        Self {
            painter: MapPainter::new(Arc::clone(grid), image),
            ground,
            blocks: SpriteLayer::new(device, &view, format, Kind::Block),
            lines: SpriteLayer::new(device, &view, format, Kind::Line),
            doors: SpriteLayer::new(device, &view, format, Kind::Block),
            bars: SpriteLayer::new(device, &view, format, Kind::Bar),
            fallen: SpriteLayer::new(device, &view, format, Kind::Fallen),
            shadows: SpriteLayer::new(device, &view, format, Kind::Shadow),
            shots: SpriteLayer::new(device, &view, format, Kind::Shot),
            living: SpriteLayer::new(device, &view, format, Kind::Living),
            hud: Hud::default(),
            sprites: Vec::new(),
            ramparts: Vec::new(),
            bodies: Vec::new(),
            flights: [Vec::new(), Vec::new()],
            view,
        }
    }

    /// Draws a frame and shows it.
    pub fn draw(
        &mut self,
        (graphics, ui): (&mut Graphics, &mut Ui),
        camera: &Camera,
        crowd: &Crowd,
        status: &Status,
    ) -> GameResult {
        graphics.begin_frame()?;
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let Self { view, ground, painter, .. } = self;
        painter.follow(crowd.frame.grid.as_ref(), |image, areas| match ground {
            Ground::Card(_) => view.repaint(&queue, image, areas),
            Ground::Processor(software) => software.forget_ground(),
        });
        self.view.write(&queue, camera);
        blocks(crowd.frame, camera, &mut self.ramparts);
        cells::lines(crowd.cells, camera, &mut self.sprites);
        if let Some((hierarchy, grid)) = crowd.clusters.zip(crowd.frame.grid.as_ref()) {
            clusters::sprites(hierarchy, grid.lattice(), camera, &mut self.sprites, &mut self.bodies);
            self.doors.write(&device, &queue, &mut self.bodies);
        }
        self.lines.write(&device, &queue, &mut self.sprites);
        self.sprites.clear();
        if crowd.bars {
            crowd.motion.bars(crowd.frame, camera, &mut self.sprites);
        }
        self.bars.write(&device, &queue, &mut self.sprites);
        let [strokes, shadows] = &mut self.flights;
        flights::sprites(&crowd.frame.shots, crowd.step * crowd.motion.left(), camera, strokes, shadows);
        crowd.fallen.sprites(crowd.frame.time, camera, &mut self.bodies);
        crowd.motion.sprites(crowd.frame, camera, &mut self.sprites);
        let mut set = false;
        if let Ground::Processor(software) = &mut self.ground
            && let Some(image) = self.painter.image()
        {
            set = splat::pays(&self.sprites, camera);
            let crowd = Crowded { squares: [&self.ramparts, &self.bodies, shadows, &self.sprites], strokes };
            software.paint(&graphics.gfx, (image, self.view.map()), camera, set.then_some(&crowd));
        }
        if !set {
            self.blocks.write(&device, &queue, &mut self.ramparts);
            self.fallen.write(&device, &queue, &mut self.bodies);
            self.shadows.write(&device, &queue, shadows);
            self.living.write(&device, &queue, &mut self.sprites);
            self.shots.write(&device, &queue, strokes);
        }
        let target = graphics.gfx.frame().wgpu().clone();
        if let Some(encoder) = graphics.gfx.commands() {
            let mut pass = field_pass(encoder, &target);
            match &self.ground {
                Ground::Card(map) => {
                    self.view.bind(&mut pass);
                    pass.set_pipeline(map);
                    pass.draw(0..4, 0..1);
                }
                Ground::Processor(software) => software.draw(&mut pass),
            }
            self.view.bind(&mut pass);
            if !set {
                self.blocks.draw(&mut pass);
                self.fallen.draw(&mut pass);
                self.shadows.draw(&mut pass);
                self.living.draw(&mut pass);
                self.shots.draw(&mut pass);
            }
            self.bars.draw(&mut pass);
            self.lines.draw(&mut pass);
            if crowd.clusters.is_some() {
                self.doors.draw(&mut pass);
            }
        }
        let gfx = &graphics.gfx;
        let scale = gfx.window().scale_factor() as f32;
        let mut canvas = Canvas::from_frame(gfx, None::<Color>);
        self.hud.draw(gfx, &mut canvas, scale, crowd.frame, status)?;
        canvas.finish(&mut graphics.gfx)?;
        ui.paint(graphics);
        graphics.end_frame()
    }
}

/// Writes a square for each wall that can be broken and that `camera` sees; the paler the less of it is left.
fn blocks(frame: &Frame, camera: &Camera, out: &mut Vec<Sprite>) {
    out.clear();
    let Some(lattice) = frame.grid.as_ref().map(|grid| grid.lattice()) else { return };
    let seen = frame.ramparts.iter().map(|&(cell, share)| (lattice.centre(cell), share));
    out.extend(seen.filter(|&(centre, _)| camera.sees(centre)).map(|(centre, share)| {
        let [red, green, blue] = rgb(rampart(share));
        Sprite::new(centre, Vec2::X, 0.5 * lattice.cell_size, [red, green, blue, 255])
    }));
}
