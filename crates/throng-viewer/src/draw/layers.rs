//! The picture, from the ground up: map, walls that break, the fallen, the living, shots, health, cells of the index, clusters.

use super::agents::{Sprite, SpriteKind, SpriteLayer};
use super::banners::PlacedBanner;
use super::cells::{self, IndexCell};
use super::clusters::{self, Clusters};
use super::fallen::Fallen;
use super::flights;
use super::map_image::MapImage;
use super::map_painter::MapPainter;
use super::motion::Motion;
use super::oblique::{self, Oblique, Past, on_ground};
use super::palette::DESK;
use super::pipeline::field_pass;
use super::software::{self, Crowded, Software};
use super::splat;
use super::style::PANEL;
use super::view_buffer::{ViewBuffer, map_pipeline};
use crate::Theme;
use crate::shell::camera::Camera;
use crate::shell::graphics::Graphics;
use crate::shell::ui::Ui;
use ggez::GameResult;
use ggez::graphics::GraphicsContext;
use std::collections::BTreeSet;
use std::sync::Arc;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_record::palette::{rampart, rgb};
use throng_scene::sprite::look;
use throng_sim::world::{Frame, SquadId};

/// The agents to draw, and their positions.
pub(crate) struct DrawnCrowd<'a> {
    pub frame: &'a Frame,
    pub motion: &'a Motion,
    pub fallen: &'a Fallen,
    pub past: &'a Past,
    /// Squads that are selected.
    pub selected: &'a BTreeSet<SquadId>,
    /// The banners of squads.
    pub banners: &'a [PlacedBanner],
    pub theme: Theme,
    /// The cells of the spatial index that are shown.
    pub cells: &'a [IndexCell],
    /// The clusters and doors that are shown.
    pub clusters: Option<&'a Clusters>,
    /// The health of the wounded is shown.
    pub bars: bool,
    /// Simulated time of a tick (s).
    pub step: f32,
}

/// The painter of the ground.
enum GroundPainter {
    Card(wgpu::RenderPipeline),
    /// The driver is software; great crowds are drawn here as well.
    Processor(Box<Software>),
}

/// The resources of each layer on the card.
pub(crate) struct Layers {
    view: ViewBuffer,
    painter: MapPainter,
    /// The look of a battle, once it was asked for.
    oblique: Option<Box<Oblique>>,
    /// The ground, by the card or by the processor.
    ground: GroundPainter,
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
    /// Arrows of the look of a battle.
    arrows: SpriteLayer,
    living: SpriteLayer,
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
            let ground = GroundPainter::Processor(Box::new(Software::new(device, format)));
            (ViewBuffer::new(device, queue, None, size), Some(image), ground)
        } else {
            let view = ViewBuffer::new(device, queue, Some(&image), size);
            let ground = GroundPainter::Card(map_pipeline(device, &view, format));
            (view, None, ground)
        };
        Self {
            painter: MapPainter::new(Arc::clone(grid), image),
            oblique: None,
            ground,
            blocks: SpriteLayer::new(device, &view, format, SpriteKind::Block),
            lines: SpriteLayer::new(device, &view, format, SpriteKind::Line),
            doors: SpriteLayer::new(device, &view, format, SpriteKind::Block),
            bars: SpriteLayer::new(device, &view, format, SpriteKind::Bar),
            fallen: SpriteLayer::new(device, &view, format, SpriteKind::Fallen),
            shadows: SpriteLayer::new(device, &view, format, SpriteKind::Shadow),
            shots: SpriteLayer::new(device, &view, format, SpriteKind::Shot),
            arrows: SpriteLayer::new(device, &view, format, SpriteKind::Stroke),
            living: SpriteLayer::new(device, &view, format, SpriteKind::Living),
            sprites: Vec::new(),
            ramparts: Vec::new(),
            bodies: Vec::new(),
            flights: [Vec::new(), Vec::new()],
            view,
        }
    }

    /// Draws a frame and shows it; `free` is what the panels leave of it: its corner and its size (pixels).
    pub fn draw(
        &mut self,
        (graphics, ui): (&mut Graphics, &mut Ui),
        camera: &Camera,
        crowd: &DrawnCrowd,
        free: [Vec2; 2],
    ) -> GameResult {
        graphics.begin_frame()?;
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        let Self { view, ground, painter, .. } = self;
        painter.follow(crowd.frame.grid.as_ref(), |image, areas| match ground {
            GroundPainter::Card(_) => view.repaint(&queue, image, areas),
            GroundPainter::Processor(software) => software.forget_ground(),
        });
        self.view.write(&queue, camera);
        blocks(crowd.frame, camera, &mut self.ramparts);
        cells::lines(crowd.cells, camera, &mut self.sprites);
        if let Some((hierarchy, grid)) = crowd.clusters.zip(crowd.frame.grid.as_ref()) {
            clusters::sprites(hierarchy, grid.lattice(), camera, &mut self.sprites, &mut self.bodies);
            self.doors.write(&device, &queue, &mut self.bodies);
        }
        self.lines.write(&device, &queue, &mut self.sprites);
        let is_battle = crowd.theme != Theme::Plan;
        self.sprites.clear();
        if crowd.bars {
            let frame = crowd.frame;
            let lift = |row: usize, place: Vec2| {
                let unit = frame.unit.get(row).map_or(0, |unit| unit.index());
                let height = look::height(frame.looks.get(unit).copied().unwrap_or_default());
                if is_battle { on_ground(place.extend(height)) } else { place }
            };
            crowd.motion.bars(frame, camera, lift, &mut self.sprites);
            if is_battle {
                worn(frame, camera, &mut self.sprites);
            }
        }
        self.bars.write(&device, &queue, &mut self.sprites);
        if is_battle && self.oblique.is_none() {
            // A system without another thread shows the plan.
            self.oblique = crowd
                .frame
                .grid
                .as_ref()
                .and_then(|grid| Oblique::new(&graphics.gfx, grid, crowd.theme).ok())
                .map(Box::new);
        }
        let mut oblique = if is_battle { self.oblique.take() } else { None };
        if let Some(oblique) = &mut oblique {
            self.prepare_battle(oblique, graphics, camera, crowd);
        }
        // Until the landscape is there, the plan is seen at a slant.
        let shows = oblique.as_ref().is_some_and(|oblique| oblique.is_ready());
        if !shows {
            self.prepare_plan(graphics, camera, crowd);
        }
        let target = graphics.gfx.frame().wgpu().clone();
        let (is_software, free) =
            (self.is_software(), clip(free, [target.texture().width(), target.texture().height()]));
        if let Some(encoder) = graphics.gfx.commands() {
            if let Some(oblique) = oblique.as_mut().filter(|_| shows) {
                oblique.render(encoder, camera);
            }
            let ground = if is_software { PANEL } else { DESK };
            let mut pass = field_pass(encoder, &target, ground);
            if is_software {
                // What panels cover is left as it is: their ground is no more than that.
                let [x, y, width, height] = free;
                pass.set_scissor_rect(x, y, width, height);
            }
            match (oblique.as_ref().filter(|_| shows), &self.ground) {
                (Some(oblique), _) => oblique.show(&mut pass),
                (None, GroundPainter::Card(map)) => {
                    self.view.bind(&mut pass);
                    pass.set_pipeline(map);
                    pass.draw(0..4, 0..1);
                }
                (None, GroundPainter::Processor(software)) => software.draw(&mut pass),
            }
            self.view.bind(&mut pass);
            for layer in [&self.blocks, &self.fallen, &self.shadows, &self.living, &self.shots, &self.arrows] {
                layer.draw(&mut pass);
            }
            self.bars.draw(&mut pass);
            self.lines.draw(&mut pass);
            if crowd.clusters.is_some() {
                self.doors.draw(&mut pass);
            }
        }
        if oblique.is_some() {
            self.oblique = oblique;
        }
        ui.paint(graphics);
        graphics.end_frame()
    }

    /// True where the processor paints the ground.
    pub fn is_software(&self) -> bool {
        matches!(self.ground, GroundPainter::Processor(_))
    }

    /// True where the picture would not change by itself.
    pub fn is_complete(&self, theme: Theme) -> bool {
        theme == Theme::Plan || self.oblique.as_ref().is_none_or(|oblique| oblique.is_complete())
    }

    /// Why the landscape is not painted to its end.
    pub fn failure(&self) -> Option<String> {
        self.oblique.as_ref()?.failure()
    }

    /// Makes the plan's soldiers, shots and fallen ready to be drawn, or has the processor set them.
    fn prepare_plan(&mut self, graphics: &Graphics, camera: &Camera, crowd: &DrawnCrowd) {
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (&gpu.device, &gpu.queue);
        let [strokes, shadows] = &mut self.flights;
        flights::sprites(&crowd.frame.shots, crowd.step * crowd.motion.left(), camera, strokes, shadows);
        crowd.fallen.sprites(crowd.frame.time, camera, &mut self.bodies);
        crowd.motion.sprites(crowd.frame, camera, &mut self.sprites);
        if let GroundPainter::Processor(software) = &mut self.ground
            && let Some(image) = self.painter.image()
        {
            let set = splat::pays(&self.sprites, camera);
            let crowd = Crowded { squares: [&self.ramparts, &self.bodies, shadows, &self.sprites], strokes };
            software.paint(&graphics.gfx, (image, self.view.map()), camera, set.then_some(&crowd));
            if set {
                let all = [&mut self.ramparts, &mut self.bodies, shadows, &mut self.sprites, strokes];
                all.into_iter().for_each(Vec::clear);
            }
        }
        self.blocks.write(device, queue, &mut self.ramparts);
        self.fallen.write(device, queue, &mut self.bodies);
        self.shadows.write(device, queue, shadows);
        self.living.write(device, queue, &mut self.sprites);
        self.shots.write(device, queue, strokes);
        self.arrows.write(device, queue, &mut Vec::new());
    }

    /// Makes the look of a battle ready to be drawn.
    fn prepare_battle(&mut self, oblique: &mut Oblique, graphics: &Graphics, camera: &Camera, crowd: &DrawnCrowd) {
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (&gpu.device, &gpu.queue);
        let DrawnCrowd { frame, motion, past, selected, banners, step, .. } = *crowd;
        oblique.prepare(&graphics.gfx, camera, &oblique::ObliqueView { frame, motion, past, selected, banners, step });
        let [strokes, shadows] = &mut self.flights;
        strokes.clear();
        if oblique.is_by_card() {
            let [arrows, below] = &mut oblique.sprites;
            strokes.append(below);
            strokes.append(arrows);
        }
        shadows.clear();
        self.sprites.clear();
        self.blocks.write(device, queue, &mut Vec::new());
        self.fallen.write(device, queue, &mut Vec::new());
        self.shadows.write(device, queue, shadows);
        self.living.write(device, queue, &mut self.sprites);
        self.shots.write(device, queue, &mut Vec::new());
        self.arrows.write(device, queue, strokes);
    }
}

/// A part of a picture of a size in whole pixels: its corner and its size, which is not empty.
fn clip([corner, part]: [Vec2; 2], [width, height]: [u32; 2]) -> [u32; 4] {
    let (left, top) = ((corner.x.max(0.0) as u32).min(width - 1), (corner.y.max(0.0) as u32).min(height - 1));
    let [right, bottom] = (corner + part).ceil().to_array().map(|edge| edge.max(0.0) as u32);
    [left, top, right.clamp(left + 1, width) - left, bottom.clamp(top + 1, height) - top]
}

/// Adds a bar for each wall that was struck, has not broken and that `camera` sees.
fn worn(frame: &Frame, camera: &Camera, out: &mut Vec<Sprite>) {
    let Some(lattice) = frame.grid.as_ref().map(|grid| grid.lattice()) else { return };
    let struck = frame.ramparts.iter().filter(|(_, share)| *share < 1.0);
    out.extend(struck.map(|&(cell, share)| (lattice.centre(cell), share)).filter(|&(at, _)| camera.sees(at)).map(
        |(at, share)| {
            let [red, green, blue] = rgb(rampart(share));
            Sprite::bar(on_ground(at.extend(WALL_HEIGHT_M)), 0.5 * lattice.cell_size, share, [red, green, blue, 255])
        },
    ));
}

/// How high walls are seen to be (m).
const WALL_HEIGHT_M: f32 = 4.4;

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
