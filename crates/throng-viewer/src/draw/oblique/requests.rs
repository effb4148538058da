//! What is asked of the painter, and what comes from it.

use super::instances;
use super::painter::Painted;
use super::tiles::{self, Sheet, TileKey};
use super::{Backend, Oblique};
use crate::shell::camera::Camera;
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use throng_grid::geom::Vec2;
use throng_scene::sprite::{Atlas, Level};
use throng_sim::battle::Look;
use throng_sim::world::Frame;

/// A zoom that has not changed for so long is painted for.
const SETTLING_TIME: Duration = Duration::from_millis(120);
/// Sprites are not baked larger or smaller (pixels a metre).
const ATLAS_SCALES: [f32; 2] = [instances::MIN_FIGURE_ZOOM, 30.0];
/// Atlases that are kept.
const MAX_ATLASES: usize = 4;
/// Above this number of tiles, of 1.5 MB each, those that are out of sight are dropped even while some are missing.
const MAX_TILES: usize = 64;

impl Oblique {
    /// True once the whole map has been painted, if only coarsely.
    pub(super) fn has_ground(&self) -> bool {
        self.map.is_some_and(|map| {
            let sheet = Sheet::new(map, tiles::coarse(map));
            sheet.touched([Vec2::ZERO, map]).all(|key| self.place.has(key))
        })
    }

    /// Takes what was painted, and asks for what is missing.
    pub(super) fn follow(&mut self, camera: &Camera, frame: &Frame) {
        let news: Vec<Painted> = self.painter.news().collect();
        for news in news {
            match news {
                Painted::Land(size, revision) => (self.map, self.painted) = (Some(size), revision),
                Painted::Edited(areas, revision) => {
                    self.painted = revision;
                    self.spoil(&areas);
                }
                Painted::Tile(tile) => {
                    self.asked.remove(&tile.key);
                    self.stale.remove(&tile.key);
                    match &mut self.place {
                        Backend::Card(card) => card.insert(&tile),
                        Backend::Processor(processor) => processor.insert(*tile),
                    }
                }
                Painted::Atlas(atlas, looks) => {
                    // Those of other looks lack some.
                    self.atlases.retain(|(old, own)| *own == looks && old.scale() != atlas.scale());
                    self.atlases.insert(0, (atlas, looks));
                    self.atlases.truncate(MAX_ATLASES);
                }
            }
        }
        if let Some(grid) = frame.grid.as_ref().filter(|grid| grid.revision() != self.revision) {
            self.revision = grid.revision();
            self.painter.request(|requests| requests.grid = Some(Arc::clone(grid)));
        }
        if self.zoom.0 != camera.zoom {
            // The first one is not waited for.
            let since = (self.scale > 0.0).then(Instant::now);
            self.zoom = (camera.zoom, since);
        }
        let settled = self.zoom.1.is_none_or(|since| since.elapsed() >= SETTLING_TIME);
        let tiles = settled && self.ask_for_tiles(camera);
        let atlas = settled && self.ask_for_atlas(camera, frame);
        self.complete = tiles && atlas && self.painted == self.revision;
    }

    /// Tiles of some parts of the ground (m) have changed.
    fn spoil(&mut self, areas: &[[Vec2; 2]]) {
        let Some(map) = self.map else { return };
        for scale in [self.scale, tiles::coarse(map)] {
            let sheet = Sheet::new(map, scale);
            let touched = areas.iter().flat_map(|&area| sheet.touched(area));
            self.stale.extend(touched.filter(|&key| self.place.has(key)));
        }
        // Those of other scales are painted anew when they are looked at.
        let kept = [self.scale, tiles::coarse(map)];
        self.keep(|key| kept.contains(&key.scale()));
    }

    fn keep(&mut self, keeps: impl Fn(TileKey) -> bool) {
        match &mut self.place {
            Backend::Card(card) => card.keep(keeps),
            Backend::Processor(processor) => processor.keep(keeps),
        }
    }

    /// Asks for the tiles that a camera sees; true where all are there.
    fn ask_for_tiles(&mut self, camera: &Camera) -> bool {
        let Some(map) = self.map else { return false };
        let scale = match self.place {
            Backend::Card(_) => tiles::rung(camera.zoom),
            // Where pixels are taken as they are, it costs less.
            Backend::Processor(_) => tiles::exact(camera.zoom),
        };
        let coarse = tiles::coarse(map);
        let old = std::mem::replace(&mut self.scale, scale);
        let sheet = Sheet::new(map, scale);
        let seen = sheet.seen(camera);
        let all = Sheet::new(map, coarse).touched([Vec2::ZERO, map]);
        let missing: Vec<TileKey> =
            all.chain(seen.iter().copied()).filter(|&key| !self.place.has(key) || self.stale.contains(&key)).collect();
        if old != scale {
            self.keep(|key| [old, scale, coarse].contains(&key.scale()));
        }
        let in_sight: BTreeSet<TileKey> = seen.into_iter().collect();
        if missing.is_empty() || self.place.tiles() > MAX_TILES {
            let near = sheet.touched(grown(camera.view())).collect::<BTreeSet<_>>();
            self.keep(|key| key.scale() == coarse || near.contains(&key));
            self.stale.retain(|key| key.scale() == coarse || near.contains(key));
        }
        if missing.is_empty() {
            return true;
        }
        let Self { painter, asked, .. } = self;
        painter.request(|requests| {
            // What was asked for and waits no more is being painted.
            let waits = |key: &TileKey| requests.tiles.contains(key);
            let begun: Vec<TileKey> = asked.iter().filter(|key| !waits(key)).copied().collect();
            requests.tiles = missing.iter().filter(|key| !begun.contains(key)).copied().collect();
            asked.clear();
            asked.extend(begun);
            asked.extend(&requests.tiles);
        });
        !missing.iter().any(|key| in_sight.contains(key) || key.scale() == coarse)
    }

    /// Asks for the soldiers that a camera sees; true where they are there.
    fn ask_for_atlas(&mut self, camera: &Camera, frame: &Frame) -> bool {
        // The ground first.
        if !self.has_ground() {
            return false;
        }
        let mut looks = frame.looks.clone();
        if looks.is_empty() {
            looks.push(Look::default());
        }
        looks.push(Look::Leader);
        looks.sort_unstable();
        looks.dedup();
        let [least, most] = ATLAS_SCALES;
        let scale = match self.place {
            // Small figures suffer from stretching; large ones take long to bake.
            Backend::Card(_) if camera.zoom >= Level::Middle.scale() => Level::for_scale(camera.zoom).scale(),
            Backend::Card(_) => camera.zoom.max(least),
            Backend::Processor(_) => camera.zoom.clamp(least, most),
        };
        if self.atlases.iter().any(|(atlas, own)| atlas.scale() == scale && *own == looks) {
            return true;
        }
        let wish = (scale, looks);
        if self.atlas.as_ref() != Some(&wish) {
            let none = self.atlases.is_empty();
            self.painter.request(|requests| {
                requests.atlas = Some(wish.clone());
                requests.soldiers_first = none;
            });
            self.atlas = Some(wish);
        }
        false
    }

    /// The atlas that suits a camera best.
    pub(super) fn best_atlas(&self, camera: &Camera) -> Option<Arc<Atlas>> {
        let off = |atlas: &Arc<Atlas>| (atlas.scale() / camera.zoom).ln().abs();
        self.atlases.iter().map(|(atlas, _)| atlas).min_by(|one, other| off(one).total_cmp(&off(other))).cloned()
    }
}

/// A part of the ground with half of it around it.
fn grown([low, high]: [Vec2; 2]) -> [Vec2; 2] {
    let more = (high - low) * 0.5;
    [low - more, high + more]
}
