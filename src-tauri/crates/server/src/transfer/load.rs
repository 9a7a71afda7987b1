//! Loads files into tables in one transaction: all of them or none.

use super::references::{References, check_enum};
use super::{Format, TransferError, cell, check_writable, find};
use catalogue::{Caller, Column, Table, Value, ValueRef};
use serde_json::value::RawValue;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read};
use store::{Store, Transaction};

/// A file and the table its rows belong to.
pub struct TableFile<'a, R> {
    pub table: &'a str,
    pub format: Format,
    pub rows: R,
}

/// Adds the rows of the files to their tables, file by file, for the caller's tenant. Returns the number of rows of each file. Columns missing in a
/// file get their defaults; the tenant is filled in. No derived data is computed: the rows are stored as they were dumped. An error has the index
/// of the file where it occurred.
pub fn load<R: Read>(
    store: &Store,
    caller: &Caller,
    files: Vec<TableFile<'_, R>>,
) -> Result<Vec<u64>, (usize, TransferError)> {
    let mut place = 0;
    let loaded = store.transaction(caller, |rows| {
        rows.disable_hooks();
        let mut counts = Vec::with_capacity(files.len());
        for file in files {
            place = counts.len();
            counts.push(load_file(rows, file)?);
        }
        Ok(counts)
    });
    loaded.map_err(|error| (place, error))
}

fn load_file(rows: &Transaction<'_>, file: TableFile<'_, impl Read>) -> Result<u64, TransferError> {
    let table = find(rows.catalogue(), file.table)?;
    check_writable(table)?;
    match file.format {
        Format::Csv => load_csv(rows, table, file.rows, cell::read_marked),
        Format::RawCsv => load_csv(rows, table, file.rows, cell::read_text),
        Format::Ndjson => load_ndjson(rows, table, file.rows),
    }
}

fn load_csv(
    rows: &Transaction<'_>,
    table: &Table,
    file: impl Read,
    read_cell: fn(&Column, &str) -> Result<Value, String>,
) -> Result<u64, TransferError> {
    let mut reader = csv::Reader::from_reader(file);
    let header = reader.headers()?.clone();
    if header.iter().all(str::is_empty) {
        return Err(TransferError::NoHeader);
    }
    let columns = header
        .iter()
        .map(|name| column(table, name.trim_start_matches('\u{feff}'), 1))
        .collect::<Result<Vec<_>, _>>()?;
    // Two header names may map to the same column.
    let first =
        |place: usize| columns.iter().position(|one| one.name == columns[place].name).unwrap_or(place);
    let firsts: Vec<usize> = (0..columns.len()).map(first).collect();
    let is_first = |place: &usize| firsts[*place] == *place;
    let names: Vec<&str> =
        (0..columns.len()).filter(is_first).map(|place| columns[place].name.as_str()).collect();
    let mut inserter = rows.inserter(&table.name, &names)?;
    let mut references = References::default();
    let mut count = 0;
    for record in reader.records() {
        let record = record?;
        let line = record.position().map_or(0, csv::Position::line);
        let mut texts: Vec<&str> = record.iter().collect();
        for (place, first) in firsts.iter().copied().enumerate().filter(|(place, first)| place != first) {
            match (texts[first], texts[place]) {
                ("", other) => texts[first] = other,
                (one, other) if other.is_empty() || one == other => {}
                _ => {
                    let (one, other) = (header[first].to_owned(), header[place].to_owned());
                    return Err(TransferError::TwoValues { line, one, other });
                }
            }
        }
        let mut values = Vec::with_capacity(names.len());
        for place in (0..columns.len()).filter(is_first) {
            let (column, text) = (columns[place], texts[place]);
            let value = read_cell(column, text)
                .and_then(|value| check_enum(rows.catalogue(), column, &value).map(|()| value))
                .map_err(|expected| wrong(line, column, text, expected))?;
            references.note(line, column, &value);
            values.push(value);
        }
        let borrowed: Vec<ValueRef<'_>> = values.iter().map(Value::borrow).collect();
        inserter.insert(&borrowed).map_err(|cause| TransferError::Refused { line, cause })?;
        count += 1;
    }
    references.check(rows)?;
    Ok(count)
}

fn load_ndjson(rows: &Transaction<'_>, table: &Table, file: impl Read) -> Result<u64, TransferError> {
    let mut references = References::default();
    let mut count = 0;
    for (line, text) in (1..).zip(BufReader::new(file).lines()) {
        let text = text?;
        if text.trim().is_empty() {
            continue;
        }
        let object: BTreeMap<String, &RawValue> =
            serde_json::from_str(&text).map_err(|cause| TransferError::NotAnObject { line, cause })?;
        let mut cells = Vec::with_capacity(object.len());
        for (name, json) in &object {
            let column = column(table, name, line)?;
            let value = cell::read_json(column, json.get())
                .and_then(|value| check_enum(rows.catalogue(), column, &value).map(|()| value))
                .map_err(|expected| wrong(line, column, json.get(), expected))?;
            references.note(line, column, &value);
            cells.push((column.name.as_str(), value));
        }
        let row: Vec<(&str, ValueRef<'_>)> =
            cells.iter().map(|(name, value)| (*name, value.borrow())).collect();
        rows.insert(&table.name, &row).map_err(|cause| TransferError::Refused { line, cause })?;
        count += 1;
    }
    references.check(rows)?;
    Ok(count)
}

fn column<'a>(table: &'a Table, name: &str, line: u64) -> Result<&'a Column, TransferError> {
    let found = table.find_column(name).map(|id| table.column(id));
    found.ok_or_else(|| TransferError::UnknownColumn {
        line,
        table: table.name.clone(),
        column: name.to_owned(),
        known: table.columns.iter().map(|column| column.name.as_str()).collect::<Vec<_>>().join(", "),
    })
}

fn wrong(line: u64, column: &Column, found: &str, expected: String) -> TransferError {
    // A long cell would hide the rest of the message.
    let found = found.chars().take(80).collect::<String>();
    TransferError::WrongCell { line, column: column.name.clone(), found: format!("{found:?}"), expected }
}
