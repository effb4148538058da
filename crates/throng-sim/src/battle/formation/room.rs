//! How broad a formation may be on its way.

use super::Formation;
use super::layout::Layout;
use super::trail::Trail;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Layer, walls};

/// Room beside a way is looked for no further than this (m).
const MAX_LOOK_M: f32 = 40.0;

/// So far to either side the way is taken as straight where its room is measured (m).
const STRAIGHT: f32 = 1.0;

/// A rank begins to move aside so far before it has to, at least (m).
const SMOOTH: f32 = 2.0;

/// How often the last step to a wall is halved.
const HALVINGS: u32 = 4;

/// The gap between a body and a wall beside it (m).
const GAP: f32 = 0.05;

/// The map.
#[derive(Clone, Copy, Debug)]
pub(super) struct Terrain<'a> {
    pub(super) grid: &'a Grid,
    pub(super) clearance: &'a Layer<f32>,
}

impl Terrain<'_> {
    /// How far a body can go from a place in a direction, at most `limit` (m).
    fn free(&self, from: Vec2, direction: Vec2, radius: f32, limit: f32) -> f32 {
        let step = 0.25 * self.grid.lattice().cell_size.min(4.0 * radius);
        let mut done = 0.0;
        while done < limit {
            let at = from + direction * (done + step);
            let free = walls::free_radius(self.clearance, from + direction * done) - radius;
            if free <= step && !walls::is_clear(self.grid, at, radius) {
                let mut blocked = done + step;
                for _ in 0..HALVINGS {
                    let middle = 0.5 * (done + blocked);
                    let clear = walls::is_clear(self.grid, from + direction * middle, radius);
                    *(if clear { &mut done } else { &mut blocked }) = middle;
                }
                return done;
            }
            done += free.max(step);
        }
        limit
    }

    /// The furthest place to which a body can go straight, from one to another.
    pub(super) fn clip(&self, from: Vec2, to: Vec2, radius: f32) -> Vec2 {
        if walls::line_of_sight(self.grid, self.clearance, from, to, radius) {
            return to;
        }
        let way = to - from;
        let length = way.length();
        from + way * (self.free(from, way / length.max(1e-6), radius, length) / length.max(1e-6))
    }
}

/// The room beside a trail at one place of it, each measured when it is first asked for; until then no number.
#[derive(Clone, Copy, Debug)]
struct Sample {
    /// To the left and to the right (m).
    room: [f32; 2],
    /// How far the middle of a rank of [`Rooms::half`] is to be to the right, for all of it to have room (m).
    aside: f32,
    /// The mean of that over some metres, so that no member jumps aside.
    shift: f32,
}

/// The room beside a trail.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    /// Of the map that was measured.
    revision: u32,
    /// From one sample to the next (m).
    step: f32,
    /// Half the width that is to have room (m).
    half: f32,
    radius: f32,
    samples: Vec<Sample>,
}

/// A sample that has not been measured.
const UNKNOWN: Sample = Sample { room: [f32::NAN; 2], aside: f32::NAN, shift: f32::NAN };

/// The part of its trail that a formation covers, for which there has to be room (m).
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch {
    /// The place of its foremost rank.
    pub(super) front: f32,
    /// The place of its rearmost rank, or further back.
    pub(super) rear: f32,
    /// How far ahead of its front it looks.
    pub(super) margin: f32,
}

impl Rooms {
    /// Forgets what was measured on another map, or beside another trail, and says whether it has.
    pub(super) fn reset(&mut self, terrain: Terrain<'_>, trail: &Trail, radius: f32, anew: bool) -> bool {
        let revision = terrain.grid.revision();
        let forgets = anew || self.samples.is_empty() || self.revision != revision || self.radius != radius;
        if forgets {
            let step = (0.5 * terrain.grid.lattice().cell_size).max(0.5);
            let mut samples = std::mem::take(&mut self.samples);
            samples.clear();
            samples.resize((trail.length() / step) as usize + 2, UNKNOWN);
            *self = Self { revision, step, half: self.half, radius, samples };
        }
        forgets
    }

    /// Sets half the width (m) of a rank that is to have room.
    pub(super) fn make_room_for(&mut self, half: f32) {
        if self.half != half {
            self.half = half;
            self.samples.iter_mut().for_each(|sample| (sample.aside, sample.shift) = (UNKNOWN.aside, UNKNOWN.shift));
        }
    }

    fn index(&self, along: f32) -> usize {
        ((along / self.step).max(0.0) as usize).min(self.samples.len() - 1)
    }

    fn room(&mut self, terrain: Terrain<'_>, trail: &Trail, i: usize) -> [f32; 2] {
        if self.samples[i].room[0].is_nan() {
            let along = (i as f32 * self.step).min(trail.length());
            let ahead = trail.tangent(along, STRAIGHT);
            let right = Vec2::new(-ahead.y, ahead.x);
            let free = |side| terrain.free(trail.point(along), side, self.radius + GAP, MAX_LOOK_M);
            self.samples[i].room = [-right, right].map(free);
        }
        self.samples[i].room
    }

    /// Samples to either side of one that count for it.
    fn around(&self, i: usize) -> std::ops::RangeInclusive<usize> {
        let reach = (self.half.max(SMOOTH) / self.step) as usize;
        i.saturating_sub(reach)..=(i + reach).min(self.samples.len() - 1)
    }

    fn aside(&mut self, terrain: Terrain<'_>, trail: &Trail, i: usize) -> f32 {
        if !self.samples[i].aside.is_nan() {
            return self.samples[i].aside;
        }
        let mut least = [f32::INFINITY; 2];
        for i in self.around(i) {
            let room = self.room(terrain, trail, i);
            least = [least[0].min(room[0]), least[1].min(room[1])];
        }
        let (low, high) = (self.half - least[0], least[1] - self.half);
        let aside = if low <= high { 0.0_f32.clamp(low, high) } else { 0.5 * (low + high) };
        self.samples[i].aside = aside;
        aside
    }

    fn mean_aside(&mut self, terrain: Terrain<'_>, trail: &Trail, i: usize) -> f32 {
        if !self.samples[i].shift.is_nan() {
            return self.samples[i].shift;
        }
        let around = self.around(i);
        let count = around.clone().count() as f32;
        let shift = around.map(|i| self.aside(terrain, trail, i)).sum::<f32>() / count;
        self.samples[i].shift = shift;
        shift
    }

    /// How far to the right the middle of a rank is, so far along the trail (m).
    pub(super) fn shift(&mut self, terrain: Terrain<'_>, trail: &Trail, along: f32) -> f32 {
        let i = self.index(along);
        let share = (along / self.step - i as f32).clamp(0.0, 1.0);
        let here = self.mean_aside(terrain, trail, i);
        let next = self.mean_aside(terrain, trail, (i + 1).min(self.samples.len() - 1));
        here + (next - here) * share
    }

    /// Narrows `room` to the least width between two places along the trail.
    fn narrow(&mut self, terrain: Terrain<'_>, trail: &Trail, range: [f32; 2], room: &mut f32) {
        let [from, to] = range.map(|along| self.index(along));
        for i in from..=to {
            let [left, right] = self.room(terrain, trail, i);
            *room = room.min(left + right);
        }
    }

    /// How many may be abreast on a stretch of the trail, where they are so broad and so deep when there is room; `None` = all
    /// have room as they are.
    pub(super) fn fit(
        &mut self,
        terrain: Terrain<'_>,
        trail: &Trail,
        formation: &Formation,
        full: &Layout,
        stretch: Stretch,
    ) -> Option<u32> {
        let (count, spacing) = (full.places.len(), formation.spacing);
        let Stretch { front, rear, margin } = stretch;
        let (mut broad, mut deep, mut files) = (full.width(), full.depth(), None);
        let (mut room, mut known) = (f32::INFINITY, front);
        self.narrow(terrain, trail, [front, front + margin], &mut room);
        loop {
            let back = rear.min(front - deep) - 1.0;
            self.narrow(terrain, trail, [back, known], &mut room);
            known = back;
            if broad <= room || files == Some(1) {
                return files;
            }
            let most = files.map_or(formation.abreast(count) as u32, |files| files - 1);
            let thinner = most.min((room / spacing) as u32 + 1).max(1);
            files = Some(thinner);
            broad = (thinner - 1) as f32 * spacing;
            deep = (count.div_ceil(thinner as usize) - 1) as f32 * spacing;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.samples.capacity() * size_of::<Sample>()
    }
}
