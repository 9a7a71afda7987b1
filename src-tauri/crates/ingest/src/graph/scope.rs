//! The accounts whose part of the graph is rebuilt.

use crate::limit::ACCOUNTS_LISTED;
use crate::report::Account;
use crate::{ids, providers};
use model::tables::cloud_accounts;
use model::{Read, row};
use std::collections::BTreeSet;
use store::{StoreError, Transaction};
use uuid::Uuid;

row! { struct AccountRow from cloud_accounts { id } }

/// Maximum number of account numbers in one query.
const AT_ONCE: usize = 400;

/// Accounts of a tenant.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Scope {
    All,
    Of(BTreeSet<Uuid>),
}

impl Scope {
    /// The accounts listed in the reports of imports; all accounts if a report could not list all of its own. Deleted accounts are included.
    pub fn of_reports<'r>(
        rows: &Transaction<'_>,
        reports: impl IntoIterator<Item = &'r [Account]>,
    ) -> Result<Self, StoreError> {
        let Some(tenant) = rows.caller().tenant() else { return Ok(Self::All) };
        let mut met: BTreeSet<&Account> = BTreeSet::new();
        for accounts in reports {
            if accounts.len() >= ACCOUNTS_LISTED {
                return Ok(Self::All);
            }
            met.extend(accounts);
        }
        let mut found: BTreeSet<Uuid> = met
            .iter()
            .map(|Account { provider, number, .. }| {
                ids::derived(tenant, "account", &[&providers::identity(provider), number])
            })
            .collect();
        let numbers: Vec<&str> = met.iter().map(|account| account.number.as_str()).collect();
        for numbers in numbers.chunks(AT_ONCE) {
            let is_met = cloud_accounts::account_number.one_of(numbers.iter().copied());
            found.extend(rows.query::<AccountRow>().filter(is_met).rows()?.iter().map(|row| row.id.uuid()));
        }
        Ok(Self::Of(found))
    }

    pub fn contains(&self, account: Uuid) -> bool {
        match self {
            Self::All => true,
            Self::Of(accounts) => accounts.contains(&account),
        }
    }

    /// The accounts in chunks of at most `most`; a single `None` for all accounts.
    pub(super) fn chunks(&self, most: usize) -> Vec<Option<Vec<Uuid>>> {
        match self {
            Self::All => vec![None],
            Self::Of(accounts) => {
                let accounts: Vec<Uuid> = accounts.iter().copied().collect();
                accounts.chunks(most).map(|chunk| Some(chunk.to_vec())).collect()
            }
        }
    }
}
