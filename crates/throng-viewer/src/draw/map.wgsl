// The map: one rectangle, one texture with all its levels.

struct View {
    scale: vec2<f32>,
    offset: vec2<f32>,
    map: vec2<f32>,      // m
    zoom: f32,           // pixels a metre
    texels: f32,         // texels a pixel at the finest level
}

@group(0) @binding(0) var<uniform> view: View;
@group(0) @binding(1) var image: texture_2d<f32>;
@group(0) @binding(2) var filtered: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_main(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: Corner;
    out.position = vec4<f32>(uv * view.map * view.scale + view.offset, 0.0, 1.0);
    out.uv = uv;
    return out;
}

@fragment
fn fs_main(in: Corner) -> @location(0) vec4<f32> {
    let size = vec2<f32>(textureDimensions(image, 0));
    // Seen from near, texels are kept crisp: the change from one to the next takes one pixel, not one texel.
    let texel = in.uv * size - 0.5;
    let step = clamp((fract(texel) - 0.5) / clamp(view.texels, 0.001, 1.0) + 0.5, vec2<f32>(0.0), vec2<f32>(1.0));
    let uv = (floor(texel) + 0.5 + step) / size;
    let colour = textureSampleLevel(image, filtered, uv, max(log2(view.texels), 0.0));
    return vec4<f32>(colour.rgb, 1.0);
}
