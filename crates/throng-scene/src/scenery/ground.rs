//! The colours of the ground: grass, woods, yards, courts, roads, worn and scorched places; row by row.

use super::colours::{
    Colour, DRY, EARTH, FLOOR, GRASS, LUSH, MEADOW, MUD, PAVING, PLANK, ROAD, SOOT, TILES, YARD, mix,
};
use super::extra::Extra;
use super::frame::Frame;
use super::octaves::Octaves;
use super::patch::{Patch, fits};
use super::row::Row;
use super::soil::Soils;
use super::step::{seam, step};
use crate::land::{Disc, Land, Wing};
use crate::noise::{Noise, lattice};
use crate::view::FORESHORTENING;
use std::ops::Range;
use throng_grid::geom::Vec2;

/// Noises of several sizes.
#[derive(Clone, Debug)]
struct Noises {
    /// 60 m, 14 m.
    broad: [Octaves; 2],
    /// 3.2 m.
    patches: Octaves,
    clumps: Octaves,
    bushes: Octaves,
    wobble: [Octaves; 2],
    blades: [Octaves; 2],
    clods: [Octaves; 2],
    prints: Octaves,
    slabs: Octaves,
}

impl Noises {
    fn new(scale: f32) -> Self {
        let of = |size, seed, octaves| Octaves::new(Noise::new(size, seed, octaves), scale);
        let long = |size, seed, aspect| Octaves::new(Noise { aspect, ..Noise::new(size, seed, 2) }, scale);
        Self {
            broad: [of(60.0, 1, 4), of(14.0, 2, 4)],
            patches: of(3.2, 3, 3),
            clumps: of(1.1, 25, 2),
            bushes: of(1.5, 28, 2),
            wobble: [of(2.2, 11, 3), of(2.2, 12, 3)],
            blades: [long(0.16, 21, 2.6), long(0.45, 22, 1.3)],
            clods: [of(0.22, 23, 3), of(0.8, 24, 2)],
            prints: of(0.42, 27, 2),
            slabs: of(1.0, 9, 1),
        }
    }

    fn begin(&mut self, frame: Frame) {
        let Self { broad, patches, clumps, bushes, wobble, blades, clods, prints, slabs } = self;
        let pairs = [broad, wobble, blades, clods];
        for octaves in pairs.into_iter().flatten().chain([patches, clumps, bushes, prints, slabs]) {
            octaves.begin(frame);
        }
    }
}

/// The ground in a frame.
#[derive(Clone, Debug)]
pub(super) struct Ground {
    noises: Noises,
    frame: Frame,
    xs: Vec<f32>,
    wood: Patch,
    inside: Patch,
    court: Patch,
    clearance: Patch,
    road: Patch,
    trample: Patch,
    relief: Patch,
    soils: Soils,
    bridges: Vec<Wing>,
    /// A floor of tiles instead of grass.
    is_floor: bool,
    scorched: Vec<Disc>,
    /// Where cells are looked up, with frayed edges.
    frayed: [Vec<f32>; 2],
    broad: [Vec<f32>; 2],
    share: Vec<f32>,
    bare: Vec<f32>,
    paved: Vec<f32>,
    /// How little grass is left.
    worn: Vec<f32>,
    grain: Vec<f32>,
    extra: [Vec<f32>; 2],
    cells: bool,
    /// Whether a row is not all grass.
    is_worn: bool,
}

impl Ground {
    pub(super) fn new(scale: f32) -> Self {
        Self {
            noises: Noises::new(scale),
            frame: Frame { scale, x: 0, y: 0, width: 0, height: 0 },
            xs: Vec::new(),
            wood: Patch::default(),
            inside: Patch::default(),
            court: Patch::default(),
            clearance: Patch::default(),
            road: Patch::default(),
            trample: Patch::default(),
            relief: Patch::default(),
            soils: Soils::default(),
            bridges: Vec::new(),
            is_floor: false,
            scorched: Vec::new(),
            frayed: [Vec::new(), Vec::new()],
            broad: [Vec::new(), Vec::new()],
            share: Vec::new(),
            bare: Vec::new(),
            paved: Vec::new(),
            worn: Vec::new(),
            grain: Vec::new(),
            extra: [Vec::new(), Vec::new()],
            cells: false,
            is_worn: false,
        }
    }

    /// Looks at a frame. O(cells under it).
    pub(super) fn begin(&mut self, land: &Land, extra: &Extra, frame: Frame, row: &mut Row) {
        self.frame = frame;
        self.noises.begin(frame);
        self.xs.clear();
        self.xs.extend((0..frame.width).map(|column| frame.x_at(column)));
        let truth = |value: &bool| f32::from(u8::from(*value));
        self.wood.take(&land.wood, frame, 0.0, |v| *v);
        self.inside.take(&land.inside, frame, 1.5, truth);
        self.court.take(&land.court, frame, 0.8, truth);
        self.clearance.take(&land.clearance, frame, 0.0, |v| v * land.lattice.cell_size);
        self.road.take(&land.road, frame, 0.0, |v| *v);
        self.trample.is_there = false;
        if let Some(trample) = extra.trample.filter(|layer| fits(layer, land.lattice)) {
            self.trample.take(trample, frame, 0.0, |v| *v);
        }
        self.soils.begin(land, frame);
        self.relief.is_there = false;
        if let Some(relief) = &land.relief {
            self.relief.take(relief, frame, 0.7 * land.lattice.cell_size, |v| *v);
        }
        self.is_floor = land.is_building;
        let [west, north, east, south] = frame.bounds();
        self.bridges.clear();
        self.bridges.extend(land.bridges.iter().filter(|bridge| {
            let reach = bridge.half_length + bridge.half_width;
            let (low, high) = (bridge.centre - reach, bridge.centre + reach);
            low.x < east && high.x > west && low.y < south && high.y > north
        }));
        self.cells = [&self.inside, &self.court, &self.road, &self.trample].iter().any(|patch| patch.is_there);
        self.scorched.clear();
        self.scorched.extend(extra.scorched.iter().filter(|disc| {
            let reach = disc.radius * 1.7 + 1.5;
            let low = disc.centre - reach;
            let high = disc.centre + reach;
            low.x < east && high.x > west && low.y < south && high.y > north
        }));
        let Row { rgb, grass, patches } = row;
        let Self { frayed, broad, share, bare, paved, worn, grain, extra, .. } = self;
        let all = [rgb.iter_mut(), frayed.iter_mut(), broad.iter_mut(), extra.iter_mut()].into_iter().flatten();
        for values in all.chain([grass, patches, share, bare, paved, worn, grain]) {
            values.clear();
            values.resize(frame.width as usize, 0.0);
        }
    }

    /// Paints a row, in the light of a cloudy day.
    #[inline(never)]
    pub(super) fn row(&mut self, row: i32, out: &mut Row) {
        let frame = self.frame;
        if self.is_floor {
            return self.tiles(row, out);
        }
        for (octaves, out) in self.noises.broad.iter_mut().zip(&mut self.broad) {
            octaves.row(frame, row, out);
        }
        self.noises.patches.row(frame, row, &mut out.patches);
        self.meadows(row, out);
        self.worn.fill(0.0);
        self.paved.fill(0.0);
        self.is_worn = false;
        if self.cells {
            self.settled(row, out);
        }
        self.soils(row, out);
        for (grass, worn) in out.grass.iter_mut().zip(&self.worn) {
            *grass = (1.0 - worn).clamp(0.0, 1.0);
        }
        self.grain(row, out);
        for rgb in &mut out.rgb {
            for (value, grain) in rgb.iter_mut().zip(&self.grain) {
                *value *= grain;
            }
        }
        if self.relief.is_there {
            self.relief.row(&self.xs, frame.y_at(row), &mut self.share);
            for rgb in &mut out.rgb {
                rgb.iter_mut().zip(&self.share).for_each(|(value, light)| *value *= light);
            }
        }
    }

    /// A floor of tiles: nothing grows there.
    fn tiles(&mut self, row: i32, out: &mut Row) {
        let (y, scale) = (self.frame.y_at(row), self.frame.scale);
        self.noises.patches.row(self.frame, row, &mut out.patches);
        let (line, tile_row) = (1.0 / scale, libm::floorf(y));
        let strength = 0.10 * step(3.0, 9.0, scale);
        let is_seam = y - tile_row < line / FORESHORTENING;
        for (column, (&x, n3)) in self.xs.iter().zip(&out.patches).enumerate() {
            let tile = libm::floorf(x);
            let seam = if is_seam || x - tile < line { strength } else { 0.0 };
            let tone = lattice(tile as i32, tile_row as i32, 45) - 0.5;
            let value = 1.0 + 0.025 * n3 + 0.35 * strength * tone - seam;
            for (rgb, colour) in out.rgb.iter_mut().zip(TILES) {
                rgb[column] = colour * value;
            }
        }
        self.soils(row, out);
        out.grass.fill(-1.0);
    }

    /// What the ground is where the map says so.
    fn soils(&mut self, row: i32, out: &mut Row) {
        if !self.soils.is_there() {
            return;
        }
        self.is_worn = true;
        for (octaves, out) in self.noises.wobble.iter_mut().zip(&mut self.frayed) {
            octaves.row(self.frame, row, out);
        }
        self.soils.row(self.frame, &self.xs, self.frame.y_at(row), &self.frayed, &mut self.worn, out);
    }

    /// Planks over water.
    pub(super) fn decks(&self, row: i32, out: &mut Row) {
        let (y, scale) = (self.frame.y_at(row), self.frame.scale);
        let fine = step(2.5, 8.0, scale);
        for bridge in &self.bridges {
            let (along, across) = (bridge.along, bridge.along.perp());
            let reach = along.abs() * bridge.half_length + across.abs() * bridge.half_width;
            if (y - bridge.centre.y).abs() > reach.y {
                continue;
            }
            for column in self.frame.column(bridge.centre.x - reach.x)..self.frame.column(bridge.centre.x + reach.x) {
                let at = column as usize;
                let offset = Vec2::new(self.xs[at], y) - bridge.centre;
                let (u, v) = (offset.dot(along), offset.dot(across));
                if u.abs() > bridge.half_length || v.abs() > bridge.half_width {
                    continue;
                }
                let plank = libm::floorf(u / 0.5);
                let tone = lattice(plank as i32 + 900, (bridge.centre.x * 4.0) as i32, 46) - 0.5;
                let is_beam = bridge.half_width - v.abs() < 0.45;
                let value = match () {
                    () if is_beam && (v > 0.0) == (across.y > 0.0) => 0.62,
                    () if is_beam => 0.80,
                    () => 1.0 + 0.26 * tone * (0.4 + 0.6 * fine) - 0.30 * fine * seam(u / 0.5 - plank, 0.13),
                };
                // Trodden earth on both ends.
                let share = step(bridge.half_length, bridge.half_length - 0.7, u.abs() + 0.3 * out.patches[at]);
                for (rgb, plank) in out.rgb.iter_mut().zip(PLANK) {
                    rgb[at] += (plank * value - rgb[at]) * share;
                }
                if share > 0.5 {
                    out.grass[at] = 0.0;
                }
            }
        }
    }

    /// Grass of four kinds, and the floor of woods.
    fn meadows(&mut self, row: i32, out: &mut Row) {
        let [wide, middle] = &self.broad;
        let share = &mut self.share;
        for (rgb, colour) in out.rgb.iter_mut().zip(GRASS) {
            rgb.fill(colour);
        }
        for ((share, n1), n2) in share.iter_mut().zip(wide).zip(middle) {
            *share = step(-0.20, 0.45, n1 + 0.45 * n2);
        }
        lay(&mut out.rgb, LUSH, share, 0..share.len());
        for ((share, n1), (n2, n3)) in share.iter_mut().zip(wide).zip(middle.iter().zip(&out.patches)) {
            *share = 0.85 * step(0.0, 0.5, 0.55 * n2 - n1 + 0.2 * n3);
        }
        lay(&mut out.rgb, DRY, share, 0..share.len());
        for (share, n2) in share.iter_mut().zip(middle) {
            *share = 0.6 * step(0.1, 0.35, *n2);
        }
        lay(&mut out.rgb, MEADOW, share, 0..share.len());
        if self.wood.is_there {
            self.wood.row(&self.xs, self.frame.y_at(row), share);
            for (share, n2) in share.iter_mut().zip(middle) {
                *share = 0.7 * step(0.02, 0.16, *share * (1.0 + 0.5 * n2));
            }
            lay(&mut out.rgb, FLOOR, share, 0..share.len());
        }
    }

    /// Yards, courts, roads, and where armies went; only as far as there are any in a row.
    fn settled(&mut self, row: i32, out: &mut Row) {
        let y = self.frame.y_at(row);
        let [inside, court, road, trample] =
            [&self.inside, &self.court, &self.road, &self.trample].map(|patch| patch.stretch(self.frame, y));
        if [&inside, &court, &road, &trample].iter().all(|stretch| stretch.is_empty()) {
            return;
        }
        self.is_worn = true;
        for (octaves, out) in self.noises.wobble.iter_mut().zip(&mut self.frayed) {
            octaves.row(self.frame, row, out);
        }
        self.yards(y, inside, out);
        let middle = &self.broad[1];
        let [fx, fy] = &self.frayed;
        for at in court.clone() {
            let court = self.court.at(self.xs[at] + 0.8 * fx[at], y + 0.8 * fy[at]);
            self.paved[at] = court * step(-0.3, 0.1, 0.35 + 0.35 * middle[at] + 0.2 * out.patches[at]);
            self.share[at] = 0.85 * self.paved[at];
            self.worn[at] = self.worn[at].max(self.paved[at]);
        }
        lay(&mut out.rgb, PAVING, &self.share, court);
        for at in road.clone() {
            let worn = self.road.at(self.xs[at] + 0.9 * fx[at], y + 0.9 * fy[at]);
            // Noise alone makes no road.
            let fray = (worn * 8.0).min(1.0);
            let road = step(0.22, 0.75, worn + (0.22 * out.patches[at] + 0.1 * middle[at]) * fray);
            self.share[at] = 0.8 * road * (1.0 - 0.6 * self.paved[at]);
            self.worn[at] = self.worn[at].max(road);
        }
        lay(&mut out.rgb, ROAD, &self.share, road);
        for at in trample.clone() {
            let worn = self.trample.at(self.xs[at] + 0.7 * fx[at], y + 0.7 * fy[at]);
            let trodden = 0.75 * step(0.1, 0.9, worn + 0.25 * out.patches[at] * (worn * 8.0).min(1.0));
            self.share[at] = trodden;
            self.worn[at] = self.worn[at].max(trodden);
        }
        lay(&mut out.rgb, mix(MUD, EARTH, 0.5), &self.share, trample);
    }

    /// Grass and bare soil inside of walls.
    fn yards(&mut self, y: f32, stretch: Range<usize>, out: &mut Row) {
        if stretch.is_empty() {
            return;
        }
        let middle = &self.broad[1];
        let [fx, fy] = &self.frayed;
        self.clearance.row(&self.xs[stretch.clone()], y, &mut self.bare[stretch.clone()]);
        for at in stretch.clone() {
            let inside = self.inside.at(self.xs[at] + 2.0 * fx[at], y + 2.0 * fy[at]);
            let narrow = 1.0 - self.bare[at] / 4.0;
            let bare = inside * step(-0.25, 0.25, 0.22 + 0.45 * middle[at] + 0.25 * out.patches[at] + 0.25 * narrow);
            self.bare[at] = 0.92 * bare;
            self.share[at] = 0.8 * inside * (1.0 - bare);
        }
        lay(&mut out.rgb, YARD, &self.share, stretch.clone());
        for at in stretch {
            let soil = mix(EARTH, MUD, step(-0.2, 0.6, middle[at]));
            for (rgb, soil) in out.rgb.iter_mut().zip(soil) {
                rgb[at] += (soil - rgb[at]) * self.bare[at];
            }
            self.worn[at] = self.bare[at];
        }
    }

    /// What the colours are times: clumps, bushes too small to draw, blades of grass, clods, footprints, slabs.
    fn grain(&mut self, row: i32, out: &Row) {
        let (frame, scale) = (self.frame, self.frame.scale);
        let (noises, [a, b], grain) = (&mut self.noises, &mut self.extra, &mut self.grain);
        let coarse = step(1.5, 4.0, scale);
        if coarse > 0.0 {
            noises.clumps.row(frame, row, a);
        }
        for ((grain, n3), (grass, clump)) in grain.iter_mut().zip(&out.patches).zip(out.grass.iter().zip(&*a)) {
            *grain = 1.0 + 0.07 * n3 + (0.05 + 0.035 * grass) * clump * coarse;
        }
        if scale < 9.0 {
            noises.bushes.row(frame, row, a);
            let places = out.grass.iter().zip(&*a).zip(self.broad[1].iter().zip(&out.patches));
            for (grain, ((grass, bush), (n2, n3))) in grain.iter_mut().zip(places) {
                *grain *= 1.0 - 0.20 * grass * step(0.50, 0.72, *bush) * step(-0.2, 0.5, n2 + 0.5 * n3);
            }
        }
        let fine = step(4.0, 14.0, scale);
        if fine <= 0.0 {
            return;
        }
        noises.blades[0].row(frame, row, a);
        noises.blades[1].row(frame, row, b);
        for ((grain, grass), (a, b)) in grain.iter_mut().zip(&out.grass).zip(a.iter().zip(&*b)) {
            *grain *= 1.0 + fine * 0.13 * (a + 0.6 * b) * grass;
        }
        if self.is_worn {
            noises.clods[0].row(frame, row, a);
            noises.clods[1].row(frame, row, b);
            for ((grain, grass), (a, b)) in grain.iter_mut().zip(&out.grass).zip(a.iter().zip(&*b)) {
                *grain *= 1.0 + fine * 0.085 * (a + 0.5 * b) * (1.0 - grass);
            }
            noises.prints.row(frame, row, a);
            let places = out.grass.iter().zip(&self.paved).zip(a.iter().zip(&out.patches));
            for (grain, ((grass, paved), (print, n3))) in grain.iter_mut().zip(places) {
                let print = step(0.30, 0.55, *print) * step(-0.3, 0.4, *n3);
                *grain *= 1.0 - 0.10 * fine * (1.0 - grass) * (1.0 - paved) * print;
            }
            if scale > 8.0 && self.court.is_there {
                noises.slabs.row(frame, row, a);
                let v = frame.y_at(row) / 0.55;
                let course = libm::floorf(v);
                let (shift, line) = (lattice(course as i32, 0, 5), seam(v - course, 0.12));
                for ((grain, paved), (x, wobble)) in grain.iter_mut().zip(&self.paved).zip(self.xs.iter().zip(&*a)) {
                    if *paved > 0.0 {
                        let u = x / 0.8 + shift + 0.15 * wobble;
                        let slab = libm::floorf(u);
                        let tone = lattice(slab as i32 + 500, course as i32 + 500, 6) - 0.5;
                        *grain *= 1.0 + paved * fine * (0.16 * tone - 0.20 * seam(u - slab, 0.10).max(line));
                    }
                }
            }
        }
    }

    /// Blackens what burned.
    pub(super) fn scorch(&self, row: i32, out: &mut Row) {
        let y = self.frame.y_at(row);
        for disc in &self.scorched {
            let reach = disc.radius * 1.7 + 1.3;
            if (y - disc.centre.y).abs() > reach {
                continue;
            }
            for column in self.frame.column(disc.centre.x - reach)..self.frame.column(disc.centre.x + reach) {
                let at = column as usize;
                let distance = (Vec2::new(self.xs[at], y) - disc.centre).length() + 1.2 * out.patches[at];
                let share = 0.75 * (1.0 - step(disc.radius * 0.6, disc.radius * 1.7, distance));
                for (rgb, soot) in out.rgb.iter_mut().zip(SOOT) {
                    rgb[at] += (soot - rgb[at]) * share;
                }
                out.grass[at] *= 1.0 - share;
            }
        }
    }
}

/// Lays a colour over a stretch of a row, of each pixel a share.
fn lay(rgb: &mut [Vec<f32>; 3], colour: Colour, share: &[f32], stretch: Range<usize>) {
    for (values, part) in rgb.iter_mut().zip(colour) {
        for (value, share) in values[stretch.clone()].iter_mut().zip(&share[stretch.clone()]) {
            *value += (part - *value) * share;
        }
    }
}
