//! Writes objects of a cluster as rows.

use super::changes::Subject;
use super::values::{containers, cores, float, mebibytes, mib, put, put_manifest, put_owner, time};
use super::{Open, PROVIDER, SERVICE};
use crate::ids;
use crate::write::{Job, Journal, key_of_namespace};
use ::formats::record::{ClusterObject, Container, Node, Pod, Workload};
use catalogue::{Value, ValueRef};
use serde_json::{Map, Value as Json, json};
use store::{Condition, StoreError, Transaction, eq};
use uuid::Uuid;

const RESOURCES: &str = "cloud_resourses";

/// Writes the rows of a dump.
pub struct Rows<'w, 'a> {
    pub transaction: &'a Transaction<'a>,
    pub job: Job,
    pub journal: &'w Journal<'a>,
}

/// The fields that every object has as a resource.
struct Object<'o> {
    kind: &'o str,
    namespace: Option<&'o str>,
    name: &'o str,
    uid: Option<&'o str>,
    created_at: Option<i64>,
    region: Option<&'o str>,
    labels: Option<String>,
    meta: String,
}

/// Columns of a row with their values.
type RowCells<'v> = Vec<(&'static str, ValueRef<'v>)>;

impl Rows<'_, '_> {
    /// Writes an object; `false` when a newer dump has already described it.
    pub fn write(&self, object: &ClusterObject, open: &mut Open) -> Result<bool, StoreError> {
        match object {
            ClusterObject::Namespace(namespace) => {
                open.listed_namespaces.insert(namespace.name.clone());
                open.namespaces.insert(namespace.name.clone());
                self.namespace(open, &namespace.name, namespace.created_at)
            }
            ClusterObject::Node(node) => self.node(node, open),
            ClusterObject::Workload(workload) => self.workload(workload, open),
            ClusterObject::Pod(pod) => self.pod(pod, open),
            ClusterObject::Other { kind, namespace, name, uid, created_at, manifest } => {
                let labels = manifest.get("metadata").and_then(|metadata| metadata.get("labels"));
                let object = Object {
                    kind,
                    namespace: namespace.as_deref(),
                    name,
                    uid: uid.as_deref(),
                    created_at: *created_at,
                    region: None,
                    labels: labels.map(Json::to_string),
                    meta: json!({"namespace": namespace, "manifest": manifest}).to_string(),
                };
                Ok(self.resource(&object, open)?.is_some())
            }
        }
    }

    fn node(&self, node: &Node, open: &mut Open) -> Result<bool, StoreError> {
        let mut meta = node.meta.clone();
        put(&mut meta, "uid", node.uid.as_deref());
        put(&mut meta, "provider_id", node.provider_id.as_deref());
        let meta_json = Json::Object(meta.clone()).to_string();
        put_manifest(&mut meta, &node.manifest);
        let labels = Json::Object(node.labels.clone()).to_string();
        let object = Object {
            kind: "Node",
            namespace: None,
            name: &node.name,
            uid: node.uid.as_deref(),
            created_at: node.created_at,
            region: node.region.as_deref(),
            labels: Some(labels.clone()),
            meta: Json::Object(meta).to_string(),
        };
        let Some(resource) = self.resource(&object, open)? else { return Ok(false) };
        let set = vec![
            ("conditions", node.conditions.as_str().into()),
            ("cpu_allocatable", float(cores(node.cpu_allocatable))),
            ("cpu_capacity", float(cores(node.cpu_capacity))),
            ("external_ip", node.external_ip.as_deref().into()),
            ("internal_ip", node.internal_ip.as_deref().into()),
            ("is_active", true.into()),
            ("labels", ValueRef::Json(&labels)),
            ("memory_allocatable", mib(node.memory_allocatable).into()),
            ("memory_capacity", mib(node.memory_capacity).into()),
            ("meta", ValueRef::Json(&meta_json)),
            ("name", node.name.as_str().into()),
            ("node_creation_time", time(node.created_at)),
            ("node_flavor", node.instance_type.as_deref().into()),
            ("node_region", node.region.as_deref().into()),
            ("node_type", node.purchase.as_deref().into()),
            ("node_zone", node.zone.as_deref().into()),
            ("taints", node.taints.as_deref().into()),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        self.part("k8s_nodes", open, resource, set)?;
        Ok(true)
    }

    fn workload(&self, workload: &Workload, open: &mut Open) -> Result<bool, StoreError> {
        let mut meta = workload.meta.clone();
        meta.insert("containers".to_owned(), containers(&workload.containers));
        put_owner(&mut meta, workload.owner.as_ref());
        let meta_json = Json::Object(meta.clone()).to_string();
        put(&mut meta, "namespace", Some(&workload.namespace));
        put_manifest(&mut meta, &workload.manifest);
        let labels = Json::Object(workload.labels.clone()).to_string();
        let object = Object {
            kind: &workload.kind,
            namespace: Some(&workload.namespace),
            name: &workload.name,
            uid: workload.uid.as_deref(),
            created_at: workload.created_at,
            region: None,
            labels: Some(labels.clone()),
            meta: Json::Object(meta).to_string(),
        };
        let Some(resource) = self.resource(&object, open)? else { return Ok(false) };
        open.namespaces.insert(workload.namespace.clone());
        // A replica set of a deployment is one of its revisions, not a separate workload.
        if workload.kind == "ReplicaSet" && workload.owner.is_some() {
            return Ok(true);
        }
        let sum = |of: fn(&Container) -> Option<u64>| {
            let stated = workload.containers.iter().filter(|container| !container.is_init).filter_map(of);
            stated.reduce(u64::saturating_add)
        };
        let cpu =
            |of: fn(&Container) -> Option<u64>| sum(of).map_or(ValueRef::Null, |milli| float(cores(milli)));
        let memory = |of: fn(&Container) -> Option<u64>| {
            sum(of).map_or(ValueRef::Null, |bytes| float(mebibytes(bytes)))
        };
        let external_id = object.external_id();
        let set = vec![
            ("creation_time", time(workload.created_at)),
            ("external_id", workload.uid.as_deref().unwrap_or(&external_id).into()),
            ("is_active", true.into()),
            ("kind", workload.kind.as_str().into()),
            ("labels", ValueRef::Json(&labels)),
            ("last_seen", ValueRef::Timestamp(open.taken_at)),
            ("meta", ValueRef::Json(&meta_json)),
            ("name", workload.name.as_str().into()),
            ("namespace", workload.namespace.as_str().into()),
            ("ready_pods", i64::from(workload.ready_pods).into()),
            ("total_pods", i64::from(workload.desired_pods).into()),
            ("status", workload.status.as_deref().into()),
            ("cpu_request", cpu(|container| container.cpu_request)),
            ("cpu_limit", cpu(|container| container.cpu_limit)),
            ("memory_request", memory(|container| container.memory_request)),
            ("memory_limit", memory(|container| container.memory_limit)),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        self.part("k8s_workloads", open, resource, set)?;
        Ok(true)
    }

    fn pod(&self, pod: &Pod, open: &mut Open) -> Result<bool, StoreError> {
        let mut meta = pod.meta.clone();
        meta.insert("containers".to_owned(), containers(&pod.containers));
        put_owner(&mut meta, pod.owner.as_ref());
        let meta_json = Json::Object(meta.clone()).to_string();
        put(&mut meta, "namespace", Some(&pod.namespace));
        put(&mut meta, "status", Some(&pod.status));
        put_manifest(&mut meta, &pod.manifest);
        let labels = Json::Object(pod.labels.clone()).to_string();
        let object = Object {
            kind: "Pod",
            namespace: Some(&pod.namespace),
            name: &pod.name,
            uid: pod.uid.as_deref(),
            created_at: pod.created_at,
            region: None,
            labels: Some(labels.clone()),
            meta: Json::Object(meta).to_string(),
        };
        let Some(resource) = self.resource(&object, open)? else { return Ok(false) };
        open.namespaces.insert(pod.namespace.clone());
        if let Some(node) = pod.node.as_ref() {
            let (cpu, memory) = open.limits.entry(node.clone()).or_default();
            for container in pod.containers.iter().filter(|container| !container.is_init) {
                *cpu = cpu.saturating_add(container.cpu_limit.unwrap_or(0));
                *memory = memory.saturating_add(container.memory_limit.unwrap_or(0));
            }
        }
        let restarts: Map<String, Json> = pod
            .containers
            .iter()
            .filter_map(|container| Some((container.name.clone(), container.restarts?.into())))
            .collect();
        let restarts = Json::Object(restarts).to_string();
        let external_id = object.external_id();
        let set = vec![
            ("creation_time", time(pod.created_at)),
            ("external_id", pod.uid.as_deref().unwrap_or(&external_id).into()),
            ("is_active", true.into()),
            ("labels", ValueRef::Json(&labels)),
            ("last_seen", ValueRef::Timestamp(open.taken_at)),
            ("meta", ValueRef::Json(&meta_json)),
            ("name", pod.name.as_str().into()),
            ("namespace", pod.namespace.as_str().into()),
            ("node_name", pod.node.as_deref().into()),
            ("restart_count", ValueRef::Json(&restarts)),
            ("status", pod.status.as_str().into()),
            ("workload_name", pod.owner.as_ref().map(|owner| owner.name.as_str()).into()),
            ("workload_type", pod.owner.as_ref().map(|owner| owner.kind.as_str()).into()),
            ("updated_at", ValueRef::Timestamp(self.job.now)),
        ];
        self.part("k8s_pods", open, resource, set)?;
        Ok(true)
    }

    /// Finds or adds the resource of an object and updates it; `None` when a newer dump has already described it.
    fn resource(&self, object: &Object<'_>, open: &mut Open) -> Result<Option<Uuid>, StoreError> {
        let external_id = object.external_id();
        let same = [eq("account", open.account), eq("external_resource_id", &external_id)];
        let known = ["id", "last_seen", "service_name", "is_active", "meta"];
        let found = self.transaction.select(RESOURCES, &known, &same)?;
        let mut set: RowCells<'_> = vec![
            ("resourse_id", object.uid.unwrap_or(&external_id).into()),
            ("name", object.name.into()),
            ("type", object.kind.into()),
            ("region", object.region.unwrap_or("global").into()),
            ("service_name", SERVICE.into()),
            ("tags", object.labels.as_deref().map_or(ValueRef::Null, ValueRef::Json)),
            ("meta", ValueRef::Json(&object.meta)),
            ("last_seen", ValueRef::Timestamp(open.taken_at)),
            ("is_active", true.into()),
            ("status", "Active".into()),
            ("resourse_created_on", time(object.created_at)),
        ];
        let Some([id, last_seen, service, is_active, meta]) = found.first().map(Vec::as_slice) else {
            let account = open.account.to_string();
            let id = ids::derived(self.job.tenant, "resource", &[&account, &external_id]);
            self.journal.inserted(RESOURCES, Value::Uuid(id))?;
            set.extend([
                ("id", id.into()),
                ("account", open.account.into()),
                ("cloud_provider", PROVIDER.into()),
                ("external_resource_id", external_id.as_str().into()),
                ("first_seen", ValueRef::Timestamp(open.taken_at)),
            ]);
            self.transaction.insert(RESOURCES, &set)?;
            open.met.insert(id);
            // An object that the previous dump merely omitted is not new.
            let created = object.created_at;
            if let Some(previous_at) =
                open.previous_at.filter(|previous| created.is_some_and(|at| at > *previous))
            {
                self.added(open, &object.subject(id, previous_at), &object.meta)?;
            }
            return Ok(Some(id));
        };
        let Some(id) = id.as_uuid() else { return Ok(None) };
        let is_first = open.met.insert(id);
        // A scanner may have seen it later, but only dumps describe it.
        let is_of_dump = service.as_text() == Some(SERVICE);
        let last_seen = last_seen.as_int();
        if is_of_dump && last_seen.is_some_and(|last| last > open.taken_at) {
            return Ok(None);
        }
        if let Some(previous_at) = last_seen.filter(|_| is_of_dump && is_first) {
            let subject = object.subject(id, previous_at);
            if *is_active == Value::Bool(false) {
                self.added(open, &subject, &object.meta)?;
            } else {
                self.changed(open, &subject, meta.as_text().unwrap_or_default(), &object.meta)?;
            }
        }
        let columns: Vec<&str> = set.iter().map(|(column, _)| *column).chain(["updated_at"]).collect();
        self.journal.updates(RESOURCES, id, &columns)?;
        set.push(("updated_at", ValueRef::Timestamp(self.job.now)));
        self.transaction.update(RESOURCES, &[eq("id", id)], &set)?;
        Ok(Some(id))
    }

    /// Writes the row of a node, workload or pod.
    fn part(
        &self,
        table: &'static str,
        open: &Open,
        resource: Uuid,
        set: RowCells<'_>,
    ) -> Result<(), StoreError> {
        let key = [eq("cloud_account_id", open.account), eq("cloud_resource_id", resource)];
        let identity =
            vec![("cloud_account_id", open.account.into()), ("cloud_resource_id", resource.into())];
        self.put(table, resource, &key, identity, set)
    }

    /// Writes a namespace; `false` when a newer row exists.
    pub fn namespace(&self, open: &Open, name: &str, created_at: Option<i64>) -> Result<bool, StoreError> {
        let account = open.account.to_string();
        let key = [eq("cloud_account_id", &account), eq("name", name)];
        let mut set: RowCells<'_> =
            vec![("is_active", true.into()), ("updated_at", ValueRef::Timestamp(self.job.now))];
        if created_at.is_some() {
            set.push(("creation_time", time(created_at)));
        }
        let identity = vec![("cloud_account_id", account.as_str().into()), ("name", name.into())];
        let id = key_of_namespace(&account, name);
        self.put("k8s_namespaces", id, &key, identity, set)?;
        Ok(true)
    }

    /// Adds namespaces that only other objects reference.
    pub fn namespaces(&self, open: &Open) -> Result<(), StoreError> {
        for name in open.namespaces.difference(&open.listed_namespaces) {
            let account = open.account.to_string();
            let same = [eq("cloud_account_id", &account), eq("name", name)];
            if self.transaction.count("k8s_namespaces", &same)? == 0 {
                self.namespace(open, name, None)?;
            }
        }
        Ok(())
    }

    /// Writes the numbers of workloads and pods of the namespaces in the dump.
    pub fn counts(&self, open: &Open) -> Result<(), StoreError> {
        let account = open.account.to_string();
        for name in &open.namespaces {
            let of = [eq("cloud_account_id", open.account), eq("namespace", name), eq("is_active", true)];
            let count = |table: &str| -> Result<i64, StoreError> {
                Ok(i64::try_from(self.transaction.count(table, &of)?).unwrap_or(i64::MAX))
            };
            let set = vec![
                ("workload_count", count("k8s_workloads")?.into()),
                ("pod_count", count("k8s_pods")?.into()),
            ];
            let key = [eq("cloud_account_id", &account), eq("name", name)];
            self.change("k8s_namespaces", key_of_namespace(&account, name), &key, set)?;
        }
        Ok(())
    }

    /// Writes the sums of pod limits of the nodes, if the dump lists all pods.
    pub fn limits(&self, open: &Open) -> Result<(), StoreError> {
        let is_whole = open
            .cluster
            .complete_listings
            .iter()
            .any(|whole| whole.kind == "Pod" && whole.namespace.is_none());
        if !is_whole {
            return Ok(());
        }
        for (node, (cpu, memory)) in &open.limits {
            let named = [eq("cloud_account_id", open.account), eq("name", node)];
            for row in self.transaction.select("k8s_nodes", &["cloud_resource_id"], &named)? {
                let Some(id) = row.first().and_then(Value::as_uuid) else { continue };
                let set = vec![("cpu_limits", float(cores(*cpu))), ("memory_limits", mib(*memory).into())];
                let key = [eq("cloud_account_id", open.account), eq("cloud_resource_id", id)];
                self.change("k8s_nodes", id, &key, set)?;
            }
        }
        Ok(())
    }

    /// Inserts or updates a row.
    fn put<'v>(
        &self,
        table: &'static str,
        id: Uuid,
        key: &[Condition<'_>],
        identity: RowCells<'v>,
        mut set: RowCells<'v>,
    ) -> Result<(), StoreError> {
        if self.transaction.count(table, key)? > 0 {
            return self.change(table, id, key, set);
        }
        self.journal.inserted(table, Value::Uuid(id))?;
        set.extend(identity);
        self.transaction.insert(table, &set)
    }

    /// Changes columns of a row, and records their earlier values.
    pub fn change(
        &self,
        table: &'static str,
        id: Uuid,
        key: &[Condition<'_>],
        set: RowCells<'_>,
    ) -> Result<(), StoreError> {
        let columns: Vec<&str> = set.iter().map(|(column, _)| *column).collect();
        self.journal.updates_of(table, id, key, &columns)?;
        self.transaction.update(table, key, &set).map(drop)
    }
}

impl Object<'_> {
    fn subject(&self, resource: Uuid, previous_at: i64) -> Subject<'_> {
        Subject { resource, kind: self.kind, namespace: self.namespace, name: self.name, previous_at }
    }

    fn external_id(&self) -> String {
        external_id(self.namespace, self.kind, self.name)
    }
}

/// The id of an object within its cluster.
pub fn external_id(namespace: Option<&str>, kind: &str, name: &str) -> String {
    match namespace {
        Some(namespace) => format!("{namespace}/{kind}/{name}"),
        None => format!("{kind}/{name}"),
    }
}
