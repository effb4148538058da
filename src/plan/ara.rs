//! Anytime A*: a route at once, and better ones until the cheapest.

use super::moves::{Canonical, Moves, Octile};
use super::rounds::{self, ONE};
use super::scratch::Node;
use super::{Path, PlanError, Planner, Progress, Query, Scratch, search};
use crate::grid::Ground;

/// Anytime A*.
#[derive(Clone, Debug, PartialEq)]
pub struct Ara {
    weights: Vec<f64>,
    fixed: Vec<u64>,
}

impl Ara {
    /// The greatest weight.
    pub const MAX_WEIGHT: f64 = 1000.0;

    /// The most weights of a schedule.
    pub const MAX_ROUNDS: usize = 64;

    /// The planner.
    ///
    /// # Errors
    /// [`PlanError::Schedule`]
    pub fn new(weights: &[f64]) -> Result<Self, PlanError> {
        let falls = weights.windows(2).all(|pair| pair[0] > pair[1]);
        let fits = weights.iter().all(|weight| (1.0..=Self::MAX_WEIGHT).contains(weight));
        if weights.is_empty() || weights.len() > Self::MAX_ROUNDS || !falls || !fits {
            let found: Vec<String> = weights.iter().map(f64::to_string).collect();
            let found = if found.is_empty() { "none".to_owned() } else { found.join(", ") };
            return Err(PlanError::Schedule { found, rounds: Self::MAX_ROUNDS, limit: Self::MAX_WEIGHT });
        }
        const { assert!(Self::MAX_ROUNDS < Node::MOST_ROUNDS) };
        // Rounded down, so that the bound holds to the last digit.
        let fixed = weights.iter().map(|weight| (weight * ONE as f64) as u64).collect();
        Ok(Self { weights: weights.to_vec(), fixed })
    }

    /// The weights, greatest first.
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl Default for Ara {
    fn default() -> Self {
        let weights = [3.0, 2.0, 1.5, 1.0];
        Self { weights: weights.to_vec(), fixed: weights.map(|weight| (weight * ONE as f64) as u64).to_vec() }
    }
}

impl Planner for Ara {
    fn name(&self) -> &'static str {
        "ara"
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        if search::begin(ground, query, scratch)? {
            let estimate = Octile::new(ground, search::goal(query)).estimate(query.from);
            scratch.rounds.restart(query.from, search::goal(query), estimate, self.fixed[0]);
        }
        Ok(())
    }

    fn advance(&self, ground: &Ground, query: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let moves = Canonical(Octile::new(ground, search::goal(query)));
        rounds::advance(scratch, ground.lattice(), query, &moves, &self.fixed, expansions)
    }

    fn path(&self, _ground: &Ground, _query: &Query, scratch: &Scratch, path: &mut Path) {
        path.cells.clone_from(&scratch.route);
    }
}
