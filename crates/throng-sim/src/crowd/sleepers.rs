//! Sleeping agents, as awake ones meet them.

use super::{AgentView, CHUNK, Crowd};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use std::ops::Range;
use throng_grid::geom::Vec2;
use throng_spatial::{Near, NearRows};

/// An agent slower than this (m/s) stands.
pub const STANDS: f32 = 0.1;

/// Two overlap where their centres are nearer than this share of their radii together.
const OVERLAP: f32 = 0.96;

/// When agents sleep: they rest where they are and cost next to nothing, block others as before, and wake in time.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_grid::{Grid, Lattice};
/// use throng_sim::battle::Unit;
/// use throng_sim::crowd::Sleep;
/// use throng_sim::world::{SquadSpec, Settings, World};
/// let awake = |sleep| {
///     let settings = Settings { sleep, ..Settings::default() };
///     let mut world = World::new(Grid::open_plain(Lattice::new(32, 32, 1.0)?), settings)?;
///     let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
///     world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::splat(8.5), Vec2::splat(20.5)]))?;
///     world.tick_until(|world| world.ticks() == 100)?;
///     Ok::<_, throng_sim::world::WorldError>(world.crowd().awake())
/// };
/// assert_eq!((awake(Sleep::default())?, awake(Sleep::NEVER)?), (0, 2));
/// # Ok::<(), throng_sim::world::WorldError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Sleep {
    /// After this time (s) at its place, undisturbed, an agent falls asleep; rounded to looks a second apart. Default 2:
    /// sooner and agents that give way to a stream would go back and forth. Infinity: never.
    pub after: f32,
    /// An agent wakes if a moving body would hit it within this time (s), going on as it does. Default 2, as far ahead as ORCA
    /// looks: a standing agent would step aside then. Half as far again must be free to fall asleep.
    pub horizon: f32,
    /// An agent wakes if a moving body is nearer to its own than this (m). Default 0.25. Half as far again must be free to fall
    /// asleep.
    pub margin: f32,
}

impl Sleep {
    /// No agent sleeps.
    pub const NEVER: Self = Self { after: f32::INFINITY, horizon: 0.0, margin: 0.0 };

    /// The distances that must be free to fall asleep, so that an agent does not wake at once.
    #[must_use]
    pub fn deep(self) -> Self {
        Self { horizon: 1.5 * self.horizon, margin: 1.5 * self.margin, ..self }
    }

    /// The greatest distance (m) at which a body with a speed (m/s) may wake a sleeper, from centre to centre, where the
    /// sum of both radii is at most `touch` (m).
    #[inline]
    fn wakes_within(self, speed: f32, touch: f32) -> f32 {
        touch + self.margin + speed * self.horizon * 1.001
    }

    /// True where an awake agent at `way` (m) from a sleeper, with a velocity (m/s), wakes it. `touch` is the sum of
    /// their radii (m).
    #[inline]
    pub fn wakes(self, way: Vec2, velocity: Vec2, touch: f32) -> bool {
        let squared = way.length_squared();
        // Also one that stands, put there or pushed.
        if squared < (OVERLAP * touch) * (OVERLAP * touch) {
            return true;
        }
        let speed = velocity.length_squared();
        if speed < STANDS * STANDS {
            return false;
        }
        let close = touch + self.margin;
        if squared < close * close {
            return true;
        }
        // `way` leads to the awake agent: when do they touch, if they do?
        let towards = -way.dot(velocity);
        let reached = towards * towards - speed * (squared - touch * touch);
        if towards <= 0.0 || reached < 0.0 {
            return false;
        }
        // (towards - sqrt(reached)) / speed < horizon
        let left = towards - speed * self.horizon;
        left < 0.0 || left * left < reached
    }
}

impl Default for Sleep {
    fn default() -> Self {
        Self { after: 2.0, horizon: 2.0, margin: 0.25 }
    }
}

/// Sleeping agents, in cells. Sorted when an agent falls asleep. An agent that has woken or left since is passed over, so
/// that waking and leaving cost nothing here.
///
/// A structure of its own beside the index of the awake, since it is asked from places where no agent sleeps. In each of
/// the answers the order is by distance, then slot, as everywhere.
#[derive(Clone, Debug, Default)]
pub struct Sleepers {
    /// Low corner of the cells (m), their side (m), and how many there are across and down.
    origin: Vec2,
    side: f32,
    columns: usize,
    lines: usize,
    /// The first body of each cell, line by line; one more at the end.
    start: Vec<u32>,
    position: Vec<Vec2>,
    radius: Vec<f32>,
    slot: Vec<u32>,
    widest: f32,
    cell: Vec<u32>,
}

/// The memory of threads that [join](Sleepers::join) sleepers to lists.
#[derive(Debug, Default)]
pub(crate) struct Strands(Vec<Strand>);

/// What wakes sleepers.
pub(crate) struct Waking<'a, M> {
    /// How near they let others come.
    pub sleep: Sleep,
    /// How far neighbours are looked for (m).
    pub reach: f32,
    /// The rows that want to go somewhere: they wake others by their preferred velocities too, so that they do not block them.
    pub wants: &'a [bool],
    /// The rows that wake others and are counted.
    pub own: &'a (dyn Fn(usize) -> bool + Sync),
    /// True where the sleeper of a row minds the agent of another.
    pub minds: M,
}

/// The memory of one thread.
#[derive(Clone, Debug, Default)]
struct Strand {
    /// Keys of the nearest sleepers: squared distance, then slot.
    found: Vec<u64>,
    list: Vec<u32>,
    woken: Vec<u32>,
    /// How many awake agents have sleepers near.
    beside: usize,
}

/// Side of the cells (m), unless they would be many more than the sleepers: about where the nearest eight of a crowd are.
const CELL: f32 = 2.5;

impl Sleepers {
    /// How many there were when they were sorted.
    pub fn len(&self) -> usize {
        self.slot.len()
    }

    /// True where there were none.
    pub fn is_empty(&self) -> bool {
        self.slot.is_empty()
    }

    /// Takes the agents that sleep now. O(sleepers).
    pub fn rebuild(&mut self, crowd: &Crowd) {
        let rows = crowd.awake()..crowd.len();
        let (position, count) = (&crowd.rows.position[rows.clone()], rows.len());
        let (low, high) =
            position.iter().fold((Vec2::INFINITY, Vec2::NEG_INFINITY), |(low, high), &at| (low.min(at), high.max(at)));
        let size = if count == 0 { Vec2::ZERO } else { high - low };
        let most = 2 * count + 64;
        self.origin = if count == 0 { Vec2::ZERO } else { low };
        self.side = CELL.max((size.x * size.y / most as f32).sqrt()).max(size.max_element() / most as f32);
        self.columns = (size.x / self.side) as usize + 1;
        self.lines = (size.y / self.side) as usize + 1;
        let Self { origin, side, columns, lines, start, cell, .. } = self;
        cell.clear();
        cell.extend(position.iter().map(|&at| {
            let place = (at - *origin) / *side;
            ((place.y as usize).min(*lines - 1) * *columns + (place.x as usize).min(*columns - 1)) as u32
        }));
        start.clear();
        start.resize(*columns * *lines + 1, 0);
        for &cell in cell.iter() {
            start[cell as usize] += 1;
        }
        let mut sum = 0;
        for start in start.iter_mut() {
            sum += *start;
            *start = sum;
        }
        self.position.resize(count, Vec2::ZERO);
        self.radius.resize(count, 0.0);
        self.slot.resize(count, 0);
        for (row, &cell) in rows.zip(&*cell).rev() {
            let place = &mut self.start[cell as usize];
            *place -= 1;
            let place = *place as usize;
            self.position[place] = crowd.rows.position[row];
            self.radius[place] = crowd.rows.radius[row];
            self.slot[place] = crowd.rows.slot[row];
        }
        self.widest = self.radius.iter().copied().fold(0.0, f32::max);
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let numbers = self.start.capacity() + self.radius.capacity() + self.slot.capacity() + self.cell.capacity();
        self.position.capacity() * size_of::<Vec2>() + numbers * size_of::<u32>()
    }

    /// The row of a sleeper, if it still sleeps.
    #[inline]
    fn row(&self, crowd: &Crowd, place: usize) -> Option<u32> {
        let row = crowd.slots.row_of[self.slot[place] as usize];
        (row != u32::MAX && row as usize >= crowd.awake()).then_some(row)
    }

    /// The places, line by line, of all bodies whose centres may be within `reach` (m) of a point.
    #[inline]
    fn lines(&self, point: Vec2, reach: f32) -> impl Iterator<Item = Range<usize>> {
        // As for the bodies, so that rounding errs alike; and a little further.
        let reach = reach + self.side * 1e-3;
        let [low, high] = [point - reach, point + reach].map(|corner| (corner - self.origin) / self.side);
        let outside = self.is_empty()
            || high.cmplt(Vec2::ZERO).any()
            || low.x >= self.columns as f32
            || low.y >= self.lines as f32;
        let (left, right) = (low.x as usize, (high.x as usize).min(self.columns - usize::from(!outside)));
        let (top, bottom) = (low.y as usize, (high.y as usize).min(self.lines - usize::from(!outside)));
        let lines = if outside { 0..0 } else { top..bottom + 1 };
        lines.map(move |line| {
            let line = &self.start[line * self.columns..];
            line[left] as usize..line[right + 1] as usize
        })
    }

    /// The nearest sleeper that `accept` takes, nearer than `reach` (m), with its squared distance (m²): its row. Ties go
    /// to the smaller slot.
    pub fn nearest(
        &self,
        crowd: &Crowd,
        point: Vec2,
        reach: f32,
        mut accept: impl FnMut(u32) -> bool,
    ) -> Option<(u32, f32)> {
        let mut radius = (2.0 * self.side).min(reach);
        loop {
            let mut best = (radius * radius, u32::MAX, None);
            for place in self.lines(point, radius).flatten() {
                let squared = self.position[place].distance_squared(point);
                if (squared, self.slot[place]) < (best.0, best.1)
                    && squared < radius * radius
                    && let Some(row) = self.row(crowd, place)
                    && accept(row)
                {
                    best = (squared, self.slot[place], Some(row));
                }
            }
            if let (squared, _, Some(row)) = best {
                return Some((row, squared));
            }
            if radius >= reach || self.is_empty() {
                return None;
            }
            radius = (2.0 * radius).min(reach);
        }
    }

    /// Calls `visit(slot)` for each sleeper whose body is nearer than `gap` (m) to one of a radius around a point (m).
    pub fn around(&self, crowd: &Crowd, point: Vec2, radius: f32, gap: f32, mut visit: impl FnMut(u32)) {
        for place in self.lines(point, radius + self.widest + gap).flatten() {
            let touch = radius + self.radius[place] + gap;
            let near = self.position[place].distance_squared(point) < touch * touch;
            if near && self.row(crowd, place).is_some() {
                visit(self.slot[place]);
            }
        }
    }

    /// Brings sleepers nearer than `reach` (m) into the lists of the awake, so that each has the nearest of all. Adds to `woken`
    /// the slots of the sleepers that an awake agent wakes, by [`Sleep::wakes`], if they mind it. Returns how many awake agents have
    /// sleepers near: each costs as much as one more awake. `row_of` has the row of each slot, `u32::MAX` where it has none.
    ///
    /// The lists, and the woken slots, do not depend on the number of threads.
    pub(crate) fn join(
        &self,
        view: &AgentView<'_>,
        row_of: &[u32],
        waking: &Waking<'_, impl Fn(usize, usize) -> bool + Sync>,
        near: &mut Near,
        woken: &mut Vec<u32>,
        Strands(strands): &mut Strands,
    ) -> usize {
        if self.is_empty() {
            return 0;
        }
        let mut beside = 0;
        let rows = Rows { view, row_of, awake: near.len() };
        strands.resize(near.len().div_ceil(CHUNK).max(strands.len()), Strand::default());
        near.par_stretches(CHUNK).zip(strands.par_iter_mut()).enumerate().for_each(|(chunk, (mut near, strand))| {
            self.join_stretch(rows, waking, chunk * CHUNK, &mut near, strand);
        });
        for strand in strands {
            woken.append(&mut strand.woken);
            beside += std::mem::take(&mut strand.beside);
        }
        beside
    }

    fn join_stretch(
        &self,
        rows: Rows<'_>,
        Waking { sleep, reach, wants, own: is_own, minds }: &Waking<'_, impl Fn(usize, usize) -> bool>,
        first: usize,
        near: &mut NearRows<'_>,
        strand: &mut Strand,
    ) {
        let Strand { found, list, woken, beside } = strand;
        let AgentView { position, velocity, preferred_velocity, radius, .. } = *rows.view;
        let lists = near.rows.chunks_mut(near.k.max(1));
        let mut guess = self.side;
        for (i, (count, listed)) in near.count.iter_mut().zip(lists).enumerate() {
            let own = first + i;
            let (at, velocity) = (position[own], velocity[own]);
            let preferred = if wants[own] { preferred_velocity[own] } else { Vec2::ZERO };
            let speed = velocity.length_squared().max(preferred.length_squared());
            // A standing agent wakes only sleepers that it overlaps: no need to look beyond those it will see.
            let furthest = listed.get(near.k.wrapping_sub(1)).filter(|_| usize::from(*count) == near.k);
            let sees = match furthest {
                Some(&last) if speed < STANDS * STANDS => reach.min(position[last as usize].distance(at) * 1.001),
                _ => *reach,
            };
            self.k_nearest(rows, at, near.k, sees, &mut guess, found);
            if found.is_empty() {
                continue;
            }
            let counts = is_own(own);
            *beside += usize::from(counts);
            let most = sleep.wakes_within(speed.sqrt(), radius[own] + self.widest);
            for &key in found.iter().take_while(|&&key| f32::from_bits((key >> 32) as u32) < most * most) {
                let slot = key as u32;
                let other = rows.row_of[slot as usize] as usize;
                let touch = radius[own] + radius[other];
                let way = at - position[other];
                let wakes = sleep.wakes(way, velocity, touch) || sleep.wakes(way, preferred, touch);
                if wakes && counts && minds(other, own) {
                    woken.push(slot);
                }
            }
            rows.merge(at, &listed[..usize::from(*count)], found, near.k, list);
            listed[..list.len()].copy_from_slice(list);
            *count = list.len() as u8;
        }
    }

    /// Writes `found`: the keys of the `k` nearest sleepers nearer than `reach` (m), in order. `guess` is how far they
    /// may be (m), from one question to the next.
    fn k_nearest(&self, rows: Rows<'_>, at: Vec2, k: usize, reach: f32, guess: &mut f32, found: &mut Vec<u64>) {
        let sleeps = |&key: &u64| {
            let row = rows.row_of[key as u32 as usize];
            row != u32::MAX && row as usize >= rows.awake
        };
        // All may be on one point.
        let mut radius = guess.max(0.25 * self.side).min(reach);
        loop {
            let (mut count, squared) = (0, radius * radius);
            for line in self.lines(at, radius) {
                found.resize(count + line.len(), 0);
                // Without a branch for each.
                for (&position, &slot) in self.position[line.clone()].iter().zip(&self.slot[line]) {
                    let own = position.distance_squared(at);
                    found[count] = key(own, slot);
                    count += usize::from(own < squared);
                }
            }
            found.truncate(count);
            found.retain(sleeps);
            if found.len() >= k || radius >= reach {
                break;
            }
            radius = (1.6 * radius).min(reach);
        }
        if found.len() > 2 * k {
            found.select_nth_unstable(k);
            found.truncate(k);
        }
        found.sort_unstable();
        found.truncate(k);
        if radius < reach || found.len() == k {
            let needed = found.last().map_or(radius, |&key| f32::from_bits((key >> 32) as u32).sqrt() * 1.15);
            *guess = (guess.min(2.0 * needed) + needed) * 0.5;
        } else {
            *guess = radius;
        }
    }
}

/// Squared distance (m²), then slot, as one number.
#[inline]
fn key(squared: f32, slot: u32) -> u64 {
    u64::from(squared.to_bits()) << 32 | u64::from(slot)
}

/// The rows among which sleepers are found.
#[derive(Clone, Copy)]
struct Rows<'a> {
    view: &'a AgentView<'a>,
    row_of: &'a [u32],
    awake: usize,
}

impl Rows<'_> {
    /// Writes `list`: the rows of the first `k` of both, by distance, then slot.
    fn merge(self, at: Vec2, awake: &[u32], asleep: &[u64], k: usize, list: &mut Vec<u32>) {
        list.clear();
        let row = |key: u64| self.row_of[key as u32 as usize];
        let mut asleep = asleep.iter().copied().peekable();
        for &other in awake {
            let squared = self.view.position[other as usize].distance_squared(at);
            let own = key(squared, self.view.slot[other as usize]);
            while let Some(key) = asleep.next_if(|&key| key < own) {
                list.push(row(key));
            }
            list.push(other);
        }
        list.extend(asleep.map(row));
        list.truncate(k);
    }
}

impl Strands {
    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        let strand = |strand: &Strand| {
            strand.found.capacity() * size_of::<u64>()
                + (strand.list.capacity() + strand.woken.capacity()) * size_of::<u32>()
        };
        self.0.iter().map(strand).sum()
    }
}
