//! Accounts and their resources.

use serde_json::{Map, Value};

/// A cloud account, subscription, project or cluster.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Account {
    /// `AWS`, `Azure`, `GCP`, `K8s` …: a value of `cloud_provider_type`.
    pub provider: String,
    /// The provider's number or id of the account.
    pub number: String,
    pub name: Option<String>,
}

/// A machine, volume, image, bucket or other resource.
#[derive(Debug, Clone, PartialEq)]
pub struct Resource {
    pub account: Account,
    /// The provider's id: an ARN, an Azure path, a uid.
    pub external_id: String,
    pub name: Option<String>,
    pub kind: Option<String>,
    pub region: Option<String>,
    pub service_name: Option<String>,
    pub tags: Option<Map<String, Value>>,
    /// All other fields of the file.
    pub meta: Option<Map<String, Value>>,
    /// When the file was written, or when the resource was last seen.
    pub seen: Option<i64>,
}
