//! Figures in rows, as CSV or Parquet.

#[cfg(feature = "parquet")]
mod parquet;
mod value;

pub(super) use value::Value;

use super::RecordError;
use super::going_on;
use std::io;
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// A file of rows of figures; the kinds of values are the same in each row.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    out: Out,
    /// Whether the columns have their names.
    has_header: bool,
    rows: u64,
}

#[derive(Debug)]
enum Out {
    Csv(Box<csv::Writer<WholeFile>>),
    #[cfg(feature = "parquet")]
    Parquet(parquet::Parquet),
}

/// True for names of Parquet files.
pub(super) fn is_parquet(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("parquet"))
}

impl Table {
    /// Starts a table: Parquet where the name ends in `.parquet`, else CSV.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be made, [`RecordError::NoParquet`] where this build knows no Parquet.
    pub fn create(path: &Path) -> Result<Self, RecordError> {
        #[cfg(not(feature = "parquet"))]
        if is_parquet(path) {
            return Err(RecordError::NoParquet { file: path.to_path_buf() });
        }
        let out = WholeFile::create(path).map_err(RecordError::write(path))?;
        #[cfg(feature = "parquet")]
        if is_parquet(path) {
            return Ok(Self::new(path, Out::Parquet(parquet::Parquet::new(out))));
        }
        Ok(Self::new(path, Out::Csv(Box::new(csv::Writer::from_writer(out)))))
    }

    fn new(path: &Path, out: Out) -> Self {
        Self { path: path.to_path_buf(), out, has_header: false, rows: 0 }
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many rows it has.
    pub fn rows(&self) -> u64 {
        self.rows
    }

    /// Whether the columns have their names.
    pub fn has_header(&self) -> bool {
        self.has_header
    }

    /// True where there is a file of the same name that could be gone on with.
    pub fn is_there(&self) -> Result<bool, RecordError> {
        Ok(going_on::open(&self.path)?.is_some())
    }

    /// Takes over the names of the columns and the rows up to a tick, `expected` in number, from the file of the same name. The
    /// first column of a row is its tick.
    ///
    /// # Errors
    /// [`RecordError::GoOn`] where it has others, [`RecordError::Write`] where this one cannot be written.
    pub fn go_on(&mut self, tick: u64, expected: u64) -> Result<(), RecordError> {
        let Some(old) = going_on::open(&self.path)? else { return Ok(()) };
        let path = self.path.clone();
        match self.out {
            Out::Csv(_) => self.copy(&path, csv::ReaderBuilder::new().has_headers(false).from_reader(old), tick)?,
            #[cfg(feature = "parquet")]
            Out::Parquet(_) => {
                let unread = RecordError::go_on(&path);
                let (names, kinds, rows) = parquet::rows(old).map_err(&unread)?;
                self.header(&names, &kinds)?;
                for row in rows {
                    let row = row.map_err(&unread)?;
                    let values: Vec<Value<'_>> = row.iter().map(parquet::Cell::value).collect();
                    match values.first() {
                        Some(Value::Whole(of)) if *of <= tick => self.row(&values)?,
                        Some(Value::Whole(_)) => break,
                        _ => return Err(unread("its first column holds no ticks".into())),
                    }
                }
            }
        }
        going_on::check_count("rows", (self.rows, expected), tick, &path)
    }

    /// As [`Table::go_on`], for a table whose state is how many rows it has. False where there is no file.
    pub fn go_on_by_rows(&mut self, tick: u64, state: &[u8]) -> Result<bool, RecordError> {
        if !self.is_there()? {
            return Ok(false);
        }
        let rows = going_on::of_bytes(state, &self.path)?;
        self.go_on(tick, rows).map(|()| true)
    }

    /// Copies the rows of a CSV file up to a tick.
    fn copy(&mut self, path: &Path, mut old: csv::Reader<std::fs::File>, tick: u64) -> Result<(), RecordError> {
        let unread = |error: &dyn ToString| RecordError::go_on(path)(error.to_string());
        let mut row = csv::StringRecord::new();
        while old.read_record(&mut row).map_err(|error| unread(&error))? {
            if self.has_header {
                let of = row.get(0).and_then(|of| of.parse::<u64>().ok());
                let of = of.ok_or_else(|| unread(&format!("line {} begins with no tick", line(&row))))?;
                if of > tick {
                    break;
                }
                self.rows += 1;
            }
            self.has_header = true;
            // There is no other kind of table here.
            #[cfg_attr(not(feature = "parquet"), expect(irrefutable_let_patterns, reason = "one kind of table"))]
            if let Out::Csv(out) = &mut self.out {
                out.write_record(&row).map_err(|error| RecordError::write(path)(error.into()))?;
            }
        }
        Ok(())
    }

    /// Names the columns, once and before the first row. `kinds` are values of the kinds that the columns will have.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn header(&mut self, names: &[String], kinds: &[Value<'_>]) -> Result<(), RecordError> {
        debug_assert_eq!(names.len(), kinds.len());
        self.has_header = true;
        match &mut self.out {
            Out::Csv(out) => {
                out.write_record(names).map_err(|error| RecordError::write(&self.path)(error.into()))?;
            }
            #[cfg(feature = "parquet")]
            Out::Parquet(out) => out.header(names, kinds),
        }
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn row(&mut self, row: &[Value<'_>]) -> Result<(), RecordError> {
        let written = match &mut self.out {
            Out::Csv(out) => out.write_record(row.iter().map(Value::text)).map_err(io::Error::from),
            #[cfg(feature = "parquet")]
            Out::Parquet(out) => out.row(row),
        };
        self.rows += 1;
        written.map_err(RecordError::write(&self.path))
    }

    /// Ends the table and gives the file its name.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn finish(self) -> Result<PathBuf, RecordError> {
        let finished = match self.out {
            Out::Csv(out) => out.into_inner().map_err(csv::IntoInnerError::into_error).and_then(WholeFile::finish),
            #[cfg(feature = "parquet")]
            Out::Parquet(out) => out.finish(),
        };
        finished.map_err(RecordError::write(&self.path))?;
        Ok(self.path)
    }
}

/// The line on which a row begins.
fn line(row: &csv::StringRecord) -> u64 {
    row.position().map_or(0, csv::Position::line)
}
