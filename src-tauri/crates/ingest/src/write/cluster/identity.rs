//! Finds the account of a cluster.

use super::{Open, PROVIDER};
use crate::write::accounts::{AccountRow, Accounts};
use crate::write::{Job, Journal};
use ::formats::record::Cluster;
use catalogue::{Value, ValueRef};
use model::tables::cloud_accounts;
use model::{Id, Read as _};
use std::collections::BTreeSet;
use store::{Condition, StoreError, Transaction, eq, one_of};
use uuid::Uuid;

const TABLE: &str = "cloud_accounts";

/// The account of a cluster, and a note on how it was found.
///
/// Matched by number, otherwise by the uid of one of its objects, which are globally unique. If the file does not identify its cluster, it is
/// matched by nodes or pods, when exactly one cluster has any of them. Otherwise the account is new.
pub fn find_or_add(
    rows: &Transaction<'_>,
    cluster: &Cluster,
    accounts: &mut Accounts<'_>,
) -> Result<(Uuid, Option<String>), StoreError> {
    if accounts.find(PROVIDER, &cluster.number)?.is_none() {
        let mut found = of_uids(rows, &cluster.uids)?;
        let mut by = None;
        if found.is_empty() && !cluster.has_own_id {
            found = of_nodes(rows, &cluster.nodes)?;
            by = Some("nodes");
            if found.is_empty() {
                found = of_pods(rows, &cluster.pods)?;
                by = Some("pods");
            }
        }
        if found.len() == 1
            && let Some(account) = found.first()
        {
            accounts.alias(PROVIDER, &cluster.number, *account)?;
            let note = match by {
                Some(parts) => Some(format!(
                    "The file does not say which cluster it is of; its {parts} are those of {}, so it was taken for that one.",
                    name(rows, *account)?
                )),
                None => None,
            };
            return Ok((*account, note));
        }
    }
    let account = accounts.find_or_add(PROVIDER, &cluster.number, cluster.name.as_deref())?;
    Ok((account, None))
}

/// The display name of the account.
pub fn name(rows: &Transaction<'_>, account: Uuid) -> Result<String, StoreError> {
    let found = rows.query::<AccountRow>().filter(cloud_accounts::id.eq(Id::new(account))).first()?;
    Ok(found.map_or_else(|| "the cluster".to_owned(), |found| found.account_name))
}

/// When the newest dump of the cluster was taken, in µs since 1970 UTC.
pub fn last_seen(rows: &Transaction<'_>, account: Uuid) -> Result<Option<i64>, StoreError> {
    let found = rows.select(TABLE, &["synced_at"], &[eq("id", account)])?;
    Ok(found.first().and_then(|row| row.first()?.as_int()))
}

/// Stores the time of the dump and the cluster's version in the account.
pub fn store_dump_time(
    rows: &Transaction<'_>,
    journal: &Journal<'_>,
    job: Job,
    open: &Open,
) -> Result<(), StoreError> {
    let found = rows.select(TABLE, &["synced_at", "data"], &[eq("id", open.account)])?;
    let Some([before, data]) = found.first().map(Vec::as_slice) else { return Ok(()) };
    if before.as_int().is_some_and(|before| before > open.taken_at) {
        return Ok(());
    }
    let mut data: serde_json::Map<String, serde_json::Value> =
        data.as_text().and_then(|json| serde_json::from_str(json).ok()).unwrap_or_default();
    if let Some(version) = &open.cluster.version {
        data.insert("kubernetes_version".to_owned(), version.as_str().into());
    }
    let data = serde_json::Value::Object(data).to_string();
    journal.updates(TABLE, open.account, &["synced_at", "data", "updated_at"])?;
    let set = [
        ("synced_at", ValueRef::Timestamp(open.taken_at)),
        ("data", ValueRef::Json(&data)),
        ("updated_at", ValueRef::Timestamp(job.now)),
    ];
    rows.update(TABLE, &[eq("id", open.account)], &set).map(drop)
}

fn of_uids(rows: &Transaction<'_>, uids: &[String]) -> Result<BTreeSet<Uuid>, StoreError> {
    let values = || uids.iter().map(|uid| uid.as_str().into()).collect();
    let of_cluster = eq("cloud_provider", PROVIDER);
    accounts_of(rows, "cloud_resourses", "account", &[one_of("resourse_id", values()), of_cluster])
}

fn of_nodes(rows: &Transaction<'_>, nodes: &[String]) -> Result<BTreeSet<Uuid>, StoreError> {
    let values = || nodes.iter().map(|node| node.as_str().into()).collect();
    let mut found = accounts_of(rows, "k8s_nodes", "cloud_account_id", &[one_of("name", values())])?;
    if found.is_empty() {
        found = accounts_of(rows, "k8s_pods", "cloud_account_id", &[one_of("node_name", values())])?;
    }
    Ok(found)
}

fn of_pods(rows: &Transaction<'_>, pods: &[(String, String)]) -> Result<BTreeSet<Uuid>, StoreError> {
    let mut found = BTreeSet::new();
    for (namespace, name) in pods {
        let same = [eq("namespace", namespace), eq("name", name)];
        found.append(&mut accounts_of(rows, "k8s_pods", "cloud_account_id", &same)?);
    }
    Ok(found)
}

fn accounts_of(
    rows: &Transaction<'_>,
    table: &str,
    column: &str,
    conditions: &[Condition<'_>],
) -> Result<BTreeSet<Uuid>, StoreError> {
    let found = rows.select(table, &[column], conditions)?;
    Ok(found.iter().filter_map(|row| row.first().and_then(Value::as_uuid)).collect())
}
