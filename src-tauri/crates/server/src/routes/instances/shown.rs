//! Response types for instances. Times are ISO 8601 in UTC.

use auth::saml::certificate::Details;
use remote::Course;
use remote::vault::{FileState, Keeping};
use schemars::JsonSchema;
use serde::Serialize;

/// A remote instance.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Instance")]
pub struct InstanceView {
    pub id: String,
    pub name: String,
    pub colour: String,
    pub address: String,
    pub own_authorities: Vec<Details>,
    pub proxy: Option<String>,
    /// Whether a user name and password for the proxy are stored.
    pub proxy_signs_in: bool,
    pub plain_accepted: bool,
    pub keeps_copies: bool,
    /// Where the key for this instance is stored. Null while signed out.
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

/// All instances configured on this computer.
#[derive(Serialize, JsonSchema)]
pub struct InstanceList {
    pub here: ThisComputer,
    pub instances: Vec<InstanceView>,
    /// The state of the key file.
    pub file: FileState,
    /// The colours available for instances.
    pub colours: Vec<&'static str>,
}

/// The service that handles this request.
#[derive(Serialize, JsonSchema)]
pub struct ThisComputer {
    pub address: String,
    pub version: &'static str,
    pub data_dir: String,
}

/// Whether the keyring of this system can be used.
#[derive(Serialize, JsonSchema)]
pub struct KeyringState {
    /// Why the keyring cannot be used. Null if it can.
    pub why: Option<String>,
    pub works: bool,
}

/// The key file.
#[derive(Serialize, JsonSchema)]
pub struct KeyFile {
    pub file: FileState,
}

/// The result of testing an address: the version and sign-in methods of the service, or the problem.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "InstanceLook")]
pub struct Look {
    pub address: String,
    pub encrypted: bool,
    pub certificates: Vec<Details>,
    /// Duration in milliseconds.
    pub took: i64,
    pub checked_at: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub version: Option<String>,
    /// Whether single sign-on with SAML is enabled there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "bool")]
    pub saml: Option<bool>,
    /// A code for the problem. Absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "&'static str")]
    pub trouble: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(with = "String")]
    pub message: Option<String>,
}

/// A newly added instance.
#[derive(Serialize, JsonSchema)]
pub struct AddedInstance {
    pub id: String,
}

/// A started sign-in.
#[derive(Serialize, JsonSchema)]
pub struct BegunSignIn {
    /// The address to open in the system's browser.
    pub address: String,
    /// A check value that the instance shows too, for comparison.
    pub mark: String,
    /// Time limit of the sign-in in seconds.
    pub seconds: i64,
}
