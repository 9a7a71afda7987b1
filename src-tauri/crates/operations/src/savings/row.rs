//! Recommendations as rows: the columns written for a finding, and those read of a stored recommendation.

use analysis::savings::Finding;
use catalogue::{Decimal, format_date, parse_date, parse_timestamp};
use graphql::Refusal;
use model::{RecommendationStatusType as Status, Timestamp, row};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use uuid::Uuid;

/// The UUID namespace of the ids of findings: the same finding always gets the same id.
const NAMESPACE: Uuid = Uuid::from_u128(0x0c2d_61f7_93b8_4e55_a1c6_77d4_19e2_5b3f);
/// The start of the note of a recommendation that an import closed.
pub const CLOSED_BY_IMPORT: &str = "Closed by an import:";
/// One day in µs.
pub const DAY: i64 = 86_400_000_000;

row! {
    /// The columns of a recommendation that the analysis uses.
    pub struct Advice from recommendation {
        id, cloud_account_id, account_object_id, category, closed_at, closed_bill_until, closing_data_until, dismissed_until,
        estimated_savings, is_dismissed, note, note_before_closing, recommendation, recommendation_action, resource_id, rule_name, rule_version,
        severity, status, status_before_closing, updated_at
    }
}

/// A finding to be stored.
#[derive(Debug, Clone)]
pub struct Draft {
    pub id: Uuid,
    pub rule_name: &'static str,
    pub rule_version: String,
    pub category: &'static str,
    pub action: &'static str,
    pub account: Uuid,
    pub resource: Option<Uuid>,
    pub object: String,
    pub severity: &'static str,
    pub currency: Option<String>,
    pub savings: Decimal,
    /// The JSON of the recommendation.
    pub card: Value,
    /// The last day on which the finding shows.
    pub last_day: i32,
    /// The time of the cluster state on which it is based, µs since 1970.
    pub seen_at: Option<i64>,
}

impl Draft {
    pub fn of(tenant: Uuid, finding: &Finding) -> Result<Self, Refusal> {
        let card = serde_json::to_value(finding.card())
            .map_err(|error| Refusal::new("unexpected", format!("a finding is no JSON: {error}")))?;
        let rule = finding.rule;
        // A resource is identified by its id, because its name may change.
        let subject = finding.resource.map_or_else(|| finding.object.clone(), |id| id.to_string());
        let words = format!("{tenant}/{}/{}/{subject}", rule.name, finding.account);
        Ok(Self {
            id: Uuid::new_v5(&NAMESPACE, words.as_bytes()),
            rule_name: rule.name,
            rule_version: rule.version.to_string(),
            category: rule.category.name(),
            action: rule.action.name(),
            account: finding.account,
            resource: finding.resource,
            object: finding.object.clone(),
            severity: finding.severity.name(),
            currency: finding.currency.clone(),
            savings: finding.estimated_savings(),
            card,
            last_day: finding.last_day,
            seen_at: finding.cluster.as_ref().map(|cluster| cluster.at),
        })
    }
}

/// The fields that a recommendation's JSON may have, independent of the tool that wrote it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Evidence {
    pub currency: Option<String>,
    pub monthly_cost: Option<Number>,
    pub period: Option<Days>,
    pub last_charge: Option<String>,
    /// The time of the cluster state on which it is based.
    pub seen_at: Option<String>,
    /// The billed resource that proves the saving, if it is not the recommendation's own resource.
    pub billed: Option<BilledResource>,
    /// A [`Reopening`].
    pub reopened: Option<Value>,
}

/// The member of a recommendation's JSON with the earlier closing that data reopened.
pub const REOPENED: &str = "reopened";

/// How a recommendation was closed, and the time of the data that reopened it. If the newest data no longer reaches that time, the import was
/// undone and the closing is restored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reopening {
    /// µs since 1970, like all times in this struct.
    pub data_until: i64,
    pub closed_at: Option<i64>,
    /// Days since 1970.
    pub closed_bill_until: Option<i32>,
    pub closing_data_until: Option<i64>,
    pub status_before_closing: Option<String>,
    pub note_before_closing: Option<String>,
    pub note: Option<String>,
    pub estimated_savings: Option<String>,
    /// The JSON before reopening. It may contain an earlier reopening, whose proof stays.
    pub card: Value,
}

impl Reopening {
    /// The current closing, before data of that time reopens the recommendation.
    pub fn of(kept: &Advice, data_until: i64) -> Self {
        Self {
            data_until,
            closed_at: kept.closed_at.map(Timestamp::micros),
            closed_bill_until: kept.closed_bill_until.map(|day| day.0),
            closing_data_until: kept.closing_data_until.map(Timestamp::micros),
            status_before_closing: kept.status_before_closing.clone(),
            note_before_closing: kept.note_before_closing.clone(),
            note: kept.note.clone(),
            estimated_savings: kept.estimated_savings.map(|savings| savings.to_string()),
            card: kept.recommendation.value(),
        }
    }
}

/// A resource of a bill, and its account.
#[derive(Debug, Clone, Copy, Deserialize)]
pub struct BilledResource {
    pub account_id: Uuid,
    pub resource_id: Uuid,
}

/// First and last day of a period, as texts such as 2026-06-18.
#[derive(Debug, Clone, Default, Deserialize)]
pub struct Days {
    pub from: String,
    pub to: String,
}

impl Days {
    /// First and last day, in days since 1970, both inclusive.
    pub fn range(&self) -> Option<(i32, i32)> {
        Some((parse_date(&self.from)?, parse_date(&self.to)?))
    }
}

impl Evidence {
    /// The time of the cluster state on which it is based, µs since 1970.
    pub fn seen_at(&self) -> Option<i64> {
        self.seen_at.as_deref().and_then(parse_timestamp)
    }
}

impl Advice {
    /// The fields of its JSON; empty if the JSON has another format.
    pub fn evidence(&self) -> Evidence {
        self.recommendation.parse().unwrap_or_default()
    }

    /// The day it was closed.
    pub fn closed_on(&self) -> i32 {
        let at = self.closed_at.map_or(self.updated_at, |at| at);
        i32::try_from(at.micros().div_euclid(DAY)).unwrap_or(i32::MAX)
    }

    /// The newest day of the bill at closing, if known.
    pub fn bill_until(&self) -> Option<i32> {
        let evidence = self.evidence();
        let told = self.closed_bill_until.map(|day| day.0);
        told.or_else(|| evidence.period.and_then(|period| period.range()).map(|(_, to)| to))
    }

    /// The billed resource on which the saving shows, and its account.
    pub fn billed(&self) -> Option<BilledResource> {
        self.evidence().billed.or_else(|| {
            let account_id = self.cloud_account_id.uuid();
            self.resource_id.map(|resource| BilledResource { account_id, resource_id: resource.uuid() })
        })
    }

    /// The tool that wrote the recommendation, by its JSON.
    pub fn tool(&self) -> String {
        let card = self.recommendation.value();
        let name = ["source", "tool"].iter().find_map(|name| card[*name].as_str());
        name.unwrap_or("import").to_owned()
    }

    /// Whether the recommendation is to stop the resource.
    pub fn advises_stop(&self) -> bool {
        self.rule_name.as_deref().is_some_and(|rule| rule.contains("Stop"))
    }

    pub fn is_closed_by_import(&self) -> bool {
        self.note.as_deref().is_some_and(|note| note.starts_with(CLOSED_BY_IMPORT))
    }

    /// The status before an import closed it.
    pub fn status_before_closing(&self) -> Status {
        self.status_before_closing.as_deref().and_then(Status::find).unwrap_or(Status::Open)
    }
}

/// A day in the form used in notes.
pub fn words(day: i32) -> String {
    format_date(day)
}
