//! Reads rows of a Parquet file page by page. Decimals are read from their unscaled integers; doubles are formatted as the shortest text that
//! parses to the same value.

use super::FLATTENED;
use crate::formats::reader::ReadStop;
use crate::outcome::Failure;
use crate::source;
use catalogue::{Decimal, format_date, format_timestamp};
use csv::ByteRecord;
use parquet::basic::{ConvertedType, LogicalType, TimeUnit, Type as Physical};
use parquet::data_type::Decimal as Unscaled;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::reader::RowIter;
use parquet::record::{Field, Row};
use parquet::schema::types::Type;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};

/// The rows of a Parquet file.
pub struct ParquetRows {
    path: PathBuf,
    bytes: u64,
    rows: RowIter<'static>,
    total: u64,
    read: u64,
    columns: Vec<Column>,
    names: Vec<String>,
}

/// A column or group of columns in the file.
struct Column {
    /// The number of members, if they are separate columns.
    members: Option<usize>,
    /// Whether integers are times in nanoseconds, which the row reader does not support.
    is_nanos: bool,
}

impl ParquetRows {
    /// Whether a file has the magic bytes of Parquet at its beginning and end.
    pub fn is_parquet(path: &Path) -> bool {
        let marks = || -> io::Result<[u8; 8]> {
            let mut file = File::open(path)?;
            let mut marks = [0; 8];
            file.read_exact(&mut marks[..4])?;
            file.seek(SeekFrom::End(-4))?;
            file.read_exact(&mut marks[4..])?;
            Ok(marks)
        };
        marks().is_ok_and(|marks| marks == *b"PAR1PAR1")
    }

    /// Opens a file.
    pub fn open(path: &Path) -> Result<Self, ReadStop> {
        let file = File::open(path).map_err(ReadStop::Io)?;
        let bytes = file.metadata().map_err(ReadStop::Io)?.len();
        let reader = guarded(|| SerializedFileReader::new(file))?;
        let metadata = reader.metadata().file_metadata();
        let total = u64::try_from(metadata.num_rows()).unwrap_or_default();
        let (mut columns, mut names) = (Vec::new(), Vec::new());
        for field in metadata.schema().get_fields() {
            check(field)?;
            let members = match field.as_ref() {
                Type::GroupType { fields, .. } if FLATTENED.contains(&field.name()) => {
                    names.extend(fields.iter().map(|member| format!("{}.{}", field.name(), member.name())));
                    Some(fields.len())
                }
                _ => {
                    names.push(field.name().to_owned());
                    None
                }
            };
            columns.push(Column { members, is_nanos: is_nanos(field) });
        }
        let rows = guarded(|| Ok(RowIter::from_file_into(Box::new(reader))))?;
        Ok(Self { path: path.to_owned(), bytes, rows, total, read: 0, columns, names })
    }

    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Reads the next row. Returns whether there was one.
    pub fn next(&mut self, record: &mut ByteRecord) -> Result<bool, ReadStop> {
        record.clear();
        let Some(row) = guarded(|| self.rows.next().transpose())? else {
            return if self.read == self.total {
                Ok(false)
            } else {
                Err(damaged("it has fewer rows than it says"))
            };
        };
        self.read += 1;
        let cells = row.into_columns().into_iter().map(|(_, field)| field);
        for (column, field) in self.columns.iter().zip(cells) {
            match (column.members, field) {
                (Some(_), Field::Group(row)) => {
                    for (_, member) in row.into_columns() {
                        record.push_field(text(&member).as_bytes());
                    }
                }
                (Some(members), _) => (0..members).for_each(|_| record.push_field(b"")),
                (None, Field::Long(nanos)) if column.is_nanos => {
                    record.push_field(time(nanos.div_euclid(1_000)).as_bytes());
                }
                (None, field) => record.push_field(text(&field).as_bytes()),
            }
        }
        Ok(true)
    }

    /// Bytes of the file read so far, estimated from the rows.
    pub fn bytes_read(&self) -> u64 {
        u64::try_from(u128::from(self.bytes) * u128::from(self.read) / u128::from(self.total.max(1)))
            .unwrap_or(self.bytes)
    }

    /// The SHA-256 of the whole file.
    pub fn finish(self) -> io::Result<String> {
        source::hash(&self.path)
    }
}

/// Runs code on untrusted bytes: an error or panic means that the file is invalid.
fn guarded<T>(work: impl FnOnce() -> parquet::errors::Result<T>) -> Result<T, ReadStop> {
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Ok(value),
        Ok(Err(error)) => Err(damaged(&error.to_string())),
        Err(_) => Err(damaged("its pages cannot be read")),
    }
}

fn damaged(why: &str) -> ReadStop {
    ReadStop::Refused(Box::new(Failure {
        message: format!(
            "The Parquet file cannot be read ({why}); nothing was imported. Download or copy the file again."
        ),
        looked_for: vec![
            "a Parquet file that is whole, its pages plain or packed with Snappy, gzip or zstd".to_owned(),
        ],
        found: format!("Parquet that cannot be read: {why}"),
    }))
}

/// Refuses columns of types that the row reader does not support.
fn check(field: &Type) -> Result<(), ReadStop> {
    if let Type::GroupType { fields, .. } = field {
        return fields.iter().try_for_each(|field| check(field));
    }
    match field.get_basic_info().converted_type() {
        ConvertedType::INTERVAL => Err(damaged(&format!("the column {} is an interval", field.name()))),
        _ => Ok(()),
    }
}

fn is_nanos(field: &Type) -> bool {
    let is_time = matches!(
        field.get_basic_info().logical_type_ref(),
        Some(LogicalType::Timestamp(time)) if time.unit == TimeUnit::NANOS
    );
    is_time && field.is_primitive() && field.get_physical_type() == Physical::INT64
}

/// A value as in CSV.
fn text(field: &Field) -> String {
    match field {
        Field::Null => String::new(),
        Field::Str(text) => text.clone(),
        Field::Bytes(bytes) => String::from_utf8_lossy(bytes.data()).into_owned(),
        Field::Double(number) => number.to_string(),
        Field::Float(number) => number.to_string(),
        Field::Decimal(unscaled) => decimal(unscaled),
        Field::Date(days) => format_date(*days),
        Field::TimestampMillis(millis) => time(millis.saturating_mul(1_000)),
        Field::TimestampMicros(micros) => time(*micros),
        Field::Group(_) | Field::ListInternal(_) | Field::MapInternal(_) => json(field).to_string(),
        other => other.to_string(),
    }
}

fn time(micros: i64) -> String {
    format!("{}Z", format_timestamp(micros))
}

/// A decimal from its unscaled integer; empty when it exceeds our decimal type, and its row is then skipped.
fn decimal(unscaled: &Unscaled) -> String {
    let bytes = unscaled.data();
    let is_negative = bytes.first().is_some_and(|first| *first >= 0x80);
    let fill = if is_negative { 0xff } else { 0 };
    let Some(start) = bytes
        .len()
        .checked_sub(16)
        .map_or(Some(0), |extra| bytes[..extra].iter().all(|byte| *byte == fill).then_some(extra))
    else {
        return "more digits than a decimal holds".to_owned();
    };
    let mut whole = [fill; 16];
    whole[16 - (bytes.len() - start)..].copy_from_slice(&bytes[start..]);
    let scale = u8::try_from(unscaled.scale()).ok();
    let number = scale.and_then(|scale| Decimal::from_parts(i128::from_be_bytes(whole), scale));
    number.map_or_else(|| "more digits than a decimal holds".to_owned(), |number| number.to_string())
}

/// Groups, lists and maps as JSON.
fn json(field: &Field) -> serde_json::Value {
    match field {
        Field::Null => serde_json::Value::Null,
        Field::Bool(is_true) => (*is_true).into(),
        Field::Group(row) => object(row),
        Field::ListInternal(list) => list.elements().iter().map(json).collect(),
        Field::MapInternal(map) => {
            let entries = map.entries().iter().map(|(key, value)| (text(key), json(value)));
            serde_json::Value::Object(entries.collect())
        }
        Field::Double(_) | Field::Float(_) | Field::Decimal(_) | Field::Long(_) | Field::Int(_) => {
            let text = text(field);
            text.parse::<serde_json::Number>().map_or_else(|_| text.into(), serde_json::Value::Number)
        }
        other => text(other).into(),
    }
}

fn object(row: &Row) -> serde_json::Value {
    let fields = row.get_column_iter().map(|(name, field)| (name.clone(), json(field)));
    serde_json::Value::Object(fields.collect())
}
