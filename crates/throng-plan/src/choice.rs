//! Planners by name.

use super::{
    AStar, Ara, BidirectionalAStar, BreadthFirst, Dijkstra, FlowFieldPlanner, FringeSearch, GreedyBestFirst, Hpa,
    HpaSettings, Jps, JpsPlus, Labels, LazyThetaStar, Manhattan, Octile, PlanError, Planner, ThetaStar, WeightedAStar,
};
#[cfg(feature = "reference")]
use super::{PathfindingAStar, PathfindingDijkstra, PathfindingFringe, PetgraphAStar, PetgraphDijkstra};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use throng_grid::{Cell, Ground, LineOfSight, Steps};

mod arguments;
mod estimate;
#[cfg(test)]
mod tests;

pub use estimate::EstimateChoice;

/// Makes [`PlannerChoice`] of a table, a row a planner: its name, the argument that may follow the name, its variant,
/// and how it is made for a ground. For the documentation a row tells the cost of its routes and its use.
macro_rules! planners {
    (|$ground:ident| $(
        $([$feature:literal])? $name:literal ($($argument:ident)?) $kind:ident $(($field:ident: $type:ty))? => $make:expr,
        $cost:literal, $good_for:literal;
    )*) => {
        /// A planner as scenario files and the command line name it.
        ///
        /// | name | planner | cost of the route | good for |
        /// |---|---|---|---|
        $(#[cfg_attr(all($(feature = $feature)?), doc = concat!(
            "| `", $name, "` | [`Self::", stringify!($kind), "`] | ", $cost, " | ", $good_for, " |"
        ))])*
        ///
        /// Some names take more after a colon:
        ///
        /// | text | planner |
        /// |---|---|
        /// | `astar:ESTIMATE` | [`AStar`] with the estimate `octile`, `manhattan`, `euclidean` or `zero`; else the best for the ground's steps |
        /// | `weighted-astar:W1,W2` | [`WeightedAStar`] with these weights; else 1 and 2 |
        /// | `ara:W,W,…` | [`Ara`] with these weights; else 3, 2, 1.5 and 1 |
        /// | `hpa:CLUSTER,LEVELS` | [`Hpa`] with clusters of that many cells and that many levels; else what fits the map |
        ///
        /// Any other planner takes part as [`PlannerChoice::Custom`].
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
        /// assert!(error.starts_with("unknown planner \"astra\"; known are dijkstra, astar, "));
        /// # Ok::<(), Box<dyn std::error::Error>>(())
        /// ```
        #[derive(Clone, Debug)]
        #[non_exhaustive]
        pub enum PlannerChoice {
            $(
                $(#[cfg(feature = $feature)])?
                #[doc = concat!("`", $name, "`: ", $good_for, ".")]
                $kind $(($type))?,
            )*
            /// `astar` with this estimate.
            AStarBy(EstimateChoice),
            /// A planner from outside this crate, the same object for every ground. One that keeps tables of a ground
            /// makes them in [`Planner::updated`], which is called with every cell of the map.
            ///
            /// Two choices are equal where they are the same object.
            Custom(Arc<dyn Planner>),
            /// One from outside, of which only the name is known, as after reading a file.
            Missing(Arc<str>),
        }

        impl PlannerChoice {
            /// All names, but those of planners from outside.
            pub const NAMES: &[&str] = &[$($(#[cfg(feature = $feature)])? $name),*];

            /// The planner's name, without what may follow it.
            pub fn name(&self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? Self::$kind { .. } => $name,)*
                    Self::AStarBy(_) => "astar",
                    Self::Custom(planner) => planner.name(),
                    Self::Missing(_) => "custom",
                }
            }

            /// The planner for a ground, with whatever tables it makes beforehand.
            ///
            /// # Errors
            /// Where it cannot plan on such a ground, or only its name is known.
            pub fn build(&self, $ground: &Arc<Ground>) -> Result<Arc<dyn Planner>, PlanError> {
                Ok(match self {
                    $($(#[cfg(feature = $feature)])? Self::$kind $(($field))? => $make,)*
                    Self::AStarBy(estimate) => estimate.build($ground)?,
                    Self::Custom(planner) => {
                        let every: Vec<Cell> = $ground.lattice().cells().collect();
                        planner.updated($ground, &every)?.unwrap_or_else(|| Arc::clone(planner))
                    }
                    Self::Missing(name) => return Err(PlanError::Custom { name: name.to_string() }),
                })
            }

            /// The choice of a name, and of the argument after a colon.
            fn named(name: &str, argument: Option<&str>) -> Result<Self, PlanError> {
                match name {
                    $($(#[cfg(feature = $feature)])? $name => planners!(@parse $kind ($($argument)?) argument),)*
                    "custom" => Err(PlanError::Custom { name: argument.unwrap_or_default().to_owned() }),
                    _ => Err(arguments::unknown(name)),
                }
            }
        }
    };
    (@parse $kind:ident () $argument:ident) => { arguments::none(Self::$kind, $argument) };
    (@parse $kind:ident ($parse:ident) $argument:ident) => { arguments::$parse($argument) };
}

planners! { |ground|
    "dijkstra" () Dijkstra => Arc::new(Dijkstra), "optimal", "comparing; it looks in all directions";
    "astar" (astar) AStar => match ground.steps() {
        Steps::Four => Arc::new(AStar(Manhattan)),
        Steps::Eight(_) => Arc::new(AStar(Octile)),
    }, "optimal", "nearly everything";
    "weighted-astar" (weighted) WeightedAStar(planner: WeightedAStar) => Arc::new(*planner),
        "at most w2/w1 times the optimal one", "long trips on open ground";
    "ara" (ara) Ara(planner: Ara) => Arc::new(planner.clone()),
        "bounded at first, better and better, optimal at last", "a route at once";
    "hpa" (hierarchy) Hpa(settings: Option<HpaSettings>) => {
        Arc::new(Hpa::new(ground, settings.unwrap_or_else(|| HpaSettings::fitting(ground.lattice())))?)
    }, "some percent more than the optimal one", "long trips, many of them, first steps at once";
    "bidirectional" () Bidirectional => Arc::new(BidirectionalAStar),
        "optimal", "trips around long walls near the start or the goal";
    "fringe" () Fringe => Arc::new(FringeSearch), "optimal", "comparing: A* without a sorted open list";
    "breadth-first" () BreadthFirst => Arc::new(BreadthFirst),
        "at most √2 times the optimal one", "comparing: the fewest steps";
    "greedy" () GreedyBestFirst => Arc::new(GreedyBestFirst),
        "unproven", "comparing: the fewest expansions on open ground";
    "theta" () ThetaStar => {
        // The ground's table for lines of sight.
        let _ = LineOfSight::new(ground);
        Arc::new(ThetaStar)
    }, "about 5 % below the optimum of the grid: it turns at any angle; no bound", "the shortest routes";
    "lazy-theta" () LazyThetaStar => {
        let _ = LineOfSight::new(ground);
        Arc::new(LazyThetaStar)
    }, "as `theta`, hardly longer", "the same, a little sooner";
    "jps" () Jps => Arc::new(Jps::new(ground)?),
        "optimal", "many trips on one uniform ground: it keeps 2 bytes a cell";
    "jps-plus" () JpsPlus => Arc::new(JpsPlus::new(ground)?),
        "optimal", "the same by a table of 16 bytes a cell more";
    "labels" () Labels => Arc::new(Labels::new(ground)?),
        "optimal", "very many trips on one uniform ground that seldom changes: a route in some microseconds";
    "flow-field" () FlowField => Arc::new(FlowFieldPlanner),
        "optimal", "many agents with one goal: squads share a [`FlowField`](super::FlowField) instead of a route";
    ["reference"] "pathfinding-astar" () PathfindingAStar => Arc::new(PathfindingAStar),
        "optimal", "comparing: that of the `pathfinding` crate";
    ["reference"] "pathfinding-dijkstra" () PathfindingDijkstra => Arc::new(PathfindingDijkstra),
        "optimal", "comparing: that of the `pathfinding` crate";
    ["reference"] "pathfinding-fringe" () PathfindingFringe => Arc::new(PathfindingFringe),
        "optimal", "comparing: that of the `pathfinding` crate";
    ["reference"] "petgraph-astar" () PetgraphAStar => Arc::new(PetgraphAStar),
        "optimal", "comparing: that of the `petgraph` crate";
    ["reference"] "petgraph-dijkstra" () PetgraphDijkstra => Arc::new(PetgraphDijkstra),
        "optimal", "comparing: that of the `petgraph` crate";
}

impl Default for PlannerChoice {
    /// [`AStar`] with the best estimate for the ground's steps.
    fn default() -> Self {
        Self::AStar
    }
}

impl PartialEq for PlannerChoice {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::AStarBy(one), Self::AStarBy(other)) => one == other,
            (Self::WeightedAStar(one), Self::WeightedAStar(other)) => one == other,
            (Self::Ara(one), Self::Ara(other)) => one == other,
            (Self::Hpa(one), Self::Hpa(other)) => one == other,
            (Self::Custom(one), Self::Custom(other)) => Arc::ptr_eq(one, other),
            (Self::Missing(one), Self::Missing(other)) => one == other,
            _ => std::mem::discriminant(self) == std::mem::discriminant(other),
        }
    }
}

impl FromStr for PlannerChoice {
    type Err = PlanError;

    /// # Errors
    /// [`PlanError::Unknown`] for an unknown name, [`PlanError::Argument`] for what follows a colon and does not belong
    /// there, [`PlanError::Weights`] and [`PlanError::Schedule`] for impossible weights, [`PlanError::Custom`] for a
    /// planner from outside.
    fn from_str(text: &str) -> Result<Self, PlanError> {
        text.split_once(':').map_or_else(|| Self::named(text, None), |(name, rest)| Self::named(name, Some(rest)))
    }
}

impl fmt::Display for PlannerChoice {
    /// The text that [`FromStr`] turns into this choice; `custom:NAME` for a planner from outside, which no text makes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::AStarBy(estimate) => write!(f, "{}:{}", self.name(), estimate.name()),
            Self::WeightedAStar(planner) => {
                let (w1, w2) = planner.weights();
                write!(f, "{}:{w1},{w2}", self.name())
            }
            Self::Ara(planner) => {
                let weights: Vec<String> = planner.weights().iter().map(f64::to_string).collect();
                write!(f, "{}:{}", self.name(), weights.join(","))
            }
            Self::Hpa(Some(HpaSettings { cluster, levels })) => write!(f, "{}:{cluster},{levels}", self.name()),
            Self::Custom(planner) => write!(f, "custom:{}", planner.name()),
            Self::Missing(name) => write!(f, "custom:{name}"),
            _ => f.write_str(self.name()),
        }
    }
}

/// Stored as its text.
#[cfg(feature = "serde")]
impl serde::Serialize for PlannerChoice {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// One from outside comes back as [`PlannerChoice::Missing`].
#[cfg(feature = "serde")]
impl<'de> serde::Deserialize<'de> for PlannerChoice {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <String as serde::Deserialize>::deserialize(deserializer)?;
        match text.strip_prefix("custom:") {
            Some(name) => Ok(Self::Missing(name.into())),
            None => text.parse().map_err(serde::de::Error::custom),
        }
    }
}
