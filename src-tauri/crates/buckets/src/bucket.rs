//! An open bucket, whose objects can be listed and read.

use crate::address::{Address, Kind};
use crate::credentials::Credentials;
use crate::failure::Failure;
use crate::wire::Wire;
use bytes::Bytes;
use futures_util::StreamExt;
use futures_util::stream::BoxStream;
use object_store::aws::AmazonS3Builder;
use object_store::azure::MicrosoftAzureBuilder;
use object_store::gcp::GoogleCloudStorageBuilder;
use object_store::path::Path;
use object_store::{BackoffConfig, ObjectMeta, ObjectStore, ObjectStoreExt, RetryConfig};
use outgoing::Outgoing;
use std::sync::Arc;
use std::time::Duration;

/// Time limit for listing.
const LISTING: Duration = Duration::from_mins(5);

/// An object, as listed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// Path below the folder of the address.
    pub name: String,
    pub size_bytes: u64,
    /// µs since 1970 UTC.
    pub modified_at: i64,
}

/// A bucket whose objects can be listed and read.
#[derive(Debug, Clone)]
pub struct Bucket {
    store: Arc<dyn ObjectStore>,
    wire: Wire,
    address: Address,
    folder: Path,
}

impl Bucket {
    /// Opens a bucket without sending a request.
    pub fn open(address: Address, credentials: &Credentials, http: Outgoing) -> Result<Self, Failure> {
        credentials.check(address.kind)?;
        let folder = Path::parse(&address.folder).map_err(|_| {
            Failure::new(format!("{} is no folder of a bucket: it has an empty part.", address.folder))
        })?;
        let wire = Wire::new(http);
        let store =
            connect(&address, credentials, &wire).map_err(|error| Failure::of(&error, &address, None))?;
        Ok(Self { store, wire, address, folder })
    }

    /// All objects below the folder; an error if there are more than `limit`. Placeholder objects of folders are skipped.
    pub async fn list(&self, limit: usize) -> Result<Vec<Object>, Failure> {
        let folder = (!self.address.folder.is_empty()).then_some(&self.folder);
        let mut list = self.store.list(folder);
        let mut objects = Vec::new();
        let listed = tokio::time::timeout(LISTING, async {
            while let Some(found) = list.next().await {
                let found = found.map_err(|error| self.failed(&error))?;
                objects.extend(self.object(&found).filter(|object| !object.name.is_empty()));
                if objects.len() > limit {
                    return Err(Failure::new(format!(
                        "{} has more than {limit} objects: name a folder in it.",
                        self.address.to_display()
                    )));
                }
            }
            Ok(())
        });
        listed.await.map_err(|_| {
            Failure::new(format!("The list of {} takes longer than five minutes.", self.address.to_display()))
        })??;
        Ok(objects)
    }

    /// Starts reading an object, by its name below the folder.
    pub async fn read(&self, name: &str) -> Result<ObjectReader, Failure> {
        let path = if self.address.folder.is_empty() {
            name.to_owned()
        } else {
            format!("{}/{name}", self.address.folder)
        };
        let path = Path::parse(path)
            .map_err(|_| Failure::new(format!("{name} is no name of an object: it has an empty part.")))?;
        let found = self.store.get(&path).await.map_err(|error| self.failed(&error))?;
        let object = self.object(&found.meta);
        let object = object.ok_or_else(|| Failure::new(format!("{name} lies outside of its folder.")))?;
        Ok(ObjectReader { object, bytes: found.into_stream(), bucket: self.clone() })
    }

    fn object(&self, meta: &ObjectMeta) -> Option<Object> {
        let whole = meta.location.as_ref();
        let below = match self.address.folder.as_str() {
            "" => whole,
            folder => whole.strip_prefix(folder)?.strip_prefix('/')?,
        };
        Some(Object {
            name: below.to_owned(),
            size_bytes: meta.size,
            modified_at: meta.last_modified.timestamp_micros(),
        })
    }

    fn failed(&self, error: &object_store::Error) -> Failure {
        Failure::of(error, &self.address, self.wire.status())
    }
}

/// An object that is being read.
pub struct ObjectReader {
    /// The object's properties when the read started.
    pub object: Object,
    bytes: BoxStream<'static, object_store::Result<Bytes>>,
    bucket: Bucket,
}

impl ObjectReader {
    /// The next bytes; `None` at the end.
    pub async fn next(&mut self) -> Result<Option<Bytes>, Failure> {
        self.bytes.next().await.transpose().map_err(|error| self.bucket.failed(&error))
    }
}

fn connect(
    address: &Address,
    credentials: &Credentials,
    wire: &Wire,
) -> object_store::Result<Arc<dyn ObjectStore>> {
    // Folders are polled repeatedly: long retries would only delay other requests.
    let retry = RetryConfig {
        backoff: BackoffConfig::default(),
        max_retries: 2,
        retry_timeout: Duration::from_secs(30),
    };
    let (machine, secret) = (credentials.is_from_environment(), credentials.secret.trim());
    Ok(match address.kind {
        Kind::S3 => {
            let mut builder = if machine { AmazonS3Builder::from_env() } else { AmazonS3Builder::new() };
            if !machine {
                builder = builder
                    .with_access_key_id(credentials.access_key_id.trim())
                    .with_secret_access_key(secret);
            }
            if let Some(endpoint) = &address.endpoint {
                builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/'));
            }
            if let Some(region) = &address.region {
                builder = builder.with_region(region);
            }
            let builder = builder.with_bucket_name(&address.bucket).with_retry(retry);
            Arc::new(builder.with_http_connector(wire.clone()).build()?)
        }
        Kind::Azure => {
            let mut builder =
                if machine { MicrosoftAzureBuilder::from_env() } else { MicrosoftAzureBuilder::new() };
            if let Some(pairs) = credentials.sas() {
                builder = builder.with_sas_authorization(pairs);
            } else if !machine {
                builder = builder.with_access_key(secret);
            }
            if let Some(endpoint) = &address.endpoint {
                builder = builder.with_endpoint(endpoint.as_str().trim_end_matches('/').to_owned());
            }
            let builder = builder.with_account(&address.account).with_container_name(&address.bucket);
            Arc::new(builder.with_retry(retry).with_http_connector(wire.clone()).build()?)
        }
        Kind::Google => {
            let mut builder = if machine {
                GoogleCloudStorageBuilder::from_env()
            } else {
                GoogleCloudStorageBuilder::new()
            };
            if !machine {
                builder = builder.with_service_account_key(secret);
            }
            if let Some(endpoint) = &address.endpoint {
                builder = builder.with_base_url(endpoint.as_str().trim_end_matches('/'));
            }
            let builder = builder.with_bucket_name(&address.bucket).with_retry(retry);
            Arc::new(builder.with_http_connector(wire.clone()).build()?)
        }
    })
}
