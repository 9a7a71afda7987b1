//! Objects of S3, Azure Blob Storage and Google Cloud Storage, and of services that speak the same: listed and read, never written.
//!
//! `object_store` signs requests and reads lists; every connection goes through [`outgoing`], so that the egress policy, the proxy and
//! the trusted authorities are those of everything else. A failure says in words what to do, and repeats nothing an answer said.

mod address;
mod bucket;
mod credentials;
mod failure;
mod wire;

pub use address::{Address, Kind, NotAnAddress};
pub use bucket::{Bucket, Object, ObjectReader};
pub use credentials::Credentials;
pub use failure::Failure;

#[cfg(test)]
mod tests;
