//! Maps from nothing but a seed.
//!
//! Each [`Kind`] builds one sort of place; the same kind, size and seed give the same map on every machine. Nearly
//! all open cells of a map hang together: pockets that cannot be reached are filled.

mod buildings;
mod caverns;
mod dice;
mod field;
mod fortress;
mod noise;
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
    #[error("unknown kind of map \"{name}\"; known are {}", Kind::names())]
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
/// use throng::grid::generate::Kind;
/// assert_eq!("town".parse::<Kind>()?, Kind::Town);
/// assert_eq!(Kind::Town.to_string(), "town");
/// # Ok::<(), throng::grid::generate::GenerateError>(())
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
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 4] = [Kind::Fortress, Kind::Town, Kind::Caverns, Kind::Field];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Fortress => "fortress",
            Kind::Town => "town",
            Kind::Caverns => "caverns",
            Kind::Field => "field",
        }
    }

    /// The shortest side (cells) a map of this kind may have.
    pub fn least_side(self) -> u32 {
        match self {
            Kind::Fortress => 256,
            Kind::Town | Kind::Field => 96,
            Kind::Caverns => 48,
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
/// use throng::grid::generate::{Kind, generate};
/// let grid = generate(Kind::Caverns, 64, 64, 7)?;
/// assert!(grid.open_cells() > 64 * 64 / 4);
/// # Ok::<(), throng::grid::generate::GenerateError>(())
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
    })
}
