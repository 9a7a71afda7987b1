//! The code of root fields that `schema/operations/` declares with `@operation`: one function per field, one file or folder per area.
//!
//! Start at [`all`]. A function reads and writes rows through [`Call::rows`], which knows the caller: the store enforces tenant, accounts and
//! rights, and writes the audit trail. Nothing here uses HTTP or contains SQL.

mod acting;
mod anomalies;
mod assistant;
mod automation;
mod events;
mod graph;
mod imports;
pub mod insights;
mod inventory;
mod kit;
mod knowledge;
mod logs;
mod model_access;
pub mod model_setup;
pub mod notices;
mod recommendations;
mod report_files;
mod reports;
pub mod review;
pub mod sample;
pub mod savings;
mod search;
mod spending;
mod states;
mod tickets;
mod users;
mod webhooks;
mod workflows;

pub use anomalies::costs as cost_anomalies;
pub use assistant::{
    ChatProgress, ModelContext, Question, Reference, SendPreview, converse, model_choice, preview,
};
pub use events::post_mortem_pdf;
pub use imports::{Imports, NoImports};
pub use model_access::{ModelReply, Models, NoModels, Who, unknown_model};
pub use spending::TaggedCharges;
/// The execution of workflows: the interface for runners, webhook addresses and approval pages.
pub mod runs {
    pub use crate::assistant::{ModelAsk, ModelCall, ask_model};
    pub use crate::tickets::{TicketLocation, TicketTarget};
    pub use crate::workflows::engine::{
        AddedComment, Answer, AutomationSettings, ClaimedRun, CommentList, Delivery, MAX_RUNS_PER_TENANT,
        Program, Question, QuestionError, RUN_LEASE, RUNS, RunCall, RunEnvironment, RunWork, Step,
        TicketCall, TicketDetails, TicketUpdate, Vote, Voter, WebhookError, advance, answer, claim, deliver,
        extend_claim, find_ticket, next_run, question, release_all,
    };
    use crate::{automation, workflows};
    use catalogue::Caller;
    use graphql::Refusal;
    use store::{Store, StoreError, Transaction};

    /// Starts due schedules and auto-pilots and returns when the next is due (µs since 1970 UTC). Blocks.
    pub fn start_due(store: &Store) -> Result<Option<i64>, StoreError> {
        let pilots = automation::pilot_runs::start_due(store)?;
        let schedules = workflows::engine::start_due(store)?;
        Ok(pilots.into_iter().chain(schedules).min())
    }

    /// Stores the automation settings. While automation is off, no schedule or auto-pilot has a next start time. Blocks.
    pub fn store_automation_settings(store: &Store, settings: &AutomationSettings) -> Result<(), StoreError> {
        if !workflows::engine::store_automation_settings(store, settings)? {
            return Ok(());
        }
        let changed = |rows: &Transaction<'_>| -> Result<(), Refusal> {
            if !settings.is_on {
                automation::pilot_runs::stop_all(rows)?;
            }
            automation::playbook_sync::refresh(rows)
        };
        store.transaction(&Caller::system(), changed).map_err(Refusal::into_error)
    }
}
pub use tickets::{
    LEASE, NoTrackers, SENDING, Sending, Trackers, claim, extend_claim, is_connected, next_sending, settle,
};
pub use webhooks::{WebhookError, WebhookReceipt, receive as receive_webhook};

use catalogue::{Caller, Root};
use graphql::{Call, Operations, PreTransactionCall, ReadAhead, Refusal};
use llm::Providers;
use notices::Messengers;
use serde_json::Value;
use std::collections::HashMap;
use std::sync::Arc;
use store::{AfterWriteHook, Store, StoreError, Transaction};
use uuid::Uuid;

/// The code of one root field.
pub(crate) type Function = fn(&Call<'_>) -> Result<Value, Refusal>;

/// The code of a root field about language models.
pub(crate) type ModelFunction = fn(&Call<'_>, &Providers) -> Result<Value, Refusal>;

/// The code of a field that is answered before the request's snapshot or transaction.
pub(crate) type AheadFunction = fn(&PreTransactionCall<'_>, &ModelContext<'_>) -> Result<Value, Refusal>;

/// The code of a field that configures models and their providers, answered before its request's transaction.
pub(crate) type SetupFunction = fn(&PreTransactionCall<'_>, &Providers) -> Result<Value, Refusal>;

/// The code of a field about ticket trackers, called before its request's transaction; `None` leaves the field to the transaction.
pub(crate) type TrackerFunction =
    fn(&PreTransactionCall<'_>, &dyn Trackers) -> Option<Result<Value, Refusal>>;

/// The code of a field about imports, answered before its request's transaction.
pub(crate) type ImportsFunction = fn(&PreTransactionCall<'_>, &dyn Imports) -> Result<Value, Refusal>;

/// The fields of every area.
const AREAS: &[&[(&str, Function)]] = &[
    anomalies::FIELDS,
    assistant::FIELDS,
    automation::FIELDS,
    events::FIELDS,
    graph::FIELDS,
    imports::FIELDS,
    insights::FIELDS,
    inventory::FIELDS,
    knowledge::FIELDS,
    logs::FIELDS,
    notices::FIELDS,
    recommendations::FIELDS,
    reports::FIELDS,
    savings::FIELDS,
    search::FIELDS,
    spending::FIELDS,
    tickets::FIELDS,
    users::FIELDS,
    webhooks::FIELDS,
    workflows::FIELDS,
];

/// Allocates shared cost of a tenant by its rules, after charges changed. Returns the number of rows written or removed. Blocks.
pub fn allocate(store: &Store, tenant: Uuid) -> Result<usize, StoreError> {
    spending::allocate(store, tenant)
}

/// Writes the values of a tenant's virtual tags to its charges. Runs after charges changed and before they are analysed. Returns the number of
/// charges written. Blocks.
pub fn tag(store: &Store, tenant: Uuid, which: TaggedCharges) -> Result<u64, StoreError> {
    spending::tag(store, tenant, which)
}

/// Tables that define how shared cost is allocated and which virtual tags charges have. (Charges change through imports, which call [`tag`] and
/// [`allocate`].)
pub const ALLOCATED: [&str; 3] = ["allocation_rule", "business_number", "virtual_tag"];

/// For each tenant in turn: tags charges, judges costs again if tags changed, and allocates shared cost. Returns the number of rows of allocated cost
/// written or removed. Blocks.
pub fn allocate_all(store: &Store, which: TaggedCharges) -> Result<usize, StoreError> {
    let tenants = store.snapshot(&Caller::system(), |rows| rows.select("tenant", &["id"], &[]))?;
    let ids = tenants.iter().flatten().filter_map(catalogue::Value::as_uuid);
    let of_tenant = |tenant| {
        // Cost anomalies depend on the tags of charges.
        if tag(store, tenant, which)? > 0 {
            cost_anomalies::refresh_costs(store, tenant)?;
        }
        allocate(store, tenant)
    };
    ids.map(of_tenant).sum()
}

/// The hooks that run after rows are written, regardless of who writes them.
pub const AFTER_WRITE_HOOKS: [AfterWriteHook; 17] = [
    acting::WORKFLOWS_AFTER_WRITE,
    anomalies::AFTER_WRITE,
    automation::AFTER_WRITE,
    automation::PLAYBOOKS_AFTER_WRITE,
    events::AFTER_WRITE,
    notices::AFTER_WRITE,
    reports::AFTER_WRITE,
    spending::ALLOCATION_RULES,
    spending::AFTER_WRITE,
    spending::VIRTUAL_TAGS,
    ANOMALIES,
    IMPORTS_ENDED,
    RECOMMENDATIONS,
    RECOMMENDATIONS_CHANGED,
    EVENTS_CHANGED,
    RUNS_ENDED,
    TICKETS_CHANGED,
];

/// Starts workflows for new recommendations.
const RECOMMENDATIONS: AfterWriteHook = AfterWriteHook {
    table: "recommendation",
    columns: &[],
    deletions: false,
    run: workflows::engine::recommendations_arrived,
};

/// Starts workflows for new metric anomalies. Cost anomalies start them when their notice is raised.
const ANOMALIES: AfterWriteHook = AfterWriteHook {
    table: "anomaly",
    columns: &[],
    deletions: false,
    run: workflows::engine::anomalies_arrived,
};

/// Starts workflows when imports end, and checks whether attempts show in the imported data; undoing an import reverts that.
const IMPORTS_ENDED: AfterWriteHook =
    AfterWriteHook { table: "imports", columns: &["state"], deletions: false, run: imports_ended };

fn imports_ended(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    workflows::engine::imports_ended(rows, ids)?;
    recommendations::verification::imports_ended(rows)
}

/// Ends attempts to apply recommendations when imports or users change the recommendation.
const RECOMMENDATIONS_CHANGED: AfterWriteHook = AfterWriteHook {
    table: "recommendation",
    columns: &["status", "recommendation"],
    deletions: false,
    run: recommendations::watch::recommendations_changed,
};

/// Ends attempts to resolve events together with the events, and continues runs that wait for the end of an event.
const EVENTS_CHANGED: AfterWriteHook = AfterWriteHook {
    table: "events",
    columns: &["nb_status", "status"],
    deletions: false,
    run: events_changed,
};

fn events_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    events::outcomes::events_changed(rows, ids)?;
    workflows::engine::events_changed(rows, ids)
}

/// Continues the work that started a run when the run ends.
const RUNS_ENDED: AfterWriteHook =
    AfterWriteHook { table: "workflow_execution", columns: &["status"], deletions: false, run: runs_ended };

fn runs_ended(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let follow = || -> Result<(), Refusal> {
        automation::playbook_sync::runs_changed(rows, ids)?;
        let ends = workflows::engine::system_run_ends(rows, ids)?;
        recommendations::watch::runs_ended(rows, &ends)?;
        events::outcomes::runs_ended(rows, &ends)
    };
    follow().map_err(Refusal::into_error)
}

/// Fails the attempts whose ticket the tracker rejected.
const TICKETS_CHANGED: AfterWriteHook =
    AfterWriteHook { table: "tickets", columns: &["status"], deletions: false, run: tickets_changed };

fn tickets_changed(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    recommendations::watch::tickets_changed(rows, ids)?;
    events::outcomes::tickets_changed(rows, ids)
}

/// The table that records changed rules for measurements and events which have to be judged: see [`judge_changed_rules`].
pub const CHANGED_RULES: &str = "measured_due";
pub use anomalies::{judge_pending as judge_changed_rules, judge_rules};

/// Tables whose rows give the service background work: see [`run_background_step`].
pub const BACKGROUND_TABLES: [&str; 6] = [
    "workflow_engine",
    events::BACKGROUND_TABLES[0],
    events::BACKGROUND_TABLES[1],
    "llm_knowledgebase",
    recommendations::watch::WATCHED,
    reports::TABLE,
];

/// Runs one step of the background work of all tenants: wakes snoozed events, continues bulk operations, sends reports, indexes documents,
/// deletes old workflow runs. Returns when the next step is due (µs since 1970 UTC; a past time means immediately), or `None` if nothing is due
/// until one of [`BACKGROUND_TABLES`] is written. All state is in the database, so an interrupted step is repeated. Blocks the thread.
pub fn run_background_step(store: &Store, models: &dyn Models) -> Result<Option<i64>, StoreError> {
    let system = Caller::system();
    let look = |rows: &Transaction<'_>| {
        let next =
            events::next_background_step(rows)?.into_iter().chain(recommendations::watch::next(rows)?).min();
        Ok((next, rows.now()))
    };
    let work = |rows: &Transaction<'_>| -> Result<Option<i64>, Refusal> {
        recommendations::watch::expire(rows)?;
        let next = events::run_background_step(rows)?;
        Ok(next.into_iter().chain(recommendations::watch::next(rows)?).min())
    };
    let step = || -> Result<Option<i64>, Refusal> {
        let (next, now) = store.snapshot::<_, Refusal>(&system, look)?;
        let is_due = next.is_some_and(|next| next <= now);
        let next = if is_due { store.transaction(&system, work)? } else { next };
        let next = next.into_iter().chain(reports::start_due(store)?).min();
        let next = next.into_iter().chain(workflows::sweep(store)?).min();
        if knowledge::process_next(store, models)? {
            return Ok(Some(now));
        }
        Ok(next)
    };
    step().map_err(Refusal::into_error)
}

/// A file in the form that a knowledge base takes: its format, and its text or, for a PDF, its bytes in base64. Refuses files that are not text.
pub fn document(file_name: &str, bytes: &[u8]) -> Result<(&'static str, String), Refusal> {
    knowledge::of_file(file_name, bytes)
}

/// The code of all operations. Operations about language models use `providers` for configuration and `models` to query one; `trackers` send
/// tickets, `messengers` send notices, `imports` changes imports.
pub fn all(
    providers: Providers,
    models: Arc<dyn Models>,
    trackers: Arc<dyn Trackers>,
    messengers: Arc<dyn Messengers>,
    imports: Arc<dyn Imports>,
) -> Arc<dyn Operations> {
    let fields = AREAS.iter().flat_map(|fields| fields.iter().copied()).collect();
    Arc::new(Registry {
        fields,
        model_fields: assistant::MODEL_FIELDS.iter().chain(workflows::MODEL_FIELDS).copied().collect(),
        providers,
        models,
        trackers,
        messengers,
        imports,
    })
}

/// Functions by name. A name that occurs in both roots is one function, which checks [`Call::root`].
struct Registry {
    fields: HashMap<&'static str, Function>,
    model_fields: HashMap<&'static str, ModelFunction>,
    providers: Providers,
    models: Arc<dyn Models>,
    trackers: Arc<dyn Trackers>,
    messengers: Arc<dyn Messengers>,
    imports: Arc<dyn Imports>,
}

impl Operations for Registry {
    fn has(&self, _: Root, name: &str) -> bool {
        self.fields.contains_key(name) || self.model_fields.contains_key(name) || setup(name).is_some()
    }

    fn call(&self, call: &Call<'_>) -> Result<Value, Refusal> {
        acting::refuse_call(call.rows, call.name)?;
        if let Some(function) = self.model_fields.get(call.name) {
            return function(call, &self.providers);
        }
        match self.fields.get(call.name) {
            Some(function) => function(call),
            None if setup(call.name).is_some() => Err(Refusal::new(
                "not-supported",
                "models are not set up inside another request: ask for it by itself",
            )),
            None => Err(Refusal::new("not-supported", format!("nobody serves `{}` here", call.name))),
        }
    }

    fn resolve_before_transaction(&self, ahead: &PreTransactionCall<'_>) -> Option<Result<Value, Refusal>> {
        if acting::is_outbound(ahead.name) {
            let check = |rows: &Transaction<'_>| acting::refuse_call(rows, ahead.name);
            if let Err(refusal) = ahead.engine.store().snapshot::<_, Refusal>(ahead.caller, check) {
                return Some(Err(refusal));
            }
        }
        if let Some(function) = setup(ahead.name) {
            return Some(function(ahead, &self.providers));
        }
        let with_trackers =
            || tickets::PRE_TRANSACTION_FIELDS.iter().chain(workflows::PRE_TRANSACTION_FIELDS);
        if let Some((_, function)) = with_trackers().find(|(name, _)| *name == ahead.name) {
            return function(ahead, self.trackers.as_ref());
        }
        if let Some((_, function)) =
            notices::PRE_TRANSACTION_FIELDS.iter().find(|(name, _)| *name == ahead.name)
        {
            return Some(function(ahead, self.messengers.as_ref()));
        }
        if let Some((_, function)) =
            imports::PRE_TRANSACTION_FIELDS.iter().find(|(name, _)| *name == ahead.name)
        {
            return Some(function(ahead, self.imports.as_ref()));
        }
        let asking =
            || assistant::PRE_TRANSACTION_FIELDS.iter().chain(workflows::PRE_TRANSACTION_MODEL_FIELDS);
        let (_, function) = asking().find(|(name, _)| *name == ahead.name)?;
        let context = ModelContext {
            engine: ahead.engine,
            caller: ahead.caller,
            models: self.models.as_ref(),
            cancel: ahead.cancel,
        };
        Some(function(ahead, &context))
    }

    fn read_ahead(&self, ahead: &PreTransactionCall<'_>) -> Option<ReadAhead> {
        match ahead.name {
            "spend_anomalies_analyse" => Some(Box::new(cost_anomalies::read_ahead(ahead).ok()?)),
            "recommendations_analyse" => Some(Box::new(savings::read_ahead(ahead).ok()?)),
            _ => None,
        }
    }
}

fn setup(name: &str) -> Option<SetupFunction> {
    model_setup::PRE_TRANSACTION_FIELDS
        .iter()
        .find(|(known, _)| *known == name)
        .map(|(_, function)| *function)
}

#[cfg(test)]
mod tests {
    use super::{AREAS, assistant, model_setup, workflows};
    use std::collections::BTreeSet;

    #[test]
    fn every_declared_operation_has_a_function_and_every_function_is_declared() {
        let catalogue = testkit::product::catalogue();
        let plain = AREAS.iter().flat_map(|fields| fields.iter().map(|(name, _)| *name));
        let model_fields =
            assistant::MODEL_FIELDS.iter().chain(workflows::MODEL_FIELDS).map(|(name, _)| *name);
        let set_up = model_setup::PRE_TRANSACTION_FIELDS.iter().map(|(name, _)| *name);
        let names: Vec<&str> = plain.chain(model_fields).chain(set_up).collect();
        let operations = catalogue.operations.iter();
        let unserved: Vec<&str> = operations
            .map(|operation| operation.name.as_str())
            .filter(|name| !names.contains(name))
            .collect();
        assert_eq!(unserved, [""; 0], "declared in schema/operations/, without a function");
        let declared: BTreeSet<&str> =
            catalogue.operations.iter().map(|operation| operation.name.as_str()).collect();
        let undeclared: Vec<&&str> = names.iter().filter(|name| !declared.contains(**name)).collect();
        assert!(undeclared.is_empty(), "functions nobody declares: {undeclared:?}");
        assert_eq!(names.len(), names.iter().collect::<BTreeSet<_>>().len(), "a name stands twice in AREAS");
    }
}
