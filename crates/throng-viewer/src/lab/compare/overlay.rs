//! Traces and routes on the graphics card.

use super::trace::{MAX_CLOSED, Trace};
use crate::draw::int_rect::IntRect;
use crate::draw::palette::{Rgb, light};
use crate::draw::pipeline::Strip;
use crate::draw::view_buffer::ViewBuffer;
use bytemuck::{Pod, Zeroable};
use throng_grid::geom::Vec2;
use throng_record::palette as record;
use wgpu::util::DeviceExt as _;

/// Closed cells near the start, and the furthest ones. Light and dark differ for every eye.
pub(super) const NEAR_INK: Rgb = [0, 96, 158];
pub(super) const FAR_INK: Rgb = [150, 206, 234];
/// Open cells.
pub(super) const OPEN_INK: Rgb = [240, 228, 66];
/// Doors between clusters that a search has not come to.
pub(super) const DOOR_INK: Rgb = [120, 94, 68];
/// Around the route.
const CASING: Rgb = [255, 252, 244];

/// The colour of the route.
pub(super) fn route() -> Rgb {
    record::rgb(record::PATH)
}

/// A colour as paper takes it on.
fn pale(rgb: Rgb) -> Rgb {
    std::array::from_fn(|part| rgb[part].midpoint(CASING[part]))
}

/// As `Overlay` in the shader.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Uniform {
    near: [f32; 4],
    far: [f32; 4],
    open: [f32; 4],
    route: [f32; 4],
    casing: [f32; 4],
    door: [f32; 4],
    texel: f32,
    route_half: f32,
    casing_half: f32,
    furthest: f32,
    dot: f32,
    pad: [f32; 3],
}

/// The pipelines that all panes share.
pub(super) struct Overlays {
    layout: wgpu::BindGroupLayout,
    trace: wgpu::RenderPipeline,
    route: wgpu::RenderPipeline,
}

impl Overlays {
    pub fn new(device: &wgpu::Device, view: &ViewBuffer, format: wgpu::TextureFormat) -> Self {
        let entry = |binding, ty| wgpu::BindGroupLayoutEntry {
            binding,
            visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
            ty,
            count: None,
        };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("overlay"),
            entries: &[
                entry(
                    0,
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                ),
                entry(
                    1,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: false },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
            ],
        });
        let shader = device.create_shader_module(wgpu::include_wgsl!("overlay.wgsl"));
        let strip = |vertex, fragment, buffers| {
            Strip {
                label: "overlay",
                layouts: &[&view.layout, &layout],
                shader: &shader,
                vertex,
                fragment,
                buffers,
                blend: Some(wgpu::BlendState::ALPHA_BLENDING),
                format,
            }
            .pipeline(device)
        };
        let points = |attributes| wgpu::VertexBufferLayout {
            array_stride: size_of::<[f32; 2]>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes,
        };
        // Each point is the start of one segment and the end of another.
        let (starts, ends) = (wgpu::vertex_attr_array![0 => Float32x2], wgpu::vertex_attr_array![1 => Float32x2]);
        let trace = strip("vs_trace", "fs_trace", &[]);
        let route = strip("vs_route", "fs_route", &[points(&starts), points(&ends)]);
        Self { layout, trace, route }
    }
}

/// The overlay of one pane's map.
pub(super) struct SearchOverlay {
    uniform: wgpu::Buffer,
    group: wgpu::BindGroup,
    texture: wgpu::Texture,
    points: wgpu::Buffer,
    /// Segments of the route, and whether the search is still on the way.
    segments: u32,
    on_the_way: bool,
    /// The part of the texture that is not clear.
    seen: Option<IntRect>,
    /// Few cells are shown.
    sparse: bool,
    /// Side of a texel (m).
    texel: f32,
}

impl SearchOverlay {
    /// Clear, for traces as large as `trace`, with cells of a side (m).
    pub fn new(device: &wgpu::Device, overlays: &Overlays, trace: &Trace, cell_size: f32) -> Self {
        let [width, height] = trace.size;
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("trace"),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::R8Unorm,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let uniform = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("overlay"),
            size: size_of::<Uniform>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("overlay"),
            layout: &overlays.layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: uniform.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(
                        &texture.create_view(&wgpu::TextureViewDescriptor::default()),
                    ),
                },
            ],
        });
        let points = points(device, &[]);
        let texel = cell_size * trace.block as f32;
        Self { uniform, group, texture, points, segments: 0, on_the_way: false, seen: None, sparse: false, texel }
    }

    /// Sends a trace to the card: the rows in which this one or the last has seen something.
    pub fn write_trace(&mut self, queue: &wgpu::Queue, trace: &Trace) {
        let rows = |area: IntRect| [(0, area.top), (0, area.bottom - 1)];
        let changed = [self.seen, trace.seen].into_iter().flatten().flat_map(rows);
        if let Some(rows) = IntRect::around(changed) {
            let [width, _] = trace.size;
            queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    origin: wgpu::Origin3d { x: 0, y: rows.top, z: 0 },
                    ..self.texture.as_image_copy()
                },
                &trace.values,
                wgpu::TexelCopyBufferLayout {
                    offset: u64::from(rows.top) * u64::from(width),
                    bytes_per_row: Some(width),
                    rows_per_image: None,
                },
                wgpu::Extent3d { width, height: rows.height(), depth_or_array_layers: 1 },
            );
        }
        self.seen = trace.seen;
        self.sparse = trace.is_sparse();
    }

    /// Sends a route (m) to the card; paler than others where the search is still on the way.
    pub fn write_route(&mut self, device: &wgpu::Device, route: &[Vec2], on_the_way: bool) {
        self.on_the_way = on_the_way;
        self.segments = route.len().saturating_sub(1) as u32;
        self.points = points(device, route);
    }

    /// Follows the camera: pixels a metre and pixels of a logical one. `cell` is the side of a cell (m).
    pub fn write_view(&self, queue: &wgpu::Queue, zoom: f32, scale: f32, cell: f32) {
        let rgba = |rgb: Rgb, alpha: f32| {
            let [red, green, blue] = rgb.map(light);
            [red, green, blue, alpha]
        };
        let half = (0.14 * cell * zoom).clamp(1.2 * scale, 4.0 * scale);
        let uniform = Uniform {
            near: rgba(NEAR_INK, 0.88),
            far: rgba(FAR_INK, 0.88),
            open: rgba(OPEN_INK, 1.0),
            route: rgba(if self.on_the_way { pale(route()) } else { route() }, 1.0),
            casing: rgba(CASING, 1.0),
            door: rgba(DOOR_INK, 1.0),
            texel: self.texel,
            route_half: half,
            casing_half: half + 1.1 * scale,
            furthest: f32::from(MAX_CLOSED),
            dot: if self.sparse { 1.6 * scale } else { 0.75 },
            pad: [0.0; 3],
        };
        queue.write_buffer(&self.uniform, 0, bytemuck::bytes_of(&uniform));
    }

    /// Draws both. The view must be bound.
    pub fn draw(&self, overlays: &Overlays, pass: &mut wgpu::RenderPass) {
        pass.set_bind_group(1, &self.group, &[]);
        if self.seen.is_some() {
            pass.set_pipeline(&overlays.trace);
            pass.draw(0..4, 0..1);
        }
        if self.segments > 0 {
            pass.set_pipeline(&overlays.route);
            pass.set_vertex_buffer(0, self.points.slice(..));
            pass.set_vertex_buffer(1, self.points.slice(size_of::<[f32; 2]>() as u64..));
            pass.draw(0..4, 0..self.segments);
            pass.draw(4..8, 0..self.segments);
        }
    }
}

fn points(device: &wgpu::Device, points: &[Vec2]) -> wgpu::Buffer {
    let mut flat: Vec<[f32; 2]> = points.iter().map(Vec2::to_array).collect();
    // Buffers must not be empty, nor shorter than the attributes.
    flat.resize(flat.len().max(2), [0.0; 2]);
    device.create_buffer_init(&wgpu::util::BufferInitDescriptor {
        label: Some("route"),
        contents: bytemuck::cast_slice(&flat),
        usage: wgpu::BufferUsages::VERTEX,
    })
}
