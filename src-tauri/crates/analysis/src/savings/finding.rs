//! What rules find, and its card: `recommendation.recommendation` as JSON, by which the saving can be worked out again.

use super::bill::Period;
use super::in_cluster::InCluster;
use super::rule::{Confidence, Rule, Threshold};
use crate::numbers::{product, round};
use catalogue::{Decimal, format_date};
use serde::{Serialize, Serializer};
use uuid::Uuid;

/// Days of a month where less than one is known.
const MONTH_DAYS: i32 = 30;
/// Fewer days than this are no month: what they cost is brought to 30 days.
const SHORTEST_MONTH: i32 = 28;
/// Digits after the point of amounts that are divided.
const DIGITS: u8 = 10;

/// Something that could cost less, be safer or sounder.
#[derive(Debug)]
pub struct Finding {
    pub rule: &'static Rule,
    pub account: Uuid,
    pub resource: Option<Uuid>,
    /// What it is about where that is no resource of the bill; else what the provider calls the resource.
    pub object: String,
    pub title: String,
    /// Why, in sentences with the figures.
    pub why: String,
    /// None where no money is involved.
    pub currency: Option<String>,
    /// What the charges behind it cost in the period.
    pub period_cost: Decimal,
    /// The same for a month.
    pub monthly_cost: Decimal,
    pub saving: Saving,
    pub period: Option<Period>,
    /// The kinds of use whose charges are counted.
    pub usage: Vec<String>,
    pub region: Option<String>,
    pub figures: Vec<Figure>,
    pub severity: Severity,
    /// The last day with a charge.
    pub last_day: i32,
    /// What one change settles: findings with the same words are settled together.
    pub change: String,
    /// Members of a group, such as the weaknesses that one upgrade fixes.
    pub members: Vec<String>,
    /// Where it is about something in a cluster.
    pub cluster: Option<InCluster>,
}

/// What a change leaves of the monthly cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Saving {
    /// This part of it is saved.
    Share(Decimal),
    /// It costs this much afterwards.
    Target(Decimal),
}

/// How much it matters.
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

    /// By what is saved of what the account costs: critical above 10%, high above 3%, medium above 0.5%.
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

/// A number a verdict rests on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Figure {
    pub name: String,
    #[serde(serialize_with = "number")]
    pub value: Decimal,
    pub unit: String,
}

/// Who says so.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Witness {
    pub source: String,
    pub rule: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub estimated_savings: Option<Amount>,
    /// What it rests on, where that is a card of ours.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub card: Option<serde_json::Value>,
}

/// An exact number of JSON.
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

/// The days that [`for_a_month`] brings a cost to.
pub fn days_of_a_month(period: Period) -> i32 {
    if period.days() >= SHORTEST_MONTH { period.days() } else { MONTH_DAYS }
}

/// What so many days cost, for other days. `None` only beyond 38 digits.
pub fn for_days(cost: Decimal, of: i32, days: i32) -> Option<Decimal> {
    if of == days {
        return Some(cost);
    }
    let of = u32::try_from(of).ok().filter(|of| *of > 0)?;
    round(cost.checked_mul_int(i64::from(days))?.divided_by(of), DIGITS)
}

/// What a period cost, for a month: the same where it is one, else brought to 30 days.
pub fn for_a_month(cost: Decimal, period: Period) -> Option<Decimal> {
    if period.days() >= SHORTEST_MONTH {
        return Some(cost);
    }
    for_days(cost, period.days(), MONTH_DAYS)
}

impl Finding {
    /// Money of a month that is saved; rounded to ten digits where a share is taken. Zero where none is.
    pub fn estimated_savings(&self) -> Decimal {
        let saved = match self.saving {
            Saving::Share(share) => product(self.monthly_cost, share),
            Saving::Target(target) => self.monthly_cost.checked_sub(target),
        };
        saved.unwrap_or_default()
    }

    /// A saving of less than ten hundredths is not told; one without money always is.
    pub(super) fn is_worth_telling(&self) -> bool {
        let least = Decimal::from_parts(1, 1).unwrap_or_default();
        self.currency.is_none()
            || self.saving == Saving::Share(Decimal::ZERO)
            || self.estimated_savings() >= least
    }

    /// The card.
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

/// Who wrote a card of these rules.
pub const SOURCE: &str = "quarterdeck";

/// `recommendation.recommendation` of these rules. `monthly_cost` × `share`, or `monthly_cost` − `target_cost`, is the estimated saving.
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
    /// What they cost; brought to 30 days it is the monthly cost where they are fewer than 28.
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
