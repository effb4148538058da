//! A run as it is followed from state to state; each state that shall be painted becomes a moment.

use super::banner::{Spot, part_banners};
use super::clouds::{collapse, dust, fire};
use super::companies::companies;
use super::moment::{Arrow, Change, Fallen, Moment, Placed, PlacedBanner};
use crate::figures::{Agents, Figure, Strides, figures};
use crate::sprite::direction_of;
use crate::view::{SHADOW, View};
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3, unit};
use throng_grid::{Cell, Grid, Layer};
use throng_sim::world::{Flight, Frame};

/// Follows a run: every state is [shown](Self::show), and the last one shown may become a [moment](Self::moment).
///
/// All that it notes follows from states that a recording has, so a replay looks as the run did.
#[derive(Debug)]
pub struct Watcher {
    view: View,
    width: u32,
    height: u32,
    grid: Arc<Grid>,
    before: Columns,
    now: Columns,
    changes: Vec<Change>,
    stuck: usize,
    /// Where walls fell (m), and when (s).
    collapses: Vec<(Vec2, f64)>,
    /// How long agents have stood on each cell (s), all together.
    trodden: Layer<f32>,
}

/// Arrows that stay in the ground at most.
const MOST_STUCK: usize = 50_000;

/// A fallen agent lies within this way of the place where it was seen last (m).
const LAST_STEP: f32 = 1.5;

/// Figures this far beyond the edge of a picture still reach into it (m).
const MARGIN: f32 = 6.0;

/// What is kept of a state.
#[derive(Clone, Debug, Default)]
struct Columns {
    time: f64,
    id: Vec<u32>,
    position: Vec<Vec2>,
    heading: Vec<Vec2>,
    army: Vec<u8>,
    unit: Vec<u16>,
}

impl Columns {
    fn take(&mut self, frame: &Frame) {
        self.time = frame.time;
        self.id.clone_from(&frame.id);
        self.position.clone_from(&frame.position);
        self.heading.clone_from(&frame.heading);
        self.army.clone_from(&frame.army);
        self.unit.clone_from(&frame.unit);
    }

    fn agents<'a>(&'a self, frame: &'a Frame) -> Agents<'a> {
        Agents {
            time: self.time,
            id: &self.id,
            position: &self.position,
            heading: &self.heading,
            army: &self.army,
            unit: &self.unit,
            squad: &[],
            looks: &frame.looks,
            enemies: &frame.enemies,
        }
    }
}

impl Watcher {
    /// Follows a run on a map, as it is seen in `width` x `height` pixels of a view.
    pub fn new(grid: Arc<Grid>, view: View, width: u32, height: u32) -> Self {
        let trodden = Layer::new(grid.lattice(), 0.0);
        Self {
            view: super::backdrop::snapped(view),
            width,
            height,
            grid,
            before: Columns::default(),
            now: Columns::default(),
            changes: Vec::new(),
            stuck: 0,
            collapses: Vec::new(),
            trodden,
        }
    }

    /// Takes in the next state. O(agents).
    pub fn show(&mut self, frame: &Frame) {
        std::mem::swap(&mut self.before, &mut self.now);
        self.now.take(frame);
        if let Some(grid) = frame.grid.as_ref().filter(|grid| grid.revision() != self.grid.revision()) {
            let cells = differing(&self.grid, grid);
            let opened = cells.iter().filter(|&&cell| grid.is_open(cell));
            self.collapses.extend(opened.map(|&cell| (grid.lattice().centre(cell), frame.time)));
            self.changes.push(Change::Edited { grid: grid.clone(), cells });
            self.grid = grid.clone();
        }
        if !frame.fallen.is_empty() {
            self.bury(frame);
        }
        let seconds = (frame.time - self.before.time) as f32;
        let lattice = self.trodden.lattice;
        for &place in &frame.position {
            self.trodden[lattice.at(place)] += seconds;
        }
        for shot in &frame.shots {
            if self.stuck < MOST_STUCK
                && let Some(place) = landing(shot, seconds)
            {
                self.stuck += 1;
                self.changes.push(Change::Stuck { place, velocity: shot.velocity });
            }
        }
    }

    /// Notes which agents fell: those that are gone, each at the nearest place of a death.
    fn bury(&mut self, frame: &Frame) {
        let before = &self.before;
        let present = Ids::new(&frame.id);
        let mut places: Vec<Option<Vec2>> = frame.fallen.iter().copied().map(Some).collect();
        for row in (0..before.id.len()).filter(|&row| !present.contains(before.id[row])) {
            let last = before.position[row];
            let distance = |place: &Option<Vec2>| place.map_or(f32::INFINITY, |place| place.distance(last));
            let Some(nearest) = places.iter_mut().min_by(|a, b| distance(a).total_cmp(&distance(b))) else { return };
            if let Some(place) = nearest.take_if(|place| place.distance(last) < LAST_STEP) {
                self.changes.push(Change::Fallen(Fallen {
                    place,
                    id: before.id[row],
                    look: frame.looks.get(usize::from(before.unit[row])).copied().unwrap_or_default(),
                    direction: direction_of(before.heading[row]),
                    army: before.army[row],
                }));
            }
        }
    }

    /// All that has changed for good, in order; a moment says how much of it had happened.
    pub fn changes(&self) -> &[Change] {
        &self.changes
    }

    /// How worn by the agents each cell is after all states so far, 0 to 1. O(cells).
    pub fn worn(&self) -> Option<Layer<f32>> {
        // Nine agents that stand on a square metre for a second each wear two thirds of its grass.
        let per_square = 1.0 / (9.0 * self.trodden.lattice.cell_size.powi(2));
        let mut worn = crate::land::blurred(&self.trodden, 1.2);
        for cell in &mut worn.cells {
            *cell = 1.0 - libm::expf(-*cell * per_square);
        }
        worn.cells.iter().any(|&cell| cell > 0.0).then_some(worn)
    }

    /// What is seen of the state that was shown last. O(agents log agents).
    pub fn moment(&mut self, frame: &Frame) -> Moment {
        let (mut strides, mut seen) = (Strides::default(), Vec::new());
        strides.step(&self.before.agents(frame));
        figures(&Agents::from(frame), &mut strides, &mut seen);
        let mut moment = Moment { changes: self.changes.len(), ..Moment::default() };
        let (low, high) = self.seen();
        moment
            .figures
            .extend(seen.iter().filter(|figure| is_between(figure.foot, low, high)).map(|figure| self.place(figure)));
        moment.figures.sort_unstable_by_key(|figure| (figure.depth, figure.tone, figure.x));
        let inside = |shot: &&Flight| is_between(shot.at.truncate(), low, high);
        moment.arrows.extend(frame.shots.iter().filter(inside).map(|shot| self.arrow(shot)));
        self.banners(frame, &mut moment.banners);
        let near = |figure: &&Figure| is_between(figure.foot, low, high);
        dust(seen.iter().filter(near), self.view, &mut moment.clouds);
        self.collapses.retain(|&(_, time)| frame.time - time < super::clouds::SETTLES);
        for &(place, time) in &self.collapses {
            collapse(place, frame.time - time, self.view, &mut moment.clouds);
        }
        for &(cell, share) in &frame.ramparts {
            fire(
                self.grid.lattice().centre(cell),
                cell.index() as u32,
                share,
                frame.time,
                self.view,
                &mut moment.clouds,
            );
        }
        moment
    }

    /// The corners of the ground of which something may be seen (m).
    fn seen(&self) -> (Vec2, Vec2) {
        let far = self.view.to_ground(Vec2::new(self.width as f32, self.height as f32));
        (self.view.origin - MARGIN, far + MARGIN)
    }

    fn place(&self, figure: &Figure) -> Placed {
        let pixel = self.view.to_pixel(figure.foot.extend(0.0)).round();
        Placed {
            x: pixel.x as i16,
            y: pixel.y as i16,
            depth: super::backdrop::depth(self.view, figure.foot.y),
            look: figure.look,
            pose: figure.pose,
            direction: figure.direction,
            army: figure.army,
            tone: (figure.id.wrapping_mul(0x9E37_79B1) >> 24) as u8,
        }
    }

    fn arrow(&self, shot: &Flight) -> Arrow {
        let tip = self.view.to_pixel(shot.at);
        let along = unit(self.view.to_pixel(shot.at + shot.velocity * 0.01) - tip);
        let ground = shot.at.truncate() + SHADOW * shot.at.z.max(0.0);
        Arrow { tip, along, shadow: self.view.to_pixel(ground.extend(0.0)) }
    }

    fn banners(&self, frame: &Frame, out: &mut Vec<PlacedBanner>) {
        let size = banner_size(self.view.scale, self.width);
        let (width, height) = (self.width as f32, self.height as f32);
        for company in companies(frame) {
            let foot = self.view.to_pixel(company.place.extend(crate::sprite::look::height(company.banner.look)));
            if foot.x > 0.0 && foot.x < width && foot.y > 0.0 && foot.y < height {
                let banner = super::banner::Banner { size: size * company.banner.size, ..company.banner };
                out.push(PlacedBanner { foot, army: company.army, banner });
            }
        }
        out.sort_by(|a, b| a.foot.y.total_cmp(&b.foot.y).then(a.foot.x.total_cmp(&b.foot.x)));
        let mut spots: Vec<Spot> = out.iter().map(|banner| Spot { x: banner.foot.x, y: banner.foot.y }).collect();
        part_banners(&mut spots, size);
        for (banner, spot) in out.iter_mut().zip(spots) {
            banner.foot = Vec2::new(spot.x, spot.y);
        }
    }
}

/// The size of banners at a zoom (pixels a metre), in a picture of a width (pixels).
fn banner_size(scale: f32, width: u32) -> f32 {
    let by_zoom = if scale < 8.0 {
        0.92
    } else if scale < 19.0 {
        1.2
    } else {
        1.5
    };
    by_zoom * (width as f32 / 1600.0).clamp(0.5, 1.0)
}

fn is_between(point: Vec2, low: Vec2, high: Vec2) -> bool {
    point.cmpge(low).all() && point.cmple(high).all()
}

/// Where a shot comes down within some time (m).
fn landing(shot: &Flight, seconds: f32) -> Option<Vec2> {
    let Vec3 { z, .. } = shot.at;
    let falls = -shot.velocity.z;
    let time = z / falls;
    (falls > 0.0 && z >= 0.0 && time < seconds).then(|| (shot.at + shot.velocity * time).truncate())
}

/// The cells that are open on one map and not on the other, or water on one alone.
fn differing(old: &Grid, new: &Grid) -> Vec<Cell> {
    let lattice = new.lattice();
    if old.lattice() != lattice {
        return Vec::new();
    }
    let differs = |&cell: &Cell| old.is_open(cell) != new.is_open(cell) || old.is_water(cell) != new.is_water(cell);
    lattice.cells().filter(differs).collect()
}

/// A set of ids.
struct Ids(Vec<u64>);

impl Ids {
    fn new(ids: &[u32]) -> Self {
        let most = ids.iter().max().map_or(0, |&most| most as usize / 64 + 1);
        let mut words = vec![0; most];
        for &id in ids {
            words[id as usize / 64] |= 1_u64 << (id % 64);
        }
        Self(words)
    }

    fn contains(&self, id: u32) -> bool {
        self.0.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }
}
