//! Watched buckets: their stored form, and access to them.

use super::files::{FileState, Files, TOO_MANY, is_passed_over};
use crate::secrets::secret_key::SecretKey;
use buckets::{Address, Bucket, Credentials, Failure, Object};
use llm::seal;
use models::Downloads;
use outgoing::{EgressPolicy, OutgoingSettings};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The stored form of a bucket.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct BucketSource {
    pub address: Address,
    /// For S3, the id of the access key.
    pub identity: String,
    /// The secret, encrypted for this address; `None` if the credentials come from the environment of the service.
    sealed: Option<String>,
}

impl BucketSource {
    /// Whether the credentials come from the environment of the service, because no secret was entered.
    pub fn has_credentials_of_service(&self) -> bool {
        self.sealed.is_none()
    }
}

/// Access to buckets, and encryption of their secrets. Only administrators of the instance can configure buckets.
#[derive(Clone)]
pub struct BucketDesk {
    keys: Arc<SecretKey>,
    /// Provides the network settings.
    models: Downloads,
    egress: EgressPolicy,
}

impl BucketDesk {
    pub fn new(keys: Arc<SecretKey>, models: Downloads, egress: EgressPolicy) -> Self {
        Self { keys, models, egress }
    }

    /// The stored form of a bucket. Blocks the thread.
    pub fn seal(&self, address: Address, credentials: &Credentials) -> Result<BucketSource, String> {
        let seal = || {
            let sealed = seal::seal(&*self.keys, &purpose(&address), &credentials.secret, &mut rand::rng());
            sealed.map_err(|failure| failure.message)
        };
        let sealed = (!credentials.is_from_environment()).then(seal).transpose()?;
        Ok(BucketSource { address, identity: credentials.access_key_id.trim().to_owned(), sealed })
    }

    /// Opens a bucket without sending a request.
    pub async fn open(&self, source: &BucketSource) -> Result<Bucket, String> {
        let (desk, of) = (self.clone(), source.clone());
        let opened = tokio::task::spawn_blocking(move || {
            let secret = match &of.sealed {
                None => String::new(),
                Some(sealed) => seal::open(&*desk.keys, &purpose(&of.address), sealed)
                    .map_err(|failure| format!("The secret has to be typed again: {}", failure.message))?,
            };
            let credentials = Credentials { access_key_id: of.identity, secret: secret.into() };
            let way = desk.way()?.open().map_err(|fault| fault.to_string())?;
            Bucket::open(of.address, &credentials, way).map_err(|failure| failure.to_string())
        });
        opened.await.map_err(|error| error.to_string())?
    }

    fn way(&self) -> Result<OutgoingSettings, String> {
        let settings = self.models.settings().map_err(|error| {
            tracing::error!("the settings of the network cannot be read: {error}");
            "The settings of the network cannot be read; the service's log says why.".to_owned()
        })?;
        let way = settings.way().map_err(|failure| failure.to_string())?;
        Ok(OutgoingSettings { egress: self.egress.clone(), ..way })
    }
}

fn purpose(address: &Address) -> String {
    format!("quarterdeck bucket {}, {}", address.to_display(), address.secret_scope())
}

/// The objects of a bucket, as files. Skips those that would be skipped in a folder, and empty ones.
pub async fn list(bucket: &Bucket) -> Result<Files, Failure> {
    let listed = bucket.list(TOO_MANY).await?;
    let is_taken = |object: &&Object| object.size_bytes > 0 && !object.name.split('/').any(is_passed_over);
    Ok(listed.iter().filter(is_taken).map(|object| (object.name.clone(), state(object))).collect())
}

/// Whether an object is unchanged since it was listed. Times are compared in seconds, because a listing may be more precise than a response.
pub fn is_same(object: &Object, expected: &FileState) -> bool {
    let found = state(object);
    found.size_bytes == expected.size_bytes
        && found.modified_at.div_euclid(1_000_000) == expected.modified_at.div_euclid(1_000_000)
}

fn state(object: &Object) -> FileState {
    FileState {
        size_bytes: i64::try_from(object.size_bytes).unwrap_or(i64::MAX),
        modified_at: object.modified_at,
    }
}
