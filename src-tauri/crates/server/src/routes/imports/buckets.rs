//! `/api/imports/watched/buckets`: folders in S3, Azure Blob Storage and Google Cloud Storage whose new objects are imported automatically.

use crate::app::App;
use crate::blocking::blocking;
use crate::error::Failure;
use crate::guard::caller::PlatformAdmin;
use crate::jobs::watched_folders::{bucket, state};
use crate::rest::JsonBody;
use crate::routes::sample::check_not_sample;
use axum::Json;
use axum::extract::State;
use buckets::{Address, Credentials};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// Allowed seconds between two scans, and the default: deliveries arrive a few times a day, and listing a bucket costs money.
const EVERY: std::ops::RangeInclusive<i64> = 60..=7 * 86_400;
const USUAL: i64 = 3_600;
/// Maximum length of the credentials, bytes; the key file of a service account has some 2,300.
const LONGEST: usize = 16 << 10;

/// A bucket to watch, as entered by the user.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct NewBucket {
    address: String,
    #[serde(default)]
    endpoint: String,
    #[serde(default)]
    region: String,
    #[serde(default)]
    identity: String,
    #[serde(default)]
    secret: String,
    every_seconds: Option<i64>,
}

/// A newly watched bucket.
#[derive(Serialize, JsonSchema)]
pub struct AddedBucket {
    id: String,
    /// Number of objects currently in the bucket.
    files: usize,
}

/// POST: starts watching a folder of a bucket, after listing its objects successfully. The secret is stored encrypted and never returned.
pub async fn add(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<NewBucket>,
) -> Result<Json<AddedBucket>, Failure> {
    check_not_sample(&app, person.tenant).await?;
    let typed = body.read(
        "an object with the text `address`, and where they are needed `endpoint`, `region`, `identity`, `secret`, `every_seconds`",
    )?;
    if typed.secret.len() + typed.identity.len() > LONGEST {
        return Err(Failure::bad_request(format!(
            "The secret is longer than {LONGEST} bytes: copy it again"
        )));
    }
    let every = typed.every_seconds.unwrap_or(USUAL);
    if !EVERY.contains(&every) {
        let message = format!("`every_seconds` is {every}: expected {} to {}", EVERY.start(), EVERY.end());
        return Err(Failure::bad_request(message));
    }
    let address = Address::parse(&typed.address, &typed.endpoint, &typed.region)
        .map_err(|error| Failure::bad_request(error.to_string()))?;
    let credentials = Credentials { access_key_id: typed.identity, secret: typed.secret.into() };
    credentials.check(address.kind).map_err(|failure| Failure::bad_request(failure.to_string()))?;
    let desk = app.imports.buckets.clone();
    let source = blocking({
        let desk = desk.clone();
        move || desk.seal(address, &credentials).map_err(Failure::bad_request)
    })
    .await?;
    let opened = desk.open(&source).await.map_err(Failure::bad_request)?;
    let files = bucket::list(&opened).await.map_err(|failure| Failure::bad_request(failure.to_string()))?;
    let (store, tenant) = (app.store.clone(), person.tenant);
    let folder = blocking(move || state::watch_bucket(&store, tenant, source, every)).await?;
    Ok(Json(AddedBucket { id: folder.id.to_string(), files: files.len() }))
}
