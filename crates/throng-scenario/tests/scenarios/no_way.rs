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
