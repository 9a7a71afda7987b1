//! `/api/sample`: sample data in a separate tenant, for trying the product.

mod budgets;

use crate::app::App;
use crate::background::registry::Kind;
use crate::blocking::blocking;
use crate::clock;
use crate::error::Failure;
use crate::guard::caller::{PlatformAdmin, SignedIn};
use crate::rest::Accepted;
use auth::Person;
use auth::sample::{self, Sample};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::NoContent;
use catalogue::Caller;
use operations::model_setup::is_platform_admin;
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::sync::Arc;
use store::StoreError;
use uuid::Uuid;

/// The state of the sample data, as visible to the caller.
#[derive(Serialize, Default, JsonSchema)]
#[schemars(rename = "SampleData")]
pub struct SampleStatus {
    /// The tenant with the sample data. Null if there is no sample data, or if the caller is not in that tenant and may not remove it.
    tenant: Option<String>,
    #[schemars(extend("enum" = ["loading", "ready", "failed", null]))]
    state: Option<&'static str>,
    /// Why loading failed.
    reason: Option<String>,
    /// Whether the caller may load and remove the sample data here.
    may_change: bool,
    /// The tenant to return to from the sample data.
    home: Option<String>,
}

/// GET: whether sample data exists, and its state.
pub async fn show(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
) -> Result<Json<SampleStatus>, Failure> {
    let _alone = app.sample.lock().await;
    standing(&app, &person).await.map(Json)
}

/// The data that is removed with the sample data.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SampleContents")]
pub struct Contents {
    rows: Vec<RowCount>,
    /// Files imported into the sample tenant in addition to the sample data, newest first.
    imported: Vec<ImportedFile>,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SampleRows")]
struct RowCount {
    /// The type of row, in the singular: `charge`.
    kind: &'static str,
    count: u64,
}

#[derive(Serialize, JsonSchema)]
#[schemars(rename = "SampleFile")]
struct ImportedFile {
    file_name: String,
    rows: i64,
}

/// GET `contents`: row counts by kind of the data that is removed with the sample, for users who may remove it or are in its tenant.
pub async fn contents(
    State(app): State<Arc<App>>,
    SignedIn(person): SignedIn,
) -> Result<Json<Contents>, Failure> {
    let _alone = app.sample.lock().await;
    if standing(&app, &person).await?.tenant.is_none() {
        return Err(Failure::new(StatusCode::NOT_FOUND, "not_found", "There is no sample data"));
    }
    let store = app.store.clone();
    let found = blocking(move || sample::contents(&store)).await?;
    let rows = found.rows.iter().map(|row| RowCount { kind: row.kind, count: row.count }).collect();
    let imported = found
        .imported
        .into_iter()
        .map(|file| ImportedFile { file_name: file.name, rows: file.rows })
        .collect();
    Ok(Json(Contents { rows, imported }))
}

/// Refuses files for the tenant of the sample data, since they would be removed with it.
pub async fn check_not_sample(app: &App, tenant: Uuid) -> Result<(), Failure> {
    let store = app.store.clone();
    match blocking(move || sample::refuses_files(&store, tenant)).await? {
        Some(why) => Err(Failure::new(StatusCode::CONFLICT, "sample_tenant", why)),
        None => Ok(()),
    }
}

/// POST: creates the tenant and queues the import of its files. If sample data exists, only missing files are queued.
pub async fn load(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
) -> Result<Accepted<Json<SampleStatus>>, Failure> {
    let _alone = app.sample.lock().await;
    let (store, user) = (app.store.clone(), person.user);
    let (found, _) =
        blocking(move || sample::find_or_create(&store, user, clock::now(), &mut rand::rng())).await?;
    // A service that was stopped in between may have left the tenant without some of its imports.
    import_lost(&app, found, &person).await?;
    Ok(Accepted(Json(standing(&app, &person).await?)))
}

/// DELETE: removes the sample data with its tenant. Sessions in it end.
pub async fn remove(
    State(app): State<Arc<App>>,
    PlatformAdmin(_): PlatformAdmin,
) -> Result<NoContent, Failure> {
    let _alone = app.sample.lock().await;
    let store = app.store.clone();
    if let Some(found) = blocking(move || sample::find(&store)).await? {
        if is_loading(&app, found).await? {
            return Err(Failure::new(
                StatusCode::CONFLICT,
                "loading",
                "The sample data is still being loaded. Remove it when that has ended",
            ));
        }
        let store = app.store.clone();
        blocking(move || sample::remove(&store)).await?;
        tracing::info!(tenant = %found.tenant, "the sample data was removed");
    }
    Ok(NoContent)
}

const LOADING: &str = "loading";
const READY: &str = "ready";
const FAILED: &str = "failed";
/// State of an import that is neither waiting nor finished.
const LOST: &str = "lost";

async fn standing(app: &Arc<App>, person: &Person) -> Result<SampleStatus, Failure> {
    let may_change = is_platform_admin(app.access.home, person.tenant, &person.roles);
    let store = app.store.clone();
    let found = blocking(move || sample::find(&store)).await?;
    let Some(found) = found.filter(|found| may_change || found.tenant == person.tenant) else {
        return Ok(SampleStatus { may_change, ..SampleStatus::default() });
    };
    let (state, reason) = state(app, found).await?;
    Ok(SampleStatus {
        tenant: Some(found.tenant.to_string()),
        state: Some(if state == LOST { FAILED } else { state }),
        reason,
        may_change,
        home: Some(app.access.home.to_string()),
    })
}

/// The imports of the sample, in the order of its files.
fn imports(found: Sample) -> impl Iterator<Item = Uuid> {
    (0..ingest::sample::FILES).map(move |place| found.import_at(place))
}

async fn is_loading(app: &App, found: Sample) -> Result<bool, Failure> {
    for import in imports(found) {
        if app.imports.queue.standing(found.tenant, import).await?.is_some() {
            return Ok(true);
        }
    }
    Ok(false)
}

/// The state of its imports, and why the first failed one failed.
async fn state(app: &Arc<App>, found: Sample) -> Result<(&'static str, Option<String>), Failure> {
    if is_loading(app, found).await? {
        return Ok((LOADING, None));
    }
    let store = app.store.clone();
    let kept = blocking(move || {
        let caller = Caller::system_for(found.tenant);
        imports(found).map(|import| crate::jobs::find(&store, &caller, import)).collect::<Result<Vec<_>, _>>()
    })
    .await?;
    for import in kept {
        let Some(import) = import else {
            return Ok((LOST, Some("The service was stopped before the sample data was loaded".to_owned())));
        };
        if import.state == FAILED {
            let report: Value =
                serde_json::from_str(&import.report).map_err(|error| Failure::fault(&error))?;
            return Ok((FAILED, report["error"]["message"].as_str().map(str::to_owned)));
        }
    }
    Ok((READY, None))
}

/// Queues the files that are neither waiting nor imported, and creates the budgets if there are none. If no file is missing, completes the data
/// that is generated after them.
async fn import_lost(app: &App, found: Sample, person: &Person) -> Result<(), Failure> {
    let now = clock::now();
    let store = app.store.clone();
    let known = blocking(move || {
        budgets::set(&store, found.tenant)?;
        let caller = Caller::system_for(found.tenant);
        let is_kept = |import| Ok(crate::jobs::find(&store, &caller, import)?.is_some());
        imports(found).map(is_kept).collect::<Result<Vec<bool>, StoreError>>()
    })
    .await?;
    let mut is_whole = true;
    for ((file, import), is_kept) in ingest::sample::files(now).into_iter().zip(imports(found)).zip(known) {
        if is_kept || app.imports.queue.standing(found.tenant, import).await?.is_some() {
            continue;
        }
        is_whole = false;
        let underway = app.jobs.begin(Kind::Import, file.name, now);
        let mut incoming = app.imports.queue.spool().receive(import).await?;
        incoming.write(file.text.as_bytes()).await?;
        let upload = incoming.finish(file.name.to_owned(), found.tenant, person.user, now).await?;
        app.imports.queue.add(upload, underway).await?;
    }
    if is_whole {
        let (store, user) = (app.store.clone(), person.user);
        blocking(move || crate::jobs::sample::complete(&store, found.tenant, user)).await?;
    }
    Ok(())
}
