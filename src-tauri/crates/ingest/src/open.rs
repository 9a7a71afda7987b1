//! A file recognised and ready to be read from its first row on.

use crate::detect::{Detected, detect, of_columns};
use crate::formats::{Format, JsonRows, ParquetRows, Readable, Stop, damaged_gzip};
use crate::source::Source;
use std::cell::OnceCell;
use std::path::Path;

/// The columns of a file of JSON rows, once they were looked for: any row may have one that no other has.
pub type JsonColumns = OnceCell<Vec<String>>;

/// Recognises a file by its content.
pub fn open(path: &Path, columns: &JsonColumns) -> Result<(Format, Readable), Stop> {
    let refused = |failure| Stop::Refused(Box::new(failure));
    if ParquetRows::is_parquet(path) {
        let rows = ParquetRows::open(path)?;
        let format = of_columns(rows.names()).map_err(refused)?;
        return Ok((format, Readable::Parquet(Box::new(rows))));
    }
    let mut source = Source::open(path).map_err(Stop::Io)?;
    let is_gzip = source.is_gzip();
    let head =
        source.peek().map_err(|error| if is_gzip { damaged_gzip(&error, 0) } else { Stop::Io(error) })?;
    let Detected { format, delimiter, skip, is_json } = detect(head).map_err(refused)?;
    if is_json {
        if columns.get().is_none() {
            let mut whole = Source::open(path).map_err(Stop::Io)?;
            whole.peek().map_err(Stop::Io)?;
            let found = JsonRows::columns(whole)?;
            columns.get_or_init(|| found);
        }
        let columns = columns.get().cloned().unwrap_or_default();
        let format = of_columns(&columns).map_err(refused)?;
        return Ok((format, Readable::Json(Box::new(JsonRows::new(source, columns)))));
    }
    source.skip(skip);
    Ok((format, Readable::Csv { source, delimiter }))
}
