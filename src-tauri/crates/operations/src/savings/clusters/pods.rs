//! Usage of selected pods of a cluster: only their measurements are read, however large the cluster is.

use super::super::row::DAY;
use super::measured::{CPU, DAYS, MEMORY, add};
use analysis::savings::Measurements;
use graphql::Refusal;
use model::tables::{cloud_resource_metrics, cloud_resourses};
use model::{Id, Read, Timestamp, row};
use std::collections::{BTreeMap, HashMap};
use store::Transaction;
use uuid::Uuid;

/// Resources per query.
const AT_ONCE: usize = 400;
/// The largest number of measurements read in one transaction, because other writers wait for it.
const MOST_READ: usize = 500_000;

row! { struct PodResource from cloud_resourses { id, resourse_id } }
row! { struct MetricRow from cloud_resource_metrics { cloud_resource_id, metric, timestamp, value } }
row! { struct NewestRow from cloud_resource_metrics { timestamp } }

/// Namespace, pod and container; the container is empty if the whole pod was measured.
pub type Place = (String, String, String);

/// The resources of the requested pods, by id.
pub struct PodResources {
    account: Uuid,
    places: HashMap<Uuid, Place>,
}

impl PodResources {
    /// Finds the pods of an account for which `is_asked` is true, given namespace and name.
    pub fn find(
        rows: &Transaction<'_>,
        account: Uuid,
        is_asked: impl Fn(&str, &str) -> bool,
    ) -> Result<Self, Refusal> {
        let pods = cloud_resourses::account.eq(account).and(cloud_resourses::r#type.eq("Pod"));
        let mut places = HashMap::new();
        rows.query::<PodResource>().filter(pods).for_each(|row| {
            let place = row.resourse_id.as_deref().and_then(place);
            if let Some(place) = place.filter(|(namespace, pod, _)| is_asked(namespace, pod)) {
                places.insert(row.id.uuid(), place);
            }
            Ok::<_, Refusal>(())
        })?;
        Ok(Self { account, places })
    }

    /// The time of the newest measurement, µs since 1970; `None` if there is none.
    pub fn newest(&self, rows: &Transaction<'_>) -> Result<Option<i64>, Refusal> {
        let mut newest = None;
        for ids in self.chunks() {
            let found = rows
                .query::<NewestRow>()
                .filter(cloud_resource_metrics::cloud_account_id.eq_or_null(Some(Id::new(self.account))))
                .filter(cloud_resource_metrics::cloud_resource_id.one_of(ids))
                .filter(cloud_resource_metrics::metric.one_of([CPU, MEMORY]))
                .order(cloud_resource_metrics::timestamp.desc())
                .first()?;
            newest = newest.max(found.map(|row| row.timestamp.micros()));
        }
        Ok(newest)
    }

    /// The measurements from `from` (inclusive) until `until` (exclusive).
    pub fn measured(
        &self,
        rows: &Transaction<'_>,
        (from, until): (i64, i64),
    ) -> Result<BTreeMap<Place, Measurements>, Refusal> {
        let (mut found, mut count): (BTreeMap<Place, Measurements>, usize) = (BTreeMap::new(), 0);
        for ids in self.chunks() {
            let measurements = rows
                .query::<MetricRow>()
                .filter(cloud_resource_metrics::cloud_account_id.eq_or_null(Some(Id::new(self.account))))
                .filter(cloud_resource_metrics::cloud_resource_id.one_of(ids))
                .filter(cloud_resource_metrics::metric.one_of([CPU, MEMORY]))
                .filter(cloud_resource_metrics::timestamp.ge(Timestamp(from)))
                .filter(cloud_resource_metrics::timestamp.lt(Timestamp(until)));
            measurements.for_each(|row| {
                count += 1;
                if count > MOST_READ {
                    let reason =
                        format!("there are more than {MOST_READ} measurements of them: ask for fewer workloads, or for fewer hours");
                    return Err(Refusal::invalid(reason));
                }
                if let Some(place) = self.places.get(&row.cloud_resource_id.uuid()) {
                    let measured = found.entry(place.clone()).or_default();
                    add(measured, row.metric == CPU, row.timestamp.micros(), row.value);
                }
                Ok(())
            })?;
        }
        Ok(found)
    }

    /// The measurements of the newest days, as the rules use them.
    pub fn of_newest_days(&self, rows: &Transaction<'_>) -> Result<BTreeMap<Place, Measurements>, Refusal> {
        let Some(newest) = self.newest(rows)? else { return Ok(BTreeMap::new()) };
        self.measured(rows, (newest - DAYS * DAY + 1, newest + 1))
    }

    fn chunks(&self) -> Vec<Vec<Uuid>> {
        let mut ids: Vec<Uuid> = self.places.keys().copied().collect();
        ids.sort_unstable();
        ids.chunks(AT_ONCE).map(<[Uuid]>::to_vec).collect()
    }
}

/// Parses `shop/Pod/web-1`, or `shop/Pod/web-1/app` for a container.
fn place(resource: &str) -> Option<Place> {
    let parts: Vec<&str> = resource.split('/').collect();
    let [namespace, "Pod", pod, container @ ..] = parts.as_slice() else { return None };
    let container = container.first().copied().unwrap_or_default();
    Some(((*namespace).to_owned(), (*pod).to_owned(), container.to_owned()))
}

#[cfg(test)]
mod tests {
    use super::place;

    #[test]
    fn the_resource_of_a_pod_names_it_and_its_container() {
        let of = |namespace: &str, pod: &str, container: &str| {
            Some((namespace.to_owned(), pod.to_owned(), container.to_owned()))
        };
        assert_eq!(place("shop/Pod/web-1"), of("shop", "web-1", ""));
        assert_eq!(place("shop/Pod/web-1/app"), of("shop", "web-1", "app"));
        assert_eq!(place("Node/a"), None);
        assert_eq!(place("shop/Deployment/web"), None);
    }
}
