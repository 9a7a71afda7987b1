//! Findings of rules, and their JSON (`recommendation.recommendation`), from which the saving can be recalculated.

use super::bill::Period;
use super::in_cluster::InCluster;
use super::rule::{Confidence, Rule, Threshold};
use crate::numbers::{product, round};
use catalogue::{Decimal, format_date};
use serde::{Serialize, Serializer};
use uuid::Uuid;

/// Days of a month, if less than one month is known.
const MONTH_DAYS: i32 = 30;
/// A period with fewer days is not a month: its cost is scaled to 30 days.
const SHORTEST_MONTH: i32 = 28;
/// Decimal places of divided amounts.
const DIGITS: u8 = 10;

/// Something that could cost less, or be safer or more reliable.
#[derive(Debug)]
pub struct Finding {
    pub rule: &'static Rule,
    pub account: Uuid,
    pub resource: Option<Uuid>,
    /// The name of the subject; for a resource of the bill, the provider's name.
    pub object: String,
    pub title: String,
    /// The reason, in sentences with the figures.
    pub why: String,
    /// `None` if no money is involved.
    pub currency: Option<String>,
    /// The cost of the charges behind it in the period.
    pub period_cost: Decimal,
    /// The monthly cost.
    pub monthly_cost: Decimal,
    pub saving: Saving,
    pub period: Option<Period>,
    /// The kinds of use whose charges count.
    pub usage: Vec<String>,
    pub region: Option<String>,
    pub figures: Vec<Figure>,
    pub severity: Severity,
    /// The last day with a charge.
    pub last_day: i32,
    /// Identifies the change: findings with the same text are resolved together.
    pub change: String,
    /// Members of a group, such as the vulnerabilities that one upgrade fixes.
    pub members: Vec<String>,
    /// The place in a cluster, for findings about clusters.
    pub cluster: Option<InCluster>,
}

/// How the saving is computed from the monthly cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saving {
    /// This fraction of it is saved.
    Share(Decimal),
    /// It costs this much after the change.
    Target(Decimal),
}

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    Info,
    Low,
    Medium,
    High,
    Critical,
}

impl Severity {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Info => "Info",
            Self::Low => "Low",
            Self::Medium => "Medium",
            Self::High => "High",
            Self::Critical => "Critical",
        }
    }

    /// The severity by the saving relative to the cost of the account: critical above 10%, high above 3%, medium above 0.5%.
    pub fn of_share(saving: Decimal, of: Decimal) -> Self {
        let above = |thousandths: i64| {
            let (left, right) = (saving.checked_mul_int(1000), of.checked_mul_int(thousandths));
            left.zip(right).is_some_and(|(left, right)| left > right)
        };
        match () {
            () if above(100) => Self::Critical,
            () if above(30) => Self::High,
            () if above(5) => Self::Medium,
            () => Self::Low,
        }
    }
}

/// A number on which a verdict is based.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Figure {
    pub name: String,
    #[serde(serialize_with = "number")]
    pub value: Decimal,
    pub unit: String,
}

/// A tool that makes the same recommendation.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Witness {
    pub source: String,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_savings: Option<Amount>,
    /// The JSON of the finding, if it is this product's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<serde_json::Value>,
}

/// An exact JSON number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Amount(pub Decimal);

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        number(&self.0, serializer)
    }
}

fn number<S: Serializer>(number: &Decimal, serializer: S) -> Result<S::Ok, S::Error> {
    let number: serde_json::Number = number.to_text().as_str().parse().map_err(serde::ser::Error::custom)?;
    number.serialize(serializer)
}

impl Figure {
    pub fn new(name: impl Into<String>, value: Decimal, unit: impl Into<String>) -> Self {
        Self { name: name.into(), value, unit: unit.into() }
    }

    pub fn whole(name: impl Into<String>, value: i64, unit: impl Into<String>) -> Self {
        Self::new(name, Decimal::from(value), unit)
    }
}

/// The number of days to which [`for_a_month`] scales a cost.
pub fn days_of_a_month(period: Period) -> i32 {
    if period.days() >= SHORTEST_MONTH { period.days() } else { MONTH_DAYS }
}

/// The cost of `of` days scaled to `days` days. `None` beyond 38 digits.
pub fn for_days(cost: Decimal, of: i32, days: i32) -> Option<Decimal> {
    if of == days {
        return Some(cost);
    }
    let of = u32::try_from(of).ok().filter(|of| *of > 0)?;
    round(cost.checked_mul_int(i64::from(days))?.divided_by(of), DIGITS)
}

/// The monthly cost: the period's cost if it is a month, otherwise scaled to 30 days.
pub fn for_a_month(cost: Decimal, period: Period) -> Option<Decimal> {
    if period.days() >= SHORTEST_MONTH {
        return Some(cost);
    }
    for_days(cost, period.days(), MONTH_DAYS)
}

impl Finding {
    /// The monthly saving; rounded to ten decimal places if computed from a fraction. Zero if there is none.
    pub fn estimated_savings(&self) -> Decimal {
        let saved = match self.saving {
            Saving::Share(share) => product(self.monthly_cost, share),
            Saving::Target(target) => self.monthly_cost.checked_sub(target),
        };
        saved.unwrap_or_default()
    }

    /// Savings below 0.10 are not reported; findings without money always are.
    pub(super) fn is_worth_telling(&self) -> bool {
        let least = Decimal::from_parts(1, 1).unwrap_or_default();
        self.currency.is_none()
            || self.saving == Saving::Share(Decimal::ZERO)
            || self.estimated_savings() >= least
    }

    /// The JSON of the finding.
    pub fn card(&self) -> Card<'_> {
        let (share, target_cost) = match (self.saving, &self.currency) {
            (_, None) => (None, None),
            (Saving::Share(share), _) => (Some(Amount(share)), None),
            (Saving::Target(target), _) => (None, Some(Amount(target))),
        };
        let rule = self.rule;
        let monthly = self.currency.as_ref().map(|_| Amount(self.monthly_cost));
        Card {
            source: SOURCE,
            title: &self.title,
            why: &self.why,
            currency: self.currency.as_deref(),
            monthly_cost: monthly,
            share,
            target_cost,
            period: self.period.map(|period| CardPeriod {
                from: format_date(period.from),
                to: format_date(period.to),
                days: period.days(),
                cost: Amount(self.period_cost),
            }),
            rule: JudgedBy {
                name: rule.name,
                version: rule.version,
                about: rule.about,
                source: rule.source,
                aliases: rule.aliases,
                thresholds: rule.thresholds,
            },
            figures: &self.figures,
            confidence: rule.confidence,
            limits: rule.limits,
            effort: rule.effort,
            change: &self.change,
            usage_types: &self.usage,
            region: self.region.as_deref(),
            last_charge: self.period.map(|_| format_date(self.last_day)),
            members: &self.members,
            cluster: self.cluster.as_ref(),
        }
    }
}

/// The `source` of this product's findings.
pub const SOURCE: &str = "quarterdeck";

/// The JSON in `recommendation.recommendation` of this product's findings. `monthly_cost` × `share`, or `monthly_cost` − `target_cost`, is the
/// estimated saving.
#[derive(Debug, Serialize)]
pub struct Card<'a> {
    source: &'static str,
    title: &'a str,
    why: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    currency: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    monthly_cost: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    target_cost: Option<Amount>,
    #[serde(skip_serializing_if = "Option::is_none")]
    period: Option<CardPeriod>,
    rule: JudgedBy<'a>,
    figures: &'a [Figure],
    confidence: Confidence,
    limits: &'a str,
    effort: &'a str,
    change: &'a str,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    usage_types: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    region: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    last_charge: Option<String>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    members: &'a [String],
    #[serde(flatten)]
    cluster: Option<&'a InCluster>,
}

#[derive(Debug, Serialize)]
struct CardPeriod {
    from: String,
    to: String,
    days: i32,
    /// Their cost; if there are fewer than 28 days, the monthly cost is this scaled to 30 days.
    cost: Amount,
}

#[derive(Debug, Serialize)]
struct JudgedBy<'a> {
    name: &'a str,
    version: u32,
    about: &'a str,
    source: &'a str,
    aliases: &'a [&'a str],
    thresholds: &'a [Threshold],
}
