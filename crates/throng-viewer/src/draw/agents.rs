//! Soldiers, shots, discs, lines and walls that break on the graphics card: one instanced draw for each kind.

use super::pipeline::Strip;
use super::view_buffer::ViewBuffer;
use bytemuck::{Pod, Zeroable};
use throng_grid::geom::Vec2;
use wgpu::util::DeviceExt as _;

/// One of them, as the card sees it: 20 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub(crate) struct Sprite {
    centre: [f32; 2],
    heading: [i16; 2],
    /// As in a paint program; the last is the opacity.
    pub rgba: [u8; 4],
    radius: f32,
}

impl Sprite {
    /// A sprite at `centre` (m) that looks along `heading` (a unit vector).
    pub fn new(centre: Vec2, heading: Vec2, radius: f32, rgba: [u8; 4]) -> Self {
        let heading = [heading.x, heading.y].map(|part| (part * f32::from(i16::MAX)) as i16);
        Self { centre: centre.to_array(), heading, rgba, radius }
    }

    /// A health bar above an agent at `centre` (m); `health` is a share of 0 to 1.
    pub fn bar(centre: Vec2, radius: f32, health: f32, rgba: [u8; 4]) -> Self {
        Self::new(centre, Vec2::new(health, 0.0), radius, rgba)
    }

    /// A stroke between two points (m), so many pixels wide: up to 8.
    pub fn stroke([from, to]: [Vec2; 2], width: f32, rgba: [u8; 4]) -> Self {
        let half = 0.5 * from.distance(to);
        let along = if half > 0.0 { (to - from) / (2.0 * half) } else { Vec2::X };
        Self::new(from.midpoint(to), along * (width / 8.0).min(1.0), half, rgba)
    }

    /// Its centre (m).
    pub fn centre(&self) -> Vec2 {
        self.centre.into()
    }

    /// The direction in which it faces (a unit vector).
    pub fn heading(&self) -> Vec2 {
        Vec2::from(self.heading.map(f32::from)) / f32::from(i16::MAX)
    }

    /// Its radius (m).
    pub fn radius(&self) -> f32 {
        self.radius
    }

    const ATTRIBUTES: [wgpu::VertexAttribute; 4] =
        wgpu::vertex_attr_array![0 => Float32x2, 1 => Snorm16x2, 2 => Unorm8x4, 3 => Float32];
}

/// A pipeline and a buffer that grows.
pub(crate) struct SpriteLayer {
    pipeline: wgpu::RenderPipeline,
    buffer: wgpu::Buffer,
    count: u32,
}

/// The kind of sprites in a layer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum SpriteKind {
    /// Drops with a rim, pointing where they look.
    Living,
    /// Crosses.
    Fallen,
    /// Strokes along where they look.
    Shot,
    /// Soft discs.
    Shadow,
    /// Squares.
    Block,
    /// Discs with a rim.
    Disc,
    /// Thin lines along where they look, twice as long as the radius.
    Line,
    /// [Bars](Sprite::bar).
    Bar,
    /// [Strokes](Sprite::stroke).
    Stroke,
}

impl SpriteLayer {
    /// A layer that draws into images of `format`.
    pub fn new(device: &wgpu::Device, view: &ViewBuffer, format: wgpu::TextureFormat, kind: SpriteKind) -> Self {
        let pipeline = Strip {
            label: "sprites",
            layouts: &[&view.layout],
            shader: &device.create_shader_module(wgpu::include_wgsl!("agents.wgsl")),
            vertex: match kind {
                SpriteKind::Line => "vs_line",
                SpriteKind::Bar => "vs_bar",
                SpriteKind::Stroke => "vs_stroke",
                _ => "vs_main",
            },
            fragment: match kind {
                SpriteKind::Living => "fs_living",
                SpriteKind::Fallen => "fs_fallen",
                SpriteKind::Shot => "fs_shot",
                SpriteKind::Shadow => "fs_shadow",
                SpriteKind::Block => "fs_block",
                SpriteKind::Disc => "fs_disc",
                SpriteKind::Line => "fs_line",
                SpriteKind::Bar => "fs_bar",
                SpriteKind::Stroke => "fs_stroke",
            },
            buffers: &[wgpu::VertexBufferLayout {
                array_stride: size_of::<Sprite>() as u64,
                step_mode: wgpu::VertexStepMode::Instance,
                attributes: &Sprite::ATTRIBUTES,
            }],
            blend: Some(wgpu::BlendState::ALPHA_BLENDING),
            format,
        }
        .pipeline(device);
        Self { pipeline, buffer: Self::buffer(device, &[Sprite::zeroed()]), count: 0 }
    }

    fn buffer(device: &wgpu::Device, sprites: &[Sprite]) -> wgpu::Buffer {
        device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
            label: Some("sprites"),
            contents: bytemuck::cast_slice(sprites),
            usage: wgpu::BufferUsages::VERTEX | wgpu::BufferUsages::COPY_DST,
        })
    }

    /// Sends the sprites to the card. If they do not fit, the buffer is made anew, with room to grow.
    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, sprites: &mut Vec<Sprite>) {
        self.count = sprites.len() as u32;
        if size_of_val(sprites.as_slice()) as u64 > self.buffer.size() {
            sprites.resize(sprites.len().next_power_of_two(), Sprite::zeroed());
            self.buffer = Self::buffer(device, sprites);
            sprites.truncate(self.count as usize);
        } else {
            queue.write_buffer(&self.buffer, 0, bytemuck::cast_slice(sprites));
        }
    }

    /// Draws what was written last. The view must be bound.
    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        if self.count > 0 {
            pass.set_pipeline(&self.pipeline);
            pass.set_vertex_buffer(0, self.buffer.slice(..));
            pass.draw(0..4, 0..self.count);
        }
    }
}
