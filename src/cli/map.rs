//! `throng map`: properties of a map, and new ones.

use super::file_kind::{self, Wanted};
use super::numbers::whole;
use super::output::{JsonArgs, check_file, check_not_read, grouped, result, say, tell};
use super::progress::busy;
use super::{CliError, Ended, pair};
use clap::{Args, Subcommand};
use serde::Serialize;
use serde_json::json;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use throng::grid::generate::{Kind, generate};
use throng::grid::{Colours, Grid, Lattice, MapFile, MapFormat, MapOptions, Polygons, Survey};

/// The radius of the body whose regions are counted (m).
const BODY: f32 = 0.4;

#[derive(Subcommand, Debug)]
pub(super) enum MapCommand {
    /// Say what a map is like
    #[command(after_help = "\
Examples:
  throng map info maps/town.map
  throng map info maps/keep.tmx
  throng map info plan-of-my-house.png --colours meanings.toml
  throng map info plan-of-my-house.wkt --cell-size 0.2")]
    Info(InfoArgs),
    /// Make a map from a seed
    #[command(after_help = "\
The same kind, size and seed give the same map everywhere. The heights of hills go into a grey image beside the map.

Examples:
  throng map new caverns --size 256x256 --seed 7 --out my.map
  throng map new town --size 512x384 --out my.png")]
    New(NewArgs),
    /// Make a file of another kind of a map
    #[command(after_help = "\
The ending of OUT says what is written: .map (Moving AI), .txt or .ascii (with a legend and all there is), .tmx or .tmj \
(for the Tiled editor, with all there is), .geojson, .wkt (the open ground as polygons), .png. One line says what OUT \
cannot hold of IN, for each such thing. docs/maps.md describes the formats.

Examples:
  throng map convert maps/town.map my.png
  throng map convert maps/town.map my.tmx
  throng map convert plan-of-my-house.geojson my.txt --cell-size 0.25
  throng map convert plan-of-my-house.wkt my.map --polygons obstacles
  throng map convert drawing-of-my-house.png my.tmx --colours meanings.toml")]
    Convert(ConvertArgs),
    /// Say whether files can be read as maps
    #[command(after_help = "\
Exit code 1 where one cannot be read, or has no open cell; a line says what is wrong with it.

Examples:
  throng map check maps/town.map
  throng map check maps/town.map maps/field.map
  throng map check plan-of-my-house.geojson --project --level 1")]
    Check(CheckArgs),
}

#[derive(Args, Debug)]
pub(super) struct InfoArgs {
    /// A map: Moving AI .map, ASCII .txt, Tiled .tmx or .tmj, a floor plan (.wkt, .geojson), or an image with dark walls
    /// (brightness below 128 of 255)
    file: PathBuf,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: JsonArgs,
}

/// How maps are read.
#[derive(Args, Debug)]
pub(super) struct Reading {
    /// Side of a cell, 0.001 to 1000; where it is not given, as the file says, else 1, and 0.25 of a floor plan
    #[arg(long, value_name = "METRES", value_parser = metres)]
    cell_size: Option<f32>,
    /// Meaning of the polygons of a floor plan: walkable (all around is wall) or obstacles; where it is not given,
    /// walkable in .wkt, and in .geojson obstacles that do not say "walkable": true
    #[arg(long, value_name = "KIND", value_parser = Polygons::from_str)]
    polygons: Option<Polygons>,
    /// Degrees of longitude and latitude of a floor plan become metres around its middle; --project=false takes all numbers as
    /// metres, whatever the file says [default: degrees are an error]
    #[arg(long, value_name = "BOOL", num_args = 0..=1, require_equals = true, default_missing_value = "true")]
    project: Option<bool>,
    /// The features of this level alone, of a .geojson floor plan with the property "level", and those without a level
    #[arg(long, value_name = "LEVEL", allow_hyphen_values = true)]
    level: Option<String>,
    /// Width of walls that are drawn as lines in a floor plan and do not say theirs, 0.001 to 1000 [default: 0.2]
    #[arg(long, value_name = "METRES", value_parser = metres)]
    wall_width: Option<f32>,
    /// A table of the meanings of the colours of an image, in TOML
    #[arg(long, value_name = "FILE")]
    colours: Option<PathBuf>,
}

impl Reading {
    pub(super) fn options(&self) -> Result<MapOptions, CliError> {
        self.colours.iter().try_for_each(|table| file_kind::check(table, Wanted::Colours))?;
        let colours = self.colours.as_ref().map(Colours::load).transpose()?;
        let &Self { cell_size, polygons, project, wall_width, .. } = self;
        Ok(MapOptions { cell_size, polygons, project, level: self.level.clone(), wall_width, colours })
    }
}

fn metres(text: &str) -> Result<f32, String> {
    let metres = text.parse().ok().filter(|metres| (0.001..=1000.0).contains(metres));
    metres.ok_or_else(|| "expected a number of metres from 0.001 to 1000".to_owned())
}

#[derive(Args, Debug)]
pub(super) struct NewArgs {
    /// Kind of place: fortress, town, caverns, field, maze, rooms or hills
    #[arg(value_parser = kind)]
    kind: Kind,
    /// Columns and rows
    #[arg(long, value_name = "WxH", default_value = "512x512", value_parser = size)]
    size: (u32, u32),
    /// Seed of everything random
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    /// Where to write it: a Moving AI .map, an image where the name ends in .png, text with .txt, and as convert does
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

#[derive(Args, Debug)]
pub(super) struct ConvertArgs {
    /// The map to read, of any kind
    #[arg(value_name = "IN")]
    file: PathBuf,
    /// The file to write: .map, .txt, .ascii, .tmx, .tmj, .geojson, .wkt or .png
    out: PathBuf,
    #[command(flatten)]
    reading: Reading,
}

#[derive(Args, Debug)]
pub(super) struct CheckArgs {
    /// Maps of any kind
    #[arg(value_name = "FILE", required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    reading: Reading,
    #[command(flatten)]
    json: JsonArgs,
}

fn kind(text: &str) -> Result<Kind, String> {
    text.parse()
        .map_err(|_| format!("unknown kind of map {text:?}; known are {}", Kind::ALL.map(Kind::name).join(", ")))
}

fn size(text: &str) -> Result<(u32, u32), String> {
    pair(text, 'x', "columns x rows, as in 512x384")
}

pub(super) fn map(command: &MapCommand) -> Result<Ended, CliError> {
    match command {
        MapCommand::Info(args) => info(args),
        MapCommand::New(args) => new(args),
        MapCommand::Convert(args) => convert(args),
        MapCommand::Check(args) => check(args),
    }
}

/// Reads a map, and tells of what its reader left out.
pub(super) fn read(file: &Path, options: &MapOptions) -> Result<MapFile, CliError> {
    file_kind::check(file, Wanted::Map)?;
    let map = busy("reading the map", || MapFile::load(file, options))?;
    map.warnings.iter().for_each(|warning| tell("warning", &warning.to_string()));
    Ok(map)
}

fn info(args: &InfoArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let options = args.reading.options()?;
    let MapFile { grid, areas, links, .. } = read(&args.file, &options)?;
    let survey = busy("measuring the map", || Survey::of(&grid, BODY));
    let lattice = grid.lattice();
    let (cells, open) = (u64::from(lattice.width) * u64::from(lattice.height), survey.open);
    let percent = |part: u64, whole: u64| if whole == 0 { 0.0 } else { 100.0 * part as f64 / whole as f64 };
    say(&format!("map        {}", args.file.display()));
    say(&format!("size       {} x {} cells, {} in all", lattice.width, lattice.height, grouped(cells)));
    say(&format!("cell       {} m", lattice.cell_size));
    say(&format!("open       {} cells, {:.1} %", grouped(open), percent(open, cells)));
    let Survey { regions, largest, .. } = survey;
    say(&format!("regions    {regions}, the largest has {:.1} % of the open cells", percent(largest, open)));
    let widest = survey.widest.map(|(cell, clearance)| (lattice.column_row(cell), clearance));
    if let Some(((x, y), clearance)) = widest {
        say(&format!("clearance  at most {clearance:.1} m to the nearest wall, at cell {x},{y}"));
    }
    for (class, &count) in survey.terrain.iter().enumerate().skip(1).filter(|&(_, &count)| count > 0) {
        say(&format!(
            "terrain    class {class}: {} cells, {:.1} % of the open ones",
            grouped(count),
            percent(count, open)
        ));
    }
    if let Some((low, high)) = survey.heights {
        say(&format!("heights    {} to {} m", f32::from(low) / 100.0, f32::from(high) / 100.0));
    }
    for area in &areas {
        let (least, most) = area.bounds();
        say(&format!("area       {:?}, {:.1},{:.1} to {:.1},{:.1} m", area.name, least.x, least.y, most.x, most.y));
    }
    for link in &links {
        let (ways, shut) = (if link.both_ways { "and back, " } else { "" }, if link.is_open { "" } else { ", shut" });
        let ([x, y], [to_x, to_y], name) = (link.from.to_array(), link.to.to_array(), &link.name);
        say(&format!("link       {name:?}, {x:.1},{y:.1} to {to_x:.1},{to_y:.1} m, {ways}{} s{shut}", link.seconds));
    }
    result(&Info {
        map: &args.file,
        width: lattice.width,
        height: lattice.height,
        cell_size: lattice.cell_size,
        open,
        regions,
        largest_region: largest,
        areas: areas.iter().map(|area| &*area.name).collect(),
        links: links.len(),
        clearance: widest.map(|(_, clearance)| clearance),
        widest_at: widest.map(|((x, y), _)| [x, y]),
    });
    Ok(Ended::Well)
}

/// The report of a map for programs. Not by `json!`, which makes 0.20000000298023224 of an `f32` of 0.2.
#[derive(Serialize)]
struct Info<'a> {
    map: &'a Path,
    width: u32,
    height: u32,
    /// (m)
    cell_size: f32,
    /// Open cells.
    open: u64,
    regions: u64,
    /// Cells of the largest one.
    largest_region: u64,
    areas: Vec<&'a str>,
    links: usize,
    /// From the middle of the cell that is furthest from all walls to the nearest of them (m).
    clearance: Option<f32>,
    widest_at: Option<[u32; 2]>,
}

fn new(args: &NewArgs) -> Result<Ended, CliError> {
    check_file(&args.out, "--out")?;
    let (width, height) = args.size;
    let grid = busy("making the map", || generate(args.kind, width, height, args.seed))?;
    let format = MapFormat::of(&args.out).unwrap_or(MapFormat::MovingAi);
    format.save(&grid, &[], &[], &args.out)?;
    say(&format!("wrote {}: {}, {width} x {height} cells, seed {}", args.out.display(), args.kind, args.seed));
    if grid.height_layer().is_some() && !format.holds_heights() {
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
    let format = MapFormat::of(out).ok_or_else(|| CliError::Target { file: out.clone() })?;
    check_not_read(out, "OUT", &[file])?;
    check_file(out, "OUT")?;
    let options = args.reading.options()?;
    let MapFile { grid, areas, links, .. } = read(file, &options)?;
    busy("writing the map", || format.save(&grid, &areas, &links, out))?;
    for loss in format.losses(&grid, &areas, &links) {
        tell("warning", &format!("{} cannot hold {loss}", out.display()));
    }
    let lattice = grid.lattice();
    say(&format!("wrote {}: {} x {} cells", out.display(), lattice.width, lattice.height));
    Ok(Ended::Well)
}

/// An error for a map on which nobody can stand.
fn closed(file: &Path, grid: &Grid) -> String {
    let Lattice { width, height, cell_size, .. } = grid.lattice();
    format!(
        "{}: none of its {width} x {height} cells of {cell_size} m is open; for a floor plan try --polygons or a smaller --cell-size",
        file.display()
    )
}

fn check(args: &CheckArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let options = args.reading.options()?;
    let (mut ended, mut all) = (Ended::Well, Vec::new());
    for file in &args.files {
        match read(file, &options) {
            Ok(MapFile { grid, .. }) if grid.open_cells() == 0 => {
                let error = closed(file, &grid);
                tell("error", &error);
                all.push(json!({ "map": file, "ok": false, "error": error }));
                ended = Ended::Broken;
            }
            Ok(MapFile { grid, warnings, .. }) => {
                let (lattice, open) = (grid.lattice(), grouped(grid.open_cells().into()));
                let mut about = json!({ "map": file, "ok": true });
                if !warnings.is_empty() {
                    about["warnings"] = warnings.iter().map(ToString::to_string).collect();
                }
                all.push(about);
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
    Ok(ended)
}
