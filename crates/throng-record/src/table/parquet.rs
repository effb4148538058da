//! Tables as Parquet.

use super::value::{Value, to_microseconds};
use ::parquet::basic::{Compression, LogicalType, Repetition, Type as Physical};
use ::parquet::column::writer::ColumnWriter;
use ::parquet::data_type::ByteArray;
use ::parquet::errors::ParquetError;
use ::parquet::file::properties::WriterProperties;
use ::parquet::file::reader::{FileReader, SerializedFileReader};
use ::parquet::file::writer::SerializedFileWriter;
use ::parquet::record::Field;
use ::parquet::schema::types::{ColumnDescriptor, Type};
use std::fs::File;
use std::io;
use std::sync::Arc;
use throng_grid::whole_file::WholeFile;

/// Figures that are gathered before they are written.
const FIGURES_PER_GROUP: usize = 1 << 20;

/// A Parquet file that is being written: counts are 64-bit integers, names UTF-8, all else is 64-bit floats; numbers of things
/// and measured numbers may be missing.
pub(super) struct Parquet {
    out: Option<WholeFile>,
    writer: Option<SerializedFileWriter<WholeFile>>,
    names: Vec<String>,
    columns: Vec<Column>,
    rows: usize,
}

/// The figures of a column since the last group.
enum Column {
    Whole(Vec<i64>),
    /// As `Number`.
    Place(Vec<i64>, Vec<i16>),
    Text(Vec<ByteArray>),
    /// The numbers that are there, and for each row whether it has one.
    Number(Vec<f64>, Vec<i16>),
    Time(Vec<f64>),
}

impl std::fmt::Debug for Parquet {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Parquet").field("names", &self.names).field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl Parquet {
    pub fn new(out: WholeFile) -> Self {
        Self { out: Some(out), writer: None, names: Vec::new(), columns: Vec::new(), rows: 0 }
    }

    pub fn header(&mut self, names: &[String], kinds: &[Value<'_>]) {
        self.names = names.to_vec();
        self.columns = kinds.iter().map(Column::of).collect();
    }

    pub fn row(&mut self, row: &[Value<'_>]) -> io::Result<()> {
        debug_assert_eq!(self.columns.len(), row.len());
        for (column, &value) in self.columns.iter_mut().zip(row) {
            column.push(value);
        }
        self.rows += 1;
        if self.rows * self.columns.len() >= FIGURES_PER_GROUP { self.write() } else { Ok(()) }
    }

    pub fn finish(mut self) -> io::Result<()> {
        self.write()?;
        match self.writer {
            Some(writer) => writer.into_inner().map_err(failed)?.finish(),
            None => Ok(()),
        }
    }

    /// Writes the gathered rows as a group.
    fn write(&mut self) -> io::Result<()> {
        if let Some(out) = self.out.take() {
            let fields = self.names.iter().zip(&self.columns).map(|(name, column)| column.field(name).map(Arc::new));
            let fields = fields.collect::<Result<Vec<_>, _>>().map_err(failed)?;
            let schema = Type::group_type_builder("schema").with_fields(fields).build().map_err(failed)?;
            let how = WriterProperties::builder().set_compression(Compression::SNAPPY).set_created_by("throng".into());
            let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(how.build()));
            self.writer = Some(writer.map_err(failed)?);
        }
        let Some(writer) = &mut self.writer else { return Ok(()) };
        if self.rows == 0 {
            return Ok(());
        }
        let mut group = writer.next_row_group().map_err(failed)?;
        for column in &mut self.columns {
            if let Some(mut to) = group.next_column().map_err(failed)? {
                column.write(to.untyped()).map_err(failed)?;
                to.close().map_err(failed)?;
            }
        }
        group.close().map_err(failed)?;
        self.rows = 0;
        writer.flush()
    }
}

impl Column {
    fn of(value: &Value<'_>) -> Self {
        match value {
            Value::Whole(_) => Self::Whole(Vec::new()),
            Value::Place(_) => Self::Place(Vec::new(), Vec::new()),
            Value::Text(_) => Self::Text(Vec::new()),
            Value::Number(..) => Self::Number(Vec::new(), Vec::new()),
            Value::Time(_) => Self::Time(Vec::new()),
        }
    }

    fn field(&self, name: &str) -> Result<Type, ParquetError> {
        let (kind, repetition) = match self {
            Self::Whole(_) => (Physical::INT64, Repetition::REQUIRED),
            Self::Place(..) => (Physical::INT64, Repetition::OPTIONAL),
            Self::Text(_) => (Physical::BYTE_ARRAY, Repetition::REQUIRED),
            Self::Number(..) => (Physical::DOUBLE, Repetition::OPTIONAL),
            Self::Time(_) => (Physical::DOUBLE, Repetition::REQUIRED),
        };
        let meaning = matches!(self, Self::Text(_)).then_some(LogicalType::String);
        Type::primitive_type_builder(name, kind).with_repetition(repetition).with_logical_type(meaning).build()
    }

    fn push(&mut self, value: Value<'_>) {
        match (self, value) {
            (Self::Whole(values), Value::Whole(value)) => values.push(value as i64),
            (Self::Text(values), Value::Text(text)) => values.push(text.into()),
            (Self::Place(values, there), Value::Place(value)) => {
                there.push(i16::from(value.is_some()));
                values.extend(value.map(|value| value as i64));
            }
            (Self::Time(values), Value::Time(seconds)) => values.push(to_microseconds(seconds)),
            (Self::Number(values, there), Value::Number(value, _)) => {
                there.push(i16::from(!value.is_nan()));
                values.extend(Some(value).filter(|value| !value.is_nan()));
            }
            _ => debug_assert!(false, "the kinds of values are the same in each row"),
        }
    }

    fn write(&mut self, to: &mut ColumnWriter<'_>) -> Result<(), ParquetError> {
        match (self, to) {
            (Self::Whole(values), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(values, None, None)?;
                values.clear();
            }
            (Self::Place(values, there), ColumnWriter::Int64ColumnWriter(to)) => {
                to.write_batch(values, Some(there), None)?;
                values.clear();
                there.clear();
            }
            (Self::Text(values), ColumnWriter::ByteArrayColumnWriter(to)) => {
                to.write_batch(values, None, None)?;
                values.clear();
            }
            (Self::Time(values), ColumnWriter::DoubleColumnWriter(to)) => {
                to.write_batch(values, None, None)?;
                values.clear();
            }
            (Self::Number(values, there), ColumnWriter::DoubleColumnWriter(to)) => {
                to.write_batch(values, Some(there), None)?;
                values.clear();
                there.clear();
            }
            _ => return Err(ParquetError::General("a column of another type than its values".into())),
        }
        Ok(())
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(error) => match error.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(error) => io::Error::other(error),
        },
        error => io::Error::other(error),
    }
}

/// A value that was read.
pub(super) struct Cell {
    field: Field,
    kind: Value<'static>,
}

impl Cell {
    pub fn value(&self) -> Value<'_> {
        match (&self.field, self.kind) {
            (Field::Long(number), Value::Place(_)) => Value::Place(Some(*number as u64)),
            (Field::Long(number), _) => Value::Whole(*number as u64),
            (Field::Double(number), Value::Time(_)) => Value::Time(*number),
            (Field::Double(number), _) => Value::Number(*number, 0),
            (Field::Str(text), _) => Value::Text(text),
            (_, kind) => kind,
        }
    }
}

/// A value of the kind that a column of a table of [`Parquet`] has; none that is there.
fn kind_of(column: &ColumnDescriptor) -> Value<'static> {
    match (column.physical_type(), column.self_type().is_optional()) {
        (Physical::INT64, false) => Value::Whole(0),
        (Physical::INT64, true) => Value::Place(None),
        (Physical::DOUBLE, false) => Value::Time(0.0),
        (Physical::DOUBLE, true) => Value::Number(f64::NAN, 0),
        _ => Value::Text(""),
    }
}

type Rows<'a> = Box<dyn Iterator<Item = Result<Vec<Cell>, String>> + 'a>;

/// The names and kinds of the columns of a table that [`Parquet`] wrote, and its rows.
pub(super) fn rows(file: File) -> Result<(Vec<String>, Vec<Value<'static>>, Rows<'static>), String> {
    let reader = SerializedFileReader::new(file).map_err(|error| error.to_string())?;
    let schema = reader.metadata().file_metadata().schema_descr_ptr();
    let names = schema.columns().iter().map(|column| column.name().to_owned()).collect();
    let kinds: Vec<Value<'static>> = schema.columns().iter().map(|column| kind_of(column)).collect();
    let of_rows = kinds.clone();
    let rows = reader.into_iter().map(move |row| {
        let row = row.map_err(|error| error.to_string())?;
        let cells = row.get_column_iter().zip(&of_rows);
        Ok(cells.map(|((_, field), &kind)| Cell { field: field.clone(), kind }).collect())
    });
    Ok((names, kinds, Box::new(rows)))
}
