//! The trips that all planners are asked for.

use super::CompareError;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg32;
use std::path::Path;
use throng_grid::{Cell, Corners, Ground, Problem, Scen, Steps};

/// A trip between two cells that are joined by a route.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Trip {
    /// Where it starts.
    pub from: Cell,
    /// Where it ends.
    pub to: Cell,
    /// Length of a shortest route (cells) where it is known from elsewhere, rounded as it may be.
    pub optimal: Option<f64>,
}

/// `count` trips between random cells: any cell that can be left is as likely a start, any cell in reach as likely a goal.
/// The same ground, count and seed give the same trips everywhere.
///
/// # Errors
/// [`CompareError::NoPair`] where no two cells are joined by a route.
///
/// ```
/// use throng_compare::random_trips;
/// use throng_grid::{Grid, Ground, Lattice};
/// let ground = Ground::new(Grid::open_plain(Lattice::new(64, 64, 1.0)?).into(), 0.4)?;
/// let trips = random_trips(&ground, 100, 7)?;
/// assert_eq!(trips, random_trips(&ground, 100, 7)?);
/// assert!(trips.iter().all(|trip| trip.from != trip.to));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn random_trips(ground: &Ground, count: usize, seed: u64) -> Result<Vec<Trip>, CompareError> {
    // The cells by region, regions of one cell left out.
    let mut sizes = vec![0_usize; ground.region_count() as usize + 1];
    ground.lattice().cells().for_each(|cell| sizes[ground.region(cell) as usize] += 1);
    let in_reach = |cell: &Cell| ground.is_passable(*cell) && sizes[ground.region(*cell) as usize] > 1;
    let mut cells: Vec<Cell> = ground.lattice().cells().filter(in_reach).collect();
    cells.sort_by_key(|&cell| ground.region(cell));
    if cells.is_empty() {
        return Err(CompareError::NoPair);
    }
    let mut random = Pcg32::seed_from_u64(seed);
    let trips = (0..count).map(|_| {
        let from = cells[random.random_range(0..cells.len())];
        let first = cells.partition_point(|&cell| ground.region(cell) < ground.region(from));
        let region = &cells[first..first + sizes[ground.region(from) as usize]];
        loop {
            let to = region[random.random_range(0..region.len())];
            if to != from {
                return Trip { from, to, optimal: None };
            }
        }
    });
    Ok(trips.collect())
}

/// At most `count` trips of a Moving AI query file, evenly from all of it: such files go from short trips to long ones.
///
/// The optimal lengths of the file hold for units that may stand on every open cell, walk to all eight neighbours, cut
/// no corner and find all terrain the same; for others they are left out, and so are the trips that those cannot make.
///
/// # Errors
/// Where the file cannot be read, is that of another map, or holds no query.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let file = folder.path().join("plain.map.scen");
/// use throng_grid::{Grid, Ground, Lattice};
/// std::fs::write(&file, "version 1\n0\tplain.map\t8\t8\t1\t2\t3\t4\t2.82842712\n")?;
/// let ground = Ground::new(Grid::open_plain(Lattice::new(8, 8, 1.0)?).into(), 0.4)?;
/// let trips = throng_compare::scen_trips(&ground, &file, 100)?;
/// assert_eq!(trips[0].optimal, Some(2.82842712));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn scen_trips(ground: &Ground, file: &Path, count: usize) -> Result<Vec<Trip>, CompareError> {
    let Scen { problems } = Scen::load(file)?;
    let narrow = ground.radius() <= ground.lattice().cell_size * 0.5;
    // Terrain may be closed where all that is open costs the same.
    let even = ground.is_uniform() && ground.mobility().terrain.is_none();
    let walks = ground.steps() == Steps::Eight(Corners::Never) && ground.links().is_empty();
    let plain = narrow && even && walks;
    let mut trips = Vec::with_capacity(problems.len());
    for (problem, line) in problems.iter().zip(2..) {
        if let Some((from, to)) = ends(ground, problem, file, line, plain)? {
            trips.push(Trip { from, to, optimal: plain.then_some(problem.optimal) });
        }
    }
    if problems.is_empty() {
        return Err(CompareError::NoQuery { file: file.to_path_buf() });
    }
    if trips.is_empty() {
        return Err(CompareError::NoPair);
    }
    let count = count.min(trips.len());
    Ok((0..count).map(|i| trips[i * trips.len() / count]).collect())
}

/// The two cells of a problem; none where an unusual unit cannot make the trip.
fn ends(
    ground: &Ground,
    problem: &Problem,
    file: &Path,
    line: usize,
    plain: bool,
) -> Result<Option<(Cell, Cell)>, CompareError> {
    let (lattice, file) = (ground.lattice(), || file.to_path_buf());
    let (width, height) = (lattice.width, lattice.height);
    if problem.size != (width, height) {
        return Err(CompareError::OtherMap { file: file(), line, found: problem.size, expected: (width, height) });
    }
    let end = |end, (x, y): (u32, u32)| {
        let off = CompareError::OffMap { file: file(), line, end, x, y, width, height };
        let cell = lattice.checked_cell(x.into(), y.into()).ok_or(off)?;
        if ground.grid().is_open(cell) { Ok(cell) } else { Err(CompareError::InWall { file: file(), line, end, x, y }) }
    };
    let (from, to) = (end("start", problem.from)?, end("goal", problem.to)?);
    let joined = ground.is_passable(from) && ground.region(from) == ground.region(to);
    if plain && !joined {
        return Err(CompareError::Apart { file: file(), line, from: problem.from, to: problem.to });
    }
    Ok(joined.then_some((from, to)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use throng_grid::{Grid, Lattice};

    #[test]
    fn random_trips_can_be_made() {
        // Two rooms, and a cell alone.
        let mut grid = Grid::open_plain(Lattice::new(12, 6, 1.0).unwrap());
        let at = |x, y| grid.lattice().cell(x, y);
        let mut walls: Vec<_> = (0..6).map(|y| at(5, y)).collect();
        walls.extend([at(1, 0), at(1, 1), at(0, 1)]);
        for cell in walls {
            grid.set_open(cell, false);
        }
        let ground = Ground::new(grid.into(), 0.4).unwrap();
        assert_eq!(ground.region_count(), 3);
        let trips = random_trips(&ground, 500, 1).unwrap();
        assert!(trips.iter().all(|trip| ground.region(trip.from) == ground.region(trip.to)));
        let lonely = ground.lattice().cell(0, 0);
        assert!(trips.iter().all(|trip| trip.from != trip.to && trip.from != lonely));
        for start in ground.lattice().cells().filter(|&cell| ground.is_passable(cell) && cell != lonely) {
            assert!(trips.iter().any(|trip| trip.from == start), "nobody starts on {start:?}");
        }
        assert_ne!(trips, random_trips(&ground, 500, 2).unwrap());
    }
}
