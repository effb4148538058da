//! Agents that are sent where only links lead arrive, by every planner that can use links; no agent crosses one that is shut, or the
//! wrong way.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::collections::BTreeMap;
use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Ground, Lattice, Layer, Link, Mobility, STRAIGHT, walls};
use throng_plan::{Capability, Guarantee, Path, PlannerChoice, Query, Scratch, Status, distances_from, plan};
use throng_sim::battle::{Formation, Order, Shape, Unit};
use throng_sim::crowd::AgentId;
use throng_sim::world::{
    ARRIVAL_RADIUS, Cause, Effect, Journey, LinkId, Repeat, Resume, Settings, SquadSpec, Stop, Task, Then, TimedLink,
    Trigger, World,
};

/// Rooms in a row, and walls between them that have no gate. Some have pillars, but for a squad, which may jam before them: that is
/// not what is tried here.
fn rooms(count: u32, has_pillars: bool, random: &mut Pcg32) -> Grid {
    let (wide, high) = (13, 17);
    let mut grid = Grid::open_plain(Lattice::new(count * (wide + 1) - 1, high, 1.0).unwrap());
    let lattice = grid.lattice();
    for cell in lattice.cells() {
        let x = lattice.column_row(cell).0;
        let pillar = has_pillars && random.random_range(0..15) == 0;
        grid.set_open(cell, x % (wide + 1) != wide && !pillar);
    }
    grid
}

/// Links from each room to the next, sometimes there and back, and others that lead anywhere, or are shut.
fn links(ground: &Ground, count: u32, random: &mut Pcg32) -> Vec<TimedLink> {
    let main = regions(ground);
    let any = |room: u32, random: &mut Pcg32| {
        let cells: Vec<Cell> = ground.lattice().cells().filter(|cell| main.get(cell) == Some(&room)).collect();
        cells[random.random_range(0..cells.len())]
    };
    let mut links = Vec::new();
    for room in 1..count {
        for _ in 0..random.random_range(1..3) {
            let seconds = random.random_range(0.05..4.0);
            links.push(TimedLink::new(any(room - 1, random), any(room, random), seconds));
            if random.random_range(0..2) == 0 {
                links.push(links[links.len() - 1].back());
            }
        }
    }
    for _ in 0..random.random_range(0..8) {
        let [from, to] = [(); 2].map(|()| any(random.random_range(0..count), random));
        let is_open = random.random_range(0..2) == 0;
        if from != to {
            links.push(TimedLink { is_open, ..TimedLink::new(from, to, random.random_range(0.05..4.0)) });
        }
    }
    links
}

/// The number of the room of each cell of the largest region of each room.
fn regions(ground: &Ground) -> BTreeMap<Cell, u32> {
    let lattice = ground.lattice();
    let mut sizes = BTreeMap::<(u32, u32), u32>::new();
    let of = |cell: Cell| (lattice.column_row(cell).0 / 14, ground.region(cell));
    let passable = || lattice.cells().filter(|&cell| ground.is_passable(cell));
    passable().for_each(|cell| *sizes.entry(of(cell)).or_default() += 1);
    let largest = |room: u32| {
        let of_room = sizes.iter().filter(|((known, _), _)| *known == room);
        of_room.max_by_key(|&(&(_, region), &size)| (size, region)).unwrap().0.1
    };
    passable().filter(|&cell| of(cell).1 == largest(of(cell).0)).map(|cell| (cell, of(cell).0)).collect()
}

/// Open places near a cell, in its room.
fn places(ground: &Ground, start: Cell, count: usize, radius: f32) -> Vec<Vec2> {
    let lattice = ground.lattice();
    let centre = lattice.centre(start);
    let same = |cell: &Cell| ground.is_passable(*cell) && ground.region(*cell) == ground.region(start);
    let mut near: Vec<Vec2> = lattice.cells().filter(same).map(|cell| lattice.centre(cell)).collect();
    near.retain(|&at| walls::is_clear(ground.grid(), at, radius));
    near.sort_by(|a, b| a.distance_squared(centre).total_cmp(&b.distance_squared(centre)));
    near.truncate(count);
    near
}

/// Those of our planners that use links, and the flow fields.
fn planners() -> Vec<PlannerChoice> {
    let ground = Ground::new(Grid::open_plain(Lattice::new(3, 3, 1.0).unwrap()).into(), 0.4).unwrap();
    let ground = Arc::new(ground);
    let choices = PlannerChoice::NAMES.iter().filter_map(|name| name.parse::<PlannerChoice>().ok());
    let choices: Vec<_> = choices
        .filter(|choice| choice.build(&ground).is_ok_and(|planner| planner.capabilities().can(Capability::Links)))
        .collect();
    assert!(choices.len() >= 9, "{choices:?}");
    choices
}

/// Sends squads of a size from the first room to the last, and watches them.
struct Trial {
    grid: Arc<Grid>,
    links: Vec<TimedLink>,
    from: Vec<Vec2>,
    goal: Vec2,
    unit: Unit,
}

impl Trial {
    fn new(seed: u64, size: usize) -> Option<Self> {
        let mut random = Pcg32::seed_from_u64(seed);
        let count = random.random_range(2..5);
        let grid = Arc::new(rooms(count, size == 1, &mut random));
        let unit = Unit { speed: random.random_range(1.0..4.0), top_speed: 5.0, ..Unit::default() };
        let ground = Ground::new(Arc::clone(&grid), 1.01 * unit.radius).unwrap();
        let main = regions(&ground);
        let links = links(&ground, count, &mut random);
        let cells = |room: u32| main.iter().filter(|&(_, &known)| known == room).map(|(&cell, _)| cell).collect();
        let [first, last]: [Vec<Cell>; 2] = [cells(0), cells(count - 1)];
        let start = first[random.random_range(0..first.len())];
        let end = last[random.random_range(0..last.len())];
        let from = places(&ground, start, size, unit.radius);
        let goal = ground.lattice().centre(end);
        (from.len() == size).then_some(Self { grid, links, from, goal, unit })
    }

    fn world(&self, planner: &PlannerChoice, threads: usize) -> World {
        let settings = Settings { threads, step: 0.1, ..Settings::default() };
        let mut world = World::new(Arc::clone(&self.grid), settings).unwrap();
        world.add_links(&self.links).unwrap();
        let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(self.unit.clone()).unwrap());
        let order = Order::Move(self.goal);
        let spec = SquadSpec { order, planner: planner.clone(), ..SquadSpec::new(army, unit, &self.from) };
        world.spawn_squad(spec).unwrap();
        world
    }

    /// The ground that its planners search.
    fn ground(&self) -> Ground {
        let cost = |link: &TimedLink| (f64::from(link.seconds * self.unit.speed) * f64::from(STRAIGHT)) as u32 + 1;
        let link = |link: &TimedLink| Link { is_open: link.is_open, ..Link::new(link.from, link.to, cost(link)) };
        let links = self.links.iter().map(link).collect();
        Ground::build(Arc::clone(&self.grid), Mobility { links, ..Mobility::new(1.01 * self.unit.radius) }).unwrap()
    }
}

/// The agents that were on a link, and where each was in the last tick.
#[derive(Default)]
struct Witness {
    crossing: Vec<AgentId>,
    places: BTreeMap<AgentId, Vec2>,
    /// Where each left the ground.
    left: BTreeMap<AgentId, Vec2>,
    crossings: usize,
}

impl Witness {
    /// No agent goes through a wall but those that cross, from the start of an open link to its end.
    fn look(&mut self, world: &World, radius: f32) -> Result<(), String> {
        let crossing: Vec<AgentId> = world.crossing().collect();
        let lattice = world.grid().lattice();
        for (id, at) in world.positions() {
            let before = *self.places.get(&id).unwrap_or(&at);
            let (was, is) = (self.crossing.contains(&id), crossing.contains(&id));
            if is && !was {
                self.left.insert(id, before);
            }
            // A link may take no longer than a tick.
            let jumps =
                !was && !is && !walls::line_of_sight(world.grid(), world.grid().clearance(), before, at, 0.5 * radius);
            if was && !is || jumps {
                let from = if jumps { before } else { self.left[&id] };
                let is_used = |link: &&TimedLink| {
                    link.is_open && lattice.centre(link.to) == at && lattice.centre(link.from).distance(from) < 1.0
                };
                let link = world.links().iter().find(is_used);
                if link.is_none() {
                    return Err(format!("{id:?} came from {from} to {at} by no link, tick {}", world.ticks()));
                }
                self.crossings += 1;
            } else if !is && !walls::is_clear(world.grid(), at, 0.99 * radius) {
                return Err(format!("{id:?} is in a wall at {at}, tick {}", world.ticks()));
            }
            self.places.insert(id, at);
        }
        self.crossing = crossing;
        Ok(())
    }
}

/// Lets a world go on until all have arrived.
fn arrive(trial: &Trial, world: &mut World, seconds: f32) -> Result<usize, String> {
    let mut witness = Witness::default();
    let off = |world: &World| -> Vec<String> {
        let crowd = world.crowd();
        let off = crowd.rows.slot.iter().enumerate().filter(|&(row, &slot)| {
            let post = if trial.from.len() == 1 { trial.goal } else { crowd.slots.follower[slot as usize].post };
            crowd.rows.position[row].distance(post) > ARRIVAL_RADIUS || crowd.slots.follower[slot as usize].is_sent
        });
        // In sight of the goal, some may be held up by agents that stand there already.
        let held_up = |row: usize, slot: u32| {
            let (at, radius) = (crowd.rows.position[row], 0.9 * trial.unit.radius);
            let sees = walls::line_of_sight(&trial.grid, trial.grid.clearance(), at, trial.goal, radius);
            at.distance(trial.goal) < 6.0 && sees && world.crossing().all(|id| id.slot != slot)
        };
        let off = off.filter(|&(row, &slot)| trial.from.len() == 1 || !held_up(row, slot));
        off.map(|(row, &slot)| format!("{slot} at {} {:?}", crowd.rows.position[row], world.why(crowd.id(slot))))
            .collect()
    };
    while world.ticks() < (seconds * 10.0) as u64 {
        world.tick().map_err(|error| error.to_string())?;
        witness.look(world, trial.unit.radius)?;
        if world.ticks() > 20 && off(world).is_empty() {
            break;
        }
    }
    let off = off(world);
    if off.is_empty() {
        Ok(witness.crossings)
    } else {
        Err(format!("{} of {}: {}", off.len(), trial.from.len(), off.join("; ")))
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, ..ProptestConfig::default() })]

    #[test]
    fn whoever_is_sent_where_only_links_lead_arrives(seed in any::<u64>(), size in prop_oneof![Just(1_usize), Just(20)]) {
        let Some(trial) = Trial::new(seed, size) else { return Ok(()) };
        for planner in planners() {
            let mut world = trial.world(&planner, 1);
            let crossings = arrive(&trial, &mut world, 120.0 + 6.0 * size as f32);
            let crossings = crossings.map_err(|error| TestCaseError::fail(format!("{planner}: {error}")))?;
            prop_assert!(crossings >= size, "{}: {} crossings", planner, crossings);
        }
    }

    /// What a route over links costs is what Dijkstra's algorithm says, or within the bound of the planner.
    #[test]
    fn routes_over_links_cost_what_they_should(seed in any::<u64>()) {
        let Some(trial) = Trial::new(seed, 1) else { return Ok(()) };
        let ground = Arc::new(trial.ground());
        let [from, to] = [trial.from[0], trial.goal].map(|at| ground.lattice().at(at));
        let (mut scratch, mut path) = (Scratch::default(), Path::default());
        let mut costs = Layer::new(ground.lattice(), 0);
        distances_from(&ground, &[from], &mut scratch, &mut costs).unwrap();
        let least = u64::from(costs[to]);
        for choice in planners() {
            let planner = choice.build(&ground).unwrap();
            let found = plan(&*planner, &ground, &Query::new(from, to), &mut scratch, &mut path).unwrap();
            prop_assert_eq!(found.status, Status::Found);
            let most = match planner.capabilities().guarantee {
                Guarantee::Optimal => 1.0,
                Guarantee::Bounded(bound) => bound,
                _ => f64::INFINITY,
            };
            prop_assert!(found.cost >= least && found.cost as f64 <= most * least as f64, "{}: {} {}", choice, found.cost, least);
        }
    }
}

/// Two rooms, a wall between them, and a link from one to the other; a squad of a size that is sent to the other.
fn two_rooms(size: usize, link: TimedLink, planner: &str) -> World {
    let mut grid = Grid::open_plain(Lattice::new(27, 17, 1.0).unwrap());
    (0..17).for_each(|y| grid.set_open(grid.lattice().cell(13, y), false));
    let mut world = World::new(grid, Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
    world.add_links(&[link]).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let places: Vec<Vec2> = (0..size).map(|i| Vec2::new(2.5 + (i % 4) as f32, 4.5 + (i / 4) as f32)).collect();
    let (order, planner) = (Order::Move(Vec2::new(20.5, 8.5)), planner.parse().unwrap());
    world.spawn_squad(SquadSpec { order, planner, ..SquadSpec::new(army, unit, places) }).unwrap();
    world
}

fn across(seconds: f32) -> TimedLink {
    let lattice = Lattice::new(27, 17, 1.0).unwrap();
    TimedLink::new(lattice.cell(11, 8), lattice.cell(16, 8), seconds)
}

fn over_there(world: &World) -> usize {
    world.positions().filter(|&(_, at)| at.x > 14.0).count()
}

fn run(world: &mut World, ticks: u64) {
    let end = world.ticks() + ticks;
    world.tick_until(|world| world.ticks() == end).unwrap();
}

#[test]
fn a_shut_door_lets_nobody_through_until_it_is_opened() {
    for planner in ["astar", "flow-field", "ara"] {
        let mut world = two_rooms(20, TimedLink { is_open: false, ..across(1.0) }, planner);
        run(&mut world, 300);
        assert_eq!((over_there(&world), world.crossing().count()), (0, 0), "{planner}");
        world.set_link_open(LinkId(0), true).unwrap();
        run(&mut world, 60);
        let through = over_there(&world);
        assert!((1..20).contains(&through), "{planner}: {through}");
        world.set_link_open(LinkId(0), false).unwrap();
        run(&mut world, 20);
        let through = over_there(&world);
        run(&mut world, 200);
        assert_eq!(over_there(&world), through, "{planner}: who was on it got through, nobody else");
        world.set_link_open(LinkId(0), true).unwrap();
        run(&mut world, 1500);
        assert_eq!(over_there(&world), 20, "{planner}");
    }
}

#[test]
fn a_formation_gets_across() {
    let mut world = two_rooms(20, across(1.0), "astar");
    world.form(throng_sim::world::SquadId(0), Formation::new(Shape::Line, 1.2)).unwrap();
    world.order(throng_sim::world::SquadId(0), Order::Move(Vec2::new(25.0, 8.5))).unwrap();
    run(&mut world, 2000);
    assert_eq!(over_there(&world), 20);
}

#[test]
fn one_that_goes_from_stop_to_stop_crosses_there_and_back() {
    let grid = two_rooms(0, across(0.5), "astar").grid().clone();
    let mut world = World::new(grid, Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
    world.add_links(&[across(0.5), across(0.5).back()]).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let stop = |x: f32| Stop { task: Task::WayPoint { at: Vec2::new(x, 3.5), within: 1.0 }, then: Then::Next };
    let journey = world.add_journey(Journey::new(vec![stop(22.5), stop(3.5), stop(22.5)])).unwrap();
    let places = [Vec2::new(3.5, 3.5), Vec2::new(5.5, 3.5)];
    let spec = SquadSpec { order: Order::Travel(journey), ..SquadSpec::new(army, unit, places) };
    world.spawn_squad(spec).unwrap();
    let mut crossings = 0;
    for _ in 0..1500 {
        let before: Vec<AgentId> = world.crossing().collect();
        world.tick().unwrap();
        crossings += before.iter().filter(|&&id| world.crossing().all(|other| other != id)).count();
    }
    assert_eq!((over_there(&world), crossings), (2, 6));
}

#[test]
fn a_trigger_opens_a_door() {
    let mut world = two_rooms(4, TimedLink { is_open: false, ..across(1.0) }, "astar");
    let trigger = |seconds: f32, link: u32, is_open: bool| Trigger {
        name: format!("at {seconds}"),
        when: Cause::At { seconds },
        then: vec![Effect::SetLink { link: LinkId(link), is_open }],
        repeat: Repeat::default(),
    };
    let error = world.add_triggers(vec![trigger(1.0, 1, true)]).unwrap_err().to_string();
    assert_eq!(error, "trigger \"at 1\": this world has no link 1");
    world.add_triggers(vec![trigger(10.0, 0, true), trigger(60.0, 0, false)]).unwrap();
    run(&mut world, 100);
    assert_eq!(over_there(&world), 0);
    run(&mut world, 450);
    assert_eq!(over_there(&world), 4);
    assert!(world.links()[0].is_open);
    run(&mut world, 60);
    assert!(!world.links()[0].is_open);
}

#[test]
fn a_wall_on_its_end_shuts_a_link_once_nobody_comes_down_there() {
    let mut world = two_rooms(20, across(3.0), "astar");
    world.tick_until(|world| world.crossing().next().is_some()).unwrap();
    let end = world.links()[0].to;
    world.edit(&[Edit::Close(end)]).unwrap();
    let on_it = world.crossing().count();
    run(&mut world, 10);
    assert!(world.grid().is_open(end) && on_it > 0, "somebody is to come down there");
    world.tick_until(|world| !world.grid().is_open(end) || world.ticks() == 3000).unwrap();
    assert!(!world.grid().is_open(end));
    run(&mut world, 100);
    let through = over_there(&world);
    run(&mut world, 200);
    assert!(world.crossing().count() == 0 && over_there(&world) == through && through < 20, "{through}");
    world.edit(&[Edit::Open(end)]).unwrap();
    run(&mut world, 1500);
    assert_eq!(over_there(&world), 20);
}

#[test]
fn one_that_walks_alone_crosses_and_nobody_is_in_its_way() {
    let mut world = two_rooms(0, across(2.0), "astar");
    let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
    // A crowd stands under the link.
    let crowd: Vec<Vec2> =
        (0..40).map(|i| Vec2::new(14.5 + (i % 4) as f32 * 0.9, 5.0 + (i / 4) as f32 * 0.9)).collect();
    world.spawn_walkers(army, unit, &crowd, &[]).unwrap();
    let one = world.spawn_walkers(army, unit, &[Vec2::new(4.5, 8.5)], &[]).unwrap()[0];
    world.walk_to(one, Vec2::new(22.5, 8.5)).unwrap();
    world.tick_until(|world| world.crossing().next().is_some()).unwrap();
    let before: Vec<Vec2> = world.positions().map(|(_, at)| at).take(40).collect();
    run(&mut world, 18);
    let after: Vec<Vec2> = world.positions().map(|(_, at)| at).take(40).collect();
    assert_eq!(before, after, "it is in nobody's way");
    run(&mut world, 300);
    let (_, at) = world.positions().find(|&(id, _)| id == one).unwrap();
    assert!(at.distance(Vec2::new(22.5, 8.5)) < ARRIVAL_RADIUS, "{at}");
}

/// Threads do not show, nor does going on from a snapshot while some are on links.
#[test]
fn those_on_links_go_on_from_a_snapshot() {
    let folder = tempfile::tempdir().unwrap();
    for planner in ["astar", "flow-field"] {
        let trial = (1..).find_map(|seed| Trial::new(seed, 20)).unwrap();
        let planner: PlannerChoice = planner.parse().unwrap();
        let [mut one, mut other] = [1, 4].map(|threads| trial.world(&planner, threads));
        let mut saved = 0;
        while one.ticks() < 900 {
            one.tick().unwrap();
            other.tick().unwrap();
            if one.ticks() % 7 == 0 {
                saved += usize::from(other.crossing().next().is_some());
                let path = folder.path().join("world.snapshot");
                other.save(&path).unwrap();
                other = World::restore(&path, Resume { threads: 3, ..Resume::default() }).unwrap();
            }
            assert_eq!(one.position_hash(), other.position_hash(), "{planner}: tick {}", one.ticks());
        }
        assert!(saved > 2, "{planner}");
    }
}

#[test]
fn links_that_cannot_be_are_refused() {
    let lattice = Lattice::new(27, 17, 1.0).unwrap();
    let mut world = World::new(Grid::open_plain(lattice), Settings::default()).unwrap();
    let (here, there) = (lattice.cell(2, 2), lattice.cell(5, 5));
    let mut refused =
        |link: TimedLink| world.add_links(&[TimedLink::new(here, there, 1.0), link]).unwrap_err().to_string();
    let nowhere = "link 1 starts or ends off the map, or where it starts; give it two cells of the map";
    assert_eq!(refused(TimedLink::new(here, here, 1.0)), nowhere);
    assert_eq!(refused(TimedLink::new(here, Cell::NONE, 1.0)), nowhere);
    assert_eq!(
        refused(TimedLink::new(here, there, f32::NAN)),
        "the time of a link must be between 0.01 and 10000 (s), found NaN"
    );
    assert!(world.links().is_empty());
    let many = vec![TimedLink::new(here, there, 1.0); 40_000];
    assert_eq!(world.add_links(&many).unwrap_err().to_string(), "a world may have at most 32736 links");
    world.add_links(&many[..3]).unwrap();
    let (army, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let spec = |planner: &str| SquadSpec {
        planner: planner.parse().unwrap(),
        ..SquadSpec::new(army, unit, [Vec2::splat(3.5)])
    };
    for planner in ["hpa", "jps", "theta"] {
        let error = world.spawn_squad(spec(planner)).unwrap_err().to_string();
        assert!(error.starts_with(&format!("the planner {planner} cannot use links")), "{error}");
    }
    world.spawn_squad(spec("astar")).unwrap();
    assert_eq!(
        world.add_links(&many[..1]).unwrap_err().to_string(),
        "links cannot be added to a world that has planned routes already; add them before the squads"
    );
    assert_eq!(world.set_link_open(LinkId(3), true).unwrap_err().to_string(), "this world has no link 3");
}
