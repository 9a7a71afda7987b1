//! Writes cluster dumps as rows: the cluster's account, its nodes, namespaces, workloads, pods and other objects.
//!
//! An object is matched by `namespace/kind/name` in its cluster. A newer dump updates it; objects missing from a kind that the dump lists
//! completely become inactive. An older dump does not change rows from a newer one.

mod changes;
mod difference;
mod identity;
mod missing_objects;
mod rows;
mod values;

use super::accounts::Accounts;
use super::{Job, Journal};
use ::formats::record::{Cluster, ClusterObject};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::rc::Rc;
use store::{StoreError, Transaction};
use uuid::Uuid;

/// The service name of resources from cluster dumps.
pub const SERVICE: &str = "Kubernetes";
/// The provider's lookup value for clusters.
pub const PROVIDER: &str = "K8s";
/// The reason for leaving out an object of an older dump.
const OLDER: &str = "superseded by a newer dump of the cluster";

/// Writes the objects of a dump.
pub struct Clusters<'a> {
    transaction: &'a Transaction<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    open: Option<Open>,
    notes: Vec<String>,
}

/// The cluster whose objects are being written.
struct Open {
    account: Uuid,
    name: String,
    /// µs since 1970 UTC; the import time if the file has no times at all.
    taken_at: i64,
    /// When the newest earlier dump was taken, in µs since 1970 UTC.
    previous_at: Option<i64>,
    cluster: Cluster,
    /// Resources that the dump contains.
    met: HashSet<Uuid>,
    namespaces: BTreeSet<String>,
    /// Namespaces that are objects of the dump, not only referenced by other objects.
    listed_namespaces: BTreeSet<String>,
    /// The sums of the limits of a node's pods: millicores and bytes.
    limits: BTreeMap<String, (u64, u64)>,
    older: u64,
}

impl<'a> Clusters<'a> {
    pub fn new(transaction: &'a Transaction<'a>, job: Job, journal: Rc<Journal<'a>>) -> Self {
        Self { transaction, job, journal, open: None, notes: Vec::new() }
    }

    /// Starts a cluster, or updates the information about the current one.
    pub fn cluster(&mut self, cluster: &Cluster, accounts: &mut Accounts<'_>) -> Result<(), StoreError> {
        let taken_at = cluster.taken_at.unwrap_or(self.job.now);
        if let Some(open) = self.open.as_mut().filter(|open| open.cluster.number == cluster.number) {
            open.taken_at = open.taken_at.max(taken_at);
            open.cluster = cluster.clone();
            return Ok(());
        }
        self.close()?;
        let (account, note) = identity::find_or_add(self.transaction, cluster, accounts)?;
        self.notes.extend(note);
        let name = identity::name(self.transaction, account)?;
        let previous_at = identity::last_seen(self.transaction, account)?;
        self.open = Some(Open {
            account,
            name,
            taken_at,
            previous_at,
            cluster: cluster.clone(),
            met: HashSet::new(),
            namespaces: BTreeSet::new(),
            listed_namespaces: BTreeSet::new(),
            limits: BTreeMap::new(),
            older: 0,
        });
        Ok(())
    }

    /// Writes one object; `Err` is the reason it is left out.
    pub fn object(&mut self, object: &ClusterObject) -> Result<Result<(), &'static str>, StoreError> {
        let Some(open) = self.open.as_mut() else { return Ok(Err("the file says nothing of its cluster")) };
        let writer = rows::Rows { transaction: self.transaction, job: self.job, journal: &self.journal };
        let is_written = writer.write(object, open)?;
        open.older += u64::from(!is_written);
        Ok(if is_written { Ok(()) } else { Err(OLDER) })
    }

    /// Writes the data that is only known at the end. Returns notes.
    pub fn finish(&mut self) -> Result<Vec<String>, StoreError> {
        self.close()?;
        Ok(std::mem::take(&mut self.notes))
    }

    fn close(&mut self) -> Result<(), StoreError> {
        let Some(open) = self.open.take() else { return Ok(()) };
        let writer = rows::Rows { transaction: self.transaction, job: self.job, journal: &self.journal };
        writer.namespaces(&open)?;
        let gone = missing_objects::deactivate(&writer, &open)?;
        writer.counts(&open)?;
        writer.limits(&open)?;
        if open.cluster.taken_at.is_some() {
            identity::store_dump_time(self.transaction, &self.journal, self.job, &open)?;
        }
        if gone > 0 {
            self.notes.push(format!(
                "{gone} objects of {} became inactive: the file lists all of their kind and does not have them. Take the import \
                 back if the list was narrowed, such as by a label.",
                open.name
            ));
        }
        if open.older > 0 {
            self.notes
                .push(format!("A newer dump of {} was imported before; what it tells stays.", open.name));
        }
        Ok(())
    }
}
