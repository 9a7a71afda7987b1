//! Outgoing network access: every request of the product to another machine is made here, so that the network settings apply everywhere.
//!
//! Nothing connects automatically: an [`OutgoingSettings`] is created from settings, and only for something that a user configured. Redirects are
//! never followed automatically, since a redirect decides where a secret is sent; a caller that wants to follow one must check its address.

mod backoff;
mod body;
mod connection;
mod egress;
mod fault;
mod inspection;
mod settings;
mod trust;

pub use backoff::Backoff;
pub use body::{piece, read};
pub use connection::{Proof, connect_of_system, datagrams_of_system};
pub use egress::{EgressPolicy, NotAnException};
pub use fault::{Fault, FaultKind};
pub use inspection::{ServerInspection, inspect_server};

pub use reqwest::{Body, Method, RequestBuilder, Response, StatusCode, Upgraded, header};
pub use settings::{NotAProxy, Outgoing, OutgoingSettings, proxy};
pub use trust::{Authorities, NotCertificates};
