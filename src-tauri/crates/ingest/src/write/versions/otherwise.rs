//! Finds the same cost stated differently: in another format, or with other texts. Identities of charges do not match then; accounts, days and
//! sums do.

use crate::decide::{Choice, Reason, Verdict};
use crate::report::ReportFormat;
use crate::write::grain;
use crate::write::held::Piece;
use crate::write::imports;
use crate::write::settle::{Group, Terms};
use crate::write::sources::Charges;
use catalogue::Decimal;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Finds costs that a group restates without matching identities. The user is asked, or they are replaced if the user chose so.
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

/// The older imports of a place that probably contain the same cost as the files with the given formats: those in another format with charges of the
/// same accounts and days, and any whose accounts have the same cost, individually or in total. `others` are the places in question.
fn told(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &Group,
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let pieces = |place: usize| group.older[place].1.iter().filter(|piece| meets(&group.all, piece));
    let mut told = Vec::new();
    for place in others {
        if tells_otherwise(transaction, formats, group, &group.older[*place])?
            || costs_the_same(&group.all, pieces(*place))
        {
            told.push(*place);
        }
    }
    let met: Vec<usize> = others.iter().copied().filter(|place| pieces(*place).next().is_some()).collect();
    if costs_the_same(&group.all, met.iter().flat_map(|place| pieces(*place))) {
        told.extend(met);
        told.sort_unstable();
        told.dedup();
    }
    Ok(told)
}

/// Whether an older import overlaps with the files in time for one of their accounts, in another format or with charges of another duration.
fn tells_otherwise(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &Group,
    (import, pieces): &(Uuid, Vec<Piece>),
) -> Result<bool, StoreError> {
    let in_common = |piece: &&Piece| {
        group.all.get(&piece.account).is_some_and(|charges| in_common(charges, &piece.charges).is_some())
    };
    let mut met = pieces.iter().filter(in_common).peekable();
    if met.peek().is_some() && is_of_another(transaction, *import, formats)? {
        return Ok(true);
    }
    for piece in met {
        if grain::is_other(transaction, &group.all, &group.place, (*import, piece))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The older imports in another format that contain the charges the files add beyond those they replace: charges of accounts and days that none of
/// `replaced` has. Costs that counted side by side before remain so.
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
        !had.iter().any(stood_beside) && has_more_in_common(&group.all, had, piece)
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

/// Whether an import is in another format than the given ones, or in another version of one, which may identify charges differently.
fn is_of_another(
    transaction: &Transaction<'_>,
    import: Uuid,
    formats: &[&ReportFormat],
) -> Result<bool, StoreError> {
    let format = imports::report(transaction, import)?.and_then(|report| report.format);
    Ok(format.is_some_and(|format| formats.iter().any(|own| own.is_other(&format))))
}

/// Whether both have usage of one account, with at least half of the days of the shorter one in common.
fn meets(new: &HashMap<Uuid, Charges>, piece: &Piece) -> bool {
    new.get(&piece.account).is_some_and(|charges| are_of_the_same_days(charges, &piece.charges))
}

pub(super) fn are_of_the_same_days(left: &Charges, right: &Charges) -> bool {
    let length = |charges: &Charges| charges.period.map_or(0, |(from, until)| until - from);
    let shorter = length(left).min(length(right));
    in_common(left, right).is_some_and(|(from, until)| until - from >= shorter / 2)
}

/// The time for which both have charges.
pub(super) fn in_common(left: &Charges, right: &Charges) -> Option<(i64, i64)> {
    let ((from, until), (other_from, other_until)) = left.period.zip(right.period)?;
    let has_charges = left.no_credits > 0 && right.no_credits > 0;
    let common = (from.max(other_from), until.min(other_until));
    (has_charges && common.0 < common.1).then_some(common)
}

/// Whether the files overlap with a piece for more time than the charges they replace did.
fn has_more_in_common(new: &HashMap<Uuid, Charges>, had: &[&Charges], piece: &Piece) -> bool {
    let Some((from, until)) = new.get(&piece.account).and_then(|charges| in_common(charges, &piece.charges))
    else {
        return false;
    };
    let mut before: Vec<(i64, i64)> = had.iter().filter_map(|own| in_common(own, &piece.charges)).collect();
    before.sort_unstable();
    // The end of the time that is covered without a gap.
    let known = before
        .iter()
        .fold(from, |known, (from, until)| if *from <= known { known.max(*until) } else { known });
    known < until
}

/// Whether all accounts of the new charges are among the pieces with the same cost, to a millionth.
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
