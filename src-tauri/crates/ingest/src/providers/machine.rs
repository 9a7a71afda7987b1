//! Machines of clusters as clouds and bills call them: `aws:///eu-west-1a/i-0abc` of a node is `arn:aws:ec2:eu-west-1:123:instance/i-0abc` of a bill.

use model::tables::cloud_resourses;
use model::{CloudProviderType as Cloud, Read, row};
use std::collections::BTreeSet;
use store::query::{Operator, Test};
use store::{StoreError, Transaction};
use uuid::Uuid;

row! { struct ResourceRow from cloud_resourses { id, external_resource_id } }

/// A shorter name tells no machine for certain.
const SHORTEST_NAME: usize = 3;
/// So many names are looked for at once.
const AT_ONCE: usize = 500;
/// What stands before the name of a scale set of Azure. Its machines have numbers only, and bills charge for the set.
const SCALE_SET: &str = "/virtualmachinescalesets/";

/// The name of a machine behind its zone, project or account, in small letters; of a machine in a scale set of Azure, the address of the set.
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

/// The resources of clouds that are these machines, each with the name of its machine.
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

/// A regular expression for these letters.
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
