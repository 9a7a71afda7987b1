//! Recommendations as rows: what is written of a finding, and what is read of one that is kept.

use analysis::savings::Finding;
use catalogue::{Decimal, format_date, parse_date, parse_timestamp};
use graphql::Refusal;
use model::{RecommendationStatusType as Status, Timestamp, row};
use serde::{Deserialize, Serialize};
use serde_json::{Number, Value};
use uuid::Uuid;

/// What the ids of findings are made from, so that the same finding has the same id whoever finds it.
const NAMESPACE: Uuid = Uuid::from_u128(0x0c2d_61f7_93b8_4e55_a1c6_77d4_19e2_5b3f);
/// How the note of a recommendation begins that an import closed.
pub const CLOSED_BY_IMPORT: &str = "Closed by an import:";
/// µs of a day.
pub const DAY: i64 = 86_400_000_000;

row! {
    /// A recommendation, as far as it is judged.
    pub struct Advice from recommendation {
        id, cloud_account_id, account_object_id, category, closed_at, closed_bill_until, closing_data_until, dismissed_until,
        estimated_savings, is_dismissed, note, note_before_closing, recommendation, recommendation_action, resource_id, rule_name, rule_version,
        severity, status, status_before_closing, updated_at
    }
}

/// A finding that is to be kept.
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
    /// The card.
    pub card: Value,
    /// The last day that shows it.
    pub last_day: i32,
    /// When the cluster was seen that it is about, µs since 1970.
    pub seen_at: Option<i64>,
}

impl Draft {
    pub fn of(tenant: Uuid, finding: &Finding) -> Result<Self, Refusal> {
        let card = serde_json::to_value(finding.card())
            .map_err(|error| Refusal::new("unexpected", format!("a finding is no JSON: {error}")))?;
        let rule = finding.rule;
        // A resource is known by its id, whatever it is called by now.
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

/// What a card says that is kept, whoever wrote it.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default)]
pub struct Evidence {
    pub currency: Option<String>,
    pub monthly_cost: Option<Number>,
    pub period: Option<Days>,
    pub last_charge: Option<String>,
    /// When the cluster was seen that it is about.
    pub seen_at: Option<String>,
    /// The resource of a bill that proves the saving, where the recommendation is about another one.
    pub billed: Option<BilledResource>,
    /// A [`Reopening`].
    pub reopened: Option<Value>,
}

/// The member of a card that says how a recommendation was closed which data have opened again.
pub const REOPENED: &str = "reopened";

/// How it was closed, and how far the data went that opened it again: when the newest data no longer go so far, the import was undone and it is
/// closed as it was.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Reopening {
    /// µs since 1970, as every time here.
    pub data_until: i64,
    pub closed_at: Option<i64>,
    /// Days since 1970.
    pub closed_bill_until: Option<i32>,
    pub closing_data_until: Option<i64>,
    pub status_before_closing: Option<String>,
    pub note_before_closing: Option<String>,
    pub note: Option<String>,
    pub estimated_savings: Option<String>,
    /// The card as it was; it says in turn how it was closed the time before, whose proof stays.
    pub card: Value,
}

impl Reopening {
    /// How it is closed now, before it is opened by data that go so far.
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

#[derive(Debug, Clone, Copy, Deserialize)]
pub struct BilledResource {
    pub account_id: Uuid,
    pub resource_id: Uuid,
}

#[derive(Debug, Clone, Default, Deserialize)]
pub struct Days {
    pub from: String,
    pub to: String,
}

impl Days {
    /// Days since 1970, both included.
    pub fn range(&self) -> Option<(i32, i32)> {
        Some((parse_date(&self.from)?, parse_date(&self.to)?))
    }
}

impl Evidence {
    /// When the cluster was seen that it is about, µs since 1970.
    pub fn seen_at(&self) -> Option<i64> {
        self.seen_at.as_deref().and_then(parse_timestamp)
    }
}

impl Advice {
    /// What its card says; empty where it is of another shape.
    pub fn evidence(&self) -> Evidence {
        self.recommendation.parse().unwrap_or_default()
    }

    /// The day on which it was closed.
    pub fn closed_on(&self) -> i32 {
        let at = self.closed_at.map_or(self.updated_at, |at| at);
        i32::try_from(at.micros().div_euclid(DAY)).unwrap_or(i32::MAX)
    }

    /// The newest day of the bill when it was closed, as far as that is known.
    pub fn bill_until(&self) -> Option<i32> {
        let evidence = self.evidence();
        let told = self.closed_bill_until.map(|day| day.0);
        told.or_else(|| evidence.period.and_then(|period| period.range()).map(|(_, to)| to))
    }

    /// The resource of a bill that its saving shows on, and the account of that.
    pub fn billed(&self) -> Option<BilledResource> {
        self.evidence().billed.or_else(|| {
            let account_id = self.cloud_account_id.uuid();
            self.resource_id.map(|resource| BilledResource { account_id, resource_id: resource.uuid() })
        })
    }

    /// The tool that wrote it, as its card names it.
    pub fn tool(&self) -> String {
        let card = self.recommendation.value();
        let name = ["source", "tool"].iter().find_map(|name| card[*name].as_str());
        name.unwrap_or("import").to_owned()
    }

    /// Whether its subject is to be stopped.
    pub fn advises_stop(&self) -> bool {
        self.rule_name.as_deref().is_some_and(|rule| rule.contains("Stop"))
    }

    pub fn is_closed_by_import(&self) -> bool {
        self.note.as_deref().is_some_and(|note| note.starts_with(CLOSED_BY_IMPORT))
    }

    /// Where it stood before an import closed it.
    pub fn status_before_closing(&self) -> Status {
        self.status_before_closing.as_deref().and_then(Status::find).unwrap_or(Status::Open)
    }
}

/// A day in words of a note.
pub fn words(day: i32) -> String {
    format_date(day)
}
