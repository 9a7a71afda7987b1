//! The way out: every request of the product to another machine is made here, so that what a person decided about networks holds everywhere.
//!
//! Nothing connects by itself: a [`OutgoingSettings`] is made from settings, and only for what a person configured. Redirects are never followed in silence,
//! since a redirect decides where a secret goes; whoever wants to follow one reads its address and decides.

mod backoff;
mod body;
mod connection;
mod egress;
mod fault;
mod look;
mod trust;
mod way;

pub use backoff::Backoff;
pub use body::{piece, read};
pub use connection::{Proof, connect_of_system, datagrams_of_system};
pub use egress::{EgressPolicy, NotAnException};
pub use fault::{Fault, Trouble};
pub use look::{ServerReply, look};

pub use reqwest::{Body, Method, RequestBuilder, Response, StatusCode, Upgraded, header};
pub use trust::{Authorities, NotCertificates};
pub use way::{NotAProxy, Outgoing, OutgoingSettings, proxy};
