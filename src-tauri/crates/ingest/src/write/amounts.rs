//! Computes amounts before and after, for reports and questions.

use super::resolution::{Outcome, PeriodGroup, Question, period};
use super::sources::Charges;
use crate::report::{Amount, Change, Choice, ChoiceTotal};
use catalogue::{Decimal, DecimalSum};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// The effect of each choice on one period of one source.
#[derive(Debug, Clone)]
pub struct Totals {
    pub period: String,
    pub currency: String,
    pub before: Decimal,
    /// The amount that adding brings.
    pub added: Decimal,
    /// The amount that replacing brings.
    pub replacing: Decimal,
    /// The amount that replacing removes.
    pub replaced: Decimal,
    /// The amount that is removed when only the file's own accounts are replaced.
    pub replaced_accounts: Decimal,
    /// The amount that is removed when only restated charges are replaced.
    pub restated: Decimal,
}

/// The billed cost of the charges.
pub fn sum<'c>(charges: impl IntoIterator<Item = &'c Charges>) -> Decimal {
    let mut sum = DecimalSum::new();
    for charges in charges {
        sum.add(charges.sum());
    }
    sum.total().unwrap_or_else(|| Decimal::from(0))
}

/// The totals of the source periods in question.
pub(super) fn choices(groups: &[&PeriodGroup]) -> Vec<Totals> {
    groups
        .iter()
        .map(|group| {
            let brought = sum(group.all.values());
            let replaced = || group.replaced.values().flatten();
            let own = replaced().filter(|stored| group.all.contains_key(&stored.account));
            Totals {
                period: period(group.period.billing_start),
                currency: group.period.currency.clone(),
                before: before(group),
                added: brought,
                replacing: brought,
                replaced: sum(replaced().map(|stored| &stored.charges)),
                replaced_accounts: sum(own.map(|stored| &stored.charges)),
                restated: sum(group.restated.values().flatten().map(|stored| &stored.charges)),
            }
        })
        .collect()
}

/// The choices of a question, with the resulting totals per period and currency.
pub fn report(question: &Question) -> Vec<Choice> {
    let totals = &question.totals;
    let mut choices = vec![
        choice("add", "Add: keep the stored charges and add these", totals, &|total| {
            [Some(total.before), Some(total.added), None]
        }),
        choice("replace", "Replace: these charges replace the stored ones", totals, &|total| {
            [Some(total.before), Some(total.replacing), Some(total.replaced)]
        }),
    ];
    if !question.may_add {
        choices.remove(0);
    }
    if question.may_combine {
        let label = "Combine: charges in both count once, with this file's values; all others stay";
        choices.push(choice("combine", label, totals, &|total| {
            [Some(total.before), Some(total.replacing), Some(total.restated)]
        }));
    }
    if question.has_other_accounts {
        let label = "Replace only the accounts in the file; other accounts keep their charges";
        choices.push(choice("replace_accounts", label, totals, &|total| {
            [Some(total.before), Some(total.replacing), Some(total.replaced_accounts)]
        }));
    }
    choices
}

/// Fills the sums of each file's report.
pub(super) fn fill(
    transaction: &Transaction<'_>,
    groups: &[PeriodGroup],
    outcomes: &mut [Outcome],
) -> Result<(), StoreError> {
    let mut names: BTreeMap<Uuid, (String, String)> = BTreeMap::new();
    for group in groups {
        let changes =
            if group.replaced.is_empty() { Vec::new() } else { changes(transaction, group, &mut names)? };
        let mut stored = DecimalSum::new();
        stored.add(before(group));
        stored.add(-sum(group.replaced.values().flatten().map(|stored| &stored.charges)));
        stored.add(sum(group.all.values()));
        for (file, accounts) in &group.files {
            let sums = &mut outcomes[*file].sums;
            if group.replaced.is_empty() {
                add(&mut sums.added, group, sum(accounts.values()));
            }
            sums.replaced.extend(changes.iter().cloned());
            add(&mut sums.stored, group, stored.total().unwrap_or_else(|| Decimal::from(0)));
        }
    }
    Ok(())
}

/// The amounts before and after, per account for which something is replaced or added.
fn changes(
    transaction: &Transaction<'_>,
    group: &PeriodGroup,
    names: &mut BTreeMap<Uuid, (String, String)>,
) -> Result<Vec<Change>, StoreError> {
    let accounts: BTreeSet<Uuid> = group
        .all
        .keys()
        .copied()
        .chain(group.replaced.values().flatten().map(|stored| stored.account))
        .collect();
    let mut changes = Vec::new();
    for account in accounts {
        let stored_charges = group
            .older
            .iter()
            .flat_map(|(_, stored_charges)| stored_charges)
            .filter(|stored| stored.account == account);
        let before = sum(stored_charges.map(|stored| &stored.charges));
        let gone = group.replaced.values().flatten().filter(|stored| stored.account == account);
        let mut after = DecimalSum::new();
        after.add(before);
        after.add(-sum(gone.map(|stored| &stored.charges)));
        after.add(sum(group.all.get(&account)));
        if let Entry::Vacant(entry) = names.entry(account) {
            let found = transaction.select(
                "cloud_accounts",
                &["account_number", "account_name"],
                &[eq("id", account)],
            )?;
            let text = |place: usize| {
                let cell = found.first().and_then(|row| row.get(place)).and_then(|cell| cell.as_text());
                cell.unwrap_or_default().to_owned()
            };
            entry.insert((text(0), text(1)));
        }
        let (number, name) = names[&account].clone();
        changes.push(Change {
            period: period(group.period.billing_start),
            account: number,
            account_name: name,
            currency: group.period.currency.clone(),
            before: before.to_string(),
            after: after.to_string(),
        });
    }
    Ok(changes)
}

fn before(group: &PeriodGroup) -> Decimal {
    sum(group.older.iter().flat_map(|(_, stored_charges)| stored_charges).map(|stored| &stored.charges))
}

/// Adds a number to the amount of the same period and currency.
fn add(amounts: &mut Vec<Amount>, group: &PeriodGroup, number: Decimal) {
    let period = Some(period(group.period.billing_start));
    let currency = &group.period.currency;
    let same = amounts.iter_mut().find(|amount| amount.period == period && amount.currency == *currency);
    if let Some(amount) = same {
        let before = Decimal::parse(&amount.billed_cost).unwrap_or_else(|_| Decimal::from(0));
        let mut sum = DecimalSum::new();
        sum.add(before);
        sum.add(number);
        amount.billed_cost = sum.to_string();
    } else {
        amounts.push(Amount { currency: currency.clone(), period, billed_cost: number.to_string() });
    }
}

/// The parts of a total: existing, added, removed.
type Parts = [Option<Decimal>; 3];

fn choice(word: &str, label: &str, totals: &[Totals], parts: &dyn Fn(&Totals) -> Parts) -> Choice {
    let mut by: BTreeMap<(String, String), (DecimalSum, DecimalSum)> = BTreeMap::new();
    for total in totals {
        let (before, after) = by.entry((total.period.clone(), total.currency.clone())).or_default();
        before.add(total.before);
        let [was, comes, goes] = parts(total);
        for number in [was, comes, goes.map(std::ops::Neg::neg)].into_iter().flatten() {
            after.add(number);
        }
    }
    let totals = by
        .into_iter()
        .map(|((period, currency), (before, after))| ChoiceTotal {
            period,
            currency,
            before: before.to_string(),
            after: after.to_string(),
        })
        .collect();
    Choice { choice: word.to_owned(), label: label.to_owned(), totals }
}
