//! Names of planners, and their arguments.

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
            format!("the planner weighted-astar takes two weights, as in \"weighted-astar:1,1.5\"; found {argument:?}")
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
fn unknown_names_list_the_known() {
    let known = format!("known are {}", PlannerChoice::NAMES.join(", "));
    assert_eq!(error("simplex"), format!("unknown planner \"simplex\"; {known}"));
    assert_eq!(error(""), format!("unknown planner \"\"; {known}"));
}
