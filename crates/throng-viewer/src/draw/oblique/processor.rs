//! The look of a battle painted by the processor, for software drivers: the ground once a camera, the figures each frame.

use super::blit::{self, Sheets};
use super::instances::{self, ARMIES, Instance};
use super::painter::PaintedTile;
use super::past::Past;
use super::signs::view_of;
use super::tiles::TileKey;
use crate::draw::palette::DESK;
use crate::draw::pixel_layer::PixelLayer;
use crate::shell::camera::Camera;
use ggez::graphics::GraphicsContext;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_scene::painter::arrows::stick;
use throng_scene::painter::canvas::{Canvas, Screen, Stamp};
use throng_scene::painter::moment::Change;
use throng_scene::sprite::Atlas;

/// Side of the squares in which it is known whether something is built (pixels).
pub const BLOCK_SIDE_PX: usize = 16;

/// The ground in a window, and what stands on it.
#[derive(Default)]
pub struct PaintedGround {
    pub width: usize,
    pub height: usize,
    pub pixels: Vec<[u8; 4]>,
    /// As [`Tile::front`](throng_scene::scenery::Tile::front), from the horizon of the camera.
    pub front: Vec<u16>,
    /// The sun on the ground, 0 to 15.
    pub light: Vec<u8>,
    /// The greatest front of each square of [`BLOCK_SIDE_PX`] pixels.
    pub blocks: Vec<u16>,
}

impl PaintedGround {
    fn reset(&mut self, [width, height]: [usize; 2]) {
        let [red, green, blue] = DESK;
        (self.width, self.height) = (width, height);
        self.pixels.clear();
        self.pixels.resize(width * height, [red, green, blue, 255]);
        self.front.clear();
        self.front.resize(width * height, 0);
        self.light.clear();
        self.light.resize(width * height, 15);
    }

    /// Lays a tile where a camera sees it; its pixels are taken as they are where it has the scale of the camera.
    fn lay(&mut self, painted: &PaintedTile, camera: &Camera) {
        let scale = painted.key.scale();
        let ratio = camera.zoom / scale;
        let corner = camera.origin().round() + Vec2::from(painted.area.corner.map(|part| part as f32)) * ratio;
        let size = Vec2::from(painted.area.size.map(|part| part as f32)) * ratio;
        let range = |from: f32, to: f32, most: usize| {
            let [from, to] = [from, to].map(|edge| edge.round().clamp(0.0, most as f32) as usize);
            from..to
        };
        let columns = range(corner.x, corner.x + size.x, self.width);
        let rows = range(corner.y, corner.y + size.y, self.height);
        let source = |pixel: usize, corner: f32, most: i32| {
            (((pixel as f32 + 0.5 - corner) / ratio) as i32).clamp(0, most - 1) as usize
        };
        let across: Vec<usize> = columns.clone().map(|x| source(x, corner.x, painted.area.size[0])).collect();
        let taps: Vec<(usize, usize, u32)> =
            columns.clone().map(|x| tap((x as f32 + 0.5 - corner.x) / ratio, painted.area.size[0])).collect();
        let shift = ((painted.north - instances::horizon(camera)) * 16.0).round() as i32;
        let stride = painted.area.size[0] as usize;
        let (width, first) = (self.width, rows.start);
        let span = first * width..rows.end * width;
        let tile = &painted.tile;
        let is_plain = (ratio - 1.0).abs() < 1e-4;
        let lines = self.pixels[span.clone()]
            .par_chunks_mut(width)
            .zip(self.front[span.clone()].par_chunks_mut(width))
            .zip(self.light[span].par_chunks_mut(width))
            .enumerate();
        lines.for_each(|(row, ((pixels, fronts), lights))| {
            let row = row + first;
            let from = source(row, corner.y, painted.area.size[1]) * stride;
            let (pixels, fronts, lights) =
                (&mut pixels[columns.clone()], &mut fronts[columns.clone()], &mut lights[columns.clone()]);
            for ((front, light), &x) in fronts.iter_mut().zip(lights).zip(&across) {
                *light = tile.pixels[from + x][3] >> 4;
                let built = tile.front[from + x];
                *front = if built == 0 { 0 } else { (i32::from(built) + shift).clamp(1, 65535) as u16 };
            }
            if is_plain {
                for (pixel, &x) in pixels.iter_mut().zip(&across) {
                    let [r, g, b, _] = tile.pixels[from + x];
                    *pixel = [r, g, b, 255];
                }
                return;
            }
            let (above, below, down) = tap((row as f32 + 0.5 - corner.y) / ratio, painted.area.size[1]);
            let [above, below] = [above, below].map(|row| &tile.pixels[row * stride..][..stride]);
            for (pixel, &(left, right, along)) in pixels.iter_mut().zip(&taps) {
                let part = |index: usize| {
                    let mix = |a: u8, b: u8, share: u32| u32::from(a) * (256 - share) + u32::from(b) * share;
                    let upper = mix(above[left][index], above[right][index], along);
                    let lower = mix(below[left][index], below[right][index], along);
                    ((upper * (256 - down) + lower * down) >> 16) as u8
                };
                *pixel = [part(0), part(1), part(2), 255];
            }
        });
    }

    fn measure(&mut self) {
        let across = self.width.div_ceil(BLOCK_SIDE_PX).max(1);
        self.blocks.clear();
        self.blocks.resize(across * self.height.div_ceil(BLOCK_SIDE_PX), 0);
        for (row, line) in self.front.chunks_exact(self.width.max(1)).enumerate() {
            let blocks = &mut self.blocks[row / BLOCK_SIDE_PX * across..][..across];
            for (block, part) in blocks.iter_mut().zip(line.chunks(BLOCK_SIDE_PX)) {
                *block = part.iter().fold(*block, |most, &front| most.max(front));
            }
        }
    }
}

/// Two texels between which a place lies, and how near it is to the second (of 256).
fn tap(at: f32, most: i32) -> (usize, usize, u32) {
    let at = (at - 0.5).clamp(0.0, (most - 1) as f32);
    let low = at as usize;
    (low, (low + 1).min(most as usize - 1), ((at - low as f32) * 256.0) as u32)
}

/// Paints it.
pub struct Processor {
    layer: PixelLayer,
    tiles: BTreeMap<TileKey, PaintedTile>,
    /// What the ground was laid for: camera, window, changes of tiles, and how often the past was forgotten.
    laid: Option<(Camera, [u32; 2], u64, u64)>,
    /// How many of the fallen and of stuck arrows lie on it.
    lying: usize,
    /// Threads of its own: those of the simulation may be busy for a whole tick.
    pool: Option<rayon::ThreadPool>,
    field: PaintedGround,
    pub canvas: Canvas,
    sheets: Sheets,
    /// Changes of tiles.
    version: u64,
}

impl Processor {
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let threads = std::thread::available_parallelism().map_or(1, |count| count.get().min(MAX_THREADS));
        Self {
            layer: PixelLayer::new(device, format),
            tiles: BTreeMap::new(),
            laid: None,
            lying: 0,
            pool: rayon::ThreadPoolBuilder::new().num_threads(threads).build().ok(),
            field: PaintedGround::default(),
            canvas: Canvas::default(),
            sheets: Sheets::default(),
            version: 0,
        }
    }

    pub fn insert(&mut self, tile: PaintedTile) {
        self.tiles.insert(tile.key, tile);
        self.version += 1;
    }

    pub fn keep(&mut self, keeps: impl Fn(TileKey) -> bool) {
        self.tiles.retain(|&key, _| keeps(key));
    }

    pub fn tiles(&self) -> usize {
        self.tiles.len()
    }

    pub fn has(&self, key: TileKey) -> bool {
        self.tiles.contains_key(&key)
    }

    /// Takes other colours of armies.
    pub fn dye(&mut self, colours: [[u8; 3]; ARMIES]) {
        self.sheets.dye(colours);
        self.laid = None;
    }

    /// Takes the soldiers' pictures from an atlas.
    pub fn take(&mut self, atlas: &Arc<Atlas>) {
        if self.sheets.take(atlas) {
            // The fallen are of the atlas before.
            self.laid = None;
        }
    }

    /// Lays the ground where it has changed or another camera looks, with what lies on it, and copies it to the canvas. `lie`
    /// writes the pictures of the fallen. Where the ground `is_complete` at the scale of the camera, other scales are left out.
    /// O(pixels).
    pub fn lay(
        &mut self,
        camera: &Camera,
        window: [u32; 2],
        (past, is_complete): (&Past, bool),
        lie: impl FnOnce(&[Change], &mut Vec<Instance>),
    ) {
        let (total, cleared) = past.state();
        let state = (camera.clone(), window, self.version, cleared);
        if self.laid.as_ref() != Some(&state) {
            self.laid = Some(state);
            self.lying = 0;
            let Self { pool, field, tiles, .. } = self;
            field.reset(window.map(|side| side as usize));
            // Those of another scale first: they show through where the right ones are not there yet.
            let scale = super::tiles::exact(camera.zoom);
            let mut tiles: Vec<&PaintedTile> = tiles.values().collect();
            if is_complete {
                tiles.retain(|tile| tile.key.scale() == scale);
            }
            let off = |tile: &PaintedTile| (tile.key.scale() / scale).ln().abs();
            tiles.sort_by(|one, other| off(other).total_cmp(&off(one)));
            on(pool.as_ref(), || tiles.into_iter().for_each(|tile| field.lay(tile, camera)));
            field.measure();
        }
        if self.lying < total {
            let (new, mut instances) = (past.lying(self.lying), Vec::new());
            self.lying = total;
            lie(new, &mut instances);
            let Self { pool, field, sheets, .. } = self;
            let mut pixels = std::mem::take(&mut field.pixels);
            on(pool.as_ref(), || blit::all(&mut pixels, field, &instances, sheets, camera));
            let mut canvas = Canvas { width: field.width, height: field.height, pixels };
            for change in new {
                if let &Change::Stuck { place, velocity } = change {
                    stick(place, velocity, view_of(camera), &field.front, &mut canvas);
                }
            }
            field.pixels = canvas.pixels;
        }
        (self.canvas.width, self.canvas.height) = (self.field.width, self.field.height);
        self.canvas.pixels.clone_from(&self.field.pixels);
    }

    /// Paints figures in their order. O(pixels of figures).
    pub fn paint(&mut self, figures: &[Instance], camera: &Camera) {
        let Self { pool, field, sheets, canvas, .. } = self;
        on(pool.as_ref(), || blit::all(&mut canvas.pixels, field, figures, sheets, camera));
    }

    /// Lays a picture on the ground where nothing that is built further south than its foot hides it.
    pub fn stamp(&mut self, stamp: Stamp, [x, y]: [i32; 2], foot: u16) {
        let screen = Screen { front: &self.field.front, stride: self.field.width, foot, ghost: ([0; 3], 0) };
        // Without a share of an army's colour nothing shines through.
        self.canvas.blend_behind(stamp, &[], x, y, &screen, 256);
    }

    /// Sends the canvas to the screen.
    pub fn write(&mut self, gfx: &GraphicsContext) {
        let gpu = gfx.wgpu();
        let size = [self.canvas.width as u32, self.canvas.height as u32];
        self.layer.write(&gpu.device, &gpu.queue, size, &self.canvas.pixels);
    }

    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        self.layer.draw(pass);
    }
}

/// Runs something on the threads of a pool, or on those that there are.
fn on<T: Send>(pool: Option<&rayon::ThreadPool>, run: impl FnOnce() -> T + Send) -> T {
    match pool {
        Some(pool) => pool.install(run),
        None => run(),
    }
}

/// More threads paint no faster.
const MAX_THREADS: usize = 8;

/// Bands of rows, for as many threads as there are.
pub fn bands(pixels: &mut [[u8; 4]], width: usize) -> impl IndexedParallelIterator<Item = (usize, &mut [[u8; 4]])> {
    let rows = pixels.len() / width.max(1);
    let band = rows.div_ceil(2 * rayon::current_num_threads()).max(1);
    pixels.par_chunks_mut((band * width).max(1)).enumerate().map(move |(index, pixels)| (index * band, pixels))
}
