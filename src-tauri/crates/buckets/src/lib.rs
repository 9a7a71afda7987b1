//! Lists and reads objects of S3, Azure Blob Storage, Google Cloud Storage and compatible services; never writes.
//!
//! `object_store` signs requests and parses lists. Every connection goes through [`outgoing`], and therefore follows the same egress
//! policy, proxy and trusted authorities as all others. Error messages state what to do and never repeat text of a response.

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
