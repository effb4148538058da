//! Jointed trees against all of their leaves, placed one by one.

use super::super::{
    Aabb, Ball, Joint, JointedTree, Part, Pose, PosedJointedTree, Shape2, Shape3, SphereTree, Tests, Volume,
    VolumeError,
};
use super::Source;
use crate::{BoundingBalls, Bvh, SpatialIndex, volume_pairs};
use std::array::from_fn;
use std::ops::ControlFlow;
use std::sync::Arc;

/// What differs between the plane and space.
trait Dimension<const D: usize> {
    /// A turn at random, also none.
    fn turn(source: &mut Source) -> Pose<D>;
    /// Anything convex.
    fn solid(source: &mut Source, size: f32) -> Self;
    fn hits(body: &PosedJointedTree<D>, solid: &Self) -> Vec<(usize, u32)>;
    fn meets(solid: &Self, leaf: &Ball<D>) -> bool;
}

impl Dimension<2> for Shape2 {
    fn turn(source: &mut Source) -> Pose<2> {
        let degrees = if source.below(4) == 0 { 0.0 } else { source.range(-360.0, 360.0) };
        Pose::turned([0.0; 2], degrees)
    }

    fn solid(source: &mut Source, size: f32) -> Self {
        if source.below(4) == 0 { source.tree2(size).into() } else { source.solid2(size) }
    }

    fn hits(body: &PosedJointedTree<2>, solid: &Self) -> Vec<(usize, u32)> {
        hits(body, solid)
    }

    fn meets(solid: &Self, leaf: &Ball<2>) -> bool {
        solid.overlaps_ball(leaf)
    }
}

impl Dimension<3> for Shape3 {
    fn turn(source: &mut Source) -> Pose<3> {
        Pose::rotated([0.0; 3], source.rotation()).unwrap()
    }

    fn solid(source: &mut Source, size: f32) -> Self {
        if source.below(4) == 0 { source.tree3(size).into() } else { source.solid3(size) }
    }

    fn hits(body: &PosedJointedTree<3>, solid: &Self) -> Vec<(usize, u32)> {
        hits(body, solid)
    }

    fn meets(solid: &Self, leaf: &Ball<3>) -> bool {
        solid.overlaps_ball(leaf)
    }
}

fn hits<const D: usize>(body: &PosedJointedTree<D>, volume: &impl Volume<D>) -> Vec<(usize, u32)> {
    let mut hits = Vec::new();
    body.hits(volume, |part, leaf| {
        hits.push((part, leaf));
        ControlFlow::Continue(())
    });
    hits.sort_unstable();
    hits
}

fn touching<const D: usize>(a: &PosedJointedTree<D>, b: &PosedJointedTree<D>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    a.hits_tree(b, |part, other| {
        pairs.push((part, other));
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
    pairs
}

fn folded<const D: usize>(body: &PosedJointedTree<D>) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    body.hits_itself(|part, other| {
        pairs.push((part, other));
        ControlFlow::Continue(())
    });
    pairs.sort_unstable();
    pairs
}

/// The leaves of a part, as they are placed.
fn leaves<const D: usize>(body: &PosedJointedTree<D>, part: usize) -> Vec<Ball<D>> {
    let part = &body.parts()[part];
    (0..part.tree.len() as u32).map(|leaf| part.leaf(leaf).unwrap()).collect()
}

/// True where a leaf of one overlaps a leaf of the other.
fn any_overlap<const D: usize>(a: &[Ball<D>], b: &[Ball<D>]) -> bool {
    a.iter().any(|a| b.iter().any(|b| a.overlaps(b)))
}

/// One to twelve parts, in a chain or a tree. Chains are long and thin, so that some fold.
fn skeleton<const D: usize>(source: &mut Source) -> Arc<JointedTree<D>> {
    let count = 1 + source.below(12) as usize;
    let chain = source.below(2) == 0;
    let parts = (0..count).map(|part| {
        let balls = 1 + source.below(6) as usize;
        let tree = Arc::new(SphereTree::new(&source.balls(balls)).unwrap());
        let parent = match part {
            0 => return Part { tree, joint: None },
            _ if chain => part - 1,
            _ => source.below(part as u32) as usize,
        };
        Part { tree, joint: Some(Joint { parent, pivot_in_parent: source.point(2.0), pivot: source.point(1.0) }) }
    });
    Arc::new(JointedTree::new(parts.collect()).unwrap())
}

fn poses<const D: usize, S: Dimension<D>>(source: &mut Source, parts: usize) -> Vec<Pose<D>> {
    let mut poses: Vec<Pose<D>> = (0..parts).map(|_| S::turn(source)).collect();
    poses[0].at = source.point(2.0);
    if source.below(3) == 0 {
        // One that is drawn out.
        poses[parts - 1].at = source.point(1.0);
    }
    poses
}

/// Where a point of a part is in the world: from joint to joint up to the root, without any matrix of the whole.
fn carried<const D: usize>(tree: &JointedTree<D>, poses: &[Pose<D>], part: usize, point: [f64; D]) -> [f64; D] {
    let (mut part, mut point) = (part, point);
    loop {
        let (pose, joint) = (&poses[part], tree.parts()[part].joint);
        let from: [f64; D] = from_fn(|i| point[i] - joint.map_or(0.0, |joint| f64::from(joint.pivot[i])));
        point = from_fn(|i| {
            let turned: f64 = (0..D).map(|axis| from[axis] * f64::from(pose.axes[axis][i])).sum();
            turned + f64::from(pose.at[i]) + joint.map_or(0.0, |joint| f64::from(joint.pivot_in_parent[i]))
        });
        match joint {
            Some(joint) => part = joint.parent,
            None => return point,
        }
    }
}

fn far<const D: usize>(a: [f64; D], b: [f64; D]) -> f64 {
    (0..D).map(|i| (a[i] - b[i]).powi(2)).sum::<f64>().sqrt()
}

/// How far a leaf may be from where it is by other arithmetic (m), with twelve parts of some metres each.
const NEAR_M: f64 = 3e-5;

fn is_right<const D: usize, S: Dimension<D>>(seed: u64, rounds: usize) {
    let mut source = Source::new(seed);
    let (mut hit, mut met, mut with_itself, mut many) = (0, 0, 0, 0);
    for _ in 0..rounds {
        let tree = skeleton::<D>(&mut source);
        let count = tree.parts().len();
        let first = poses::<D, S>(&mut source, count);
        let mut body = PosedJointedTree::new(Arc::clone(&tree), &first).unwrap();
        let poses = poses::<D, S>(&mut source, count);
        body.set_poses(&poses).unwrap();
        assert_eq!(
            body,
            PosedJointedTree::new(Arc::clone(&tree), &poses).unwrap(),
            "nothing is left of the first pose"
        );

        // Each leaf is where the joints carry it.
        let placed: Vec<Vec<Ball<D>>> = (0..count).map(|part| leaves(&body, part)).collect();
        let mut carried_leaves = Vec::new();
        for (part, placed) in placed.iter().enumerate() {
            for (leaf, ball) in placed.iter().enumerate() {
                let own = tree.parts()[part].tree.leaf(leaf as u32).unwrap();
                let centre = carried(&tree, &poses, part, own.centre.map(f64::from));
                assert!(far(centre, ball.centre.map(f64::from)) < NEAR_M, "{centre:?} {ball:?} {body:?}");
                carried_leaves.push(((part, leaf as u32), centre, ball.radius));
            }
        }

        // Exactly the leaves that a test of all of them finds.
        let solid = S::solid(&mut source, 4.0);
        let mut expected = Vec::new();
        for (part, leaves) in placed.iter().enumerate() {
            expected.extend((0..leaves.len()).filter(|&i| S::meets(&solid, &leaves[i])).map(|i| (part, i as u32)));
        }
        assert_eq!(S::hits(&body, &solid), expected, "{body:?}");
        hit += expected.len();

        // And those that other arithmetic finds, but for the border.
        let ball = source.ball::<D>(4.0);
        let found = hits(&body, &ball);
        assert_eq!((body.overlaps_volume(&ball), body.overlaps_ball(&ball)), (!found.is_empty(), !found.is_empty()));
        for (number, centre, radius) in &carried_leaves {
            let gap = far(*centre, ball.centre.map(f64::from)) - f64::from(radius + ball.radius);
            if gap.abs() > NEAR_M {
                assert_eq!(found.binary_search(number).is_ok(), gap < 0.0, "{number:?} {gap} {body:?}");
            }
        }

        // Points, and what is around all.
        let point = source.point(4.0);
        assert_eq!(body.contains(point), placed.iter().flatten().any(|leaf| leaf.contains(point)));
        let nearest = placed.iter().flatten().map(|leaf| leaf.distance(point)).fold(f32::INFINITY, f32::min);
        assert_eq!(body.distance(point), nearest);
        let (around, Aabb { low, high }) = (body.bounding_ball(), body.bounds());
        for leaf in placed.iter().flatten() {
            let reach = far(leaf.centre.map(f64::from), around.centre.map(f64::from)) + f64::from(leaf.radius);
            assert!(reach <= f64::from(around.radius) * (1.0 + 1e-7), "{leaf:?} {around:?}");
            let Aabb { low: least, high: most } = leaf.bounds();
            assert!((0..D).all(|i| low[i] <= least[i] && most[i] <= high[i]), "{leaf:?} {low:?} {high:?}");
        }
        assert!((0..D).all(|i| placed.iter().flatten().any(|leaf| leaf.bounds().low[i] == low[i])), "the least box");

        // With itself.
        let joined = |i: usize, j: usize| tree.parts()[j].joint.is_some_and(|joint| joint.parent == i);
        let mut expected = Vec::new();
        for i in 0..count {
            expected.extend(
                (i + 1..count).filter(|&j| !joined(i, j) && any_overlap(&placed[i], &placed[j])).map(|j| (i, j)),
            );
        }
        assert_eq!(folded(&body), expected, "{body:?}");
        with_itself += expected.len();

        // With another one.
        let tree = skeleton::<D>(&mut source);
        let of_other = self::poses::<D, S>(&mut source, tree.parts().len());
        let other = PosedJointedTree::new(tree, &of_other).unwrap();
        let mut expected = Vec::new();
        for (i, placed) in placed.iter().enumerate() {
            for j in 0..other.parts().len() {
                if any_overlap(placed, &leaves(&other, j)) {
                    expected.push((i, j));
                }
            }
        }
        assert_eq!(touching(&body, &other), expected, "{body:?} {other:?}");
        let mut turned_round: Vec<_> = touching(&other, &body).into_iter().map(|(j, i)| (i, j)).collect();
        turned_round.sort_unstable();
        assert_eq!(turned_round, expected);
        assert_eq!((body.overlaps(&other), other.overlaps(&body)), (!expected.is_empty(), !expected.is_empty()));
        met += expected.len();
        many += usize::from(count > 6);

        // Visitors can stop.
        let mut calls = 0;
        let mut stop = || {
            calls += 1;
            ControlFlow::Break(())
        };
        body.hits_tree(&other, |_, _| stop());
        body.hits_itself(|_, _| stop());
        body.hits(&ball, |_, _| stop());
        let some = [!expected.is_empty(), !folded(&body).is_empty(), !found.is_empty()];
        assert_eq!(calls, some.into_iter().filter(|&some| some).count());
    }
    let least = rounds / 20;
    assert!(hit > least && met > least && with_itself > least && many > least, "{hit} {met} {with_itself} {many}");
}

/// Far away, where rounding is coarse, as near.
#[test]
fn far_away_no_leaf_is_missed() {
    let mut source = Source::new(36);
    let (mut hit, mut met) = (0, 0);
    for round in 0..1500 {
        let far_m = [3e3, 3e5, -1e7][round % 3];
        let mut body = || {
            let tree = skeleton::<3>(&mut source);
            let mut poses = poses::<3, Shape3>(&mut source, tree.parts().len());
            poses[0].at = poses[0].at.map(|x| x + far_m);
            PosedJointedTree::new(tree, &poses).unwrap()
        };
        let (a, b) = (body(), body());
        let mut ball = source.ball::<3>(4.0);
        ball.centre = ball.centre.map(|x| x + far_m);
        let all = |body: &PosedJointedTree<3>| -> Vec<Vec<Ball<3>>> {
            (0..body.parts().len()).map(|part| leaves(body, part)).collect()
        };
        let (of_a, of_b) = (all(&a), all(&b));
        let found = of_a.iter().flatten().filter(|leaf| leaf.overlaps(&ball)).count();
        assert_eq!(hits(&a, &ball).len(), found, "{a:?} {ball:?}");
        let mut expected = Vec::new();
        for (i, leaves) in of_a.iter().enumerate() {
            expected.extend((0..of_b.len()).filter(|&j| any_overlap(leaves, &of_b[j])).map(|j| (i, j)));
        }
        assert_eq!(touching(&a, &b), expected, "{a:?} {b:?}");
        (hit, met) = (hit + found, met + expected.len());
    }
    assert!(hit > 100 && met > 100, "{hit} {met}");
}

#[test]
fn finds_what_all_leaves_would_in_the_plane() {
    is_right::<2, Shape2>(31, 2000);
}

#[test]
fn finds_what_all_leaves_would_in_space() {
    is_right::<3, Shape3>(32, 2000);
}

/// A body that is not bent is one sphere tree of all leaves, wherever it is moved.
fn stiff_is_one_tree<const D: usize, S: Dimension<D>>(seed: u64) {
    let mut source = Source::new(seed);
    let whole = |point: [f32; D]| point.map(|x| (2.0 * x).round() / 2.0);
    for _ in 0..500 {
        let count = 1 + source.below(12) as usize;
        let (mut parts, mut all, mut origins) = (Vec::new(), Vec::new(), Vec::<[f32; D]>::new());
        for part in 0..count {
            let balls: Vec<Ball<D>> = (0..=source.below(6))
                .map(|_| Ball { centre: whole(source.point(2.0)), radius: 0.25 + 0.25 * source.below(3) as f32 })
                .collect();
            let joint = (part > 0).then(|| Joint {
                parent: source.below(part as u32) as usize,
                pivot_in_parent: whole(source.point(2.0)),
                pivot: whole(source.point(2.0)),
            });
            // Halves add up without rounding.
            let origin: [f32; D] = joint.map_or([0.0; D], |joint| {
                from_fn(|i| origins[joint.parent][i] + joint.pivot_in_parent[i] - joint.pivot[i])
            });
            origins.push(origin);
            all.extend(balls.iter().map(|ball| Ball { centre: from_fn(|i| ball.centre[i] + origin[i]), ..*ball }));
            parts.push(Part { tree: Arc::new(SphereTree::new(&balls).unwrap()), joint });
        }
        let mut poses = vec![Pose::default(); count];
        poses[0] = Pose::moved(whole(source.point(4.0)));
        let tree = Arc::new(JointedTree::new(parts).unwrap());
        let mut body = PosedJointedTree::new(tree, &poses).unwrap();
        let mut one = super::PosedTree { tree: Arc::new(SphereTree::new(&all).unwrap()), pose: poses[0] };
        for _ in 0..4 {
            let solid = S::solid(&mut source, 6.0);
            let placed: Vec<Ball<D>> = (0..all.len() as u32).map(|leaf| one.leaf(leaf).unwrap()).collect();
            let hit = placed.iter().filter(|leaf| S::meets(&solid, leaf)).count();
            assert_eq!(S::hits(&body, &solid).len(), hit, "{body:?}");
            let point = source.point(5.0);
            assert_eq!(body.distance(point), one.distance(point));
            assert_eq!(body.contains(point), one.contains(point));
        }
        assert_eq!(body.bounds(), one.bounds());
        // Turned as well, but for rounding.
        poses[0].axes = S::turn(&mut source).axes;
        one.pose = poses[0];
        body.set_poses(&poses).unwrap();
        let point = source.point(5.0);
        assert!((body.distance(point) - one.distance(point)).abs() < NEAR_M as f32);
    }
}

#[test]
fn a_stiff_body_is_one_sphere_tree() {
    stiff_is_one_tree::<2, Shape2>(33);
    stiff_is_one_tree::<3, Shape3>(34);
}

/// `count` bones of 1 m along +x, each joined to the end of the one before.
fn chain(count: usize) -> Arc<JointedTree<2>> {
    let bone = Arc::new(SphereTree::new(&[0.25, 0.5, 0.75].map(|x| Ball { centre: [x, 0.0], radius: 0.2 })).unwrap());
    let joined = |parent| Joint { parent, pivot_in_parent: [1.0, 0.0], pivot: [0.0, 0.0] };
    let parts = (0..count).map(|i| Part { tree: Arc::clone(&bone), joint: i.checked_sub(1).map(joined) });
    Arc::new(JointedTree::new(parts.collect()).unwrap())
}

#[test]
fn default_poses_leave_the_parts_as_they_hang() {
    let body = PosedJointedTree::new(chain(5), &[Pose::default(); 5]).unwrap();
    for (part, posed) in body.parts().iter().enumerate() {
        assert_eq!(posed.pose, Pose::moved([part as f32, 0.0]));
    }
    assert_eq!(folded(&body), []);
    let around = body.bounding_ball();
    assert!((around.centre[0] - 2.5).abs() < 1e-4 && (around.radius - 2.45).abs() < 1e-4, "{around:?}");
}

#[test]
fn a_folded_arm_meets_itself() {
    let turned = |degrees: [f32; 4]| degrees.map(|degrees| Pose::turned([0.0, 0.0], degrees));
    let mut arm = PosedJointedTree::new(chain(4), &turned([30.0, 10.0, -20.0, 5.0])).unwrap();
    assert_eq!(folded(&arm), [], "nearly straight");
    arm.set_poses(&turned([0.0, 90.0, 90.0, 0.0])).unwrap();
    assert_eq!(folded(&arm), [], "a hook");
    arm.set_poses(&turned([0.0, 120.0, 120.0, 0.0])).unwrap();
    assert_eq!(folded(&arm), [(0, 2)], "a triangle: the third one comes back to the first, the fourth one leads away");
    arm.set_poses(&turned([0.0, 120.0, 120.0, 120.0])).unwrap();
    assert_eq!(folded(&arm), [(0, 2), (0, 3), (1, 3)], "once more along the first side");
    arm.set_poses(&turned([0.0, 180.0, 180.0, 0.0])).unwrap();
    assert_eq!(folded(&arm), [(0, 2)], "the second one lies on its parent, which does not count");
    arm.set_poses(&turned([0.0, 180.0, 180.0, 180.0])).unwrap();
    assert_eq!(folded(&arm), [(0, 2), (0, 3), (1, 3)]);
}

#[test]
fn looks_only_where_it_is_hit() {
    let body = PosedJointedTree::new(chain(64), &[Pose::default(); 64]).unwrap();
    let count = |ball: Ball<2>| {
        let mut hits = 0;
        let tests = body.hits(&ball, |_, _| {
            hits += 1;
            ControlFlow::Continue(())
        });
        (tests, hits)
    };
    let ball = |x: f32, y: f32| Ball { centre: [x, y], radius: 0.1 };
    assert_eq!(count(ball(0.0, 100.0)), (Tests { nodes: 1, leaves: 0 }, 0), "beside the whole: one look");
    let (tests, hits) = count(ball(2.5, 0.0));
    assert!(hits > 0 && tests.nodes < 30 && tests.leaves <= 6, "{tests:?} of 64 parts");
    let other = PosedJointedTree::new(chain(64), &{
        let mut poses = [Pose::default(); 64];
        poses[0] = Pose::turned([10.5, -10.5], 90.0);
        poses
    })
    .unwrap();
    assert_eq!(touching(&body, &other), [(10, 10)]);
    let tests = body.hits_tree(&other, |_, _| ControlFlow::Continue(()));
    assert!(tests.nodes < 800 && tests.leaves < 20, "{tests:?} of 4096 pairs");
}

/// A jointed tree is a volume as any other, which an index finds.
#[test]
fn an_index_finds_jointed_trees() {
    let mut source = Source::new(35);
    let bodies: Vec<PosedJointedTree<3>> = (0..60)
        .map(|_| {
            let tree = skeleton::<3>(&mut source);
            let mut poses = poses::<3, Shape3>(&mut source, tree.parts().len());
            poses[0].at = source.point(9.0);
            PosedJointedTree::new(tree, &poses).unwrap()
        })
        .collect();
    let mut balls = BoundingBalls::default();
    balls.update(&bodies);
    let id: Vec<u32> = (0..60).collect();
    let mut index = Bvh::default();
    index.rebuild(balls.bodies(&id, &[])).unwrap();
    let mut found = Vec::new();
    volume_pairs(&index, balls.bodies(&id, &[]), &bodies, |i, j| {
        found.push((i as usize, j as usize));
        ControlFlow::Continue(())
    });
    found.sort_unstable();
    let pairs = (0..60).flat_map(|i| (i + 1..60).map(move |j| (i, j)));
    let expected: Vec<_> = pairs.filter(|&(i, j)| !touching(&bodies[i], &bodies[j]).is_empty()).collect();
    assert_eq!(found, expected);
    assert!(found.len() > 10, "{}", found.len());
}

#[test]
fn bad_parts_and_bad_poses_are_refused_in_words() {
    let tree = Arc::new(SphereTree::new(&[Ball { centre: [0.0, 0.0], radius: 1.0 }]).unwrap());
    let joint = |parent| Joint { parent, pivot_in_parent: [1.0, 0.0], pivot: [0.0, 0.0] };
    let made = |joints: &[Option<Joint<2>>]| {
        JointedTree::new(joints.iter().map(|&joint| Part { tree: Arc::clone(&tree), joint }).collect())
    };
    let error = |joints: &[Option<Joint<2>>]| made(joints).unwrap_err().to_string();
    assert_eq!(made(&[]), Err(VolumeError::NoParts));
    assert_eq!(error(&[]), "a jointed tree of no parts: give one at least");
    assert_eq!(
        error(&[Some(joint(3)), None]),
        "part 0 has part 3 as its parent, expected none: the first part is the root"
    );
    assert_eq!(
        error(&[None, Some(joint(0)), None]),
        "part 2 has no parent, expected a part before it: only part 0 is the root"
    );
    for parent in [1, 2, usize::MAX] {
        assert_eq!(
            error(&[None, Some(joint(parent)), None]),
            format!("part 1 has part {parent} as its parent, expected a part before it")
        );
    }
    for bad in [f32::NAN, f32::INFINITY] {
        let message = format!("the joint of part 1 has a pivot at {bad} m, expected finite numbers");
        assert_eq!(error(&[None, Some(Joint { pivot: [0.0, bad], ..joint(0) })]), message);
        assert_eq!(error(&[None, Some(Joint { pivot_in_parent: [bad, 0.0], ..joint(0) })]), message);
    }

    let two = Arc::new(made(&[None, Some(joint(0))]).unwrap());
    let good = Pose::moved([3.0, 0.0]);
    assert_eq!(
        PosedJointedTree::new(Arc::clone(&two), &[good]).unwrap_err().to_string(),
        "the number of poses is 1, expected 2: give one for each part"
    );
    let mut posed = PosedJointedTree::new(two, &[good; 2]).unwrap();
    let before = posed.clone();
    let mut refused = |poses: &[Pose<2>]| {
        let error = posed.set_poses(poses).unwrap_err().to_string();
        assert_eq!(posed, before, "nothing is moved");
        error
    };
    assert_eq!(refused(&[good; 3]), "the number of poses is 3, expected 2: give one for each part");
    assert_eq!(
        refused(&[Pose::moved([1.0, 0.0]), Pose::moved([0.0, f32::NAN])]),
        "the pose of part 1 is at NaN m, expected finite numbers"
    );
    let skewed = Pose { axes: [[1.0, 0.0], [1.0, 0.0]], ..good };
    let expected = "axes 0 and 1 have the product 1, expected 0 to within 0.001: give axes of length 1 at right angles";
    assert_eq!(refused(&[skewed, good]), expected);
    assert_eq!(refused(&[Pose::moved([1.0, 0.0]), skewed]), expected);
    let no_number = Pose { axes: [[f32::NAN, 0.0], [0.0, 1.0]], ..good };
    assert!(refused(&[good, no_number]).starts_with("axes 0 and 0 have the product NaN, expected 1"));
}
