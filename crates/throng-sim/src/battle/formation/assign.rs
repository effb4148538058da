//! Assignment of members to places.

use pathfinding::prelude::{Matrix, kuhn_munkres_min};
use throng_grid::geom::{Vec2, unit};

/// Up to so many, the sum of the squared ways is the least there is.
pub const EXACT: usize = 64;

/// Of more than this, parts are made smaller: their number counts then, and their sums hardly differ.
const MAX_PART: usize = 4096;

/// The size of the parts of so many.
const SMALL: usize = 24;

/// With more than this, ways are not tested for crossings: the test takes the square of their number.
const UNCROSSED: usize = 256;

/// Assigns each agent at `from` (m) one of the places `to` (m): an index into `to` each.
///
/// Up to [`EXACT`] agents, the sum of the squared ways, in whole square centimetres, is the least, by the Hungarian method
/// (Kuhn 1955, Munkres 1957; `kuhn_munkres_min` of the `pathfinding` crate). Then no two that walk evenly meet on their way,
/// and neighbours stay neighbours. More are split into halves until a part is small enough: the left ones to the left places,
/// the front ones to the front places. The sum is 2 to 15 % greater in the tests. Where ways still cross, of up to 256,
/// places are exchanged until none do. O(n · [`EXACT`]² + n log² n), and O(n²) a pass over crossings.
///
/// Equal input gives equal places. With fewer places, the remaining agents have `u32::MAX`.
pub fn assign(from: &[Vec2], to: &[Vec2]) -> Vec<u32> {
    let mut places = vec![u32::MAX; from.len()];
    let count = from.len().min(to.len());
    let mut who: Vec<u32> = (0..count as u32).collect();
    let mut where_to = who.clone();
    let part = if count > MAX_PART { SMALL } else { EXACT };
    let [from, to] = [from, to].map(|points| points[..count].iter().copied().map(whole).collect::<Vec<_>>());
    split(&from, &to, &mut who, &mut where_to, part, &mut places);
    if count <= UNCROSSED {
        uncross(&from, &to, &mut places[..count]);
    }
    places
}

/// A point in whole centimetres.
type Point = [i64; 2];

fn whole(point: Vec2) -> Point {
    // No map is so large.
    [point.x, point.y].map(|x| (f64::from(x) * 100.0).round().clamp(-2e8, 2e8) as i64)
}

fn minus(a: Point, b: Point) -> Point {
    [a[0] - b[0], a[1] - b[1]]
}

fn squared(a: Point, b: Point) -> i64 {
    let [x, y] = minus(a, b);
    x * x + y * y
}

/// Halves the agents and their places alike, across the longer side of the places, until `part` are left.
fn split(from: &[Point], to: &[Point], who: &mut [u32], where_to: &mut [u32], part: usize, places: &mut [u32]) {
    if who.len() <= part {
        return hungarian(from, to, who, where_to, places);
    }
    let axis = axis_of(to, where_to);
    let along = |points: &[Point], i: u32| {
        let [x, y] = points[i as usize];
        (x as f64 * axis[0] + y as f64 * axis[1]) as i64
    };
    let half = who.len() / 2;
    who.select_nth_unstable_by_key(half, |&i| (along(from, i), i));
    where_to.select_nth_unstable_by_key(half, |&i| (along(to, i), i));
    let (who, who_after) = who.split_at_mut(half);
    let (near, far) = where_to.split_at_mut(half);
    split(from, to, who, near, part, places);
    split(from, to, who_after, far, part, places);
}

/// The direction in which these points lie furthest apart: the greater axis of their spread.
fn axis_of(points: &[Point], chosen: &[u32]) -> [f64; 2] {
    let at = |&i: &u32| points[i as usize].map(|x| x as f64);
    let count = chosen.len() as f64;
    let sum = chosen.iter().map(at).fold([0.0; 2], |sum, at| [sum[0] + at[0], sum[1] + at[1]]);
    let mean = sum.map(|sum| sum / count);
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for at in chosen.iter().map(at) {
        let [x, y] = [at[0] - mean[0], at[1] - mean[1]];
        (xx, xy, yy) = (xx + x * x, xy + x * y, yy + y * y);
    }
    let (half, root) = (0.5 * (xx - yy), (0.25 * (xx - yy) * (xx - yy) + xy * xy).sqrt());
    // The column of the greater eigenvalue that is the longer of the two.
    let axis = if half >= 0.0 { [half + root, xy] } else { [xy, root - half] };
    let axis = unit(Vec2::new((axis[0] / count) as f32, (axis[1] / count) as f32));
    if axis == Vec2::ZERO { [1.0, 0.0] } else { [axis.x.into(), axis.y.into()] }
}

/// The exact answer for a part.
fn hungarian(from: &[Point], to: &[Point], who: &mut [u32], where_to: &mut [u32], places: &mut [u32]) {
    // In one order, so that equal ones are told apart alike however they came here.
    who.sort_unstable();
    where_to.sort_unstable();
    let costs = Matrix::from_fn(who.len(), where_to.len(), |(man, place)| {
        squared(from[who[man] as usize], to[where_to[place] as usize])
    });
    if who.is_empty() {
        return;
    }
    let (_, found) = kuhn_munkres_min(&costs);
    for (man, place) in found.into_iter().enumerate() {
        places[who[man] as usize] = where_to[place];
    }
}

/// Exchanges the places of two whose ways cross, until no two cross. Each exchange makes the ways shorter together, so
/// there is an end.
fn uncross(from: &[Point], to: &[Point], places: &mut [u32]) {
    let mut changed = true;
    while changed {
        changed = false;
        for i in 1..places.len() {
            for j in 0..i {
                let way = |places: &[u32], i: usize| [from[i], to[places[i] as usize]];
                if cross(way(places, i), way(places, j)) {
                    places.swap(i, j);
                    changed = true;
                }
            }
        }
    }
}

/// True where two ways meet in a point that is an end of neither.
fn cross([a, b]: [Point; 2], [c, d]: [Point; 2]) -> bool {
    let apart =
        |axis: usize| a[axis].max(b[axis]) < c[axis].min(d[axis]) || c[axis].max(d[axis]) < a[axis].min(b[axis]);
    if apart(0) || apart(1) {
        return false;
    }
    let side = |from: Point, to: Point, of: Point| {
        let ([x, y], [u, v]) = (minus(to, from), minus(of, from));
        (x * v - y * u).signum()
    };
    side(a, b, c) * side(a, b, d) < 0 && side(c, d, a) * side(c, d, b) < 0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Formation, Shape};
    use proptest::prelude::*;

    fn points(most: usize) -> impl Strategy<Value = Vec<(Vec2, Vec2)>> {
        let point = || (0..4000, 0..4000).prop_map(|(x, y)| Vec2::new(x as f32 * 0.01, y as f32 * 0.01));
        prop::collection::vec((point(), point()), 1..most)
    }

    fn sum(from: &[Vec2], to: &[Vec2], places: &[u32]) -> i64 {
        from.iter().zip(places).map(|(from, &place)| squared(whole(*from), whole(to[place as usize]))).sum()
    }

    fn assert_is_permutation(places: &[u32]) {
        let mut sorted = places.to_vec();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..places.len() as u32), "{places:?}");
    }

    fn crossings(from: &[Vec2], to: &[Vec2], places: &[u32]) -> usize {
        let way = |i: usize| [whole(from[i]), whole(to[places[i] as usize])];
        (0..from.len()).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|&(i, j)| cross(way(i), way(j))).count()
    }

    /// The least sum there is, by trying all.
    fn brute(from: &[Vec2], to: &[Vec2], places: &mut Vec<u32>) -> i64 {
        if places.len() == from.len() {
            return sum(from, to, places);
        }
        let mut best = i64::MAX;
        for place in 0..to.len() as u32 {
            if !places.contains(&place) {
                places.push(place);
                best = best.min(brute(from, to, places));
                places.pop();
            }
        }
        best
    }

    fn hungarian_sum(from: &[Vec2], to: &[Vec2]) -> i64 {
        let mut places = vec![0; from.len()];
        let [from_whole, to_whole] = [from, to].map(|points| points.iter().copied().map(whole).collect::<Vec<_>>());
        let mut all: Vec<u32> = (0..from.len() as u32).collect();
        hungarian(&from_whole, &to_whole, &mut all.clone(), &mut all, &mut places);
        sum(from, to, &places)
    }

    proptest! {
        #[test]
        fn ways_do_not_cross(pairs in points(100)) {
            let (from, to): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let places = assign(&from, &to);
            assert_is_permutation(&places);
            prop_assert_eq!(crossings(&from, &to, &places), 0);
            prop_assert_eq!(places, assign(&from, &to));
        }

        #[test]
        fn the_sum_is_the_least_there_is(pairs in points(7)) {
            let (from, to): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            prop_assert_eq!(hungarian_sum(&from, &to), brute(&from, &to, &mut Vec::new()));
        }

        #[test]
        fn exchanges_make_ways_shorter(pairs in points(60)) {
            let (from, to): (Vec<_>, Vec<_>) = pairs.into_iter().unzip();
            let walked = |places: &[u32]| from.iter().zip(places).map(|(a, &b)| a.distance(to[b as usize])).sum::<f32>();
            let [from_whole, to_whole] = [&from, &to].map(|points| points.iter().copied().map(whole).collect::<Vec<_>>());
            let mut all: Vec<u32> = (0..from.len() as u32).collect();
            let mut places = vec![0; from.len()];
            hungarian(&from_whole, &to_whole, &mut all.clone(), &mut all, &mut places);
            prop_assert!(walked(&assign(&from, &to)) <= walked(&places) * 1.000_01);
        }
    }

    #[test]
    fn big_squads_walk_little_further_than_they_must() {
        let mut worst = 0.0_f64;
        for (before, after) in
            [(Shape::Line, Shape::Column), (Shape::Square, Shape::Wedge), (Shape::Loose, Shape::Circle)]
        {
            for turn in [Vec2::X, Vec2::Y, unit(Vec2::new(2.0, 1.0))] {
                let count = 256;
                let from = Formation::new(before, 1.0).layout(count).places;
                let places = Formation::new(after, 1.0).layout(count).places;
                let to: Vec<Vec2> = places.iter().map(|place| turn.rotate(*place) + Vec2::new(20.0, 5.0)).collect();
                let found = assign(&from, &to);
                assert_is_permutation(&found);
                assert_eq!(crossings(&from, &to, &found), 0);
                let walked = |places: &[u32]| sum(&from, &to, places) as f64;
                worst = worst.max(walked(&found) / hungarian_sum(&from, &to) as f64);
            }
        }
        assert!(worst < 1.16, "{worst} times the least");
    }

    #[test]
    fn who_is_left_over_has_no_place() {
        assert_eq!(assign(&[Vec2::ZERO, Vec2::ONE], &[Vec2::ONE]), [0, u32::MAX]);
        assert!(assign(&[], &[]).is_empty());
        let many: Vec<Vec2> = (0..5000).map(|i| Vec2::new((i % 100) as f32, (i / 100) as f32)).collect();
        assert_is_permutation(&assign(&many, &many));
    }
}
