//! The searches on a thread of their own: the newest task wins, and the window never waits.

use super::cell_facts::CellRequest;
use super::searcher::{SearchNews, Searcher, Task};
use crate::ViewError;
use crate::shell::worker::{Desk, Next, Requests, Worker};
use std::sync::Arc;
use std::sync::mpsc::SendError;
use std::time::{Duration, Instant};
use throng_grid::Ground;
use throng_plan::Cancel;

/// A search that has run for so long is cancelled where a newer task waits; a shorter one is shown first, so that slow
/// planners are seen to follow too.
const MAX_OUTDATED_SEARCH_TIME: Duration = Duration::from_millis(120);

/// The window's requests to the searches.
#[derive(Default)]
pub(super) struct SearchRequests {
    task: Option<Task>,
    /// The task whose searches are shown on the way, and after how many expansions each.
    moments: Option<(u64, Vec<Option<u64>>)>,
    /// The cell under the pointer.
    cell: Option<CellRequest>,
    /// The start of the running search, and the way to stop it.
    running: Option<(Instant, Cancel)>,
}

impl Requests for SearchRequests {
    // Planners of other crates cannot be stopped: a window does not stay open for them.
    const CLOSING_TIME: Option<Duration> = Some(Duration::from_millis(300));

    fn cancel(&mut self) {
        if let Some((_, cancel)) = &self.running {
            cancel.cancel();
        }
    }
}

/// The thread of the searches.
pub(super) type SearchWorker = Worker<SearchRequests, (), SearchNews>;

impl SearchWorker {
    /// Starts the thread.
    ///
    /// # Errors
    /// As [`Worker::start`].
    pub fn search(ground: Arc<Ground>) -> Result<Self, ViewError> {
        Self::start("planners", SearchRequests::default(), |desk| run(&desk, Searcher::new(ground)))
    }

    /// Requests a task in place of the one that waits.
    pub fn set_task(&self, task: Task) {
        self.request(|requests| requests.task = Some(task));
    }

    /// Requests the searches of a task as they are after so many expansions each, in place of the request before.
    pub fn show_moments(&self, task: u64, moments: Vec<Option<u64>>) {
        self.request(|requests| requests.moments = Some((task, moments)));
    }

    /// Requests what a search knows of a cell, in place of the request before.
    pub fn show_cell(&self, request: CellRequest) {
        self.request(|requests| requests.cell = Some(request));
    }

    /// Cancels a search that keeps a newer task waiting. To be called each frame.
    pub fn cancel_outdated(&self) {
        self.request(|requests| match &requests.running {
            Some((since, cancel)) if requests.task.is_some() && since.elapsed() > MAX_OUTDATED_SEARCH_TIME => {
                cancel.cancel();
            }
            _ => {}
        });
    }
}

fn run(desk: &Desk<SearchRequests, (), SearchNews>, mut searcher: Searcher) -> Result<(), SendError<SearchNews>> {
    let mut idle = true;
    let next = |requests: &mut SearchRequests, idle: bool| {
        requests.running = None;
        if idle && requests.task.is_none() && requests.moments.is_none() && requests.cell.is_none() {
            return Next::Idle;
        }
        let cancel = Cancel::default();
        requests.running = Some((Instant::now(), cancel.clone()));
        Next::Step((requests.task.take(), requests.moments.take(), requests.cell.take(), cancel))
    };
    while let Some((task, moments, cell, cancel)) = desk.wait(|requests| next(requests, idle)) {
        let ground = task.and_then(|task| searcher.take(task));
        if let Some((task, moments)) = moments {
            searcher.want(task, &moments);
        }
        if let Some(cell) = cell {
            searcher.point(cell);
        }
        let news = searcher.step(&cancel);
        idle = news.is_none();
        ground.into_iter().chain(news).try_for_each(|news| desk.news.send(news))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn the_newest_of_many_tasks_is_answered_and_no_edit_is_lost() {
        let grid = Arc::new(Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap()));
        let lattice = grid.lattice();
        let worker = SearchWorker::search(Arc::new(Ground::new(Arc::clone(&grid), 0.4).unwrap())).unwrap();
        let mut edited = (*grid).clone();
        for number in 1..=60 {
            let cell = lattice.cell(32, number as u32);
            edited.set_open(cell, false);
            worker.set_task(Task {
                number,
                grid: Arc::new(edited.clone()),
                trip: Some((lattice.cell(2, 2), lattice.cell(60, 60))),
                planners: vec!["astar".parse().unwrap(), "dijkstra".parse().unwrap()],
                steps: throng_grid::Steps::default(),
                costs: super::super::costs::Costs::default(),
                walker: None,
            });
        }
        let (mut done, mut ground) = ([0, 0], None);
        while done != [60, 60] {
            assert_eq!(worker.failure(), None);
            worker.cancel_outdated();
            for news in worker.news() {
                match news {
                    SearchNews::Search { pane, task, .. } => done[pane] = task,
                    SearchNews::Ground(news) => ground = Some(news),
                    SearchNews::Time { .. }
                    | SearchNews::Replan { .. }
                    | SearchNews::PartialSearch { .. }
                    | SearchNews::Cell(_)
                    | SearchNews::Optimum { .. }
                    | SearchNews::GivenUp => {}
                }
            }
            std::thread::yield_now();
        }
        let ground = ground.unwrap();
        assert!((1..=60).all(|y| !ground.is_passable(lattice.cell(32, y))));
    }
}
