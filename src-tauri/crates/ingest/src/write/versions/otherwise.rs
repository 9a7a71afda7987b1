//! The same cost told in another way: by another kind of file, or with other words. What identifies charges says nothing then; accounts, days
//! and sums do.

use crate::write::held::Piece;
use crate::write::imports;
use crate::write::settle::Group;
use crate::write::sources::Charges;
use catalogue::Decimal;
use std::collections::{BTreeSet, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The older imports of a place that seem to tell the same cost as the files, whose formats are given: those of another format that have charges of
/// the same accounts and days; and those of any whose accounts cost the same, each or all together. `others` are the places in question.
pub(in crate::write) fn told<'f>(
    transaction: &Transaction<'_>,
    formats: impl Iterator<Item = &'f str>,
    group: &Group,
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let formats: BTreeSet<&str> = formats.collect();
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
        let report = imports::report(transaction, group.older[place].0)?;
        let format = report.and_then(|report| report.format);
        let is_of_another = format.is_some_and(|format| formats.iter().any(|own| *own != format.id));
        if is_of_another || costs_the_same(&group.all, pieces(place)) {
            told.push(place);
        }
    }
    Ok(told)
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
