//! Entities are the agents, in each frame, and the world goes on as it does without Bevy.
#![allow(clippy::unwrap_used)]

use bevy_app::prelude::*;
use bevy_ecs::prelude::*;
use bevy_throng::{Agent, Arrived, Died, NoRoute, Plane, Throng, ThrongPlugin};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::components::Transform;
use std::collections::BTreeMap;
use std::time::Duration;
use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::crowd::AgentId;
use throng_sim::world::{Settings, World};

#[derive(Resource, Default)]
struct Seen {
    arrived: Vec<AgentId>,
    died: Vec<AgentId>,
    lost: Vec<AgentId>,
}

fn listen(
    mut seen: ResMut<Seen>,
    mut arrived: MessageReader<Arrived>,
    mut died: MessageReader<Died>,
    mut lost: MessageReader<NoRoute>,
) {
    seen.arrived.extend(arrived.read().map(|one| one.agent));
    seen.died.extend(died.read().map(|one| one.agent));
    seen.lost.extend(lost.read().map(|one| one.agent));
}

/// 40 walkers in a room with a closet that nobody can enter.
fn world() -> (World, Vec<AgentId>) {
    let mut grid = Grid::open_plain(Lattice::new(40, 30, 1.0).unwrap());
    for i in 0..6 {
        for (x, y) in [(30 + i, 20), (30 + i, 25), (30, 20 + i), (35, 20 + i)] {
            grid.set_open(grid.lattice().cell(x, y), false);
        }
    }
    let mut world = World::new(grid, Settings { step: 0.05, threads: 1, ..Settings::default() }).unwrap();
    let (all, walker) = (world.add_army("all").unwrap(), world.add_unit(Unit::pedestrian()).unwrap());
    let places: Vec<Vec2> = (0..40).map(|i| Vec2::new(3.5 + (i % 8) as f32, 3.5 + (i / 8) as f32)).collect();
    let ids = world.spawn_walkers(all, walker, &places, &[]).unwrap();
    for (i, &id) in ids.iter().enumerate().skip(1) {
        world.walk_to(id, Vec2::new(20.5 + (i % 8) as f32, 10.5 + (i / 8) as f32)).unwrap();
    }
    (world, ids)
}

/// What a game tells the world before a frame.
fn told(world: &mut World, ids: &[AgentId], frame: usize) {
    match frame {
        100 => world.kill(ids[3], Some(ids[4])),
        200 => drop(world.remove(&ids[5..9])),
        250 => {
            let (army, unit) = (throng_sim::world::ArmyId(0), throng_sim::world::UnitId(0));
            world.spawn_walkers(army, unit, &[Vec2::new(5.5, 25.5); 1], &[]).unwrap();
        }
        300 => world.teleport(ids[10], Vec2::new(38.5, 28.5)).unwrap(),
        _ => {}
    }
}

#[test]
fn the_entities_are_the_agents_and_the_world_is_that_of_a_plain_loop() {
    let ((world_of_app, ids), (mut plain, _)) = (world(), world());
    let mut app = App::new();
    app.add_plugins((TimePlugin, ThrongPlugin::default()))
        .insert_resource(Throng::new(world_of_app))
        // Four frames a tick.
        .insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_micros(12_500)))
        .init_resource::<Seen>()
        .add_systems(Update, listen);
    let mut before: BTreeMap<u32, (u64, Vec2)> = BTreeMap::new();
    for frame in 0..2400 {
        told(app.world_mut().resource_mut::<Throng>().world_mut(), &ids, frame);
        let ticks = plain.ticks();
        app.update();
        let now = app.world().resource::<Throng>().world().ticks();
        assert!((ticks..=ticks + 1).contains(&now));
        told(&mut plain, &ids, frame);
        if now > ticks {
            plain.tick().unwrap();
        }
        let mut entities = app.world_mut().query::<(Entity, &Agent, &Transform)>();
        let seen: BTreeMap<AgentId, (Entity, Transform)> =
            entities.iter(app.world()).map(|(entity, agent, transform)| (agent.0, (entity, *transform))).collect();
        let throng = app.world().resource::<Throng>();
        assert_eq!(throng.world().position_hash(), plain.position_hash(), "frame {frame}");
        if now > 0 && now > ticks {
            let living: Vec<AgentId> = plain.positions().map(|(id, _)| id).collect();
            assert_eq!(seen.keys().copied().collect::<Vec<_>>(), living, "frame {frame}");
        }
        for (&id, &(entity, transform)) in &seen {
            let at = Vec2::new(transform.translation.x, -transform.translation.y);
            if throng.entity(id).is_some() {
                assert_eq!(throng.entity(id), Some(entity));
            }
            // Nobody jumps but the one that was put elsewhere.
            let stride = before.get(&id.slot).filter(|&&(person, _)| person == u64::from(id.generation));
            let stride = stride.map_or(0.0, |&(_, old)| old.distance(at));
            assert!(stride < 0.1 || (id == ids[10] && (300..310).contains(&frame)), "frame {frame}: {stride} m");
            before.insert(id.slot, (u64::from(id.generation), at));
        }
    }
    let seen = app.world().resource::<Seen>();
    assert_eq!((seen.died.as_slice(), seen.lost.len()), (&ids[3..4], 0));
    assert_eq!(seen.arrived.len(), 40 - 1 - 1 - 4, "each of those that were sent, once");
}

#[test]
fn bodies_look_where_they_go_in_both_planes() {
    let (at, heading) = (Vec2::new(3.0, 4.0), Vec2::new(0.0, 1.0));
    let screen = Plane::Screen.transform(at, heading);
    assert!((screen.local_x() * 1.0).y < -0.99 && screen.translation.y == -4.0, "down the map is down the screen");
    let ground = Plane::Ground.transform(at, heading);
    assert!(ground.forward().z > 0.99 && ground.translation.z == 4.0, "down the map is +z");
    let right = Plane::Ground.transform(at, Vec2::X);
    assert!(right.forward().x > 0.99);
}
