//! The order of work; every pane gets its turn.

use super::super::costs::Costs;
use super::*;
use throng_grid::{Crowding, Edit, Lattice, Link, Mobility, PLAIN, STRAIGHT, SWAMP, TerrainCosts};

fn ground(width: u32, wall: impl Fn(u32, u32) -> bool) -> Arc<Ground> {
    let mut grid = Grid::open_plain(Lattice::new(width, width, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        grid.set_open(cell, !wall(x, y));
    }
    Arc::new(Ground::new(Arc::new(grid), 0.4).unwrap())
}

fn task(number: u64, ground: &Ground, planners: &[&str]) -> Task {
    let lattice = ground.lattice();
    Task {
        number,
        grid: Arc::clone(ground.grid()),
        trip: Some((lattice.cell(1, 1), lattice.cell(lattice.width - 2, lattice.height - 3))),
        planners: planners.iter().map(|name| name.parse().unwrap()).collect(),
        steps: ground.steps(),
        costs: Costs::of(ground),
        walker: None,
    }
}

/// The panes and results of all searches that are left to do.
fn searches(searcher: &mut Searcher) -> Vec<(usize, u64, Result<Box<Found>, String>)> {
    let steps = std::iter::from_fn(|| searcher.step(&Cancel::default()));
    steps
        .filter_map(|news| match news {
            SearchNews::Search { pane, task, result } => Some((pane, task, result)),
            _ => None,
        })
        .collect()
}

#[test]
fn every_pane_is_served_once_and_then_timed() {
    let ground = ground(40, |x, y| x == 20 && y < 30);
    let mut searcher = Searcher::new(Arc::clone(&ground));
    assert!(searcher.step(&Cancel::default()).is_none());
    assert!(searcher.take(task(1, &ground, &["astar", "dijkstra", "weighted-astar"])).is_none());
    let mut timed = [0; 3];
    let (mut shortest, mut optimum) = (f64::INFINITY, None);
    let mut panes = Vec::new();
    while let Some(news) = searcher.step(&Cancel::default()) {
        match news {
            SearchNews::Search { pane, task, result } => {
                let found = result.unwrap();
                assert_eq!((task, found.outcome.status), (1, Status::Found));
                assert!(found.length > 50.0 && found.trace.unwrap().seen.is_some());
                shortest = shortest.min(found.length);
                assert_eq!(found.route.first(), Some(&Vec2::new(1.5, 1.5)));
                panes.push(pane);
            }
            SearchNews::Time { pane, task, time, .. } => {
                assert!(task == 1 && time > Duration::ZERO);
                timed[pane] += 1;
            }
            SearchNews::Optimum { task, length } => {
                assert!(task == 1 && panes.len() == 3, "asked for when all panes have their answer");
                optimum = length;
            }
            SearchNews::Ground(_)
            | SearchNews::PartialSearch { .. }
            | SearchNews::Replan { .. }
            | SearchNews::Cell(_)
            | SearchNews::GivenUp => panic!("{news:?}"),
        }
    }
    assert_eq!((panes, optimum), (vec![0, 1, 2], Some(shortest)));
    assert!(timed.iter().all(|&times| (1..MAX_REPETITIONS).contains(&times)), "{timed:?}");
}

#[test]
fn a_walking_agent_has_its_route_before_the_panes() {
    let ground = ground(40, |_, _| false);
    let lattice = ground.lattice();
    let mut searcher = Searcher::new(Arc::clone(&ground));
    let walking = |number, ground: &Ground, at| Task { walker: Some(at), ..task(number, ground, &["astar"]) };
    searcher.take(walking(1, &ground, lattice.cell(1, 1)));
    let Some(SearchNews::Replan { task: 1, result: Ok(first) }) = searcher.step(&Cancel::default()) else { panic!() };
    assert!(!first.is_repair && first.cells.len() > 30);
    assert!(matches!(searcher.step(&Cancel::default()), Some(SearchNews::Search { pane: 0, task: 1, .. })));
    let mut grid = (**ground.grid()).clone();
    grid.set_open(first.cells[9], false);
    let edited = Ground::new(grid.into(), 0.4).unwrap();
    searcher.take(walking(2, &edited, first.cells[5]));
    let Some(SearchNews::Replan { task: 2, result: Ok(second) }) = searcher.step(&Cancel::default()) else { panic!() };
    assert!(second.is_repair && second.cells[0] == first.cells[5] && !second.cells.contains(&first.cells[9]));
    // An agent that is gone is searched anew.
    searcher.take(task(3, &edited, &["astar"]));
    searcher.take(walking(4, &edited, first.cells[5]));
    let Some(SearchNews::Replan { task: 4, result: Ok(third) }) = searcher.step(&Cancel::default()) else { panic!() };
    assert!(!third.is_repair);
}

#[test]
fn a_newer_task_wins_and_nobody_starves() {
    let ground = ground(40, |_, _| false);
    let mut searcher = Searcher::new(Arc::clone(&ground));
    let names = ["astar", "dijkstra", "weighted-astar", "pathfinding-astar"];
    let mut served = Vec::new();
    for number in 1..=8 {
        searcher.take(task(number, &ground, &names));
        if let Some(SearchNews::Search { pane, task, .. }) = searcher.step(&Cancel::default()) {
            served.push((pane, task));
        }
    }
    assert_eq!(served, [(0, 1), (1, 2), (2, 3), (3, 4), (0, 5), (1, 6), (2, 7), (3, 8)]);
    let stopped = Cancel::default();
    stopped.cancel();
    assert!(matches!(searcher.step(&stopped), Some(SearchNews::GivenUp)));
    assert_eq!(searches(&mut searcher).iter().map(|search| search.0).collect::<Vec<_>>(), [1, 2, 0]);
}

#[test]
fn an_edit_makes_a_new_ground_and_another_planner_replaces_the_old() {
    let ground = ground(20, |_, _| false);
    let lattice = ground.lattice();
    let mut searcher = Searcher::new(Arc::clone(&ground));
    searcher.take(task(1, &ground, &["astar", "dijkstra"]));
    let before = searches(&mut searcher).remove(0).2.unwrap().length;
    let mut edited = task(2, &ground, &["astar", "weighted-astar"]);
    let mut grid = (**ground.grid()).clone();
    let dirty: Vec<Cell> = (0..19).map(|y| lattice.cell(10, y)).collect();
    for &cell in &dirty {
        grid.set_open(cell, false);
    }
    assert_eq!(toggled(&grid, ground.grid()).collect::<Vec<_>>(), dirty);
    edited.grid = Arc::new(grid);
    let Some(SearchNews::Ground(news)) = searcher.take(edited) else { panic!() };
    assert!(!news.is_passable(lattice.cell(10, 5)));
    let after = searches(&mut searcher);
    assert!(after.len() == 2 && after[0].2.as_ref().unwrap().length > before + 5.0);
    assert!(after[1].2.as_ref().unwrap().outcome.bound > 1.0);
}

#[test]
fn what_cannot_be_searched_is_said_in_words() {
    let ground = ground(20, |x, _| x == 10);
    let lattice = ground.lattice();
    let mut searcher = Searcher::new(Arc::clone(&ground));
    searcher.take(task(1, &ground, &["astar"]));
    assert_eq!(searches(&mut searcher)[0].2.as_ref().unwrap().outcome.status, Status::NoRoute);
    searcher.take(Task { trip: Some((lattice.cell(10, 4), lattice.cell(1, 1))), ..task(2, &ground, &["astar"]) });
    assert_eq!(searches(&mut searcher)[0].2.as_ref().unwrap_err(), "the start (10, 4) is in a wall");
    searcher.take(Task { trip: None, ..task(3, &ground, &["astar"]) });
    assert_eq!(searches(&mut searcher)[0].2.as_ref().unwrap_err(), "no open cell: erase walls, then press R");
    assert_eq!(caught(|| -> u8 { panic!("no {}", "luck") }), Err("the planner panicked: no luck".to_owned()));
}

#[test]
fn looks_come_before_repetitions_and_only_for_the_newest_task() {
    let ground = ground(40, |x, y| x == 20 && y < 30);
    let mut searcher = Searcher::new(Arc::clone(&ground));
    searcher.take(task(1, &ground, &["astar", "pathfinding-astar", "ara"]));
    for _ in 0..3 {
        let Some(SearchNews::Search { result, .. }) = searcher.step(&Cancel::default()) else { panic!() };
        let found = result.unwrap();
        assert!(found.end > 0 && found.improvements.iter().all(|better| better.at <= found.end));
    }
    searcher.want(7, &[Some(3); 3]);
    assert!(
        matches!(searcher.step(&Cancel::default()), Some(SearchNews::Optimum { .. })),
        "another task's looks are not made"
    );
    searcher.want(1, &[Some(30), Some(30), Some(4)]);
    let mut looks = Vec::new();
    for _ in 0..3 {
        let Some(SearchNews::PartialSearch { pane, task: 1, look }) = searcher.step(&Cancel::default()) else {
            panic!()
        };
        looks.push((pane, look.at, look.trace.is_some()));
    }
    assert_eq!(looks, [(0, 30, true), (1, 30, false), (2, 4, true)]);
    assert!(matches!(searcher.step(&Cancel::default()), Some(SearchNews::Time { .. })));
    searcher.want(1, &[Some(2), None, None]);
    searcher.take(task(2, &ground, &["astar"]));
    assert!(matches!(searcher.step(&Cancel::default()), Some(SearchNews::Search { .. })));
    assert!(matches!(searcher.step(&Cancel::default()), Some(SearchNews::Optimum { .. })), "a new task forgets them");
}

#[test]
fn terrain_links_and_crowds_count_where_they_are_switched_on() {
    let mut grid = Grid::open_plain(Lattice::new(41, 21, 1.0).unwrap());
    let lattice = grid.lattice();
    let swamp: Vec<Edit> = (0..21).map(|y| Edit::Terrain(lattice.cell(20, y), SWAMP)).collect();
    grid.edit(&swamp, &mut Vec::new());
    let link = Link::new(lattice.cell(2, 1), lattice.cell(38, 18), STRAIGHT);
    let mobility = Mobility { links: vec![link], congestion: 4.0, ..Mobility::new(0.4) };
    let crowd = (0..400).map(|i| (Vec2::new(10.0 + (i % 20) as f32 * 0.5, 0.5 + (i / 20) as f32), 0.5));
    let crowding = Arc::new(Crowding::new(&grid).unwrap().counted(crowd));
    let base = Arc::new(Ground::build(Arc::new(grid), mobility).unwrap().crowded(crowding));
    let mut searcher = Searcher::new(Arc::clone(&base));
    let plain = Costs::default();
    let terrain = Some(TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, Some(9))]));
    let mut lengths = Vec::new();
    for (number, costs) in (1..).zip([
        plain.clone(),
        Costs { terrain, ..plain.clone() },
        Costs { links: true, ..plain.clone() },
        Costs { crowds: true, ..plain.clone() },
        plain,
    ]) {
        let what = format!("{costs:?}");
        let is_plain = costs == Costs::default();
        searcher.take(Task { costs, ..task(number, &base, &["dijkstra", "jps"]) });
        let found = searches(&mut searcher);
        lengths.push(found[0].2.as_ref().unwrap().length);
        // What a planner does not count it says, in words.
        assert_eq!(found[1].2.is_ok(), is_plain, "{what}");
        assert!(is_plain || found[1].2.as_ref().unwrap_err().contains("cannot"), "{:?}", found[1].2);
    }
    assert!(
        lengths[1] > lengths[0] + 1.0 && lengths[2] < lengths[0] / 4.0 && lengths[3] > lengths[0] + 1.0,
        "{lengths:?}"
    );
    assert_eq!(lengths[4], lengths[0]);
}
