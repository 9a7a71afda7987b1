//! The criteria of a triage rule. An event of the account matches if it meets all of them.

use crate::kit::{Arguments, Look};
use catalogue::{Value, ValueRef};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::Transaction;
use store::query::{Operator, Test};
use uuid::Uuid;

/// Criteria and the columns of an event they are compared with.
const TEXTS: [(&str, &str); 7] = [
    ("match_alertname", "aggregation_key"),
    ("match_finding_type", "finding_type"),
    ("match_fingerprint", "fingerprint"),
    ("match_namespace", "subject_namespace"),
    ("match_priority", "priority"),
    ("match_service", "service_key"),
    ("match_source", "source"),
];
const LABELS: &str = "match_labels";

/// The columns of a rule that are criteria.
pub(super) const COLUMNS: [&str; 8] = [
    "match_alertname",
    "match_finding_type",
    "match_fingerprint",
    "match_namespace",
    "match_priority",
    "match_service",
    "match_source",
    LABELS,
];

/// The criteria of one rule: each text with its index in [`TEXTS`], and the labels that an event must have.
#[derive(Default)]
pub(super) struct Criteria {
    texts: Vec<(usize, String)>,
    /// A JSON object, as text.
    labels: Option<String>,
}

impl Criteria {
    pub(super) fn fingerprint(fingerprint: &str) -> Self {
        let place = TEXTS.iter().position(|(name, _)| *name == "match_fingerprint").unwrap_or_default();
        Self { texts: vec![(place, fingerprint.to_owned())], labels: None }
    }

    /// Reads criteria from the arguments of a call or a rule's row. At least one is required: a rule that matches every event is a mistake.
    pub(super) fn read(given: &Map<String, Json>) -> Result<Self, Refusal> {
        let given = Arguments(given);
        let text = |(place, (name, _)): (usize, &(&str, &str))| {
            given.text(name).filter(|text| !text.is_empty()).map(|text| (place, text.to_owned()))
        };
        let labels = match given.value(LABELS) {
            None => None,
            Some(Json::String(text)) if text.is_empty() => None,
            Some(Json::String(text)) => Some(object(text)?),
            Some(value) => Some(object(&value.to_string())?),
        };
        let criteria = Self { texts: TEXTS.iter().enumerate().filter_map(text).collect(), labels };
        if criteria.texts.is_empty() && criteria.labels.is_none() {
            let message =
                format!("a rule that matches every event is not allowed: give one of {}", COLUMNS.join(", "));
            return Err(Refusal::invalid(message));
        }
        Ok(criteria)
    }

    /// The columns of a rule with these criteria; unused ones are null.
    pub(super) fn cells(&self) -> Vec<(&'static str, ValueRef<'_>)> {
        let text = |(place, (name, _)): (usize, &(&'static str, &str))| {
            let found = self.texts.iter().find(|(known, _)| *known == place);
            (*name, found.map_or(ValueRef::Null, |(_, text)| text.into()))
        };
        let mut cells: Vec<_> = TEXTS.iter().enumerate().map(text).collect();
        cells.push((LABELS, self.labels.as_deref().map_or(ValueRef::Null, ValueRef::Json)));
        cells
    }

    /// The matching events of an account.
    pub(super) fn look<'a>(&self, rows: &'a Transaction<'a>, account: Uuid) -> Result<Look<'a>, Refusal> {
        let mut look = Look::at(rows, "events")?.with("cloud_account_id", account)?;
        for (place, text) in &self.texts {
            look = look.with(TEXTS[*place].1, text.as_str())?;
        }
        if let Some(labels) = &self.labels {
            look = look.that("labels", Test::Compare(Operator::Contains, Value::Json(labels.clone())))?;
        }
        Ok(look)
    }

    /// Whether an event of the account matches, by its columns.
    pub(super) fn matches(&self, event: &Json) -> bool {
        let wanted = self.labels.as_deref().and_then(|labels| serde_json::from_str::<Json>(labels).ok());
        self.texts.iter().all(|(place, text)| event[TEXTS[*place].1].as_str() == Some(text))
            && wanted.is_none_or(|wanted| holds(&event["labels"], &wanted))
    }

    /// Readable text: `alertname = "X" and namespace = "Y"`.
    pub(super) fn describe(&self) -> String {
        let text = |(place, text): &(usize, String)| {
            format!("{} = {}", TEXTS[*place].0.trim_start_matches("match_"), Json::from(text.as_str()))
        };
        let mut parts: Vec<String> = self.texts.iter().map(text).collect();
        parts.extend(self.labels.as_ref().map(|labels| format!("labels contain {labels}")));
        parts.join(" and ")
    }
}

/// JSON containment with the store's semantics: every wanted member is present.
fn holds(found: &Json, wanted: &Json) -> bool {
    match (found, wanted) {
        (Json::Object(found), Json::Object(wanted)) => {
            wanted.iter().all(|(name, value)| found.get(name).is_some_and(|found| holds(found, value)))
        }
        (Json::Array(found), Json::Array(wanted)) => {
            wanted.iter().all(|value| found.iter().any(|found| holds(found, value)))
        }
        (found, wanted) => found == wanted,
    }
}

fn object(text: &str) -> Result<String, Refusal> {
    match serde_json::from_str::<Json>(text) {
        Ok(Json::Object(labels)) => Ok(Json::Object(labels).to_string()),
        _ => Err(Refusal::invalid(format!(
            "`match_labels` is {text}: expected a JSON object such as {{\"team\": \"sea\"}}"
        ))),
    }
}
