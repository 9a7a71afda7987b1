//! Tables and lookups of `schema/tables/automation.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A resource one automation looks after.
    AutoOptimizeResourceMap in auto_optimize_resource_map by id {
        id: Id<AutoOptimizeResourceMap>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// The automation.
        auto_optimize_id: Id<AutoPilot>,
        /// Its category.
        auto_optimize_type: String,
        /// The resource: namespace, type and name.
        resource_identifier: Json,
    }
}

table! {
    /// An automation that changes resources on a schedule or when a rule holds.
    AutoPilot in auto_pilot by id {
        id: Id<AutoPilot>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Its settings.
        attributes: Json,
        /// What it does.
        category: String,
        /// It stops here.
        end_at: Option<Timestamp>,
        execution_status: Option<String>,
        last_executed_time: Option<Timestamp>,
        last_schedule_time: Option<Timestamp>,
        name: String,
        next_schedule_time: Option<Timestamp>,
        /// Who hears of its runs, by channel.
        notification: Option<Json>,
        /// Which resources it looks after and when it acts.
        rule: Json,
        /// When it runs, as a cron line.
        schedule_time: Option<String>,
        /// Who made it: a person or a recommendation.
        source: Option<String>,
        /// It does nothing before.
        start_at: Timestamp,
        /// Whether it acts.
        status: AutoPilotStatus,
        /// What it is for, in a person's words.
        description: Option<String>,
        /// What starts it: a schedule or an event.
        trigger_type: Option<String>,
        created_by: Id<User>,
        /// When it was made.
        creation_date: Timestamp,
        update_date: Timestamp,
        update_by: Option<Id<User>>,
    }
}

table! {
    /// Who must agree before automations of an account act.
    AutoPilotApprovalPolicy in auto_pilot_approval_policy by id {
        id: Id<AutoPilotApprovalPolicy>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// The policy in detail.
        policy_attributes: Json,
        /// How consent is given, such as by any reviewer or by all.
        approval_type: Option<String>,
        /// Whether the policy is in force.
        status: Option<String>,
        created_at: Timestamp,
        created_by: Id<User>,
        updated_at: Option<Timestamp>,
        updated_by: Option<Id<User>>,
    }
}

lookup! {
    /// What a reviewer said.
    AutoPilotApprovalStatus {
        /// Yes.
        Approved = "APPROVED",
        /// Nothing yet.
        Pending = "PENDING",
        /// No.
        Rejected = "REJECTED",
    }
}

table! {
    /// What a reviewer said.
    AutoPilotApprovalStatusRow in auto_pilot_approval_status by status {
        status: String,
        description: Option<String>,
    }
}

table! {
    /// The consent of one reviewer to one automation. Asked for and answered through operations alone: auto_optimize_update_status, update_status_auto_pilot_approval.
    AutoPilotApproval in auto_pilot_approvals by id {
        id: Id<AutoPilotApproval>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// What was shown to the reviewer.
        attributes: Json,
        /// Category of the automation.
        auto_pilot_type: String,
        /// The automation.
        autopilot_id: Uuid,
        /// The policy that asks for the consent.
        policy_id: Id<AutoPilotApprovalPolicy>,
        reviewer_comments: Option<String>,
        reviewer_id: Id<User>,
        status: String,
        created_at: Timestamp,
        updated_at: Option<Timestamp>,
    }
}

lookup! {
    /// What an automation changes.
    AutoPilotCategory {
        /// The number of copies of a workload.
        HorizontalRightsize = "horizontal_rightsize",
        /// The processors and memory a workload asks for.
        VerticalRightsize = "vertical_rightsize",
    }
}

table! {
    /// What an automation changes.
    AutoPilotCategoryRow in auto_pilot_category by value {
        value: String,
        description: String,
    }
}

lookup! {
    /// Whether an automation is running now.
    AutoPilotExecutionStatus {
        /// It waits.
        Idle = "Idle",
        /// It runs.
        InProgress = "InProgress",
    }
}

table! {
    /// Whether an automation is running now.
    AutoPilotExecutionStatusRow in auto_pilot_execution_status by value {
        value: String,
        description: String,
    }
}

table! {
    /// A person whose automations need consent.
    AutoPilotReviewee in auto_pilot_reviewee by id {
        id: Id<AutoPilotReviewee>,
        tenant_id: Id<Tenant>,
        account_id: Uuid,
        policy_id: Id<AutoPilotApprovalPolicy>,
        user_id: Id<User>,
        created_at: Timestamp,
    }
}

table! {
    /// A person who gives consent to automations.
    AutoPilotReviewer in auto_pilot_reviewers by id {
        id: Id<AutoPilotReviewer>,
        tenant_id: Id<Tenant>,
        account_id: Uuid,
        policy_id: Id<AutoPilotApprovalPolicy>,
        user_id: Id<User>,
        created_at: Timestamp,
    }
}

lookup! {
    /// Whether an automation acts.
    AutoPilotStatus {
        /// It acts.
        Active = "Active",
        /// It is still being written.
        Draft = "DRAFT",
        /// It does nothing.
        Disabled = "Disabled",
        /// It says what it would do, and does nothing.
        Dryrun = "Dryrun",
    }
}

table! {
    /// Whether an automation acts.
    AutoPilotStatusRow in auto_pilot_status by value {
        value: String,
        description: String,
    }
}

table! {
    /// One thing an automation did or will do to one resource.
    AutoPilotTask in auto_pilot_task by id {
        id: Id<AutoPilotTask>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        attributes: Json,
        auto_pilot_id: Id<AutoPilot>,
        /// What is run.
        command: Option<String>,
        /// Why it failed.
        error: Option<String>,
        /// What is known about the run.
        meta: Json,
        name: String,
        /// Why it was done, skipped or failed.
        reason: Option<String>,
        /// The recommendation it carries out.
        recommendation_id: Option<Uuid>,
        /// The resource.
        resource_filter: Option<Json>,
        scheduled_time: Timestamp,
        /// The person who said not to do it.
        skipped_by: Option<Uuid>,
        status: AutoPilotTaskStatus,
        task_id: Option<Uuid>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How far a task of an automation is.
    AutoPilotTaskStatus {
        /// It was done and the effect was seen.
        Complete = "Complete",
        /// It was only said what would be done.
        Dryrun = "Dryrun",
        /// It was done.
        Executed = "Executed",
        /// It could not be done.
        Failed = "Failed",
        /// It is being done.
        InProgress = "In_Progress",
        /// Its time will come.
        Scheduled = "Scheduled",
        /// It will not be done.
        Skipped = "Skipped",
    }
}

table! {
    /// How far a task of an automation is.
    AutoPilotTaskStatusRow in auto_pilot_task_status by value {
        value: String,
        description: Option<String>,
    }
}

table! {
    /// A series of steps that runs when something happens or on a schedule.
    AutoPlaybook in auto_playbook by id {
        id: Id<AutoPlaybook>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// Its settings.
        attributes: Json,
        end_at: Option<Timestamp>,
        execution_status: String,
        last_executed_time: Option<Timestamp>,
        last_schedule_time: Option<Timestamp>,
        name: String,
        /// Who hears of its runs, by channel.
        notification: Json,
        /// Which resources it is for.
        resource_filter: Json,
        start_at: Timestamp,
        status: AutoPlaybookStatus,
        /// The steps.
        tasks: Json,
        /// What starts it.
        trigger: Json,
        created_at: Timestamp,
        created_by: Option<Id<User>>,
        /// When it was last changed; the spelling is the interface's.
        update_at: Timestamp,
        updated_by: Option<Id<User>>,
    }
}

table! {
    /// A step playbooks can be made of.
    AutoPlaybookAction in auto_playbook_actions by id {
        id: Id<AutoPlaybookAction>,
        /// Who offers the step; the spelling is the interface's.
        Source: String,
        category: String,
        /// What the step needs to know.
        config: Json,
        description: String,
        name: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How far a run of a playbook is.
    AutoPlaybookExecutionStatus {
        /// Every step was done.
        Complete = "COMPLETE",
        /// It went to the end; some steps failed.
        CompleteWithError = "COMPLETE_WITH_ERROR",
        /// It broke off.
        Failed = "FAILED",
        /// It runs.
        InProgress = "IN_PROGRESS",
        /// Its time will come.
        Scheduled = "SCHEDULED",
        /// It will not run.
        Skipped = "SKIPPED",
    }
}

table! {
    /// How far a run of a playbook is.
    AutoPlaybookExecutionStatusRow in auto_playbook_execution_status by values {
        values: String,
        description: String,
    }
}

table! {
    /// One run of a playbook.
    AutoPlaybookExecution in auto_playbook_executions by id {
        id: Id<AutoPlaybookExecution>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// What started it.
        attribute: Json,
        auto_playbook_id: Id<AutoPlaybook>,
        /// What is known about the run.
        meta: Option<Json>,
        scheduled_at: Timestamp,
        /// The person who said not to run it.
        skipped_by: Option<Id<User>>,
        /// in_progress and the like; not bound to a lookup.
        status: String,
        created_at: Timestamp,
        updated_at: Option<Timestamp>,
    }
}

lookup! {
    /// Whether a playbook runs.
    AutoPlaybookStatus {
        /// It runs.
        Active = "ACTIVE",
        /// It does not run.
        Disabled = "DISABLED",
        /// It is still being written.
        Draft = "DRAFT",
    }
}

table! {
    /// Whether a playbook runs.
    AutoPlaybookStatusRow in auto_playbook_status by value {
        value: String,
        description: String,
    }
}

table! {
    /// One step of one run of a playbook.
    AutoPlaybookTask in auto_playbook_task by id {
        id: Id<AutoPlaybookTask>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// The step it was made from.
        action_id: Option<Uuid>,
        /// Who does it, such as an agent.
        action_type: String,
        attributes: Json,
        auto_playbook_id: Id<AutoPlaybook>,
        /// Why it failed.
        error: Option<String>,
        /// The run.
        execution_id: Option<Id<AutoPlaybookExecution>>,
        /// What is known about the run of the step.
        meta_data: Json,
        name: String,
        /// Why it was skipped or failed.
        reason: Option<String>,
        /// What it was done to.
        resource: Option<Json>,
        /// What came of it.
        result: Option<String>,
        scheduled_time: Timestamp,
        status: String,
        task_type: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How far a step of a playbook is.
    AutoPlaybookTaskStatus {
        /// It was done and the effect was seen.
        Complete = "COMPLETE",
        /// It is known.
        Created = "CREATED",
        /// It was done.
        Executed = "EXECUTED",
        /// It could not be done.
        Failed = "FAILED",
        /// It is being done.
        InProgress = "IN_PROGRESS",
        /// A person must agree first.
        PendingApproval = "PENDING_APPROVAL",
        /// It waits for whoever does it.
        Queued = "QUEUED",
        /// Its time will come.
        Scheduled = "SCHEDULED",
        /// It will not be done.
        Skipped = "SKIPPED",
    }
}

table! {
    /// How far a step of a playbook is.
    AutoPlaybookTaskStatusRow in auto_playbook_task_status by value {
        value: String,
        description: Option<String>,
    }
}

table! {
    /// A named setting of all automations of the service.
    AutopilotAttribute in autopilot_attributes by id {
        id: Id<AutopilotAttribute>,
        key: String,
        value: String,
    }
}

table! {
    /// What one step of a run printed.
    RunbookTaskOutput in runbook_task_output by id {
        id: Id<RunbookTaskOutput>,
        tenant_id: Uuid,
        account_id: Uuid,
        /// The bytes as they came.
        output: String,
        runbook_id: Uuid,
        task_id: Uuid,
    }
}

table! {
    /// A ticket in a tracker that was opened from here.
    Ticket in tickets by id {
        id: Id<Ticket>,
        tenant: Id<Tenant>,
        account_id: Option<Uuid>,
        assignee: Option<String>,
        description: Option<String>,
        /// Why the tracker has not taken it, in its own words.
        error_message: Option<String>,
        /// The connection to the tracker; all zeros for a ticket that is kept here.
        integration_id: Uuid,
        /// Whether the tracker has not yet confirmed it.
        is_new: Option<bool>,
        /// The tracker.
        platform: TicketToolTypes,
        /// The project of the tracker.
        project_key: String,
        /// What it was opened for.
        reference_id: String,
        reporter: Option<String>,
        severity: Option<String>,
        /// What it was opened from.
        source: Option<TicketSourceType>,
        /// Open while it is kept here alone, Pending while a tracker is asked, Failed when that does not take it; then the tracker's own words.
        status: Option<String>,
        tags: Option<String>,
        /// Its number in the tracker; `QD-1` and so on until a tracker has given it one.
        ticket_id: String,
        ticket_type: String,
        title: String,
        url: Option<String>,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
    }
}

table! {
    /// A ticket on its way to a tracker.
    TicketSending in ticket_sending by ticket {
        ticket: Id<Ticket>,
        tenant: Id<Tenant>,
        /// The connection to the tracker.
        integration: Uuid,
        /// How often it was begun. One that was may be in the tracker, whatever came of it.
        tries: i64,
        /// When it is tried next. While it is being tried: when whoever does is taken for gone.
        due_at: ZonedTimestamp,
        /// Whoever tries it, by a random id.
        claim: Option<Uuid>,
        opened_at: ZonedTimestamp,
    }
}

table! {
    /// A connection to a tracker.
    JiraConfiguration in jira_configurations by id {
        id: Id<JiraConfiguration>,
        tenant: Id<Tenant>,
        /// How it is told who asks: basic (username and password, or an e-mail address and a token) or token.
        auth_type: String,
        /// Whether tickets are sent to it.
        is_active: bool,
        /// When it last answered a test.
        last_connected: Option<Timestamp>,
        name: String,
        /// The key to it, sealed with a key that is not in the database.
        password: Secret<String>,
        /// The priorities it knows.
        priorities: Option<Json>,
        /// The projects tickets go to: the first one, unless a ticket names another.
        projects: Option<Json>,
        /// What the last test showed.
        status: Option<String>,
        /// The kind of tracker.
        tool: TicketToolTypes,
        url: String,
        /// Who signs in there; for PagerDuty the e-mail address in whose name incidents are opened.
        username: String,
        /// The people it knows.
        users: Option<Json>,
        created_at: Timestamp,
        created_by: Uuid,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

lookup! {
    /// Trackers tickets can be opened in.
    TicketToolTypes {
        /// GitHub issues.
        Github = "github",
        /// GitLab issues.
        Gitlab = "gitlab",
        /// Jira.
        Jira = "jira",
        /// PagerDuty.
        Pagerduty = "pagerduty",
        /// None: the ticket is kept here.
        Quarterdeck = "quarterdeck",
        /// ServiceNow.
        Servicenow = "servicenow",
        /// Zenduty.
        Zenduty = "zenduty",
    }
}

lookup! {
    /// What a ticket was opened from.
    TicketSourceType {
        /// A repair the service made by itself.
        AutoHeal = "auto_heal",
        /// An automation that saves money.
        AutoOptimise = "auto_optimise",
        /// A run of a runbook nobody started.
        AutoRunbook = "auto_runbook",
        /// A finding in AWS.
        Aws = "aws",
        /// A finding in Azure.
        Azure = "azure",
        /// An event.
        Event = "event",
        /// A finding in Google Cloud.
        Gcp = "gcp",
        /// A finding in a cluster.
        Kubernetes = "kubernetes",
        /// A run of a playbook.
        Playbook = "playbook",
        /// A recommendation.
        Recommendation = "recommendation",
        /// A run of a runbook.
        Runbook = "runbook",
        /// A finding in Snowflake.
        Snowflake = "snowflake",
        /// A person, by hand.
        Ui = "ui",
    }
}
