//! Matches cluster nodes to billed machines: the node `aws:///eu-west-1a/i-0abc` is `arn:aws:ec2:eu-west-1:123:instance/i-0abc` in a bill.

use model::tables::cloud_resourses;
use model::{CloudProviderType as Cloud, Read, row};
use std::collections::BTreeSet;
use store::query::{Operator, Test};
use store::{StoreError, Transaction};
use uuid::Uuid;

row! { struct ResourceRow from cloud_resourses { id, external_resource_id } }

/// Minimum length of a machine name; a shorter one is not distinctive.
const SHORTEST_NAME: usize = 3;
/// Maximum number of names in one query.
const AT_ONCE: usize = 500;
/// Precedes the name of an Azure scale set. Its machines have only numbers, and bills charge for the set.
const SCALE_SET: &str = "/virtualmachinescalesets/";

/// The lower-case name of a machine without its zone, project or account; for a machine in an Azure scale set, the resource id of the set.
pub fn name_of_machine(id: &str) -> Option<String> {
    let id = id.to_ascii_lowercase();
    let set = id.split_once(SCALE_SET).and_then(|(before, after)| {
        let subscription = before.find("/subscriptions/")?;
        let name = after.split('/').next().filter(|name| !name.is_empty())?;
        Some(format!("{}{SCALE_SET}{name}", &before[subscription..]))
    });
    let name = set.unwrap_or_else(|| id.rsplit(['/', ':']).next().unwrap_or(&id).to_owned());
    (name.len() >= SHORTEST_NAME).then_some(name)
}

/// The cloud resources that correspond to these machines, each with the machine's name.
pub fn resources_of_machines(
    rows: &Transaction<'_>,
    machines: &BTreeSet<String>,
) -> Result<Vec<(Uuid, String)>, StoreError> {
    let mut found = Vec::new();
    let names: Vec<&String> = machines.iter().collect();
    for names in names.chunks(AT_ONCE) {
        let escaped: Vec<String> = names.iter().map(|name| regex_of(name)).collect();
        let ends = Test::Compare(
            Operator::RegexAnyCase,
            catalogue::Value::Text(format!("(?:^|[/:])(?:{})$", escaped.join("|"))),
        );
        let clouds = [Cloud::Aws, Cloud::Azure, Cloud::Gcp, Cloud::Oci, Cloud::Alibaba, Cloud::Other];
        let is_one = cloud_resourses::external_resource_id
            .test(ends)
            .and(cloud_resourses::cloud_provider.one_of(clouds));
        for row in rows.query::<ResourceRow>().filter(is_one).order(cloud_resourses::id.asc()).rows()? {
            let name = row.external_resource_id.as_deref().and_then(name_of_machine);
            found.extend(name.filter(|name| machines.contains(name)).map(|name| (row.id.uuid(), name)));
        }
    }
    Ok(found)
}

/// A regular expression that matches this text literally.
pub fn regex_of(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len());
    for letter in text.chars() {
        if r"\.+*?()|[]{}^$#&-~".contains(letter) {
            pattern.push('\\');
        }
        pattern.push(letter);
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::name_of_machine;

    #[test]
    fn a_node_and_its_bill_have_one_name() {
        let same = |node: &str, bill: &str| {
            let name = name_of_machine(node);
            assert!(name.is_some() && name == name_of_machine(bill), "{node} {bill}: {name:?}");
        };
        same("aws:///eu-west-1a/i-0ABC", "arn:aws:ec2:eu-west-1:123:instance/i-0abc");
        same("i-0abc", "i-0abc");
        same(
            "gce://shop/us-central1-a/gke-pool-7f31",
            "//compute.googleapis.com/projects/shop/zones/us-central1-a/instances/gke-pool-7f31",
        );
        let set = "/subscriptions/9/resourceGroups/mc_aks/providers/Microsoft.Compute/virtualMachineScaleSets/aks-pool-1-vmss";
        same(&format!("azure://{}/virtualMachines/0", set.replace("resourceGroups", "resourcegroups")), set);
        let other = name_of_machine(&set.replace("subscriptions/9", "subscriptions/8"));
        assert_ne!(name_of_machine(set), other, "a set of that name of another subscription");
        assert_eq!(name_of_machine("aws:///eu-west-1a/i1"), None);
    }
}
