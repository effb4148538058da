//! Every planner on every kind of ground that it can search: neighbourhoods, corner rules, terrain, heights, links, wide bodies,
//! goal sets; against Dijkstra's algorithm of the `pathfinding` crate on steps told from the grid alone.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{
    Cell, Corners, Crowding, DIAGONAL, Direction, Edit, Grid, Ground, GroundError, Lattice, Link, Mobility, STRAIGHT,
    Steps, TerrainCosts, pace,
};
use throng_plan::{
    Capabilities, Capability, Cost, Goal, Guarantee, Path, PlanError, PlannerChoice, Progress, Query, Scratch, Status,
    plan,
};

/// A map of noise: `closed` of 100 cells are walls, a few of the others of each class of terrain, all up to `high`
/// centimetres high.
fn noise(width: u32, height: u32, closed: u32, high: u16, seed: u64) -> Grid {
    let mut random = Pcg32::seed_from_u64(seed);
    let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        grid.set_open(cell, random.random_range(0..100) >= closed);
        grid.set_terrain(cell, random.random_range(0_u8..8).saturating_sub(4));
        grid.set_height(cell, if high == 0 { 0 } else { random.random_range(0..=high) });
    }
    grid
}

/// A unit of the tests: the steps are told from this and the grid alone.
#[derive(Clone, Debug)]
struct Unit {
    mobility: Mobility,
    /// Radius asked for in the query.
    radius: f32,
}

impl Unit {
    fn weight(&self, grid: &Grid, cell: Cell) -> Option<u64> {
        match &self.mobility.terrain {
            None => Some(1),
            Some(costs) => costs.of(grid.terrain(cell)).unwrap().map(u64::from),
        }
    }

    fn stands(&self, grid: &Grid, cell: Cell) -> bool {
        let radius = self.radius.max(self.mobility.radius);
        let wide = radius > 0.5 * grid.lattice().cell_size;
        grid.is_open(cell) && self.weight(grid, cell).is_some() && (!wide || grid.clearance()[cell] >= radius)
    }

    fn steps(&self, grid: &Grid, cell: Cell) -> Vec<(Cell, Cost)> {
        let lattice = grid.lattice();
        let (x, y) = lattice.column_row(cell);
        let at = |dx: i32, dy: i32| lattice.checked_cell(i64::from(x) + i64::from(dx), i64::from(y) + i64::from(dy));
        let free = |cell: Option<Cell>| cell.filter(|&cell| self.stands(grid, cell));
        let mut steps = Vec::new();
        for direction in Direction::ALL {
            let (dx, dy) = direction.step();
            let Some(to) = free(at(dx, dy)) else { continue };
            let sides = [free(at(dx, 0)).is_some(), free(at(0, dy)).is_some()];
            let legal = match self.mobility.steps {
                _ if !direction.is_diagonal() => true,
                Steps::Four => false,
                Steps::Eight(Corners::Never) => sides == [true; 2],
                Steps::Eight(Corners::OneSide) => sides != [false; 2],
                Steps::Eight(Corners::Always) => true,
            };
            if legal {
                let weights = self.weight(grid, cell).unwrap() + self.weight(grid, to).unwrap();
                let length = u64::from(if direction.is_diagonal() { DIAGONAL } else { STRAIGHT });
                let rise = f32::from(grid.height(to)) - f32::from(grid.height(cell));
                let way = if direction.is_diagonal() { 100.0 * std::f32::consts::SQRT_2 } else { 100.0 };
                let share = (65_536.0 / f64::from(pace(rise / way))).ceil() as u64;
                steps.push((to, (length * weights / 2 * share).div_ceil(65_536)));
            }
        }
        let links = self.mobility.links.iter().filter(|link| link.is_open && link.from == cell);
        steps.extend(links.filter(|link| self.stands(grid, link.to)).map(|link| (link.to, link.cost.into())));
        steps
    }

    /// Least cost to each cell that can be reached.
    fn costs(&self, grid: &Grid, from: Cell) -> BTreeMap<Cell, Cost> {
        let all = pathfinding::prelude::dijkstra_all(&from, |&cell| self.steps(grid, cell));
        all.into_iter().map(|(cell, (_, cost))| (cell, cost)).chain([(from, 0)]).collect()
    }
}

fn steps() -> impl Strategy<Value = Steps> {
    prop::sample::select(vec![
        Steps::Four,
        Steps::Eight(Corners::Never),
        Steps::Eight(Corners::OneSide),
        Steps::Eight(Corners::Always),
    ])
}

/// Classes 0 to 3, plain ground dearer than the best, one perhaps never entered.
fn terrain() -> impl Strategy<Value = Option<TerrainCosts>> {
    let costs = prop::collection::vec(prop_oneof![4 => (1_u16..9).prop_map(Some), 1 => Just(None)], 4);
    prop_oneof![
        Just(None),
        costs.prop_map(|mut costs| {
            costs[0] = costs[0].or(Some(2));
            Some(TerrainCosts::new((0..4).zip(costs)))
        })
    ]
}

fn grids() -> impl Strategy<Value = Grid> {
    let high = prop_oneof![Just(0), 1_u16..10, 10_u16..90, 90_u16..=400];
    (1_u32..24, 1_u32..24, prop_oneof![Just(0), 5_u32..45], high, any::<u64>())
        .prop_map(|(width, height, closed, high, seed)| noise(width, height, closed, high, seed))
}

/// Links between cells to stand on: some cheaper than walking, some closed.
fn links(unit: &Unit, grid: &Grid, count: usize, seed: u64) -> Vec<Link> {
    let standing: Vec<Cell> = grid.lattice().cells().filter(|&cell| unit.stands(grid, cell)).collect();
    let mut random = Pcg32::seed_from_u64(seed);
    let mut links = Vec::new();
    while links.len() < count && !standing.is_empty() {
        let mut any = || standing[random.random_range(0..standing.len())];
        let (from, to) = (any(), any());
        let cost = if random.random_range(0..3) == 0 { random.random_range(0..STRAIGHT) } else { 40_000 };
        links.push(Link { is_open: random.random_range(0..4) > 0, ..Link::new(from, to, cost) });
    }
    links
}

/// The planners under test.
fn planners(ground: &Arc<Ground>, query: &Query) -> Vec<Arc<dyn throng_plan::Planner>> {
    let estimates = ["astar:octile", "astar:manhattan", "astar:euclidean", "astar:zero"];
    let mut planners = Vec::new();
    for text in PlannerChoice::NAMES.iter().copied().chain(estimates) {
        let choice: PlannerChoice = text.parse().unwrap();
        let Ok(planner) = choice.build(ground) else { continue };
        if planner.begin(ground, query, &mut Scratch::default()).is_ok() {
            planners.push(planner);
        }
    }
    planners
}

/// Tells the cells of a goal.
type Accepts<'a> = Box<dyn Fn(Cell) -> bool + 'a>;

/// Cost of a path, step by step; panics at a step that the unit cannot take.
fn walk(unit: &Unit, grid: &Grid, path: &Path) -> Cost {
    let step = |pair: &[Cell]| {
        let costs = unit.steps(grid, pair[0]).into_iter().filter(|&(to, _)| to == pair[1]);
        costs.map(|(_, cost)| cost).min().unwrap_or_else(|| panic!("no step from {:?} to {:?}", pair[0], pair[1]))
    };
    path.cells.windows(2).map(step).sum()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn planners_are_exact_on_every_ground(
        grid in grids(), steps in steps(), terrain in terrain(), seed in any::<u64>(), count in prop_oneof![Just(0_usize), 1_usize..9],
        ground_radius in prop_oneof![Just(0.4_f32), Just(0.9)], radius in prop_oneof![3 => Just(0.0_f32), 1 => Just(1.3)],
    ) {
        let grid = Arc::new(grid);
        let mut unit = Unit { mobility: Mobility { steps, terrain, ..Mobility::new(ground_radius) }, radius: 0.0 };
        unit.mobility.links = links(&unit, &grid, count, seed);
        let ground = Arc::new(Ground::build(grid.clone(), unit.mobility.clone()).unwrap());
        unit.radius = radius;
        for cell in grid.lattice().cells() {
            prop_assert_eq!(ground.is_passable(cell), Unit { radius: 0.0, ..unit.clone() }.stands(&grid, cell));
        }
        let standing: Vec<Cell> = grid.lattice().cells().filter(|&cell| unit.stands(&grid, cell)).collect();
        let mut random = Pcg32::seed_from_u64(seed);
        for _ in 0..if standing.is_empty() { 0 } else { 2 } {
            let mut any = || standing[random.random_range(0..standing.len())];
            let (from, to) = (any(), any());
            let costs = unit.costs(&grid, from);
            let query = Query { radius, ..Query::new(from, to) };
            let planners = planners(&ground, &query);
            prop_assert!(planners.len() >= 5, "{} planners", planners.len());
            for planner in planners {
                let (mut scratch, mut path) = (Scratch::default(), Path::default());
                let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path).unwrap();
                let name = planner.name();
                let Some(&least) = costs.get(&to) else {
                    prop_assert_eq!((outcome.status, path.cells.len()), (Status::NoRoute, 0), "{}", name);
                    continue;
                };
                prop_assert_eq!(outcome.status, Status::Found, "{}", name);
                prop_assert_eq!((path.cells[0], *path.cells.last().unwrap()), (from, to), "{}", name);
                if matches!(planner.capabilities().guarantee, Guarantee::Unproven) {
                    continue;
                }
                prop_assert_eq!(walk(&unit, &grid, &path), outcome.cost, "{}", name);
                prop_assert!(outcome.cost as f64 <= least as f64 * outcome.bound, "{}: {} for {}", name, outcome.cost, least);
                if planner.capabilities().guarantee == Guarantee::Optimal {
                    prop_assert_eq!((outcome.cost, outcome.bound), (least, 1.0), "{}", name);
                }
            }
        }
    }

    /// The cheapest of a set, of a disc, of the reachable cells nearest to a closed one.
    #[test]
    fn goals_of_several_cells(grid in grids(), steps in steps(), terrain in terrain(), seed in any::<u64>(), distance in 0.0_f32..6.0) {
        let grid = Arc::new(grid);
        let lattice = grid.lattice();
        let unit = Unit { mobility: Mobility { steps, terrain, ..Mobility::new(0.4) }, radius: 0.0 };
        let ground = Arc::new(Ground::build(grid.clone(), unit.mobility.clone()).unwrap());
        let standing: Vec<Cell> = lattice.cells().filter(|&cell| unit.stands(&grid, cell)).collect();
        prop_assume!(!standing.is_empty());
        let all: Vec<Cell> = lattice.cells().collect();
        let mut random = Pcg32::seed_from_u64(seed);
        let from = standing[random.random_range(0..standing.len())];
        let mut any = || all[random.random_range(0..all.len())];
        let (wanted, set) = (any(), [any(), any(), any(), any()]);
        let costs = unit.costs(&grid, from);
        let centre = lattice.centre(wanted) + Vec2::new(0.3, -0.2);
        let squared = |cell: Cell| {
            let ((x0, y0), (x1, y1)) = (lattice.column_row(cell), lattice.column_row(wanted));
            x0.abs_diff(x1).pow(2) + y0.abs_diff(y1).pow(2)
        };
        let nearest = costs.keys().map(|&cell| squared(cell)).min().unwrap();
        let goals: [(Goal, Accepts<'_>); 3] = [
            (Goal::AnyOf(set.into()), Box::new(|cell| set.contains(&cell))),
            (Goal::Within { centre, distance }, Box::new(|cell| lattice.centre(cell).distance_squared(centre) <= distance * distance)),
            (Goal::Nearest(wanted), Box::new(|cell| squared(cell) == nearest)),
        ];
        for (goal, accepts) in goals {
            let query = Query { goal: goal.clone(), ..Query::new(from, wanted) };
            let expected = costs.iter().filter(|&(&cell, _)| accepts(cell)).map(|(_, &cost)| cost).min();
            if !standing.iter().any(|&cell| accepts(cell)) {
                let dijkstra = PlannerChoice::Dijkstra.build(&ground).unwrap();
                prop_assert_eq!(dijkstra.begin(&ground, &query, &mut Scratch::default()), Err(PlanError::NoGoal));
                continue;
            }
            for planner in planners(&ground, &query) {
                if planner.capabilities().guarantee != Guarantee::Optimal {
                    continue;
                }
                let (mut scratch, mut path) = (Scratch::default(), Path::default());
                let outcome = plan(planner.as_ref(), &ground, &query, &mut scratch, &mut path).unwrap();
                let status = match (expected, &goal) {
                    (None, _) => Status::NoRoute,
                    (_, Goal::Nearest(_)) if nearest > 0 => Status::Partial,
                    _ => Status::Found,
                };
                prop_assert_eq!((outcome.status, outcome.cost), (status, expected.unwrap_or(0)), "{} to {:?}", planner.name(), goal);
                if expected.is_some() {
                    prop_assert!(accepts(*path.cells.last().unwrap()));
                    prop_assert_eq!(walk(&unit, &grid, &path), outcome.cost);
                }
            }
        }
    }

    /// One ground for all sizes: a query's radius gives what a ground of that radius gives, and its size class knows at
    /// once where there is no route.
    #[test]
    fn a_radius_is_a_ground_of_that_radius(grid in grids(), steps in steps(), seed in any::<u64>(), radius in 0.5_f32..3.0) {
        let grid = Arc::new(grid);
        let narrow = Mobility { steps, sizes: vec![radius], ..Mobility::new(0.4) };
        let one = Arc::new(Ground::build(grid.clone(), narrow).unwrap());
        let own = Arc::new(Ground::build(grid.clone(), Mobility { steps, ..Mobility::new(radius) }).unwrap());
        let standing: Vec<Cell> = grid.lattice().cells().filter(|&cell| own.is_passable(cell)).collect();
        prop_assume!(!standing.is_empty());
        let mut random = Pcg32::seed_from_u64(seed);
        let mut any = || standing[random.random_range(0..standing.len())];
        let (from, to) = (any(), any());
        let (mut scratch, mut path, mut other) = (Scratch::default(), Path::default(), Path::default());
        for goal in [Goal::Cell(to), Goal::Nearest(to), Goal::AnyOf([to].into())] {
            let query = Query { goal, ..Query::new(from, to) };
            let planner = PlannerChoice::AStar.build(&own).unwrap();
            let expected = plan(planner.as_ref(), &own, &query, &mut scratch, &mut other).unwrap();
            let wide = Query { radius, ..query };
            let outcome = plan(planner.as_ref(), &one, &wide, &mut scratch, &mut path).unwrap();
            prop_assert_eq!((outcome.status, outcome.cost), (expected.status, expected.cost));
            if outcome.status == Status::NoRoute {
                prop_assert_eq!(outcome.expanded, 0);
            }
        }
    }

    #[test]
    fn an_edited_ground_is_a_fresh_one(
        grid in grids(), steps in steps(), terrain in terrain(), seed in any::<u64>(), rounds in 1_usize..5,
        radius in prop_oneof![Just(0.4_f32), Just(0.9)], count in 0_usize..4,
    ) {
        let lattice = grid.lattice();
        let mut unit = Unit { mobility: Mobility { steps, terrain, sizes: vec![1.6], ..Mobility::new(radius) }, radius: 0.0 };
        unit.mobility.links = links(&unit, &grid, count, seed);
        let held: Vec<Cell> = unit.mobility.links.iter().flat_map(|link| [link.from, link.to]).collect();
        let mut ground = Ground::build(grid.into(), unit.mobility.clone()).unwrap();
        let cells: Vec<Cell> = lattice.cells().collect();
        let mut random = Pcg32::seed_from_u64(seed);
        for _ in 0..rounds {
            let mut grid = ground.grid().as_ref().clone();
            let edits: Vec<Edit> = (0..random.random_range(1..6)).map(|_| {
                let cell = cells[random.random_range(0..cells.len())];
                match random.random_range(0..4) {
                    0 => Edit::Open(cell),
                    1 => Edit::Close(cell),
                    2 => Edit::Height(cell, random.random_range(0..3) * 70),
                    _ => Edit::Terrain(cell, random.random_range(0..4)),
                }
            }).collect();
            let mut dirty = Vec::new();
            grid.edit(&edits, &mut dirty);
            let fresh = Ground::build(grid.clone().into(), unit.mobility.clone());
            let edited = ground.edited(grid.into(), &dirty);
            match (fresh, edited) {
                (Ok(fresh), Ok(edited)) => {
                    prop_assert_eq!(&fresh, &edited);
                    prop_assert!(fresh.id() != edited.id());
                    ground = edited;
                }
                (fresh, edited) => {
                    prop_assert!(!held.is_empty());
                    prop_assert_eq!(fresh.err(), edited.err());
                    break;
                }
            }
        }
    }
}

fn plain(width: u32, height: u32) -> Grid {
    Grid::open_plain(Lattice::new(width, height, 1.0).unwrap())
}

fn refused(grid: Grid, mobility: Mobility) -> String {
    let error: GroundError = Ground::build(grid.into(), mobility).unwrap_err();
    error.to_string()
}

#[test]
fn impossible_grounds_are_errors() {
    let terrain = |costs: &[(u8, Option<u16>)]| Mobility {
        terrain: Some(TerrainCosts::new(costs.iter().copied())),
        ..Mobility::new(0.4)
    };
    let mut marsh = plain(5, 4);
    marsh.set_terrain(marsh.lattice().cell(3, 2), 7);
    assert_eq!(
        refused(marsh.clone(), terrain(&[(0, Some(1))])),
        "terrain class 7, at (3, 2), has no cost; give one, or say that it is never entered"
    );
    assert!(Ground::build(marsh.into(), terrain(&[(0, Some(1)), (7, None)])).is_ok());
    assert_eq!(refused(plain(5, 4), terrain(&[(0, Some(0))])), "terrain class 0 costs 0; the least cost is 1");
    assert_eq!(
        refused(plain(200, 200), terrain(&[(0, Some(60_000))])),
        "the costs of terrain and links are too great for this map: a route of 400 steps over terrain of cost 60000 and \
         links of 0 is possible, the limit of a route's cost is 4294967295; use smaller costs"
    );
    let at = |x, y| plain(5, 4).lattice().cell(x, y);
    let links = |links: &[Link]| Mobility { links: links.to_vec(), ..Mobility::new(0.4) };
    let mut walled = plain(5, 4);
    walled.set_open(at(2, 1), false);
    // A link from or to a wall is closed, until the wall is gone.
    let halves =
        links(&[Link::new(at(0, 0), at(2, 1), 5), Link::new(at(2, 1), at(1, 1), 5), Link::new(at(0, 0), at(4, 3), 5)]);
    let walled = Ground::build(walled.into(), halves).unwrap();
    assert_eq!(walled.links().all(), [Link::new(at(0, 0), at(4, 3), 5)]);
    let opened = walled.edited(plain(5, 4).into(), &[at(2, 1)]).unwrap();
    assert_eq!(opened.links().all().len(), 3);
    assert_eq!(refused(plain(5, 4), links(&[Link::new(at(0, 0), Cell::NONE, 5)])), "link 0 ends off the map");
    let many = vec![Link::new(at(0, 0), at(1, 0), 5); 40_000];
    assert_eq!(refused(plain(5, 4), links(&many)), "a ground may have at most 32736 links, found 40000");
    assert_eq!(
        refused(plain(5, 4), Mobility::new(f32::NAN)),
        "the radius of a unit must be a finite number of metres, at least 0; found NaN"
    );
    assert_eq!(
        refused(plain(5, 4), Mobility { sizes: vec![0.3], ..Mobility::new(0.4) }),
        "a size class must be wider than the radius of the ground, 0.4 m; found 0.3"
    );
}

#[test]
fn impossible_queries_are_errors() {
    let mut grid = plain(9, 9);
    let at = |x, y| grid.lattice().cell(x, y);
    let (from, wall, beside) = (at(1, 1), at(6, 6), at(5, 6));
    grid.set_open(wall, false);
    let ground = Arc::new(Ground::new(grid.into(), 0.4).unwrap());
    let message = |query: &Query| {
        let planner = PlannerChoice::AStar.build(&ground).unwrap();
        planner.begin(&ground, query, &mut Scratch::default()).unwrap_err().to_string()
    };
    let wide = Query { radius: 1.2, ..Query::new(from, beside) };
    assert_eq!(message(&wide), "the goal (5, 6) is too narrow for a radius of 1.2 m");
    assert_eq!(
        message(&Query { goal: Goal::Nearest(wall), ..wide.clone() }),
        "the cell nearest to a goal can only be found for the ground's own radius and its size classes; make the ground \
         with 1.2 among its sizes"
    );
    let query = Query::new(from, from);
    assert_eq!(
        message(&Query { goal: Goal::AnyOf([wall].into()), ..query.clone() }),
        "no cell of the goal can be stood on: all are in walls or too narrow"
    );
    assert_eq!(message(&Query { goal: Goal::AnyOf([Cell::NONE].into()), ..query.clone() }), "the goal is off the map");
    assert_eq!(message(&Query { goal: Goal::Nearest(Cell::NONE), ..query.clone() }), "the goal is off the map");
    assert_eq!(
        message(&Query { goal: Goal::Within { centre: Vec2::new(f32::NAN, 1.0), distance: 1.0 }, ..query.clone() }),
        "a goal within a distance needs a finite point and a finite distance of at least 0 m; found (NaN, 1) and 1"
    );
    for radius in [f32::NAN, -1.0, f32::INFINITY] {
        assert_eq!(
            message(&Query { radius, ..query.clone() }),
            format!("the radius of a query must be a finite number of metres, at least 0; found {radius}")
        );
    }
}

/// Every planner refuses a query that needs a capability it lacks.
#[test]
fn asking_for_more_than_a_planner_can_is_an_error() {
    let mut grid = noise(20, 20, 0, 0, 1);
    // A wall, so that no planner is done at once.
    (0..19).for_each(|y| grid.set_open(grid.lattice().cell(14, y), false));
    let mut hill = grid.clone();
    hill.set_height(hill.lattice().cell(3, 3), 50);
    let grid = Arc::new(grid);
    let at = |x, y| grid.lattice().cell(x, y);
    let build = |mobility| Arc::new(Ground::build(grid.clone(), mobility).unwrap());
    let base = Mobility::new(0.4);
    let costs = TerrainCosts::new((0..4).map(|class| (class, Some(u16::from(class) + 1))));
    let simple = Query::new(at(2, 2), at(9, 9));
    let jam = Crowding::new(&grid).unwrap().counted([(Vec2::splat(5.0), 1.0)]);
    let crowded = build(Mobility { congestion: 2.0, ..base.clone() }).crowded(Arc::new(jam));
    let asked = [
        (Capability::FourNeighbours, build(Mobility { steps: Steps::Four, ..base.clone() }), simple.clone()),
        (
            Capability::CutCorners,
            build(Mobility { steps: Steps::Eight(Corners::Always), ..base.clone() }),
            simple.clone(),
        ),
        (Capability::Terrain, build(Mobility { terrain: Some(costs), ..base.clone() }), simple.clone()),
        (Capability::Heights, Arc::new(Ground::new(hill.into(), 0.4).unwrap()), simple.clone()),
        (Capability::Crowds, Arc::new(crowded), simple.clone()),
        (
            Capability::Links,
            build(Mobility { links: vec![Link::new(at(2, 2), at(5, 5), 9)], ..base.clone() }),
            simple.clone(),
        ),
        (Capability::Radius, build(base.clone()), Query { radius: 1.2, ..simple.clone() }),
        (Capability::GoalSets, build(base.clone()), Query { goal: Goal::AnyOf([at(9, 9), at(3, 3)].into()), ..simple }),
    ];
    for name in PlannerChoice::NAMES {
        let choice: PlannerChoice = name.parse().unwrap();
        let plain = build(base.clone());
        let can: Capabilities = choice.build(&plain).unwrap().capabilities();
        for (what, ground, query) in &asked {
            let result = choice.build(ground).and_then(|planner| planner.begin(ground, query, &mut Scratch::default()));
            let expected = if can.can(*what) { Ok(()) } else { Err(PlanError::Cannot { planner: name, what: *what }) };
            assert_eq!(result, expected, "{name}, {what}");
        }
        let pauses = choice.build(&plain).unwrap();
        let (query, mut scratch) = (Query::new(at(0, 0), at(19, 19)), Scratch::default());
        pauses.begin(&plain, &query, &mut scratch).unwrap();
        // No budget at all: some planners come to the goal by one expansion.
        let paused = pauses.advance(&plain, &query, &mut scratch, 0) == Progress::Running;
        assert_eq!(paused, can.can(Capability::Pause), "{name} in pieces");
    }
}
