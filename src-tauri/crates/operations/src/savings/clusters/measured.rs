//! Measured usage of pods.

use super::super::row::DAY;
use analysis::savings::{Cluster, Measurements};
use graphql::Refusal;
use model::tables::cloud_resource_metrics;
use model::{Id, Read, Timestamp, row};
use serde::Deserialize;
use std::collections::HashMap;
use store::Transaction;
use uuid::Uuid;

row! { struct MetricRow from cloud_resource_metrics { cloud_resource_id, metric, tags, timestamp, value } }
row! { struct NewestRow from cloud_resource_metrics { timestamp } }

pub const CPU: &str = "cpuCoreUsageAverage";
pub const MEMORY: &str = "ramByteUsageAverage";
/// The number of newest days with measurements that count, as in KRR.
pub const DAYS: i64 = 14;

/// The tags of a measurement.
#[derive(Deserialize)]
struct Tags {
    namespace: Option<String>,
    /// The name of the pod.
    name: Option<String>,
    #[serde(default)]
    container: String,
}

/// Namespace, pod and container of a resource; `None` if it is not a pod.
type Place = Option<(String, String, String)>;

/// Adds the measurements of the newest days before `end`.
pub fn read(rows: &Transaction<'_>, cluster: &mut Cluster, end: i64) -> Result<(), Refusal> {
    let of_cluster = cloud_resource_metrics::cloud_account_id
        .eq_or_null(Some(Id::new(cluster.account)))
        .and(cloud_resource_metrics::metric.one_of([CPU, MEMORY]))
        .and(cloud_resource_metrics::timestamp.lt(Timestamp(end)));
    let newest = rows
        .query::<NewestRow>()
        .filter(of_cluster.clone())
        .order(cloud_resource_metrics::timestamp.desc())
        .limit(1)
        .rows()?;
    let Some(newest) = newest.first().map(|row| row.timestamp.micros()) else { return Ok(()) };
    let first = cloud_resource_metrics::timestamp.gt(Timestamp(newest - DAYS * DAY));
    let mut places: HashMap<Uuid, Place> = HashMap::new();
    rows.query::<MetricRow>().filter(of_cluster.and(first)).for_each(|row| {
        let resource = row.cloud_resource_id.uuid();
        let place = places.entry(resource).or_insert_with(|| {
            let tags: Tags = row.tags.parse().ok()?;
            Some((tags.namespace?, tags.name?, tags.container))
        });
        if let Some((namespace, pod, container)) = place {
            let of_pod = cluster.measured.entry((namespace.clone(), pod.clone())).or_default();
            let measured = of_pod.entry(container.clone()).or_default();
            add(measured, row.metric == CPU, row.timestamp.micros(), row.value);
        }
        Ok::<_, Refusal>(())
    })?;
    cluster.seen_at = cluster.seen_at.max(newest);
    Ok(())
}

/// Adds a measurement, in cores or bytes.
pub fn add(measured: &mut Measurements, is_cpu: bool, at: i64, value: f64) {
    let is_first = measured.cpu.is_empty() && measured.memory.is_empty();
    measured.first = if is_first { at } else { measured.first.min(at) };
    measured.last = measured.last.max(at);
    if is_cpu {
        measured.cpu.push(milli(value));
    } else {
        measured.memory.push(bytes(value));
    }
}

/// Cores as thousandths of a core, rounded up; cores are exact to a millionth.
#[expect(clippy::cast_possible_truncation, reason = "a pod uses far fewer cores than an i64 counts")]
fn milli(cores: f64) -> i64 {
    let millionths = (cores * 1_000_000.0).round() as i64;
    millionths.saturating_add(999) / 1_000
}

#[expect(clippy::cast_possible_truncation, reason = "a pod uses far less memory than an i64 counts")]
fn bytes(bytes: f64) -> i64 {
    bytes.round() as i64
}
