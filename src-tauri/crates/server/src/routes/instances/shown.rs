//! Response types for instances. Times are ISO 8601 in UTC.

use auth::saml::certificate::Details;
use remote::Course;
use remote::vault::{FileState, Keeping};
use schemars::JsonSchema;
use serde::Serialize;

/// An instance, as a page shows it.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Instance")]
pub struct InstanceView {
    pub id: String,
    pub name: String,
    pub colour: String,
    pub address: String,
    pub own_authorities: Vec<Details>,
    pub proxy: Option<String>,
    /// Whether name and password for it are kept.
    pub proxy_signs_in: bool,
    pub plain_accepted: bool,
    pub keeps_copies: bool,
    /// Where the key to it is; none while signed out.
    #[schemars(with = "Option<Keeping>")]
    pub kept_in: Option<String>,
    pub email: Option<String>,
    pub tenant: Option<String>,
    pub version: Option<String>,
    pub seen_at: Option<String>,
    pub copy_bytes: i64,
    pub copy_of: Option<String>,
    pub sign_in: Course,
}

/// All instances this computer knows.
#[derive(Serialize, JsonSchema)]
pub struct InstanceList {
    pub here: ThisComputer,
    pub instances: Vec<InstanceView>,
    /// How the file of keys stands.
    pub file: FileState,
    /// Those that an instance may have.
    pub colours: Vec<&'static str>,
}

/// The service that is asked.
#[derive(Serialize, JsonSchema)]
pub struct ThisComputer {
    pub address: String,
    pub version: &'static str,
    pub data_dir: String,
}

/// Whether the keyring of this system can be used.
#[derive(Serialize, JsonSchema)]
pub struct KeyringState {
    /// Why not.
    pub why: Option<String>,
    pub works: bool,
}

/// The file of keys.
#[derive(Serialize, JsonSchema)]
pub struct KeyFile {
    pub file: FileState,
}

/// What was found at an address. Version and ways in of a service that answers, or what is wrong.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "InstanceLook")]
pub struct Look {
    pub address: String,
    pub encrypted: bool,
    pub certificates: Vec<Details>,
    /// Milliseconds.
    pub took: i64,
    pub checked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub version: Option<String>,
    /// Whether people sign in there with SAML.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub saml: Option<bool>,
    /// In one word.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "&'static str")]
    pub trouble: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub message: Option<String>,
}

/// An instance that was added.
#[derive(Serialize, JsonSchema)]
pub struct AddedInstance {
    pub id: String,
}

/// A sign-in that was begun.
#[derive(Serialize, JsonSchema)]
pub struct BegunSignIn {
    /// What the system's browser opens.
    pub address: String,
    /// The instance shows the same.
    pub mark: String,
    /// How long it may take.
    pub seconds: i64,
}
