//! Going back in a live battle, and on again.

use super::*;
use crate::battle::command::Command;
use proptest::prelude::*;
use std::path::Path;
use throng_grid::{Edit, Grid, Lattice};
use throng_sim::battle::{Order, Ranged, Unit};
use throng_sim::world::{
    ArmyId, Cause, Effect, Repeat, Settings, Snapshot, SquadId, SquadSpec, Trigger, UnitId, Verdict,
};

const SEEK: Duration = Duration::from_mins(1);

/// A world that can be looked at from outside.
struct Glass(World, std::sync::mpsc::Sender<Vec<u8>>);

/// All bytes of a world.
fn bytes(world: &World) -> Vec<u8> {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    world.save(&path).unwrap();
    std::fs::read(path).unwrap()
}

impl Simulation for Glass {
    fn tick(&mut self) -> Result<(), SimulationError> {
        Ok(self.0.tick()?)
    }

    fn frame(&self, frame: &mut Frame) {
        self.0.frame(frame);
    }

    fn snapshot(&self) -> Option<Snapshot> {
        Some(self.0.snapshot())
    }

    fn restore(&mut self, snapshot: &Snapshot) -> Result<(), SimulationError> {
        Simulation::restore(&mut self.0, snapshot)
    }

    fn perform(&mut self, command: &Command) -> Result<Option<Command>, SimulationError> {
        self.0.perform(command)
    }

    fn triggers(&self, tell: &mut dyn FnMut(&str, u32)) {
        Simulation::triggers(&self.0, tell);
    }

    fn inspect(&self, _: &InspectRequest, _: &mut InspectReply) {
        self.1.send(bytes(&self.0)).unwrap();
    }
}

/// A course, and all bytes of its world when asked.
struct Seen {
    course: Course,
    bytes: std::sync::mpsc::Receiver<Vec<u8>>,
    chronicle: SharedChronicle,
    frame: Frame,
}

impl Seen {
    fn new(world: World) -> Self {
        let (sender, bytes) = std::sync::mpsc::channel();
        let chronicle = SharedChronicle::default();
        let mut course = Course::new(Box::new(Glass(world, sender)), chronicle.clone());
        let mut frame = Frame::default();
        course.frame(&mut frame, false);
        Self { course, bytes, chronicle, frame }
    }

    fn bytes(&self) -> Vec<u8> {
        self.course.inspect(&InspectRequest::default(), &mut InspectReply::default());
        self.bytes.try_recv().unwrap()
    }

    fn ticks(&mut self, count: u64) {
        for _ in 0..count {
            self.course.tick().unwrap();
            self.course.frame(&mut self.frame, false);
        }
    }

    fn go_to(&mut self, tick: u64) {
        self.course.go_to(tick).unwrap();
        assert!(self.course.seek(SEEK).unwrap());
        self.course.frame(&mut self.frame, true);
    }

    fn take(&mut self, step: HistoryStep) -> Vec<Event> {
        let events = self.course.take(step).unwrap();
        self.course.frame(&mut self.frame, false);
        events
    }

    fn execute(&mut self, command: Command) -> Vec<Event> {
        self.take(HistoryStep::Execute(command))
    }
}

/// Archers and swordsmen with little courage, a gate, a wave.
fn battle(seed: u64) -> World {
    let mut grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    let wall: Vec<_> = (0..40).map(|y| grid.lattice().cell(30, y)).filter(|cell| cell.0 / 60 % 10 != 3).collect();
    for &cell in &wall {
        grid.set_open(cell, false);
    }
    let settings = Settings { seed, threads: 1, step: 0.1, ..Settings::default() };
    let mut world = World::new(grid, settings).unwrap();
    let sword = Unit { health: 30.0, morale: 60.0, ..Unit::default() };
    let bow = Unit { name: "bow".into(), ranged: Some(Ranged::default()), ..sword.clone() };
    let (sword, bow) = (world.add_unit(sword).unwrap(), world.add_unit(bow).unwrap());
    for (name, x) in [("red", 16.0), ("blue", 36.0)] {
        let army = world.add_army(name).unwrap();
        for (unit, y, count) in [(sword, 3.0, 24), (bow, 14.0, 12), (sword, 24.0, 18)] {
            let block = (0..count).map(|i| Vec2::new(x + (i % 6) as f32 * 1.1, y + (i / 6) as f32 * 1.1));
            let block: Vec<Vec2> = block.collect();
            world.spawn_squad(SquadSpec { order: Order::Attack, ..SquadSpec::new(army, unit, &block) }).unwrap();
        }
    }
    world.fortify(&[wall[2]], 60.0, None).unwrap();
    let wave = SquadSpec::new(ArmyId(0), sword, [Vec2::new(5.0, 5.0), Vec2::new(7.0, 5.0)]);
    let (when, then) = (Cause::At { seconds: 3.0 }, vec![Effect::SpawnSquad(wave)]);
    world.add_triggers(vec![Trigger { name: "more".into(), when, then, repeat: Repeat::default() }]).unwrap();
    world
}

/// A command of a kind, at a place.
fn command(kind: u8, x: u32, y: u32) -> Command {
    let lattice = Lattice::new(60, 40, 1.0).unwrap();
    let at = Vec2::new(x as f32 + 0.5, y as f32 + 0.5);
    match kind {
        0 => Command::Order(vec![(SquadId(x % 6), Order::GoTo(at))]),
        1 => Command::EditMap { edits: vec![Edit::Close(lattice.cell(x, y))], ramparts: Vec::new() },
        2 => Command::EditMap { edits: vec![Edit::Open(lattice.cell(30, y))], ramparts: Vec::new() },
        3 => Command::SpawnSquad(SquadSpec::new(ArmyId(1), UnitId(0), [at])),
        4 => Command::Disband(SquadId(x % 6)),
        5 => Command::SetAvoidance(throng_sim::crowd::Avoidance::Push),
        _ => Command::Order(vec![(SquadId(x % 6), Order::Flee)]),
    }
}

/// What the user does.
#[derive(Clone, Debug)]
enum Act {
    Ticks(u64),
    Command(u8, u32, u32),
    Undo,
    Redo,
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        3 => (1_u64..40).prop_map(Act::Ticks),
        3 => (0_u8..7, 1_u32..59, 1_u32..39).prop_map(|(kind, x, y)| Act::Command(kind, x, y)),
        1 => Just(Act::Undo),
        1 => Just(Act::Redo),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(8) })]

    #[test]
    fn every_moment_is_as_it_was_and_so_is_the_future(
        seed in any::<u64>(),
        acts in prop::collection::vec(act(), 4..14),
        goes in prop::collection::vec(0.0_f64..1.0, 3..6),
    ) {
        let mut seen = Seen::new(battle(seed));
        for act in acts {
            match act {
                Act::Ticks(count) => seen.ticks(count),
                Act::Command(kind, x, y) => drop(seen.execute(command(kind, x, y))),
                Act::Undo => drop(seen.take(HistoryStep::Undo)),
                Act::Redo => drop(seen.take(HistoryStep::Redo)),
            }
        }
        let newest = seen.course.tick;
        let end = (seen.bytes(), seen.frame.clone());
        let spawned = seen.course.placed().clone();
        // Back and forth, and each time from there to the end.
        let mut moments = Vec::new();
        for share in goes {
            let tick = (share * newest as f64) as u64;
            seen.go_to(tick);
            prop_assert_eq!(seen.course.tick, tick);
            moments.push((tick, seen.bytes()));
        }
        seen.go_to(0);
        for tick in 0..=newest {
            for (_, bytes) in moments.iter().filter(|(at, _)| *at == tick) {
                prop_assert!(*bytes == seen.bytes(), "tick {tick}");
            }
            if tick < newest {
                seen.ticks(1);
            }
        }
        prop_assert!(seen.bytes() == end.0);
        prop_assert_eq!(&seen.frame.armies, &end.1.armies);
        prop_assert_eq!(seen.course.placed(), &spawned);
        prop_assert_eq!(seen.course.span(), Some([0, newest]));
        // Another of the same, as for a film.
        let mut again = seen.course.again().unwrap();
        let mut frame = Frame::default();
        while again.tick < again.last() {
            again.tick().unwrap();
        }
        again.frame(&mut frame, false);
        prop_assert_eq!((frame.tick, &frame.position), (newest, &end.1.position));
    }
}

#[test]
fn every_example_goes_back_to_the_same_bytes() {
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples");
    for name in ["arena", "flank", "gate", "keep", "links", "sally"] {
        let (scenario, _) = throng_scenario::Scenario::load(examples.join(format!("{name}.toml"))).unwrap();
        let mut seen = Seen::new(scenario.build(1).unwrap());
        let mut then = Vec::new();
        for tick in 1..=50_u64 {
            seen.ticks(1);
            if tick == 12 {
                seen.execute(Command::Order(vec![(SquadId(0), Order::Hold)]));
            }
            if tick % 17 == 0 {
                then.push((tick, seen.bytes(), seen.frame.armies.clone()));
            }
        }
        for (tick, bytes, armies) in then.into_iter().rev() {
            seen.go_to(tick);
            assert!(seen.bytes() == bytes && seen.frame.armies == armies, "{name}, tick {tick}");
        }
    }
}

#[test]
fn a_new_command_in_the_past_takes_the_place_of_the_future() {
    let mut seen = Seen::new(battle(1));
    seen.ticks(30);
    let order = |order| Command::Order(vec![(SquadId(0), order)]);
    assert_eq!(seen.execute(order(Order::Hold)), [Event::Done { name: "order".into() }]);
    seen.ticks(30);
    seen.execute(command(3, 3, 3));
    seen.ticks(40);
    let (end, old) = (seen.bytes(), seen.chronicle.read());
    assert_eq!(old.events.iter().filter(|event| event.kind == Happening::Command).count(), 2);
    // Commands after the moment cannot be undone there.
    seen.go_to(50);
    assert_eq!(seen.course.placed().squads.len(), 0);
    // What is refused forgets nothing, whatever it has left behind.
    let off_map = Command::EditMap { edits: vec![Edit::Close(throng_grid::Cell(99_999))], ramparts: Vec::new() };
    assert!(matches!(seen.execute(off_map)[..], [Event::Refused { .. }]));
    assert_eq!(seen.course.span(), Some([0, 100]));
    seen.go_to(100);
    assert!(seen.bytes() == end && seen.course.placed().squads.len() == 1);

    seen.go_to(50);
    let events = seen.take(HistoryStep::Undo);
    let forgotten = Event::notice("what came after tick 50 is forgotten");
    assert_eq!(events, [Event::Undone { name: "order".into() }, forgotten]);
    assert_eq!(seen.course.span(), Some([0, 50]));
    let now = seen.chronicle.read();
    assert!(now.samples().all(|sample| sample.tick <= 50) && now.events.iter().all(|event| event.tick <= 50));
    assert_eq!(seen.take(HistoryStep::Undo), [Event::NothingToUndo]);
    seen.ticks(50);
    assert!(seen.bytes() != end && seen.course.span() == Some([0, 100]));
    // Anew, without any command.
    seen.course.restart().unwrap();
    assert_eq!((seen.course.tick, seen.course.span()), (0, Some([0, 0])));
    let mut plain = battle(1);
    (0..100).for_each(|_| plain.tick().unwrap());
    seen.ticks(100);
    assert!(seen.bytes() == bytes(&plain));
}

#[test]
fn the_fallen_of_a_moment_are_those_of_before_and_the_verdict_goes_and_comes() {
    let mut seen = Seen::new(battle(7));
    let mut fallen = vec![0];
    while seen.frame.verdict.is_none() && seen.frame.tick < 3000 {
        seen.ticks(1);
        fallen.push(fallen[fallen.len() - 1] + seen.frame.fallen.len());
    }
    let (end, all) = (seen.frame.tick, fallen[fallen.len() - 1]);
    assert!(matches!(seen.frame.verdict, Some(Verdict::Winner(_))) && all > 30, "{all} fell");
    for tick in [end - 1, end / 2, 0, end / 3, end] {
        seen.go_to(tick);
        assert_eq!(seen.frame.fallen.len(), fallen[tick as usize], "tick {tick}");
        assert_eq!((seen.frame.verdict.is_some(), seen.course.is_over(&seen.frame)), (tick == end, tick == end));
    }
    let events = &seen.chronicle.read().events;
    let count = |kind| events.iter().filter(|event| event.kind == kind).count();
    assert_eq!([Happening::Verdict, Happening::Trigger, Happening::Squad].map(count), [1, 1, 1], "{events:?}");
}

#[test]
fn the_strengths_of_a_recording_are_read_in_the_background() {
    use throng_record::{About, Recorder, Recording, Sink as _};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.throng");
    let mut sink = Box::new(Recorder::create(&path, &About::default()).unwrap());
    let mut world = battle(3);
    for _ in 0..60 {
        let mut frame = Frame::default();
        world.frame(&mut frame);
        sink.frame(&frame).unwrap();
        world.tick().unwrap();
    }
    sink.finish().unwrap();
    let replay = crate::Replay::new(Recording::open(&path).unwrap(), 0, 59).unwrap();
    let chronicle = SharedChronicle::default();
    let mut course = Course::new(Box::new(replay), chronicle.clone());
    let begun = Instant::now();
    while chronicle.read().samples().count() < 60 {
        assert!(begun.elapsed() < SEEK, "{} of 60", chronicle.read().samples().count());
        std::thread::sleep(Duration::from_millis(1));
    }
    let counts: Vec<u32> = chronicle.read().samples().map(|sample| sample.armies[0].iter().sum()).collect();
    assert!(counts.iter().all(|&all| all == 56), "all of red, the wave included: {counts:?}");
    assert!(course.is_recording() && course.span() == Some([0, 59]));
    course.go_to(40).unwrap();
    let mut again = course.again().unwrap();
    let mut frame = Frame::default();
    again.frame(&mut frame, false);
    assert_eq!((frame.tick, again.last()), (0, 59));
}

#[test]
fn a_newer_wish_wins_and_a_long_way_is_gone_in_parts() {
    let mut seen = Seen::new(battle(2));
    seen.ticks(200);
    seen.course.go_to(119).unwrap();
    assert!(!seen.course.seek(Duration::ZERO).unwrap(), "the last snapshot is some ticks before");
    assert_eq!(seen.course.target(), Some(119));
    seen.go_to(3);
    assert_eq!((seen.course.tick, seen.course.target()), (3, None));
    seen.go_to(1000);
    assert_eq!(seen.course.tick, 200);
}

/// A camp of two squads, as a scenario.
fn camp() -> (tempfile::TempDir, throng_scenario::Scenario) {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 20\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(20);
    std::fs::write(folder.path().join("camp.map"), map).unwrap();
    let squad = |x: u32| format!("[[army.squad]]\ncount = 4\nposition = [{x}, 4]\n");
    let text = format!(
        "map = \"camp.map\"\n[[journey]]\nname = \"round\"\nstop = [{{ way_point = [5, 5] }}]\n[[army]]\nname = \"red\"\n{}{}",
        squad(8),
        squad(30)
    );
    std::fs::write(folder.path().join("camp.toml"), text).unwrap();
    let (scenario, _) = throng_scenario::Scenario::load(folder.path().join("camp.toml")).unwrap();
    (folder, scenario)
}

/// Saves what a course has come to; the scenario that is read again, and what is said.
fn saved(course: &mut Course, scenario: &throng_scenario::Scenario) -> (throng_scenario::Scenario, String) {
    let (mut frame, mut reply) = (Frame::default(), InspectReply::default());
    course.frame(&mut frame, false);
    course.inspect(&InspectRequest::default(), &mut reply);
    let format = throng_grid::MapFormat::MovingAi;
    let path = crate::battle::saving::path(Some(scenario), frame.tick, format);
    let placed = course.placed().clone();
    let (files, said) =
        crate::battle::saving::save(Some(scenario), &frame, (&placed, &reply), &["groups of squads"], format, &path)
            .unwrap();
    (throng_scenario::Scenario::load(&files[0]).unwrap().0, said)
}

#[test]
fn what_was_commanded_at_the_start_is_saved_and_what_is_not_is_said() {
    let (_folder, scenario) = camp();
    let front = throng_sim::battle::Front {
        facing: 30.0,
        ..throng_sim::battle::Front::between(Vec2::new(9.0, 9.0), Vec2::new(15.0, 9.0))
    };
    let at = Vec2::new(20.5, 12.5);
    let orders = [
        Order::Hold,
        Order::Attack,
        Order::Charge,
        Order::Flee,
        Order::Guard { within: 7.5 },
        Order::GoTo(at),
        Order::Move(at),
        Order::Travel(throng_sim::battle::JourneyId(0)),
        Order::Line(front),
    ];
    for order in orders {
        let mut course = Course::new(Box::new(scenario.build(1).unwrap()), SharedChronicle::default());
        let does = |course: &mut Course, command| drop(course.take(HistoryStep::Execute(command)).unwrap());
        does(&mut course, Command::Order(vec![(SquadId(0), order)]));
        for next in orders {
            does(&mut course, Command::QueueOrder(vec![(SquadId(0), next)]));
        }
        // None of these takes the orders away.
        does(&mut course, Command::SetPlanner(vec![(SquadId(0), "dijkstra".parse().unwrap())]));
        let places: Vec<Vec2> = (0..4).map(|i| Vec2::new(5.5 + i as f32, 14.5)).collect();
        does(&mut course, Command::Deploy(vec![(SquadId(0), places.clone(), 90.0)]));
        does(&mut course, Command::QueueOrder(vec![(SquadId(0), Order::Attack)]));
        course.take(HistoryStep::Undo).unwrap();
        does(&mut course, Command::SetAvoidance(throng_sim::crowd::Avoidance::Push));
        does(&mut course, Command::SetIndex(throng_spatial::IndexKind::KdTree.into()));
        let (again, said) = saved(&mut course, &scenario);
        let squad = &again.armies[0].squads[0];
        assert_eq!((squad.order, &squad.queue[..], &squad.positions), (order, &orders[..], &places));
        assert_eq!(squad.planner, "dijkstra".parse().unwrap());
        assert_eq!(again.settings.avoidance.kind, throng_sim::crowd::Avoidance::Push);
        assert_eq!(again.settings.index, throng_spatial::IndexSpec::from(throng_spatial::IndexKind::KdTree).into());
        assert_eq!(again.armies[0].squads[1], scenario.armies[0].squads[1]);
        assert!(said.ends_with("; not saved: groups of squads"), "{said}");
        // A squad that comes later has its orders, too; those that others get are no part of how it begins.
        (0..3).for_each(|_| drop(course.tick().unwrap()));
        let spec = SquadSpec::new(throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0), [Vec2::new(35.5, 15.5)]);
        does(&mut course, Command::SpawnSquad(spec));
        does(&mut course, Command::Order(vec![(SquadId(2), order)]));
        does(&mut course, Command::QueueOrder(vec![(SquadId(2), order)]));
        let (again, said) = saved(&mut course, &scenario);
        let squad = &again.armies[0].squads[2];
        assert_eq!((squad.order, &squad.queue[..]), (order, &[order][..]));
        assert!(said.ends_with("; not saved: what has happened since the start, groups of squads"), "{said}");
        does(&mut course, Command::Order(vec![(SquadId(1), order)]));
        let (again, said) = saved(&mut course, &scenario);
        assert_eq!(again.armies[0].squads[1], scenario.armies[0].squads[1]);
        assert!(said.contains("since the start, later orders, groups"), "{said}");
    }
}
