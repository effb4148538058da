// What lies over the map: the cells that a search has seen, and the route it has found.

struct View {
    scale: vec2<f32>,
    offset: vec2<f32>,
    map: vec2<f32>,      // m
    zoom: f32,           // pixels a metre
    texels: f32,
}

struct Overlay {
    near: vec4<f32>,     // closed cells, by the cost of the way there
    far: vec4<f32>,
    open: vec4<f32>,
    route: vec4<f32>,
    casing: vec4<f32>,
    door: vec4<f32>,
    texel: f32,          // m
    route_half: f32,     // half its width (pixels)
    casing_half: f32,
    furthest: f32,       // value of the closed cell with the longest way
    dot: f32,            // half the least width of a cell (pixels)
}

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var<uniform> overlay: Overlay;
@group(1) @binding(1) var trace: texture_2d<f32>;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,      // texels
}

@vertex
fn vs_trace(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: Corner;
    out.at = uv * vec2<f32>(textureDimensions(trace));
    out.position = vec4<f32>(out.at * overlay.texel * view.scale + view.offset, 0.0, 1.0);
    return out;
}

@fragment
fn fs_trace(in: Corner) -> @location(0) vec4<f32> {
    // Cells are drawn at least so wide that single ones are seen from afar; the greatest value wins.
    let reach = clamp(overlay.dot / (view.zoom * overlay.texel), 0.5, 4.0);
    let first = max(vec2<i32>(ceil(in.at - 0.5 - reach)), vec2<i32>(0));
    let last = min(vec2<i32>(floor(in.at - 0.5 + reach)), vec2<i32>(textureDimensions(trace)) - 1);
    var value = 0.0;
    for (var y = first.y; y <= last.y; y++) {
        for (var x = first.x; x <= last.x; x++) {
            value = max(value, textureLoad(trace, vec2<i32>(x, y), 0).r * 255.0);
        }
    }
    if value < 0.5 {
        discard;
    }
    if value > 254.5 {
        return overlay.open;
    }
    if value > overlay.furthest + 0.5 {
        return overlay.door;
    }
    return mix(overlay.near, overlay.far, clamp((value - 1.0) / (overlay.furthest - 1.0), 0.0, 1.0));
}

struct Stroke {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,                          // pixels from the segment's start
    @location(1) @interpolate(flat) along: vec2<f32>,    // the segment (pixels)
    @location(2) @interpolate(flat) casing: u32,
}

// Corners 0 to 3 are those of the casing, 4 to 7 those of the route on top of it.
@vertex
fn vs_route(@builtin(vertex_index) index: u32, @location(0) a: vec2<f32>, @location(1) b: vec2<f32>) -> Stroke {
    let casing = 1u - (index >> 2u);
    let half_width = select(overlay.route_half, overlay.casing_half, casing == 1u) + 1.0;
    let along = (b - a) * view.zoom;
    let length = length(along);
    let direction = select(vec2<f32>(1.0, 0.0), along / max(length, 1e-6), length > 1e-6);
    let end = f32(index & 1u);
    let side = f32((index >> 1u) & 1u) * 2.0 - 1.0;
    var out: Stroke;
    out.at = along * end + half_width * (direction * (end * 2.0 - 1.0) + vec2<f32>(-direction.y, direction.x) * side);
    out.position = vec4<f32>((a + out.at / view.zoom) * view.scale + view.offset, 0.0, 1.0);
    out.along = along;
    out.casing = casing;
    return out;
}

@fragment
fn fs_route(in: Stroke) -> @location(0) vec4<f32> {
    let t = clamp(dot(in.at, in.along) / max(dot(in.along, in.along), 1e-6), 0.0, 1.0);
    let distance = length(in.at - in.along * t);
    let colour = select(overlay.route, overlay.casing, in.casing == 1u);
    let half_width = select(overlay.route_half, overlay.casing_half, in.casing == 1u);
    return vec4<f32>(colour.rgb, colour.a * clamp(half_width - distance + 0.5, 0.0, 1.0));
}
