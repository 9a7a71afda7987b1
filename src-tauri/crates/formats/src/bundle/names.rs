//! Classifies the files of a support bundle by name: troubleshoot writes the same names in every bundle.

/// The content type of a file in a bundle.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Objects of the cluster. `kind` applies to a list that does not state it; `is_whole`: the file lists all objects of the kind.
    Objects { kind: Option<&'static str>, namespace: Option<String>, is_whole: bool },
    /// Objects in YAML, as OpenShift's must-gather and some collectors write them.
    Yaml,
    /// Log of a container.
    Log { namespace: Option<String>, pod: String, container: Option<String>, is_previous: bool },
    /// Results of troubleshoot's analyzers.
    Analysis,
    /// The version of the cluster.
    Version,
    /// Output of a host collector.
    Host,
    /// A file that is not read.
    Other,
}

/// Folders and files of `cluster-resources`, and the kind of their objects.
const KINDS: [(&str, &str); 19] = [
    ("nodes", "Node"),
    ("namespaces", "Namespace"),
    ("pods", "Pod"),
    ("deployments", "Deployment"),
    ("statefulsets", "StatefulSet"),
    ("daemonsets", "DaemonSet"),
    ("replicasets", "ReplicaSet"),
    ("jobs", "Job"),
    ("cronjobs", "CronJob"),
    ("events", "Event"),
    ("services", "Service"),
    ("ingress", "Ingress"),
    ("pvcs", "PersistentVolumeClaim"),
    ("pvs", "PersistentVolume"),
    ("storage-classes", "StorageClass"),
    ("configmaps", "ConfigMap"),
    ("network-policy", "NetworkPolicy"),
    ("resource-quotas", "ResourceQuota"),
    ("limitranges", "LimitRange"),
];
/// Files of `cluster-resources` that contain no objects, or objects without relevance to costs or operation.
const NO_OBJECTS: [&str; 8] = [
    "resources",
    "groups",
    "auth-cani-list",
    "image-pull-secrets",
    "clusterroles",
    "clusterRoleBindings",
    "roles",
    "rolebindings",
];

/// The content type of a file, by its name in the bundle.
pub fn part(name: &str) -> Part {
    let parts: Vec<&str> = name.split('/').collect();
    if let Some(part) = of_must_gather(&parts) {
        return part;
    }
    if let Some(place) = parts.iter().position(|part| *part == "cluster-resources") {
        return of_cluster(&parts[place + 1..]);
    }
    let file = parts.last().copied().unwrap_or_default();
    match file {
        "analysis.json" => return Part::Analysis,
        "cluster_version.json" => return Part::Version,
        _ => {}
    }
    if parts.contains(&"host-collectors") {
        return Part::Host;
    }
    // `<collector>/<namespace>/<pod>/<container>.log`, `<collector>/<pod>/<container>.log`; the bundle's folder may precede it.
    match (file.strip_suffix(".log"), parts.as_slice()) {
        (Some(stem), [.., pod, _]) if parts.len() >= 3 => log(None, pod, stem),
        _ => Part::Other,
    }
}

fn of_cluster(parts: &[&str]) -> Part {
    let Some((file, folders)) = parts.split_last() else { return Part::Other };
    if let ["pods", "logs", namespace, pod] = folders
        && let Some(stem) = file.strip_suffix(".log")
    {
        return log(Some(namespace), pod, stem);
    }
    if file.strip_suffix(".yaml").is_some() && folders.first() == Some(&"custom-resources") {
        return Part::Yaml;
    }
    let Some(stem) = file.strip_suffix(".json") else { return Part::Other };
    let folder = folders.first().copied().unwrap_or(stem);
    if stem.ends_with("-errors") || NO_OBJECTS.contains(&folder) {
        return Part::Other;
    }
    let kind = KINDS.iter().find(|(name, _)| *name == folder).map(|(_, kind)| *kind);
    let namespace = (folders.len() == 1 && folder != "custom-resources").then(|| stem.to_owned());
    Part::Objects { kind, is_whole: kind.is_some() && folders.len() <= 1, namespace }
}

/// `cluster-scoped-resources/….yaml`, `namespaces/<namespace>/…/….yaml` and
/// `namespaces/<namespace>/pods/<pod>/<container>/<container>/logs/current.log`.
fn of_must_gather(parts: &[&str]) -> Option<Part> {
    let is_yaml = parts.last()?.strip_suffix(".yaml").is_some();
    let scope = parts.iter().position(|part| matches!(*part, "cluster-scoped-resources" | "namespaces"))?;
    if parts[..scope].contains(&"cluster-resources") {
        return None;
    }
    match &parts[scope..] {
        ["namespaces", namespace, "pods", pod, container, _, "logs", file] => {
            let is_previous = file.starts_with("previous");
            (is_previous || *file == "current.log").then(|| Part::Log {
                namespace: Some((*namespace).to_owned()),
                pod: (*pod).to_owned(),
                container: Some((*container).to_owned()),
                is_previous,
            })
        }
        // The list of the pod's namespace contains it too.
        ["namespaces", _, "pods", ..] => None,
        [_, _, _, ..] if is_yaml => Some(Part::Yaml),
        _ => None,
    }
}

fn log(namespace: Option<&str>, pod: &str, stem: &str) -> Part {
    let (container, is_previous) = match stem.strip_suffix("-previous") {
        Some(container) => (container, true),
        None => (stem, false),
    };
    Part::Log {
        namespace: namespace.map(str::to_owned),
        pod: pod.to_owned(),
        container: Some(container.to_owned()),
        is_previous,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_told_by_their_names() {
        let objects = |name: &str| match part(name) {
            Part::Objects { kind, namespace, is_whole } => (kind, namespace, is_whole),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(objects("support-bundle-2026/cluster-resources/nodes.json"), (Some("Node"), None, true));
        assert_eq!(
            objects("b/cluster-resources/pods/shop.json"),
            (Some("Pod"), Some("shop".to_owned()), true)
        );
        assert_eq!(objects("cluster-resources/custom-resources/a.b/shop.json"), (None, None, false));
        assert_eq!(part("b/cluster-resources/pods-errors.json"), Part::Other);
        assert_eq!(part("b/cluster-resources/resources.json"), Part::Other);
        assert_eq!(part("b/analysis.json"), Part::Analysis);
        assert_eq!(part("b/host-collectors/system/cpu.json"), Part::Host);
        assert_eq!(part("must-gather/quay/cluster-scoped-resources/core/nodes/n1.yaml"), Part::Yaml);
        assert_eq!(part("must-gather/quay/namespaces/shop/core/pods.yaml"), Part::Yaml);
        assert_eq!(part("b/cluster-resources/custom-resources/a.b/shop.yaml"), Part::Yaml);
        let log = |namespace: Option<&str>, is_previous| Part::Log {
            namespace: namespace.map(str::to_owned),
            pod: "web-1".to_owned(),
            container: Some("web".to_owned()),
            is_previous,
        };
        assert_eq!(
            part("b/cluster-resources/pods/logs/shop/web-1/web-previous.log"),
            log(Some("shop"), true)
        );
        assert_eq!(
            part("quay/namespaces/shop/pods/web-1/web/web/logs/previous.log"),
            log(Some("shop"), true)
        );
        assert_eq!(part("b/app-logs/web-1/web.log"), log(None, false));
        assert_eq!(part("b/app-logs/shop/web-1/web.log"), log(None, false));
    }
}
