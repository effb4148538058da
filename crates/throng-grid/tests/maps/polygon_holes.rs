//! Floor plans whose rings cross, repeat and overlap, against a test of points.
#![allow(clippy::unwrap_used, clippy::needless_pass_by_value, missing_docs)]

use proptest::prelude::*;
use throng_grid::{Grid, MapFile, MapOptions};

type Ring = Vec<[f64; 2]>;

/// Polygons: the outer ring, then holes.
type Polygons = Vec<Vec<Ring>>;

fn wkt(polygons: &Polygons) -> String {
    let list = |texts: Vec<String>| format!("({})", texts.join(", "));
    let ring = |ring: &Ring| list(ring.iter().map(|[x, y]| format!("{x} {y}")).collect());
    format!("MULTIPOLYGON {}", list(polygons.iter().map(|rings| list(rings.iter().map(ring).collect())).collect()))
}

fn geojson(polygons: &Polygons) -> String {
    format!("{{\"type\":\"MultiPolygon\",\"cell_size\":1,\"coordinates\":{polygons:?}}}")
}

fn read(name: &str, text: &str) -> Grid {
    let polygons = Some(throng_grid::Polygons::Walkable);
    let options = MapOptions { cell_size: Some(1.0), polygons, ..MapOptions::default() };
    MapFile::from_bytes(text.as_bytes(), name, &options).unwrap().grid
}

/// How often a ring winds around a point: the sum of the angles between its corners.
fn winding(ring: &Ring, [x, y]: [f64; 2]) -> i64 {
    let angle = |a: &[f64; 2], b: &[f64; 2]| {
        let (a, b) = ([a[0] - x, a[1] - y], [b[0] - x, b[1] - y]);
        (a[0] * b[1] - a[1] * b[0]).atan2(a[0] * b[0] + a[1] * b[1])
    };
    let turns: f64 = ring.iter().zip(ring.iter().cycle().skip(1)).map(|(a, b)| angle(a, b)).sum();
    (turns / std::f64::consts::TAU).round() as i64
}

fn is_free(polygons: &Polygons, point: [f64; 2]) -> bool {
    polygons
        .iter()
        .any(|rings| winding(&rings[0], point) != 0 && rings[1..].iter().all(|hole| winding(hole, point) == 0))
}

/// True where all of the line from `a`, `b` = `a` + 1 along an axis is free.
fn is_line_free(polygons: &Polygons, a: [f64; 2], axis: usize) -> bool {
    let across = 1 - axis;
    let mut cuts = vec![0.0, 1.0];
    for ring in polygons.iter().flatten() {
        for (p, q) in ring.iter().zip(ring.iter().cycle().skip(1)) {
            if (p[across] <= a[across]) != (q[across] <= a[across]) {
                let part = (a[across] - p[across]) / (q[across] - p[across]);
                cuts.push(p[axis] + part * (q[axis] - p[axis]) - a[axis]);
            }
        }
    }
    cuts.retain(|cut| (0.0..=1.0).contains(cut));
    cuts.sort_by(f64::total_cmp);
    let at = |along: f64| {
        let mut point = a;
        point[axis] += along;
        point
    };
    // Pieces too short to matter are left out.
    cuts.windows(2).filter(|cut| cut[1] - cut[0] > 1e-5).all(|cut| is_free(polygons, at(f64::midpoint(cut[0], cut[1]))))
}

/// Open cells have free centres, and free lines between them; a closed one with a free centre stands beside a thin wall.
fn check(polygons: &Polygons, grid: &Grid) -> Result<(), TestCaseError> {
    let lattice = grid.lattice();
    let corner = [0, 1]
        .map(|axis| polygons.iter().flat_map(|rings| &rings[0]).map(|point| point[axis]).fold(f64::INFINITY, f64::min));
    let most = [0, 1].map(|axis| {
        polygons.iter().flat_map(|rings| &rings[0]).map(|point| point[axis]).fold(f64::NEG_INFINITY, f64::max)
    });
    let size = [0, 1].map(|axis| (most[axis] - corner[axis] - 0.01).ceil().max(1.0) as u32);
    prop_assert_eq!([lattice.width, lattice.height], size, "{}", wkt(polygons));
    let centre = |x: i64, y: i64| [corner[0] + x as f64 + 0.5, corner[1] + y as f64 + 0.5];
    let is_open = |x: i64, y: i64| lattice.checked_cell(x, y).is_some_and(|cell| grid.is_open(cell));
    for (x, y) in (0..i64::from(size[1])).flat_map(|y| (0..i64::from(size[0])).map(move |x| (x, y))) {
        let free = is_free(polygons, centre(x, y));
        prop_assert!(free || !is_open(x, y), "{}: {} {} is open", wkt(polygons), x, y);
        let beside = [(x - 1, y, x - 1, y, 0), (x + 1, y, x, y, 0), (x, y - 1, x, y - 1, 1), (x, y + 1, x, y, 1)];
        let mut thin = beside.into_iter().filter(|&(bx, by, from_x, from_y, axis)| {
            is_free(polygons, centre(bx, by)) && !is_line_free(polygons, centre(from_x, from_y), axis)
        });
        if free && !is_open(x, y) {
            prop_assert!(thin.next().is_some(), "{}: {} {} is closed", wkt(polygons), x, y);
        } else if free {
            let leak = thin.find(|&(bx, by, ..)| is_open(bx, by));
            prop_assert!(leak.is_none(), "{}: from {} {} to {:?}", wkt(polygons), x, y, leak);
        }
    }
    Ok(())
}

/// Rings of few corners anywhere: most cross themselves or each other.
fn ring() -> impl Strategy<Value = Ring> {
    let corner = (0_i32..40, 0_i32..40);
    prop::collection::vec(corner.prop_map(|(x, y)| [f64::from(x) * 0.513_7, f64::from(y) * 0.487_9]), 3..7)
}

/// A polygon whose holes are in any order, repeated, turned round, begun at another corner.
fn polygon() -> impl Strategy<Value = Vec<Ring>> {
    let again = (any::<prop::sample::Index>(), any::<bool>(), 0..3_usize);
    let parts = (ring(), prop::collection::vec(ring(), 0..4), prop::collection::vec(again, 0..3));
    parts.prop_map(|(outer, mut holes, again)| {
        for (hole, is_turned, first) in again {
            if holes.is_empty() {
                break;
            }
            let mut copy = holes[hole.index(holes.len())].clone();
            copy.rotate_left(first);
            if is_turned {
                copy.reverse();
            }
            holes.insert(hole.index(holes.len()), copy);
        }
        std::iter::once(outer).chain(holes).collect()
    })
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn holes_are_taken_from_the_outline(mut polygons in prop::collection::vec(polygon(), 1..3)) {
        // The plan begins at the origin.
        polygons.push(vec![vec![[0.0, 0.0], [0.3, 0.0], [0.0, 0.3]]]);
        let grid = read("a.wkt", &wkt(&polygons));
        check(&polygons, &grid)?;
        prop_assert_eq!(&read("a.geojson", &geojson(&polygons)), &grid);
        for rings in &mut polygons {
            rings[1..].reverse();
        }
        prop_assert_eq!(read("a.wkt", &wkt(&polygons)), grid);
    }
}

fn rows(text: &str) -> Vec<String> {
    let grid = read("a.wkt", text);
    let lattice = grid.lattice();
    let letter = |cell| if grid.is_open(cell) { '.' } else { '#' };
    (0..lattice.height).map(|y| (0..lattice.width).map(|x| letter(lattice.cell(x, y))).collect()).collect()
}

#[test]
fn odd_holes() {
    let room = "POLYGON ((0 0, 8 0, 8 5, 0 5, 0 0)";
    let pillar = "(3 1, 5 1, 5 3, 3 3, 3 1)";
    let with_pillar = ["........", "...##...", "...##...", "........", "........"];
    assert_eq!(rows(&format!("{room}, {pillar})")), with_pillar);
    assert_eq!(rows(&format!("{room}, {pillar}, {pillar})")), with_pillar, "twice");
    assert_eq!(rows(&format!("{room}, {pillar}, (3 3, 5 3, 5 1, 3 1), {pillar})")), with_pillar, "thrice, one turned");
    assert_eq!(rows(&format!("{room}, {pillar}, (4 1, 5 1, 5 2, 4 2))")), with_pillar, "one in the other");
    // It sticks out of its room: the map is as large as the room.
    let cut = ["##......", "##......", "........", "........", "........"];
    assert_eq!(rows(&format!("{room}, (-2 -2, 2 -2, 2 2, -2 2))")), cut);
    assert_eq!(rows(&format!("{room}, (20 20, 22 20, 22 22))")), ["........"; 5], "outside");
    // Two that cross leave no pocket.
    let crossed = ["........", ".######.", ".######.", "........", "........"];
    assert_eq!(rows(&format!("{room}, (1 1, 5 1, 5 3, 1 3), (3 1, 7 1, 7 3, 3 3))")), crossed);
    // A polygon in the hole of another is an island.
    let island = "MULTIPOLYGON (((0 0, 5 0, 5 5, 0 5), (1 1, 4 1, 4 4, 1 4)), ((2 2, 3 2, 3 3, 2 3)))";
    assert_eq!(rows(island), [".....", ".###.", ".#.#.", ".###.", "....."]);
    // Outlines that cross themselves: the middle of a star is inside, and so are both halves of a bow.
    assert_eq!(&rows("POLYGON ((0 0, 8 8, 8 0, 0 8))")[2..4], ["..###...", "...#...."]);
    let star = "POLYGON ((5 0, 8 9, 0 3, 10 3, 2 9))";
    assert_eq!(&rows(star)[4][4..6], "..");
}

/// Two walls that stand close to each other, with no centre between or in them.
#[test]
fn no_wall_vanishes_beside_another() {
    let text = "POLYGON ((0 0, 4 0, 4 1, 0 1), (1.6 -1, 1.7 -1, 1.7 2, 1.6 2), (2.1 -1, 2.2 -1, 2.2 2, 2.1 2))";
    assert_eq!(rows(text), [".#.."]);
    assert_eq!(
        rows("POLYGON ((0 0, 1 0, 1 4, 0 4), (-1 1.6, 2 1.6, 2 1.7, -1 1.7), (-1 2.1, 2 2.1, 2 2.2, -1 2.2))").concat(),
        ".#.."
    );
}
