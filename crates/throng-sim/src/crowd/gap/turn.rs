//! Turning by rule: past those that come, behind those that cross, round those that are slower.

use super::{Gap, PERSON};
use crate::crowd::AgentView;
use crate::crowd::models::Rows;
use crate::crowd::simd_batch::{BATCH_AGENTS, Lists, Vectors, batch_of, lanes_where};
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;
use throng_grid::geom::Vec2;
use throng_spatial::Near;
use throng_spatial::simd::{Kernel, LANES, Lanes, Level};

/// So far it looks (m).
pub(super) const SEES: f32 = 3.0;

/// It minds those ahead, within an angle of this cosine.
pub(super) const AHEAD: f32 = 0.2;

/// One comes where both headings have a cosine below this, and crosses where it is below [`CROSSES`].
pub(super) const COMES: f32 = -0.3;

/// See [`COMES`].
pub(super) const CROSSES: f32 = 0.5;

/// One that comes so far to its right (m) is passed on the left.
pub(super) const RIGHT: f32 = 0.25;

/// So far aside (m) one that comes is minded.
pub(super) const ASIDE_COMING: f32 = 1.2;

/// Those that cross are minded so near (m).
pub(super) const CROSSING: f32 = 1.5;

/// So far aside (m) one that is slower is minded.
pub(super) const ASIDE_SLOWER: f32 = 0.8;

/// No one counts as slower by more than this (m/s).
pub(super) const MOST_SLOWER: f32 = 0.5;

/// It turns by so much to a lane that is a metre aside.
pub(super) const PER_LANE: f32 = 0.5;

/// Writes `turned`: the preferred velocities (m/s) of the chosen rows, turned by at most 45° by the rules of people that walk, and of all
/// others as they are. They bear `aside` to a lane (m, in lengths of people).
///
/// The same on any number of threads. O(neighbours) an agent, sixteen at a time.
///
/// # Panics
/// Where the view has no headings, or `aside` has another length.
pub fn turn(params: Gap, view: &AgentView<'_>, aside: &[f32], rows: Rows<'_>, turned: &mut [Vec2]) {
    turn_at(Level::detect(), params, view, aside, rows, turned);
}

pub(super) fn turn_at(
    level: Level,
    params: Gap,
    view: &AgentView<'_>,
    aside: &[f32],
    rows: Rows<'_>,
    turned: &mut [Vec2],
) {
    let len = view.position.len();
    assert!(view.heading.len() == len && aside.len() == len, "columns differ in length");
    let columns = Columns {
        params,
        rows,
        near: view.near,
        position: bytemuck::cast_slice(view.position),
        velocity: bytemuck::cast_slice(view.velocity),
        preferred: bytemuck::cast_slice(view.preferred_velocity),
        heading: bytemuck::cast_slice(view.heading),
        radius: view.radius,
        aside,
    };
    turned.par_chunks_mut(BATCH_AGENTS).enumerate().for_each(|(batch, turned)| {
        let (first, turned) = (batch * BATCH_AGENTS, bytemuck::cast_slice_mut(turned));
        // Room is set up for each batch, so it is no larger than need be.
        if view.near.k() <= 16 {
            level.run(Batch::<16> { columns, first, turned });
        } else {
            level.run(Batch::<{ Near::MAX_K }> { columns, first, turned });
        }
    });
}

#[derive(Clone, Copy)]
struct Columns<'a> {
    params: Gap,
    rows: Rows<'a>,
    near: &'a Near,
    position: &'a [[f32; 2]],
    velocity: &'a [[f32; 2]],
    preferred: &'a [[f32; 2]],
    heading: &'a [[f32; 2]],
    radius: &'a [f32],
    aside: &'a [f32],
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
        for turned in turned.chunks_mut(LANES) {
            let len = turned.len();
            let (x, y) = lanes.split(&batch_of(columns.preferred, first, len));
            let preferred = Vectors::<L> { x, y };
            let own = lanes_where(len, |lane| columns.rows.has(first + lane));
            let goes = lanes.mask(own) & lanes.less(lanes.splat(1e-12), preferred.dot(preferred));
            let mut new = preferred;
            if lanes.bits(goes) != 0 {
                lists.fill(lanes, columns.near, first, len);
                new = turn_batch(lanes, &columns, &lists, (first, len), preferred).or(lanes, goes, preferred);
            }
            new.write(lanes, turned);
            first += LANES;
        }
    }
}

/// The preferred velocities of sixteen agents, turned.
#[allow(clippy::inline_always, reason = "must be compiled anew for each instruction set")]
#[inline(always)]
fn turn_batch<L: Lanes, const K: usize>(
    lanes: L,
    columns: &Columns<'_>,
    lists: &Lists<K>,
    (first, len): (usize, usize),
    preferred: Vectors<L>,
) -> Vectors<L> {
    let Gap { side, behind, pass, ahead: to_lane, .. } = columns.params;
    let (zero, one, tiny) = (lanes.splat(0.0), lanes.splat(1.0), lanes.splat(1e-6));
    let batch = |column: &[[f32; 2]]| {
        let (x, y) = lanes.split(&batch_of(column, first, len));
        Vectors::<L> { x, y }
    };
    let clamped = |x: L::Numbers, low: L::Numbers, high: L::Numbers| lanes.min(lanes.max(x, low), high);
    let (own, velocity, heading) = (batch(columns.position), batch(columns.velocity), batch(columns.heading));
    let right = Vectors::<L> { x: zero - heading.y, y: heading.x };
    // Lengths are those of people.
    let per_scale = lanes.splat(PERSON) / lanes.max(lanes.load(&batch_of(columns.radius, first, len)), tiny);
    let wish = lanes.max(lanes.sqrt(preferred.dot(preferred)), tiny);
    let speed = lanes.sqrt(velocity.dot(velocity));
    let flows = clamped((speed + speed) / wish - one, zero, one);
    let mut aside = lanes.load(&batch_of(columns.aside, first, len)) * lanes.splat(to_lane * PER_LANE);
    for (rows, &has) in lists.rows.iter().zip(&lists.has).take(lists.len) {
        let (x, y) = lanes.gather_points(columns.position, rows);
        let way = (Vectors { x, y } - own) * per_scale;
        let (x, y) = lanes.gather_points(columns.velocity, rows);
        let theirs = Vectors::<L> { x, y };
        let (x, y) = lanes.gather_points(columns.heading, rows);
        let goes = Vectors::<L> { x, y };
        let distance = lanes.max(lanes.sqrt(way.dot(way)), tiny);
        let ahead = way.dot(heading) / distance;
        let minds = lanes.mask(has) & lanes.at_most(lanes.splat(AHEAD), ahead);
        let weight = lanes.max(one - distance * lanes.splat(1.0 / SEES), zero) * ahead;
        let off = way.dot(right);
        let along = goes.dot(heading);
        let stands = lanes.less(goes.dot(goes), lanes.splat(0.5));
        // To the right of those that come, unless they are clearly to the right.
        let to_left = lanes.less(lanes.splat(RIGHT), off);
        let beside = one - lanes.min(lanes.abs(off) * lanes.splat(1.0 / ASIDE_COMING), one);
        let coming = lanes.select(to_left, lanes.splat(-side), lanes.splat(side)) * beside;
        // Behind those that cross.
        let near = lanes.less(distance, lanes.splat(CROSSING));
        let crossing = lanes.select(near, lanes.splat(-behind) * goes.dot(right), zero);
        // Round those that go the same way, but slower, or stand.
        let slower = clamped(wish - theirs.dot(heading), zero, lanes.splat(MOST_SLOWER)) * flows;
        let beside = lanes.max(one - lanes.abs(off) * lanes.splat(1.0 / ASIDE_SLOWER), zero);
        let passing = lanes.select(lanes.less(zero, off), lanes.splat(-pass), lanes.splat(pass)) * slower * beside;
        let comes = lanes.less(along, lanes.splat(COMES)) & !stands;
        let crosses = lanes.less(along, lanes.splat(CROSSES)) & !stands & !comes;
        let turn = lanes.select(comes, coming, lanes.select(crosses, crossing, passing));
        aside = aside + lanes.select(minds, weight * turn, zero);
    }
    let aside = clamped(aside, lanes.splat(-1.0), one);
    let turned = preferred + right * (wish * aside);
    let length = lanes.max(lanes.sqrt(turned.dot(turned)), tiny);
    turned * (wish / length)
}
