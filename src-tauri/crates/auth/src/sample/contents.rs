//! Counts what is removed with the sample data: rows by kind, and files that users imported into its tenant.

use super::{Sample, depth, is_of, read, tables, tenant_columns};
use catalogue::{Caller, Table};
use model::tables::imports;
use model::{Read as _, row};
use store::{Store, StoreError, Transaction};

/// Tables with the word for one of their rows, in display order. Rows of other tables count as records.
const KINDS: [(&str, &str); 13] = [
    ("spends", "charge"),
    ("cloud_accounts", "account"),
    ("cloud_resourses", "resource"),
    ("recommendation", "recommendation"),
    ("anomaly", "anomaly"),
    ("events", "event"),
    ("tickets", "ticket"),
    ("funding_sources", "funding source"),
    ("auto_pilot", "auto-pilot"),
    ("auto_playbook", "playbook"),
    ("workflow", "workflow"),
    ("llm_conversations", "conversation"),
    ("llm_knowledgebase", "document"),
];

/// The word for a row of any other table.
const OTHER: &str = "record";

/// Tables that are not counted: the tenant itself, rows derived from its charges, and rows counted elsewhere. Users do not miss them.
const NOT_COUNTED: [&str; 11] = [
    "audit_trail",
    "cloud_resource_attributes",
    "llm_passage",
    "spend_sources",
    "spend_tag_keys",
    "tenant",
    "tenant_attrs",
    "tenant_users",
    "user_history",
    "user_role_reasons",
    "user_roles",
];

/// Contents of the sample data's tenant.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Contents {
    /// Kinds with at least one row.
    pub rows: Vec<RowCount>,
    /// Files imported in addition to the sample itself, newest first.
    pub imported: Vec<ImportedFile>,
}

/// The number of rows of one kind; `kind` is the word for one row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct RowCount {
    pub kind: &'static str,
    pub count: u64,
}

/// A file that a user imported into the sample data's tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportedFile {
    pub name: String,
    pub rows: i64,
}

/// What removing the sample data would delete; empty without sample data.
pub fn contents(store: &Store) -> Result<Contents, StoreError> {
    store.snapshot(&Caller::system(), |rows| match read(rows)? {
        Some(sample) => Ok(Contents { rows: counts(rows, sample)?, imported: imported(rows, sample)? }),
        None => Ok(Contents::default()),
    })
}

fn counts(rows: &Transaction<'_>, sample: Sample) -> Result<Vec<RowCount>, StoreError> {
    let mut found: Vec<RowCount> = KINDS
        .iter()
        .map(|&(_, kind)| RowCount { kind, count: 0 })
        .chain([RowCount { kind: OTHER, count: 0 }])
        .collect();
    for table in tables(rows.catalogue()) {
        // Files are listed by name; the other tables about imports follow from them.
        if NOT_COUNTED.contains(&table.name.as_str()) || table.name.starts_with("import") {
            continue;
        }
        let at = KINDS.iter().position(|(name, _)| *name == table.name).unwrap_or(KINDS.len());
        found[at].count += count(rows, sample, table)?;
    }
    found.retain(|row| row.count > 0);
    Ok(found)
}

fn count(rows: &Transaction<'_>, sample: Sample, table: &Table) -> Result<u64, StoreError> {
    match depth(rows.catalogue(), table) {
        Some(0) => match tenant_columns(rows.catalogue(), table).next() {
            Some(column) => {
                let text = sample.tenant.to_string();
                rows.count(&table.name, &[is_of(table, column, sample.tenant, &text)])
            }
            None => Ok(0),
        },
        Some(_) => rows.as_caller(&Caller::system_for(sample.tenant)).count(&table.name, &[]),
        None => Ok(0),
    }
}

row! { struct ImportRow from imports { id, file_name, rows_written } }

fn imported(rows: &Transaction<'_>, sample: Sample) -> Result<Vec<ImportedFile>, StoreError> {
    let found = rows
        .query::<ImportRow>()
        .filter(imports::tenant_id.eq(sample.tenant))
        .filter(imports::rows_written.gt(0))
        .order(imports::created_at.desc())
        .rows()?;
    let own = |file: &ImportRow| sample.has_import(file.id.uuid());
    let files = found.into_iter().filter(|file| !own(file));
    Ok(files.map(|file| ImportedFile { name: file.file_name, rows: file.rows_written }).collect())
}
