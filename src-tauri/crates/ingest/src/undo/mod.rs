//! Undoes an import: removes its rows, restores the rows it replaced, and removes accounts and resources that only it added.

mod changes;
mod derived_rows;
mod rows;

use crate::graph;
use crate::report::{Change, Report, State};
use crate::write::pending_searches::{self, ImportKinds};
use crate::write::resolution::period;
use crate::write::totals;
use catalogue::{Caller, Value, ValueRef, format_timestamp};
use model::{Read as _, row};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use store::{Clock, Condition, Store, StoreError, Transaction, eq, ge};
use uuid::Uuid;

row! { struct ImportReport from imports { report } }

/// An import to undo.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct UndoneImport {
    pub id: Uuid,
    pub file_name: String,
    pub created_at: String,
    #[serde(skip)]
    sequence: i64,
}

/// The effect of undoing an import.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "UndoPreview")]
pub struct Preview {
    /// The import and the later imports that depend on it, newest first.
    pub imports: Vec<UndoneImport>,
    /// Number of rows to remove.
    pub rows: u64,
    /// Cost before and after, for each period, account and currency that changes.
    pub totals: Vec<Change>,
    /// Number of accounts to remove.
    pub accounts: u64,
    /// Number of resources to remove.
    pub resources: u64,
    /// Number of tag keys to remove.
    pub tag_keys: u64,
}

/// The reason an import was not undone. Nothing was changed.
#[derive(Debug, thiserror::Error)]
pub enum UndoError {
    #[error("there is no such import")]
    NotFound,
    #[error("an import in state {0} has nothing to undo")]
    Nothing(String),
    #[error("other imports depend on this one and must be undone with it")]
    Others(Vec<UndoneImport>),
    #[error("what the import changed is not written down as expected: {0}; restore a backup instead")]
    Damaged(&'static str),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("a preview changes nothing")]
    Previewed(Box<Preview>),
}

/// The user who undoes an import, and the clock.
#[derive(Debug, Clone, Copy)]
pub struct UndoRequest {
    /// `None` on the command line.
    pub person: Option<Uuid>,
    pub clock: Clock,
}

/// The exact changes of an undo, found by performing it in a transaction that is rolled back.
pub fn preview(store: &Store, caller: &Caller, id: Uuid) -> Result<Preview, UndoError> {
    let work = |rows: &Transaction<'_>| {
        let imports = dependents(rows, id)?;
        let before = totals(rows)?;
        // Accounts that the import added no longer exist after this: their names are read first.
        let mut labels = account_labels(rows, &before)?;
        let mut gone = rows::RemovedRows::default();
        for import in &imports {
            gone.add(&rows::undo_import(rows, import.id, import.sequence)?);
        }
        let after = totals(rows)?;
        labels.extend(account_labels(rows, &after)?);
        let totals = differences(&labels, &before, &after);
        Err::<(), _>(UndoError::Previewed(Box::new(Preview {
            imports,
            rows: gone.rows,
            totals,
            accounts: gone.accounts,
            resources: gone.resources,
            tag_keys: gone.tag_keys,
        })))
    };
    match store.bulk(caller, work) {
        Err(UndoError::Previewed(preview)) => Ok(*preview),
        Err(error) => Err(error),
        Ok(()) => Err(UndoError::NotFound),
    }
}

/// Undoes an import together with the later ones in `with`. Returns the ids of all of them, newest first.
pub fn undo(
    store: &Store,
    caller: &Caller,
    id: Uuid,
    with: &[Uuid],
    by: UndoRequest,
) -> Result<Vec<Uuid>, UndoError> {
    store.bulk(caller, |rows| {
        let imports = dependents(rows, id)?;
        if imports.iter().any(|import| import.id != id && !with.contains(&import.id)) {
            return Err(UndoError::Others(imports.into_iter().filter(|import| import.id != id).collect()));
        }
        let reports = reports(rows, &imports)?;
        let affected_accounts = affected_accounts(rows, reports.as_deref())?;
        for import in &imports {
            rows::undo_import(rows, import.id, import.sequence)?;
        }
        rows.take_write_lock()?;
        for import in &imports {
            mark(rows, import.id, by)?;
        }
        let undone: Vec<Uuid> = imports.iter().map(|import| import.id).collect();
        totals::remove_answers_of(rows, &undone)?;
        totals::recompute(rows, &[])?;
        pending_searches::mark_changed(
            rows,
            reports.map_or_else(ImportKinds::default, |reports| ImportKinds::of(reports.iter())),
        )?;
        graph::rebuild(rows, &affected_accounts, (by.clock)())?;
        Ok(undone)
    })
}

/// The import and those that depend on it: they replaced rows of it, or were decided together with one that did. Newest first.
fn dependents(rows: &Transaction<'_>, id: Uuid) -> Result<Vec<UndoneImport>, UndoError> {
    let mut found: BTreeMap<Uuid, UndoneImport> = BTreeMap::new();
    let mut open = vec![id];
    while let Some(id) = open.pop() {
        if found.contains_key(&id) {
            continue;
        }
        let columns = ["file_name", "created_at", "state", "sequence", "delivery_id"];
        let import = rows.select("imports", &columns, &[eq("id", id)])?;
        let Some([name, created, state, sequence, delivery]) = import.first().map(Vec::as_slice) else {
            return Err(UndoError::NotFound);
        };
        let state = state.as_text().unwrap_or_default();
        if !matches!(state, "done" | "done_with_skips" | "needs_decision" | "waiting_for_parts") {
            if found.is_empty() {
                return Err(UndoError::Nothing(state.to_owned()));
            }
            continue;
        }
        let created_at = format!("{}Z", format_timestamp(created.as_int().unwrap_or_default()));
        let file_name = name.as_text().unwrap_or_default().to_owned();
        let sequence = sequence.as_int().unwrap_or_default();
        found.insert(id, UndoneImport { id, file_name, created_at, sequence });
        open.extend(replaced_by(rows, id)?);
        // The remaining charges of partly replaced imports are restored together with these.
        if has_partial_replacement(rows, id)? {
            for other in ids(rows, "import_changes", "of_import", eq("import_id", id))? {
                for later in replaced_by(rows, other)? {
                    let is_later = [eq("id", later), ge("sequence", sequence)];
                    if rows.count("imports", &is_later)? > 0 {
                        open.push(later);
                    }
                }
            }
        }
        if let Some(delivery) = delivery.as_uuid() {
            let siblings = ids(rows, "imports", "id", eq("delivery_id", delivery))?;
            let mut replaces = false;
            for sibling in &siblings {
                let deleted = [eq("import_id", *sibling), eq("kind", "deleted")];
                replaces |= rows.count("import_changes", &deleted)? > 0;
            }
            if replaces {
                open.extend(siblings);
            }
        }
    }
    let mut found: Vec<UndoneImport> = found.into_values().collect();
    // Within a delivery, the file whose journal contains the replaced rows is undone last, when all rows are removed.
    found.sort_by_key(|import| std::cmp::Reverse((import.sequence, import.id)));
    Ok(found)
}

/// The imports that replaced rows of this import.
fn replaced_by(rows: &Transaction<'_>, import: Uuid) -> Result<BTreeSet<Uuid>, StoreError> {
    ids(rows, "import_changes", "import_id", eq("of_import", import))
}

/// The ids in a column of the rows that meet the condition.
fn ids(
    rows: &Transaction<'_>,
    table: &str,
    column: &str,
    condition: Condition<'_>,
) -> Result<BTreeSet<Uuid>, StoreError> {
    let found = rows.select(table, &[column], &[condition])?;
    Ok(found.iter().filter_map(|row| row.first()?.as_uuid()).collect())
}

/// Whether an import replaced only some of another import's charges in an account and billing period.
fn has_partial_replacement(rows: &Transaction<'_>, import: Uuid) -> Result<bool, StoreError> {
    let of_rests = [eq("import_id", import), eq("kind", "updated"), eq("table_name", "spend_sources")];
    Ok(rows.count("import_changes", &of_rests)? > 0)
}

/// The reports of the imports; `None` when one was written by an earlier version.
fn reports(rows: &Transaction<'_>, imports: &[UndoneImport]) -> Result<Option<Vec<Report>>, StoreError> {
    imports.iter().map(|import| report(rows, import.id)).collect()
}

/// The accounts that the imports touched. Must be read before the undo, while all of them still exist.
fn affected_accounts(rows: &Transaction<'_>, reports: Option<&[Report]>) -> Result<graph::Scope, StoreError> {
    let Some(reports) = reports else { return Ok(graph::Scope::All) };
    graph::Scope::of_reports(rows, reports.iter().map(|report| report.accounts.as_slice()))
}

fn report(rows: &Transaction<'_>, import: Uuid) -> Result<Option<Report>, StoreError> {
    let found = rows.find::<ImportReport>(import)?;
    // A report of an earlier version in another format does not name accounts; then all accounts are considered.
    Ok(found.and_then(|row| serde_json::from_value(row.report.value()).ok()))
}

fn mark(rows: &Transaction<'_>, id: Uuid, by: UndoRequest) -> Result<(), StoreError> {
    let report = report(rows, id)?;
    let mut set = vec![("state", State::Undone.name().into()), ("rows_written", ValueRef::Int(0))];
    let json = report.map(|mut report| {
        report.state = State::Undone;
        report.notes.push(format!("Taken back at {}Z.", format_timestamp((by.clock)())));
        serde_json::to_string(&report).expect("a report has text keys only")
    });
    if let Some(json) = &json {
        set.push(("report", ValueRef::Json(json)));
    }
    rows.with_audit_operation("import_undo", by.person).update("imports", &[eq("id", id)], &set).map(drop)
}

/// Billed cost by period, account and currency.
type Totals = BTreeMap<(i64, Uuid, String), catalogue::DecimalSum>;

fn totals(rows: &Transaction<'_>) -> Result<Totals, StoreError> {
    let mut costs: BTreeMap<Uuid, catalogue::Decimal> = BTreeMap::new();
    for row in rows.select("spend_source_keys", &["source_id", "billed_cost"], &[])? {
        if let [Value::Uuid(id), Value::Decimal(cost)] = row.as_slice() {
            costs.insert(*id, *cost);
        }
    }
    let mut totals = Totals::new();
    let columns = ["id", "billing_period_start", "cloud_account", "currency"];
    for row in rows.select("spend_sources", &columns, &[])? {
        if let [Value::Uuid(id), start, Value::Uuid(account), Value::Text(currency)] = row.as_slice()
            && let Some(cost) = costs.get(id)
        {
            let key = (start.as_int().unwrap_or_default(), *account, currency.clone());
            totals.entry(key).or_default().add(*cost);
        }
    }
    Ok(totals)
}

/// Number and name of an account.
#[derive(Debug, Clone, Default)]
struct AccountLabel {
    number: String,
    name: String,
}

type AccountLabels = BTreeMap<Uuid, AccountLabel>;

/// Labels of the accounts in `totals` that exist.
fn account_labels(rows: &Transaction<'_>, totals: &Totals) -> Result<AccountLabels, StoreError> {
    let mut labels = AccountLabels::new();
    for (_, account, _) in totals.keys() {
        if labels.contains_key(account) {
            continue;
        }
        let found =
            rows.select("cloud_accounts", &["account_number", "account_name"], &[eq("id", *account)])?;
        if let Some([number, name]) = found.first().map(Vec::as_slice) {
            let text = |value: &Value| value.as_text().unwrap_or_default().to_owned();
            labels.insert(*account, AccountLabel { number: text(number), name: text(name) });
        }
    }
    Ok(labels)
}

fn differences(labels: &AccountLabels, before: &Totals, after: &Totals) -> Vec<Change> {
    let keys: BTreeSet<_> = before.keys().chain(after.keys()).collect();
    let change = |key: &(i64, Uuid, String)| {
        let cost = |side: &Totals| side.get(key).copied().unwrap_or_default().to_string();
        let (start, account, currency) = key;
        let label = labels.get(account).cloned().unwrap_or_default();
        Change {
            period: period(*start),
            account: label.number,
            account_name: label.name,
            currency: currency.clone(),
            before: cost(before),
            after: cost(after),
        }
    };
    keys.into_iter().map(change).filter(|change| change.before != change.after).collect()
}
