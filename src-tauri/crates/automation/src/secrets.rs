//! Secrets that are used without being named in a definition.

/// Secrets that address a channel of messages when the definition gives none: by provider.
pub const WEBHOOK_SECRETS: [(&str, &str); 3] =
    [("slack", "SLACK_WEBHOOK"), ("ms_teams", "MS_TEAMS_WEBHOOK"), ("google_chat", "GOOGLE_CHAT_WEBHOOK")];

/// The secret that opens Slack for what an incoming webhook cannot do.
pub const SLACK_TOKEN: &str = "SLACK_BOT_TOKEN";

/// Where the services are that tokens open unless somebody says otherwise.
const USUAL_HOSTS: [(&str, &[&str]); 3] = [
    ("GITHUB_TOKEN", &["api.github.com", "github.com", "uploads.github.com"]),
    ("GITLAB_TOKEN", &["gitlab.com"]),
    (SLACK_TOKEN, &["files.slack.com", "slack.com"]),
];

/// Hosts that a token of that name may be sent to as long as nobody binds it; none for other secrets.
pub fn usual_hosts(name: &str) -> Option<&'static [&'static str]> {
    USUAL_HOSTS.iter().find(|(known, _)| *known == name).map(|(_, hosts)| *hosts)
}

/// Secrets that open the services where repositories are when the definition gives no token: by provider.
pub const REPOSITORY_SECRETS: [(&str, &str); 2] = [("github", "GITHUB_TOKEN"), ("gitlab", "GITLAB_TOKEN")];
