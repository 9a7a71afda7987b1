//! Auto-pilots, their approval policies, and playbooks (semantics §10).
//!
//! An auto-pilot turns recommendations into attempts to carry them out; a playbook runs as a workflow.

mod approvals;
mod consent;
mod guard;
mod pilot_needs;
mod pilot_reads;
pub(crate) mod pilot_runs;
mod pilot_status;
mod pilots;
mod playbook_events;
mod playbook_flow;
mod playbook_runs;
pub(crate) mod playbook_sync;
mod playbooks;
mod policies;
mod resources;
mod schedule;

use crate::Function;
use crate::kit::typed;
use crate::states::States;
use store::AfterWriteHook;

/// Runs after auto-pilots are written.
pub(crate) const AFTER_WRITE: AfterWriteHook =
    AfterWriteHook { table: "auto_pilot", columns: &["status"], deletions: false, run: guard::after_write };

/// Runs after playbooks are written.
pub(crate) const PLAYBOOKS_AFTER_WRITE: AfterWriteHook = AfterWriteHook {
    table: "auto_playbook",
    columns: &["status", "name", "trigger", "tasks", "resource_filter"],
    deletions: false,
    run: playbook_sync::after_write,
};

pub(crate) const FIELDS: &[(&str, Function)] = &[
    ("auto_optimize_recommendation", pilot_reads::recommendations),
    ("auto_optimize_workload", pilot_reads::workload),
    ("auto_optimize_insert_one", pilots::insert),
    ("auto_optimize_update_one", pilots::update),
    ("auto_optimize_update_status", pilot_status::update),
    ("auto_optimize_skip_execution", pilot_status::skip),
    ("auto_optimize_run_now", typed!(pilot_runs::run_now)),
    ("create_auto_pilot_policy", policies::create),
    ("update_auto_pilot_policy", policies::update),
    ("auto_pilot_approval_policy_delete", policies::delete),
    ("update_status_auto_pilot_approval", approvals::answer),
    ("auto_runbook_insert_one", playbooks::insert),
    ("auto_runbook_edit_one", playbooks::edit),
    ("auto_runbook_update_status", playbooks::update_status),
    ("auto_runbook_manually_run", typed!(playbook_runs::run)),
    ("auto_runbook_skip_execution", playbook_runs::skip),
    ("auto_runbook_task_manual_run", typed!(playbook_runs::run_task)),
    ("auto_runbook_task_change_approval_status", playbook_runs::approve_task),
];

const PILOTS: States = States {
    what: "an auto-pilot",
    steps: &[
        ("Active", &["Dryrun", "Disabled"]),
        ("Dryrun", &["Active", "Disabled"]),
        ("Disabled", &["Active", "Dryrun"]),
        // A draft waits for consent. Only an edit that needs consent makes an auto-pilot a draft again.
        ("DRAFT", &["Active", "Dryrun", "Disabled"]),
    ],
};

const APPROVALS: States = States {
    what: "a consent",
    steps: &[("PENDING", &["APPROVED", "REJECTED"]), ("APPROVED", &[]), ("REJECTED", &[])],
};

const PLAYBOOKS: States = States {
    what: "a playbook",
    steps: &[("ACTIVE", &["DISABLED"]), ("DISABLED", &["ACTIVE"]), ("DRAFT", &["ACTIVE", "DISABLED"])],
};
