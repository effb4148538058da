//! `throng plan`: one route.

use super::numbers::number;
use super::output::{JsonArgs, check_file, check_not_read, grouped, result, say};
use super::plan_graph::GraphArgs;
use super::progress::busy;
use super::unit::UnitArgs;
use super::{CliError, Ended, pair, plan_graph};
use clap::error::{Error, ErrorKind};
use clap::{Args, CommandFactory};
use serde_json::json;
use std::path::PathBuf;
use std::time::Instant;
use throng::geom::Vec2;
use throng::grid::{Cell, Cost, Ground, Lattice};
use throng::plan::{Goal, Path, PlannerChoice, Query, Scratch, Smoother, Status, plan as search};
use throng::record::{Picture, palette};

/// Longest side (pixels) of the picture.
const SIDE: u32 = 1024;

#[derive(Args, Debug)]
#[command(after_help = "\
Cells are counted from 0 in the upper left corner: column, then row. With decimals, as in 20.5,31.0, X and Y are a point in metres, \
and the cell is the one around it. A straight step costs 2378, a diagonal one 3363. \
The picture shows the route and the cells that the search has expanded; of hpa, labels, flow-field and the planners of \
other crates the route alone.

Planners: dijkstra, astar[:ESTIMATE], weighted-astar[:W1,W2], ara[:W,W,...], hpa[:CLUSTER,LEVELS], bidirectional, fringe, \
breadth-first, greedy, theta, lazy-theta, jps, jps-plus, labels, flow-field; of other crates pathfinding-astar, \
pathfinding-dijkstra, pathfinding-fringe, petgraph-astar, petgraph-dijkstra.

ESTIMATE is octile, manhattan, euclidean or zero. W1 and W2 are the weights of the cost so far and of the estimate, \
W,W,... falling weights of at least 1, as in ara:3,2,1. docs/scenarios.md tells of all. Not all of them can do all that a \
unit may ask for: what one cannot is said.

Of graphs: dijkstra, astar[:ESTIMATE], weighted-astar[:W1,W2], ara[:W,W,...], bidirectional, fringe. With --nodes they estimate by \
straight distance times the least cost of an edge per unit of length, so that what is exact on a map is exact here.

Examples:
  throng plan maps/town.map --from 20,20 --to 480,480
  throng plan maps/town.map --from 20,20 --to 480,480 --to 30,400 --to 500,20
  throng plan maps/town.map --from 20,20 --to 480,480 --within 12
  throng plan --graph examples/roads.csv --nodes examples/places.csv --from harbour --to farm --planner fringe
  throng plan maps/town.map --from 20,20 --to 480,480 --png route.png
  throng plan maps/town.map --from 20,20 --to 480,480 --planner ara:3,2,1
  throng plan maps/fortress.map --from 0,0 --to 256,256 --nearest
  throng plan maps/town.map --from 20,20 --to 480,480 --radius 1.5 --smooth
  throng plan maps/town.map --from 20,20 --to 480,480 --terrain 1,3
  throng plan maps/town.map --from 20,20 --to 480,480 --link 40,40:440,440:25
  throng plan maps/town.map --from 20,20 --to 480,480 --json")]
pub(super) struct PlanArgs {
    /// A map: Moving AI .map, .png with dark walls (brightness below 128 of 255), or any other that docs/maps.md tells of
    #[arg(required_unless_present = "graph", conflicts_with = "graph")]
    map: Option<PathBuf>,
    /// Cell of the start (20,31), point in metres (20.5,31.0), or node of a graph
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    from: String,
    /// Cell of the goal, point in metres, or node of a graph. Given several times, the cheapest of these goals is taken
    #[arg(long, value_name = "X,Y", required = true, allow_hyphen_values = true)]
    to: Vec<String>,
    /// End on any open cell whose middle is at most this far from that of --to (m)
    #[arg(long, value_name = "M", conflicts_with = "nearest",
        value_parser = |text: &str| number(text, 0.0, 1e6), allow_negative_numbers = true)]
    within: Option<f32>,
    /// How to look for the route
    #[arg(long, value_name = "NAME", default_value = "astar")]
    planner: PlannerChoice,
    /// Draw the search and the route
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Where the start or the goal is in a wall, take the nearest open cell; of the goal the nearest that can be reached,
    /// where the planner can look for that
    #[arg(long)]
    nearest: bool,
    /// Pull the route straight: from turn to turn at any angle
    #[arg(long)]
    smooth: bool,
    #[command(flatten)]
    unit: UnitArgs,
    #[command(flatten)]
    reading: super::map::Reading,
    #[command(flatten)]
    graph: GraphArgs,
    #[command(flatten)]
    json: JsonArgs,
}

/// A route before it is smoothed.
struct Found {
    cost: Cost,
    length: f64,
    cells: usize,
}

pub(super) fn cell(text: &str) -> Result<(u32, u32), String> {
    pair(text, ',', "a column and a row, whole numbers from 0, as in 20,31")
}

/// The cell of an option: a column and a row, or the cell around a point (m).
fn cell_of(option: &'static str, text: &str, lattice: Lattice) -> Result<(u32, u32), CliError> {
    let wrong = |expected| wrong_arguments(&format!("invalid value '{text}' for '{option} <X,Y>': {expected}"));
    if !text.contains('.') {
        return cell(text).map_err(wrong);
    }
    let numbers = text.split_once(',').and_then(|(x, y)| Some((x.trim().parse().ok()?, y.trim().parse().ok()?)));
    let (x, y) = numbers.ok_or_else(|| wrong("expected a point in metres, as in 20.5,31.0".to_owned()))?;
    let point = Vec2::new(x, y);
    if lattice.covers(point) {
        return Ok(lattice.column_row(lattice.at(point)));
    }
    let size = lattice.size();
    Err(wrong(format!("the map is {} m wide and {} m high", size.x, size.y)))
}

fn wrong_arguments(message: &str) -> CliError {
    let error = Error::raw(ErrorKind::ValueValidation, format!("{message}\n"));
    CliError::Arguments(error.with_cmd(&super::Cli::command()))
}

pub(super) fn plan(args: &PlanArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let map = match (&args.graph.graph, &args.map, &args.to[..]) {
        (Some(graph), _, [to]) => return plan_graph::plan(graph, &args.graph, (&args.from, to), &args.planner),
        (Some(_), ..) => return Err(wrong_arguments("'--graph <FILE>' takes one '--to <X,Y>'")),
        (None, Some(map), _) => map,
        (None, None, _) => return Err(wrong_arguments("give a map, or '--graph <FILE>'")),
    };
    if let Some(file) = &args.png {
        check_file(file, "--png")?;
        check_not_read(file, "--png", &[map])?;
    }
    let grid = super::map::read(map, &args.reading.options()?)?.grid;
    let from = cell_of("--from", &args.from, grid.lattice())?;
    let to = args.to.iter().map(|to| cell_of("--to", to, grid.lattice())).collect::<Result<Vec<_>, _>>()?;
    let ground = busy("measuring the ground", || args.unit.ground(grid))?;
    let lattice = ground.lattice();
    let from = resolve(&ground, "--from", from, args.nearest)?;
    let planner = busy("making the planner's tables", || args.planner.build(&ground))?;
    let goal = match (&to[..], args.within) {
        (&[to], Some(distance)) => Goal::Within { centre: lattice.centre(on_map(&ground, "--to", to)?), distance },
        (_, Some(_)) => return Err(wrong_arguments("'--within <M>' takes one '--to <X,Y>'")),
        (&[to], None) => Goal::Cell(reached(&ground, from, to, args.nearest)?),
        (several, None) => {
            let cells = several.iter().map(|&to| reached(&ground, from, to, args.nearest));
            Goal::AnyOf(cells.collect::<Result<_, _>>()?)
        }
    };
    let query = Query { goal, ..Query::new(from, from) };
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let begin = Instant::now();
    let outcome = busy("looking for the route", || search(planner.as_ref(), &ground, &query, &mut scratch, &mut path))?;
    let time = begin.elapsed();
    let Some(&end) = path.cells.last().filter(|_| outcome.status == Status::Found) else {
        return Err(CliError::NoRoute);
    };
    let found = Found { cost: outcome.cost, length: path.length(lattice), cells: path.cells.len() };
    let cost = if args.smooth { Smoother::default().smooth(&ground, 0.0, &mut path) } else { outcome.cost };

    let text = |cell: Cell| {
        let (x, y) = lattice.column_row(cell);
        format!("{x},{y}")
    };
    say(&format!("map       {}, {} x {} cells", map.display(), lattice.width, lattice.height));
    say(&format!("planner   {}", args.planner));
    if let Some(remark) = planner.remark() {
        say(&format!("          {remark}"));
    }
    let short_of = match (&query.goal, args.within) {
        (Goal::Cell(_), _) if to[0] != lattice.column_row(end) => format!(", the nearest to {},{}", to[0].0, to[0].1),
        (Goal::AnyOf(goals), _) => format!(", the cheapest of {} goals", goals.len()),
        (_, Some(distance)) => format!(", within {distance} m of {}", args.to.join(" ")),
        _ => String::new(),
    };
    say(&format!("from, to  {} to {}{short_of}", text(from), text(end)));
    say(&format!("cost      {}", grouped(cost)));
    say_bound(outcome.bound);
    say(&format!("length    {:.3}", path.length(lattice)));
    say(&format!("cells     {}", grouped(path.cells.len() as u64)));
    if args.smooth {
        let Found { cost, length, cells } = found;
        say(&format!("smoothed  from cost {}, length {length:.3}, {} cells", grouped(cost), grouped(cells as u64)));
    }
    say(&format!("expanded  {}", grouped(outcome.expanded)));
    say(&format!("time      {} microseconds", grouped(time.as_micros() as u64)));
    if let Some(file) = &args.png {
        draw(&ground, &scratch, &path, from, end).write_png(file)?;
        say(&format!("picture   {}", file.display()));
    }
    let place = |cell: Cell| <[u32; 2]>::from(lattice.column_row(cell));
    result(&json!({
        "map": map,
        "planner": args.planner.to_string(),
        "from": place(from),
        "to": place(end),
        "cost": cost,
        "bound": outcome.bound.is_finite().then_some(outcome.bound),
        "length": path.length(lattice),
        "cells": path.cells.iter().map(|&cell| place(cell)).collect::<Vec<_>>(),
        "expanded": outcome.expanded,
        "time_us": time.as_secs_f64() * 1e6,
        "picture": args.png,
    }));
    Ok(Ended::Well)
}

/// Says by how much a route may cost more than the cheapest, where it may.
pub(super) fn say_bound(factor: f64) {
    if factor.is_infinite() {
        say("bound     none");
    } else if factor > 1.0 {
        say(&format!("bound     at most {} times the least cost", bound(factor)));
    }
}

/// Four digits after the point, rounded up, as a bound must be; none that say nothing.
pub(super) fn bound(factor: f64) -> f64 {
    (factor * 1e4 - 1e-6).ceil() / 1e4
}

/// The cell of these columns and rows.
pub(super) fn on_map(ground: &Ground, option: &'static str, (x, y): (u32, u32)) -> Result<Cell, CliError> {
    let lattice = ground.lattice();
    let (width, height) = (lattice.width, lattice.height);
    lattice.checked_cell(x.into(), y.into()).ok_or(CliError::OffMap { option, x, y, width, height })
}

/// The same, where the unit can stand on it, or the nearest on which it can.
pub(super) fn resolve(
    ground: &Ground,
    option: &'static str,
    (x, y): (u32, u32),
    nearest: bool,
) -> Result<Cell, CliError> {
    let cell = on_map(ground, option, (x, y))?;
    let grid = ground.grid();
    if ground.is_passable(cell) {
        Ok(cell)
    } else if nearest {
        let nothing = if grid.open_cells() == 0 { CliError::NothingOpen } else { CliError::NothingFit };
        ground.nearest_passable(ground.lattice().centre(cell)).ok_or(nothing)
    } else if !grid.is_open(cell) {
        Err(CliError::InWall { option, x, y })
    } else {
        let narrow = grid.clearance()[cell] < ground.radius();
        let why = if narrow { "too near to a wall for this radius" } else { "of terrain closed to this unit" };
        Err(CliError::Unfit { option, x, y, why })
    }
}

/// A goal: as [`resolve`], but the nearest cell is one that can be reached from the start, for every planner.
fn reached(ground: &Ground, from: Cell, to: (u32, u32), nearest: bool) -> Result<Cell, CliError> {
    let lattice = ground.lattice();
    let wanted = lattice.centre(on_map(ground, "--to", to)?);
    let near = nearest.then(|| ground.nearest_reached(lattice.centre(from), wanted)).flatten();
    near.map_or_else(|| resolve(ground, "--to", to, false), Ok)
}

/// The map, the cells that the search has expanded, and the route.
fn draw(ground: &Ground, scratch: &Scratch, path: &Path, from: Cell, to: Cell) -> Picture {
    let lattice = ground.lattice();
    let (mut picture, camera) = Picture::map(ground.grid(), SIDE);
    let expanded = lattice.cells().filter(|&cell| scratch.is_closed(cell));
    picture.draw_cells(camera, lattice, expanded, palette::EXPANDED);
    let points: Vec<_> = path.cells.iter().map(|&cell| lattice.centre(cell)).collect();
    picture.draw_path(camera, &points, palette::PATH);
    picture.draw_mark(camera, lattice.centre(from), palette::START);
    picture.draw_mark(camera, lattice.centre(to), palette::GOAL);
    picture
}
