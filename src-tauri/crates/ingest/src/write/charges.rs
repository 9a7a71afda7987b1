//! Writes costs computed by tools as rows of `spends`.
//!
//! They restate costs of machines that a provider invoices; [`totals`] decides which of them count in totals.

use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::totals::idle::IdleCosts;
use super::totals::unnamed_cluster::UnnamedClusterCosts;
use super::{Job, Journal, totals};
use crate::{ids, providers};
use ::formats::record::Charge;
use catalogue::{Value, ValueRef, format_timestamp, parse_timestamp};
use serde_json::Value as Json;
use std::collections::HashMap;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "spends";
const NO_CURRENCY: &str = "no currency for the cost";

/// Inserts costs. An earlier cost of the same subject and period is replaced.
pub struct Charges<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    /// The number of costs in this file by identity.
    counts: HashMap<Uuid, u32>,
    replaced: u64,
    unnamed_cluster: UnnamedClusterCosts,
    idle: IdleCosts,
}

impl<'a> Charges<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self {
            transaction,
            job,
            journal,
            counts: HashMap::new(),
            replaced: 0,
            unnamed_cluster: UnnamedClusterCosts::default(),
            idle: IdleCosts::default(),
        }
    }

    /// Writes one cost; `Err` is the reason it is left out.
    pub fn write(
        &mut self,
        charge: &Charge,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<Result<(), &'static str>, StoreError> {
        let of = &charge.account;
        let account = accounts.find_or_add(&of.provider, &of.number, of.name.as_deref())?;
        let provider = providers::lookup_value(&of.provider);
        let is_of_cluster = provider == super::cluster::PROVIDER;
        let resource = resources.find_or_add(Resource {
            account,
            provider,
            external_id: &charge.subject,
            name: Some(&charge.subject_name),
            kind: charge.subject_kind.as_deref(),
            region: None,
            service_name: if is_of_cluster {
                Some(super::cluster::SERVICE)
            } else {
                charge.service.as_deref()
            },
            tags: None,
            meta: None,
            seen: Some(charge.start),
        })?;
        let Some(currency) = charge.currency.as_deref() else { return Ok(Err(NO_CURRENCY)) };
        let (account_text, resource_text) = (account.to_string(), resource.to_string());
        let (start, end) = (charge.start.to_string(), charge.end.to_string());
        let parts = [charge.source, &account_text, &resource_text, &start, &end];
        let base = ids::derived(self.job.tenant, "charge", &parts);
        let number = self.counts.entry(base).or_default();
        *number += 1;
        let number = number.to_string();
        let id = ids::derived(base, "charge", &[&number]);
        // Earlier versions treated every cost as US dollars and did not merge the same cost in two currencies.
        let assumed = [parts.as_slice(), &["USD"]].concat();
        let former = ids::derived(ids::derived(self.job.tenant, "charge", &assumed), "charge", &[&number]);
        self.unnamed_cluster.add(account, charge, None);
        self.idle.add(account, charge, None);
        for id in [id, former] {
            let found =
                self.transaction.select(TABLE, &["import_id", "details", "amount"], &[eq("id", id)])?;
            if let Some([Value::Uuid(import), details, Value::Decimal(amount)]) =
                found.first().map(Vec::as_slice)
            {
                self.unnamed_cluster.add(account, charge, Some(details));
                self.idle.add(account, charge, Some((*import, *amount)));
                self.journal.delete(TABLE, *import, &[eq("id", id)])?;
                self.replaced += 1;
            }
        }
        let mut own = charge.details.clone();
        if let Some(machine) = &charge.machine {
            own.insert(totals::MACHINE.to_owned(), machine.as_str().into());
        }
        let json = |map: &serde_json::Map<String, Json>| Json::Object(map.clone()).to_string();
        let (tags, details) = (json(&charge.tags), json(&own));
        let month = format!("{}-01", &format_timestamp(charge.start)[..7]);
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("import_id", self.job.import.into()),
                ("cloud_account", account.into()),
                ("cloud_resource_id", resource.into()),
                ("date", ValueRef::Timestamp(charge.start)),
                ("period_end", ValueRef::Timestamp(charge.end)),
                ("billing_period_start", parse_timestamp(&month).map_or(ValueRef::Null, ValueRef::Timestamp)),
                ("billing_account_id", of.number.as_str().into()),
                ("amount", charge.billed.into()),
                ("billed_cost", charge.billed.into()),
                ("effective_cost", charge.effective.into()),
                ("list_cost", charge.list.into()),
                ("unit", currency.into()),
                ("provider_name", charge.source.into()),
                ("service_name", charge.service.as_deref().into()),
                ("charge_category", "Usage".into()),
                ("charge_description", charge.subject_name.as_str().into()),
                ("tags", ValueRef::Json(&tags)),
                ("details", ValueRef::Json(&details)),
                // Whether it counts in totals is decided after everything is written.
                ("exclude_aggregate", false.into()),
            ],
        )?;
        Ok(Ok(()))
    }

    /// The information about unnamed clusters and idle costs in the file.
    pub fn take_cluster_info(&mut self) -> (UnnamedClusterCosts, IdleCosts) {
        (std::mem::take(&mut self.unnamed_cluster), std::mem::take(&mut self.idle))
    }

    /// The import notes.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        if self.replaced > 0 {
            notes.push(format!(
                "{} costs told before for the same things and periods were replaced.",
                self.replaced
            ));
        }
        notes
    }
}
