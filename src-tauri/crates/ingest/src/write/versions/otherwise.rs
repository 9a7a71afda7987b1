//! The same cost told in another way: by another kind of file, or with other words. What identifies charges says nothing then; accounts, days
//! and sums do.

use crate::decide::{Choice, Reason, Verdict};
use crate::report::ReportFormat;
use crate::write::held::Piece;
use crate::write::imports;
use crate::write::settle::{Group, Terms};
use crate::write::sources::Charges;
use catalogue::Decimal;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Looks for what a group tells again in other ways than by what identifies charges. What is found is asked about, or replaced where a person has
/// said so.
pub(in crate::write) fn consider(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &mut Group,
    others: &[usize],
    terms: Terms<'_>,
) -> Result<(), StoreError> {
    if terms.choice == Some(Choice::Add) {
        return Ok(());
    }
    let (reason, mut places) = match &group.verdict {
        Verdict::Add => (Reason::ToldOtherwise, Vec::new()),
        Verdict::Ask(Reason::OtherCostView, places) => (Reason::OtherCostView, places.clone()),
        Verdict::Replace(places) | Verdict::Ask(_, places) => (Reason::ToldOtherwise, places.clone()),
    };
    let told = if group.verdict == Verdict::Add {
        told(transaction, formats, group, others)?
    } else {
        told_anew(transaction, formats, group, &places, others)?
    };
    if told.is_empty() {
        return Ok(());
    }
    places.extend(told);
    places.sort_unstable();
    group.verdict = match terms.instead() {
        Some(_) => Verdict::Replace(places),
        None => Verdict::Ask(reason, places),
    };
    Ok(())
}

/// The older imports of a place that seem to tell the same cost as the files, whose formats are given: those of another format that have charges of
/// the same accounts and days; and those of any whose accounts cost the same, each or all together. `others` are the places in question.
fn told(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &Group,
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let pieces = |place: usize| group.older[place].1.iter().filter(|piece| meets(&group.all, piece));
    let met: Vec<usize> = others.iter().copied().filter(|place| pieces(*place).next().is_some()).collect();
    if met.is_empty() {
        return Ok(met);
    }
    if costs_the_same(&group.all, met.iter().flat_map(|place| pieces(*place))) {
        return Ok(met);
    }
    let mut told = Vec::new();
    for place in met {
        let is_of_another = is_of_another(transaction, group.older[place].0, formats)?;
        if is_of_another || costs_the_same(&group.all, pieces(place)) {
            told.push(place);
        }
    }
    Ok(told)
}

/// The older imports of another format that tell what the files bring anew, beside those that they take the place of: charges of accounts and days that
/// none of `replaced` has. What stood beside these before stays so.
fn told_anew(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &Group,
    replaced: &[usize],
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let mut had: HashMap<Uuid, Vec<&Charges>> = HashMap::new();
    for piece in replaced.iter().flat_map(|place| &group.older[*place].1) {
        had.entry(piece.account).or_default().push(&piece.charges);
    }
    let is_new = |piece: &Piece| {
        let had = had.get(&piece.account).map_or(&[][..], Vec::as_slice);
        let stood_beside = |own: &&Charges| are_of_the_same_days(own, &piece.charges);
        meets(&group.all, piece) && !had.iter().any(stood_beside)
    };
    let mut told = Vec::new();
    for place in others.iter().filter(|place| !replaced.contains(place)) {
        let (import, pieces) = &group.older[*place];
        if pieces.iter().any(is_new) && is_of_another(transaction, *import, formats)? {
            told.push(*place);
        }
    }
    Ok(told)
}

/// Whether an import is of another kind of file than one of those given: of another format, or of another version of it, which may name charges
/// in other ways.
fn is_of_another(
    transaction: &Transaction<'_>,
    import: Uuid,
    formats: &[&ReportFormat],
) -> Result<bool, StoreError> {
    let format = imports::report(transaction, import)?.and_then(|report| report.format);
    Ok(format.is_some_and(|format| formats.iter().any(|own| own.is_other(&format))))
}

/// Whether both have usage of one account, and at least half of the days of the shorter one in common.
fn meets(new: &HashMap<Uuid, Charges>, piece: &Piece) -> bool {
    new.get(&piece.account).is_some_and(|charges| are_of_the_same_days(charges, &piece.charges))
}

pub(super) fn are_of_the_same_days(left: &Charges, right: &Charges) -> bool {
    let Some(((from, until), (other_from, other_until))) = left.period.zip(right.period) else {
        return false;
    };
    let has_charges = left.no_credits > 0 && right.no_credits > 0;
    let common = until.min(other_until).saturating_sub(from.max(other_from));
    let shorter = (until - from).min(other_until - other_from);
    has_charges && common > 0 && common >= shorter / 2
}

/// Whether all accounts of the new charges are among the pieces, and cost the same there, to a millionth.
fn costs_the_same<'p>(new: &HashMap<Uuid, Charges>, pieces: impl Iterator<Item = &'p Piece>) -> bool {
    let mut older: HashMap<Uuid, Charges> = HashMap::new();
    for piece in pieces {
        older.entry(piece.account).or_default().merge(&piece.charges);
    }
    new.iter().all(|(account, charges)| {
        older.get(account).is_some_and(|other| is_as_much(charges.sum(), other.sum()))
    })
}

fn is_as_much(left: Decimal, right: Decimal) -> bool {
    let (left, right) = (left.to_f64(), right.to_f64());
    left.abs() > 0.005 && (left - right).abs() <= 1e-6 * left.abs()
}
