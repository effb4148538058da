//! The ground of the searches after an edit, and for other steps and costs.

use super::{SearchNews, Searcher, Task};
use std::sync::Arc;
use throng_grid::{Cell, Ground, GroundError};
use throng_scene::edits::toggled;

impl Searcher {
    /// Makes the ground for units that step otherwise; no table holds for it.
    pub(super) fn step_otherwise(&mut self, task: &Task) -> Option<SearchNews> {
        self.grid = Arc::clone(&task.grid);
        self.costs = task.costs.clone();
        let mobility = task.costs.mobility(self.base.mobility(), task.steps);
        self.seats.iter_mut().for_each(|seat| seat.planner = None);
        let ground = Ground::build(Arc::clone(&task.grid), mobility);
        let crowding = self.base.crowding().filter(|_| task.costs.crowds);
        self.replace(match crowding {
            Some(crowding) => ground.map(|ground| ground.crowded(Arc::clone(crowding))),
            None => ground,
        })
    }

    /// Makes the ground of an edited map.
    pub(super) fn edit(&mut self, task: &Task) -> Option<SearchNews> {
        self.grid = Arc::clone(&task.grid);
        let dirty: Vec<Cell> = toggled(self.ground.grid(), &task.grid).collect();
        self.replace(self.ground.edited(Arc::clone(&task.grid), &dirty))
    }

    /// Takes another ground, where there is one.
    fn replace(&mut self, made: Result<Ground, GroundError>) -> Option<SearchNews> {
        match made {
            Ok(ground) => {
                self.ground = Arc::new(ground);
                self.failure = None;
                Some(SearchNews::Ground(Arc::clone(&self.ground)))
            }
            Err(error) => {
                self.failure = Some(error.to_string());
                None
            }
        }
    }
}
