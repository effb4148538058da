//! Which entries a block of cells needs.

use super::blocks::{BlockEntry, Blocks, SIDE};
use super::hubs::HubLabels;
use super::label_entry::UNREACHED;
use super::subgoals::Subgoals;
use super::walk::{Runs, Turns, walk};
use crate::jps::place::Place;
use crate::{Estimate, Octile};
use throng_grid::Lattice;

/// Cells of a block, a bit each in a mask.
const CELLS: usize = (SIDE * SIDE) as usize;

/// Costs of the cells of a block. They are compared as signed numbers, which processors do in fewer instructions.
type Costs = [i32; CELLS];

/// More than any cost.
const NONE: i32 = UNREACHED as i32;

/// Makes one block after the other.
#[derive(Debug)]
pub(super) struct BlockBuilder<'a> {
    lattice: Lattice,
    all: &'a Subgoals<'a>,
    labels: &'a HubLabels,
    /// The subgoals that cells of the block see, and what it costs to walk there.
    seen: Vec<(u32, Costs)>,
    /// The place of a subgoal among them.
    slot: Vec<u32>,
    /// The hubs of their labels.
    hubs: Vec<u16>,
    /// For each hub the places of those that know it, and the costs from there.
    by_hub: Vec<Vec<(u32, u32)>>,
    /// The least costs of each cell to the hubs so far, and the place of a hub among them.
    least: Vec<Costs>,
    least_of: Vec<u32>,
    vias: Vec<Via>,
    /// For each hub the vias that know it, and the costs from there.
    via_by_hub: Vec<Vec<(u32, u32)>>,
    via_hubs: Vec<u16>,
    /// The work since the last count.
    work: u64,
}

/// A subgoal over which entries of the block lead.
#[derive(Debug)]
struct Via {
    subgoal: u32,
    /// Costs to walk there on a map without walls.
    octile: Costs,
    /// The cells that were looked at, of these the ones that can walk so, and of these the ones that an entry counts for.
    tested: u64,
    walks: u64,
    used: u64,
}

const NO_SLOT: u32 = u32::MAX;

impl<'a> BlockBuilder<'a> {
    /// The work to go through the costs of all cells of the block once.
    const WORK_OF_COSTS: u64 = 4;

    /// The same for a comparison with another hub's, which may lie far off in memory.
    const WORK_OF_COMPARISON: u64 = 7;

    /// The work to make a mask of the cells that fit.
    const WORK_OF_MASK: u64 = 12;

    /// The work to find a via.
    const WORK_OF_VIA: u64 = 256;

    pub(super) fn new(lattice: Lattice, all: &'a Subgoals<'a>, labels: &'a HubLabels) -> Self {
        let count = labels.hubs.len();
        Self {
            lattice,
            all,
            labels,
            seen: Vec::new(),
            slot: vec![NO_SLOT; count],
            hubs: Vec::new(),
            by_hub: vec![Vec::new(); count],
            least: Vec::new(),
            least_of: vec![NO_SLOT; count],
            vias: Vec::new(),
            via_by_hub: vec![Vec::new(); count],
            via_hubs: Vec::new(),
            work: 0,
        }
    }

    /// Adds the block of a column and row of blocks.
    pub(super) fn add_block(&mut self, column: u32, row: u32, blocks: &mut Blocks) {
        blocks.begin();
        let corner = Place { x: column * SIDE + 1, y: row * SIDE + 1 };
        self.see(corner);
        self.sort_by_hub();
        for i in 0..self.hubs.len() {
            let hub = self.hubs[i];
            let least = self.least_costs(hub);
            let mut left = self.undominated(hub, &least);
            while left != 0 {
                let Some((via, cost, cells)) = self.best_via(corner, hub, &least, left) else {
                    self.add_via(corner, hub, &least, left);
                    continue;
                };
                self.vias[via as usize].used |= cells;
                blocks.add_entry(BlockEntry { cost, hub, via: via as u16 });
                left &= !cells;
            }
            self.least_of[usize::from(hub)] = self.least.len() as u32;
            self.least.push(least);
        }
        for via in &self.vias {
            blocks.add_via(via.used, self.all.places[via.subgoal as usize], via.subgoal);
        }
        self.clear();
    }

    /// The work since the last call.
    pub(super) fn take_work(&mut self) -> u64 {
        std::mem::take(&mut self.work)
    }

    fn clear(&mut self) {
        for (subgoal, _) in self.seen.drain(..) {
            self.slot[subgoal as usize] = NO_SLOT;
        }
        for hub in self.hubs.drain(..) {
            self.by_hub[usize::from(hub)].clear();
            self.least_of[usize::from(hub)] = NO_SLOT;
        }
        for hub in self.via_hubs.drain(..) {
            self.via_by_hub[usize::from(hub)].clear();
        }
        self.least.clear();
        self.vias.clear();
    }

    /// Finds the subgoals that the cells of the block see.
    fn see(&mut self, corner: Place) {
        let Self { lattice, all, seen, slot, .. } = self;
        for bit in 0..CELLS as u32 {
            let place = cell_of(corner, bit);
            if place.x > lattice.width || place.y > lattice.height || all.terrain().moves(place) == 0 {
                continue;
            }
            all.each_near(place, |subgoal, cost| {
                let slot = &mut slot[subgoal as usize];
                if *slot == NO_SLOT {
                    *slot = seen.len() as u32;
                    seen.push((subgoal, [NONE; CELLS]));
                }
                let least = &mut seen[*slot as usize].1[bit as usize];
                *least = (cost as i32).min(*least);
            });
        }
    }

    fn sort_by_hub(&mut self) {
        for (slot, &(subgoal, _)) in (0..).zip(&self.seen) {
            for entry in &self.labels.labels[subgoal as usize] {
                let known = &mut self.by_hub[usize::from(entry.hub)];
                if known.is_empty() {
                    self.hubs.push(entry.hub);
                }
                known.push((slot, entry.cost));
            }
        }
        self.hubs.sort_unstable();
    }

    /// The least costs from each cell to a hub.
    fn least_costs(&mut self, hub: u16) -> Costs {
        let mut least = [NONE; CELLS];
        self.work += self.by_hub[usize::from(hub)].len() as u64 * Self::WORK_OF_COSTS;
        for &(slot, rest) in &self.by_hub[usize::from(hub)] {
            for (least, &cost) in least.iter_mut().zip(&self.seen[slot as usize].1) {
                *least = (cost + rest as i32).min(*least);
            }
        }
        least
    }

    /// The cells that come to a hub, and of which no more important hub lies on a shortest way there.
    fn undominated(&mut self, hub: u16, least: &Costs) -> u64 {
        let mut alive: Costs = std::array::from_fn(|i| -i32::from(least[i] < NONE));
        let own = self.labels.hubs[usize::from(hub)];
        for (i, entry) in self.labels.labels[usize::from(own)].iter().enumerate() {
            if entry.hub == hub {
                break;
            }
            let slot = self.least_of[usize::from(entry.hub)];
            if slot == NO_SLOT {
                continue;
            }
            self.work += Self::WORK_OF_COMPARISON;
            for ((alive, &over), &least) in alive.iter_mut().zip(&self.least[slot as usize]).zip(least) {
                *alive &= -i32::from(over + entry.cost as i32 > least);
            }
            if i % 2 == 1 && alive.iter().fold(0, |any, &alive| any | alive) == 0 {
                return 0;
            }
        }
        mask(|i| alive[i] != 0)
    }

    /// The via that most of the cells left can use: its number, the cost from there, and those cells.
    fn best_via(&mut self, corner: Place, hub: u16, least: &Costs, left: u64) -> Option<(u32, u32, u64)> {
        let mut best = None;
        let mut most = 0;
        self.work += self.via_by_hub[usize::from(hub)].len() as u64 * Self::WORK_OF_MASK;
        for &(number, cost) in &self.via_by_hub[usize::from(hub)] {
            let via = &mut self.vias[number as usize];
            let mut fit = mask(|i| via.octile[i] + cost as i32 == least[i]) & left;
            if fit.count_ones() <= most {
                continue;
            }
            let to = self.all.places[via.subgoal as usize];
            let mut untested = fit & !via.tested;
            via.tested |= untested;
            while untested != 0 {
                let bit = untested.trailing_zeros();
                untested &= untested - 1;
                if walk(self.all, cell_of(corner, bit), to, &mut Turns::default()) {
                    via.walks |= 1 << bit;
                }
            }
            fit &= via.walks;
            if fit.count_ones() > most {
                most = fit.count_ones();
                best = Some((number, cost, fit));
            }
        }
        best
    }

    /// Adds a via for the first cell left: the farthest subgoal on a way to the hub to which it can walk.
    fn add_via(&mut self, corner: Place, hub: u16, least: &Costs, left: u64) {
        let bit = left.trailing_zeros() as usize;
        let from = cell_of(corner, bit as u32);
        let nearest_hub = self.by_hub[usize::from(hub)]
            .iter()
            .filter(|&&(slot, rest)| self.seen[slot as usize].1[bit] + rest as i32 == least[bit])
            .min_by_key(|&&(_, rest)| rest);
        let mut subgoal = nearest_hub.map_or(0, |&(slot, _)| self.seen[slot as usize].0);
        let mut place = self.labels.find(subgoal, hub).unwrap_or_default();
        let mut turns = Turns::default();
        loop {
            let entry = self.labels.labels[subgoal as usize][place];
            let (next, next_place) = (u32::from(entry.next), usize::from(entry.place));
            let rest = self.labels.labels[next as usize][next_place].cost;
            let to = self.all.places[next as usize];
            if next == subgoal || octile(from, to) + rest as i32 != least[bit] || !walk(self.all, from, to, &mut turns)
            {
                break;
            }
            (subgoal, place) = (next, next_place);
        }
        let to = self.all.places[subgoal as usize];
        let number = self.vias.len() as u32;
        self.vias.push(Via {
            subgoal,
            octile: std::array::from_fn(|i| octile(cell_of(corner, i as u32), to)),
            tested: 1 << bit,
            walks: 1 << bit,
            used: 0,
        });
        let label = &self.labels.labels[subgoal as usize];
        self.work += Self::WORK_OF_VIA + 2 * label.len() as u64;
        for entry in label {
            let known = &mut self.via_by_hub[usize::from(entry.hub)];
            if known.is_empty() {
                self.via_hubs.push(entry.hub);
            }
            known.push((number, entry.cost));
        }
    }
}

/// The cell of a bit.
#[inline]
fn cell_of(corner: Place, bit: u32) -> Place {
    Place { x: corner.x + bit % SIDE, y: corner.y + bit / SIDE }
}

#[inline]
fn octile(from: Place, to: Place) -> i32 {
    Octile::cost(from.x.abs_diff(to.x), from.y.abs_diff(to.y)) as i32
}

/// A bit for each cell: all are told first, in bytes, and then brought together.
#[inline]
fn mask(is_set: impl Fn(usize) -> bool) -> u64 {
    let bytes: [u8; CELLS] = std::array::from_fn(|i| u8::from(is_set(i)));
    let (eights, _) = bytes.as_chunks::<8>();
    let bits = |eight: &[u8; 8]| u64::from_le_bytes(*eight).wrapping_mul(0x0102_0408_1020_4080) >> 56;
    eights.iter().rev().fold(0, |mask, eight| mask << 8 | bits(eight))
}
