//! An index on a crowd, frame by frame.

use super::IndexTrial;
use super::crowd::Crowd;
use super::recent_times::RecentTimes;
use crate::draw::cells::{self, IndexCell};
use std::time::Instant;
use throng_grid::geom::Vec2;
use throng_spatial::{Index, Pairs, SpatialIndex};

/// The figures of a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Figures {
    /// Pairs that were tested exactly.
    pub tests: u64,
    /// The pairs that overlap.
    pub hits: usize,
    /// Medians of the last frames: to bring the index up to date, and to find the pairs (µs).
    pub update: f64,
    pub query: f64,
    /// Memory of the index.
    pub bytes: usize,
}

/// A state on its way to the window. Places are measured from the walls' corner.
#[derive(Default)]
pub(super) struct TrialState {
    /// The trial that it is of.
    pub trial: IndexTrial,
    /// Frames so far.
    pub frame: u64,
    /// Size of what the walls enclose (m).
    pub size: Vec2,
    pub position: Vec<Vec2>,
    pub radius: Vec<f32>,
    /// Whether each disc overlaps another.
    pub overlaps: Vec<bool>,
    pub cells: Vec<IndexCell>,
    /// There are more.
    pub cells_cut: bool,
    pub figures: Figures,
    /// The number of discs grows by itself.
    pub grows: bool,
    /// Why nothing moves.
    pub trouble: Option<String>,
}

/// The index, the crowd, and what the last frames took.
pub(super) struct Trial {
    of: IndexTrial,
    index: Index,
    crowd: Option<Crowd>,
    pairs: Pairs,
    frame: u64,
    /// The index has been filled.
    filled: bool,
    tests: u64,
    update: RecentTimes,
    query: RecentTimes,
    trouble: Option<String>,
}

impl Trial {
    pub fn new(of: IndexTrial) -> Self {
        let mut trial = Self {
            of,
            index: Index::from(of.index),
            crowd: None,
            pairs: Pairs::default(),
            frame: 0,
            filled: false,
            tests: 0,
            update: RecentTimes::default(),
            query: RecentTimes::default(),
            trouble: None,
        };
        trial.gather();
        trial
    }

    /// The trial.
    pub fn of(&self) -> IndexTrial {
        self.of
    }

    fn gather(&mut self) {
        match Crowd::new(&self.of) {
            Ok(crowd) => (self.crowd, self.trouble) = (Some(crowd), None),
            Err(error) => (self.crowd, self.trouble) = (None, Some(error.to_string())),
        }
    }

    /// Tries something else; where only the index is another one, the discs stay as they are.
    pub fn change(&mut self, of: IndexTrial) {
        let before = std::mem::replace(&mut self.of, of);
        self.index = Index::from(of.index);
        self.filled = false;
        self.update.clear();
        self.query.clear();
        if before != (IndexTrial { index: before.index, ..of }) {
            self.frame = 0;
            self.gather();
        }
        self.find();
    }

    /// Runs a frame: all move, the index follows, the pairs are found, and bodies bounce. Returns the time of index and pairs
    /// (µs), but for the frame that filled the index.
    pub fn step(&mut self) -> Option<f64> {
        self.crowd.as_mut()?.walk();
        let took = self.find();
        if let Some(crowd) = &mut self.crowd {
            crowd.meet(&self.pairs);
        }
        self.frame += 1;
        took
    }

    /// Brings the index up to date and finds the pairs.
    fn find(&mut self) -> Option<f64> {
        let bodies = self.crowd.as_ref()?.bodies();
        let start = Instant::now();
        let updated = if self.filled { self.index.update(bodies) } else { self.index.rebuild(bodies) };
        let update = start.elapsed().as_secs_f64() * 1e6;
        if let Err(error) = updated {
            self.trouble = Some(error.to_string());
            self.crowd = None;
            return None;
        }
        let start = Instant::now();
        self.tests = self.index.collect_pairs(bodies, &mut self.pairs);
        let query = start.elapsed().as_secs_f64() * 1e6;
        if !std::mem::replace(&mut self.filled, true) {
            return None;
        }
        self.update.add(update);
        self.query.add(query);
        Some(update + query)
    }

    /// Writes the state, with the cells in a part of the ground (m from the walls' corner) where that is asked for.
    pub fn show(&self, region: Option<[Vec2; 2]>, state: &mut TrialState) {
        (state.trial, state.frame, state.trouble) = (self.of, self.frame, self.trouble.clone());
        state.position.clear();
        state.radius.clear();
        state.overlaps.clear();
        state.cells.clear();
        state.cells_cut = false;
        state.figures = Figures {
            tests: self.tests,
            hits: self.pairs.len(),
            update: self.update.median(),
            query: self.query.median(),
            bytes: SpatialIndex::bytes(&self.index),
        };
        let Some(crowd) = &self.crowd else { return };
        let ([low, high], bodies) = (crowd.walls(), crowd.bodies());
        state.size = high - low;
        state.position.extend(bodies.position.iter().map(|&at| Vec2::from(at) - low));
        state.radius.extend_from_slice(bodies.radius);
        state.overlaps.resize(bodies.len(), false);
        for (i, j) in self.pairs.iter() {
            (state.overlaps[i as usize], state.overlaps[j as usize]) = (true, true);
        }
        if let Some(region) = region.filter(|_| self.filled) {
            state.cells_cut = cells::collect(&self.index, region.map(|corner| corner + low), &mut state.cells);
            for cell in &mut state.cells {
                (cell.low, cell.high) = (cell.low - low, cell.high - low);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Arrangement;
    use super::*;
    use throng_spatial::{IndexKind, IndexSpec};

    #[test]
    fn all_indices_see_the_same_discs_overlap() {
        for arrangement in Arrangement::all() {
            let mut expected = None;
            for index in IndexKind::ALL.map(IndexSpec::from) {
                let mut trial = Trial::new(IndexTrial { index, arrangement, discs: 300, ..IndexTrial::default() });
                assert_eq!(trial.step(), None, "the first frame fills the index");
                (0..20).for_each(|_| assert!(trial.step().is_some()));
                let mut state = TrialState::default();
                trial.show(Some([Vec2::ZERO, Vec2::splat(1e4)]), &mut state);
                let overlaps = state.overlaps.iter().filter(|&&overlaps| overlaps).count();
                let found = (state.frame, state.position.clone(), state.figures.hits, overlaps);
                assert!(state.size.min_element() > 0.0 && !state.cells_cut);
                assert!(!state.cells.is_empty() || index.kind == IndexKind::Brute, "{index}");
                assert_eq!(expected.get_or_insert(found.clone()), &found, "{arrangement} {index}");
            }
        }
    }

    #[test]
    fn another_index_keeps_the_discs_and_bad_densities_are_said() {
        let of = IndexTrial { discs: 50, ..IndexTrial::default() };
        let mut trial = Trial::new(of);
        for _ in 0..5 {
            trial.step();
        }
        trial.change(IndexTrial { index: IndexKind::KdTree.into(), ..of });
        let mut state = TrialState::default();
        trial.show(None, &mut state);
        assert_eq!((state.frame, state.position.len(), state.cells.len()), (5, 50, 0));
        let arrangement = Arrangement::Scene(throng_spatial::SceneKind::Line);
        trial.change(IndexTrial { arrangement, density: -1.0, ..of });
        trial.show(None, &mut state);
        assert!(trial.step().is_none() && state.trouble.is_some_and(|trouble| trouble.contains("density")));
    }
}
