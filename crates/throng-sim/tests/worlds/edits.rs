//! Maps that change while agents walk on them.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Corners, Direction, Edit, Grid, Ground, Lattice, Link, Mobility, Steps, TerrainCosts, walls};
use throng_plan::{AStar, DStarLite, Octile, Path, Query, Scratch, Status, plan};
use throng_sim::battle::{Order, RouteState, Unit};
use throng_sim::world::{Frame, Settings, SquadId, SquadSpec, World};
use throng_spatial::IndexKind;

/// A room of 40 x 24 m, cut in two by a wall with gates three cells high at these rows.
fn halls(gates: &[u32]) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(40, 24, 1.0).unwrap());
    for y in 0..24 {
        let gate = gates.iter().any(|&gate| (gate..gate + 3).contains(&y));
        grid.set_open(grid.lattice().cell(20, y), gate);
    }
    grid
}

fn gate(grid: &Grid, row: u32) -> [Cell; 3] {
    [0, 1, 2].map(|y| grid.lattice().cell(20, row + y))
}

/// Six soldiers on the left who go to the right.
fn march(grid: Grid, settings: Settings) -> (World, SquadId) {
    let mut world = World::new(grid, settings).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let positions: Vec<Vec2> = (0..6).map(|i| Vec2::new(3.5 + (i % 3) as f32, 3.5 + (i / 3) as f32)).collect();
    let squad = world.spawn_squad(SquadSpec::new(army, unit, &positions)).unwrap();
    world.order(squad, Order::GoTo(Vec2::new(36.5, 4.5))).unwrap();
    (world, squad)
}

fn arrived(world: &World) -> bool {
    world.positions().all(|(_, at)| at.distance(Vec2::new(36.5, 4.5)) < 6.0)
}

/// Ticks until all have come; `None` where they have not within two minutes.
fn ticks_to_arrive(world: &mut World) -> Option<u64> {
    while !arrived(world) && world.ticks() < 2400 {
        world.tick().unwrap();
    }
    arrived(world).then(|| world.ticks())
}

#[test]
fn a_gate_that_closes_sends_the_squad_round() {
    let grid = halls(&[3, 18]);
    let near = gate(&grid, 3);
    let (mut world, _) = march(grid, Settings::default());
    for _ in 0..60 {
        world.tick().unwrap();
    }
    assert!(world.positions().all(|(_, at)| (5.0..19.0).contains(&at.x)), "on the way");
    world.edit(&near.map(Edit::Close)).unwrap();
    world.tick().unwrap();
    assert_eq!((world.grid().revision(), world.edits_pending()), (1, 0));
    let mut lowest = 0.0_f32;
    while !arrived(&world) && world.ticks() < 2400 {
        world.tick().unwrap();
        lowest = world.positions().map(|(_, at)| at.y).fold(lowest, f32::max);
    }
    assert!(arrived(&world));
    assert!(lowest > 18.0, "they went round by the lower gate");
}

#[test]
fn an_edit_of_terrain_alone_changes_the_map_and_no_route() {
    let (mut world, _) = march(halls(&[3, 18]), Settings::default());
    let (mut same, _) = march(halls(&[3, 18]), Settings::default());
    for tick in 0..200 {
        if tick % 20 == 19 {
            // In the gate, on the way there, far off; of a wall.
            let cells = [(20, 4), (15, 4), (30, 20), (20, 10)].map(|(x, y)| world.grid().lattice().cell(x, y));
            world.edit(&cells.map(|cell| Edit::Terrain(cell, tick / 20 + 1))).unwrap();
        }
        world.tick().unwrap();
        same.tick().unwrap();
        assert_eq!(world.position_hash(), same.position_hash(), "tick {tick}");
    }
    assert_eq!((world.grid().revision(), world.edits_pending()), (10, 0));
    assert_eq!(world.grid().terrain(world.grid().lattice().cell(15, 4)), 10);
}

#[test]
fn a_gate_that_opens_is_the_way_out() {
    let grid = halls(&[]);
    let near = gate(&grid, 3);
    let (mut world, squad) = march(grid, Settings::default());
    for _ in 0..60 {
        world.tick().unwrap();
    }
    assert!(matches!(world.squads()[squad.0 as usize].route_state, RouteState::Unreachable { .. }));
    world.edit(&near.map(Edit::Open)).unwrap();
    assert!(ticks_to_arrive(&mut world).is_some());
}

#[test]
fn a_short_cut_is_taken() {
    let round = ticks_to_arrive(&mut march(halls(&[18]), Settings::default()).0).unwrap();
    let grid = halls(&[18]);
    let near = gate(&grid, 3);
    let (mut world, _) = march(grid, Settings::default());
    for _ in 0..40 {
        world.tick().unwrap();
    }
    world.edit(&near.map(Edit::Open)).unwrap();
    let cut = ticks_to_arrive(&mut world).unwrap();
    assert!(cut + 60 < round, "{cut} ticks by the short cut, {round} round");
}

#[test]
fn a_gate_does_not_close_on_anybody() {
    let grid = halls(&[3]);
    let near = gate(&grid, 3);
    let (mut world, _) = march(grid, Settings::default());
    let in_gate = |world: &World| world.positions().any(|(_, at)| (at.x - 20.5).abs() < 0.5);
    while !in_gate(&world) {
        world.tick().unwrap();
    }
    world.edit(&near.map(Edit::Close)).unwrap();
    world.tick().unwrap();
    assert!(world.edits_pending() > 0, "somebody stands there");
    while world.edits_pending() > 0 {
        assert!(world.positions().all(|(_, at)| walls::is_clear(world.grid(), at, 0.39)));
        world.tick().unwrap();
    }
    assert!(near.iter().all(|&cell| !world.grid().is_open(cell)));
}

#[test]
fn a_cell_off_the_map_is_an_error() {
    let mut world = World::new(halls(&[3]), Settings::default()).unwrap();
    let inside = world.grid().lattice().cell(1, 1);
    let error = world.edit(&[Edit::Close(inside), Edit::Close(Cell::NONE)]).unwrap_err();
    assert_eq!(error.to_string(), "Cell(0) cannot be edited: it is off the map");
    assert_eq!(world.edits_pending(), 0);
}

#[test]
fn a_frame_shows_the_map_as_it_is() {
    let mut world = World::new(halls(&[3]), Settings::default()).unwrap();
    let cell = world.grid().lattice().cell(1, 1);
    world.edit(&[Edit::Close(cell)]).unwrap();
    world.tick().unwrap();
    let mut frame = Frame::default();
    world.frame(&mut frame);
    assert!(!frame.grid.unwrap().is_open(cell));
}

/// Cells all over the map open and close at random while everybody walks.
fn stormy(threads: usize, index: IndexKind, seed: u64, ticks: u64) -> (u64, Vec<u64>) {
    let settings = Settings { threads, index: index.into(), seed, plan_budget: 3000, ..Settings::default() };
    let (mut world, squad) = march(halls(&[3, 18]), settings);
    let cells: Vec<Cell> = world.grid().lattice().cells().collect();
    let mut random = Pcg32::seed_from_u64(seed);
    let mut hashes = Vec::new();
    for tick in 0..ticks {
        if tick % 7 == 0 {
            let edits: Vec<Edit> = (0..6)
                .map(|_| {
                    let cell = cells[random.random_range(0..cells.len())];
                    if random.random_range(0..3) == 0 { Edit::Close(cell) } else { Edit::Open(cell) }
                })
                .collect();
            world.edit(&edits).unwrap();
        }
        if tick % 150 == 149 {
            let side = if tick % 300 == 149 { 4.5 } else { 36.5 };
            world.order(squad, Order::GoTo(Vec2::new(side, 20.5))).unwrap();
        }
        world.tick().unwrap();
        for (id, at) in world.positions() {
            assert!(walls::is_clear(world.grid(), at, 0.39), "agent {id:?} in a wall at {at} in tick {tick}");
        }
        hashes.push(world.position_hash());
    }
    (world.grid().revision().into(), hashes)
}

#[test]
fn edits_give_the_same_bytes_for_any_number_of_threads_and_index() {
    let expected = stormy(1, IndexKind::default(), 5, 400);
    assert!(expected.0 > 20, "{} edits", expected.0);
    for (threads, index) in [(2, "grid"), (4, "grid"), (1, "brute-force"), (3, "brute-force")] {
        assert_eq!(stormy(threads, index.parse().unwrap(), 5, 400), expected, "{threads} threads, {index}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 12, ..ProptestConfig::default() })]

    #[test]
    fn nobody_is_ever_in_a_wall(seed in any::<u64>()) {
        stormy(2, IndexKind::default(), seed, 250);
    }
}

/// Agents who walk over a map that changes under them, each with a search of its own.
fn wander(grid: Grid, mobility: &Mobility, seed: u64, rounds: usize) {
    let lattice = grid.lattice();
    let mut ground = Arc::new(Ground::build(grid.into(), mobility.clone()).unwrap());
    let mut random = Pcg32::seed_from_u64(seed);
    let standing: Vec<Cell> = lattice.cells().filter(|&cell| ground.is_passable(cell)).collect();
    if standing.is_empty() {
        return;
    }
    let cells: Vec<Cell> = lattice.cells().collect();
    let (from, to) =
        (standing[random.random_range(0..standing.len())], standing[random.random_range(0..standing.len())]);
    let mut agent = DStarLite::new(ground.clone(), from, to).unwrap();
    let (mut scratch, mut path, mut expected) = (Scratch::default(), Path::default(), Path::default());
    for _ in 0..rounds {
        let outcome = agent.route(&mut path);
        let query = Query::new(agent.at(), to);
        if ground.is_passable(agent.at()) && ground.is_passable(to) {
            let fresh = plan(&AStar(Octile), &ground, &query, &mut scratch, &mut expected).unwrap();
            assert_eq!((outcome.status, outcome.cost), (fresh.status, fresh.cost));
            if outcome.status == Status::Found {
                assert_eq!((path.cells[0], *path.cells.last().unwrap()), (agent.at(), to));
                let step = |pair: &[Cell]| {
                    let steps = Direction::ALL.into_iter().filter(|&d| ground.moves(pair[0]) >> d as u8 & 1 == 1);
                    let steps = steps.filter_map(|d| {
                        let next = Cell(pair[0].0.wrapping_add_signed(lattice.offsets()[d as usize]));
                        (next == pair[1]).then(|| ground.step_cost(pair[0], pair[1], d))
                    });
                    let links = ground.links().from(pair[0]).filter(|(_, link)| link.to == pair[1]);
                    u64::from(steps.chain(links.map(|(_, link)| link.cost)).min().expect("a legal step"))
                };
                assert_eq!(path.cells.windows(2).map(step).sum::<u64>(), outcome.cost);
                let steps = random.random_range(0..4).min(path.cells.len() - 1);
                agent.walk_to(path.cells[steps]).unwrap();
            }
        } else {
            assert_eq!((outcome.status, path.cells.len()), (Status::NoRoute, 0));
        }
        let mut grid = ground.grid().as_ref().clone();
        let edits: Vec<Edit> = (0..random.random_range(0..5))
            .map(|_| {
                let cell = cells[random.random_range(0..cells.len())];
                match random.random_range(0..6) {
                    5 => Edit::Height(cell, random.random_range(0..60)),
                    0 | 1 => Edit::Open(cell),
                    2 => Edit::Terrain(cell, random.random_range(0..3)),
                    _ => Edit::Close(cell),
                }
            })
            .collect();
        let mut dirty = Vec::new();
        grid.edit(&edits, &mut dirty);
        let Ok(edited) = ground.edited(grid.into(), &dirty) else { return };
        ground = Arc::new(edited);
        let stands = ground.is_passable(agent.at()) && ground.is_passable(to);
        assert_eq!(agent.edited(ground.clone(), &dirty).is_ok(), stands);
    }
}

#[test]
fn a_kept_search_does_not_grow_with_the_edits() {
    let mut grid = Grid::open_plain(Lattice::new(20, 12, 1.0).unwrap());
    let at = |x, y| grid.lattice().cell(x, y);
    let (from, to, far) = (at(1, 1), at(3, 1), at(6, 3));
    let mut agent = DStarLite::new(Arc::new(Ground::new(grid.clone().into(), 0.4).unwrap()), from, to).unwrap();
    let mut path = Path::default();
    agent.route(&mut path);
    for edit in 0..4000 {
        grid.edit(&[if edit % 2 == 0 { Edit::Close(far) } else { Edit::Open(far) }], &mut Vec::new());
        agent.edited(Arc::new(Ground::new(grid.clone().into(), 0.4).unwrap()), &[far]).unwrap();
    }
    assert!(agent.bytes() < 60_000, "{} bytes", agent.bytes());
    assert_eq!(agent.route(&mut path).cost, 2 * 2378);
}

#[test]
fn free_links_round_and_round_lead_to_the_goal() {
    let mut grid = Grid::closed(Lattice::new(9, 3, 1.0).unwrap());
    let at = |x| grid.lattice().cell(x, 1);
    let [a, b, c, d, goal] = [at(0), at(2), at(4), at(6), at(7)];
    let links = [(a, b), (b, a), (b, c), (c, b), (c, a), (c, d)].map(|(from, to)| Link::new(from, to, 0)).to_vec();
    for cell in [a, b, c, d, goal] {
        grid.set_open(cell, true);
    }
    let mobility = Mobility { links, ..Mobility::new(0.4) };
    let ground = Arc::new(Ground::build(grid.into(), mobility).unwrap());
    let mut agent = DStarLite::new(ground, a, goal).unwrap();
    let mut path = Path::default();
    assert_eq!(agent.route(&mut path).cost, 2378);
    assert_eq!(path.cells, [a, b, c, d, goal]);
}

proptest! {
    #[test]
    fn a_kept_search_finds_what_a_fresh_one_finds(
        (width, height) in (2_u32..20, 2_u32..20), closed in 0_u32..45, seed in any::<u64>(), wide in any::<bool>(),
        steps in prop::sample::select(vec![Steps::Four, Steps::default(), Steps::Eight(Corners::Always)]),
        costs in prop::option::of(prop::array::uniform3(1_u16..6)), linked in any::<bool>(),
    ) {
        let mut random = Pcg32::seed_from_u64(seed);
        let mut grid = Grid::open_plain(Lattice::new(width, height, 1.0).unwrap());
        for cell in grid.lattice().cells() {
            grid.set_open(cell, random.random_range(0..100) >= closed);
            grid.set_terrain(cell, random.random_range(0_u8..6).saturating_sub(3));
            grid.set_height(cell, if seed % 2 == 0 { 40 * random.random_range(0..4) } else { 0 });
        }
        // Two corners to jump between, for nothing one way; or all over the map, for nothing and round.
        let (a, b) = (grid.lattice().cell(0, 0), grid.lattice().cell(width - 1, height - 1));
        let links = if linked && !wide {
            grid.edit(&[Edit::Open(a), Edit::Open(b)], &mut Vec::new());
            let mut links = vec![Link::new(a, b, 0), Link::new(b, a, 5000)];
            let cells: Vec<Cell> = grid.lattice().cells().filter(|&cell| grid.is_open(cell)).collect();
            for _ in 0..random.random_range(0..12) {
                let [a, b] = [0, 0].map(|_| cells[random.random_range(0..cells.len())]);
                links.extend([Link::new(a, b, 0), Link::new(b, a, [0, 0, 900][random.random_range(0..3)])]);
            }
            links
        } else {
            Vec::new()
        };
        let terrain = costs.map(|costs| TerrainCosts::new((0..).zip(costs.map(Some))));
        let radius = if wide { 0.8 } else { 0.4 };
        wander(grid, &Mobility { steps, terrain, links, ..Mobility::new(radius) }, seed, 12);
    }
}
