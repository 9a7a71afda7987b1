//! Compares the requests of workloads' containers with their usage.

use super::subject::{MIB, Subject, Words, counted, cpu, mebibytes, memory, whole_mebibytes};
use crate::savings::cluster::{Cluster, Container, Measurements, Pod, Workload};
use crate::savings::finding::{Figure, Finding, Severity};
use crate::savings::in_cluster::{Requests, SetResources};
use crate::savings::rule::Rule;

/// One hour in µs.
const HOUR: i64 = 3_600_000_000;
/// The lowest recommended CPU request, in thousandths of a core, and memory request, in MiB.
const LEAST_CPU: i64 = 10;
const LEAST_MEMORY: i64 = 100;

/// One container of a workload, over all its pods. If pods are only measured as a whole, all containers together.
pub struct Use<'c> {
    pub container: Option<&'c str>,
    pub cpu_request: Option<i64>,
    pub memory_request: Option<i64>,
    /// The 95th percentile by nearest rank.
    pub cpu: i64,
    /// The maximum.
    pub memory: i64,
    /// The number of CPU or memory measurements, whichever is smaller.
    pub points: usize,
    pub hours: i64,
    pub was_out_of_memory: bool,
}

impl Use<'_> {
    /// The CPU to request: the 95th percentile.
    pub fn wanted_cpu(&self) -> i64 {
        self.cpu.max(LEAST_CPU)
    }

    /// The memory to request, in whole MiB: the maximum plus 15%, or plus 25% if a container was killed for lack of memory.
    pub fn wanted_memory(&self) -> i64 {
        let part = if self.was_out_of_memory { 125 } else { 115 };
        whole_mebibytes(self.memory.saturating_mul(part) / 100).max(LEAST_MEMORY)
    }

    fn name(&self) -> &str {
        self.container.unwrap_or("all containers")
    }

    fn figures(&self) -> Vec<Figure> {
        let name = self.name();
        let mut figures = Vec::new();
        figures.extend(self.cpu_request.map(|milli| cpu(format!("{name}: CPU requested"), milli)));
        figures.push(cpu(format!("{name}: CPU used, 95th percentile"), self.cpu));
        figures.extend(self.memory_request.map(|bytes| memory(format!("{name}: memory requested"), bytes)));
        figures.push(memory(format!("{name}: memory used at most"), self.memory));
        let points = i64::try_from(self.points).unwrap_or(i64::MAX);
        figures.push(Figure::whole(format!("{name}: measurements"), points, ""));
        figures.push(Figure::whole(format!("{name}: measured over"), self.hours, "hours"));
        figures
    }
}

/// The recommended requests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Change {
    /// Thousandths of a core.
    pub cpu: Option<i64>,
    /// MiB.
    pub memory: Option<i64>,
}

/// The severity by the difference between current and recommended request: 500, 250 or 100 thousandths of a core, or as many MiB.
fn severity(of: &Use<'_>, change: Change) -> Severity {
    let far = |wanted: Option<i64>, request: Option<i64>| {
        wanted.zip(request).map_or(0, |(wanted, request)| (wanted - request).abs())
    };
    let memory = of.memory_request.map(|bytes| bytes / MIB);
    match far(change.cpu, of.cpu_request).max(far(change.memory, memory)) {
        500.. => Severity::High,
        250.. => Severity::Medium,
        _ => Severity::Low,
    }
}

/// Workloads with the measured usage of their containers. Excludes workloads that a HorizontalPodAutoscaler scales by their requests.
pub fn of_workloads(cluster: &Cluster) -> Vec<(&Workload, Vec<Use<'_>>)> {
    let workloads = cluster.workloads.iter().filter(|workload| !cluster.scaled.contains(&workload.owner));
    workloads
        .map(|workload| {
            let is_one = |pod: &&Pod| pod.owner.as_ref() == Some(&workload.owner);
            let pods: Vec<&Pod> = cluster.pods.iter().filter(is_one).collect();
            (workload, of_pods(cluster, workload, &pods))
        })
        .filter(|(_, uses)| !uses.is_empty())
        .collect()
}

/// Workloads with the containers whose requests should change.
pub fn changes(
    cluster: &Cluster,
    judge: impl Fn(&Use<'_>) -> Change,
) -> Vec<(&Workload, Vec<(Use<'_>, Change)>)> {
    let mut found = Vec::new();
    for (workload, uses) in of_workloads(cluster) {
        let judged = uses.into_iter().map(|of| {
            let change = judge(&of);
            (of, change)
        });
        let changes: Vec<_> = judged.filter(|(_, change)| *change != Change::default()).collect();
        if !changes.is_empty() {
            found.push((workload, changes));
        }
    }
    found
}

fn of_pods<'c>(cluster: &'c Cluster, workload: &'c Workload, pods: &[&'c Pod]) -> Vec<Use<'c>> {
    let containers: Vec<&Container> =
        workload.containers.iter().filter(|container| !container.is_init).collect();
    let was_out_of_memory = pods.iter().any(|pod| pod.last_end.as_deref() == Some("OOMKilled"));
    let measured = |name: &str| {
        let mut all = Measurements::default();
        for pod in pods {
            let key = (pod.namespace.clone(), pod.name.clone());
            if let Some(found) = cluster.measured.get(&key).and_then(|of_pod| of_pod.get(name)) {
                all.join(found);
            }
        }
        all
    };
    let one = |container: Option<&'c str>, of: &[&Container], all: Measurements| {
        let points = all.cpu.len().min(all.memory.len());
        Some(Use {
            container,
            cpu_request: total(of, |container| container.cpu_request),
            memory_request: total(of, |container| container.memory_request),
            memory: all.memory.iter().copied().max()?,
            cpu: percentile(all.cpu)?,
            points,
            hours: (all.last - all.first) / HOUR,
            was_out_of_memory,
        })
    };
    let each =
        |container: &&'c Container| one(Some(&container.name), &[container], measured(&container.name));
    let uses: Vec<Use<'c>> = containers.iter().filter_map(each).collect();
    if !uses.is_empty() || containers.is_empty() {
        return uses;
    }
    let only = containers.first().filter(|_| containers.len() == 1).map(|only| only.name.as_str());
    one(only, &containers, measured("")).into_iter().collect()
}

/// The sum of their requests; `None` if one has none.
fn total(of: &[&Container], request: impl Fn(&Container) -> Option<i64>) -> Option<i64> {
    of.iter().map(|container| request(container)).sum()
}

/// The 95th percentile by nearest rank.
fn percentile(mut values: Vec<i64>) -> Option<i64> {
    values.sort_unstable();
    let rank = (values.len() * 95).div_ceil(100);
    values.get(rank.checked_sub(1)?).copied()
}

/// A finding about the containers of a workload whose requests should change.
pub fn finding(
    cluster: &Cluster,
    rule: &'static Rule,
    (workload, uses): (&Workload, &[(Use<'_>, Change)]),
    (title, why): (String, String),
) -> Finding {
    let words = Words {
        title,
        why,
        severity: uses.iter().map(|(of, change)| severity(of, *change)).max().unwrap_or(Severity::Low),
        figures: uses.iter().flat_map(|(of, _)| of.figures()).collect(),
        members: uses.iter().map(|(of, change)| member(of, *change)).collect(),
    };
    let mut finding = Subject::of(workload.resource, &workload.owner).finding(cluster, rule, words);
    if let ([(of, change)], Some(place)) = (uses, finding.cluster.as_mut()) {
        place.resources = of.container.map(|container| SetResources {
            kind: workload.owner.kind.clone(),
            workload: workload.owner.name.clone(),
            container: container.to_owned(),
            current: requests(
                of.cpu_request.filter(|_| change.cpu.is_some()),
                of.memory_request.filter(|_| change.memory.is_some()).map(whole_mebibytes),
            ),
            recommended: requests(change.cpu, change.memory),
        });
    }
    finding
}

/// As Kubernetes quantities.
fn requests(milli: Option<i64>, mebibytes: Option<i64>) -> Requests {
    let cpu = milli.map(|milli| ("cpu", format!("{milli}m")));
    let memory = mebibytes.map(|mebibytes| ("memory", format!("{mebibytes}Mi")));
    Requests { requests: cpu.into_iter().chain(memory).collect() }
}

fn member(of: &Use<'_>, change: Change) -> String {
    let mut parts = Vec::new();
    if let (Some(wanted), Some(request)) = (change.cpu, of.cpu_request) {
        parts.push(format!("request {wanted}m of CPU instead of {request}m"));
    }
    if let (Some(wanted), Some(request)) = (change.memory, of.memory_request) {
        parts.push(format!("request {wanted} MiB of memory instead of {} MiB", mebibytes(request)));
    }
    format!("{}: {}", of.name(), parts.join(", "))
}

/// "3 containers of web".
pub fn told(uses: usize, workload: &Workload) -> String {
    format!("{} of {}", counted(uses, "container"), workload.owner.name)
}
