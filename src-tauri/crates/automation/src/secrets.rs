//! Secrets that tasks use without naming them in the definition.

/// Secrets with the address of a message channel, used if the definition gives none: by provider.
pub const WEBHOOK_SECRETS: [(&str, &str); 3] =
    [("slack", "SLACK_WEBHOOK"), ("ms_teams", "MS_TEAMS_WEBHOOK"), ("google_chat", "GOOGLE_CHAT_WEBHOOK")];

/// The secret with the Slack token, for what an incoming webhook cannot do.
pub const SLACK_TOKEN: &str = "SLACK_BOT_TOKEN";

/// Hosts that tokens are for, unless configured otherwise.
const USUAL_HOSTS: [(&str, &[&str]); 3] = [
    ("GITHUB_TOKEN", &["api.github.com", "github.com", "uploads.github.com"]),
    ("GITLAB_TOKEN", &["gitlab.com"]),
    (SLACK_TOKEN, &["files.slack.com", "slack.com"]),
];

/// Hosts that a token with that name may be sent to without explicit configuration; `None` for other secrets.
pub fn usual_hosts(name: &str) -> Option<&'static [&'static str]> {
    USUAL_HOSTS.iter().find(|(known, _)| *known == name).map(|(_, hosts)| *hosts)
}

/// Secrets with the token of a repository service, used if the definition gives none: by provider.
pub const REPOSITORY_SECRETS: [(&str, &str); 2] = [("github", "GITHUB_TOKEN"), ("gitlab", "GITLAB_TOKEN")];
