//! Reads clusters for the savings rules: objects, measurements, and the billed cost of their machines.

mod measured;
mod objects;
pub mod pods;
mod price;

use super::days::BillDays;
use super::row::DAY;
use analysis::savings::{Cluster, Owner, Release};
use catalogue::parse_date;
use graphql::Refusal;
use model::tables::{cloud_accounts, cloud_resourses};
use model::{CloudProviderType, Read, Timestamp, row};
use serde_json::Value;
use std::collections::BTreeSet;
use store::Transaction;
use uuid::Uuid;

row! { struct AccountRow from cloud_accounts { id, account_name, data, synced_at } }
row! { struct ScalerRow from cloud_resourses { meta } }
row! { struct ReleaseRow from k8s_release { version, release_date } }

/// Clusters whose latest state is not after the day `as_of`, with the input of the rules.
pub fn read(rows: &Transaction<'_>, as_of: i32, known: &[BillDays]) -> Result<Vec<Cluster>, Refusal> {
    let is_cluster = cloud_accounts::cloud_provider.eq(CloudProviderType::K8s);
    let accounts = rows.query::<AccountRow>().filter(is_cluster).order(cloud_accounts::id.asc()).rows()?;
    let end = (i64::from(as_of) + 1).saturating_mul(DAY);
    let mut clusters = Vec::new();
    for account in accounts {
        let looked_at = account.synced_at.map_or(0, Timestamp::micros);
        let mut cluster = objects::read(rows, account.id.uuid())?;
        cluster.seen_at = cluster.seen_at.max(looked_at);
        if cluster.is_empty() || cluster.seen_at >= end {
            continue;
        }
        cluster.name = account.account_name;
        cluster.version = account.data.and_then(|data| {
            data.value().get("kubernetes_version").and_then(Value::as_str).map(str::to_owned)
        });
        cluster.today = as_of;
        cluster.scaled = scaled(rows, cluster.account)?;
        cluster.releases = releases(rows)?;
        measured::read(rows, &mut cluster, end)?;
        price::read(rows, &mut cluster, known)?;
        clusters.push(cluster);
    }
    Ok(clusters)
}

/// Workloads of a namespace with their pods' usage on the newest days. `names` restricts the workloads; empty means all. Nothing else of the
/// cluster is read.
pub fn of_namespace(
    rows: &Transaction<'_>,
    account: Uuid,
    namespace: &str,
    names: &[String],
) -> Result<Cluster, Refusal> {
    let of_account = rows.query::<AccountRow>().filter(cloud_accounts::id.eq(account)).first()?;
    let mut cluster = objects::read(rows, account)?;
    cluster.name = of_account.map(|account| account.account_name).unwrap_or_default();
    cluster.scaled = scaled(rows, account)?;
    let is_asked =
        |owner: &Owner| owner.namespace == namespace && (names.is_empty() || names.contains(&owner.name));
    cluster.nodes.clear();
    cluster.workloads.retain(|workload| is_asked(&workload.owner));
    cluster.pods.retain(|pod| pod.owner.as_ref().is_some_and(is_asked));
    let asked: BTreeSet<&str> = cluster.pods.iter().map(|pod| pod.name.as_str()).collect();
    let resources =
        pods::PodResources::find(rows, account, |of, pod| of == namespace && asked.contains(pod))?;
    for ((namespace, pod, container), measured) in resources.of_newest_days(rows)? {
        cluster.seen_at = cluster.seen_at.max(measured.last);
        cluster.measured.entry((namespace, pod)).or_default().insert(container, measured);
    }
    Ok(cluster)
}

/// The workloads that HorizontalPodAutoscalers of a cluster scale.
fn scaled(rows: &Transaction<'_>, account: Uuid) -> Result<BTreeSet<Owner>, Refusal> {
    let is_one = cloud_resourses::account
        .eq(account)
        .and(cloud_resourses::r#type.eq("HorizontalPodAutoscaler"))
        .and(cloud_resourses::is_active.eq(true));
    let target = |row: ScalerRow| {
        let meta = row.meta?.value();
        let manifest = meta.get("manifest").unwrap_or(&meta);
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let namespace = text(&manifest["metadata"]["namespace"]).or_else(|| text(&meta["namespace"]))?;
        let target = &manifest["spec"]["scaleTargetRef"];
        Some(Owner { namespace, kind: text(&target["kind"])?, name: text(&target["name"])? })
    };
    Ok(rows.query::<ScalerRow>().filter(is_one).rows()?.into_iter().filter_map(target).collect())
}

/// Kubernetes releases, oldest first.
fn releases(rows: &Transaction<'_>) -> Result<Vec<Release>, Refusal> {
    let known = rows.query::<ReleaseRow>().rows()?;
    let release =
        |row: ReleaseRow| Some(Release { day: parse_date(&row.release_date)?, version: row.version });
    let mut releases: Vec<Release> = known.into_iter().filter_map(release).collect();
    releases.sort_by_key(|release| release.day);
    Ok(releases)
}
