//! Events and the things they are about.

use super::plan::{Key, Plan, Thing};
use super::write;
use catalogue::format_timestamp;
use model::tables::{events, knowledge_graph_node};
use model::{Cell, EventSeverity, Read, row};
use serde_json::Map;
use store::{StoreError, Transaction};
use uuid::Uuid;

row! {
    struct EventRow from events {
        id, tenant, cloud_account_id, cloud_resource_id, title, subject_name, subject_namespace, subject_node, subject_owner,
        subject_owner_kind, subject_type, priority, source, starts_at
    }
}
row! { struct NodeRow from knowledge_graph_node { cloud_account_id, unique_key, properties } }

/// Of an account with more events, the latest.
const MOST_EVENTS: u64 = 1_000;
const WORKLOADS: [&str; 6] = ["Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob"];

/// Adds the latest events of an account that are about a thing of the graph.
pub(super) fn add(rows: &Transaction<'_>, account: Uuid, plan: &mut Plan) -> Result<(), StoreError> {
    let of_account = events::cloud_account_id.eq(account).and(events::priority.ne(EventSeverity::Info));
    let latest = rows.query::<EventRow>().filter(of_account).order(events::starts_at.desc_nulls_last());
    for event in latest.order(events::id.asc()).limit(MOST_EVENTS).rows()? {
        let of_resource = event.cloud_resource_id.and_then(|id| plan.of_resource(id).cloned());
        let subject = of_resource.or_else(|| plan.first_of(account, &subject_keys(&event)));
        if let Some(subject) = subject {
            put(&event, account, &subject, plan);
        }
    }
    Ok(())
}

/// Adds events that were just written, as far as they are about a thing of the graph.
pub fn arrived(rows: &Transaction<'_>, ids: &[Uuid]) -> Result<(), StoreError> {
    for event in rows.query::<EventRow>().filter(events::id.one_of(ids.iter().copied())).rows()? {
        let Some(account) = event.cloud_account_id.map(model::Id::uuid) else { continue };
        if event.priority == EventSeverity::Info {
            continue;
        }
        let tenant = event.tenant.uuid();
        let keys = subject_keys(&event);
        let is_subject = knowledge_graph_node::tenant_id
            .eq(tenant)
            .and(knowledge_graph_node::is_active.eq(true))
            .and(knowledge_graph_node::unique_key.one_of(keys.iter().cloned()));
        let found = rows.query::<NodeRow>().filter(is_subject).rows()?;
        let mut plan = Plan::default();
        for node in &found {
            let stand_in = Thing::stand_in();
            plan.thing((node.cloud_account_id, node.unique_key.clone()), stand_in);
        }
        if let Some(subject) = plan.first_of(account, &keys) {
            put(&event, account, &subject, &mut plan);
            plan.things.retain(|key, _| key.1.starts_with("event/"));
            write::add(rows, tenant, rows.now(), &plan)?;
        }
    }
    Ok(())
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
    let thing = Thing {
        kind: "Event".to_owned(),
        name: event.title.clone(),
        namespace: event.subject_namespace.clone().filter(|namespace| !namespace.is_empty()),
        labels: Map::new(),
        resource: None,
        source: "events",
        properties,
    };
    plan.thing(key.clone(), thing);
    plan.link(&key, subject, "ABOUT", "subject of the event", &event.subject_name);
}

/// Where the subject may stand in the graph, the closest first.
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

impl Thing {
    /// A thing of which only its place counts.
    fn stand_in() -> Self {
        Self {
            kind: String::new(),
            name: String::new(),
            namespace: None,
            labels: Map::new(),
            resource: None,
            source: "",
            properties: Map::new(),
        }
    }
}
