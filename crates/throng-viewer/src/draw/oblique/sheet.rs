//! Pipelines, bind groups and textures of the look of a battle on the card.

use super::instances::Instance;

/// The pipelines, and the layouts of what they read.
pub struct Bindings {
    pub ground: wgpu::RenderPipeline,
    pub figures: wgpu::RenderPipeline,
    pub show: wgpu::RenderPipeline,
    view: wgpu::BindGroupLayout,
    tile: wgpu::BindGroupLayout,
    sheet: wgpu::BindGroupLayout,
    field: wgpu::BindGroupLayout,
    picture: wgpu::BindGroupLayout,
    sampler: wgpu::Sampler,
    /// Size of the view's buffer (bytes).
    view_size: u64,
}

/// A texture for a layout: what its numbers are.
fn sampled(sample_type: wgpu::TextureSampleType) -> wgpu::BindingType {
    wgpu::BindingType::Texture { sample_type, view_dimension: wgpu::TextureViewDimension::D2, multisampled: false }
}

const COLOUR: wgpu::TextureSampleType = wgpu::TextureSampleType::Float { filterable: true };
const UNIFORM: wgpu::BindingType = wgpu::BindingType::Buffer {
    ty: wgpu::BufferBindingType::Uniform,
    has_dynamic_offset: false,
    min_binding_size: None,
};
const SAMPLER: wgpu::BindingType = wgpu::BindingType::Sampler(wgpu::SamplerBindingType::Filtering);

impl Bindings {
    /// For windows of `format`.
    pub fn new(device: &wgpu::Device, format: wgpu::TextureFormat, view_size: u64) -> Self {
        let layout = |label, types: &[wgpu::BindingType]| {
            let entries: Vec<_> = (0..)
                .zip(types)
                .map(|(binding, &ty)| wgpu::BindGroupLayoutEntry {
                    binding,
                    visibility: wgpu::ShaderStages::VERTEX_FRAGMENT,
                    ty,
                    count: None,
                })
                .collect();
            device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: Some(label), entries: &entries })
        };
        let whole = sampled(wgpu::TextureSampleType::Uint);
        let view = layout("view", &[UNIFORM]);
        let tile = layout("tile", &[UNIFORM, sampled(COLOUR), whole, SAMPLER]);
        let sheet = layout("sheet", &[sampled(COLOUR), sampled(COLOUR), SAMPLER]);
        let field = layout("field", &[whole]);
        let picture = layout("picture", &[sampled(COLOUR)]);
        let shader = device.create_shader_module(wgpu::include_wgsl!("card.wgsl"));
        let pipeline = |name: &str, layouts: &[&wgpu::BindGroupLayout], buffers: &[_], targets: &[_]| {
            let layouts: Vec<_> = layouts.iter().copied().map(Some).collect();
            let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: Some(name),
                bind_group_layouts: &layouts,
                immediate_size: 0,
            });
            let [vertex, fragment] = ["vs", "fs"].map(|stage| format!("{stage}_{name}"));
            device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
                label: Some(name),
                layout: Some(&layout),
                vertex: wgpu::VertexState {
                    module: &shader,
                    entry_point: Some(&vertex),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    buffers,
                },
                primitive: wgpu::PrimitiveState {
                    topology: wgpu::PrimitiveTopology::TriangleStrip,
                    ..wgpu::PrimitiveState::default()
                },
                depth_stencil: None,
                multisample: wgpu::MultisampleState::default(),
                fragment: Some(wgpu::FragmentState {
                    module: &shader,
                    entry_point: Some(&fragment),
                    compilation_options: wgpu::PipelineCompilationOptions::default(),
                    targets,
                }),
                multiview_mask: None,
                cache: None,
            })
        };
        let target = |format, blend| Some(wgpu::ColorTargetState { format, blend, write_mask: wgpu::ColorWrites::ALL });
        let colour = wgpu::TextureFormat::Rgba8Unorm;
        let instances = wgpu::VertexBufferLayout {
            array_stride: size_of::<Instance>() as u64,
            step_mode: wgpu::VertexStepMode::Instance,
            attributes: &ATTRIBUTES,
        };
        Self {
            ground: pipeline(
                "ground",
                &[&view, &tile],
                &[],
                &[target(colour, None), target(wgpu::TextureFormat::R32Uint, None)],
            ),
            figures: pipeline(
                "figure",
                &[&view, &sheet, &field],
                &[instances],
                &[target(colour, Some(wgpu::BlendState::PREMULTIPLIED_ALPHA_BLENDING))],
            ),
            show: pipeline("show", &[&picture], &[], &[target(format, None)]),
            sampler: device.create_sampler(&wgpu::SamplerDescriptor {
                mag_filter: wgpu::FilterMode::Linear,
                min_filter: wgpu::FilterMode::Linear,
                ..wgpu::SamplerDescriptor::default()
            }),
            view,
            tile,
            sheet,
            field,
            picture,
            view_size,
        }
    }

    fn group(
        device: &wgpu::Device,
        layout: &wgpu::BindGroupLayout,
        resources: Vec<wgpu::BindingResource<'_>>,
    ) -> wgpu::BindGroup {
        let entries: Vec<_> =
            (0..).zip(resources).map(|(binding, resource)| wgpu::BindGroupEntry { binding, resource }).collect();
        device.create_bind_group(&wgpu::BindGroupDescriptor { label: None, layout, entries: &entries })
    }

    /// A buffer for the view, bound.
    pub fn view(&self, device: &wgpu::Device) -> (wgpu::Buffer, wgpu::BindGroup) {
        let buffer = device.create_buffer(&wgpu::BufferDescriptor {
            label: Some("view"),
            size: self.view_size,
            usage: wgpu::BufferUsages::UNIFORM | wgpu::BufferUsages::COPY_DST,
            mapped_at_creation: false,
        });
        let group = Self::group(device, &self.view, vec![buffer.as_entire_binding()]);
        (buffer, group)
    }

    /// A tile: its place, its colours, and what stands in front.
    pub fn tile(
        &self,
        device: &wgpu::Device,
        place: &wgpu::Buffer,
        ground: &wgpu::Texture,
        front: &wgpu::Texture,
    ) -> wgpu::BindGroup {
        let [ground, front] = [ground, front].map(view_of);
        let resources = vec![
            place.as_entire_binding(),
            wgpu::BindingResource::TextureView(&ground),
            wgpu::BindingResource::TextureView(&front),
            wgpu::BindingResource::Sampler(&self.sampler),
        ];
        Self::group(device, &self.tile, resources)
    }

    /// What stands in front at each pixel of the window.
    pub fn field(&self, device: &wgpu::Device, front: &wgpu::TextureView) -> wgpu::BindGroup {
        Self::group(device, &self.field, vec![wgpu::BindingResource::TextureView(front)])
    }

    /// The picture that is shown in the end.
    pub fn picture(&self, device: &wgpu::Device, colour: &wgpu::TextureView) -> wgpu::BindGroup {
        Self::group(device, &self.picture, vec![wgpu::BindingResource::TextureView(colour)])
    }
}

/// As `vs_figure` takes them.
const ATTRIBUTES: [wgpu::VertexAttribute; 5] =
    wgpu::vertex_attr_array![0 => Sint16x2, 1 => Uint16x2, 2 => Uint16x2, 3 => Sint16x2, 4 => Uint32];

/// Pictures of figures or signs, and their shares of the colour of the army.
pub struct SheetTexture {
    colour: wgpu::Texture,
    shares: wgpu::Texture,
    pub group: wgpu::BindGroup,
}

impl SheetTexture {
    pub fn new(device: &wgpu::Device, bindings: &Bindings, size: [u32; 2]) -> Self {
        let colour = texture(device, size, wgpu::TextureFormat::Rgba8Unorm);
        let shares = texture(device, size, wgpu::TextureFormat::R8Unorm);
        let [colour_view, shares_view] = [&colour, &shares].map(view_of);
        let resources = vec![
            wgpu::BindingResource::TextureView(&colour_view),
            wgpu::BindingResource::TextureView(&shares_view),
            wgpu::BindingResource::Sampler(&bindings.sampler),
        ];
        let group = Bindings::group(device, &bindings.sheet, resources);
        Self { colour, shares, group }
    }

    /// Sends a rectangle of pixels, and their shares where there are any.
    pub fn write(&self, queue: &wgpu::Queue, at: [u32; 2], size: [u32; 2], pixels: &[[u8; 4]], shares: Option<&[u8]>) {
        write(queue, &self.colour, at, size, bytemuck::cast_slice(pixels), 4);
        if let Some(shares) = shares {
            write(queue, &self.shares, at, size, shares, 1);
        }
    }
}

fn view_of(texture: &wgpu::Texture) -> wgpu::TextureView {
    texture.create_view(&wgpu::TextureViewDescriptor::default())
}

/// A texture of this size (pixels) that is read, written to, and drawn into.
pub fn texture(device: &wgpu::Device, [width, height]: [u32; 2], format: wgpu::TextureFormat) -> wgpu::Texture {
    let drawn = match format {
        wgpu::TextureFormat::R16Uint | wgpu::TextureFormat::R8Unorm => wgpu::TextureUsages::COPY_DST,
        _ => wgpu::TextureUsages::COPY_DST | wgpu::TextureUsages::RENDER_ATTACHMENT,
    };
    device.create_texture(&wgpu::TextureDescriptor {
        label: None,
        size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
        mip_level_count: 1,
        sample_count: 1,
        dimension: wgpu::TextureDimension::D2,
        format,
        usage: wgpu::TextureUsages::TEXTURE_BINDING | drawn,
        view_formats: &[],
    })
}

/// Sends a rectangle of a texture, of so many bytes a pixel.
pub fn write(
    queue: &wgpu::Queue,
    texture: &wgpu::Texture,
    [x, y]: [u32; 2],
    [width, height]: [u32; 2],
    bytes: &[u8],
    pixel: u32,
) {
    queue.write_texture(
        wgpu::TexelCopyTextureInfo {
            texture,
            mip_level: 0,
            origin: wgpu::Origin3d { x, y, z: 0 },
            aspect: wgpu::TextureAspect::All,
        },
        bytes,
        wgpu::TexelCopyBufferLayout { offset: 0, bytes_per_row: Some(pixel * width), rows_per_image: None },
        wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
    );
}
