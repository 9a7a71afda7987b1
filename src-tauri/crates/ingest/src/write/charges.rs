//! Costs that a tool has worked out, to rows of `spends`.
//!
//! They tell the cost of machines anew that a provider invoices. Where the bill of these machines is stored, they are left out of
//! totals, so that nothing is counted twice.

use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::{Job, Journal};
use crate::{ids, providers};
use ::formats::record::Charge;
use catalogue::{DecimalSum, Value, ValueRef, format_timestamp, parse_timestamp};
use serde_json::Value as Json;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use store::{StoreError, Transaction, eq, one_of};
use uuid::Uuid;

const TABLE: &str = "spends";
const RESOURCES: &str = "cloud_resourses";
/// What OpenCost uses unless it is told another currency.
const CURRENCY: &str = "USD";

/// Adds costs. A cost of the same thing and period that was told before is replaced.
pub struct Charges<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    /// Whether the bill of what an account runs on is stored.
    billed: HashMap<Uuid, bool>,
    /// How often this file has told a cost of one identity.
    seen: HashMap<Uuid, u32>,
    /// By currency, and whether they count in totals.
    sums: BTreeMap<(String, bool), (u64, DecimalSum)>,
    replaced: u64,
    has_no_currency: bool,
}

impl<'a> Charges<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self {
            transaction,
            job,
            journal,
            billed: HashMap::new(),
            seen: HashMap::new(),
            sums: BTreeMap::new(),
            replaced: 0,
            has_no_currency: false,
        }
    }

    /// Writes one cost.
    pub fn write(
        &mut self,
        charge: &Charge,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<(), StoreError> {
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
        let is_counted_elsewhere = if let Some(known) = self.billed.get(&account) {
            *known
        } else {
            let found = if is_of_cluster {
                self.has_bill_of_machines(account, charge.machine.as_deref())?
            } else {
                self.has_own_bill(account, charge.source)?
            };
            // Another charge may name a machine whose bill is there.
            if found || charge.machine.is_none() {
                self.billed.insert(account, found);
            }
            found
        };
        self.has_no_currency |= charge.currency.is_none();
        let currency = charge.currency.as_deref().unwrap_or(CURRENCY);
        let (account_text, resource_text) = (account.to_string(), resource.to_string());
        let (start, end) = (charge.start.to_string(), charge.end.to_string());
        let parts = [charge.source, &account_text, &resource_text, &start, &end, currency];
        let base = ids::derived(self.job.tenant, "charge", &parts);
        let number = self.seen.entry(base).or_default();
        *number += 1;
        let id = ids::derived(base, "charge", &[&number.to_string()]);
        if let Some(row) = self.transaction.select(TABLE, &["import_id"], &[eq("id", id)])?.first()
            && let Some(import) = row[0].as_uuid()
        {
            self.journal.delete(TABLE, import, &[eq("id", id)])?;
            self.replaced += 1;
        }
        let json = |map: &serde_json::Map<String, Json>| Json::Object(map.clone()).to_string();
        let (tags, details) = (json(&charge.tags), json(&charge.details));
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
                ("exclude_aggregate", is_counted_elsewhere.into()),
            ],
        )?;
        let (count, sum) = self.sums.entry((currency.to_owned(), is_counted_elsewhere)).or_default();
        *count += 1;
        sum.add(charge.billed);
        Ok(())
    }

    /// What is to be said.
    pub fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        for ((currency, is_left_out), (count, sum)) in &self.sums {
            notes.push(match is_left_out {
                true => format!(
                    "{count} costs of {sum} {currency} are left out of totals: the bill of what they ran on is stored and counts them."
                ),
                false => format!(
                    "{count} costs of {sum} {currency} count in totals: no bill of what they ran on is stored. When you import \
                     that bill, import this file again after it."
                ),
            });
        }
        if self.has_no_currency {
            notes.push(format!(
                "The file names no currency; its costs are taken as {CURRENCY}, which OpenCost uses unless it is told another."
            ));
        }
        if self.replaced > 0 {
            notes.push(format!(
                "{} costs told before for the same things and periods were replaced.",
                self.replaced
            ));
        }
        notes
    }

    /// Whether a bill has charges for one of the machines of a cluster.
    fn has_bill_of_machines(&self, account: Uuid, machine: Option<&str>) -> Result<bool, StoreError> {
        let mut machines: Vec<String> = machine.map(last_part).into_iter().collect();
        for row in self.transaction.select("k8s_nodes", &["meta"], &[eq("cloud_account_id", account)])? {
            let meta = row[0].as_text().and_then(|json| serde_json::from_str::<Json>(json).ok());
            machines.extend(meta.as_ref().and_then(|meta| meta["provider_id"].as_str()).map(last_part));
        }
        machines.retain(|machine| machine.len() > 2);
        if machines.is_empty() {
            return Ok(false);
        }
        let clouds = ["AWS", "Azure", "GCP", "OCI", "Alibaba", "Other"];
        let of_clouds = one_of("cloud_provider", clouds.iter().map(|cloud| (*cloud).into()).collect());
        let mut found = Vec::new();
        self.transaction.for_each(RESOURCES, &["id", "external_resource_id"], &[of_clouds], |row| {
            let id = row[1].as_text().unwrap_or_default();
            if let Some(resource) = row[0].as_uuid()
                && machines.iter().any(|machine| last_part(id).eq_ignore_ascii_case(machine))
            {
                found.push(resource);
            }
            Ok::<_, StoreError>(())
        })?;
        for resource in found {
            if self.transaction.count(TABLE, &[eq("cloud_resource_id", resource)])? > 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether an account has charges from somewhere else.
    fn has_own_bill(&self, account: Uuid, source: &str) -> Result<bool, StoreError> {
        let of_account = [eq("cloud_account", account)];
        let mut is_there = false;
        self.transaction.for_each(TABLE, &["provider_name"], &of_account, |row| {
            is_there |= row[0] != Value::Text(source.to_owned());
            Ok::<_, StoreError>(())
        })?;
        Ok(is_there)
    }
}

/// The name of a machine behind its zone, project or account.
fn last_part(id: &str) -> String {
    id.rsplit(['/', ':']).next().unwrap_or(id).to_owned()
}
