//! Compares files of one delivery that contain the same charges: identical rows count once; for two versions the user is asked.

pub(super) mod parts;
pub(super) mod restated_elsewhere;
pub(super) mod restated_in_other_format;

use super::amounts;
use super::resolution::{FileRows, PeriodGroup, Question, connected, overlap, period};
use super::sources::Charges;
use super::stored_charges;

use crate::decide::Reason;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Maximum share of common keys for two files to be parts.
const PARTS: f64 = 0.02;
/// The minimum share of equal rows for two files to be the same; below 1 because shares are sums of floating-point numbers.
const SAME: f64 = 1.0 - 1e-9;

/// How the files of a delivery relate to each other.
pub(super) enum VersionRelation {
    /// Parts, or the same as an earlier file, whose index is given.
    Alike(Vec<Option<usize>>),
    /// These files contain, or may contain, different versions of the same charges; the reason for the question.
    Differ(Reason, BTreeSet<usize>),
}

/// Compares the files of a delivery with each other.
pub(super) fn find(groups: &[PeriodGroup], delivery: &[FileRows]) -> VersionRelation {
    let mut same_as: Vec<Option<usize>> = vec![None; delivery.len()];
    let mut related: BTreeMap<(usize, usize), bool> = BTreeMap::new();
    for group in groups.iter().filter(|group| group.files.len() > 1) {
        for (first, second) in candidates(group) {
            let overlap = overlap(&group.files[&second], &group.files[&first]);
            let are_parts = overlap.share_of_new() <= PARTS && overlap.share_of_older() <= PARTS;
            if are_parts && !overlap.is_restatement() {
                continue;
            }
            let (first_is, second_is) = (&group.files[&first], &group.files[&second]);
            let is_same = overlap.equal >= SAME * overlap.new.max(overlap.older)
                && is_nearly_equal(first_is, second_is);
            related.entry((first, second)).and_modify(|same| *same &= is_same).or_insert(is_same);
        }
    }
    let mut differ = of_other_formats(groups, delivery);
    differ.extend(
        restated_elsewhere::find_restated_files(groups)
            .into_iter()
            .flat_map(|((_, file), later)| [file, later]),
    );
    for ((first, second), is_same) in related {
        let places = |file| groups.iter().filter(move |group| group.files.contains_key(&file)).count();
        let both = groups
            .iter()
            .filter(|group| group.files.contains_key(&first) && group.files.contains_key(&second))
            .count();
        if is_same && places(second) == both {
            same_as[second].get_or_insert(first);
        } else {
            differ.extend([first, second]);
        }
    }
    if !differ.is_empty() {
        return VersionRelation::Differ(Reason::TwoVersions, differ);
    }
    let unknown = unknown_parts(groups, delivery, &same_as);
    if unknown.is_empty() {
        VersionRelation::Alike(same_as)
    } else {
        VersionRelation::Differ(Reason::UnknownParts, unknown)
    }
}

/// Files with charges of the same accounts and days that may be parts of one report or two reports.
fn unknown_parts(
    groups: &[PeriodGroup],
    delivery: &[FileRows],
    same_as: &[Option<usize>],
) -> BTreeSet<usize> {
    let file = |at: usize| parts::File::of(&delivery[at]);
    let mut unknown = BTreeSet::new();
    for group in groups {
        let files: Vec<(&usize, &HashMap<Uuid, Charges>)> =
            group.files.iter().filter(|(file, _)| same_as[**file].is_none()).collect();
        for (place, (first, charges)) in files.iter().enumerate() {
            for (second, others) in &files[place + 1..] {
                if parts::may_be_two_reports(file(**first), file(**second)) && parts::meet(charges, others) {
                    unknown.extend([**first, **second]);
                }
            }
        }
    }
    unknown
}

/// Files with costs of the same accounts and days in different formats, or with charges of different durations: their keys never match.
fn of_other_formats(groups: &[PeriodGroup], delivery: &[FileRows]) -> BTreeSet<usize> {
    let mut differ = BTreeSet::new();
    for group in groups {
        for (first, second) in group
            .files
            .keys()
            .flat_map(|file| group.files.range(file + 1..).map(|(other, _)| (*file, *other)))
        {
            let formats = delivery[first].format.as_ref().zip(delivery[second].format.as_ref());
            let is_other = formats.is_some_and(|(one, other)| one.is_other(other));
            let tells_otherwise = |(account, own): (&Uuid, &Charges)| {
                group.files[&second].get(account).is_some_and(|other| {
                    let is_other = is_other || own.durations.is_other(other.durations);
                    is_other && restated_in_other_format::in_common(own, other).is_some()
                })
            };
            if group.files[&first].iter().any(tells_otherwise) {
                differ.extend([first, second]);
            }
        }
    }
    differ
}

/// Whether both have the same number of rows and the same cost for the same accounts. With very many rows, not all are compared individually.
fn is_nearly_equal(first: &HashMap<Uuid, Charges>, second: &HashMap<Uuid, Charges>) -> bool {
    let has_as_much = |(account, charges): (&Uuid, &Charges)| {
        second.get(account).is_some_and(|other| charges.rows == other.rows && charges.sum() == other.sum())
    };
    first.len() == second.len() && first.iter().all(has_as_much)
}

/// Pairs of files that share a key, found in one pass over all keys.
fn candidates(group: &PeriodGroup) -> BTreeSet<(usize, usize)> {
    let mut pairs = BTreeSet::new();
    let mut first: HashMap<(Uuid, u64), usize> = HashMap::new();
    for (file, accounts) in &group.files {
        for (account, charges) in accounts {
            for key in charges.sketch.keys() {
                let known = *first.entry((*account, key)).or_insert(*file);
                if known != *file {
                    pairs.insert((known, *file));
                }
            }
        }
    }
    pairs
}

/// Whether differing files may be stored side by side. Not allowed for Azure exports with commitments: one may contain actual and the other
/// amortised cost.
pub(super) fn may_add(delivery: &[FileRows], files: &BTreeSet<usize>) -> bool {
    files.iter().all(|file| delivery[*file].cost_view.is_none())
}

/// The question which version to use.
pub(super) fn question(
    transaction: &Transaction<'_>,
    delivery: &[FileRows],
    groups: &[PeriodGroup],
    (reason, files): (Reason, BTreeSet<usize>),
) -> Result<Question, StoreError> {
    let restated = restated_elsewhere::find_restated_files(groups);
    let is_asked = |group: &&PeriodGroup| group.files.keys().any(|file| files.contains(file));
    let asked: Vec<&PeriodGroup> = groups.iter().filter(is_asked).collect();
    let own: Vec<Uuid> = delivery.iter().map(|file| file.job.import).collect();
    let mut totals = Vec::new();
    for (place, group) in groups.iter().enumerate().filter(|(_, group)| is_asked(group)) {
        let older = stored_charges::find(transaction, &own, &group.period)?;
        let before = amounts::sum(older.values().flatten().map(|stored| &stored.charges));
        let all: Vec<&Charges> = group.files.values().flat_map(HashMap::values).collect();
        // Of several versions the last file is used; it may be in another currency.
        let goes = |file: usize| restated.contains_key(&(place, file));
        let last: Vec<&Charges> = group
            .files
            .iter()
            .filter(|(file, _)| !files.contains(file))
            .chain(group.files.iter().rev().find(|(file, _)| files.contains(file) && !goes(**file)))
            .flat_map(|(_, accounts)| accounts.values())
            .collect();
        totals.push(amounts::Totals {
            period: period(group.period.billing_start),
            currency: group.period.currency.clone(),
            before,
            added: amounts::sum(all),
            replacing: amounts::sum(last),
            replaced: before,
            replaced_accounts: before,
            restated: before,
        });
    }
    Ok(Question {
        reason,
        may_add: may_add(delivery, &files),
        files: connected(groups, &asked),
        periods: totals
            .iter()
            .map(|total| total.period.clone())
            .collect::<BTreeSet<_>>()
            .into_iter()
            .collect(),
        totals,
        has_other_accounts: false,
        may_combine: false,
    })
}
