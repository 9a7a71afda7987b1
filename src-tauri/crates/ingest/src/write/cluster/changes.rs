//! Records the changes of each object between a dump and the previous one.

use super::Open;
use super::difference::{Difference, difference};
use super::rows::Rows;
use crate::ids;
use catalogue::{Value, ValueRef};
use serde_json::Value as Json;
use store::StoreError;
use uuid::Uuid;

const TABLE: &str = "k8s_changes";
/// Kinds that the cluster updates constantly, or that only mirror other objects.
const IGNORED_KINDS: [&str; 6] =
    ["ComponentStatus", "Endpoints", "EndpointSlice", "Event", "Lease", "PodMetrics"];

/// An object that both dumps may contain.
pub struct Subject<'s> {
    pub resource: Uuid,
    pub kind: &'s str,
    pub namespace: Option<&'s str>,
    pub name: &'s str,
    /// When the older dump was taken, in µs since 1970 UTC.
    pub previous_at: i64,
}

impl Rows<'_, '_> {
    /// Records a new or returned object. `meta` is the column of its resource.
    pub fn added(&self, open: &Open, of: &Subject<'_>, meta: &str) -> Result<(), StoreError> {
        match comparable_manifest(of.kind, meta) {
            Some(_) => self.note(open, of, "Added", &Difference::default()),
            None => Ok(()),
        }
    }

    /// Records an object with changed fields.
    pub fn changed(
        &self,
        open: &Open,
        of: &Subject<'_>,
        before: &str,
        after: &str,
    ) -> Result<(), StoreError> {
        if before == after {
            return Ok(());
        }
        let (Some(before), Some(after)) =
            (comparable_manifest(of.kind, before), comparable_manifest(of.kind, after))
        else {
            return Ok(());
        };
        if is_name_only(&before) != is_name_only(&after) {
            return Ok(());
        }
        let found = difference(&before, &after);
        if found.count == 0 { Ok(()) } else { self.note(open, of, "Changed", &found) }
    }

    /// Records a removed object.
    pub fn removed(&self, open: &Open, of: &Subject<'_>, meta: &str) -> Result<(), StoreError> {
        match comparable_manifest(of.kind, meta) {
            Some(_) => self.note(open, of, "Removed", &Difference::default()),
            None => Ok(()),
        }
    }

    fn note(
        &self,
        open: &Open,
        of: &Subject<'_>,
        change: &str,
        found: &Difference,
    ) -> Result<(), StoreError> {
        // An older dump is not compared, and two files with the same time are one dump.
        if of.previous_at >= open.taken_at {
            return Ok(());
        }
        let parts = [self.job.import.to_string(), of.resource.to_string()];
        let id = ids::derived(self.job.tenant, "k8s_change", &[&parts[0], &parts[1]]);
        let fields = Json::from(found.fields.clone()).to_string();
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        self.transaction.insert(
            TABLE,
            &[
                ("id", id.into()),
                ("cloud_account_id", open.account.into()),
                ("cloud_resource_id", of.resource.into()),
                ("import_id", self.job.import.into()),
                ("change", change.into()),
                ("kind", of.kind.into()),
                ("namespace", of.namespace.into()),
                ("name", of.name.into()),
                ("observed_at", ValueRef::Timestamp(open.taken_at)),
                ("previous_at", ValueRef::Timestamp(of.previous_at)),
                ("fields", ValueRef::Json(&fields)),
                ("field_count", found.count.into()),
            ],
        )
    }
}

/// Whether only the name of an object is stored, because its manifest was too long.
fn is_name_only(manifest: &Json) -> bool {
    let has_only = |of: Option<&Json>, names: &[&str]| {
        of.and_then(Json::as_object)
            .is_none_or(|fields| fields.keys().all(|key| names.contains(&key.as_str())))
    };
    has_only(Some(manifest), &["apiVersion", "kind", "metadata"])
        && has_only(manifest.get("metadata"), &["name", "namespace", "uid", "creationTimestamp"])
}

/// The manifest in the `meta` of a resource; `None` when its changes are not recorded, for example because they follow from its owner.
fn comparable_manifest(kind: &str, meta: &str) -> Option<Json> {
    if IGNORED_KINDS.contains(&kind) {
        return None;
    }
    let mut meta: Json = serde_json::from_str(meta).ok()?;
    let manifest = meta.get_mut("manifest")?.take();
    let owners = manifest.get("metadata").and_then(|metadata| metadata.get("ownerReferences"));
    owners.and_then(Json::as_array).is_none_or(Vec::is_empty).then_some(manifest)
}
