//! Finds charges in older imports that a delivery restates. If the user chooses so, these count once, and all other charges remain.

use super::held::{self, Part, Piece};
use super::settle::{FileRows, Group, Terms};
use super::sources::{Charges, TABLE};
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
pub(super) fn settle(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    group: &mut Group,
    terms: Terms<'_>,
) -> Result<(), StoreError> {
    let Verdict::Ask(reason, places) = &group.verdict else { return Ok(()) };
    if !reason.may_combine() || terms.runs.is_some() {
        return Ok(());
    }
    let files: Vec<Uuid> = group.files.keys().map(|file| delivery[*file].job.import).collect();
    group.told_again = find(transaction, &files, group, places)?;
    if terms.choice == Some(Choice::Combine) {
        group.replaced = std::mem::take(&mut group.told_again);
        let places: Vec<usize> = group.replaced.keys().copied().collect();
        group.verdict = if places.is_empty() { Verdict::Add } else { Verdict::Replace(places) };
    }
    Ok(())
}

/// The pieces of older imports that lose charges when `files` replace the charges they restate, by the index of the import in the group. Examines
/// every row of both: a sample would leave duplicates.
fn find(
    transaction: &Transaction<'_>,
    files: &[Uuid],
    group: &Group,
    places: &[usize],
) -> Result<BTreeMap<usize, Vec<Piece>>, StoreError> {
    let told = identities(transaction, files, group)?;
    let mut found = BTreeMap::new();
    for place in places {
        let (import, pieces) = &group.older[*place];
        let mut losing = Vec::new();
        for piece in pieces {
            let Some(told) = told.get(&piece.account) else { continue };
            losing.extend(split(transaction, *import, group, piece, told)?);
        }
        if !losing.is_empty() {
            found.insert(*place, losing);
        }
    }
    Ok(found)
}

/// The identities of the charges that the files have written at the place.
fn identities(
    transaction: &Transaction<'_>,
    files: &[Uuid],
    group: &Group,
) -> Result<Identities, StoreError> {
    let columns: Vec<&str> = keys::COLUMNS.into_iter().chain(["cloud_account", "provider_name"]).collect();
    let mut told = Identities::new();
    for file in files {
        let at_place = [
            eq("import_id", *file),
            eq("billing_period_start", ValueRef::Timestamp(group.place.billing_start)),
            eq("billing_account_id", &group.place.billing_account),
            eq("unit", &group.place.currency),
        ];
        transaction.for_each("spends", &columns, &at_place, |row| {
            let [.., Value::Uuid(account), provider] = row.as_slice() else { return Ok(()) };
            if providers::identity(provider.as_text().unwrap_or_default()) == group.place.provider {
                told.entry(*account).or_default().insert(keys::of_row(&row).identity);
            }
            Ok::<_, StoreError>(())
        })?;
    }
    Ok(told)
}

/// The piece with the charges it loses, and the figures of the rest; `None` when it loses nothing.
fn split(
    transaction: &Transaction<'_>,
    import: Uuid,
    group: &Group,
    piece: &Piece,
    told: &HashSet<u64>,
) -> Result<Option<Piece>, StoreError> {
    let columns: Vec<&str> = keys::COLUMNS.into_iter().chain(["exclude_aggregate", "id"]).collect();
    let (mut gone, mut rest, mut rows) = (Charges::default(), Charges::default(), Vec::new());
    let of_piece = held::piece_rows(import, &group.place, piece);
    transaction.for_each("spends", &columns, &of_piece, |mut row| {
        let id = row.pop();
        if told.contains(&keys::of_row(&row).identity) {
            rows.extend(id.and_then(|id| id.as_uuid()));
            gone.see_row(&row);
        } else {
            rest.see_row(&row);
        }
        Ok::<_, StoreError>(())
    })?;
    let part = (rest.rows > 0).then_some(Part { rows, rest });
    Ok((gone.rows > 0).then(|| Piece { charges: gone, part, ..piece.clone() }))
}

/// Stores the figures of the rest of a piece.
pub(super) fn keep_rest(
    transaction: &Transaction<'_>,
    journal: &Journal<'_>,
    piece: Uuid,
    rest: &Charges,
) -> Result<(), StoreError> {
    let (first, last) = rest.period.unwrap_or_default();
    journal.updates(TABLE, piece, &["charge_start", "charge_end"])?;
    let time = [("charge_start", ValueRef::Timestamp(first)), ("charge_end", ValueRef::Timestamp(last))];
    transaction.update(TABLE, &[eq("id", piece)], &time)?;
    sources::keep_rest(transaction, journal, piece, rest)
}
