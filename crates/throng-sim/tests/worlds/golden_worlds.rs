//! Worlds made by chance, told by chance what to do: each tick is what it always was, to the last bit. What no promise names, as how shots stray
//! or in what order agents ask, shows here when it changes.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::fmt::Write;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice, TerrainCosts};
use throng_plan::PlannerChoice;
use throng_sim::battle::{
    Formation, Front, JourneyId, Order, Ranged, Relation, Shape, TargetPreference, Unit, army_layer,
};
use throng_sim::crowd::{AgentId, Avoidance};
use throng_sim::world::{
    Among, Area, ArmyId, Cause, Command, Effect, Journey, LinkId, Objective, ObstacleId, Pursuit, Queue, Repeat,
    Resume, Settings, SquadId, SquadSpec, Stop, Task, Then, TimedLink, Trigger, UnitId, Until, World,
};

const SIZE: (u32, u32) = (64, 48);

/// The kinds of soldiers of all worlds.
fn units() -> Vec<Unit> {
    let bow = Ranged { range: 40.0, spread: 3.0, salvo: 2, blast: 1.0, ..Ranged::default() };
    vec![
        Unit { morale: 0.3, ..Unit::default() },
        Unit { speed_spread: 0.2, headway: 0.5, ..Unit::pedestrian() },
        Unit { ranged: Some(bow), morale: 0.5, prey: TargetPreference::Weakest, ..Unit::default() },
        Unit { radius: 1.3, mass: 400.0, morale: 0.9, reach: 2.0, priority: 1, ..Unit::default() },
        Unit {
            acceleration: 3.0,
            top_speed: 6.0,
            speed: 4.0,
            charge: 2.0,
            turning: 180.0,
            ignores: army_layer(ArmyId(1)),
            ..Unit::default()
        },
        Unit { damage: 5.0, breach: 60.0, reach: 1.5, prey: TargetPreference::MostDangerous, ..Unit::default() },
        Unit { view: 120.0, arc: 90.0, attackers: 2, armour: 4.0, congestion: 3.0, ..Unit::default() },
    ]
}

struct Chance(Pcg32);

impl Chance {
    fn below(&mut self, most: u32) -> u32 {
        self.0.random_range(0..most)
    }

    fn number(&mut self, least: f32, most: f32) -> f32 {
        self.0.random_range(least..most)
    }

    fn point(&mut self) -> Vec2 {
        Vec2::new(self.number(1.0, SIZE.0 as f32 - 1.0), self.number(1.0, SIZE.1 as f32 - 1.0))
    }

    fn area(&mut self) -> Area {
        let centre = self.point();
        match self.below(3) {
            0 => Area::Disc { centre, radius: self.number(0.5, 4.0) },
            1 => Area::Rectangle { from: centre, to: centre + Vec2::new(self.number(1.0, 5.0), self.number(1.0, 5.0)) },
            _ => Area::Polygon { points: vec![centre, centre + Vec2::new(4.0, 0.5), centre + Vec2::new(1.5, 4.0)] },
        }
    }

    fn agent(&mut self, world: &World) -> AgentId {
        let all: Vec<AgentId> = world.positions().map(|(id, _)| id).collect();
        if all.is_empty() { AgentId::NONE } else { all[self.below(all.len() as u32) as usize] }
    }

    fn squad(&mut self, world: &World) -> SquadId {
        SquadId(self.below(world.squads().len() as u32 + 1))
    }

    fn planner(&mut self) -> PlannerChoice {
        let names = ["astar", "ara", "weighted-astar", "flow-field", "fringe", "dijkstra", "bidirectional", "theta"];
        names[self.below(8) as usize].parse().unwrap()
    }

    fn order(&mut self, world: &World) -> Order {
        match self.below(10) {
            0 => Order::Hold,
            1 => Order::Attack,
            2 => Order::Charge,
            3 => Order::Flee,
            4 => Order::Guard { within: self.number(2.0, 20.0) },
            5 => Order::GoTo(self.point()),
            6 => Order::Move(self.point()),
            7 => Order::Travel(JourneyId(self.below(3))),
            8 => Order::Follow(Pursuit::new(self.squad(world), self.number(1.0, 8.0))),
            _ => {
                let (facing, width, fights) = (self.number(-180.0, 180.0), self.number(2.0, 12.0), self.below(2) == 0);
                Order::Line(Front { centre: self.point(), facing, width, fights })
            }
        }
    }

    /// Places of some bodies side by side, of which most maps have room for.
    fn block(&mut self, world: &World, radius: f32, most: u32) -> Vec<Vec2> {
        let (corner, count) = (self.point(), 1 + self.below(most));
        let at = |i: u32| corner + 2.3 * radius * Vec2::new((i % 5) as f32, (i / 5) as f32);
        let clear = |at: &Vec2| throng_grid::walls::is_clear(world.grid(), *at, radius);
        (0..count).map(at).filter(clear).collect()
    }

    fn formation(&mut self) -> Option<Formation> {
        let shape = Shape::ALL[self.below(Shape::ALL.len() as u32) as usize];
        let spacing = self.number(1.0, 3.0);
        (self.below(2) == 0).then(|| Formation::new(shape, spacing))
    }

    fn spec(&mut self, world: &World) -> SquadSpec {
        let unit = UnitId(self.below(7) as u16);
        let positions = self.block(world, world.units()[usize::from(unit.0)].radius, 25);
        let queue = (0..self.below(3)).map(|_| self.order(world)).collect();
        SquadSpec {
            order: self.order(world),
            queue,
            planner: self.planner(),
            formation: self.formation(),
            facing: self.number(-180.0, 180.0),
            ..SquadSpec::new(ArmyId(self.below(3) as u8), unit, positions)
        }
    }

    /// Some command; the world may refuse it.
    fn command(&mut self, world: &World) -> Command {
        use Command as C;
        let lattice = world.grid().lattice();
        match self.below(34) {
            0 => C::SpawnSquad { spec: self.spec(world) },
            1 => {
                let (positions, goals) = (self.block(world, 0.4, 12), (0..4).map(|_| self.point()).collect());
                C::SpawnWalkers {
                    army: ArmyId(self.below(3) as u8),
                    unit: UnitId(self.below(3) as u16),
                    positions,
                    goals,
                }
            }
            2 => C::Deploy { squad: self.squad(world), positions: self.block(world, 1.3, 6), facing: 30.0 },
            3 => C::Remove { agents: vec![self.agent(world), self.agent(world)] },
            4 => C::Disband { squad: self.squad(world) },
            5..8 => C::WalkBy { agent: self.agent(world), point: self.point(), planner: self.planner() },
            8 => C::WalkStraightTo { walker: self.agent(world), goal: self.point() },
            9..11 => {
                // Two of three go after one.
                let first = world.positions().next().map_or(AgentId::NONE, |(id, _)| id);
                let target = if self.below(3) > 0 { first } else { self.agent(world) }.into();
                C::Follow { agent: self.agent(world), target, distance: self.number(0.5, 5.0) }
            }
            11 => C::Travel { walker: self.agent(world), journey: JourneyId(self.below(3)), planner: self.planner() },
            12..16 => C::Order { squad: self.squad(world), order: self.order(world) },
            16 => C::QueueOrder { squad: self.squad(world), order: self.order(world) },
            17 => C::Form { squad: self.squad(world), formation: self.formation() },
            18 => C::SetPlanner { squad: self.squad(world), planner: self.planner() },
            19 => C::Drive {
                agent: self.agent(world),
                position: self.point(),
                velocity: Vec2::new(self.number(-3.0, 3.0), 1.0),
            },
            20 => C::LetGo { agent: self.agent(world) },
            21 => C::Hurt { agent: self.agent(world), damage: self.number(1.0, 60.0), by: Some(self.agent(world)) },
            22 => C::Shoot { agent: self.agent(world), at: self.point() },
            23 => C::Teleport { agent: self.agent(world), to: self.point() },
            24 => C::Push { agent: self.agent(world), velocity: self.point() - self.point() },
            25 => C::SetSpeed { agent: self.agent(world), speed: (self.below(3) > 0).then_some(2.5) },
            26 => C::SetRadius { agent: self.agent(world), radius: self.number(0.2, 0.8) },
            27 => C::SetUnit { agent: self.agent(world), unit: UnitId(self.below(7) as u16) },
            28 => C::SetArmy { agent: self.agent(world), army: ArmyId(self.below(3) as u8) },
            29 => C::Detach { agent: self.agent(world) },
            30 => {
                let cell = lattice.at(self.point());
                C::Edit { edits: vec![if self.below(2) == 0 { Edit::Close(cell) } else { Edit::Open(cell) }] }
            }
            31 => C::PlaceObstacle { area: self.area() },
            32 => C::MoveObstacle { obstacle: ObstacleId(self.below(4)), area: self.area() },
            _ => C::SetLinkOpen { link: LinkId(self.below(3)), is_open: self.below(2) == 0 },
        }
    }
}

/// Walls, swamps and hills.
fn grid(chance: &mut Chance, seed: u64) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(SIZE.0, SIZE.1, 1.0).unwrap());
    let lattice = grid.lattice();
    for _ in 0..24 {
        let ((x, y), length, lies) = ((chance.below(60), chance.below(44)), 2 + chance.below(9), chance.below(2) == 0);
        for i in 0..length {
            let (x, y) = if lies { (x + i, y) } else { (x, y + i) };
            if x < SIZE.0 && y < SIZE.1 {
                grid.set_open(lattice.cell(x, y), false);
            }
        }
    }
    if seed % 3 == 1 {
        lattice.cells().step_by(7).for_each(|cell| grid.set_terrain(cell, 1));
    }
    if seed % 4 == 2 {
        lattice.cells().for_each(|cell| grid.set_height(cell, (lattice.column_row(cell).0 * 13 % 200) as u16));
    }
    grid
}

fn world(chance: &mut Chance, seed: u64) -> World {
    let grid = grid(chance, seed);
    let lattice = grid.lattice();
    let avoidance = [Avoidance::Orca, Avoidance::Gap, Avoidance::Push, Avoidance::Separation, Avoidance::SocialForce];
    let mut settings = Settings { seed, threads: 2, max_ticks: 300, plan_budget: 3000, ..Settings::default() };
    settings.avoidance.kind = avoidance[seed as usize % 5];
    settings.sleep.after = 0.7 + 0.8 * (seed % 4) as f32;
    let closed: Vec<_> = lattice.cells().filter(|&cell| !grid.is_open(cell)).collect();
    let mut world = World::new(grid, settings).unwrap();
    if seed.is_multiple_of(2) {
        let ends = [(5, 5, 40, 30), (50, 5, 8, 40), (20, 20, 24, 20)];
        let link = |(i, &(x, y, to_x, to_y)): (usize, &(u32, u32, u32, u32))| {
            TimedLink::new(lattice.cell(x, y), lattice.cell(to_x, to_y), 2.0 + 6.0 * i as f32)
        };
        world.add_links(&ends.iter().enumerate().map(link).collect::<Vec<_>>()).unwrap();
    }
    for (i, unit) in units().into_iter().enumerate() {
        let swamp = TerrainCosts::new([(0, Some(1)), (1, Some(1 + i as u16))]);
        world.add_unit(Unit { terrain: (seed % 3 == 1).then_some(swamp), ..unit }).unwrap();
    }
    for name in ["red", "blue", "green"] {
        world.add_army(name).unwrap();
    }
    if seed.is_multiple_of(5) {
        world.relate(ArmyId(0), ArmyId(2), Relation::Ally).unwrap();
    }
    if seed % 2 == 1 {
        world.count_walks();
    }
    let stop = |task, then| Stop { task, then };
    let queue = Queue { head: chance.point(), seconds: 1.0, places: 4, ..Queue::default() };
    let journeys = [
        vec![
            stop(Task::WayPoint { at: chance.point(), within: 1.5 }, Then::Next),
            stop(Task::Queue(queue), Then::To(0)),
        ],
        vec![
            stop(Task::Area { area: chance.area(), spacing: 1.0 }, Then::RoundRobin(vec![1, 2])),
            stop(Task::Wait(Until::Seconds(2.0)), Then::To(0)),
            stop(Task::Wait(Until::Come(2)), Then::LeastTargeted(vec![0, 1])),
        ],
        vec![stop(Task::Leave { at: chance.point(), within: 1.0 }, Then::End)],
    ];
    for stops in journeys {
        world.add_journey(Journey::new(stops)).unwrap();
    }
    for _ in 0..6 {
        // A place may be walled up, and a planner not for this map.
        let _ = world.spawn_squad(chance.spec(&world));
    }
    world.fortify(&closed[..closed.len() / 3], 50.0, Some(ArmyId(1))).unwrap();
    let wave = chance.spec(&world);
    let trigger = |name: &str, when, then| Trigger { name: name.into(), when, then, repeat: Repeat::default() };
    let squad = SquadId(0);
    let _ = world.add_triggers(vec![
        trigger("wave", Cause::At { seconds: 3.0 }, vec![Effect::SpawnSquad(SquadSpec { queue: vec![], ..wave })]),
        trigger("lost", Cause::Lost { squad, share: 0.3 }, vec![Effect::Order { squad, order: Order::Flee }]),
        trigger("sees", Cause::Sees { squad }, vec![Effect::Order { squad, order: Order::Charge }]),
        trigger("enters", Cause::Enters { army: ArmyId(1), area: chance.area() }, vec![]),
        trigger("open", Cause::Breached { area: None }, vec![Effect::Order { squad, order: Order::Attack }]),
    ]);
    let objectives = [
        Objective::Hold { area: chance.area(), seconds: 5.0 },
        Objective::Survive { seconds: 4.0 },
        Objective::Rout,
        Objective::Kill { squad },
    ];
    for (i, objective) in objectives.into_iter().enumerate().filter(|&(i, _)| i as u64 != seed % 4) {
        let _ = world.add_mission(ArmyId(i as u8 % 3), objective);
    }
    world
}

/// Answers to questions, in bits.
fn asked(world: &World, chance: &mut Chance, sum: &mut crc32fast::Hasher) {
    let off = Vec2::new(-3.0, 5.0);
    let places = [chance.point(), chance.point(), off];
    for (from, to) in [(places[0], places[1]), (places[1], off), (off, places[0])] {
        let among = Among { army: (chance.below(2) == 0).then_some(ArmyId(0)), ..Among::default() };
        let told = (
            (world.near(from, 6.0, among), world.nearest(to, 20.0, Among::others_than(chance.agent(world)))),
            (world.raycast(from, to, 0.3, among).map(|hit| (hit.agent, hit.at)), world.line_of_sight(from, to, 0.4)),
            (world.clearance(from).to_bits(), world.closest_open(from, UnitId(3)).ok()),
            (world.route(from, to, UnitId(1)).ok(), world.is_reachable(from, to, UnitId(3)).ok()),
            (world.random_point(from, 9.0, UnitId(0), world.ticks()).ok(), world.distance(from, to, UnitId(0)).ok()),
        );
        sum.update(format!("{told:?}").as_bytes());
    }
    sum.update(format!("{:?}", world.missions()).as_bytes());
    let standing: Vec<_> =
        world.positions().map(|(id, _)| (world.why(id), world.health(id), world.flees(id))).collect();
    sum.update(format!("{standing:?}").as_bytes());
}

/// A line for a world: what it is after some 250 ticks, in hashes of all that it holds and of all answers.
fn told(seed: u64) -> String {
    let mut chance = Chance(Pcg32::seed_from_u64(seed));
    let mut world = world(&mut chance, seed);
    let (mut refused, mut answers, mut happened) = (0, crc32fast::Hasher::new(), crc32fast::Hasher::new());
    for tick in 0..250 {
        if tick % 4 == 0 {
            let command = chance.command(&world);
            refused += usize::from(world.apply(command).is_err());
        }
        world.tick().unwrap();
        if tick % 50 == 49 {
            asked(&world, &mut chance, &mut answers);
        }
        happened.update(format!("{:?} {}", world.events(), world.routes_pending()).as_bytes());
    }
    let bytes = world.to_bytes().unwrap();
    format!(
        "{seed} {} agents, {refused} refused, {} bytes: {:08x} {:08x} {:08x}",
        world.agents(),
        world.memory().total(),
        crc32fast::hash(&bytes[40..]),
        happened.finalize(),
        answers.finalize()
    )
}

/// Snapshots of a small world, each with a byte changed and the checksum right again: which of them are taken, and what is said of the others.
fn forged() -> String {
    let mut chance = Chance(Pcg32::seed_from_u64(6));
    let mut world = world(&mut chance, 6);
    for _ in 0..60 {
        world.tick().unwrap();
    }
    let whole = world.to_bytes().unwrap();
    let (mut taken, mut told) = (0, crc32fast::Hasher::new());
    // The map takes the first third, and is long.
    let places = whole.len() / 3..whole.len();
    for i in 0..2000_usize {
        let mut bytes = whole.clone();
        let at = places.start + i * places.len() / 2000;
        bytes[at] ^= 1 << (i % 8);
        let mut sum = crc32fast::Hasher::new();
        sum.update(&bytes[..36]);
        sum.update(&bytes[40..]);
        let sum = sum.finalize().to_le_bytes();
        bytes[36..40].copy_from_slice(&sum);
        match World::from_bytes(&bytes, Resume { threads: 1, ..Resume::default() }) {
            Ok(_) => taken += 1,
            // Without the list of known planners: a build may leave some out.
            Err(error) => {
                let error = error.to_string();
                told.update(format!("{at} {}", error.split("; known").next().unwrap_or_default()).as_bytes());
            }
        }
    }
    format!("forged: {taken} of 2000 taken, of the others {:08x}\n", told.finalize())
}

#[test]
fn ticks_are_what_they_always_were() {
    let mut now = String::new();
    for seed in 0..40 {
        writeln!(now, "{}", told(seed)).unwrap();
    }
    now += &forged();
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/worlds/golden_worlds.txt");
    if std::env::var_os("THRONG_ACCEPT").is_some() {
        std::fs::write(path, &now).unwrap();
    }
    let before = std::fs::read_to_string(path).unwrap();
    for (now, before) in now.lines().zip(before.lines()) {
        assert_eq!(now, before, "where that is meant, run the test once with THRONG_ACCEPT=1");
    }
    assert_eq!(now.lines().count(), before.lines().count());
}
