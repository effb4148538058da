use super::*;
use crate::grid::{Grid, Lattice};
use crate::plan::{AStar, Capabilities, Dijkstra, Guarantee, Octile, PathfindingAStar, Status, WeightedAStar};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::mpsc;
use std::time::{Duration, Instant};

fn noise(side: u32) -> Arc<Ground> {
    let mut random = Pcg32::seed_from_u64(5);
    let mut grid = Grid::open_plain(Lattice::new(side, side, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= 30);
    }
    Arc::new(Ground::new(grid.into(), 0.4).unwrap())
}

fn requests(ground: &Arc<Ground>, count: u32) -> Vec<Request> {
    let planners: [Arc<dyn Planner>; 4] = [
        Arc::new(AStar(Octile)),
        Arc::new(Dijkstra),
        Arc::new(WeightedAStar::new(1.0, 2.0).unwrap()),
        Arc::new(PathfindingAStar),
    ];
    let cells: Vec<Cell> = ground.lattice().cells().collect();
    let mut random = Pcg32::seed_from_u64(6);
    let mut any = || cells[random.random_range(0..cells.len())];
    (0..count)
        .map(|i| Request {
            planner: planners[i as usize % 4].clone(),
            ground: ground.clone(),
            // Walls too: errors have their turn like routes.
            query: Query::new(any(), any()),
        })
        .collect()
}

type Delivered = (u64, Ticket, Result<Outcome, PlanError>, Vec<Cell>);

/// Asks a third of the requests every fifth tick and writes down what comes when.
fn schedule(threads: usize, requests: &[Request], budget: u64) -> Vec<Delivered> {
    let mut pool = Pool::new(threads).unwrap();
    let mut log = Vec::new();
    let mut parts = requests.chunks(requests.len() / 3);
    for tick in 0.. {
        pool.deliver(budget, |answer| log.push((tick, answer.ticket, answer.result, answer.turns.to_vec())));
        if tick % 5 == 0 {
            for request in parts.next().unwrap_or_default() {
                pool.ask(request.clone());
            }
        } else if pool.queued() == 0 && parts.len() == 0 {
            return log;
        }
    }
    log
}

#[test]
fn what_falls_due_when_does_not_depend_on_threads() {
    let requests = requests(&noise(80), 301);
    let log = schedule(1, &requests, 3000);
    assert_eq!(log.len(), requests.len());
    assert!(log.iter().zip(0..).all(|(delivered, i)| delivered.1 == Ticket(i)));
    assert!(log.iter().any(|delivered| delivered.2.is_err()));
    for threads in [2, 4] {
        assert_eq!(schedule(threads, &requests, 3000), log, "{threads} threads");
    }
}

#[test]
fn routes_cost_their_expansions_and_credit_is_kept_for_the_first_only() {
    for budget in [1, 700, 3000] {
        let log = schedule(2, &requests(&noise(40), 90), budget);
        // The rule once more, from the log alone.
        let mut credit = 0;
        let mut rest = log.iter().peekable();
        for tick in 0..=log.last().unwrap().0 {
            let asked = if tick == 0 { 0 } else { 30 * tick.div_ceil(5).min(3) };
            credit += budget;
            loop {
                let Some(&&(due, Ticket(i), ref result, _)) = rest.peek().filter(|next| next.1.0 < asked) else {
                    credit = 0;
                    break;
                };
                let cost = result.as_ref().map_or(0, |outcome| outcome.expanded).max(1);
                assert_eq!(due == tick, cost <= credit, "request {i} at tick {tick} with {credit} for {cost}");
                if due > tick {
                    break;
                }
                credit -= cost;
                rest.next();
            }
        }
    }
}

#[test]
fn answers_are_those_of_a_search_by_hand() {
    let requests = requests(&noise(60), 60);
    let (mut scratch, mut path, mut turns) = (Scratch::default(), Path::default(), Vec::new());
    for (_, Ticket(i), result, delivered) in schedule(2, &requests, u64::MAX) {
        let Request { planner, ground, query } = &requests[i as usize];
        assert_eq!(result, crate::plan::plan(planner.as_ref(), ground, query, &mut scratch, &mut path));
        path.turning_points(&mut turns);
        assert_eq!(delivered, turns);
    }
}

/// Does with each slice what its function says, given the number of slices so far.
struct Odd<F>(F);

impl<F> std::fmt::Debug for Odd<F> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Odd")
    }
}

impl<F: Fn(u64) -> Progress + Send + Sync> Planner for Odd<F> {
    fn name(&self) -> &'static str {
        "odd"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: &[] }
    }

    fn begin(&self, _: &Ground, _: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        scratch.tally = crate::plan::scratch::Tally::default();
        Ok(())
    }

    fn advance(&self, _: &Ground, _: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let slices = scratch.tally.expanded / SLICE;
        scratch.tally.expanded += expansions;
        (self.0)(slices)
    }

    fn path(&self, _: &Ground, _: &Query, _: &Scratch, _: &mut Path) {}
}

fn odd(ground: &Arc<Ground>, slice: impl Fn(u64) -> Progress + Send + Sync + 'static) -> Request {
    let at = |x, y| ground.lattice().cell(x, y);
    Request { planner: Arc::new(Odd(slice)), ground: ground.clone(), query: Query::new(at(0, 0), at(1, 0)) }
}

#[test]
fn a_panic_is_an_error_that_names_the_query_and_the_pool_goes_on() {
    let ground = noise(20);
    let mut pool = Pool::new(1).unwrap();
    pool.ask(odd(&ground, |slices| if slices < 2 { Progress::Running } else { panic!("slice {slices}") }));
    pool.ask(requests(&ground, 1).remove(0));
    let mut results = Vec::new();
    pool.deliver(u64::MAX, |answer| results.push(answer.result));
    assert_eq!(
        results[0].as_ref().unwrap_err().to_string(),
        "the planner odd panicked on the trip from Cell(25) to Cell(Cell(26)): slice 2"
    );
    assert_eq!(results.len(), 2);
    assert!(!matches!(results[1], Err(PlanError::Panicked { .. })));
    assert_eq!(pool.queued(), 0);
}

#[test]
fn a_search_that_is_not_due_is_not_waited_for() {
    let ground = noise(20);
    let (release, released) = mpsc::channel();
    let released = Mutex::new(released);
    let mut pool = Pool::new(1).unwrap();
    // Says that it has expanded three slices, and then hangs until released.
    pool.ask(odd(&ground, move |slices| {
        if slices < 3 {
            return Progress::Running;
        }
        lock(&released).recv().unwrap();
        Progress::Done(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 4 * SLICE })
    }));
    let mut delivered = 0;
    for _ in 0..3 {
        pool.deliver(SLICE - 1, |_| delivered += 1);
    }
    assert_eq!((delivered, pool.queued()), (0, 1));
    release.send(()).unwrap();
    pool.deliver(SLICE + 2, |_| delivered += 1);
    assert_eq!((delivered, pool.queued()), (0, 1));
    pool.deliver(1, |_| delivered += 1);
    assert_eq!((delivered, pool.queued()), (1, 0));
}

#[test]
fn dropping_the_pool_stops_running_and_queued_searches() {
    let ground = noise(20);
    let mut pool = Pool::new(2).unwrap();
    for _ in 0..100 {
        pool.ask(odd(&ground, |_| {
            std::thread::sleep(Duration::from_millis(1));
            Progress::Running
        }));
    }
    let start = Instant::now();
    drop(pool);
    assert!(start.elapsed() < Duration::from_secs(5));
}
