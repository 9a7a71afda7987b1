//! Two clusters of the sample, in the form of `kubectl get -o json`.

use super::before;
use serde_json::{Value, json};

/// A workload: namespace, kind, name, replicas, CPU and memory requests of a pod, and its limits; an empty text means not set.
pub struct Workload(
    &'static str,
    &'static str,
    &'static str,
    usize,
    (&'static str, &'static str),
    (&'static str, &'static str),
);

pub struct Cluster {
    pub name: &'static str,
    label: &'static str,
    /// Machine type, CPU, memory.
    machine: (&'static str, &'static str, &'static str),
    region: &'static str,
    nodes: &'static [&'static str],
    /// The prefix of the provider's id of a node.
    provider: &'static str,
    /// The index of its account in the bill, and the daily cost of a node there, in cents.
    pub bill: (usize, i64),
    pub workloads: &'static [Workload],
}

pub const SHOP: Cluster = Cluster {
    name: "shop",
    label: "alpha.eksctl.io/cluster-name",
    machine: ("m5.xlarge", "4", "16Gi"),
    region: "us-east-1",
    nodes: &["ip-10-0-1-12", "ip-10-0-2-44", "ip-10-0-3-17"],
    provider: "aws:///us-east-1a/i-sample-",
    bill: (0, 312),
    workloads: &[
        Workload("web", "Deployment", "storefront", 4, ("250m", "256Mi"), ("1", "512Mi")),
        Workload("web", "Deployment", "search", 2, ("500m", "1Gi"), ("2", "2Gi")),
        Workload("payments", "Deployment", "checkout", 3, ("200m", "256Mi"), ("500m", "256Mi")),
        Workload("payments", "Deployment", "ledger", 2, ("300m", "512Mi"), ("", "")),
        Workload("payments", "StatefulSet", "postgres", 2, ("1", "4Gi"), ("2", "4Gi")),
        Workload("monitoring", "DaemonSet", "node-exporter", 3, ("50m", "64Mi"), ("100m", "128Mi")),
        Workload("monitoring", "Deployment", "prometheus", 1, ("500m", "2Gi"), ("", "4Gi")),
    ],
};

pub const ANALYTICS: Cluster = Cluster {
    name: "analytics",
    label: "cluster.x-k8s.io/cluster-name",
    machine: ("e2-standard-8", "8", "32Gi"),
    region: "us-central1",
    nodes: &["pool-a-7f31", "pool-a-9c02"],
    provider: "gce://sample-analytics/us-central1-a/",
    bill: (3, 450),
    workloads: &[
        Workload("warehouse", "StatefulSet", "clickhouse", 2, ("4", "16Gi"), ("6", "20Gi")),
        Workload("jobs", "Deployment", "scheduler", 1, ("200m", "512Mi"), ("1", "1Gi")),
        Workload("jobs", "Deployment", "workers", 3, ("1", "2Gi"), ("", "")),
        Workload("notebooks", "Deployment", "notebook-hub", 1, ("500m", "1Gi"), ("1", "2Gi")),
    ],
};

/// A pod of `payments/checkout` that crashes repeatedly.
const CRASHING: &str = "checkout-5c9d8f7b6-x2x4p";

/// The cluster of the shop a day earlier, before the new version.
pub fn shop_before(now: i64) -> String {
    let mut objects = SHOP.objects(now);
    objects.retain(|object| {
        object["metadata"]["name"] != CRASHING && object["metadata"]["name"] != "checkout-5c9d8f7b6-2"
    });
    for object in &mut objects {
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        match object["kind"].as_str() {
            Some("Node") => {
                object["status"]["conditions"][0]["lastHeartbeatTime"] = before(now, 1_440).into();
            }
            Some("Deployment") if name == "checkout" => {
                object["status"]["readyReplicas"] = 3.into();
                let container = &mut object["spec"]["template"]["spec"]["containers"][0];
                container["image"] = "registry.example/shop/checkout:2.13.2".into();
                container["resources"]["limits"]["memory"] = "512Mi".into();
            }
            Some("Deployment") if name == "storefront" => object["spec"]["replicas"] = 3.into(),
            _ => {}
        }
    }
    list(&objects)
}

/// The cluster of the shop, where a new version of one service crashes repeatedly.
pub fn shop(now: i64) -> String {
    let mut objects = SHOP.objects(now);
    let events = [
        ("Pod", CRASHING, "BackOff", "Back-off restarting failed container checkout", 190),
        ("Deployment", "checkout", "ScalingReplicaSet", "Scaled up replica set checkout-5c9d8f7b6 to 3", 200),
        ("Pod", "ledger-0", "FailedScheduling", "0/3 nodes are available: 3 Insufficient memory", 420),
    ];
    objects.extend(events.map(|(kind, subject, reason, message, minutes)| {
        let is_warning = reason != "ScalingReplicaSet";
        json!({
            "apiVersion": "v1", "kind": "Event",
            "metadata": { "name": format!("{subject}.{reason}"), "namespace": "payments", "uid": format!("sample-event-{reason}") },
            "involvedObject": { "kind": kind, "namespace": "payments", "name": subject },
            "reason": reason, "message": message, "type": if is_warning { "Warning" } else { "Normal" },
            "count": if is_warning { 40 } else { 1 },
            "firstTimestamp": before(now, minutes), "lastTimestamp": before(now, 5),
            "source": { "component": "sample" },
        })
    }));
    list(&objects)
}

/// The cluster of the analysts.
pub fn analytics(now: i64) -> String {
    list(&ANALYTICS.objects(now))
}

fn list(objects: &[Value]) -> String {
    json!({ "apiVersion": "v1", "kind": "List", "items": objects }).to_string()
}

impl Workload {
    /// Namespace, kind and name.
    pub fn names(&self) -> (&'static str, &'static str, &'static str) {
        (self.0, self.1, self.2)
    }

    /// The total requests of its pods: millicores, MiB of memory.
    pub fn requested(&self) -> (i64, i64) {
        let pods = i64::try_from(self.3).expect("a few pods");
        (pods * thousandths(self.4.0), pods * mebibytes(self.4.1))
    }
}

/// A CPU quantity in millicores.
fn thousandths(quantity: &str) -> i64 {
    let (number, factor) = quantity.strip_suffix('m').map_or((quantity, 1_000), |number| (number, 1));
    number.parse::<i64>().expect("a whole number") * factor
}

/// A memory quantity in MiB.
fn mebibytes(quantity: &str) -> i64 {
    let (number, factor) = match quantity.strip_suffix("Gi") {
        Some(number) => (number, 1_024),
        None => (quantity.trim_end_matches("Mi"), 1),
    };
    number.parse::<i64>().expect("a whole number") * factor
}

impl Cluster {
    /// The total capacity of its nodes: millicores, MiB of memory.
    pub fn capacity(&self) -> (i64, i64) {
        let nodes = i64::try_from(self.nodes.len()).expect("a few nodes");
        (nodes * thousandths(self.machine.1), nodes * mebibytes(self.machine.2))
    }

    /// The names of its nodes in the provider's bill.
    pub fn machines(&self) -> impl Iterator<Item = String> + '_ {
        let before = self.provider.rsplit('/').next().unwrap_or_default();
        self.nodes.iter().map(move |name| format!("{before}{name}"))
    }

    fn objects(&self, now: i64) -> Vec<Value> {
        let created = before(now, 200 * 1_440);
        let mut namespaces: Vec<&str> = self.workloads.iter().map(|workload| workload.0).collect();
        namespaces.dedup();
        namespaces.push("kube-system");
        let mut objects: Vec<Value> = namespaces
            .iter()
            .map(|name| {
                let uid = format!("sample-{}-{name}", self.name);
                json!({ "apiVersion": "v1", "kind": "Namespace",
                    "metadata": { "name": name, "uid": uid, "creationTimestamp": created }, "status": { "phase": "Active" } })
            })
            .collect();
        objects.extend(self.nodes.iter().map(|name| self.node(name, now)));
        for workload in self.workloads {
            objects.push(self.workload(workload, now));
            objects.extend((0..workload.3).map(|place| self.pod(workload, place, now)));
        }
        objects
    }

    fn node(&self, name: &str, now: i64) -> Value {
        let (machine, cpu, memory) = self.machine;
        json!({
            "apiVersion": "v1", "kind": "Node",
            "metadata": {
                "name": name, "uid": format!("sample-{}-{name}", self.name), "creationTimestamp": before(now, 90 * 1_440),
                "labels": {
                    self.label: self.name, "node.kubernetes.io/instance-type": machine,
                    "topology.kubernetes.io/region": self.region, "topology.kubernetes.io/zone": format!("{}a", self.region),
                },
            },
            "spec": { "providerID": format!("{}{name}", self.provider) },
            "status": {
                "capacity": { "cpu": cpu, "memory": memory, "pods": "58" },
                "allocatable": { "cpu": cpu, "memory": memory, "pods": "58" },
                "conditions": [{ "type": "Ready", "status": "True", "lastHeartbeatTime": before(now, 1) }],
                "nodeInfo": { "kubeletVersion": "v1.30.4", "osImage": "Linux", "architecture": "amd64" },
            },
        })
    }

    fn workload(&self, workload: &Workload, now: i64) -> Value {
        let Workload(namespace, kind, name, replicas, requests, limits) = workload;
        let ready = if *name == "checkout" { 1 } else { *replicas };
        json!({
            "apiVersion": "apps/v1", "kind": kind,
            "metadata": { "name": name, "namespace": namespace, "uid": format!("sample-{}-{name}", self.name),
                "creationTimestamp": before(now, 120 * 1_440), "labels": { "app": name } },
            "spec": { "replicas": replicas, "template": { "spec": { "containers": [
                { "name": name, "image": image(name), "resources": resources(*requests, *limits) }] } } },
            "status": { "replicas": replicas, "readyReplicas": ready, "desiredNumberScheduled": replicas, "numberReady": ready },
        })
    }

    fn pod(&self, workload: &Workload, place: usize, now: i64) -> Value {
        let Workload(namespace, kind, name, _, requests, limits) = workload;
        let is_crashing = *name == "checkout" && place > 0;
        let pod = match (*kind, place) {
            ("Deployment", 1) if is_crashing => CRASHING.to_owned(),
            ("Deployment", _) => format!("{name}-5c9d8f7b6-{place}"),
            _ => format!("{name}-{place}"),
        };
        let (owner, owner_name) = match *kind {
            "Deployment" => ("ReplicaSet", format!("{name}-5c9d8f7b6")),
            kind => (kind, (*name).to_owned()),
        };
        let state = if is_crashing {
            json!({ "waiting": { "reason": "CrashLoopBackOff" } })
        } else {
            json!({ "running": { "startedAt": before(now, 3_000) } })
        };
        json!({
            "apiVersion": "v1", "kind": "Pod",
            "metadata": { "name": pod, "namespace": namespace, "uid": format!("sample-{}-{pod}", self.name),
                "creationTimestamp": before(now, if is_crashing { 195 } else { 3_000 }),
                "labels": { "app": name, "pod-template-hash": "5c9d8f7b6" },
                "ownerReferences": [{ "kind": owner, "name": owner_name, "controller": true }] },
            "spec": { "nodeName": self.nodes[place % self.nodes.len()], "containers": [
                { "name": name, "image": image(name), "resources": resources(*requests, *limits) }] },
            "status": { "phase": "Running", "containerStatuses": [
                { "name": name, "ready": !is_crashing, "restartCount": if is_crashing { 41 } else { 0 }, "state": state }] },
        })
    }
}

fn image(name: &str) -> String {
    let version = if name == "checkout" { "2.14.0" } else { "1.8.2" };
    format!("registry.example/shop/{name}:{version}")
}

fn resources((cpu, memory): (&str, &str), (most_cpu, most_memory): (&str, &str)) -> Value {
    let of = |pairs: [(&str, &str); 2]| -> Value {
        let set = pairs.into_iter().filter(|(_, value)| !value.is_empty());
        set.map(|(name, value)| (name.to_owned(), Value::from(value)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    json!({ "requests": of([("cpu", cpu), ("memory", memory)]), "limits": of([("cpu", most_cpu), ("memory", most_memory)]) })
}
