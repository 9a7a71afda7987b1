//! Finds charges in older imports that a delivery restates. If the user chooses so, these count once, and all other charges remain.

use super::resolution::{DecisionInputs, FileRows, PeriodGroup};
use super::sources::{Charges, TABLE};
use super::stored_charges::{self, PartialCharges, StoredCharges};
use super::{Journal, sources};
use crate::decide::{Choice, Verdict};
use crate::{keys, providers};
use catalogue::{Value, ValueRef};
use std::collections::{BTreeMap, HashMap, HashSet};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The identities of the charges of each account.
type Identities = HashMap<Uuid, HashSet<u64>>;

/// Determines the rows that are replaced if restated charges count once, and replaces them if the user chose so.
pub(super) fn find_restated(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    group: &mut PeriodGroup,
    inputs: DecisionInputs<'_>,
) -> Result<(), StoreError> {
    let Verdict::Ask(reason, places) = &group.verdict else { return Ok(()) };
    if !reason.may_combine() || inputs.runs.is_some() {
        return Ok(());
    }
    let files: Vec<Uuid> = group.files.keys().map(|file| delivery[*file].job.import).collect();
    group.restated = find(transaction, &files, group, places)?;
    if inputs.choice == Some(Choice::Combine) {
        group.replaced = std::mem::take(&mut group.restated);
        let places: Vec<usize> = group.replaced.keys().copied().collect();
        group.verdict = if places.is_empty() { Verdict::Add } else { Verdict::Replace(places) };
    }
    Ok(())
}

/// The stored charges of older imports that lose charges when `files` replace the charges they restate, by the index of the import in the group. Examines
/// every row of both: a sample would leave duplicates.
fn find(
    transaction: &Transaction<'_>,
    files: &[Uuid],
    group: &PeriodGroup,
    places: &[usize],
) -> Result<BTreeMap<usize, Vec<StoredCharges>>, StoreError> {
    let restated_charges = identities(transaction, files, group)?;
    let mut found = BTreeMap::new();
    for place in places {
        let (import, stored_charges) = &group.older[*place];
        let mut losing = Vec::new();
        for stored in stored_charges {
            let Some(restated_charges) = restated_charges.get(&stored.account) else { continue };
            losing.extend(split(transaction, *import, group, stored, restated_charges)?);
        }
        if !losing.is_empty() {
            found.insert(*place, losing);
        }
    }
    Ok(found)
}

/// The identities of the charges that the files have written at the source period.
fn identities(
    transaction: &Transaction<'_>,
    files: &[Uuid],
    group: &PeriodGroup,
) -> Result<Identities, StoreError> {
    let columns: Vec<&str> = keys::COLUMNS.into_iter().chain(["cloud_account", "provider_name"]).collect();
    let mut restated_charges = Identities::new();
    for file in files {
        let at_place = [
            eq("import_id", *file),
            eq("billing_period_start", ValueRef::Timestamp(group.period.billing_start)),
            eq("billing_account_id", &group.period.billing_account),
            eq("unit", &group.period.currency),
        ];
        transaction.for_each("spends", &columns, &at_place, |row| {
            let [.., Value::Uuid(account), provider] = row.as_slice() else { return Ok(()) };
            if providers::identity(provider.as_text().unwrap_or_default()) == group.period.provider {
                restated_charges.entry(*account).or_default().insert(keys::of_row(&row).identity);
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(restated_charges)
}

/// The part of stored charges that is replaced, and the figures of the rest; `None` when nothing is.
fn split(
    transaction: &Transaction<'_>,
    import: Uuid,
    group: &PeriodGroup,
    stored: &StoredCharges,
    restated_charges: &HashSet<u64>,
) -> Result<Option<StoredCharges>, StoreError> {
    let columns: Vec<&str> = keys::COLUMNS.into_iter().chain(["exclude_aggregate", "id"]).collect();
    let (mut replaced, mut rest, mut rows) = (Charges::default(), Charges::default(), Vec::new());
    let of_stored = stored_charges::rows_of(import, &group.period, stored);
    transaction.for_each("spends", &columns, &of_stored, |mut row| {
        let id = row.pop();
        if restated_charges.contains(&keys::of_row(&row).identity) {
            rows.extend(id.and_then(|id| id.as_uuid()));
            replaced.add_row(&row);
        } else {
            rest.add_row(&row);
        }
        Ok::<_, StoreError>(())
    })?;
    let part = (rest.rows > 0).then_some(PartialCharges { rows, rest });
    Ok((replaced.rows > 0).then(|| StoredCharges { charges: replaced, part, ..stored.clone() }))
}

/// Stores the figures of the rest of stored charges.
pub(super) fn store_rest(
    transaction: &Transaction<'_>,
    journal: &Journal<'_>,
    stored: Uuid,
    rest: &Charges,
) -> Result<(), StoreError> {
    let (first, last) = rest.period.unwrap_or_default();
    journal.updates(TABLE, stored, &["charge_start", "charge_end"])?;
    let time = [("charge_start", ValueRef::Timestamp(first)), ("charge_end", ValueRef::Timestamp(last))];
    transaction.update(TABLE, &[eq("id", stored)], &time)?;
    sources::store_rest(transaction, journal, stored, rest)
}
