//! Tasks that change the resource requests of workloads.

use super::super::{Task, optional};
use super::{CONTEXT, GITOPS, KIND, NAME, NAMESPACE, STATUS};

pub(super) const CONTINUOUS: Task = Task {
    name: "k8s.continuous_rightsize",
    about: "Makes a workload ask for what it used, as imported measurements or a Prometheus have it, and some more: with kubectl, a step each time the workflow runs.",
    inputs: &[
        NAMESPACE,
        NAME,
        KIND,
        optional(
            "url",
            "string",
            "The address of a Prometheus with the metrics of the cluster's containers; imported measurements unless given.",
        ),
        optional("auth_type", "string", "bearer, basic, api_key or nothing; as with integrations.http."),
        optional(
            "analysis_duration_hour",
            "number",
            "Hours that are looked back; 24 unless given, and 336 where imported measurements are read.",
        ),
        optional(
            "cpu",
            "object",
            "algorithm (P50 to P99, max or avg; P95 unless given), buffer_pct (15), min_change_pct (10), max_change_pct, min_request. Both cpu and memory unless one is given.",
        ),
        optional(
            "memory",
            "object",
            "The same for memory, and oom_kill_increase_factor for a container that was killed.",
        ),
        optional("oom_kill_increase_factor", "number", "The same, where memory does not say it."),
        optional("recommend_only", "boolean", "The patch is told, and nothing is changed."),
        optional("container", "string", "Which container; the only one unless given."),
        CONTEXT,
    ],
    outputs: &[
        optional("status", "string", "changed, unchanged or recommended."),
        optional("patch", "object", "The change: what kubectl was given."),
        optional("usage", "object", "What was used: cpu in cores, memory in bytes."),
        optional("data", "string", "What the program wrote."),
    ],
};

pub(super) const COPIES: Task = Task {
    name: "k8s.horizontal_rightsize",
    about: "Changes the number of copies of a workload, with kubectl.",
    inputs: &[
        NAMESPACE,
        NAME,
        KIND,
        optional("scaling_mode", "string", "change_to or change_by; that of the two which is given."),
        optional("change_to", "number", "To how many copies."),
        optional(
            "change_by",
            "string|number",
            "How many copies more or fewer than there are, such as 2, -1 or 50%.",
        ),
        optional("min", "number", "Never fewer; 1 for change_by unless given."),
        optional("max", "number", "Never more."),
        CONTEXT,
    ],
    outputs: &[
        STATUS,
        optional("data", "any", "What the program wrote."),
        optional("old_replicas", "integer", "How many there were, of change_by."),
        optional("new_replicas", "integer", "How many there are, of change_by."),
    ],
};

pub(super) const STORAGE: Task = Task {
    name: "k8s.pv_rightsize",
    about: "Makes a volume claim larger, with kubectl.",
    inputs: &[
        NAMESPACE,
        NAME,
        optional("kind", "string", "PersistentVolumeClaim."),
        optional("change_by", "string|number", "By how much, in percent, such as 10%."),
        optional("change_to", "string|number", "To how much, such as 20Gi."),
        optional("max", "string|number", "The task fails rather than make it larger than this."),
        CONTEXT,
    ],
    outputs: &[
        optional("status", "string", "success, or skipped where it has that size."),
        optional("old_storage", "string", "What it had."),
        optional("new_storage", "string", "What it has."),
        optional("patch", "object", "What kubectl was given."),
    ],
};

pub(super) const GENERATE: Task = Task {
    name: "system.vertical_rightsize_generate",
    about: "Finds what workloads of a namespace should request, by what imported measurements say they used.",
    inputs: &[
        optional("account_id", "string", "The cluster: the account of the workflow, and no other."),
        NAMESPACE,
        optional("workload_names", "array|string", "Which workloads; all of the namespace unless given."),
        optional("batch_by_namespace", "boolean", "Taken, and without effect: one look is always enough."),
        optional(
            "persist_recommendation",
            "boolean",
            "Whether what is found is kept as recommendations; only told unless given.",
        ),
    ],
    outputs: &[
        optional("status", "string", "success."),
        optional("database_stored", "boolean", "Whether it was kept."),
        optional("recommendations_count", "integer", "How many recommendations there are."),
        optional(
            "recommendations",
            "array",
            "rule_name, account_object_id, severity and the card of each; its id where it was kept.",
        ),
        optional("measured", "array", "Workloads with measurements."),
        optional("too_few_measurements", "array", "Those with too few of them to request less."),
        optional("unmeasured", "array", "Those without any."),
        optional(
            "scaled",
            "array",
            "Those that a HorizontalPodAutoscaler scales: they are left as they are.",
        ),
        optional("message", "string", "What kept it from finding more."),
    ],
};

pub(super) const USAGE: Task = Task {
    name: "k8s.workload_usage",
    about: "Tells what a container of a workload used, by imported measurements of its pods.",
    inputs: &[
        NAMESPACE,
        NAME,
        KIND,
        optional("container", "string", "Which container; the only one unless given."),
        optional("analysis_duration_hour", "number", "Hours that are looked back; 336 unless given."),
        optional("cpu", "object", "algorithm: P1 to P100, max or avg; P95 unless given."),
        optional("memory", "object", "The same for memory. Both cpu and memory unless one is given."),
    ],
    outputs: &[
        optional("cpu", "number", "Cores; of several pods that which used most."),
        optional("memory", "number", "Bytes; the same."),
        optional("kills", "integer", "Pods whose container ended for want of memory."),
        optional("measurements", "integer", "How many there are of the amount with fewer."),
        optional("pods", "integer", "How many pods were measured."),
        optional("container", "string", "Which container it is of; empty where whole pods were measured."),
        optional("first", "string", "When the first measurement was made."),
        optional("last", "string", "When the last one was."),
    ],
};

pub(super) const VERTICAL: Task = Task {
    name: "k8s.vertical_rightsize",
    about: "Changes the processors and memory a workload asks for.",
    inputs: &[
        NAMESPACE,
        NAME,
        KIND,
        optional("direction", "string", "up or down."),
        optional("cpu", "object", "change_pct with min, max and remove_limit; or request and limit."),
        optional("memory", "object", "The same for memory."),
        optional(
            "container",
            "string",
            "Which container; the only one, or all with change_pct, unless given.",
        ),
        GITOPS,
        CONTEXT,
    ],
    outputs: &[
        STATUS,
        optional("patch", "any", "The change: what kubectl was given, or the diff of the pull request."),
        optional("url", "string", "The pull request."),
        optional("number", "integer", "Its number."),
    ],
};
