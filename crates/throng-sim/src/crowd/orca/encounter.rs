//! The half-planes of sixteen agents at once.

use super::program::{Borders, Stuck, nearest};
use super::walls::{Around, Ground, Walker};
use crate::crowd::AgentView;
use crate::crowd::apart::apart;
use crate::crowd::gap::{Companions, GapRows};
use crate::crowd::simd_batch::{Lists, Vectors, alike, batch_of};
use std::ops::Range;
use throng_grid::geom::Vec2;
use throng_grid::walls::free_radius;
use throng_spatial::Near;
use throng_spatial::simd::{Kernel, LANES, Lanes};

/// The columns of the agents.
#[derive(Clone, Copy)]
pub(super) struct Columns<'a> {
    pub(super) position: &'a [[f32; 2]],
    pub(super) velocity: &'a [[f32; 2]],
    pub(super) preferred: &'a [[f32; 2]],
    pub(super) radius: &'a [f32],
    pub(super) top_speed: &'a [f32],
    pub(super) weight: &'a [f32],
    pub(super) slot: &'a [u32],
    /// All have the same radius and the same weight.
    pub(super) all_alike: bool,
}

impl<'a> Columns<'a> {
    pub(super) fn of(view: &AgentView<'a>) -> Self {
        let AgentView { position, velocity, preferred_velocity, radius, top_speed, weight, slot, .. } = *view;
        Self {
            position: bytemuck::cast_slice(position),
            velocity: bytemuck::cast_slice(velocity),
            preferred: bytemuck::cast_slice(preferred_velocity),
            radius,
            top_speed,
            weight,
            slot,
            all_alike: alike(radius) && alike(weight),
        }
    }
}

/// How soon agents must be clear of each other (1/s).
#[derive(Clone, Copy)]
pub(super) struct Times {
    /// For agents apart.
    pub(super) per_horizon: f32,
    /// For agents that overlap.
    pub(super) per_step: f32,
}

/// Solves for a batch of agents, from row `first` on: `K` neighbours at most, and `M` lines with those of walls.
pub(super) struct Batch<'a, const K: usize, const M: usize> {
    pub(super) times: Times,
    pub(super) ground: Ground<'a>,
    pub(super) columns: Columns<'a>,
    pub(super) near: &'a Near,
    /// The rows that go by gaps, where there are any.
    pub(super) gap: Option<GapRows<'a>>,
    pub(super) first: usize,
    pub(super) next: &'a mut [[f32; 2]],
}

#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
impl<const K: usize, const M: usize> Kernel for Batch<'_, K, M> {
    type Output = ();

    #[inline(always)]
    fn run<L: Lanes>(self, lanes: L) {
        let Self { times, ground, columns, near, gap, first: beginning, next } = self;
        let mut lists = Lists::<K>::new();
        let mut lines = [Borders::NONE; M];
        let mut around = Around::default();
        let mut stuck = Stuck::<K, M>::new();
        let mut first = beginning;
        while first < beginning + next.len() {
            let len = LANES.min(beginning + next.len() - first);
            lists.fill(lanes, near, first, len);
            let walled = walls(lanes, ground, &columns, &mut around, first, &mut lines);
            half_planes(lanes, times, &columns, &lists, gap.as_ref(), (first, len), &mut lines[walled..]);
            let top_speeds = batch_of(columns.top_speed, first, len);
            let top_speed = lanes.load(&top_speeds);
            let (x, y) = lanes.split(&batch_of(columns.preferred, first, len));
            let takes_part = ((1_u32 << len) - 1) as u16;
            let (best, failed) = nearest(lanes, &lines[..walled + lists.len], takes_part, top_speed, Vectors { x, y });
            let best = best.store(lanes);
            for (lane, next) in next[first - beginning..][..len].iter_mut().enumerate() {
                *next = [best[0][lane], best[1][lane]];
            }
            let mut left = failed.lanes;
            while left != 0 {
                let lane = left.trailing_zeros() as usize;
                left &= left - 1;
                let (walls, lines) = lines.split_at(walled);
                let lines = &lines[..near.of(first + lane).len()];
                let velocity = [best[0][lane], best[1][lane]];
                // Walls can only fail by rounding.
                let broken = failed.first[lane].saturating_sub(walled as u16);
                stuck.push(lane, walls, lines, broken, velocity, top_speeds[lane], (first + lane) as u32);
                if stuck.len == LANES {
                    free(lanes, &mut stuck, beginning, next);
                }
            }
            first += LANES;
        }
        if stuck.len > 0 {
            free(lanes, &mut stuck, beginning, next);
        }
    }
}

/// Solves for the lanes to which no velocity is permitted.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn free<L: Lanes, const K: usize, const M: usize>(
    lanes: L,
    stuck: &mut Stuck<K, M>,
    beginning: usize,
    next: &mut [[f32; 2]],
) {
    let len = stuck.len;
    let best = stuck.solve(lanes);
    for (lane, &row) in stuck.row[..len].iter().enumerate() {
        next[row as usize - beginning] = [best[0][lane], best[1][lane]];
    }
}

/// Writes the half-planes of walls, and says how many lines they take: mostly none.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn walls<L: Lanes>(
    lanes: L,
    ground: Ground<'_>,
    columns: &Columns<'_>,
    around: &mut Around,
    first: usize,
    lines: &mut [Borders],
) -> usize {
    let len = LANES.min(columns.slot.len() - first);
    let (x, y) = lanes.split(&batch_of(columns.position, first, len));
    let radius = lanes.load(&batch_of(columns.radius, first, len));
    let top_speed = lanes.load(&batch_of(columns.top_speed, first, len));
    let reach = radius + top_speed * lanes.splat(ground.horizon);
    // By one look at the clearance for all: none has less room than the first less the way from it.
    let [own_x, own_y] = columns.position[first];
    let way = Vectors::<L> { x, y } - Vectors { x: lanes.splat(own_x), y: lanes.splat(own_y) };
    let way = lanes.sqrt(way.dot(way));
    let room = lanes.splat(free_radius(ground.clearance, Vec2::new(own_x, own_y)));
    let free = lanes.bits(lanes.at_most(reach + way, room));
    let all = ((1_u32 << len) - 1) as u16;
    if free & all == all {
        return 0;
    }
    walls_each(ground, columns, around, first..first + len, lines)
}

/// Writes the half-planes of the walls of each row, and says how many lines they take.
fn walls_each(
    ground: Ground<'_>,
    columns: &Columns<'_>,
    around: &mut Around,
    rows: Range<usize>,
    lines: &mut [Borders],
) -> usize {
    let mut most = 0;
    for (lane, row) in rows.enumerate() {
        let walker = Walker {
            place: columns.position[row].into(),
            velocity: columns.velocity[row].into(),
            preferred: columns.preferred[row].into(),
            radius: columns.radius[row],
            top_speed: columns.top_speed[row],
        };
        let own = around.lines(ground, walker);
        if own.len() > most {
            lines[most..own.len()].fill(Borders::NONE);
            most = own.len();
        }
        for (line, own) in lines.iter_mut().zip(own) {
            for axis in 0..2 {
                line.point[axis][lane] = own.point[axis];
                line.direction[axis][lane] = own.direction[axis];
            }
        }
    }
    most
}

/// Writes the half-plane of each neighbour.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn half_planes<L: Lanes, const K: usize>(
    lanes: L,
    times: Times,
    columns: &Columns<'_>,
    lists: &Lists<K>,
    gap: Option<&GapRows<'_>>,
    (first, len): (usize, usize),
    lines: &mut [Borders],
) {
    let (x, y) = lanes.split(&batch_of(columns.position, first, len));
    let position = Vectors { x, y };
    let (x, y) = lanes.split(&batch_of(columns.velocity, first, len));
    let velocity = Vectors { x, y };
    let own_radius = lanes.load(&batch_of(columns.radius, first, len));
    let own_weight = lanes.load(&batch_of(columns.weight, first, len));
    let mut radius = own_radius + own_radius;
    let mut duty = own_weight / (own_weight + own_weight);
    let companions = gap.and_then(|gap| {
        let (x, y) = lanes.split(&batch_of(columns.preferred, first, len));
        Companions::of(lanes, gap, lists, (first, len), (velocity, Vectors { x, y }, own_radius), times.per_step)
    });
    let others = times.per_horizon;
    let per_horizon = companions.as_ref().map_or(lanes.splat(others), |own| own.per_horizon(lanes, others));
    // All are fetched before one is worked out: so many loads between would keep the processor from seeing far enough
    // ahead to work on several at once.
    for (lines, rows) in lines.iter_mut().zip(&lists.rows[..lists.len]) {
        let (x, y) = lanes.gather_points(columns.position, rows);
        lines.point = (Vectors { x, y } - position).store(lanes);
        let (x, y) = lanes.gather_points(columns.velocity, rows);
        lines.direction = (velocity - Vectors { x, y }).store(lanes);
    }
    for (rank, lines) in lines[..lists.len].iter_mut().enumerate() {
        let rows = &lists.rows[rank];
        let to = Vectors::load(lanes, &lines.point);
        let approach = Vectors::load(lanes, &lines.direction);
        if !columns.all_alike {
            radius = own_radius + lanes.gather(columns.radius, rows);
            // The rest of the change is the neighbour's duty.
            let weight = lanes.gather(columns.weight, rows);
            duty = weight / (own_weight + weight);
        }
        let Encounter { direction, change, undefined } =
            encounter(lanes, (per_horizon, times.per_step), to, approach, radius);
        let (mut point, mut direction, mut undefined) = (velocity + change * duty, direction, undefined);
        if let Some(companions) = &companions {
            let (same, border) = companions.half_plane(lanes, rank, (to, approach, radius));
            (point, direction) = (border[0].or(lanes, same, point), border[1].or(lanes, same, direction));
            undefined = undefined & !same;
        }
        let has = lanes.mask(lists.has[rank]);
        let none = Vectors { x: lanes.splat(0.0), y: lanes.splat(0.0) };
        *lines = Borders {
            point: point.or(lanes, has, none).store(lanes),
            direction: direction.or(lanes, has, none).store(lanes),
        };
        let undefined = lanes.bits(undefined) & lists.has[rank];
        if undefined != 0 {
            escape(times, columns, lists.rows[rank], first, undefined, lines);
        }
    }
}

/// Of each lane, how it must change its velocity relative to its neighbour's.
struct Encounter<L: Lanes> {
    /// The direction of the border of the velocity obstacle at its point nearest to the relative velocity.
    direction: Vectors<L>,
    /// The change that leads there.
    change: Vectors<L>,
    /// Lanes where that point is not defined: both stand on one point, with one velocity.
    undefined: L::Mask,
}

/// `position` leads to the neighbour (m), `velocity` is relative to its own (m/s), `radius` the sum of both (m).
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn encounter<L: Lanes>(
    lanes: L,
    (per_horizon, per_step): (L::Numbers, f32),
    position: Vectors<L>,
    velocity: Vectors<L>,
    radius: L::Numbers,
) -> Encounter<L> {
    let zero = lanes.splat(0.0);
    let squared = position.dot(position);
    let radius_squared = radius * radius;
    let overlap = lanes.at_most(squared, radius_squared);
    // The obstacle is a cone whose tip is cut off by a disc: that of all velocities which collide at the horizon, or, for
    // agents that overlap already, after this step.
    let per_time = lanes.select(overlap, lanes.splat(per_step), per_horizon);
    let w = velocity - position * per_time;
    let along = w.dot(position);
    let w_squared = w.dot(w);
    let before = lanes.less(along, zero) & lanes.less(radius_squared * w_squared, along * along);
    let cut = overlap | before;
    // Roots and divisions are dear: those of the disc and of the cone are worked out together.
    let root = lanes.sqrt(lanes.select(cut, w_squared, squared - radius_squared));
    let right = lanes.less(zero, position.cross(w));
    let side = lanes.select(right, lanes.splat(1.0), lanes.splat(-1.0));
    let ratio = lanes.select(cut, w.x, side) / lanes.select(cut, root, squared);
    // The disc.
    let (length, normal) = (root, Vectors::<L> { x: ratio, y: w.y / root });
    let depth = radius * per_time - length;
    // The nearest leg of the cone.
    let (leg, scale) = (root, ratio);
    let x = position.x * leg;
    let y = position.y * leg;
    let (across_x, across_y) = (position.x * radius, position.y * radius);
    let side_x = lanes.select(right, across_x, -across_x);
    let side_y = lanes.select(right, across_y, -across_y);
    let direction = Vectors { x: x - side_y, y: side_x + y } * scale;
    let change = direction * velocity.dot(direction) - velocity;
    Encounter {
        direction: Vectors::<L> { x: normal.y, y: -normal.x }.or(lanes, cut, direction),
        change: (normal * depth).or(lanes, cut, change),
        undefined: cut & !lanes.less(lanes.splat(1e-9), length),
    }
}

/// Writes the half-planes of agents on one point: away from each other.
#[cold]
fn escape(times: Times, columns: &Columns<'_>, rows: [u32; LANES], first: usize, undefined: u16, lines: &mut Borders) {
    for lane in (0..LANES).filter(|lane| undefined >> lane & 1 == 1) {
        let (own, other) = (first + lane, rows[lane] as usize);
        let normal = apart(columns.slot[own], columns.slot[other]);
        let change = normal * ((columns.radius[own] + columns.radius[other]) * times.per_step);
        let duty = columns.weight[other] / (columns.weight[own] + columns.weight[other]);
        for (axis, direction) in [normal.y, -normal.x].into_iter().enumerate() {
            lines.point[axis][lane] = columns.velocity[own][axis] + change[axis] * duty;
            lines.direction[axis][lane] = direction;
        }
    }
}
