//! Determines the host that a task sends its parameters to, unless a template decides it.

use crate::commands::{CONTINUOUS, VERTICAL, canonical, needs_connection, secret_name, takes_token};
use crate::secrets::{REPOSITORY_SECRETS, SLACK_TOKEN, WEBHOOK_SECRETS};
use crate::services::requests::is_address;
use crate::services::{pulls, remote_tools, slack};
use crate::template::to_text;
use serde_json::Value;
use url::Url;

/// The host of Slack.
const SLACK: &str = "slack.com";

/// The destination of a task.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Way {
    To(String),
    /// Known only in the run.
    Later,
}

/// Whether a task sends its parameters to one host.
pub(super) fn sends(kind: &str, params: &Value) -> bool {
    let kind = canonical(kind);
    matches!(kind, "integrations.http" | "notifications.im" | "observability.metrics")
        || kind == CONTINUOUS
        || remote_tools::is_one(kind)
        || slack::is_one(kind)
        || pulls::is_one(kind, params)
        || needs_connection(kind)
        || takes_token(kind)
}

/// The destination in the parameters.
pub(super) fn written(kind: &str, params: &Value) -> Way {
    let kind = canonical(kind);
    let text = |name: &str| to_text(&params[name]).trim().to_owned();
    if pulls::is_one(kind, params) {
        let place = if kind == VERTICAL { &params["gitops_config"] } else { params };
        return repository(&to_text(&place["base_url"]), &to_text(&place["provider"]));
    }
    if slack::is_one(kind) {
        let base = text("base_url");
        return if base.is_empty() { Way::To(SLACK.to_owned()) } else { address(&base) };
    }
    match kind {
        "notifications.im" => {
            let given = [text("webhook_url"), text("channel")];
            given.iter().find(|given| is_address(given)).map_or(Way::Later, |given| address(given))
        }
        _ if needs_connection(kind) || takes_token(kind) => Way::Later,
        _ => address(&text("url")),
    }
}

fn repository(base: &str, provider: &str) -> Way {
    let provider = provider.trim().to_lowercase();
    if base.trim().is_empty() {
        return pulls::public_host(&provider).map_or(Way::Later, |host| Way::To(host.to_owned()));
    }
    match address(base) {
        Way::To(host) => Way::To(pulls::interface_of(&provider, &host).to_owned()),
        Way::Later => Way::Later,
    }
}

/// The host of an address that may contain templates after the host.
fn address(text: &str) -> Way {
    let text = text.trim();
    let fixed = text.split('{').next().unwrap_or_default();
    // A template directly after the host could extend it.
    let is_whole = fixed.len() == text.len()
        || fixed.split_once("://").is_some_and(|(_, rest)| rest.contains(['/', '?', '#']));
    let host = Url::parse(fixed).ok().filter(|_| is_whole);
    host.and_then(|url| url.host_str().map(str::to_owned)).map_or(Way::Later, Way::To)
}

/// Secrets that a call with these parameters uses without naming them.
pub(super) fn implied(kind: &str, params: &Value) -> Vec<String> {
    let kind = canonical(kind);
    let repository = |provider: &str| {
        let provider = provider.trim().to_lowercase();
        let secret = REPOSITORY_SECRETS.iter().find(|(name, _)| *name == provider);
        secret.map(|(_, secret)| (*secret).to_owned())
    };
    if pulls::is_one(kind, params) {
        let place = if kind == VERTICAL { &params["gitops_config"] } else { params };
        let has_own = !to_text(&place["token"]).trim().is_empty();
        return repository(&to_text(&place["provider"])).filter(|_| !has_own).into_iter().collect();
    }
    if slack::is_one(kind) {
        return vec![SLACK_TOKEN.to_owned()];
    }
    if kind == "notifications.im" {
        let is_given = ["webhook_url", "channel"].iter().any(|name| is_address(&to_text(&params[*name])));
        let provider = to_text(&params["provider"]);
        let secret = WEBHOOK_SECRETS.iter().find(|(name, _)| *name == provider).filter(|_| !is_given);
        return secret.map(|(_, secret)| (*secret).to_owned()).into_iter().collect();
    }
    if needs_connection(kind) || takes_token(kind) {
        let integration = to_text(&params["integration_id"]);
        let is_given = !to_text(&params["connection"]).trim().is_empty();
        if !integration.trim().is_empty() && !is_given {
            return vec![secret_name(&integration)];
        }
        let provider = if kind == "scm.github.cli" { "github" } else { "gitlab" };
        return repository(provider).filter(|_| takes_token(kind) && !is_given).into_iter().collect();
    }
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::{Way, address, implied};
    use serde_json::json;

    #[test]
    fn a_host_is_known_where_no_template_can_go_on_with_it() {
        let to = |host: &str| Way::To(host.to_owned());
        for (text, expected) in [
            ("https://a.example/x?y={{ z }}", to("a.example")),
            ("https://a.example?y={{ z }}", to("a.example")),
            ("https://a.example{{ z }}", Way::Later),
            ("https://{{ z }}.example/", Way::Later),
            ("https://me:{{ z }}@a.example/", Way::Later),
            ("{{ z }}", Way::Later),
            ("https://a.example", to("a.example")),
        ] {
            assert_eq!(address(text), expected, "{text}");
        }
    }

    #[test]
    fn tokens_of_the_service_are_known_by_the_task() {
        for (kind, params, expected) in [
            ("scm.create_pull_request", json!({ "provider": "github" }), vec!["GITHUB_TOKEN"]),
            ("scm.create_pull_request", json!({ "provider": "github", "token": "t" }), vec![]),
            ("notifications.dm", json!({ "provider": "slack" }), vec!["SLACK_BOT_TOKEN"]),
            ("notifications.im", json!({ "provider": "slack", "channel": "#ops" }), vec!["SLACK_WEBHOOK"]),
            ("scm.gitlab.cli", json!({}), vec!["GITLAB_TOKEN"]),
            ("dbms.query", json!({ "integration_id": "prod-db" }), vec!["PROD_DB"]),
            ("integrations.http", json!({}), vec![]),
        ] {
            assert_eq!(implied(kind, &params), expected, "{kind}");
        }
    }
}
