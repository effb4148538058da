//! Small cases whose figures are known, and the geometry of the scenes.

use super::*;
use throng_grid::geom::Vec2;

fn goal(x: f32, y: f32) -> Finish {
    Finish::Near { goal: Vec2::new(x, y), within: 1.0 }
}

#[test]
fn overlaps_are_counted_by_pair_and_frame() {
    let starts = [Vec2::ZERO, Vec2::new(0.9, 0.0), Vec2::new(5.0, 0.0), Vec2::new(5.99, 0.0)];
    let mut meter = Meter::new(&starts, &[goal(99.0, 0.0); 4], 0.5, 1.5);
    meter.frame(0.0, &starts).unwrap();
    let apart = [Vec2::ZERO, Vec2::new(2.0, 0.0), Vec2::new(5.0, 0.0), Vec2::new(5.7, 0.0)];
    meter.frame(0.1, &apart).unwrap();
    let quality = meter.quality();
    // One pair in each of two frames (0.99 m is within the tolerance): 2 pairs / 2 frames / 4 agents.
    assert_eq!(quality.pairs, 250.0);
    assert!((quality.mean_depth - 20.0).abs() < 1e-4 && (quality.max_depth - 30.0).abs() < 1e-4, "{quality:?}");
}

#[test]
fn arrivals_count_once_and_for_good() {
    let finish = [goal(10.0, 0.0), goal(3.0, 5.0), goal(50.0, 50.0)];
    let starts = [Vec2::ZERO, Vec2::new(0.0, 5.0), Vec2::new(0.0, 50.0)];
    let mut meter = Meter::new(&starts, &finish, 0.2, 1.5);
    for tick in 0..100 {
        // The first arrives in frame 60 and is pushed back later, the second in frame 20, the third never.
        let x = if tick == 60 { 9.1 } else { 2.0 };
        let y = if tick >= 20 { 2.5 } else { 0.0 };
        meter.frame(f64::from(tick) * 0.1, &[Vec2::new(x, 0.0), Vec2::new(y, 5.0), starts[2]]).unwrap();
    }
    let quality = meter.quality();
    assert!((quality.arrived - 200.0 / 3.0).abs() < 1e-9);
    assert_eq!(meter.arrivals(), [Some(60.0 * 0.1), Some(2.0), None]);
    assert_eq!(quality.t50, 2.0);
    // The trip of 3 m is too short to count: 6 s over (10 - 1) / 1.5 s.
    assert!((quality.time_ratio - 1.0).abs() < 1e-9);
}

#[test]
fn acceleration_is_that_of_those_on_their_way() {
    let finish = [goal(100.0, 0.0), goal(0.0, 0.0)];
    let starts = [Vec2::new(20.0, 0.0), Vec2::ZERO];
    let mut meter = Meter::new(&starts, &finish, 0.5, 1.5);
    // The first goes to and fro by 0.1 m; the second has arrived, so that its leaps do not count.
    for tick in 0..50_u32 {
        let side = (tick % 2) as f32;
        let leap = Vec2::new(side * 5.0, 0.0);
        meter.frame(f64::from(tick) * 0.1, &[Vec2::new(20.0 + 0.1 * side, 0.0), leap]).unwrap();
    }
    // Velocity changes by 2 m/s each 0.1 s.
    assert!((meter.quality().acceleration - 20.0).abs() < 1e-3, "{:?}", meter.quality());
}

#[test]
fn a_body_that_is_nowhere_is_an_error() {
    let mut meter = Meter::new(&[Vec2::ZERO], &[goal(1.0, 0.0)], 0.5, 1.5);
    assert!(matches!(meter.frame(0.0, &[Vec2::NAN]), Err(ExperimentError::Spatial(_))));
}

#[test]
fn the_flow_through_a_door() {
    // Ten a second through 2 m, with a pause of 4 s.
    let times: Vec<f64> = (0..100).map(|i| f64::from(i) * 0.1 + if i >= 50 { 4.0 } else { 0.0 }).collect();
    let flow = DoorFlow::of(&times, 2.0);
    assert!((flow.standstill - 4.1).abs() < 1e-9);
    assert!((flow.flow - 80.0 / 12.0 / 2.0).abs() < 1e-9);
    // Stragglers do not count.
    let mut late = times.clone();
    late[99] += 60.0;
    assert_eq!(DoorFlow::of(&late, 2.0), flow);
    assert_eq!(DoorFlow::of(&[1.0], 2.0), DoorFlow::default());
}

#[test]
fn random_crowds_do_not_overlap_and_cover_what_they_shall() {
    for (kind, share) in [(CrowdKind::Rand15, 0.15), (CrowdKind::Rand30, 0.3), (CrowdKind::Rand60, 0.6)] {
        let scene = CrowdScene::new(kind, 900, 3).unwrap();
        let (low, high) =
            scene.starts.iter().fold((Vec2::MAX, Vec2::MIN), |(low, high), &at| (low.min(at), high.max(at)));
        // The outermost stand half a slot inside.
        let slot = (std::f32::consts::PI * 0.25 / share).sqrt();
        let side = (high - low).max_element();
        assert!((side / slot - 29.0).abs() < 1.0, "{kind}: {side} m");
        let mut meter = Meter::new(&scene.starts, &scene.finish, 0.5, 1.5);
        meter.frame(0.0, &scene.starts).unwrap();
        assert_eq!(meter.quality().pairs, 0.0, "{kind}");
        // Each goal is the start of another agent.
        let mut goals: Vec<_> = scene.finish.iter().map(|finish| finish_at(*finish)).collect();
        let mut starts: Vec<_> = scene.starts.iter().map(|at| [at.x.to_bits(), at.y.to_bits()]).collect();
        goals.sort_unstable();
        starts.sort_unstable();
        assert_eq!(goals, starts, "{kind}");
    }
}

fn finish_at(finish: Finish) -> [u32; 2] {
    match finish {
        Finish::Near { goal, .. } => [goal.x.to_bits(), goal.y.to_bits()],
        Finish::Beyond { .. } => [0; 2],
    }
}

#[test]
fn the_circle_walks_to_the_opposite_point() {
    let scene = CrowdScene::new(CrowdKind::Circle, 1000, 1).unwrap();
    let middle = scene.grid.lattice().size() / 2.0;
    for (&start, finish) in scene.starts.iter().zip(&scene.finish) {
        let Finish::Near { goal, within } = *finish else { unreachable!() };
        assert!((start + goal - 2.0 * middle).length() < 1e-4 && within == 1.0);
        let radius = start.distance(middle);
        assert!(radius > 0.8 * 1000_f32.sqrt() + 4.9, "{radius}");
    }
    let outer = scene.starts.iter().map(|at| at.distance(middle)).fold(0.0, f32::max);
    assert!((scene.grid.lattice().size().x / 2.0 - outer - 20.0).abs() < 1.5);
}

#[test]
fn the_armies_stand_face_to_face_and_change_sides() {
    let scene = CrowdScene::new(CrowdKind::Armies, 1000, 1).unwrap();
    let middle = scene.grid.lattice().size() / 2.0;
    // 11 ranks of 1.5 m.
    for (i, (&start, finish)) in scene.starts.iter().zip(&scene.finish).enumerate() {
        let Finish::Near { goal, .. } = *finish else { unreachable!() };
        let side = if i < 500 { -1.0 } else { 1.0 };
        let x = (start - middle).x * side;
        assert!((4.94..5.0 + 10.0 * 1.5 + 0.06).contains(&x), "{i}: {x}");
        assert!((goal - start - Vec2::new(-side * 26.5, 0.0)).length() < 1e-4);
    }
}

#[test]
fn every_scene_can_be_made_and_ticks() {
    for kind in CrowdKind::ALL {
        assert_eq!(kind.to_string().parse::<CrowdKind>().unwrap(), kind);
        for agents in [8, kind.agents()] {
            let scene = CrowdScene::new(kind, agents, 5).unwrap();
            assert_eq!((scene.len(), scene.finish.len()), (agents, agents), "{kind}");
            let none = scene.starts.iter().zip(&scene.finish).filter(|(at, finish)| finish.is_reached(**at)).count();
            // In a permutation an agent may keep its own place.
            assert!(none <= 3 + agents / 50, "{kind}: {none} need not go anywhere");
            let mut world = scene.world(throng_sim::world::Settings { threads: 1, ..Default::default() }).unwrap();
            world.tick().unwrap();
            assert_eq!(world.agents(), agents);
            for ((id, at), start) in world.positions().zip(&scene.starts) {
                assert!(at.distance(*start) < 0.2, "{kind}: agent {} is not in the slot of its row", id.slot);
            }
        }
        assert_eq!(CrowdScene::new(kind, 64, 5).unwrap(), CrowdScene::new(kind, 64, 5).unwrap());
    }
}

#[test]
fn too_many_are_told_how_many_there_may_be() {
    let error = CrowdScene::new(CrowdKind::Corner, 401, 1).unwrap_err().to_string();
    assert_eq!(error, "the scene corner cannot have 401 agents; choose from 8 to 400");
    assert!(CrowdScene::new(CrowdKind::Circle, 7, 1).is_err());
}

#[test]
fn means_of_outcomes() {
    let one = |arrived, standstill| Outcome {
        quality: Quality { arrived, ..Quality::default() },
        door: Some(DoorFlow { flow: arrived, standstill }),
        ..Outcome::default()
    };
    let mean = Outcome::mean(&[one(1.0, 2.0), one(3.0, 1.0)]);
    assert_eq!(mean.quality.arrived, 2.0);
    assert_eq!(mean.door, Some(DoorFlow { flow: 2.0, standstill: 2.0 }));
    assert_eq!(mean.lanes, None);
}
