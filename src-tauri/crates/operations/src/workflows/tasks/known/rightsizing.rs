//! Tasks that change the resource requests of workloads.

use super::super::{Task, takes};
use super::{CONTEXT, GITOPS, KIND, NAME, NAMESPACE, STATUS};

pub(super) const CONTINUOUS: Task = Task {
    name: "k8s.continuous_rightsize",
    about: "Makes a workload ask for what it used, as imported measurements or a Prometheus have it, and some more: with kubectl, a step each time the workflow runs.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        takes(
            "url",
            "string",
            "The address of a Prometheus with the metrics of the cluster's containers; imported measurements unless given.",
        ),
        takes("auth_type", "string", "bearer, basic, api_key or nothing; as with integrations.http."),
        takes(
            "analysis_duration_hour",
            "number",
            "Hours that are looked back; 24 unless given, and 336 where imported measurements are read.",
        ),
        takes(
            "cpu",
            "object",
            "algorithm (P50 to P99, max or avg; P95 unless given), buffer_pct (15), min_change_pct (10), max_change_pct, min_request. Both cpu and memory unless one is given.",
        ),
        takes(
            "memory",
            "object",
            "The same for memory, and oom_kill_increase_factor for a container that was killed.",
        ),
        takes("oom_kill_increase_factor", "number", "The same, where memory does not say it."),
        takes("recommend_only", "boolean", "The patch is told, and nothing is changed."),
        takes("container", "string", "Which container; the only one unless given."),
        CONTEXT,
    ],
    gives: &[
        takes("status", "string", "changed, unchanged or recommended."),
        takes("patch", "object", "The change: what kubectl was given."),
        takes("usage", "object", "What was used: cpu in cores, memory in bytes."),
        takes("data", "string", "What the program wrote."),
    ],
};

pub(super) const COPIES: Task = Task {
    name: "k8s.horizontal_rightsize",
    about: "Changes the number of copies of a workload, with kubectl.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        takes("scaling_mode", "string", "change_to or change_by; that of the two which is given."),
        takes("change_to", "number", "To how many copies."),
        takes(
            "change_by",
            "string|number",
            "How many copies more or fewer than there are, such as 2, -1 or 50%.",
        ),
        takes("min", "number", "Never fewer; 1 for change_by unless given."),
        takes("max", "number", "Never more."),
        CONTEXT,
    ],
    gives: &[
        STATUS,
        takes("data", "any", "What the program wrote."),
        takes("old_replicas", "integer", "How many there were, of change_by."),
        takes("new_replicas", "integer", "How many there are, of change_by."),
    ],
};

pub(super) const STORAGE: Task = Task {
    name: "k8s.pv_rightsize",
    about: "Makes a volume claim larger, with kubectl.",
    takes: &[
        NAMESPACE,
        NAME,
        takes("kind", "string", "PersistentVolumeClaim."),
        takes("change_by", "string|number", "By how much, in percent, such as 10%."),
        takes("change_to", "string|number", "To how much, such as 20Gi."),
        takes("max", "string|number", "The task fails rather than make it larger than this."),
        CONTEXT,
    ],
    gives: &[
        takes("status", "string", "success, or skipped where it has that size."),
        takes("old_storage", "string", "What it had."),
        takes("new_storage", "string", "What it has."),
        takes("patch", "object", "What kubectl was given."),
    ],
};

pub(super) const GENERATE: Task = Task {
    name: "system.vertical_rightsize_generate",
    about: "Finds what workloads of a namespace should request, by what imported measurements say they used.",
    takes: &[
        takes("account_id", "string", "The cluster: the account of the workflow, and no other."),
        NAMESPACE,
        takes("workload_names", "array|string", "Which workloads; all of the namespace unless given."),
        takes("batch_by_namespace", "boolean", "Taken, and without effect: one look is always enough."),
        takes(
            "persist_recommendation",
            "boolean",
            "Whether what is found is kept as recommendations; only told unless given.",
        ),
    ],
    gives: &[
        takes("status", "string", "success."),
        takes("database_stored", "boolean", "Whether it was kept."),
        takes("recommendations_count", "integer", "How many recommendations there are."),
        takes(
            "recommendations",
            "array",
            "rule_name, account_object_id, severity and the card of each; its id where it was kept.",
        ),
        takes("measured", "array", "Workloads with measurements."),
        takes("too_few_measurements", "array", "Those with too few of them to request less."),
        takes("unmeasured", "array", "Those without any."),
        takes("scaled", "array", "Those that a HorizontalPodAutoscaler scales: they are left as they are."),
        takes("message", "string", "What kept it from finding more."),
    ],
};

pub(super) const USAGE: Task = Task {
    name: "k8s.workload_usage",
    about: "Tells what a container of a workload used, by imported measurements of its pods.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        takes("container", "string", "Which container; the only one unless given."),
        takes("analysis_duration_hour", "number", "Hours that are looked back; 336 unless given."),
        takes("cpu", "object", "algorithm: P1 to P100, max or avg; P95 unless given."),
        takes("memory", "object", "The same for memory. Both cpu and memory unless one is given."),
    ],
    gives: &[
        takes("cpu", "number", "Cores; of several pods that which used most."),
        takes("memory", "number", "Bytes; the same."),
        takes("kills", "integer", "Pods whose container ended for want of memory."),
        takes("measurements", "integer", "How many there are of the amount with fewer."),
        takes("pods", "integer", "How many pods were measured."),
        takes("container", "string", "Which container it is of; empty where whole pods were measured."),
        takes("first", "string", "When the first measurement was made."),
        takes("last", "string", "When the last one was."),
    ],
};

pub(super) const VERTICAL: Task = Task {
    name: "k8s.vertical_rightsize",
    about: "Changes the processors and memory a workload asks for.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        takes("direction", "string", "up or down."),
        takes("cpu", "object", "change_pct with min, max and remove_limit; or request and limit."),
        takes("memory", "object", "The same for memory."),
        takes("container", "string", "Which container; the only one, or all with change_pct, unless given."),
        GITOPS,
        CONTEXT,
    ],
    gives: &[
        STATUS,
        takes("patch", "any", "The change: what kubectl was given, or the diff of the pull request."),
        takes("url", "string", "The pull request."),
        takes("number", "integer", "Its number."),
    ],
};
