//! Writes metrics as rows of `cloud_resource_metrics`.

use super::accounts::Accounts;
use super::resources::{Resource, Resources};
use super::{Job, Journal};
use crate::{ids, providers};
use ::formats::record::Metric;
use catalogue::{Value, ValueRef};
use serde_json::{Map, Value as Json};
use std::collections::HashMap;
use std::rc::Rc;
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "cloud_resource_metrics";
/// The default aggregation over time, if the file does not state it.
const TYPE: &str = "average";
/// The reason for leaving out a second value with the same subject, metric and time.
const TOLD: &str = "another value is already stored for this resource, metric and time";
/// Maximum number of cached resources.
const REMEMBERED: usize = 100_000;

/// Inserts metrics. An earlier value for the same subject, metric and time is updated.
pub struct Metrics<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    known: HashMap<(Uuid, String), (Uuid, Map<String, Json>)>,
}

impl<'a> Metrics<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal, known: HashMap::new() }
    }

    /// Writes one metric; `Err` is the reason it is left out.
    pub fn write(
        &mut self,
        metric: &Metric,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<Result<(), &'static str>, StoreError> {
        let account = match metric.account.provider.as_str() {
            "" => accounts.find_by_number_or_name(&metric.account.number)?,
            provider => {
                accounts.find_or_add(provider, &metric.account.number, metric.account.name.as_deref())?
            }
        };
        let (resource, names) = self.resource(metric, account, resources)?;
        let at = metric.at.unwrap_or(self.job.now);
        let mut tags = names;
        tags.extend(metric.tags.clone());
        if let Some(unit) = &metric.unit {
            tags.insert("unit".to_owned(), unit.as_str().into());
        }
        let tags = Json::Object(tags).to_string();
        let id =
            ids::derived(self.job.tenant, "metric", &[&resource.to_string(), &metric.name, &at.to_string()]);
        let same = [
            eq("cloud_resource_id", resource),
            eq("metric", &metric.name),
            eq("timestamp", ValueRef::Timestamp(at)),
        ];
        let found = self.transaction.select(TABLE, &["id", "value"], &same)?;
        if let Some([Value::Uuid(id), value]) = found.first().map(Vec::as_slice) {
            if *value == Value::Float(metric.value) {
                return Ok(Ok(()));
            }
            // Added by this file: its two series of one subject cannot be distinguished.
            if self.journal.has_added(*id) {
                return Ok(Err(TOLD));
            }
            self.journal.updates(TABLE, *id, &["value", "tags"])?;
            let set = [("value", ValueRef::Float(metric.value)), ("tags", ValueRef::Json(&tags))];
            self.transaction.update(TABLE, &[eq("id", *id)], &set)?;
            return Ok(Ok(()));
        }
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("cloud_account_id", account.into()),
                ("cloud_resource_id", resource.into()),
                ("metric", metric.name.as_str().into()),
                ("metric_type", TYPE.into()),
                ("tags", ValueRef::Json(&tags)),
                ("timestamp", ValueRef::Timestamp(at)),
                ("value", ValueRef::Float(metric.value)),
            ],
        )?;
        Ok(Ok(()))
    }

    /// The resource of a metric and its tags; a known pod also gets those of its workload.
    fn resource(
        &mut self,
        metric: &Metric,
        account: Uuid,
        resources: &mut Resources<'_>,
    ) -> Result<(Uuid, Map<String, Json>), StoreError> {
        let key = (account, metric.subject.clone());
        if let Some(known) = self.known.get(&key) {
            return Ok(known.clone());
        }
        let parts: Vec<&str> = metric.subject.split('/').collect();
        let is_of_cluster = providers::lookup_value(&metric.account.provider) == "K8s";
        let (kind, name) = match parts.as_slice() {
            [_, kind, name, ..] if is_of_cluster => (Some(*kind), *name),
            [kind, name] if is_of_cluster => (Some(*kind), *name),
            _ => (None, metric.subject.as_str()),
        };
        let resource = resources.find_or_add(Resource {
            account,
            provider: providers::lookup_value(&metric.account.provider),
            external_id: &metric.subject,
            name: Some(name),
            kind,
            region: None,
            service_name: is_of_cluster.then_some(super::cluster::SERVICE),
            tags: None,
            meta: None,
            seen: metric.at,
        })?;
        let mut names = Map::new();
        if let ([namespace, "Pod", name, ..], true) = (parts.as_slice(), is_of_cluster) {
            let same = [eq("cloud_account_id", account), eq("namespace", *namespace), eq("name", *name)];
            let columns = ["workload_type", "workload_name", "node_name"];
            for row in self.transaction.select("k8s_pods", &columns, &same)? {
                let text = |place: usize| row[place].as_text();
                if let (Some(kind), Some(workload)) = (text(0), text(1)) {
                    names.insert("controllerKind".to_owned(), kind.to_lowercase().into());
                    names.insert("controller".to_owned(), workload.into());
                    names.insert("workload_fqdn".to_owned(), format!("{namespace}/{workload}").into());
                }
                if let Some(node) = text(2) {
                    names.insert("node".to_owned(), node.into());
                }
            }
        }
        if self.known.len() >= REMEMBERED {
            self.known.clear();
        }
        self.known.insert(key, (resource, names.clone()));
        Ok((resource, names))
    }
}
