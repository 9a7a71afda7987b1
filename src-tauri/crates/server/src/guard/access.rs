//! The state needed to identify the sender of a request.

use crate::guard::concurrency::ConcurrencyLimiter;
use crate::guard::hosts::HostNames;
use crate::guard::login_tokens::LoginTokens;
use crate::guard::session_writer::SessionWriter;
use std::sync::Arc;
use std::time::Duration;
use store::Store;
use tokio::sync::Semaphore;
use uuid::Uuid;

/// Sign-in state of this service, and the limits of its users.
pub struct Access {
    pub store: Store,
    pub signer: auth::Signer,
    pub known: auth::SecretCache,
    pub hosts: HostNames,
    pub sessions: SessionWriter,
    pub login_tokens: LoginTokens,
    pub session_lifetime: Duration,
    /// The home tenant, whose administrators set up the service.
    pub home: Uuid,
    /// The port of the service.
    pub port: u16,
    /// Whether only this computer reaches the service, under its own names.
    pub is_for_this_computer: bool,
    /// Limits concurrent password hashing: each hash takes 19 MB and a core.
    pub hashing: Semaphore,
    /// Limits concurrent GraphQL requests of each user.
    pub requests: ConcurrencyLimiter,
    /// Limits WebSocket connections of each user.
    pub connections: ConcurrencyLimiter,
}

impl Access {
    /// Name of the session cookie. Browsers store cookies per host, not per port: the port in the name separates two services on one machine.
    /// Servers that share a database are one service, whatever their ports, and use the id of the home tenant instead.
    pub fn cookie_name(&self) -> String {
        if self.store.is_shared() {
            return format!("quarterdeck_{}", &self.home.simple().to_string()[..8]);
        }
        format!("quarterdeck_{}", self.port)
    }
}

/// The form in which routes and their tasks hold it.
pub type SharedAccess = Arc<Access>;

/// The state of a router that can use the extractors of this module.
pub trait AccessHolder: Send + Sync {
    fn access(&self) -> &SharedAccess;
}
