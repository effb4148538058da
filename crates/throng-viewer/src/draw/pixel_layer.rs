//! A picture of the window's size that the processor has painted, on its way to the screen.

use super::pipeline::Strip;

/// Draws it pixel upon pixel over all that was there.
pub(super) struct PixelLayer {
    pipeline: wgpu::RenderPipeline,
    layout: wgpu::BindGroupLayout,
    texture: Option<(wgpu::Texture, wgpu::BindGroup)>,
}

impl PixelLayer {
    /// A layer that draws into images of `format`.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat) -> Self {
        let layout = device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor {
            label: Some("pixels"),
            entries: &[wgpu::BindGroupLayoutEntry {
                binding: 0,
                visibility: wgpu::ShaderStages::FRAGMENT,
                ty: wgpu::BindingType::Texture {
                    sample_type: wgpu::TextureSampleType::Float { filterable: false },
                    view_dimension: wgpu::TextureViewDimension::D2,
                    multisampled: false,
                },
                count: None,
            }],
        });
        let pipeline = Strip {
            label: "pixels",
            layouts: &[&layout],
            shader: &device.create_shader_module(wgpu::include_wgsl!("pixels.wgsl")),
            vertex: "vs_main",
            fragment: "fs_main",
            buffers: &[],
            blend: None,
            format,
        }
        .pipeline(device);
        Self { pipeline, layout, texture: None }
    }

    /// Sends a picture of `size` pixels (sRGB), row by row.
    pub fn write(&mut self, device: &wgpu::Device, queue: &wgpu::Queue, [width, height]: [u32; 2], pixels: &[[u8; 4]]) {
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        let texture = match self.texture.take().filter(|(texture, _)| texture.size() == size) {
            Some(texture) => texture,
            None => self.texture(device, size),
        };
        queue.write_texture(
            texture.0.as_image_copy(),
            bytemuck::cast_slice(pixels),
            wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(4 * width), rows_per_image: None },
            size,
        );
        self.texture = Some(texture);
    }

    fn texture(&self, device: &wgpu::Device, size: wgpu::Extent3d) -> (wgpu::Texture, wgpu::BindGroup) {
        let texture = device.create_texture(&wgpu::TextureDescriptor {
            label: Some("pixels"),
            size,
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8UnormSrgb,
            usage: wgpu::TextureUsages::TEXTURE_BINDING | wgpu::TextureUsages::COPY_DST,
            view_formats: &[],
        });
        let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
        let group = device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: Some("pixels"),
            layout: &self.layout,
            entries: &[wgpu::BindGroupEntry { binding: 0, resource: wgpu::BindingResource::TextureView(&view) }],
        });
        (texture, group)
    }

    /// Draws what was written last.
    pub fn draw(&self, pass: &mut wgpu::RenderPass) {
        if let Some((_, group)) = &self.texture {
            pass.set_pipeline(&self.pipeline);
            pass.set_bind_group(0, group, &[]);
            pass.draw(0..4, 0..1);
        }
    }
}
