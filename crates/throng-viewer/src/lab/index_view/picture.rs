//! The picture: the ground between the walls, the discs, the cells of the index over them.

use super::trial::TrialState;
use crate::draw::agents::{Sprite, SpriteKind, SpriteLayer};
use crate::draw::cells;
use crate::draw::int_rect::IntRect;
use crate::draw::map_image::MapImage;
use crate::draw::palette::DESK;
use crate::draw::palette::{Rgb, army};
use crate::draw::pipeline::field_pass;
use crate::draw::view_buffer::{ViewBuffer, map_pipeline};
use crate::shell::Shell;
use crate::shell::camera::Camera;
use ggez::GameResult;
use ggez::graphics::GraphicsContext;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};

/// The colour of discs: alone, overlapping. Blue is the darker one for any eye.
pub(super) fn colour(overlaps: bool) -> Rgb {
    army(usize::from(!overlaps))
}

/// The resources on the card.
pub(super) struct Picture {
    view: ViewBuffer,
    ground: wgpu::RenderPipeline,
    discs: SpriteLayer,
    cells: SpriteLayer,
    sprites: Vec<Sprite>,
}

impl Picture {
    /// Makes the pipelines.
    pub fn new(gfx: &GraphicsContext) -> Self {
        let (device, queue, format) = (&gfx.wgpu().device, &gfx.wgpu().queue, gfx.frame().format());
        // Bare ground, to be laid over whatever the walls enclose.
        let lattice = Lattice { width: 62, height: 62, stride: 64, cell_size: 1.0 };
        let image = MapImage::new(&Grid::open_plain(lattice));
        let view = ViewBuffer::new(device, queue, Some(&image), lattice.size());
        Self {
            ground: map_pipeline(device, &view, format),
            discs: SpriteLayer::new(device, &view, format, SpriteKind::Disc),
            cells: SpriteLayer::new(device, &view, format, SpriteKind::Line),
            sprites: Vec::new(),
            view,
        }
    }

    /// Lays the ground over what the walls enclose (m).
    pub fn enclose(&mut self, size: Vec2) {
        self.view.cover(size);
    }

    /// Draws a frame in a part of the window and shows it.
    pub fn draw(&mut self, shell: &mut Shell, camera: &Camera, free: IntRect, state: &TrialState) -> GameResult {
        let graphics = &mut shell.graphics;
        graphics.begin_frame()?;
        let gpu = graphics.gfx.wgpu();
        let (device, queue) = (gpu.device.clone(), gpu.queue.clone());
        self.view.write(&queue, camera);
        discs(state, camera, &mut self.sprites);
        self.discs.write(&device, &queue, &mut self.sprites);
        cells::lines(&state.cells, camera, &mut self.sprites);
        self.cells.write(&device, &queue, &mut self.sprites);
        let target = graphics.gfx.frame().wgpu().clone();
        let whole = IntRect::whole(graphics.gfx.frame().width(), graphics.gfx.frame().height());
        if let Some(encoder) = graphics.gfx.commands() {
            let mut pass = field_pass(encoder, &target, DESK);
            // A window may shrink faster than its frame.
            if free.within(whole) == free && !free.is_empty() {
                let [x, y, width, height] = [free.left, free.top, free.width(), free.height()];
                self.view.bind(&mut pass);
                pass.set_viewport(x as f32, y as f32, width as f32, height as f32, 0.0, 1.0);
                pass.set_scissor_rect(x, y, width, height);
                pass.set_pipeline(&self.ground);
                pass.draw(0..4, 0..1);
                self.discs.draw(&mut pass);
                self.cells.draw(&mut pass);
            }
        }
        shell.ui.paint(graphics);
        graphics.end_frame()
    }
}

/// Writes a sprite for each disc that `camera` sees.
fn discs(state: &TrialState, camera: &Camera, out: &mut Vec<Sprite>) {
    out.clear();
    let [low, high] = camera.view();
    let all = state.position.iter().zip(&state.radius).zip(&state.overlaps);
    let seen =
        all.filter(|((at, radius), _)| (**at + **radius).cmpge(low).all() && (**at - **radius).cmple(high).all());
    out.extend(seen.map(|((&at, &radius), &overlaps)| {
        let [red, green, blue] = colour(overlaps);
        Sprite::new(at, Vec2::X, radius, [red, green, blue, 255])
    }));
}
