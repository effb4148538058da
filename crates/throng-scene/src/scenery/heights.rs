//! How high everything built stands, at twice the resolution of the picture; of what it is, and to what it belongs.

use super::frame::Frame;
use crate::land::{Outline, Tower, Wing};
use throng_grid::geom::Vec2;

/// What a spot is made of.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Material {
    #[default]
    Nothing,
    /// The walk on a wall.
    Walk,
    /// Its parapet.
    Rim,
    /// The top of a block.
    Block,
    BlockRim,
    /// The platform of a tower.
    Ledge,
    /// Its battlements.
    Crown,
    /// The roof of a tower.
    Cone,
    Home,
    Hedge,
    Rock,
    Loose,
    Cliff,
    /// A plain wall.
    Plain,
    /// A wall of a building.
    Panel,
    /// A low roof beside a house.
    Annex,
}

/// A wing of a house in the picture.
#[derive(Clone, Copy, Debug)]
pub(super) struct Roof {
    pub(super) wing: Wing,
    /// Metres of height for a metre towards the ridge.
    pub(super) pitch: f32,
    /// Equal for the wings of a house.
    pub(super) house: u32,
    /// Which roof it has.
    pub(super) look: u8,
}

/// The heights in a frame of half pixels.
#[derive(Clone, Debug)]
pub(super) struct Heights {
    pub(super) frame: Frame,
    /// Height (m); 0 where nothing is built.
    pub(super) z: Vec<f32>,
    pub(super) material: Vec<Material>,
    /// Homes and towers: the place in `roofs` or `towers`. Else what the nearest edge of an outline is: its distance in
    /// the upper byte (255: far from all), its normal towards the south in the lower byte.
    pub(super) owner: Vec<u16>,
    pub(super) roofs: Vec<Roof>,
    pub(super) towers: Vec<Tower>,
    /// Columns of each row in which something is built.
    pub(super) spans: Vec<[i32; 2]>,
    crossings: Vec<(i32, i32)>,
}

/// A spot far from all edges of its outline; its normal is south.
pub(super) const AMID: u16 = 0xFF80;

/// How far from the edge of an outline its distance is known (m), in steps of a 255th.
pub(super) const EDGE: f32 = 0.55;

impl Heights {
    pub(super) fn new() -> Self {
        Self {
            frame: Frame { scale: 1.0, x: 0, y: 0, width: 0, height: 0 },
            z: Vec::new(),
            material: Vec::new(),
            owner: Vec::new(),
            roofs: Vec::new(),
            towers: Vec::new(),
            spans: Vec::new(),
            crossings: Vec::new(),
        }
    }

    /// Flat ground in another frame.
    pub(super) fn begin(&mut self, frame: Frame) {
        let width = self.frame.width as usize;
        for (row, span) in self.spans.iter_mut().enumerate() {
            if span[0] < span[1] {
                let dirty = row * width + span[0] as usize..row * width + span[1] as usize;
                self.z[dirty.clone()].fill(0.0);
                self.material[dirty.clone()].fill(Material::Nothing);
                self.owner[dirty].fill(0);
            }
        }
        self.frame = frame;
        self.z.resize(frame.len(), 0.0);
        self.material.resize(frame.len(), Material::Nothing);
        self.owner.resize(frame.len(), 0);
        self.spans.clear();
        self.spans.resize(frame.height as usize, [i32::MAX, 0]);
        self.roofs.clear();
        self.towers.clear();
    }

    /// The index of a spot.
    #[inline]
    pub(super) fn at(&self, column: i32, row: i32) -> usize {
        row as usize * self.frame.width as usize + column as usize
    }

    /// Builds at the spots of a row from index `at(start, row)`; says that they are no longer flat.
    #[inline]
    pub(super) fn touch(&mut self, row: i32, start: i32, end: i32) {
        let span = &mut self.spans[row as usize];
        *span = [span[0].min(start), span[1].max(end)];
    }

    /// Builds a spot up.
    #[inline]
    pub(super) fn set(&mut self, at: usize, z: f32, material: Material, owner: u16) {
        self.z[at] = z;
        self.material[at] = material;
        self.owner[at] = owner;
    }

    /// Calls `each` for the stretches of spots inside of some outlines together, row by row from above: what two of
    /// them enclose is outside, so an outline can be a hole. O(edges and rows).
    pub(super) fn fill<'a>(
        &mut self,
        outlines: impl IntoIterator<Item = &'a Outline>,
        mut each: impl FnMut(&mut Self, i32, i32, i32),
    ) {
        let mut crossings = std::mem::take(&mut self.crossings);
        crossings.clear();
        crossings_of(self.frame, outlines, &mut crossings);
        for pair in crossings.chunks_exact(2) {
            let (row, start, end) = (pair[0].0, pair[0].1, pair[1].1);
            if start < end {
                self.touch(row, start, end);
                each(self, row, start, end);
            }
        }
        self.crossings = crossings;
    }

    /// Calls `each` for the spots nearer than [`EDGE`] times `reach` to the line from `a` to `b`: the index of a spot,
    /// its metres along the line, its distance from the line.
    pub(super) fn along(&mut self, a: Vec2, b: Vec2, reach: f32, mut each: impl FnMut(&mut Self, usize, f32, f32)) {
        let (frame, width) = (self.frame, EDGE * reach);
        let length = (b - a).length();
        if length <= 0.0 {
            return;
        }
        let along = (b - a) / length;
        let across = along.perp();
        let (low, high) = (a.min(b) - width, a.max(b) + width);
        let [west, north, east, south] = frame.cut(low.x, low.y, high.x, high.y);
        for row in north..south {
            let dy = frame.y_at(row) - a.y;
            let mut range = [low.x - a.x, high.x - a.x];
            narrow(&mut range, along.x, along.y * dy, -width, length + width);
            narrow(&mut range, across.x, across.y * dy, -width, width);
            let (start, end) = (frame.column(a.x + range[0]).max(west), frame.column(a.x + range[1]).min(east));
            for column in start..end {
                let offset = Vec2::new(frame.x_at(column) - a.x, dy);
                let (far, side) = (offset.dot(along), offset.dot(across));
                let beyond = far - far.clamp(0.0, length);
                let distance = if beyond == 0.0 { side.abs() } else { (side * side + beyond * beyond).sqrt() };
                if distance < width {
                    let at = self.at(column, row);
                    each(self, at, far, distance);
                }
            }
        }
    }

    /// Calls `each` for the index of each spot in a square along the axes, `half` of its side to all sides (m).
    pub(super) fn square(&mut self, centre: Vec2, half: f32, mut each: impl FnMut(&mut Self, usize)) {
        let [west, north, east, south] =
            self.frame.cut(centre.x - half, centre.y - half, centre.x + half, centre.y + half);
        for row in north..south {
            if west < east {
                self.touch(row, west, east);
            }
            for column in west..east {
                let at = self.at(column, row);
                each(self, at);
            }
        }
    }

    /// Calls `each` for the spots in a disc: the index of a spot, and its offset from the middle (m).
    pub(super) fn disc(&mut self, centre: Vec2, radius: f32, mut each: impl FnMut(&mut Self, usize, Vec2)) {
        let frame = self.frame;
        let [_, north, _, south] = frame.cut(centre.x, centre.y - radius, centre.x, centre.y + radius);
        for row in north..south {
            let dy = frame.y_at(row) - centre.y;
            let half = (radius * radius - dy * dy).max(0.0).sqrt();
            let (start, end) = (frame.column(centre.x - half), frame.column(centre.x + half));
            if start < end {
                self.touch(row, start, end);
            }
            for column in start..end {
                let at = self.at(column, row);
                each(self, at, Vec2::new(frame.x_at(column) - centre.x, dy));
            }
        }
    }
}

/// Where rows cross outlines: pairs of a row and the first column behind, sorted.
#[inline(never)]
pub(super) fn crossings_of<'a>(
    frame: Frame,
    outlines: impl IntoIterator<Item = &'a Outline>,
    out: &mut Vec<(i32, i32)>,
) {
    for outline in outlines {
        for (a, b) in edges(outline) {
            let (upper, lower) = if a.y < b.y { (a, b) } else { (b, a) };
            let (first, end) = (frame.row(upper.y), frame.row(lower.y));
            if first < end {
                let slope = (lower.x - upper.x) / (lower.y - upper.y);
                out.extend((first..end).map(|row| (row, frame.column(upper.x + (frame.y_at(row) - upper.y) * slope))));
            }
        }
    }
    out.sort_unstable();
}

/// The edges of a closed line.
pub(super) fn edges(outline: &Outline) -> impl Iterator<Item = (Vec2, Vec2)> {
    outline.iter().copied().zip(outline.iter().copied().cycle().skip(1))
}

/// The part of `range` in which `low <= slope * x + offset <= high`.
fn narrow(range: &mut [f32; 2], slope: f32, offset: f32, low: f32, high: f32) {
    if slope.abs() > 1e-6 {
        let (a, b) = ((low - offset) / slope, (high - offset) / slope);
        *range = [range[0].max(a.min(b)), range[1].min(a.max(b))];
    }
}
