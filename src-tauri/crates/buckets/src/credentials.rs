//! With what a bucket is opened.

use crate::address::Kind;
use crate::failure::Failure;
use zeroize::Zeroizing;

/// Credentials, as they are typed.
#[derive(Clone, Default)]
pub struct Credentials {
    /// Of S3, the id of the access key; empty elsewhere.
    pub identity: String,
    /// Of S3 the secret access key, of Azure the key of the account or a SAS token, of Google the JSON of a service account's key.
    /// Empty: those that the environment of this service has.
    pub secret: Zeroizing<String>,
}

impl Credentials {
    /// Whether the environment of the service gives them.
    pub fn are_of_machine(&self) -> bool {
        self.secret.is_empty()
    }

    /// That they are such as the service wants; a secret is never repeated.
    pub fn check(&self, kind: Kind) -> Result<(), Failure> {
        let wrong = |text: &str| Err(Failure::new(text.to_owned()));
        if self.are_of_machine() {
            return if self.identity.is_empty() {
                Ok(())
            } else {
                wrong(
                    "There is an access key id without a secret access key: type it too, or neither for those of this machine.",
                )
            };
        }
        match kind {
            Kind::S3 if self.identity.is_empty() => {
                wrong("The access key id lacks: S3 wants it beside the secret access key.")
            }
            Kind::Google if serde_json::from_str::<serde_json::Map<_, _>>(&self.secret).is_err() => wrong(
                "The secret is no JSON: Google Cloud Storage wants the whole key file of a service account.",
            ),
            _ => Ok(()),
        }
    }

    /// The parts of a SAS token, where the secret is one.
    pub(crate) fn sas(&self) -> Option<Vec<(String, String)>> {
        let token = self.secret.trim().trim_start_matches('?');
        let pairs: Vec<(String, String)> =
            url::form_urlencoded::parse(token.as_bytes()).into_owned().collect();
        pairs.iter().any(|(name, _)| name == "sig").then_some(pairs)
    }
}

/// Without the secret.
impl std::fmt::Debug for Credentials {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let secret = if self.are_of_machine() { "of this machine" } else { "…" };
        formatter
            .debug_struct("Credentials")
            .field("identity", &self.identity)
            .field("secret", &secret)
            .finish()
    }
}
