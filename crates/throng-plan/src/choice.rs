//! Planners by name.

use super::capabilities::require_estimate;
use super::{
    AStar, Ara, BidirectionalAStar, BreadthFirst, Dijkstra, Estimate, Euclidean, FlowFieldPlanner, FringeSearch,
    GreedyBestFirst, Hpa, HpaSettings, Jps, JpsPlus, LazyThetaStar, Manhattan, Octile, PlanError, Planner, ThetaStar,
    WeightedAStar, Zero,
};
#[cfg(feature = "reference")]
use super::{PathfindingAStar, PathfindingDijkstra, PathfindingFringe, PetgraphAStar, PetgraphDijkstra};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use throng_grid::{Ground, Sight, Steps};

/// A planner as scenario files and the command line name it.
///
/// | text | planner |
/// |---|---|
/// | `dijkstra` | [`Dijkstra`] |
/// | `astar` | [`AStar`] with the best estimate for the ground's steps |
/// | `astar:ESTIMATE` | [`AStar`] with the estimate `octile`, `manhattan`, `euclidean` or `zero` |
/// | `ara` | [`Ara`] with the weights 3, 2, 1.5 and 1 |
/// | `ara:W,W,…` | [`Ara`] with these weights |
/// | `weighted-astar` | [`WeightedAStar`] with the weights 1 and 2 |
/// | `weighted-astar:W1,W2` | [`WeightedAStar`] with these weights |
/// | `hpa` | [`Hpa`] with the default settings, or what of them fits the map |
/// | `hpa:CLUSTER,LEVELS` | [`Hpa`] with clusters of that many cells and that many levels |
/// | `bidirectional` | [`BidirectionalAStar`] |
/// | `fringe` | [`FringeSearch`] |
/// | `breadth-first` | [`BreadthFirst`] |
/// | `greedy` | [`GreedyBestFirst`] |
/// | `theta` | [`ThetaStar`] |
/// | `lazy-theta` | [`LazyThetaStar`] |
/// | `jps` | [`Jps`] |
/// | `jps-plus` | [`JpsPlus`] |
/// | `flow-field` | [`FlowFieldPlanner`] |
/// | `pathfinding-astar` | [`PathfindingAStar`] |
/// | `pathfinding-dijkstra` | [`PathfindingDijkstra`] |
/// | `pathfinding-fringe` | [`PathfindingFringe`] |
/// | `petgraph-astar` | [`PetgraphAStar`] |
/// | `petgraph-dijkstra` | [`PetgraphDijkstra`] |
///
/// ```
/// use std::sync::Arc;
/// use throng_grid::{Grid, Ground, Lattice};
/// use throng_plan::PlannerChoice;
/// let ground = Arc::new(Ground::new(Grid::open_plain(Lattice::new(16, 16, 1.0)?).into(), 0.4)?);
/// let choice: PlannerChoice = "weighted-astar:1,1.5".parse()?;
/// assert_eq!(choice.build(&ground)?.name(), "weighted-astar");
/// assert_eq!(choice.to_string(), "weighted-astar:1,1.5");
/// let error = "astra".parse::<PlannerChoice>().unwrap_err().to_string();
/// assert!(error.starts_with("unknown planner \"astra\"; did you mean \"astar\"?"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub enum PlannerChoice {
    /// [`Dijkstra`].
    Dijkstra,
    /// [`AStar`] with the best estimate for the ground's steps.
    #[default]
    AStar,
    /// [`AStar`] with this estimate.
    AStarBy(EstimateChoice),
    /// [`WeightedAStar`].
    WeightedAStar(WeightedAStar),
    /// [`Ara`].
    Ara(Ara),
    /// [`Hpa`]; `None` = with the default settings, or what of them fits the map.
    Hpa(Option<HpaSettings>),
    /// [`BidirectionalAStar`].
    Bidirectional,
    /// [`FringeSearch`].
    Fringe,
    /// [`BreadthFirst`].
    BreadthFirst,
    /// [`GreedyBestFirst`].
    GreedyBestFirst,
    /// [`ThetaStar`].
    ThetaStar,
    /// [`LazyThetaStar`].
    LazyThetaStar,
    /// [`Jps`].
    Jps,
    /// [`JpsPlus`].
    JpsPlus,
    /// [`FlowFieldPlanner`]; squads share a [`FlowField`](super::FlowField) instead of a route.
    FlowField,
    #[cfg(feature = "reference")]
    /// [`PathfindingAStar`].
    PathfindingAStar,
    #[cfg(feature = "reference")]
    /// [`PathfindingDijkstra`].
    PathfindingDijkstra,
    #[cfg(feature = "reference")]
    /// [`PathfindingFringe`].
    PathfindingFringe,
    #[cfg(feature = "reference")]
    /// [`PetgraphAStar`].
    PetgraphAStar,
    #[cfg(feature = "reference")]
    /// [`PetgraphDijkstra`].
    PetgraphDijkstra,
}

impl PlannerChoice {
    /// All names.
    pub const NAMES: &[&str] = &[
        "dijkstra",
        "astar",
        "weighted-astar",
        "ara",
        "hpa",
        "bidirectional",
        "fringe",
        "breadth-first",
        "greedy",
        "theta",
        "lazy-theta",
        "jps",
        "jps-plus",
        "flow-field",
        #[cfg(feature = "reference")]
        "pathfinding-astar",
        #[cfg(feature = "reference")]
        "pathfinding-dijkstra",
        #[cfg(feature = "reference")]
        "pathfinding-fringe",
        #[cfg(feature = "reference")]
        "petgraph-astar",
        #[cfg(feature = "reference")]
        "petgraph-dijkstra",
    ];

    /// The planner's name, without what may follow it.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Dijkstra => "dijkstra",
            Self::AStar | Self::AStarBy(_) => "astar",
            Self::WeightedAStar(_) => "weighted-astar",
            Self::Ara(_) => "ara",
            Self::Hpa(_) => "hpa",
            Self::Bidirectional => "bidirectional",
            Self::Fringe => "fringe",
            Self::BreadthFirst => "breadth-first",
            Self::GreedyBestFirst => "greedy",
            Self::ThetaStar => "theta",
            Self::LazyThetaStar => "lazy-theta",
            Self::Jps => "jps",
            Self::JpsPlus => "jps-plus",
            Self::FlowField => "flow-field",
            #[cfg(feature = "reference")]
            Self::PathfindingAStar => "pathfinding-astar",
            #[cfg(feature = "reference")]
            Self::PathfindingDijkstra => "pathfinding-dijkstra",
            #[cfg(feature = "reference")]
            Self::PathfindingFringe => "pathfinding-fringe",
            #[cfg(feature = "reference")]
            Self::PetgraphAStar => "petgraph-astar",
            #[cfg(feature = "reference")]
            Self::PetgraphDijkstra => "petgraph-dijkstra",
        }
    }

    /// The planner for a ground, with whatever tables it makes beforehand.
    ///
    /// # Errors
    /// Where it cannot plan on such a ground.
    pub fn build(&self, ground: &Arc<Ground>) -> Result<Arc<dyn Planner>, PlanError> {
        Ok(match self {
            Self::Dijkstra => Arc::new(Dijkstra),
            Self::AStar if ground.steps() == Steps::Four => Arc::new(AStar(Manhattan)),
            Self::AStar => Arc::new(AStar(Octile)),
            Self::AStarBy(estimate) => estimate.build(ground)?,
            Self::WeightedAStar(planner) => Arc::new(*planner),
            Self::Ara(planner) => Arc::new(planner.clone()),
            Self::Hpa(settings) => {
                let settings = settings.unwrap_or_else(|| HpaSettings::fitting(ground.lattice()));
                Arc::new(Hpa::new(ground, settings)?)
            }
            Self::Bidirectional => Arc::new(BidirectionalAStar),
            Self::Fringe => Arc::new(FringeSearch),
            Self::BreadthFirst => Arc::new(BreadthFirst),
            Self::GreedyBestFirst => Arc::new(GreedyBestFirst),
            Self::ThetaStar | Self::LazyThetaStar => {
                // The ground's table for lines of sight.
                let _ = Sight::new(ground);
                if *self == Self::ThetaStar { Arc::new(ThetaStar) } else { Arc::new(LazyThetaStar) }
            }
            Self::Jps => Arc::new(Jps::new(ground)?),
            Self::JpsPlus => Arc::new(JpsPlus::new(ground)?),
            Self::FlowField => Arc::new(FlowFieldPlanner),
            #[cfg(feature = "reference")]
            Self::PathfindingAStar => Arc::new(PathfindingAStar),
            #[cfg(feature = "reference")]
            Self::PathfindingDijkstra => Arc::new(PathfindingDijkstra),
            #[cfg(feature = "reference")]
            Self::PathfindingFringe => Arc::new(PathfindingFringe),
            #[cfg(feature = "reference")]
            Self::PetgraphAStar => Arc::new(PetgraphAStar),
            #[cfg(feature = "reference")]
            Self::PetgraphDijkstra => Arc::new(PetgraphDijkstra),
        })
    }
}

/// An estimate by name.
///
/// ```
/// use throng_plan::{EstimateChoice, PlannerChoice};
/// assert_eq!("astar:zero".parse(), Ok(PlannerChoice::AStarBy(EstimateChoice::Zero)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EstimateChoice {
    /// [`Octile`].
    Octile,
    /// [`Manhattan`].
    Manhattan,
    /// [`Euclidean`].
    Euclidean,
    /// [`Zero`].
    Zero,
}

impl EstimateChoice {
    const ALL: [Self; 4] = [Self::Octile, Self::Manhattan, Self::Euclidean, Self::Zero];

    fn name(self) -> &'static str {
        match self {
            Self::Octile => Octile::NAME,
            Self::Manhattan => Manhattan::NAME,
            Self::Euclidean => Euclidean::NAME,
            Self::Zero => Zero::NAME,
        }
    }

    fn build(self, ground: &Ground) -> Result<Arc<dyn Planner>, PlanError> {
        Ok(match self {
            Self::Octile => Arc::new(AStar(Octile)),
            Self::Manhattan => {
                require_estimate::<Manhattan>(ground)?;
                Arc::new(AStar(Manhattan))
            }
            Self::Euclidean => Arc::new(AStar(Euclidean)),
            Self::Zero => Arc::new(AStar(Zero)),
        })
    }
}

impl FromStr for PlannerChoice {
    type Err = PlanError;

    /// # Errors
    /// [`PlanError::Unknown`] for an unknown name, [`PlanError::Argument`] for what follows a colon and does not belong
    /// there, [`PlanError::Weights`] and [`PlanError::Schedule`] for impossible weights.
    fn from_str(text: &str) -> Result<Self, PlanError> {
        let (name, argument) = text.split_once(':').map_or((text, None), |(name, argument)| (name, Some(argument)));
        let choice = match name {
            "dijkstra" => Self::Dijkstra,
            "astar" => match argument {
                Some(argument) => return Ok(Self::AStarBy(estimate(argument)?)),
                None => Self::AStar,
            },
            "weighted-astar" => return Ok(Self::WeightedAStar(weighted(argument.unwrap_or("1,2"))?)),
            "ara" => return Ok(Self::Ara(argument.map_or_else(|| Ok(Ara::default()), ara)?)),
            "hpa" => return Ok(Self::Hpa(argument.map(hierarchy).transpose()?)),
            "bidirectional" => Self::Bidirectional,
            "fringe" => Self::Fringe,
            "breadth-first" => Self::BreadthFirst,
            "greedy" => Self::GreedyBestFirst,
            "theta" => Self::ThetaStar,
            "lazy-theta" => Self::LazyThetaStar,
            "jps" => Self::Jps,
            "jps-plus" => Self::JpsPlus,
            "flow-field" => Self::FlowField,
            #[cfg(feature = "reference")]
            "pathfinding-astar" => Self::PathfindingAStar,
            #[cfg(feature = "reference")]
            "pathfinding-dijkstra" => Self::PathfindingDijkstra,
            #[cfg(feature = "reference")]
            "pathfinding-fringe" => Self::PathfindingFringe,
            #[cfg(feature = "reference")]
            "petgraph-astar" => Self::PetgraphAStar,
            #[cfg(feature = "reference")]
            "petgraph-dijkstra" => Self::PetgraphDijkstra,
            _ => return Err(unknown(name)),
        };
        match argument {
            None => Ok(choice),
            Some(found) => Err(PlanError::Argument {
                planner: choice.name(),
                found: found.to_owned(),
                expected: "nothing after its name",
            }),
        }
    }
}

fn weighted(argument: &str) -> Result<WeightedAStar, PlanError> {
    let number = |text: &str| text.trim().parse::<f64>().ok();
    let weights = argument.split_once(',').and_then(|(w1, w2)| Some((number(w1)?, number(w2)?)));
    let (w1, w2) = weights.ok_or_else(|| PlanError::Argument {
        planner: "weighted-astar",
        found: argument.to_owned(),
        expected: "two weights, as in \"weighted-astar:1,1.5\"",
    })?;
    WeightedAStar::new(w1, w2)
}

fn hierarchy(argument: &str) -> Result<HpaSettings, PlanError> {
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
    Ok(settings)
}

fn ara(argument: &str) -> Result<Ara, PlanError> {
    let weights: Result<Vec<f64>, _> = argument.split(',').map(|weight| weight.trim().parse()).collect();
    Ara::new(&weights.map_err(|_| PlanError::Argument {
        planner: "ara",
        found: argument.to_owned(),
        expected: "weights, as in \"ara:3,2,1.5,1\"",
    })?)
}

fn estimate(argument: &str) -> Result<EstimateChoice, PlanError> {
    let named = |estimate: &EstimateChoice| estimate.name() == argument;
    EstimateChoice::ALL.into_iter().find(named).ok_or_else(|| PlanError::Argument {
        planner: "astar",
        found: argument.to_owned(),
        expected: "an estimate: octile, manhattan, euclidean or zero",
    })
}

fn unknown(name: &str) -> PlanError {
    // As people write them: A*, JPS+, Lazy Theta*, flowfield.
    let letters = |text: &str| {
        let text = text.to_lowercase().replace('+', "plus");
        text.chars().filter(|c| c.is_alphanumeric()).collect::<String>()
    };
    let wanted = letters(name);
    let distance = |known: &&str| match letters(known) {
        known if known == wanted || (wanted == "a" && known == "astar") => 0,
        #[cfg(feature = "hints")]
        _ => strsim::damerau_levenshtein(name, known),
        #[cfg(not(feature = "hints"))]
        _ => usize::MAX / 3,
    };
    let near =
        PlannerChoice::NAMES.iter().copied().min_by_key(distance).filter(|near| distance(near) * 3 <= near.len());
    let begins = || PlannerChoice::NAMES.iter().copied().find(|known| wanted.len() > 2 && known.starts_with(&wanted));
    PlanError::Unknown { name: name.to_owned(), near: near.or_else(begins), known: PlannerChoice::NAMES.join(", ") }
}

impl fmt::Display for PlannerChoice {
    /// The text that [`FromStr`] turns into this choice.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())?;
        match self {
            Self::AStarBy(estimate) => write!(f, ":{}", estimate.name()),
            Self::WeightedAStar(planner) => {
                let (w1, w2) = planner.weights();
                write!(f, ":{w1},{w2}")
            }
            Self::Ara(planner) => {
                let weights: Vec<String> = planner.weights().iter().map(f64::to_string).collect();
                write!(f, ":{}", weights.join(","))
            }
            Self::Hpa(Some(HpaSettings { cluster, levels })) => write!(f, ":{cluster},{levels}"),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice, Mobility};

    fn error(text: &str) -> String {
        text.parse::<PlannerChoice>().unwrap_err().to_string()
    }

    #[test]
    fn every_name_builds_the_planner_of_that_name() {
        let grid = Grid::open_plain(Lattice::new(20, 20, 1.0).unwrap());
        let ground = Arc::new(Ground::new(grid.into(), 0.4).unwrap());
        let estimates = ["astar:octile", "astar:euclidean", "astar:zero"];
        for text in PlannerChoice::NAMES.iter().copied().chain(estimates) {
            let choice: PlannerChoice = text.parse().unwrap();
            assert_eq!(choice.build(&ground).unwrap().name(), text.split(':').next().unwrap());
            assert_eq!(choice.name(), choice.build(&ground).unwrap().name());
            assert_eq!(choice.to_string().parse(), Ok(choice));
        }
        let manhattan: PlannerChoice = "astar:manhattan".parse().unwrap();
        assert_eq!(
            manhattan.build(&ground).unwrap_err().to_string(),
            "the manhattan estimate may be above the cost of steps to eight neighbours; use another, as octile"
        );
        let mobility = Mobility { steps: Steps::Four, ..Mobility::new(0.4) };
        let ground = Arc::new(Ground::build(ground.grid().clone(), mobility).unwrap());
        assert!(manhattan.build(&ground).is_ok());
    }

    #[test]
    fn weights_follow_a_colon() {
        let weighted = |w1, w2| Ok(PlannerChoice::WeightedAStar(WeightedAStar::new(w1, w2).unwrap()));
        assert_eq!("weighted-astar".parse(), weighted(1.0, 2.0));
        assert_eq!("weighted-astar:1, 1.5".parse(), weighted(1.0, 1.5));
        assert_eq!(
            error("weighted-astar:0,1"),
            "the weights must be finite and not negative, w1 above 0, both at most 1000000; found w1 = 0, w2 = 1"
        );
        assert!(error("weighted-astar:1,1e300").ends_with("found w1 = 1, w2 = 1e300"));
        for argument in ["", "1", "1,2,3", "a,b"] {
            assert_eq!(
                error(&format!("weighted-astar:{argument}")),
                format!(
                    "the planner weighted-astar takes two weights, as in \"weighted-astar:1,1.5\"; found {argument:?}"
                )
            );
        }
        assert_eq!(error("dijkstra:2"), "the planner dijkstra takes nothing after its name; found \"2\"");
        let expected = "the planner astar takes an estimate: octile, manhattan, euclidean or zero; found \"2\"";
        assert_eq!(error("astar:2"), expected);
    }

    #[test]
    fn a_hierarchy_is_a_side_and_a_number_of_levels() {
        assert_eq!("hpa".parse(), Ok(PlannerChoice::Hpa(None)));
        let settings = HpaSettings { cluster: 16, levels: 3 };
        let choice = PlannerChoice::Hpa(Some(settings));
        assert_eq!("hpa:16, 3".parse().as_ref(), Ok(&choice));
        assert_eq!(choice.to_string(), "hpa:16,3");
        for argument in ["", "16", "16,2,1", "16,-1", "a,b"] {
            assert_eq!(
                error(&format!("hpa:{argument}")),
                format!(
                    "the planner hpa takes the side of a cluster and the number of levels, as in \"hpa:32,2\"; \
                     found {argument:?}"
                )
            );
        }
        assert_eq!(error("hpa:2,1"), "the side of a cluster must be 4 to 256 cells; found 2");
        assert_eq!(error("hpa:16,0"), "a hierarchy over clusters of 16 cells must have 1 to 5 levels; found 0");
        let grid = Grid::open_plain(Lattice::new(100, 20, 1.0).unwrap());
        let ground = Arc::new(Ground::new(grid.into(), 0.4).unwrap());
        assert_eq!(
            choice.build(&ground).unwrap_err().to_string(),
            "a hierarchy of 3 levels with clusters of 16 cells has clusters of 256 cells at the top, larger than the map \
             of 100 x 20; ask for fewer levels or smaller clusters"
        );
        assert!(PlannerChoice::Hpa(None).build(&ground).is_ok());
    }

    #[test]
    fn a_schedule_follows_a_colon() {
        assert_eq!("ara".parse(), Ok(PlannerChoice::Ara(Ara::default())));
        assert_eq!("ara:3, 2,1.5,1".parse(), Ok(PlannerChoice::Ara(Ara::default())));
        assert_eq!(PlannerChoice::Ara(Ara::default()).to_string(), "ara:3,2,1.5,1");
        for argument in ["", "a", "2,,1"] {
            assert_eq!(
                error(&format!("ara:{argument}")),
                format!("the planner ara takes weights, as in \"ara:3,2,1.5,1\"; found {argument:?}")
            );
        }
        assert!(error("ara:1e300,2").ends_with("found 1e300, 2"));
        assert_eq!(
            error("ara:1,2"),
            "the schedule must have 1 to 64 weights, each from 1 to 1000 and lower than the one before; found 1, 2"
        );
    }

    #[test]
    fn unknown_names_list_the_known_and_a_near_one() {
        let known = format!("known are {}", PlannerChoice::NAMES.join(", "));
        assert_eq!(error("dikstra"), format!("unknown planner \"dikstra\"; did you mean \"dijkstra\"? {known}"));
        for (name, near) in [
            ("A*", "astar"),
            ("a-star", "astar"),
            ("JPS", "jps"),
            ("jps+", "jps-plus"),
            ("Theta*", "theta"),
            ("LazyTheta*", "lazy-theta"),
            ("flow_field", "flow-field"),
            ("flow", "flow-field"),
            ("weighted", "weighted-astar"),
        ] {
            assert_eq!(error(name), format!("unknown planner {name:?}; did you mean \"{near}\"? {known}"));
        }
        assert_eq!(error("simplex"), format!("unknown planner \"simplex\"; {known}"));
        assert_eq!(error(""), format!("unknown planner \"\"; {known}"));
    }
}
