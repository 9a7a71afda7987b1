//! Checks that an auto-pilot is able to carry out recommendations with this service's configuration.

use crate::kit::{Look, text, uuid};
use crate::tickets;
use crate::workflows::engine::{automation_settings, check_repository_host};
use graphql::Refusal;
use serde_json::Value;
use store::Transaction;
use uuid::Uuid;

/// Returns the reason why an auto-pilot with this status and these settings could carry nothing out; `None` if it could. `rows` act in its tenant.
pub(super) fn reason_not_usable(
    rows: &Transaction<'_>,
    status: &str,
    account: Uuid,
    attributes: &Value,
) -> Result<Option<String>, Refusal> {
    // A dry run changes nothing and therefore needs nothing.
    if status != "Active" {
        return Ok(None);
    }
    if attributes["git_ops_config"]["enabled"] == true {
        return repository(rows, &attributes["git_ops_config"]);
    }
    let ticket = &attributes["ticket_config"];
    if ticket["enabled"] == true { tracker(rows, ticket) } else { program(rows, account) }
}

/// Pull requests need the location of the manifests, and a token of the service for the repository.
fn repository(rows: &Transaction<'_>, gitops: &Value) -> Result<Option<String>, Refusal> {
    let provider = text(gitops, "provider").to_lowercase();
    if !["", "github", "gitlab"].contains(&provider.as_str()) {
        return Ok(Some(format!(
            "its settings ask for a pull request on {provider}, and they are made on github and gitlab"
        )));
    }
    let name = [text(gitops, "repository_name"), text(gitops, "repository")].concat();
    let lacks = [("repository_name", name.as_str()), ("path", text(gitops, "path"))];
    let Some((lack, _)) = lacks.into_iter().find(|(_, text)| text.trim().is_empty()) else {
        let host = if provider.is_empty() { "github" } else { provider.as_str() };
        let token = automation_settings(rows)?.repository_token(host);
        let bound = || check_repository_host(rows, host, text(gitops, "base_url"));
        return Ok(match token {
            Ok(()) => bound()?.err(),
            Err(lack) => Some(lack),
        });
    };
    Ok(Some(format!(
        "its settings ask for pull requests, and `gitops.{lack}` is missing: expected the repository, and the file with the manifest such as \
         deploy/{{namespace}}/{{name}}.yaml"
    )))
}

/// The tracker named in the settings must be connected and have a password and a project. Without a tracker, tickets are stored here.
fn tracker(rows: &Transaction<'_>, ticket: &Value) -> Result<Option<String>, Refusal> {
    let mut known = tickets::connected(rows)?;
    let connect = "an administrator connects one in Settings, Ticket trackers; without `ticket_config.configuration_id` and `platform` tickets are kept here";
    let project = Some(text(ticket, "project_key")).filter(|project| !project.trim().is_empty());
    if let Some(id) = uuid(ticket, "configuration_id").or_else(|| uuid(ticket, "integration_id")) {
        if !known.iter().any(|one| one.id == id) {
            return Ok(Some(format!("the tracker {id} of its settings is not connected: {connect}")));
        }
        return tickets::reason_not_usable(rows, Some(id), project);
    }
    let platform = text(ticket, "platform").trim().to_lowercase();
    if !platform.is_empty() {
        known.retain(|one| one.tool == platform);
        if known.is_empty() {
            return Ok(Some(format!("no tracker of type {platform} is connected: {connect}")));
        }
    }
    match known.as_slice() {
        [] => Ok(None),
        [one] => tickets::reason_not_usable(rows, Some(one.id), project),
        several => Ok(Some(format!(
            "several trackers are connected, and its settings name none: give `ticket_config.configuration_id` ({})",
            tickets::list_of(several)
        ))),
    }
}

/// The program for the account's resources must be allowed and installed.
fn program(rows: &Transaction<'_>, account: Uuid) -> Result<Option<String>, Refusal> {
    let row = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_type"])?;
    let is_cluster = row.is_some_and(|row| text(&row, "account_type").eq_ignore_ascii_case("kubernetes"));
    let settings = automation_settings(rows)?;
    let kubectl = settings.program("kubectl").map(drop);
    // A cloud account may also contain clusters.
    let missing = if is_cluster { kubectl } else { settings.program("aws").map(drop).or(kubectl) };
    Ok(missing.err())
}
