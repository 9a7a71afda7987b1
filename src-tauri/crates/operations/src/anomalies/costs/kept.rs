//! Brings the rows of `anomaly` to what was found, and reads what people have said of them.

use super::super::measured::{EVENTS, METRIC};
use super::row::{COLUMNS, Row};
use super::{TAG, TOTAL, tags};
use crate::kit::{Look, text, uuid};
use analysis::anomalies::{DailyCost, Feedback, JUDGED_DAYS, Measure, SeriesKey, Verdict};
use catalogue::{Value, ValueRef};
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq, one_of};
use uuid::Uuid;

/// How many rows a run has added, changed and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
}

impl Changes {
    pub(super) fn add(&mut self, other: Self) {
        self.added += other.added;
        self.updated += other.updated;
        self.removed += other.removed;
    }
}

/// The rows that a run may write, and which of those with feedback have lost what they were found in.
pub(in crate::anomalies) struct Own<'a> {
    pub scopes: &'a [&'static str],
    pub lacks: &'a dyn Fn(&[Value]) -> bool,
}

/// The days that the bill tells.
pub(in crate::anomalies) struct Days {
    /// Of each account, and of each currency.
    accounts: BTreeSet<(Uuid, i32)>,
    currencies: BTreeSet<(String, i32)>,
    /// What began before was not looked at.
    first_judged: i32,
}

impl Days {
    pub fn of(costs: &[DailyCost]) -> Self {
        let newest = costs.iter().map(|cost| cost.day).max();
        Self {
            accounts: costs.iter().map(|cost| (cost.account, cost.day)).collect(),
            currencies: costs.iter().map(|cost| (cost.currency.clone(), cost.day)).collect(),
            first_judged: newest.map_or(i32::MIN, |newest| newest - JUDGED_DAYS),
        }
    }

    /// Whether the first day of a row, as [`COLUMNS`] has it, is not in the bill any more.
    pub fn lack(&self, row: &[Value]) -> bool {
        let [account, _, _, _, _, _, _, _, scope, currency, Value::Date(started_on), ..] = row else {
            return false;
        };
        let (Some(account), Some(scope), Some(currency)) =
            (account.as_uuid(), scope.as_text(), currency.as_text())
        else {
            return false;
        };
        let has_day = if scope == TOTAL || scope == TAG {
            self.currencies.contains(&(currency.to_owned(), *started_on))
        } else {
            self.accounts.contains(&(account, *started_on))
        };
        *started_on > self.first_judged && !has_day
    }
}

/// Brings the rows of the tenant to what was found. What a person has said not to tell is kept as no anomaly; rows with feedback stay, whether found
/// again or not, while the bill has their first day.
pub(in crate::anomalies) fn write(
    rows: &Transaction<'_>,
    (found, silenced): (&mut [Row], &mut [Row]),
    own: &Own<'_>,
) -> Result<Changes, Refusal> {
    let mut columns = vec!["id", "feedback"];
    columns.extend(COLUMNS);
    let scopes = one_of("scope", own.scopes.iter().map(|scope| (*scope).into()).collect());
    let mut stored: BTreeMap<Uuid, Vec<Value>> = BTreeMap::new();
    for row in rows.select("anomaly", &columns, &[scopes])? {
        if let Some(id) = row[0].as_uuid() {
            stored.insert(id, row);
        }
    }
    let said = said(rows)?;
    go_on(&stored, found.iter_mut().chain(silenced.iter_mut()).collect());
    let told = found.iter().map(|row| (row, true));
    let silenced = silenced.iter().filter(|row| said.contains_key(&row.id)).map(|row| (row, false));
    let mut changes = Changes::default();
    for (row, is_anomaly) in told.chain(silenced) {
        let reference = row.reference_value.to_string();
        let cells = row.cells(&reference, is_anomaly);
        let mut named: Vec<(&str, ValueRef<'_>)> = COLUMNS.iter().copied().zip(cells).collect();
        match stored.remove(&row.id) {
            None => {
                named.push(("id", row.id.into()));
                let verdict = said.get(&row.id).map(String::as_str);
                named.extend(verdict.map(|verdict| ("feedback", verdict.into())));
                rows.insert("anomaly", &named)?;
                changes.added += 1;
            }
            Some(before) if is_same(&before[2..], &named) => {}
            Some(_) => {
                named.push(("updated_at", ValueRef::Timestamp(rows.now())));
                rows.update("anomaly", &[eq("id", row.id)], &named)?;
                changes.updated += 1;
            }
        }
    }
    for (id, row) in stored {
        if row[1].is_null() || (own.lacks)(&row[2..]) {
            rows.delete("anomaly", &[eq("id", id)])?;
            changes.removed += 1;
        }
    }
    Ok(changes)
}

/// Gives findings whose first day has moved the id under which they are stored. A restated bill moves it; it is one anomaly still, with its verdict, its
/// notice and its tickets.
fn go_on(stored: &BTreeMap<Uuid, Vec<Value>>, found: Vec<&mut Row>) {
    let known: BTreeSet<Uuid> = found.iter().map(|row| row.id).collect();
    let mut free: BTreeMap<Uuid, &Vec<Value>> =
        stored.iter().filter(|(id, _)| !known.contains(*id)).map(|(id, row)| (*id, row)).collect();
    for row in found.into_iter().filter(|row| !stored.contains_key(&row.id)) {
        let before = free.iter().filter_map(|(id, before)| Some((row.days_since(&before[2..])?, *id)));
        if let Some((_, id)) = before.max() {
            free.remove(&id);
            row.id = id;
        }
    }
}

/// The newest verdict on each anomaly.
fn said(rows: &Transaction<'_>) -> Result<BTreeMap<Uuid, String>, Refusal> {
    let look = Look::at(rows, "anomaly_feedback")?.ordered("created_at", false)?.ordered("id", false)?;
    let verdicts = look.rows(&["anomaly_id", "verdict"])?;
    let one = |row: &Json| Some((uuid(row, "anomaly_id")?, text(row, "verdict").to_owned()));
    Ok(verdicts.iter().filter_map(one).collect())
}

fn is_same(before: &[Value], now: &[(&str, ValueRef<'_>)]) -> bool {
    before.iter().zip(now).all(|(before, (_, now))| match (before, now) {
        (Value::Json(before), ValueRef::Json(now)) => {
            let read = |text: &str| serde_json::from_str::<Json>(text).ok();
            read(before) == read(now)
        }
        (before, now) => before.borrow() == *now,
    })
}

/// What people have said, as the rules take it.
pub(in crate::anomalies) fn feedback(rows: &Transaction<'_>) -> Result<Vec<Feedback>, Refusal> {
    let columns = ["scope", "account_id", "name", "currency", "started_on", "verdict", "expected_until"];
    let found = rows.select("anomaly_feedback", &columns, &[])?;
    Ok(found.iter().filter_map(|row| read_feedback(row)).collect())
}

fn read_feedback(row: &[Value]) -> Option<Feedback> {
    let [scope, account, name, unit, Value::Date(started_on), verdict, until] = row else { return None };
    let verdict = match verdict.as_text()? {
        "useful" => Verdict::Useful,
        "expected" => Verdict::Expected,
        "wrong" => Verdict::Wrong,
        _ => return None,
    };
    let (name, unit) = (name.as_text()?, unit.as_text()?.to_owned());
    let of = |measure, account, tag: Option<&str>, name: &str| SeriesKey {
        measure,
        account,
        tag: tag.map(str::to_owned),
        name: name.to_owned(),
    };
    let account = account.as_uuid()?;
    let key = match scope.as_text()? {
        TOTAL => of(Measure::Cost(unit), None, None, ""),
        TAG => {
            let (tag, value) = tags::parts_of(name)?;
            of(Measure::Cost(unit), None, Some(tag), value)
        }
        METRIC => of(Measure::Metric(unit), Some(account), None, name),
        EVENTS => of(Measure::Count, Some(account), None, name),
        _ => of(Measure::Cost(unit), Some(account), None, name),
    };
    let expected_until = if let Value::Date(day) = until { Some(*day) } else { None };
    Some(Feedback { key, started_on: *started_on, verdict, expected_until })
}
