//! Changes of what workloads ask for.

use super::super::{Task, takes};
use super::{CONTEXT, GITOPS, KIND, NAME, NAMESPACE, STATUS};

pub(super) const COPIES: Task = Task {
    name: "k8s.horizontal_rightsize",
    about: "Changes the number of copies of a workload, with kubectl.",
    takes: &[
        NAMESPACE,
        NAME,
        KIND,
        takes("scaling_mode", "string", "change_to or change_by; that of the two which is given."),
        takes("change_to", "number", "To how many copies."),
        takes("change_by", "string", "How many copies more or fewer than there are, such as 2, -1 or 50%."),
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
        takes("change_by", "string", "By how much, in percent, such as 10%."),
        takes("change_to", "string", "To how much, such as 20Gi."),
        takes("max", "string", "The task fails rather than make it larger than this."),
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
