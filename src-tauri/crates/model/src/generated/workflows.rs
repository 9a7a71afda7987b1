//! Tables and lookups of `schema/tables/workflows.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::table::table;

table! {
    /// A series of tasks of one account, with what starts it.
    Workflow in workflow by id {
        id: Id<Workflow>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        name: String,
        /// ACTIVE, PAUSED (runs by hand only) or INACTIVE (does not run).
        status: String,
        /// Triggers, inputs, tasks, hooks and policies, as checked when it was written.
        definition: Json,
        /// What starts it, each once, as a list of texts: what lists are filtered by.
        trigger_types: Json,
        /// How often the definition was written; 1 is the first.
        revision: i64,
        tags: Json,
        /// SHA-256 of what a webhook must bring to start it, lower-case hex; none without a webhook trigger.
        webhook_hash: Option<Secret<String>>,
        /// When its schedules are due next; none when they are not, or while automation is off.
        next_due_at: Option<Timestamp>,
        /// recommendation, event or playbook: what the service itself made it for; none for a person's. Lists show a person's alone.
        purpose: Option<String>,
        /// The row it was made for.
        purpose_id: Option<Uuid>,
        created_at: Timestamp,
        created_by: Option<Id<User>>,
        updated_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

table! {
    /// One run of a workflow, with the definition it runs by.
    WorkflowExecution in workflow_execution by id {
        id: Id<WorkflowExecution>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        workflow_id: Id<Workflow>,
        /// The definition as it was when the run was asked for.
        definition: Json,
        revision: i64,
        /// SCHEDULED until it begins; then RUNNING, and at last COMPLETED, FAILED, CANCELED, TERMINATED or TIMED_OUT.
        status: String,
        /// schedule, manual, webhook, event, optimization, import, budget or anomaly.
        trigger_type: String,
        /// The person who asked for it; none when nobody did.
        triggered_by: Option<Id<User>>,
        /// The run it repeats.
        repeats: Option<Id<WorkflowExecution>>,
        /// What it was given, defaults filled in.
        inputs: Json,
        result: Option<Json>,
        error: Option<String>,
        /// When it was asked for.
        start_time: Timestamp,
        close_time: Option<Timestamp>,
        /// When the engine looks at it next; none when nothing is due. While it is being carried out: when whoever does is taken for gone.
        due_at: Option<Timestamp>,
        /// Whoever carries it out, by a random id.
        claim: Option<Uuid>,
        /// A run of the same workflow that must be over first.
        waits_for: Option<Uuid>,
        /// The time of the schedule that started it.
        scheduled_for: Option<Timestamp>,
        /// What started it, such as event:ID: the same starts a workflow once.
        idempotency_key: Option<String>,
        /// The run whose task called it.
        parent_execution: Option<Uuid>,
        /// The path of that task.
        parent_path: Option<String>,
        /// How many runs called each other before it.
        depth: i64,
        /// recommendation, event or playbook: what the service itself began it for.
        purpose: Option<String>,
        /// The row it was begun for: a resolution, or a run of a playbook.
        purpose_id: Option<Uuid>,
        /// When a person ended it; what must happen always still does.
        canceled_at: Option<Timestamp>,
        /// Who did, and why.
        cancel_reason: Option<String>,
    }
}

table! {
    /// One task of one run.
    WorkflowExecutionTask in workflow_execution_task by id {
        id: Id<WorkflowExecutionTask>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        execution_id: Id<WorkflowExecution>,
        /// Where it stands in the run, from 0.
        place: i64,
        /// Its id and those of the tasks it is in, such as loop/0/send; empty before it began.
        path: String,
        /// Its id in the definition.
        task_id: String,
        task_type: String,
        /// SCHEDULED, STARTED, COMPLETED, FAILED, SKIPPED, TIMED_OUT or CANCELED.
        status: String,
        /// How often it was tried.
        attempt: i64,
        input: Option<Json>,
        output: Option<Json>,
        error: Option<String>,
        /// What it set for the tasks after it.
        vars: Json,
        /// When something is due for it: a try, or the end of a wait.
        due_at: Option<Timestamp>,
        /// As which task of its run it came to its end, hooks included, from 1; 0 before.
        settled: i64,
        start_time: Option<Timestamp>,
        end_time: Option<Timestamp>,
    }
}

table! {
    /// What runs of a workflow keep for later ones: set_state.
    WorkflowState in workflow_state by id {
        id: Id<WorkflowState>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        workflow_id: Id<Workflow>,
        key: String,
        value: Option<Json>,
        /// None: it is kept until another value takes its place.
        expires_at: Option<Timestamp>,
    }
}

table! {
    /// A question to a person that a run waits for.
    WorkflowWait in workflow_wait by id {
        id: Id<WorkflowWait>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        execution_id: Id<WorkflowExecution>,
        /// The path of the task that waits.
        path: String,
        /// Its id in the definition.
        task_id: String,
        message: String,
        /// What runs after the first answer, rendered, without secrets; none when nothing does.
        plan: Option<String>,
        /// Marks the plan: votes count for the plan they were given for.
        plan_hash: Option<String>,
        /// Who may answer and how many must: automation::approval.
        policy: Json,
        /// The answer when nobody gives one in time.
        default_answer: Option<String>,
        /// The answers to choose from.
        options: Json,
        /// SHA-256 of what the link holds, lower-case hex.
        token_hash: Secret<String>,
        /// When it is decided without an answer.
        due_at: Option<Timestamp>,
        asked_at: Timestamp,
        /// None while it is open.
        answered_at: Option<Timestamp>,
        answer: Option<String>,
        /// Who answered, as far as is known.
        answered_by: Option<String>,
        comments: Option<String>,
        /// Whether the run has gone on with the answer.
        is_taken: bool,
    }
}

table! {
    /// What one person says to a question that a run waits for.
    WorkflowVote in workflow_vote by id {
        id: Id<WorkflowVote>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        wait_id: Id<WorkflowWait>,
        user_id: Id<User>,
        /// One of the options.
        status: String,
        comments: Option<String>,
        voted_at: Timestamp,
    }
}

table! {
    /// An event whose end a run waits for.
    WorkflowEventWait in workflow_event_wait by id {
        id: Id<WorkflowEventWait>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        execution_id: Id<WorkflowExecution>,
        event_id: Id<Event>,
    }
}

table! {
    /// A secret that definitions name, with the hosts it may be sent to. Written by the operations about secrets alone.
    WorkflowSecret in workflow_secret by id {
        id: Id<WorkflowSecret>,
        tenant_id: Id<Tenant>,
        name: String,
        /// Sealed; none: the one of that name in the environment of the service.
        value: Option<Secret<String>>,
        /// Hosts it may be sent to, as texts; none: anywhere.
        hosts: Json,
        created_at: Timestamp,
        created_by: Option<Id<User>>,
        updated_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

table! {
    /// What this service carries out. One row; written when the service starts.
    WorkflowEngine in workflow_engine by id {
        id: i64,
        is_on: bool,
        /// HTTP tasks reach private networks.
        reaches_private: bool,
        /// What tasks may connect to beside the public network, as the settings list it.
        private_addresses: String,
        /// Programs that tasks may run: objects with name and path; the path is null where the machine has none.
        programs: Json,
        /// Services of repositories whose token the environment has: github, gitlab.
        repository_tokens: Json,
        /// Names of the secrets of the environment, without SECRET_.
        environment_names: Json,
        /// For how many days runs are kept after they ended; 0: for ever.
        history_days: i64,
    }
}
