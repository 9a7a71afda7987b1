//! Applies triage rules to a new event.

use super::criteria::Criteria;
use super::{rules, system_rule};
use crate::kit::{Look, text, uuid};
use catalogue::{ValueRef, parse_timestamp};
use graphql::Refusal;
use serde_json::{Map, Value as Json};
use store::{Transaction, eq};
use uuid::Uuid;

/// A rule that is in effect for an account.
struct Rule {
    /// `None` for the built-in rule, which has no row.
    id: Option<Uuid>,
    name: String,
    action: String,
    /// How far the rule moves the score.
    step: i64,
    /// `None` if the rule depends on the occurrence only.
    criteria: Option<Criteria>,
    /// The rule matches only occurrences greater than this number.
    after: Option<i64>,
}

/// The rules of an account in evaluation order: lowest number first (semantics §7).
pub(super) struct Judge(Vec<Rule>);

/// The result of the rules for an event.
#[derive(Default)]
pub(super) struct Verdict {
    /// The new status and the name of the rule that set it: the first matching rule with a status.
    pub status: Option<(&'static str, String)>,
    /// The sum of the score changes of all matching rules.
    pub step: i64,
    /// The rules that matched.
    pub rules: Vec<Uuid>,
}

impl Judge {
    /// The rules of the account, the tenant and the service that are in effect now.
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

    /// Applies the rules to an event, given its columns and its occurrence number in its series (from 1).
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

/// Whether a rule is enabled and in effect at `now`.
fn holds(row: &Json, now: i64) -> bool {
    let time = |name: &str| row[name].as_str().and_then(parse_timestamp);
    row["enabled"] != Json::Bool(false)
        && time("effective_from").is_none_or(|from| from <= now)
        && time("effective_until").is_none_or(|until| now < until)
}

/// Reads a rule from a row; `None` if it would match every event, which is a mistake.
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

/// The built-in rule.
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

/// Adds the matched events to each rule's match count.
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
