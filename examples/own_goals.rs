//! Two thousand people in a town, each on its way to a place of its own: `cargo run --release --example own_goals`.

use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use throng::battle::Unit;
use throng::geom::Vec2;
use throng::grid::{Grid, Ground, walls};
use throng::world::{Settings, World};

const PEOPLE: usize = 2000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let map = Grid::load(concat!(env!("CARGO_MANIFEST_DIR"), "/maps/town.map"))?;
    let person = Unit::pedestrian();
    let [starts, goals] = [1, 2].map(|seed| places(&map, person.radius, seed));

    let mut world = World::new(map, Settings::default())?;
    let (town, kind) = (world.add_army("town")?, world.add_unit(person)?);
    let people = world.spawn_walkers(town, kind, &starts?, &[])?;
    for (&who, &goal) in people.iter().zip(&goals?) {
        world.walk_to(who, goal)?;
    }

    let mut arrived = 0;
    while arrived < PEOPLE && world.ticks() < 20_000 {
        world.tick()?;
        arrived += world.events().arrived.len();
        if world.ticks().is_multiple_of(2000) {
            println!("after {:4} s {arrived:4} have arrived", world.seconds());
        }
    }
    let (seconds, routes) = (world.seconds(), world.routes_asked());
    println!("{arrived} of {PEOPLE} have arrived after {seconds} s, {routes} routes asked for");
    Ok(())
}

/// Places (m) in the largest part of the map where no agent stands on another.
fn places(map: &Grid, radius: f32, seed: u64) -> Result<Vec<Vec2>, Box<dyn std::error::Error>> {
    let ground = Ground::new(map.clone().into(), 0.45)?;
    let (lattice, mut random) = (map.lattice(), Pcg32::seed_from_u64(seed));
    let mut sizes = std::collections::BTreeMap::new();
    for cell in lattice.cells().filter(|&cell| ground.is_passable(cell)) {
        *sizes.entry(ground.region(cell)).or_insert(0) += 1;
    }
    let largest = sizes.into_iter().max_by_key(|&(_, size)| size).map(|(region, _)| region);
    let mut places: Vec<Vec2> = Vec::new();
    while places.len() < PEOPLE {
        let size = lattice.size();
        let at = Vec2::new(random.random_range(0.0..size.x), random.random_range(0.0..size.y));
        let cell = lattice.at(at);
        let is_free = ground.is_passable(cell) && walls::is_clear(map, at, radius);
        let has_room = || places.iter().all(|other| other.distance(at) > 4.0 * radius);
        if is_free && Some(ground.region(cell)) == largest && has_room() {
            places.push(at);
        }
    }
    Ok(places)
}
