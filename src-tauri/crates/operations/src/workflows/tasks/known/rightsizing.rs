//! Changes of what workloads ask for.

use super::super::{Task, needs, takes};
use super::{CONTEXT, GITOPS, KIND, NAME, NAMESPACE, STATUS};

pub(super) const CONTINUOUS: Task = Task {
    name: "k8s.continuous_rightsize",
    about: "Makes a workload ask for what it used, as a Prometheus has it, and some more: with kubectl, a step each time the workflow runs.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        needs("url", "string", "The address of a Prometheus with the metrics of the cluster's containers."),
        takes("auth_type", "string", "bearer, basic, api_key or nothing; as with integrations.http."),
        takes("analysis_duration_hour", "number", "Hours that are looked back; 24 unless given."),
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
