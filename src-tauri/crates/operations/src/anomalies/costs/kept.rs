//! Findings as rows of `anomaly`, and back.

use super::{DAY, SERVICE, TOTAL};
use crate::kit::{Look, text, uuid};
use analysis::anomalies::{DailyCost, Feedback, Finding, JUDGED_DAYS, Kind, SeriesKey, VERSION, Verdict};
use catalogue::{Decimal, Value, ValueRef};
use graphql::Refusal;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{Transaction, eq, one_of};
use uuid::Uuid;

/// What the ids of anomalies of cost are made from, so that the same finding has the same id whoever finds it.
const NAMESPACE: Uuid = Uuid::from_u128(0x5d1c_3f0e_7a52_4a9e_9b6d_2f41_8e07_c3aa);

/// The columns that a run writes, in the order of [`Row::cells`].
const COLUMNS: [&str; 16] = [
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
];

/// A finding as a row.
#[derive(Debug, Clone)]
pub struct Row {
    pub id: Uuid,
    /// `service` or `total`.
    pub scope: &'static str,
    /// The account; of a total, the tenant.
    pub account: Uuid,
    pub name: String,
    pub anomaly_type: &'static str,
    pub currency: String,
    pub current_value: Decimal,
    /// Days since 1970.
    pub started_on: i32,
    pub ended_on: i32,
    pub state: &'static str,
    pub impact: Decimal,
    pub reference_value: Json,
    pub import: Option<Uuid>,
}

impl Row {
    pub fn of(tenant: Uuid, finding: &Finding) -> Result<Self, Refusal> {
        let key = &finding.key;
        let (scope, anomaly_type) = match (key.account, finding.kind) {
            (_, Kind::New) => (SERVICE, "new_service"),
            (Some(_), _) => (SERVICE, "CloudSpendService"),
            (None, _) => (TOTAL, "CloudSpendTotal"),
        };
        let kind = match finding.kind {
            Kind::New => "new",
            Kind::Increase => "more",
            Kind::Decrease => "less",
        };
        let account = key.account.map(|account| account.to_string()).unwrap_or_default();
        let first = finding.first_day();
        let words = format!("{tenant}/{scope}/{account}/{}/{}/{kind}/{first}", key.name, key.currency);
        let largest = finding.parts.first().map_or(key.name.as_str(), |part| part.key.name.as_str());
        let reference_value = finding
            .reference_value()
            .map_err(|error| Refusal::new("unexpected", format!("a finding is no JSON: {error}")))?;
        Ok(Self {
            id: Uuid::new_v5(&NAMESPACE, words.as_bytes()),
            scope,
            account: key.account.unwrap_or(tenant),
            name: if largest.is_empty() { "all services".to_owned() } else { largest.to_owned() },
            anomaly_type,
            currency: key.currency.clone(),
            current_value: finding.days.first().map(|day| day.actual).unwrap_or_default(),
            started_on: first,
            ended_on: finding.last_day(),
            state: finding.state.name(),
            impact: finding.impact,
            reference_value,
            import: None,
        })
    }

    fn cells<'r>(&'r self, reference: &'r str, is_anomaly: bool) -> [ValueRef<'r>; 16] {
        let moment = |day: i32| ValueRef::Timestamp(i64::from(day) * DAY);
        [
            self.account.into(),
            self.anomaly_type.into(),
            self.current_value.into(),
            moment(self.ended_on + 1),
            is_anomaly.into(),
            self.name.as_str().into(),
            ValueRef::Json(reference),
            moment(self.started_on),
            self.scope.into(),
            self.currency.as_str().into(),
            ValueRef::Date(self.started_on),
            ValueRef::Date(self.ended_on),
            self.state.into(),
            self.impact.into(),
            VERSION.into(),
            self.import.into(),
        ]
    }

    /// Days that it has in common with a stored row, as [`COLUMNS`] has it, of the same costs that went the same way; `None` when there are none.
    fn days_since(&self, stored: &[Value]) -> Option<i32> {
        let [account, anomaly_type, _, _, _, name, _, _, scope, currency, first, last, _, impact, ..] =
            stored
        else {
            return None;
        };
        let (Value::Date(first), Value::Date(last), Value::Decimal(impact)) = (first, last, impact) else {
            return None;
        };
        let is_same = account.as_uuid() == Some(self.account)
            && anomaly_type.as_text() == Some(self.anomaly_type)
            && scope.as_text() == Some(self.scope)
            && currency.as_text() == Some(self.currency.as_str())
            // A total has the name of what it is most of.
            && (self.scope == TOTAL || name.as_text() == Some(self.name.as_str()))
            && impact.is_negative() == self.impact.is_negative();
        let common = self.ended_on.min(*last) - self.started_on.max(*first) + 1;
        (is_same && common > 0).then_some(common)
    }
}

/// How many rows a run has added, changed and removed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Changes {
    pub added: usize,
    pub updated: usize,
    pub removed: usize,
}

/// The days that the bill tells.
pub(super) struct Days {
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
    fn lack(&self, row: &[Value]) -> bool {
        let [account, .., scope, currency, Value::Date(started_on), _, _, _, _, _] = row else {
            return false;
        };
        let (Some(account), Some(scope), Some(currency)) =
            (account.as_uuid(), scope.as_text(), currency.as_text())
        else {
            return false;
        };
        let has_day = if scope == TOTAL {
            self.currencies.contains(&(currency.to_owned(), *started_on))
        } else {
            self.accounts.contains(&(account, *started_on))
        };
        *started_on > self.first_judged && !has_day
    }
}

/// Brings the rows of the tenant to what was found. What a person has said not to tell is kept as no anomaly; rows with feedback stay, whether found
/// again or not, while the bill has their first day.
pub(super) fn write(
    rows: &Transaction<'_>,
    (found, silenced): (&mut [Row], &mut [Row]),
    days: &Days,
) -> Result<Changes, Refusal> {
    let mut columns = vec!["id", "feedback"];
    columns.extend(COLUMNS);
    let own = one_of("scope", vec![SERVICE.into(), TOTAL.into()]);
    let mut stored: BTreeMap<Uuid, Vec<Value>> = BTreeMap::new();
    for row in rows.select("anomaly", &columns, &[own])? {
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
        if row[1].is_null() || days.lack(&row[2..]) {
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
pub(super) fn feedback(rows: &Transaction<'_>) -> Result<Vec<Feedback>, Refusal> {
    let columns = ["scope", "account_id", "name", "currency", "started_on", "verdict", "expected_until"];
    let found = rows.select("anomaly_feedback", &columns, &[])?;
    Ok(found.iter().filter_map(|row| read_feedback(row)).collect())
}

fn read_feedback(row: &[Value]) -> Option<Feedback> {
    let [scope, account, name, currency, Value::Date(started_on), verdict, until] = row else { return None };
    let is_total = scope.as_text()? == TOTAL;
    let verdict = match verdict.as_text()? {
        "useful" => Verdict::Useful,
        "expected" => Verdict::Expected,
        "wrong" => Verdict::Wrong,
        _ => return None,
    };
    let key = SeriesKey {
        currency: currency.as_text()?.to_owned(),
        account: if is_total { None } else { Some(account.as_uuid()?) },
        name: if is_total { String::new() } else { name.as_text()?.to_owned() },
    };
    let expected_until = if let Value::Date(day) = until { Some(*day) } else { None };
    Some(Feedback { key, started_on: *started_on, verdict, expected_until })
}
