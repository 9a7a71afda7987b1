//! Exports of OpenCost that name no cluster. Two of them are of one cluster when they tell of the same machine, or of the same pod of a generated name;
//! else a person says of which cluster they are.

use super::MACHINE;
use crate::formats::{CLUSTER, FormAnswers, NamelessCluster};
use crate::report::{Choice, Decision};
use crate::write::cluster::PROVIDER;
use crate::write::imports;
use ::formats::record::Charge;
use catalogue::Value;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction, eq};
use uuid::Uuid;

/// So many names tell a cluster.
const NAMES: usize = 10_000;
/// Letters and digits that Kubernetes makes names of pods from, and how many it puts behind a name.
const GENERATED: &str = "bcdfghjklmnpqrstvwxz2456789";
const GENERATED_LENGTH: usize = 5;

/// What a file that names no cluster has told of it.
#[derive(Debug, Default)]
pub struct Nameless {
    account: Option<Uuid>,
    /// Machines, and ids of pods with generated names.
    names: BTreeSet<String>,
    /// Costs of another file were replaced.
    has_replaced: bool,
    /// One of them was of a pod with a generated name, or of the same machine.
    is_known: bool,
}

impl Nameless {
    /// Takes note of a cost. `replaced` are the details of the one it takes the place of.
    pub fn meet(&mut self, account: Uuid, charge: &Charge, replaced: Option<&Value>) {
        if charge.account.provider != PROVIDER || NamelessCluster::of_number(&charge.account.number).is_none()
        {
            return;
        }
        self.account = Some(account);
        let pod = Some(&charge.subject).filter(|subject| is_generated_pod(subject));
        let machine = charge.machine.as_ref();
        if let Some(details) = replaced {
            self.has_replaced = true;
            let is_same_machine = machine.is_some() && machine_of(details) == machine.cloned();
            self.is_known |= pod.is_some() || is_same_machine;
        }
        if self.names.len() < NAMES {
            self.names.extend(pod.into_iter().chain(machine).cloned());
        }
    }
}

/// What is to be said of the cluster, or asked. `import` has written its costs.
pub fn check(
    rows: &Transaction<'_>,
    import: Uuid,
    told: &Nameless,
    forms: FormAnswers,
) -> Result<Result<Option<String>, Box<Decision>>, StoreError> {
    let Some(account) = told.account else { return Ok(Ok(None)) };
    let clusters = clusters(rows)?;
    // The machines of the file may have told a cluster with a name.
    let Some((own, (_, name))) = clusters.iter().find(|(_, (id, _))| *id == account) else {
        return Ok(Ok(None));
    };
    let others = others(rows, account, import)?;
    let has_others = told.has_replaced || !others.imports.is_empty();
    let why = if forms.cluster.is_some() {
        "as was said"
    } else if clusters.len() == 1 && !has_others {
        "the first of its kind"
    } else if told.is_known || others.has_any(rows, account, &told.names)? {
        "whose machines or pods it tells of"
    } else if clusters.len() == 1 && others.are_said_to_be(rows, *own)? {
        "of which all such files are, as was said"
    } else {
        return Ok(Err(Box::new(question(&clusters))));
    };
    Ok(Ok(Some(format!("The file names no cluster. Its costs are those of {name}, {why}."))))
}

type Clusters = BTreeMap<NamelessCluster, (Uuid, String)>;

/// The clusters without a name that are known, with their accounts and what people call these.
fn clusters(rows: &Transaction<'_>) -> Result<Clusters, StoreError> {
    let columns = ["id", "account_number", "account_name"];
    let mut clusters = Clusters::new();
    for row in rows.select("cloud_accounts", &columns, &[eq("cloud_provider", PROVIDER)])? {
        if let [Value::Uuid(id), number, name] = row.as_slice()
            && let Some(cluster) = number.as_text().and_then(NamelessCluster::of_number)
        {
            clusters.insert(cluster, (*id, name.as_text().unwrap_or_default().to_owned()));
        }
    }
    Ok(clusters)
}

/// What other files have told of a cluster.
#[derive(Default)]
struct Others {
    imports: BTreeSet<Uuid>,
    resources: BTreeSet<Uuid>,
    machines: BTreeSet<String>,
}

fn others(rows: &Transaction<'_>, account: Uuid, import: Uuid) -> Result<Others, StoreError> {
    let mut others = Others::default();
    let columns = ["import_id", "cloud_resource_id", "details"];
    rows.for_each("spends", &columns, &[eq("cloud_account", account)], |row| {
        if let [Value::Uuid(other), resource, details] = row.as_slice()
            && *other != import
        {
            others.imports.insert(*other);
            others.resources.extend(resource.as_uuid());
            others.machines.extend(machine_of(details));
        }
        Ok::<_, StoreError>(())
    })?;
    Ok(others)
}

impl Others {
    /// Whether they tell of any of the machines and pods.
    fn has_any(
        &self,
        rows: &Transaction<'_>,
        account: Uuid,
        names: &BTreeSet<String>,
    ) -> Result<bool, StoreError> {
        if !self.machines.is_disjoint(names) {
            return Ok(true);
        }
        let mut has_any = false;
        let columns = ["id", "external_resource_id"];
        rows.for_each("cloud_resourses", &columns, &[eq("account", account)], |row| {
            if let [Value::Uuid(id), Value::Text(name)] = row.as_slice() {
                has_any |= names.contains(name) && self.resources.contains(id);
            }
            Ok::<_, StoreError>(())
        })?;
        Ok(has_any)
    }

    /// Whether a person has said of one of them that it is of the cluster.
    fn are_said_to_be(&self, rows: &Transaction<'_>, cluster: NamelessCluster) -> Result<bool, StoreError> {
        for import in &self.imports {
            let report = imports::report(rows, *import)?;
            if report.is_some_and(|report| report.forms.cluster == Some(cluster)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

fn question(clusters: &Clusters) -> Decision {
    let known = clusters.iter().map(|(cluster, (_, name))| (*cluster, format!("That of {name}")));
    let next = clusters.keys().map(|cluster| cluster.0).max().unwrap_or_default().saturating_add(1);
    let another = (NamelessCluster(next), "Another cluster".to_owned());
    let choice = |(cluster, label): (NamelessCluster, String)| Choice {
        choice: format!("{CLUSTER}{}", cluster.0),
        label,
        totals: Vec::new(),
    };
    Decision {
        reason: "which_cluster".to_owned(),
        question: "The file names no cluster, costs of a cluster without a name are stored, and no machine or pod in the file tells whether both are of one \
                   cluster. Of one cluster, later files replace what they tell again; of two, both count. Which cluster is it?"
            .to_owned(),
        choices: known.chain([another]).map(choice).collect(),
        decided: None,
    }
}

fn machine_of(details: &Value) -> Option<String> {
    let details: Json = serde_json::from_str(details.as_text()?).ok()?;
    Some(details.get(MACHINE)?.as_str()?.to_owned())
}

/// Whether a thing is a pod, or a container of one, whose name Kubernetes has made up: no other cluster has one of that name.
fn is_generated_pod(subject: &str) -> bool {
    let mut parts = subject.split('/').skip(1);
    if parts.next() != Some("Pod") {
        return false;
    }
    let end = parts.next().and_then(|name| name.rsplit_once('-')).map(|(_, end)| end);
    end.is_some_and(|end| {
        end.len() == GENERATED_LENGTH && end.chars().all(|letter| GENERATED.contains(letter))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_names_of_pods_are_told_from_given_ones() {
        assert!(is_generated_pod("opencost/Pod/opencost-8fd7f8778-s7flr/opencost"));
        assert!(is_generated_pod("kube-system/Pod/kube-proxy-x2b9f"));
        for other in ["shop/Pod/web-0", "shop/Pod/build-agent", "shop/Deployment/web-s7flr", "Node/n-s7flr"] {
            assert!(!is_generated_pod(other), "{other}");
        }
    }
}
