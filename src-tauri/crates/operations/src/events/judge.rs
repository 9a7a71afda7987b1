//! Which triage rules an event that arrives meets, and what they make of it.

use super::criteria::Criteria;
use super::{rules, system_rule};
use crate::kit::{Look, text, uuid};
use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::{Transaction, eq};
use uuid::Uuid;

/// A rule that holds for an account now.
struct Rule {
    /// None of the rule that comes with the service, which is nobody's row.
    id: Option<Uuid>,
    name: String,
    action: String,
    /// How far a score moves.
    step: i64,
    /// None where the occurrence says it all.
    criteria: Option<Criteria>,
    /// Only from the occurrence after this one.
    after: Option<i64>,
}

/// The rules of an account in the order they are tried: from the smallest number up (semantics §7).
pub(super) struct Judge(Vec<Rule>);

/// What the rules make of an event.
#[derive(Default)]
pub(super) struct Verdict {
    /// The status, and the name of the rule that gave it: the first that gives one.
    pub status: Option<(&'static str, String)>,
    /// How far the score moves, by all rules that move it.
    pub step: i64,
    /// The rules that matched.
    pub rules: Vec<Uuid>,
}

impl Judge {
    /// The rules of an account, of the tenant and of the service that hold now.
    pub(super) fn of(rows: &Transaction<'_>, account: Uuid) -> Result<Self, Refusal> {
        let mut columns = rules::COLUMNS.to_vec();
        columns.retain(|name| *name != "tenant_id");
        let look = Look::at(rows, "event_triage_rules")?.ordered("priority", false)?;
        let found = look.ordered("created_at", false)?.ordered("id", false)?.rows(&columns)?;
        let is_here = |row: &&Json| uuid(row, "account_id").is_none_or(|known| known == account);
        let is_replaced =
            |id: Uuid| found.iter().filter(is_here).any(|row| uuid(row, "override_rule_id") == Some(id));
        let mut known: Vec<(i64, Rule)> = found
            .iter()
            .filter(is_here)
            .filter(|row| row["override_rule_id"].is_null() && holds(row, rows.now()))
            .filter(|row| uuid(row, "id").is_none_or(|id| id != system_rule::ID && !is_replaced(id)))
            .filter_map(|row| Some((row["priority"].as_i64().unwrap_or(rules::DEFAULT_PRIORITY), read(row)?)))
            .collect();
        if !is_replaced(system_rule::ID) {
            known.push((system_rule::PRIORITY, own()));
        }
        known.sort_by_key(|(priority, _)| *priority);
        Ok(Self(known.into_iter().map(|(_, rule)| rule).collect()))
    }

    /// What the rules make of an event, given its columns and the how manieth of its series it is.
    pub(super) fn judge(&self, event: &Json, occurrence: i64) -> Verdict {
        let mut verdict = Verdict::default();
        for rule in &self.0 {
            let is_early = rule.after.is_some_and(|after| occurrence <= after);
            let is_other = rule.criteria.as_ref().is_some_and(|criteria| !criteria.matches(event));
            if is_early || is_other {
                continue;
            }
            match rules::target(&rule.action) {
                Some(_) if verdict.status.is_some() => continue,
                Some(target) => verdict.status = Some((target, rule.name.clone())),
                None => verdict.step += rule.step,
            }
            verdict.rules.extend(rule.id);
        }
        verdict
    }
}

/// Whether a rule is on and its time is now.
fn holds(row: &Json, now: i64) -> bool {
    let time = |name: &str| row[name].as_str().and_then(parse_timestamp);
    row["enabled"] != Json::Bool(false)
        && time("effective_from").is_none_or(|from| from <= now)
        && time("effective_until").is_none_or(|until| now < until)
}

/// The rule in a row; none where it would match every event, which is a mistake.
fn read(row: &Json) -> Option<Rule> {
    let after = row["match_occurrence_greater_than"].as_i64();
    let criteria = Criteria::read(row.as_object().unwrap_or(&Map::new())).ok();
    (criteria.is_some() || after.is_some()).then(|| Rule {
        id: uuid(row, "id"),
        name: row["name"].as_str().unwrap_or("a rule without a name").to_owned(),
        action: text(row, "action").to_owned(),
        step: row["action_value"].as_i64().unwrap_or_default(),
        criteria,
        after,
    })
}

/// The rule that comes with the service.
fn own() -> Rule {
    Rule {
        id: None,
        name: system_rule::NAME.to_owned(),
        action: system_rule::ACTION.to_owned(),
        step: 0,
        criteria: None,
        after: Some(system_rule::OCCURRENCE),
    }
}

/// Counts for each rule the events it matched.
pub(super) fn count(rows: &Transaction<'_>, matched: &[Uuid]) -> Result<(), Refusal> {
    let mut ids = matched.to_vec();
    ids.sort_unstable();
    ids.dedup();
    for id in ids {
        let more = matched.iter().filter(|known| **known == id).count();
        let row = Look::at(rows, "event_triage_rules")?.with("id", id)?.first(&["match_count"])?;
        let before = row.unwrap_or_default()["match_count"].as_i64().unwrap_or_default();
        let count = before.saturating_add(i64::try_from(more).unwrap_or(i64::MAX));
        let sets =
            [("match_count", ValueRef::Int(count)), ("last_matched_at", ValueRef::Timestamp(rows.now()))];
        rows.update("event_triage_rules", &[eq("id", id)], &sets)?;
    }
    Ok(())
}
