//! Marks objects that a complete listing no longer contains.

use super::changes::Subject;
use super::rows::Rows;
use super::{Open, SERVICE};
use crate::write::key_of_namespace;
use catalogue::ValueRef;
use model::tables::k8s_namespaces;
use model::{Read as _, row};
use store::{StoreError, eq};
use uuid::Uuid;

const TABLES: [(&str, &str); 3] = [("Node", "k8s_nodes"), ("Pod", "k8s_pods"), ("", "k8s_workloads")];

row! { struct NamespaceName from k8s_namespaces { name } }

/// Marks missing objects as inactive. Returns their number.
pub fn deactivate(rows: &Rows<'_, '_>, open: &Open) -> Result<u64, StoreError> {
    let mut count = 0;
    let namespaces = gone_namespaces(rows, open)?;
    for whole in &open.cluster.complete_listings {
        count += objects(rows, open, Some(&whole.kind), whole.namespace.as_deref())?;
    }
    for namespace in namespaces {
        let account = open.account.to_string();
        let key = [eq("cloud_account_id", &account), eq("name", &namespace)];
        let set = vec![("is_active", false.into()), ("updated_at", ValueRef::Timestamp(rows.job.now))];
        rows.change("k8s_namespaces", key_of_namespace(&account, &namespace), &key, set)?;
        count += 1;
        // All objects in the namespace are gone too.
        count += objects(rows, open, None, Some(&namespace))?;
    }
    Ok(count)
}

/// Namespaces missing from a complete listing. An older dump gives no information about them.
fn gone_namespaces(rows: &Rows<'_, '_>, open: &Open) -> Result<Vec<String>, StoreError> {
    let is_whole = open.cluster.complete_listings.iter().any(|whole| whole.kind == "Namespace");
    if !is_whole || open.older > 0 {
        return Ok(Vec::new());
    }
    let active = k8s_namespaces::cloud_account_id.eq(open.account.to_string());
    let active = active.and(k8s_namespaces::is_active.eq(true));
    let found = rows.transaction.query::<NamespaceName>().filter(active).rows()?;
    let names = found.into_iter().map(|namespace| namespace.name);
    Ok(names.filter(|name| !open.namespaces.contains(name)).collect())
}

/// Marks missing objects of one or all kinds, in one or all namespaces.
fn objects(
    rows: &Rows<'_, '_>,
    open: &Open,
    kind: Option<&str>,
    namespace: Option<&str>,
) -> Result<u64, StoreError> {
    let mut same = vec![eq("account", open.account), eq("service_name", SERVICE), eq("is_active", true)];
    if let Some(kind) = kind {
        same.push(eq("type", kind));
    }
    let prefix = namespace.map(|namespace| format!("{namespace}/"));
    let columns = ["id", "type", "external_resource_id", "last_seen"];
    let mut gone: Vec<MissingObject> = Vec::new();
    for row in rows.transaction.select("cloud_resourses", &columns, &same)? {
        let [id, kind, external_id, last_seen] = row.as_slice() else { continue };
        let Some(id) = id.as_uuid() else { continue };
        let last_seen = last_seen.as_int();
        let external_id = external_id.as_text().unwrap_or_default();
        let is_there = prefix
            .as_ref()
            .is_none_or(|prefix| external_id.starts_with(prefix) && external_id.matches('/').count() >= 2);
        let is_newer = last_seen.is_some_and(|last| last > open.taken_at);
        if is_there && !is_newer && !open.met.contains(&id) {
            let kind = kind.as_text().unwrap_or_default().to_owned();
            gone.push(MissingObject { id, kind, external_id: external_id.to_owned(), last_seen });
        }
    }
    for one in &gone {
        one.record_removal(rows, open)?;
        let MissingObject { id, kind, .. } = one;
        let set = vec![
            ("is_active", false.into()),
            ("status", "Inactive".into()),
            ("updated_at", ValueRef::Timestamp(rows.job.now)),
        ];
        rows.change("cloud_resourses", *id, &[eq("id", *id)], set)?;
        let table = TABLES.iter().find(|(name, _)| name == kind).map_or("k8s_workloads", |(_, table)| table);
        let key = [eq("cloud_account_id", open.account), eq("cloud_resource_id", *id)];
        if rows.transaction.count(table, &key)? > 0 {
            let set = vec![("is_active", false.into()), ("updated_at", ValueRef::Timestamp(rows.job.now))];
            rows.change(table, *id, &key, set)?;
        }
    }
    Ok(gone.len() as u64)
}

/// An object that the dump no longer contains.
struct MissingObject {
    id: Uuid,
    kind: String,
    external_id: String,
    /// When the last dump that contained it was taken, in µs since 1970 UTC.
    last_seen: Option<i64>,
}

impl MissingObject {
    fn record_removal(&self, rows: &Rows<'_, '_>, open: &Open) -> Result<(), StoreError> {
        let Some(previous_at) = self.last_seen else { return Ok(()) };
        let found = rows.transaction.select("cloud_resourses", &["meta"], &[eq("id", self.id)])?;
        let meta = found.first().and_then(|row| row.first()?.as_text()).unwrap_or_default();
        // `namespace/kind/name`, or `kind/name`.
        let parts: Vec<&str> = self.external_id.splitn(3, '/').collect();
        let (namespace, name) = match parts.as_slice() {
            [namespace, _, name] => (Some(*namespace), *name),
            [_, name] => (None, *name),
            _ => (None, self.external_id.as_str()),
        };
        let subject = Subject { resource: self.id, kind: &self.kind, namespace, name, previous_at };
        rows.removed(open, &subject, meta)
    }
}
