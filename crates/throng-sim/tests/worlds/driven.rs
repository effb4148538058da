//! Bodies that are moved from outside, among people.

use throng_grid::geom::Vec2;
use throng_grid::{Grid, Lattice};
use throng_sim::battle::Unit;
use throng_sim::world::{Settings, Subdomains, World};

/// The overlaps of a body with the people around it (m).
fn overlaps(world: &World, at: Vec2, wide: f32) -> impl Iterator<Item = f32> {
    let rows = &world.crowd().rows;
    let pairs = rows.position.iter().zip(&rows.radius).filter(move |(other, _)| other.distance(at) > 1e-6);
    pairs.map(move |(other, radius)| wide + radius - other.distance(at))
}

/// 400 people who walk to and fro, and a body that goes through them, to and fro. The greatest overlap (m), how often it was more than 5 cm, and
/// how many of the people have come within reach of it.
fn drive(speed: f32, wide: f32, spacing: f32, threads: usize) -> (f32, u32, u64) {
    let settings = Settings { step: 1.0 / 30.0, threads, ..Settings::default() };
    let mut world = World::new(Grid::open_plain(Lattice::new(60, 40, 1.0).unwrap()), settings).unwrap();
    let all = world.add_army("all").unwrap();
    let person = world.add_unit(Unit::pedestrian()).unwrap();
    let car = world.add_unit(Unit { radius: wide, ..Unit::default() }).unwrap();
    let places: Vec<Vec2> =
        (0..400).map(|i| Vec2::new(20.0, 10.0) + spacing * Vec2::new((i % 20) as f32, (i / 20) as f32)).collect();
    let people = world.spawn_walkers(all, person, &places, &[]).unwrap();
    let body = world.spawn_walkers(all, car, &[Vec2::new(4.0, 20.0)], &[]).unwrap()[0];
    let (mut at, mut velocity, mut most, mut often) = (Vec2::new(4.0, 20.0), Vec2::X * speed, 0.0_f32, 0);
    for tick in 0..900 {
        if tick % 300 == 0 {
            for (&id, &place) in people.iter().zip(&places) {
                world.walk_to(id, if tick % 600 == 0 { Vec2::new(60.0 - place.x, place.y) } else { place }).unwrap();
            }
        }
        if at.x > 55.0 && velocity.x > 0.0 || at.x < 5.0 && velocity.x < 0.0 {
            velocity = -velocity;
        }
        at += velocity / 30.0;
        world.drive(body, at, velocity).unwrap();
        world.tick().unwrap();
        let worst = overlaps(&world, at, wide).fold(0.0, f32::max);
        most = most.max(worst);
        often += u32::from(worst > 0.05);
    }
    (most, often, world.position_hash())
}

#[test]
fn people_make_way_for_a_body_that_does_not_brake() {
    for (speed, wide, spacing) in
        [(5.0, 1.5, 1.0), (5.0, 1.5, 0.6), (1.3, 0.3, 0.6), (2.5, 0.5, 1.0), (15.0, 1.0, 1.0), (0.0, 1.5, 1.0)]
    {
        let (most, often, hash) = drive(speed, wide, spacing, 1);
        println!(
            "{speed} m/s, {wide} m, people {spacing} m apart: {most:.3} m at most, {often} ticks with more than 5 cm"
        );
        assert!(most <= 0.05, "{speed} m/s: {most} m, {often} times");
        assert_eq!(hash, drive(speed, wide, spacing, 3).2, "threads");
    }
}

#[test]
fn they_step_aside_before_it_comes() {
    let mut world = World::new(Grid::open_plain(Lattice::new(60, 20, 1.0).unwrap()), Settings::default()).unwrap();
    let all = world.add_army("all").unwrap();
    let (person, car) =
        (world.add_unit(Unit::pedestrian()).unwrap(), world.add_unit(Unit { radius: 1.0, ..Unit::default() }).unwrap());
    let places: Vec<Vec2> = (0..8).map(|i| Vec2::new(20.0 + 4.0 * i as f32, 9.7 + 0.1 * i as f32)).collect();
    world.spawn_walkers(all, person, &places, &[]).unwrap();
    let mut at = Vec2::new(3.0, 10.0);
    let body = world.spawn_walkers(all, car, &[at], &[]).unwrap()[0];
    // Half of them sleep by then.
    (0..100).for_each(|_| world.tick().unwrap());
    let mut nearest = f32::INFINITY;
    while at.x < 57.0 {
        at.x += 5.0 * 0.05;
        world.drive(body, at, Vec2::X * 5.0).unwrap();
        world.tick().unwrap();
        nearest = nearest.min(overlaps(&world, at, 1.0).map(|overlap| -overlap).fold(f32::INFINITY, f32::min));
    }
    assert!(nearest > 0.0, "{nearest} m: it pushed nobody");
    (0..600).for_each(|_| world.tick().unwrap());
    let back = world.positions().filter(|&(id, _)| id != body).map(|(id, at)| at.distance(places[id.slot as usize]));
    assert!(back.fold(0.0, f32::max) < 1.0, "they come back to their places");
}

#[test]
fn in_subdomains_it_is_the_same() {
    let mut world = World::new(Grid::open_plain(Lattice::new(120, 40, 1.0).unwrap()), Settings::default()).unwrap();
    let all = world.add_army("all").unwrap();
    let (person, car) =
        (world.add_unit(Unit::pedestrian()).unwrap(), world.add_unit(Unit { radius: 1.5, ..Unit::default() }).unwrap());
    let places: Vec<Vec2> = (0..600).map(|i| Vec2::new(5.0 + (i % 60) as f32 * 1.8, 12.0 + (i / 60) as f32)).collect();
    world
        .spawn_walkers(
            all,
            person,
            &places,
            &places.iter().map(|&at| Vec2::new(120.0 - at.x, at.y)).collect::<Vec<_>>(),
        )
        .unwrap();
    let body = world.spawn_walkers(all, car, &[Vec2::new(40.0, 16.0)], &[]).unwrap()[0];
    world.drive(body, Vec2::new(40.0, 16.0), Vec2::X * 20.0).unwrap();
    let ids: Vec<_> = world.positions().map(|(id, _)| id).collect();
    ids.iter().step_by(7).for_each(|&id| world.push(id, Vec2::new(3.0, -4.0)).unwrap());
    ids.iter().step_by(5).for_each(|&id| world.set_speed(id, Some(2.2)).unwrap());
    for count in [2, 3] {
        let (mut whole, mut parts) =
            (World::from_snapshot(&world.snapshot()).unwrap(), Subdomains::cut(&world, count).unwrap());
        for _ in 0..40 {
            whole.tick().unwrap();
            parts.tick().unwrap();
        }
        assert_eq!(whole.position_hash(), parts.world().position_hash(), "{count}");
    }
}
