//! The bindings of every shader: the camera and the picture of the map, bound once a frame.

use super::int_rect::IntRect;
use super::map_image::MapImage;
use super::pipeline::Strip;
use crate::shell::camera::Camera;
use bytemuck::{Pod, Zeroable};
use throng_grid::geom::Vec2;

/// As `View` in the shaders.
#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct ViewBinding {
    scale: [f32; 2],
    offset: [f32; 2],
    map: [f32; 2],
    zoom: f32,
    texels: f32,
}

/// The uniform buffer, the map's texture, and the group that binds both.
pub(crate) struct ViewBuffer {
    pub layout: wgpu::BindGroupLayout,
    group: wgpu::BindGroup,
    buffer: wgpu::Buffer,
    texture: wgpu::Texture,
    /// Size of the map (m).
    map: Vec2,
    /// Texels a metre.
    density: f32,
}

impl ViewBuffer {
    /// Sends the picture of a map of this size (m) to the card; none where the processor paints the ground.
    pub fn new(device: &wgpu::Device, queue: &wgpu::Queue, image: Option<&MapImage>, map: Vec2) -> Self {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: size_of::<ViewBinding>() as u64,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let texture = texture(device, image);
        let sampler = device.create_sampler(&wgpu::SamplerDescriptor {
            label: Some("map"),
            mag_filter: wgpu::FilterMode::Linear,
            min_filter: wgpu::FilterMode::Linear,
            mipmap_filter: wgpu::MipmapFilterMode::Linear,
            ..wgpu::SamplerDescriptor::default()
        });
        let entry = |binding, visibility, ty| wgpu::BindGroupLayoutEntry { binding, visibility, ty, count: None };
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("view"),
            entries: &[
                entry(
                    0,
                    wgpu::ShaderStages::VERTEX_FRAGMENT,
                    wgpu::BindingType::Buffer {
                        ty: wgpu::BufferBindingType::Uniform,
                        has_dynamic_offset: false,
                        min_binding_size: None,
                    },
                ),
                entry(
                    1,
                    wgpu::ShaderStages::FRAGMENT,
                    wgpu::BindingType::Texture {
                        sample_type: wgpu::TextureSampleType::Float { filterable: true },
                        view_dimension: wgpu::TextureViewDimension::D2,
                        multisampled: false,
                    },
                ),
                entry(2, wgpu::ShaderStages::FRAGMENT, wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering)),
            ],
        });
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("view"),
            layout: &layout,
            entries: &[
                wgpu::BindGroupEntry { binding: 0, resource: buffer.as_entire_binding() },
                wgpu::BindGroupEntry {
                    binding: 1,
                    resource: wgpu::BindingResource::TextureView(
                        &texture.create_view(&wgpu::TextureViewDescriptor::default()),
                    ),
                },
                wgpu::BindGroupEntry { binding: 2, resource: wgpu::BindingResource::Sampler(&sampler) },
            ],
        });
        let density = image.map_or(1.0, |image| image.width() as f32 / map.x);
        let view = Self { layout, group, buffer, texture, map, density };
        if let Some(image) = image {
            let whole = |level| IntRect::whole(image.level(level).0, image.level(level).1);
            view.repaint(queue, image, (0..image.levels()).map(whole));
        }
        view
    }

    /// Sends an area of each level of the map's picture to the card.
    pub fn repaint(&self, queue: &wgpu::Queue, image: &MapImage, areas: impl IntoIterator<Item = IntRect>) {
        for (level, area) in areas.into_iter().enumerate().filter(|(_, area)| !area.is_empty()) {
            let (width, _, texels) = image.level(level);
            queue.write_texture(
                wgpu::TexelCopyTextureInfo {
                    texture: &self.texture,
                    mip_level: level as u32,
                    origin: wgpu::Origin3d { x: area.left, y: area.top, z: 0 },
                    aspect: wgpu::TextureAspect::All,
                },
                texels,
                wgpu::TexelCopyBufferLayout {
                    offset: 4 * (u64::from(area.top) * u64::from(width) + u64::from(area.left)),
                    bytes_per_row: Some(4 * width),
                    rows_per_image: None,
                },
                wgpu::Extent3d { width: area.width(), height: area.height(), depth_or_array_layers: 1 },
            );
        }
    }

    /// Size of the map (m).
    pub fn map(&self) -> Vec2 {
        self.map
    }

    /// Lays the picture over a map of another size (m).
    pub fn cover(&mut self, map: Vec2) {
        self.density *= self.map.x / map.x;
        self.map = map;
    }

    /// Follows the camera.
    pub fn write(&self, queue: &wgpu::Queue, camera: &Camera) {
        let (scale, offset) = camera.clip();
        let view = ViewBinding {
            scale: scale.to_array(),
            offset: offset.to_array(),
            map: self.map.to_array(),
            zoom: camera.zoom,
            texels: self.density / camera.zoom,
        };
        queue.write_buffer(&self.buffer, 0, bytemuck::bytes_of(&view));
    }

    /// Binds the group for the draws that follow.
    pub fn bind(&self, pass: &mut wgpu::RenderPass) {
        pass.set_bind_group(0, &self.group, &[]);
    }
}

fn texture(device: &wgpu::Device, image: Option<&MapImage>) -> wgpu::Texture {
    let (width, height) = image.map_or((1, 1), |image| (image.level(0).0, image.level(0).1));
    device.create_texture(&wgpu::TextureDescriptor {
        label: Some("map"),
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: image.map_or(1, |image| image.levels() as u32),
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format: wgpu::TextureFormat::Rgba8UnormSrgb,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
        view_formats: &[],
    })
}

/// The pipeline that draws the map.
pub(crate) fn map_pipeline(
    device: &wgpu::Device,
    view: &ViewBuffer,
    format: wgpu::TextureFormat,
) -> wgpu::RenderPipeline {
    Strip {
        label: "map",
        layouts: &[&view.layout],
        shader: &device.create_shader_module(wgpu::include_wgsl!("map.wgsl")),
        vertex: "vs_main",
        fragment: "fs_main",
        buffers: &[],
        blend: None,
        format,
    }
    .pipeline(device)
}
