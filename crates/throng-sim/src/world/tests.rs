//! The books of routes, and worlds at the edge of what may be asked for.

use super::*;
use crate::battle::{Order, RouteState, Unit};
use crate::crowd::{RouteId, RouteProgress};
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_plan::PlannerChoice;

fn world(settings: Settings) -> World {
    let mut grid = Grid::open_plain(Lattice::new(64, 64, 1.0).unwrap());
    for y in 8..56 {
        grid.set_open(grid.lattice().cell(32, y), false);
    }
    World::new(grid, settings).unwrap()
}

fn settings() -> Settings {
    Settings { threads: 1, step: 0.1, ..Settings::default() }
}

fn squad(world: &mut World, army: ArmyId, unit: UnitId, at: Vec2, count: usize, order: Order) -> SquadId {
    let positions: Vec<_> = (0..count).map(|i| at + Vec2::new((i % 5) as f32, (i / 5) as f32)).collect();
    let planner = PlannerChoice::AStar;
    world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(army, unit, positions) }).unwrap()
}

/// Every route is held exactly as often as agents, squads and requests hold it.
fn assert_balanced(world: &World) {
    let mut held = std::collections::BTreeMap::<RouteId, u32>::new();
    let rows = world.state.crowd.slots.row_of.iter();
    let agents = world
        .state
        .crowd
        .slots
        .follower
        .iter()
        .zip(rows)
        .filter(|&(_, &row)| row != u32::MAX)
        .map(|(follower, _)| follower.route);
    let squads = world.state.squads.iter().map(|squad| squad.route);
    for route in agents.chain(squads).chain(world.state.requests.routes()).filter(|&route| route != RouteId::NONE) {
        *held.entry(route).or_default() += 1;
    }
    assert_eq!(held.len(), world.state.routes.len());
    for (route, count) in held {
        assert_eq!(world.state.routes.holders(route), count, "{route:?}");
    }
}

#[test]
fn a_frame_knows_the_kind_of_everybody() {
    let mut world = world(settings());
    let red = world.add_army("red").unwrap();
    let kinds = ["pike", "bow"].map(|name| world.add_unit(Unit { name: name.into(), ..Unit::default() }).unwrap());
    for (kind, y) in [(kinds[1], 12.0), (kinds[0], 40.0), (kinds[1], 50.0)] {
        squad(&mut world, red, kind, Vec2::new(6.0, y), 3, Order::Hold);
    }
    world.tick().unwrap();
    let mut frame = Frame::default();
    world.frame(&mut frame);
    assert_eq!(frame.units, ["pike", "bow"]);
    for (&id, &unit) in frame.id.iter().zip(&frame.unit) {
        assert_eq!(unit.0, world.state.crowd.slots.unit[id as usize]);
    }
    assert_eq!([0, 1].map(|kind| frame.unit.iter().filter(|&&unit| unit == UnitId(kind)).count()), [3, 6]);
}

#[test]
fn routes_are_let_go_of() {
    let mut world = world(settings());
    let unit = world.add_unit(Unit { health: 30.0, speed: 3.0, top_speed: 4.0, ..Unit::default() }).unwrap();
    let (red, blue) = (world.add_army("red").unwrap(), world.add_army("blue").unwrap());
    for y in [12.0, 40.0] {
        squad(&mut world, red, unit, Vec2::new(6.0, y), 40, Order::Attack);
        squad(&mut world, blue, unit, Vec2::new(50.0, y), 40, Order::Attack);
    }
    world.spawn_walkers(red, unit, &[Vec2::new(3.0, 3.0)], &[Vec2::new(60.0, 3.0)]).unwrap();
    for tick in 0..3000 {
        world.tick().unwrap();
        if tick == 200 {
            // Into the slots of dead agents.
            let late = squad(&mut world, red, unit, Vec2::new(6.0, 30.0), 15, Order::GoTo(Vec2::new(60.0, 60.0)));
            world.order(late, Order::Attack).unwrap();
        }
        if tick % 50 == 0 {
            assert_balanced(&world);
        }
    }
    assert!(matches!(world.state.verdict, Some(Verdict::Winner(_))), "{:?}", world.state.armies);
    assert_balanced(&world);
    for squad in world.state.squads.iter().filter(|squad| squad.members.is_empty()) {
        assert_eq!((squad.route, squad.route_state), (RouteId::NONE, RouteState::None));
    }
    for s in 0..world.state.squads.len() {
        world.order(SquadId(s as u32), Order::Hold).unwrap();
    }
    for _ in 0..64 {
        world.tick().unwrap();
    }
    assert!(world.state.routes.is_empty(), "no agent walks, so no route is left");
}

#[test]
fn an_answer_to_an_old_question_does_not_cancel_the_new_one() {
    let mut world = world(settings());
    let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    squad(&mut world, red, unit, Vec2::new(6.0, 12.0), 1, Order::GoTo(Vec2::new(60.0, 60.0)));
    world.tick().unwrap();
    world.tick().unwrap();
    let RouteState::Walked { to } = world.state.squads[0].route_state else { unreachable!() };
    let id = world.state.squads[0].members[0];
    let from = world.grid.lattice().at(Vec2::new(6.0, 12.0));
    let old = world.grid.lattice().cell(3, 60);
    let journey = |from, to| state::requests::RouteKey { planner: 0, ground: 0, from: Some(from), to, goal: to };
    for way in [journey(from, old), journey(world.grid.lattice().cell(7, 13), to)] {
        let World { settings, grid, derived, state, .. } = &mut world;
        let (map, pool, _) = derived.split(settings, grid);
        routing::ask::ask(map, pool, state, way, state::requests::Requester::Agent(id));
    }
    world.state.crowd.slots.follower[id.slot as usize].route_progress = RouteProgress::Requested;
    let before = world.state.crowd.slots.follower[id.slot as usize].route;
    world.tick().unwrap();
    let follower = world.state.crowd.slots.follower[id.slot as usize];
    assert!(follower.route != before && follower.route_progress == RouteProgress::OnRoute, "{follower:?}");
    assert_balanced(&world);
}

#[test]
fn any_calls_in_any_order() {
    use rand::{RngExt, SeedableRng};
    for seed in 0..8 {
        let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
        let plan_budget = [20, 1000, 100_000][seed as usize % 3];
        let mut world = world(Settings { seed, plan_budget, ..settings() });
        let mut squads = Vec::new();
        for _ in 0..400 {
            let point = Vec2::new(random.random_range(-20.0..90.0), random.random_range(-20.0..90.0));
            let order = [Order::Hold, Order::Attack, Order::Attack, Order::GoTo(point)][random.random_range(0..4)];
            let pick = |count: usize, random: &mut rand_pcg::Pcg32| random.random_range(0..=count);
            match random.random_range(0..12) {
                0 => drop(world.add_army("one")),
                1 => {
                    let radius = random.random_range(0.1..3.0);
                    let sight = random.random_range(0.0..40.0);
                    world.add_unit(Unit { radius, sight, health: 20.0, ..Unit::default() }).unwrap();
                }
                2..6 => {
                    let army = ArmyId(pick(world.state.armies.len(), &mut random) as u8);
                    let unit = UnitId(pick(world.state.units.len(), &mut random) as u16);
                    let positions: Vec<_> = (0..random.random_range(0..30))
                        .map(|i| point + Vec2::new((i % 5) as f32, (i / 5) as f32))
                        .collect();
                    if random.random_range(0..4) == 0 {
                        let _ = world.spawn_walkers(army, unit, &positions, &[point]);
                    } else if let Ok(squad) =
                        world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &positions) })
                    {
                        squads.push(squad);
                    }
                }
                6 => drop(world.order(SquadId(pick(squads.len(), &mut random) as u32), order)),
                _ => (0..random.random_range(1..20)).for_each(|_| world.tick().unwrap()),
            }
            assert_balanced(&world);
            assert_eq!(world.positions().count(), world.agents());
            assert_eq!(world.state.armies.iter().map(|army| army.alive as usize).sum::<usize>(), world.agents());
        }
        assert!(world.state.armies.iter().any(|army| army.alive < army.spawned), "no army fought");
    }
}

/// Squads of all planners fight and march while the map changes: the hashes of all ticks. At the end no agent
/// walks or waits.
fn storm(threads: usize, seed: u64, plan_budget: u64) -> Vec<u64> {
    use rand::{RngExt, SeedableRng};
    use throng_grid::{Cell, Edit};
    let mut random = rand_pcg::Pcg32::seed_from_u64(seed);
    let mut world = world(Settings { seed, threads, plan_budget, ..settings() });
    let unit = world.add_unit(Unit { health: 25.0, speed: 3.0, top_speed: 4.0, ..Unit::default() }).unwrap();
    let armies = [world.add_army("red").unwrap(), world.add_army("blue").unwrap()];
    let place =
        |random: &mut rand_pcg::Pcg32| Vec2::new(random.random_range(0.0..64.0), random.random_range(0.0..64.0));
    for (i, planner) in ["astar", "ara", "hpa:8,2", "flow-field", "jps", "ara:2,1", "hpa", "theta"].iter().enumerate() {
        let (at, count) = (Vec2::new(3.0 + 50.0 * (i % 2) as f32, 2.0 + 7.0 * i as f32), if i < 4 { 17 } else { 6 });
        let positions: Vec<_> = (0..count).map(|i| at + Vec2::new((i % 6) as f32, (i / 6) as f32)).collect();
        let order = if i % 3 == 0 { Order::Attack } else { Order::GoTo(place(&mut random)) };
        let planner = planner.parse().unwrap();
        let spec = SquadSpec { order, planner, ..SquadSpec::new(armies[i % 2], unit, &positions) };
        world.spawn_squad(spec).unwrap();
    }
    let cells: Vec<Cell> = world.grid.lattice().cells().collect();
    let mut hashes = Vec::new();
    for tick in 0..600 {
        if random.random_range(0..9) == 0 {
            let edits = (0..12).map(|_| {
                let cell = cells[random.random_range(0..cells.len())];
                if random.random_range(0..3) == 0 { Edit::Open(cell) } else { Edit::Close(cell) }
            });
            world.edit(&edits.collect::<Vec<_>>()).unwrap();
        }
        if random.random_range(0..8) == 0 {
            let squad = SquadId(random.random_range(0..8));
            let order = [Order::Attack, Order::GoTo(place(&mut random))][random.random_range(0..2)];
            world.order(squad, order).unwrap();
        }
        world.tick().unwrap();
        hashes.push(world.position_hash());
        if tick % 10 == 0 {
            assert_balanced(&world);
        }
    }
    assert!(world.state.armies.iter().any(|army| army.alive < army.spawned), "no army fought");
    (0..8).for_each(|s| world.order(SquadId(s), Order::Hold).unwrap());
    for _ in 0..64 {
        world.tick().unwrap();
    }
    assert_balanced(&world);
    let left = (world.state.routes.len(), world.routes_pending(), world.derived.pool.queued(), world.edits_pending());
    assert_eq!((left.0, left.1, left.2), (0, 0, 0), "routes, pending, requests");
    hashes
}

#[test]
fn a_storm_leaves_nothing_behind_and_is_the_same_for_any_number_of_threads() {
    for (seed, plan_budget) in [(1, 400), (2, 20_000), (3, 60)] {
        let expected = storm(1, seed, plan_budget);
        for threads in [2, 4] {
            assert!(storm(threads, seed, plan_budget) == expected, "seed {seed}, {threads} threads");
        }
    }
}
