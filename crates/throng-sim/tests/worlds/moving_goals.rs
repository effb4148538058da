//! Orders that are repeated, and goals that move: the way is walked on, and nothing piles up.

use std::f32::consts::TAU;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{Settings, SquadId, SquadSpec, World};

const PLANNERS: [&str; 6] = ["astar", "ara", "hpa", "theta", "flow-field", "labels"];

/// A wall down the middle with a gap at the bottom, and a budget of expansions that makes routes wait for some ticks.
fn world(plan_budget: u64) -> World {
    let mut grid = Grid::open_plain(Lattice::new(80, 60, 1.0).unwrap());
    (0..54).for_each(|y| grid.set_open(grid.lattice().cell(40, y), false));
    World::new(grid, Settings { plan_budget, step: 0.05, ..Settings::default() }).unwrap()
}

/// How a goal is told: once, or so often (ticks), where it is or moving.
#[derive(Clone, Copy, Debug)]
enum Told {
    Once,
    Same(u64),
    Moving(u64),
}

impl Told {
    fn goal(self, tick: u64) -> Option<Vec2> {
        let at = Vec2::new(60.0, 20.0);
        match self {
            Self::Once => (tick == 0).then_some(at),
            Self::Same(every) => tick.is_multiple_of(every).then_some(at),
            // Round and round, at 2 m/s.
            Self::Moving(every) => {
                let angle = tick as f32 * 0.05 * 2.0 / 4.0 % TAU;
                tick.is_multiple_of(every).then_some(at + 4.0 * Vec2::new(angle.cos(), angle.sin()))
            }
        }
    }
}

/// The mean speed (m/s) of one agent in 30 s, all of which it is under way.
fn speed(mut tell: impl FnMut(&mut World, Vec2), world: &mut World, told: Told) -> f32 {
    let (mut walked, mut last) = (0.0, world.positions().next().unwrap().1);
    for tick in 0..600 {
        if let Some(goal) = told.goal(tick) {
            tell(world, goal);
        }
        world.tick().unwrap();
        let at = world.positions().next().unwrap().1;
        walked += at.distance(last);
        last = at;
        assert!(world.routes_pending() <= 1, "{told:?}: {} searches for one agent", world.routes_pending());
    }
    walked / 30.0
}

#[test]
fn an_order_that_is_repeated_and_a_goal_that_moves_hold_nobody_up() {
    let from = Vec2::new(20.0, 20.0);
    let told =
        [Told::Once, Told::Same(1), Told::Same(2), Told::Same(10), Told::Moving(1), Told::Moving(3), Told::Moving(10)];
    for planner in PLANNERS {
        let planner: PlannerChoice = planner.parse().unwrap();
        for plan_budget in [20_000, 500] {
            let alone = told.map(|told| {
                let mut world = world(plan_budget);
                let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
                let id = world.spawn_walkers(all, walker, &[from], &[]).unwrap()[0];
                speed(|world, goal| world.walk_by(id, goal, planner.clone()).unwrap(), &mut world, told)
            });
            let squad = told.map(|told| {
                let mut world = world(plan_budget);
                let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
                let spec = SquadSpec { planner: planner.clone(), ..SquadSpec::new(all, walker, [from]) };
                let id = world.spawn_squad(spec).unwrap();
                speed(|world, goal| world.order(id, Order::GoTo(goal)).unwrap(), &mut world, told)
            });
            for speeds in [alone, squad] {
                let least = 0.9 * speeds[0];
                assert!(
                    speeds.iter().all(|&speed| speed > least.max(1.0)),
                    "{planner:?} {plan_budget}: {alone:?} {squad:?}"
                );
            }
        }
    }
}

#[test]
fn all_arrive_at_the_last_of_many_goals() {
    for planner in PLANNERS {
        let planner: PlannerChoice = planner.parse().unwrap();
        let mut world = world(5000);
        let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
        let places: Vec<Vec2> = (0..6).map(|i| Vec2::new(20.0, 8.0 + 4.0 * i as f32)).collect();
        let ids = world.spawn_walkers(all, walker, &places[..3], &[]).unwrap();
        let squads: Vec<SquadId> = places[3..]
            .iter()
            .map(|&at| SquadSpec { planner: planner.clone(), ..SquadSpec::new(all, walker, [at]) })
            .map(|spec| world.spawn_squad(spec).unwrap())
            .collect();
        let last = Vec2::new(70.2, 10.3);
        let goals = [last, Vec2::new(60.0, 50.0), Vec2::new(5.0, 50.0), last + 0.4, Vec2::new(62.0, 22.0), last];
        let mut arrived: Vec<AgentId> = Vec::new();
        for tick in 0..4000 {
            if let Some(&goal) = goals.get(tick / 37).filter(|_| tick % 37 == 0) {
                for &id in &ids {
                    world.walk_by(id, goal, planner.clone()).unwrap();
                }
                for &squad in &squads {
                    world.order(squad, Order::GoTo(goal)).unwrap();
                }
            }
            world.tick().unwrap();
            arrived.extend(world.events().arrived.iter());
        }
        arrived.sort_unstable();
        let count = arrived.len();
        arrived.dedup();
        assert_eq!((arrived.len(), count), (6, 6), "{planner:?}: each arrives once");
        let away = |(_, at): (AgentId, Vec2)| at.distance(last);
        assert!(
            world.positions().map(away).all(|away| away < 2.5),
            "{planner:?}: {:?}",
            world.positions().map(away).collect::<Vec<_>>()
        );
        assert_eq!(world.routes_pending(), 0);
    }
}

/// Many walkers are sent after one that goes round and round, again and again: (the most searches that were pending, mean speed of those that
/// are more than 8 m away).
fn chase(count: usize, every: u64, planner: &PlannerChoice) -> (usize, f32) {
    let mut world = world(20_000);
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let player = world.spawn_walkers(all, walker, &[Vec2::new(60.0, 20.0)], &[]).unwrap()[0];
    let places: Vec<Vec2> = (0..count).map(|i| Vec2::new(3.0 + (i % 34) as f32, 3.0 + (i / 34) as f32 * 0.9)).collect();
    let ids = world.spawn_walkers(all, walker, &places, &[]).unwrap();
    let (mut most, mut walked, mut ticks) = (0, 0.0, 0);
    for tick in 0..1200 {
        let angle = tick as f32 * 0.05 * 4.0 / 10.0 % TAU;
        let at = Vec2::new(60.0, 25.0) + 10.0 * Vec2::new(angle.cos(), angle.sin());
        world.drive(player, at, Vec2::ZERO).unwrap();
        if tick % every == 0 {
            for &id in &ids {
                world.walk_by(id, at, planner.clone()).unwrap();
            }
        }
        world.tick().unwrap();
        most = most.max(world.routes_pending());
        let crowd = world.crowd();
        let far =
            ids.iter().filter_map(|&id| crowd.row(id)).filter(|&row| crowd.rows.position[row].distance(at) > 15.0);
        for row in far {
            walked += crowd.rows.velocity[row].length();
            ticks += 1;
        }
    }
    (most, walked / ticks as f32)
}

#[test]
fn a_crowd_after_a_player_walks_and_its_requests_do_not_pile_up() {
    for (count, every) in [(100, 10), (100, 1), (1000, 20)] {
        for planner in ["astar", "flow-field", "hpa"] {
            let (most, speed) = chase(count, every, &planner.parse().unwrap());
            println!("{count} every {every} by {planner}: {most} pending, {speed:.2} m/s");
            assert!(most <= count, "{planner}: {most} searches for {count}");
            assert!(speed > 0.4, "{planner}, {count} every {every}: {speed} m/s");
        }
    }
}
