//! The look of a battle drawn by the card: tiles, fallen, soldiers and signs, into a picture of the window's size.

use super::instances::{self, ARMIES, INKS, Instance};
use super::painter::PaintedTile;
use super::sheet::{Bindings, SheetTexture, texture};
use super::tiles::TileKey;
use crate::draw::palette::DESK;
use crate::shell::camera::Camera;
use bytemuck::{Pod, Zeroable};
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_scene::painter::tones::Drab;
use throng_scene::sprite::Atlas;
use throng_scene::view::FORESHORTENING;
use wgpu::util::DeviceExt as _;

/// As `View` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ViewUniform {
    scale: [f32; 2],
    offset: [f32; 2],
    window: [f32; 2],
    horizon: f32,
    ratio: f32,
    inks: [[f32; 4]; INKS + 1],
}

/// As `Place` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct PlaceUniform {
    corner: [f32; 2],
    size: [f32; 2],
    north: [f32; 4],
}

/// The picture that is drawn into, and what stands in front at each of its pixels.
struct Target {
    size: [u32; 2],
    colour: wgpu::TextureView,
    front: wgpu::TextureView,
    /// The front, for those who stand behind.
    field: wgpu::BindGroup,
    /// The colour, for the window.
    picture: wgpu::BindGroup,
}

/// A buffer of instances that grows.
struct InstanceBuffer {
    buffer: wgpu::Buffer,
    count: u32,
}

impl InstanceBuffer {
    fn new(device: &wgpu::Device) -> Self {
        Self { buffer: Self::buffer(device, &[Instance::zeroed()]), count: 0 }
    }

    fn buffer(device: &wgpu::Device, instances: &[Instance]) -> wgpu::Buffer {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("figures"),
            contents: bytemuck::cast_slice(instances),
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        })
    }

    fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, instances: &mut Vec<Instance>) {
        self.count = instances.len() as u32;
        if size_of_val(instances.as_slice()) as u64 > self.buffer.size() {
            instances.resize(instances.len().next_power_of_two(), Instance::zeroed());
            self.buffer = Self::buffer(device, instances);
            instances.truncate(self.count as usize);
        } else {
            queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(instances));
        }
    }

    fn draw(&self, pass: &mut wgpu::RenderPass, sheet: &SheetTexture) {
        if self.count > 0 {
            pass.set_bind_group(1, &sheet.group, &[]);
            pass.set_vertex_buffer(0, self.buffer.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}

/// The instances of one pass, written at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InstanceLayer {
    Fallen,
    /// Arrows in the ground, from the sheet of signs.
    Stuck,
    /// Around the feet of those who are selected, from the sheet of signs.
    Rings,
    Living,
    /// Clouds and banners, from the sheet of signs.
    Signs,
}

/// Draws it.
pub struct Card {
    device: wgpu::Device,
    queue: wgpu::Queue,
    bindings: Bindings,
    view: wgpu::Buffer,
    view_group: wgpu::BindGroup,
    target: Option<Target>,
    /// Of the armies.
    colours: [[u8; 3]; ARMIES],
    tiles: BTreeMap<TileKey, wgpu::BindGroup>,
    atlas: Option<(Arc<Atlas>, SheetTexture)>,
    fallen: InstanceBuffer,
    stuck: InstanceBuffer,
    rings: InstanceBuffer,
    living: InstanceBuffer,
    signs: InstanceBuffer,
}

impl Card {
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, format: wgpu::TextureFormat) -> Self {
        let bindings = Bindings::new(device, format, size_of::<ViewUniform>() as u64);
        let (view, view_group) = bindings.view(device);
        Self {
            device: device.clone(),
            queue: queue.clone(),
            view,
            view_group,
            target: None,
            colours: [[255; 3]; ARMIES],
            tiles: BTreeMap::new(),
            atlas: None,
            fallen: InstanceBuffer::new(device),
            stuck: InstanceBuffer::new(device),
            rings: InstanceBuffer::new(device),
            living: InstanceBuffer::new(device),
            signs: InstanceBuffer::new(device),
            bindings,
        }
    }

    /// Sends a tile to the card.
    pub fn insert(&mut self, painted: &PaintedTile) {
        let [width, height] = painted.area.size.map(|side| side as u32);
        let (device, queue) = (&self.device, &self.queue);
        let ground = texture(device, [width, height], wgpu::TextureFormat::Rgba8Unorm);
        super::sheet::write(queue, &ground, [0, 0], [width, height], bytemuck::cast_slice(&painted.tile.pixels), 4);
        let front = texture(device, [width, height], wgpu::TextureFormat::R16Uint);
        super::sheet::write(queue, &front, [0, 0], [width, height], bytemuck::cast_slice(&painted.tile.front), 2);
        let scale = Vec2::new(1.0, 1.0 / FORESHORTENING) / painted.key.scale();
        let place = PlaceUniform {
            corner: (Vec2::from(painted.area.corner.map(|part| part as f32)) * scale).to_array(),
            size: (Vec2::from(painted.area.size.map(|part| part as f32)) * scale).to_array(),
            north: [painted.north; 4],
        };
        let place = device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("place"),
            contents: bytemuck::bytes_of(&place),
            usage: wgpu::BufferUsages::UNIFORM,
        });
        self.tiles.insert(painted.key, self.bindings.tile(device, &place, &ground, &front));
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
        self.colours = colours;
    }

    /// Takes the soldiers' pictures from an atlas.
    pub fn take(&mut self, atlas: &Arc<Atlas>) {
        if self.atlas.as_ref().is_some_and(|(own, _)| Arc::ptr_eq(own, atlas)) {
            return;
        }
        let size = [atlas.width() as u32, atlas.height() as u32];
        let sheet = SheetTexture::new(&self.device, &self.bindings, size);
        sheet.write(&self.queue, [0, 0], size, atlas.pixels(), Some(atlas.shares()));
        self.atlas = Some((Arc::clone(atlas), sheet));
    }

    /// Sends figures to the card, in their order.
    pub fn write(&mut self, rank: InstanceLayer, instances: &mut Vec<Instance>) {
        let crowd = match rank {
            InstanceLayer::Fallen => &mut self.fallen,
            InstanceLayer::Stuck => &mut self.stuck,
            InstanceLayer::Rings => &mut self.rings,
            InstanceLayer::Living => &mut self.living,
            InstanceLayer::Signs => &mut self.signs,
        };
        crowd.write(&self.device, &self.queue, instances);
    }

    /// A sheet for signs.
    pub fn sheet(&self, size: [u32; 2]) -> SheetTexture {
        SheetTexture::new(&self.device, &self.bindings, size)
    }

    pub fn queue(&self) -> &wgpu::Queue {
        &self.queue
    }

    /// Draws all of it into its picture.
    pub fn render(
        &mut self,
        encoder: &mut wgpu::CommandEncoder,
        camera: &Camera,
        window: [u32; 2],
        signs: Option<&SheetTexture>,
    ) {
        self.follow(camera, window);
        let Some(target) = &self.target else { return };
        let [r, g, b] = DESK.map(|channel| f64::from(channel) / 255.0);
        let attachment = |view, clear| {
            let load = wgpu::LoadOp::Clear(clear);
            let ops = wgpu::Operations { load, store: wgpu::StoreOp::Store };
            Some(wgpu::RenderPassColorAttachment { view, depth_slice: None, resolve_target: None, ops })
        };
        let nothing = wgpu::Color { r: f64::from(15 << 16), g: 0.0, b: 0.0, a: 0.0 };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("ground"),
            color_attachments: &[
                attachment(&target.colour, wgpu::Color { r, g, b, a: 1.0 }),
                attachment(&target.front, nothing),
            ],
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.bindings.ground);
        pass.set_bind_group(0, &self.view_group, &[]);
        // Those of another scale first: they show through where the right ones are not there yet.
        let off = |key: &TileKey| (key.scale() / super::tiles::exact(camera.zoom)).ln().abs();
        let mut tiles: Vec<_> = self.tiles.iter().collect();
        tiles.sort_by(|one, other| off(other.0).total_cmp(&off(one.0)));
        for (_, group) in tiles {
            pass.set_bind_group(1, group, &[]);
            pass.draw(0..4, 0..1);
        }
        drop(pass);
        let ops = wgpu::Operations { load: wgpu::LoadOp::Load, store: wgpu::StoreOp::Store };
        let colour =
            wgpu::RenderPassColorAttachment { view: &target.colour, depth_slice: None, resolve_target: None, ops };
        let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
            label: Some("figures"),
            color_attachments: &[Some(colour)],
            ..wgpu::RenderPassDescriptor::default()
        });
        pass.set_pipeline(&self.bindings.figures);
        pass.set_bind_group(0, &self.view_group, &[]);
        pass.set_bind_group(2, &target.field, &[]);
        if let Some((_, sheet)) = &self.atlas {
            self.fallen.draw(&mut pass, sheet);
        }
        if let Some(sheet) = signs {
            self.stuck.draw(&mut pass, sheet);
            self.rings.draw(&mut pass, sheet);
        }
        if let Some((_, sheet)) = &self.atlas {
            self.living.draw(&mut pass, sheet);
        }
        if let Some(sheet) = signs {
            self.signs.draw(&mut pass, sheet);
        }
    }

    /// Follows the camera and the window's size.
    fn follow(&mut self, camera: &Camera, window: [u32; 2]) {
        if self.target.as_ref().is_none_or(|target| target.size != window) {
            let colour = texture(&self.device, window, wgpu::TextureFormat::Rgba8Unorm);
            let front = texture(&self.device, window, wgpu::TextureFormat::R32Uint);
            let [colour, front] =
                [colour, front].map(|texture| texture.create_view(&wgpu::TextureViewDescriptor::default()));
            let field = self.bindings.field(&self.device, &front);
            let picture = self.bindings.picture(&self.device, &colour);
            self.target = Some(Target { size: window, colour, front, field, picture });
        }
        let (scale, offset) = camera.clip();
        let ratio = self.atlas.as_ref().map_or(1.0, |(atlas, _)| instances::ratio(camera, atlas));
        let mut inks = [[1.0; 4]; INKS + 1];
        for (army, &colour) in self.colours.iter().enumerate() {
            let [r, g, b] = colour.map(|channel| f32::from(channel) / 255.0);
            inks[army] = [r, g, b, 1.0];
            let [r, g, b] = Drab::new(colour, camera.zoom).tint();
            inks[ARMIES + army] = [r, g, b, Drab::seen(camera.zoom)];
        }
        let view = ViewUniform {
            scale: scale.to_array(),
            offset: offset.to_array(),
            window: window.map(|side| side as f32),
            horizon: instances::horizon(camera),
            ratio,
            inks,
        };
        self.queue.write_buffer(&self.view, 0, bytemuck::bytes_of(&view));
    }

    /// Shows the picture in the window.
    pub fn show(&self, pass: &mut wgpu::RenderPass) {
        if let Some(target) = &self.target {
            pass.set_pipeline(&self.bindings.show);
            pass.set_bind_group(0, &target.picture, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}
