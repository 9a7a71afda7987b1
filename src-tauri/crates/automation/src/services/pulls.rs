//! Tasks about pull requests on GitHub and merge requests on GitLab.
//!
//! Nothing is sent here.

use crate::call::{Call, TaskFailure};
use crate::changes::{Edit, FileChange, ResourceChange, read as read_changes};
use crate::commands::VERTICAL;
use crate::secrets::REPOSITORY_SECRETS;
use crate::template::to_text;
use serde_json::{Map, Value};
use std::fmt;
use url::Url;

/// The API host of a provider's public service.
pub(crate) fn public_host(provider: &str) -> Option<&'static str> {
    match provider {
        "github" => Some("api.github.com"),
        "gitlab" => Some("gitlab.com"),
        _ => None,
    }
}

/// The API host for a host as users write it: GitHub's API is on another host than its pages.
pub(crate) fn interface_of<'h>(provider: &str, host: &'h str) -> &'h str {
    match (provider, host) {
        ("github", "github.com" | "www.github.com") => "api.github.com",
        _ => host,
    }
}

/// The host of a repository service; `base_url` is that of a self-hosted one, or empty. `None` if it is not a valid URL.
pub fn repository_host(provider: &str, base_url: &str) -> Option<String> {
    if base_url.trim().is_empty() {
        return public_host(provider).map(str::to_owned);
    }
    let url = Url::parse(base_url.trim()).ok()?;
    Some(interface_of(provider, url.host_str()?).to_owned())
}

/// A task on a repository.
#[derive(Clone, PartialEq)]
pub struct PullTask {
    /// `github` or `gitlab`.
    pub provider: String,
    /// URL of a self-hosted service; empty for the public one.
    pub base_url: String,
    pub repository: String,
    pub token: String,
    pub action: PullAction,
    /// µs.
    pub timeout: i64,
}

/// The action of a task.
#[derive(Debug, Clone, PartialEq)]
pub enum PullAction {
    Open {
        /// The same for every attempt of the task: a retry finds what an earlier attempt created.
        branch: String,
        base: Option<String>,
        title: String,
        text: String,
        changes: Vec<FileChange>,
    },
    /// `until_merged` fails while it is open, so that a retry policy checks again.
    Read {
        number: u64,
        until_merged: bool,
    },
    /// The marker identifies the comment.
    Comment {
        number: u64,
        text: String,
        marker: String,
    },
    Merge {
        number: u64,
        squashes: bool,
    },
}

impl fmt::Debug for PullTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { provider, base_url, repository, action, .. } = self;
        write!(f, "PullTask({provider} {base_url} {repository} {action:?})")
    }
}

fn wrong(message: impl Into<String>) -> TaskFailure {
    TaskFailure::new("InvalidParameters", message)
}

/// Whether a task with these parameters is about a pull request.
pub fn is_one(kind: &str, params: &Value) -> bool {
    let is_gitops = || to_text(&params["gitops_config"]["enabled"]) == "true";
    kind.starts_with("scm.") && !matches!(kind, "scm.github.cli" | "scm.gitlab.cli")
        || kind == VERTICAL && is_gitops()
}

/// A repository service used in a definition by a task that does not provide the token.
#[derive(Debug, PartialEq, Eq)]
pub struct NamedRepository {
    /// For example `tasks[2].params`.
    pub place: String,
    /// `github` or `gitlab`.
    pub provider: String,
    pub base_url: String,
}

/// The self-hosted repository services in a definition, except those determined by templates.
pub fn named_repositories(definition: &Value) -> Vec<NamedRepository> {
    let mut found = Vec::new();
    visit(definition, "", &mut found);
    found
}

fn visit(value: &Value, place: &str, found: &mut Vec<NamedRepository>) {
    match value {
        Value::Array(list) => {
            for (number, one) in list.iter().enumerate() {
                visit(one, &format!("{place}[{number}]"), found);
            }
        }
        Value::Object(fields) => {
            let kind = value["type"].as_str().unwrap_or_default();
            if is_one(kind, &value["params"]) {
                found.extend(named_repository(kind, &value["params"], place));
            }
            for (name, one) in fields {
                let inner = if place.is_empty() { name.clone() } else { format!("{place}.{name}") };
                visit(one, &inner, found);
            }
        }
        _ => {}
    }
}

fn named_repository(kind: &str, params: &Value, place: &str) -> Option<NamedRepository> {
    let (given, inside) =
        if kind == VERTICAL { (&params["gitops_config"], ".gitops_config") } else { (params, "") };
    let text = |name: &str| to_text(&given[name]).trim().to_owned();
    let (provider, base_url) = (text("provider").to_lowercase(), text("base_url"));
    let is_written = |text: &str| !text.is_empty() && !text.contains("{{") && !text.contains("{%");
    let is_named = is_written(&provider) && is_written(&base_url) && text("token").is_empty();
    is_named.then(|| NamedRepository { place: format!("{place}.params{inside}"), provider, base_url })
}

impl PullTask {
    /// Reads a call with rendered parameters.
    pub fn read(execution: &str, call: &Call, secrets: &Map<String, Value>) -> Result<Self, TaskFailure> {
        // With gitops, all these parameters are in one object.
        let place = if call.kind == VERTICAL { &call.params["gitops_config"] } else { &call.params };
        let text = |name: &str| to_text(&place[name]).trim().to_owned();
        let provider = text("provider").to_lowercase();
        let Some((_, secret)) = REPOSITORY_SECRETS.iter().find(|(known, _)| *known == provider) else {
            return Err(wrong(format!("provider: expected github or gitlab, found \"{provider}\"")));
        };
        let repository = Some(text("repository"))
            .filter(|name| !name.is_empty())
            .unwrap_or_else(|| text("repository_name"));
        if repository.is_empty() {
            return Err(wrong("repository: expected a repository such as acme/shop"));
        }
        let kept = || secrets.get(*secret).map(to_text).filter(|token| !token.is_empty());
        let token = Some(text("token")).filter(|token| !token.is_empty()).or_else(kept).ok_or_else(|| {
            wrong(format!(
                "there is no token for {provider}: set SECRET_{secret} in the environment of the service, or give token: \"{{{{ Secrets.NAME }}}}\""
            ))
        })?;
        let action = action(execution, call, place)?;
        Ok(Self { provider, base_url: text("base_url"), repository, token, action, timeout: call.timeout })
    }

    /// The host to send requests to; `None` if the URL is invalid.
    pub fn host(&self) -> Option<String> {
        repository_host(&self.provider, &self.base_url)
    }

    /// Describes the task, with as much of the patch as is known before the files are read.
    pub fn told(&self) -> String {
        let host = if self.base_url.is_empty() { self.provider.as_str() } else { &self.base_url };
        let place = format!("{} at {host}", self.repository);
        match &self.action {
            PullAction::Open { branch, base, title, changes, .. } => {
                let base = base.as_ref().map(|base| format!(" into {base}")).unwrap_or_default();
                let changes: Vec<String> = changes.iter().map(FileChange::told).collect();
                format!(
                    "Open a pull request in {place} from {branch}{base}: {title}\n\n{}",
                    changes.join("\n")
                )
            }
            PullAction::Read { number, .. } => format!("Read pull request {number} of {place}"),
            PullAction::Comment { number, text, .. } => {
                format!("Say on pull request {number} of {place}:\n\n{text}")
            }
            PullAction::Merge { number, .. } => format!("Merge pull request {number} of {place}"),
        }
    }
}

fn action(execution: &str, call: &Call, place: &Value) -> Result<PullAction, TaskFailure> {
    let text = |name: &str| to_text(&call.params[name]).trim().to_owned();
    let marker = format!("qd:{execution}:{}", call.path);
    let number = || {
        let given = text("number");
        let plain = given.trim_start_matches(['#', '!']);
        plain
            .parse::<u64>()
            .map_err(|_| wrong(format!("number: expected the number of a pull request, found \"{given}\"")))
    };
    match call.kind.as_str() {
        VERTICAL => {
            let change = ResourceChange::read(&call.params).map_err(wrong)?;
            let path = to_text(&place["path"]).trim().to_owned();
            if path.is_empty() {
                return Err(wrong(
                    "gitops_config.path: expected the file with the manifest, such as deploy/web.yaml",
                ));
            }
            let title = format!("Rightsize {} {}/{}", change.kind, change.namespace, change.name);
            let told = change.told();
            let changes = vec![FileChange { path, edit: Edit::Resources(change) }];
            Ok(open(execution, call, place, (title, told), changes))
        }
        "scm.create_pull_request" => {
            let changes = read_changes(&call.params).map_err(wrong)?;
            let title = text("title");
            if title.is_empty() {
                return Err(wrong("title: expected a text"));
            }
            Ok(open(execution, call, place, (title, text("description")), changes))
        }
        "scm.get_pull_request" => {
            let until_merged = match text("until").as_str() {
                "" => false,
                "merged" => true,
                other => return Err(wrong(format!("until: expected merged or nothing, found \"{other}\""))),
            };
            Ok(PullAction::Read { number: number()?, until_merged })
        }
        "scm.add_comment" => {
            let comment = text("comment");
            if comment.is_empty() {
                return Err(wrong("comment: expected a text"));
            }
            Ok(PullAction::Comment { number: number()?, text: comment, marker })
        }
        "scm.merge_pull_request" => {
            let squashes = match text("method").as_str() {
                "" | "merge" => false,
                "squash" => true,
                other => return Err(wrong(format!("method: expected merge or squash, found \"{other}\""))),
            };
            Ok(PullAction::Merge { number: number()?, squashes })
        }
        other => Err(wrong(format!("{other} is no task about pull requests"))),
    }
}

fn open(
    execution: &str,
    call: &Call,
    place: &Value,
    (title, text): (String, String),
    changes: Vec<FileChange>,
) -> PullAction {
    let given = |name: &str| Some(to_text(&place[name]).trim().to_owned()).filter(|text| !text.is_empty());
    let plain: String =
        call.path.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect();
    let branch = given("branch").unwrap_or_else(|| format!("quarterdeck-{execution}-{plain}"));
    let marker = format!("Opened by Quarterdeck (qd:{execution}:{}:{}).", call.path, call.attempt);
    let text = if text.is_empty() { marker } else { format!("{text}\n\n{marker}") };
    PullAction::Open { branch, base: given("base_branch"), title, text, changes }
}

#[cfg(test)]
mod tests {
    use super::{PullAction, PullTask};
    use crate::call::{Call, TaskFailure};
    use serde_json::{Map, Value, json};

    fn made(kind: &str, params: Value, secrets: &Map<String, Value>) -> Result<PullTask, TaskFailure> {
        let call = Call {
            path: "open.pr".to_owned(),
            task_id: "open.pr".to_owned(),
            kind: kind.to_owned(),
            attempt: 2,
            secrets: std::collections::BTreeSet::new(),
            params,
            timeout: 10_000_000,
        };
        PullTask::read("run-1", &call, secrets)
    }

    fn token() -> Map<String, Value> {
        Map::from_iter([("GITHUB_TOKEN".to_owned(), json!("t0ken"))])
    }

    #[test]
    fn every_try_has_the_same_branch_and_no_token_is_shown() {
        let params = json!({ "provider": "github", "repository": "acme/shop", "title": "Smaller", "files": [{ "path": "a.txt", "content": "x\n" }] });
        let task = made("scm.create_pull_request", params, &token()).unwrap();
        let PullAction::Open { branch, text, .. } = &task.action else { panic!("{task:?}") };
        assert_eq!(branch, "quarterdeck-run-1-open-pr");
        assert_eq!(text, "Opened by Quarterdeck (qd:run-1:open.pr:2).");
        assert_eq!(task.token, "t0ken");
        assert!(!format!("{task:?} {}", task.told()).contains("t0ken"));
    }

    #[test]
    fn the_gitops_path_of_a_rightsizing_is_a_pull_request() {
        let params = json!({ "namespace": "shop", "kind": "Deployment", "name": "web", "container": "app", "cpu": { "request": "250m" },
            "gitops_config": { "enabled": true, "provider": "github", "repository_name": "acme/shop", "path": "deploy/web.yaml" } });
        let task = made("k8s.vertical_rightsize", params, &token()).unwrap();
        assert_eq!(
            task.told(),
            "Open a pull request in acme/shop at github from quarterdeck-run-1-open-pr: Rightsize Deployment shop/web\n\n\
             deploy/web.yaml: Deployment shop/web, container app: cpu request 250m"
        );
    }

    #[test]
    fn what_is_missing_is_told() {
        let shop = json!({ "provider": "github", "repository": "acme/shop" });
        let with = |more: Value| {
            let mut params = shop.clone();
            params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            params
        };
        for (kind, params, secrets, expected) in [
            (
                "scm.get_pull_request",
                with(json!({ "number": 1 })),
                Map::new(),
                "there is no token for github: set SECRET_GITHUB_TOKEN",
            ),
            (
                "scm.get_pull_request",
                with(json!({ "provider": "bitbucket" })),
                token(),
                "provider: expected github or gitlab",
            ),
            ("scm.get_pull_request", with(json!({ "number": "x" })), token(), "number: expected the number"),
            (
                "scm.get_pull_request",
                json!({ "provider": "github" }),
                token(),
                "repository: expected a repository",
            ),
            (
                "scm.merge_pull_request",
                with(json!({ "number": 1, "method": "rebase" })),
                token(),
                "method: expected merge or squash",
            ),
            (
                "scm.create_pull_request",
                with(json!({ "title": "x" })),
                token(),
                "files and patch are missing",
            ),
            ("scm.add_comment", with(json!({ "number": "!7" })), token(), "comment: expected a text"),
        ] {
            let failure = made(kind, params, &secrets).unwrap_err();
            assert!(failure.message.starts_with(expected), "{}", failure.message);
        }
    }
}
