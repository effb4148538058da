//! The rows of a batch, and the file they are in.

use super::row::{columns, line};
use super::{Batch, BatchError, Row, Run};
use crate::batch::identity::FIRST_LINE_START;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// The rows of a batch. In a file, each is written as soon as it is there, in the order of the runs. A row that comes
/// too early is written to a second file, `FILE.ahead`, until the rows before it are there. So no row is lost, however
/// the program ends, and the file is the same for any number of threads.
///
/// The file is CSV, below a first line, `# throng batch; ...`, that tells batches apart, and the names of the columns. A
/// row is known by the varied values and its seed; other orders are read as well, as of parts put together.
///
/// See the [example](crate::batch) of the module.
#[derive(Debug)]
pub struct Table<'b> {
    batch: &'b Batch,
    rows: Vec<Row>,
    /// Runs that were not in the file when it was opened.
    runs: Vec<Run>,
    /// How many of them have been written.
    written: usize,
    /// Rows that wait for those before them, by their place in `runs`.
    waiting: BTreeMap<usize, Row>,
    files: Option<Files>,
}

/// Where rows are written.
#[derive(Debug)]
struct Files {
    path: PathBuf,
    file: File,
    ahead: PathBuf,
    /// There once a row had to wait.
    ahead_file: Option<File>,
}

impl<'b> Table<'b> {
    /// A table of these runs without a file.
    pub fn in_memory(batch: &'b Batch, runs: Vec<Run>) -> Self {
        Self { batch, rows: Vec::new(), runs, written: 0, waiting: BTreeMap::new(), files: None }
    }

    /// A table of these runs in a file; runs that are there already are not run again. A last line that was cut off is
    /// dropped.
    ///
    /// # Errors
    /// [`BatchError`] where the file cannot be written, is none of a batch, one of another batch, or being written.
    pub fn open(batch: &'b Batch, runs: Vec<Run>, path: impl AsRef<Path>) -> Result<Self, BatchError> {
        Self::open_at(batch, runs, path.as_ref())
    }

    fn open_at(batch: &'b Batch, runs: Vec<Run>, path: &Path) -> Result<Self, BatchError> {
        let path = path.to_path_buf();
        let mut name = path.clone().into_os_string();
        name.push(".ahead");
        let ahead = PathBuf::from(name);
        let (file, rows) = open(batch, &path)?;
        let known: BTreeSet<Run> = rows.iter().map(|row| row.run).collect();
        let runs: Vec<Run> = runs.into_iter().filter(|run| !known.contains(run)).collect();
        let mut table = Self { batch, rows, runs, written: 0, waiting: BTreeMap::new(), files: None };
        let mut early = Vec::new();
        let mut ahead_file = None;
        if ahead.exists() {
            let (file, rows) = open(batch, &ahead)?;
            early = rows.into_iter().filter(|row| !known.contains(&row.run)).collect();
            ahead_file = Some(file);
        }
        table.files = Some(Files { path, file, ahead, ahead_file });
        let places: BTreeMap<Run, usize> = table.runs.iter().copied().zip(0..).collect();
        for row in early {
            match places.get(&row.run) {
                Some(&place) => drop(table.waiting.insert(place, row)),
                // Of a part or a seed that is not wanted this time.
                None => table.write(row)?,
            }
        }
        table.drain()?;
        Ok(table)
    }

    /// The runs whose rows are not there yet, and the place of each.
    pub fn todo(&self) -> Vec<(usize, Run)> {
        let places = (0..).zip(self.runs.iter().copied()).skip(self.written);
        places.filter(|(place, _)| !self.waiting.contains_key(place)).collect()
    }

    /// Takes the row of the run at a place in [`Table::todo`].
    ///
    /// # Errors
    /// [`BatchError::Write`] where it cannot be written.
    pub fn add(&mut self, place: usize, row: Row) -> Result<(), BatchError> {
        if place == self.written {
            self.write(row)?;
            self.written += 1;
            return self.drain();
        }
        if let Some(files) = &mut self.files {
            files.keep(self.batch, &row)?;
        }
        self.waiting.insert(place, row);
        Ok(())
    }

    /// All rows that are there, also those from before.
    pub fn rows(&self) -> impl Iterator<Item = &Row> {
        self.rows.iter().chain(self.waiting.values())
    }

    /// Writes those whose turn it is.
    fn drain(&mut self) -> Result<(), BatchError> {
        while let Some(row) = self.waiting.remove(&self.written) {
            self.write(row)?;
            self.written += 1;
        }
        match &mut self.files {
            Some(files) if self.waiting.is_empty() => files.forget(self.batch),
            _ => Ok(()),
        }
    }

    fn write(&mut self, row: Row) -> Result<(), BatchError> {
        if let Some(Files { path, file, .. }) = &mut self.files {
            file.write_all(row.line(self.batch).as_bytes()).map_err(failed(path))?;
        }
        self.rows.push(row);
        Ok(())
    }
}

impl Drop for Table<'_> {
    fn drop(&mut self) {
        if let Some(Files { ahead, ahead_file, .. }) = &mut self.files
            && ahead_file.take().is_some()
            && self.waiting.is_empty()
        {
            // A file that cannot be removed holds nothing that is not in the table.
            let _ = std::fs::remove_file(ahead);
        }
    }
}

impl Files {
    /// Keeps a row whose turn it is not yet.
    fn keep(&mut self, batch: &Batch, row: &Row) -> Result<(), BatchError> {
        if self.ahead_file.is_none() {
            self.ahead_file = Some(open(batch, &self.ahead)?.0);
        }
        match &mut self.ahead_file {
            Some(file) => file.write_all(row.line(batch).as_bytes()).map_err(failed(&self.ahead)),
            None => Ok(()),
        }
    }

    /// All rows that were kept are in the table.
    fn forget(&mut self, batch: &Batch) -> Result<(), BatchError> {
        let Some(file) = &mut self.ahead_file else { return Ok(()) };
        let end = head(batch).len() as u64;
        let mut attempt = || file.set_len(end).and_then(|()| file.seek(SeekFrom::End(0)));
        attempt().map(drop).map_err(failed(&self.ahead))
    }
}

fn failed(file: &Path) -> impl Fn(io::Error) -> BatchError {
    move |source| BatchError::Write { file: file.to_path_buf(), source }
}

/// The lines above the rows.
fn head(batch: &Batch) -> String {
    batch.first_line() + &line(&columns(batch))
}

/// Opens a file of rows, or makes one; it is then locked, ends with a whole line, and is written at its end.
fn open(batch: &Batch, path: &Path) -> Result<(File, Vec<Row>), BatchError> {
    let foreign = || BatchError::Foreign { file: path.to_path_buf() };
    if std::fs::metadata(path).is_ok_and(|found| !found.is_file()) {
        return Err(foreign());
    }
    let failed = failed(path);
    let options = File::options().read(true).write(true).create(true).truncate(false).open(path);
    let mut file = options.map_err(&failed)?;
    // A file system without locks reports nothing.
    if let Err(TryLockError::WouldBlock) = file.try_lock() {
        return Err(BatchError::Busy { file: path.to_path_buf() });
    }
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes).map_err(&failed)?;
    let text = String::from_utf8(bytes).map_err(|_| foreign())?;
    let head = head(batch);
    let mut rows = Vec::new();
    if head.starts_with(&text) {
        let mut attempt = || {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            file.write_all(head.as_bytes())
        };
        attempt().map_err(&failed)?;
        return Ok((file, rows));
    }
    if !text.starts_with(FIRST_LINE_START) {
        return Err(foreign());
    }
    if let Some((what, found, expected)) = batch.differs(text.lines().next().unwrap_or_default()) {
        return Err(BatchError::Other { file: path.to_path_buf(), what, found, expected });
    }
    let wrong = |line: usize, message: String| BatchError::Row { file: path.to_path_buf(), line, message };
    let end = text.rfind('\n').map_or(0, |end| end + 1);
    let Some(body) = text[..end].strip_prefix(&head) else {
        return Err(wrong(2, format!("the columns are others than {}", columns(batch).join(","))));
    };
    let mut known = BTreeSet::new();
    for (number, line) in (3..).zip(body.lines()) {
        let row = Row::read(line, batch).map_err(|message| wrong(number, message))?;
        // Of one that is there twice, as where parts were put together, the first counts.
        if known.insert(row.run) {
            rows.push(row);
        }
    }
    let mut attempt = || {
        file.set_len(end as u64)?;
        file.seek(SeekFrom::End(0))
    };
    attempt().map_err(&failed)?;
    Ok((file, rows))
}
