//! Compares a database with the catalogue.

use super::definition::Definition;
use super::history_table;
use crate::error::{Difference, DifferenceKind};
use crate::{ddl, marks, search, segments, shared};
use catalogue::{Catalogue, Default, Table, TableKind};
use rusqlite::Connection;
use std::collections::{BTreeMap, HashMap};

/// The differences between a database and the catalogue.
#[derive(Debug, Default)]
pub(super) struct Comparison {
    /// Statements that add tables and columns.
    pub additions: Vec<String>,
    /// Statements that update everything without rows of its own: indices, views, triggers, and the store's auxiliary tables.
    pub derived: Vec<String>,
    pub differences: Vec<Difference>,
    /// Tables that gain a column with a foreign key.
    pub referring: Vec<String>,
}

impl Comparison {
    pub fn is_empty(&self) -> bool {
        self.additions.is_empty() && self.derived.is_empty() && self.differences.is_empty()
    }
}

/// SQLite objects of one kind: statement by name.
type Statements = BTreeMap<String, String>;

pub(super) fn compare(connection: &Connection, catalogue: &Catalogue) -> rusqlite::Result<Comparison> {
    let mut comparison = Comparison::default();
    let tables = statements(connection, "table")?;
    let mut kept = segments::tables(catalogue);
    kept.extend(search::tables(catalogue));
    kept.extend(marks::tables(catalogue));
    kept.extend(shared::tables(catalogue));
    kept.extend(history_table());
    for name in tables.keys() {
        let is_known = kept.iter().any(|(known, _)| known == name)
            || search::is_index_table(catalogue, name)
            || name == shared::TABLE
            || catalogue.find(name).is_some_and(|id| !is_view(catalogue.table(id)));
        if !is_known {
            comparison.differences.push(Difference {
                table: name.clone(),
                column: None,
                kind: DifferenceKind::Unknown,
            });
        }
    }
    for (_, table) in catalogue.iter().filter(|(_, table)| !is_view(table)) {
        match tables.get(&table.name) {
            Some(existing) => compare_table(catalogue, table, existing, &mut comparison),
            None => comparison.additions.push(ddl::create_table(catalogue, table)),
        }
    }
    let missing = kept.into_iter().filter(|(name, _)| !tables.contains_key(name));
    comparison.derived.extend(missing.map(|(_, sql)| sql));
    compare_indices(connection, catalogue, &mut comparison)?;
    compare_derived(connection, "view", views(catalogue), &mut comparison)?;
    compare_derived(connection, "trigger", triggers(catalogue), &mut comparison)?;
    Ok(comparison)
}

fn is_view(table: &Table) -> bool {
    matches!(table.kind, TableKind::View { .. })
}

fn statements(connection: &Connection, kind: &str) -> rusqlite::Result<Statements> {
    let sql =
        "SELECT name, sql FROM sqlite_schema WHERE type = ?1 AND name NOT LIKE 'sqlite%' AND sql IS NOT NULL";
    connection.prepare(sql)?.query_map([kind], |row| Ok((row.get(0)?, row.get(1)?)))?.collect()
}

fn compare_table(catalogue: &Catalogue, table: &Table, existing: &str, comparison: &mut Comparison) {
    let existing = Definition::parse(existing);
    let wanted = Definition::parse(&ddl::create_table(catalogue, table));
    let difference = |column: Option<&str>, kind: DifferenceKind| Difference {
        table: table.name.clone(),
        column: column.map(str::to_owned),
        kind,
    };
    let changed = |database: &str, catalogue: &str| DifferenceKind::Changed {
        database: database.to_owned(),
        catalogue: catalogue.to_owned(),
    };
    let found = &mut comparison.differences;
    for (column, held) in existing.columns.iter().filter(|(column, _)| !wanted.columns.contains_key(*column))
    {
        let place = table.find_column(column).and_then(|id| table.column(id).shared.as_ref());
        let kind = match place {
            Some(place) => changed(held, &format!("it in {}", shared::held("", &place.group))),
            // A group column: its columns are stored elsewhere, or are reported as missing individually.
            None if column.starts_with('#') => changed(held, "no such column"),
            None => DifferenceKind::Unknown,
        };
        found.push(difference(Some(column), kind));
    }
    for group in shared::groups(table) {
        let name = format!("#{}", group.name);
        let held = existing.columns.get(&name).map_or("no such column", String::as_str);
        if held != wanted.columns[&name] {
            found.push(difference(Some(&name), changed(held, &wanted.columns[&name])));
        }
    }
    for column in table.columns.iter().filter(|column| column.shared.is_none()) {
        let name = &column.name;
        let Some(held) = existing.columns.get(name) else {
            // The values are shared by rows; rebuilding the table moves them back.
            if existing.shared_place(name).is_some() {
                found.push(difference(Some(name), changed("it shared by rows", &wanted.columns[name])));
                continue;
            }
            if !column.nullable && !matches!(column.default, Some(Default::Literal(_))) {
                found.push(difference(Some(name), DifferenceKind::NoValue));
                continue;
            }
            let mut sql = format!("ALTER TABLE \"{}\" ADD COLUMN {}", table.name, ddl::column(column));
            if let Some(reference) = &column.references {
                sql.push_str(&format!(" {}", ddl::references(catalogue, reference)));
                comparison.referring.push(table.name.clone());
            }
            comparison.additions.push(sql);
            continue;
        };
        if held != &wanted.columns[name] {
            found.push(difference(Some(name), changed(held, &wanted.columns[name])));
        }
        let reference = |definition: &Definition| {
            definition.references.get(name).map_or("no reference", String::as_str).to_owned()
        };
        let (held, wanted) = (reference(&existing), reference(&wanted));
        if held != wanted {
            found.push(difference(Some(name), changed(&held, &wanted)));
        }
    }
    if existing.constraints != wanted.constraints {
        let (held, wanted) = (existing.constraints.join(", "), wanted.constraints.join(", "));
        found.push(difference(None, changed(&held, &wanted)));
    }
}

/// Indices of catalogue tables: one that differs or is no longer needed is dropped.
fn compare_indices(
    connection: &Connection,
    catalogue: &Catalogue,
    comparison: &mut Comparison,
) -> rusqlite::Result<()> {
    let existing: Vec<(String, String, String)> = connection
        .prepare("SELECT name, tbl_name, sql FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let tables = catalogue.iter().map(|(_, table)| table).filter(|table| !is_view(table));
    let wanted: HashMap<&str, String> = tables.flat_map(ddl::create_indices).collect();
    let mut held = Vec::new();
    for (name, table, sql) in &existing {
        if catalogue.find(table).is_none() {
            continue;
        }
        if wanted.get(name.as_str()) == Some(sql) {
            held.push(name.as_str());
        } else {
            comparison.derived.push(format!("DROP INDEX \"{name}\""));
        }
    }
    let mut missing: Vec<_> = wanted.into_iter().filter(|(name, _)| !held.contains(name)).collect();
    missing.sort_unstable();
    comparison.derived.extend(missing.into_iter().map(|(_, sql)| sql));
    Ok(())
}

/// Views and triggers store no data: those that differ are recreated.
fn compare_derived(
    connection: &Connection,
    kind: &str,
    wanted: Vec<(String, String)>,
    comparison: &mut Comparison,
) -> rusqlite::Result<()> {
    let existing = statements(connection, kind)?;
    let drop = |name: &str| format!("DROP {} \"{name}\"", kind.to_uppercase());
    let is_wanted = |name: &str| wanted.iter().any(|(known, _)| known == name);
    comparison.derived.extend(existing.keys().filter(|name| !is_wanted(name)).map(|name| drop(name)));
    for (name, sql) in &wanted {
        match existing.get(name) {
            Some(held) if held == sql => {}
            Some(_) => comparison.derived.extend([drop(name), sql.clone()]),
            None => comparison.derived.push(sql.clone()),
        }
    }
    Ok(())
}

/// Name and statement of each view without arguments.
fn views(catalogue: &Catalogue) -> Vec<(String, String)> {
    let views = catalogue.iter().filter_map(|(_, table)| match &table.kind {
        TableKind::View { select, parameters } if parameters.is_empty() => {
            Some((table.name.clone(), ddl::create_view(table, select)))
        }
        _ => None,
    });
    views.collect()
}

fn triggers(catalogue: &Catalogue) -> Vec<(String, String)> {
    let mut triggers = segments::triggers(catalogue);
    triggers.extend(search::triggers(catalogue));
    triggers.extend(marks::triggers(catalogue));
    triggers
}
