//! The resources of charges and recommendations.

use super::{Job, Journal};
use crate::ids;
use crate::limit::RESOURCES_REMEMBERED;
use catalogue::{Value, ValueRef};
use std::collections::HashMap;
use std::rc::Rc;
use store::{Inserter, StoreError, Transaction, eq};
use uuid::Uuid;

const TABLE: &str = "cloud_resourses";
/// Columns of a new resource.
const COLUMNS: [&str; 16] = [
    "id",
    "account",
    "cloud_provider",
    "external_resource_id",
    "resourse_id",
    "arn",
    "name",
    "type",
    "region",
    "service_name",
    "tags",
    "meta",
    "first_seen",
    "last_seen",
    "is_active",
    "status",
];
const SEEN: [&str; 3] = ["id", "first_seen", "last_seen"];
/// Columns that an import changes in an existing resource.
const CHANGED: [&str; 8] =
    ["name", "type", "region", "service_name", "tags", "first_seen", "last_seen", "updated_at"];

/// A resource as described by a row of a file.
#[derive(Debug, Clone, Copy)]
pub struct Resource<'r> {
    pub account: Uuid,
    /// The provider's lookup value.
    pub provider: &'static str,
    /// The provider's identifier: an ARN, a path or a name.
    pub external_id: &'r str,
    pub name: Option<&'r str>,
    /// The type of resource, in the provider's spelling.
    pub kind: Option<&'r str>,
    /// `None` when the resource has no region.
    pub region: Option<&'r str>,
    pub service_name: Option<&'r str>,
    /// JSON.
    pub tags: Option<&'r str>,
    /// JSON; only written for a new resource.
    pub meta: Option<&'r str>,
    /// µs since 1970 UTC: the start of the charge; `None` when the row does not show that the resource existed at a certain time.
    pub seen: Option<i64>,
}

/// Finds or adds resources, and records when each was first and last seen. The first row of a file with a later time than known updates
/// the description of an existing resource.
pub struct Resources<'a> {
    transaction: &'a Transaction<'a>,
    inserter: Inserter<'a>,
    job: Job,
    journal: Rc<Journal<'a>>,
    known: HashMap<String, KnownResource>,
    key: String,
    /// The number of added resources.
    pub added: u64,
}

struct KnownResource {
    id: Uuid,
    seen: Option<(i64, i64)>,
    is_changed: bool,
    /// The journal contains it: as added by this import, or with its earlier values.
    is_in_journal: bool,
}

impl<'a> Resources<'a> {
    pub fn new(
        transaction: &'a Transaction<'a>,
        job: Job,
        journal: Rc<Journal<'a>>,
    ) -> Result<Self, StoreError> {
        let inserter = transaction.inserter(TABLE, &COLUMNS)?;
        Ok(Self { transaction, inserter, job, journal, known: HashMap::new(), key: String::new(), added: 0 })
    }

    pub fn find_or_add(&mut self, resource: Resource<'_>) -> Result<Uuid, StoreError> {
        let mut buffer = Uuid::encode_buffer();
        self.key.clear();
        self.key.push_str(resource.account.simple().encode_lower(&mut buffer));
        self.key.push_str(resource.external_id);
        if let Some(known) = self.known.get_mut(&self.key) {
            known.extend_seen(resource.seen);
            return Ok(known.id);
        }
        if self.known.len() >= RESOURCES_REMEMBERED {
            self.flush()?;
            self.known.clear();
        }
        let known = self.find_stored_or_add(resource)?;
        let id = known.id;
        self.known.insert(self.key.clone(), known);
        Ok(id)
    }

    /// Writes the times at which resources were seen.
    pub fn flush(&mut self) -> Result<(), StoreError> {
        for known in self.known.values_mut().filter(|known| known.is_changed) {
            let Some((first, last)) = known.seen else { continue };
            known.is_changed = false;
            if !known.is_in_journal {
                self.journal.updates(TABLE, known.id, &CHANGED)?;
                known.is_in_journal = true;
            }
            let set = [("first_seen", ValueRef::Timestamp(first)), ("last_seen", ValueRef::Timestamp(last))];
            self.transaction.update(TABLE, &[eq("id", known.id)], &set)?;
        }
        Ok(())
    }

    fn find_stored_or_add(&mut self, resource: Resource<'_>) -> Result<KnownResource, StoreError> {
        let same = [eq("account", resource.account), eq("external_resource_id", resource.external_id)];
        let found = self.transaction.select(TABLE, &SEEN, &same)?.into_iter().next();
        let Some([Value::Uuid(id), first, last]) = found.as_deref() else { return self.add(resource) };
        let before = first.as_int().zip(last.as_int());
        let mut known = KnownResource { id: *id, seen: before, is_changed: false, is_in_journal: false };
        known.extend_seen(resource.seen);
        let is_news = resource.seen.is_some_and(|seen| before.is_none_or(|(_, last)| seen > last));
        if is_news {
            self.journal.updates(TABLE, *id, &CHANGED)?;
            known.is_in_journal = true;
            self.describe(*id, resource)?;
        }
        Ok(known)
    }

    fn add(&mut self, resource: Resource<'_>) -> Result<KnownResource, StoreError> {
        self.added += 1;
        let account = resource.account.to_string();
        let id = ids::derived(self.job.tenant, "resource", &[&account, resource.external_id]);
        let seen = resource.seen.map_or(ValueRef::Null, ValueRef::Timestamp);
        self.journal.inserted(TABLE, Value::Uuid(id))?;
        // In the order of `COLUMNS`.
        self.inserter.insert(&[
            id.into(),
            resource.account.into(),
            resource.provider.into(),
            resource.external_id.into(),
            resource.external_id.into(),
            arn(resource.external_id).into(),
            resource.name.unwrap_or(resource.external_id).into(),
            resource.kind.into(),
            region(resource).into(),
            resource.service_name.into(),
            resource.tags.map_or(ValueRef::Null, ValueRef::Json),
            resource.meta.map_or(ValueRef::Null, ValueRef::Json),
            seen,
            seen,
            true.into(),
            "Active".into(),
        ])?;
        Ok(KnownResource {
            id,
            seen: resource.seen.map(|seen| (seen, seen)),
            is_changed: false,
            is_in_journal: true,
        })
    }

    /// Updates the resource with the values of the row; missing values remain unchanged.
    fn describe(&self, id: Uuid, resource: Resource<'_>) -> Result<(), StoreError> {
        let values = [
            ("name", resource.name.into()),
            ("type", resource.kind.into()),
            ("region", resource.region.into()),
            ("service_name", resource.service_name.into()),
            ("tags", resource.tags.map_or(ValueRef::Null, ValueRef::Json)),
        ];
        let mut set: Vec<(&str, ValueRef<'_>)> =
            values.into_iter().filter(|(_, value)| *value != ValueRef::Null).collect();
        set.push(("updated_at", ValueRef::Timestamp(self.job.now)));
        self.transaction.update(TABLE, &[eq("id", id)], &set).map(drop)
    }
}

impl KnownResource {
    fn extend_seen(&mut self, seen: Option<i64>) {
        let Some(seen) = seen else { return };
        let wider = match self.seen {
            None => (seen, seen),
            Some((first, last)) => (first.min(seen), last.max(seen)),
        };
        self.is_changed |= self.seen != Some(wider);
        self.seen = Some(wider);
    }
}

/// The table requires a region; FOCUS leaves it empty for resources without one.
fn region(resource: Resource<'_>) -> &str {
    resource.region.unwrap_or("global")
}

fn arn(external_id: &str) -> Option<&str> {
    external_id.starts_with("arn:").then_some(external_id)
}
