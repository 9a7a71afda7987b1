//! Where an event happened: the account it was told in, and the cluster it names, which another source may tell of.

use super::gather::{subject, text};
use crate::kit::in_account::Object;
use analysis::Subject;
use graphql::Refusal;
use model::tables::{cloud_accounts, k8s_pods};
use model::{Id, Read as _, row};
use store::Transaction;
use uuid::Uuid;

/// The type of accounts that are clusters.
const KUBERNETES: &str = "kubernetes";

row! { struct Cluster from cloud_accounts { id } }
row! { struct PodOwner from k8s_pods { workload_name } }

/// The account of the event first, then the cluster of the name that it states. Their rows are read with the reader's rights, as all rows are.
pub(super) fn accounts(rows: &Transaction<'_>, account: Uuid, event: &Object) -> Result<Vec<Uuid>, Refusal> {
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

/// What the event is about. The workload of a pod is looked up where the event does not name it.
pub(super) fn owned(rows: &Transaction<'_>, accounts: &[Uuid], event: &Object) -> Result<Subject, Refusal> {
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
