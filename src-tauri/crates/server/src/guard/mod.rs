//! Identifies the sender of a request and decides whether it is answered: host and origin, the caller, sessions and their cookie, sign-in links,
//! limits of a user.
//!
//! Routes hold an [`Access`]; this module does not depend on any route.

pub mod access;
pub mod caller;
pub mod concurrency;
pub mod hosts;
pub mod login_tokens;
pub mod query_threads;
pub mod session_cookie;
pub mod session_writer;

pub use access::Access;
