//! Walls and gates that can be broken.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Edit, Grid, Lattice};
use throng_plan::PlannerChoice;
use throng_scenario::Scenario;
use throng_sim::battle::{Block, Order, Ramparts, RouteState, Unit};
use throng_sim::world::{ArmyId, IdleReason, Resume, Settings, SquadId, SquadSpec, UnitId, Verdict, World};
use throng_spatial::IndexKind;

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);
const RAM: UnitId = UnitId(0);
const MAN: UnitId = UnitId(1);

/// A wall from top to bottom, two rows of cells thick where `thick`, with units that can break it and that cannot.
fn world(settings: Settings, thick: bool) -> World {
    let lattice = Lattice::new(60, 30, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for (x, y) in (0..30).flat_map(|y| [(30, y), (31, y)]).filter(|&(x, _)| x == 30 || thick) {
        grid.set_open(lattice.cell(x, y), false);
    }
    let mut world = World::new(grid, settings).unwrap();
    world.add_unit(Unit { name: "ram".into(), breach: 100.0, cooldown: 1.0, ..Unit::default() }).unwrap();
    world.add_unit(Unit { name: "man".into(), breach: 0.0, ..Unit::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world
}

fn settings() -> Settings {
    Settings { threads: 1, step: 0.1, ..Settings::default() }
}

fn squad(world: &mut World, army: ArmyId, unit: UnitId, at: [f32; 2], count: usize, order: Order) -> SquadId {
    let positions = Block::new(Vec2::from(at), count).positions();
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, unit, &positions) }).unwrap()
}

fn cell(world: &World, x: u32, y: u32) -> Cell {
    world.grid().lattice().cell(x, y)
}

#[test]
fn a_gate_breaks_after_the_right_number_of_strikes_and_the_armies_meet() {
    let mut world = world(settings(), false);
    let gate = cell(&world, 30, 12);
    world.fortify(&[gate], 450.0, Some(BLUE)).unwrap();
    squad(&mut world, RED, RAM, [20.0, 12.0], 1, Order::Attack);
    squad(&mut world, RED, MAN, [10.0, 12.0], 20, Order::Attack);
    // The defenders would reach the ram if they broke their own gate.
    let guards = squad(&mut world, BLUE, RAM, [40.0, 20.0], 8, Order::Attack);
    let (mut strikes, mut dealt) = (Vec::new(), 0.0);
    while !world.grid().is_open(gate) {
        world.tick().unwrap();
        if world.ramparts().dealt() > dealt {
            strikes.push((world.ticks(), world.ramparts().dealt() - dealt));
            dealt = world.ramparts().dealt();
            if strikes.len() == 3 {
                let ram = world.positions().next().unwrap().0;
                let wall = world.grid().lattice().centre(gate);
                assert_eq!(world.why(ram), Some(IdleReason::Breaks { wall }));
            }
            assert_eq!(world.events().breached, if strikes.len() == 5 { vec![gate] } else { Vec::new() });
        }
        assert!(world.ticks() < 600);
        assert_eq!(world.squads()[guards.0 as usize].siege, None);
        assert!(world.events().deaths.is_empty());
    }
    let amounts: Vec<f64> = strikes.iter().map(|&(_, amount)| amount).collect();
    assert_eq!(amounts, [100.0, 100.0, 100.0, 100.0, 50.0]);
    assert!(strikes.windows(2).all(|pair| pair[1].0 - pair[0].0 == 10), "a strike a second: {strikes:?}");
    assert_eq!((world.ramparts().dealt(), world.ramparts().breaches(), world.ramparts().len()), (450.0, 1, 0));
    // It opened in the tick after the last strike.
    assert_eq!(world.ticks(), strikes[4].0 + 1);
    assert!(world.events().breached.is_empty());
    while world.verdict().is_none() {
        world.tick().unwrap();
        assert!(world.ticks() < 3000);
    }
    assert_eq!(world.verdict(), Some(Verdict::Winner(RED)));
}

#[test]
fn who_can_break_nothing_waits_and_strikes_only_what_may_be_broken() {
    let mut world = world(settings(), false);
    let gate = cell(&world, 30, 12);
    squad(&mut world, RED, RAM, [20.0, 12.0], 4, Order::Attack);
    squad(&mut world, RED, MAN, [20.0, 20.0], 4, Order::Attack);
    squad(&mut world, BLUE, MAN, [40.0, 12.0], 4, Order::Hold);
    // Nothing can be broken, then nothing by them, then by the rams alone.
    for (keeper, healthy) in [(None, true), (Some(RED), true), (Some(BLUE), false)] {
        if keeper.is_some() {
            world.fortify(&[gate], 1e6, keeper).unwrap();
        }
        for _ in 0..150 {
            world.tick().unwrap();
        }
        assert_eq!(world.ramparts().dealt() == 0.0, healthy, "{keeper:?}");
        assert_eq!(world.squads()[0].siege.is_some(), !healthy);
        assert_eq!((world.squads()[1].siege, world.squads()[1].route_state), (None, RouteState::None));
    }
    // Another order, and they let it be.
    world.order(SquadId(0), Order::Hold).unwrap();
    let dealt = world.ramparts().dealt();
    for _ in 0..50 {
        world.tick().unwrap();
    }
    assert_eq!((world.ramparts().dealt(), world.squads()[0].siege), (dealt, None));
}

#[test]
fn everybody_knows_of_the_new_way() {
    for planner in ["astar", "flow-field", "jps-plus", "labels", "hpa", "ara"] {
        let mut world = world(settings(), true);
        let gate: Vec<Cell> = [(30, 11), (31, 11), (30, 12), (31, 12)].map(|(x, y)| cell(&world, x, y)).to_vec();
        world.fortify(&gate, 500.0, None).unwrap();
        let planner: PlannerChoice = planner.parse().unwrap();
        let goal = Vec2::new(50.5, 5.5);
        let positions = Block::new(Vec2::new(8.0, 25.0), 6).positions();
        let order = Order::GoTo(goal);
        let walkers = SquadSpec { order, planner: planner.clone(), ..SquadSpec::new(RED, MAN, &positions) };
        let walkers = world.spawn_squad(walkers).unwrap();
        for _ in 0..40 {
            world.tick().unwrap();
        }
        assert!(matches!(world.squads()[0].route_state, RouteState::Unreachable { .. }), "{planner}");
        for &cell in &gate {
            assert_eq!(world.damage_wall(cell, 600.0), 500.0);
        }
        assert_eq!(world.damage_wall(gate[0], 600.0), 0.0, "it is broken");
        world.tick().unwrap();
        // All in one tick.
        assert_eq!(world.events().breached, gate);
        assert!(gate.iter().all(|&cell| world.grid().is_open(cell)));
        for _ in 0..500 {
            world.tick().unwrap();
        }
        let members = &world.squads()[walkers.0 as usize].members;
        assert!(
            members.iter().all(|&id| world.crowd().rows.position[world.crowd().row(id).unwrap()].distance(goal) < 5.0)
        );
    }
}

#[test]
fn a_ram_strikes_the_gate_whoever_stands_in_the_gap() {
    for (damage, is_ram) in [(1.0, true), (150.0, false)] {
        let mut world = world(settings(), false);
        let gate = [10, 12].map(|y| cell(&world, 30, y));
        world.fortify(&gate, 250.0, None).unwrap();
        world.edit(&[Edit::Open(cell(&world, 30, 11))]).unwrap();
        world.tick().unwrap();
        let ram = Unit { radius: 1.2, breach: 100.0, damage, health: 1e6, reach: 1.5, ..Unit::default() };
        let ram = world.add_unit(ram).unwrap();
        squad(&mut world, RED, ram, [28.5, 11.5], 1, Order::Attack);
        let brave = world.add_unit(Unit { health: 1e6, breach: 0.0, ..Unit::default() }).unwrap();
        world.spawn_squad(SquadSpec::new(BLUE, brave, [Vec2::new(30.5, 11.5)])).unwrap();
        for _ in 0..45 {
            world.tick().unwrap();
        }
        // In four and a half seconds: a cell with three strikes, and one or two at the other.
        assert_eq!(world.ramparts().breaches(), u64::from(is_ram), "{}", world.ramparts().dealt());
        assert_eq!(world.ramparts().dealt() > 0.0, is_ram);
    }
}

#[test]
fn two_cells_break_in_one_tick_by_strikes() {
    let mut world = world(settings(), false);
    let gate = [10, 20].map(|y| cell(&world, 30, y));
    world.fortify(&gate, 300.0, None).unwrap();
    for y in [10.5, 20.5] {
        squad(&mut world, RED, RAM, [25.5, y], 1, Order::Attack);
    }
    squad(&mut world, BLUE, MAN, [55.0, 15.0], 3, Order::Hold);
    while world.events().breached.is_empty() {
        world.tick().unwrap();
        assert!(world.ticks() < 600);
    }
    // Each had a wall of its own, as far away, and broke it with its third strike.
    assert_eq!(world.events().breached, gate);
    assert_eq!(world.ramparts().dealt(), 600.0);
}

#[test]
fn a_wide_body_breaks_as_much_as_it_needs() {
    let mut world = world(settings(), true);
    let wall: Vec<Cell> = (5..25).flat_map(|y| [(30, y), (31, y)]).map(|(x, y)| cell(&world, x, y)).collect();
    world.fortify(&wall, 200.0, None).unwrap();
    let giant = Unit { name: "giant".into(), radius: 1.3, reach: 2.0, breach: 200.0, ..Unit::default() };
    let giant = world.add_unit(giant).unwrap();
    squad(&mut world, RED, giant, [20.0, 15.0], 1, Order::Attack);
    squad(&mut world, BLUE, MAN, [40.0, 15.0], 1, Order::Hold);
    while world.armies()[1].alive > 0 {
        world.tick().unwrap();
        assert!(world.ticks() < 1500, "{} cells broken", world.ramparts().breaches());
    }
    assert!((6..=16).contains(&world.ramparts().breaches()), "{} cells", world.ramparts().breaches());
}

#[test]
fn closed_again_a_cell_is_a_plain_wall() {
    let mut world = world(settings(), false);
    let gate = cell(&world, 30, 12);
    world.fortify(&[gate], 50.0, None).unwrap();
    world.edit(&[Edit::Open(gate)]).unwrap();
    world.tick().unwrap();
    assert!(world.ramparts().is_empty() && world.events().breached.is_empty(), "it was opened, not broken");
    world.edit(&[Edit::Close(gate)]).unwrap();
    world.tick().unwrap();
    assert_eq!((world.damage_wall(gate, 60.0), world.grid().is_open(gate)), (0.0, false));
    world.fortify(&[gate], 50.0, None).unwrap();
    assert_eq!([f32::NAN, -1.0, 0.0].map(|damage| world.damage_wall(gate, damage)), [0.0; 3]);
    world.damage_wall(gate, 10.0);
    assert_eq!(world.ramparts().get(gate).unwrap().share(), 0.8);
    world.fortify(&[gate], 80.0, None).unwrap();
    assert_eq!(world.ramparts().get(gate).unwrap().share(), 1.0);
}

fn siege(settings: Settings) -> World {
    let mut world = world(settings, true);
    let wall: Vec<Cell> = (8..22).flat_map(|y| [(30, y), (31, y)]).map(|(x, y)| cell(&world, x, y)).collect();
    world.fortify(&wall, 777.0, Some(BLUE)).unwrap();
    squad(&mut world, RED, RAM, [15.0, 15.0], 40, Order::Attack);
    squad(&mut world, RED, MAN, [6.0, 15.0], 60, Order::Attack);
    squad(&mut world, BLUE, MAN, [40.0, 15.0], 80, Order::Attack);
    world
}

#[test]
fn a_siege_goes_on_from_a_snapshot_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let mut world = siege(settings());
    for stop in [60, 110, 160, 230] {
        while world.ticks() < stop {
            world.tick().unwrap();
        }
        world.save(&path).unwrap();
        let mut again =
            World::restore(&path, Resume { threads: 2, index: Some(IndexKind::Bvh.into()), ..Resume::default() });
        let again = again.as_mut().unwrap();
        assert_eq!(again.ramparts(), world.ramparts());
        for _ in 0..60 {
            again.tick().unwrap();
        }
        let mut other = siege(Settings { threads: 2, index: IndexKind::KdTree.into(), ..settings() });
        while other.ticks() < again.ticks() {
            other.tick().unwrap();
        }
        assert_eq!((again.position_hash(), again.ramparts()), (other.position_hash(), other.ramparts()), "at {stop}");
    }
    assert!(world.ramparts().breaches() > 0 && world.ramparts().dealt() > 777.0);
    let (before, after) = (world.ramparts().clone(), world.ramparts().breaches());
    // Broken between two ticks: it opens in the first after the snapshot.
    let last = before.iter().last().unwrap().0;
    world.damage_wall(last, 1e6);
    world.save(&path).unwrap();
    let mut again = World::restore(&path, Resume::default()).unwrap();
    for world in [&mut world, &mut again] {
        world.tick().unwrap();
        assert!(world.grid().is_open(last) && world.events().breached.contains(&last));
        assert!(world.ramparts().breaches() > after);
    }
}

#[test]
fn bad_walls_are_refused() {
    let mut world = world(settings(), false);
    let (gate, open) = (cell(&world, 30, 12), cell(&world, 29, 12));
    let mut said = |cells: &[Cell], health, keeper| world.fortify(cells, health, keeper).unwrap_err().to_string();
    assert_eq!(said(&[gate], 0.0, None), "the health of a wall must be between 0.001 and 1000000000 (points), found 0");
    assert!(said(&[gate], f32::NAN, None).ends_with("found NaN"));
    assert_eq!(said(&[gate], 5.0, Some(ArmyId(3))), "this world has no army 3");
    assert_eq!(said(&[gate, open], 5.0, None), format!("{open:?} cannot be given health: it is open, or off the map"));
    assert!(said(&[Cell(0)], 5.0, None).ends_with("it is open, or off the map"));
    assert!(world.ramparts().is_empty());
}

proptest! {
    #[test]
    fn no_cell_takes_more_than_it_has(
        walls in prop::collection::vec(1_u16..500, 1..20),
        hits in prop::collection::vec((0_usize..24, 0_u16..200), 0..200),
    ) {
        let mut ramparts = Ramparts::default();
        let mut left: BTreeMap<usize, u32> = walls.iter().map(|&health| u32::from(health)).enumerate().collect();
        for (i, &health) in walls.iter().enumerate() {
            ramparts.fortify(Cell(i as u32), health.into(), None);
        }
        let (mut dealt, mut broken) = (0, Vec::new());
        for (i, damage) in hits {
            let health = left.get(&i).copied().unwrap_or(0);
            let taken = health.min(damage.into());
            prop_assert_eq!(ramparts.damage(Cell(i as u32), damage.into()), taken as f32);
            dealt += taken;
            if let Some(health) = left.get_mut(&i) {
                *health -= taken;
                if *health == 0 {
                    left.remove(&i);
                    broken.push(Cell(i as u32));
                }
            }
        }
        prop_assert_eq!(ramparts.dealt(), f64::from(dealt));
        prop_assert_eq!(ramparts.take_broken(), broken);
        let standing: Vec<_> = ramparts.iter().map(|(cell, rampart)| (cell.index(), rampart.health as u32)).collect();
        prop_assert_eq!(standing, left.into_iter().collect::<Vec<_>>());
    }
}

fn scenario(text: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    let row = ".........@..........\n";
    let map = format!("type octile\nheight 10\nwidth 20\nmap\n{}", row.repeat(10));
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let path: &Path = &folder.path().join("s.toml");
    let armies = "[[army]]\nname = \"red\"\nsquad = [{ count = 3, position = [4, 5], order = \"attack\" }]\n[[army]]\nname = \"blue\"\nobjective = [{ hold = { from = [0, 0], to = [5, 5] }, seconds = 50 }]\nsquad = [{ count = 3, position = [15, 5] }]\n";
    std::fs::write(path, format!("map = \"a.map\"\n{text}\n{armies}")).unwrap();
    let loaded = Scenario::load(path).map_err(|error| error.to_string());
    loaded.map(|(scenario, _)| scenario).map_err(|error| error.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn scenarios_say_what_can_be_broken() {
    let gate = "[[breakable]]\nfrom = [0, 4]\nto = [20, 6]\nhealth = 30\narmy = \"blue\"";
    let scenario = scenario(gate).unwrap();
    let lattice = scenario.grid.lattice();
    let [only] = &scenario.breakables[..] else { panic!() };
    assert_eq!(
        (&only.cells[..], only.health, only.keeper),
        (&[4, 5].map(|y| lattice.cell(9, y))[..], 30.0, Some(BLUE))
    );
    assert_eq!(scenario.units[0].breach, 1.5);
    let mut world = scenario.build(1).unwrap();
    while world.verdict().is_none() {
        world.tick().unwrap();
        assert!(world.ticks() < 3000);
    }
    assert!(world.ramparts().breaches() >= 1);
}

#[test]
fn a_tenth_of_the_damage_breaks_walls_unless_it_is_said() {
    let units = "[[unit]]\nname = \"soldier\"\ndamage = 40\n[[unit]]\nname = \"ram\"\nbreach = 200\n[[unit]]\nname = \"iron ram\"\nlike = \"ram\"\ndamage = 4\n[[unit]]\nname = \"cat\"\nbreach = 0";
    let gate = "[[breakable]]\nfrom = [9, 4]\nto = [10, 6]\nhealth = 30\n";
    let breach: Vec<f32> = scenario(&format!("{gate}{units}")).unwrap().units.iter().map(|unit| unit.breach).collect();
    assert_eq!(breach, [4.0, 200.0, 200.0, 0.0]);
}

#[test]
fn bad_breakables_are_named() {
    let said = |text: &str| scenario(&format!("[[breakable]]\n{text}")).unwrap_err();
    let one_of = "give an area of the map, or from = [x, y] and to = [x, y]";
    assert_eq!(said("health = 5"), format!("s.toml:2:1: {one_of}"));
    assert_eq!(said("health = 5\nfrom = [1, 1]"), format!("s.toml:2:1: {one_of}"));
    assert_eq!(
        said("health = 5\nfrom = [1, 1]\nto = [4, 4]"),
        "s.toml:2:1: there is no wall in this area; only closed cells can be broken"
    );
    assert_eq!(
        said("health = 5\narea = \"gate\""),
        "s.toml:4:8: unknown area \"gate\"; the map has none; draw a rectangle of the class spawn in Tiled, or give a position"
    );
    let gate = "from = [8, 4]\nto = [12, 6]\n";
    assert_eq!(said(gate), "s.toml:2:1: the key \"health\" is missing");
    assert_eq!(
        said(&format!("{gate}health = 0")),
        "s.toml:5:10: health must be between 0.001 and 1000000000 (points a cell), found 0"
    );
    assert_eq!(
        said(&format!("{gate}health = 9\narmy = \"bleu\"")),
        "s.toml:6:8: unknown army \"bleu\"; did you mean \"blue\"?"
    );
    assert_eq!(said(&format!("{gate}helth = 9")), "s.toml:5:1: unknown key \"helth\"; did you mean \"health\"?");
    assert_eq!(
        said("health = 5\nfrom = [1, 1]\nto = [40, 4]"),
        "s.toml:5:7: to must be between 0 and 20 (m), found 40; move it onto the map of 20 m x 10 m"
    );
    assert_eq!(
        scenario("[[unit]]\nname = \"ram\"\nbreach = -1").unwrap_err(),
        "s.toml:4:10: breach of unit \"ram\" must be between 0 and 1000000000 (points), found -1"
    );
}

#[test]
fn the_castle_of_the_examples_is_stormed() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/gate.toml");
    let (scenario, warnings) = Scenario::load(path).unwrap();
    assert!(warnings.is_empty(), "{warnings:?}");
    let [gate, keep] = &scenario.breakables[..] else { panic!() };
    assert_eq!((gate.cells.len(), keep.cells.len(), scenario.triggers.len()), (6, 4, 5));
    let mut world = scenario.build(1).unwrap();
    world.tick_until(|world| world.fired("breach") == Some(1) || world.ticks() == 3000).unwrap();
    assert!(world.ramparts().breaches() >= 1 && world.armies().iter().all(|army| army.alive == army.spawned));
}

#[test]
fn walls_that_fall_on_ground_nobody_knows_a_way_over_leave_plain_rubble() {
    let mut world = world(settings(), false);
    let costs = throng_grid::TerrainCosts::new([(0, Some(1)), (1, Some(3))]);
    let cart = world.add_unit(Unit { name: "cart".into(), terrain: Some(costs), ..Unit::default() }).unwrap();
    squad(&mut world, RED, cart, [10.0, 12.0], 1, Order::Hold);
    let gates = [cell(&world, 30, 12), cell(&world, 30, 20)];
    world.edit(&[Edit::Terrain(gates[0], 5), Edit::Terrain(gates[1], 1)]).unwrap();
    world.tick().unwrap();
    world.fortify(&gates, 50.0, None).unwrap();
    for gate in gates {
        world.damage_wall(gate, 50.0);
    }
    world.tick().unwrap();
    let of = |cell: Cell| (world.grid().is_open(cell), world.grid().terrain(cell));
    assert_eq!(gates.map(of), [(true, 0), (true, 1)]);
}

#[test]
fn only_what_can_be_broken_is_dismantled_and_other_sieges_go_on() {
    let mut world = world(settings(), false);
    let (gate, wall) = (cell(&world, 30, 12), cell(&world, 30, 20));
    world.fortify(&[gate], 5000.0, Some(BLUE)).unwrap();
    let rams = squad(&mut world, RED, RAM, [20.0, 12.0], 1, Order::Attack);
    squad(&mut world, BLUE, MAN, [40.0, 20.0], 8, Order::Hold);
    let besieges = |world: &World| world.squads()[rams.0 as usize].siege.is_some();
    for _ in 0..200 {
        world.tick().unwrap();
    }
    assert!(besieges(&world) && world.ramparts().dealt() > 0.0);
    world.dismantle(&[wall]);
    assert!(besieges(&world));
    world.dismantle(&[wall, gate]);
    assert!(!besieges(&world) && world.ramparts().is_empty());
}
