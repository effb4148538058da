//! The unit for which routes are planned: how wide it is, how it steps, and its costs of terrain.

use super::CliError;
use super::numbers::number;
use super::plan::{cell, on_map};
use clap::Args;
use clap::builder::PossibleValue;
use std::sync::Arc;
use throng::grid::{Corners, Grid, Ground, Link, Mobility, STRAIGHT, Steps, TerrainCosts};

#[derive(Args, Debug)]
#[command(next_help_heading = "The unit that is to walk")]
pub(super) struct UnitArgs {
    /// Radius of its body (m)
    #[arg(long, value_name = "M", default_value_t = 0.4,
        value_parser = |text: &str| number(text, 0.0, 1000.0), allow_negative_numbers = true)]
    radius: f32,
    /// Neighbours it steps to: four, or eight with corners that are cut never, on one side, or always
    #[arg(long, value_name = "KIND", default_value = "eight")]
    steps: StepsChoice,
    /// Costs of terrain: of plain, swamp (S in a .map), ...: whole numbers, or closed [default: all the same]
    #[arg(long, value_name = "A,B,...", value_parser = terrain, allow_negative_numbers = true)]
    terrain: Option<TerrainCosts>,
    /// A link from a cell to another, and what it costs in straight steps, 1 where it does not say. One way; several may be given
    #[arg(long, value_name = "X,Y:X,Y[:COST]", value_parser = link, allow_hyphen_values = true)]
    link: Vec<LinkArg>,
}

impl UnitArgs {
    /// A map as this unit sees it.
    pub(super) fn ground(&self, grid: Grid) -> Result<Arc<Ground>, CliError> {
        let (steps, terrain) = (self.steps.0, self.terrain.clone());
        let ground = Ground::build(Arc::new(grid), Mobility { steps, terrain, ..Mobility::new(self.radius) })?;
        if self.link.is_empty() {
            return Ok(Arc::new(ground));
        }
        let cell = |(x, y)| {
            let cell = on_map(&ground, "--link", (x, y))?;
            if ground.is_passable(cell) { Ok(cell) } else { Err(CliError::LinkEnd { x, y }) }
        };
        let link = |arg: &LinkArg| Ok(Link::new(cell(arg.from)?, cell(arg.to)?, arg.cost));
        let links = self.link.iter().map(link).collect::<Result<_, CliError>>()?;
        Ok(Arc::new(ground.relinked(links)?))
    }
}

/// A link by columns and rows; its cost in the units of a path.
#[derive(Clone, Copy, Debug)]
struct LinkArg {
    from: (u32, u32),
    to: (u32, u32),
    cost: u32,
}

/// The greatest cost of a link, in straight steps.
const MAX_LINK: f64 = 100_000.0;

fn link(text: &str) -> Result<LinkArg, String> {
    let mut parts = text.split(':');
    let (from, to, cost) = (parts.next(), parts.next(), parts.next().unwrap_or("1"));
    let cost = cost.trim().parse().ok().filter(|cost| (0.0..=MAX_LINK).contains(cost));
    let cells = from.and_then(|from| Some((cell(from).ok()?, cell(to?).ok()?))).filter(|(from, to)| from != to);
    match (cells, cost, parts.next()) {
        (Some((from, to)), Some(cost), None) => {
            Ok(LinkArg { from, to, cost: (cost * f64::from(STRAIGHT)).round() as u32 })
        }
        _ => Err(format!(
            "expected two cells and a cost in straight steps from 0 to {MAX_LINK}, as in 20,31:40,31 or 20,31:40,31:2.5"
        )),
    }
}

/// Steps by name.
#[derive(Clone, Copy, Debug)]
struct StepsChoice(Steps);

impl clap::ValueEnum for StepsChoice {
    fn value_variants<'a>() -> &'a [Self] {
        const ALL: [StepsChoice; 4] = [
            StepsChoice(Steps::Four),
            StepsChoice(Steps::Eight(Corners::Never)),
            StepsChoice(Steps::Eight(Corners::OneSide)),
            StepsChoice(Steps::Eight(Corners::Always)),
        ];
        &ALL
    }

    fn to_possible_value(&self) -> Option<PossibleValue> {
        Some(PossibleValue::new(match self.0 {
            Steps::Four => "four",
            Steps::Eight(Corners::Never) => "eight",
            Steps::Eight(Corners::OneSide) => "eight-one-side",
            Steps::Eight(Corners::Always) => "eight-always",
        }))
    }
}

/// The greatest cost of terrain.
const MAX_COST: u16 = 1000;

/// Costs of the classes 0, 1 and so on.
fn terrain(text: &str) -> Result<TerrainCosts, String> {
    let cost = |text: &str| match text.trim() {
        "closed" => Some(None),
        number => number.parse().ok().filter(|cost| (1..=MAX_COST).contains(cost)).map(Some),
    };
    let costs: Option<Vec<Option<u16>>> = text.split(',').map(cost).collect();
    match costs {
        Some(costs) if costs.len() <= 256 => Ok(TerrainCosts::new((0..=u8::MAX).zip(costs))),
        _ => {
            Err(format!("expected costs of plain, swamp, ...: whole numbers from 1 to {MAX_COST} or closed, as in 1,3"))
        }
    }
}
