//! Who sends a request, and whether it is answered: host and origin, the caller, sessions and their cookie, sign-in links, limits of one user.
//!
//! Routes hold an [`Access`]; nothing in here knows a route.

pub mod access;
pub mod caller;
pub mod concurrency;
pub mod hosts;
pub mod login_tokens;
pub mod query_threads;
pub mod session_cookie;
pub mod session_writer;

pub use access::Access;
