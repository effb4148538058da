//! Where the soldiers of a squad stand at the start.

use std::collections::{BTreeMap, HashMap};
use throng_grid::geom::{Vec2, direction};
use throng_grid::{Area, Ground, walls};
use throng_sim::battle::{Block, Layout};

/// The bodies placed so far, by square.
#[derive(Debug)]
pub(super) struct Taken {
    side: f32,
    // Only ever asked for single squares, so its order cannot show.
    squares: HashMap<(i32, i32), Vec<(Vec2, f32)>>,
    /// The boxes in which regions of a ground lie (m), by the address of the ground and the region.
    extents: BTreeMap<(usize, u32), [Vec2; 2]>,
    /// The ring around a block in which the last squad with that block found room: those within are full.
    reached: BTreeMap<BlockKey, i64>,
}

/// A block of any number of soldiers, the radius of each, and the ground that they can stand on: centre, direction, spacing and
/// radius as bits, the ground by its address.
type BlockKey = ([u32; 5], [usize; 3]);

fn key_of(block: &Block, radius: f32, ground: &Ground) -> BlockKey {
    let Block { centre, facing, columns, spacing, .. } = *block;
    let numbers = [centre.x, centre.y, facing, spacing, radius].map(f32::to_bits);
    (numbers, [columns, block.ranks(), std::ptr::from_ref(ground).addr()])
}

impl Taken {
    /// For bodies of at most `largest` metres radius.
    pub(super) fn new(largest: f32) -> Self {
        Self { side: 2.0 * largest, squares: HashMap::new(), extents: BTreeMap::new(), reached: BTreeMap::new() }
    }

    fn square(&self, point: Vec2) -> (i32, i32) {
        ((point.x / self.side).floor() as i32, (point.y / self.side).floor() as i32)
    }

    fn is_free(&self, point: Vec2, radius: f32) -> bool {
        let (x, y) = self.square(point);
        (y - 1..=y + 1).all(|y| {
            (x - 1..=x + 1).all(|x| {
                self.squares.get(&(x, y)).into_iter().flatten().all(|&(other, other_radius)| {
                    // A hair less than the radii together: neighbours in a tight, turned block just touch.
                    point.distance(other) >= (radius + other_radius) * 0.999
                })
            })
        })
    }

    /// The box in which a region lies (m).
    fn extent(&mut self, ground: &Ground, region: u32) -> [Vec2; 2] {
        *self.extents.entry((std::ptr::from_ref(ground).addr(), region)).or_insert_with(|| extent(ground, region))
    }

    /// A distance (m) from a point within which the whole of a region lies.
    fn farthest(&mut self, ground: &Ground, region: u32, from: Vec2) -> f32 {
        let [low, high] = self.extent(ground, region);
        (from - low).abs().max((high - from).abs()).length()
    }

    fn add(&mut self, point: Vec2, radius: f32) {
        self.squares.entry(self.square(point)).or_default().push((point, radius));
    }
}

/// True where a body of `radius` metres can stand at a point (m): on the map, in a region of the ground, in the area `within` where
/// there is one, clear of walls and of the bodies that are placed already.
fn has_room(point: Vec2, radius: f32, ground: &Ground, region: u32, within: Option<&Area>, taken: &Taken) -> bool {
    let lattice = ground.lattice();
    lattice.covers(point)
        && ground.region(lattice.at(point)) == region
        && within.is_none_or(|area| area.contains(point))
        && walls::is_clear(ground.grid(), point, radius)
        && taken.is_free(point, radius)
}

/// The places of a formation around `centre` (m), looking to `facing` (degrees), for bodies of `radius` metres: all free, on the
/// map, in the part of it in which `centre` is, and in the area `within`, where there is one.
///
/// # Errors
/// How many are not; then none is taken.
pub(super) fn place_formation(
    layout: &Layout,
    (centre, facing): (Vec2, f32),
    radius: f32,
    ground: &Ground,
    within: Option<&Area>,
    taken: &mut Taken,
) -> Result<Vec<Vec2>, usize> {
    let lattice = ground.lattice();
    let region = ground.region(lattice.at(centre));
    let ahead = direction(facing);
    let right = Vec2::new(-ahead.y, ahead.x);
    let positions: Vec<Vec2> = layout.places.iter().map(|place| centre + right * place.x + ahead * place.y).collect();
    let stands = |&&point: &&Vec2| has_room(point, radius, ground, region, within, taken);
    let standing = positions.iter().filter(stands).count();
    if standing < positions.len() {
        return Err(positions.len() - standing);
    }
    for &point in &positions {
        taken.add(point, radius);
    }
    Ok(positions)
}

/// The positions of a squad of bodies of `radius` metres, the centre of its block on a passable cell: its slots. For
/// slots in a wall, in another part of the map or taken, the free slots nearest to the block, ring by ring around it.
/// No position is outside the area `within`, where there is one.
///
/// # Errors
/// How many found room, where not all did. The slots that they would have taken stay taken.
pub(super) fn place(
    block: &Block,
    radius: f32,
    ground: &Ground,
    within: Option<&Area>,
    taken: &mut Taken,
) -> Result<Vec<Vec2>, usize> {
    let lattice = ground.lattice();
    let region = ground.region(lattice.at(block.centre));
    let mut positions = Vec::with_capacity(block.count);
    // An area is another one for each squad.
    let key = within.is_none().then(|| key_of(block, radius, ground));
    let first = key.and_then(|key| taken.reached.get(&key).copied()).unwrap_or(0);
    let mut last = first;
    let try_slot = |column: i64, rank: i64, positions: &mut Vec<Vec2>, taken: &mut Taken| {
        let point = block.point(column, rank);
        if has_room(point, radius, ground, region, within, taken) {
            taken.add(point, radius);
            positions.push(point);
        }
    };
    if first == 0 {
        for (column, rank) in block.places() {
            try_slot(column, rank, &mut positions, taken);
        }
    }

    let (columns, rows) = (block.columns as i64, block.ranks() as i64);
    // Looked for where it is needed alone: it takes a look at all cells.
    let corners = |area: &Area| area.corners.iter().map(|at| at.distance(block.centre)).fold(0.0, f32::max);
    let farthest = match within {
        _ if positions.len() == block.count => 0.0,
        None => taken.farthest(ground, region, block.centre),
        Some(area) => corners(area).min(taken.farthest(ground, region, block.centre)),
    };
    // The rank that is not full leaves slots free inside the block: ring 0 is the block itself.
    for ring in first.. {
        let inner = (columns.min(rows) - 1 + 2 * ring) as f32 * 0.5 * block.spacing;
        if positions.len() == block.count || inner > farthest {
            break;
        }
        last = ring;
        for (column, row) in ring_slots(columns, rows, ring) {
            if positions.len() == block.count {
                break;
            }
            try_slot(column, row, &mut positions, taken);
        }
    }
    if let Some(key) = key {
        taken.reached.insert(key, last);
    }
    if positions.len() < block.count { Err(positions.len()) } else { Ok(positions) }
}

/// Positions of soldiers that have a place each (m). A soldier whose place is in a wall, off the map or taken gets a free place near
/// to it, after all that can stand at theirs. Also which of them were moved.
///
/// # Errors
/// The first that finds none. The places of the others stay taken.
pub(super) fn place_each(
    places: &[Vec2],
    radius: f32,
    ground: &Ground,
    taken: &mut Taken,
) -> Result<(Vec<Vec2>, Vec<usize>), usize> {
    let lattice = ground.lattice();
    let stands = |point: Vec2, taken: &Taken| {
        lattice.covers(point) && walls::is_clear(ground.grid(), point, radius) && taken.is_free(point, radius)
    };
    let (mut positions, mut moved) = (places.to_vec(), Vec::new());
    for (i, &point) in places.iter().enumerate() {
        if stands(point, taken) {
            taken.add(point, radius);
        } else {
            moved.push(i);
        }
    }
    // When several soldiers have the same place, each continues where the one before it found a place.
    let mut reached = BTreeMap::new();
    for &i in &moved {
        let near = ground.nearest_passable(places[i]).map(|cell| (cell, ground.region(cell)));
        let (cell, region) = near.ok_or(i)?;
        let is_at = lattice.covers(places[i]) && lattice.at(places[i]) == cell;
        let from = if is_at { places[i] } else { lattice.centre(cell) };
        let farthest = taken.farthest(ground, region, from);
        let spacing = 2.5 * radius;
        let rings = (farthest / spacing).ceil() as i64;
        let first = reached.entry(from.to_array().map(f32::to_bits)).or_insert(0);
        let mut slots =
            (*first..=rings).flat_map(|ring| ring_slots(1, 1, ring).into_iter().map(move |slot| (ring, slot)));
        let free = slots.find_map(|(ring, (x, y))| {
            let point = from + spacing * Vec2::new(x as f32, y as f32);
            let is_free = stands(point, taken) && ground.region(lattice.at(point)) == region;
            is_free.then_some((ring, point))
        });
        (*first, positions[i]) = free.ok_or(i)?;
        taken.add(positions[i], radius);
    }
    Ok((positions, moved))
}

/// The box in which a region lies (m).
fn extent(ground: &Ground, region: u32) -> [Vec2; 2] {
    let lattice = ground.lattice();
    let half = Vec2::splat(0.5 * lattice.cell_size);
    let cells = lattice.cells().filter(|&cell| ground.region(cell) == region).map(|cell| lattice.centre(cell));
    cells.fold([Vec2::INFINITY, Vec2::NEG_INFINITY], |[low, high], at| [low.min(at - half), high.max(at + half)])
}

/// The slots `ring` steps outside a block, nearest to its centre first; all of the block for ring 0.
fn ring_slots(columns: i64, rows: i64, ring: i64) -> Vec<(i64, i64)> {
    let mut slots = Vec::new();
    for row in -ring..rows + ring {
        let whole_row = ring == 0 || row == -ring || row == rows + ring - 1;
        let step = if whole_row { 1 } else { (columns + 2 * ring - 1).max(1) };
        slots.extend((-ring..columns + ring).step_by(step as usize).map(|column| (column, row)));
    }
    slots.sort_by_key(|&(column, row)| {
        let (x, y) = (2 * column - (columns - 1), 2 * row - (rows - 1));
        (x * x + y * y, row, column)
    });
    slots
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use throng_grid::{Grid, Lattice};

    fn ground(walls: &[(u32, u32)]) -> Ground {
        let lattice = Lattice::new(30, 30, 1.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        for &(x, y) in walls {
            grid.set_open(lattice.cell(x, y), false);
        }
        Ground::new(Arc::new(grid), 0.4).unwrap()
    }

    fn block(count: usize, columns: usize, facing: f32) -> Block {
        Block { centre: Vec2::new(15.5, 15.5), facing, columns, count, spacing: 1.0 }
    }

    fn assert_stand(positions: &[Vec2], ground: &Ground) {
        for (i, &a) in positions.iter().enumerate() {
            assert!(walls::is_clear(ground.grid(), a, 0.4), "{a} is in a wall");
            assert!(positions[..i].iter().all(|b| a.distance(*b) > 0.79), "{a} is on top of another");
        }
    }

    #[test]
    fn ranks_stand_behind_each_other() {
        let ground = ground(&[]);
        let east = place(&block(6, 3, 0.0), 0.4, &ground, None, &mut Taken::new(0.4)).unwrap();
        // It looks along +x: the first rank is in front, its left wing up the map.
        let expected = [(16.0, 14.5), (16.0, 15.5), (16.0, 16.5), (15.0, 14.5), (15.0, 15.5), (15.0, 16.5)];
        for (found, expected) in east.iter().zip(expected) {
            assert!(found.distance(expected.into()) < 1e-5, "{found} is not at {expected:?}");
        }
        let turned = place(&block(25, 5, 33.0), 0.4, &ground, None, &mut Taken::new(0.4)).unwrap();
        assert_stand(&turned, &ground);
    }

    #[test]
    fn without_room_the_nearest_free_slot_is_taken() {
        let walls: Vec<_> = (10..20).map(|x| (x, 14)).collect();
        let ground = ground(&walls);
        let mut taken = Taken::new(0.4);
        let first = place(&block(49, 7, 10.0), 0.4, &ground, None, &mut taken).unwrap();
        let second = place(&block(49, 7, 80.0), 0.4, &ground, None, &mut taken).unwrap();
        assert_eq!(first, place(&block(49, 7, 10.0), 0.4, &ground, None, &mut Taken::new(0.4)).unwrap());
        assert_stand(&[first, second].concat(), &ground);
    }

    #[test]
    fn a_small_part_of_a_wide_map_is_full_soon() {
        let lattice = Lattice::new(400, 400, 100.0).unwrap();
        let mut grid = Grid::open_plain(lattice);
        for (x, y) in [(9, 10), (11, 10), (10, 9), (10, 11)] {
            grid.set_open(lattice.cell(x, y), false);
        }
        let ground = Ground::new(Arc::new(grid), 0.4).unwrap();
        let block = Block { centre: Vec2::splat(1050.0), ..Block::new(Vec2::ZERO, 20_000) };
        // Forty kilometres of slots would take minutes.
        assert_eq!(place(&block, 0.4, &ground, None, &mut Taken::new(0.4)), Err(10_000));
    }

    /// Each begins where the one before it found room, and finds the places that it would find from the beginning.
    #[test]
    fn squads_at_one_point_stand_as_if_each_had_looked_from_the_beginning() {
        let ground = ground(&[(10, 14), (11, 14), (12, 14)]);
        let (mut taken, mut anew) = (Taken::new(0.4), Taken::new(0.4));
        let blocks = [(7, 3), (7, 3), (5, 3), (7, 3), (25, 5), (7, 3), (8, 3), (7, 3), (25, 5), (300, 10), (7, 3)];
        for (count, columns) in blocks {
            anew.reached.clear();
            let [found, expected] =
                [&mut taken, &mut anew].map(|taken| place(&block(count, columns, 30.0), 0.4, &ground, None, taken));
            assert_eq!(found, expected);
            assert!(found.is_ok());
        }
        assert!(taken.reached.values().any(|&ring| ring > 4), "{:?}", taken.reached);
        // On another ground there is room where on this one there was none.
        let [walled, open] = [&(9..22).map(|x| (x, 17)).collect::<Vec<_>>()[..], &[]].map(super::tests::ground);
        let (mut taken, mut anew) = (Taken::new(0.4), Taken::new(0.4));
        for ground in [&walled, &walled, &walled, &walled, &open, &open] {
            anew.reached.clear();
            let [found, expected] =
                [&mut taken, &mut anew].map(|taken| place(&block(9, 3, 0.0), 0.4, ground, None, taken));
            assert_eq!(found, expected);
        }
    }

    #[test]
    fn a_soldier_stands_at_its_place_or_as_near_as_it_can() {
        let ground = ground(&[(5, 5)]);
        let mut taken = Taken::new(0.4);
        let first = [Vec2::new(3.25, 3.0), Vec2::new(9.0, 9.0)];
        assert_eq!(place_each(&first, 0.4, &ground, &mut taken), Ok((first.to_vec(), vec![])));
        // In a wall, on another, off the map, on the one before, and two that can stand at their places.
        let wanted = [(5.5, 5.5), (9.1, 9.0), (40.0, 12.0), (9.1, 9.0), (10.1, 9.0), (20.0, 20.0)].map(Vec2::from);
        let (found, moved) = place_each(&wanted, 0.4, &ground, &mut taken).unwrap();
        assert_eq!(moved, [0, 1, 2, 3]);
        assert_eq!(found[4..], wanted[4..]);
        assert_stand(&[&first[..], &found].concat(), &ground);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!(found.distance(wanted.min(Vec2::splat(29.5))) < 2.5, "{found} for {wanted}");
        }
    }

    #[test]
    fn a_soldier_without_a_place_is_named() {
        let walls: Vec<_> = (0..30).flat_map(|x| [(x, 1), (x, 3)]).collect();
        let ground = ground(&walls);
        let row = [Vec2::new(2.5, 2.5); 31];
        // A row of 30 m takes bodies a metre apart.
        let (found, moved) = place_each(&row[..30], 0.4, &ground, &mut Taken::new(0.4)).unwrap();
        assert_eq!(moved.len(), 29);
        assert_stand(&found, &ground);
        assert_eq!(place_each(&row, 0.4, &ground, &mut Taken::new(0.4)), Err(30));
    }

    #[test]
    fn none_stands_in_another_part_of_the_map() {
        let walls: Vec<_> = (0..30).map(|x| (x, 14)).collect();
        let ground = ground(&walls);
        let positions = place(&block(100, 10, 0.0), 0.4, &ground, None, &mut Taken::new(0.4)).unwrap();
        assert!(positions.iter().all(|p| p.y > 15.0));
        // 15 rows of 30 slots; no slot is lost to the walls where the spacing is that of the cells.
        assert_eq!(place(&block(5005, 11, 0.0), 0.4, &ground, None, &mut Taken::new(0.4)), Err(450));
    }
}
