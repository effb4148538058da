//! `throng map`: what a map is like, and new ones.

use super::output::{JsonArgs, check_file, check_not_read, grouped, result, say, tell};
use super::progress::busy;
use super::run::whole;
use super::{CliError, Ended, pair};
use clap::{Args, Subcommand};
use serde_json::json;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use throng::grid::clearance::clearance;
use throng::grid::generate::{Kind, generate};
use throng::grid::{Grid, Ground, MapError, PLAIN, SWAMP};

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
    /// Make a file of another kind of a map
    #[command(after_help = "\
The ending of OUT says what is written: .map (Moving AI), .txt or .ascii (with a legend
and all there is), .png. One line says what OUT cannot hold of IN, for each such thing.

Examples:
  throng map convert maps/town.map my.png
  throng map convert maps/town.map my.txt")]
    Convert(ConvertArgs),
    /// Say whether files can be read as maps
    #[command(after_help = "\
Exit code 1 where one cannot be read; a line says what is wrong with it.

Examples:
  throng map check maps/town.map
  throng map check maps/town.map maps/field.map")]
    Check(CheckArgs),
}

#[derive(Args, Debug)]
pub(super) struct InfoArgs {
    /// A map: Moving AI .map, ASCII .txt, or an image with dark walls (brightness below 128 of 255)
    file: PathBuf,
    #[command(flatten)]
    json: JsonArgs,
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
    /// Where to write it: a Moving AI .map, an image where the name ends in .png, text with .txt
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// The map to read, of any kind
    #[arg(value_name = "IN")]
    file: PathBuf,
    /// The file to write: .map, .txt, .ascii or .png
    out: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// Maps of any kind
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    json: JsonArgs,
}

/// The kinds of file that are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    MovingAi,
    Ascii,
    Png,
}

impl Target {
    /// By the ending of a name.
    fn of(path: &Path) -> Option<Self> {
        match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
            "map" => Some(Self::MovingAi),
            "txt" | "ascii" => Some(Self::Ascii),
            "png" => Some(Self::Png),
            _ => None,
        }
    }

    fn save(self, grid: &Grid, path: &Path) -> Result<(), MapError> {
        match self {
            Self::MovingAi => grid.save_map(path),
            Self::Ascii => grid.save_ascii(path),
            Self::Png => grid.save_png(path),
        }
    }

    /// What it cannot hold of a map, a line for each thing.
    fn losses(self, grid: &Grid) -> Vec<String> {
        let (lattice, mut losses) = (grid.lattice(), Vec::new());
        if self == Self::Ascii {
            return losses;
        }
        if lattice.cell_size != 1.0 {
            losses.push(format!("cells of {0} m; give cell_size = {0} in the scenario", lattice.cell_size));
        }
        let has_letter = |class: u8| class == PLAIN || self == Self::MovingAi && class == SWAMP;
        let cells = |count: u64| if count == 1 { "1 cell".to_owned() } else { format!("{} cells", grouped(count)) };
        let (mut classes, mut open, mut walls, mut highest) = (BTreeSet::new(), 0, 0, 0);
        for cell in lattice.cells() {
            let class = grid.terrain(cell);
            if !grid.is_open(cell) {
                walls += u64::from(class != PLAIN);
            } else if !has_letter(class) {
                classes.insert(class);
                open += 1;
            }
            highest = highest.max(grid.height(cell));
        }
        if !classes.is_empty() {
            let word = if classes.len() == 1 { "class" } else { "classes" };
            let classes: Vec<String> = classes.iter().map(u8::to_string).collect();
            let classes = classes.join(", ");
            losses.push(format!("terrain of {word} {classes}; it becomes plain ground ({})", cells(open)));
        }
        if walls > 0 {
            losses.push(format!("terrain under walls; it is left out ({})", cells(walls)));
        }
        if highest > 0 {
            losses.push(format!("heights, up to {} m; an ASCII map (.txt) does", f32::from(highest) / 100.0));
        }
        losses
    }
}

fn size(text: &str) -> Result<(u32, u32), String> {
    pair(text, 'x', "columns x rows, as in 512x384")
}

pub(super) fn map(command: &MapCommand) -> Result<Ended, CliError> {
    match command {
        MapCommand::Info(args) => info(args),
        MapCommand::New(args) => new(args),
        MapCommand::Convert(args) => convert(args),
        MapCommand::Check(args) => Ok(check(args)),
    }
}

fn info(args: &InfoArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let grid = Arc::new(busy("reading the map", || Grid::load(&args.file))?);
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
    let widest = widest.filter(|_| open > 0).map(|cell| (lattice.column_row(cell), clearance[cell]));
    if let Some(((x, y), clearance)) = widest {
        say(&format!("clearance  at most {clearance:.1} cells to the nearest wall, at {x},{y}"));
    }
    result(&json!({
        "map": args.file,
        "width": lattice.width,
        "height": lattice.height,
        "cell_size": lattice.cell_size,
        "open": open,
        "regions": sizes.len() - 1,
        "largest_region": largest,
        "clearance": widest.map(|(_, clearance)| clearance),
        "widest_at": widest.map(|((x, y), _)| [x, y]),
    }));
    Ok(Ended::Well)
}

fn new(args: &NewArgs) -> Result<Ended, CliError> {
    check_file(&args.out, "--out")?;
    let (width, height) = args.size;
    let grid = busy("making the map", || generate(args.kind, width, height, args.seed))?;
    let target = Target::of(&args.out).unwrap_or(Target::MovingAi);
    target.save(&grid, &args.out)?;
    say(&format!("wrote {}: {}, {width} x {height} cells, seed {}", args.out.display(), args.kind, args.seed));
    if grid.height_layer().is_some() && target != Target::Ascii {
        let name = args.out.file_stem().unwrap_or_default().to_string_lossy();
        let heights = args.out.with_file_name(format!("{name}-heights.png"));
        let white = grid.save_heights(&heights)?;
        let key = heights.file_name().unwrap_or_default().to_string_lossy();
        say(&format!("wrote {}: in a scenario, height = {key:?}, height_scale = {white}", heights.display()));
    }
    Ok(Ended::Well)
}

fn convert(args: &ConvertArgs) -> Result<Ended, CliError> {
    let (file, out) = (&args.file, &args.out);
    let target = Target::of(out).ok_or_else(|| CliError::Target { file: out.clone() })?;
    check_not_read(out, "OUT", &[file])?;
    check_file(out, "OUT")?;
    let grid = busy("reading the map", || Grid::load(file))?;
    busy("writing the map", || target.save(&grid, out))?;
    for loss in target.losses(&grid) {
        tell("warning", &format!("{} cannot hold {loss}", out.display()));
    }
    let lattice = grid.lattice();
    say(&format!("wrote {}: {} x {} cells", out.display(), lattice.width, lattice.height));
    Ok(Ended::Well)
}

fn check(args: &CheckArgs) -> Ended {
    args.json.speak();
    let (mut ended, mut all) = (Ended::Well, Vec::new());
    for file in &args.files {
        match Grid::load(file) {
            Ok(grid) => {
                let (lattice, open) = (grid.lattice(), grouped(grid.open_cells().into()));
                all.push(json!({ "map": file, "ok": true }));
                let (width, height, side) = (lattice.width, lattice.height, lattice.cell_size);
                say(&format!("{}: ok, {width} x {height} cells of {side} m, {open} of them open", file.display()));
            }
            Err(error) => {
                tell("error", &error.to_string());
                all.push(json!({ "map": file, "ok": false, "error": error.to_string() }));
                ended = Ended::Broken;
            }
        }
    }
    result(&all);
    ended
}
