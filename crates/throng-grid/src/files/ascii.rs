//! Maps as text with a legend in their head, our own format: all that a [`Grid`] holds, to be drawn by hand.
//!
//! ```text
//! throng ascii map
//! legend # = wall
//! legend . = open
//! legend ~ = swamp
//! legend f = terrain 7
//! cell_size = 0.5
//! map
//! ####
//! #.~#
//! heights in cm
//! 0 0 0 0
//! 0 120 80 0
//! ```
//!
//! The head ends with the line `map`; its lines may have any order, and the first line may be missing where the name of
//! the file ends in `.txt` or `.ascii`. All rows have the length of the first. Heights may follow, or not.
//!
//! Without a legend the letters mean what they mean everywhere: `.` and `G` are open, `S` is swamp, `#`, `@`, `O` and `T` are walls, `W` is
//! water. Then the head may be missing, too, and blanks count: see [`is_bare`].

use super::input::Lines;
use super::{CELL_SIZE, expect, fields, lattice};
use crate::{Grid, Lattice, MapError, PLAIN, SWAMP, WATER};
#[cfg(feature = "save")]
use std::fmt::Write as _;
#[cfg(feature = "save")]
use std::io::{self, Write};
use std::ops::RangeInclusive;
use std::path::Path;

/// The first line.
pub(super) const TITLE: &str = "throng ascii map";

/// Between the rows and the heights: with blanks, so that it is no row.
const HEIGHTS: &str = "heights in cm";

const HEAD: &str = "a line of the head, \"legend # = wall\" or \"cell_size = 0.5\", or \"map\"";

/// Allowed sides of a cell (m).
pub(super) const CELL_SIZES: RangeInclusive<f32> = 0.001..=1000.0;

/// The most letters of a legend: those for all kinds of ground and as many again.
const MAX_LETTERS: usize = 1000;

/// The form of a line of the legend.
const MEANINGS: &str = "\"legend\", a letter, \"=\", and open, swamp, terrain 0 to 255, wall or wall terrain 0 to 255";

/// The meaning of a letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Kind {
    is_open: bool,
    terrain: u8,
}

#[cfg_attr(not(feature = "save"), allow(dead_code))]
impl Kind {
    /// From 0 to 511, walls after open ground.
    fn number(self) -> usize {
        usize::from(self.terrain) + if self.is_open { 0 } else { 256 }
    }

    fn numbered(number: usize) -> Self {
        Self { is_open: number < 256, terrain: number as u8 }
    }

    /// In the words of a legend.
    fn meaning(self) -> String {
        match (self.is_open, self.terrain) {
            (true, PLAIN) => "open".to_owned(),
            (true, SWAMP) => "swamp".to_owned(),
            (true, class) => format!("terrain {class}"),
            (false, PLAIN) => "wall".to_owned(),
            (false, class) => format!("wall terrain {class}"),
        }
    }
}

/// Letters and their meanings, in the order of the file.
#[derive(Debug, Default)]
struct Legend {
    kinds: Vec<(char, Kind)>,
}

impl Legend {
    /// The meaning of a letter; without a legend, the usual one.
    fn kind(&self, letter: char) -> Option<Kind> {
        let told = self.kinds.iter().find(|&&(known, _)| known == letter).map(|&(_, kind)| kind);
        told.or_else(|| if self.is_told() { None } else { usual(letter) })
    }

    /// Whether the head tells of letters; a blank can only be known without it.
    fn is_told(&self) -> bool {
        self.kinds.iter().any(|&(letter, _)| letter != ' ')
    }

    fn letters(&self) -> String {
        if !self.is_told() {
            return "nothing, so that . G S are open, # @ O T W closed; add a legend for others".to_owned();
        }
        let letters: Vec<String> = self.kinds.iter().map(|(letter, _)| letter.to_string()).collect();
        letters.join(" ")
    }
}

/// True for text that begins with a row of a map without a head: letters of the [usual](usual) ones, and blanks between them.
pub(super) fn is_bare(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let first = text.trim_start_matches('\u{feff}').lines().find(|line| !line.trim().is_empty());
    first.is_some_and(is_bare_row)
}

fn is_bare_row(line: &str) -> bool {
    !line.trim().is_empty() && line.trim_end().chars().all(|letter| letter == ' ' || usual(letter).is_some())
}

/// The meaning of a letter where no legend tells it: that of Moving AI, and `#`.
fn usual(letter: char) -> Option<Kind> {
    let kind = |is_open, terrain| Some(Kind { is_open, terrain });
    match letter {
        '.' | 'G' => kind(true, PLAIN),
        'S' => kind(true, SWAMP),
        '#' | '@' | 'O' | 'T' => kind(false, PLAIN),
        'W' => kind(false, WATER),
        _ => None,
    }
}

/// A map without a head. A blank is open ground where no letter on the map is, as in mazes of `#` alone; beside `.`, `G` or `S` it
/// is what lies outside, a wall. Rows that end early go on with blanks, if there are blanks elsewhere.
fn read_bare(first: String, lines: &mut Lines) -> Result<Grid, MapError> {
    let (file, start) = (lines.file, lines.number());
    let mut rows = vec![first];
    while let Some(line) = lines.next()? {
        if rows.len() > Lattice::MAX_SIDE as usize {
            break;
        }
        rows.push(line.to_owned());
    }
    let letters = || rows.iter().flat_map(|row| row.chars());
    let has_blanks = letters().any(|letter| letter == ' ') || rows.iter().any(String::is_empty);
    let blank =
        Kind { is_open: !letters().any(|letter| usual(letter).is_some_and(|kind| kind.is_open)), terrain: PLAIN };
    let length = |row: &String| row.chars().count();
    let width = if has_blanks { rows.iter().map(length).max() } else { rows.first().map(length) }.unwrap_or(0);
    let mut grid = Grid::closed(lattice(width as u64, rows.len() as u64, file)?);
    let legend = Legend { kinds: if has_blanks { vec![(' ', blank)] } else { Vec::new() } };
    for (row, line) in (0..).zip(&rows) {
        let padded = if has_blanks { format!("{line:width$}") } else { String::new() };
        read_row(&mut grid, row, if has_blanks { &padded } else { line }, start + row as usize, &legend, file)?;
    }
    Ok(grid)
}

/// Reads a map.
pub(super) fn read(lines: &mut Lines) -> Result<Grid, MapError> {
    let file = lines.file;
    let mut first = lines.next()?.map(str::to_owned);
    while first.as_deref() == Some("") {
        first = lines.next()?.map(str::to_owned);
    }
    if let Some(row) = first.take_if(|line| is_bare_row(line)) {
        return read_bare(row, lines);
    }
    let (legend, cell_size) = read_head(first, lines)?;
    // How many rows there are shows at the end.
    let (mut grid, mut height): (Option<Grid>, u64) = (None, 0);
    let (mut has_heights, start) = (false, lines.number());
    while let Some(line) = lines.next()? {
        if line == HEIGHTS {
            has_heights = true;
            break;
        }
        height += 1;
        if height > Lattice::MAX_SIDE.into() {
            continue;
        }
        let row = height as u32 - 1;
        let mut here = match grid.take() {
            None => {
                let width = line.chars().count() as u64;
                let number = start + height as usize;
                expect(line, number, "the first row, letters of the legend", file, |_| (width > 0).then_some(()))?;
                Grid::closed(lattice(width, 1, file)?)
            }
            Some(grid) if row < grid.lattice().height => grid,
            Some(grid) => grid.with_height((row + row / 2 + 1).min(Lattice::MAX_SIDE)),
        };
        read_row(&mut here, row, line, start + height as usize, &legend, file)?;
        grid = Some(here);
    }
    let width = grid.as_ref().map_or(0, |grid| grid.lattice().width);
    let Lattice { height, .. } = lattice(width.into(), height, file)?;
    let Some(mut grid) = grid.map(|grid| grid.with_height(height)) else {
        return Err(MapError::NoCells { file: file.to_path_buf(), width: 0, height: 0 });
    };
    if has_heights {
        read_heights(&mut grid, lines)?;
    }
    Ok(grid.with_cell_size(cell_size))
}

/// The legend and the side of a cell (m): the lines up to `map`, of which `first` has been read.
fn read_head(mut first: Option<String>, lines: &mut Lines) -> Result<(Legend, f32), MapError> {
    let file = lines.file;
    let (mut legend, mut cell_size) = (Legend::default(), None);
    let mut number = lines.number() - usize::from(first.is_some());
    loop {
        let given = first.take();
        let Some(line) = (if given.is_some() { given.as_deref() } else { lines.next()? }) else { break };
        number += 1;
        let words = fields(line);
        match words[..] {
            ["map"] => return Ok((legend, cell_size.unwrap_or(CELL_SIZE))),
            ["cell_size", ..] => {
                let expected = "\"cell_size = \" and a number of metres from 0.001 to 1000, once";
                let size = expect(line, number, expected, file, |_| match words[..] {
                    ["cell_size", "=", size] if cell_size.is_none() => {
                        size.parse().ok().filter(|size| CELL_SIZES.contains(size))
                    }
                    _ => None,
                })?;
                cell_size = Some(size);
            }
            ["legend", ..] => {
                let (letter, kind) = expect(line, number, MEANINGS, file, |_| entry(&words))?;
                let expected = "one line for each letter of the legend, at most 1000";
                let is_new =
                    legend.kinds.len() < MAX_LETTERS && !legend.kinds.iter().any(|&(known, _)| known == letter);
                expect(line, number, expected, file, |_| is_new.then_some(()))?;
                legend.kinds.push((letter, kind));
            }
            [] => {}
            _ if number == 1 && line == TITLE => {}
            _ => return expect(line, number, HEAD, file, |_| None),
        }
    }
    if number == 0 {
        let expected = "an ASCII map, \"throng ascii map\" first";
        return Err(MapError::Empty { file: file.to_path_buf(), expected });
    }
    expect("", number + 1, HEAD, file, |_| None)
}

/// A line of the legend, in words.
fn entry(words: &[&str]) -> Option<(char, Kind)> {
    let [_, letter, "=", meaning @ ..] = words else { return None };
    let mut letters = letter.chars();
    let (Some(letter), None) = (letters.next(), letters.next()) else { return None };
    let (is_open, terrain) = match meaning {
        ["open"] => (true, PLAIN),
        ["swamp"] => (true, SWAMP),
        ["terrain", class] => (true, class.parse().ok()?),
        ["wall"] => (false, PLAIN),
        ["wall", "terrain", class] => (false, class.parse().ok()?),
        _ => return None,
    };
    (!letter.is_control()).then_some((letter, Kind { is_open, terrain }))
}

/// Sets the cells of one row.
fn read_row(
    grid: &mut Grid,
    row: u32,
    line: &str,
    number: usize,
    legend: &Legend,
    file: &Path,
) -> Result<(), MapError> {
    let lattice = grid.lattice();
    let mut found = 0;
    for letter in line.chars() {
        let Some(kind) = legend.kind(letter) else {
            let (column, known) = (found + 1, legend.letters());
            return Err(MapError::Unexplained { file: file.to_path_buf(), line: number, column, found: letter, known });
        };
        if found < lattice.width as usize {
            let cell = lattice.cell(found as u32, row);
            if kind.is_open {
                grid.set_open(cell, true);
            }
            if kind.terrain != PLAIN {
                grid.set_terrain(cell, kind.terrain);
            }
        }
        found += 1;
    }
    let expected = lattice.width;
    if found != expected as usize {
        let column = found.min(expected as usize) + 1;
        return Err(MapError::Ragged { file: file.to_path_buf(), line: number, column, found, expected });
    }
    Ok(())
}

/// Sets the heights: as many lines as rows, in each as many whole numbers as columns.
fn read_heights(grid: &mut Grid, lines: &mut Lines) -> Result<(), MapError> {
    let file = lines.file;
    let lattice = grid.lattice();
    let Lattice { width, height, .. } = lattice;
    let start = lines.number();
    for row in 0..height {
        let number = start + 1 + row as usize;
        let line = lines.next()?.unwrap_or_default();
        let mut column = 0;
        let mut read = |line: &str| {
            for word in line.split_ascii_whitespace() {
                let height = word.parse().ok()?;
                if column < width {
                    grid.set_height(lattice.cell(column, row), height);
                }
                column += 1;
            }
            (column == width).then_some(())
        };
        if read(line).is_none() {
            let expected = format!("{width} heights, whole numbers from 0 to 65535 (cm), for row {row}");
            return expect(line, number, &expected, file, |_| None);
        }
    }
    let number = start + 1 + height as usize;
    match lines.next()? {
        Some(line) => {
            expect(line, number, &format!("nothing: there is a height for each of {height} rows"), file, |_| None)
        }
        None => Ok(()),
    }
}

#[cfg(feature = "save")]
/// Writes a map: all of it, with a letter for each kind of ground that is there.
pub(super) fn write(grid: &Grid, out: &mut impl Write) -> io::Result<()> {
    let lattice = grid.lattice();
    super::check_cell_size(grid, "an ASCII map")?;
    let kind = |cell| Kind { is_open: grid.is_open(cell), terrain: grid.terrain(cell) };
    let mut is_used = [false; 512];
    lattice.cells().for_each(|cell| is_used[kind(cell).number()] = true);
    let mut letters = [' '; 512];
    let mut others = ('a'..='z').chain('A'..='Z').chain('\u{C0}'..='\u{2AF}');
    writeln!(out, "{TITLE}")?;
    for number in (0..512).filter(|&number| is_used[number]) {
        let kind = Kind::numbered(number);
        letters[number] = match (kind.is_open, kind.terrain) {
            (false, PLAIN) => '#',
            (true, PLAIN) => '.',
            (true, SWAMP) => '~',
            (true, class @ 2..=9) => char::from(b'0' + class),
            _ => others.next().unwrap_or('?'),
        };
        writeln!(out, "legend {} = {}", letters[number], kind.meaning())?;
    }
    writeln!(out, "cell_size = {}\nmap", lattice.cell_size)?;
    let rows = || (0..lattice.height).map(|y| (0..lattice.width).map(move |x| lattice.cell(x, y)));
    let mut line = String::new();
    for row in rows() {
        line.clear();
        line.extend(row.map(|cell| letters[kind(cell).number()]));
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    if lattice.cells().any(|cell| grid.height(cell) != 0) {
        writeln!(out, "{HEIGHTS}")?;
        for row in rows() {
            line.clear();
            for cell in row {
                let _ = write!(line, "{} ", grid.height(cell));
            }
            line.pop();
            line.push('\n');
            out.write_all(line.as_bytes())?;
        }
    }
    Ok(())
}

#[cfg(feature = "save")]
impl Grid {
    /// Writes the map as text with a legend in its head, and all that it holds: walls, terrain, heights, the side of a cell.
    /// [`Grid::load`] reads the same map again. The file is written whole or not at all.
    ///
    /// # Errors
    /// [`MapError::Write`] where the file cannot be written, or cells are smaller than 1 mm or larger than 1 km.
    ///
    /// ```
    /// # let folder = tempfile::tempdir()?;
    /// # let path = folder.path().join("room.txt");
    /// use throng_grid::{Grid, Lattice};
    /// let mut room = Grid::open_plain(Lattice::new(3, 2, 0.5)?);
    /// room.set_open(room.lattice().cell(1, 0), false);
    /// room.save_ascii(&path)?;
    /// let text = "throng ascii map\nlegend . = open\nlegend # = wall\ncell_size = 0.5\nmap\n.#.\n...\n";
    /// assert_eq!(std::fs::read_to_string(&path)?, text);
    /// assert_eq!(Grid::load(&path)?, room);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn save_ascii(&self, path: impl AsRef<Path>) -> Result<(), MapError> {
        self.save_ascii_at(path.as_ref())
    }

    fn save_ascii_at(&self, path: &Path) -> Result<(), MapError> {
        super::write(path, |out| self::write(self, out))
    }
}
