//! Starts workflows when data changes, in the transaction of the change. Each change starts a workflow only once, even across restarts.

mod sources;

use super::settings;
use super::start::{COLUMNS, NewRun, start};
use crate::kit::{Look, text, uuid};
use crate::workflows::definition::{Definition, Trigger, each};
use crate::workflows::inputs::complete;
use automation::template::Renderer;
use catalogue::{Caller, Value as Cell};
use graphql::Refusal;
use serde_json::{Map, Value, json};
use sources::{ANOMALIES, BUDGETS, EVENTS, IMPORTS, RECOMMENDATIONS, Source, seen_event};
use sources::{ANOMALY_COLUMNS, EVENT_COLUMNS, IMPORT_COLUMNS, RECOMMENDATION_COLUMNS};
use std::cell::RefCell;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Number of rows per query.
const BATCH: usize = 500;

/// The workflows that a change can start.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Audience {
    /// The workflows of one account.
    Account(Uuid),
    /// The workflows of the tenant whose author may see the whole tenant.
    TenantReaders,
    /// All workflows of the tenant.
    Everyone,
}

/// A change that may start workflows.
struct Change {
    tenant: Uuid,
    audience: Audience,
    /// Idempotency key: the change starts each workflow only once.
    key: String,
    /// The values that filters and runs see.
    row: Value,
}

/// Starts the workflows for events that were just added.
pub(crate) fn events_arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let result = read(rows, &EVENTS, ("events", EVENT_COLUMNS), ids, |row| {
        let (tenant, account) = uuid(&row, "tenant").zip(uuid(&row, "cloud_account_id"))?;
        let key = key(&EVENTS, &row);
        Some(Change { tenant, audience: Audience::Account(account), key, row: seen_event(row) })
    });
    result.map_err(Refusal::into_error)
}

/// Starts the workflows for recommendations that were just added.
pub(crate) fn recommendations_arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let names = RefCell::new(HashMap::new());
    let result = read(rows, &RECOMMENDATIONS, ("recommendation", RECOMMENDATION_COLUMNS), ids, |mut row| {
        let (tenant, account) = uuid(&row, "tenant_id").zip(uuid(&row, "cloud_account_id"))?;
        let mut names = names.borrow_mut();
        let name = names.entry(account).or_insert_with(|| account_name(rows, account).unwrap_or_default());
        // People refer to a cluster by its name.
        row["account_name"] = name.clone().into();
        row["account_id"] = row["cloud_account_id"].clone();
        Some(Change { tenant, audience: Audience::Account(account), key: key(&RECOMMENDATIONS, &row), row })
    });
    result.map_err(Refusal::into_error)
}

/// The inputs that an event gives to the runs it starts, for a run that a person starts for it. `rows` must be able to read the event.
pub(crate) fn event_inputs(rows: &Transaction<'_>, id: Uuid) -> Result<Map<String, Value>, Refusal> {
    let row = Look::at(rows, "events")?.with("id", id)?.first(EVENT_COLUMNS)?;
    Ok(row.into_iter().map(|row| (EVENTS.input.to_owned(), seen_event(row))).collect())
}

fn account_name(rows: &Transaction<'_>, account: Uuid) -> Result<Option<String>, Refusal> {
    let system = Caller::system();
    let acting = rows.as_caller(&system);
    let row = Look::at(&acting, "cloud_accounts")?.with("id", account)?.first(&["account_name"])?;
    Ok(row.map(|row| text(&row, "account_name").to_owned()))
}

/// Starts the workflows for metric anomalies that were just added. Cost anomalies are handled by [`anomalies_raised`].
pub(crate) fn anomalies_arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let of_metrics = |row: &Value| row["is_anomaly"] == true && row["scope"].is_null();
    anomalies(rows, ids, of_metrics).map_err(Refusal::into_error)
}

/// Starts the workflows for cost anomalies for which a notice was just raised.
pub(crate) fn anomalies_raised(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), Refusal> {
    anomalies(rows, ids, |_| true)
}

fn anomalies(rows: &Transaction<'_>, ids: &[Uuid], counts: fn(&Value) -> bool) -> Result<(), Refusal> {
    read(rows, &ANOMALIES, ("anomaly", ANOMALY_COLUMNS), ids, |row| {
        let (tenant, account) = uuid(&row, "tenant").zip(uuid(&row, "account_id"))?;
        let audience = if account == tenant { Audience::TenantReaders } else { Audience::Account(account) };
        counts(&row).then(|| Change { tenant, audience, key: key(&ANOMALIES, &row), row })
    })
}

/// Starts the workflows for imports that have just ended.
pub(crate) fn imports_ended(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let ended = read(rows, &IMPORTS, ("imports", IMPORT_COLUMNS), ids, |mut row| {
        let state = text(&row, "state").to_owned();
        if matches!(state.as_str(), "waiting" | "running") {
            return None;
        }
        // The report can be very long: keep only the parts that a run may need.
        let report = row["report"].take();
        for name in ["accounts", "totals", "savings", "error"] {
            row[name] = report[name].clone();
        }
        row.as_object_mut()?.remove("report");
        let key = format!("{}:{state}", key(&IMPORTS, &row));
        Some(Change { tenant: uuid(&row, "tenant_id")?, audience: Audience::Everyone, key, row })
    });
    ended.map_err(Refusal::into_error)
}

/// A budget threshold that was reached.
pub(crate) struct CrossedBudget {
    pub tenant: Uuid,
    /// The account of a budget that covers a single account.
    pub account: Option<Uuid>,
    /// Identifies the budget, period and threshold.
    pub key: String,
    pub row: Value,
}

/// Starts the workflows for budget thresholds that were just reached.
pub(crate) fn budgets_crossed(rows: &Transaction<'_>, crossed: Vec<CrossedBudget>) -> Result<(), Refusal> {
    let change = |one: CrossedBudget| Change {
        tenant: one.tenant,
        audience: one.account.map_or(Audience::TenantReaders, Audience::Account),
        key: one.key,
        row: one.row,
    };
    let Some(listeners) = Listeners::of(rows, &BUDGETS)? else { return Ok(()) };
    listeners.start_matching(rows, &crossed.into_iter().map(change).collect::<Vec<_>>())
}

fn key(source: &Source, row: &Value) -> String {
    format!("{}:{}", source.trigger, text(row, "id"))
}

/// Reads rows and starts the workflows that listen for them. `change` converts a row, or returns `None` to ignore it.
fn read(
    rows: &Transaction<'_>,
    source: &Source,
    (table, columns): (&str, &[&str]),
    ids: &[Uuid],
    change: impl Fn(Value) -> Option<Change>,
) -> Result<(), Refusal> {
    let Some(listeners) = Listeners::of(rows, source)? else { return Ok(()) };
    for ids in ids.chunks(BATCH) {
        let ids = ids.iter().map(|id| Cell::Uuid(*id)).collect();
        let found = Look::at(rows, table)?.one_of("id", ids)?.rows(columns)?;
        listeners.start_matching(rows, &found.into_iter().filter_map(&change).collect::<Vec<_>>())?;
    }
    Ok(())
}

/// An active workflow with a trigger of the source's type.
struct Listener {
    tenant: Uuid,
    account: Uuid,
    workflow: Value,
    definition: Definition,
}

struct Listeners<'s> {
    source: &'s Source,
    all: Vec<Listener>,
}

impl<'s> Listeners<'s> {
    /// The active workflows with such a trigger. `None` while automation is off.
    fn of(rows: &Transaction<'_>, source: &'s Source) -> Result<Option<Self>, Refusal> {
        if !settings::is_on(rows)? {
            return Ok(None);
        }
        let system = Caller::system();
        let mut all = Vec::new();
        for row in Look::at(&rows.as_caller(&system), "workflow")?.with("status", "ACTIVE")?.rows(COLUMNS)? {
            let kinds = row["trigger_types"].as_array().into_iter().flatten();
            if !kinds.into_iter().any(|kind| kind == source.trigger) {
                continue;
            }
            let place = uuid(&row, "tenant_id").zip(uuid(&row, "account_id"));
            if let (Some((tenant, account)), Ok(definition)) = (place, Definition::read(&row["definition"])) {
                all.push(Listener { tenant, account, workflow: row, definition });
            }
        }
        Ok((!all.is_empty()).then_some(Self { source, all }))
    }

    fn start_matching(&self, rows: &Transaction<'_>, changes: &[Change]) -> Result<(), Refusal> {
        let renderer = Renderer::new(rows.now());
        for one in changes {
            for listener in self.all.iter().filter(|listener| listener.tenant == one.tenant) {
                let mut triggers = each(listener.definition.triggers.as_ref());
                if triggers.any(|trigger| self.is_met(trigger, &one.row, &renderer))
                    && listener.accepts(rows, one.audience)?
                {
                    self.start_run(rows, listener, one)?;
                }
            }
        }
        Ok(())
    }

    fn is_met(&self, trigger: &Trigger, row: &Value, renderer: &Renderer) -> bool {
        if trigger.kind != self.source.trigger {
            return false;
        }
        let params = trigger.params.as_ref().and_then(Value::as_object).cloned().unwrap_or_default();
        let filter =
            params.get("filter").filter(|filter| filter.as_str().is_some_and(|text| !text.trim().is_empty()));
        // A filter that fails to evaluate does not match; returning its error would roll back the write of the row.
        let holds = || filter.is_none_or(|filter| renderer.holds(filter, &self.seen(row)).unwrap_or(false));
        (self.source.fits)(&params, row) && holds()
    }

    /// The variables of a filter: the columns of the row, the row under its input name, and `Inputs` with the row.
    fn seen(&self, row: &Value) -> Map<String, Value> {
        let mut seen = row.as_object().cloned().unwrap_or_default();
        seen.insert(self.source.input.to_owned(), row.clone());
        seen.insert("Inputs".to_owned(), json!({ self.source.input: row }));
        seen
    }

    fn start_run(&self, rows: &Transaction<'_>, listener: &Listener, change: &Change) -> Result<(), Refusal> {
        let system = Caller::system_for(listener.tenant);
        let acting = rows.as_caller(&system);
        let given = json!({ self.source.input: change.row });
        let inputs = complete(&listener.definition, Some(&given)).unwrap_or(given);
        let run = NewRun {
            workflow: Some(&listener.workflow),
            inputs,
            trigger: self.source.trigger,
            key: Some(&change.key),
            ..NewRun::default()
        };
        start(&acting.without_actor(), &run).map(|_| ())
    }
}

impl Listener {
    fn accepts(&self, rows: &Transaction<'_>, audience: Audience) -> Result<bool, Refusal> {
        match audience {
            Audience::Everyone => Ok(true),
            Audience::Account(account) => Ok(account == self.account),
            Audience::TenantReaders => {
                let Some(author) = uuid(&self.workflow, "updated_by") else { return Ok(false) };
                let system = Caller::system();
                match auth::person::load(&rows.as_caller(&system), author, self.tenant) {
                    Ok(person) => Ok(person.caller().reads_tenant()),
                    Err(auth::SignInError::Store(error)) => Err(error.into()),
                    // The person was removed or suspended.
                    Err(_) => Ok(false),
                }
            }
        }
    }
}
