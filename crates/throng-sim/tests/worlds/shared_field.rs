//! Many that go to one place by routes of their own: they share a field.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt::Write;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Ground, walls};
use throng_plan::PlannerChoice;
use throng_sim::battle::Unit;
use throng_sim::crowd::{AgentId, RouteId};
use throng_sim::world::{Resume, Settings, UnitId, World};

fn town() -> Grid {
    Grid::load(concat!(env!("CARGO_MANIFEST_DIR"), "/../../maps/town.map")).unwrap()
}

/// Places (m) from which a goal can be reached, and the goal last.
fn places(map: &Grid, count: usize) -> Vec<Vec2> {
    let ground = Ground::new(map.clone().into(), 0.4).unwrap();
    let (lattice, mut random) = (map.lattice(), Pcg32::seed_from_u64(7));
    let goal = lattice.centre(ground.nearest_passable(0.5 * lattice.size()).unwrap());
    let mut places = Vec::new();
    while places.len() < count {
        let at = Vec2::new(random.random_range(0.0..lattice.size().x), random.random_range(0.0..lattice.size().y));
        if ground.leads(lattice.at(at), lattice.at(goal)) && walls::is_clear(map, at, 0.4) {
            places.push(at);
        }
    }
    places.push(goal);
    places
}

fn world(settings: Settings, places: &[Vec2], planner: &PlannerChoice) -> (World, Vec<AgentId>, UnitId) {
    let mut world = World::new(town(), settings).unwrap();
    let (all, person) = (world.add_army("all").unwrap(), world.add_unit(Unit::default()).unwrap());
    let (&goal, starts) = places.split_last().unwrap();
    let walkers = world.spawn_walkers(all, person, starts, &[]).unwrap();
    for &id in &walkers {
        world.walk_by(id, goal, planner.clone()).unwrap();
    }
    (world, walkers, person)
}

/// The walkers that neither have a route nor see their goal.
fn waiting(world: &World, walkers: &[AgentId]) -> usize {
    let waits = |&&id: &&AgentId| {
        let follower = &world.crowd().slots.follower[id.slot as usize];
        follower.route == RouteId::NONE && follower.route_progress != throng_sim::crowd::RouteProgress::OnRoute
    };
    walkers.iter().filter(waits).count()
}

/// Ticks until all of them have a route, and the most searches that were under way.
fn all_set_out(world: &mut World, walkers: &[AgentId]) -> (u64, usize) {
    let mut most = 0;
    while world.ticks() < 4 || waiting(world, walkers) > 0 {
        world.tick().unwrap();
        most = most.max(world.routes_pending());
        assert!(world.ticks() < 2000, "{} of {} wait", waiting(world, walkers), walkers.len());
    }
    (world.ticks(), most)
}

fn length(points: &[Vec2]) -> f32 {
    points.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

#[test]
fn they_set_out_at_once_on_routes_as_short_as_their_own() {
    let places = places(&town(), 600);
    let goal = places[places.len() - 1];
    let mut table = String::new();
    for name in ["astar", "dijkstra", "bidirectional", "fringe", "flow-field", "jps"] {
        let (mut world, walkers, person) = world(Settings::default(), &places, &name.parse().unwrap());
        let (ticks, most) = all_set_out(&mut world, &walkers);
        writeln!(table, "{name}: all have routes after {ticks} ticks, {most} searches at once").unwrap();
        let shares = name != "jps";
        assert!(!shares || ticks <= 20 && most <= 4, "{table}");
        let mut longer = Vec::new();
        for &id in walkers.iter().step_by(7) {
            let insight = world.insight(id).unwrap();
            let own = world.route(insight.position, goal, person).unwrap().map_or(0.0, |way| length(&way));
            longer.push(length(&insight.route) / own.max(1.0));
        }
        let mean = longer.iter().sum::<f32>() / longer.len() as f32;
        assert!((0.97..1.03).contains(&mean), "{name}: {mean} of the way of A*");
    }
}

/// All positions after some seconds in which the map is changed while they wait.
fn then(threads: usize, again_at: Option<u64>, planner: &PlannerChoice) -> u64 {
    let places = places(&town(), 300);
    // Their field falls due after some 30 ticks.
    let settings = Settings { threads, plan_budget: 9_000, ..Settings::default() };
    let (mut world, ..) = world(settings, &places, planner);
    let goal = places[places.len() - 1];
    for tick in 0..200 {
        if again_at == Some(tick) {
            let resume = Resume { threads, ..Resume::default() };
            world = World::from_bytes(&world.to_bytes().unwrap(), resume).unwrap();
        }
        if tick == 12 {
            let lattice = world.grid().lattice();
            let (x, y) = lattice.column_row(lattice.at(goal));
            let wall = (x - 12..x + 12).map(|x| Edit::Close(lattice.cell(x, y + 6)));
            world.edit(&wall.collect::<Vec<_>>()).unwrap();
        }
        world.tick().unwrap();
    }
    world.position_hash()
}

#[test]
fn it_is_the_same_on_any_threads_and_after_a_snapshot_while_they_wait() {
    for name in ["astar", "flow-field"] {
        let planner = name.parse().unwrap();
        let expected = then(1, None, &planner);
        assert_eq!(then(3, None, &planner), expected, "{name}: 3 threads");
        for tick in [1, 3, 11, 14, 60] {
            assert_eq!(then(2, Some(tick), &planner), expected, "{name}: saved at tick {tick}");
        }
    }
}
