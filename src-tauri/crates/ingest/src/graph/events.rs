//! Relates events to the graph nodes that they are about.

use super::plan::{Key, Node, Plan};
use super::scope::Scope;
use super::{AccountRow, write};
use catalogue::format_timestamp;
use model::tables::{events, knowledge_graph_node as nodes};
use model::{Cell, EventSeverity, Read, row};
use serde_json::Map;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use store::{StoreError, Transaction};
use uuid::Uuid;

row! {
    struct EventRow from events {
        id, tenant, cloud_account_id, cloud_resource_id, title, subject_name, subject_namespace, subject_node, subject_owner,
        subject_owner_kind, subject_type, priority, source, starts_at
    }
}
row! { struct NodeRow from knowledge_graph_node { id, cloud_account_id, unique_key } }

/// Maximum number of events: the latest of each account, and the latest of all other accounts together.
const MOST_EVENTS: u64 = 1_000;
/// Maximum number of keys in one query.
const AT_ONCE: usize = 400;
const WORKLOADS: [&str; 6] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"];

/// Adds the latest events of the accounts, and those of other accounts that are about nodes of the plan.
pub(super) fn add(
    rows: &Transaction<'_>,
    tenant: Uuid,
    scope: &Scope,
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let is_of_weight = || events::priority.ne(EventSeverity::Info);
    let latest = |filter| {
        let latest = rows.query::<EventRow>().filter(filter).order(events::starts_at.desc_nulls_last());
        latest.order(events::id.asc()).limit(MOST_EVENTS).rows()
    };
    let mut found: Vec<EventRow> = Vec::new();
    let accounts: Vec<Uuid> = match scope {
        Scope::All => {
            rows.query::<AccountRow>().rows()?.into_iter().map(|account| account.id.uuid()).collect()
        }
        Scope::Of(accounts) => accounts.iter().copied().collect(),
    };
    for account in accounts {
        found.extend(latest(events::cloud_account_id.eq(account).and(is_of_weight()))?);
    }
    if let Scope::Of(_) = scope {
        let is_other = |event: &EventRow| event.cloud_account_id.is_some_and(|id| !scope.contains(id.uuid()));
        found.extend(latest(is_of_weight())?.into_iter().filter(is_other));
    }
    relate(rows, tenant, scope, &found, plan)
}

/// Adds new events that are about a node of the graph.
pub fn add_new_events(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    let mut by_tenant: BTreeMap<Uuid, Vec<EventRow>> = BTreeMap::new();
    for ids in ids.chunks(AT_ONCE) {
        let is_told = events::id.one_of(ids.iter().copied()).and(events::priority.ne(EventSeverity::Info));
        for event in rows.query::<EventRow>().filter(is_told).rows()? {
            by_tenant.entry(event.tenant.uuid()).or_default().push(event);
        }
    }
    let nothing = Scope::Of(BTreeSet::new());
    for (tenant, events) in by_tenant {
        let mut plan = Plan::default();
        relate(rows, tenant, &nothing, &events, &mut plan)?;
        write::add(rows, tenant, rows.now(), &plan)?;
    }
    Ok(())
}

/// Relates events to their subjects: nodes of the plan, or stored nodes of accounts outside the scope.
fn relate(
    rows: &Transaction<'_>,
    tenant: Uuid,
    scope: &Scope,
    events: &[EventRow],
    plan: &mut Plan,
) -> Result<(), StoreError> {
    let keys: Vec<Vec<String>> = events.iter().map(subject_keys).collect();
    let wanted: BTreeSet<&str> = keys.iter().flatten().map(String::as_str).collect();
    let mut holders: HashMap<String, BTreeSet<Uuid>> = HashMap::new();
    for (account, key) in plan.nodes.keys().filter(|(_, key)| wanted.contains(key.as_str())) {
        holders.entry(key.clone()).or_default().insert(*account);
    }
    if *scope != Scope::All {
        let wanted: Vec<&str> = wanted.into_iter().collect();
        for wanted in wanted.chunks(AT_ONCE) {
            let is_stored = nodes::tenant_id
                .eq(tenant)
                .and(nodes::is_active.eq(true))
                .and(nodes::unique_key.one_of(wanted.iter().copied()));
            for node in rows.query::<NodeRow>().filter(is_stored).rows()? {
                let key = (node.cloud_account_id, node.unique_key);
                // Nodes within the scope are in the plan or will be removed; nodes from other sources are not changed.
                if !scope.contains(key.0) && node.id.uuid() == write::node_id(tenant, &key) {
                    holders.entry(key.1.clone()).or_default().insert(key.0);
                    plan.stored.insert(key);
                }
            }
        }
    }
    for (event, keys) in events.iter().zip(&keys) {
        let Some(account) = event.cloud_account_id.map(model::Id::uuid) else { continue };
        let of_resource = event.cloud_resource_id.and_then(|id| plan.of_resource(id).cloned());
        if let Some(subject) = of_resource.or_else(|| subject(account, keys, &holders)) {
            put(event, account, &subject, plan);
        }
    }
    Ok(())
}

/// The graph node of the first existing key: in the account, otherwise in the only account that has it.
fn subject(account: Uuid, keys: &[String], holders: &HashMap<String, BTreeSet<Uuid>>) -> Option<Key> {
    let held = || keys.iter().filter_map(|key| Some((key, holders.get(key)?)));
    let own = held().find(|(_, accounts)| accounts.contains(&account)).map(|(key, _)| (account, key.clone()));
    own.or_else(|| {
        held()
            .find(|(_, accounts)| accounts.len() == 1)
            .and_then(|(key, accounts)| accounts.first().map(|account| (*account, key.clone())))
    })
}

fn put(event: &EventRow, account: Uuid, subject: &Key, plan: &mut Plan) {
    let id = event.id.uuid();
    let mut properties = Map::new();
    properties.insert("event_id".to_owned(), id.to_string().into());
    let told = [
        ("priority", Some(event.priority.into_value())),
        ("event_source", event.source.map(Cell::into_value)),
    ];
    for (name, value) in told {
        if let Some(text) = value.as_ref().and_then(catalogue::Value::as_text) {
            properties.insert(name.to_owned(), text.into());
        }
    }
    if let Some(starts_at) = event.starts_at {
        properties.insert("starts_at".to_owned(), format_timestamp(starts_at.micros()).into());
    }
    let key = (account, format!("event/{id}"));
    let node = Node {
        kind: "Event".to_owned(),
        name: event.title.clone(),
        namespace: event.subject_namespace.clone().filter(|namespace| !namespace.is_empty()),
        labels: Map::new(),
        resource: None,
        source: "events",
        properties,
    };
    plan.add_node(key.clone(), node);
    plan.relate(&key, subject, "ABOUT", "subject of the event", &event.subject_name);
}

/// Possible keys of the event's subject, most specific first.
fn subject_keys(event: &EventRow) -> Vec<String> {
    let namespace = event.subject_namespace.as_deref().unwrap_or_default();
    let (name, owner) = (event.subject_name.as_str(), event.subject_owner.as_deref().unwrap_or_default());
    let mut keys = Vec::new();
    let local = |kind: &str, name: &str| format!("{namespace}/{kind}/{name}");
    if !namespace.is_empty() && !name.is_empty() {
        keys.push(local("Pod", name));
        keys.extend(WORKLOADS.iter().map(|kind| local(kind, name)));
        keys.extend(["Service", "PersistentVolumeClaim", "Ingress"].iter().map(|kind| local(kind, name)));
        keys.extend(event.subject_type.iter().map(|kind| local(kind, name)));
    }
    if !namespace.is_empty() && !owner.is_empty() {
        keys.extend(event.subject_owner_kind.iter().map(|kind| local(kind, owner)));
        keys.extend(WORKLOADS.iter().map(|kind| local(kind, owner)));
    }
    for node in [Some(name).filter(|_| namespace.is_empty()), event.subject_node.as_deref()] {
        keys.extend(node.filter(|node| !node.is_empty()).map(|node| format!("Node/{node}")));
    }
    if namespace.is_empty() && !name.is_empty() {
        keys.push(name.to_owned());
    }
    keys
}
