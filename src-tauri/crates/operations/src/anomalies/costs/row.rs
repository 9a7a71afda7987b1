//! A finding as a row of `anomaly`.

use super::{SERVICE, TAG, TOTAL, number, tags};
use analysis::anomalies::{Finding, Grain, Kind, MEASURED_VERSION, VERSION};
use catalogue::{Decimal, Value, ValueRef, format_date};
use graphql::Refusal;
use serde_json::{Value as Json, json};
use std::ops::Range;
use uuid::Uuid;

/// What the ids of anomalies of cost are made from, so that the same finding has the same id whoever finds it.
const NAMESPACE: Uuid = Uuid::from_u128(0x5d1c_3f0e_7a52_4a9e_9b6d_2f41_8e07_c3aa);

/// The columns that a run writes, in the order of [`Row::cells`].
pub(super) const COLUMNS: [&str; 18] = [
    "account_id",
    "anomaly_type",
    "current_value",
    "evaluated_at",
    "is_anomaly",
    "name",
    "reference_value",
    "training_end_time",
    "scope",
    "currency",
    "started_on",
    "ended_on",
    "state",
    "impact",
    "rule_version",
    "import_id",
    "config_id",
    "namespace",
];

/// What is told of a finding beside what it rests on.
struct Words<'a> {
    scope: &'static str,
    account: Uuid,
    name: String,
    anomaly_type: String,
    version: &'static str,
    /// What names the finding for good.
    id: &'a str,
}

/// A finding as a row.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    /// `service`, `tag` or `total` of costs; `metric` or `events`.
    pub scope: &'static str,
    /// The account; of a total or a tag, the tenant.
    pub account: Uuid,
    pub name: String,
    pub anomaly_type: String,
    /// Of costs.
    pub currency: Option<String>,
    /// Of what is no cost; empty where it is not known.
    pub unit: Option<String>,
    pub current_value: Decimal,
    /// Days since 1970.
    pub started_on: i32,
    pub ended_on: i32,
    /// µs since 1970 UTC.
    span: Range<i64>,
    pub state: &'static str,
    /// Of costs.
    pub impact: Option<Decimal>,
    pub reference_value: Json,
    pub import: Option<Uuid>,
    /// The rule of a person that asked for it.
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

    /// Of what is no cost: what a rule of a person found in an account.
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

    pub(super) fn cells<'r>(&'r self, reference: &'r str, is_anomaly: bool) -> [ValueRef<'r>; 18] {
        [
            self.account.into(),
            self.anomaly_type.as_str().into(),
            self.current_value.into(),
            ValueRef::Timestamp(self.span.end),
            is_anomaly.into(),
            self.name.as_str().into(),
            ValueRef::Json(reference),
            ValueRef::Timestamp(self.span.start),
            self.scope.into(),
            self.currency.as_deref().map_or(ValueRef::Null, ValueRef::Text),
            ValueRef::Date(self.started_on),
            ValueRef::Date(self.ended_on),
            self.state.into(),
            self.impact.map_or(ValueRef::Null, ValueRef::Decimal),
            self.version.into(),
            self.import.into(),
            self.config.into(),
            self.namespace.as_deref().map_or(ValueRef::Null, ValueRef::Text),
        ]
    }

    /// As the interface tells it.
    pub fn to_json(&self) -> Result<Json, Refusal> {
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

    /// Days that it has in common with a stored row, as [`COLUMNS`] has it, of the same costs that went the same way; `None` when there are none.
    pub(super) fn days_since(&self, stored: &[Value]) -> Option<i32> {
        let [account, anomaly_type, _, _, _, name, reference, _, scope, currency, first, last, _, impact, ..] =
            stored
        else {
            return None;
        };
        let (Value::Date(first), Value::Date(last)) = (first, last) else { return None };
        let is_below = |impact: &Value| matches!(impact, Value::Decimal(impact) if impact.is_negative());
        let is_same = account.as_uuid() == Some(self.account)
            && anomaly_type.as_text() == Some(self.anomaly_type.as_str())
            && scope.as_text() == Some(self.scope)
            && currency.as_text() == self.currency.as_deref()
            // A total has the name of what it is most of.
            && (self.scope == TOTAL || name.as_text() == Some(self.name.as_str()))
            && series_of(reference).as_deref() == self.reference_value["series"].as_str()
            && is_below(impact) == self.impact.is_some_and(Decimal::is_negative);
        let common = self.ended_on.min(*last) - self.started_on.max(*first) + 1;
        (is_same && common > 0).then_some(common)
    }
}

/// What a rule of a person watches, of one series.
#[derive(Debug, Clone)]
pub struct WatchLabel {
    pub config: Uuid,
    /// `metric` or `events`.
    pub scope: &'static str,
    /// As the rule has it.
    pub anomaly_type: String,
    /// The workload or resource, or the kind of event.
    pub name: String,
    pub namespace: Option<String>,
}

/// The first day or hour, as it stands in ids.
fn first_step(finding: &Finding) -> String {
    let step = finding.first_step();
    if finding.grain == Grain::Day { step.to_string() } else { format!("hour {step}") }
}

/// The series of a stored reference, of what is no cost.
fn series_of(reference: &Value) -> Option<String> {
    let Value::Json(text) = reference else { return None };
    let reference: Json = serde_json::from_str(text).ok()?;
    reference["series"].as_str().map(str::to_owned)
}
