//! Types of `schema/operations/notices.graphql`.

// Written by `UPDATE=1 cargo test -p model` from schema/. Read the change, do not edit.

#[allow(unused_imports, reason = "not every area holds every type")]
use super::prelude::*;

/// A channel.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Default, Deserialize)]
pub struct NoticeChannelInput {
    /// One that is there already.
    pub id: Option<Uuid>,
    /// Unlike those of the tenant's other channels.
    pub name: Option<String>,
    pub kind: Option<NoticeChannelKind>,
    pub is_active: Option<bool>,
    /// Which notices it gets: budget, anomaly, finding, stale, approval.
    pub subjects: Option<Vec<NoticeSubject>>,
    /// Quiet hours, UTC, such as `22:00`; both or neither, empty for none.
    pub quiet_from: Option<String>,
    pub quiet_until: Option<String>,
    /// Of mail: the server.
    pub host: Option<String>,
    /// Of mail: 587, 465 or 25 by the security unless given.
    pub port: Option<i64>,
    /// Of mail: starttls (unless given), tls or none.
    pub security: Option<String>,
    /// Of mail: who signs in at the server; empty for nobody.
    pub username: Option<String>,
    /// Of mail: the password there.
    pub password: Option<String>,
    /// Of mail: whom messages come from.
    pub sender: Option<String>,
    /// Of mail: who gets them.
    pub recipients: Option<Vec<String>>,
    /// Of webhooks: their address, which is kept like a password.
    pub url: Option<String>,
    /// Of a webhook: what the header X-Quarterdeck-Signature is made with, HMAC-SHA256 over the body; empty for none.
    pub key: Option<String>,
}

/// The channel.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct NoticeChannelResult {
    pub id: Uuid,
}

/// What a test message has shown.
#[allow(non_snake_case, reason = "members are called as the interface calls them")]
#[derive(Debug, Serialize)]
pub struct NoticeChannelTest {
    pub success: bool,
    /// Why not.
    pub error: Option<String>,
}
