//! Tasks for pull requests on GitHub and merge requests on GitLab.

use super::super::{Parameter, Task, optional, required};

const PROVIDER: Parameter = required("provider", "string", "github or gitlab.");
const REPOSITORY: Parameter = required("repository", "string", "The repository, such as acme/shop.");
const BASE_URL: Parameter =
    optional("base_url", "string", "Address of one's own service; github.com or gitlab.com unless given.");
const TOKEN: Parameter = optional(
    "token",
    "string",
    "A secret, such as {{ Secrets.NAME }}; SECRET_GITHUB_TOKEN or SECRET_GITLAB_TOKEN of the service unless given.",
);
const NUMBER: Parameter = required("number", "integer", "Number of the pull request.");

const PULL: &[Parameter] = &[
    optional("number", "integer", "Its number."),
    optional("url", "string", "Where it is."),
    optional("state", "string", "open, merged or closed."),
    optional("title", "string", "Its title."),
    optional("branch", "string", "The branch with its changes."),
    optional("base", "string", "The branch it is merged into."),
    optional("was_there", "boolean", "Whether an earlier try had opened it."),
    optional("patch", "string", "What it changes, where this try made the commit."),
];

pub(super) const ADD_COMMENT: Task = Task {
    name: "scm.add_comment",
    about: "Says something on a pull request, once.",
    inputs: &[PROVIDER, REPOSITORY, NUMBER, required("comment", "string", "What is said."), BASE_URL, TOKEN],
    outputs: &[optional("url", "string", "Where it stands.")],
};

pub(super) const CREATE_PULL_REQUEST: Task = Task {
    name: "scm.create_pull_request",
    about: "Opens a pull request with changed files, once: a second try finds what the first has made.",
    inputs: &[
        PROVIDER,
        REPOSITORY,
        required("title", "string", "Its title, and that of its commit."),
        optional("description", "string", "What it is for."),
        optional(
            "files",
            "array",
            "Objects with path and either content (the whole text) or resources (kind, namespace, name, container, cpu and memory with request and limit).",
        ),
        optional("patch", "string", "A diff with --- and +++ lines, instead of files."),
        optional("base_branch", "string", "What it is merged into; the usual branch unless given."),
        optional("branch", "string", "Name of its branch; one with the run and the task unless given."),
        BASE_URL,
        TOKEN,
    ],
    outputs: PULL,
};

pub(super) const GET_PULL_REQUEST: Task = Task {
    name: "scm.get_pull_request",
    about: "Reads how a pull request stands.",
    inputs: &[
        PROVIDER,
        REPOSITORY,
        NUMBER,
        optional(
            "until",
            "string",
            "merged: the task fails while it is open (PullRequestOpen) or when it is closed (PullRequestClosed), so that retries wait for the merge.",
        ),
        BASE_URL,
        TOKEN,
    ],
    outputs: PULL,
};

pub(super) const MERGE_PULL_REQUEST: Task = Task {
    name: "scm.merge_pull_request",
    about: "Merges a pull request; one that was merged is left as it is.",
    inputs: &[
        PROVIDER,
        REPOSITORY,
        NUMBER,
        optional("method", "string", "merge or squash; merge unless given."),
        BASE_URL,
        TOKEN,
    ],
    outputs: PULL,
};
