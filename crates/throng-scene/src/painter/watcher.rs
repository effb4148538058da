//! A run as it is followed from state to state; each state that shall be painted becomes a moment.

use super::clouds::{SETTLES, collapse, dust, fire};
use super::companies::companies;
use super::moment::{Change, Fallen, Moment};
use crate::figures::{Agents, Strides, figures};
use crate::sprite::direction_of;
use std::sync::Arc;
use throng_grid::geom::{Vec2, Vec3};
use throng_grid::{Cell, Grid, Layer};
use throng_sim::world::{Flight, Frame};

/// Follows a run: every state is [shown](Self::show), and the last one shown may become a [moment](Self::moment).
///
/// All that it notes follows from states that a recording has, so a replay looks as the run did.
#[derive(Debug)]
pub struct Watcher {
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
    /// Follows a run on a map.
    pub fn new(grid: Arc<Grid>) -> Self {
        let trodden = Layer::new(grid.lattice(), 0.0);
        Self {
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
                    look: before.agents(frame).look(row),
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

    /// The corners of the ground on which nearly all agents were, all of the time (m): 0.3 % of it may be outside on each side.
    /// `None` before there was one. O(cells).
    pub fn extent(&self) -> Option<[Vec2; 2]> {
        let lattice = self.trodden.lattice;
        let (mut columns, mut rows) = (vec![0.0; lattice.width as usize], vec![0.0; lattice.height as usize]);
        for (row, sum) in (0..).zip(&mut rows) {
            for (column, all) in (0..).zip(&mut columns) {
                let seconds = f64::from(self.trodden[lattice.cell(column, row)]);
                *sum += seconds;
                *all += seconds;
            }
        }
        let range = |sums: &[f64]| {
            let rare = sums.iter().sum::<f64>() * 0.003;
            let first = |sums: &mut dyn Iterator<Item = &f64>| {
                let mut before = 0.0;
                sums.take_while(|&&sum| {
                    before += sum;
                    before <= rare
                })
                .count()
            };
            let (low, beyond) = (first(&mut sums.iter()), sums.len() - first(&mut sums.iter().rev()));
            (low < beyond).then_some([low as f32, beyond as f32])
        };
        let ([left, right], [top, bottom]) = (range(&columns)?, range(&rows)?);
        Some([Vec2::new(left, top), Vec2::new(right, bottom)].map(|corner| corner * lattice.cell_size))
    }

    /// What is seen of the state that was shown last. O(agents log agents).
    pub fn moment(&mut self, frame: &Frame) -> Moment {
        let mut strides = Strides::default();
        strides.step(&self.before.agents(frame));
        let mut moment = Moment { changes: self.changes.len(), shots: frame.shots.clone(), ..Moment::default() };
        figures(&Agents::from(frame), &mut strides, &mut moment.figures);
        moment.figures.sort_unstable_by_key(|figure| u64::from(rank(figure.foot.y)) << 32 | u64::from(figure.id));
        moment.companies = companies(frame);
        moment.companies.sort_by(|a, b| a.place.y.total_cmp(&b.place.y).then(a.squad.cmp(&b.squad)));
        dust(&moment.figures, &mut moment.clouds);
        self.collapses.retain(|&(_, time)| frame.time - time < SETTLES);
        for &(place, time) in &self.collapses {
            collapse(place, frame.time - time, &mut moment.clouds);
        }
        for &(cell, share) in &frame.ramparts {
            let place = self.grid.lattice().centre(cell);
            fire(place, cell.index() as u32, share, frame.time, &mut moment.clouds);
        }
        moment
    }
}

/// A number that is the greater, the greater another one is, in the order of [`f32::total_cmp`].
fn rank(number: f32) -> u32 {
    let bits = number.to_bits();
    if bits >> 31 == 1 { !bits } else { bits | 1 << 31 }
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
