//! The searches on a thread of their own: the newest task wins, and the window never waits.

use super::searcher::{News, Searcher, Task};
use std::io;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use throng_grid::Ground;
use throng_plan::Cancel;

/// A search that has run for so long is given up where a newer task waits; a shorter one is shown first, so that slow
/// planners are seen to follow too.
const PATIENCE: Duration = Duration::from_millis(120);

/// A search that cannot be stopped is waited for so long when the window closes.
const FAREWELL: Duration = Duration::from_millis(300);

#[derive(Default)]
struct Inbox {
    task: Option<Task>,
    /// Looks at the searches of a task that are wanted.
    wanted: Option<(u64, Vec<Option<u64>>)>,
    closed: bool,
    /// The search under way: since when, and how to stop it.
    running: Option<(Instant, Cancel)>,
}

#[derive(Default)]
struct Shared {
    inbox: Mutex<Inbox>,
    changed: Condvar,
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Inbox> {
        self.inbox.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The thread and the ways to it and back.
pub(super) struct Worker {
    shared: Arc<Shared>,
    news: Receiver<News>,
    thread: Option<JoinHandle<()>>,
}

impl Worker {
    /// Starts the thread.
    pub fn start(ground: Arc<Ground>) -> io::Result<Self> {
        let shared = Arc::<Shared>::default();
        let (sender, news) = channel();
        let theirs = Arc::clone(&shared);
        let thread = std::thread::Builder::new()
            .name("planners".to_owned())
            .spawn(move || work(&theirs, &sender, Searcher::new(ground)))?;
        Ok(Self { shared, news, thread: Some(thread) })
    }

    /// Asks for a task in place of the one that waits.
    pub fn ask(&self, task: Task) {
        self.shared.lock().task = Some(task);
        self.shared.changed.notify_one();
    }

    /// Asks for looks at the searches of a task, after so many expansions each, in place of those asked for before.
    pub fn want(&self, task: u64, places: Vec<Option<u64>>) {
        self.shared.lock().wanted = Some((task, places));
        self.shared.changed.notify_one();
    }

    /// What has come out since the last call. To be called each frame: it also gives up a search that is in the way.
    pub fn news(&self) -> impl Iterator<Item = News> {
        let inbox = self.shared.lock();
        if let (Some(_), Some((since, cancel))) = (&inbox.task, &inbox.running)
            && since.elapsed() > PATIENCE
        {
            cancel.cancel();
        }
        drop(inbox);
        self.news.try_iter()
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let mut inbox = self.shared.lock();
        inbox.closed = true;
        if let Some((_, cancel)) = &inbox.running {
            cancel.cancel();
        }
        drop(inbox);
        self.shared.changed.notify_one();
        if let Some(thread) = self.thread.take() {
            // Planners of other crates cannot be stopped: a window does not stay open for them.
            let begun = Instant::now();
            while !thread.is_finished() && begun.elapsed() < FAREWELL {
                std::thread::sleep(Duration::from_millis(2));
            }
        }
    }
}

fn work(shared: &Shared, sender: &Sender<News>, mut searcher: Searcher) {
    let mut idle = true;
    loop {
        let mut inbox = shared.lock();
        inbox.running = None;
        while idle && inbox.task.is_none() && inbox.wanted.is_none() && !inbox.closed {
            inbox = shared.changed.wait(inbox).unwrap_or_else(PoisonError::into_inner);
        }
        if inbox.closed {
            return;
        }
        let (task, wanted) = (inbox.task.take(), inbox.wanted.take());
        let cancel = Cancel::default();
        inbox.running = Some((Instant::now(), cancel.clone()));
        drop(inbox);
        let ground = task.and_then(|task| searcher.take(task));
        if let Some((task, places)) = wanted {
            searcher.want(task, &places);
        }
        let news = searcher.step(&cancel);
        idle = news.is_none();
        if ground.into_iter().chain(news).any(|news| sender.send(news).is_err()) {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn the_newest_of_many_tasks_is_answered_and_no_edit_is_lost() {
        let grid = Arc::new(Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap()));
        let lattice = grid.lattice();
        let worker = Worker::start(Arc::new(Ground::new(Arc::clone(&grid), 0.4).unwrap())).unwrap();
        let mut edited = (*grid).clone();
        for number in 1..=60 {
            let cell = lattice.cell(32, number as u32);
            edited.set_open(cell, false);
            worker.ask(Task {
                number,
                grid: Arc::new(edited.clone()),
                trip: Some((lattice.cell(2, 2), lattice.cell(60, 60))),
                planners: vec!["astar".parse().unwrap(), "dijkstra".parse().unwrap()],
                steps: throng_grid::Steps::default(),
            });
        }
        let (mut done, mut ground) = ([0, 0], None);
        let begun = Instant::now();
        while done != [60, 60] {
            assert!(begun.elapsed() < Duration::from_secs(30), "{done:?}");
            for news in worker.news() {
                match news {
                    News::Search { pane, task, .. } => done[pane] = task,
                    News::Ground(news) => ground = Some(news),
                    News::Time { .. } | News::Look { .. } | News::Optimum { .. } | News::GivenUp => {}
                }
            }
            std::thread::yield_now();
        }
        let ground = ground.unwrap();
        assert!((1..=60).all(|y| !ground.is_passable(lattice.cell(32, y))));
    }
}
