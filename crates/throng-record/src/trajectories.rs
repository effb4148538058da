//! Trajectories as an `SQLite` file of `JuPedSim`'s version 2, which `PedPy` opens.

use super::trajectory_text::{frames_a_second, in_order_of_number};
use super::walkable_area::WalkableArea;
use super::{RecordError, Sink, going_on};
use rusqlite::{Connection, OpenFlags, params};
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::path::{Path, PathBuf};
use tempfile::TempPath;
use throng_grid::Grid;
use throng_grid::geom::Vec2;
use throng_sim::world::Frame;

const SCHEMA: &str = "
    PRAGMA page_size = 4096;
    PRAGMA journal_mode = OFF;
    PRAGMA synchronous = OFF;
    CREATE TABLE trajectory_data (
        frame INTEGER NOT NULL,
        id INTEGER NOT NULL,
        pos_x REAL NOT NULL,
        pos_y REAL NOT NULL,
        ori_x REAL NOT NULL,
        ori_y REAL NOT NULL);
    CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
    CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
    CREATE UNIQUE INDEX geometry_hash ON geometry(hash);
    CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
    BEGIN;";

/// Frames a transaction.
const FRAMES_PER_TRANSACTION: u64 = 100;

/// Records the positions of all agents into an `SQLite` file of `JuPedSim`'s version 2: every frame that it is shown.
///
/// Frames are counted from 0, the state before the first tick, also where the record begins later; rows are in the order
/// of frame and id. An id is one agent, also after it has left. Equal runs give equal files.
///
/// ```
/// use throng_grid::geom::Vec2;
/// use throng_record::{Sink, Trajectories};
/// use throng_sim::world::Frame;
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("run.sqlite");
/// let mut sink = Trajectories::create(&path, 0.1, 1, [-20.0, 0.0], Vec2::new(40.0, 20.0))?;
/// let (id, position, heading) = (vec![0], vec![Vec2::new(20.0, 3.0)], vec![Vec2::X]);
/// sink.frame(&Frame { id, position, heading, ..Frame::default() })?;
/// assert!(!path.exists());
/// assert_eq!(Box::new(sink).finish()?, path);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Trajectories {
    // Before `temp`: it is closed before the file is removed.
    connection: Connection,
    /// Holds the lock on the file. Closed after the connection: a file closed before takes the database's own locks along.
    held: File,
    temp: TempPath,
    path: PathBuf,
    every: u64,
    origin: [f64; 2],
    /// The walkable area before the first frame; `None` once it is in the file.
    begins_in: Option<WalkableArea>,
    /// The walkable area as it is now, by its hash.
    geometry: i64,
    /// Revision of the map that it was made of; `None` where there is none.
    revision: Option<u32>,
    /// Least and greatest x, least and greatest y of all areas so far (m).
    bounds: [f64; 4],
    frames: u64,
    /// Rows of a frame in the order of their numbers.
    order: Vec<u32>,
}

impl Trajectories {
    /// Starts a record that will be shown every `every`-th tick of `step` seconds. The walkable area is a rectangle of
    /// `size` (m); the origin of the world lies at `origin` in the coordinates of the file (m).
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be made.
    pub fn create(
        path: impl AsRef<Path>,
        step: f32,
        every: u64,
        origin: [f64; 2],
        size: Vec2,
    ) -> Result<Self, RecordError> {
        Self::start(path.as_ref().to_path_buf(), step, every, origin, WalkableArea::rectangle(origin, size))
    }

    /// Starts a record that will be shown every `every`-th tick of `step` seconds on a map, in its coordinates. The
    /// walkable area is the largest part of the map that hangs together, as it is now; walls are its holes.
    ///
    /// # Errors
    /// [`RecordError`] where the file cannot be made.
    ///
    /// ```
    /// use throng_grid::{Grid, Lattice};
    /// use throng_record::{Sink, Trajectories};
    /// # let folder = tempfile::tempdir()?;
    /// let grid = Grid::open_plain(Lattice::new(8, 8, 0.5)?);
    /// let sink = Trajectories::on_map(folder.path().join("run.sqlite"), 0.05, 2, &grid)?;
    /// assert!(Box::new(sink).finish()?.exists());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn on_map(path: impl AsRef<Path>, step: f32, every: u64, grid: &Grid) -> Result<Self, RecordError> {
        Self::on_map_at(path.as_ref(), step, every, grid)
    }

    fn on_map_at(path: &Path, step: f32, every: u64, grid: &Grid) -> Result<Self, RecordError> {
        let record = Self::start(path.to_path_buf(), step, every, [0.0; 2], WalkableArea::of(grid))?;
        Ok(Self { revision: Some(grid.revision()), ..record })
    }

    fn start(path: PathBuf, step: f32, every: u64, origin: [f64; 2], area: WalkableArea) -> Result<Self, RecordError> {
        let every = every.max(1);
        let temp = throng_grid::whole_file::temporary(&path, ".sqlite").map_err(RecordError::write(&path))?;
        let (held, temp) = temp.into_parts();
        let metadata = [("version", "2".to_owned()), ("fps", format!("{:?}", frames_a_second(step, every)))];
        let attempt = || -> rusqlite::Result<Connection> {
            let connection = Connection::open_with_flags(&temp, OpenFlags::SQLITE_OPEN_READ_WRITE)?;
            connection.execute_batch(SCHEMA)?;
            for (key, value) in metadata {
                connection.execute("INSERT INTO metadata VALUES (?, ?)", params![key, value])?;
            }
            Ok(connection)
        };
        let connection = attempt().map_err(RecordError::database(&path))?;
        let (bounds, begins_in) = (area.bounds, Some(area));
        let (geometry, revision, frames, order) = (0, None, 0, Vec::new());
        Ok(Self { connection, held, temp, path, every, origin, begins_in, geometry, revision, bounds, frames, order })
    }

    /// Writes the first walkable area, once.
    fn begin(&mut self) -> rusqlite::Result<()> {
        match self.begins_in.take() {
            Some(area) => self.walk_in(&area),
            None => Ok(()),
        }
    }

    /// Takes another walkable area for the frames to come.
    fn walk_in(&mut self, area: &WalkableArea) -> rusqlite::Result<()> {
        self.geometry = fnv1a(area.wkt.as_bytes());
        self.connection.execute("INSERT OR IGNORE INTO geometry VALUES (?, ?)", params![self.geometry, area.wkt])?;
        let ([x0, x1, y0, y1], [left, right, top, bottom]) = (self.bounds, area.bounds);
        self.bounds = [x0.min(left), x1.max(right), y0.min(top), y1.max(bottom)];
        Ok(())
    }

    fn write(&mut self, frame: &Frame) -> rusqlite::Result<()> {
        self.begin()?;
        if let (Some(known), Some(grid)) = (self.revision, &frame.grid)
            && known != grid.revision()
        {
            self.revision = Some(grid.revision());
            self.walk_in(&WalkableArea::of(grid))?;
        }
        let number = (frame.tick / self.every) as i64;
        in_order_of_number(&mut self.order, frame);
        let mut insert = self.connection.prepare_cached("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)")?;
        for row in self.order.iter().map(|&row| row as usize) {
            let (position, heading) = (frame.position[row].as_dvec2(), frame.heading[row].as_dvec2());
            insert.execute(params![
                number,
                frame.person_of(row),
                position.x + self.origin[0],
                position.y + self.origin[1],
                heading.x,
                heading.y
            ])?;
        }
        drop(insert);
        self.end_frame(number, self.geometry)
    }

    fn end_frame(&mut self, number: i64, geometry: i64) -> rusqlite::Result<()> {
        self.connection.prepare_cached("INSERT INTO frame_data VALUES (?, ?)")?.execute(params![number, geometry])?;
        self.frames += 1;
        if self.frames.is_multiple_of(FRAMES_PER_TRANSACTION) {
            self.connection.execute_batch("COMMIT; BEGIN;")?;
        }
        Ok(())
    }

    /// Copies the frames of a file up to one, in the order in which they were written; the file of a run in one piece has the
    /// same pages then.
    fn copy(&mut self, old: &Connection, last: i64) -> rusqlite::Result<()> {
        let mut areas = old.prepare("SELECT rowid, hash, wkt FROM geometry ORDER BY rowid")?;
        let mut areas = areas.query([])?;
        let mut known = Vec::new();
        let mut frames = old.prepare("SELECT frame, geometry_hash FROM frame_data WHERE frame <= ? ORDER BY rowid")?;
        let mut frames = frames.query([last])?;
        let mut agents = old
            .prepare("SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data WHERE frame = ? ORDER BY id")?;
        while let Some(frame) = frames.next()? {
            let (number, geometry) = (frame.get::<_, i64>(0)?, frame.get::<_, i64>(1)?);
            while !known.contains(&geometry) {
                let Some(area) = areas.next()? else { break };
                let (hash, wkt) = (area.get::<_, i64>(1)?, area.get::<_, String>(2)?);
                self.connection.execute("INSERT INTO geometry VALUES (?, ?)", params![hash, wkt])?;
                known.push(hash);
            }
            let mut rows = agents.query([number])?;
            let mut insert = self.connection.prepare_cached("INSERT INTO trajectory_data VALUES (?, ?, ?, ?, ?, ?)")?;
            while let Some(row) = rows.next()? {
                let place =
                    (row.get::<_, f64>(2)?, row.get::<_, f64>(3)?, row.get::<_, f64>(4)?, row.get::<_, f64>(5)?);
                let (x, y, ori_x, ori_y) = place;
                insert.execute(params![number, row.get::<_, i64>(1)?, x, y, ori_x, ori_y])?;
            }
            drop(insert);
            self.end_frame(number, geometry)?;
        }
        Ok(())
    }

    /// The description of the frames in a file.
    fn frames_a_second_of(old: &Connection) -> rusqlite::Result<String> {
        old.query_row("SELECT value FROM metadata WHERE key = 'fps'", [], |row| row.get(0))
    }
}

/// The state by which a record goes on.
#[derive(Serialize, Deserialize)]
struct State {
    fps: String,
    frames: u64,
    geometry: i64,
    revision: Option<u32>,
    bounds: [f64; 4],
}

impl Sink for Trajectories {
    fn frame(&mut self, frame: &Frame) -> Result<(), RecordError> {
        self.write(frame).map_err(RecordError::database(&self.path))
    }

    fn finish(mut self: Box<Self>) -> Result<PathBuf, RecordError> {
        self.begin().map_err(RecordError::database(&self.path))?;
        let Self { connection, held, temp, path, bounds, .. } = *self;
        let attempt = || {
            for (key, metres) in ["xmin", "xmax", "ymin", "ymax"].iter().zip(bounds) {
                connection.execute("INSERT INTO metadata VALUES (?, ?)", params![key, format!("{metres:?}")])?;
            }
            connection.execute_batch("COMMIT; CREATE INDEX frame_id_idx ON trajectory_data(frame, id);")?;
            connection.close().map_err(|(_, error)| error)
        };
        attempt().map_err(RecordError::database(&path))?;
        drop(held);
        throng_grid::whole_file::persist(temp, &path).map_err(RecordError::write(&path))?;
        Ok(path)
    }

    fn state(&mut self) -> Vec<u8> {
        let Self { frames, geometry, revision, bounds, .. } = *self;
        let fps = Self::frames_a_second_of(&self.connection).unwrap_or_default();
        going_on::to_bytes(&State { fps, frames, geometry, revision, bounds })
    }

    fn go_on(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        if going_on::open(&self.path)?.is_none() {
            return Ok(false);
        }
        let path = self.path.clone();
        let unread = |error: rusqlite::Error| RecordError::go_on(&path)(error);
        let State { fps, frames, geometry, revision, bounds } = going_on::of_bytes(state, &path)?;
        let old = Connection::open_with_flags(&path, OpenFlags::SQLITE_OPEN_READ_ONLY).map_err(unread)?;
        let found = Self::frames_a_second_of(&old).map_err(unread)?;
        let own = Self::frames_a_second_of(&self.connection).map_err(RecordError::database(&path))?;
        if [&found, &fps].iter().any(|fps| **fps != own) {
            return Err(RecordError::go_on(&path)(format!("it has {found} frames a second, expected {own}")));
        }
        self.begins_in = None;
        self.copy(&old, (tick / self.every) as i64).map_err(unread)?;
        going_on::check_count("frames", (self.frames, frames), tick, &path)?;
        (self.geometry, self.revision, self.bounds) = (geometry, revision, bounds);
        Ok(true)
    }
}

/// A hash of a text (G. Fowler, L. C. Noll, K.-P. Vo, 1991: FNV-1a).
fn fnv1a(bytes: &[u8]) -> i64 {
    let hash = bytes
        .iter()
        .fold(0xCBF2_9CE4_8422_2325_u64, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3));
    hash as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(tick: u64) -> Frame {
        Frame {
            tick,
            id: vec![2, 0, 1],
            position: vec![Vec2::new(3.25, tick as f32), Vec2::new(1.0, 1.0), Vec2::new(2.0, 2.0)],
            heading: vec![Vec2::X, Vec2::Y, Vec2::NEG_X],
            ..Frame::default()
        }
    }

    fn record(path: &Path, ticks: u64) {
        let mut sink = Box::new(Trajectories::create(path, 0.05, 2, [-10.0, 5.0], Vec2::new(40.0, 20.0)).unwrap());
        for tick in (0..=ticks).step_by(2) {
            sink.frame(&frame(tick)).unwrap();
        }
        sink.finish().unwrap();
    }

    #[test]
    fn rows_are_in_the_order_of_frame_and_id() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.sqlite");
        record(&path, 4);
        let connection = Connection::open(&path).unwrap();
        let mut query = connection.prepare("SELECT frame, id, pos_x, pos_y, ori_x FROM trajectory_data").unwrap();
        let rows: Vec<(i64, i64, f64, f64, f64)> = query
            .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?, row.get(4)?)))
            .unwrap()
            .map(Result::unwrap)
            .collect();
        assert_eq!(rows.len(), 9);
        assert!(rows.is_sorted());
        assert_eq!(rows[8], (2, 2, -6.75, 9.0, 1.0));
        let text = |sql: &str| connection.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        assert_eq!(text("SELECT value FROM metadata WHERE key = 'fps'"), "10.0");
        assert_eq!(text("SELECT value FROM metadata WHERE key = 'version'"), "2");
        assert_eq!(text("SELECT wkt FROM geometry"), "POLYGON ((-10 5, 30 5, 30 25, -10 25, -10 5))");
        assert_eq!(text("SELECT count(*) || '' FROM frame_data JOIN geometry ON geometry_hash = hash"), "3");
        assert_eq!(text("SELECT name FROM sqlite_master WHERE name = 'frame_id_idx'"), "frame_id_idx");
    }

    #[test]
    fn equal_runs_give_equal_files_and_a_dropped_one_gives_none() {
        let folder = tempfile::tempdir().unwrap();
        let [a, b] = ["a.sqlite", "b.sqlite"].map(|name| folder.path().join(name));
        // More frames than a transaction holds.
        record(&a, 500);
        record(&b, 500);
        assert!(std::fs::read(&a).unwrap() == std::fs::read(&b).unwrap());
        let mut dropped = Trajectories::create(folder.path().join("c.sqlite"), 0.1, 1, [0.0; 2], Vec2::ONE).unwrap();
        dropped.frame(&frame(0)).unwrap();
        drop(dropped);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 2);
    }
}
