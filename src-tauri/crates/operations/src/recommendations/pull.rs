//! Applies a recommendation by a pull request: changes requests and limits in the workload's manifest in its repository, and waits for the merge.

use super::methods::{APPROVED, plain};
use super::plan::ChangePlan;
use crate::kit::text;
use crate::workflows::engine::{
    SystemDefinition, SystemTask, automation_settings, check_repository_host, polling_policy,
    require_automation,
};
use graphql::Refusal;
use serde_json::{Map, Value};
use store::Transaction;
use trackers::pulls::{Place, check_path};

/// Providers of repositories in which pull requests can be opened.
pub(super) const HOSTS: [&str; 2] = ["github", "gitlab"];

/// The repository and path of the manifest.
pub(super) struct Repository {
    provider: String,
    base_url: String,
    name: String,
    path: String,
    base_branch: String,
}

/// Refuses if automation is off or the service has no token for the provider.
pub(super) fn may_open(rows: &Transaction<'_>, host: &str) -> Result<(), Refusal> {
    require_automation(rows)?;
    automation_settings(rows)?.repository_token(host).map_err(Refusal::conflict)
}

/// Like [`may_open`], and also refuses if the token may not be sent to the repository's host.
pub(super) fn may_open_in(rows: &Transaction<'_>, repository: &Repository) -> Result<(), Refusal> {
    may_open(rows, &repository.provider)?;
    check_repository_host(rows, &repository.provider, &repository.base_url)?.map_err(Refusal::conflict)
}

/// Reads the repository from `provider_config`. Refused if a field is missing, or if the recommendation does not say what to change.
pub(super) fn read(provider: &str, config: Option<&Value>, plan: &ChangePlan) -> Result<Repository, Refusal> {
    let Some(wanted) = &plan.resources else {
        return Err(Refusal::conflict(
            "no pull request can be made of this recommendation: it does not say which requests and limits of which container; leave \
             `provider` out for the plan",
        ));
    };
    let none = Value::Null;
    let config = config.unwrap_or(&none);
    let given = |names: &[&str]| {
        let found = names.iter().map(|name| text(config, name).trim()).find(|text| !text.is_empty());
        found.unwrap_or_default().to_owned()
    };
    let missing = |what: &str, example: &str| {
        Refusal::invalid(format!("`provider_config.{what}` is missing: expected {example}"))
    };
    let name = given(&["repository", "repository_name", "name"]);
    if name.is_empty() {
        return Err(missing("repository", "the repository, such as acme/shop"));
    }
    let base_url = given(&["base_url"]);
    let invalid = |why: String| Refusal::invalid(format!("`provider_config`: {why}"));
    let place = Place::read(provider, &base_url, &name).map_err(invalid)?;
    let path = given(&["path"]);
    if path.is_empty() {
        return Err(missing(
            "path",
            "the file with the manifest, such as deploy/web.yaml or deploy/{namespace}/{name}.yaml",
        ));
    }
    let path = ["namespace", "name", "kind", "container"]
        .iter()
        .fold(path, |path, field| path.replace(&format!("{{{field}}}"), &text(wanted, field).to_lowercase()));
    check_path(&path).map_err(invalid)?;
    let base_branch = given(&["base_branch"]);
    Ok(Repository { provider: provider.to_owned(), base_url, name: place.repository, path, base_branch })
}

impl Repository {
    /// The workflow: opens the pull request, after an approval if one is required, and waits until it is merged.
    pub(super) fn definition(&self, plan: &ChangePlan, approval: Option<SystemTask>) -> SystemDefinition {
        let mut place = Map::new();
        for (name, text) in
            [("provider", &self.provider), ("base_url", &self.base_url), ("repository", &self.name)]
        {
            // Text from users and files must not be evaluated as a template.
            place.insert(name.to_owned(), plain(text).into());
        }
        let mut open = place.clone();
        let title = plan.text.lines().next().unwrap_or_default();
        open.insert("title".to_owned(), plain(title).into());
        open.insert("description".to_owned(), plain(&plan.text).into());
        open.insert("base_branch".to_owned(), plain(&self.base_branch).into());
        let mut file = Map::new();
        file.insert("path".to_owned(), plain(&self.path).into());
        file.insert("resources".to_owned(), plan.resources.clone().unwrap_or_default());
        open.insert("files".to_owned(), Value::Array(vec![file.into()]));
        let mut merged = place;
        merged.insert("number".to_owned(), "{{ Tasks.open.output.number }}".into());
        merged.insert("until".to_owned(), "merged".into());
        let task = |id: &str, kind: &str, params: Map<String, Value>| SystemTask {
            id: id.to_owned(),
            kind: kind.to_owned(),
            params,
            depends_on: Vec::new(),
            condition: approval.as_ref().map(|_| APPROVED.to_owned()),
            failure_policy: None,
        };
        let open = SystemTask {
            depends_on: approval.iter().map(|approval| approval.id.clone()).collect(),
            ..task("open", "scm.create_pull_request", open)
        };
        let merged = SystemTask {
            depends_on: vec!["open".to_owned()],
            failure_policy: Some(polling_policy(&["PullRequestClosed", "InvalidParameters"])),
            ..task("merged", "scm.get_pull_request", merged)
        };
        SystemDefinition::new(approval.into_iter().chain([open, merged]).collect())
    }
}
