//! What an auto-pilot needs before it can carry anything out: a way that is possible here.

use crate::kit::{Look, text, uuid};
use crate::tickets;
use crate::workflows::engine::power;
use graphql::Refusal;
use serde_json::Value;
use store::Transaction;
use uuid::Uuid;

/// Why an auto-pilot of that status and with these settings could carry nothing out; none when it could. `rows` act in its tenant.
pub(super) fn lack(
    rows: &Transaction<'_>,
    status: &str,
    account: Uuid,
    attributes: &Value,
) -> Result<Option<String>, Refusal> {
    // A dry run touches nothing, and so needs nothing.
    if status != "Active" {
        return Ok(None);
    }
    if attributes["git_ops_config"]["enabled"] == true {
        return repository(rows, &attributes["git_ops_config"]);
    }
    let ticket = &attributes["ticket_config"];
    if ticket["enabled"] == true { tracker(rows, ticket) } else { program(rows, account) }
}

/// Where the manifests are must be said, and the service must have a token for it.
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
        return Ok(power(rows)?.repository_token(host).err());
    };
    Ok(Some(format!(
        "its settings ask for pull requests, and `gitops.{lack}` is missing: expected the repository, and the file with the manifest such as \
         deploy/{{namespace}}/{{name}}.yaml"
    )))
}

/// The tracker that its settings name must be connected; where they name none, tickets are kept here.
fn tracker(rows: &Transaction<'_>, ticket: &Value) -> Result<Option<String>, Refusal> {
    let known = tickets::connected(rows)?;
    let connect = "an administrator connects one in Settings, Ticket trackers; without `ticket_config.configuration_id` and `platform` tickets are kept here";
    if let Some(id) = uuid(ticket, "configuration_id").or_else(|| uuid(ticket, "integration_id")) {
        let is_there = known.iter().any(|(connected, _)| *connected == id);
        return Ok(
            (!is_there).then(|| format!("the tracker {id} of its settings is not connected: {connect}"))
        );
    }
    let platform = text(ticket, "platform").trim().to_lowercase();
    let is_there = platform.is_empty() || known.iter().any(|(_, tool)| *tool == platform);
    Ok((!is_there).then(|| format!("no tracker of type {platform} is connected: {connect}")))
}

/// The program for the account's resources must be allowed and there.
fn program(rows: &Transaction<'_>, account: Uuid) -> Result<Option<String>, Refusal> {
    let row = Look::at(rows, "cloud_accounts")?.with("id", account)?.first(&["account_type"])?;
    let is_cluster = row.is_some_and(|row| text(&row, "account_type").eq_ignore_ascii_case("kubernetes"));
    let power = power(rows)?;
    let kubectl = power.program("kubectl").map(drop);
    // An account of a cloud may hold clusters, too.
    let missing = if is_cluster { kubectl } else { power.program("aws").map(drop).or(kubectl) };
    Ok(missing.err())
}
