//! What a scenario holds is saved: every order with those that follow it, every key of the file, every name.
#![allow(clippy::unwrap_used, missing_docs)]

use proptest::prelude::*;
use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Area, Grid, Lattice, MapFormat};
use throng_plan::PlannerChoice;
use throng_scenario::schema::Table;
use throng_scenario::{Edited, Scenario};
use throng_sim::battle::{Formation, Front, JourneyId, Order, OrderQueue, Pursuit, Shape};
use throng_sim::crowd::Avoidance;
use throng_sim::world::{ArmyId, Effect, SquadId, SquadSpec, UnitId, World};
use throng_spatial::{IndexKind, IndexSpec};

/// Two armies with two squads each, in tables and in lines.
const FORMS: [&str; 2] = [
    "map = \"camp.map\"\n[[journey]]\nname = \"round\"\n[[journey.stop]]\nway_point = [5, 5]\n\
     [[journey]]\nname = \"back\"\n[[journey.stop]]\nway_point = [9, 5]\n\
     [[army]]\nname = \"red\"\n[[army.squad]] # the van\nname = \"van\"\ncount = 4\nposition = [8, 8]\n\
     [[army.squad]]\nplanner = \"dijkstra\"\ncount = 3\nposition = [20, 8]\n\
     [[army]]\nname = \"blue\"\n[[army.squad]]\ncount = 2\nposition = [30, 8]\norder = \"attack\"\nthen = [\"hold\"]\n",
    "map = \"camp.map\"\nplanner = \"dijkstra\"\n\
     journey = [{ name = \"round\", stop = [{ way_point = [5, 5] }] }, { name = \"back\", stop = [{ way_point = [9, 5] }] }]\n\
     army = [{ name = \"red\", squad = [{ name = \"van\", count = 4, position = [8, 8] }, { count = 3, position = [20, 8], planner = \"astar\" }] },\n\
     { name = \"blue\", squad = [{ count = 2, position = [30, 8], order = { guard = 3 } }] }]\n",
];

fn camp(text: &str) -> (tempfile::TempDir, Scenario) {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 30\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(30);
    std::fs::write(folder.path().join("camp.map"), map).unwrap();
    let file = folder.path().join("camp.toml");
    std::fs::write(&file, text).unwrap();
    let scenario = Scenario::load(&file).unwrap().0;
    (folder, scenario)
}

/// Every kind of order; one more has to be added here, too.
fn order() -> impl Strategy<Value = Order> {
    let point = || (1.0..39.0_f32, 1.0..29.0_f32).prop_map(Vec2::from);
    let front = (point(), -360.0..360.0_f32, 0.0..40.0_f32, any::<bool>());
    let every = prop_oneof![
        Just(Order::Hold),
        Just(Order::Attack),
        Just(Order::Charge),
        Just(Order::Flee),
        (0.0..1000.0_f32).prop_map(|within| Order::Guard { within }),
        point().prop_map(Order::GoTo),
        point().prop_map(Order::Move),
        (0..2_u32).prop_map(|journey| Order::Travel(JourneyId(journey))),
        (0.01..99.0_f32).prop_map(|distance| Order::Follow(Pursuit::new(SquadId(0), distance))),
        front.prop_map(|(centre, facing, width, fights)| Order::Line(Front { centre, facing, width, fights })),
    ];
    every.prop_map(|order| match order {
        Order::Hold
        | Order::Attack
        | Order::Charge
        | Order::Flee
        | Order::Guard { .. }
        | Order::GoTo(_)
        | Order::Move(_)
        | Order::Travel(_)
        | Order::Line(_)
        | Order::Follow(_) => order,
    })
}

fn formation() -> impl Strategy<Value = Option<Formation>> {
    let files = prop::option::of(1..9_u32);
    prop::option::of((prop::sample::select(Shape::ALL.to_vec()), 0.9..3.0_f32, files).prop_map(
        |(shape, spacing, files)| {
            let usual = Formation::new(shape, spacing);
            Formation { files: files.filter(|_| shape.has_files()).or(usual.files), ..usual }
        },
    ))
}

/// Squads in rows of their own.
fn squads() -> impl Strategy<Value = Vec<SquadSpec>> {
    let planner = prop::sample::select(vec![PlannerChoice::AStar, PlannerChoice::Dijkstra, PlannerChoice::FlowField]);
    let one = (order(), prop::collection::vec(order(), 0..5), formation(), planner, -180.0..180.0_f32, 1..9_usize);
    prop::collection::vec(one, 4).prop_map(|all| {
        let of = |(row, (order, queue, formation, planner, facing, count)): (usize, _)| {
            let at = |i: usize| Vec2::new(2.3 + 1.7 * i as f32, 12.1 + 4.0 * row as f32);
            let positions: Vec<Vec2> = (0..count).map(at).collect();
            // The first one cannot follow itself.
            let other =
                |order: Order| if matches!((row, order), (0, Order::Follow(_))) { Order::Charge } else { order };
            let others = |orders: Vec<Order>| orders.into_iter().map(other).collect::<Vec<_>>();
            let (order, queue) = (other(order), others(queue));
            SquadSpec { order, queue, formation, planner, facing, ..SquadSpec::new(ArmyId(0), UnitId(0), positions) }
        };
        all.into_iter().enumerate().map(of).collect()
    })
}

/// All squads of a world, as the window saves them.
fn specs(world: &World) -> Vec<SquadSpec> {
    let all = (0..world.squads().len()).map(|squad| world.squad_spec(SquadId(squad as u32)).unwrap());
    all.collect()
}

/// Squads without the direction in which they look, which is near another.
fn level(squads: &[SquadSpec]) -> Vec<SquadSpec> {
    squads.iter().map(|squad| SquadSpec { facing: 0.0, ..squad.clone() }).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(60) })]

    #[test]
    fn squads_begin_with_the_orders_that_they_had(form in 0..2_usize, all in squads()) {
        let (folder, scenario) = camp(FORMS[form]);
        let unit = scenario.armies[0].squads[0].unit;
        let place = |(squad, army): (&SquadSpec, u8)| SquadSpec { army: ArmyId(army), unit, ..squad.clone() };
        // Three that stand elsewhere, and one more.
        let all: Vec<SquadSpec> = all.iter().zip([0, 0, 1, 1]).map(place).collect();
        let deployed: Vec<(usize, Option<SquadSpec>)> = all[..3].iter().cloned().map(Some).enumerate().collect();
        let edited = Edited { deployed: &deployed, squads: &all[3..], ..Edited::new(&scenario.grid, MapFormat::Ascii) };
        let path = folder.path().join("saved.toml");
        scenario.save_edited(&edited, &path).unwrap();
        let (again, warnings) = Scenario::load(&path).unwrap();
        prop_assert_eq!(&warnings, &[]);
        let read: Vec<SquadSpec> = again.armies.iter().flat_map(|army| army.squads.clone()).collect();
        prop_assert_eq!(&read, &all);

        // The world begins as one in which the squads were put.
        let mut bare = again.clone();
        bare.armies.iter_mut().for_each(|army| army.squads.clear());
        let mut wanted = bare.build(1).unwrap();
        for squad in &all {
            wanted.spawn_squad(squad.clone()).unwrap();
        }
        let (wanted, found) = (specs(&wanted), specs(&again.build(1).unwrap()));
        prop_assert_eq!(&wanted, &found);
        let told = |squads: &[SquadSpec]| -> Vec<_> { squads.iter().map(|squad| (squad.order, squad.queue.clone())).collect() };
        prop_assert_eq!(told(&found), told(&all));

        // Saved once more, the same bytes; and from the world the same orders.
        let text = std::fs::read_to_string(&path).unwrap();
        let read: Vec<(usize, Option<SquadSpec>)> = read.into_iter().map(Some).enumerate().collect();
        let edited = Edited { deployed: &read, ..Edited::new(&again.grid, MapFormat::Ascii) };
        again.save_edited(&edited, &path).unwrap();
        prop_assert_eq!(&std::fs::read_to_string(&path).unwrap(), &text);
        let of_world: Vec<(usize, Option<SquadSpec>)> = found.iter().cloned().map(Some).enumerate().collect();
        let edited = Edited { deployed: &of_world, ..Edited::new(&again.grid, MapFormat::Ascii) };
        again.save_edited(&edited, &path).unwrap();
        let third = Scenario::load(&path).unwrap().0;
        prop_assert_eq!(level(&specs(&third.build(1).unwrap())), level(&found));
    }
}

#[test]
fn a_goal_off_the_map_is_saved_as_the_nearest_point_of_the_map() {
    let (folder, scenario) = camp(FORMS[0]);
    let line = |centre| Order::Line(Front { centre, facing: 450.0, width: 5.0, fights: true });
    let (off, on) = (Vec2::new(-70.0, 400.0), Vec2::new(0.5, 29.5));
    let spec = SquadSpec {
        order: Order::GoTo(off),
        queue: vec![line(off), Order::Move(off)],
        ..scenario.armies[0].squads[0].clone()
    };
    let edited = Edited { deployed: &[(0, Some(spec))], ..Edited::new(&scenario.grid, MapFormat::Ascii) };
    let path = folder.path().join("saved.toml");
    scenario.save_edited(&edited, &path).unwrap();
    let (again, _) = Scenario::load(&path).unwrap();
    let squad = &again.armies[0].squads[0];
    let Order::Line(front) = squad.queue[0] else { panic!("{squad:?}") };
    assert_eq!((squad.order, front.centre, front.facing, squad.queue[1]), (Order::GoTo(on), on, 90.0, Order::Move(on)));
}

#[test]
fn as_many_orders_follow_as_a_world_holds() {
    let then = |count| FORMS[0].replace("then = [\"hold\"]", &format!("then = [{}]", "\"hold\", ".repeat(count)));
    let (_folder, scenario) = camp(&then(OrderQueue::MAX));
    assert_eq!(scenario.build(1).unwrap().squads()[2].queue.len(), OrderQueue::MAX);
    let spec = SquadSpec { queue: vec![Order::Hold; OrderQueue::MAX + 1], ..scenario.armies[1].squads[0].clone() };
    let error = scenario.build(1).unwrap().spawn_squad(spec).unwrap_err().to_string();
    assert!(error.contains("orders of a squad"), "{error}");
}

/// All keys of a scenario, but for those of how a map is read.
const WHOLE: &str = r#"# The whole
name = "whole" # a name
map = "camp.tmx"
seed = 7
step = 0.1
max_ticks = 900
index = "kd-tree:capacity=5"
avoidance = "separation"
planner = "dijkstra"
congestion = 0.5
theme = "dark"
scatter = 0.1
wall_height = 3
friendly_fire = false
library = "units.toml"

[[unit]]
name = "horse"
like = "soldier"
ranged = { range = 30, damage = 5 }
prey = "weakest"
look = "rider"
terrain = { plain = 1, swamp = 3 }
avoidance = "orca"
ignores = ["red", "horse"]

[[link]]
name = "door"
from = [30.5, 2.5]
to = [30.5, 6.5]
seconds = 2
both_ways = true
open = false

[[breakable]] # the gate
from = [20, 4]
to = [21, 8]
health = 50
army = "blue"

[[breakable]]
area = "fence"
health = 9

[[fire]]
position = [3, 3]
size = 4
from = 2
until = 9

[[journey]]
name = "round"
start = "first"
[[journey.stop]]
name = "first"
way_point = [5, 5]
within = 2
then = { round_robin = ["second", "third"] }
[[journey.stop]]
name = "second"
area = { from = [5, 20], to = [9, 24] }
spacing = 2
then = { least_targeted = ["third", "first"] }
[[journey.stop]]
name = "third"
area = { centre = [5, 20], radius = 3 }
[[journey.stop]]
area = { points = [[5, 20], [9, 20], [9, 24]] }
[[journey.stop]]
wait = { tick = 5 }
[[journey.stop]]
wait = { come = 2 }
[[journey.stop]]
queue = [9, 9]
facing = 90
gap = 1.5
places = 3
serves = 2
seconds = 4
[[journey.stop]]
follow = "van"
distance = 3
offset = [1, 1]
[[journey.stop]]
leave = [0.5, 0.5]

[[army]]
name = "red"
colour = "\#2178FF"
allies = ["green"]
[[army.squad]]
name = "van"
unit = "horse"
count = 6
position = [8, 8]
facing = 90
columns = 2
spacing = 3
formation = "line"
order = { line = [12, 12], facing = 45, width = 9, fights = false }
then = ["attack", { guard = 4 }, { move = [9, 9] }, { go_to = [8, 9] }]
planner = "astar"
[[army.squad]]
area = "yard"
count = 3
order = { travel = "round" }
[[army.objective]]
hold = { from = [1, 1], to = [9, 9] }
seconds = 9
[[army.objective]]
area = "yard"
seconds = 3
[[army.objective]]
rout = true

[[army]]
name = "green"
[[army.squad]]
places = [[33, 25], [36, 25]]

[[army]]
name = "blue"
neutral = ["green"]
[[army.squad]]
name = "rear"
unit = "pedestrian"
count = 2
position = [30, 20]
[[army.objective]]
kill = "van"
[[army.objective]]
survive = 60

[[trigger]]
name = "one"
at = 3
opens = ["door"]
order = [{ squad = "van", order = "charge" }]
[[trigger]]
name = "two"
after = "one"
delay = 2
shuts = ["door"]
[[trigger]]
name = "three"
lost = { squad = "van", share = 0.5 }
order = { squad = "rear", order = "flee" }
[[trigger]]
name = "four"
enters = { army = "green", from = [1, 1], to = [5, 5] }
repeat = { every = 9, times = 3 }
[[trigger.squad]]
army = "blue"
count = 2
position = [35, 5]
[[trigger]]
name = "five"
sees = "rear"
[[trigger.squad]]
army = "blue"
count = 2
position = [35, 15]
then = ["attack"]
[[trigger]]
name = "six"
near = { squad = "rear", within = 9 }
opens = ["door"]
[[trigger]]
name = "seven"
breached = "fence"
opens = ["door"]
[[trigger]]
name = "eight"
enters = { army = "red", area = "yard" }
opens = ["door"]
"#;

fn whole(folder: &Path) -> Scenario {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    for (x, y) in [(20, 4), (20, 5), (20, 6), (20, 7), (25, 15), (26, 15)] {
        grid.set_open(grid.lattice().cell(x, y), false);
    }
    let square = |name: &str, x: f32, y: f32, side: f32| Area {
        name: name.into(),
        corners: [(0.0, 0.0), (side, 0.0), (side, side), (0.0, side)].map(|(a, b)| Vec2::new(x + a, y + b)).to_vec(),
        properties: vec![],
    };
    let areas = [square("yard", 3.0, 24.0, 5.0), square("fence", 24.0, 14.0, 4.0)];
    MapFormat::Tiled.save(&grid, &areas, &[], folder.join("camp.tmx")).unwrap();
    std::fs::write(folder.join("units.toml"), "[[unit]]\nname = \"ogre\"\nradius = 0.9\n").unwrap();
    std::fs::write(folder.join("camp.toml"), WHOLE.replace("\\#", "#")).unwrap();
    Scenario::load(folder.join("camp.toml")).unwrap_or_else(|error| panic!("{error}")).0
}

/// All that a scenario holds, but for the names of its files.
fn content(scenario: &Scenario) -> String {
    let mut bare = scenario.clone();
    (bare.file, bare.map, bare.text) = ("".into(), "".into(), "".into());
    format!("{bare:#?}")
}

fn assert_same(one: &Scenario, other: &Scenario) {
    let (one, other) = (content(one), content(other));
    let differ = one.lines().zip(other.lines()).enumerate().find(|(_, (one, other))| one != other);
    assert!(one == other, "{differ:?}");
}

#[test]
fn all_that_a_scenario_holds_is_saved() {
    let of_map = ["cell_size", "polygons", "project", "level", "wall_width", "colours", "height", "height_scale"];
    for table in Table::ALL {
        for key in table.keys.iter().filter(|key| !of_map.contains(&key.name)) {
            let is_there = [format!("{} = ", key.name), format!(".{}]]", key.name), format!("[[{}]]", key.name)];
            assert!(is_there.iter().any(|text| WHOLE.contains(text)), "{} of {}", key.name, table.title);
        }
    }
    let folder = tempfile::tempdir().unwrap();
    let scenario = whole(folder.path());
    let edited = Edited { breakables: &scenario.breakables, ..Edited::new(&scenario.grid, MapFormat::Tiled) };
    let path = folder.path().join("saved.toml");
    scenario.save_edited(&edited, &path).unwrap();
    let (again, _) = Scenario::load(&path).unwrap();
    assert_same(&again, &scenario);
    let text = std::fs::read_to_string(&path).unwrap();
    let edited = Edited { breakables: &again.breakables, ..Edited::new(&again.grid, MapFormat::Tiled) };
    again.save_edited(&edited, &path).unwrap();
    assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    assert_eq!(text, scenario.text.replace("camp.tmx", "saved.tmx"));
    // And all of it can begin.
    again.build(1).unwrap().tick().unwrap();
}

#[test]
fn all_that_names_an_army_names_it_by_its_new_name() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = whole(folder.path());
    // Two change places.
    let names = ["green", "red", "sand"].map(|name| (name.to_owned(), None));
    let armies = [(names[0].0.clone(), scenario.armies[0].colour), names[1].clone(), names[2].clone()];
    let breakables = &scenario.breakables;
    let edited = Edited { breakables, armies: &armies, ..Edited::new(&scenario.grid, MapFormat::Tiled) };
    let path = folder.path().join("saved.toml");
    scenario.save_edited(&edited, &path).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut again, _) = Scenario::load(&path).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found: Vec<&str> = again.armies.iter().map(|army| army.name.as_str()).collect();
    assert_eq!(found, ["green", "red", "sand"]);
    for (army, was) in again.armies.iter_mut().zip(&scenario.armies) {
        army.name.clone_from(&was.name);
    }
    assert_same(&again, &scenario);
}

#[test]
fn index_avoidance_and_planners_are_saved_as_they_are_now() {
    let (folder, scenario) = camp(FORMS[1]);
    let squad = &scenario.armies[0].squads[1];
    assert_eq!(squad.planner, PlannerChoice::AStar);
    // The planner of the top: the key of the squad goes.
    let moved = SquadSpec { planner: PlannerChoice::Dijkstra, ..squad.clone() };
    let edited = Edited {
        deployed: &[(1, Some(moved))],
        index: Some(IndexKind::KdTree.into()),
        avoidance: Some(Avoidance::Push),
        ..Edited::new(&scenario.grid, MapFormat::Ascii)
    };
    let path = folder.path().join("saved.toml");
    scenario.save_edited(&edited, &path).unwrap();
    let (again, _) = Scenario::load(&path).unwrap();
    assert_eq!(
        (again.settings.index, again.settings.avoidance.kind),
        (IndexSpec::from(IndexKind::KdTree).into(), Avoidance::Push)
    );
    assert_eq!(again.armies[0].squads[1].planner, PlannerChoice::Dijkstra);
}

#[test]
fn a_squad_of_a_trigger_has_its_orders_when_it_comes() {
    let folder = tempfile::tempdir().unwrap();
    let scenario = whole(folder.path());
    let mut waves = scenario.triggers.iter().flat_map(|trigger| &trigger.then);
    assert!(waves.any(|effect| matches!(effect, Effect::SpawnSquad(wave) if wave.queue == [Order::Attack])));
    let mut world = scenario.build(1).unwrap();
    let last = world.squads().len() - 1;
    (0..20).for_each(|_| world.tick().unwrap());
    assert!(world.squads()[last].queue.len() == 1 && world.squads()[last].members.is_empty());
}
