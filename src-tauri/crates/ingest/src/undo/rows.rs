//! Undoes the writes of one import.

use super::changes::{Entry, content, entries};
use super::{UndoError, derived_rows};
use crate::report::Report;
use crate::write::cells::Rows;
use crate::write::{Journal, Kind, TAG_KEYS, key_column, key_of_namespace};
use catalogue::{TableKind, Value, ValueRef};
use model::tables::{imports, spend_sources, spends};
use model::{Id, Import, Read as _, row};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

/// Tables to which an import may add rows, in the order in which they can be removed.
const ADDED: [&str; 14] = [
    "business_number",
    "k8s_changes",
    "logs",
    "insight",
    "cloud_resource_metrics",
    "k8s_pods",
    "k8s_workloads",
    "k8s_nodes",
    "k8s_namespaces",
    "event_rules",
    "events",
    "recommendation",
    "cloud_resourses",
    "cloud_accounts",
];

row! { struct ImportSequence from imports { id, sequence } }
row! { struct NamespaceKey from k8s_namespaces { cloud_account_id, name } }
row! { struct ImportOfSource from spend_sources { import_id } }
row! { struct ImportOfCharge from spends { import_id } }

/// The numbers of removed rows.
#[derive(Debug, Default)]
pub struct RemovedRows {
    pub rows: u64,
    pub accounts: u64,
    pub resources: u64,
    pub tag_keys: u64,
}

impl RemovedRows {
    pub fn add(&mut self, other: &Self) {
        self.rows += other.rows;
        self.accounts += other.accounts;
        self.resources += other.resources;
        self.tag_keys += other.tag_keys;
    }
}

/// The earlier values of a row's columns, by name.
type Before = Vec<(String, Value)>;

/// Changes of an import that still have to be undone.
#[derive(Default)]
struct Pending {
    updated: HashMap<(String, Uuid), Before>,
    inserted: HashMap<String, HashSet<Uuid>>,
    tag_keys: BTreeSet<String>,
}

/// Undoes the writes of an import; `sequence` is its position in the order of imports.
pub fn undo_import(rows: &Transaction<'_>, import: Uuid, sequence: i64) -> Result<RemovedRows, UndoError> {
    let mut gone =
        RemovedRows { rows: rows.delete("spends", &[eq("import_id", import)])?, ..RemovedRows::default() };
    rows.delete("spend_source_keys", &[eq("import_id", import)])?;
    rows.delete("spend_sources", &[eq("import_id", import)])?;
    let entries = entries(rows, import)?;
    restore_replaced(rows, &entries)?;
    let mut pending = Pending::default();
    for entry in entries.iter().filter(|entry| entry.kind != Kind::Deleted.name()) {
        pending.read(entry, content(rows, entry)?);
    }
    rows.delete("import_changes", &[eq("import_id", import)])?;
    let later = later(rows, import, sequence)?;
    for other in &later {
        pending.transfer_to(rows, *other)?;
    }
    for ((table, id), before) in &pending.updated {
        let set: Vec<(&str, ValueRef<'_>)> =
            before.iter().map(|(name, value)| (name.as_str(), value.borrow())).collect();
        for key in keys(rows, table, *id)? {
            rows.update(table, &conditions(table, &key), &set)?;
        }
    }
    for table in ADDED {
        let Some(ids) = pending.inserted.remove(table) else { continue };
        let removed = remove(rows, table, ids)?;
        match table {
            "cloud_accounts" => gone.accounts += removed,
            "cloud_resourses" => gone.resources += removed,
            _ => gone.rows += removed,
        }
    }
    gone.tag_keys += remove_tag_keys(rows, pending.tag_keys)?;
    Ok(gone)
}

/// Restores replaced rows, last replacement first.
fn restore_replaced(rows: &Transaction<'_>, entries: &[Entry]) -> Result<(), UndoError> {
    let mut counts: BTreeMap<Uuid, u64> = BTreeMap::new();
    for entry in entries.iter().rev().filter(|entry| entry.kind == Kind::Deleted.name()) {
        let deleted = content(rows, entry)?.without_second_names(rows.catalogue(), &entry.table_name);
        let columns: Vec<&str> = deleted.columns.iter().map(String::as_str).collect();
        let mut inserter = rows.inserter(&entry.table_name, &columns)?;
        for row in &deleted.rows {
            let cells: Vec<ValueRef<'_>> = row.iter().map(Value::borrow).collect();
            inserter.insert(&cells)?;
        }
        if let Some(of_import) = entry.of_import.filter(|_| entry.table_name == "spends") {
            *counts.entry(of_import).or_default() += deleted.rows.len() as u64;
        }
    }
    for (import, count) in counts {
        let found = rows.select("imports", &["rows_written", "report"], &[eq("id", import)])?;
        let Some([written, report]) = found.first().map(Vec::as_slice) else { continue };
        let now = written.as_int().unwrap_or_default().saturating_add_unsigned(count);
        let report: Option<Report> = report.as_text().and_then(|json| serde_json::from_str(json).ok());
        let json = report.map(|mut report| {
            report.notes.push(format!("{count} rows count again: the import that replaced them was undone."));
            serde_json::to_string(&report).expect("a report has text keys only")
        });
        let mut set = vec![("rows_written", ValueRef::Int(now))];
        if let Some(json) = &json {
            set.push(("report", ValueRef::Json(json)));
        }
        rows.update("imports", &[eq("id", import)], &set)?;
    }
    Ok(())
}

/// Later imports in force, in their order.
fn later(rows: &Transaction<'_>, import: Uuid, sequence: i64) -> Result<Vec<Uuid>, StoreError> {
    let finished = imports::state.one_of(["done", "done_with_skips"]);
    let since = finished.and(imports::sequence.ge(sequence)).and(imports::id.ne(Id::new(import)));
    let later = rows.query::<ImportSequence>().filter(since);
    let later = later.order(imports::sequence.asc()).order(imports::id.asc()).rows()?;
    Ok(later.into_iter().map(|later| later.id.uuid()).collect())
}

impl Pending {
    fn read(&mut self, entry: &Entry, content: Rows) {
        for row in content.rows {
            match (entry.kind.as_str(), row.first()) {
                ("updated", Some(Value::Uuid(id))) => {
                    let before = content.columns.iter().cloned().zip(row.iter().cloned()).skip(1).collect();
                    // If a row was changed twice, the first entry has the original values.
                    self.updated.entry((entry.table_name.clone(), *id)).or_insert(before);
                }
                ("inserted", Some(Value::Uuid(id))) => {
                    self.inserted.entry(entry.table_name.clone()).or_default().insert(*id);
                }
                ("inserted", Some(Value::Text(key))) if entry.table_name == TAG_KEYS => {
                    self.tag_keys.insert(key.clone());
                }
                _ => {}
            }
        }
        for (table, ids) in &self.inserted {
            self.updated.retain(|(other, id), _| other != table || !ids.contains(id));
        }
    }

    /// Leaves rows that a later import also changed as they are, and moves the earlier values into that import's journal.
    fn transfer_to(&mut self, rows: &Transaction<'_>, later: Uuid) -> Result<(), UndoError> {
        if self.updated.is_empty() && self.inserted.is_empty() {
            return Ok(());
        }
        let entries = entries(rows, later)?;
        let last = entries.last().map_or(0, |entry| entry.position + 1);
        let journal = Journal::new(rows, later, last);
        for entry in entries.iter().filter(|entry| entry.kind == Kind::Updated.name()) {
            let mut theirs = content(rows, entry)?;
            let mut inserted = Rows::of(&["key"]);
            let mut is_changed = false;
            let columns = theirs.columns.clone();
            theirs.rows.retain_mut(|row| {
                let Some(Value::Uuid(id)) = row.first().cloned() else { return true };
                if self.inserted.get_mut(&entry.table_name).is_some_and(|ids| ids.remove(&id)) {
                    inserted.rows.push(vec![Value::Uuid(id)]);
                    is_changed = true;
                    return false;
                }
                if let Some(before) = self.updated.remove(&(entry.table_name.clone(), id)) {
                    for (name, value) in before {
                        if let Some(place) = columns.iter().position(|column| *column == name) {
                            row[place] = value;
                        }
                    }
                    is_changed = true;
                }
                true
            });
            if is_changed {
                let count = i64::try_from(theirs.rows.len()).unwrap_or(i64::MAX);
                let text = theirs.to_text();
                let set = [("content", text.as_str().into()), ("row_count", ValueRef::Int(count))];
                rows.update("import_changes", &[eq("id", entry.id)], &set)?;
            }
            if !inserted.rows.is_empty() {
                journal.write(Kind::Inserted, &entry.table_name, None, &inserted)?;
            }
        }
        Ok(())
    }
}

/// Removes rows that the import added, except those referenced by now. Returns the number of removed rows.
fn remove(rows: &Transaction<'_>, table: &'static str, ids: HashSet<Uuid>) -> Result<u64, UndoError> {
    let catalogue = rows.catalogue();
    let id = catalogue.find(table).ok_or_else(|| StoreError::UnknownTable(table.to_owned()))?;
    let mut referred: HashSet<Uuid> = HashSet::new();
    for (_, other) in catalogue.iter().filter(|(_, other)| matches!(other.kind, TableKind::Table)) {
        for (_, column) in other.iter_columns() {
            if column.references.as_ref().is_none_or(|reference| reference.table != id) {
                continue;
            }
            for condition in derived_rows::blocking_conditions(&other.name) {
                rows.for_each(&other.name, &[&column.name], &condition, |row| {
                    referred.extend(row.iter().filter_map(Value::as_uuid).filter(|id| ids.contains(id)));
                    Ok::<_, StoreError>(())
                })?;
            }
        }
    }
    let mut by_owner: BTreeMap<Uuid, Rows> = BTreeMap::new();
    for id in &referred {
        if let Some(owner_import) = owner_import(rows, table, *id)? {
            by_owner
                .entry(owner_import)
                .or_insert_with(|| Rows::of(&["key"]))
                .rows
                .push(vec![Value::Uuid(*id)]);
        }
    }
    transfer(rows, table, by_owner)?;
    let gone: HashSet<Uuid> = ids.difference(&referred).copied().collect();
    derived_rows::remove(rows, table, &gone)?;
    let mut removed = 0;
    for id in &gone {
        for key in keys(rows, table, *id)? {
            removed += rows.delete(table, &conditions(table, &key))?;
        }
    }
    Ok(removed)
}

/// The key of a journalled row in its table: its id, or account and name of a namespace.
enum Key {
    Id(Uuid),
    Namespace(String, String),
}

/// The rows with this journal id.
fn keys(rows: &Transaction<'_>, table: &str, id: Uuid) -> Result<Vec<Key>, StoreError> {
    if table != "k8s_namespaces" {
        return Ok(vec![Key::Id(id)]);
    }
    let mut found = rows.query::<NamespaceKey>().rows()?;
    found.retain(|namespace| key_of_namespace(&namespace.cloud_account_id, &namespace.name) == id);
    Ok(found.into_iter().map(|one| Key::Namespace(one.cloud_account_id, one.name)).collect())
}

fn conditions<'k>(table: &str, key: &'k Key) -> Vec<Condition<'k>> {
    match key {
        Key::Id(id) => vec![eq(key_column(table), *id)],
        Key::Namespace(account, name) => vec![eq("cloud_account_id", account), eq("name", name)],
    }
}

/// The first import whose charges refer to a row.
fn owner_import(rows: &Transaction<'_>, table: &str, id: Uuid) -> Result<Option<Uuid>, StoreError> {
    let users: BTreeSet<Id<Import>> = match table {
        "cloud_accounts" => {
            let sources = rows.query::<ImportOfSource>().filter(spend_sources::cloud_account.eq(Id::new(id)));
            sources.rows()?.into_iter().map(|source| source.import_id).collect()
        }
        "cloud_resourses" => {
            let charges = rows.query::<ImportOfCharge>().filter(spends::cloud_resource_id.eq(Id::new(id)));
            charges.rows()?.into_iter().filter_map(|charge| charge.import_id).collect()
        }
        _ => BTreeSet::new(),
    };
    let users = rows.query::<ImportSequence>().filter(imports::id.one_of(users));
    let first = users.order(imports::sequence.asc()).order(imports::id.asc()).first()?;
    Ok(first.map(|import| import.id.uuid()))
}

/// Transfers rows to the journals of other imports that use them.
fn transfer(rows: &Transaction<'_>, table: &str, by_owner: BTreeMap<Uuid, Rows>) -> Result<(), UndoError> {
    for (owner_import, keys) in by_owner {
        let last = entries(rows, owner_import)?.last().map_or(0, |entry| entry.position + 1);
        Journal::new(rows, owner_import, last).write(Kind::Inserted, table, None, &keys)?;
    }
    Ok(())
}

/// Removes tag keys that no other import contains. Returns the number of removed keys.
fn remove_tag_keys(rows: &Transaction<'_>, mut keys: BTreeSet<String>) -> Result<u64, UndoError> {
    if keys.is_empty() {
        return Ok(0);
    }
    let mut by_owner: BTreeMap<Uuid, Rows> = BTreeMap::new();
    let met = [eq("kind", Kind::Contained.name()), eq("table_name", TAG_KEYS)];
    for row in rows.select("import_changes", &["import_id", "content"], &met)? {
        let [Value::Uuid(import), Value::Text(text)] = row.as_slice() else { continue };
        let content = Rows::from_text(text).ok_or(UndoError::Damaged("its tag keys cannot be read"))?;
        for key in content.rows.iter().filter_map(|row| row.first()?.as_text()) {
            if keys.remove(key) {
                let rows = by_owner.entry(*import).or_insert_with(|| Rows::of(&["key"]));
                rows.rows.push(vec![Value::Text(key.to_owned())]);
            }
        }
    }
    transfer(rows, TAG_KEYS, by_owner)?;
    let mut removed = 0;
    for key in keys {
        removed += rows.delete(TAG_KEYS, &[eq("key", &key)])?;
    }
    Ok(removed)
}
