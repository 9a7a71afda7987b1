//! Blocks operations that act outside this service for the tenant of the sample data.
//!
//! Sample data is for exploring: its workflows, auto-pilots, approvals and reports look real but contact nothing outside. [`refuse_call`] is
//! called before every operation. [`refuse_rows`] checks rows that would make the service act by itself, regardless of who writes them.
//! [`block_reason`] is called where runs start and approvals are answered, which covers callers that arrive by webhook or link.

use crate::kit::Look;
use catalogue::Value;
use graphql::Refusal;
use store::{AfterWriteHook, StoreError, Transaction};
use uuid::Uuid;

const WHY: &str = "This is sample data: nothing of it runs, is sent or changes anything outside.";

pub(crate) const WORKFLOW: &str =
    "Try the workflow as a dry run, or export it and import it into a tenant of your own.";
pub(crate) const APPROVAL: &str =
    "Look at what is asked and what would follow; approvals are decided in a tenant of your own.";
pub(crate) const PILOT: &str =
    "Look at what it has done so far, or add an auto-pilot to an account of your own data.";
pub(crate) const REPORT: &str =
    "Look at its preview and at what was sent, or add the report in a tenant of your own.";
const RECOMMENDATION: &str =
    "Read on the recommendation how it would be done; apply recommendations of your own data.";
const CONNECTION: &str = "Set the connection up in a tenant of your own.";

/// Operations that send, run or change something outside this service, each with the suggested alternative.
const OUTBOUND_OPERATIONS: [(&str, &str); 18] = [
    ("apply_recommendations", RECOMMENDATION),
    ("auto_optimize_run_now", PILOT),
    ("auto_runbook_manually_run", WORKFLOW),
    ("auto_runbook_task_change_approval_status", APPROVAL),
    ("auto_runbook_task_manual_run", WORKFLOW),
    ("notice_channel_save", CONNECTION),
    ("notice_channel_test", CONNECTION),
    ("recommendation_undo", RECOMMENDATION),
    ("report_send", REPORT),
    ("ticket_check_connection_by_config", CONNECTION),
    ("ticket_integration_create_config", CONNECTION),
    ("update_status_auto_pilot_approval", APPROVAL),
    ("workflow_answer_approval", APPROVAL),
    ("workflow_cancel_execution", WORKFLOW),
    ("workflow_resume", WORKFLOW),
    ("workflow_retrigger_execution", WORKFLOW),
    ("workflow_run_from_task", WORKFLOW),
    ("workflow_trigger", WORKFLOW),
];

/// A workflow of the sample data is never ACTIVE, regardless of who writes it: its triggers would start it.
pub(crate) const WORKFLOWS_AFTER_WRITE: AfterWriteHook =
    AfterWriteHook { table: "workflow", columns: &["status"], deletions: false, run: workflows_written };

/// Whether an operation acts outside this service.
pub(crate) fn is_outbound(operation: &str) -> bool {
    OUTBOUND_OPERATIONS.iter().any(|(name, _)| *name == operation)
}

/// Refuses an operation that acts outside this service if the caller's tenant holds the sample data.
pub(crate) fn refuse_call(rows: &Transaction<'_>, operation: &str) -> Result<(), Refusal> {
    match OUTBOUND_OPERATIONS.iter().find(|(name, _)| *name == operation) {
        Some((_, instead)) => refuse(rows, rows.caller().tenant(), instead),
        None => Ok(()),
    }
}

/// Refuses with a conflict if the tenant holds the sample data; `instead` is the suggested alternative.
pub(crate) fn refuse(rows: &Transaction<'_>, tenant: Option<Uuid>, instead: &str) -> Result<(), Refusal> {
    block_reason(rows, tenant, instead)?.map_or(Ok(()), |reason| Err(Refusal::conflict(reason)))
}

/// Whether a tenant holds the sample data.
pub(crate) fn is_sample(rows: &Transaction<'_>, tenant: Uuid) -> Result<bool, StoreError> {
    Ok(auth::sample::tenant_of(rows)? == Some(tenant))
}

/// The reason why nothing acts for this tenant, followed by the suggested alternative. `None` for every tenant except the sample data's.
pub(crate) fn block_reason(
    rows: &Transaction<'_>,
    tenant: Option<Uuid>,
    instead: &str,
) -> Result<Option<String>, StoreError> {
    let is_sample = tenant.map_or(Ok(false), |tenant| is_sample(rows, tenant))?;
    Ok(is_sample.then(|| format!("{WHY} {instead}")))
}

/// Refuses sample-data rows in a status that makes the service act by itself.
pub(crate) fn refuse_rows(
    rows: &Transaction<'_>,
    (table, status): (&str, &str),
    ids: &[Uuid],
    instead: &str,
) -> Result<(), Refusal> {
    let Some(sample) = auth::sample::tenant_of(rows)? else { return Ok(()) };
    let ids = ids.iter().map(|id| Value::Uuid(*id)).collect();
    let acting = Look::at(rows, table)?.one_of("id", ids)?.with("status", status)?;
    match acting.with("tenant_id", sample)?.count()? {
        0 => Ok(()),
        _ => refuse(rows, Some(sample), instead),
    }
}

fn workflows_written(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    refuse_rows(rows, ("workflow", "ACTIVE"), ids, WORKFLOW).map_err(Refusal::into_error)
}
