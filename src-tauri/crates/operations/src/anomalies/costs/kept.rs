//! Updates the rows of `anomaly` to match the findings, and reads users' feedback.

use super::super::measured::{EVENTS, METRIC};
use super::row::{Row, StoredAnomaly};
use super::{TAG, TOTAL, tags};
use crate::kit::writer;
use analysis::anomalies::{DailyCost, Feedback, JUDGED_DAYS, Measure, SeriesKey, Verdict};
use graphql::Refusal;
use model::tables::{anomaly, anomaly_feedback};
use model::{Date, Id, Read, row};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use uuid::Uuid;

/// How many rows a run added, changed and removed.
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

/// The scopes whose rows a run may write, and the test that finds rows with feedback whose basis is gone.
pub(in crate::anomalies) struct Own<'a> {
    pub scopes: &'a [&'static str],
    pub lacks: &'a dyn Fn(&StoredAnomaly) -> bool,
}

row! { struct StoredVerdict from anomaly_feedback { anomaly_id, verdict } }
row! { struct StoredFeedback from anomaly_feedback { scope, account_id, name, currency, started_on, verdict, expected_until } }

/// The days that the bill covers.
pub(in crate::anomalies) struct Days {
    /// Days by account, and by currency.
    accounts: BTreeSet<(Uuid, i32)>,
    currencies: BTreeSet<(String, i32)>,
    /// The first day that was judged. Anomalies that began earlier were not re-examined.
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

    /// Whether the first day of a stored anomaly is no longer in the bill.
    pub fn lack(&self, row: &StoredAnomaly) -> bool {
        let (Some(started_on), Some(scope), Some(currency)) = (row.started_on, &row.scope, &row.currency)
        else {
            return false;
        };
        let day = started_on.days();
        let has_day = if scope == TOTAL || scope == TAG {
            self.currencies.contains(&(currency.clone(), day))
        } else {
            self.accounts.contains(&(row.account_id, day))
        };
        day > self.first_judged && !has_day
    }
}

/// Updates the tenant's rows to match the findings, and sets each finding's stored id. Findings that feedback silences are stored with
/// `is_anomaly` false. Rows with feedback stay, found again or not, as long as the bill covers their first day.
pub(in crate::anomalies) fn write(
    rows: &Transaction<'_>,
    (found, silenced): (&mut [Row], &mut [Row]),
    own: &Own<'_>,
) -> Result<Changes, Refusal> {
    let of_own = anomaly::scope.one_of(own.scopes.iter().copied());
    let stored = rows.query::<StoredAnomaly>().filter(of_own).rows()?;
    let mut stored: BTreeMap<Uuid, StoredAnomaly> =
        stored.into_iter().map(|row| (row.id.uuid(), row)).collect();
    let said = said(rows)?;
    go_on(&stored, found.iter_mut().chain(silenced.iter_mut()).collect());
    let told = found.iter().map(|row| (row, true));
    let silenced = silenced.iter().filter(|row| said.contains_key(&row.id)).map(|row| (row, false));
    let (writer, mut changes) = (writer(rows)?, Changes::default());
    for (row, is_anomaly) in told.chain(silenced) {
        let id = Id::new(row.id);
        match stored.remove(&row.id) {
            None => {
                let mut cells = row.cells(is_anomaly);
                cells.push(anomaly::id.to(id));
                cells.push(anomaly::feedback.to_option(said.get(&row.id).map(String::as_str)));
                writer.insert(cells)?;
                changes.added += 1;
            }
            Some(before) if row.is_stored(&before, is_anomaly) => {}
            Some(_) => {
                let mut cells = row.cells(is_anomaly);
                cells.push(anomaly::updated_at.to(rows.now()));
                writer.update(anomaly::id.eq(id), cells)?;
                changes.updated += 1;
            }
        }
    }
    for row in stored.into_values() {
        if row.feedback.is_none() || (own.lacks)(&row) {
            writer.delete(anomaly::id.eq(row.id))?;
            changes.removed += 1;
        }
    }
    Ok(changes)
}

/// Gives findings whose first day moved the id of their stored row. A restated bill can move the first day; the anomaly is the same and keeps its
/// verdict, notice and tickets.
fn go_on(stored: &BTreeMap<Uuid, StoredAnomaly>, found: Vec<&mut Row>) {
    let known: BTreeSet<Uuid> = found.iter().map(|row| row.id).collect();
    let mut free: BTreeMap<Uuid, &StoredAnomaly> =
        stored.iter().filter(|(id, _)| !known.contains(*id)).map(|(id, row)| (*id, row)).collect();
    for row in found.into_iter().filter(|row| !stored.contains_key(&row.id)) {
        let before = free.iter().filter_map(|(id, before)| Some((row.days_since(before)?, *id)));
        if let Some((_, id)) = before.max() {
            free.remove(&id);
            row.id = id;
        }
    }
}

/// The newest verdict on each anomaly.
fn said(rows: &Transaction<'_>) -> Result<BTreeMap<Uuid, String>, Refusal> {
    let verdicts = rows.query::<StoredVerdict>().order(anomaly_feedback::created_at.asc());
    let verdicts = verdicts.order(anomaly_feedback::id.asc()).rows()?;
    Ok(verdicts.into_iter().map(|said| (said.anomaly_id, said.verdict)).collect())
}

/// Users' feedback in the form that the rules take.
pub(in crate::anomalies) fn feedback(rows: &Transaction<'_>) -> Result<Vec<Feedback>, Refusal> {
    let said = rows.query::<StoredFeedback>().order(anomaly_feedback::id.asc()).rows()?;
    Ok(said.into_iter().filter_map(StoredFeedback::for_rules).collect())
}

impl StoredFeedback {
    /// `None` for a verdict or row that this product did not write.
    fn for_rules(self) -> Option<Feedback> {
        let verdict = match self.verdict.as_str() {
            "useful" => Verdict::Useful,
            "expected" => Verdict::Expected,
            "wrong" => Verdict::Wrong,
            _ => return None,
        };
        let of = |measure, account, tag: Option<&str>, name: &str| SeriesKey {
            measure,
            account,
            tag: tag.map(str::to_owned),
            name: name.to_owned(),
        };
        let (name, unit, account) = (self.name.as_str(), self.currency, Some(self.account_id));
        let key = match self.scope.as_str() {
            TOTAL => of(Measure::Cost(unit), None, None, ""),
            TAG => {
                let (tag, value) = tags::parts_of(name)?;
                of(Measure::Cost(unit), None, Some(tag), value)
            }
            METRIC => of(Measure::Metric(unit), account, None, name),
            EVENTS => of(Measure::Count, account, None, name),
            _ => of(Measure::Cost(unit), account, None, name),
        };
        let (started_on, expected_until) = (self.started_on.days(), self.expected_until.map(Date::days));
        Some(Feedback { key, started_on, verdict, expected_until })
    }
}
