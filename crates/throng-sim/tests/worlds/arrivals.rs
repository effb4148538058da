//! Agents that are sent somewhere arrive: with every planner, on every map, alone and in squads, fast and wide, while the map
//! changes.
//!
//! Small maps here; every planner on every shipped map by `cargo test --release --test worlds -- --ignored every_shipped_map --nocapture`,
//! which prints a table; all cases on all of them by `every_case_on_every_map`, in three times as long.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Ground, walls};
use throng_plan::{Capability, Path, PlanError, Planner, PlannerChoice, Query, STRAIGHT, Scratch, Status, plan};
use throng_sim::battle::{Order, RouteState, Unit};
use throng_sim::crowd::{AgentId, Crowd, RouteProgress};
use throng_sim::world::{ARRIVAL_RADIUS, IdleReason, Settings, SquadSpec, World};

const PLANNERS: [&str; 14] = [
    "astar",
    "dijkstra",
    "weighted-astar",
    "ara",
    "hpa",
    "hpa:8,2",
    "bidirectional",
    "fringe",
    "theta",
    "lazy-theta",
    "jps",
    "jps-plus",
    "labels",
    "flow-field",
];

/// What is tried.
#[derive(Clone)]
struct Case {
    name: &'static str,
    unit: Unit,
    /// Seconds a tick.
    step: f32,
    squads: usize,
    size: usize,
    seed: u64,
    /// Cells on the ways are closed, and opened again.
    edits: bool,
}

/// A case of one, on a map with so many trips.
fn alone(trips: usize) -> Case {
    // Nobody is in the way of anybody: each walks as if alone.
    let unit = Unit { ignores: 1, ..Unit::default() };
    Case { name: "alone", unit, step: 0.05, squads: trips, size: 1, seed: 1, edits: false }
}

/// Those who go alone.
fn loners(trips: usize) -> Vec<Case> {
    let one = alone(trips);
    let kind = |name: &str, radius, speed, top_speed, acceleration| Unit {
        name: name.into(),
        radius,
        speed,
        top_speed,
        acceleration,
        ..one.unit.clone()
    };
    vec![
        one.clone(),
        // Fast, and not to be stopped at once.
        Case { name: "rider", unit: kind("rider", 0.6, 6.0, 8.0, 4.0), ..one.clone() },
        // Ten metres a tick.
        Case { name: "fast", unit: kind("fast", 0.6, 20.0, 20.0, f32::INFINITY), step: 0.5, ..one.clone() },
        // Fits through few gates.
        Case { name: "giant", unit: kind("giant", 1.3, 2.0, 2.5, f32::INFINITY), ..one.clone() },
        Case { name: "edits", edits: true, ..one.clone() },
    ]
}

/// A squad by itself, once for each seed, and one while the map changes.
fn squads() -> Vec<Case> {
    let one = Case { name: "twenty", unit: Unit::default(), squads: 1, size: 20, ..alone(1) };
    let mut cases: Vec<Case> = (1..=3).map(|seed| Case { seed, ..one.clone() }).collect();
    cases.push(Case { name: "20 edits", edits: true, ..one });
    cases
}

/// Forty squads at once, whose ways cross.
fn crowds() -> Vec<Case> {
    vec![Case { name: "40 x 20", unit: Unit::default(), squads: 40, size: 20, ..alone(1) }]
}

/// Where a squad stands, and where it is sent (m).
struct Trip {
    members: Vec<Vec2>,
    goal: Vec2,
}

/// Open points near a cell, as many as asked for; fewer where there is no more room.
fn places(ground: &Ground, start: Cell, count: usize, radius: f32) -> Vec<Vec2> {
    let (lattice, centre) = (ground.lattice(), ground.lattice().centre(start));
    let apart = (2.2 * radius).max(1.0);
    let offsets = (-12..=12).flat_map(|dy| (-12..=12).map(move |dx| Vec2::new(dx as f32, dy as f32)));
    let is_free = |&at: &Vec2| {
        let is_open = lattice.covers(at) && walls::is_clear(ground.grid(), at, radius);
        is_open && ground.is_passable(lattice.at(at)) && ground.region(lattice.at(at)) == ground.region(start)
    };
    let mut near: Vec<Vec2> = offsets.map(|offset| centre + offset * apart).filter(is_free).collect();
    near.sort_by(|a, b| a.distance_squared(centre).total_cmp(&b.distance_squared(centre)));
    near.truncate(count);
    near
}

fn trips(ground: &Ground, case: &Case) -> Vec<Trip> {
    let (lattice, radius) = (ground.lattice(), case.unit.radius);
    let passable: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
    let mut random = Pcg32::seed_from_u64(case.seed);
    let mut trips = Vec::new();
    while trips.len() < case.squads {
        let [from, to] = [(); 2].map(|()| passable[random.random_range(0..passable.len())]);
        let half = 0.5 * lattice.cell_size;
        let [dx, dy] = [(); 2].map(|()| random.random_range(-half..half));
        let goal = lattice.centre(to) + Vec2::new(dx, dy);
        let members = places(ground, from, case.size, radius);
        let is_possible = ground.region(from) == ground.region(to) && walls::is_clear(ground.grid(), goal, radius);
        if is_possible && members.len() == case.size {
            trips.push(Trip { members, goal });
        }
    }
    trips
}

/// The routes of the trips, and how long each takes (s).
fn routes(ground: &Ground, planner: &dyn Planner, trips: &[Trip], speed: f32) -> Vec<(Vec<Cell>, f64)> {
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let mut route = |trip: &Trip| {
        let [from, to] = [trip.members[0], trip.goal].map(|at| ground.nearest_passable(at).unwrap());
        let found = plan(planner, ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
        assert_eq!(found.status, Status::Found);
        let metres = f64::from(ground.lattice().cell_size) * found.cost as f64 / f64::from(STRAIGHT);
        (path.cells.clone(), metres / f64::from(speed))
    };
    trips.iter().map(&mut route).collect()
}

/// Cells in the middle of some routes that can be closed: all trips stay possible, and no start and no goal is near.
fn closable(ground: &Ground, routes: &[(Vec<Cell>, f64)], trips: &[Trip]) -> Vec<Cell> {
    let (lattice, mut grid) = (ground.lattice(), Grid::clone(ground.grid()));
    let ends = || trips.iter().flat_map(|trip| trip.members.iter().chain([&trip.goal]));
    let mut closed = Vec::new();
    for (cells, _) in routes.iter().filter(|(cells, _)| cells.len() > 30) {
        let cell = cells[cells.len() / 2];
        if closed.len() == 8 || closed.contains(&cell) || ends().any(|at| at.distance(lattice.centre(cell)) < 4.0) {
            continue;
        }
        grid.set_open(cell, false);
        let now = Ground::new(grid.clone().into(), ground.radius()).unwrap();
        let region = |at: Vec2| now.nearest_passable(at).map(|cell| now.region(cell));
        if trips.iter().all(|trip| trip.members.iter().all(|&at| region(at) == region(trip.goal))) {
            closed.push(cell);
        } else {
            grid.set_open(cell, true);
        }
    }
    closed
}

/// What came of it.
#[derive(Debug, Default)]
struct Outcome {
    agents: usize,
    /// Agents that rest further than [`ARRIVAL_RADIUS`] from their final places, and no others are in their way.
    off: usize,
    worst: f32,
    /// Agents that are held up by others.
    blocked: usize,
    /// Agents that move still.
    moving: usize,
    /// Agents that are said to be at their goals and are not.
    lies: usize,
    /// Squads whose centre is further off than they are wide.
    astray: usize,
    /// Squads that took longer than they should.
    late: usize,
    /// The most routes that one agent asked for.
    asked: u32,
    /// The map has cliffs, which are climbed at a crawl.
    is_steep: bool,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { agents, off, worst, blocked, moving, lies, astray, late, asked, .. } = self;
        write!(
            f,
            "{agents:4} agents, {off:2} off, worst {worst:5.2} m, {blocked:2} blocked, {moving:2} moving, {lies} lies, {astray} \
             astray, {late:2} late, {asked} asked"
        )
    }
}

/// What comes of a case; `None` where the planner cannot plan on such a map.
fn run(grid: &Arc<Grid>, planner: &str, case: &Case) -> Option<Outcome> {
    let cell = grid.lattice().cell_size;
    let ground = Arc::new(Ground::new(Arc::clone(grid), (1.01 * case.unit.radius).max(0.45 * cell)).unwrap());
    let choice: PlannerChoice = planner.parse().unwrap();
    // The world makes the tables of `labels`, which take long; its routes cost as much as those of jump point search.
    let measured = if planner == "labels" { "jps".parse().unwrap() } else { choice.clone() };
    let planner = match measured.build(&ground) {
        Err(PlanError::Cannot { what: Capability::Heights, .. }) => return None,
        built => built.unwrap(),
    };
    let is_steep = !ground.is_level();
    if is_steep && (!planner.capabilities().can(Capability::Heights) || case.squads > 1 && case.size > 1) {
        return None;
    }
    let passable = ground.lattice().cells().filter(|&cell| ground.is_passable(cell)).count();
    // As many as have room to get past each other.
    let case = &Case { squads: case.squads.min(if case.size > 1 { 1 + passable / 800 } else { 100 }), ..case.clone() };
    let trips = trips(&ground, case);
    let routes = routes(&ground, &*planner, &trips, case.unit.speed);
    let closed = if case.edits { closable(&ground, &routes, &trips) } else { Vec::new() };
    let settings = Settings { threads: 1, step: case.step, ..Settings::default() };
    let mut world = World::new(Arc::clone(grid), settings).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(case.unit.clone()).unwrap());
    for trip in &trips {
        let order = Order::Move(trip.goal);
        world
            .spawn_squad(SquadSpec { order, planner: choice.clone(), ..SquadSpec::new(army, unit, &trip.members) })
            .unwrap();
    }
    // The time that the way takes, some for forming up, and as much again where the way was closed meanwhile. On hills the way
    // between the middles of cells is steeper here and there than from cell to cell.
    let again = if case.edits || is_steep { 2.0 } else { 1.0 };
    let allowed = |time: f64| 1.5 * again * time + 10.0 + 3.0 * case.size as f64 + 20.0 * f64::from(case.step);
    let longest = routes.iter().map(|(_, time)| *time).fold(0.0, f64::max);
    let most = if case.squads > 1 && case.size > 1 { 3.0 * allowed(longest) } else { allowed(longest) };
    let most = (most / f64::from(case.step)) as u64;
    let (mut rested, mut begun) = (vec![0_u64; trips.len()], vec![None; trips.len()]);
    let mut asked = vec![1_u32; world.crowd().slots.follower.len()];
    let mut asking = vec![false; asked.len()];
    let ticks_of = |seconds: f64| (seconds / f64::from(case.step)) as u64;
    // Up a slope of 45 degrees an agent walks 0.05 m/s (Tobler 1993).
    let rests_below = if is_steep { 0.02 } else { 0.1 };
    // The time counts from when there is a route.
    while world.ticks() < most + begun.iter().map(|tick| tick.unwrap_or(0)).max().unwrap_or(0) {
        let at = |share: f64| ticks_of(share * longest) == world.ticks();
        if case.edits && (at(0.25) || at(0.6)) {
            let edit = |&cell: &Cell| if at(0.25) { Edit::Close(cell) } else { Edit::Open(cell) };
            world.edit(&closed.iter().map(edit).collect::<Vec<_>>()).unwrap();
        }
        world.tick().unwrap();
        for (squad, begun) in world.squads().iter().zip(&mut begun) {
            if matches!(squad.route_state, RouteState::Walked { .. }) {
                begun.get_or_insert(world.ticks());
            }
        }
        for ((follower, asked), asking) in world.crowd().slots.follower.iter().zip(&mut asked).zip(&mut asking) {
            let asks = follower.route_progress == RouteProgress::Requested;
            *asked += u32::from(!std::mem::replace(asking, asks) && asks);
        }
        let mut all = !case.edits || world.ticks() > ticks_of(longest);
        for (s, rested) in rested.iter_mut().enumerate() {
            let crowd = world.crowd();
            let still = world.squads()[s].members.iter().all(|&id| is_still(crowd, id, rests_below));
            if !still {
                *rested = world.ticks();
            }
            all &= still && world.ticks() - *rested > ticks_of(4.0);
        }
        if all {
            break;
        }
    }
    let mut outcome = Outcome { agents: world.agents(), is_steep, ..Outcome::default() };
    for (s, trip) in trips.iter().enumerate() {
        let (crowd, squad) = (world.crowd(), &world.squads()[s]);
        let taken = rested[s].saturating_sub(begun[s].unwrap_or(0)) as f64 * f64::from(case.step);
        outcome.late += usize::from(taken > allowed(routes[s].1));
        let mut came = Vec::new();
        for &id in &squad.members {
            let row = crowd.row(id).unwrap();
            let post = crowd.slots.follower[id.slot as usize].post;
            // It stands beside another that holds the very point.
            let is_held =
                |&at: &Vec2| at.distance(trip.goal) < 2.2 * case.unit.radius && at != crowd.rows.position[row];
            let is_displaced = case.size > 1 || crowd.rows.position.iter().any(is_held);
            let place = if is_displaced { post } else { trip.goal };
            let (off, why) = (crowd.rows.position[row].distance(place), world.why(id).unwrap());
            let is_off = off > ARRIVAL_RADIUS;
            outcome.moving += usize::from(crowd.rows.velocity[row].length() >= rests_below);
            outcome.lies += usize::from(is_off && matches!(why, IdleReason::AtGoal | IdleReason::NearGoal { .. }));
            if case.size > 1 && is_off && matches!(why, IdleReason::Blocked { .. }) {
                outcome.blocked += 1;
                continue;
            }
            came.push(crowd.rows.position[row]);
            outcome.off += usize::from(is_off);
            outcome.worst = outcome.worst.max(if is_off { off } else { 0.0 });
        }
        let centre = came.iter().sum::<Vec2>() / came.len().max(1) as f32;
        let first = trip.members.iter().sum::<Vec2>() / trip.members.len() as f32;
        let wide = trip.members.iter().map(|at| at.distance(first)).fold(ARRIVAL_RADIUS, f32::max);
        let aside = aside(case, &crowd.rows.position, trip.goal, centre);
        outcome.astray += usize::from(centre.distance(trip.goal) > wide + aside);
    }
    outcome.asked = asked.into_iter().max().unwrap_or(0);
    Some(outcome)
}

/// True for an agent that hardly moves (m/s); one that is lost waits, and goes on.
fn is_still(crowd: &Crowd, id: AgentId, rests_below: f32) -> bool {
    let row = crowd.row(id).unwrap();
    let progress = crowd.slots.follower[id.slot as usize].route_progress;
    crowd.rows.velocity[row].length() < rests_below && progress == RouteProgress::OnRoute
}

/// How far off its goal (m) one may stand whose place overlaps that of another: beside it.
fn aside(case: &Case, positions: &[Vec2], goal: Vec2, place: Vec2) -> f32 {
    let is_other = |at: &Vec2| at.distance(goal) < 2.2 * case.unit.radius && at.distance(place) > 0.0;
    let is_beside = case.size == 1 && positions.iter().any(is_other);
    if is_beside { 3.0 * case.unit.radius } else { 0.0 }
}

/// What of an outcome is not as it should be.
fn is_broken(case: &Case, outcome: &Outcome) -> bool {
    let Outcome { agents, off, blocked, moving, lies, astray, late, asked, is_steep, .. } = *outcome;
    let mayhem = case.squads > 1 && case.size > 1;
    if mayhem {
        // Where forty squads meet in passages that are good for one, some are held up, and say so.
        return lies > 0 || 100 * off > agents || 100 * moving > 3 * agents || 20 * blocked > agents || asked > 20;
    }
    let most_asked = if case.edits { 4 } else { 2 };
    if case.size == 1 && asked > most_asked || lies > 0 || blocked > 1 {
        return true;
    }
    // Where an agent crawls up a slope, some are on their way still.
    if is_steep { 50 * off > agents || 20 * late > agents } else { off + moving + astray + late > 0 }
}

/// Prints a line a case, one of so many by each planner; the lines of those that are broken.
fn table((number, map): (usize, &str), cases: &[Case], one_of: usize) -> Vec<String> {
    let grid = load(map);
    let of = |(p, planner): (usize, &'static str)| {
        let cases = cases.iter().enumerate().filter(move |(c, _)| (p + c + number).is_multiple_of(one_of));
        cases.map(move |(_, case)| (planner, case))
    };
    let all: Vec<(&str, &Case)> = PLANNERS.into_iter().enumerate().flat_map(of).collect();
    // Threads of their own: a worker of rayon that waits for a world's tick begins the next case on the same stack.
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        while let Some(&(planner, case)) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            done.extend(run(&grid, planner, case).map(|outcome| (planner, case, outcome)));
        }
        done
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let mut outcomes: Vec<_> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers.into_iter().flat_map(|worker| worker.join().unwrap()).collect()
    });
    outcomes
        .sort_by_key(|(planner, case, _)| all.iter().position(|one| one.0 == *planner && std::ptr::eq(one.1, *case)));
    let mut broken = Vec::new();
    for (planner, case, outcome) in outcomes {
        let line = format!("{map:13} {planner:14} {:8} {outcome}", case.name);
        println!("{line}");
        if is_broken(case, &outcome) {
            broken.push(line);
        }
    }
    broken
}

fn load(map: &str) -> Arc<Grid> {
    Arc::new(Grid::load(format!("{}/../../maps/{map}", env!("CARGO_MANIFEST_DIR"))).unwrap())
}

fn all_arrive(maps: &[&str], cases: &[Case], one_of: usize) {
    let broken: Vec<String> = maps.iter().copied().enumerate().flat_map(|map| table(map, cases, one_of)).collect();
    assert!(broken.is_empty(), "\n{}", broken.join("\n"));
}

#[test]
fn whoever_goes_alone_arrives() {
    all_arrive(&["gates.map", "castle.txt"], &loners(20), 1);
}

#[test]
fn squads_arrive() {
    all_arrive(&["castle.txt"], &squads(), 1);
}

/// All maps and cases by every planner, one of so many.
fn all_arrive_everywhere(one_of: usize) {
    let maps = [
        "town.map",
        "caverns.map",
        "fortress.map",
        "field.map",
        "gates.map",
        "bridge.txt",
        "castle.txt",
        "keep.tmx",
        "meadow.png",
        "pass.png",
        "plain.png",
    ];
    let cases: Vec<Case> = loners(100).into_iter().chain(squads()).chain(crowds()).collect();
    all_arrive(&maps, &cases, one_of);
}

/// Every planner on every map, by some three of the ten cases; each planner meets each case on some map.
#[test]
#[ignore = "it takes minutes; continuous integration runs it"]
fn every_shipped_map() {
    all_arrive_everywhere(3);
}

#[test]
#[ignore = "it takes a quarter of an hour"]
fn every_case_on_every_map() {
    all_arrive_everywhere(1);
}
