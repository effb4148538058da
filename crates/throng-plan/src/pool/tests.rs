use super::worker::PIECE_EXPANSIONS;
use super::*;
use crate::{
    AStar, Ara, Capabilities, Dijkstra, Guarantee, Octile, Outcome, Path, PathfindingAStar, Planner, Progress, Query,
    Scratch, Status, WeightedAStar,
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::mpsc;
use std::time::Duration;
use throng_grid::{Grid, Ground, Lattice};

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
        // Walls too: errors have their turn like routes.
        .map(|i| Request::new(planners[i as usize % 4].clone(), ground.clone(), Query::new(any(), any())))
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
        let Request { planner, ground, query, .. } = &requests[i as usize];
        assert_eq!(result, crate::plan(planner.as_ref(), ground, query, &mut scratch, &mut path));
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
        scratch.state.counters = crate::scratch::SearchCounters::default();
        Ok(())
    }

    fn advance(&self, _: &Ground, _: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        let slices = scratch.state.counters.expanded / PIECE_EXPANSIONS;
        scratch.state.counters.expanded += expansions;
        (self.0)(slices)
    }

    fn path(&self, _: &Ground, _: &Query, _: &Scratch, _: &mut Path) {}
}

fn odd(ground: &Arc<Ground>, slice: impl Fn(u64) -> Progress + Send + Sync + 'static) -> Request {
    let at = |x, y| ground.lattice().cell(x, y);
    Request::new(Arc::new(Odd(slice)), ground.clone(), Query::new(at(0, 0), at(1, 0)))
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
    let released = std::sync::Mutex::new(released);
    let mut pool = Pool::new(1).unwrap();
    // Says that it has expanded three slices, and then hangs until released.
    pool.ask(odd(&ground, move |slices| {
        if slices < 3 {
            return Progress::Running;
        }
        released.lock().unwrap().recv().unwrap();
        Progress::Done(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 4 * PIECE_EXPANSIONS })
    }));
    let mut delivered = 0;
    for _ in 0..3 {
        pool.deliver(PIECE_EXPANSIONS - 1, |_| delivered += 1);
    }
    assert_eq!((delivered, pool.queued()), (0, 1));
    release.send(()).unwrap();
    pool.deliver(PIECE_EXPANSIONS + 2, |_| delivered += 1);
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
    // They would run for ever.
    drop(pool);
}

/// The answers of a request, by hand: kind, result, turns.
type Parts = Vec<(AnswerKind, Result<Outcome, PlanError>, Vec<Cell>)>;

fn parts(request: &Request) -> Parts {
    let Request { planner, ground, query, .. } = request;
    let (mut scratch, mut path, mut turns) = (Scratch::default(), Path::default(), Vec::new());
    if let Err(error) = planner.begin(ground, query, &mut scratch) {
        return vec![(AnswerKind::Final, Err(error), Vec::new())];
    }
    let mut parts = Vec::new();
    loop {
        let (kind, outcome) = match planner.advance(ground, query, &mut scratch, u64::MAX) {
            Progress::Running => continue,
            Progress::Route(outcome) => (AnswerKind::Interim, outcome),
            Progress::Done(outcome) => (AnswerKind::Final, outcome),
        };
        planner.path(ground, query, &scratch, &mut path);
        path.turning_points(&mut turns);
        parts.push((kind, Ok(outcome), turns.clone()));
        if kind == AnswerKind::Final {
            return parts;
        }
    }
}

/// An event in a tick, before answers are handed out.
#[derive(Clone, Debug)]
enum Event {
    Ask(Request),
    Cancel(Ticket),
}

/// Requests of all priorities, many of them equal, and cancelled ones, over 40 ticks.
fn script(ground: &Arc<Ground>) -> Vec<Vec<Event>> {
    let planners: [Arc<dyn Planner>; 3] =
        [Arc::new(Ara::new(&[4.0, 2.0, 1.2, 1.0]).unwrap()), Arc::new(Ara::default()), Arc::new(AStar(Octile))];
    let cells: Vec<Cell> = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = Pcg32::seed_from_u64(7);
    let trips: Vec<(Cell, Cell)> =
        (0..12).map(|_| [0; 2].map(|_| cells[random.random_range(0..cells.len())]).into()).collect();
    let mut asked = 0;
    (0..40)
        .map(|_| {
            let mut events = Vec::new();
            for _ in 0..random.random_range(0..4) {
                let (from, to) = trips[random.random_range(0..trips.len())];
                let planner = planners[random.random_range(0..3)].clone();
                let priority = [Priority::Low, Priority::Normal, Priority::High][random.random_range(0..3)];
                events.push(Event::Ask(Request {
                    priority,
                    ..Request::new(planner, ground.clone(), Query::new(from, to))
                }));
                asked += 1;
            }
            if asked > 0 && random.random_range(0..3) == 0 {
                events.push(Event::Cancel(Ticket(random.random_range(0..asked))));
            }
            events
        })
        .collect()
}

type Log = Vec<(usize, Ticket, AnswerKind, Result<Outcome, PlanError>, Vec<Cell>)>;

fn play(threads: usize, script: &[Vec<Event>], budget: u64) -> (Log, Vec<bool>) {
    let mut pool = Pool::new(threads).unwrap();
    let (mut log, mut cancelled) = (Vec::new(), Vec::new());
    for tick in 0.. {
        for event in script.get(tick).into_iter().flatten() {
            match event {
                Event::Ask(request) => drop(pool.ask(request.clone())),
                Event::Cancel(ticket) => cancelled.push(pool.cancel(*ticket)),
            }
        }
        pool.deliver(budget, |answer| {
            log.push((tick, answer.ticket, answer.kind, answer.result, answer.turns.to_vec()));
        });
        if pool.queued() == 0 && tick >= script.len() {
            break;
        }
    }
    (log, cancelled)
}

/// The rule of delivery without threads, from the parts of each search.
fn rule(script: &[Vec<Event>], budget: u64) -> (Log, Vec<bool>) {
    struct Search {
        request: Request,
        parts: Parts,
        paid: u64,
        delivered: usize,
    }
    let (mut log, mut cancelled) = (Vec::new(), Vec::new());
    let mut searches: Vec<Search> = Vec::new();
    // Answered, priority, ticket, search, part.
    let mut line: Vec<(bool, Reverse<Priority>, Ticket, usize, usize)> = Vec::new();
    let (mut next, mut credit) = (0, 0);
    for tick in 0.. {
        for event in script.get(tick).into_iter().flatten() {
            match event {
                Event::Ask(request) => {
                    let wanted = |i: usize| line.iter().any(|waiting| waiting.3 == i);
                    let equal = (0..searches.len()).find(|&i| wanted(i) && searches[i].request.asks_the_same(request));
                    let search = equal.unwrap_or_else(|| {
                        let parts = parts(request);
                        searches.push(Search { request: request.clone(), parts, paid: 0, delivered: 0 });
                        searches.len() - 1
                    });
                    let part = searches[search].delivered.saturating_sub(1);
                    line.push((false, Reverse(request.priority), Ticket(next), search, part));
                    next += 1;
                }
                Event::Cancel(ticket) => {
                    let before = line.len();
                    line.retain(|waiting| waiting.2 != *ticket);
                    cancelled.push(line.len() < before);
                }
            }
        }
        credit += budget;
        loop {
            line.sort_by_key(|&(answered, priority, ticket, ..)| (answered, priority, ticket));
            let Some(&(_, priority, ticket, search, part)) = line.first() else {
                credit = 0;
                break;
            };
            let search = &mut searches[search];
            let (kind, result, turns) = search.parts[part].clone();
            let expanded = result.as_ref().map_or(0, |outcome| outcome.expanded);
            let cost = expanded.saturating_sub(search.paid).max(1);
            if cost > credit {
                break;
            }
            credit -= cost;
            search.paid = search.paid.max(expanded);
            search.delivered = search.delivered.max(part + 1);
            log.push((tick, ticket, kind, result, turns));
            let first = line.remove(0);
            if kind == AnswerKind::Interim {
                line.push((true, priority, ticket, first.3, part + 1));
            }
        }
        if line.is_empty() && tick >= script.len() {
            break;
        }
    }
    (log, cancelled)
}

#[test]
fn better_routes_fall_due_by_the_rule_whatever_the_threads() {
    let script = script(&noise(120));
    for budget in [300, 2500, 40_000] {
        let expected = rule(&script, budget);
        assert!(expected.0.iter().filter(|answer| answer.2 == AnswerKind::Interim).count() > 10);
        assert!(expected.1.contains(&true));
        for threads in [1, 2, 4] {
            assert_eq!(play(threads, &script, budget), expected, "{threads} threads, a budget of {budget}");
        }
    }
}

#[test]
fn everybody_has_a_route_before_somebody_has_a_better_one() {
    let ground = noise(120);
    let mut pool = Pool::new(2).unwrap();
    let at = |x, y| ground.nearest_passable(ground.lattice().centre(ground.lattice().cell(x, y))).unwrap();
    let planner: Arc<dyn Planner> = Arc::new(Ara::default());
    for (i, priority) in [Priority::Normal, Priority::Low, Priority::High, Priority::Normal].into_iter().enumerate() {
        let query = Query::new(at(3 + i as u32, 5), at(110, 100));
        pool.ask(Request { priority, ..Request::new(planner.clone(), ground.clone(), query) });
    }
    let mut seen = Vec::new();
    pool.deliver(u64::MAX, |answer| seen.push((answer.ticket.0, answer.result.unwrap())));
    let order: Vec<u64> = seen.iter().map(|&(ticket, _)| ticket).collect();
    assert_eq!(order[..4], [2, 0, 3, 1]);
    assert!(order.len() > 4);
    for ticket in 0..4 {
        let mine: Vec<Outcome> = seen.iter().filter(|answer| answer.0 == ticket).map(|answer| answer.1).collect();
        assert!(mine.windows(2).all(|pair| pair[1].bound < pair[0].bound && pair[1].cost <= pair[0].cost));
        assert_eq!(mine[mine.len() - 1].bound, 1.0);
    }
}

#[test]
fn equal_requests_share_a_search_and_a_cancelled_one_stops() {
    let ground = noise(20);
    let mut pool = Pool::new(1).unwrap();
    let (begun, begins) = mpsc::channel();
    let (release, released) = mpsc::channel::<()>();
    let released = std::sync::Mutex::new(released);
    // Goes on from slice to slice once it is released.
    let endless = odd(&ground, move |slices| {
        if slices == 0 {
            begun.send(()).unwrap();
            released.lock().unwrap().recv().unwrap();
        }
        Progress::Running
    });
    let tickets = [(); 3].map(|()| pool.ask(endless.clone()));
    let other = pool.ask(Request { priority: Priority::Low, ..requests(&ground, 1).remove(0) });
    begins.recv().unwrap();
    let statistics = pool.statistics();
    assert_eq!((statistics.running, statistics.queued, statistics.joined), (1, 1, 2));
    assert!(pool.cancel(tickets[1]) && pool.cancel(tickets[0]));
    assert!(!pool.cancel(tickets[0]));
    assert_eq!(pool.statistics().running, 1);
    // The last one: the worker is free for the other request.
    assert!(pool.cancel(tickets[2]));
    release.send(()).unwrap();
    let mut seen = Vec::new();
    pool.deliver(u64::MAX, |answer| seen.push(answer.ticket));
    assert_eq!(seen, [other]);
    assert!(!pool.cancel(other));
    assert!(begins.try_recv().is_err());
    let statistics = pool.shut_down();
    assert_eq!((statistics.served, statistics.cancelled, statistics.joined), (1, 3, 2));
    assert_eq!((statistics.queued, statistics.running, statistics.replaced), (0, 0, 0));
    assert!(statistics.expansions >= PIECE_EXPANSIONS && statistics.p99_latency >= statistics.mean_latency);
}

#[test]
fn a_panic_costs_a_thread_which_is_replaced() {
    let ground = noise(20);
    let mut pool = Pool::new(1).unwrap();
    let (says, threads) = mpsc::channel();
    for i in 0..5 {
        let says = says.clone();
        pool.ask(odd(&ground, move |_| {
            says.send(std::thread::current().id()).unwrap();
            assert!(i % 2 == 1, "request {i}");
            Progress::Done(Outcome { status: Status::NoRoute, cost: 0, bound: 1.0, expanded: 9 })
        }));
    }
    let mut errors = Vec::new();
    pool.deliver(u64::MAX, |answer| errors.push(answer.result.is_err()));
    assert_eq!(errors, [true, false, true, false, true]);
    let statistics = pool.shut_down();
    assert_eq!((statistics.served, statistics.replaced), (5, 3));
    let threads: Vec<_> = threads.try_iter().collect();
    assert!(threads[0] != threads[1] && threads[1] == threads[2] && threads[2] != threads[3]);
}
