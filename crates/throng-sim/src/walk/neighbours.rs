//! Lists of neighbours.

use super::Surroundings;
use crate::battle::army_layer;
use crate::crowd::sleepers::{Strands, Waking};
use crate::crowd::{AgentView, CHUNK, masks};
use crate::ids::ArmyId;
use rayon::iter::{IndexedParallelIterator, ParallelIterator};
use throng_spatial::{Bodies, Index, Near, SpatialIndex};

/// Writes `near`: for each body its `k` nearest others (at most [`Near::MAX_K`]) nearer than `reach` (m), sorted by
/// distance, then id.
///
/// Runs on the threads of the current rayon pool; the lists do not depend on how many there are, nor on the kind of
/// index. `index` must be built of `bodies`.
///
/// ```
/// use throng_sim::walk::neighbours::neighbours;
/// use throng_spatial::{Bodies, Index, IndexKind, Near, SpatialIndex};
/// let bodies = Bodies::new(&[[0.0, 0.0], [2.0, 0.0], [3.0, 0.0]], &[0.5; 3], &[0, 1, 2]);
/// let mut index = Index::new(IndexKind::Grid);
/// index.rebuild(bodies)?;
/// let mut near = Near::default();
/// neighbours(&index, bodies, 10, 2.5, &mut near);
/// assert_eq!(near.of(1), [2, 0]);
/// assert_eq!(near.of(0), [1]);
/// # Ok::<(), throng_spatial::SpatialError>(())
/// ```
pub fn neighbours(index: &Index, bodies: Bodies<2>, k: usize, reach: f32, near: &mut Near) {
    near.reset(bodies.len(), k.min(Near::MAX_K));
    near.par_stretches(CHUNK)
        .enumerate()
        .for_each(|(chunk, stretch)| index.neighbours(bodies, chunk * CHUNK, reach, stretch));
}

/// The rows of a stage by place and by slot.
pub(super) struct Lookup<'a> {
    /// How far neighbours are looked for (m).
    pub reach: f32,
    /// The index of the awake.
    pub index: &'a Index,
    /// The row of each slot, `u32::MAX` where there is none.
    pub row_of: &'a [u32],
    /// The army of each row.
    pub army: &'a [u8],
    /// Unit of each awake row, where agents ignore others.
    pub unit_of: &'a [u16],
    /// True for each row that wants to move.
    pub wants: &'a [bool],
    /// True for a row whose agent wakes others.
    pub own: &'a (dyn Fn(usize) -> bool + Sync),
}

/// Reads positions and the index; writes the lists of neighbours of the awake rows, which are the `bodies`, and notes the sleepers that the own rows
/// wake. Returns how many of these have sleepers near. Local.
pub(super) fn find(
    around: &Surroundings<'_>,
    view: &AgentView<'_>,
    lookup: &Lookup<'_>,
    bodies: Bodies<'_, 2>,
    near: &mut Near,
    woken: &mut Vec<u32>,
    strands: &mut Strands,
) -> usize {
    let Surroundings { usage, units, slots, .. } = *around;
    let (k, reach) = (around.avoidance.orca.k, lookup.reach);
    // Twice as many as are wanted where some will be ignored.
    let asked = if usage.masked { 2 * k } else { k };
    neighbours(lookup.index, bodies, asked, reach, near);
    let unit = |row: usize| &units[usize::from(slots.unit[view.slot[row] as usize])];
    let layers = |row: usize| unit(row).layers | army_layer(ArmyId(lookup.army[row]));
    let minds = |sleeper: usize, other: usize| !usage.masked || unit(sleeper).ignores & layers(other) == 0;
    let waking = Waking { sleep: around.sleep, reach, wants: lookup.wants, own: lookup.own, minds };
    let beside = around.sleepers.join(view, lookup.row_of, &waking, near, woken, strands);
    if usage.masked {
        masks::masks(k, layers, |row| units[usize::from(lookup.unit_of[row])].ignores, near);
    }
    beside
}
