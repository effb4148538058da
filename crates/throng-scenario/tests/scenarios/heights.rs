//! Slopes: slower uphill, faster downhill, and the way round a hill where that is quicker.
#![allow(clippy::unwrap_used, missing_docs)]

use std::path::Path;
use throng_grid::generate::{Kind, generate};
use throng_grid::geom::Vec2;
use throng_grid::{Edit, Grid, Ground, Lattice, pace};
use throng_plan::{PlannerChoice, Scratch, distances_from, distances_to};
use throng_scenario::Scenario;
use throng_sim::battle::{Order, Unit};
use throng_sim::world::{Settings, SquadId, SquadSpec, World, WorldError};

/// A plain of 60 x 40 m with the height (cm) of each column and row.
fn hill(height: impl Fn(u32, u32) -> u16) -> Grid {
    let mut grid = Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap());
    for cell in grid.lattice().cells() {
        let (x, y) = grid.lattice().column_row(cell);
        grid.set_height(cell, height(x, y));
    }
    grid
}

/// A ridge across the way from left to right, so many centimetres a column steep, with a level pass below row 30.
fn ridge(steep: u16) -> Grid {
    hill(|x, y| if y < 30 { 10_u32.saturating_sub(x.abs_diff(30)) as u16 * steep } else { 0 })
}

fn march(grid: Grid, planner: &str, from: Vec2, to: Vec2) -> (World, SquadId) {
    let mut world = World::new(grid, Settings { threads: 2, ..Settings::default() }).unwrap();
    let army = world.add_army("red").unwrap();
    let unit = world.add_unit(Unit::default()).unwrap();
    let planner: PlannerChoice = planner.parse().unwrap();
    let squad = world.spawn_squad(SquadSpec { planner, ..SquadSpec::new(army, unit, [from]) }).unwrap();
    world.order(squad, Order::GoTo(to)).unwrap();
    (world, squad)
}

fn place(world: &World) -> Vec2 {
    world.positions().next().unwrap().1
}

#[test]
fn a_slope_takes_as_much_longer_as_the_rule_says() {
    for slope in [0.0_f32, 0.05, 0.2, 0.5] {
        let mut grid = hill(|x, _| (x as f32 * slope * 100.0).round() as u16);
        // A lane: on open ground hairpins are quicker up a steep slope.
        for cell in grid.lattice().cells() {
            grid.set_open(cell, grid.lattice().column_row(cell).1 == 20);
        }
        for (from, to) in [(5.5, 55.5), (55.5, 5.5)] {
            let (mut world, _) = march(grid.clone(), "astar", Vec2::new(from, 20.5), Vec2::new(to, 20.5));
            let mut between = 0;
            while (place(&world).x - to).abs() > 5.0 {
                world.tick().unwrap();
                between += u32::from((15.0..45.0).contains(&place(&world).x));
                assert!(world.ticks() < 20_000);
            }
            let rise = if to > from { slope } else { -slope };
            let (seconds, expected) = (f64::from(between) * 0.05, 30.0 / f64::from(1.5 * pace(rise)));
            assert!((seconds / expected - 1.0).abs() < 0.02, "slope {rise}: {seconds} s, {expected} s expected");
        }
    }
}

#[test]
fn over_a_low_ridge_and_round_a_high_one() {
    let (from, to) = (Vec2::new(5.5, 20.5), Vec2::new(54.5, 20.5));
    for planner in ["astar", "dijkstra", "bidirectional", "fringe", "ara", "weighted-astar:1,1", "flow-field"] {
        let mut seconds = [0.0; 3];
        for (steep, seconds) in [0, 5, 60].into_iter().zip(&mut seconds) {
            let (mut world, _) = march(ridge(steep), planner, from, to);
            let mut lowest = 0.0_f32;
            while place(&world).distance(to) > 1.0 {
                world.tick().unwrap();
                lowest = lowest.max(place(&world).y);
                assert!(world.ticks() < 2000, "{planner}, {steep} cm a metre: not there after 100 s");
            }
            *seconds = world.ticks() as f64 * 0.05;
            assert_eq!(lowest > 29.0, steep == 60, "{planner}, {steep} cm a metre: down to row {lowest}");
        }
        // Over the high ridge it would be ten metres up and ten down.
        let over = seconds[0] + f64::from(10.0 / 1.5 * (1.0 / pace(0.6) + 1.0 / pace(-0.6) - 2.0));
        assert!(seconds[2] < 0.5 * over, "{planner}: {seconds:?} s, {over} s over the ridge");
    }
}

#[test]
fn costs_differ_by_the_way_one_goes() {
    let ground = Ground::new(hill(|x, _| x as u16 * 30).into(), 0.4).unwrap();
    let (low, high) = (ground.lattice().cell(3, 7), ground.lattice().cell(23, 7));
    let mut costs = throng_grid::Layer::new(ground.lattice(), 0);
    distances_from(&ground, &[low], &mut Scratch::default(), &mut costs).unwrap();
    let up = f64::from(costs[high]);
    distances_to(&ground, &[low], &mut Scratch::default(), &mut costs).unwrap();
    let down = f64::from(costs[high]);
    assert!((up / down - f64::from(pace(-0.3) / pace(0.3))).abs() < 1e-3, "{up} up, {down} down");
    assert!(!ground.is_level() && !ground.is_uniform() && !ground.weighs_terrain());
    assert!(Ground::new(hill(|_, _| 500).into(), 0.4).unwrap().is_uniform(), "a table land is level");
}

#[test]
fn planners_that_cannot_count_slopes_say_so() {
    for planner in PlannerChoice::NAMES {
        let muster = |grid: Grid| {
            let mut world = World::new(grid, Settings::default()).unwrap();
            let army = world.add_army("red").unwrap();
            let unit = world.add_unit(Unit::default()).unwrap();
            let choice: PlannerChoice = planner.parse().unwrap();
            let at = [Vec2::new(3.5, 3.5)];
            let muster = world.spawn_squad(SquadSpec { planner: choice, ..SquadSpec::new(army, unit, at) });
            muster.map(|_| world)
        };
        let cannot = ["jps", "jps-plus", "labels", "hpa", "breadth-first", "theta", "lazy-theta"].contains(planner);
        let expected = format!("the planner {planner} cannot count what slopes cost; choose one that can, as astar");
        let said = |error: Option<WorldError>| error.map(|error| error.to_string());
        assert_eq!(said(muster(ridge(5)).err()), cannot.then_some(expected.clone()));
        // A hill that rises later.
        let mut world = muster(ridge(0)).unwrap();
        let cell = world.grid().lattice().cell(9, 9);
        world.edit(&[Edit::Height(cell, 70)]).unwrap();
        assert_eq!(said(world.tick().err()), cannot.then_some(expected));
        assert_eq!(world.grid().height(cell), if cannot { 0 } else { 70 });
        world.tick().unwrap();
    }
}

#[test]
fn a_hill_that_rises_is_gone_round_by_those_who_ask_then() {
    let (from, to) = (Vec2::new(5.5, 20.5), Vec2::new(54.5, 20.5));
    for planner in ["astar", "flow-field"] {
        let (mut world, squad) = march(ridge(0), planner, from, to);
        world.tick().unwrap();
        let high = ridge(60);
        let edits: Vec<Edit> = high.lattice().cells().map(|cell| Edit::Height(cell, high.height(cell))).collect();
        world.edit(&edits).unwrap();
        world.tick().unwrap();
        assert_eq!(**world.grid(), high);
        // The same order alone is no new one.
        world.order(squad, Order::Hold).unwrap();
        world.order(squad, Order::GoTo(to)).unwrap();
        let mut lowest = 0.0_f32;
        while place(&world).distance(to) > 1.0 {
            world.tick().unwrap();
            lowest = lowest.max(place(&world).y);
            assert!(world.ticks() < 2000, "{planner}");
        }
        assert!(lowest > 29.0, "{planner}: down to row {lowest}");
    }
}

/// Writes a grey image of 8 bits, four times as wide as high.
fn grey(file: &Path, pixels: &[u8]) {
    let height = (pixels.len() as f32 / 4.0).sqrt() as u32;
    let mut encoder = png::Encoder::new(std::fs::File::create(file).unwrap(), 4 * height, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(pixels).unwrap();
}

#[test]
fn scenarios_read_heights_from_an_image() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    std::fs::write(at("a.map"), "type octile\nheight 1\nwidth 4\nmap\n....\n").unwrap();
    grey(&at("hills.png"), &[0, 51, 254, 255]);
    grey(&at("large.png"), &[0; 16]);
    std::fs::write(at("text.png"), "hills").unwrap();
    let load = |keys: &str| {
        let text = format!(
            "map = \"a.map\"\n{keys}\n[[army]]\nname = \"red\"\nsquad = [{{ count = 1, position = [1.5, 0.5] }}]\n"
        );
        std::fs::write(at("s.toml"), text).unwrap();
        match Scenario::load(at("s.toml")) {
            Ok((scenario, _)) => Ok(scenario.grid),
            Err(error) => Err(error.to_string().replace(&format!("{}/", folder.path().display()), "")),
        }
    };
    let heights = |keys| {
        let grid = load(keys).unwrap();
        grid.lattice().cells().map(|cell| grid.height(cell)).collect::<Vec<_>>()
    };
    assert_eq!(heights("height = \"hills.png\""), [0, 200, 996, 1000]);
    assert_eq!(heights("height = \"hills.png\"\nheight_scale = 0.5\ncell_size = 2"), [0, 10, 50, 50]);
    assert!(load("").unwrap().height_layer().is_none());
    let wrong = |keys| load(keys).unwrap_err();
    assert_eq!(
        wrong("height = \"large.png\""),
        "s.toml:2:10: heights large.png: the image is 8 x 2 pixels, the map 4 x 1 cells; heights need one pixel a cell"
    );
    assert_eq!(
        wrong("height = \"text.png\""),
        "s.toml:2:10: heights text.png: this is no PNG image, it looks like text; convert it to PNG"
    );
    assert_eq!(wrong("height = \"none.png\""), "s.toml:2:10: heights none.png: no such file; check the path");
    assert_eq!(
        wrong("height = \"hills.png\"\nheight_scale = 700"),
        "s.toml:3:16: height_scale must be between 0.01 and 655.35 (m), found 700"
    );
    assert_eq!(wrong("height_scale = 7"), "s.toml:2:16: the key \"height\" is missing");
}

#[test]
fn generated_hills_survive_their_files() {
    let hills = generate(Kind::Hills, 120, 96, 5).unwrap();
    let high = hills.height_layer().unwrap().cells.iter().copied().max().unwrap();
    assert!((500..1400).contains(&high), "{high} cm");
    let folder = tempfile::tempdir().unwrap();
    hills.save_map(folder.path().join("a.map")).unwrap();
    let white = hills.save_heights(folder.path().join("a.png")).unwrap();
    let mut again = Grid::load(folder.path().join("a.map")).unwrap();
    assert_ne!(again, hills);
    again.load_heights(folder.path().join("a.png"), white).unwrap();
    assert_eq!(again, hills);
}
