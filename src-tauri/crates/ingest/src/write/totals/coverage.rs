//! Determines the days that the bill of a cluster's machines, or of a cloud account, covers.

use super::{ImportAnswers, MACHINE, SPENDS};
use crate::providers::machine::name_of_machine;
use catalogue::{Value, format_timestamp};
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

const DAY: i64 = 86_400_000_000;

/// The days that bills cover: in each month, from the start of the first charge to the end of the last.
#[derive(Debug, Default)]
pub(super) struct Coverage {
    months: BTreeMap<String, (i64, i64)>,
    /// The imports of these charges.
    imports: BTreeSet<Uuid>,
}

/// Which days of a time a bill covers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum BilledDays {
    All,
    None,
    Some,
}

impl Coverage {
    /// A time is judged by its days, each of which is covered when a bill has charges in any part of it; a time shorter than a day by its start.
    pub fn of(&self, start: i64, end: i64) -> BilledDays {
        if end - start < DAY {
            return if self.has(start, start + 1) { BilledDays::All } else { BilledDays::None };
        }
        let (mut days, mut covered, mut day) = (0, 0, start);
        while day < end {
            let until = day.saturating_add(DAY).min(end);
            days += 1;
            covered += u64::from(self.has(day, until));
            day = until;
        }
        match covered {
            0 => BilledDays::None,
            _ if covered == days => BilledDays::All,
            _ => BilledDays::Some,
        }
    }

    /// Whether a bill covers any part of a time of at most one day.
    fn has(&self, start: i64, end: i64) -> bool {
        let in_month = |time: i64| self.months.get(&month(time));
        let meets = |(from, to): &(i64, i64)| *from < end && start < *to;
        [start, end - 1].into_iter().filter_map(in_month).any(meets)
    }

    /// Whether charges of any of these imports are included.
    pub fn is_of_any(&self, imports: &[ImportAnswers]) -> bool {
        imports.iter().any(|asked| self.imports.contains(&asked.import))
    }

    /// Adds the charges that meet the conditions, except those of tools.
    pub fn add(
        &mut self,
        rows: &Transaction<'_>,
        tools: &BTreeSet<Uuid>,
        conditions: &[Condition<'_>],
    ) -> Result<(), StoreError> {
        let columns = ["import_id", "date", "period_end", "exclude_aggregate"];
        rows.for_each(SPENDS, &columns, conditions, |row| {
            let [import, date, end, excluded] = row.as_slice() else { return Ok(()) };
            let is_of_tool = import.as_uuid().is_some_and(|import| tools.contains(&import));
            if let Some(start) = date.as_int().filter(|_| !is_of_tool && *excluded != Value::Bool(true)) {
                let end = end.as_int().unwrap_or(start).max(start + 1);
                self.imports.extend(import.as_uuid());
                let (from, to) = self.months.entry(month(start)).or_insert((start, end));
                (*from, *to) = ((*from).min(start), (*to).max(end));
            }
            Ok::<_, StoreError>(())
        })
    }
}

fn month(micros: i64) -> String {
    format_timestamp(micros).chars().take(7).collect()
}

/// The machine in the details of a cost.
pub(super) fn machine(details: &Value) -> Option<String> {
    let details: Json = serde_json::from_str(details.as_text()?).ok()?;
    name_of_machine(details.get(MACHINE)?.as_str()?)
}

/// The machines of a cluster, from its dumps.
pub(super) fn nodes(rows: &Transaction<'_>, account: Uuid) -> Result<Vec<String>, StoreError> {
    let found = rows.select("k8s_nodes", &["meta"], &[eq("cloud_account_id", account)])?;
    let provider_id = |row: &Vec<Value>| {
        let meta: Json = serde_json::from_str(row.first()?.as_text()?).ok()?;
        name_of_machine(meta.get("provider_id")?.as_str()?)
    };
    Ok(found.iter().filter_map(provider_id).collect())
}
