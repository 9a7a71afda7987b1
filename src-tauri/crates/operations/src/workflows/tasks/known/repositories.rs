//! Tasks for pull requests on GitHub and merge requests on GitLab.

use super::super::{Slot, Task, needs, takes};

const PROVIDER: Slot = needs("provider", "string", "github or gitlab.");
const REPOSITORY: Slot = needs("repository", "string", "The repository, such as acme/shop.");
const BASE_URL: Slot =
    takes("base_url", "string", "Address of one's own service; github.com or gitlab.com unless given.");
const TOKEN: Slot = takes(
    "token",
    "string",
    "A secret, such as {{ Secrets.NAME }}; SECRET_GITHUB_TOKEN or SECRET_GITLAB_TOKEN of the service unless given.",
);
const NUMBER: Slot = needs("number", "integer", "Number of the pull request.");

const PULL: &[Slot] = &[
    takes("number", "integer", "Its number."),
    takes("url", "string", "Where it is."),
    takes("state", "string", "open, merged or closed."),
    takes("title", "string", "Its title."),
    takes("branch", "string", "The branch with its changes."),
    takes("base", "string", "The branch it is merged into."),
    takes("was_there", "boolean", "Whether an earlier try had opened it."),
    takes("patch", "string", "What it changes, where this try made the commit."),
];

pub(super) const ADD_COMMENT: Task = Task {
    name: "scm.add_comment",
    about: "Says something on a pull request, once.",
    takes: &[PROVIDER, REPOSITORY, NUMBER, needs("comment", "string", "What is said."), BASE_URL, TOKEN],
    gives: &[takes("url", "string", "Where it stands.")],
};

pub(super) const CREATE_PULL_REQUEST: Task = Task {
    name: "scm.create_pull_request",
    about: "Opens a pull request with changed files, once: a second try finds what the first has made.",
    takes: &[
        PROVIDER,
        REPOSITORY,
        needs("title", "string", "Its title, and that of its commit."),
        takes("description", "string", "What it is for."),
        takes(
            "files",
            "array",
            "Objects with path and either content (the whole text) or resources (kind, namespace, name, container, cpu and memory with request and limit).",
        ),
        takes("patch", "string", "A diff with --- and +++ lines, instead of files."),
        takes("base_branch", "string", "What it is merged into; the usual branch unless given."),
        takes("branch", "string", "Name of its branch; one with the run and the task unless given."),
        BASE_URL,
        TOKEN,
    ],
    gives: PULL,
};

pub(super) const GET_PULL_REQUEST: Task = Task {
    name: "scm.get_pull_request",
    about: "Reads how a pull request stands.",
    takes: &[
        PROVIDER,
        REPOSITORY,
        NUMBER,
        takes(
            "until",
            "string",
            "merged: the task fails while it is open (PullRequestOpen) or when it is closed (PullRequestClosed), so that retries wait for the merge.",
        ),
        BASE_URL,
        TOKEN,
    ],
    gives: PULL,
};

pub(super) const MERGE_PULL_REQUEST: Task = Task {
    name: "scm.merge_pull_request",
    about: "Merges a pull request; one that was merged is left as it is.",
    takes: &[
        PROVIDER,
        REPOSITORY,
        NUMBER,
        takes("method", "string", "merge or squash; merge unless given."),
        BASE_URL,
        TOKEN,
    ],
    gives: PULL,
};
