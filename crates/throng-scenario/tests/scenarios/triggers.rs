//! Effects of triggers: orders and reinforcements.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Lattice};
use throng_scenario::Scenario;
use throng_sim::battle::{Block, Order, Unit};
use throng_sim::world::{
    Area, ArmyId, Cause, Effect, Repeat, Resume, Settings, SquadId, SquadSpec, Trigger, TriggerId, UnitId, Verdict,
    World,
};
use throng_spatial::IndexKind;

const RED: ArmyId = ArmyId(0);
const BLUE: ArmyId = ArmyId(1);
const MAN: UnitId = UnitId(0);

/// Open ground with a piece of wall in the middle.
fn world(settings: Settings) -> World {
    let lattice = Lattice::new(80, 40, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for y in 15..25 {
        grid.set_open(lattice.cell(40, y), false);
    }
    let mut world = World::new(grid, settings).unwrap();
    world.add_unit(Unit { sight: 10.0, ..Unit::default() }).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    world
}

fn settings() -> Settings {
    Settings { threads: 1, step: 0.1, ..Settings::default() }
}

fn squad(world: &mut World, army: ArmyId, at: [f32; 2], count: usize, order: Order) -> SquadId {
    let positions = Block::new(Vec2::from(at), count).positions();
    world.spawn_squad(SquadSpec { order, ..SquadSpec::new(army, MAN, &positions) }).unwrap()
}

fn wave(army: ArmyId, at: [f32; 2], count: usize, order: Order) -> Effect {
    let positions = Block::new(Vec2::from(at), count).positions();
    Effect::SpawnSquad(SquadSpec { facing: 90.0, order, ..SquadSpec::new(army, MAN, positions) })
}

fn trigger(name: &str, when: Cause, then: Vec<Effect>) -> Trigger {
    Trigger { name: name.into(), when, then, repeat: Repeat::default() }
}

/// The tick at the end of which it has fired for the first time.
fn fires(world: &mut World, name: &str, within: u64) -> Option<u64> {
    let end = world.ticks() + within;
    while world.fired(name) == Some(0) && world.ticks() < end {
        world.tick().unwrap();
    }
    (world.fired(name) > Some(0)).then(|| world.ticks())
}

#[test]
fn times_are_kept_to_the_tick() {
    let mut world = world(settings());
    let red = squad(&mut world, RED, [10.0, 10.0], 3, Order::Hold);
    let go = |x| Effect::Order { squad: red, order: Order::GoTo(Vec2::new(x, 10.5)) };
    let after = |trigger, delay| Cause::After { trigger: TriggerId(trigger), delay };
    let triggers = vec![
        trigger("third", after(1, 0.0), vec![go(30.5)]),
        trigger("second", after(2, 1.25), vec![go(20.5)]),
        trigger("first", Cause::At { seconds: 2.0 }, vec![go(15.5)]),
        trigger("now", Cause::At { seconds: 0.0 }, vec![go(12.5)]),
    ];
    assert!(world.add_triggers(triggers).unwrap().is_empty());
    let mut fired = Vec::new();
    for tick in 1..=60 {
        world.tick().unwrap();
        fired.push(["now", "first", "second", "third"].map(|name| world.fired(name).unwrap()));
        assert_eq!(world.ticks(), tick);
    }
    let first = |i: usize| fired.iter().position(|fired| fired[i] == 1).unwrap();
    // In the first tick; in the one that begins at 2 s; 1.25 s, 13 ticks, later; in the one after that.
    assert_eq!([first(0), first(1), first(2), first(3)], [0, 20, 33, 34]);
    assert_eq!((fired[59], world.fired("fourth")), ([1; 4], None));
    assert_eq!(world.squads()[0].order, Order::GoTo(Vec2::new(30.5, 10.5)));
}

#[test]
fn losses_call_for_help() {
    let mut world = world(settings());
    squad(&mut world, RED, [20.0, 10.0], 30, Order::Attack);
    let guard = squad(&mut world, BLUE, [30.0, 10.0], 10, Order::Hold);
    let lost = |share| Cause::Lost { squad: guard, share };
    let triggers = vec![
        trigger("three", lost(0.3), vec![wave(BLUE, [60.0, 30.0], 5, Order::Attack)]),
        trigger("all", lost(1.0), vec![wave(BLUE, [60.0, 10.0], 4, Order::Attack)]),
        trigger(
            "help too",
            Cause::Lost { squad: SquadId(2), share: 0.5 },
            vec![wave(BLUE, [60.0, 35.0], 2, Order::Hold)],
        ),
    ];
    assert_eq!(world.add_triggers(triggers).unwrap(), [SquadId(2), SquadId(3), SquadId(4)]);
    assert!(world.squads()[2].members.is_empty());
    let living = |world: &World, s: usize| {
        world.squads()[s].members.iter().filter(|&&id| world.crowd().row(id).is_some()).count()
    };
    let (mut before, mut came) = (10, [0; 3]);
    while world.verdict().is_none() {
        world.tick().unwrap();
        for (i, name) in ["three", "all", "help too"].into_iter().enumerate() {
            if came[i] == 0 && world.fired(name) == Some(1) {
                came[i] = world.ticks();
                assert_eq!(world.squads()[i + 2].members.len(), [5, 4, 2][i]);
                if i == 0 {
                    // Those that have just died are still among them.
                    assert!((1..=8).contains(&before), "{before} lived");
                }
            }
        }
        before = living(&world, 1);
        assert!(world.ticks() < 5000);
    }
    assert!(came[0] > 0 && came[0] < came[1] && came[2] > came[0], "{came:?}");
    assert_eq!((world.verdict(), world.armies()[1].spawned), (Some(Verdict::Winner(RED)), 21));
}

#[test]
fn who_enters_is_noticed() {
    let mut world = world(settings());
    let red = squad(&mut world, RED, [5.0, 30.0], 4, Order::GoTo(Vec2::new(25.5, 30.5)));
    let area = Area::Rectangle { from: Vec2::new(18.0, 25.0), to: Vec2::new(22.0, 35.0) };
    let then = vec![Effect::Order { squad: red, order: Order::Hold }];
    let other = Cause::Enters { army: BLUE, area: area.clone() };
    world
        .add_triggers(vec![
            trigger("red", Cause::Enters { army: RED, area: area.clone() }, then),
            trigger("blue", other, vec![Effect::Order { squad: red, order: Order::Attack }]),
        ])
        .unwrap();
    assert!(fires(&mut world, "red", 300).is_some());
    let inside = world.positions().filter(|(_, at)| area.contains(*at)).count();
    // It was looked at within eight ticks of the first step into it.
    assert!((1..=4).contains(&inside) && world.positions().all(|(_, at)| at.x < 20.0));
    assert_eq!((world.squads()[0].order, world.fired("blue")), (Order::Hold, Some(0)));
}

#[test]
fn an_ambush_waits_until_it_sees_somebody() {
    let mut world = world(settings());
    // Behind the wall no agent is seen, however near.
    let ambush = squad(&mut world, RED, [42.5, 20.0], 5, Order::Hold);
    let hidden = squad(&mut world, BLUE, [37.0, 20.0], 1, Order::Hold);
    let far = squad(&mut world, BLUE, [70.0, 20.0], 1, Order::Hold);
    let attack = vec![Effect::Order { squad: ambush, order: Order::Attack }];
    world
        .add_triggers(vec![
            trigger("seen", Cause::Sees { squad: ambush }, attack),
            trigger(
                "near",
                Cause::Near { squad: ambush, metres: 8.0 },
                vec![Effect::Order { squad: far, order: Order::Hold }],
            ),
            trigger(
                "nearer",
                Cause::Near { squad: ambush, metres: 2.0 },
                vec![Effect::Order { squad: far, order: Order::Hold }],
            ),
        ])
        .unwrap();
    // Those asleep are near too.
    assert_eq!(fires(&mut world, "near", 100), Some(2));
    for _ in 0..60 {
        world.tick().unwrap();
    }
    assert_eq!((world.fired("seen"), world.fired("nearer"), world.squads()[0].order), (Some(0), Some(0), Order::Hold));
    // The squad looks only at the nearest enemy, behind the wall, and at enemies that it could strike.
    world.disband(hidden).unwrap();
    world.order(far, Order::GoTo(Vec2::new(45.5, 20.5))).unwrap();
    assert!(fires(&mut world, "seen", 300).is_some());
    let nearest = world.positions().filter(|(_, at)| at.x > 45.0).map(|(_, at)| at.x).fold(f32::INFINITY, f32::min);
    assert!((48.0..54.5).contains(&nearest), "in sight, 10 m, at {nearest}");
    assert_eq!(world.squads()[0].order, Order::Attack);
}

#[test]
fn a_breach_is_the_signal() {
    let mut world = world(settings());
    let red = squad(&mut world, RED, [10.0, 10.0], 3, Order::Hold);
    squad(&mut world, BLUE, [70.0, 20.0], 3, Order::Hold);
    let wall = [16, 22].map(|y| world.grid().lattice().cell(40, y));
    world.fortify(&wall, 10.0, None).unwrap();
    let upper = Area::Rectangle { from: Vec2::new(38.0, 15.0), to: Vec2::new(42.0, 18.0) };
    let attack = || vec![Effect::Order { squad: red, order: Order::Attack }];
    world
        .add_triggers(vec![
            trigger("any", Cause::Breached { area: None }, attack()),
            trigger("upper", Cause::Breached { area: Some(upper) }, attack()),
        ])
        .unwrap();
    assert_eq!(fires(&mut world, "any", 50), None);
    world.damage_wall(wall[1], 10.0);
    assert!(fires(&mut world, "any", 10).is_some());
    assert_eq!((fires(&mut world, "upper", 50), world.squads()[0].order), (None, Order::Attack));
    world.damage_wall(wall[0], 10.0);
    assert!(fires(&mut world, "upper", 10).is_some());
}

#[test]
fn waves_come_again_and_find_room() {
    let mut world = world(settings());
    let mut again = trigger("waves", Cause::At { seconds: 1.0 }, vec![wave(RED, [10.0, 10.0], 40, Order::Hold)]);
    again.repeat = Repeat { every: 2.0, times: 3 };
    let ids = world.add_triggers(vec![again]).unwrap();
    let mut came = Vec::new();
    while world.ticks() < 100 {
        world.tick().unwrap();
        if world.agents() != came.len() * 40 {
            came.push(world.ticks());
            assert_eq!(world.agents(), came.len() * 40);
            let at: Vec<Vec2> = world.positions().map(|(_, at)| at).collect();
            let overlaps = (0..at.len()).any(|a| (0..a).any(|b| at[a].distance(at[b]) < 0.7));
            assert!(!overlaps, "they stand in each other");
        }
    }
    // The first in a tick that begins after a second.
    assert_eq!((came, world.fired("waves")), (vec![11, 31, 51], Some(3)));
    // Each is a squad of its own.
    let sizes: Vec<usize> = world.squads().iter().map(|squad| squad.members.len()).collect();
    assert_eq!((ids, sizes, world.armies()[0].spawned), (vec![SquadId(0)], vec![40; 3], 120));
}

#[test]
fn a_wave_without_room_waits() {
    let lattice = Lattice::new(40, 12, 1.0).unwrap();
    let mut grid = Grid::open_plain(lattice);
    for y in 0..12 {
        grid.set_open(lattice.cell(6, y), false);
    }
    let mut world = World::new(grid, settings()).unwrap();
    world.add_unit(Unit::default()).unwrap();
    world.add_army("red").unwrap();
    world.add_army("blue").unwrap();
    // The chamber is 6 x 12 m: no more than some eighty find room in it.
    let full = squad(&mut world, RED, [3.0, 6.0], 40, Order::Hold);
    squad(&mut world, BLUE, [30.0, 6.0], 1, Order::Hold);
    world
        .add_triggers(vec![trigger("more", Cause::At { seconds: 0.5 }, vec![wave(RED, [3.0, 6.0], 60, Order::Hold)])])
        .unwrap();
    assert_eq!(fires(&mut world, "more", 60), None);
    assert_eq!(world.agents(), 41);
    // They are still to come: no army has won.
    world.disband(full).unwrap();
    world.tick().unwrap();
    assert_eq!((world.verdict(), world.fired("more")), (None, Some(0)));
    assert!(fires(&mut world, "more", 11).is_some());
    assert_eq!(world.armies()[0].alive, 60);
    // An agent whose place is walled up stands beside it.
    let mut world = self::world(settings());
    world
        .add_triggers(vec![trigger("late", Cause::At { seconds: 1.0 }, vec![wave(RED, [10.0, 10.0], 6, Order::Hold)])])
        .unwrap();
    let wall: Vec<Edit> = (8..13).map(|y| Edit::Close(lattice_cell(&world, 10, y))).collect();
    world.edit(&wall).unwrap();
    assert_eq!(fires(&mut world, "late", 20), Some(11));
    assert_eq!(world.agents(), 6);
}

fn lattice_cell(world: &World, x: u32, y: u32) -> throng_grid::Cell {
    world.grid().lattice().cell(x, y)
}

#[test]
fn a_battle_goes_on_while_a_wave_is_sure_to_come() {
    let ends = |when: Cause| {
        let mut world = world(settings());
        squad(&mut world, RED, [20.0, 5.0], 30, Order::Attack);
        let few = squad(&mut world, BLUE, [26.0, 5.0], 2, Order::Hold);
        assert_eq!(few, SquadId(1));
        let late = wave(BLUE, [70.0, 30.0], 60, Order::Attack);
        let first = trigger("first", when, vec![Effect::Order { squad: few, order: Order::Hold }]);
        let then = trigger("then", Cause::After { trigger: TriggerId(0), delay: 20.0 }, vec![late]);
        world.add_triggers(vec![first, then]).unwrap();
        while world.verdict().is_none() {
            world.tick().unwrap();
            assert!(world.ticks() < 8000);
        }
        (world.verdict().unwrap(), world.fired("then").unwrap())
    };
    assert_eq!(ends(Cause::At { seconds: 40.0 }), (Verdict::Winner(BLUE), 1));
    // The last death is the signal.
    assert_eq!(ends(Cause::Lost { squad: SquadId(1), share: 1.0 }), (Verdict::Winner(BLUE), 1));
    // It is not known whether they ever go there.
    let area = Area::Disc { centre: Vec2::new(70.0, 5.0), radius: 2.0 };
    assert_eq!(ends(Cause::Enters { army: RED, area }), (Verdict::Winner(RED), 0));
}

fn battle(settings: Settings) -> World {
    let mut world = world(settings);
    let red = squad(&mut world, RED, [15.0, 20.0], 40, Order::Attack);
    let blue = squad(&mut world, BLUE, [60.0, 20.0], 30, Order::Hold);
    let reserve = squad(&mut world, BLUE, [75.0, 35.0], 20, Order::Hold);
    let mut waves = trigger("waves", Cause::At { seconds: 5.0 }, vec![wave(BLUE, [70.0, 5.0], 8, Order::Attack)]);
    waves.repeat = Repeat { every: 7.0, times: 4 };
    let attack = |squad| vec![Effect::Order { squad, order: Order::Attack }];
    world
        .add_triggers(vec![
            waves,
            trigger("seen", Cause::Sees { squad: blue }, attack(blue)),
            trigger("help", Cause::Lost { squad: blue, share: 0.2 }, attack(reserve)),
            trigger(
                "late",
                Cause::After { trigger: TriggerId(2), delay: 6.0 },
                vec![wave(RED, [5.0, 5.0], 25, Order::Attack)],
            ),
            trigger("near", Cause::Near { squad: red, metres: 3.0 }, attack(red)),
        ])
        .unwrap();
    world
}

#[test]
fn a_battle_with_triggers_goes_on_from_a_snapshot_to_the_same_bits() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.snapshot");
    let mut world = battle(settings());
    let mut hashes = Vec::new();
    let mut other = battle(Settings { threads: 2, index: IndexKind::Bvh.into(), ..settings() });
    while other.ticks() < 700 {
        other.tick().unwrap();
        hashes.push(other.position_hash());
    }
    for stop in [1, 49, 52, 121, 200, 303, 400] {
        while world.ticks() < stop {
            world.tick().unwrap();
        }
        world.save(&path).unwrap();
        let mut again =
            World::restore(&path, Resume { threads: 2, index: Some(IndexKind::KdTree.into()), ..Resume::default() })
                .unwrap();
        for _ in 0..150 {
            again.tick().unwrap();
            assert_eq!(again.position_hash(), hashes[again.ticks() as usize - 1], "from {stop}, {}", again.ticks());
        }
    }
    let fired = ["waves", "seen", "help", "late", "near"].map(|name| other.fired(name).unwrap());
    assert_eq!(fired, [4, 1, 1, 1, 1]);
}

#[test]
fn bad_triggers_are_refused_and_none_is_added() {
    let mut world = world(settings());
    let red = squad(&mut world, RED, [10.0, 10.0], 3, Order::Hold);
    let hold = |squad| vec![Effect::Order { squad, order: Order::Hold }];
    let fine = trigger("fine", Cause::At { seconds: 1.0 }, vec![wave(RED, [20.0, 20.0], 3, Order::Hold)]);
    let mut said = |bad: Trigger| {
        let error = world.add_triggers(vec![fine.clone(), bad]).unwrap_err().to_string();
        assert_eq!((world.squads().len(), world.fired("fine")), (1, None));
        error
    };
    let bad = |when| trigger("bad", when, hold(red));
    let time = "must be between 0 and 1000000 (s), found";
    assert_eq!(said(bad(Cause::At { seconds: -1.0 })), format!("trigger \"bad\": the time of a trigger {time} -1"));
    let after = Cause::After { trigger: TriggerId(0), delay: f32::NAN };
    assert_eq!(said(bad(after)), format!("trigger \"bad\": the delay of a trigger {time} NaN"));
    let missing = |what| format!("trigger \"bad\": this world has no {what} 9");
    assert_eq!(said(bad(Cause::After { trigger: TriggerId(9), delay: 0.0 })), missing("trigger"));
    assert_eq!(said(bad(Cause::Sees { squad: SquadId(9) })), missing("squad"));
    assert_eq!(said(trigger("bad", Cause::At { seconds: 0.0 }, hold(SquadId(9)))), missing("squad"));
    let area = Area::Disc { centre: Vec2::ZERO, radius: 1.0 };
    assert_eq!(said(bad(Cause::Enters { army: ArmyId(9), area })), missing("army"));
    assert_eq!(
        said(bad(Cause::Lost { squad: red, share: 0.0 })),
        "trigger \"bad\": the share that is lost must be above 0 and at most 1, found 0"
    );
    assert_eq!(
        said(bad(Cause::Near { squad: red, metres: -2.0 })),
        "trigger \"bad\": how near an enemy is must be between 0 and 10000 (m), found -2"
    );
    assert_eq!(
        said(bad(Cause::Breached { area: None })),
        "trigger \"bad\": what can be broken where a breach is waited for must be a cell or more, found 0"
    );
    assert!(
        said(trigger("bad", Cause::At { seconds: 0.0 }, vec![wave(RED, [40.0, 20.0], 1, Order::Hold)]))
            .starts_with("trigger \"bad\": agent 0 cannot stand at (40, 19.5)")
    );
    let repeat = |times, every| Trigger { repeat: Repeat { every, times }, ..bad(Cause::At { seconds: 0.0 }) };
    assert!(said(repeat(0, 1.0)).ends_with("how often a trigger repeats must be between 1 and 10000 (times), found 0"));
    assert!(said(repeat(2, 0.0)).ends_with("must be between 0.1 and 1000000 (s), found 0"));
    let itself = Cause::After { trigger: TriggerId(1), delay: 0.0 };
    assert_eq!(said(bad(itself)), "the triggers bad → bad wait for each other; give one of them another cause");
    // It waits for its own wave.
    let late = wave(RED, [20.0, 20.0], 3, Order::Hold);
    let own = trigger("bad", Cause::Lost { squad: SquadId(2), share: 1.0 }, vec![late]);
    assert_eq!(said(own), "the triggers bad → bad wait for each other; give one of them another cause");
}

fn load(text: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    let row = ".........@..........\n";
    let map = format!("type octile\nheight 10\nwidth 20\nmap\n{}{}", row.repeat(9), ".".repeat(20) + "\n");
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let path: &Path = &folder.path().join("s.toml");
    let armies = "[[army]]\nname = \"red\"\nsquad = [{ name = \"van\", count = 3, position = [4, 5] }]\n[[army]]\nname = \"blue\"\nsquad = [{ name = \"guard\", count = 2, position = [15, 5] }]\n[[breakable]]\nfrom = [9, 0]\nto = [10, 2]\nhealth = 5\n";
    std::fs::write(path, format!("map = \"a.map\"\n{text}\n{armies}")).unwrap();
    let loaded = Scenario::load(path).map_err(|error| error.to_string());
    loaded.map(|(scenario, _)| scenario).map_err(|error| error.replace(&format!("{}/", folder.path().display()), ""))
}

#[test]
fn scenarios_have_triggers() {
    let text = r#"
[[unit]]
name = "scout"
[[trigger]]
name = "start"
at = 3
order = { squad = "van", order = { go_to = [12, 9] } }
[[trigger]]
name = "fall"
lost = { squad = "late", share = 0.5 }
order = [{ squad = "van", order = "attack" }, { squad = "guard", order = "hold" }]
[[trigger]]
name = "reserve"
after = "start"
delay = 2
[[trigger.squad]]
name = "late"
army = "blue"
unit = "scout"
count = 4
position = [15, 5]
order = "attack"
[[trigger]]
name = "waves"
enters = { army = "red", from = [10, 0], to = [20, 10] }
repeat = { every = 5, times = 2 }
squad = [{ army = "red", count = 5, position = [4, 5], order = "attack" }]
[[trigger]]
name = "gate"
breached = true
order = { squad = "late", order = "hold" }
[[trigger]]
name = "eyes"
sees = "guard"
order = { squad = "guard", order = "attack" }
[[trigger]]
name = "close"
near = { squad = "guard", within = 4.5 }
order = { squad = "guard", order = "attack" }
"#;
    let scenario = load(text).unwrap();
    let when: Vec<&Cause> = scenario.triggers.iter().map(|trigger| &trigger.when).collect();
    assert_eq!(when[0], &Cause::At { seconds: 3.0 });
    assert_eq!(when[1], &Cause::Lost { squad: SquadId(2), share: 0.5 });
    assert_eq!(when[2], &Cause::After { trigger: TriggerId(0), delay: 2.0 });
    let area = Area::Rectangle { from: Vec2::new(10.0, 0.0), to: Vec2::new(20.0, 10.0) };
    assert_eq!(when[3], &Cause::Enters { army: RED, area });
    assert_eq!(when[4], &Cause::Breached { area: None });
    assert_eq!(when[5], &Cause::Sees { squad: SquadId(1) });
    assert_eq!(when[6], &Cause::Near { squad: SquadId(1), metres: 4.5 });
    assert_eq!(scenario.triggers[1].then.len(), 2);
    assert_eq!(scenario.triggers[3].repeat, Repeat { every: 5.0, times: 2 });
    let Effect::SpawnSquad(late) = &scenario.triggers[2].then[0] else { panic!() };
    // The place is one where the guard may stand: a wave looks for room when it comes.
    assert_eq!((late.army, scenario.units[usize::from(late.unit.0)].name.as_str()), (BLUE, "scout"));
    assert_eq!((late.positions.len(), late.order, scenario.agents()), (4, Order::Attack, 5));
    let mut world = scenario.build(1).unwrap();
    while world.verdict().is_none() && world.ticks() < 4000 {
        world.tick().unwrap();
    }
    assert_eq!(world.verdict(), Some(Verdict::Winner(RED)), "{:?}", world.armies());
    let fired = ["start", "fall", "reserve", "waves", "gate", "close"].map(|name| world.fired(name).unwrap());
    assert_eq!((fired[..3].to_vec(), fired[5]), (vec![1, 1, 1], 1));
}

#[test]
fn bad_triggers_are_named() {
    let said = |text: &str| load(&format!("[[trigger]]\nname = \"a\"\n{text}")).unwrap_err();
    let order = "order = { squad = \"van\", order = \"attack\" }";
    let one_of = "s.toml:2:1: a trigger has one of the keys at, after, lost, enters, sees, near, breached, found";
    assert_eq!(said(order), format!("{one_of} none"));
    assert_eq!(said(&format!("at = 1\nsees = \"van\"\n{order}")), format!("{one_of} at and sees"));
    assert_eq!(
        said("at = 1"),
        "s.toml:2:1: this trigger does nothing; add order = { squad = \"NAME\", order = \"attack\" }, opens = [\"LINK\"] or [[trigger.squad]]"
    );
    let seconds = "must be between 0 and 1000000 (s), found";
    assert_eq!(said(&format!("at = -1\n{order}")), format!("s.toml:4:6: at {seconds} -1"));
    assert_eq!(
        said(&format!("at = 1\ndelay = 2\n{order}")),
        "s.toml:5:9: the key \"delay\" belongs to after; this trigger is at"
    );
    assert_eq!(said(&format!("after = \"a\"\ndelay = -2\n{order}")), format!("s.toml:5:9: delay {seconds} -2"));
    assert_eq!(said(&format!("after = \"b\"\n{order}")), "s.toml:4:9: unknown trigger \"b\"; known are a");
    let wait = "wait for each other; give one of them another cause";
    assert_eq!(said(&format!("after = \"a\"\n{order}")), format!("s.toml:4:9: the triggers a → a {wait}"));
    let ring = format!(
        "after = \"b\"\n{order}\n[[trigger]]\nname = \"b\"\nafter = \"c\"\n{order}\n[[trigger]]\nname = \"c\"\nafter = \"b\"\n{order}"
    );
    assert_eq!(said(&ring), format!("s.toml:8:9: the triggers b → c → b {wait}"));
    let own = "lost = { squad = \"new\" }\nsquad = [{ name = \"new\", army = \"red\", count = 1, position = [4, 5] }]";
    assert_eq!(said(own), format!("s.toml:4:8: the triggers a → a {wait}"));
    assert_eq!(
        said(&format!("lost = {{ squad = \"vam\" }}\n{order}")),
        "s.toml:4:18: unknown squad \"vam\"; did you mean \"van\"?"
    );
    assert_eq!(
        said(&format!("lost = {{ squad = \"van\", share = 2 }}\n{order}")),
        "s.toml:4:33: share must be between 0.001 and 1 (1 = all of them), found 2"
    );
    assert_eq!(
        said(&format!("near = {{ squad = \"van\", within = -2 }}\n{order}")),
        "s.toml:4:34: within must be between 0 and 10000 (m), found -2"
    );
    assert_eq!(
        said(&format!("enters = {{ army = \"rde\", from = [1, 1], to = [2, 2] }}\n{order}")),
        "s.toml:4:19: unknown army \"rde\"; did you mean \"red\"?"
    );
    assert!(said(&format!("enters = {{ army = \"red\" }}\n{order}")).starts_with("s.toml:4:10: an area is { from"));
    assert!(
        said(&format!("enters = {{ army = \"red\", area = \"gate\" }}\n{order}"))
            .starts_with("s.toml:4:33: unknown area \"gate\"; the map has none;")
    );
    assert_eq!(
        said(&format!("breached = false\n{order}")),
        "s.toml:4:12: breached must be true or the name of an area, found false"
    );
    assert_eq!(said("at = 1\nsquad = [{ count = 1, position = [4, 5] }]"), "s.toml:5:10: the key \"army\" is missing");
    assert_eq!(
        said("at = 1\nsquad = [{ army = \"green\", count = 1, position = [4, 5] }]"),
        "s.toml:5:19: unknown army \"green\"; known are red, blue"
    );
    let twice = "at = 1\nrepeat = { every = 5, times = 3 }\nsquad = [{ name = \"w\", army = \"red\", count = 1, position = [4, 5] }]";
    assert_eq!(
        said(&format!("{twice}\n[[trigger]]\nname = \"b\"\nat = 2\norder = {{ squad = \"w\", order = \"hold\" }}")),
        "s.toml:10:19: \"w\" comes more than once, by the trigger \"a\"; name a squad that comes once"
    );
    assert_eq!(
        said("at = 1\nsquad = [{ name = \"van\", army = \"red\", count = 1, position = [4, 5] }]"),
        "s.toml:5:19: there are two squads of the name \"van\", the first in line 8; rename one"
    );
    assert_eq!(
        said(&format!("at = 1\nrepeat = {{ every = 0, times = 3 }}\n{order}")),
        "s.toml:5:20: every must be between 0.1 and 1000000 (s), found 0"
    );
    assert_eq!(
        said(&format!("at = 1\n{order}\n[[trigger]]\nname = \"a\"\nat = 1\n{order}")),
        "s.toml:7:8: there are two triggers of the name \"a\", the first in line 3; rename one"
    );
    assert_eq!(
        load("[[army]]\nname = \"green\"\nsquad = [{ army = \"red\", count = 1, position = [1, 1] }]").unwrap_err(),
        "s.toml:4:19: a squad below an army belongs to that army; remove this key"
    );
    assert_eq!(
        said(
            "at = 1\nrepeat = { every = 1, times = 10000 }\nsquad = [{ army = \"red\", count = 101, position = [4, 5], spacing = 0.8 }]"
        ),
        "s.toml: 1010005 agents in all; the limit is 1000000"
    );
}
