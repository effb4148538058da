//! The agents that a subdomain moves, and the others that these see.

use crate::crowd::{AgentRows, Crowd};
use crate::walk::{WalkScratch, Walkers};
use throng_grid::geom::Vec2;
use throng_spatial::{Index, Near, SpatialError, SpatialIndex};

/// The agents in a box, which are its own, and the *ghosts* in a ring around it: columns, an index and lists of neighbours, in the
/// order of the rows of the world.
#[derive(Debug)]
pub(super) struct Window {
    rows: AgentRows,
    awake: usize,
    /// The row of each slot, `u32::MAX` where it is not in the window.
    row_of: Vec<u32>,
    /// The rows as they are numbered in the world.
    in_world: Vec<u32>,
    /// True for its own rows.
    own: Vec<bool>,
    index: Index,
    scratch: WalkScratch,
    woken: Vec<u32>,
}

impl Window {
    /// Empty, with an index.
    pub fn new(index: Index) -> Self {
        Self {
            rows: AgentRows::default(),
            awake: 0,
            row_of: Vec::new(),
            in_world: Vec::new(),
            own: Vec::new(),
            index,
            scratch: WalkScratch::default(),
            woken: Vec::new(),
        }
    }

    /// Takes the agents of the world that stand where it `owns` the ground (m), and those that stand where others `are_seen`.
    ///
    /// # Errors
    /// Where the index refuses them.
    pub fn gather(
        &mut self,
        crowd: &Crowd,
        owns: impl Fn(Vec2) -> bool,
        are_seen: impl Fn(Vec2) -> bool,
    ) -> Result<(), SpatialError> {
        self.in_world.clear();
        self.own.clear();
        self.awake = 0;
        for (row, &at) in crowd.rows.position.iter().enumerate() {
            let is_own = owns(at);
            if is_own || are_seen(at) {
                self.in_world.push(row as u32);
                self.own.push(is_own);
                self.awake += usize::from(row < crowd.awake());
            }
        }
        self.rows.gather(&crowd.rows, &self.in_world);
        self.row_of.clear();
        self.row_of.resize(crowd.slots.row_of.len(), u32::MAX);
        (0..).zip(&self.rows.slot).for_each(|(row, &slot)| self.row_of[slot as usize] = row);
        self.index.rebuild(self.rows.bodies(self.awake))
    }

    /// Takes the lists of neighbours, the headings and the wishes to move of the world. Ghosts at the rim lose the neighbours that are
    /// not in the window: nothing of what they do reaches an agent of its own.
    pub fn take_lists(&mut self, WalkScratch { near, wants, headings, .. }: &WalkScratch) {
        self.scratch.headings.clear();
        if !headings.is_empty() {
            self.scratch.headings.extend(self.in_world.iter().map(|&row| headings[row as usize]));
        }
        self.scratch.wants.clear();
        self.scratch.wants.extend(self.in_world.iter().map(|&row| wants[row as usize]));
        if near.is_empty() {
            return;
        }
        let mut places = vec![u32::MAX; wants.len()];
        (0..).zip(&self.in_world).for_each(|(place, &row)| places[row as usize] = place);
        self.scratch.near.reset(self.awake, near.k());
        let mut list = Vec::new();
        for (row, &in_world) in self.in_world[..self.awake].iter().enumerate() {
            let places = near.of(in_world as usize).iter().map(|&other| places[other as usize]);
            list.clear();
            list.extend(places.filter(|&place| place != u32::MAX));
            self.scratch.near.set(row, &list);
        }
    }

    /// Its columns, for the stages of a walk; and which rows are its own.
    pub fn walkers(&mut self) -> (Walkers<'_>, &[bool]) {
        let Self { rows, awake, row_of, own, index, scratch, woken, .. } = self;
        (Walkers { rows, awake: *awake, row_of, index, scratch, woken }, own)
    }

    /// True where the agent in a slot is in it.
    pub fn has(&self, slot: usize) -> bool {
        self.row_of[slot] != u32::MAX
    }

    /// The awake rows that are its own.
    pub fn own_rows(&self) -> impl Iterator<Item = usize> {
        (0..self.awake).filter(|&row| self.own[row])
    }

    /// The columns.
    pub fn rows(&self) -> &AgentRows {
        &self.rows
    }

    /// Which rows want to move, and the neighbours of each.
    pub fn lists(&self) -> (&[bool], &Near) {
        (&self.scratch.wants, &self.scratch.near)
    }

    /// Where each row goes; empty where no model asks for it.
    pub fn headings(&self) -> &[Vec2] {
        &self.scratch.headings
    }

    /// The rows of agents as they are numbered in the world.
    pub fn in_world<'a>(&'a self, rows: &'a [u32]) -> impl Iterator<Item = u32> + 'a {
        rows.iter().map(|&row| self.in_world[row as usize])
    }

    /// The slots of the sleepers that its own agents have woken.
    pub fn take_woken(&mut self) -> Vec<u32> {
        std::mem::take(&mut self.woken)
    }
}
