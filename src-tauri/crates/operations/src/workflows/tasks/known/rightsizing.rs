//! Changes of what workloads ask for.

use super::super::{Task, takes};
use super::{CONTEXT, GITOPS, KIND, NAME, NAMESPACE, STATUS};

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
