// Soldiers, living and dead, shots, and walls that break: one square each, whose pixels know how far they are from the outline.

struct View {
    scale: vec2<f32>,
    offset: vec2<f32>,
    map: vec2<f32>,      // m
    zoom: f32,           // pixels a metre
    texels: f32,
}

@group(0) @binding(0) var<uniform> view: View;

struct Point {
    @builtin(position) position: vec4<f32>,
    @location(0) at: vec2<f32>,                         // in radii; x points where the soldier looks
    @location(1) @interpolate(flat) colour: vec4<f32>,
    @location(2) @interpolate(flat) pixels: f32,        // pixels a radius
    @location(3) @interpolate(flat) width: f32,         // of strokes (pixels)
}

// Below this radius (pixels) a soldier would be lost between the pixels.
const MIN_RADIUS_PX: f32 = 1.3;
// How far the nose reaches (radii).
const NOSE_REACH_RADII: f32 = 1.45;

fn linear(c: vec3<f32>) -> vec3<f32> {
    return select(pow((c + 0.055) / 1.055, vec3<f32>(2.4)), c / 12.92, c <= vec3<f32>(0.04045));
}

// A way in the frame of `along`, in that of the map.
fn turned(way: vec2<f32>, along: vec2<f32>) -> vec2<f32> {
    return vec2<f32>(way.x * along.x - way.y * along.y, way.x * along.y + way.y * along.x);
}

// A place (m) on the screen.
fn placed(place: vec2<f32>) -> vec4<f32> {
    return vec4<f32>(place * view.scale + view.offset, 0.0, 1.0);
}

@vertex
fn vs_main(
    @builtin(vertex_index) index: u32,
    @location(0) centre: vec2<f32>,
    @location(1) heading: vec2<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) radius: f32,
) -> Point {
    let pixels = max(radius * view.zoom, MIN_RADIUS_PX);
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let at = corner * (NOSE_REACH_RADII + 1.0 / pixels);
    var out: Point;
    out.position = placed(centre + turned(at, heading) * (pixels / view.zoom));
    out.at = at;
    out.colour = vec4<f32>(linear(colour.rgb), colour.a);
    out.pixels = pixels;
    return out;
}

// A line along where it looks, as thin at any zoom: `at` is in pixels from its middle.
@vertex
fn vs_line(
    @builtin(vertex_index) index: u32,
    @location(0) centre: vec2<f32>,
    @location(1) heading: vec2<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) half_length: f32,
) -> Point {
    let pixels = half_length * view.zoom;
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let at = corner * vec2<f32>(pixels + 0.5, 1.5);
    var out: Point;
    out.position = placed(centre + turned(at, heading) / view.zoom);
    out.at = at;
    out.colour = vec4<f32>(linear(colour.rgb), colour.a);
    out.pixels = pixels;
    return out;
}

// A stroke along where it looks, whose length says how wide it is (of 8 pixels): `at` is in pixels from its middle.
@vertex
fn vs_stroke(
    @builtin(vertex_index) index: u32,
    @location(0) centre: vec2<f32>,
    @location(1) heading: vec2<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) half_length: f32,
) -> Point {
    let width = 8.0 * length(heading);
    let along = heading * 8.0 / max(width, 0.01);
    let pixels = half_length * view.zoom;
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u)) * 2.0 - 1.0;
    let at = corner * (vec2<f32>(pixels, 0.0) + 0.5 * width + 1.0);
    var out: Point;
    out.position = placed(centre + turned(at, along) / view.zoom);
    out.at = at;
    out.colour = vec4<f32>(linear(colour.rgb), colour.a);
    out.pixels = pixels;
    out.width = width;
    return out;
}

@fragment
fn fs_stroke(in: Point) -> @location(0) vec4<f32> {
    let d = length(vec2<f32>(max(abs(in.at.x) - in.pixels, 0.0), in.at.y));
    return vec4<f32>(in.colour.rgb, in.colour.a * clamp(0.5 * in.width + 0.5 - d, 0.0, 1.0));
}

@fragment
fn fs_line(in: Point) -> @location(0) vec4<f32> {
    return vec4<f32>(in.colour.rgb, in.colour.a * clamp(1.1 - abs(in.at.y), 0.0, 1.0));
}

// A bar above a soldier, as wide as he is: `at` is in pixels from its left end; `heading.x` is how much of it is full.
@vertex
fn vs_bar(
    @builtin(vertex_index) index: u32,
    @location(0) centre: vec2<f32>,
    @location(1) health: vec2<f32>,
    @location(2) colour: vec4<f32>,
    @location(3) radius: f32,
) -> Point {
    let size = vec2<f32>(2.0 * radius * view.zoom, max(0.3 * radius * view.zoom, 4.0));
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    let at = corner * size;
    let above = vec2<f32>(-0.5 * size.x, -1.35 * radius * view.zoom - size.y);
    var out: Point;
    out.position = placed(centre + (above + at) / view.zoom);
    out.at = at;
    out.colour = vec4<f32>(linear(colour.rgb), colour.a);
    out.pixels = health.x * size.x;
    return out;
}

@fragment
fn fs_bar(in: Point) -> @location(0) vec4<f32> {
    let full = clamp(in.pixels - in.at.x + 0.5, 0.0, 1.0);
    return vec4<f32>(mix(vec3<f32>(0.02), in.colour.rgb, full), mix(0.75, 1.0, full));
}

// Distance to a drop: a disc of radius `a` at the origin, drawn out to one of radius `b` at (h, 0).
fn drop_shape(point: vec2<f32>, a: f32, b: f32, h: f32) -> f32 {
    let p = vec2<f32>(abs(point.y), point.x);
    let slope = (a - b) / h;
    let side = sqrt(1.0 - slope * slope);
    let k = dot(p, vec2<f32>(-slope, side));
    if k < 0.0 { return length(p) - a; }
    if k > side * h { return length(p - vec2<f32>(0.0, h)) - b; }
    return dot(p, vec2<f32>(side, slope)) - a;
}

@fragment
fn fs_living(in: Point) -> @location(0) vec4<f32> {
    if in.pixels < 2.2 {
        let inside = clamp(0.5 - (length(in.at) - 1.0) * in.pixels, 0.0, 1.0);
        return vec4<f32>(in.colour.rgb, in.colour.a * inside);
    }
    let d = drop_shape(in.at, 0.92, 0.1, 1.3);
    let inside = clamp(0.5 - d * in.pixels, 0.0, 1.0);
    // A dark rim, a light helmet: both only where there are pixels for them.
    let detail = smoothstep(3.0, 7.0, in.pixels);
    let rim = clamp((d + 0.2) * in.pixels, 0.0, 1.0) * mix(0.35, 0.75, detail);
    let helmet = clamp(0.5 - (length(in.at - vec2<f32>(0.05, 0.0)) - 0.42) * in.pixels, 0.0, 1.0) * detail;
    var colour = mix(in.colour.rgb, mix(in.colour.rgb, vec3<f32>(1.0), 0.3), helmet);
    colour = mix(colour, in.colour.rgb * 0.12, rim);
    return vec4<f32>(colour, in.colour.a * inside);
}

@fragment
fn fs_fallen(in: Point) -> @location(0) vec4<f32> {
    // A cross of two rounded strokes.
    let p = abs(in.at);
    let along = clamp((p.x + p.y) * 0.5, 0.0, 0.72);
    let d = length(p - vec2<f32>(along)) - 0.26;
    return vec4<f32>(in.colour.rgb, in.colour.a * clamp(0.5 - d * in.pixels, 0.0, 1.0));
}

@fragment
fn fs_shot(in: Point) -> @location(0) vec4<f32> {
    let wide = max(0.12 * in.pixels, 0.6);
    let d = length(vec2<f32>(max(abs(in.at.x) - 0.9, 0.0), in.at.y)) * in.pixels - wide;
    return vec4<f32>(in.colour.rgb, in.colour.a * clamp(0.5 - d, 0.0, 1.0));
}

@fragment
fn fs_shadow(in: Point) -> @location(0) vec4<f32> {
    return vec4<f32>(in.colour.rgb, in.colour.a * clamp(0.5 - (length(in.at) - 1.0) * in.pixels, 0.0, 1.0));
}

@fragment
fn fs_disc(in: Point) -> @location(0) vec4<f32> {
    let d = (length(in.at) - 1.0) * in.pixels;
    // A dark rim, where there are pixels for it.
    let rim = clamp(d + 1.5, 0.0, 1.0) * smoothstep(2.5, 6.0, in.pixels);
    return vec4<f32>(mix(in.colour.rgb, in.colour.rgb * 0.25, rim), in.colour.a * clamp(0.5 - d, 0.0, 1.0));
}

@fragment
fn fs_block(in: Point) -> @location(0) vec4<f32> {
    let d = (max(abs(in.at.x), abs(in.at.y)) - 1.0) * in.pixels;
    // A dark rim, where there are pixels for it.
    let rim = clamp(d + 1.5, 0.0, 1.0) * smoothstep(4.0, 8.0, in.pixels);
    return vec4<f32>(mix(in.colour.rgb, in.colour.rgb * 0.3, rim), in.colour.a * clamp(0.5 - d, 0.0, 1.0));
}
