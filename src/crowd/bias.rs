//! Looking aside where progress fails.

use super::CHUNK;
use crate::geom::{Vec2, cross};
use crate::grid::walls::wall_near;
use crate::grid::{Grid, Layer};
use crate::spatial::Near;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

/// So far around it (in radii of its own) a blocked agent looks for room; nearer ones count more.
const LOOK: f32 = 6.0;

/// How a blocked agent looks aside.
///
/// ```
/// let bias = throng::crowd::Bias { amount: 1.0, ..Default::default() };
/// assert!(bias.side > 0.0);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Bias {
    /// How far it turns: by the arc tangent of this times the lack of progress. 0 not at all, 1 up to 45°, 2 up to 63°.
    /// Default 1. Without it crowds that meet head on jam; large values make detours.
    pub amount: f32,
    /// How much the room on either side counts beside the rule to turn right. 0: always to the right. Default 2: from
    /// the rim of a jam everybody turns to where it is empty, so that the jam dissolves; those who meet head on still
    /// turn right. Much more makes agents change their minds, and shake.
    pub side: f32,
    /// How much of the mean velocity of its neighbours a blocked agent takes into its wish. Default 0.7: it goes with the
    /// stream for a while, and lanes last. Much more carries it away from its goal.
    pub along: f32,
    /// For how long progress must fail before it counts (s): progress is taken as a mean that forgets at this rate.
    /// Default 0.4, so that a blow of one tick turns nobody, which shakes less. Long times let jams set.
    pub patience: f32,
}

impl Bias {
    /// Nobody looks aside.
    pub const OFF: Self = Self { amount: 0.0, side: 0.0, along: 0.0, patience: 0.0 };

    /// True where nobody looks aside.
    pub fn is_off(&self) -> bool {
        self.amount == 0.0 && self.along == 0.0
    }
}

impl Default for Bias {
    fn default() -> Self {
        Self { amount: 1.0, side: 2.0, along: 0.7, patience: 0.4 }
    }
}

/// Turns the wishes (m/s) of blocked agents aside, so that crowds that meet pass each other instead of jamming; writes
/// `progress`: the share of its wish that each agent has done of late. `step` is the length of a tick (s).
///
/// An agent that moves as it wished is left alone. One that does not is turned, the further the less progress it makes:
/// to its right, or to its left where its `near` neighbours and the nearest wall leave clearly more room there. Agents for which `wants` is
/// false are left alone too: those near their goal, say, where turning aside would make them circle it.
///
/// Runs on the threads of the current rayon pool with the same result on any number. Costs O(neighbours) for those who
/// are blocked.
///
/// ```
/// use throng::crowd::{Bias, bias::bias};
/// use throng::geom::Vec2;
/// use throng::spatial::Near;
/// use throng::grid::{Grid, Lattice, clearance::clearance};
/// let grid = Grid::open_plain(Lattice::new(16, 16, 1.0)?);
/// let mut near = Near::default();
/// near.reset(1, 6);
/// let (mut progress, mut wish) = ([0.0], [Vec2::X]);
/// let params = Bias { amount: 1.0, ..Bias::default() };
/// let (at, layer) = ([Vec2::splat(8.0)], clearance(&grid));
/// bias(params, &grid, &layer, 0.1, &at, &[Vec2::ZERO], &[0.5], &[true], &near, &mut progress, &mut wish);
/// assert!(wish[0].distance(Vec2::new(0.707, 0.707)) < 1e-3, "right is down where one looks along x");
/// # Ok::<(), throng::grid::LatticeError>(())
/// ```
#[expect(clippy::too_many_arguments, reason = "one argument a column")]
pub fn bias(
    params: Bias,
    grid: &Grid,
    clearance: &Layer<f32>,
    step: f32,
    position: &[Vec2],
    velocity: &[Vec2],
    radius: &[f32],
    wants: &[bool],
    near: &Near,
    progress: &mut [f32],
    wish: &mut [Vec2],
) {
    if params.is_off() {
        return;
    }
    let news = step / (step + params.patience);
    let columns = wish.par_chunks_mut(CHUNK).zip(progress.par_chunks_mut(CHUNK));
    columns.enumerate().for_each(|(chunk, (wish, progress))| {
        for (i, (wish, progress)) in wish.iter_mut().zip(progress).enumerate() {
            let row = chunk * CHUNK + i;
            let squared = wish.length_squared();
            if !wants[row] || squared <= 1e-12 {
                *progress = 1.0;
                continue;
            }
            // 1 where the agent moves as it wished, 0 where it stands.
            let now = (velocity[row].dot(*wish) / squared).clamp(0.0, 1.0);
            *progress += news * (now - *progress);
            let lack = 1.0 - *progress;
            if lack <= 0.0 {
                continue;
            }
            let look = LOOK * radius[row];
            let (mut room, mut stream, mut seen) = (Vec2::ZERO, Vec2::ZERO, 0.0);
            for &other in near.of(row) {
                let other = other as usize;
                let way = position[other] - position[row];
                let distance = way.length().max(1e-6);
                let weight = (1.0 - distance / look).max(0.0);
                room -= way * (weight / distance);
                stream += velocity[other] * weight;
                seen += weight;
            }
            if let Some(wall) = wall_near(grid, clearance, position[row], look - radius[row]) {
                let way = wall - position[row];
                let distance = way.length().max(1e-6);
                room -= way * ((1.0 - (distance + radius[row]) / look) / distance);
            }
            let right = (1.0 + params.side * cross(*wish, room) / squared.sqrt()).clamp(-1.0, 1.0);
            let t = params.amount * lack * right;
            let with_stream = if seen > 0.0 { *wish + stream * (params.along * lack / seen) } else { *wish };
            let turned = with_stream + Vec2::new(-with_stream.y, with_stream.x) * t;
            *wish = turned / (1.0 + t * t).sqrt();
        }
    });
}
