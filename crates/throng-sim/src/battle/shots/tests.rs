//! No shot passes through a body or a wall: compared with small steps in time.

use super::*;
use crate::battle::{ArmyOccupancy, CombatView, Relations, Unit, bodies};
use crate::crowd::{AgentId, Crowd, Newcomer, Sleepers, UpdateSchedule};
use crate::ids::{ArmyId, UnitId};
use proptest::prelude::*;
use throng_grid::geom::{Vec2, unit};
use throng_grid::{Grid, Lattice};
use throng_spatial::{Index, IndexKind, SpatialIndex};

const SIDE: u32 = 20;
const WALLS: f32 = 3.0;

struct Scene {
    grid: Grid,
    units: Vec<Unit>,
    crowd: Crowd,
    stood: Vec<Vec2>,
    health: Vec<f32>,
}

/// Bodies that have walked in the last tick, some of them dead, on a map with pillars, uneven or not.
fn scene(places: &[([f32; 2], [f32; 2])], pillars: &[(u32, u32)], is_level: bool) -> Scene {
    let mut grid = Grid::open_plain(Lattice::new(SIDE, SIDE, 1.0).unwrap());
    for &(x, y) in pillars {
        grid.set_open(grid.lattice().cell(x, y), false);
    }
    if !is_level {
        for cell in grid.lattice().cells() {
            let (x, y) = grid.lattice().column_row(cell);
            grid.set_height(cell, (x * 7 + y * 13) as u16 % 60);
        }
    }
    let mut crowd = Crowd::default();
    let mut stood = Vec::new();
    for (i, &(at, _)) in places.iter().enumerate() {
        let position = Vec2::from_array(at);
        stood.push(position);
        let radius = 0.2 + 0.1 * (i % 7) as f32;
        let army = ArmyId((i % 3) as u8);
        let facing = unit(Vec2::X);
        crowd.spawn(Newcomer {
            position,
            facing,
            radius,
            top_speed: 2.0,
            weight: 1.0,
            army,
            unit: UnitId(0),
            squad: None,
        });
    }
    let health = (0..places.len()).map(|i| if i % 5 == 4 { 0.0 } else { 10.0 }).collect();
    Scene { grid, units: vec![Unit { height: 1.7, ..Unit::default() }], crowd, stood, health }
}

/// All that a shot of army 0 touches at a time: whether it is in a wall, and in which bodies.
fn inside(scene: &Scene, from: Vec3, to: Vec3, time: f64, friendly_fire: bool) -> (bool, Vec<u32>) {
    let at = from.as_dvec3().lerp(to.as_dvec3(), time);
    let lattice = scene.grid.lattice();
    let ground = |x: f64, y: f64| {
        let cell = lattice.checked_cell(x.floor() as i64, y.floor() as i64)?;
        let height = scene.grid.height_layer().map_or(0.0, |heights| f64::from(heights[cell]) * 0.01);
        Some((height, height + if scene.grid.is_open(cell) { 0.0 } else { f64::from(WALLS) }))
    };
    let walled = ground(at.x, at.y).is_none_or(|(_, top)| at.z < top);
    let struck = |&row: &usize| {
        let (stood, now) = (scene.stood[row].as_dvec2(), scene.crowd.rows.position[row].as_dvec2());
        let (centre, radius) = (stood.lerp(now, time), f64::from(scene.crowd.rows.radius[row]));
        let low = ground(stood.x, stood.y).map_or(0.0, |(low, _)| low);
        (friendly_fire || scene.crowd.rows.army[row] != 0)
            && scene.health[row] > 0.0
            && row != 0
            && at.truncate().distance(centre) < radius
            && (low..low + 1.7).contains(&at.z)
    };
    (walled, (0..scene.stood.len()).filter(struck).map(|row| row as u32).collect())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..Default::default() })]

    #[test]
    fn the_first_in_the_way_is_struck_and_nothing_is_passed(
        places in prop::collection::vec((prop::array::uniform2(0.5_f32..19.5), prop::array::uniform2(-1.5_f32..1.5)), 1..60),
        pillars in prop::collection::vec((0..SIDE, 0..SIDE), 0..12),
        from in prop::array::uniform3(0.01_f32..1.0), way in prop::array::uniform3(-1.0_f32..1.0),
        friendly_fire: bool, is_level: bool, kind in prop::sample::select(IndexKind::ALL.to_vec()),
    ) {
        let mut scene = scene(&places, &pillars, is_level);
        let mut index = Index::new(kind);
        index.rebuild(bodies(&scene.crowd)).unwrap();
        // They walk after they were indexed.
        for (position, (_, motion)) in scene.crowd.rows.position.iter_mut().zip(&places) {
            *position += Vec2::from_array(*motion);
        }
        let from = Vec3::from_array(from) * Vec3::new(19.9, 19.9, 4.0);
        let to = from + Vec3::from_array(way) * Vec3::new(12.0, 12.0, 3.0);
        let (relations, sleepers) = (Relations::default(), Sleepers::default());
        let occupancy = ArmyOccupancy::new(Vec2::splat(SIDE as f32)).unwrap();
        let field = CombatView {
            grid: &scene.grid, clearance: scene.grid.clearance(), units: &scene.units, crowd: &scene.crowd, index: &index,
            sleepers: &sleepers, occupancy: &occupancy, relations: &relations, widest: 1.0,
            wall_height: WALLS, schedule: UpdateSchedule::default(),
        };
        let air = ProjectileView {
            field: &field, stood: &scene.stood, gone: 2.2, health: &scene.health, tallest: 1.7,
            friendly_fire,
        };
        let struck = air.first_struck(from, to, 0, ArmyId(0));
        let end = struck.map_or(1.0, |(time, _)| time);
        for step in 0..500 {
            let time = (end - 1e-6) * f64::from(step) / 500.0;
            if time > 0.0 {
                let (walled, bodies) = inside(&scene, from, to, time, friendly_fire);
                prop_assert!(!walled && bodies.is_empty(), "at {time} of {end}: {walled} {bodies:?}");
            }
        }
        // The shot is inside the obstacle just after the impact.
        if let Some((time, what)) = struck {
            let mut after = (1..60).map(|step| time + f64::from(step) * 2e-6);
            let there = after.any(|time| {
                let (walled, bodies) = inside(&scene, from, to, time, friendly_fire);
                match what {
                    Obstacle::Body(row) => bodies.contains(&row),
                    Obstacle::Cell(_) | Obstacle::Beyond => walled,
                }
            });
            // A body may be only grazed.
            prop_assert!(there || matches!(what, Obstacle::Body(_)) || time > 1.0 - 1e-4, "{what:?} at {time}");
        }
    }
}

#[test]
fn a_salvo_keeps_its_order_when_some_are_gone() {
    let by = |slot: u32| Origin { who: AgentId { slot, generation: 0 }, army: ArmyId(0), unit: UnitId(0), squad: None };
    let mut shots = Shots::default();
    for slot in 0..6 {
        shots.launch(Vec3::splat(slot as f32), Vec3::ZERO, by(slot), ShotLaunch { tick: 3, number: slot as u16 });
    }
    let impact = |shot: u32| ProjectileImpact { shot, time: 0.0, at: Vec3::ZERO, what: Obstacle::Beyond };
    shots.impacts = vec![impact(0), impact(3), impact(5)];
    shots.clear_struck();
    assert_eq!(shots.by, [by(1), by(2), by(4)]);
    assert_eq!(shots.launch, [1, 2, 4].map(|number| ShotLaunch { tick: 3, number }));
    assert_eq!(shots.position, [1.0, 2.0, 4.0].map(Vec3::splat));
}
