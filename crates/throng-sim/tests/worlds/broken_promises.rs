//! Planners, models and indices from outside that break what they promise: an error names them, and the world goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use throng_grid::geom::Vec2;
use throng_grid::{Cell, Grid, Ground, Lattice};
use throng_plan::{
    Capabilities, Guarantee, Outcome, Path, PlanError, Planner, PlannerChoice, Progress, Query, Scratch, Status,
};
use throng_sim::battle::{Order, Unit};
use throng_sim::crowd::models::CustomModel;
use throng_sim::crowd::{AgentId, AgentView, Avoidance, AvoidanceSettings};
use throng_sim::world::{Settings, SquadSpec, Subdomains, World, WorldError};
use throng_spatial::volume::Aabb;
use throng_spatial::{Bodies, BruteForce, CustomIndex, NearRows, SpatialError, SpatialIndex};

/// What a planner does instead of a search.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    OffMap,
    OnPadding,
    InWall,
    NoCells,
    StartsElsewhere,
    EndsElsewhere,
    ThroughWalls,
    Endless,
    EndlessCounting,
    Panics,
    BeginPanics,
    Keeps,
}

const FAULTS: [(Fault, &str); 11] = [
    (Fault::OffMap, "is off the map"),
    (Fault::OnPadding, "is off the map"),
    (Fault::InWall, "leads through a wall at (20, 10)"),
    (Fault::NoCells, "has no cells"),
    (Fault::StartsElsewhere, "begins at (5, 5)"),
    (Fault::EndsElsewhere, "ends at (5, 5)"),
    (Fault::ThroughWalls, "leads through walls"),
    (Fault::Endless, "1000 calls of advance expanded no node"),
    (Fault::EndlessCounting, "it does not end"),
    (Fault::Panics, "panicked"),
    (Fault::BeginPanics, "panicked"),
];

#[derive(Clone, Copy, Debug)]
struct Liar(Fault);

impl Planner for Liar {
    fn name(&self) -> &'static str {
        "liar"
    }

    fn capabilities(&self) -> Capabilities {
        Capabilities { guarantee: Guarantee::Unproven, can: &[] }
    }

    fn begin(&self, ground: &Ground, query: &Query, scratch: &mut Scratch) -> Result<(), PlanError> {
        assert!(self.0 != Fault::BeginPanics, "at the start");
        scratch.begin(self, ground, query).map(drop)
    }

    fn advance(&self, _: &Ground, _: &Query, scratch: &mut Scratch, expansions: u64) -> Progress {
        match self.0 {
            Fault::Panics => panic!("in the middle"),
            Fault::Endless => Progress::Running,
            Fault::EndlessCounting => {
                scratch.count(expansions.min(4096));
                Progress::Running
            }
            _ => Progress::Done(Outcome { status: Status::Found, cost: 1, bound: 1.0, expanded: 1 }),
        }
    }

    fn path(&self, ground: &Ground, query: &Query, scratch: &Scratch, path: &mut Path) {
        let at = |x, y| ground.lattice().cell(x, y);
        let goal = scratch.goals()[0];
        path.cells = match self.0 {
            Fault::OffMap => vec![query.from, Cell(u32::MAX), goal],
            Fault::OnPadding => vec![query.from, Cell(0), goal],
            Fault::InWall => vec![query.from, at(20, 10), goal],
            Fault::NoCells => return,
            Fault::StartsElsewhere => vec![at(5, 5), goal],
            Fault::EndsElsewhere => vec![query.from, at(5, 5)],
            Fault::Keeps => vec![query.from, at(19, 2), at(21, 2), goal],
            _ => vec![query.from, goal],
        };
    }
}

/// A wall with a gap at the top, walkers and a squad on this side of it, and a walker by A*.
fn world(settings: Settings, planner: &PlannerChoice) -> (World, Vec<AgentId>) {
    let mut grid = Grid::open_plain(Lattice::new(40, 24, 1.0).unwrap());
    (4..24).for_each(|y| grid.set_open(grid.lattice().cell(20, y), false));
    let mut world = World::new(grid, settings).unwrap();
    let (red, unit) = (world.add_army("red").unwrap(), world.add_unit(Unit::default()).unwrap());
    let places: Vec<Vec2> = (0..6).map(|i| Vec2::new(4.5 + 2.0 * i as f32, 20.5)).collect();
    let walkers = world.spawn_walkers(red, unit, &places[..3], &[]).unwrap();
    let spec = SquadSpec { planner: planner.clone(), ..SquadSpec::new(red, unit, &places[3..5]) };
    let squad = world.spawn_squad(spec).unwrap();
    let good = world.spawn_walkers(red, unit, &places[5..], &[]).unwrap();
    world.order(squad, Order::GoTo(Vec2::new(33.5, 20.5))).unwrap();
    for &id in &walkers {
        world.walk_by(id, Vec2::new(30.5, 14.5), planner.clone()).unwrap();
    }
    world.walk_to(good[0], Vec2::new(30.5, 8.5)).unwrap();
    (world, good)
}

#[test]
fn a_planner_that_breaks_its_promise_is_named_and_the_world_goes_on() {
    for (fault, told) in FAULTS {
        let hashes = [1, 3].map(|threads| {
            let planner = PlannerChoice::Custom(Arc::new(Liar(fault)));
            let settings = Settings { threads, plan_budget: 2_000_000, ..Settings::default() };
            let (mut world, good) = world(settings, &planner);
            let (mut errors, mut without) = (Vec::new(), Vec::new());
            for _ in 0..900 {
                errors.extend(world.tick().err().map(|error| error.to_string()));
                without.extend(world.events().no_route.iter().copied());
            }
            assert!(!errors.is_empty(), "{fault:?}");
            for error in errors {
                assert!(error.contains("the planner liar") && error.contains(told), "{fault:?}: {error}");
            }
            without.sort_unstable();
            without.dedup();
            assert_eq!(without.len(), 5, "{fault:?}: all that it plans for say that they have no route");
            let place = |id: AgentId| world.positions().find(|&(other, _)| other == id).unwrap().1;
            assert!(place(good[0]).distance(Vec2::new(30.5, 8.5)) < 0.5, "{fault:?}: another walks on");
            // It is told to go elsewhere, by another planner: all do.
            without.retain(|id| world.crowd().slots.squad_of(id.slot as usize).is_none());
            for &id in &without {
                world.walk_to(id, Vec2::new(30.5, 14.5)).unwrap();
            }
            (0..1200).for_each(|_| world.tick().unwrap_or_default());
            let beyond = world.positions().filter(|(_, at)| at.x > 21.0).count();
            assert_eq!(beyond, 4, "{fault:?}");
            world.position_hash()
        });
        assert_eq!(hashes[0], hashes[1], "{fault:?}");
    }
    let (mut world, _) = world(Settings::default(), &PlannerChoice::Custom(Arc::new(Liar(Fault::Keeps))));
    (0..900).for_each(|_| world.tick().unwrap());
    assert!(world.positions().all(|(_, at)| at.x > 21.0), "one that keeps it is no liar");
}

/// Gives `wrong` to every third agent; panics in the fifth tick instead where there is none.
fn model(wrong: Option<f32>) -> CustomModel {
    let asked = AtomicU32::new(0);
    CustomModel::new("mine", move |view: &AgentView<'_>, row: usize| match wrong {
        Some(wrong) if view.slot[row].is_multiple_of(3) => Vec2::new(wrong, 0.0),
        None if asked.fetch_add(1, Ordering::Relaxed) == 40 => panic!("the fifth time"),
        _ => view.preferred_velocity[row],
    })
}

#[test]
fn a_model_that_breaks_its_promise_is_named_and_the_world_goes_on() {
    for wrong in [Some(f32::NAN), Some(f32::INFINITY), None] {
        let avoidance = AvoidanceSettings::new(Avoidance::Custom);
        let settings = Settings { avoidance, model: Some(model(wrong)), ..Settings::default() };
        let (mut world, _) = world(settings, &PlannerChoice::AStar);
        let errors: Vec<WorldError> = (0..900).filter_map(|_| world.tick().err()).collect();
        let is_named = |error: &WorldError| matches!(error, WorldError::Model(fault) if fault.name == "mine");
        assert!(errors.iter().all(is_named), "{errors:?}");
        assert_eq!((errors.len(), world.ticks()), (if wrong.is_some() { 900 } else { 1 }, 900), "{wrong:?}");
        let (stood, walked): (Vec<_>, Vec<_>) =
            world.positions().partition(|(id, _)| wrong.is_some() && id.slot % 3 == 0);
        assert!(stood.iter().all(|(_, at)| at.y == 20.5), "{wrong:?}: {stood:?}");
        assert!(walked.iter().all(|(_, at)| at.x > 21.0), "{wrong:?}: {walked:?}");
        let text = errors[0].to_string();
        assert!(text.starts_with("the model of avoidance \"mine\" broke its promise: "), "{text}");
    }
}

#[test]
fn in_subdomains_the_same_model_is_named() {
    let avoidance = AvoidanceSettings::new(Avoidance::Custom);
    let settings = Settings { avoidance, model: Some(model(Some(f32::NAN))), ..Settings::default() };
    let (whole, _) = world(settings, &PlannerChoice::AStar);
    let mut parts = Subdomains::cut(&whole, 2).unwrap();
    for _ in 0..20 {
        assert!(matches!(parts.tick(), Err(WorldError::Model(_))));
    }
    assert_eq!(parts.world().ticks(), 20);
}

/// Finds neighbours as brute force does, but for a fault.
#[derive(Clone, Debug)]
struct BadIndex {
    all: BruteForce,
    panics: bool,
}

impl SpatialIndex<2> for BadIndex {
    fn rebuild(&mut self, bodies: Bodies<2>) -> Result<(), SpatialError> {
        self.all.rebuild(bodies)
    }

    fn pairs(&self, bodies: Bodies<2>, visit: impl FnMut(u32, u32) -> std::ops::ControlFlow<()>) -> u64 {
        self.all.pairs(bodies, visit)
    }

    fn touching(
        &self,
        bodies: Bodies<2>,
        region: &Aabb<2>,
        visit: impl FnMut(u32) -> std::ops::ControlFlow<()>,
    ) -> std::ops::ControlFlow<()> {
        self.all.touching(bodies, region, visit)
    }

    fn cells(
        &self,
        region: &Aabb<2>,
        visit: impl FnMut(&Aabb<2>, usize) -> std::ops::ControlFlow<()>,
    ) -> std::ops::ControlFlow<()> {
        self.all.cells(region, visit)
    }

    fn spacing(&self) -> f32 {
        SpatialIndex::<2>::spacing(&self.all)
    }

    fn bytes(&self) -> usize {
        0
    }

    fn neighbours(&self, _: Bodies<2>, first: usize, _: f32, near: NearRows<'_>) {
        assert!(!self.panics, "no neighbours from {first} on");
        near.count.fill(1);
        near.rows.fill(u32::MAX);
    }
}

#[test]
fn an_index_that_breaks_its_promise_is_named_and_the_world_goes_on() {
    for (panics, told) in [(true, "it panicked: no neighbours from"), (false, "it found row 4294967295 of 6")] {
        let (mut world, _) = world(Settings::default(), &PlannerChoice::AStar);
        world.set_index(CustomIndex::new("mine", BadIndex { all: BruteForce, panics })).unwrap();
        for _ in 0..20 {
            let error = world.tick().unwrap_err().to_string();
            assert!(error.starts_with("the index \"mine\" broke its promise: ") && error.contains(told), "{error}");
        }
        world.set_index(throng_spatial::IndexKind::Grid).unwrap();
        (0..900).for_each(|_| world.tick().unwrap());
        assert!(world.positions().all(|(_, at)| at.x > 21.0));
    }
}
