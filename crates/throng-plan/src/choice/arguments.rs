//! Arguments after the name of a planner, and names that are not known.

use super::{EstimateChoice, PlannerChoice};
use crate::{Ara, HpaSettings, PlanError, WeightedAStar};

/// Nothing may follow the name.
pub(super) fn none(choice: PlannerChoice, argument: Option<&str>) -> Result<PlannerChoice, PlanError> {
    match argument {
        None => Ok(choice),
        Some(found) => Err(PlanError::Argument {
            planner: choice.name(),
            found: found.to_owned(),
            expected: "nothing after its name",
        }),
    }
}

/// Two weights.
pub(super) fn weighted(argument: Option<&str>) -> Result<PlannerChoice, PlanError> {
    let argument = argument.unwrap_or("1,2");
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let weights = argument.split_once(',').and_then(|(w1, w2)| Some((number(w1)?, number(w2)?)));
    let (w1, w2) = weights.ok_or_else(|| PlanError::Argument {
        planner: "weighted-astar",
        found: argument.to_owned(),
        expected: "two weights, as in \"weighted-astar:1,1.5\"",
    })?;
    WeightedAStar::new(w1, w2).map(PlannerChoice::WeightedAStar)
}

/// The side of a cluster and the number of levels.
pub(super) fn hierarchy(argument: Option<&str>) -> Result<PlannerChoice, PlanError> {
    let Some(argument) = argument else { return Ok(PlannerChoice::Hpa(None)) };
    let settings = argument
        .split_once(',')
        .and_then(|(cluster, levels)| Some((cluster.trim().parse().ok()?, levels.trim().parse().ok()?)));
    let (cluster, levels) = settings.ok_or_else(|| PlanError::Argument {
        planner: "hpa",
        found: argument.to_owned(),
        expected: "the side of a cluster and the number of levels, as in \"hpa:32,2\"",
    })?;
    let settings = HpaSettings { cluster, levels };
    settings.check_alone()?;
    Ok(PlannerChoice::Hpa(Some(settings)))
}

/// The weights of the rounds.
pub(super) fn ara(argument: Option<&str>) -> Result<PlannerChoice, PlanError> {
    let Some(argument) = argument else { return Ok(PlannerChoice::Ara(Ara::default())) };
    let weights: Result<Vec<f64>, _> = argument.split(',').map(|weight| weight.trim().parse()).collect();
    Ara::new(&weights.map_err(|_| PlanError::Argument {
        planner: "ara",
        found: argument.to_owned(),
        expected: "weights, as in \"ara:3,2,1.5,1\"",
    })?)
    .map(PlannerChoice::Ara)
}

/// An estimate.
pub(super) fn astar(argument: Option<&str>) -> Result<PlannerChoice, PlanError> {
    let Some(argument) = argument else { return Ok(PlannerChoice::AStar) };
    let named = |estimate: &EstimateChoice| estimate.name() == argument;
    EstimateChoice::ALL.into_iter().find(named).map(PlannerChoice::AStarBy).ok_or_else(|| PlanError::Argument {
        planner: "astar",
        found: argument.to_owned(),
        expected: "an estimate: octile, manhattan, euclidean or zero",
    })
}

/// The error of a name that is not known.
pub(super) fn unknown(name: &str) -> PlanError {
    PlanError::Unknown { name: name.to_owned(), known: PlannerChoice::NAMES.join(", ") }
}
