//! Allocation rules, stored or in a request, with validation.

use super::super::dimension::Dimension;
use super::super::selection::Selection;
use crate::kit::{Look, text, uuid};
use catalogue::Decimal;
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::Transaction;
use uuid::Uuid;

/// The largest number of targets.
const MOST_SHARES: usize = 500;
pub(super) const COLUMNS: [&str; 10] =
    ["id", "name", "position", "scope", "method", "target", "shares", "basis", "number_name", "is_active"];

/// The method by which a rule divides cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Method {
    /// Equal shares.
    Even(Vec<String>),
    /// Percentages; the rest to 100 stays unallocated.
    Fixed(Vec<(String, Decimal)>),
    /// In proportion to each target's other cost.
    Cost,
    /// In proportion to a business number.
    Usage(String),
}

/// A valid rule.
#[derive(Debug, Clone)]
pub(super) struct Rule {
    pub id: Uuid,
    pub name: String,
    pub position: i64,
    pub scope: Selection,
    pub method: Method,
    pub target: Dimension,
    pub basis: Selection,
}

/// Reads a row of `allocation_rule`, or an object with its columns; refuses invalid ones with the reason.
pub(super) fn read(row: &Json) -> Result<Rule, Refusal> {
    if text(row, "name").trim().is_empty() {
        return Err(Refusal::invalid("`name` is empty: expected what people call the rule"));
    }
    if row["scope"].as_object().is_none_or(Map::is_empty) {
        return Err(Refusal::invalid(
            "`scope` is empty: expected which charges are split, such as {\"service_name\": [\"AWS Support\"]} or {\"untagged\": [\"team\"]}",
        ));
    }
    let shares = row["shares"].as_object();
    let named = || -> Result<Vec<(String, Decimal)>, Refusal> {
        let shares =
            shares.filter(|shares| !shares.is_empty() && shares.len() <= MOST_SHARES).ok_or_else(|| {
                Refusal::invalid(format!(
                    "`shares` is {}: expected those who share, such as {{\"web\": 60, \"data\": 40}}",
                    row["shares"]
                ))
            })?;
        shares.iter().map(|(name, weight)| share(name, weight)).collect()
    };
    let method = match text(row, "method") {
        "fixed" => {
            let shares = named()?;
            let sum = shares.iter().try_fold(Decimal::ZERO, |sum, (_, percent)| sum.checked_add(*percent));
            if sum.is_none_or(|sum| sum > Decimal::from(100)) {
                let sum = sum.map(|sum| sum.to_string()).unwrap_or_default();
                return Err(Refusal::invalid(format!("`shares` are {sum}% together: expected 100% at most")));
            }
            Method::Fixed(shares)
        }
        "cost" => Method::Cost,
        "usage" => {
            let number = text(row, "number_name").trim();
            if number.is_empty() {
                return Err(Refusal::invalid(
                    "`number_name` is empty: expected the name of a number of the business",
                ));
            }
            Method::Usage(number.to_owned())
        }
        _ => Method::Even(named()?.into_iter().map(|(name, _)| name).collect()),
    };
    Ok(Rule {
        id: uuid(row, "id").unwrap_or_default(),
        name: text(row, "name").to_owned(),
        position: row["position"].as_i64().unwrap_or(1),
        scope: Selection::read(&row["scope"], "scope")?,
        method,
        target: Dimension::find(text(row, "target"), "target")?,
        basis: Selection::read(&row["basis"], "basis")?,
    })
}

fn share(name: &str, weight: &Json) -> Result<(String, Decimal), Refusal> {
    let wrong = || Refusal::invalid(format!("`shares.{name}` is {weight}: expected a number above 0"));
    if name.trim().is_empty() {
        return Err(Refusal::invalid("`shares` has an empty name: expected who shares"));
    }
    let number = match weight {
        Json::Number(number) => Decimal::parse(&number.to_string()).map_err(|_| wrong())?,
        // Equal shares need only names.
        Json::Null | Json::Bool(true) => Decimal::from(1),
        _ => return Err(wrong()),
    };
    if number.is_zero() || number.is_negative() {
        return Err(wrong());
    }
    Ok((name.to_owned(), number))
}

/// The tenant's active rules, in order.
pub(super) fn active(rows: &Transaction<'_>) -> Result<Vec<Rule>, Refusal> {
    let look = Look::at(rows, "allocation_rule")?.with("is_active", true)?;
    let mut rules: Vec<Rule> = look.rows(&COLUMNS)?.iter().map(read).collect::<Result<_, _>>()?;
    sort(&mut rules);
    Ok(rules)
}

pub(super) fn sort(rules: &mut [Rule]) {
    rules.sort_by(|one, other| {
        (one.position, &one.name, one.id).cmp(&(other.position, &other.name, other.id))
    });
}
