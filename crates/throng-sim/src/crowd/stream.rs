//! Streams: the mean preferred velocities of the crowd around an agent, several metres ahead.

use super::bias::Bias;
use super::simd_batch::{BATCH_AGENTS, Vectors, batch_of};
use rayon::prelude::*;
use throng_grid::geom::Vec2;
use throng_spatial::simd::{Kernel, LANES, Lanes, Level};

/// At these distances (cells) an agent looks at the stream: 3 and 7 m with cells of 2 m. Nearer alone, crowds meet before
/// they have parted; a single distance is a coin toss where cells are nearly empty.
const AHEAD_CELLS: [f32; 2] = [1.5, 3.5];

/// So far aside (cells) are the lanes that it could take instead.
const ASIDE: f32 = 1.0;

/// A stream counts as opposed from this balance on (−1: all come against the agent, 0: as many either way, 1: all go with
/// it), fully where the balance is less by [`RAMP`]. At 0 agents in crowds without lanes turn aside all the time, and shake.
const OPPOSED: f32 = -0.3;

/// See [`OPPOSED`].
const RAMP: f32 = 0.4;

/// If both sides are alike, an agent turns right by this share, so that two crowds that meet part the same way.
const KEEP_RIGHT: f32 = 0.5;

/// Each cell counts so many standing agents more: a few agents are no stream.
const STILL: f32 = 0.3;

/// Rows of cells that one thread fills before it takes the next ones.
const BAND: usize = 16;

/// Cells beside those for the agents (see [`Streams::rebuild`]).
const SPARE_CELLS: usize = 4096;

/// What the agents in a cell prefer, and their weights: sums for each square metre.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stream {
    /// Of what they prefer (m/s, or headings).
    pub sum: Vec2,
    /// Of their weights.
    pub weight: f32,
}

/// The mean preferred velocity of the agents in and around each cell of a lattice that covers the crowd.
#[derive(Clone, Debug, Default)]
pub struct Streams {
    /// The corner of the first cell (m).
    origin: Vec2,
    /// Side of a cell (m).
    side: f32,
    /// Cells of a row and of a column, with an empty one at either end.
    width: usize,
    height: usize,
    /// Sums of the preferred velocities (m/s), and of the weights.
    sum: Vec<[f32; 3]>,
    /// The mean preferred velocity (m/s), with [`STILL`] agents that have none.
    mean: Vec<[f32; 2]>,
    /// The boxes around the agents of each stretch of rows.
    boxes: Vec<[Vec2; 2]>,
}

impl Streams {
    /// Counts the agents that have a `weight`: their places (m), what they prefer (m/s, or headings), and their weights.
    ///
    /// Cells have a side of `cell` metres, or more where the crowd is spread so far that there would be more than two
    /// cells an agent (and 4096). Sums are taken in the order of the rows whatever the number of threads. O(agents),
    /// where agents that are near each other have rows near each other.
    ///
    /// With an extent, the agents are some of a crowd of that extent: cells whose agents are all among them have the streams of the
    /// whole crowd.
    ///
    /// # Panics
    /// Where the columns differ in length.
    pub fn rebuild(
        &mut self,
        extent: Option<Extent>,
        cell: f32,
        weight: impl Fn(usize) -> Option<f32> + Sync,
        position: &[Vec2],
        preferred: &[Vec2],
    ) {
        assert!(position.len() == preferred.len(), "columns differ in length");
        position.par_chunks(BATCH_AGENTS).map(corners).collect_into_vec(&mut self.boxes);
        let own = || Extent { corners: corners(self.boxes.as_flattened()), count: position.len() };
        let extent = extent.unwrap_or_else(own);
        if extent.count == 0 {
            (self.width, self.height) = (0, 0);
            self.sum.clear();
            return;
        }
        let [low, high] = extent.corners;
        self.side = extent.side(cell);
        // On multiples of the side, so that the cells stay where they are while the crowd moves; with a cell around for agents
        // that lie half in it, and an empty one around these.
        self.origin = ((low / self.side).floor() - 2.0) * self.side;
        let cells = ((high - self.origin) * (1.0 / self.side)).floor();
        (self.width, self.height) = (cells.x as usize + 3, cells.y as usize + 3);
        let Self { origin, width, height, .. } = *self;
        let scale = 1.0 / self.side;
        // No more than that: cells are many where the crowd is.
        let cells = width * height;
        self.sum.reserve_exact(cells.saturating_sub(self.sum.len()));
        self.sum.resize(cells, [0.0; 3]);
        let boxes = &self.boxes;
        self.sum.par_chunks_mut(BAND * width).enumerate().for_each(|(band, sums)| {
            sums.fill([0.0; 3]);
            let first = band * BAND;
            let rows = first..(first + BAND).min(height);
            let row_of = |y: f32| ((y - origin.y) * scale) as usize;
            for (chunk, [low, high]) in boxes.iter().enumerate() {
                if row_of(high.y) < rows.start || row_of(low.y) >= rows.end {
                    continue;
                }
                for agent in chunk * BATCH_AGENTS..((chunk + 1) * BATCH_AGENTS).min(position.len()) {
                    let at = (position[agent] - origin) * scale;
                    let (x, y) = (at.x as usize, at.y as usize);
                    if rows.contains(&y)
                        && let Some(weight) = weight(agent)
                    {
                        let sum = &mut sums[(y - first) * width + x];
                        sum[0] += preferred[agent].x;
                        sum[1] += preferred[agent].y;
                        sum[2] += weight;
                    }
                }
            }
        });
    }

    /// Takes the mean velocity in and around each cell, by which agents [`lean`]; weights are 1.
    pub fn smooth(&mut self) {
        let Self { width, height, ref sum, .. } = *self;
        self.mean.reserve_exact(sum.len().saturating_sub(self.mean.len()));
        self.mean.resize(sum.len(), [0.0; 2]);
        self.mean.par_chunks_mut(width.max(1)).enumerate().for_each(|(y, means)| {
            means.fill([0.0; 2]);
            // The border stays empty: an agent that looks beyond the crowd sees no stream.
            if y == 0 || y + 1 == height {
                return;
            }
            let row = |y: usize| &sum[y * width..(y + 1) * width];
            let (above, here, below) = (row(y - 1), row(y), row(y + 1));
            let column =
                |x: usize| -> [f32; 3] { std::array::from_fn(|i| above[x][i] + 2.0 * here[x][i] + below[x][i]) };
            let (mut left, mut middle) = (column(0), column(1));
            for (x, mean) in means[1..width - 1].iter_mut().enumerate() {
                let right = column(x + 2);
                let [sx, sy, n] = std::array::from_fn(|i| left[i] + 2.0 * middle[i] + right[i]);
                let per = 1.0 / (n + 16.0 * STILL);
                *mean = [sx * per, sy * per];
                (left, middle) = (middle, right);
            }
        });
    }

    /// What the cell around a place (m) holds, for each square metre.
    #[inline]
    pub fn at(&self, place: Vec2) -> Stream {
        let at = ((place - self.origin) * (1.0 / self.side)).floor();
        // Of what is no number, too.
        let inside = at.x >= 0.0 && at.y >= 0.0 && at.x < self.width as f32 && at.y < self.height as f32;
        if !inside {
            return Stream::default();
        }
        let [x, y, weight] = self.sum[at.y as usize * self.width + at.x as usize];
        let per_area = 1.0 / (self.side * self.side);
        Stream { sum: Vec2::new(x, y) * per_area, weight: weight * per_area }
    }

    /// Bytes of memory.
    pub fn bytes(&self) -> usize {
        self.sum.capacity() * size_of::<[f32; 3]>()
            + self.mean.capacity() * size_of::<[f32; 2]>()
            + self.boxes.capacity() * size_of::<[Vec2; 2]>()
    }
}

/// The box around a crowd, and how many are in it: the cells of its streams follow from that.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Extent {
    /// Low and high corner (m).
    pub corners: [Vec2; 2],
    /// Agents.
    pub count: usize,
}

impl Extent {
    /// Of agents at these places (m).
    pub fn of(position: &[Vec2]) -> Self {
        Self { corners: corners(position), count: position.len() }
    }

    /// Side of the cells (m).
    pub(crate) fn side(self, cell: f32) -> f32 {
        let extent = self.corners[1] - self.corners[0];
        let most = (2 * self.count + SPARE_CELLS) as f32;
        cell.max((extent.x * extent.y / most).sqrt()).max(extent.max_element() / most)
    }
}

/// No agent sees streams made by others further away than this (m).
pub fn reach(params: &Bias, extent: Extent) -> f32 {
    // It looks that far ahead and aside, at cells made from those around them.
    let cells = AHEAD_CELLS[1] + ASIDE + 3.0;
    if params.ahead > 0.0 && extent.count > 0 { cells * extent.side(params.cell) } else { 0.0 }
}

/// Low and high corner of the box around points.
fn corners(points: &[Vec2]) -> [Vec2; 2] {
    points.iter().fold(NOWHERE, |[low, high], &at| [low.min(at), high.max(at)])
}

/// The box around nothing.
const NOWHERE: [Vec2; 2] = [Vec2::INFINITY, Vec2::NEG_INFINITY];

/// Turns the preferred velocities (m/s) of agents that `walks` and that see a stream against them: to the side where the stream goes more
/// their way, to the right where both are alike. So two crowds part into lanes before they meet, and an agent that has come
/// into the wrong lane leaves it.
///
/// Belongs before [`along_walls`](super::walls::along_walls): no agent leans into a wall. O(1) an agent, sixteen at a time;
/// the same on any number of threads.
///
/// # Panics
/// Where the columns are not those for which `streams` was made.
pub fn lean(
    params: &Bias,
    streams: &Streams,
    walks: impl Fn(usize) -> bool + Sync,
    position: &[Vec2],
    preferred: &mut [Vec2],
) {
    lean_at(Level::detect(), params, streams, &walks, position, preferred);
}

fn lean_at<W: Fn(usize) -> bool + Sync>(
    level: Level,
    params: &Bias,
    streams: &Streams,
    walks: &W,
    position: &[Vec2],
    preferred: &mut [Vec2],
) {
    assert!(position.len() == preferred.len(), "columns differ in length");
    preferred.par_chunks_mut(BATCH_AGENTS).enumerate().for_each(|(chunk, preferred)| {
        let preferred = bytemuck::cast_slice_mut(preferred);
        let position = bytemuck::cast_slice(position);
        level.run(Batch { amount: params.ahead, streams, walks, position, first: chunk * BATCH_AGENTS, preferred });
    });
}

/// Turns a batch of preferred velocities, from row `first` on.
struct Batch<'a, W> {
    amount: f32,
    streams: &'a Streams,
    walks: &'a W,
    position: &'a [[f32; 2]],
    first: usize,
    preferred: &'a mut [[f32; 2]],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<W: Fn(usize) -> bool + Sync> Kernel for Batch<'_, W> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { amount, streams, walks, position, mut first, preferred } = self;
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        let origin = Vectors::<L> { x: lanes.splat(streams.origin.x), y: lanes.splat(streams.origin.y) };
        for preferred in preferred.chunks_mut(LANES) {
            let len = preferred.len();
            let mut walking = 0_u16;
            for lane in 0..len {
                walking |= u16::from(walks(first + lane)) << lane;
            }
            let (x, y) = lanes.split(&batch_of(preferred, 0, len));
            let own = Vectors::<L> { x, y };
            let squared = own.dot(own);
            let goes = lanes.mask(walking) & lanes.less(lanes.splat(1e-12), squared);
            let squared = lanes.select(goes, squared, one);
            let forward = own / lanes.sqrt(squared);
            let (x, y) = lanes.split(&batch_of(position, first, len));
            let at = (Vectors::<L> { x, y } - origin) * lanes.splat(1.0 / streams.side);
            let near = at + forward * lanes.splat(AHEAD_CELLS[0]);
            let far = at + forward * lanes.splat(AHEAD_CELLS[1]);
            let share = lanes.splat(1.0 / AHEAD_CELLS.len() as f32) / squared;
            let straight = balance(lanes, streams, own, near, far, share);
            let need = (lanes.splat(OPPOSED) - straight) * lanes.splat(1.0 / RAMP);
            let need = lanes.min(lanes.max(need, zero), one);
            let leans = goes & lanes.less(zero, need);
            if lanes.bits(leans) != 0 {
                let aside = Vectors::<L> { x: -forward.y, y: forward.x } * lanes.splat(ASIDE);
                let right = balance(lanes, streams, own, near + aside, far + aside, share);
                let left = balance(lanes, streams, own, near - aside, far - aside, share);
                let side = lanes.splat(KEEP_RIGHT) + (right - left);
                let side = lanes.min(lanes.max(side, lanes.splat(-1.0)), one);
                let t = lanes.splat(amount) * need * side;
                let across = Vectors::<L> { x: -own.y, y: own.x };
                let length = lanes.sqrt(one + t * t);
                let turned = (own + across * t) / length;
                let [x, y] = turned.or(lanes, leans, own).store(lanes);
                for (lane, preferred) in preferred.iter_mut().enumerate() {
                    *preferred = [x[lane], y[lane]];
                }
            }
            first += LANES;
        }
    }
}

/// How far the streams at two places (cells) go the way of the preferred velocities: the mean of both, as a share of the preferred.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn balance<L: Lanes>(
    lanes: L,
    streams: &Streams,
    own: Vectors<L>,
    near: Vectors<L>,
    far: Vectors<L>,
    share: L::Numbers,
) -> L::Numbers {
    let sum = along(lanes, streams, own, near) + along(lanes, streams, own, far);
    sum * share
}

/// The stream at a place (cells), along the preferred velocities.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn along<L: Lanes>(lanes: L, streams: &Streams, own: Vectors<L>, place: Vectors<L>) -> L::Numbers {
    let zero = lanes.splat(0.0);
    let x = lanes.min(lanes.max(place.x, zero), lanes.splat((streams.width - 1) as f32));
    let y = lanes.min(lanes.max(place.y, zero), lanes.splat((streams.height - 1) as f32));
    let (columns, rows) = (lanes.whole(x), lanes.whole(y));
    let width = streams.width as u32;
    let mut cells = [0; LANES];
    for lane in 0..LANES {
        cells[lane] = rows[lane] * width + columns[lane];
    }
    let (x, y) = lanes.gather_points(&streams.mean, &cells);
    Vectors { x, y }.dot(own)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One agent at a time, from sums made cell by cell.
    fn lean_one(params: &Bias, streams: &Streams, mean: &dyn Fn(i64, i64) -> Vec2, at: Vec2, preferred: Vec2) -> Vec2 {
        let squared = preferred.length_squared();
        if squared <= 1e-12 {
            return preferred;
        }
        let forward = preferred / squared.sqrt();
        let aside = Vec2::new(-forward.y, forward.x) * ASIDE;
        let balance = |lane: f32| {
            let along = AHEAD_CELLS.map(|ahead| {
                let place = (at - streams.origin) * (1.0 / streams.side) + forward * ahead;
                let place = if lane == 0.0 { place } else { place + aside * lane };
                mean(place.x.floor() as i64, place.y.floor() as i64).dot(preferred)
            });
            (along[0] + along[1]) * (1.0 / AHEAD_CELLS.len() as f32 / squared)
        };
        let need = ((OPPOSED - balance(0.0)) * (1.0 / RAMP)).clamp(0.0, 1.0);
        if need <= 0.0 {
            return preferred;
        }
        let side = (KEEP_RIGHT + (balance(1.0) - balance(-1.0))).clamp(-1.0, 1.0);
        let t = params.ahead * need * side;
        (preferred + Vec2::new(-preferred.y, preferred.x) * t) / (1.0 + t * t).sqrt()
    }

    proptest! {
        #[test]
        fn lanes_have_the_bits_of_one_agent(
            agents in prop::collection::vec(((-9.0..40.0_f32, 0.0..90.0_f32), 0_usize..4, prop::bool::weighted(0.9)), 0..900),
            cell in prop::sample::select(vec![0.5_f32, 2.0, 7.3]),
            ahead in 0.0..3.0_f32,
        ) {
            let ways = [Vec2::X * 1.5, Vec2::NEG_X, Vec2::new(-0.7, 0.9), Vec2::ZERO];
            let position: Vec<Vec2> = agents.iter().map(|&((x, y), ..)| Vec2::new(x, y)).collect();
            let preferred: Vec<Vec2> = agents.iter().map(|agent| ways[agent.1]).collect();
            let walks = |row: usize| agents[row].2;
            let weight = |row: usize| walks(row).then_some(1.0);
            let params = Bias { ahead, cell, ..Bias::default() };
            let mut streams = Streams::default();
            streams.rebuild(None, cell, weight, &position[..agents.len() / 2], &preferred[..agents.len() / 2]);
            streams.smooth();
            streams.rebuild(None, cell, weight, &position, &preferred);
            streams.smooth();
            for &at in &position {
                let cell = ((at - streams.origin) * (1.0 / streams.side)).floor();
                let (here, area) = (streams.at(at), streams.side * streams.side);
                let same = |&&row: &&usize| ((position[row] - streams.origin) * (1.0 / streams.side)).floor() == cell;
                let rows: Vec<usize> = (0..agents.len()).filter(|&row| walks(row)).collect();
                let sum: Vec2 = rows.iter().filter(same).map(|&row| preferred[row]).sum();
                prop_assert!((here.weight * area - rows.iter().filter(same).count() as f32).abs() < 1e-3);
                prop_assert!((here.sum * area - sum).length() < 1e-2);
            }
            prop_assert_eq!(streams.at(Vec2::splat(-1e6)), Stream::default());
            prop_assert!(streams.mean.len() <= 2 * (2 * agents.len() + SPARE_CELLS));
            let mut sums = std::collections::BTreeMap::new();
            for row in (0..agents.len()).filter(|&row| walks(row)) {
                let at = ((position[row] - streams.origin) * (1.0 / streams.side)).floor();
                let sum = sums.entry((at.x as i64, at.y as i64)).or_insert((Vec2::ZERO, 0.0_f32));
                *sum = (sum.0 + preferred[row], sum.1 + 1.0);
            }
            let inside = |x: i64, y: i64| {
                x > 0 && y > 0 && x + 1 < streams.width as i64 && y + 1 < streams.height as i64
            };
            let mean = |x: i64, y: i64| {
                if !inside(x, y) {
                    return Vec2::ZERO;
                }
                let sum = |x: i64, y: i64| sums.get(&(x, y)).copied().unwrap_or_default();
                let column = |x: i64| {
                    let (a, b, c) = (sum(x, y - 1), sum(x, y), sum(x, y + 1));
                    (a.0 + 2.0 * b.0 + c.0, a.1 + 2.0 * b.1 + c.1)
                };
                let (a, b, c) = (column(x - 1), column(x), column(x + 1));
                (a.0 + 2.0 * b.0 + c.0) * (1.0 / (a.1 + 2.0 * b.1 + c.1 + 16.0 * STILL))
            };
            let one = |row: usize| if walks(row) { lean_one(&params, &streams, &mean, position[row], preferred[row]) } else { preferred[row] };
            let bits = |way: Vec2| [way.x.to_bits(), way.y.to_bits()];
            let expected: Vec<[u32; 2]> = (0..agents.len()).map(|row| bits(one(row))).collect();
            for level in Level::available() {
                let mut turned = preferred.clone();
                lean_at(level, &params, &streams, &walks, &position, &mut turned);
                let found: Vec<[u32; 2]> = turned.into_iter().map(bits).collect();
                prop_assert!(found == expected, "{:?}, {} agents", level, agents.len());
            }
        }
    }

    #[test]
    fn whoever_is_in_the_wrong_lane_goes_to_the_side_of_his_own() {
        // The agents to the left (up) go its way, those before it and to the right come.
        let mut position = vec![Vec2::new(10.0, 10.0)];
        let mut preferred = vec![Vec2::X];
        for i in 0..90 {
            let at = Vec2::new(10.5 + (i / 10) as f32, 5.5 + (i % 10) as f32);
            position.push(at);
            preferred.push(if at.y < 9.0 { Vec2::X } else { Vec2::NEG_X });
        }
        let params = Bias::default();
        let mut streams = Streams::default();
        streams.rebuild(None, params.cell, |_| Some(1.0), &position, &preferred);
        streams.smooth();
        lean(&params, &streams, |_| true, &position, &mut preferred);
        assert!(preferred[0].y < -0.3, "{}", preferred[0]);
        assert!((preferred[0].length() - 1.0).abs() < 1e-5);
    }
}
