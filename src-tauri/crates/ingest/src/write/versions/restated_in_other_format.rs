//! Finds the same cost stated differently: in another format, or with other texts. Identities of charges do not match then; accounts, days and
//! sums do.

use crate::decide::{Choice, Reason, Verdict};
use crate::report::ReportFormat;
use crate::write::charge_duration;
use crate::write::imports;
use crate::write::resolution::{DecisionInputs, PeriodGroup};
use crate::write::sources::Charges;
use crate::write::stored_charges::StoredCharges;
use catalogue::Decimal;
use std::collections::HashMap;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Finds costs that a group restates without matching identities. The user is asked, or they are replaced if the user chose so.
pub(in crate::write) fn check_other_format(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &mut PeriodGroup,
    others: &[usize],
    inputs: DecisionInputs<'_>,
) -> Result<(), StoreError> {
    if inputs.choice == Some(Choice::Add) {
        return Ok(());
    }
    let (reason, mut places) = match &group.verdict {
        Verdict::Add => (Reason::RestatedDifferently, Vec::new()),
        Verdict::Ask(Reason::OtherCostView, places) => (Reason::OtherCostView, places.clone()),
        Verdict::Replace(places) | Verdict::Ask(_, places) => (Reason::RestatedDifferently, places.clone()),
    };
    let restated = if group.verdict == Verdict::Add {
        find_restated(transaction, formats, group, others)?
    } else {
        find_newly_restated(transaction, formats, group, &places, others)?
    };
    if restated.is_empty() {
        return Ok(());
    }
    places.extend(restated);
    places.sort_unstable();
    group.verdict = match inputs.whole_choice() {
        Some(_) => Verdict::Replace(places),
        None => Verdict::Ask(reason, places),
    };
    Ok(())
}

/// The older imports of a source period that probably contain the same cost as the files with the given formats: those in another format with charges of the
/// same accounts and days, and any whose accounts have the same cost, individually or in total. `others` are the source periods in question.
fn find_restated(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &PeriodGroup,
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let stored_charges =
        |place: usize| group.older[place].1.iter().filter(|stored| meets(&group.all, stored));
    let mut restated = Vec::new();
    for place in others {
        if is_restated_differently(transaction, formats, group, &group.older[*place])?
            || costs_the_same(&group.all, stored_charges(*place))
        {
            restated.push(*place);
        }
    }
    let overlapping: Vec<usize> =
        others.iter().copied().filter(|place| stored_charges(*place).next().is_some()).collect();
    if costs_the_same(&group.all, overlapping.iter().flat_map(|place| stored_charges(*place))) {
        restated.extend(overlapping);
        restated.sort_unstable();
        restated.dedup();
    }
    Ok(restated)
}

/// Whether an older import overlaps with the files in time for one of their accounts, in another format or with charges of another duration.
fn is_restated_differently(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &PeriodGroup,
    (import, stored_charges): &(Uuid, Vec<StoredCharges>),
) -> Result<bool, StoreError> {
    let in_common = |stored: &&StoredCharges| {
        group.all.get(&stored.account).is_some_and(|charges| in_common(charges, &stored.charges).is_some())
    };
    let mut overlapping = stored_charges.iter().filter(in_common).peekable();
    if overlapping.peek().is_some() && is_of_another(transaction, *import, formats)? {
        return Ok(true);
    }
    for stored in overlapping {
        if charge_duration::is_other(transaction, &group.all, &group.period, (*import, stored))? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The older imports in another format that contain the charges the files add beyond those they replace: charges of accounts and days that none of
/// `replaced` has. Costs that counted side by side before remain so.
fn find_newly_restated(
    transaction: &Transaction<'_>,
    formats: &[&ReportFormat],
    group: &PeriodGroup,
    replaced: &[usize],
    others: &[usize],
) -> Result<Vec<usize>, StoreError> {
    let mut replaced_charges: HashMap<Uuid, Vec<&Charges>> = HashMap::new();
    for stored in replaced.iter().flat_map(|place| &group.older[*place].1) {
        replaced_charges.entry(stored.account).or_default().push(&stored.charges);
    }
    let is_new = |stored: &StoredCharges| {
        let replaced_charges = replaced_charges.get(&stored.account).map_or(&[][..], Vec::as_slice);
        let was_beside = |own: &&Charges| are_of_the_same_days(own, &stored.charges);
        !replaced_charges.iter().any(was_beside) && has_more_in_common(&group.all, replaced_charges, stored)
    };
    let mut restated = Vec::new();
    for place in others.iter().filter(|place| !replaced.contains(place)) {
        let (import, stored_charges) = &group.older[*place];
        if stored_charges.iter().any(is_new) && is_of_another(transaction, *import, formats)? {
            restated.push(*place);
        }
    }
    Ok(restated)
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
fn meets(new: &HashMap<Uuid, Charges>, stored: &StoredCharges) -> bool {
    new.get(&stored.account).is_some_and(|charges| are_of_the_same_days(charges, &stored.charges))
}

pub(super) fn are_of_the_same_days(left: &Charges, right: &Charges) -> bool {
    let length = |charges: &Charges| charges.period.map_or(0, |(from, until)| until - from);
    let shorter = length(left).min(length(right));
    in_common(left, right).is_some_and(|(from, until)| until - from >= shorter / 2)
}

/// The time for which both have charges.
pub(super) fn in_common(left: &Charges, right: &Charges) -> Option<(i64, i64)> {
    let ((from, until), (other_from, other_until)) = left.period.zip(right.period)?;
    let has_charges = left.charge_count > 0 && right.charge_count > 0;
    let common = (from.max(other_from), until.min(other_until));
    (has_charges && common.0 < common.1).then_some(common)
}

/// Whether the files overlap with stored charges for more time than the charges they replace did.
fn has_more_in_common(
    new: &HashMap<Uuid, Charges>,
    replaced_charges: &[&Charges],
    stored: &StoredCharges,
) -> bool {
    let Some((from, until)) =
        new.get(&stored.account).and_then(|charges| in_common(charges, &stored.charges))
    else {
        return false;
    };
    let mut before: Vec<(i64, i64)> =
        replaced_charges.iter().filter_map(|own| in_common(own, &stored.charges)).collect();
    before.sort_unstable();
    // The end of the time that is covered without a gap.
    let known = before
        .iter()
        .fold(from, |known, (from, until)| if *from <= known { known.max(*until) } else { known });
    known < until
}

/// Whether all accounts of the new charges are among the stored charges with the same cost, to a millionth.
fn costs_the_same<'p>(
    new: &HashMap<Uuid, Charges>,
    stored_charges: impl Iterator<Item = &'p StoredCharges>,
) -> bool {
    let mut older: HashMap<Uuid, Charges> = HashMap::new();
    for stored in stored_charges {
        older.entry(stored.account).or_default().merge(&stored.charges);
    }
    new.iter().all(|(account, charges)| {
        older.get(account).is_some_and(|other| is_nearly_equal(charges.sum(), other.sum()))
    })
}

fn is_nearly_equal(left: Decimal, right: Decimal) -> bool {
    let (left, right) = (left.to_f64(), right.to_f64());
    left.abs() > 0.005 && (left - right).abs() <= 1e-6 * left.abs()
}
