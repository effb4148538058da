//! `throng map`: what a map is like, and new ones.

use super::output::{check_file, grouped, say};
use super::run::whole;
use super::{CliError, Ended, pair};
use clap::{Args, Subcommand};
use std::path::PathBuf;
use std::sync::Arc;
use throng::grid::clearance::clearance;
use throng::grid::generate::{Kind, generate};
use throng::grid::{Grid, Ground};

#[derive(Subcommand, Debug)]
pub(super) enum MapCommand {
    /// Say what a map is like
    #[command(after_help = "\
Examples:
  throng map info maps/town.map
  throng map info plan-of-my-house.png")]
    Info(InfoArgs),
    /// Make a map from a seed
    #[command(after_help = "\
Kinds: fortress, town, caverns, field, maze, rooms, hills. The same kind, size and
seed give the same map everywhere. The heights of hills go into a grey image beside
the map.

Examples:
  throng map new caverns --size 256x256 --seed 7 --out my.map
  throng map new town --size 512x384 --out my.png")]
    New(NewArgs),
}

#[derive(Args, Debug)]
pub(super) struct InfoArgs {
    /// A map: Moving AI .map, or .png with dark walls (brightness below 128 of 255)
    file: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct NewArgs {
    /// What sort of place: fortress, town, caverns, field, maze, rooms or hills
    kind: Kind,
    /// Columns and rows
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = size)]
    size: (u32, u32),
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Where to write it: a Moving AI .map, or an image where the name ends in .png
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

fn size(text: &str) -> Result<(u32, u32), String> {
    pair(text, 'x', "columns x rows, as in 512x384")
}

pub(super) fn map(command: &MapCommand) -> Result<Ended, CliError> {
    match command {
        MapCommand::Info(args) => info(args),
        MapCommand::New(args) => new(args),
    }
}

fn info(args: &InfoArgs) -> Result<Ended, CliError> {
    let grid = Arc::new(Grid::load(&args.file)?);
    let lattice = grid.lattice();
    let (cells, open) = (u64::from(lattice.width) * u64::from(lattice.height), u64::from(grid.open_cells()));
    let percent = |part: u64, whole: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    say(&format!("map        {}", args.file.display()));
    say(&format!("size       {} x {} cells, {} in all", lattice.width, lattice.height, grouped(cells)));
    say(&format!("open       {} cells, {:.1} %", grouped(open), percent(open, cells)));
    let ground = Ground::new(Arc::clone(&grid), 0.4)?;
    let mut sizes = vec![0_u64; ground.region_count() as usize + 1];
    lattice.cells().for_each(|cell| sizes[ground.region(cell) as usize] += 1);
    let largest = sizes[1..].iter().copied().max().unwrap_or(0);
    say(&format!("regions    {}, the largest has {:.1} % of the open cells", sizes.len() - 1, percent(largest, open)));
    let clearance = clearance(&grid);
    let widest = lattice.cells().max_by(|&a, &b| clearance[a].total_cmp(&clearance[b]).then(b.cmp(&a)));
    if let Some(cell) = widest.filter(|_| open > 0) {
        let (x, y) = lattice.column_row(cell);
        say(&format!("clearance  at most {:.1} cells to the nearest wall, at {x},{y}", clearance[cell]));
    }
    Ok(Ended::Well)
}

fn new(args: &NewArgs) -> Result<Ended, CliError> {
    check_file(&args.out, "--out")?;
    let (width, height) = args.size;
    let grid = generate(args.kind, width, height, args.seed)?;
    if args.out.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
        grid.save_png(&args.out)?;
    } else {
        grid.save_map(&args.out)?;
    }
    say(&format!("wrote {}: {}, {width} x {height} cells, seed {}", args.out.display(), args.kind, args.seed));
    if grid.height_layer().is_some() {
        let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
        let heights = args.out.with_file_name(format!("{name}-heights.png"));
        let white = grid.save_heights(&heights)?;
        let key = heights.file_name().unwrap_or_default().to_string_lossy();
        say(&format!("wrote {}: in a scenario, height = {key:?}, height_scale = {white}", heights.display()));
    }
    Ok(Ended::Well)
}
