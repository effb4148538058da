use super::*;
use crate::tests::{Crowd, Lie, Size, suite};
use crate::{Bodies, SpatialIndex};

/// Every body is where it belongs, once or in every leaf it touches; links and counts agree.
fn holds_together<const D: usize>(tree: &OrthTree<D>, bodies: Bodies<D>) {
    let mut seen = vec![0; bodies.len()];
    let mut live = 0;
    let mut waiting = vec![0];
    while let Some(index) = waiting.pop() {
        live += 1;
        let node = tree.nodes[index as usize];
        assert_eq!(node.corner.map(|x| x & ((1_u32 << node.shift) - 1)), [0; D]);
        let mut total = node.own;
        if node.children != NONE {
            for child in node.children..node.children + OrthTree::<D>::CHILDREN {
                assert_eq!(tree.nodes[child as usize].parent, index);
                assert_eq!(tree.nodes[child as usize].shift + 1, node.shift);
                total += tree.nodes[child as usize].total;
                waiting.push(child);
            }
            assert!(tree.border == Border::Parent || node.own == 0);
        }
        assert_eq!(node.total > 0, total > 0);
        for place in node.places() {
            let row = tree.listing[place].row as usize;
            assert_eq!(tree.listing[place].node(), index);
            assert_eq!(tree.position[place], bodies.position[row]);
            let span = tree.lattice.span_of(bodies.position[row], bodies.radius[row]);
            assert!(span.meets(&node.corner, node.shift));
            if tree.border == Border::Parent {
                assert!(span.fits(&node.corner, node.shift));
                assert!(node.children == NONE || span.apart() >> (node.shift - 1) != 0, "it fits a child");
            }
            seen[row] += usize::from(tree.listing[place].starts() == Listing::whole::<D>());
        }
    }
    assert_eq!(live, tree.nodes());
    let mut held: Vec<u32> = tree.holding.iter().copied().filter(|&node| node != NONE).collect();
    assert!(held.iter().all(|&node| tree.nodes[node as usize].own > 0));
    held.sort_unstable();
    assert!(held.windows(2).all(|pair| pair[0] != pair[1]));
    let listings: u32 = held.iter().map(|&node| tree.nodes[node as usize].own).sum();
    let used = tree.listing.iter().filter(|&&listing| listing != Listing::NOBODY).count();
    assert_eq!(listings as usize, used);
    assert!(seen.iter().all(|&times| times == 1), "{seen:?}");
}

fn kinds<const D: usize>() -> Vec<OrthTree<D>> {
    let mut kinds = Vec::new();
    for border in [Border::Parent, Border::Leaves] {
        for capacity in [1, 4, 30] {
            kinds.push(OrthTree::new(border).with_capacity(capacity));
        }
        kinds.push(OrthTree::new(border).with_capacity(2).with_smallest(3.0));
    }
    kinds
}

#[test]
fn agrees_with_brute_force() {
    for tree in kinds::<2>() {
        suite::<2, _>(&format!("{:?} {}", tree.border, tree.capacity), || tree.clone());
    }
    for tree in kinds::<3>().into_iter().skip(1).step_by(2) {
        suite::<3, _>(&format!("{:?} {} 3-D", tree.border, tree.capacity), || tree.clone());
    }
}

#[test]
fn nobody_is_lost() {
    fn check<const D: usize>() {
        for lie in [Lie::Uniform, Lie::Clustered, Lie::Lattice, Lie::Scattered, Lie::Coincident] {
            for mut tree in kinds::<D>() {
                let mut crowd = Crowd::<D>::new(lie, Size::Mixed, 200, 4);
                for _ in 0..20 {
                    crowd.stir();
                    tree.update(crowd.bodies()).unwrap();
                    holds_together(&tree, crowd.bodies());
                }
            }
        }
    }
    check::<2>();
    check::<3>();
}

#[test]
fn nodes_merge_where_bodies_leave() {
    for border in [Border::Parent, Border::Leaves] {
        let bounds = Aabb { low: [0.0; 2], high: [1000.0; 2] };
        let mut tree = Quadtree::new(border).with_bounds(bounds);
        let mut crowd = Crowd::<2>::new(Lie::Uniform, Size::Equal, 2000, 4);
        let corner = crowd.position.iter().map(|at| at.map(|x| (x + 12.0) * 2.0)).collect::<Vec<_>>();
        let spread = corner.iter().map(|at| at.map(|x| x * 20.0)).collect::<Vec<_>>();
        crowd.position.clone_from(&corner);
        tree.update(crowd.bodies()).unwrap();
        let gathered = tree.nodes();
        for turn in 0..3 {
            crowd.position.clone_from(&spread);
            tree.update(crowd.bodies()).unwrap();
            holds_together(&tree, crowd.bodies());
            // A few of them are far away, the others gone.
            let few = Bodies::new(&spread[..20], &crowd.radius[..20], &crowd.id[..20]);
            tree.update(few).unwrap();
            holds_together(&tree, few);
            assert!(tree.nodes() <= 41, "{border:?} {turn}: {}", tree.nodes());
            crowd.position.clone_from(&corner);
            tree.update(crowd.bodies()).unwrap();
            holds_together(&tree, crowd.bodies());
            assert!(tree.nodes() <= gathered + 8, "{border:?} {turn}: {} nodes, at first {gathered}", tree.nodes());
        }
        tree.update(crowd.bodies()).unwrap();
        let memory = SpatialIndex::<2>::bytes(&tree);
        tree.update(crowd.bodies()).unwrap();
        assert_eq!(SpatialIndex::<2>::bytes(&tree), memory);
    }
}

#[test]
fn depth_is_bounded_for_bodies_on_one_spot() {
    for border in [Border::Parent, Border::Leaves] {
        for (radius, most) in [(0.0, 4 * 30 + 1), (0.5, 4 * 30 + 1)] {
            let (position, id) = (vec![[7.0, 7.0]; 500], (0..500).collect::<Vec<_>>());
            let radii = vec![radius; 500];
            let bodies = Bodies::new(&position, &radii, &id);
            let mut tree = Quadtree::new(border);
            tree.rebuild(bodies).unwrap();
            holds_together(&tree, bodies);
            assert!(tree.nodes() <= most, "{}", tree.nodes());
        }
    }
}

#[test]
fn who_is_outside_the_bounds_is_named() {
    let tuning = Tuning { bounds: Some(Aabb { low: [0.0, 0.0], high: [10.0, 5.0] }), ..Tuning::default() };
    let mut tree = Quadtree::tuned(Border::Parent, &tuning);
    tree.rebuild(Bodies::new(&[[0.0, 5.0], [10.0, 0.0]], &[3.0; 2], &[4, 8])).unwrap();
    let error = tree.update(Bodies::new(&[[0.0, 5.0], [10.5, 0.0]], &[3.0; 2], &[4, 8])).unwrap_err();
    assert_eq!(
        error.to_string(),
        "body 8 (row 1) is at x = 10.5 m, outside the index, which spans 0 to 10 m; make its bounds wider, or use one \
         without bounds"
    );
}
