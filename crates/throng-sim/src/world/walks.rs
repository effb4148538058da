//! How far squads and armies have walked.

use super::parts::State;
use super::{Command, World};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};
use rayon::slice::ParallelSlice;
use std::sync::atomic::{AtomicU64, Ordering};
use throng_grid::geom::Vec2;

/// Agents whose ways one thread sums up before it takes the next ones.
const CHUNK: usize = 4096;

impl World {
    /// From now on, sums up how far each agent walks, for [`SquadStats::walked`](crate::battle::SquadStats::walked) of its squad and
    /// [`Army::walked`](super::Army::walked): the straight way of each tick, pushes by others included. Snapshots know that it
    /// is asked for. It costs O(agents awake) a tick, and changes nothing else.
    ///
    /// ```
    /// use throng_sim::battle::{Order, Unit};
    /// use throng_grid::geom::Vec2;
    /// # use throng_grid::{Grid, Lattice};
    /// # use throng_sim::world::{SquadSpec, Settings, World};
    /// # let mut world = World::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?), Settings::default())?;
    /// let (red, soldier) = (world.add_army("red")?, world.add_unit(Unit::default())?);
    /// let squad = world.spawn_squad(SquadSpec::new(red, soldier, &[Vec2::new(8.5, 8.5)]))?;
    /// world.order(squad, Order::GoTo(Vec2::new(24.5, 8.5)))?;
    /// world.count_walks();
    /// world.tick_until(|world| world.ticks() == 400)?;
    /// assert!((15.9..16.6).contains(&world.squads()[0].tally.metres()));
    /// # Ok::<(), throng_sim::world::WorldError>(())
    /// ```
    pub fn count_walks(&mut self) {
        self.log(|| Command::CountWalks);
        self.state.counts_walks = true;
    }

    /// Whether [`World::count_walks`] was asked for.
    pub fn counts_walks(&self) -> bool {
        self.state.counts_walks
    }
}

/// Reads positions; notes the places of awake agents before they move, where a later stage asks for them. Local.
pub(super) fn note_places(state: &State, stood: &mut Vec<Vec2>) {
    stood.clear();
    if state.counts_walks || !(state.shots.is_empty() && state.soldiers.morale.is_empty()) {
        let places = state.crowd.rows.position[..state.crowd.awake()].par_iter().with_min_len(CHUNK);
        places.copied().collect_into_vec(stood);
    }
}

/// Reads where agents stood and are; adds the way that each has walked in this tick to the sums of squads and armies. Global: whole
/// micrometres, so that it does not matter which is added first.
pub(super) fn sum(stood: &[Vec2], state: &mut State) {
    if !state.counts_walks {
        return;
    }
    let State { crowd, squads, armies, .. } = state;
    let awake = ..crowd.awake();
    // First the sums of the squads, then of agents in none, by army.
    let sums: Vec<AtomicU64> = (0..squads.len() + armies.len()).map(|_| AtomicU64::new(0)).collect();
    let add = |whose: usize, walked: u64| {
        if let Some(sum) = sums.get(whose).filter(|_| walked > 0) {
            sum.fetch_add(walked, Ordering::Relaxed);
        }
    };
    let rows = crowd.rows.slot[awake].par_chunks(CHUNK).zip(crowd.rows.army[awake].par_chunks(CHUNK));
    let ways = stood.par_chunks(CHUNK).zip(crowd.rows.position[awake].par_chunks(CHUNK));
    rows.zip(ways).for_each(|((slot, army), (from, to))| {
        // Neighbours are mostly of one squad.
        let (mut last, mut walked) = (0, 0);
        for (((&slot, &army), from), to) in slot.iter().zip(army).zip(from).zip(to) {
            let squad = crowd.slots.squad[slot as usize] as usize;
            let whose = if squad < squads.len() { squad } else { squads.len() + usize::from(army) };
            if whose != last {
                add(last, std::mem::take(&mut walked));
                last = whose;
            }
            walked += (f64::from(from.distance(*to)) * 1e6).round() as u64;
        }
        add(last, walked);
    });
    let mut sums = sums.into_iter().map(AtomicU64::into_inner);
    for (squad, walked) in squads.iter_mut().zip(&mut sums) {
        squad.tally.walked += walked;
        armies[squad.army.index()].walked += walked;
    }
    for (army, walked) in armies.iter_mut().zip(sums) {
        army.walked += walked;
    }
}
