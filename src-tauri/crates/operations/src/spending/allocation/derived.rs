//! Stores allocations as rows of `allocated_cost`. Recomputed whenever charges or rules change; unchanged rows are not written.

use super::super::charges::Charges;
use super::super::scope::Scope;
use super::compute::{Share, apply};
use super::rule;
use crate::kit;
use catalogue::{Value, ValueRef};
use graphql::Refusal;
use model::tables::allocated_cost;
use model::{Read, row};
use std::collections::BTreeMap;
use store::{Store, StoreError, Transaction, eq};
use uuid::Uuid;

row! { struct AllocatedDay from allocated_cost { date } }

const TABLE: &str = "allocated_cost";
/// How many days back charges are allocated for the first time. Days that were allocated before are recomputed regardless of their age, so that
/// reported amounts stay consistent until their charges or rule are deleted.
const DAYS: i32 = 400;

/// The key of a row: rule, day, currency, target.
type RowKey = (Uuid, i32, String, String);

/// Recomputes the allocations of a tenant and returns the number of rows written or removed. Blocks.
pub(crate) fn refresh(store: &Store, tenant: Uuid) -> Result<usize, StoreError> {
    let keep = |rows: &Transaction<'_>, found: &Option<BTreeMap<RowKey, Share>>| {
        found.as_ref().map_or(Ok(0), |found| write(&rows.without_actor(), found.clone()))
    };
    kit::analyse_and_store(store, tenant, shares, keep).map_err(Refusal::into_error)
}

/// All shares by key; `None` if there are neither rules nor stored allocations.
fn shares(rows: &Transaction<'_>) -> Result<Option<BTreeMap<RowKey, Share>>, Refusal> {
    let rules = rule::active(rows)?;
    if rules.is_empty() && rows.count(TABLE, &[])? == 0 {
        return Ok(None);
    }
    let charges = Charges::at(rows)?;
    let Some(until) = charges.last_day(&Scope::default(), None)? else { return Ok(Some(BTreeMap::new())) };
    let first = rows.query::<AllocatedDay>().order(allocated_cost::date.asc()).limit(1).first()?;
    let recent = until - DAYS;
    let from = first.map_or(recent, |told| told.date.days().min(recent));
    let mut found = BTreeMap::new();
    for (place, rule) in rules.iter().enumerate() {
        let outcome = apply(rows, &charges, (rule, &rules[..place], &rules), (from, until))?;
        for share in outcome.shares {
            found.insert((rule.id, share.day, share.currency.clone(), share.target.clone()), share);
        }
    }
    Ok(Some(found))
}

fn write(rows: &Transaction<'_>, mut found: BTreeMap<RowKey, Share>) -> Result<usize, Refusal> {
    let columns =
        ["id", "rule_id", "date", "currency", "target", "source_amount", "weight", "weight_total", "amount"];
    let mut changes = 0;
    for row in rows.select(TABLE, &columns, &[])? {
        let [id, rule_id, Value::Date(day), currency, target, source, weight, total, amount] = row.as_slice()
        else {
            continue;
        };
        let (Some(id), Some(rule_id)) = (id.as_uuid(), rule_id.as_uuid()) else { continue };
        let text = |cell: &Value| cell.as_text().unwrap_or_default().to_owned();
        let share = found.remove(&(rule_id, *day, text(currency), text(target)));
        let is_same = share.as_ref().is_some_and(|share| {
            [
                (source, share.source),
                (weight, share.weight),
                (total, share.weight_total),
                (amount, share.amount),
            ]
            .into_iter()
            .all(|(cell, number)| cell.borrow() == ValueRef::from(number))
        });
        if is_same {
            continue;
        }
        rows.delete(TABLE, &[eq("id", id)])?;
        changes += 1;
        if let Some(share) = share {
            insert(rows, rule_id, &share)?;
        }
    }
    for ((rule_id, ..), share) in &found {
        insert(rows, *rule_id, share)?;
    }
    Ok(changes + found.len())
}

fn insert(rows: &Transaction<'_>, rule: Uuid, share: &Share) -> Result<(), StoreError> {
    rows.insert(
        TABLE,
        &[
            ("rule_id", rule.into()),
            ("date", ValueRef::Date(share.day)),
            ("currency", share.currency.as_str().into()),
            ("target", share.target.as_str().into()),
            ("source_amount", share.source.into()),
            ("weight", share.weight.into()),
            ("weight_total", share.weight_total.into()),
            ("amount", share.amount.into()),
        ],
    )
}
