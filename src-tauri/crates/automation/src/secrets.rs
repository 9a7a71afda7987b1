//! Secrets that are used without being named in a definition.

/// Secrets that address a channel of messages when the definition gives none: by provider.
pub const WEBHOOK_SECRETS: [(&str, &str); 3] =
    [("slack", "SLACK_WEBHOOK"), ("ms_teams", "MS_TEAMS_WEBHOOK"), ("google_chat", "GOOGLE_CHAT_WEBHOOK")];

/// The secret that opens Slack for what an incoming webhook cannot do.
pub const SLACK_TOKEN: &str = "SLACK_BOT_TOKEN";

/// Secrets that open the services where repositories are when the definition gives no token: by provider.
pub const REPOSITORY_SECRETS: [(&str, &str); 2] = [("github", "GITHUB_TOKEN"), ("gitlab", "GITLAB_TOKEN")];
