//! Logs of commands: each call is in them once, a replay gives the same bytes, and a damaged log is no worse than a refused one.

use crate::flood::Flood;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::sync::{Arc, Mutex};
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_plan::{Planner, PlannerChoice};
use throng_sim::battle::{Formation, JourneyId, Order, Ranged, Relation, Shape, Unit};
use throng_sim::crowd::{AgentId, Avoidance};
use throng_sim::world::{
    Area, ArmyId, Cause, Command as C, CommandReplay, Effect, Fire, Journey, Leader, LinkId, LogError, Objective,
    ObstacleId, Pursuit, Repeat, Replayed, Resume, Settings, SquadId, SquadSpec, Task, TimedLink, Trigger, UnitId,
    World,
};

const SOURCE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/src/world");

/// A writer whose bytes can be looked at.
#[derive(Clone, Default)]
struct Shared(Arc<Mutex<Vec<u8>>>);

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().unwrap().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// A map of 48 x 32 m with a wall across it, which has a gap.
fn empty() -> World {
    let mut grid = Grid::open_plain(Lattice::new(48, 32, 1.0).unwrap());
    (0..28).for_each(|y| grid.set_open(grid.lattice().cell(24, y), false));
    World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap()
}

fn at(x: f32, y: f32) -> Vec2 {
    Vec2::new(x, y)
}

/// Every command at least once, each of which the world takes, but for the last one.
fn commands(world: &World) -> Vec<C> {
    let cell = |x, y| world.grid().lattice().cell(x, y);
    let agent = |slot| AgentId { slot, generation: 0 };
    let (red, blue, foot, archer) = (ArmyId(0), ArmyId(1), UnitId(0), UnitId(1));
    let row = |y: f32| -> Vec<Vec2> { (0..6).map(|i| at(4.5 + 1.5 * i as f32, y)).collect() };
    let wave = SquadSpec { order: Order::Attack, ..SquadSpec::new(blue, foot, [at(40.5, 4.5)]) };
    let link = TimedLink::new(cell(22, 4), cell(26, 4), 2.0);
    vec![
        C::AddLinks { links: vec![link] },
        C::AddUnit { unit: Unit::default() },
        C::AddUnit { unit: Unit { ranged: Some(Ranged::default()), ..Unit::default() } },
        C::AddArmy { name: "red".into() },
        C::AddArmy { name: "blue".into() },
        C::SetArmyName { army: blue, name: "the blues".into() },
        C::SetArmyColour { army: red, colour: Some([200, 30, 30]) },
        C::CountWalks,
        // Agents 0 to 5, squad 0; 6 to 11, squad 1.
        C::SpawnSquad { spec: SquadSpec::new(red, foot, row(8.5)) },
        C::SpawnSquad { spec: SquadSpec::new(blue, archer, row(20.5)) },
        C::SetPlanner { squad: SquadId(0), planner: PlannerChoice::Dijkstra },
        C::Order { squad: SquadId(0), order: Order::GoTo(at(40.5, 8.5)) },
        C::QueueOrder { squad: SquadId(0), order: Order::GoTo(at(30.5, 20.5)) },
        C::Form { squad: SquadId(0), formation: Some(Formation::new(Shape::Circle, 2.0)) },
        // Agents 12 to 17.
        C::SpawnWalkers { army: red, unit: archer, positions: row(14.5), goals: vec![at(6.5, 16.5)] },
        C::AddJourney { journey: Journey::new([Task::WayPoint { at: at(20.5, 28.5), within: 1.0 }.into()]) },
        C::AddJourney { journey: Journey::new([Task::WayPoint { at: at(10.5, 28.5), within: 1.0 }.into()]) },
        C::RemoveJourney { journey: JourneyId(1) },
        C::Travel { walker: agent(13), journey: JourneyId(0), planner: PlannerChoice::AStar },
        C::WalkBy { agent: agent(14), point: at(40.2, 14.5), planner: PlannerChoice::Fringe },
        C::WalkStraightTo { walker: agent(15), goal: at(8.5, 28.5) },
        C::Follow { agent: agent(16), target: Leader::Agent(agent(14)), distance: 3.0 },
        C::Order { squad: SquadId(1), order: Order::Follow(Pursuit::new(SquadId(0), 6.0)) },
        C::Drive { agent: agent(17), position: at(14.5, 15.5), velocity: at(1.0, 0.0) },
        C::LetGo { agent: agent(17) },
        C::Hurt { agent: agent(0), damage: 20.0, by: Some(agent(6)) },
        C::Kill { agent: agent(1), by: None },
        C::Heal { agent: agent(0), points: 5.0 },
        C::Shoot { agent: agent(12), at: at(14.5, 10.5) },
        C::Teleport { agent: agent(15), to: at(30.5, 4.5) },
        C::Push { agent: agent(15), velocity: at(0.0, 3.0) },
        C::SetSpeed { agent: agent(14), speed: Some(2.5) },
        C::SetRadius { agent: agent(14), radius: 0.3 },
        C::SetUnit { agent: agent(15), unit: foot },
        C::SetArmy { agent: agent(15), army: blue },
        C::Detach { agent: agent(2) },
        C::SetAvoidance { kind: Avoidance::Separation },
        C::Edit { edits: vec![Edit::Close(cell(34, 10)), Edit::Open(cell(24, 10))] },
        C::EditNow,
        C::PlaceObstacle { area: Area::Disc { centre: at(34.5, 16.5), radius: 2.0 } },
        C::PlaceObstacle { area: Area::Disc { centre: at(38.5, 26.5), radius: 1.0 } },
        C::MoveObstacle { obstacle: ObstacleId(0), area: Area::Disc { centre: at(36.5, 18.5), radius: 1.0 } },
        C::RemoveObstacle { obstacle: ObstacleId(1) },
        C::SetLinkOpen { link: LinkId(0), is_open: false },
        C::Fortify { cells: vec![cell(24, 14), cell(24, 15), cell(24, 16)], health: 40.0, keeper: Some(blue) },
        C::SetWallHealth { cell: cell(24, 14), health: 20.0 },
        C::DamageWall { cell: cell(24, 15), damage: 100.0 },
        C::Dismantle { cells: vec![cell(24, 16)] },
        C::AddMission { army: red, objective: Objective::Kill { squad: SquadId(1) } },
        C::AddFire { fire: Fire::new(at(20.5, 4.5), 2.0) },
        C::AddTriggers {
            triggers: vec![Trigger {
                name: "a wave".into(),
                when: Cause::At { seconds: 6.0 },
                then: vec![Effect::SpawnSquad(wave)],
                repeat: Repeat::default(),
            }],
        },
        C::Relate { one: red, other: blue, relation: Relation::Neutral },
        C::Deploy { squad: SquadId(1), positions: row(22.5), facing: 90.0 },
        C::Remove { agents: vec![agent(12)] },
        C::Disband { squad: SquadId(1) },
        C::Order { squad: SquadId(70), order: Order::Hold },
    ]
}

/// The log of a world that is given a command every third tick, and the world at its end.
fn logged() -> (Vec<u8>, World, Vec<C>) {
    let (mut world, log) = (empty(), Shared::default());
    world.log_commands(log.clone()).unwrap();
    let commands = commands(&world);
    for (number, command) in commands.iter().enumerate() {
        let taken = world.apply(command.clone());
        assert_eq!(taken.is_err(), number + 1 == commands.len(), "{command:?}: {taken:?}");
        for _ in 0..3 {
            world.tick().unwrap();
        }
    }
    world.tick_until(|world| world.ticks() == 400).unwrap();
    world.end_log().unwrap();
    world.tick().unwrap();
    let bytes = log.0.lock().unwrap().clone();
    (bytes, world, commands)
}

/// The commands that a log holds, its ticks and marks, and how it ended.
fn replayed(path: &Path, resume: Resume<'_>) -> (Vec<C>, usize, usize, Result<CommandReplay, LogError>) {
    let (mut commands, mut ticks, mut marks) = (Vec::new(), 0, 0);
    let replay = CommandReplay::open(path, resume).and_then(|mut replay| {
        loop {
            match replay.advance()? {
                Some(Replayed::Command(command, _)) => commands.push(*command),
                Some(Replayed::Tick(result)) => {
                    result.unwrap();
                    ticks += 1;
                }
                Some(_) => marks += 1,
                None => return Ok(replay),
            }
        }
    });
    (commands, ticks, marks, replay)
}

#[test]
fn each_command_is_logged_once_and_a_replay_gives_the_same_bytes() {
    let (bytes, mut world, given) = logged();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("all.commands");
    std::fs::write(&path, bytes).unwrap();
    for threads in [1, 3] {
        let (commands, ticks, marks, replay) = replayed(&path, Resume { threads, ..Resume::default() });
        let replay = replay.unwrap();
        assert!(!replay.is_cut());
        assert_eq!(commands, given);
        // After ticks 64 to 384, and at the end.
        assert_eq!((ticks, marks), (400, 7));
        let mut other = replay.into_world();
        other.tick().unwrap();
        assert_eq!(other.to_bytes().unwrap(), world.to_bytes().unwrap());
    }
    world.tick().unwrap();
}

/// The names of the variants of an enum in the source.
fn variants(source: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let name: String = line.strip_prefix("    ")?.chars().take_while(|letter| letter.is_alphanumeric()).collect();
        name.starts_with(|letter: char| letter.is_uppercase()).then_some(name)
    };
    source.lines().skip_while(|line| !line.starts_with("pub enum")).filter_map(name).collect()
}

#[test]
fn every_call_that_changes_a_world_is_a_command_and_the_table_has_it() {
    let source = std::fs::read_to_string(Path::new(SOURCE).join("log/command.rs")).unwrap();
    let known = variants(&source);
    let given: BTreeSet<String> = commands(&empty())
        .iter()
        .map(|command| format!("{command:?}").chars().take_while(|letter| letter.is_alphanumeric()).collect())
        .collect();
    assert_eq!(known, given);

    // No result depends on these, they are ticks, or other commands.
    let others =
        ["Tick", "TickUntil", "KeepEvents", "SetIndex", "WalkTo", "FollowWithSquad", "LogCommands", "EndLog", "Apply"];
    let mut folders = vec![Path::new(SOURCE).to_path_buf()];
    let mut calls = BTreeSet::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("subdomain") {
                folders.push(path);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                let text = std::fs::read_to_string(&path).unwrap();
                let blocks = text.split("\nimpl World {").skip(1).filter_map(|block| block.split("\n}\n").next());
                for call in blocks.flat_map(|block| block.split("\n    pub fn ").skip(1)) {
                    let (name, arguments) = call.split_once('(').unwrap();
                    if arguments.trim_start().starts_with("&mut self") {
                        let words = name.split('<').next().unwrap().split('_');
                        calls.insert(words.map(|word| word[..1].to_uppercase() + &word[1..]).collect::<String>());
                    }
                }
            }
        }
    }
    let known: BTreeSet<String> = known.into_iter().chain(others.map(String::from)).collect();
    assert_eq!(calls, known);
}

#[test]
fn a_log_that_is_cut_is_done_as_far_as_it_goes_and_a_damaged_one_is_refused() {
    let (bytes, _, given) = logged();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("some.commands");
    let snapshot = 20 + u64::from_le_bytes(bytes[12..20].try_into().unwrap()) as usize;
    let all = bytes.len();
    let sampled = |count: usize| (0..count).map(move |i| i * all / count).chain(0..24).chain(snapshot..snapshot + 60);
    for length in sampled(40) {
        std::fs::write(&path, &bytes[..length]).unwrap();
        let (commands, ticks, _, replay) = replayed(&path, Resume { threads: 1, ..Resume::default() });
        assert_eq!(replay.is_ok(), length >= snapshot, "{length} bytes: {:?}", replay.err());
        assert!(given.starts_with(&commands) && ticks < 400);
        if let Err(error) = replay {
            let told = ["is no log of commands", "is no snapshot", "bytes, expected"]
                .iter()
                .any(|part| error.to_string().contains(part));
            assert!(told, "{length} bytes: {error}");
        }
    }
    let mut lengths_hit = 0;
    for place in sampled(60) {
        let mut damaged = bytes.clone();
        damaged[place] ^= 1 << (place % 8);
        std::fs::write(&path, damaged).unwrap();
        let (commands, _, _, replay) = replayed(&path, Resume { threads: 1, ..Resume::default() });
        // One of a length may look as if the file were cut there.
        lengths_hit += usize::from(replay.as_ref().is_ok_and(CommandReplay::is_cut));
        assert!(replay.as_ref().map_or(true, CommandReplay::is_cut), "bit of byte {place}: seen by nobody");
        assert!(given.starts_with(&commands), "bit of byte {place}");
    }
    assert!(lengths_hit < 40, "{lengths_hit}");
}

#[test]
fn a_planner_from_outside_is_given_by_its_name() {
    let (mut world, log) = (empty(), Shared::default());
    world.log_commands(log.clone()).unwrap();
    let (unit, army) = (world.add_unit(Unit::default()).unwrap(), world.add_army("red").unwrap());
    let id = world.spawn_walkers(army, unit, &[at(8.5, 8.5)], &[]).unwrap()[0];
    world.walk_by(id, at(40.5, 8.5), PlannerChoice::Custom(Arc::new(Flood))).unwrap();
    world.tick_until(|world| world.ticks() == 200).unwrap();
    world.end_log().unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("flood.commands");
    std::fs::write(&path, &*log.0.lock().unwrap()).unwrap();

    let error = replayed(&path, Resume::default()).3.err().unwrap().to_string();
    assert!(error.contains("names the planner \"flood\"; give it in Resume::planners"), "{error}");
    let planners = [Arc::new(Flood) as Arc<dyn Planner>];
    let replay = replayed(&path, Resume { planners: &planners, ..Resume::default() }).3.unwrap();
    assert_eq!(replay.world().position_hash(), world.position_hash());
}

#[test]
fn agents_that_are_elsewhere_are_told() {
    // Two logs that differ in one goal.
    let log = |goal: Vec2| {
        let (mut world, log) = (empty(), Shared::default());
        world.log_commands(log.clone()).unwrap();
        let (unit, army) = (world.add_unit(Unit::default()).unwrap(), world.add_army("red").unwrap());
        world.spawn_walkers(army, unit, &[at(8.5, 8.5)], &[goal]).unwrap();
        world.tick_until(|world| world.ticks() == 50).unwrap();
        world.end_log().unwrap();
        log.0.lock().unwrap().clone()
    };
    let [one, other] = [at(4.5, 20.5), at(9.5, 20.5)].map(log);
    let tick = [1, 0, 0, 0];
    let last = |log: &[u8]| 5 + 4 + log.windows(4).rposition(|four| four == tick).unwrap();
    let mixed = [&one[..last(&one)], &other[last(&other)..]].concat();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mixed.commands");
    for (bytes, differs) in [(one, false), (other, false), (mixed, true)] {
        std::fs::write(&path, bytes).unwrap();
        let error = replayed(&path, Resume::default()).3.err().map(|error| error.to_string());
        let told = |error: String| error.contains("after tick 50 the agents are not where they were: the hash of");
        assert_eq!(error.clone().is_some_and(told), differs, "{error:?}");
        assert_eq!(error.is_some(), differs);
    }
}

#[test]
fn a_log_that_cannot_be_written_holds_no_world_up() {
    /// Takes so many bytes.
    struct Full(usize);
    impl Write for Full {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0 = self.0.checked_sub(bytes.len()).ok_or_else(|| io::Error::other("the disk is full"))?;
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let (mut world, size) = (empty(), empty().to_bytes().unwrap().len());
    let error = world.log_commands(Full(size)).unwrap_err();
    assert_eq!(error.to_string(), "the log of commands cannot be written: the disk is full; it ends there");
    world.log_commands(Full(size + 100)).unwrap();
    world.add_army("red").unwrap();
    world.tick_until(|world| world.ticks() == 100).unwrap();
    let error = world.end_log().unwrap_err();
    assert_eq!(error.to_string(), "the log of commands cannot be written: the disk is full; it ends there");
    world.end_log().unwrap();
}
