//! Tables and lookups of `schema/tables/events.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// A change of many events at once, done in the background.
    EventBulkOperation in event_bulk_operations by id {
        id: Id<EventBulkOperation>,
        /// The account whose events are changed.
        account_id: Id<CloudAccount>,
        /// The judgement that caused it.
        classification_id: Option<Id<EventClassification>>,
        completed_at: Option<Timestamp>,
        error_message: Option<String>,
        /// Only events with this fingerprint.
        fingerprint: Option<String>,
        /// What is done.
        operation_type: String,
        /// How many are done.
        processed_events: Option<i64>,
        /// The triage rule that caused it.
        rule_id: Option<Id<EventTriageRule>>,
        /// queued, processing, completed or failed.
        status: Option<String>,
        /// The triage status the events get.
        target_status: String,
        /// How many there are to do.
        total_events: Option<i64>,
        created_at: Option<Timestamp>,
        created_by: Option<Uuid>,
    }
}

table! {
    /// A person's judgement of an event: right, harmless, wrong or a duplicate.
    EventClassification in event_classification by id {
        id: Id<EventClassification>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// this_event, this_fingerprint or time_limited: what else the judgement holds for.
        apply_scope: Option<String>,
        /// End of a time_limited judgement.
        apply_until: Option<Timestamp>,
        /// true_positive, benign_positive, false_positive or duplicate.
        classification: String,
        classified_at: Option<Timestamp>,
        classified_by: Uuid,
        /// Priority the person finds right.
        corrected_priority: Option<String>,
        event_id: Id<Event>,
        /// What was known about the event at that moment.
        feature_snapshot: Option<Json>,
        /// The event it is a duplicate of.
        linked_event_id: Option<Id<Event>>,
        /// Priority before.
        original_priority: Option<String>,
        /// Score before, 0 to 100.
        original_score: Option<i64>,
        /// too_high, correct or too_low.
        priority_direction: Option<String>,
        /// Why, from the list that belongs to the classification.
        reason_code: String,
        /// Why, in the person's words.
        reason_text: Option<String>,
        /// The triage rule made from it.
        rule_id: Option<Id<EventTriageRule>>,
        created_at: Option<Timestamp>,
        updated_at: Option<Timestamp>,
    }
}

table! {
    /// Two events that belong together, seen from one of them.
    EventCorrelation in event_correlations by id {
        id: Id<EventCorrelation>,
        tenant_id: Option<Uuid>,
        cloud_account_id: Uuid,
        /// Why, in a sentence.
        correlation_reason: String,
        /// How sure that is, 0 to 1.
        correlation_score: Decimal,
        /// upstream_dependency, downstream_impact, same_namespace, temporal_proximity, likely_root_cause or same_service.
        correlation_type: String,
        /// Steps between the two in the graph of services.
        dependency_distance: i64,
        event_id: Id<Event>,
        related_event_id: Id<Event>,
        /// How much later the related event began; negative for earlier.
        time_offset_minutes: i64,
        created_at: Timestamp,
    }
}

table! {
    /// Where an event stands in the series of events with its fingerprint.
    EventDuplicate in event_duplicates by id {
        id: Id<EventDuplicate>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// Start of the first one ever.
        absolute_first_seen_at: Option<Timestamp>,
        event_id: Id<Event>,
        /// What makes them the same.
        fingerprint: String,
        /// The first of the series.
        first_event_id: Id<Event>,
        /// Counted from 1.
        occurrence_number: i64,
        /// The one before.
        previous_event_id: Id<Event>,
        time_since_first_seconds: i64,
        time_since_previous_seconds: i64,
        created_at: Timestamp,
    }
}

table! {
    /// One change of one event.
    EventHistory in event_history by id {
        id: Id<EventHistory>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        change_reason: String,
        /// What changed: priority, status, urgency, evidences, labels, ends_at or updated_at; playbook where one was run for the event, `new_value` is its name then.
        change_type: String,
        changed_at: ZonedTimestamp,
        /// The person; none when the service did it.
        changed_by: Option<Uuid>,
        event_id: Id<Event>,
        /// What else is worth knowing about the change.
        metadata: Option<Json>,
        /// After.
        new_value: Json,
        /// Before.
        old_value: Option<Json>,
    }
}

table! {
    /// A message another system sent, before it becomes an event.
    EventIncomingWebhook in event_incoming_webhooks by id {
        id: Id<EventIncomingWebhook>,
        tenant_id: Id<Tenant>,
        account_id: Id<CloudAccount>,
        /// When the sender says it happened.
        event_created_at: Timestamp,
        event_description: Option<String>,
        /// The sender's own id.
        event_id: String,
        /// Priority in the sender's words.
        event_priority: Option<String>,
        /// Status in the sender's words.
        event_status: Option<String>,
        event_title: String,
        event_type: String,
        event_url: Option<String>,
        /// The connection it came through.
        integration_id: Uuid,
        /// The kind of system that sent it.
        integration_type: String,
        /// The message as it came.
        raw: Option<String>,
        /// The address it was sent to.
        webhook_id: String,
    }
}

table! {
    /// An address that monitoring systems send alerts to. Who knows its token may send; nothing can be read with it.
    WebhookReceiver in webhook_receiver by id {
        id: Id<WebhookReceiver>,
        tenant_id: Id<Tenant>,
        /// The account its events belong to.
        account_id: Id<CloudAccount>,
        name: String,
        /// SHA-256 of the token, lower-case hex.
        token_hash: Secret<String>,
        /// Messages taken since it was made.
        received: i64,
        /// When the latest message came, taken or not.
        received_at: Option<ZonedTimestamp>,
        /// Why the latest message was refused; none when it was taken.
        last_error: Option<String>,
        /// Messages of the minute that began at `minute_started_at`: more than the limit are refused.
        minute_count: i64,
        minute_started_at: Option<ZonedTimestamp>,
        created_at: ZonedTimestamp,
        created_by: Option<Id<User>>,
        /// From then on nothing is taken any more.
        revoked_at: Option<ZonedTimestamp>,
    }
}

table! {
    /// What an analysis of the logs around an event found.
    EventLogAnalysis in event_log_analysis by id {
        id: Id<EventLogAnalysis>,
        cloud_account_id: Option<Uuid>,
        /// The finding in full.
        analysis: Option<String>,
        /// Which analysis.
        analysis_type: String,
        /// Kind of event; one analysis can serve all of a kind.
        event_aggregation_key: Option<String>,
        /// Events with this fingerprint share it.
        event_fingerprint: Option<String>,
        event_id: Id<Event>,
        recorded_at: Timestamp,
        status: EventLogAnalysisStatus,
        /// Why it failed.
        status_reason: Option<String>,
        /// The finding in a sentence or two.
        summary: Option<String>,
        updated_at: Option<Timestamp>,
    }
}

lookup! {
    /// How far an analysis of logs is.
    EventLogAnalysisStatus {
        /// The finding is there.
        Completed = "COMPLETED",
        /// It ended without a finding.
        Failed = "FAILED",
        /// It is being worked on.
        InProgress = "IN_PROGRESS",
    }
}

table! {
    /// How far an analysis of logs is.
    EventLogAnalysisStatusRow in event_log_analysis_status by value {
        value: String,
        description: Option<String>,
    }
}

table! {
    /// An attempt to resolve an event.
    EventResolution in event_resolution by id {
        id: Id<EventResolution>,
        /// What else belongs to it.
        data: Option<Json>,
        event_id: Id<Event>,
        /// Which one.
        resolver_id: String,
        /// User, AutoOptimize or AutoRunbook.
        resolver_type: String,
        /// InProgress, Configuring, Success or Failed.
        status: String,
        /// Why, when it failed.
        status_message: Option<String>,
        /// PullRequest, Ticket or DeploymentChange.
        r#type: String,
        /// Which pull request, ticket or change.
        type_reference_id: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How urgent an alert of a rule is.
    EventRuleSeverity {
        /// Someone has to act now.
        Critical = "critical",
        /// Someone should look soon.
        Warning = "warning",
    }
}

table! {
    /// How urgent an alert of a rule is.
    EventRuleSeverityRow in event_rule_severity by value {
        value: String,
    }
}

lookup! {
    /// Who evaluates a rule for alerts.
    EventRuleSource {
        /// The audit trail of AWS.
        AwsCloudTrail = "AWS_CloudTrail",
        /// An alarm of AWS CloudWatch.
        AwsCloudWatchAlarm = "AWS_CloudWatch_Alarm",
        /// A rule of AWS EventBridge.
        AwsEventBridge = "AWS_EventBridge",
        /// An alert of Azure Monitor.
        AzureMonitorAlert = "Azure_Monitor_Alert",
        /// Azure Monitor, by webhook.
        AzureMonitorWebhook = "azure_monitor_webhook",
        /// Chronosphere.
        Chronosphere = "chronosphere",
        /// Datadog, by webhook.
        DatadogWebhook = "datadog_webhook",
        /// The service itself; the name is the interface's.
        Nudgebee = "nudgebee",
        /// Prometheus in the cluster.
        Prometheus = "prometheus",
        /// ServiceNow, by webhook.
        ServicenowWebhook = "servicenow_webhook",
    }
}

table! {
    /// Who evaluates a rule for alerts.
    EventRuleSourceRow in event_rule_source by value {
        value: String,
    }
}

table! {
    /// A rule that raises an alert, as its source knows it.
    EventRule in event_rules by id {
        id: Id<EventRule>,
        tenant_id: Uuid,
        account_id: Uuid,
        /// Name of the alert.
        alert: String,
        /// Texts that go out with it.
        annotations: Json,
        category: String,
        /// How long the condition must hold, such as `5m`.
        duration: Option<String>,
        enabled: bool,
        /// The condition, in the language of the source.
        expr: String,
        /// The group of rules it belongs to.
        group: Option<String>,
        /// Whether it can be changed here.
        is_editable: Option<bool>,
        /// Labels every alert of the rule gets.
        labels: Json,
        name: Option<String>,
        namespace: Option<String>,
        severity: EventRuleSeverity,
        source: EventRuleSource,
        created_at: Timestamp,
        created_by: Option<Uuid>,
        updated_at: Timestamp,
        updated_by: Option<Uuid>,
    }
}

lookup! {
    /// How bad an event is.
    EventSeverity {
        /// Of interest to whoever is looking for a fault.
        Debug = "DEBUG",
        /// Something is broken or about to be.
        High = "HIGH",
        /// Worth knowing.
        Info = "INFO",
        /// Harmless unless it goes on.
        Low = "LOW",
        /// Something works worse than it should.
        Medium = "MEDIUM",
    }
}

table! {
    /// How bad an event is.
    EventSeverityRow in event_severity by value {
        value: String,
    }
}

lookup! {
    /// Where an event comes from.
    EventSource {
        /// The audit trail of AWS.
        AwsCloudTrail = "AWS_CloudTrail",
        /// An alarm of AWS CloudWatch.
        AwsCloudWatchAlarm = "AWS_CloudWatch_Alarm",
        /// A rule of AWS EventBridge.
        AwsEventBridge = "AWS_EventBridge",
        /// A metric alert of Azure.
        AzureMetricAlert = "Azure_MetricAlert",
        /// An alert of Azure Monitor.
        AzureMonitorAlert = "Azure_Monitor_Alert",
        /// Found by comparing a metric or a cost with its past.
        Anomaly = "anomaly",
        /// Azure Monitor, by webhook.
        AzureMonitorWebhook = "azure_monitor_webhook",
        /// Sent back by something the service had started.
        Callback = "callback",
        /// Chronosphere.
        Chronosphere = "chronosphere",
        /// Datadog, by webhook.
        DatadogWebhook = "datadog_webhook",
        /// A release of a Helm chart.
        HelmRelease = "helm_release",
        /// The event stream of a cluster.
        KubernetesApiServer = "kubernetes_api_server",
        /// Written by a person.
        Manual = "manual",
        /// The service itself; the name is the interface's.
        Nudgebee = "nudgebee",
        /// PagerDuty, by webhook.
        PagerdutyWebhook = "pagerduty_webhook",
        /// An alert of Prometheus.
        Prometheus = "prometheus",
        /// Raised on a schedule.
        Scheduler = "scheduler",
        /// ServiceNow, by webhook.
        ServicenowWebhook = "servicenow_webhook",
        /// A service level objective that is not met.
        Slo = "slo",
        /// Raised by a workflow.
        Workflow = "workflow",
        /// Zenduty, by webhook.
        ZendutyWebhook = "zenduty_webhook",
        /// Dynatrace, by webhook.
        DynatraceWebhook = "dynatrace_webhook",
        /// Grafana, by webhook.
        GrafanaWebhook = "grafana_webhook",
        /// New Relic, by webhook.
        NewrelicWebhook = "newrelic_webhook",
        /// Opsgenie, by webhook.
        OpsgenieWebhook = "opsgenie_webhook",
        /// Alertmanager, by webhook.
        PrometheusAlertmanagerWebhook = "prometheus_alertmanager_webhook",
    }
}

table! {
    /// Where an event comes from.
    EventSourceRow in event_source by value {
        value: String,
    }
}

lookup! {
    /// Whether what an event tells of is still going on, as its source says.
    EventStatus {
        /// Put away.
        Closed = "CLOSED",
        /// Going on.
        Firing = "FIRING",
        /// Over.
        Resolved = "RESOLVED",
    }
}

table! {
    /// Whether what an event tells of is still going on, as its source says.
    EventStatusRow in event_status by value {
        value: String,
    }
}

table! {
    /// A rule that decides what happens to events that match it.
    EventTriageRule in event_triage_rules by id {
        id: Id<EventTriageRule>,
        tenant_id: Option<Uuid>,
        /// Holds for this account; none for all of the tenant.
        account_id: Option<Uuid>,
        /// suppress, drop, adjust_score, auto_classify_duplicate or auto_classify_fp.
        action: String,
        /// What the action needs to know.
        action_value: Option<Json>,
        /// Whether an account may replace it by a rule of its own.
        can_override: Option<bool>,
        description: Option<String>,
        /// Holds from here.
        effective_from: Option<Timestamp>,
        /// Holds until here.
        effective_until: Option<Timestamp>,
        enabled: Option<bool>,
        /// Whether it can be changed here.
        is_editable: Option<bool>,
        last_matched_at: Option<Timestamp>,
        match_alertname: Option<String>,
        /// How many events it matched so far.
        match_count: Option<i64>,
        match_finding_type: Option<String>,
        match_fingerprint: Option<String>,
        /// Labels an event must carry.
        match_labels: Option<Json>,
        match_namespace: Option<String>,
        /// Only from the occurrence after this one.
        match_occurrence_greater_than: Option<i64>,
        match_priority: Option<String>,
        match_service: Option<String>,
        match_source: Option<String>,
        name: Option<String>,
        /// The rule this one replaces.
        override_rule_id: Option<Id<EventTriageRule>>,
        /// Rules are tried from the smallest number up.
        priority: Option<i64>,
        reason: Option<String>,
        /// suppression, scoring or classification.
        rule_type: String,
        created_at: Option<Timestamp>,
        created_by: Option<Uuid>,
        updated_at: Option<Timestamp>,
        updated_by: Option<Uuid>,
    }
}

table! {
    /// Something happened to a workload, a resource or an account and may need someone.
    Event in events by id {
        id: Id<Event>,
        tenant: Id<Tenant>,
        cloud_account_id: Option<Id<CloudAccount>>,
        /// The kind of event, such as the name of the alert.
        aggregation_key: String,
        /// A coarser kind.
        category: Option<String>,
        cloud_resource_id: Option<Uuid>,
        /// Name of the cluster or account it happened in.
        cluster: String,
        /// P0 (worst) to P3, from the score.
        computed_priority: Option<String>,
        /// How much it matters, 0 to 100.
        computed_score: Option<i64>,
        description: Option<String>,
        /// When it ended; none while it goes on.
        ends_at: Option<Timestamp>,
        /// What was found while looking into it: logs, metrics, changes.
        evidences: Json,
        /// Why looking into it failed.
        failure: Option<String>,
        /// The source's own id of this event.
        finding_id: String,
        /// What the source calls this sort of event.
        finding_type: String,
        /// Events with the same fingerprint are the same thing happening again.
        fingerprint: Option<String>,
        /// Labels the source gave it.
        labels: Option<Json>,
        /// Where triage stands: OPEN, ACKNOWLEDGED, INVESTIGATING, ACTION_REQUIRED, SNOOZED, SUPPRESSED, DROPPED, RESOLVED or DUPLICATE.
        nb_status: Option<String>,
        nb_status_changed_at: Option<Timestamp>,
        /// The person; none when the service did it.
        nb_status_changed_by: Option<Uuid>,
        /// Who or what caused it, where an audit trail says so.
        principal: Option<String>,
        /// How bad it is, as its source says.
        priority: EventSeverity,
        /// How sure the score is, 0 to 1.
        score_confidence: Option<Decimal>,
        /// What the score is made of.
        score_factors: Option<Json>,
        /// The service it belongs to.
        service_key: Option<String>,
        /// Until then nobody wants to see it.
        snoozed_until: Option<Timestamp>,
        source: Option<EventSource>,
        /// When it began.
        starts_at: Option<Timestamp>,
        /// Whether it goes on, as its source says.
        status: Option<EventStatus>,
        subject_name: String,
        subject_namespace: Option<String>,
        subject_node: Option<String>,
        /// The workload that owns the subject.
        subject_owner: Option<String>,
        subject_owner_kind: Option<String>,
        /// What it happened to: pod, node, deployment, resource.
        subject_type: Option<String>,
        title: String,
        /// How soon someone has to act.
        urgency: EventSeverity,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// Something worth knowing about the applications of an account.
    Insight in insight by id {
        id: Id<Insight>,
        tenant: Uuid,
        account_id: Uuid,
        /// The applications it is about.
        applications: Option<Json>,
        resource_id: Option<Uuid>,
        /// The rule that found it.
        rule: Option<Json>,
        severity: Option<InsightSeverity>,
        source: String,
        status: String,
        title: String,
        /// What sort of insight.
        r#type: String,
        /// The same insight found again has the same id.
        unique_id: String,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

lookup! {
    /// How much an insight matters.
    InsightSeverity {
        /// It hurts already.
        Critical = "Critical",
        /// It will hurt soon.
        High = "High",
        /// Good to know.
        Low = "Low",
        /// Worth an hour of someone's time.
        Medium = "Medium",
    }
}

table! {
    /// How much an insight matters.
    InsightSeverityRow in insight_severity by value {
        value: String,
        comment: String,
    }
}

table! {
    /// Events with where they stand in the series of their fingerprint. What listings read; not in the interface.
    EventsTraced in events_traced by id {
        id: Id<EventsTraced>,
        tenant: Uuid,
        cloud_account_id: Option<Uuid>,
        cloud_resource_id: Option<Uuid>,
        finding_id: String,
        title: String,
        description: Option<String>,
        source: Option<String>,
        aggregation_key: String,
        failure: Option<String>,
        finding_type: String,
        category: Option<String>,
        priority: String,
        subject_type: Option<String>,
        subject_name: String,
        subject_namespace: Option<String>,
        subject_node: Option<String>,
        subject_owner: Option<String>,
        /// The owner, else the subject.
        subject_owner_or_name: String,
        service_key: Option<String>,
        cluster: String,
        starts_at: Option<Timestamp>,
        ends_at: Option<Timestamp>,
        fingerprint: Option<String>,
        evidences: Json,
        status: Option<String>,
        principal: Option<String>,
        labels: Option<Json>,
        urgency: String,
        computed_score: Option<i64>,
        computed_priority: Option<String>,
        score_factors: Option<Json>,
        score_confidence: Option<Decimal>,
        nb_status: Option<String>,
        /// How urgent the triage status is; ACTION_REQUIRED is most.
        nb_status_rank: i64,
        snoozed_until: Option<Timestamp>,
        nb_status_changed_at: Option<Timestamp>,
        nb_status_changed_by: Option<Uuid>,
        created_at: Timestamp,
        updated_at: Timestamp,
        /// Start of the first event with the fingerprint.
        first_seen_at: Option<Timestamp>,
        /// Counted from 1.
        occurrence_number: Option<i64>,
        pr_url: Option<String>,
        pr_title: Option<String>,
    }
}
