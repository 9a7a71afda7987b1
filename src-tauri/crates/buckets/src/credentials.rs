//! Credentials for a bucket.

use crate::address::Kind;
use crate::failure::Failure;
use zeroize::Zeroizing;

/// Credentials, as a user types them.
#[derive(Clone, Default)]
pub struct Credentials {
    /// The access key id (S3 only; empty otherwise).
    pub access_key_id: String,
    /// S3: the secret access key. Azure: the account key or a SAS token. Google: the JSON of a service account key. Empty: the credentials
    /// of the service's environment.
    pub secret: Zeroizing<String>,
}

impl Credentials {
    /// Whether the credentials come from the service's environment.
    pub fn is_from_environment(&self) -> bool {
        self.secret.is_empty()
    }

    /// Checks the format for this kind of service. An error message never contains the secret.
    pub fn check(&self, kind: Kind) -> Result<(), Failure> {
        let wrong = |text: &str| Err(Failure::new(text.to_owned()));
        if self.is_from_environment() {
            return if self.access_key_id.is_empty() {
                Ok(())
            } else {
                wrong(
                    "There is an access key id without a secret access key: type it too, or neither for those of this machine.",
                )
            };
        }
        match kind {
            Kind::S3 if self.access_key_id.is_empty() => {
                wrong("The access key id lacks: S3 wants it beside the secret access key.")
            }
            Kind::Google if serde_json::from_str::<serde_json::Map<_, _>>(&self.secret).is_err() => wrong(
                "The secret is no JSON: Google Cloud Storage wants the whole key file of a service account.",
            ),
            _ => Ok(()),
        }
    }

    /// The query parameters of a SAS token; `None` if the secret is not one.
    pub(crate) fn sas(&self) -> Option<Vec<(String, String)>> {
        let token = self.secret.trim().trim_start_matches('?');
        let pairs: Vec<(String, String)> =
            url::form_urlencoded::parse(token.as_bytes()).into_owned().collect();
        pairs.iter().any(|(name, _)| name == "sig").then_some(pairs)
    }
}

/// Omits the secret.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let secret = if self.is_from_environment() { "of this machine" } else { "…" };
        formatter
            .debug_struct("Credentials")
            .field("identity", &self.access_key_id)
            .field("secret", &secret)
            .finish()
    }
}
