//! Determines the accounts of an event: the one it was reported in, and the cluster it names, which may be another account.

use super::material::{subject, text};
use crate::kit::in_account::Object;
use analysis::Subject;
use graphql::Refusal;
use model::tables::{cloud_accounts, k8s_pods};
use model::{Id, Read as _, row};
use store::Transaction;
use uuid::Uuid;

/// The account type of clusters.
const KUBERNETES: &str = "kubernetes";

row! { struct Cluster from cloud_accounts { id } }
row! { struct PodOwner from k8s_pods { workload_name } }

/// The account of the event, then the cluster with the name in the event. Their rows are read with the rights of the reader.
pub(super) fn find_accounts(
    rows: &Transaction<'_>,
    account: Uuid,
    event: &Object,
) -> Result<Vec<Uuid>, Refusal> {
    let mut found = vec![account];
    let name = text(event, "cluster");
    if !name.is_empty() {
        let clusters = rows
            .query::<Cluster>()
            .filter(cloud_accounts::account_type.eq(KUBERNETES))
            .filter(cloud_accounts::account_name.eq(name))
            .rows()?;
        found.extend(clusters.iter().map(|cluster| cluster.id.uuid()).filter(|id| *id != account));
    }
    Ok(found)
}

/// The subject of the event. If the event does not name the workload of a pod, it is looked up.
pub(super) fn find_subject(
    rows: &Transaction<'_>,
    accounts: &[Uuid],
    event: &Object,
) -> Result<Subject, Refusal> {
    let subject = subject(event);
    if !subject.owner.is_empty() || subject.name.is_empty() {
        return Ok(subject);
    }
    let namespace = Some(subject.namespace.as_str()).filter(|namespace| !namespace.is_empty());
    let pod = rows
        .query::<PodOwner>()
        .filter(k8s_pods::cloud_account_id.one_of(accounts.iter().copied().map(Id::new)))
        .filter(k8s_pods::name.eq(subject.name.as_str()))
        .filter_some(namespace.map(|namespace| k8s_pods::namespace.eq(namespace)))
        .first()?;
    let owner = pod.and_then(|pod| pod.workload_name).unwrap_or_default();
    Ok(Subject { owner, ..subject })
}
