//! A game's own loop, with a player that is no agent: `cargo run --release --example own_loop`.
//!
//! The game moves the player, throng moves the others: they walk where the game sends them, and make way for the player.

use std::collections::BTreeMap;
use throng::battle::Unit;
use throng::crowd::AgentId;
use throng::geom::Vec2;
use throng::grid::{Grid, Lattice};
use throng::world::{Settings, World};

/// 60 frames a second.
const STEP: f32 = 1.0 / 60.0;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world =
        World::new(Grid::open_plain(Lattice::new(60, 40, 1.0)?), Settings { step: STEP, ..Settings::default() })?;
    let (all, person) = (world.add_army("all")?, world.add_unit(Unit::pedestrian())?);
    // A crowd that walks to the other side, and comes back, and so on: of each, where it goes next.
    let places: Vec<Vec2> = (0..200).map(|i| Vec2::new(5.0 + (i % 10) as f32, 10.0 + (i / 10) as f32)).collect();
    let crowd = world.spawn_walkers(all, person, &places, &[])?;
    let across = |place: Vec2| Vec2::new(60.0 - place.x, place.y);
    let mut next: BTreeMap<AgentId, Vec2> = crowd.into_iter().zip(places.into_iter().map(across)).collect();
    for (&one, &goal) in &next {
        world.walk_to(one, goal)?;
    }

    // The player: a body that this loop moves, here from right to left through the crowd at a run.
    let mut at = Vec2::new(58.0, 20.0);
    let player = world.spawn_walkers(all, person, &[at], &[])?[0];
    let (mut nearest, mut arrivals) = (f32::INFINITY, 0);
    for frame in 0..60 * 60 {
        let input = if at.x > 2.0 { Vec2::new(-2.5, 0.0) } else { Vec2::ZERO };
        at += input * STEP;
        world.drive(player, at, input)?;
        world.tick()?;
        // The game's own rules, by the events.
        for one in world.events().arrived.clone() {
            if let Some(goal) = next.get_mut(&one) {
                *goal = across(*goal);
                world.walk_to(one, *goal)?;
                arrivals += 1;
            }
        }
        // The part that a renderer would draw.
        for (one, place) in world.positions().filter(|&(one, _)| one != player) {
            let gap = (place.distance(at) - 0.4).max(0.0);
            if gap < nearest {
                nearest = gap;
                println!("frame {frame:4}: agent {} is {gap:.2} m from the player", one.slot);
            }
        }
    }
    println!(
        "the player is at {at}, where the game put it; {arrivals} arrivals in a minute; nobody came nearer than {nearest:.2} m"
    );
    Ok(())
}
