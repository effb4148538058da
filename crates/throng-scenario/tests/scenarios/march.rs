//! The shipped march: all of four columns come to their places.

use throng_scenario::Scenario;
use throng_sim::world::IdleReason;

#[test]
fn all_of_the_four_columns_stand_at_their_goals() {
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/march.toml");
    let mut world = Scenario::load(file).unwrap().0.build(1).unwrap();
    // As long as the example runs.
    world.tick_until(|world| world.ticks() == 12_000).unwrap();
    let off: Vec<_> = world.positions().filter(|&(id, _)| world.why(id) != Some(IdleReason::AtGoal)).collect();
    assert!(world.agents() == 800 && off.is_empty(), "{off:?}");
}
