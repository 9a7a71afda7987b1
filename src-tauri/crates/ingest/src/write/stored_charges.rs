//! Finds and removes the rows that older imports have stored for a billing period of a source.

use super::sources::{self, Charges, KEYS_TABLE, TABLE};
use super::{Journal, imports, restated};
use crate::decide::Sketch;
use crate::{keys, providers};
use catalogue::{DecimalSum, Value, ValueRef};
use model::tables::spend_source_keys;
use model::{Id, Read as _, row};
use std::collections::BTreeMap;
use store::{Condition, StoreError, Transaction, eq, gt, lt, one_of};
use uuid::Uuid;

row! { struct KeyCount from spend_source_keys { row_count } }

/// A billing period of a source. Spellings of the provider do not matter.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePeriod {
    /// The standard spelling.
    pub provider: String,
    pub billing_account: String,
    pub currency: String,
    pub billing_start: i64,
}

/// The charges of one account that an older import has stored at a source period.
#[derive(Debug, Clone)]
pub struct StoredCharges {
    pub id: Uuid,
    /// The import's spelling.
    pub provider: String,
    pub account: Uuid,
    pub charges: Charges,
    /// Set when only some of the rows are concerned; `charges` then covers these.
    pub part: Option<PartialCharges>,
}

/// Some rows of stored charges.
#[derive(Debug, Clone)]
pub struct PartialCharges {
    pub rows: Vec<Uuid>,
    /// The charges of the remaining rows.
    pub rest: Charges,
}

/// Number of rows removed by one statement.
const AT_ONCE: usize = 4_000;

/// The source periods for which an import has stored rows.
pub fn source_periods(transaction: &Transaction<'_>, import: Uuid) -> Result<Vec<SourcePeriod>, StoreError> {
    let columns = ["provider_name", "billing_account_id", "currency", "billing_period_start"];
    let mut periods: Vec<SourcePeriod> = transaction
        .select(TABLE, &columns, &[eq("import_id", import)])?
        .into_iter()
        .filter_map(|row| match row.as_slice() {
            [Value::Text(provider), Value::Text(account), Value::Text(currency), Value::Timestamp(start)] => {
                Some(SourcePeriod {
                    provider: providers::identity(provider),
                    billing_account: account.clone(),
                    currency: currency.clone(),
                    billing_start: *start,
                })
            }
            _ => None,
        })
        .collect();
    periods.sort();
    periods.dedup();
    Ok(periods)
}

/// The charges of one account at a source period.
#[derive(Debug)]
pub struct ChargesInRange {
    pub period: SourcePeriod,
    pub account: Uuid,
    /// Start of the first charge and end of the last.
    pub time: (i64, i64),
}

/// Passes the charges that older imports have stored in a time range to `take`, for accounts that `is_wanted` accepts.
pub fn for_each_in_range(
    transaction: &Transaction<'_>,
    (first, last): (i64, i64),
    is_wanted: impl Fn(&Uuid) -> bool,
    mut take: impl FnMut(ChargesInRange),
) -> Result<(), StoreError> {
    let columns = [
        "cloud_account",
        "charge_start",
        "charge_end",
        "billing_period_start",
        "provider_name",
        "billing_account_id",
        "currency",
    ];
    let then = [lt("charge_start", ValueRef::Timestamp(last)), gt("charge_end", ValueRef::Timestamp(first))];
    transaction.for_each(TABLE, &columns, &then, |row| {
        if let [
            Value::Uuid(account),
            Value::Timestamp(start),
            Value::Timestamp(end),
            Value::Timestamp(billing_start),
            Value::Text(provider),
            Value::Text(billing_account),
            Value::Text(currency),
        ] = row.as_slice()
            && is_wanted(account)
        {
            let period = SourcePeriod {
                provider: providers::identity(provider),
                billing_account: billing_account.clone(),
                currency: currency.clone(),
                billing_start: *billing_start,
            };
            take(ChargesInRange { period, account: *account, time: (*start, *end) });
        }
        Ok::<_, StoreError>(())
    })
}

/// The stored charges of older imports at a source period, by import.
pub fn find(
    transaction: &Transaction<'_>,
    own: &[Uuid],
    period: &SourcePeriod,
) -> Result<BTreeMap<Uuid, Vec<StoredCharges>>, StoreError> {
    let columns = ["id", "import_id", "provider_name", "cloud_account", "charge_start", "charge_end"];
    let same = [
        eq("billing_account_id", &period.billing_account),
        eq("currency", &period.currency),
        eq("billing_period_start", ValueRef::Timestamp(period.billing_start)),
    ];
    let mut older: BTreeMap<Uuid, Vec<StoredCharges>> = BTreeMap::new();
    for row in transaction.select(TABLE, &columns, &same)? {
        let [Value::Uuid(id), Value::Uuid(import), Value::Text(provider), Value::Uuid(account), first, last] =
            row.as_slice()
        else {
            continue;
        };
        if own.contains(import) || providers::identity(provider) != period.provider {
            continue;
        }
        let charges = Charges { period: first.as_int().zip(last.as_int()), ..Charges::default() };
        older.entry(*import).or_default().push(StoredCharges {
            id: *id,
            provider: provider.clone(),
            account: *account,
            charges,
            part: None,
        });
    }
    for (import, stored_charges) in &mut older {
        let is_whole = is_whole(transaction, *import)?;
        for stored in stored_charges {
            let kept = if is_whole { find_figures(transaction, stored.id)? } else { None };
            let charges = match kept {
                Some(charges) => charges,
                None => read(transaction, &rows_of(*import, period, stored))?,
            };
            stored.charges = Charges { period: stored.charges.period, ..charges };
        }
    }
    Ok(older)
}

/// Whether all rows that an import should have are stored: none was deleted by hand.
pub fn is_whole(transaction: &Transaction<'_>, import: Uuid) -> Result<bool, StoreError> {
    let of_import = [eq("import_id", import)];
    let kept = transaction.query::<KeyCount>().filter(spend_source_keys::import_id.eq(Id::new(import)));
    let kept = kept.rows()?;
    let rows: i64 = kept.iter().map(|keys| keys.row_count).sum();
    let is_complete = kept.len() as u64 == transaction.count(TABLE, &of_import)?;
    Ok(is_complete && u64::try_from(rows).ok() == Some(transaction.count("spends", &of_import)?))
}

/// Removes the given stored charges of an older import, all of one source period.
pub fn remove(
    transaction: &Transaction<'_>,
    journal: &Journal<'_>,
    import: Uuid,
    period: &SourcePeriod,
    stored_charges: &[StoredCharges],
) -> Result<u64, StoreError> {
    let in_period =
        [eq("import_id", import), eq("billing_period_start", ValueRef::Timestamp(period.billing_start))];
    let are_whole = stored_charges.iter().all(|stored| stored.part.is_none());
    // The usual case: the whole period is removed.
    let rows = if are_whole && transaction.count(TABLE, &in_period)? == stored_charges.len() as u64 {
        journal.delete("spends", import, &in_period)?
    } else {
        let mut rows = 0;
        for stored in stored_charges {
            let Some(part) = &stored.part else {
                rows += journal.delete("spends", import, &rows_of(import, period, stored))?;
                continue;
            };
            for some in part.rows.chunks(AT_ONCE) {
                let ids = one_of("id", some.iter().map(|id| (*id).into()).collect());
                rows += journal.delete("spends", import, &[ids])?;
            }
            restated::store_rest(transaction, journal, stored.id, &part.rest)?;
        }
        rows
    };
    let whole = stored_charges.iter().filter(|stored| stored.part.is_none());
    let ids: Vec<Uuid> = whole.map(|stored| stored.id).collect();
    sources::remove(journal, import, &ids)?;
    Ok(rows)
}

/// Records in an older import that some of its rows were replaced.
pub fn record_replacement(
    transaction: &Transaction<'_>,
    import: Uuid,
    rows: u64,
    periods: &str,
    file: &str,
) -> Result<(), StoreError> {
    let note = format!("Of this import, {rows} rows of {periods} were replaced by the later file {file}.");
    imports::record_replaced_rows(transaction, import, rows, note)
}

/// The conditions that select the rows of stored charges.
pub(super) fn rows_of<'p>(
    import: Uuid,
    period: &'p SourcePeriod,
    stored: &'p StoredCharges,
) -> [Condition<'p>; 6] {
    [
        eq("import_id", import),
        eq("billing_period_start", ValueRef::Timestamp(period.billing_start)),
        eq("cloud_account", stored.account),
        eq("provider_name", &stored.provider),
        eq("billing_account_id", &period.billing_account),
        eq("unit", &period.currency),
    ]
}

/// The stored figures of stored charges; `None` when it was imported by a version that did not store them.
fn find_figures(transaction: &Transaction<'_>, stored: Uuid) -> Result<Option<Charges>, StoreError> {
    let columns = ["row_count", "charge_count", "billed_cost", "keys"];
    let found = transaction.select(KEYS_TABLE, &columns, &[eq("source_id", stored)])?;
    let Some([rows, charges, Value::Decimal(billed), keys]) = found.first().map(Vec::as_slice) else {
        return Ok(None);
    };
    let Some(sketch) = keys.as_text().and_then(Sketch::from_text) else { return Ok(None) };
    let count =
        |value: &Value| value.as_int().and_then(|count| u64::try_from(count).ok()).unwrap_or_default();
    let mut sum = DecimalSum::new();
    sum.add(*billed);
    Ok(Some(Charges {
        rows: count(rows),
        charge_count: count(charges),
        billed: sum,
        sketch,
        ..Charges::default()
    }))
}

/// Computes the figures of stored charges from its rows.
fn read(transaction: &Transaction<'_>, rows: &[Condition<'_>]) -> Result<Charges, StoreError> {
    let mut read = Charges::default();
    let columns: Vec<&str> = keys::COLUMNS.into_iter().chain(["exclude_aggregate"]).collect();
    transaction.for_each("spends", &columns, rows, |row| {
        read.add_row(&row);
        Ok::<_, StoreError>(())
    })?;
    Ok(read)
}
