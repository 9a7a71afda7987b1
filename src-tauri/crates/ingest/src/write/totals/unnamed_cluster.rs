//! Identifies the cluster of OpenCost exports that do not name one. Two exports are of one cluster when they contain the same machine or the same pod
//! with a generated name; otherwise the user is asked.

use super::MACHINE;
use crate::formats::document::ClusterName;
use crate::formats::{CLUSTER, FormAnswers, NAMED_CLUSTER, NamelessCluster};
use crate::report::{Choice, Decision};
use crate::write::cluster::PROVIDER;
use crate::write::imports;
use ::formats::record::Charge;
use catalogue::Value;
use serde_json::Value as Json;
use std::collections::{BTreeMap, BTreeSet};
use store::{StoreError, Transaction, eq, one_of};
use uuid::Uuid;

/// Maximum number of names used to identify a cluster.
const NAMES: usize = 10_000;
/// Maximum number of subjects of a file looked up in named clusters, to sort the choices by likelihood.
const SUBJECTS: usize = 200;
/// Maximum number of named clusters offered.
const OFFERED: usize = 50;
const ACCOUNTS: &str = "cloud_accounts";
/// The characters in generated suffixes of Kubernetes pod names, followed by the suffix length.
const GENERATED: &str = "bcdfghjklmnpqrstvwxz2456789";
const GENERATED_LENGTH: usize = 5;

/// The information about its cluster in a file that does not name it.
#[derive(Debug, Default)]
pub struct UnnamedClusterCosts {
    account: Option<Uuid>,
    /// Machines, and ids of pods with generated names.
    names: BTreeSet<String>,
    /// The first subjects of costs.
    subjects: BTreeSet<String>,
    /// Whether costs of another file were replaced.
    has_replaced: bool,
    /// Whether a replaced cost was of a pod with a generated name, or of the same machine.
    is_known: bool,
}

impl UnnamedClusterCosts {
    /// Records a cost. `replaced` is the details of the cost it replaces.
    pub fn add(&mut self, account: Uuid, charge: &Charge, replaced: Option<&Value>) {
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
        if self.subjects.len() < SUBJECTS && !self.subjects.contains(&charge.subject) {
            self.subjects.insert(charge.subject.clone());
        }
        if self.names.len() < NAMES {
            self.names.extend(pod.into_iter().chain(machine).cloned());
        }
    }
}

/// Returns a note about the cluster, or a question. `import` has written its costs.
pub fn check(
    rows: &Transaction<'_>,
    import: Uuid,
    info: &UnnamedClusterCosts,
    forms: FormAnswers,
) -> Result<Result<Option<String>, Box<Decision>>, StoreError> {
    let Some(account) = info.account else { return Ok(Ok(note_of_named(rows, import, forms)?)) };
    let clusters = clusters(rows)?;
    // The machines of the file may have identified a named cluster.
    let Some((own, (_, name))) = clusters.iter().find(|(_, (id, _))| *id == account) else {
        return Ok(Ok(None));
    };
    let others = others(rows, account, import)?;
    let has_others = info.has_replaced || !others.imports.is_empty();
    let named = named_clusters(rows)?;
    let why = if forms.cluster.is_some() {
        "as was said"
    } else if clusters.len() == 1 && !has_others && named.is_empty() {
        "the first of its kind"
    } else if info.is_known || others.has_any(rows, account, &info.names)? {
        "whose machines or pods it tells of"
    } else if clusters.len() == 1 && others.are_assigned_to(rows, *own)? {
        "of which all such files are, as was said"
    } else {
        let likely = sort_by_likelihood(rows, named, &info.subjects)?;
        // The account was created for this file only: it is not offered as an existing cluster.
        let known = clusters.iter().filter(|(cluster, _)| *cluster != own || has_others);
        return Ok(Err(Box::new(question(known, &likely))));
    };
    Ok(Ok(Some(format!("The file names no cluster. Its costs are those of {name}, {why}."))))
}

/// A named cluster, with its account.
struct NamedCluster {
    account: Uuid,
    number: String,
    name: String,
}

/// All named clusters, sorted by name.
fn named_clusters(rows: &Transaction<'_>) -> Result<Vec<NamedCluster>, StoreError> {
    let columns = ["id", "account_number", "account_name"];
    let mut named = Vec::new();
    for row in rows.select(ACCOUNTS, &columns, &[eq("cloud_provider", PROVIDER)])? {
        if let [Value::Uuid(account), Value::Text(number), name] = row.as_slice()
            && NamelessCluster::of_number(number).is_none()
        {
            let name = name.as_text().unwrap_or(number).to_owned();
            named.push(NamedCluster { account: *account, number: number.clone(), name });
        }
    }
    named.sort_by(|left, right| (&left.name, &left.number).cmp(&(&right.name, &right.number)));
    Ok(named)
}

/// The name of a cluster's account, for costs assigned to it.
pub fn named(rows: &Transaction<'_>, account: Uuid) -> Result<Option<ClusterName>, StoreError> {
    let columns = ["account_number", "account_name"];
    let found = rows.select(ACCOUNTS, &columns, &[eq("id", account), eq("cloud_provider", PROVIDER)])?;
    Ok(found.first().and_then(|row| match row.as_slice() {
        [Value::Text(number), name] => {
            Some(ClusterName { number: number.clone(), name: name.as_text().unwrap_or(number).to_owned() })
        }
        _ => None,
    }))
}

/// The note about costs that the user assigned to a named cluster.
fn note_of_named(
    rows: &Transaction<'_>,
    import: Uuid,
    forms: FormAnswers,
) -> Result<Option<String>, StoreError> {
    let Some(account) = forms.cluster_account else { return Ok(None) };
    let own = [eq("import_id", import), eq("cloud_account", account)];
    if rows.count("spends", &own)? == 0 {
        return Ok(None);
    }
    let cluster = named(rows, account)?;
    Ok(cluster.map(|cluster| format!("Costs without a cluster are those of {}, as was said.", cluster.name)))
}

/// The clusters, sorted by the number of known subjects, largest first.
fn sort_by_likelihood(
    rows: &Transaction<'_>,
    mut named: Vec<NamedCluster>,
    subjects: &BTreeSet<String>,
) -> Result<Vec<NamedCluster>, StoreError> {
    let mut known: BTreeMap<Uuid, usize> = BTreeMap::new();
    let same = one_of("external_resource_id", subjects.iter().map(|thing| thing.as_str().into()).collect());
    for row in rows.select("cloud_resourses", &["account"], &[same])? {
        if let Some(account) = row.first().and_then(Value::as_uuid) {
            *known.entry(account).or_default() += 1;
        }
    }
    named.sort_by_key(|cluster| std::cmp::Reverse(known.get(&cluster.account).copied().unwrap_or_default()));
    named.truncate(OFFERED);
    Ok(named)
}

type Clusters = BTreeMap<NamelessCluster, (Uuid, String)>;

/// The known unnamed clusters, with their accounts and display names.
fn clusters(rows: &Transaction<'_>) -> Result<Clusters, StoreError> {
    let columns = ["id", "account_number", "account_name"];
    let mut clusters = Clusters::new();
    for row in rows.select(ACCOUNTS, &columns, &[eq("cloud_provider", PROVIDER)])? {
        if let [Value::Uuid(id), number, name] = row.as_slice()
            && let Some(cluster) = number.as_text().and_then(NamelessCluster::of_number)
        {
            clusters.insert(cluster, (*id, name.as_text().unwrap_or_default().to_owned()));
        }
    }
    Ok(clusters)
}

/// The costs of other files in an account.
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
    /// Whether they include any of these machines and pods.
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

    /// Whether the user assigned one of these imports to the cluster.
    fn are_assigned_to(&self, rows: &Transaction<'_>, cluster: NamelessCluster) -> Result<bool, StoreError> {
        for import in &self.imports {
            let report = imports::report(rows, *import)?;
            if report.is_some_and(|report| report.forms.cluster == Some(cluster)) {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// The question. `unnamed` are the stored unnamed clusters, `named` the named ones, likely ones first.
fn question<'c>(
    unnamed: impl Iterator<Item = (&'c NamelessCluster, &'c (Uuid, String))>,
    named: &[NamedCluster],
) -> Decision {
    let choice = |choice: String, label: String| Choice { choice, label, totals: Vec::new() };
    let mut next = 1;
    let mut choices: Vec<Choice> = named
        .iter()
        .map(|cluster| {
            let is_only = named.iter().filter(|other| other.name == cluster.name).count() == 1;
            let label = if is_only {
                format!("That of {}", cluster.name)
            } else {
                format!("That of {} ({})", cluster.name, cluster.number)
            };
            choice(format!("{NAMED_CLUSTER}{}", cluster.account), label)
        })
        .collect();
    let mut known = Vec::new();
    for (cluster, (_, name)) in unnamed {
        next = cluster.0.saturating_add(1);
        known.push(choice(format!("{CLUSTER}{}", cluster.0), format!("That of {name}")));
    }
    // The file has no cluster name either: unnamed clusters are offered first.
    known.append(&mut choices);
    known.push(choice(format!("{CLUSTER}{next}"), "Another cluster".to_owned()));
    Decision {
        reason: "which_cluster".to_owned(),
        question: "The file names no cluster, other clusters are known, and no machine or pod in the file tells whether it is of one of them. \
                   Of one cluster, later files replace what they tell again; of two, both count. Which cluster is it?"
            .to_owned(),
        choices: known,
        decided: None,
    }
}

fn machine_of(details: &Value) -> Option<String> {
    let details: Json = serde_json::from_str(details.as_text()?).ok()?;
    Some(details.get(MACHINE)?.as_str()?.to_owned())
}

/// Whether a subject is a pod with a generated name, or a container of one. Such names do not occur in other clusters.
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
