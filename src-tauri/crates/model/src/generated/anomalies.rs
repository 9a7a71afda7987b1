//! Tables and lookups of `schema/tables/anomalies.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;
use crate::lookup::lookup;
use crate::table::table;

table! {
    /// One comparison of a metric or a cost with its past, and whether it was out of the ordinary.
    Anomaly in anomaly by id {
        id: Id<Anomaly>,
        tenant: Uuid,
        /// The account the metric or cost belongs to; of a value of a tag and of a total of the tenant, the tenant itself.
        account_id: Uuid,
        /// What was compared: CPU, Memory, Latency, Network, ErrorRate, APIRequest, Events; of costs CloudSpendService, CloudSpendTag, CloudSpendTotal, or new_service for a service that was not there before.
        anomaly_type: String,
        /// The rule that asked for the comparison.
        config_id: Option<Uuid>,
        /// What was measured on its first day, or in its first hour.
        current_value: Decimal,
        /// Moment of the comparison.
        evaluated_at: Timestamp,
        /// Whether it was out of the ordinary.
        is_anomaly: bool,
        /// The workload or service that was measured, or the kind of events; of a value of a tag `key: value`, of a total the service with the largest part in it.
        name: String,
        namespace: Option<String>,
        pod_name: Option<String>,
        /// What it was compared with: measured values of earlier periods, by name.
        reference_value: Json,
        /// End of the period the reference was learned from.
        training_end_time: Option<Timestamp>,
        /// service, tag for a value of a declared tag, or total for all accounts together; metric, or events for a number of events. Absent where another tool compared.
        scope: Option<String>,
        /// Of a cost: the currency of its amounts.
        currency: Option<String>,
        /// First and last day out of the ordinary.
        started_on: Option<Date>,
        ended_on: Option<Date>,
        /// NEW on its first day (or in its first hour), GROWING while it goes on, OVER when an ordinary one has followed.
        state: Option<String>,
        /// Of a cost: what its days cost beside what was expected of them, added up. Negative when they cost less. Nothing else is added up.
        impact: Option<Decimal>,
        /// The version of the rules that judged it. A new version judges anew.
        rule_version: Option<String>,
        /// What a person has said of it last: useful, expected or wrong.
        feedback: Option<String>,
        /// Of a cost: the import that brought most of its first day.
        import_id: Option<Id<Import>>,
        created_at: Timestamp,
        updated_at: Timestamp,
    }
}

table! {
    /// What people have said of anomalies. The next run heeds it.
    AnomalyFeedback in anomaly_feedback by id {
        id: Id<AnomalyFeedback>,
        tenant: Id<Tenant>,
        /// The anomaly. It is kept with its feedback, and found again under the same id.
        anomaly_id: Uuid,
        /// Its account; of a value of a tag and of a total, the tenant.
        account_id: Uuid,
        /// Its scope, service and currency: what later findings are compared with. Of what is no cost, the series and its unit.
        scope: String,
        name: String,
        currency: String,
        /// Its first day.
        started_on: Date,
        /// `useful`; `expected`: nothing is raised until `expected_until`, and what goes on after it is judged again; `wrong`: later ones of the series must deviate half as much more.
        verdict: String,
        /// Last day on which something of the kind is expected; only the anomaly itself when absent.
        expected_until: Option<Date>,
        /// Why, in a person's words.
        note: Option<String>,
        created_at: Timestamp,
        created_by: Id<User>,
    }
}

lookup! {
    /// How a measured value must stand to its reference to be out of the ordinary.
    AnomalyChangeOperator {
        /// Greater than the reference.
        Gt = "GT",
        /// Greater than or equal to the reference.
        Gte = "GTE",
        /// Less than the reference.
        Lt = "LT",
        /// Less than or equal to the reference.
        Lte = "LTE",
    }
}

table! {
    /// How a measured value must stand to its reference to be out of the ordinary.
    AnomalyChangeOperatorRow in anomaly_change_operator by value {
        value: String,
        comment: Option<String>,
    }
}

table! {
    /// A rule that compares a metric of an account, or the number of its events, with its past.
    AnomalyConfig in anomaly_config by id {
        id: Id<AnomalyConfig>,
        tenant_id: Uuid,
        cloud_account_id: Uuid,
        /// The metric.
        anomaly_type: AnomalyType,
        /// How far from the reference is still ordinary, in percent.
        buffer_percentage: Decimal,
        /// Which way a change counts.
        change_operator: AnomalyChangeOperator,
        /// How far back the reference reaches, such as `1w`.
        reference_period: String,
        /// How the reference is taken from its values, such as `P99`.
        reference_unit: String,
        /// What kind of thing is compared.
        r#type: AnomalyConfigType,
        /// Whether it is looked for.
        enabled: bool,
        created_at: ZonedTimestamp,
        created_by: Uuid,
        updated_at: ZonedTimestamp,
        updated_by: Uuid,
    }
}

lookup! {
    /// What a rule for anomalies compares.
    AnomalyConfigType {
        /// A metric over time.
        Metric = "Metric",
    }
}

table! {
    /// What a rule for anomalies compares.
    AnomalyConfigTypeRow in anomaly_config_type by value {
        value: String,
        comment: Option<String>,
    }
}

lookup! {
    /// The metric an anomaly was found in.
    AnomalyType {
        /// Number of requests.
        APIRequest = "APIRequest",
        /// Use of processors.
        Cpu = "CPU",
        /// Share of requests that fail.
        ErrorRate = "ErrorRate",
        /// How many events begin.
        Events = "Events",
        /// Time a request takes.
        Latency = "Latency",
        /// Use of memory.
        Memory = "Memory",
        /// Traffic.
        Network = "Network",
    }
}

table! {
    /// The metric an anomaly was found in.
    AnomalyTypeRow in anomaly_type by value {
        value: String,
        comment: Option<String>,
    }
}
