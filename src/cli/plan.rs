//! `throng plan`: one route.

use super::output::{check_file, check_not_read, grouped, say};
use super::{CliError, Ended, pair};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;
use throng::grid::{Cell, Grid, Ground};
use throng::plan::{Path, PlannerChoice, Query, Scratch, Status, plan as search};
use throng::record::{Picture, palette};

/// Longest side (pixels) of the picture.
const SIDE: u32 = 1024;

#[derive(Args, Debug)]
#[command(after_help = "\
Cells are counted from 0 in the upper left corner: column, then row. A straight step costs 2378,
a diagonal one 3363. The picture shows the route and the cells that the search has expanded; of hpa,
flow-field and the planners of other crates the route alone.

Planners:
  dijkstra, astar[:ESTIMATE], weighted-astar[:W1,W2], ara[:W,W,...], hpa[:CLUSTER,LEVELS],
  bidirectional, fringe, breadth-first, greedy, theta, lazy-theta, jps, jps-plus, flow-field
  of other crates: pathfinding-astar, pathfinding-dijkstra, pathfinding-fringe,
  petgraph-astar, petgraph-dijkstra
ESTIMATE is octile, manhattan, euclidean or zero. W1 and W2 are the weights of the cost so far and of
the estimate, W,W,... falling weights of at least 1, as in ara:3,2,1. docs/scenarios.md tells of all.

Examples:
  throng plan maps/town.map --from 20,20 --to 480,480
  throng plan maps/town.map --from 20,20 --to 480,480 --planner weighted-astar:1,1.5 --png route.png
  throng plan maps/fortress.map --from 0,0 --to 256,256 --nearest")]
pub(super) struct PlanArgs {
    /// A map: Moving AI .map, or .png with dark walls (brightness below 128 of 255)
    map: PathBuf,
    /// Cell of the start
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    from: (u32, u32),
    /// Cell of the goal
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true)]
    to: (u32, u32),
    /// How to look for the route
    #[arg(long, value_name = "NAME", default_value = "astar")]
    planner: PlannerChoice,
    /// Draw the search and the route
    #[arg(long, value_name = "FILE")]
    png: Option<PathBuf>,
    /// Where the start or the goal is in a wall, take the nearest open cell
    #[arg(long)]
    nearest: bool,
}

pub(super) fn cell(text: &str) -> Result<(u32, u32), String> {
    pair(text, ',', "a column and a row, whole numbers from 0, as in 20,31")
}

pub(super) fn plan(args: &PlanArgs) -> Result<Ended, CliError> {
    if let Some(file) = &args.png {
        check_file(file, "--png")?;
        check_not_read(file, "--png", &[&args.map])?;
    }
    let ground = Arc::new(Ground::new(Arc::new(Grid::load(&args.map)?), 0.4)?);
    let lattice = ground.lattice();
    let from = resolve(&ground, "--from", args.from, args.nearest)?;
    let to = resolve(&ground, "--to", args.to, args.nearest)?;

    let (planner, query) = (args.planner.build(&ground)?, Query::new(from, to));
    let (mut scratch, mut path) = (Scratch::default(), Path::default());
    let begin = Instant::now();
    let outcome = search(planner.as_ref(), &ground, &query, &mut scratch, &mut path)?;
    let time = begin.elapsed();
    if outcome.status != Status::Found {
        return Err(CliError::NoRoute);
    }

    let text = |cell: Cell| {
        let (x, y) = lattice.column_row(cell);
        format!("{x},{y}")
    };
    say(&format!("map       {}, {} x {} cells", args.map.display(), lattice.width, lattice.height));
    say(&format!("planner   {}", args.planner));
    say(&format!("from, to  {} to {}", text(from), text(to)));
    say(&format!("cost      {}", grouped(outcome.cost)));
    if outcome.bound.is_infinite() {
        say("bound     none");
    } else if outcome.bound > 1.0 {
        say(&format!("bound     at most {} times the least cost", bound(outcome.bound)));
    }
    say(&format!("length    {:.3}", path.length(lattice)));
    say(&format!("cells     {}", grouped(path.cells.len() as u64)));
    say(&format!("expanded  {}", grouped(outcome.expanded)));
    say(&format!("time      {} microseconds", grouped(time.as_micros() as u64)));
    if let Some(file) = &args.png {
        draw(&ground, &scratch, &path, from, to).write_png(file)?;
        say(&format!("picture   {}", file.display()));
    }
    Ok(Ended::Well)
}

/// Four digits after the point, rounded up, as a bound must be; none that say nothing.
fn bound(factor: f64) -> f64 {
    (factor * 1e4 - 1e-6).ceil() / 1e4
}

pub(super) fn resolve(
    ground: &Ground,
    option: &'static str,
    (x, y): (u32, u32),
    nearest: bool,
) -> Result<Cell, CliError> {
    let lattice = ground.lattice();
    let cell = lattice.checked_cell(x.into(), y.into()).ok_or(CliError::OffMap {
        option,
        x,
        y,
        width: lattice.width,
        height: lattice.height,
    })?;
    match (ground.is_passable(cell), nearest) {
        (true, _) => Ok(cell),
        (false, true) => ground.nearest_passable(lattice.centre(cell)).ok_or(CliError::NothingOpen),
        (false, false) => Err(CliError::InWall { option, x, y }),
    }
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
