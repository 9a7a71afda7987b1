//! Finds charges restated elsewhere: in another currency, billing period or billing account. A charge's identity does not include these, and source periods
//! are compared separately; without this check a month could count twice. A bill in two currencies is not a restatement: both are in one
//! delivery and contain different charges.

use super::restated_in_other_format::{are_of_the_same_days, in_common};
use crate::decide::{Choice, Overlap, Reason, Verdict};
use crate::write::imports;
use crate::write::resolution::{DecisionInputs, FileRows, PeriodGroup, overlap};
use crate::write::sources::Charges;
use crate::write::stored_charges::{self, SourcePeriod, StoredCharges};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Minimum share of common keys for charges in two currencies to be the same; single charges of a bill in two currencies may look alike.
const MIN_COMMON_SHARE: f64 = 0.1;
/// Two files of one delivery contain the same charges when nearly all keys are common and there are enough of them.
const NEARLY_ALL: f64 = 0.9;
const FEWEST: f64 = 10.0;

/// Start of the first charge and end of the last, µs since 1970 UTC.
type Time = (i64, i64);

/// Finds charges in the groups that are new there but stored elsewhere. The user is asked, or they are replaced if the user chose so.
pub(in crate::write) fn check_restated_elsewhere(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    own: &[Uuid],
    groups: &mut Vec<PeriodGroup>,
    inputs: DecisionInputs<'_>,
) -> Result<(), StoreError> {
    if inputs.choice == Some(Choice::Add) {
        return Ok(());
    }
    let replaced: Vec<HashSet<Uuid>> = groups.iter().map(replaced_accounts).collect();
    for (new, period) in candidates(transaction, groups, &replaced)? {
        let known = groups.iter().position(|group| group.period == period);
        let at = known.unwrap_or(groups.len());
        if known.is_none() {
            groups.push(empty_group(transaction, own, &groups[new], period)?);
        }
        let incoming = new_charges(&groups[new], &replaced[new]);
        let restated = restating_imports(transaction, delivery, (&groups[new], &incoming), &groups[at])?;
        if !restated.is_empty() {
            apply_decision(groups, new, at, &restated, inputs.whole_choice());
        }
    }
    groups.retain(|group| !is_untouched(group));
    Ok(())
}

/// The accounts whose stored rows a group replaces: their charges are restated, not new.
fn replaced_accounts(group: &PeriodGroup) -> HashSet<Uuid> {
    let places: &[usize] = match &group.verdict {
        Verdict::Replace(places) | Verdict::Ask(_, places) => places,
        Verdict::Add => &[],
    };
    places.iter().flat_map(|place| &group.older[*place].1).map(|stored| stored.account).collect()
}

/// The new charges of a group.
fn new_charges<'g>(group: &'g PeriodGroup, replaced: &HashSet<Uuid>) -> Cow<'g, HashMap<Uuid, Charges>> {
    if replaced.is_empty() {
        return Cow::Borrowed(&group.all);
    }
    let new = group.all.iter().filter(|(account, _)| !replaced.contains(account));
    Cow::Owned(new.map(|(account, charges)| (*account, charges.clone())).collect())
}

/// Other source periods of older imports with charges of the same accounts at the same time, each with the group that may restate them.
fn candidates(
    transaction: &Transaction<'_>,
    groups: &[PeriodGroup],
    replaced: &[HashSet<Uuid>],
) -> Result<BTreeSet<(usize, SourcePeriod)>, StoreError> {
    let mut of_account: HashMap<Uuid, Vec<(usize, Time)>> = HashMap::new();
    let charges = groups.iter().zip(replaced).enumerate().flat_map(|(at, (group, replaced))| {
        let new = group.all.iter().filter(|(account, _)| !replaced.contains(account));
        new.map(move |(account, charges)| (at, account, charges))
    });
    for (at, account, charges) in charges {
        if let Some(time) = charges.period {
            of_account.entry(*account).or_default().push((at, time));
        }
    }
    let times = of_account.values().flatten().map(|(_, time)| *time);
    let Some(time) = times.reduce(|all, one| (all.0.min(one.0), all.1.max(one.1))) else {
        return Ok(BTreeSet::new());
    };
    let mut found = BTreeSet::new();
    stored_charges::for_each_in_range(
        transaction,
        time,
        |account| of_account.contains_key(account),
        |known| {
            for (at, (first, last)) in of_account.get(&known.account).into_iter().flatten() {
                let of = &groups[*at].period;
                let is_at_time = known.time.0 < *last && known.time.1 > *first;
                if is_at_time && *of != known.period && of.provider == known.period.provider {
                    found.insert((*at, known.period.clone()));
                }
            }
        },
    )?;
    Ok(found)
}

/// A group for the other source period, which the files do not contain: their accounts have no charges there.
fn empty_group(
    transaction: &Transaction<'_>,
    own: &[Uuid],
    new: &PeriodGroup,
    period: SourcePeriod,
) -> Result<PeriodGroup, StoreError> {
    let nothing = |accounts: &HashMap<Uuid, Charges>| -> HashMap<Uuid, Charges> {
        accounts.keys().map(|account| (*account, Charges::default())).collect()
    };
    let older = stored_charges::find(transaction, own, &period)?.into_iter().collect();
    let files = new.files.iter().map(|(file, accounts)| (*file, nothing(accounts))).collect();
    Ok(PeriodGroup { older, files, all: nothing(&new.all), ..PeriodGroup::at(period) })
}

/// Whether a group was only examined: the files have no rows there, and nothing is removed.
fn is_untouched(group: &PeriodGroup) -> bool {
    let has_rows = group.all.values().any(|charges| charges.rows > 0);
    group.verdict == Verdict::Add && !has_rows && !group.all.is_empty()
}

/// The older imports at the source period `other` that remain and contain the charges of `new`.
fn restating_imports(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    (new, incoming): (&PeriodGroup, &HashMap<Uuid, Charges>),
    other: &PeriodGroup,
) -> Result<Vec<usize>, StoreError> {
    let removed: &[usize] = match &other.verdict {
        Verdict::Replace(places) => places,
        Verdict::Add | Verdict::Ask(..) => &[],
    };
    let is_of_period = new.period.billing_start == other.period.billing_start;
    // Only the currency differs.
    let is_of_bill = is_of_period && new.period.billing_account == other.period.billing_account;
    let mut restated = Vec::new();
    for (place, (import, stored_charges)) in other.older.iter().enumerate() {
        if !removed.contains(&place)
            && (is_restated(incoming, stored_charges, is_of_bill)
                || is_of_other_format(
                    transaction,
                    delivery,
                    (new, incoming),
                    (*import, stored_charges),
                    is_of_period,
                )?)
        {
            restated.push(place);
        }
    }
    Ok(restated)
}

/// Whether the rows are those of the stored charges: by identity, or by the same number of rows for the same accounts and days. Instalments look alike
/// in consecutive billing periods; a few common keys prove nothing there.
fn is_restated(new: &HashMap<Uuid, Charges>, stored_charges: &[StoredCharges], is_of_bill: bool) -> bool {
    let older = by_account(stored_charges);
    let common = overlap(new, &older);
    let is_as_long = |(account, charges): (&Uuid, &Charges)| {
        older
            .get(account)
            .is_some_and(|other| charges.rows == other.rows && are_of_the_same_days(charges, other))
    };
    let rows: u64 = new.values().map(|charges| charges.rows).sum();
    let has_common = common.share_of_new() > MIN_COMMON_SHARE || common.share_of_older() > MIN_COMMON_SHARE;
    if !is_of_bill {
        return has_common && common.shared >= FEWEST;
    }
    has_common || (rows >= 10 && new.len() == older.len() && new.iter().all(is_as_long))
}

/// Whether an import in another format has charges of the same accounts and days.
fn is_of_other_format(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    (new, incoming): (&PeriodGroup, &HashMap<Uuid, Charges>),
    (import, stored_charges): (Uuid, &[StoredCharges]),
    is_of_period: bool,
) -> Result<bool, StoreError> {
    let older = by_account(stored_charges);
    // Within one billing period, any common day counts twice. A late charge of one period is in the bill of the next.
    let is_same = |own: &Charges, other: &Charges| {
        if is_of_period { in_common(own, other).is_some() } else { are_of_the_same_days(own, other) }
    };
    let meets = |(account, charges): (&Uuid, &Charges)| {
        older.get(account).is_some_and(|other| is_same(charges, other))
    };
    if !incoming.iter().any(meets) {
        return Ok(false);
    }
    let format = imports::report(transaction, import)?.and_then(|report| report.format);
    let own = || new.files.keys().filter_map(|file| delivery[*file].format.as_ref());
    Ok(format.is_some_and(|format| own().any(|own| own.is_other(&format))))
}

fn by_account(stored_charges: &[StoredCharges]) -> HashMap<Uuid, Charges> {
    let mut accounts: HashMap<Uuid, Charges> = HashMap::new();
    for stored in stored_charges {
        let charges = accounts.entry(stored.account).or_default();
        charges.merge(&stored.charges);
    }
    accounts
}

/// Applies the decision to the imports of the group `at` that the group `new` restates.
fn apply_decision(
    groups: &mut [PeriodGroup],
    new: usize,
    at: usize,
    restated: &[usize],
    choice: Option<Choice>,
) {
    let only_own = choice == Some(Choice::ReplaceAccounts);
    let accounts: BTreeSet<Uuid> = groups[new].all.keys().copied().collect();
    let other = &mut groups[at];
    for place in restated {
        let stored_charges = other.older[*place].1.iter();
        let stored_charges =
            stored_charges.filter(|stored| !only_own || accounts.contains(&stored.account)).cloned();
        other.replaced.insert(*place, stored_charges.collect());
    }
    let places: Vec<usize> = other.replaced.keys().copied().collect();
    if choice.is_some() {
        other.verdict = Verdict::Replace(places);
        return;
    }
    other.verdict = Verdict::Ask(Reason::RestatedDifferently, places);
    let verdict = &mut groups[new].verdict;
    *verdict = match std::mem::replace(verdict, Verdict::Add) {
        Verdict::Ask(Reason::OtherCostView, places) => Verdict::Ask(Reason::OtherCostView, places),
        Verdict::Replace(places) | Verdict::Ask(_, places) => {
            Verdict::Ask(Reason::RestatedDifferently, places)
        }
        Verdict::Add => Verdict::Ask(Reason::RestatedDifferently, Vec::new()),
    };
}

/// Files of a delivery whose charges a later file restates in another currency: group index, file, and the later file.
pub(super) fn find_restated_files(groups: &[PeriodGroup]) -> BTreeMap<(usize, usize), usize> {
    let mut places: BTreeMap<(&str, &str, i64), Vec<usize>> = BTreeMap::new();
    for (place, PeriodGroup { period: of, .. }) in groups.iter().enumerate() {
        places.entry((&of.provider, &of.billing_account, of.billing_start)).or_default().push(place);
    }
    let mut again = BTreeMap::new();
    for place in places.values() {
        for (first, second) in
            place.iter().flat_map(|first| place.iter().map(move |second| (*first, *second)))
        {
            let (group, other) = (&groups[first], &groups[second]);
            let own = group.files.iter().filter(|(file, _)| !other.files.contains_key(file));
            for (file, charges) in own {
                let later =
                    other.files.range(file + 1..).filter(|(later, _)| !group.files.contains_key(later));
                let restated = later.filter(|(_, theirs)| is_nearly_all(overlap(theirs, charges)));
                again.extend(restated.map(|(later, _)| ((first, *file), *later)));
            }
        }
    }
    again
}

fn is_nearly_all(common: Overlap) -> bool {
    common.shared >= FEWEST && common.share_of_new() >= NEARLY_ALL && common.share_of_older() >= NEARLY_ALL
}
