//! Sphere trees against all of their leaves.

use super::super::sphere_tree::INNER;
use super::super::{Ball, Pose, PosedTree, Shape3, SphereTree, Tests, Volume, VolumeError};
use super::Source;
use std::ops::ControlFlow;
use std::sync::Arc;

fn hits<const D: usize>(tree: &PosedTree<D>, volume: &impl Volume<D>) -> Vec<u32> {
    let mut hits = Vec::new();
    tree.hits(volume, |leaf| {
        hits.push(leaf);
        ControlFlow::Continue(())
    });
    hits.sort_unstable();
    hits
}

fn leaves<const D: usize>(tree: &PosedTree<D>) -> Vec<Ball<D>> {
    (0..tree.tree.len() as u32).map(|leaf| tree.leaf(leaf).unwrap()).collect()
}

#[test]
fn finds_what_all_leaves_would() {
    let mut source = Source::new(11);
    let mut found = 0;
    for round in 0..3000 {
        let mut tree = source.tree3(2.0);
        let mut other = source.solid3(2.0);
        if round % 3 == 0 {
            // Far away, where rounding is coarse.
            tree.pose.at = tree.pose.at.map(|x| x + 3e5);
            if let Shape3::Ball(ball) = &mut other {
                ball.centre = ball.centre.map(|x| x + 3e5);
            }
        }
        let brute = |volume: &dyn Fn(&Ball<3>) -> bool| -> Vec<u32> {
            let leaves = leaves(&tree);
            (0..leaves.len() as u32).filter(|&leaf| volume(&leaves[leaf as usize])).collect()
        };
        let expected = brute(&|leaf| other.overlaps_ball(leaf));
        assert_eq!(hits(&tree, &other), expected, "{tree:?} {other:?}");
        let as_shape = Shape3::from(tree.clone());
        assert_eq!(as_shape.overlaps(&other), !expected.is_empty());
        assert_eq!(other.overlaps(&as_shape), !expected.is_empty());
        found += expected.len();
        let point = source.point(3.0);
        assert_eq!(tree.contains(point), !brute(&|leaf| leaf.contains(point)).is_empty());
        let distance = leaves(&tree).iter().map(|leaf| leaf.distance(point)).fold(f32::INFINITY, f32::min);
        assert_eq!(tree.distance(point), distance);
    }
    assert!(found > 1000, "{found}");
}

#[test]
fn touching_leaves_are_told_apart_to_the_last_bit() {
    let mut source = Source::new(12);
    for _ in 0..2000 {
        let tree = source.tree2(2.0);
        let leaves = leaves(&tree);
        // A ball that touches a leaf as nearly as numbers allow.
        let leaf = leaves[source.below(leaves.len() as u32) as usize];
        let centre: [f32; 2] = source.point(3.0);
        let radius = Ball { centre: leaf.centre, radius: leaf.radius }.distance(centre);
        for radius in [radius.next_down(), radius, radius.next_up(), radius.next_up().next_up()] {
            let ball = Ball { centre, radius };
            let expected: Vec<u32> =
                (0..leaves.len() as u32).filter(|&leaf| leaves[leaf as usize].overlaps(&ball)).collect();
            assert_eq!(hits(&tree, &ball), expected, "{tree:?} {ball:?}");
        }
    }
}

#[test]
fn two_trees() {
    let mut source = Source::new(13);
    let mut found = 0;
    for _ in 0..2000 {
        let (a, b) = (source.tree3(1.5), source.tree3(1.5));
        let mut pairs = Vec::new();
        let tests = a.hits_tree(&b, |i, j| {
            pairs.push((i, j));
            ControlFlow::Continue(())
        });
        pairs.sort_unstable();
        let (of_a, of_b) = (leaves(&a), leaves(&b));
        let mut expected = Vec::new();
        for (i, leaf) in of_a.iter().enumerate() {
            for (j, other) in of_b.iter().enumerate() {
                if leaf.overlaps(other) {
                    expected.push((i as u32, j as u32));
                }
            }
        }
        assert_eq!(pairs, expected, "{a:?} {b:?}");
        assert_eq!((a.overlaps(&b), b.overlaps(&a)), (!pairs.is_empty(), !pairs.is_empty()));
        assert!(tests.leaves as usize <= of_a.len() * of_b.len());
        found += pairs.len();
    }
    assert!(found > 300, "{found}");
}

#[test]
fn balls_are_around_what_is_below() {
    let mut source = Source::new(14);
    for count in [1, 2, 3, 7, 100, 1000] {
        let balls = source.balls::<3>(count);
        let tree = SphereTree::new(&balls).unwrap();
        assert_eq!((tree.len(), tree.nodes.len()), (count, 2 * count - 1));
        for (i, node) in tree.nodes.iter().enumerate() {
            let below = &tree.nodes[i..node.skip as usize];
            let leaves: Vec<_> = below.iter().filter(|node| node.leaf != INNER).collect();
            assert_eq!(below.len(), 2 * leaves.len() - 1);
            for leaf in leaves {
                assert_eq!(leaf.ball, balls[leaf.leaf as usize]);
                let squared: f64 =
                    (0..3).map(|k| (f64::from(leaf.ball.centre[k]) - f64::from(node.ball.centre[k])).powi(2)).sum();
                let reach = squared.sqrt() + f64::from(leaf.ball.radius);
                assert!(reach <= f64::from(node.ball.radius) * (1.0 + 1e-14), "{node:?} {leaf:?}");
            }
        }
        // As deep as halving makes it.
        let depth = |leaf: u32| {
            let at = tree.nodes.iter().position(|node| node.leaf == leaf).unwrap();
            tree.nodes[..at].iter().filter(|node| node.skip as usize > at).count()
        };
        let deepest = (0..count as u32).map(depth).max().unwrap();
        assert_eq!(deepest, count.next_power_of_two().trailing_zeros() as usize);
    }
}

#[test]
fn refined_only_where_hit() {
    let chain: Vec<_> = (0..4096).map(|i| Ball { centre: [i as f32, 0.0, 0.0], radius: 0.6 }).collect();
    let tree = Arc::new(SphereTree::new(&chain).unwrap());
    let at = |x: f32, y: f32| PosedTree { tree: tree.clone(), pose: Pose::moved([x, y, 0.0]) };
    let ball = |x: f32, y: f32| Ball { centre: [x, y, 0.0], radius: 1.0 };
    let count = |ball: &Ball<3>| {
        let mut hits = 0;
        let tests = at(0.0, 0.0).hits(ball, |_| {
            hits += 1;
            ControlFlow::Continue(())
        });
        (tests, hits)
    };
    // Beside the whole: one look.
    assert_eq!(count(&ball(0.0, 5000.0)), (Tests { nodes: 1, leaves: 0 }, 0));
    // At one place: a few leaves there and one way down.
    for x in [0.0, 17.3, 2047.5, 4000.0] {
        let (tests, hits) = count(&ball(x, 0.0));
        assert!((2..=4).contains(&hits), "{hits}");
        assert!(tests.leaves <= 16 && tests.nodes <= 60, "{tests:?} of 4096");
    }
    // Two chains that cross.
    let across = PosedTree { tree: tree.clone(), pose: Pose::rotated([2000.2, -2000.3, 0.0], quarter()).unwrap() };
    let mut pairs = 0;
    let tests = at(0.0, 0.0).hits_tree(&across, |_, _| {
        pairs += 1;
        ControlFlow::Continue(())
    });
    assert!((1..=6).contains(&pairs), "{pairs}");
    assert!(tests.leaves <= 64 && tests.nodes <= 400, "{tests:?} of 16 million");
    // Stops when told.
    let mut first = 0;
    let stopped = at(0.0, 0.0).hits_tree(&at(0.0, 0.1), |_, _| {
        first += 1;
        ControlFlow::Break(())
    });
    assert!(first == 1 && stopped.leaves < 64, "{stopped:?}");
}

fn quarter() -> glam::Quat {
    glam::Quat::from_rotation_z(std::f32::consts::FRAC_PI_2)
}

#[test]
fn turns_with_its_body() {
    let hand = Ball { centre: [3.0, 0.0], radius: 0.5 };
    let tree = Arc::new(SphereTree::new(&[Ball { centre: [0.0, 0.0], radius: 1.0 }, hand]).unwrap());
    for degrees in [0.0_f32, 30.0, 90.0, 200.0] {
        let body = PosedTree { tree: tree.clone(), pose: Pose::turned([10.0, -4.0], degrees) };
        let (sin, cos) = degrees.to_radians().sin_cos();
        let ball = Ball { centre: [10.0 + 3.0 * cos, -4.0 + 3.0 * sin], radius: 0.1 };
        assert_eq!(hits(&body, &ball), [1]);
        assert_eq!(hits(&body, &Ball { centre: [10.0, -4.0], radius: 0.1 }), [0]);
    }
}

#[test]
fn trees_of_points() {
    let mut source = Source::new(15);
    for per_leaf in [1, 4, 50] {
        let points: Vec<[f32; 3]> = (0..300).map(|_| source.point(20.0)).collect();
        let tree = SphereTree::of(&points, per_leaf).unwrap();
        assert!(tree.len() >= 300_usize.div_ceil(per_leaf));
        for point in points {
            let inside = |leaf: u32| {
                let ball = tree.leaf(leaf).unwrap();
                let squared: f64 = (0..3).map(|i| (f64::from(point[i]) - f64::from(ball.centre[i])).powi(2)).sum();
                squared <= f64::from(ball.radius) * f64::from(ball.radius)
            };
            assert!((0..tree.len() as u32).any(inside), "{point:?}");
        }
    }
    // All at one place.
    assert_eq!(SphereTree::of(&[[1.0, 2.0]; 100], 10).unwrap().root(), Ball { centre: [1.0, 2.0], radius: 0.0 });
}

#[test]
fn bad_leaves() {
    assert_eq!(SphereTree::<2>::new(&[]), Err(VolumeError::NoLeaves));
    assert_eq!(SphereTree::<2>::of(&[[f32::NAN; 2]], 0), Err(VolumeError::NoLeaves));
    assert_eq!(VolumeError::NoLeaves.to_string(), "a sphere tree of no balls: give one at least");
    let good = Ball { centre: [0.0, 0.0], radius: 0.0 };
    let bad = SphereTree::new(&[good, Ball { radius: -1.0, ..good }]).unwrap_err();
    assert_eq!(bad.to_string(), "ball 1 has a centre or a radius of -1, expected finite numbers and no radius below 0");
    for bad in [f32::NAN, f32::INFINITY] {
        assert!(matches!(SphereTree::new(&[Ball { radius: bad, ..good }]), Err(VolumeError::Leaf { leaf: 0, .. })));
        assert!(SphereTree::new(&[Ball { centre: [0.0, bad], ..good }]).is_err());
    }
}
