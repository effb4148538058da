//! Units to which terrain costs something.
#![allow(clippy::unwrap_used, missing_docs)]

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice, PLAIN, SWAMP, TerrainCosts};
use throng_plan::PlannerChoice;
use throng_scenario::Scenario;
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{Settings, SquadSpec, World, WorldError};

/// A plain of 60 x 40 m with a swamp in the middle: 20 columns wide, down from the upper edge to row 30.
fn marsh() -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        if (20..40).contains(&x) && y < 30 {
            grid.set_terrain(cell, SWAMP);
        }
    }
    grid
}

/// A squad on the left that is sent straight across: the share of its members' ticks on the way that are in the
/// swamp, and not just at its edge where they brush past.
fn share_in_swamp(terrain: Option<&TerrainCosts>, planner: &str, count: usize) -> f64 {
    let mut world = World::new(marsh(), Settings::default()).unwrap();
    let terrain = terrain.cloned();
    let army = world.add_army("red").unwrap();
    let unit = world.add_unit(Unit { terrain, speed: 4.0, top_speed: 5.0, ..Unit::default() }).unwrap();
    let positions: Vec<Vec2> = (0..count).map(|i| Vec2::new(3.5 + (i % 5) as f32, 18.5 + (i / 5) as f32)).collect();
    let planner: PlannerChoice = planner.parse().unwrap();
    let squad = world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, &positions) }).unwrap();
    world.order(squad, Order::GoTo(Vec2::new(54.5, 20.5))).unwrap();
    let (mut inside, mut all) = (0, 0);
    while world.ticks() < 1200 && !world.positions().all(|(_, at)| at.x > 48.0) {
        world.tick().unwrap();
        inside += world.positions().filter(|&(_, at)| (22.0..38.0).contains(&at.x) && at.y < 28.0).count();
        all += count;
    }
    assert!(world.ticks() < 1200, "{count} soldiers have not arrived");
    inside as f64 / all as f64
}

#[test]
fn a_squad_goes_round_a_swamp_that_is_dear_and_through_one_that_is_not() {
    let costs = |swamp| TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, swamp)]);
    for planner in ["astar", "flow-field", "ara"] {
        for count in [1, 10, 30] {
            for terrain in [None, Some(costs(Some(1)))] {
                let share = share_in_swamp(terrain.as_ref(), planner, count);
                assert!(share > 0.25, "{planner}, {count}, {terrain:?}: {share}");
            }
            for terrain in [costs(Some(5)), costs(None)] {
                let share = share_in_swamp(Some(&terrain), planner, count);
                assert!(share < 0.02, "{planner}, {count}, {terrain:?}: {share}");
            }
        }
    }
}

#[test]
fn what_cannot_be_planned_is_said_at_the_muster() {
    let muster = |terrain: TerrainCosts, planner: &str| {
        let mut world = World::new(marsh(), Settings::default()).unwrap();
        let army = world.add_army("red").unwrap();
        let unit = world.add_unit(Unit { terrain: Some(terrain), ..Unit::default() }).unwrap();
        let planner: PlannerChoice = planner.parse().unwrap();
        let result = world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, [Vec2::new(3.5, 3.5)]) });
        assert_eq!(world.agents(), usize::from(result.is_ok()));
        result
    };
    let error = muster(TerrainCosts::new([(PLAIN, Some(1))]), "astar").unwrap_err();
    assert!(matches!(error, WorldError::Ground(_)));
    assert_eq!(
        error.to_string(),
        "terrain class 1, at (20, 0), has no cost; give one, or say that it is never entered"
    );
    let costs = || TerrainCosts::new([(PLAIN, Some(1)), (SWAMP, Some(3))]);
    for planner in PlannerChoice::NAMES {
        let cannot = ["jps", "jps-plus", "labels", "hpa", "breadth-first", "theta", "lazy-theta"].contains(planner);
        let expected = format!("the planner {planner} cannot count what terrain costs; choose one that can, as astar");
        let error = muster(costs(), planner).err().map(|error| error.to_string());
        assert_eq!(error, cannot.then_some(expected));
    }
}

#[test]
fn scenarios_name_the_classes() {
    let folder = tempfile::tempdir().unwrap();
    marsh().save_map(folder.path().join("marsh.map")).unwrap();
    let text = r#"
map = "marsh.map"
[[unit]]
name = "cart"
terrain = { swamp = 4 }
[[unit]]
name = "coach"
terrain = { plain = 2, swamp = "closed" }
[[army]]
name = "red"
[[army.squad]]
unit = "cart"
count = 2
position = [30, 10]
[[army.squad]]
unit = "coach"
count = 2
position = [21, 10.5]
order = { go_to = [50, 10.5] }
[[army.squad]]
count = 1
position = [5, 5]
"#;
    let file = folder.path().join("s.toml");
    std::fs::write(&file, text).unwrap();
    let (scenario, warnings) = Scenario::load(&file).unwrap();
    let terrain: Vec<_> = scenario.units.iter().map(|unit| unit.terrain.clone()).collect();
    let costs = |plain, swamp| Some(TerrainCosts::new([(PLAIN, Some(plain)), (SWAMP, swamp)]));
    assert_eq!(terrain, [costs(1, Some(4)), costs(2, None), None]);
    let warnings: Vec<_> = warnings.iter().map(ToString::to_string).collect();
    let moved = "the position (21, 10.5) is on ground closed to its unit; the squad was moved to the nearest open cell";
    assert_eq!(warnings, [format!("{}:18:12: {moved} at (19.5, 10.5)", file.display())]);
    scenario.build(1).unwrap().tick().unwrap();
}
