//! Pipelines that draw rectangles.

/// The parts of a pipeline.
pub(crate) struct Strip<'a> {
    pub label: &'a str,
    /// The bind groups' layouts, by group.
    pub layouts: &'a [&'a wgpu::BindGroupLayout],
    pub shader: &'a wgpu::ShaderModule,
    /// Names of its functions.
    pub vertex: &'a str,
    pub fragment: &'a str,
    pub buffers: &'a [wgpu::VertexBufferLayout<'a>],
    pub blend: Option<wgpu::BlendState>,
    /// Of the image that is drawn into.
    pub format: wgpu::TextureFormat,
}

impl Strip<'_> {
    /// A pipeline of triangle strips.
    pub fn pipeline(&self, device: &wgpu::Device) -> wgpu::RenderPipeline {
        let layouts: Vec<_> = self.layouts.iter().copied().map(Some).collect();
        let layout = device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(self.label),
            bind_group_layouts: &layouts,
            immediate_size: 0,
        });
        device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: Some(self.label),
            layout: Some(&layout),
            vertex: wgpu::VertexState {
                module: self.shader,
                entry_point: Some(self.vertex),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                buffers: self.buffers,
            },
            primitive: wgpu::PrimitiveState {
                topology: wgpu::PrimitiveTopology::TriangleStrip,
                ..wgpu::PrimitiveState::default()
            },
            depth_stencil: None,
            multisample: wgpu::MultisampleState::default(),
            fragment: Some(wgpu::FragmentState {
                module: self.shader,
                entry_point: Some(self.fragment),
                compilation_options: wgpu::PipelineCompilationOptions::default(),
                targets: &[Some(wgpu::ColorTargetState {
                    format: self.format,
                    blend: self.blend,
                    write_mask: wgpu::ColorWrites::ALL,
                })],
            }),
            multiview_mask: None,
            cache: None,
        })
    }
}

/// Begins to draw on a ground of one colour, such as the [desk](super::palette::DESK) that lies around the map.
pub(crate) fn field_pass<'e>(
    encoder: &'e mut wgpu::CommandEncoder,
    target: &wgpu::TextureView,
    ground: [u8; 3],
) -> wgpu::RenderPass<'e> {
    let [r, g, b] = ground.map(|channel| f64::from(super::palette::light(channel)));
    encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
        label: Some("field"),
        color_attachments: &[Some(wgpu::RenderPassColorAttachment {
            view: target,
            depth_slice: None,
            resolve_target: None,
            ops: wgpu::Operations {
                load: wgpu::LoadOp::Clear(wgpu::Color { r, g, b, a: 1.0 }),
                store: wgpu::StoreOp::Store,
            },
        })],
        depth_stencil_attachment: None,
        timestamp_writes: None,
        occlusion_query_set: None,
        multiview_mask: None,
    })
}
