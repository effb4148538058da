//! Maps from nothing but a seed.
//!
//! Each [`Kind`] builds one sort of place; the same kind, size and seed give the same map on every machine. Nearly
//! all open cells of a map hang together: pockets that cannot be reached are filled.

mod buildings;
mod caverns;
mod dice;
mod field;
mod fortress;
mod hills;
mod maze;
mod noise;
mod rooms;
mod sheet;
mod town;

use super::{Grid, Lattice};
use dice::Dice;
use std::fmt;
use std::str::FromStr;

/// A map that cannot be generated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// No kind of map has this name.
    #[error("unknown kind of map {name:?}; known are {}", Kind::names())]
    Unknown {
        /// The name asked for.
        name: String,
    },
    /// Too small for what the kind puts on it.
    #[error("a {kind} needs at least {least} x {least} cells, found {width} x {height}")]
    TooSmall {
        /// The kind.
        kind: Kind,
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
        /// The shortest side.
        least: u32,
    },
    /// Larger than a lattice may be.
    #[error("a map may have at most {limit} x {limit} cells, found {width} x {height}", limit = Lattice::MAX_SIDE)]
    TooLarge {
        /// Columns asked for.
        width: u32,
        /// Rows asked for.
        height: u32,
    },
}

/// A kind of map that can be generated.
///
/// ```
/// use throng_grid::generate::Kind;
/// assert_eq!("town".parse::<Kind>()?, Kind::Town);
/// assert_eq!(Kind::Town.to_string(), "town");
/// # Ok::<(), throng_grid::generate::GenerateError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// A castle with ring walls and gates, between two wide fields.
    Fortress,
    /// A town of streets, houses, yards and squares.
    Town,
    /// Caves: halls and passages.
    Caverns,
    /// Open country with a river, fords, bridges, woods and hedges.
    Field,
    /// A maze of corridors four cells wide.
    Maze,
    /// A building of many rooms with doors.
    Rooms,
    /// Open hills: the only kind that is not level.
    Hills,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] =
        [Kind::Fortress, Kind::Town, Kind::Caverns, Kind::Field, Kind::Maze, Kind::Rooms, Kind::Hills];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fortress => "fortress",
            Kind::Town => "town",
            Kind::Caverns => "caverns",
            Kind::Field => "field",
            Kind::Maze => "maze",
            Kind::Rooms => "rooms",
            Kind::Hills => "hills",
        }
    }

    /// The shortest side (cells) a map of this kind may have.
    pub fn least_side(self) -> u32 {
        match self {
            Kind::Fortress => 256,
            Kind::Town | Kind::Field | Kind::Hills => 96,
            Kind::Caverns => 64,
            Kind::Maze | Kind::Rooms => 16,
        }
    }

    fn names() -> String {
        Kind::ALL.map(Kind::name).join(", ")
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Kind {
    type Err = GenerateError;

    fn from_str(name: &str) -> Result<Self, GenerateError> {
        let known = Kind::ALL.into_iter().find(|kind| kind.name() == name);
        known.ok_or_else(|| GenerateError::Unknown { name: name.to_owned() })
    }
}

/// A map of `width` x `height` cells of 1 m. The same arguments give the same map on every machine.
///
/// # Errors
/// [`GenerateError`] where the map is smaller than [`Kind::least_side`] or larger than a lattice may be.
///
/// ```
/// use throng_grid::generate::{Kind, generate};
/// let grid = generate(Kind::Caverns, 64, 64, 7)?;
/// assert!(grid.open_cells() > 64 * 64 / 4);
/// # Ok::<(), throng_grid::generate::GenerateError>(())
/// ```
pub fn generate(kind: Kind, width: u32, height: u32, seed: u64) -> Result<Grid, GenerateError> {
    let least = kind.least_side();
    if width.min(height) < least {
        return Err(GenerateError::TooSmall { kind, width, height, least });
    }
    let lattice = Lattice::new(width, height, 1.0).map_err(|_| GenerateError::TooLarge { width, height })?;
    let dice = &mut Dice::new(seed);
    Ok(match kind {
        Kind::Fortress => fortress::fortress(lattice, dice),
        Kind::Town => town::town(lattice, dice),
        Kind::Caverns => caverns::caverns(lattice, dice),
        Kind::Field => field::field(lattice, dice),
        Kind::Maze => maze::maze(lattice, dice),
        Kind::Rooms => rooms::rooms(lattice, dice),
        Kind::Hills => hills::hills(lattice, dice),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Ground;
    use std::sync::Arc;

    #[test]
    fn every_seed_gives_one_region_with_room_to_walk() {
        for kind in Kind::ALL {
            let least = kind.least_side();
            for seed in 0..12 {
                let (width, height) = (least + 37 * (seed as u32 % 3), least + 50 * (seed as u32 % 4));
                let grid = generate(kind, width, height, seed).unwrap();
                let open = grid.open_cells() as f32 / (width * height) as f32;
                let most = if kind == Kind::Hills { 1.01 } else { 0.98 };
                assert!((0.2..most).contains(&open), "{kind}, seed {seed}: {open} is open");
                let ground = Ground::new(Arc::new(grid.clone()), 0.4).unwrap();
                assert_eq!(ground.region_count(), 1, "{kind}, seed {seed}");
                // Squares of 3 x 3 cells go nearly everywhere.
                let lattice = grid.lattice();
                let mut wide = Grid::closed(lattice);
                for cell in lattice.cells().filter(|&cell| ground.moves(cell) == 0xFF) {
                    wide.set_open(cell, true);
                }
                let wide = Ground::new(Arc::new(wide), 0.4).unwrap();
                let mut sizes = vec![0_u32; wide.region_count() as usize + 1];
                lattice.cells().for_each(|cell| sizes[wide.region(cell) as usize] += 1);
                let (largest, all) = (sizes[1..].iter().max().unwrap(), sizes[1..].iter().sum::<u32>());
                assert!(largest * 10 > all * 8, "{kind}, seed {seed}: {largest} of {all}");
            }
        }
    }

    #[test]
    fn the_quarters_above_and_below_a_fortress_are_free() {
        for seed in 0..8 {
            let grid = generate(Kind::Fortress, 384, 384, seed).unwrap();
            let lattice = grid.lattice();
            let field = (0..96).chain(288..384).flat_map(|y| (60..324).map(move |x| lattice.cell(x, y)));
            let closed = field.filter(|&cell| !grid.is_open(cell)).map(|cell| lattice.column_row(cell));
            assert_eq!(closed.collect::<Vec<_>>(), [], "seed {seed}");
            assert!(grid.is_open(lattice.cell(192, 192)), "seed {seed}: the keep is filled");
        }
    }

    #[test]
    fn seeds_matter_and_repeat() {
        for kind in Kind::ALL {
            let make = |seed| generate(kind, 256, 256, seed).unwrap();
            assert_eq!(make(3), make(3), "{kind}");
            assert_ne!(make(3), make(4), "{kind}");
        }
    }

    #[test]
    fn what_cannot_be_made_is_refused() {
        let message = |kind, width, height| generate(kind, width, height, 0).unwrap_err().to_string();
        assert_eq!(message(Kind::Fortress, 255, 300), "a fortress needs at least 256 x 256 cells, found 255 x 300");
        assert_eq!(message(Kind::Caverns, 64, 20_000), "a map may have at most 16384 x 16384 cells, found 64 x 20000");
        assert_eq!(
            "castle".parse::<Kind>().unwrap_err().to_string(),
            "unknown kind of map \"castle\"; known are fortress, town, caverns, field, maze, rooms, hills"
        );
    }
}
