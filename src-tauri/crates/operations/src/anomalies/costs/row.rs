//! Converts a finding to a row of `anomaly`.

use super::{SERVICE, TAG, TOTAL, number, tags};
use analysis::anomalies::{Finding, Grain, Kind, MEASURED_VERSION, VERSION};
use catalogue::{Decimal, format_date};
use graphql::Refusal;
use model::tables::anomaly;
use model::{Assignment, Date, Id, Json, Timestamp, row};
use serde_json::{Value as Document, json};
use std::ops::Range;
use uuid::Uuid;

/// The UUID namespace of the ids of cost anomalies: the same finding always gets the same id.
const NAMESPACE: Uuid = Uuid::from_u128(0x5d1c_3f0e_7a52_4a9e_9b6d_2f41_8e07_c3aa);

row! {
    /// The columns of `anomaly` that a run writes, and the user's feedback.
    pub(in crate::anomalies) struct StoredAnomaly from anomaly {
        id, feedback, account_id, anomaly_type, current_value, evaluated_at, is_anomaly, name, reference_value, training_end_time, scope,
        currency, started_on, ended_on, state, impact, rule_version, import_id, config_id, namespace
    }
}

/// The descriptive fields of a finding, without its reference values.
struct Words<'a> {
    scope: &'static str,
    account: Uuid,
    name: String,
    anomaly_type: String,
    version: &'static str,
    /// The stable name from which the finding's id is derived.
    id: &'a str,
}

/// A finding as a row of `anomaly`.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    /// `service`, `tag` or `total` for costs; otherwise `metric` or `events`.
    pub scope: &'static str,
    /// The account; for a total or a tag, the tenant.
    pub account: Uuid,
    pub name: String,
    pub anomaly_type: String,
    /// Only for costs.
    pub currency: Option<String>,
    /// Only for measurements and event counts; empty if unknown.
    pub unit: Option<String>,
    pub current_value: Decimal,
    /// Days since 1970.
    pub started_on: i32,
    pub ended_on: i32,
    /// µs since 1970 UTC.
    span: Range<i64>,
    pub state: &'static str,
    /// Only for costs.
    pub impact: Option<Decimal>,
    pub reference_value: Document,
    pub import: Option<Uuid>,
    /// The user-defined rule that the finding belongs to.
    pub config: Option<Uuid>,
    pub namespace: Option<String>,
    pub version: &'static str,
}

impl Row {
    pub fn of(tenant: Uuid, finding: &Finding) -> Result<Self, Refusal> {
        let key = &finding.key;
        let (scope, anomaly_type) = match (key.account, &key.tag, finding.kind) {
            (_, _, Kind::New) => (SERVICE, "new_service"),
            (Some(_), ..) => (SERVICE, "CloudSpendService"),
            (None, Some(_), _) => (TAG, "CloudSpendTag"),
            (None, None, _) => (TOTAL, "CloudSpendTotal"),
        };
        let kind = match finding.kind {
            Kind::New => "new",
            Kind::Increase => "more",
            Kind::Decrease => "less",
        };
        let account = key.account.map(|account| account.to_string()).unwrap_or_default();
        let series = key.tag.as_deref().map_or(key.name.clone(), |tag| tags::name_of(tag, &key.name));
        let currency = key.measure.currency().unwrap_or_default();
        let words = format!("{tenant}/{scope}/{account}/{series}/{currency}/{kind}/{}", first_step(finding));
        let name = match finding.parts.first() {
            _ if scope == TAG => series,
            Some(part) => part
                .key
                .tag
                .as_deref()
                .map_or(part.key.name.clone(), |tag| tags::name_of(tag, &part.key.name)),
            None if series.is_empty() => "all services".to_owned(),
            None => series,
        };
        let account = key.account.unwrap_or(tenant);
        let (anomaly_type, version) = (anomaly_type.to_owned(), VERSION);
        Self::told(finding, Words { scope, account, name, anomaly_type, version, id: &words })
    }

    /// A finding of a user-defined rule about measurements or event counts of an account.
    pub fn measured(tenant: Uuid, finding: &Finding, watched: &WatchLabel) -> Result<Self, Refusal> {
        let WatchLabel { config, scope, anomaly_type, name, namespace } = watched.clone();
        let account = finding.key.account.unwrap_or(tenant);
        let way = if finding.kind == Kind::Decrease { "less" } else { "more" };
        let (series, step) = (&finding.key.name, first_step(finding));
        let words = format!("{tenant}/{scope}/{account}/{anomaly_type}/{series}/{way}/{step}");
        let version = MEASURED_VERSION;
        let row = Self::told(finding, Words { scope, account, name, anomaly_type, version, id: &words })?;
        Ok(Self { config: Some(config), namespace, ..row })
    }

    fn told(finding: &Finding, words: Words<'_>) -> Result<Self, Refusal> {
        let reference_value = finding
            .reference_value()
            .map_err(|error| Refusal::new("unexpected", format!("a finding is no JSON: {error}")))?;
        let measure = &finding.key.measure;
        let currency = measure.currency().map(str::to_owned);
        Ok(Self {
            id: Uuid::new_v5(&NAMESPACE, words.id.as_bytes()),
            scope: words.scope,
            account: words.account,
            name: words.name,
            anomaly_type: words.anomaly_type,
            impact: currency.is_some().then_some(finding.impact),
            currency,
            unit: measure.unit().map(str::to_owned),
            current_value: finding.days.first().map(|day| day.actual).unwrap_or_default(),
            started_on: finding.first_day(),
            ended_on: finding.last_day(),
            span: finding.span(),
            state: finding.state.name(),
            reference_value,
            import: None,
            config: None,
            namespace: None,
            version: words.version,
        })
    }

    /// The columns that a run writes, with their values.
    pub(super) fn cells(&self, is_anomaly: bool) -> Vec<Assignment<anomaly::Row>> {
        vec![
            anomaly::account_id.to(self.account),
            anomaly::anomaly_type.to(self.anomaly_type.as_str()),
            anomaly::current_value.to(self.current_value),
            anomaly::evaluated_at.to(self.span.end),
            anomaly::is_anomaly.to(is_anomaly),
            anomaly::name.to(self.name.as_str()),
            anomaly::reference_value.to(Json::from(&self.reference_value)),
            anomaly::training_end_time.to(self.span.start),
            anomaly::scope.to(self.scope),
            anomaly::currency.to_option(self.currency.as_deref()),
            anomaly::started_on.to(self.started_on),
            anomaly::ended_on.to(self.ended_on),
            anomaly::state.to(self.state),
            anomaly::impact.to_option(self.impact),
            anomaly::rule_version.to(self.version),
            anomaly::import_id.to_option(self.import.map(Id::new)),
            anomaly::config_id.to_option(self.config),
            anomaly::namespace.to_option(self.namespace.as_deref()),
        ]
    }

    /// Whether the stored row already has all these values.
    pub(super) fn is_stored(&self, stored: &StoredAnomaly, is_anomaly: bool) -> bool {
        stored.account_id == self.account
            && stored.anomaly_type == self.anomaly_type
            && stored.current_value == self.current_value
            && stored.evaluated_at == Timestamp(self.span.end)
            && stored.is_anomaly == is_anomaly
            && stored.name == self.name
            && stored.reference_value.value() == self.reference_value
            && stored.training_end_time == Some(Timestamp(self.span.start))
            && stored.scope.as_deref() == Some(self.scope)
            && stored.currency == self.currency
            && stored.started_on == Some(Date(self.started_on))
            && stored.ended_on == Some(Date(self.ended_on))
            && stored.state.as_deref() == Some(self.state)
            && stored.impact == self.impact
            && stored.rule_version.as_deref() == Some(self.version)
            && stored.import_id.map(Id::uuid) == self.import
            && stored.config_id == self.config
            && stored.namespace == self.namespace
    }

    /// The JSON of the API.
    pub fn to_json(&self) -> Result<Document, Refusal> {
        Ok(json!({
            "id": self.id,
            "scope": self.scope,
            "account_id": self.account,
            "name": self.name,
            "namespace": self.namespace,
            "anomaly_type": self.anomaly_type,
            "config_id": self.config,
            "currency": self.currency,
            "unit": self.unit,
            "current_value": number(self.current_value)?,
            "started_on": format_date(self.started_on),
            "ended_on": format_date(self.ended_on),
            "state": self.state,
            "impact": self.impact.map(number).transpose()?,
            "rule_version": self.version,
            "reference_value": self.reference_value,
        }))
    }

    /// The number of days shared with a stored row of the same series and direction; `None` if there are none.
    pub(super) fn days_since(&self, stored: &StoredAnomaly) -> Option<i32> {
        let (first, last) = (stored.started_on?.days(), stored.ended_on?.days());
        let is_same = stored.account_id == self.account
            && stored.anomaly_type == self.anomaly_type
            && stored.scope.as_deref() == Some(self.scope)
            && stored.currency == self.currency
            // The name of a total is its largest part, which may change.
            && (self.scope == TOTAL || stored.name == self.name)
            && stored.series().as_deref() == self.reference_value["series"].as_str()
            && stored.impact.is_some_and(Decimal::is_negative) == self.impact.is_some_and(Decimal::is_negative);
        let common = self.ended_on.min(last) - self.started_on.max(first) + 1;
        (is_same && common > 0).then_some(common)
    }
}

impl StoredAnomaly {
    /// The series in the stored reference; only for measurements and event counts.
    fn series(&self) -> Option<String> {
        self.reference_value.value()["series"].as_str().map(str::to_owned)
    }
}

/// One series that a user-defined rule watches.
#[derive(Debug, Clone)]
pub struct WatchLabel {
    pub config: Uuid,
    /// `metric` or `events`.
    pub scope: &'static str,
    /// The type as stored in the rule.
    pub anomaly_type: String,
    /// The workload or resource, or the kind of event.
    pub name: String,
    pub namespace: Option<String>,
}

/// The first day or hour in the form used in ids.
fn first_step(finding: &Finding) -> String {
    let step = finding.first_step();
    if finding.grain == Grain::Day { step.to_string() } else { format!("hour {step}") }
}
