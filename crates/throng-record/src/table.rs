//! Figures in rows, as CSV or Parquet.

#[cfg(feature = "parquet")]
mod parquet;
mod value;

pub(super) use value::Value;

use super::RecordError;
use std::path::{Path, PathBuf};
use throng_grid::whole_file::WholeFile;

/// A file of rows of figures; the kinds of values are the same in each row.
#[derive(Debug)]
pub(super) struct Table {
    path: PathBuf,
    out: Out,
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
            return Ok(Self { path: path.to_path_buf(), out: Out::Parquet(parquet::Parquet::new(out)) });
        }
        Ok(Self { path: path.to_path_buf(), out: Out::Csv(Box::new(csv::Writer::from_writer(out))) })
    }

    /// Names the columns, once and before the first row.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn header(&mut self, names: &[String]) -> Result<(), RecordError> {
        match &mut self.out {
            Out::Csv(out) => {
                out.write_record(names).map_err(|error| RecordError::write(&self.path)(error.into()))?;
            }
            #[cfg(feature = "parquet")]
            Out::Parquet(out) => out.header(names.to_vec()),
        }
        Ok(())
    }

    /// Adds a row.
    ///
    /// # Errors
    /// [`RecordError::Write`] where the file cannot be written.
    pub fn row(&mut self, row: &[Value<'_>]) -> Result<(), RecordError> {
        let written = match &mut self.out {
            Out::Csv(out) => out.write_record(row.iter().map(Value::text)).map_err(std::io::Error::from),
            #[cfg(feature = "parquet")]
            Out::Parquet(out) => out.row(row),
        };
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
