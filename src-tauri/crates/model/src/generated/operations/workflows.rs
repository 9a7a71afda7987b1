//! Types of `schema/operations/workflows.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// Which workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowGetRequest {
    pub account_id: String,
    pub id: String,
}

/// A workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct Workflow {
    pub account_id: String,
    pub created_at: Option<String>,
    pub created_by: Option<String>,
    pub created_by_user: Option<WorkflowUser>,
    pub definition: WorkflowDefinition,
    pub id: String,
    /// How its latest run stands.
    pub last_execution_status: Option<String>,
    /// When its latest run was asked for.
    pub last_execution_time: Option<String>,
    /// What its latest run waits for: approval, or decision where nobody knows whether a task had its effect; none while it runs.
    pub last_execution_waits_for: Option<String>,
    pub name: String,
    /// ACTIVE, PAUSED or INACTIVE.
    pub status: Option<String>,
    /// Tags by name.
    pub tags: Option<serde_json::Value>,
    pub tenant_id: String,
    pub updated_at: Option<String>,
    pub updated_by: Option<String>,
    pub updated_by_user: Option<WorkflowUser>,
}

/// A person.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowUser {
    pub display_name: Option<String>,
    pub id: Option<String>,
}

/// What a workflow is made of.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowDefinition {
    /// What is done when it ends.
    pub hooks: Option<Vec<WorkflowDefinitionHook>>,
    /// What it is given.
    pub inputs: Option<Vec<WorkflowDefinitionInput>>,
    /// What it gives.
    pub output: Option<serde_json::Value>,
    pub retry_policy: Option<WorkflowDefinitionRetryPolicy>,
    pub tasks: Option<Vec<WorkflowDefinitionTask>>,
    /// How long all of it may take, such as 1h.
    pub timeout: Option<String>,
    /// What starts it.
    pub triggers: Option<Vec<WorkflowDefinitionTrigger>>,
    /// The form of the definition; v1 unless given.
    pub version: Option<String>,
}

/// What is done when something ends.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowDefinitionHook {
    pub always: Option<Vec<WorkflowDefinitionHookAction>>,
    pub failure: Option<Vec<WorkflowDefinitionHookAction>>,
    pub success: Option<Vec<WorkflowDefinitionHookAction>>,
}

/// One task of a hook.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDefinitionHookAction {
    pub params: Option<serde_json::Value>,
    pub r#type: String,
}

/// Something a workflow is given.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDefinitionInput {
    /// What it is when it is not given; JSON when it is no text.
    pub default: Option<String>,
    pub description: Option<String>,
    pub id: String,
    /// string, number, integer, boolean, object or array; any unless given.
    pub r#type: Option<String>,
}

/// How often and when something that failed is tried again.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowDefinitionRetryPolicy {
    pub backoff_coefficient: Option<Number>,
    pub initial_interval: Option<String>,
    pub maximum_attempts: Option<i64>,
    pub maximum_interval: Option<String>,
    pub non_retryable_error_types: Option<Vec<String>>,
}

/// One task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDefinitionTask {
    /// Tasks that come first.
    pub depends_on: Option<Vec<String>>,
    pub failure_policy: Option<WorkflowDefinitionFailurePolicyResponse>,
    pub hooks: Option<WorkflowDefinitionHook>,
    pub id: String,
    /// It is skipped unless this holds.
    pub r#if: Option<String>,
    /// It runs once for each combination; JSON.
    pub matrix: Option<String>,
    pub outputs: Option<serde_json::Value>,
    pub params: Option<serde_json::Value>,
    /// What it gives in dry runs and test runs instead of being carried out.
    pub pinned_output: Option<serde_json::Value>,
    pub retry_policy: Option<WorkflowDefinitionRetryPolicy>,
    pub set_state: Option<serde_json::Value>,
    pub set_vars: Option<serde_json::Value>,
    /// Tasks within it.
    pub tasks: Option<Vec<WorkflowDefinitionTask>>,
    /// How long it may take, such as 10m.
    pub timeout: Option<String>,
    /// A name of workflow_list_taskdefinitions.
    pub r#type: String,
}

/// What happens when a task fails.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowDefinitionFailurePolicyResponse {
    /// continue or fail.
    pub action: Option<String>,
    pub retry: Option<WorkflowDefinitionRetryPolicyResponse>,
}

/// How often and when a failed task is tried again.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowDefinitionRetryPolicyResponse {
    pub backoff_coefficient: Option<Number>,
    pub initial_interval: Option<String>,
    pub maximum_attempts: Option<i64>,
    pub maximum_interval: Option<String>,
    pub non_retryable_error_types: Option<Vec<String>>,
}

/// What starts a workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDefinitionTrigger {
    /// What the kind of trigger needs to know.
    pub params: Option<serde_json::Value>,
    /// schedule, manual, webhook, event, optimization, import, budget or anomaly.
    pub r#type: String,
}

/// Which workflows to count.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowCountRequest {
    pub account_id: String,
    /// ACTIVE, PAUSED or INACTIVE.
    pub status: Option<String>,
    /// schedule, manual, webhook, event, optimization, import, budget or anomaly.
    pub trigger_type: Option<String>,
}

/// A number of workflows.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowCountResponse {
    pub count: i64,
}

/// Which workflows to list.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowListRequest {
    pub account_id: String,
    /// How the latest run stands.
    pub last_execution_status: Option<String>,
    /// 1 to 1000.
    pub limit: Option<i64>,
    /// A part of the name; upper and lower case are the same.
    pub name: Option<String>,
    /// What the page before gave.
    pub next_page_token: Option<String>,
    pub status: Option<String>,
    /// `name=value` or `name`; several with commas must all fit.
    pub tags: Option<String>,
    /// schedule, manual, webhook, event, optimization, import, budget or anomaly.
    pub r#type: Option<String>,
}

/// A page of workflows.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowListResponse {
    /// For the next page; empty on the last.
    pub next_page_token: Option<String>,
    /// How many there are on all pages.
    pub total_count: Option<i64>,
    pub workflows: Option<Vec<Workflow>>,
}

/// Which run.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowExecutionGetRequest {
    pub account_id: String,
    pub id: String,
    pub workflow_id: String,
}

/// One run of a workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowExecutionGetResponse {
    pub close_time: Option<String>,
    pub error: Option<String>,
    pub id: String,
    pub inputs: Option<serde_json::Value>,
    /// The workflow that called it.
    pub parent_workflow_id: Option<String>,
    pub start_time: Option<String>,
    /// SCHEDULED, RUNNING, COMPLETED, FAILED, CANCELED, TERMINATED or TIMED_OUT.
    pub status: Option<String>,
    pub tasks: Option<Vec<WorkflowExecutionTaskResponse>>,
    /// Id of the person who asked for it.
    pub triggered_by: Option<String>,
    pub workflow_id: String,
    /// What it gave.
    pub workflow_result: Option<serde_json::Value>,
}

/// One task of one run.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowExecutionTaskResponse {
    /// How often it was tried.
    pub attempt: Option<i64>,
    /// The tasks that ran inside it, each with its path.
    pub children: Option<serde_json::Value>,
    pub end_time: Option<String>,
    pub error: Option<String>,
    /// Its id in the definition.
    pub id: String,
    pub input: Option<serde_json::Value>,
    pub output: Option<serde_json::Value>,
    pub start_time: Option<String>,
    /// SCHEDULED, STARTED, COMPLETED, FAILED, SKIPPED, TIMED_OUT, CANCELED or UNKNOWN: begun before the service ended, and a person decides.
    pub status: String,
    pub r#type: String,
}

/// Which runs to count.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowExecutionCountRequest {
    pub account_id: String,
    /// Asked for before this time.
    pub end_date: Option<String>,
    /// Asked for at this time or later.
    pub start_date: Option<String>,
    pub status: Option<String>,
    pub trigger_type: Option<String>,
    pub workflow_id: Option<String>,
}

/// A number of runs.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowExecutionCountResponse {
    pub count: i64,
}

/// Which runs to list.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowExecutionListRequest {
    pub account_id: String,
    /// The workflow.
    pub id: String,
    /// 1 to 1000.
    pub limit: Option<i64>,
    /// What the page before gave.
    pub next_page_token: Option<String>,
    pub status: Option<String>,
    pub trigger_type: Option<String>,
}

/// A page of runs.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowExecutionListResponse {
    pub executions: Option<Vec<WorkflowExecutionSummary>>,
    /// For the next page; empty on the last.
    pub next_page_token: Option<String>,
}

/// One run, without its tasks.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowExecutionSummary {
    pub close_time: Option<String>,
    pub id: String,
    pub parent_workflow_id: Option<String>,
    pub start_time: Option<String>,
    pub status: String,
    pub trigger_type: Option<String>,
    pub triggered_by: Option<String>,
    /// What it waits for: approval, or decision where nobody knows whether a task had its effect; none while it runs.
    pub waits_for: Option<String>,
    pub workflow_id: String,
}

/// Which tasks to list.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowTaskDefinitionListRequest {
    /// 1 to 1000; all unless given.
    pub limit: Option<i64>,
    /// A part of the name.
    pub name: Option<String>,
    pub offset: Option<i64>,
}

/// Tasks workflows can be made of.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowTaskDefinitionListResponse {
    pub tasks: Option<Vec<WorkflowTaskDefinitionResponse>>,
}

/// One kind of task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowTaskDefinitionResponse {
    pub description: String,
    /// Its parameters as JSON Schema.
    pub input_schema: Option<serde_json::Value>,
    pub name: String,
    /// What it gives as JSON Schema.
    pub output_schema: Option<serde_json::Value>,
}

/// A workflow and where it belongs.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowCreateRequest {
    pub account_id: String,
    pub workflow: WorkflowRequest,
}

/// What is written of a workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowRequest {
    pub definition: WorkflowDefinitionRequest,
    /// Unique within the account.
    pub name: String,
    /// ACTIVE, PAUSED or INACTIVE; PAUSED for a new workflow unless given.
    pub status: Option<String>,
    pub tags: Option<serde_json::Value>,
}

/// What a workflow is made of.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowDefinitionRequest {
    pub hooks: Option<Vec<Option<WorkflowDefinitionHookRequest>>>,
    pub inputs: Option<Vec<Option<WorkflowDefinitionInputRequest>>>,
    pub output: Option<serde_json::Value>,
    pub retry_policy: Option<WorkflowDefinitionRetryPolicyRequest>,
    pub tasks: Option<Vec<Option<WorkflowDefinitionTaskRequest>>>,
    /// How long all of it may take, such as 1h.
    pub timeout: Option<String>,
    pub triggers: Option<Vec<Option<WorkflowDefinitionTriggerRequest>>>,
    /// v1 unless given.
    pub version: Option<String>,
}

/// What is done when something ends.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowDefinitionHookRequest {
    pub always: Option<Vec<Option<WorkflowDefinitionHookActionRequest>>>,
    pub failure: Option<Vec<Option<WorkflowDefinitionHookActionRequest>>>,
    pub success: Option<Vec<Option<WorkflowDefinitionHookActionRequest>>>,
}

/// One task of a hook.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDefinitionHookActionRequest {
    pub params: Option<serde_json::Value>,
    pub r#type: String,
}

/// Something a workflow is given.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDefinitionInputRequest {
    pub default: Option<serde_json::Value>,
    pub description: Option<String>,
    pub id: String,
    pub required: Option<bool>,
    /// string, number, integer, boolean, object or array; any unless given.
    pub r#type: Option<String>,
}

/// How often and when something that failed is tried again.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowDefinitionRetryPolicyRequest {
    /// By how much each wait is longer than the one before; 1 or more.
    pub backoff_coefficient: Option<Number>,
    /// Before the second try, such as 1s.
    pub initial_interval: Option<String>,
    pub maximum_attempts: Option<i64>,
    pub maximum_interval: Option<String>,
    pub non_retryable_error_types: Option<Vec<Option<String>>>,
}

/// One task.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDefinitionTaskRequest {
    /// Ids of tasks that come first.
    pub depends_on: Option<Vec<String>>,
    pub failure_policy: Option<WorkflowDefinitionFailurePolicyRequest>,
    pub hooks: Option<WorkflowDefinitionHookRequest>,
    pub id: String,
    pub r#if: Option<String>,
    pub matrix: Option<serde_json::Value>,
    pub params: Option<serde_json::Value>,
    /// What it gives in dry runs and test runs instead of being carried out.
    pub pinned_output: Option<serde_json::Value>,
    pub set_state: Option<serde_json::Value>,
    pub set_vars: Option<serde_json::Value>,
    pub tasks: Option<Vec<Option<WorkflowDefinitionTaskRequest>>>,
    /// How long it may take, such as 10m.
    pub timeout: Option<String>,
    /// A name of workflow_list_taskdefinitions.
    pub r#type: String,
}

/// What happens when a task fails.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowDefinitionFailurePolicyRequest {
    /// continue or fail; fail unless given.
    pub action: Option<String>,
    pub retry: Option<WorkflowDefinitionRetryPolicyRequest>,
}

/// What starts a workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDefinitionTriggerRequest {
    /// schedule: `cron`, UTC. event: `event_type` or `filter`. optimization: `categories`, `rule_names`, `clusters` or `filter`.
    pub params: Option<serde_json::Value>,
    /// schedule, manual, webhook, event, optimization, import, budget or anomaly.
    pub r#type: String,
}

/// The new workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowCreateResponse {
    pub id: String,
    /// What a webhook must bring; told here only.
    pub token: Option<String>,
}

/// A workflow, and what is written over it.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowUpdateRequest {
    pub account_id: String,
    pub id: String,
    pub workflow: WorkflowRequest,
}

/// The workflow as it is now.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowUpdateResponse {
    pub account_id: Option<String>,
    pub created_at: Option<String>,
    pub created_by: Option<String>,
    pub definition: Option<serde_json::Value>,
    pub id: Option<String>,
    pub last_execution_status: Option<String>,
    pub name: Option<String>,
    pub status: Option<String>,
    pub tags: Option<serde_json::Value>,
    pub tenant_id: Option<String>,
    /// What starts it.
    pub trigger_details: Option<serde_json::Value>,
    pub updated_at: Option<String>,
    pub updated_by: Option<String>,
}

/// Which workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDeleteRequest {
    pub account_id: String,
    pub id: String,
}

/// That it is gone.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDeleteResponse {
    pub message: String,
}

/// The workflow as it is now: id, name and status.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowPauseResponse {
    pub data: Option<serde_json::Value>,
}

/// The workflow as it is now: id, name and status.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Serialize)]
pub struct WorkflowResumeResponse {
    pub data: Option<serde_json::Value>,
}

/// That the definition is sound.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowValidateResponse {
    pub message: Option<String>,
    /// What a run does otherwise than it may be meant, each with its place.
    pub warnings: Vec<String>,
}

/// Which workflow, and what it is given.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowTriggerRequest {
    pub account_id: String,
    pub id: String,
    pub inputs: Option<serde_json::Value>,
    /// A test run: tasks with a `pinned_output` give it instead of being carried out. All others are carried out.
    pub uses_pinned: Option<bool>,
}

/// The run that was begun.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowTriggerResponse {
    pub execution_id: String,
    /// The workflow.
    pub id: String,
}

/// A definition to try, and what it is given.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowDryrunRequest {
    pub account_id: String,
    pub definition: WorkflowDefinitionRequest,
    pub inputs: Option<serde_json::Value>,
}

/// What a run would do.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowDryrunResponse {
    /// The mistakes.
    pub error: Option<String>,
    /// `result`: what it would give. `would`: what each task would send or change, by its path.
    pub output: Option<serde_json::Value>,
    /// COMPLETED, FAILED or TIMED_OUT: how the run would end.
    pub status: String,
    pub tasks: Option<Vec<WorkflowExecutionTaskResponse>>,
}

/// Which run to repeat.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowRetriggerRequest {
    pub account_id: String,
    pub execution_id: String,
    /// The inputs of that run unless given.
    pub inputs: Option<serde_json::Value>,
    pub workflow_id: String,
}

/// The run that was begun.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowRetriggerResponse {
    pub execution_id: String,
    /// The workflow.
    pub id: String,
}

/// What this service carries out.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutomationStatus {
    /// For how many days runs are kept after they ended; 0: for ever.
    pub history_days: i64,
    /// Whether runs are carried out.
    pub is_on: bool,
    /// Programs that tasks may run.
    pub programs: Vec<AutomationProgram>,
    /// Whether HTTP tasks reach private networks.
    pub reaches_private: bool,
    /// Why runs are not carried out, and what switches them on.
    pub reason: Option<String>,
}

/// A program that tasks may run.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct AutomationProgram {
    /// Whether the administrator of the service allows it.
    pub is_allowed: bool,
    pub name: String,
    /// Where the machine has it; null where it has none.
    pub path: Option<String>,
}

/// Which questions.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowApprovalListRequest {
    /// All accounts unless given.
    pub account_id: Option<String>,
    /// Of this run alone.
    pub execution_id: Option<String>,
    /// 50 unless given.
    pub limit: Option<i64>,
    pub next_page_token: Option<String>,
    /// open, answered or all.
    pub status: Option<String>,
}

/// A page of questions.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowApprovalListResponse {
    pub approvals: Vec<WorkflowApproval>,
    /// Empty on the last page.
    pub next_page_token: String,
    pub total_count: i64,
}

/// Which questions.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct WorkflowApprovalCountRequest {
    /// All accounts unless given.
    pub account_id: Option<String>,
}

/// How many questions are open.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowApprovalCountResponse {
    pub count: i64,
    /// Those the caller may answer now.
    pub mine: i64,
}

/// A question that a run asks people.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowApproval {
    pub account_id: String,
    pub answer: Option<String>,
    pub answered_at: Option<String>,
    pub answered_by: Option<String>,
    /// People by e-mail and roles by name; empty: whoever may change workflows of the account.
    pub approvers: Vec<String>,
    pub asked_at: String,
    pub comments: Option<String>,
    /// The answer when nobody gives one in time; without one the task times out.
    pub default_on_timeout: Option<String>,
    pub due_at: Option<String>,
    /// Whether whoever began the run, or wrote its workflow, has no vote.
    pub excludes_author: bool,
    pub execution_id: String,
    pub id: String,
    /// Whether the caller may answer it now.
    pub may_answer: bool,
    pub message: String,
    /// People who must choose the first option.
    pub minimum: i64,
    pub options: Vec<String>,
    /// The place of the task in the run, such as loop/0/ask.
    pub path: String,
    /// What runs after the first answer, rendered, without secrets; null when nothing does.
    pub plan: Option<String>,
    /// Marks the plan: give it with an answer, and the answer counts for this plan alone.
    pub plan_id: Option<String>,
    /// recommendation, event or playbook; null for a person's workflow.
    pub purpose: Option<String>,
    /// Why the caller may not answer it.
    pub reason: Option<String>,
    /// OPEN, ANSWERED, EXPIRED or CANCELED.
    pub status: String,
    pub task_id: String,
    pub votes: Vec<WorkflowApprovalVote>,
    pub workflow_id: String,
    pub workflow_name: String,
}

/// What one person said.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowApprovalVote {
    pub comments: Option<String>,
    pub person: String,
    pub status: String,
    pub voted_at: String,
}

/// An answer to a question.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowApprovalAnswerRequest {
    pub comments: Option<String>,
    pub id: String,
    /// The `plan_id` that was shown.
    pub plan_id: Option<String>,
    /// One of the options.
    pub status: String,
}

/// What became of the question.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowApprovalAnswerResponse {
    pub answer: Option<String>,
    pub id: String,
    pub is_decided: bool,
    pub message: String,
    /// People who must still agree.
    pub missing: i64,
}

/// Which run to end.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowCancelRequest {
    pub account_id: String,
    pub execution_id: String,
    /// The workflow.
    pub id: String,
    /// Why; kept with the run.
    pub reason: Option<String>,
}

/// The run.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowCancelResponse {
    pub execution_id: String,
    pub message: Option<String>,
    /// CANCELED, or RUNNING while what must happen always still does.
    pub status: String,
}

/// Which run to begin again, and where.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowRunFromTaskRequest {
    pub account_id: String,
    pub execution_id: String,
    /// The inputs of that run unless given.
    pub inputs: Option<serde_json::Value>,
    /// A task of the workflow.
    pub task_id: String,
    pub workflow_id: String,
}

/// The run that was begun.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowRunFromTaskResponse {
    pub execution_id: String,
    /// The workflow.
    pub id: String,
    /// Tasks whose results were taken over.
    pub kept: Vec<String>,
}

/// A workflow as YAML.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowExportResponse {
    pub name: String,
    pub yaml: String,
}

/// A YAML text to read.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowYamlRequest {
    pub account_id: String,
    pub yaml: String,
}

/// What a YAML text says.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowYamlResponse {
    /// Null when the text is no YAML.
    pub definition: Option<serde_json::Value>,
    pub is_sound: bool,
    /// Each with its place: a line, or a part of the definition.
    pub mistakes: Vec<String>,
    pub name: Option<String>,
    /// What a run does otherwise than it may be meant, each with its place. The definition can be saved.
    pub warnings: Vec<String>,
}

/// A YAML text to write as a workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowImportRequest {
    pub account_id: String,
    /// The workflow it is written over; a new one without.
    pub id: Option<String>,
    /// Unless the text names it.
    pub name: Option<String>,
    pub yaml: String,
}

/// The workflow.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowImportResponse {
    pub id: String,
    pub message: String,
    pub name: String,
    /// What a webhook must bring, once.
    pub token: Option<String>,
}

/// Secrets of workflows.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowSecretListResponse {
    pub secrets: Vec<WorkflowSecret>,
}

/// A secret of workflows, without its value.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowSecret {
    /// Hosts it may be sent to; none: anywhere.
    pub hosts: Vec<String>,
    pub id: Uuid,
    /// Whether it is kept here, sealed; else it is one of the environment of the service.
    pub is_sealed: bool,
    /// What definitions call it: `Secrets.NAME`.
    pub name: String,
    pub updated_at: Option<String>,
    /// The person; none when they are gone.
    pub updated_by: Option<String>,
}

/// A secret to keep.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowSecretSaveRequest {
    /// Such as api.github.com, or *.example.com for all below it; none: anywhere. Left out: those that are kept; for a new GITHUB_TOKEN, GITLAB_TOKEN or SLACK_BOT_TOKEN its own service.
    pub hosts: Option<Vec<String>>,
    /// Letters, digits and _.
    pub name: String,
    /// The secret. Left out: the one that is kept, or that of the environment of the service.
    pub value: Option<String>,
}

/// The secret that is kept.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowSecretSaveResponse {
    pub id: Uuid,
    pub name: String,
}

/// A secret to forget.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Deserialize)]
pub struct WorkflowSecretDeleteRequest {
    pub name: String,
}

/// The secret that is forgotten.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct WorkflowSecretDeleteResponse {
    pub name: String,
}
