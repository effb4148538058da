//! Squads that follow others, by the orders of a scenario.

use throng_grid::geom::Vec2;
use throng_scenario::Scenario;
use throng_sim::battle::{Order, Pursuit};
use throng_sim::world::{Effect, SquadId};

/// Loads a scenario with a van that marches, and more tables.
fn load(more: &str) -> Result<Scenario, String> {
    let folder = tempfile::tempdir().unwrap();
    let map = "type octile\nheight 30\nwidth 40\nmap\n".to_owned() + &(".".repeat(40) + "\n").repeat(30);
    std::fs::write(folder.path().join("camp.map"), map).unwrap();
    let file = folder.path().join("camp.toml");
    let text =
        "map = \"camp.map\"\n[[army]]\nname = \"red\"\n[[army.squad]]\nname = \"van\"\ncount = 4\nposition = [6, 6]\n\
                order = { go_to = [34, 24] }\n"
            .to_owned();
    std::fs::write(&file, text + more).unwrap();
    Scenario::load(&file).map(|(scenario, _)| scenario).map_err(|error| error.to_string())
}

fn follow(leader: u32, distance: f32) -> Order {
    Order::Follow(Pursuit::new(SquadId(leader), distance))
}

#[test]
fn squads_follow_by_name_at_once_after_other_orders_and_by_triggers() {
    let scenario = load(
        "[[army.squad]]\nname = \"guard\"\ncount = 4\nposition = [6, 24]\norder = { follow = \"van\", distance = 4 }\n\
         [[army.squad]]\ncount = 2\nposition = [30, 6]\nthen = [{ follow = \"late\" }]\n\
         [[trigger]]\nname = \"t\"\nat = 5\norder = [{ squad = \"van\", order = { follow = \"guard\", distance = 9 } }]\n\
         [[trigger.squad]]\nname = \"late\"\narmy = \"red\"\ncount = 1\nposition = [20, 15]\norder = { follow = \"van\" }\n",
    )
    .unwrap();
    let squads = &scenario.armies[0].squads;
    assert_eq!((squads[1].order, &squads[2].queue[..]), (follow(0, 4.0), &[follow(3, 5.0)][..]));
    assert_eq!(scenario.triggers[0].then[0], Effect::Order { squad: SquadId(0), order: follow(1, 9.0) });
    let Effect::SpawnSquad(late) = &scenario.triggers[0].then[1] else { panic!("no wave") };
    assert_eq!(late.order, follow(0, 5.0));
    // Without the trigger the guard walks with the van.
    let mut scenario = scenario;
    scenario.triggers.clear();
    let mut world = scenario.build(1).unwrap();
    world.tick_until(|world| world.ticks() == 1200).unwrap();
    let middle = |squad: usize| {
        let members = &world.squads()[squad].members;
        let at = world.positions().filter(|(id, _)| members.contains(id)).map(|(_, at)| at).sum::<Vec2>();
        at / members.len() as f32
    };
    assert!(middle(0).distance(Vec2::new(34.0, 24.0)) < 2.0 && middle(1).distance(middle(0)) < 7.0, "{}", middle(1));
}

#[test]
fn a_name_that_nobody_has_or_its_own_is_told_at_its_place() {
    let squad = |order: &str| format!("[[army.squad]]\nname = \"guard\"\ncount = 4\nposition = [6, 24]\n{order}\n");
    let trigger = |order: &str| squad("") + &format!("[[trigger]]\nname = \"t\"\nat = 5\norder = [{order}]\n");
    for (text, told) in [
        (squad("order = { follow = \"vann\" }"), "camp.toml:13:20: unknown squad \"vann\"; did you mean \"van\"?"),
        (squad("order = { follow = \"guard\" }"), "squad \"guard\" cannot follow itself; name another squad"),
        (squad("then = [{ follow = \"guard\" }]"), "squad \"guard\" cannot follow itself; name another squad"),
        (squad("order = { follow = \"van\", distance = 0 }"), "distance must be between 0.01 and 10000 (m), found 0"),
        (
            trigger("{ squad = \"van\", order = { follow = \"van\" } }"),
            "squad \"van\" cannot follow itself; name another squad",
        ),
    ] {
        let error = load(&text).unwrap_err();
        assert!(error.contains(told), "{error}");
    }
}
