//! Tests of volleys.

use super::*;
use crate::volume::{Shape2, Shape3};
use crate::{Border, Index, IndexKind, Octree};

/// All pairs by hand against those of the index, and sub-steps against the continuous test.
fn check<const D: usize, S: Solid<D>>(index: &mut impl SpatialIndex<D>, response: Response) {
    let mut volley = Volley::<D, S>::new(120, 15.0, 3).unwrap();
    let (mut near, mut all, mut missed) = (Vec::new(), 0, [0; 5]);
    for step in 0..25 {
        index.rebuild(volley.bodies()).unwrap();
        volley.near(index, &mut near);
        let pairs =
            (0..volley.shots.len() as u32).flat_map(|shot| (0..volley.bodies.len() as u32).map(move |b| (shot, b)));
        for pair in pairs {
            let hit = volley.hit(pair);
            assert!(hit.is_none() || near.contains(&pair), "step {step}: {pair:?} is not near");
            let Some(hit) = hit else {
                // Fine steps find nothing that the continuous test does not.
                assert!(!volley.meets(pair, 64), "step {step}: {pair:?}");
                continue;
            };
            all += 1;
            // Just after the hit they overlap, or the shot only grazes the body or the step is over.
            let (sweep, body) = (volley.sweep(pair), &volley.bodies[pair.1 as usize]);
            assert!(body.distance(sweep.at(hit.time).centre) < sweep.radius + 1e-4, "{pair:?} {hit:?}");
            for (steps, missed) in [1, 2, 4, 8, 16].into_iter().zip(&mut missed) {
                *missed += usize::from(!volley.meets(pair, steps));
            }
        }
        volley.advance(&near, response);
        let inside = |at: &[f32; D]| at.iter().all(|x| (0.0..=volley.side).contains(x));
        assert!(volley.shots.iter().all(|shot| inside(&shot.centre)));
        assert!(volley.bodies().position.iter().all(inside));
    }
    assert!(all > 50, "{all} hits");
    assert!(missed[0] * 5 > all && missed[4] * 5 < all, "{missed:?} of {all}");
    assert!(missed.is_sorted_by(|a, b| a >= b), "{missed:?}");
}

#[test]
fn the_index_misses_no_hit_and_more_steps_miss_less() {
    for response in Response::ALL {
        check::<2, Shape2>(&mut Index::new(IndexKind::Quadtree), response);
        check::<3, Shape3>(&mut Octree::new(Border::Parent), response);
    }
}

#[test]
fn a_seed_gives_the_same_shapes_and_speeds_are_set() {
    let of = |seed| Volley::<2, Shape2>::new(50, 10.0, seed).unwrap();
    assert!(of(7).bodies == of(7).bodies && of(7).shots == of(7).shots && of(7).shots != of(8).shots);
    let mut volley = of(7);
    volley.set_speed(30.0);
    let lengths = volley.shot_motion.iter().map(|[x, y]| x.hypot(*y));
    assert!(lengths.into_iter().all(|length| (length - 30.0).abs() < 1e-3));
    let one = Volley::<3, Shape3>::new(1, 5.0, 1).unwrap();
    assert_eq!((one.shots.len(), one.bodies.len()), (1, 1));
}
