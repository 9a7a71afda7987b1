//! Builds the graph nodes of a cloud account from billed and listed resources.

use super::plan::{Key, Node, Plan, object};
use super::tags;
use crate::providers::machine::regex_of;
use crate::write::cluster::SERVICE;
use catalogue::Value;
use model::tables::cloud_resourses;
use model::{Filter, Read, row};
use serde_json::Map;
use std::collections::{HashMap, HashSet};
use store::query::{Operator, Test};
use store::{StoreError, Transaction};
use uuid::Uuid;

row! {
    struct ResourceRow from cloud_resourses {
        id, account, external_resource_id, resourse_id, name, r#type, service_name, region, tags
    }
}

/// Maximum number of resources per account: those seen last. Resources that other nodes refer to are added as well.
const MOST_RESOURCES: u64 = 2_000;
/// Maximum number of names in one query.
const AT_ONCE: usize = 400;
const ACCOUNT: &str = "account";
/// The node type of an account.
pub(super) const ACCOUNT_KIND: &str = "Account";

/// Words in a provider's resource type or service, and the corresponding node type in the interface contract.
const KINDS: [(&str, &[&str]); 9] = [
    ("Storage", &["volume", "disk", "bucket", "storage", "s3", "snapshot", "file system"]),
    ("Database", &["database", "rds", "sql", "dynamodb", "cosmos", "spanner", "aurora"]),
    ("Cache", &["cache", "redis", "memorystore"]),
    ("LoadBalancer", &["load balanc", "loadbalanc"]),
    ("Queue", &["queue", "sqs", "pub/sub", "service bus"]),
    ("ServerlessFunction", &["lambda", "function", "cloud run"]),
    ("NetworkGateway", &["gateway", "vpn"]),
    ("EncryptionKey", &["key management", "kms"]),
    ("ComputeInstance", &["instance", "virtual machine", "virtualmachine", "compute", "ec2"]),
];

/// Adds an account and its resources.
pub(super) fn add(
    rows: &Transaction<'_>,
    account: Uuid,
    name: &str,
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let of_account = cloud_resourses::account.eq(account).and(cloud_resourses::service_name.ne(SERVICE));
    let newest = cloud_resourses::last_seen.desc_nulls_last();
    let found = rows.query::<ResourceRow>().filter(of_account).order(newest).order(cloud_resourses::id.asc());
    let found = found.limit(MOST_RESOURCES).rows()?;
    if found.is_empty() {
        return Ok(());
    }
    add_account(account, name, plan);
    for row in found {
        resource(row, plan);
    }
    Ok(())
}

/// Adds the account itself; it is removed again if nothing is in it.
pub(super) fn add_account(account: Uuid, name: &str, plan: &mut Plan) {
    let itself = Node {
        kind: ACCOUNT_KIND.to_owned(),
        name: name.to_owned(),
        namespace: None,
        labels: Map::new(),
        resource: None,
        source: "cloud",
        properties: Map::new(),
    };
    plan.add_node((account, ACCOUNT.to_owned()), itself);
}

/// The resources with these cloud names, by name; in `accounts`, or in all accounts if it is `None`.
pub(super) fn named(
    rows: &Transaction<'_>,
    names: &[String],
    accounts: Option<&[Uuid]>,
    plan: &mut Plan,
) -> Result<HashMap<String, Key>, StoreError> {
    let wanted: HashSet<&str> = names.iter().map(String::as_str).collect();
    let of_accounts = accounts.map(|accounts| cloud_resourses::account.one_of(accounts.iter().copied()));
    let mut known = HashMap::new();
    for names in names.chunks(AT_ONCE) {
        let escaped: Vec<String> = names.iter().map(|name| regex_of(name)).collect();
        // Bills often identify a resource by a path that ends with its name.
        let ends =
            Test::Compare(Operator::Regex, Value::Text(format!("(?:^|[/:])(?:{})$", escaped.join("|"))));
        let texts = || names.iter().cloned();
        let is_named: Filter<_> = cloud_resourses::resourse_id
            .one_of(texts())
            .or(cloud_resourses::name.one_of(texts()))
            .or(cloud_resourses::external_resource_id.test(ends));
        let is_other = cloud_resourses::service_name.ne(SERVICE);
        let found =
            rows.query::<ResourceRow>().filter(is_named.and(is_other)).filter_some(of_accounts.clone());
        for row in found.order(cloud_resourses::id.asc()).rows()? {
            let own = [&row.resourse_id, &row.external_resource_id, &row.name];
            let called: Vec<String> = own
                .into_iter()
                .flatten()
                .flat_map(|name| [name.as_str(), last_part(name)])
                .filter(|name| wanted.contains(name))
                .map(str::to_owned)
                .collect();
            let key = resource(row, plan);
            for name in called {
                known.entry(name).or_insert_with(|| key.clone());
            }
        }
    }
    Ok(known)
}

/// The last segment of a provider's identifier: a machine id or bucket name. Any other name is returned unchanged.
fn last_part(name: &str) -> &str {
    let is_address = name.starts_with("arn:") || name.starts_with('/');
    let last = name.rsplit(['/', ':']).next().filter(|last| is_address && !last.is_empty());
    last.unwrap_or(name)
}

fn resource(row: ResourceRow, plan: &mut Plan) -> Key {
    let account = row.account.uuid();
    let id = row.id.uuid();
    let external = row.external_resource_id.unwrap_or_else(|| id.to_string());
    let key = (account, external.clone());
    if plan.nodes.contains_key(&key) {
        return key;
    }
    let (kind, service) = (row.r#type.unwrap_or_default(), row.service_name.unwrap_or_default());
    let mut properties = Map::new();
    let address = Some(&external).filter(|external| last_part(external) != external.as_str()).cloned();
    let facts = [
        ("type", &kind),
        ("service", &service),
        ("region", &row.region),
        ("address", &address.unwrap_or_default()),
    ];
    for (name, value) in facts {
        if !value.is_empty() {
            properties.insert(name.to_owned(), value.as_str().into());
        }
    }
    let labels = object(row.tags.as_ref());
    let node = Node {
        kind: node_type(&kind, &service).to_owned(),
        name: row
            .name
            .or(row.resourse_id)
            .map_or_else(|| last_part(&external).to_owned(), |name| last_part(&name).to_owned()),
        namespace: None,
        labels: labels.clone(),
        resource: Some(id),
        source: "cloud",
        properties,
    };
    plan.add_node(key.clone(), node);
    plan.relate(&key, &(account, ACCOUNT.to_owned()), "PART_OF", "account of the resource", "");
    tags::add(&key, &labels, plan);
    key
}

fn node_type(kind: &str, service: &str) -> &'static str {
    let known_type = |words: &str| {
        let words = words.to_lowercase();
        KINDS.iter().find(|(_, known)| known.iter().any(|known| words.contains(known))).map(|(kind, _)| *kind)
    };
    known_type(kind).or_else(|| known_type(service)).unwrap_or("CloudResource")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_ends_with_the_name() {
        assert_eq!(last_part("arn:aws:ec2:eu-west-1:9:instance/i-1"), "i-1");
        assert_eq!(last_part("arn:aws:s3:::harbour"), "harbour");
        assert_eq!(last_part("/subscriptions/1/virtualMachines/tide"), "tide");
        assert_eq!(last_part("team/web:1"), "team/web:1");
    }

    #[test]
    fn a_resource_is_of_the_kind_its_provider_tells() {
        assert_eq!(node_type("EBS Volume", "Amazon Elastic Compute Cloud"), "Storage");
        assert_eq!(node_type("", "Amazon Relational Database Service"), "Database");
        assert_eq!(node_type("t3.micro", "Amazon Elastic Compute Cloud"), "ComputeInstance");
        assert_eq!(node_type("", "Support"), "CloudResource");
    }
}
