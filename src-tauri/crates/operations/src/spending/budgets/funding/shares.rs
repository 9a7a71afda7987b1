//! The charges of business units and projects: charges with a unit, and projects' shares of accounts.

use crate::spending::budgets::portion::{AccountShare, Portion};
use crate::spending::days::day_of;
use crate::spending::scope::Scope;
use catalogue::Decimal;
use graphql::Refusal;
use model::{Read, Timestamp, row};
use std::collections::{BTreeMap, BTreeSet};
use store::Transaction;
use uuid::Uuid;

row! {
    struct ShareRow from project_accounts {
        id, project_id, account_id, allocation_pct, allocation_start, allocation_end, budget
    }
}
row! { struct ResourceShare from project_cloud_resources { project_account_id } }
row! { struct Account from cloud_accounts { id, account_name } }

/// A project's share of an account.
struct Share {
    id: Uuid,
    project: Uuid,
    account: Uuid,
    /// `None` if unset.
    percent: Option<Decimal>,
    days: (Option<i32>, Option<i32>),
    /// The spending limit of the share; `None` if unset.
    budget: Option<Decimal>,
}

/// All projects' shares of accounts.
pub(super) struct Shares {
    all: Vec<Share>,
    /// Shares that also have shares of single resources.
    of_resources: BTreeSet<Uuid>,
    accounts: BTreeMap<Uuid, String>,
}

/// The portions of charges that count, and the reason why they are unreliable, if any.
type CountedPortions = (Vec<Portion>, Option<String>);

impl Shares {
    pub(super) fn read(rows: &Transaction<'_>) -> Result<Self, Refusal> {
        let day = |time: Option<Timestamp>| time.map(|time| day_of(time.micros()));
        let share = |row: ShareRow| Share {
            id: row.id.uuid(),
            project: row.project_id.uuid(),
            account: row.account_id.uuid(),
            percent: row.allocation_pct.and_then(|percent| Decimal::parse(&percent.to_string()).ok()),
            days: (day(row.allocation_start), day(row.allocation_end)),
            // 0 means no limit, as for accounts.
            budget: row.budget.filter(|budget| !budget.is_zero()),
        };
        let of_resources = rows.query::<ResourceShare>().rows()?;
        Ok(Self {
            all: rows.query::<ShareRow>().rows()?.into_iter().map(share).collect(),
            of_resources: of_resources.into_iter().map(|row| row.project_account_id.uuid()).collect(),
            accounts: rows
                .query::<Account>()
                .rows()?
                .into_iter()
                .map(|row| (row.id.uuid(), row.account_name))
                .collect(),
        })
    }

    /// A project's shares of accounts on these days.
    pub(super) fn of_project(&self, project: Uuid, days: (i32, i32)) -> CountedPortions {
        let (portions, doubt) = self.of(&[project], days);
        let none = || {
            portions.is_empty().then(|| {
                "no share of an account is set for it on these days: nobody has said what counts".to_owned()
            })
        };
        let doubt = doubt.or_else(none);
        (portions, doubt)
    }

    /// The charges of business units: charges with one of the units; of charges without a unit, the shares of the units' projects.
    pub(super) fn of_unit(
        &self,
        units: &BTreeSet<Uuid>,
        projects: &[Uuid],
        days: (i32, i32),
    ) -> CountedPortions {
        let (shares, doubt) = self.of(projects, days);
        let mut portions = vec![Portion::whole(Scope::of_units(units.iter().copied()))];
        portions.extend(shares.into_iter().map(|share| Portion { is_of_no_unit: true, ..share }));
        (portions, doubt)
    }

    fn of(&self, projects: &[Uuid], (from, until): (i32, i32)) -> CountedPortions {
        let meets = |share: &&Share| {
            projects.contains(&share.project)
                && share.days.0.is_none_or(|first| first <= until)
                && share.days.1.is_none_or(|last| last >= from)
        };
        let found: Vec<&Share> = self.all.iter().filter(meets).collect();
        let doubt = self.doubt(&found);
        let hundred = Decimal::from(100);
        let portion = |share: &&Share| Portion {
            scope: Scope::of_account(share.account),
            is_of_no_unit: false,
            days: share.days,
            percent: share.percent.filter(|percent| *percent != hundred),
            share: Some(AccountShare {
                account: share.account,
                name: self.accounts.get(&share.account).cloned().unwrap_or_default(),
                budget: share.budget,
            }),
        };
        (found.iter().map(portion).collect(), doubt)
    }

    /// The reason why the shares are inconsistent, if they are.
    fn doubt(&self, shares: &[&Share]) -> Option<String> {
        let hundred = Decimal::from(100);
        let name = |share: &Share| self.accounts.get(&share.account).cloned().unwrap_or_default();
        for share in shares {
            let Some(percent) = share.percent.filter(|percent| !percent.is_negative() && *percent <= hundred)
            else {
                let told =
                    share.percent.map_or_else(|| "not set".to_owned(), |percent| format!("{percent}%"));
                return Some(format!("a share of {} is {told}: expected 0 to 100%", name(share)));
            };
            if self.of_resources.contains(&share.id) {
                return Some(format!(
                    "beside a share of {percent}% of {}, shares of single resources of it are set: whether the one holds the other, the tables do \
                     not say",
                    name(share)
                ));
            }
        }
        shares.iter().find_map(|share| {
            let start = share.days.0.unwrap_or(i32::MIN);
            let holds = |other: &&&Share| {
                other.account == share.account
                    && other.days.0.is_none_or(|first| first <= start)
                    && other.days.1.is_none_or(|last| last >= start)
            };
            let mut percents = shares.iter().filter(holds).filter_map(|other| other.percent);
            let sum = percents.try_fold(Decimal::ZERO, |sum: Decimal, percent| sum.checked_add(percent))?;
            (sum > hundred).then(|| {
                format!("shares of {} come to {sum}% at one time: more than was charged", name(share))
            })
        })
    }
}
