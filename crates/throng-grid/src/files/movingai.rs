//! The map and query files of the Moving AI Lab.
//!
//! A map is text: four lines of header, then `height` rows of `width` letters. `.`, `G` and `S` are open, `@`, `O`, `T`
//! and `W` are closed; `S` (swamp) is of terrain class [`SWAMP`], `W` (water) of [`WATER`], the others of class 0. A query file has a version line and
//! then one query a line, with the optimal length under the rule of [`Ground`](crate::Ground): eight neighbours, no
//! cutting of corners.
//!
//! Source: N. R. Sturtevant, *Benchmarks for Grid-Based Pathfinding*, IEEE Transactions on Computational Intelligence
//! and AI in Games 4(2), 2012.

use super::input::Lines;
use super::{expect, fields, lattice, read, text};
use crate::{Grid, Lattice, MapError, SWAMP, WATER};
#[cfg(feature = "save")]
use std::io::{self, Write};
use std::path::Path;

/// Reads a map.
pub(super) fn read_map(lines: &mut Lines) -> Result<Grid, MapError> {
    let file = lines.file;
    let Some(first) = lines.next()? else {
        return Err(MapError::Empty { file: file.to_path_buf(), expected: "a Moving AI map, \"type octile\" first" });
    };
    expect(first, 1, "\"type octile\"", file, |line| (fields(line) == ["type", "octile"]).then_some(()))?;
    let height = side(lines.next()?.unwrap_or_default(), 2, "height", file)?;
    let width = side(lines.next()?.unwrap_or_default(), 3, "width", file)?;
    expect(lines.next()?.unwrap_or_default(), 4, "\"map\"", file, |line| (line == "map").then_some(()))?;
    let lattice = lattice(width, height, file)?;
    let mut grid = Grid::closed(lattice);
    for row in 0..lattice.height {
        let Some(line) = lines.next()? else {
            return Err(MapError::TooFewRows { file: file.to_path_buf(), found: row, expected: lattice.height });
        };
        read_row(&mut grid, row, line, file)?;
    }
    if lines.next()?.is_some() {
        let line = lines.number();
        return Err(MapError::TooManyRows { file: file.to_path_buf(), line, expected: lattice.height });
    }
    Ok(grid)
}

/// Reads the cells of one row, all closed before.
fn read_row(grid: &mut Grid, row: u32, line: &str, file: &Path) -> Result<(), MapError> {
    let Lattice { width, .. } = grid.lattice();
    let number = row as usize + 5;
    let mut length = 0;
    for (column, letter) in line.chars().enumerate() {
        let open = match letter {
            '.' | 'G' | 'S' => true,
            '@' | 'O' | 'T' | 'W' => false,
            found => {
                return Err(MapError::Letter { file: file.to_path_buf(), line: number, column: column + 1, found });
            }
        };
        if (open || letter == 'W') && column < width as usize {
            let cell = grid.lattice().cell(column as u32, row);
            grid.set_open(cell, open);
            match letter {
                'S' => grid.set_terrain(cell, SWAMP),
                'W' => grid.set_terrain(cell, WATER),
                _ => {}
            }
        }
        length = column + 1;
    }
    if length != width as usize {
        return Err(MapError::Row { file: file.to_path_buf(), line: number, row, found: length, expected: width });
    }
    Ok(())
}

#[cfg(feature = "save")]
/// Writes a map.
pub(super) fn write_map(grid: &Grid, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    write!(out, "type octile\nheight {}\nwidth {}\nmap\n", lattice.height, lattice.width)?;
    let mut line = Vec::with_capacity(lattice.width as usize + 1);
    for y in 0..lattice.height {
        line.clear();
        line.extend((0..lattice.width).map(|x| lattice.cell(x, y)).map(|cell| match grid.is_open(cell) {
            true if grid.terrain(cell) == SWAMP => b'S',
            true => b'.',
            false if grid.is_water(cell) => b'W',
            false => b'@',
        }));
        line.push(b'\n');
        out.write_all(&line)?;
    }
    Ok(())
}

/// One query of a [`Scen`].
#[derive(Clone, Debug, PartialEq)]
pub struct Problem {
    /// Columns and rows of the map it was made for.
    pub size: (u32, u32),
    /// Column and row of the start.
    pub from: (u32, u32),
    /// Column and row of the goal.
    pub to: (u32, u32),
    /// Length of a shortest route (cells): straight steps count 1, diagonal ones √2; rounded in the file.
    pub optimal: f64,
    /// The optimal length divided by 4: a measure of difficulty.
    pub bucket: u32,
}

/// A query file: problems on one map, each with its optimal length.
///
/// ```
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("room.map.scen");
/// std::fs::write(&path, "version 1\n0\troom.map\t8\t8\t1\t2\t3\t4\t2.82842712\n")?;
/// let scen = throng_grid::Scen::load(&path)?;
/// assert_eq!(scen.problems[0].from, (1, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scen {
    /// The problems, in the order of the file.
    pub problems: Vec<Problem>,
}

impl Scen {
    /// Reads a query file: fields separated by tabs, as all of the benchmarks are, or by blanks. The map is the file next to it, whatever path the
    /// queries name.
    ///
    /// # Errors
    /// [`MapError`] names the file and the line, the found text and the expected one.
    pub fn load(path: impl AsRef<Path>) -> Result<Scen, MapError> {
        Self::load_at(path.as_ref())
    }

    fn load_at(path: &Path) -> Result<Scen, MapError> {
        Scen::from_bytes(&read(path)?, path)
    }

    /// Reads a query file from its bytes, as [`Scen::load`] does; `name` is named in errors.
    ///
    /// # Errors
    /// [`MapError`] names the file and the line, the found text and the expected one.
    ///
    /// ```
    /// let scen = throng_grid::Scen::from_bytes(b"version 1\n0\ta\t8\t8\t1\t2\t3\t4\t2.8\n", "a.scen")?;
    /// assert_eq!(scen.problems[0].to, (3, 4));
    /// # Ok::<(), throng_grid::MapError>(())
    /// ```
    pub fn from_bytes(bytes: &[u8], name: impl AsRef<Path>) -> Result<Scen, MapError> {
        Self::from_bytes_at(bytes, name.as_ref())
    }

    fn from_bytes_at(bytes: &[u8], name: &Path) -> Result<Scen, MapError> {
        let path = name;
        let text = text(bytes, path)?.trim_end();
        if text.is_empty() {
            return Err(MapError::Empty { file: path.to_path_buf(), expected: "a query file, \"version 1\" first" });
        }
        let mut lines = text.lines().map(str::trim_end).zip(1..);
        let (line, number) = lines.next().unwrap_or_default();
        expect(line, number, "\"version 1\"", path, |line| {
            matches!(fields(line)[..], ["version", "1" | "1.0"]).then_some(())
        })?;
        let problems =
            lines.map(|(line, number)| expect(line, number, PROBLEM, path, problem)).collect::<Result<_, _>>();
        Ok(Scen { problems: problems? })
    }
}

const PROBLEM: &str = "bucket, map, width, height, start x, start y, goal x, goal y, optimal length";

/// One line of a query file. Where tabs part the fields, the name of the map may have blanks.
fn problem(line: &str) -> Option<Problem> {
    let parted: Vec<&str> = line.split('\t').map(str::trim).collect();
    let parted = if parted.len() == 9 { parted } else { fields(line) };
    let [bucket, _map, width, height, from_x, from_y, to_x, to_y, optimal] = parted[..] else { return None };
    Some(Problem {
        size: (width.parse().ok()?, height.parse().ok()?),
        from: (from_x.parse().ok()?, from_y.parse().ok()?),
        to: (to_x.parse().ok()?, to_y.parse().ok()?),
        optimal: optimal.parse().ok().filter(|length: &f64| length.is_finite() && *length >= 0.0)?,
        bucket: bucket.parse().ok()?,
    })
}

/// A line of the header: a name and a whole number.
fn side(line: &str, number: usize, name: &str, file: &Path) -> Result<u64, MapError> {
    expect(line, number, &format!("\"{name}\" and a whole number"), file, |line| match fields(line)[..] {
        // More digits than fit are too large in any case.
        [word, value] if word == name && !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit()) => {
            Some(value.parse().unwrap_or(u64::MAX))
        }
        _ => None,
    })
}

#[cfg(feature = "save")]
impl Grid {
    /// Writes the map as a Moving AI `.map` file: `S` for open cells of the terrain class [`SWAMP`](crate::SWAMP), `.` for
    /// other open cells, `W` for [deep water](Grid::is_water), `@` for other closed cells. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written.
    pub fn save_map(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_map_at(path.as_ref())
    }

    fn save_map_at(&self, path: &Path) -> Result<(), MapError> {
        super::write(path, |out| write_map(self, out))
    }
}
