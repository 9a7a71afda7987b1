//! Finds or adds the accounts of charges and recommendations.

use super::{Job, Journal};
use crate::limit::{ACCOUNTS_LISTED, ACCOUNTS_REMEMBERED};
use crate::report::Account;
use crate::{ids, providers};
use catalogue::Value;
use model::tables::cloud_accounts;
use model::{CloudProviderType, Id, Read as _, row};
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "cloud_accounts";

row! {
    /// The display name and number of an account.
    pub struct AccountRow from cloud_accounts { id, account_name, account_number }
}

/// Finds or adds accounts. Fields edited by users (name, budget …) are not changed.
pub struct Accounts<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    known: HashMap<String, Uuid>,
    key: String,
    last: Option<(String, Uuid)>,
    met: BTreeSet<Account>,
    is_listing_full: bool,
}

impl<'a> Accounts<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self {
            transaction,
            job,
            journal,
            known: HashMap::new(),
            key: String::new(),
            last: None,
            met: BTreeSet::new(),
            is_listing_full: false,
        }
    }

    /// The account with this number at a provider; `name` is used for a new one.
    pub fn find_or_add(
        &mut self,
        provider: &str,
        number: &str,
        name: Option<&str>,
    ) -> Result<Uuid, StoreError> {
        self.key.clear();
        self.key.push_str(provider);
        self.key.push('\u{1f}');
        self.key.push_str(number);
        if let Some((key, id)) = &self.last
            && *key == self.key
        {
            return Ok(*id);
        }
        let id = if let Some(id) = self.known.get(&self.key) {
            *id
        } else {
            if self.known.len() >= ACCOUNTS_REMEMBERED {
                self.known.clear();
            }
            let id = self.find_stored_or_add(provider, number, name)?;
            self.known.insert(self.key.clone(), id);
            id
        };
        self.last = Some((self.key.clone(), id));
        Ok(id)
    }

    /// The account with this number at a provider, if it exists.
    pub fn find(&self, provider: &str, number: &str) -> Result<Option<Uuid>, StoreError> {
        let own_id = ids::derived(self.job.tenant, "account", &[&providers::identity(provider), number]);
        let known = cloud_accounts::cloud_provider
            .eq_or_null(CloudProviderType::find(providers::lookup_value(provider)));
        let known = known.and(cloud_accounts::account_number.eq(number));
        for filter in [cloud_accounts::id.eq(Id::new(own_id)), known] {
            if let Some(account) = self.transaction.query::<AccountRow>().filter(filter).first()? {
                return Ok(Some(account.id.uuid()));
            }
        }
        Ok(None)
    }

    /// Makes an account available under another number during this import.
    pub fn alias(&mut self, provider: &str, number: &str, id: Uuid) -> Result<(), StoreError> {
        self.known.insert(format!("{provider}\u{1f}{number}"), id);
        let account = cloud_accounts::id.eq(Id::new(id));
        if let Some(account) = self.transaction.query::<AccountRow>().filter(account).first()? {
            let number = account.account_number.unwrap_or_default();
            self.met.insert(Account { number, name: account.account_name, provider: provider.to_owned() });
        }
        Ok(())
    }

    /// The account with this number or name, at any provider; a new one if there is none or more than one.
    pub fn find_by_number_or_name(&mut self, number: &str) -> Result<Uuid, StoreError> {
        for filter in [cloud_accounts::account_number.eq(number), cloud_accounts::account_name.eq(number)] {
            if let [account] = &self.transaction.query::<AccountRow>().filter(filter).limit(2).rows()?[..] {
                let id = account.id.uuid();
                self.alias("Other", number, id)?;
                return Ok(id);
            }
        }
        self.find_or_add("Other", number, None)
    }

    /// The accounts in the file, for the report.
    pub fn into_list(self) -> Vec<Account> {
        self.met.into_iter().collect()
    }

    /// A note if not all accounts are listed.
    pub fn note(&self) -> Option<String> {
        self.is_listing_full.then(|| format!("Only {ACCOUNTS_LISTED} of the file's accounts are listed."))
    }

    fn find_stored_or_add(
        &mut self,
        provider: &str,
        number: &str,
        name: Option<&str>,
    ) -> Result<Uuid, StoreError> {
        let lookup_value = providers::lookup_value(provider);
        let own_id = ids::derived(self.job.tenant, "account", &[&providers::identity(provider), number]);
        let columns = ["id", "account_name"];
        let mut found = self.transaction.select(TABLE, &columns, &[eq("id", own_id)])?;
        // An account added by a user or an agent. `Other` covers several providers; a number is not unique there.
        if found.is_empty() && lookup_value != "Other" {
            let same = [eq("cloud_provider", lookup_value), eq("account_number", number)];
            found = self.transaction.select(TABLE, &columns, &same)?;
        }
        // Cluster tools state the context name, which is the account's name; a dump uses the cluster's uid as number.
        if found.is_empty() && lookup_value == "K8s" {
            let same = [eq("cloud_provider", lookup_value), eq("account_name", number)];
            found = self.transaction.select(TABLE, &columns, &same)?;
        }
        let (id, name) = match found.into_iter().next().as_deref() {
            Some([Value::Uuid(id), name]) => (*id, name.as_text().unwrap_or(number).to_owned()),
            _ => (own_id, self.add(own_id, provider, number, name.unwrap_or(number))?),
        };
        if self.met.len() < ACCOUNTS_LISTED {
            self.met.insert(Account { number: number.to_owned(), name, provider: provider.to_owned() });
        } else {
            self.is_listing_full = true;
        }
        Ok(id)
    }

    /// Adds an account. Returns the name it got.
    fn add(&self, id: Uuid, provider: &str, number: &str, name: &str) -> Result<String, StoreError> {
        let name = self.free_name(id, provider, number, name)?;
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("account_name", (&name).into()),
                ("account_number", number.into()),
                ("account_type", if provider == "K8s" { "kubernetes" } else { "cloud" }.into()),
                ("cloud_provider", providers::lookup_value(provider).into()),
                ("status", "active".into()),
                ("created_by", self.job.owner.into()),
                ("updated_by", self.job.owner.into()),
            ],
        )?;
        Ok(name)
    }

    /// Names are unique within a tenant; accounts with the same name are distinguished by their number.
    fn free_name(&self, id: Uuid, provider: &str, number: &str, name: &str) -> Result<String, StoreError> {
        let candidates =
            [name.to_owned(), format!("{name} ({number})"), format!("{name} ({provider} {number})")];
        for candidate in candidates {
            if self.transaction.select(TABLE, &["id"], &[eq("account_name", &candidate)])?.is_empty() {
                return Ok(candidate);
            }
        }
        Ok(format!("{name} ({id})"))
    }
}
