//! Orders that can never be carried out are told when a scenario is loaded; goals in walls move to where the squad can go.

use throng_scenario::Scenario;

/// The warnings of a scenario on a map of rows, without the name of the file.
fn warnings(rows: &[&str], scenario: &str) -> Vec<String> {
    let folder = tempfile::tempdir().unwrap();
    let (high, wide) = (rows.len(), rows[0].len());
    let map = format!("type octile\nheight {high}\nwidth {wide}\nmap\n{}\n", rows.join("\n"));
    std::fs::write(folder.path().join("a.map"), map).unwrap();
    let file = folder.path().join("a.toml");
    std::fs::write(&file, format!("map = \"a.map\"\n{scenario}")).unwrap();
    let name = format!("{}:", file.display());
    Scenario::load(&file).unwrap().1.iter().map(|warning| warning.to_string().replace(&name, "")).collect()
}

/// A squad at the left with an order, and an enemy at the right.
fn two(order: &str, rest: &str) -> String {
    format!(
        "{rest}\n[[unit]]\nname = \"wide\"\nradius = 0.6\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 1\n\
         position = [1.5, 1.5]\nunit = \"wide\"\norder = {order}\n[[army]]\nname = \"blue\"\n[[army.squad]]\ncount = 1\n\
         position = [8.5, 1.5]"
    )
}

const SEALED: [&str; 3] = ["....@.....", "....@.....", "....@....."];
const NARROW: [&str; 3] = ["....@.....", "..........", "....@....."];

#[test]
fn orders_that_can_never_be_carried_out_are_told() {
    let journey = "[[journey]]\nname = \"out\"\n[[journey.stop]]\nway_point = [7.5, 1.5]\n";
    let goes = [
        ("\"attack\"", "any enemy", ""),
        ("\"charge\"", "any enemy", ""),
        ("{ move = [7.5, 1.5] }", "(7.5, 1.5)", ""),
        ("{ go_to = [7.5, 1.5] }", "(7.5, 1.5)", ""),
        ("{ travel = \"out\" }", "(7.5, 1.5)", journey),
    ];
    for (order, goal, rest) in goes {
        for (rows, why) in [
            (SEALED, "walls are all around the one or the other"),
            (NARROW, "too narrow for radius 0.6 m at (4.5, 1.5)"),
        ] {
            let told = warnings(&rows, &two(order, rest));
            let words = format!("the squad has no way to {goal}: {why}");
            assert!(told.len() == 1 && told[0].ends_with(&words), "{order}: {told:?}");
        }
        let link = format!("{rest}[[link]]\nfrom = [2.5, 1.5]\nto = [7.5, 1.5]\nopen = false\n");
        assert_eq!(warnings(&SEALED, &two(order, &link)), [""; 0], "{order}: the link may be opened");
    }
    assert_eq!(warnings(&SEALED, &two("\"hold\"", "")), [""; 0]);
}

#[test]
fn a_goal_in_a_wall_moves_to_where_the_squad_can_go() {
    let rows = ["@@@.....", "@.@.....", "@@@....."];
    let squad =
        "[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 1\nposition = [6.5, 1.5]\norder = { move = [1.4, 0.6] }";
    let told = warnings(&rows, squad);
    let words = "the goal (1.4, 0.6) is in a wall; the goal was moved to the nearest open cell at (3.5, 0.5)";
    assert!(told.len() == 1 && told[0].ends_with(words), "{told:?}");
}

/// Rooms at the left and at the right, and one in the middle whose walls can be broken or not.
const ROOMS: [&str; 3] = ["...@...@....", "...@...@....", "...@...@...."];

#[test]
fn orders_of_triggers_and_of_the_squads_that_they_bring_are_told() {
    let trigger = |order: &str| {
        format!(
            "[[trigger]]\nname = \"t\"\nat = 5\norder = {{ squad = \"first\", order = {order} }}\n[[army]]\nname = \"red\"\n[[army.squad]]\n\
             name = \"first\"\ncount = 1\nposition = [1.5, 1.5]\norder = \"hold\"\n[[army]]\nname = \"blue\"\n[[army.squad]]\n\
             count = 1\nposition = [8.5, 1.5]"
        )
    };
    let wave = |order: &str, at: &str| {
        format!(
            "[[army]]\nname = \"red\"\nsquad = []\n[[army]]\nname = \"blue\"\n[[army.squad]]\ncount = 1\nposition = [8.5, 1.5]\n\
             [[trigger]]\nname = \"t\"\nat = 5\n[[trigger.squad]]\narmy = \"red\"\ncount = 1\nposition = {at}\norder = {order}\n"
        )
    };
    for (order, goal) in
        [("\"attack\"", "any enemy"), ("{ move = [7.5, 1.5] }", "(7.5, 1.5)"), ("{ go_to = [7.5, 1.5] }", "(7.5, 1.5)")]
    {
        for text in [trigger(order), wave(order, "[1.5, 1.5]")] {
            let told = warnings(&SEALED, &text);
            let words = format!("the squad has no way to {goal}: walls are all around the one or the other");
            assert!(told.len() == 1 && told[0].ends_with(&words), "{order}: {told:?}\n{text}");
        }
        assert_eq!(warnings(&NARROW, &trigger(order)), [""; 0], "{order}");
        assert_eq!(warnings(&SEALED, &wave(order, "[6.5, 1.5]")), [""; 0], "{order}");
    }
    // A squad with nobody to attack yet: the enemy comes to where it is, or jumps down to it.
    let later =
        "[[trigger]]\nname = \"t\"\nat = 5\n[[trigger.squad]]\narmy = \"blue\"\ncount = 1\nposition = [2.5, 1.5]\n";
    assert_eq!(warnings(&SEALED, &format!("{}\n{later}", two("\"attack\"", ""))), [""; 0]);
    let down = "[[link]]\nfrom = [7.5, 1.5]\nto = [2.5, 1.5]\n";
    let comes = |order: &str, links: &str| {
        warnings(&SEALED, &(two("\"attack\"", links) + &format!("\norder = {order}\n"))).len()
    };
    assert_eq!(
        [comes("\"attack\"", down), comes("\"hold\"", down), comes("\"attack\"", "")],
        [0, 1, 2],
        "it jumps down if it is sent"
    );
    let both = "[[link]]\nfrom = [1.5, 1.5]\nto = [5.5, 1.5]\n[[link]]\nfrom = [9.5, 1.5]\nto = [5.5, 1.5]\n";
    let meet = warnings(&ROOMS, &(two("\"attack\"", both) + "\norder = { move = [5.5, 0.5] }\n"));
    assert_eq!(meet, [""; 0], "they meet in the middle");
}

#[test]
fn areas_out_of_reach_are_told() {
    for shape in [
        "from = [6.2, 0.2], to = [8.8, 2.8]",
        "centre = [7.5, 1.5], radius = 1.2",
        "points = [[6, 0], [9, 0], [9, 3], [6, 3]]",
    ] {
        let journey = format!("[[journey]]\nname = \"out\"\n[[journey.stop]]\narea = {{ {shape} }}\n");
        let told = warnings(&SEALED, &two("{ travel = \"out\" }", &journey));
        let words = "the squad has no way to (7.5, 1.5): walls are all around the one or the other";
        assert!(told.len() == 1 && told[0].ends_with(words), "{shape}: {told:?}");
        assert_eq!(
            warnings(&["..........", "..........", ".........."], &two("{ travel = \"out\" }", &journey)),
            [""; 0],
            "{shape}"
        );
    }
    let partly = "[[journey]]\nname = \"out\"\n[[journey.stop]]\narea = { from = [2, 0], to = [9, 3] }\n";
    assert_eq!(warnings(&SEALED, &two("{ travel = \"out\" }", partly)), [""; 0], "some of it is here");
}

#[test]
fn what_can_be_broken_may_be_a_way_and_what_cannot_is_none() {
    let journey = "[[journey]]\nname = \"out\"\n[[journey.stop]]\nway_point = [9.5, 1.5]\n";
    for order in ["\"attack\"", "{ move = [9.5, 1.5] }", "{ go_to = [9.5, 1.5] }", "{ travel = \"out\" }"] {
        let with = |walls: &str| warnings(&ROOMS, &two(order, &format!("{journey}{walls}")));
        let wall = |from: f32| format!("[[breakable]]\nfrom = [{from}, 0]\nto = [{}, 3]\nhealth = 9\n", from + 1.0);
        assert_eq!(with(&(wall(3.0) + &wall(7.0))), [""; 0], "{order}");
        for one in [wall(3.0), wall(7.0)] {
            let told = with(&one);
            assert!(told.len() == 1 && told[0].contains("the squad has no way to "), "{order}: {told:?}");
        }
        // A breach of one cell is too narrow for it.
        let hole = "[[breakable]]\nfrom = [3, 1]\nto = [4, 2]\nhealth = 9\n".to_owned() + &wall(7.0);
        let told = with(&hole);
        assert!(told.len() == 1 && told[0].ends_with("too narrow for radius 0.6 m at (3.5, 1.5)"), "{order}: {told:?}");
    }
}

/// A door of 1 m in cells of 0.25 m: no cell in it has room for a body of 0.4 m, which walks through straight where it sees its goal.
#[test]
fn a_door_that_is_walked_through_straight_is_no_obstacle() {
    let wall: Vec<String> = (0..12)
        .map(|y| format!("{}{}{}", ".".repeat(19), if (4..8).contains(&y) { '.' } else { '@' }, ".".repeat(20)))
        .collect();
    let rows: Vec<&str> = wall.iter().map(String::as_str).collect();
    let scenario = |start: &str, order: &str| {
        format!(
            "cell_size = 0.25\n[[unit]]\nname = \"man\"\nradius = 0.4\n[[army]]\nname = \"red\"\n[[army.squad]]\ncount = 1\n\
             position = {start}\nunit = \"man\"\norder = {order}\n[[army]]\nname = \"blue\"\n[[army.squad]]\ncount = 1\nposition = [8.5, 1.5]\n\
             unit = \"man\""
        )
    };
    for order in ["\"attack\"", "{ go_to = [8.5, 1.5] }"] {
        assert_eq!(warnings(&rows, &scenario("[1.5, 1.5]", order)), [""; 0], "{order}");
        let told = warnings(&rows, &scenario("[3.0, 0.5]", order));
        assert!(told.len() == 1 && told[0].contains("too narrow for radius 0.4 m at (4."), "{order}: {told:?}");
    }
}
