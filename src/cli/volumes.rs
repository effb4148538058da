//! `throng volumes`: shots at moving bodies of all kinds, tested continuously and by sub-steps.

use super::indices::{List, share, time};
use super::numbers::{number, whole};
use super::output::{JsonArgs, aligned, grouped, result, say};
use super::progress::Progress;
use super::stop::Stop;
use super::volumes_window::{VolumesWindowArgs, show};
use super::{CliError, Ended};
use clap::Args;
use throng::compare::CompareError;
use throng::compare::volumes::{VolumeFigures, measure};
use throng::spatial::volume::{Shape2, Shape3};
use throng::spatial::{Border, Index, IndexKind, Octree, Response, SpatialError, Volley};

#[derive(Args, Debug)]
#[command(after_help = "\
One shape in four is a shot, a fast ball. The others are bodies that drift and turn: balls, boxes, oriented boxes, sphere \
trees and, in space, upright cylinders; every other one is thin. In a step all move along straight ways. A quadtree (in \
space an octree) finds the pairs of a shot and a body whose ways may meet. Each of these pairs is tested in six ways.

The continuous test finds every hit, and when. A test by sub-steps moves the shot by a part of its way at a time and looks \
whether the two overlap there; what it passes between two of these places it misses: the shot tunnels.

Columns: pairs that hit, hits of the continuous test that this one misses (tunnelled) and their share, and the time to test \
a pair (ns, the median of the steps). All but the times depends on the options alone.

In a window, the first of --dimensions is what is shown at first. Where no window can be opened, it says why and measures as \
without --window.

Examples:
  throng volumes
  throng volumes --dimensions 3 --shapes 4000 --speed 60
  throng volumes --window
  throng volumes --window --dimensions 3 --response slide")]
pub(super) struct VolumesArgs {
    /// How many shapes, shots and bodies
    #[arg(long, value_name = "N", default_value_t = 400, value_parser = shapes, allow_negative_numbers = true)]
    shapes: u32,
    /// How many steps; in a window they go on
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = steps, allow_negative_numbers = true)]
    steps: u32,
    /// How far a shot moves in a step (m)
    #[arg(long, value_name = "M", default_value_t = 20.0,
        value_parser = |text: &str| number(text, 0.1, 1000.0), allow_negative_numbers = true)]
    speed: f32,
    /// The plane (2), space (3), or both
    #[arg(long, value_name = "D,...", default_value = "2,3", value_parser = List::<u32>::of(2, 3),
        allow_hyphen_values = true)]
    dimensions: List<u32>,
    /// What a shot does where it hits a body: pass, stop, slide or bounce
    #[arg(long, value_name = "NAME", default_value_t = Response::default())]
    response: Response,
    /// Seed of the shapes
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    json: JsonArgs,
    #[command(flatten)]
    shown: VolumesWindowArgs,
}

fn shapes(text: &str) -> Result<u32, String> {
    within(text, 2, 1_000_000)
}

fn steps(text: &str) -> Result<u32, String> {
    within(text, 1, 100_000)
}

fn within(text: &str, low: u32, high: u32) -> Result<u32, String> {
    let found = text.parse().ok().filter(|number| (low..=high).contains(number));
    found.ok_or_else(|| format!("expected a whole number from {low} to {high}"))
}

pub(super) fn volumes(args: &VolumesArgs) -> Result<Ended, CliError> {
    args.json.speak();
    let shapes = (args.shapes, args.speed, args.seed);
    if args.shown.window && show(args.dimensions.0[0], shapes, args.response, &args.shown)? {
        return Ok(Ended::Well);
    }
    let mut all = Vec::new();
    let stop = Stop::watch("the figures");
    for &dimensions in &args.dimensions.0 {
        if stop.is_asked() {
            break;
        }
        let figures = test(args, dimensions, &stop)?;
        if !all.is_empty() {
            say("");
        }
        say(&caption(args, &figures));
        for line in table(&figures) {
            say(&line);
        }
        all.push(figures);
    }
    stop.tell_rest(&format!("{} steps", grouped(all.iter().map(|figures| u64::from(figures.steps)).sum())));
    result(&all);
    Ok(stop.ended())
}

/// Measures in the plane or in space.
fn test(args: &VolumesArgs, dimensions: u32, stop: &Stop) -> Result<VolumeFigures, CliError> {
    let (shapes, speed, seed) = (args.shapes, args.speed, args.seed);
    let mut progress = Progress::new("steps", args.steps.into());
    let mut told = |done: u32| {
        progress.show(done.into(), String::new);
        stop.goes_on()
    };
    let refused = |index: &str, source: SpatialError| CompareError::Index { index: index.to_owned(), source };
    let found = if dimensions == 2 {
        let mut index = Index::new(IndexKind::Quadtree);
        let volley = Volley::<2, Shape2>::new(shapes, speed, seed)?;
        measure(volley, &mut index, args.steps, args.response, &mut told)
            .map_err(|source| refused("quadtree", source))?
    } else {
        let mut index = Octree::new(Border::Parent);
        let volley = Volley::<3, Shape3>::new(shapes, speed, seed)?;
        measure(volley, &mut index, args.steps, args.response, &mut told).map_err(|source| refused("octree", source))?
    };
    Ok(found)
}

/// What was measured.
fn caption(args: &VolumesArgs, figures: &VolumeFigures) -> String {
    let VolumeFigures { dimensions, shapes, shots, steps, pairs, .. } = figures;
    let place = if *dimensions == 2 { "plane" } else { "space" };
    let counted = |count: u64, one: &str| format!("{} {one}{}", grouped(count), if count == 1 { "" } else { "s" });
    format!(
        "{place}: {}, {} that move {} m a step; {}, {} tested; response {}, seed {}",
        counted(*shapes as u64, "shape"),
        counted(*shots as u64, "shot"),
        args.speed,
        counted(u64::from(*steps), "step"),
        counted(*pairs, "pair"),
        args.response,
        args.seed
    )
}

/// The figures for people.
fn table(figures: &VolumeFigures) -> Vec<String> {
    let mut rows = vec![["test", "hits", "tunnelled", "share", "ns a pair"].map(str::to_owned).to_vec()];
    let all = figures.rows.first().map_or(0, |row| row.hits).max(1);
    for row in &figures.rows {
        rows.push(vec![
            match row.substeps {
                0 => "continuous".to_owned(),
                1 => "1 sub-step".to_owned(),
                many => format!("{many} sub-steps"),
            },
            grouped(row.hits),
            grouped(row.tunnelled),
            share(row.tunnelled as f64 / all as f64),
            time(row.pair_ns),
        ]);
    }
    aligned(&rows)
}
