//! `throng compare MAP --window`: planners side by side, under the mouse.

use super::plan::{cell, resolve};
use super::run::whole;
use super::view::WindowArgs;
use super::{CliError, Ended};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use throng::grid::{Grid, Ground};
use throng::plan::PlannerChoice;
use throng::viewer::{Comparison, Window};

#[derive(Args, Debug)]
#[command(after_help = "\
Drag the start (S) and the goal (G), build walls from open ground and tear them down from a wall: all planners search
anew while you drag. H shows all keys.

Examples:
  throng compare maps/fortress.map --window
  throng compare maps/town.map --window --planners astar,weighted-astar --from 20,20 --to 480,480")]
pub(super) struct CompareArgs {
    /// A map: Moving AI .map, or .png with dark walls (brightness below 128 of 255)
    map: PathBuf,
    /// Compare in a window, with the mouse
    #[arg(long, required = true)]
    window: bool,
    /// Planners, up to four side by side
    #[arg(long, value_name = "A,B,…", default_value = "dijkstra,astar,weighted-astar,pathfinding-astar", value_parser = planners)]
    planners: Planners,
    /// Cell of the start [default: random]
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "to")]
    from: Option<(u32, u32)>,
    /// Cell of the goal [default: random]
    #[arg(long, value_name = "X,Y", value_parser = cell, allow_hyphen_values = true, requires = "from")]
    to: Option<(u32, u32)>,
    /// Seed of random starts and goals
    #[arg(long, value_name = "S", default_value_t = 1, value_parser = whole, allow_negative_numbers = true)]
    seed: u64,
    #[command(flatten)]
    shown: WindowArgs,
}

#[derive(Clone, Debug)]
struct Planners(Vec<PlannerChoice>);

/// Planners with commas between them; weights too have a comma before a number.
fn planners(text: &str) -> Result<Planners, String> {
    let mut names: Vec<String> = Vec::new();
    for part in text.split(',') {
        match names.last_mut() {
            Some(name) if name.contains(':') && part.trim().parse::<f64>().is_ok() => {
                name.push(',');
                name.push_str(part);
            }
            _ => names.push(part.trim().to_owned()),
        }
    }
    let choices: Result<Vec<PlannerChoice>, _> = names.iter().map(|name| name.parse()).collect();
    choices.map(Planners).map_err(|error| error.to_string())
}

pub(super) fn compare(args: &CompareArgs) -> Result<Ended, CliError> {
    let options = args.shown.options(&[&args.map])?;
    let ground = Arc::new(Ground::new(Arc::new(Grid::load(&args.map)?), 0.4)?);
    let trip = match (args.from, args.to) {
        (Some(from), Some(to)) => Some((resolve(&ground, "--from", from, true)?, resolve(&ground, "--to", to, true)?)),
        _ => None,
    };
    let title = args.map.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let comparison = Comparison { title, ground, planners: args.planners.0.clone(), trip, seed: args.seed };
    let window = Window::open(&format!("throng: {}", comparison.title))
        .map_err(|reason| CliError::View(format!("{reason}; leave out --window for a table")))?;
    window.compare(comparison, options).map_err(|error| CliError::View(error.to_string()))?;
    Ok(Ended::Well)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_part_planners_but_not_weights() {
        let names =
            |text| planners(text).map(|planners| planners.0.iter().map(ToString::to_string).collect::<Vec<_>>());
        let expected = ["astar", "weighted-astar:1,1.5", "dijkstra"].map(str::to_owned).to_vec();
        assert_eq!(names("astar, weighted-astar:1,1.5,dijkstra"), Ok(expected));
        assert!(names("astar,").is_err_and(|error| error.starts_with("unknown planner")));
    }
}
