//! Generates clusters from a seed, with planted waste. Independent of the rules.

use super::generator::cents;
use crate::random::Random;
use analysis::savings::{
    Cluster, Container, MachineCost, Measurements, Node, Owner, Period, Pod, Release, Workload,
};
use catalogue::{Decimal, parse_date};
use std::collections::BTreeMap;
use uuid::Uuid;

const MIB: i64 = 1 << 20;
const HOUR: i64 = 3_600_000_000;
/// 2026-11-20T00:00:00Z, µs since 1970.
const SEEN: i64 = 1_795_132_800_000_000;

/// Planted waste: rule and subject, with the monthly money if a bill shows it.
pub type Planted = BTreeMap<(&'static str, String), Option<Decimal>>;

pub struct World {
    pub cluster: Cluster,
    pub planted: Planted,
    pub random: Random,
    next: u128,
}

/// A cluster with four busy nodes without problems, plus one instance of every problem.
pub fn plan(seed: u64) -> World {
    let mut world = healthy(seed);
    // A node with a twentieth of its capacity in use, whose only pod fits elsewhere; the bill contains its machine.
    world.node("idle", "i-idle");
    world.workload("small", 1, (100, 128), &["idle"]);
    world.measured("small", &[100, 100], 128);
    let cost = world.random.whole(2_000, 40_000);
    world.price("idle", cents(cost));
    world.plant("k8s_idle_nodes", "Node/idle", Some(cents(cost)));

    // The request is far above any measured usage.
    let used = i64::try_from(world.random.whole(200, 400)).unwrap();
    world.workload("greedy", 2, (used + 300, 512), &["n-0", "n-1"]);
    world.measured("greedy", &[used; 150], 512 * 100 / 115 - 20);
    world.plant("k8s_requests_above_use", "shop/Deployment/greedy", None);

    world.workload("starving", 1, (200, 200), &["n-2"]);
    world.measured("starving", &[180; 4], 420);
    world.plant("k8s_requests_below_use", "shop/Deployment/starving", None);

    world.workload("unlimited", 1, (100, 128), &["n-3"]);
    world.change("unlimited", |container| container.memory_limit = None);
    world.plant("k8s_no_limits", "shop/Deployment/unlimited", None);

    world.workload("silent", 1, (0, 0), &["n-3"]);
    world.change("silent", |container| (container.cpu_request, container.memory_request) = (None, None));
    world.plant("k8s_no_requests", "shop/Deployment/silent", None);

    world.workload("broken", 1, (100, 128), &["n-2"]);
    world.pod("broken", |pod| "CrashLoopBackOff".clone_into(&mut pod.status));
    world.plant("k8s_failing_pods", "shop/Deployment/broken", None);

    let restarts = i64::try_from(world.random.whole(5, 90)).unwrap();
    world.workload("shaky", 1, (100, 128), &["n-1"]);
    world.pod("shaky", |pod| pod.restarts = BTreeMap::from([("app".to_owned(), restarts)]));
    world.plant("k8s_restarting_pods", "shop/Deployment/shaky", None);

    world.workload("movable", 2, (100, 128), &["n-0", "n-3"]);
    world.release("movable");
    world.plant("k8s_spot_candidates", "shop/Deployment/movable", None);

    world.cluster.version = Some("v1.30.4-eks-1".to_owned());
    world.plant("k8s_version_support", "Kubernetes 1.30", None);
    world
}

/// Four nodes with more than half of their capacity in use, at a supported version.
pub fn healthy(seed: u64) -> World {
    let release = |version: &str, day: &str| Release { version: version.to_owned(), day: day_of(day) };
    let cluster = Cluster {
        account: Uuid::from_u128(0xc1),
        name: "shop".to_owned(),
        version: Some("v1.36.2".to_owned()),
        seen_at: SEEN,
        today: day_of("2026-11-20"),
        releases: vec![
            release("1.30", "2024-04-17"),
            release("1.35", "2025-12-17"),
            release("1.36", "2026-04-22"),
            release("1.37", "2026-08-26"),
        ],
        ..Cluster::default()
    };
    let mut world = World { cluster, planted: Planted::new(), random: Random(seed), next: 0x100 };
    for number in 0..4 {
        let name = format!("n-{number}");
        world.node(&name, &format!("i-{number}"));
        // More than half is requested, and at least a quarter is free.
        let cpu = i64::try_from(world.random.whole(2_100, 2_600)).unwrap();
        world.workload(&format!("base-{number}"), 1, (cpu, 4_096), &[&name]);
        world.measured(&format!("base-{number}"), &[cpu; 200], 4_096 * 100 / 115);
        world.daemon("agent", &name);
    }
    world
}

pub fn day_of(text: &str) -> i32 {
    parse_date(text).unwrap()
}

impl World {
    fn id(&mut self) -> Uuid {
        self.next += 1;
        Uuid::from_u128(self.next)
    }

    pub fn plant(&mut self, rule: &'static str, object: &str, saving: Option<Decimal>) {
        self.planted.insert((rule, object.to_owned()), saving);
    }

    /// 4 cores, 16 GiB, on demand.
    pub fn node(&mut self, name: &str, machine: &str) {
        let node = Node {
            resource: self.id(),
            name: name.to_owned(),
            cpu: 4_000,
            memory: 16_384 * MIB,
            cloud: Some("aws".to_owned()),
            machine: Some(machine.to_owned()),
            has_all_pods: true,
            ..Node::default()
        };
        self.cluster.nodes.push(node);
    }

    /// A deployment with pods on the nodes. It has a volume, and therefore is not a spot candidate.
    pub fn workload(&mut self, name: &str, pods: i64, (cpu, mebibytes): (i64, i64), on: &[&str]) {
        let owner =
            Owner { namespace: "shop".to_owned(), kind: "Deployment".to_owned(), name: name.to_owned() };
        let container = Container {
            name: "app".to_owned(),
            is_init: false,
            cpu_request: Some(cpu),
            memory_request: Some(mebibytes * MIB),
            memory_limit: Some(2 * mebibytes * MIB),
        };
        let resource = self.id();
        self.cluster.workloads.push(Workload {
            resource,
            owner: owner.clone(),
            desired_pods: pods,
            ready_pods: pods,
            containers: vec![container.clone()],
            is_owned: false,
            claims_volume: true,
        });
        for (number, node) in on.iter().enumerate() {
            let resource = self.id();
            self.cluster.pods.push(Pod {
                resource,
                namespace: "shop".to_owned(),
                name: format!("{name}-{number}"),
                status: "Running".to_owned(),
                node: Some((*node).to_owned()),
                owner: Some(owner.clone()),
                containers: vec![container.clone()],
                claims_volume: true,
                ..Pod::default()
            });
        }
    }

    /// A pod of a DaemonSet on a node.
    fn daemon(&mut self, name: &str, node: &str) {
        let resource = self.id();
        let owner = Owner {
            namespace: "kube-system".to_owned(),
            kind: "DaemonSet".to_owned(),
            name: name.to_owned(),
        };
        self.cluster.pods.push(Pod {
            resource,
            namespace: "kube-system".to_owned(),
            name: format!("{name}-{node}"),
            status: "Running".to_owned(),
            node: Some(node.to_owned()),
            owner: Some(owner),
            has_local_storage: true,
            ..Pod::default()
        });
    }

    /// Measurements every 15 minutes: the CPU values, and constant memory in MiB, for the first pod.
    pub fn measured(&mut self, name: &str, cpu: &[i64], mebibytes: i64) {
        let count = i64::try_from(cpu.len()).unwrap();
        let measured = Measurements {
            cpu: cpu.to_vec(),
            memory: vec![mebibytes * MIB; cpu.len()],
            first: SEEN - count * HOUR / 4,
            last: SEEN,
        };
        let key = ("shop".to_owned(), format!("{name}-0"));
        self.cluster.measured.entry(key).or_default().insert("app".to_owned(), measured);
    }

    /// A billed month of a machine.
    pub fn price(&mut self, node: &str, cost: Decimal) {
        let price = MachineCost {
            account: Uuid::from_u128(0xb1),
            resource: Uuid::from_u128(0xb2),
            currency: "USD".to_owned(),
            period: Period { from: day_of("2026-10-01"), to: day_of("2026-10-31") },
            cost,
            last_day: day_of("2026-10-31"),
            usage: vec!["BoxUsage:m7g.xlarge".to_owned()],
            account_cost: Decimal::from(10_000),
        };
        self.cluster.prices.insert(node.to_owned(), price);
    }

    pub fn change(&mut self, name: &str, change: impl Fn(&mut Container)) {
        let workloads = self.cluster.workloads.iter_mut().filter(|one| one.owner.name == name);
        let pods = self.cluster.pods.iter_mut().filter(|pod| pod.name.starts_with(&format!("{name}-")));
        let containers = workloads.flat_map(|one| &mut one.containers);
        containers.chain(pods.flat_map(|pod| &mut pod.containers)).for_each(change);
    }

    pub fn pod(&mut self, name: &str, change: impl FnMut(&mut Pod)) {
        let is_one = |pod: &&mut Pod| pod.name.starts_with(&format!("{name}-"));
        self.cluster.pods.iter_mut().filter(is_one).for_each(change);
    }

    /// Removes its volume claim.
    pub fn release(&mut self, name: &str) {
        let workloads = self.cluster.workloads.iter_mut().filter(|one| one.owner.name == name);
        workloads.for_each(|one| one.claims_volume = false);
        self.pod(name, |pod| pod.claims_volume = false);
    }
}
