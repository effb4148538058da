//! A crowd without a window: 100 people cross a square, and come back. `cargo run --example headless`.

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_throng::{Agent, Arrived, Throng, ThrongPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::world::{Settings, World};

#[derive(Resource, Default)]
struct Arrivals(usize);

/// Those that have come go back to the other side.
fn turn_back(
    mut throng: ResMut<Throng>,
    mut came: MessageReader<Arrived>,
    mut arrivals: ResMut<Arrivals>,
    places: Query<&Transform, With<Agent>>,
) -> Result {
    for &Arrived { agent, entity } in came.read() {
        let at = places.get(entity)?.translation;
        throng.world_mut().walk_to(agent, Vec2::new(60.0 - at.x, -at.y))?;
        arrivals.0 += 1;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut world = World::new(Grid::open_plain(Lattice::new(60, 40, 1.0)?), Settings::default())?;
    let (all, person) = (world.add_army("all")?, world.add_unit(Unit::pedestrian())?);
    let places: Vec<Vec2> = (0..100)
        .map(|i| Vec2::new([3.5, 45.5][i % 2] + (i / 2 % 10) as f32 * 1.2, 8.5 + (i / 20) as f32 * 2.4))
        .collect();
    for (id, at) in world.spawn_walkers(all, person, &places, &[])?.into_iter().zip(places) {
        world.walk_to(id, Vec2::new(60.0 - at.x, at.y))?;
    }

    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::default()))
        .insert_resource(Throng::new(world))
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(16_667)))
        .init_resource::<Arrivals>()
        .add_systems(Update, turn_back);
    // A minute at 60 frames a second, as fast as they go.
    for _ in 0..60 * 60 {
        app.update();
    }
    let entities = app.world_mut().query::<&Agent>().iter(app.world()).count();
    let (throng, arrivals) = (app.world().resource::<Throng>(), app.world().resource::<Arrivals>().0);
    println!("{} ticks, {entities} entities, {arrivals} arrivals in a minute", throng.world().ticks());
    Ok(())
}
