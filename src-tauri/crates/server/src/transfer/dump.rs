//! Writes a table to a file, row by row.

use super::{Format, TransferError, cell, find, readable};
use catalogue::{Caller, Column, Value};
use std::io::Write;
use store::Store;

/// Writes the caller's rows of a table in no particular order and returns their number. Secret columns are omitted.
pub fn dump(
    store: &Store,
    caller: &Caller,
    table: &str,
    format: Format,
    out: &mut dyn Write,
) -> Result<u64, TransferError> {
    let catalogue = store.catalogue();
    let table = find(catalogue, table)?;
    let columns = readable(table);
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    let mut rows = 0;
    match format {
        Format::Csv | Format::RawCsv => {
            let write_cell = if format == Format::Csv { cell::write_marked } else { cell::write_text };
            let mut writer = csv::Writer::from_writer(out);
            writer.write_record(&names)?;
            store.snapshot(caller, |transaction| {
                transaction.for_each(&table.name, &names, &[], |row| {
                    rows += 1;
                    let cells = columns.iter().zip(&row).map(|(column, value)| write_cell(column, value));
                    writer.write_record(cells).map_err(TransferError::from)
                })
            })?;
            writer.flush()?;
        }
        Format::Ndjson => {
            store.snapshot(caller, |transaction| {
                transaction.for_each(&table.name, &names, &[], |row| {
                    rows += 1;
                    out.write_all(json_line(&columns, &row).as_bytes()).map_err(TransferError::from)
                })
            })?;
            out.flush()?;
        }
    }
    Ok(rows)
}

fn json_line(columns: &[&Column], row: &[Value]) -> String {
    let members: Vec<String> = columns
        .iter()
        .zip(row)
        .map(|(column, value)| {
            let name = serde_json::Value::String(column.name.clone());
            format!("{name}:{}", cell::write_json(column, value))
        })
        .collect();
    format!("{{{}}}\n", members.join(","))
}
