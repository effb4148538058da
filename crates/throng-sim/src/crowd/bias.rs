//! Looking aside where progress fails.

use super::simd_batch::{BATCH_AGENTS, Lists, Vectors, batch_of, lanes_where};
use super::walls::{greatest, shared_room};
use super::{AgentView, PIECE};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::Vec2;
use throng_grid::walls::wall_near;
use throng_grid::{Grid, Layer};
use throng_spatial::Near;
use throng_spatial::simd::{Kernel, LANES, Lanes, Level};

/// So far around it (in radii of its own) a blocked agent looks for room; nearer ones count more.
const LOOK: f32 = 6.0;

/// A neighbour comes against an agent if its preferred velocity points backwards by 120° to 240° (of which this is the squared cosine).
const AGAINST: f32 = 0.25;

/// Room counts less, the more neighbours come against an agent; not at all if their share is greater than
/// [`Bias::opposed`] by this.
const OPPOSED_RAMP: f32 = 0.2;

/// How a blocked agent looks aside.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bias {
    /// How far it turns: by the arc tangent of this times the lack of progress. 0 not at all, 1 up to 45°, 2 up to 63°.
    /// Default 1.2. Without it crowds that meet head on jam; large values make detours, and shake.
    pub amount: f32,
    /// How much the room on either side counts beside the rule to turn right. 0: always to the right. Default 1.9: agents at the
    /// rim of a jam turn to where it is empty, so that the jam dissolves; agents that meet head on still turn right. Much more
    /// makes agents change their minds, and shake; much less jams the queue before a door.
    pub side: f32,
    /// The share of its neighbours that come against it (0 to 1) from which an agent looks for room no longer and keeps right.
    /// Default 0.5, well above where all walk at random: two streams between walls part into lanes before they meet, by
    /// [`ahead`](Self::ahead), and this holds them there. At 0 crowds in the open jam.
    pub opposed: f32,
    /// How much of the mean velocity of its neighbours a blocked agent takes into its preferred. Default 0.7: it goes with the
    /// stream for a while, and lanes last. Much more carries it away from its goal.
    pub along: f32,
    /// For how long progress must fail before it counts (s): progress is taken as a mean that forgets at this rate.
    /// Default 0.35, so that a push of one tick turns no agent, which shakes less. Long times let jams set.
    pub patience: f32,
    /// How far an agent turns that sees a stream against it several metres ahead: at most
    /// by the arc tangent of this. 0 not at all. Default 2, up to 63°: less, and two crowds that meet in a corridor are not
    /// parted when they come together; more gains nothing.
    pub ahead: f32,
    /// Side of the cells in which streams are counted (m): lanes are about as wide, and an agent looks 3.5 cells far.
    /// Default 2. Larger cells see no lanes in corridors of 5 m; smaller ones hold hardly any agent.
    pub cell: f32,
}

impl Bias {
    /// No agent looks aside.
    pub const OFF: Self =
        Self { amount: 0.0, side: 0.0, opposed: 1.0, along: 0.0, patience: 0.0, ahead: 0.0, cell: 2.0 };

    /// True where blocked agents turn.
    pub(crate) fn turns(&self) -> bool {
        self.amount > 0.0 || self.along > 0.0
    }

    /// True where no agent looks aside.
    pub fn is_off(&self) -> bool {
        self.amount == 0.0 && self.along == 0.0 && self.ahead == 0.0
    }
}

impl Default for Bias {
    fn default() -> Self {
        Self { amount: 1.2, side: 1.9, opposed: 0.5, along: 0.7, patience: 0.35, ahead: 2.0, cell: 2.0 }
    }
}

/// Writes `turned`: the preferred velocities (m/s), those of blocked agents turned aside, so that crowds that meet pass each other
/// instead of jamming. The less [`progress`](AgentView::progress) they make, the further they turn ([`progress`]).
///
/// An agent that moves as it preferred is left alone. One that does not is turned, the further the less progress it makes:
/// to its right, or to its left where its `near` neighbours and the nearest wall leave clearly more room there. Where
/// many of its neighbours come against it, it keeps right whatever the room. An agent without neighbours is left alone. So is
/// one for which `wants` is false: near its goal, say, turning aside would make it circle. The output may be shorter than the
/// columns: the rows after it stand still.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Costs O(neighbours) for a blocked
/// agent; sixteen of them are computed at a time.
///
/// ```
/// use throng_sim::crowd::{AgentColumns, AgentView, Bias, bias::bias};
/// use throng_grid::geom::Vec2;
/// use throng_spatial::Near;
/// use throng_grid::{Grid, Lattice, clearance::clearance};
/// let grid = Grid::open_plain(Lattice::new(16, 16, 1.0)?);
/// // One stands before the other, which wants to walk on.
/// let mut near = Near::default();
/// near.reset(2, 6);
/// near.stretches(2).for_each(|stretch| (stretch.rows[0], stretch.count[0]) = (1, 1));
/// let layer = clearance(&grid);
/// let columns = AgentColumns {
///     position: &[Vec2::new(8.0, 8.0), Vec2::new(9.0, 8.0)],
///     velocity: &[Vec2::ZERO; 2],
///     preferred_velocity: &[Vec2::X, Vec2::ZERO],
///     radius: &[0.5; 2],
///     top_speed: &[2.0; 2],
///     weight: &[1.0; 2],
///     progress: &[0.0; 2],
///     slot: &[0, 1],
/// };
/// let view = AgentView::new(0.1, &grid, &layer, columns, &near)?;
/// let mut turned = [Vec2::ZERO; 2];
/// bias(Bias { amount: 1.0, ..Bias::default() }, &view, &[true; 2], &mut turned);
/// assert!(turned[0].distance(Vec2::new(0.707, 0.707)) < 1e-3, "right is down where one looks along x");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn bias(params: Bias, view: &AgentView<'_>, wants: &[bool], turned: &mut [Vec2]) {
    bias_at(Level::detect(), Columns::of(params, view, wants), turned);
}

/// Writes `progress`, once all have moved: the share of its `preferred` (m/s) that each agent has done of late, 0 to 1, a mean that forgets
/// within [`Bias::patience`]. 1 for one that does not want to go anywhere. `step` is the length of a tick (s).
///
/// The preferred velocity and the velocity (m/s) are of the same tick, so a change of the preferred velocity is no lack of progress.
pub fn progress(params: Bias, step: f32, wants: &[bool], preferred: &[Vec2], velocity: &[Vec2], progress: &mut [f32]) {
    let news = step / (step + params.patience);
    let columns = progress.par_iter_mut().zip(wants).zip(preferred).zip(velocity).with_min_len(PIECE);
    columns.for_each(|(((progress, &wants), &preferred), &velocity)| {
        let squared = preferred.length_squared();
        *progress = if wants && squared > 1e-12 {
            // 1 where the agent moves as it preferred, 0 where it stands.
            *progress + news * ((velocity.dot(preferred) / squared).clamp(0.0, 1.0) - *progress)
        } else {
            1.0
        };
    });
}

fn bias_at(level: Level, columns: Columns<'_>, turned: &mut [Vec2]) {
    assert!(turned.len() <= columns.wants.len(), "more is written than there are rows");
    turned.par_chunks_mut(BATCH_AGENTS).enumerate().for_each(|(batch, turned)| {
        let first = batch * BATCH_AGENTS;
        let turned = bytemuck::cast_slice_mut(turned);
        // Room is set up for each batch, so it is no larger than need be.
        if columns.near.k() <= 16 {
            level.run(Batch::<16> { columns, first, turned });
        } else {
            level.run(Batch::<{ Near::MAX_K }> { columns, first, turned });
        }
    });
}

#[derive(Clone, Copy)]
struct Columns<'a> {
    params: Bias,
    grid: &'a Grid,
    clearance: &'a Layer<f32>,
    near: &'a Near,
    position: &'a [[f32; 2]],
    velocity: &'a [[f32; 2]],
    preferred: &'a [[f32; 2]],
    radius: &'a [f32],
    progress: &'a [f32],
    wants: &'a [bool],
}

impl<'a> Columns<'a> {
    fn of(params: Bias, view: &AgentView<'a>, wants: &'a [bool]) -> Self {
        let AgentView { grid, clearance, near, radius, progress, .. } = *view;
        assert!(wants.len() == radius.len(), "columns differ in length");
        Self {
            params,
            grid,
            clearance,
            near,
            position: bytemuck::cast_slice(view.position),
            velocity: bytemuck::cast_slice(view.velocity),
            preferred: bytemuck::cast_slice(view.preferred_velocity),
            radius,
            progress,
            wants,
        }
    }

    /// How the nearest wall takes room from an agent: away from it, at most 1 long.
    #[inline]
    fn away_from_wall(&self, row: usize) -> Vec2 {
        let (place, radius) = (Vec2::from(self.position[row]), self.radius[row]);
        let look = LOOK * radius;
        let Some(wall) = wall_near(self.grid, self.clearance, place, look - radius) else { return Vec2::ZERO };
        let way = wall - place;
        let distance = way.length().max(1e-6);
        way * -((1.0 - (distance + radius) / look) / distance)
    }
}

/// Turns a batch of preferred velocities, from row `first` on.
struct Batch<'a, const K: usize> {
    columns: Columns<'a>,
    first: usize,
    turned: &'a mut [[f32; 2]],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const K: usize> Kernel for Batch<'_, K> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { columns, mut first, turned } = self;
        let mut lists = Lists::<K>::new();
        let (zero, one) = (lanes.splat(0.0), lanes.splat(1.0));
        for turned in turned.chunks_mut(LANES) {
            let len = turned.len();
            let wants = lanes_where(len, |lane| columns.wants[first + lane]);
            let (x, y) = lanes.split(&batch_of(columns.preferred, first, len));
            let preferred = Vectors::<L> { x, y };
            let squared = preferred.dot(preferred);
            let goes = lanes.mask(wants) & lanes.less(lanes.splat(1e-12), squared);
            let share = lanes.load(&batch_of(columns.progress, first, len));
            let lack = one - share;
            let blocked = goes & lanes.less(zero, lack);
            let mut turned_batch = preferred;
            if lanes.bits(blocked) != 0 {
                lists.fill(lanes, columns.near, first, len);
                let aside = turn(lanes, &columns, &lists, first, len, blocked, preferred, squared, lack);
                turned_batch = aside.or(lanes, blocked, preferred);
            }
            turned_batch.write(lanes, turned);
            first += LANES;
        }
    }
}

/// The preferred velocities of blocked agents, turned.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[allow(clippy::too_many_arguments, reason = "one argument a column")]
#[inline(always)]
fn turn<L: Lanes, const K: usize>(
    lanes: L,
    columns: &Columns<'_>,
    lists: &Lists<K>,
    first: usize,
    len: usize,
    blocked: L::Mask,
    preferred: Vectors<L>,
    squared: L::Numbers,
    lack: L::Numbers,
) -> Vectors<L> {
    let Bias { amount, side, opposed, along, .. } = columns.params;
    let (zero, one, tiny) = (lanes.splat(0.0), lanes.splat(1.0), lanes.splat(1e-6));
    let (x, y) = lanes.split(&batch_of(columns.position, first, len));
    let own = Vectors::<L> { x, y };
    let look = lanes.splat(LOOK) * lanes.load(&batch_of(columns.radius, first, len));
    let per_look = one / look;
    let forward = preferred / lanes.sqrt(squared);
    let none = Vectors { x: zero, y: zero };
    let (mut room, mut stream, mut seen, mut against) = (none, none, zero, zero);
    for (rows, &has) in lists.rows.iter().zip(&lists.has).take(lists.len) {
        let (x, y) = lanes.gather_points(columns.position, rows);
        let way = Vectors { x, y } - own;
        let distance = lanes.max(lanes.sqrt(way.dot(way)), tiny);
        let weight = lanes.max(one - distance * per_look, zero);
        let weight = lanes.select(lanes.mask(has), weight, zero);
        room = room - way * (weight / distance);
        let (x, y) = lanes.gather_points(columns.velocity, rows);
        stream = stream + Vectors { x, y } * weight;
        seen = seen + weight;
        let (x, y) = lanes.gather_points(columns.preferred, rows);
        let other = Vectors { x, y };
        let with = other.dot(forward);
        let limit = lanes.splat(AGAINST) * other.dot(other);
        let comes = lanes.less(with, zero) & lanes.less(limit, with * with);
        against = lanes.select(comes, against + weight, against);
    }
    let mut walls = [[0.0; LANES]; 2];
    let reach = LOOK * greatest(columns.radius[first..first + len].iter().copied());
    let room_from_walls = shared_room(columns.clearance, bytemuck::cast_slice(&columns.position[first..first + len]));
    let mut left = if room_from_walls < reach { lanes.bits(blocked) } else { 0 };
    while left != 0 {
        let lane = left.trailing_zeros() as usize;
        left &= left - 1;
        [walls[0][lane], walls[1][lane]] = columns.away_from_wall(first + lane).to_array();
    }
    let room = room + Vectors::load(lanes, &walls);
    // An agent without neighbours does not look aside.
    let beside = lanes.less(zero, seen);
    let seen = lanes.max(seen, tiny);
    // 1 where room counts, 0 where one keeps right.
    let share = against / seen;
    let crowded = (share - lanes.splat(opposed)) / lanes.splat(OPPOSED_RAMP);
    let open = one - lanes.min(lanes.max(crowded, zero), one);
    let right = one + lanes.splat(side) * open * forward.cross(room);
    let right = lanes.min(lanes.max(right, lanes.splat(-1.0)), one);
    let t = lanes.splat(amount) * lack * right;
    let drawn = lanes.splat(along) * lack / seen;
    let with_stream = preferred + stream * drawn;
    let across = Vectors { x: -with_stream.y, y: with_stream.x };
    let length = lanes.sqrt(one + t * t);
    ((with_stream + across * t) / length).or(lanes, beside, preferred)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::crowd::AgentColumns;
    use crate::walk::neighbours::neighbours;
    use proptest::prelude::*;
    use throng_grid::Lattice;
    use throng_grid::clearance::clearance;
    use throng_grid::geom::cross;
    use throng_spatial::{Bodies, Index, IndexKind, SpatialIndex};

    /// One agent at a time: its preferred.
    fn bias_one(columns: &Columns<'_>, row: usize) -> Vec2 {
        let Bias { amount, side, opposed, along, .. } = columns.params;
        let column = |points: &[[f32; 2]], row: usize| Vec2::from(points[row]);
        let preferred = column(columns.preferred, row);
        let squared = preferred.length_squared();
        let lack = 1.0 - columns.progress[row];
        if !columns.wants[row] || squared <= 1e-12 || lack <= 0.0 {
            return preferred;
        }
        let per_look = 1.0 / (LOOK * columns.radius[row]);
        let forward = preferred / squared.sqrt();
        let (mut room, mut stream, mut seen, mut against) = (Vec2::ZERO, Vec2::ZERO, 0.0_f32, 0.0);
        for &other in columns.near.of(row) {
            let other = other as usize;
            let way = column(columns.position, other) - column(columns.position, row);
            let distance = way.length().max(1e-6);
            let weight = (1.0 - distance * per_look).max(0.0);
            room -= way * (weight / distance);
            stream += column(columns.velocity, other) * weight;
            seen += weight;
            let theirs = column(columns.preferred, other);
            let with = theirs.dot(forward);
            if with < 0.0 && AGAINST * theirs.length_squared() < with * with {
                against += weight;
            }
        }
        if seen <= 0.0 {
            return preferred;
        }
        room += columns.away_from_wall(row);
        let seen = seen.max(1e-6);
        let open = 1.0 - ((against / seen - opposed) / OPPOSED_RAMP).clamp(0.0, 1.0);
        let right = (1.0 + side * open * cross(forward, room)).clamp(-1.0, 1.0);
        let t = amount * lack * right;
        let with_stream = preferred + stream * (along * lack / seen);
        let turned = with_stream + Vec2::new(-with_stream.y, with_stream.x) * t;
        turned / (1.0 + t * t).sqrt()
    }

    type Agent = ((f32, f32), (f32, f32), (f32, f32), f32, f32, bool);

    fn agent() -> impl Strategy<Value = Agent> {
        let preferred = prop_oneof![3 => (-2.0..2.0_f32, -2.0..2.0_f32), 1 => Just((0.0, 0.0)), 1 => Just((1.5, 0.0))];
        let velocity = prop_oneof![2 => (-2.0..2.0_f32, -2.0..2.0_f32), 1 => Just((0.0, 0.0)), 1 => Just((1.5, 0.0))];
        ((0.5..11.5_f32, 0.5..11.5_f32), velocity, preferred, 0.2..0.9_f32, 0.0..=1.0_f32, prop::bool::weighted(0.8))
    }

    proptest! {
        #[test]
        fn lanes_have_the_bits_of_one_agent(
            agents in prop::collection::vec(agent(), 0..80),
            closed in prop::collection::vec(prop::bool::weighted(0.1), 144),
            k in prop::sample::select(vec![0_usize, 3, 8, 20]),
            amount in 0.0..2.0_f32,
            opposed in 0.0..0.6_f32,
        ) {
            let mut grid = Grid::open_plain(Lattice::new(12, 12, 1.0).unwrap());
            let lattice = grid.lattice();
            for (cell, closed) in lattice.cells().zip(closed) {
                grid.set_open(cell, !closed);
            }
            let layer = clearance(&grid);
            let point = |(x, y): (f32, f32)| Vec2::new(x, y);
            let mut position: Vec<Vec2> = agents.iter().map(|agent| point(agent.0)).collect();
            for i in (1..agents.len()).step_by(6) {
                position[i] = position[i - 1];
            }
            let velocity: Vec<Vec2> = agents.iter().map(|agent| point(agent.1)).collect();
            let preferred: Vec<Vec2> = agents.iter().map(|agent| point(agent.2)).collect();
            let radius: Vec<f32> = agents.iter().map(|agent| agent.3).collect();
            let known: Vec<f32> = agents.iter().map(|agent| agent.4).collect();
            let wants: Vec<bool> = agents.iter().map(|agent| agent.5).collect();
            let slot: Vec<u32> = (0..agents.len() as u32).collect();
            let mut index = Index::new(IndexKind::Grid);
            let bodies = Bodies::new(bytemuck::cast_slice(&position), &radius, &slot);
            index.rebuild(bodies).unwrap();
            let mut near = Near::default();
            neighbours(&index, bodies, k, 3.0, &mut near);
            let columns = Columns {
                params: Bias { amount, opposed, ..Bias::default() },
                grid: &grid,
                clearance: &layer,
                near: &near,
                position: bytemuck::cast_slice(&position),
                velocity: bytemuck::cast_slice(&velocity),
                preferred: bytemuck::cast_slice(&preferred),
                radius: &radius,
                progress: &known,
                wants: &wants,
            };
            let bits = |way: Vec2| way.to_array().map(f32::to_bits);
            let expected: Vec<[u32; 2]> = (0..agents.len()).map(|row| bits(bias_one(&columns, row))).collect();
            for level in Level::available() {
                let mut turned = vec![Vec2::NAN; agents.len()];
                bias_at(level, columns, &mut turned);
                let found: Vec<[u32; 2]> = turned.iter().copied().map(bits).collect();
                prop_assert!(found == expected, "{:?}, {} agents, k {}", level, agents.len(), k);
            }
        }
    }

    #[test]
    fn who_is_opposed_keeps_right_even_where_the_room_is_left() {
        let grid = Grid::open_plain(Lattice::new(16, 16, 1.0).unwrap());
        let layer = clearance(&grid);
        // One to the right (down) of the first; only the room tells against turning there.
        let position = [Vec2::new(8.0, 8.0), Vec2::new(8.2, 9.0)];
        let turned = |preferred: [Vec2; 2]| {
            let mut near = Near::default();
            let mut index = Index::new(IndexKind::Grid);
            let bodies = Bodies::new(bytemuck::cast_slice(&position), &[0.5; 2], &[0, 1]);
            index.rebuild(bodies).unwrap();
            neighbours(&index, bodies, 8, 5.0, &mut near);
            let mut turned = [Vec2::ZERO; 2];
            let still = [Vec2::ZERO; 2];
            let params = Bias { side: 4.0, ..Bias::default() };
            let columns = AgentColumns {
                position: &position,
                velocity: &still,
                preferred_velocity: &preferred,
                radius: &[0.5; 2],
                top_speed: &[2.0; 2],
                weight: &[1.0; 2],
                progress: &[0.0; 2],
                slot: &[0, 1],
            };
            let view = AgentView::new(0.1, &grid, &layer, columns, &near).unwrap();
            bias(params, &view, &[true; 2], &mut turned);
            turned[0]
        };
        assert!(turned([Vec2::X, Vec2::X]).y < -0.1, "to the left, where the room is");
        assert!(turned([Vec2::X, Vec2::NEG_X]).y > 0.1, "to the right");
    }
}
