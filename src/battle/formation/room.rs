//! How broad a formation may be on its way.

use super::Formation;
use super::layout::Layout;
use super::trail::Trail;
use crate::geom::Vec2;
use crate::grid::{Grid, Layer, walls};

/// Room beside a way is looked for no further than this (m).
const FAR: f32 = 40.0;

/// So far to either side the way is taken as straight where its room is measured (m).
const STRAIGHT: f32 = 1.0;

/// What is left between a body and a wall beside it (m).
const GAP: f32 = 0.05;

/// How broad a formation may be at a place on its way.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Fit {
    /// Side by side; `None` = the formation as it is.
    pub(super) files: Option<u32>,
    /// Room to the left (m).
    pub(super) left: f32,
    /// Room to the right (m).
    pub(super) right: f32,
}

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

/// The room beside a trail, a pair for each stretch of it, measured when it is first asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct Rooms {
    /// Of the map that was measured.
    revision: u32,
    step: f32,
    found: Vec<Option<[f32; 2]>>,
}

impl Rooms {
    /// Forgets what was measured on another map, or beside another trail, and says whether it has.
    pub(super) fn reset(&mut self, terrain: Terrain<'_>, trail: &Trail, anew: bool) -> bool {
        let forgets = anew || self.found.is_empty() || self.revision != terrain.grid.revision();
        if forgets {
            self.revision = terrain.grid.revision();
            self.step = (0.5 * terrain.grid.lattice().cell_size).max(0.5);
            self.found.clear();
            self.found.resize((trail.length() / self.step) as usize + 2, None);
        }
        forgets
    }

    /// Narrows `room` to that between two places along the trail.
    fn narrow(&mut self, terrain: Terrain<'_>, trail: &Trail, radius: f32, range: [f32; 2], room: &mut [f32; 2]) {
        let last = self.found.len() - 1;
        let [from, to] = range.map(|along| ((along / self.step).max(0.0) as usize).min(last));
        for i in from..=to {
            let found = *self.found[i].get_or_insert_with(|| {
                let along = (i as f32 * self.step).min(trail.length());
                let ahead = trail.tangent(along, STRAIGHT);
                let right = Vec2::new(-ahead.y, ahead.x);
                [-right, right].map(|side| terrain.free(trail.point(along), side, radius + GAP, FAR))
            });
            *room = [room[0].min(found[0]), room[1].min(found[1])];
        }
    }

    /// How broad a formation of so many may be `at` metres along its trail, all of it and so much before its front; `full`
    /// are its places where there is room.
    #[expect(clippy::too_many_arguments, reason = "what it looks at")]
    pub(super) fn fit(
        &mut self,
        terrain: Terrain<'_>,
        trail: &Trail,
        radius: f32,
        formation: &Formation,
        full: &Layout,
        at: f32,
        margin: f32,
    ) -> Fit {
        let (count, spacing) = (full.places.len(), formation.spacing);
        let mut room = [f32::INFINITY; 2];
        let (mut broad, mut deep, mut files) = (full.width(), full.depth(), None);
        let (mut from, mut to) = (at, at);
        loop {
            let (rear, front) = (at - 0.5 * deep - 1.0, at + 0.5 * deep + margin);
            self.narrow(terrain, trail, radius, [rear, from], &mut room);
            self.narrow(terrain, trail, radius, [to, front], &mut room);
            (from, to) = (rear, front);
            let [left, right] = room;
            if broad <= left + right || files == Some(1) {
                return Fit { files, left, right };
            }
            let known = files.map_or(formation.abreast(count) as u32, |files| files - 1);
            let fits = ((left + right) / spacing) as u32 + 1;
            let thinner = known.min(fits).max(1);
            files = Some(thinner);
            broad = (thinner - 1) as f32 * spacing;
            deep = (count.div_ceil(thinner as usize) - 1) as f32 * spacing;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.found.capacity() * size_of::<Option<[f32; 2]>>()
    }
}
