//! Writes the records of documents as rows: one match arm per kind.

use super::accounts::Accounts;
use super::alert_rules::AlertRules;
use super::charges::Charges;
use super::cluster::Clusters;
use super::insights::Insights;
use super::logs::Logs;
use super::metrics::Metrics;
use super::numbers::Numbers;
use super::resources::{Resource, Resources};
use super::totals::idle::IdleCosts;
use super::totals::unnamed_cluster::UnnamedClusterCosts;
use super::{Job, Journal, events::Events, findings::Findings};
use crate::formats::document::{PlacedRecord, RowCount};
use crate::providers;
use ::formats::record::{Account, ClusterObject, Event, FindingState, Record, Resource as ResourceRecord};
use serde_json::Value;
use std::collections::BTreeMap;
use std::rc::Rc;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// Writes the records of one file.
pub struct Records<'a> {
    findings: Findings<'a>,
    events: Events<'a>,
    clusters: Clusters<'a>,
    metrics: Metrics<'a>,
    logs: Logs<'a>,
    alert_rules: AlertRules<'a>,
    insights: Insights<'a>,
    charges: Charges<'a>,
    numbers: Numbers<'a>,
    rows: RowCount,
    counts: BTreeMap<String, u64>,
}

/// The results of writing the records of a file.
#[derive(Debug, Default)]
pub struct WrittenRecords {
    /// Rows of the document, written and left out.
    pub rows: RowCount,
    /// The number of written records, by kind.
    pub counts: BTreeMap<String, u64>,
    pub notes: Vec<String>,
    /// The costs of a cluster that the file does not name.
    pub unnamed_cluster: UnnamedClusterCosts,
    /// The idle costs of a cluster.
    pub idle: IdleCosts,
}

impl<'a> Records<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: &Rc<Journal<'a>>) -> Self {
        Self {
            findings: Findings::new(transaction, job, Rc::clone(journal)),
            events: Events::of_import(transaction, job, Rc::clone(journal)),
            clusters: Clusters::new(transaction, job, Rc::clone(journal)),
            metrics: Metrics::new(transaction, job, Rc::clone(journal)),
            logs: Logs::new(transaction, job, Rc::clone(journal)),
            alert_rules: AlertRules::new(transaction, job, Rc::clone(journal)),
            insights: Insights::new(transaction, job, Rc::clone(journal)),
            charges: Charges::new(transaction, job, Rc::clone(journal)),
            numbers: Numbers::new(transaction, job, Rc::clone(journal)),
            rows: RowCount::default(),
            counts: BTreeMap::new(),
        }
    }

    pub fn write(
        &mut self,
        placed: &PlacedRecord,
        accounts: &mut Accounts<'_>,
        resources: &mut Resources<'_>,
    ) -> Result<(), StoreError> {
        let mut kind = placed.record.kind();
        let outcome = match &placed.record {
            // A scan is not a row of the file.
            Record::Scan(scan) => return self.findings.scan(scan, accounts),
            Record::Account(account) => find(accounts, account).map(|_| Ok(()))?,
            Record::Resource(resource) => {
                write_resource(resource, accounts, resources)?;
                // A resource counts once, however often it occurs.
                self.rows.add(&placed.place, Ok(()));
                return Ok(());
            }
            Record::Finding(finding) => {
                if finding.state == FindingState::Passed {
                    kind = "checks_passed";
                }
                self.findings.write(finding, accounts, resources)?
            }
            Record::Event(event) => {
                let account = account_of(event);
                let id = find(accounts, &account)?;
                self.events.write(event, id, account.name.as_deref().unwrap_or(&account.number))?;
                Ok(())
            }
            // The cluster is not a row of the file.
            Record::Cluster(cluster) => return self.clusters.cluster(cluster, accounts),
            Record::ClusterObject(object) => {
                kind = kind_of(object);
                self.clusters.object(object)?
            }
            Record::Metric(metric) => self.metrics.write(metric, accounts, resources)?,
            Record::LogLine(line) => self.logs.write(line, accounts).map(Ok)?,
            Record::AlertRule(rule) => self.alert_rules.write(rule, accounts).map(Ok)?,
            Record::Charge(charge) => self.charges.write(charge, accounts, resources)?,
            Record::BusinessNumber(number) => self.numbers.write(number)?,
            Record::Insight(insight) => self.insights.write(insight, accounts).map(Ok)?,
        };
        if outcome.is_ok() {
            *self.counts.entry(kind.to_owned()).or_default() += 1;
        }
        self.rows.add(&placed.place, outcome);
        Ok(())
    }

    /// Writes the data that is only known at the end.
    pub fn finish(mut self, resources: &Resources<'_>) -> Result<WrittenRecords, StoreError> {
        self.rows.end_row();
        self.logs.flush()?;
        let mut notes = self.findings.finish()?;
        notes.extend(self.events.notes());
        notes.extend(self.clusters.finish()?);
        notes.extend(self.logs.note());
        notes.extend(self.alert_rules.finish()?);
        notes.extend(self.charges.notes());
        notes.extend(self.numbers.note());
        if !self.counts.is_empty() && resources.added > 0 {
            self.counts.insert("resources".to_owned(), resources.added);
        }
        let (unnamed_cluster, idle) = self.charges.take_cluster_info();
        Ok(WrittenRecords { rows: self.rows, counts: self.counts, notes, unnamed_cluster, idle })
    }
}

/// The name used in reports for objects of a cluster.
fn kind_of(object: &ClusterObject) -> &'static str {
    match object {
        ClusterObject::Namespace(_) => "namespaces",
        ClusterObject::Node(_) => "nodes",
        ClusterObject::Workload(_) => "workloads",
        ClusterObject::Pod(_) => "pods",
        ClusterObject::Other { .. } => "cluster_objects",
    }
}

fn find(accounts: &mut Accounts<'_>, account: &Account) -> Result<Uuid, StoreError> {
    accounts.find_or_add(&account.provider, &account.number, account.name.as_deref())
}

/// The account of an event; without one, a common account for its source.
fn account_of(event: &Event) -> Account {
    event.account.clone().unwrap_or_else(|| Account {
        provider: "Other".to_owned(),
        number: event.source.to_owned(),
        name: Some(format!("Alerts ({})", event.source.trim_end_matches("_webhook").replace('_', " "))),
    })
}

fn write_resource(
    resource: &ResourceRecord,
    accounts: &mut Accounts<'_>,
    resources: &mut Resources<'_>,
) -> Result<(), StoreError> {
    let account = find(accounts, &resource.account)?;
    let json = |map: &Option<serde_json::Map<String, Value>>| {
        map.as_ref().map(|map| Value::Object(map.clone()).to_string())
    };
    let (tags, meta) = (json(&resource.tags), json(&resource.meta));
    resources
        .find_or_add(Resource {
            account,
            provider: providers::lookup_value(&resource.account.provider),
            external_id: &resource.external_id,
            name: resource.name.as_deref(),
            kind: resource.kind.as_deref(),
            region: resource.region.as_deref(),
            service_name: resource.service_name.as_deref(),
            tags: tags.as_deref(),
            meta: meta.as_deref(),
            seen: resource.seen,
        })
        .map(drop)
}
