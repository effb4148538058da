//! The thread of a simulation: what it shows, and what it does with errors.

use super::command_history::CommandHistory;
use super::*;
use std::time::Instant;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{Settings, SquadId, SquadSpec, Verdict};

fn simulate(simulation: Box<dyn Simulation>, interval: Duration) -> Result<BattleWorker, ViewError> {
    BattleWorker::simulate(simulation, interval, SharedChronicle::default())
}

fn done(name: &str) -> Event {
    Event::Done { name: name.to_owned() }
}

struct Count(u64);

impl Simulation for Count {
    fn tick(&mut self) -> Result<(), SimulationError> {
        self.0 += 1;
        assert!(self.0 != 500, "five hundred");
        if self.0 == 1000 { Err(SimulationError::Other("a thousand".into())) } else { Ok(()) }
    }

    fn frame(&self, frame: &mut Frame) {
        frame.tick = self.0;
        frame.fallen.clear();
        frame.fallen.push(Vec2::splat(self.0 as f32));
        frame.verdict = (self.0 == 40).then_some(Verdict::Draw);
    }
}

fn until(worker: &mut BattleWorker, done: impl Fn(&BattleWorker) -> bool) {
    while !done(worker) {
        worker.states.take();
        std::thread::sleep(Duration::from_millis(1));
    }
}

#[test]
fn it_stops_when_the_battle_is_over_and_no_death_is_missed() {
    let mut worker = simulate(Box::new(Count(0)), Duration::from_micros(200)).unwrap();
    let mut deaths = 0;
    while worker.states.front().frame.verdict.is_none() && worker.failure().is_none() {
        if worker.states.take() {
            deaths += worker.states.front().frame.fallen.len();
        }
        std::thread::sleep(Duration::from_millis(3));
    }
    assert_eq!((worker.states.front().frame.tick, deaths), (40, 41));
    assert_eq!(worker.failure(), None);
}

#[test]
fn it_pauses_and_does_single_steps() {
    let mut worker = simulate(Box::new(Count(100)), Duration::from_secs(1000)).unwrap();
    worker.set_paused(true);
    worker.single_step();
    worker.single_step();
    until(&mut worker, |worker| worker.states.front().frame.tick == 102);
    std::thread::sleep(Duration::from_millis(20));
    assert!(!worker.states.take());
    worker.set_interval(Duration::from_millis(1));
    worker.set_paused(false);
    until(&mut worker, |worker| worker.states.front().frame.tick > 110);
}

#[test]
fn errors_and_panics_are_reported() {
    let mut worker = simulate(Box::new(Count(900)), Duration::ZERO).unwrap();
    until(&mut worker, |worker| worker.failure().as_deref() == Some("a thousand"));
    let mut worker = simulate(Box::new(Count(490)), Duration::ZERO).unwrap();
    until(&mut worker, |worker| worker.failure().as_deref() == Some("panic: five hundred"));
}

/// Ticks from 0 to 99, of which some cannot be shown: those from 20 to 29, and from 80 on.
struct Gaps(u64);

impl Simulation for Gaps {
    fn tick(&mut self) -> Result<(), SimulationError> {
        self.go_to(self.0 + 1).map(drop)
    }

    fn frame(&self, frame: &mut Frame) {
        frame.tick = self.0;
    }

    fn span(&self) -> Option<[u64; 2]> {
        Some([0, 99])
    }

    fn go_to(&mut self, tick: u64) -> Result<Option<String>, SimulationError> {
        if (20..30).contains(&tick) || tick >= 80 {
            return Err(SimulationError::Other(format!("no {tick}").into()));
        }
        self.0 = tick;
        Ok(None)
    }

    fn skip(&mut self, error: SimulationError) -> Result<String, SimulationError> {
        if self.0 > 30 {
            return Err(error);
        }
        self.0 = 30;
        Ok(format!("skipped: {error}"))
    }
}

#[test]
fn what_cannot_be_shown_is_left_out_and_one_can_go_back() {
    let mut worker = simulate(Box::new(Gaps(15)), Duration::from_millis(1)).unwrap();
    until(&mut worker, |worker| worker.states.front().over);
    assert_eq!(worker.states.front().frame.tick, 79);
    let (start, mut news) = (Instant::now(), worker.news().collect::<Vec<_>>());
    while news.len() < 2 && start.elapsed() < Duration::from_secs(20) {
        news.extend(worker.news());
    }
    assert_eq!(news, ["skipped: no 20", "no 80"].map(Event::notice));
    worker.set_paused(true);
    worker.go_to(40);
    until(&mut worker, |worker| worker.states.front().frame.tick == 40);
    assert!(worker.states.front().jumped && !worker.states.front().over);
    worker.go_to(25);
    let start = Instant::now();
    while worker.news().collect::<Vec<_>>() != [Event::notice("no 25")] {
        assert!(start.elapsed() < Duration::from_secs(20));
    }
    worker.single_step();
    until(&mut worker, |worker| worker.states.front().frame.tick == 41);
    assert!(!worker.states.front().jumped);
    assert_eq!((worker.news().next(), worker.failure()), (None, None));
}

#[test]
fn squads_that_were_brought_come_with_the_frames_until_they_are_taken_back() {
    let plain = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let mut world = World::new(plain, Settings { threads: 1, ..Settings::default() }).unwrap();
    let (unit, army) = (world.add_unit(Unit::default()).unwrap(), world.add_army("red").unwrap());
    let at_first = [Vec2::new(15.0, 15.0)];
    world.spawn_squad(SquadSpec::new(army, unit, at_first)).unwrap();
    let mut worker = simulate(Box::new(world), Duration::from_secs(1000)).unwrap();
    worker.set_paused(true);
    let spawn = |x: f32| {
        let spec = SquadSpec::new(army, unit, [Vec2::new(x, 3.0), Vec2::new(x, 5.0)]);
        Command::SpawnSquad(SquadSpec { facing: 45.0, order: Order::Charge, ..spec })
    };
    let spawned = |worker: &BattleWorker| -> Vec<f32> {
        worker.states.front().placed.squads.values().flatten().map(|squad| squad.positions[0].x).collect()
    };
    worker.execute(spawn(3.0));
    worker.execute(spawn(6.0));
    worker.execute(spawn(-3.0));
    worker.execute(spawn(9.0));
    until(&mut worker, |worker| spawned(worker) == [3.0, 6.0, 9.0]);
    let (number, first) =
        worker.states.front().placed.squads.first_key_value().map(|(&id, first)| (id, first.clone())).unwrap();
    let first = first.unwrap();
    assert!((first.facing - 45.0).abs() < 1e-3, "{}", first.facing);
    assert_eq!((first.army, first.order), (army, Order::Charge));
    worker.undo();
    worker.undo();
    until(&mut worker, |worker| spawned(worker) == [3.0]);
    worker.redo();
    worker.redo();
    worker.redo();
    until(&mut worker, |worker| spawned(worker) == [3.0, 6.0, 9.0]);
    worker.undo();
    worker.undo();
    until(&mut worker, |worker| spawned(worker) == [3.0]);
    worker.execute(Command::Disband(number));
    until(&mut worker, |worker| spawned(worker).is_empty());
    assert!(worker.news().any(|news| matches!(news, Event::Refused { .. })));
}

#[test]
fn what_is_told_to_be_done_is_seen_in_the_frame_taken_next() {
    let lattice = Lattice::new(200, 200, 1.0).unwrap();
    let plain = Grid::open_plain(lattice);
    let world = World::new(plain, Settings { threads: 1, ..Settings::default() }).unwrap();
    let mut worker = simulate(Box::new(world), Duration::from_secs(1000)).unwrap();
    worker.set_paused(true);
    for x in 0..200 {
        let cell = lattice.cell(x, 0);
        worker.execute(Command::EditMap { edits: vec![Edit::Close(cell)], ramparts: Vec::new() });
        let start = Instant::now();
        while worker.news().collect::<Vec<_>>() != [done("edit")] {
            assert!(start.elapsed() < Duration::from_secs(20), "wall {x}");
        }
        worker.states.take();
        assert!(!worker.states.front().frame.grid.as_ref().unwrap().is_open(cell), "wall {x}");
    }
}

#[test]
fn what_was_undone_can_be_done_again_by_squads_that_came_again() {
    let plain = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let mut world = World::new(plain, Settings { threads: 1, ..Settings::default() }).unwrap();
    let (unit, army) = (world.add_unit(Unit::default()).unwrap(), world.add_army("red").unwrap());
    let mut history = CommandHistory::default();
    let state = |world: &World| {
        let grid = world.grid();
        (world.agents(), grid.lattice().cells().filter(|&cell| grid.is_open(cell)).count())
    };
    let mut does = |world: &mut World, wanted| history.take(world, wanted, 1).text();
    let spawn = Command::SpawnSquad(SquadSpec::new(army, unit, [Vec2::splat(3.0)]));
    let close = Edit::Close(world.grid().lattice().cell(9, 9));
    assert_eq!(does(&mut world, HistoryStep::Redo), "nothing to redo");
    assert_eq!(does(&mut world, HistoryStep::Execute(spawn)), "done: squad");
    let charge = Command::Order(vec![(SquadId(0), Order::Charge)]);
    assert_eq!(does(&mut world, HistoryStep::Execute(charge)), "done: order");
    let wall = Command::EditMap { edits: vec![close], ramparts: Vec::new() };
    assert_eq!(does(&mut world, HistoryStep::Execute(wall)), "done: edit");
    let undone = [(); 4].map(|()| does(&mut world, HistoryStep::Undo));
    assert_eq!(undone, ["undone: edit", "undone: order", "undone: disbanding", "nothing to undo"]);
    assert_eq!(state(&world), (0, 400));

    let again = [(); 4].map(|()| does(&mut world, HistoryStep::Redo));
    assert_eq!(again, ["redone: squad", "redone: order", "redone: edit", "nothing to redo"]);
    let squad = world.squads().iter().rposition(|_| true).unwrap();
    assert_eq!((squad, state(&world)), (0, (1, 399)), "it is the same squad");
    assert_eq!(world.squads()[squad].order, Order::Charge, "the squad that came again has the order");

    // A new command leaves nothing to redo.
    assert_eq!(does(&mut world, HistoryStep::Undo), "undone: edit");
    let halt = Command::Order(vec![(SquadId(0), Order::Hold)]);
    assert_eq!(does(&mut world, HistoryStep::Execute(halt)), "done: order");
    assert_eq!(does(&mut world, HistoryStep::Redo), "nothing to redo");
}

#[test]
fn undo_leaves_gates_as_worn_as_they_were() {
    let mut grid = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let (gate, other) = (grid.lattice().cell(9, 9), grid.lattice().cell(9, 10));
    grid.set_open(gate, false);
    grid.set_open(other, false);
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    world.fortify(&[gate], 500.0, None).unwrap();
    world.damage_wall(gate, 450.0);
    let mut history = CommandHistory::default();
    let plain = |edit| Command::EditMap { edits: vec![edit], ramparts: vec![(gate, None)] };
    for edit in [Edit::Close(gate), Edit::Open(gate)] {
        assert_eq!(history.take(&mut world, HistoryStep::Execute(plain(edit)), 1).text(), "done: edit");
        assert!(world.ramparts().is_empty());
        assert_eq!(history.take(&mut world, HistoryStep::Undo, 1).text(), "undone: edit");
        let worn = throng_sim::battle::Rampart { health: 50.0, full: 500.0, keeper: None };
        assert_eq!(world.ramparts().get(gate), Some(&worn));
    }
    assert_eq!(world.ramparts().dealt().to_bits(), 450.0_f64.to_bits(), "no soldier has struck again");
}

#[test]
fn what_is_refused_leaves_nothing_behind_and_can_be_tried_again() {
    let plain = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let mut world = World::new(plain, Settings { threads: 1, ..Settings::default() }).unwrap();
    let costs = throng_grid::TerrainCosts::new([(0, Some(1))]);
    let unit = world.add_unit(Unit { terrain: Some(costs), ..Unit::default() }).unwrap();
    let army = world.add_army("red").unwrap();
    let at = [Vec2::splat(5.5)];
    let squad = world.spawn_squad(SquadSpec::new(army, unit, at)).unwrap();
    let lattice = world.grid().lattice();
    let (under, beside) = (lattice.cell(5, 5), lattice.cell(9, 9));
    let mut history = CommandHistory::default();
    let wall = Command::EditMap { edits: vec![Edit::Close(under), Edit::Terrain(beside, 7)], ramparts: Vec::new() };
    let told = history.take(&mut world, HistoryStep::Execute(wall), 1).text();
    assert!(
        told.starts_with("refused: ") && history.take(&mut world, HistoryStep::Undo, 1).text() == "nothing to undo",
        "{told}"
    );
    world.disband(squad).unwrap();
    (0..3).for_each(|_| world.tick().unwrap());
    assert!(
        world.grid().is_open(under) && world.edits_pending() == 0,
        "the cell was not closed after the agent had gone"
    );

    // Deep water waits for the agent as a whole, and is not a ford meanwhile.
    let squad = world.spawn_squad(SquadSpec::new(army, unit, at)).unwrap();
    let water = [Edit::Close(under), Edit::Terrain(under, throng_grid::WATER)].to_vec();
    let told = history
        .take(&mut world, HistoryStep::Execute(Command::EditMap { edits: water, ramparts: Vec::new() }), 1)
        .text();
    assert_eq!((told.as_str(), world.grid().terrain(under)), ("done: edit", 0));
    world.disband(squad).unwrap();
    (0..2).for_each(|_| world.tick().unwrap());
    assert!(world.grid().is_water(under));
}

#[test]
fn a_gate_that_has_just_fallen_opens_whatever_is_refused_then() {
    let mut grid = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
    let gate = grid.lattice().cell(9, 9);
    grid.set_open(gate, false);
    let mut world = World::new(grid, Settings { threads: 1, ..Settings::default() }).unwrap();
    let costs = throng_grid::TerrainCosts::new([(0, Some(1)), (throng_grid::WATER, Some(5))]);
    let unit = world.add_unit(Unit { terrain: Some(costs), ..Unit::default() }).unwrap();
    let army = world.add_army("red").unwrap();
    world.spawn_squad(SquadSpec::new(army, unit, [Vec2::splat(5.5)])).unwrap();
    world.fortify(&[gate], 500.0, None).unwrap();
    world.damage_wall(gate, 900.0);
    assert_eq!(world.pending_openings().collect::<Vec<_>>(), [Edit::Open(gate)]);
    let mut history = CommandHistory::default();
    let mut does = |world: &mut World, edits: Vec<Edit>, ramparts| {
        history.take(world, HistoryStep::Execute(Command::EditMap { edits, ramparts }), 1).text()
    };
    let beside = world.grid().lattice().cell(1, 1);
    let told = does(&mut world, vec![Edit::Terrain(beside, 7)], Vec::new());
    assert!(told.starts_with("refused: "), "{told}");
    assert!(world.grid().is_open(gate) && world.pending_openings().next().is_none());

    // A gate that is refused, since an agent stands there, leaves the ford as it is.
    let ford = world.grid().lattice().cell(5, 5);
    world.edit(&[Edit::Terrain(ford, throng_grid::WATER)]).unwrap();
    let whole = throng_sim::battle::Rampart { health: 9.0, full: 9.0, keeper: None };
    let told = does(&mut world, vec![Edit::Close(ford), Edit::Terrain(ford, 0)], vec![(ford, Some(whole))]);
    assert_eq!(told, "done: edit");
    (0..2).for_each(|_| world.tick().unwrap());
    assert_eq!((world.grid().is_open(ford), world.grid().terrain(ford)), (true, throng_grid::WATER));
}
