// The look of a battle: tiles of the ground, then soldiers, into a picture of the window's size, which is shown in the end.
// Colours are those of a paint program throughout: sprites were drawn to be mixed so.

struct View {
    scale: vec2<f32>,
    offset: vec2<f32>,
    window: vec2<f32>,   // pixels
    horizon: f32,        // m
    ratio: f32,          // pixels of the window for one of the atlas
    inks: array<vec4<f32>, 33>,   // of armies, of their fallen with how much of them is seen, of signs
}

@group(0) @binding(0) var<uniform> view: View;

// ---- the ground ----

struct Place {
    corner: vec2<f32>,   // m
    size: vec2<f32>,     // m
    north: vec4<f32>,
}

@group(1) @binding(0) var<uniform> place: Place;
@group(1) @binding(1) var ground: texture_2d<f32>;
@group(1) @binding(2) var fronts: texture_2d<u32>;
@group(1) @binding(3) var smooth_ground: sampler;

struct Corner {
    @builtin(position) position: vec4<f32>,
    @location(0) uv: vec2<f32>,
}

@vertex
fn vs_ground(@builtin(vertex_index) index: u32) -> Corner {
    let uv = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    var out: Corner;
    out.position = vec4<f32>((place.corner + uv * place.size) * view.scale + view.offset, 0.0, 1.0);
    out.uv = uv;
    return out;
}

struct Ground {
    @location(0) colour: vec4<f32>,
    @location(1) front: u32,
}

@fragment
fn fs_ground(in: Corner) -> Ground {
    let colour = textureSampleLevel(ground, smooth_ground, in.uv, 0.0);
    let size = textureDimensions(fronts);
    let texel = min(vec2<u32>(in.uv * vec2<f32>(size)), size - 1u);
    let light = u32(textureLoad(ground, texel, 0).a * 255.0 + 0.5) >> 4u;
    let front = textureLoad(fronts, texel, 0).r;
    var out: Ground;
    out.colour = vec4<f32>(colour.rgb, 1.0);
    let south = f32(front) - 1.0 + (place.north.x - view.horizon) * 16.0;
    out.front = select(u32(clamp(south + 1.0, 1.0, 65535.0)), 0u, front == 0u) | (light << 16u);
    return out;
}

// ---- soldiers ----

@group(1) @binding(0) var atlas: texture_2d<f32>;
@group(1) @binding(1) var shares: texture_2d<f32>;
@group(1) @binding(2) var smooth_atlas: sampler;
@group(2) @binding(0) var field: texture_2d<u32>;

struct Sprite {
    @builtin(position) position: vec4<f32>,
    @location(0) texel: vec2<f32>,
    @location(1) @interpolate(flat) bounds: vec4<f32>,
    @location(2) @interpolate(flat) ink: vec3<f32>,
    @location(3) @interpolate(flat) shade: f32,
    @location(4) @interpolate(flat) foot: u32,
    @location(5) @interpolate(flat) kind: u32,
    @location(6) @interpolate(flat) seen: f32,
}

const LIVING: u32 = 0u;
const FALLEN: u32 = 1u;
const SIGN: u32 = 2u;

// As `Grade` of the painter.
fn graded(c: vec3<f32>) -> vec3<f32> {
    let bright = min(c * 1.10, vec3<f32>(1.2));
    let contrast = 0.22 * (bright - 0.42) * clamp(1.0 - abs(bright - 0.45) * 1.8, vec3<f32>(0.0), vec3<f32>(1.0));
    return clamp(bright + contrast, vec3<f32>(0.0), vec3<f32>(1.0));
}

@vertex
fn vs_figure(
    @builtin(vertex_index) index: u32,
    @location(0) corner: vec2<i32>,
    @location(1) at: vec2<u32>,
    @location(2) size: vec2<u32>,
    @location(3) anchor: vec2<i32>,
    @location(4) bits: u32,                      // foot, ink, shade
) -> Sprite {
    let ink = (bits >> 16u) & 0xffu;
    let kind = min(ink / 16u, SIGN);
    let side = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    // Signs say how large they are seen; the others have their size in the atlas.
    let extent = select(vec2<f32>(size) * view.ratio, vec2<f32>(anchor), kind == SIGN);
    let pixel = vec2<f32>(corner) + side * extent;
    // The light where it stands.
    let stands = vec2<i32>(vec2<f32>(corner) + vec2<f32>(anchor) * view.ratio);
    let inside = clamp(stands, vec2<i32>(0), vec2<i32>(view.window) - 1);
    let sun = f32((textureLoad(field, inside, 0).r >> 16u) & 15u) / 15.0;
    let own = f32(bits >> 24u) / 255.0;
    var out: Sprite;
    out.position = vec4<f32>((pixel / view.window * 2.0 - 1.0) * vec2<f32>(1.0, -1.0), 0.0, 1.0);
    out.texel = vec2<f32>(at) + side * vec2<f32>(size);
    out.bounds = vec4<f32>(vec2<f32>(at) + 0.5, vec2<f32>(at + size) - 0.5);
    out.ink = view.inks[ink].rgb;
    out.shade = own * 1.07 * (0.74 + 0.30 * sun);
    out.foot = bits & 0xffffu;
    out.kind = kind;
    out.seen = select(view.inks[ink].w, own, kind == SIGN);
    return out;
}

@fragment
fn fs_figure(in: Sprite) -> @location(0) vec4<f32> {
    let uv = clamp(in.texel, in.bounds.xy, in.bounds.zw) / vec2<f32>(textureDimensions(atlas));
    let colour = textureSampleLevel(atlas, smooth_atlas, uv, 0.0);
    let share = textureSampleLevel(shares, smooth_atlas, uv, 0.0).r;
    let front = textureLoad(field, vec2<i32>(in.position.xy), 0).r & 0xffffu;
    let is_hidden = front > in.foot;
    if in.kind == SIGN {
        return colour * select(in.seen, 0.0, is_hidden);
    }
    let plain = colour.rgb / max(colour.a, 0.001);
    let tint = 1.0 + share * (in.ink - 1.0);
    if in.kind == FALLEN {
        let drab = graded(plain) * colour.a;
        let grey = (drab.r + drab.g + drab.b) / 12.0;
        return vec4<f32>((drab * 0.55 + grey) * tint * 0.85, colour.a) * select(in.seen, 0.0, is_hidden);
    }
    let seen = min(graded(plain * tint) * in.shade, vec3<f32>(1.0)) * colour.a;
    // What is hidden shines through.
    let ghost = vec4<f32>(mix(in.ink, vec3<f32>(1.0), 0.5), 1.0) * (84.0 / 256.0 * share);
    return select(vec4<f32>(seen, colour.a), ghost, is_hidden);
}

// ---- the window ----

@group(0) @binding(0) var picture: texture_2d<f32>;

@vertex
fn vs_show(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    let corner = vec2<f32>(f32(index & 1u), f32(index >> 1u));
    return vec4<f32>(2.0 * corner - 1.0, 0.0, 1.0);
}

@fragment
fn fs_show(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let c = textureLoad(picture, vec2<i32>(at.xy), 0).rgb;
    let light = select(pow((c + 0.055) / 1.055, vec3<f32>(2.4)), c / 12.92, c <= vec3<f32>(0.04045));
    return vec4<f32>(light, 1.0);
}
