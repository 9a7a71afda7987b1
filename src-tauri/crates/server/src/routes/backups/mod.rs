//! `/api/backups`: takes, checks, downloads and restores backups. For platform administrators.

pub mod passphrase;
mod shown;

use crate::app::App;
use crate::backups::{BackupsError, Plan, StagedRestore};
use crate::blocking::blocking;
use crate::clock;
use crate::error::{Failure, chain};
use crate::guard::caller::PlatformAdmin;
use crate::rest::{Accepted, Alphabetical, Created, JsonBody, NoStore};
use auth::security_log::{self, Event};
use axum::body::Body;
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, NoContent, Response};
use backup::{BackupError, Manifest, Passphrase, Reason, Schedule};
use catalogue::{Caller, format_timestamptz};
use futures_util::{StreamExt, stream};
use model::tables::imports;
use model::{Read, ZonedTimestamp, row};
use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use shown::{
    AsideShown, BackupList, BackupShown, ClosedByShown, Database, RestoreBegun, RestorePreview, Since,
    TableRows,
};
use std::collections::BTreeMap;
use std::sync::Arc;
use store::{StoreError, gt};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use uuid::Uuid;

const PIECE: usize = 256 * 1024;

/// The content of the backups page.
type ListAnswer = NoStore<Alphabetical<BackupList>>;

/// The passphrase that encrypts or decrypts a backup. Omitted for unencrypted backups.
#[derive(Deserialize, JsonSchema, Default)]
#[schemars(rename = "BackupKey")]
#[serde(deny_unknown_fields)]
pub struct Key {
    passphrase: Option<String>,
}

impl Key {
    fn opening(self) -> Option<Passphrase> {
        self.passphrase.filter(|text| !text.is_empty()).map(Passphrase::for_decryption)
    }

    fn closing(self) -> Result<Option<Passphrase>, BackupError> {
        self.passphrase.filter(|text| !text.is_empty()).map(Passphrase::for_encryption).transpose()
    }
}

/// A restore request. `confirm` must be the name of this instance.
#[derive(Deserialize, JsonSchema)]
#[schemars(rename = "RestoreWish")]
#[serde(deny_unknown_fields)]
pub struct Wish {
    #[serde(flatten)]
    key: Key,
    confirm: String,
}

/// GET: the backups, the schedule, the encryption of automatic backups, data moved aside by restores, and the free disk space.
pub async fn list(State(app): State<Arc<App>>, _: PlatformAdmin) -> Result<ListAnswer, Failure> {
    listed(app).await
}

async fn listed(app: Arc<App>) -> Result<ListAnswer, Failure> {
    let list = blocking(move || {
        let Plan { schedule, saved_at, saved_by } = app.backups.service.schedule()?;
        let kept = match app.backups.service.folder.list() {
            // Reported in `troubles`; the rest of the page still works.
            Err(BackupError::NoFolder { .. }) => Vec::new(),
            kept => kept?,
        };
        let folder = app.backups.service.folder.path();
        let closed_by = app.backups.service.closed_by()?;
        Ok::<_, BackupsError>(BackupList {
            bytes: kept.iter().map(|kept| kept.bytes).sum(),
            backups: kept.iter().map(BackupShown::from).collect(),
            saved_at: saved_at.map(format_timestamptz),
            saved_by,
            next_at: schedule.next(clock::now()).map(format_timestamptz),
            schedule,
            folder: folder.display().to_string(),
            free_bytes: fs4::available_space(folder).ok(),
            database: if app.store.is_shared() { Database::Postgresql } else { Database::Sqlite },
            closes: closed_by.is_some(),
            closed_by: closed_by.map(ClosedByShown::from),
            troubles: app.backups.service.troubles()?,
            aside: app.backups.service.aside()?.iter().map(AsideShown::from).collect(),
            confirm: instance(&app)?,
        })
    });
    Ok(NoStore(Alphabetical(list.await?)))
}

/// POST: takes a backup now. Answers when it is complete and verified.
pub async fn take(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: JsonBody<Key>,
) -> Result<Created<NoStore<Alphabetical<BackupShown>>>, Failure> {
    let key = body.read("{\"passphrase\": text or nothing}")?;
    let kept = blocking(move || app.backups.service.take(Reason::ByHand, key.closing()?.as_ref())).await?;
    Ok(Created(NoStore(Alphabetical((&kept).into()))))
}

/// PUT: sets the schedule of automatic backups.
pub async fn save_schedule(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    body: JsonBody<Schedule>,
) -> Result<ListAnswer, Failure> {
    let schedule = body.read(
        "{\"every\": \"never\", \"day\" or \"week\", \"at\": minutes after midnight UTC, \"keep_days\": number, \"keep_copies\": number}",
    )?;
    if let Some(problem) = schedule.problem() {
        return Err(Failure::bad_request(problem));
    }
    let state = Arc::clone(&app);
    blocking(move || {
        let text = format!("Schedule of backups: {}", json!(schedule));
        state.backups.service.save(&Plan {
            schedule,
            saved_at: Some(clock::now()),
            saved_by: Some(person.email.clone()),
        })?;
        note(&state, &person, text)?;
        Ok::<_, BackupsError>(())
    })
    .await?;
    app.backups.schedule.look_again();
    listed(app).await
}

/// POST: uploads a backup. It is verified when it is restored.
pub async fn upload(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    body: Body,
) -> Result<Created<NoStore<Alphabetical<BackupShown>>>, Failure> {
    app.backups.service.folder.check()?;
    let name = backup::Folder::name(clock::now());
    let draft = app.backups.service.folder.path().join(format!("{name}.uploading"));
    let received = receive(&draft, body).await;
    let kept = match received {
        Ok(()) => blocking(move || app.backups.service.folder.adopt(&draft, &name, clock::now())).await,
        Err(failure) => {
            // The file is not listed, and the next attempt uses another name.
            drop(tokio::fs::remove_file(&draft).await);
            Err(failure)
        }
    };
    Ok(Created(NoStore(Alphabetical((&kept?).into()))))
}

async fn receive(draft: &std::path::Path, body: Body) -> Result<(), Failure> {
    let mut file = tokio::fs::File::from_std(backup::private::create_file(draft)?);
    let mut bytes = body.into_data_stream();
    while let Some(piece) = bytes.next().await {
        let piece = piece.map_err(|error| {
            tracing::info!("a backup did not arrive: {error}");
            Failure::bad_request("The backup did not arrive completely; nothing was kept")
        })?;
        file.write_all(&piece).await?;
    }
    Ok(file.sync_all().await?)
}

/// GET: downloads a backup.
pub async fn fetch(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(name): Path<String>,
) -> Result<Response, Failure> {
    let path = blocking(move || app.backups.service.folder.file(&name)).await?;
    let file = tokio::fs::File::open(&path).await?;
    let bytes = file.metadata().await?.len();
    let pieces = stream::try_unfold(file, |mut file| async move {
        let mut piece = vec![0; PIECE];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok::<_, std::io::Error>((read > 0).then_some((piece, file)))
    });
    let file_name = path.file_name().unwrap_or_default().to_string_lossy();
    let head = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, format!("attachment; filename=\"{file_name}\"")),
        (CONTENT_LENGTH, bytes.to_string()),
        (CACHE_CONTROL, "no-store".to_owned()),
    ];
    Ok((head, Body::from_stream(pieces)).into_response())
}

/// DELETE: removes a backup.
pub async fn remove(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    Path(name): Path<String>,
) -> Result<NoContent, Failure> {
    blocking(move || {
        app.backups.service.folder.remove(&name)?;
        note(&app, &person, format!("Backup {name} removed"))?;
        Ok::<_, BackupsError>(())
    })
    .await?;
    Ok(NoContent)
}

/// DELETE: removes data that a restore moved aside.
pub async fn forget_aside(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    Path(name): Path<String>,
) -> Result<NoContent, Failure> {
    blocking(move || {
        app.backups.service.forget_aside(&name)?;
        note(&app, &person, format!("Removed what a restore had put aside as {name}"))?;
        Ok::<_, BackupsError>(())
    })
    .await?;
    Ok(NoContent)
}

/// POST: compares a backup with the current data, and lists the changes since it was taken. Changes nothing.
pub async fn preview(
    State(app): State<Arc<App>>,
    _: PlatformAdmin,
    Path(name): Path<String>,
    body: JsonBody<Key>,
) -> Result<NoStore<Alphabetical<RestorePreview>>, Failure> {
    let key = body.read("{\"passphrase\": text or nothing}")?;
    let preview = blocking(move || {
        let kept = app.backups.service.folder.find(&name)?;
        let manifest = backup::inspect(&app.backups.service.folder.file(&name)?, key.opening().as_ref())?;
        let (rows, since, damage) = match compared(&app, &manifest) {
            Ok((rows, since)) => (Some(rows), Some(since), None),
            Err(error) if error.is_damage() => (None, None, Some(chain(&error))),
            Err(error) => return Err(error.into()),
        };
        Ok::<_, BackupsError>(RestorePreview {
            backup: (&kept).into(),
            this_version: env!("CARGO_PKG_VERSION"),
            taken_at: format_timestamptz(manifest.taken_at),
            bytes: manifest.bytes(),
            version: manifest.version,
            left_out: manifest.left_out,
            rows,
            since,
            damage,
            confirm: instance(&app)?,
        })
    });
    Ok(NoStore(Alphabetical(preview.await?)))
}

/// POST: restores a backup. Backs up the current data, unless it is damaged, unpacks and verifies the backup, and restarts the service.
pub async fn restore(
    State(app): State<Arc<App>>,
    PlatformAdmin(person): PlatformAdmin,
    Path(name): Path<String>,
    body: JsonBody<Wish>,
) -> Result<Accepted<NoStore<Alphabetical<RestoreBegun>>>, Failure> {
    let wish = body.read("{\"confirm\": the name of this instance, \"passphrase\": text or nothing}")?;
    let state = Arc::clone(&app);
    let StagedRestore { manifest, before, knows_revoked } = blocking(move || {
        let expected = instance(&state)?;
        if wish.confirm.trim() != expected {
            return Err(Failure::bad_request(format!(
                "Expected the name of this instance, {expected}, to be sure that it is meant; got {:?}",
                wish.confirm
            )));
        }
        let file = state.backups.service.folder.file(&name)?;
        let key = wish.key.opening();
        // First, because no backup is needed if the passphrase is wrong.
        backup::inspect(&file, key.as_ref())?;
        let staged = state.backups.service.stage(&file, key.as_ref())?;
        tracing::warn!(who = %person.user, backup = name, "a backup is put back");
        Ok::<_, Failure>(staged)
    })
    .await?;
    app.backups.restart.notify_one();
    Ok(Accepted(NoStore(Alphabetical(RestoreBegun {
        restarting: true,
        taken_at: format_timestamptz(manifest.taken_at),
        before: before.as_ref().ok().map(BackupShown::from),
        not_backed_up: before.err(),
        knows_revoked,
    }))))
}

/// Row counts of both, and the changes since the backup.
fn compared(app: &App, manifest: &Manifest) -> Result<(Vec<TableRows>, Since), StoreError> {
    Ok((rows(app, manifest)?, since(app, manifest.taken_at)?))
}

/// Row counts now and in the backup, for tables that have any rows.
fn rows(app: &App, manifest: &Manifest) -> Result<Vec<TableRows>, StoreError> {
    let (mut now, _) = crate::report::contents(&app.store, &Caller::system(), &Caller::system())?;
    let mut then: BTreeMap<_, _> = manifest.rows.clone();
    now.retain(|_, rows| *rows > 0);
    let tables: std::collections::BTreeSet<String> = now.keys().chain(then.keys()).cloned().collect();
    Ok(tables
        .into_iter()
        .map(|table| TableRows {
            now: now.remove(&table).unwrap_or_default(),
            then: then.remove(&table).unwrap_or_default(),
            table,
        })
        .collect())
}

row! { struct FileName from imports { file_name } }
row! { struct TenantName from tenant { name } }

/// The changes a restore would lose: files imported and changes made since then.
fn since(app: &App, taken_at: i64) -> Result<Since, StoreError> {
    app.store.snapshot(&Caller::system(), |rows| {
        let later = [gt("created_at", catalogue::ValueRef::Timestamp(taken_at))];
        let imported = imports::created_at.gt(ZonedTimestamp(taken_at));
        let files = rows.query::<FileName>().filter(imported).rows()?;
        let import_count = files.len();
        Ok(Since {
            imports: files.into_iter().take(20).map(|import| import.file_name).collect(),
            import_count,
            changes: rows.count("audit_trail", &later)?,
            security_events: rows.count("security_event", &later)?,
        })
    })
}

/// The name of this instance: that of its home tenant.
fn instance(app: &App) -> Result<String, StoreError> {
    app.store.snapshot(&Caller::system(), |rows| {
        let found = rows.find::<TenantName>(app.access.home)?;
        Ok(found.map(|tenant| tenant.name).unwrap_or_default())
    })
}

fn note(app: &App, person: &auth::Person, text: String) -> Result<(), StoreError> {
    let event = Event {
        kind: "settings_changed",
        who: Some(person.user),
        about: None::<Uuid>,
        cause: None,
        text,
        detail: Value::Null,
    };
    app.store.transaction(&Caller::system(), |rows| {
        security_log::note(rows, &event, clock::now(), &mut rand::rng())
    })
}

impl From<BackupError> for Failure {
    fn from(error: BackupError) -> Self {
        let (status, code) = match &error {
            BackupError::NoSpace { .. } => (StatusCode::INSUFFICIENT_STORAGE, "disk_full"),
            BackupError::Unknown { .. } | BackupError::NoReplacedData { .. } => {
                (StatusCode::NOT_FOUND, "not_found")
            }
            BackupError::NeedsPassphrase { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "needs_passphrase"),
            BackupError::WrongPassphrase { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "wrong_passphrase"),
            BackupError::ShortPassphrase { .. } => (StatusCode::BAD_REQUEST, "short_passphrase"),
            BackupError::NotABackup { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "not_a_backup"),
            BackupError::Damaged { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "damaged"),
            BackupError::Newer { .. } => (StatusCode::UNPROCESSABLE_ENTITY, "newer"),
            BackupError::NoFolder { .. } => (StatusCode::SERVICE_UNAVAILABLE, "no_folder"),
            BackupError::Taking { .. } | BackupError::InUse { .. } | BackupError::Begun { .. } => {
                (StatusCode::CONFLICT, "busy")
            }
            BackupError::File { cause, .. } if cause.kind() == std::io::ErrorKind::StorageFull => {
                (StatusCode::INSUFFICIENT_STORAGE, "disk_full")
            }
            BackupError::File { .. }
            | BackupError::Immovable { .. }
            | BackupError::Copy(_)
            | BackupError::Database(_)
            | BackupError::ExpireItems(_) => (StatusCode::INTERNAL_SERVER_ERROR, "backup_failed"),
        };
        tracing::warn!("{}", chain(&error));
        Self::new(status, code, chain(&error))
    }
}

impl From<BackupsError> for Failure {
    fn from(error: BackupsError) -> Self {
        match error {
            BackupsError::Backup(error) => error.into(),
            BackupsError::Store(error) => error.into(),
            error @ BackupsError::ByFile => Self::new(StatusCode::CONFLICT, "set_by_file", error.to_string()),
            error @ BackupsError::InPostgres => {
                Self::new(StatusCode::CONFLICT, "in_postgres", error.to_string())
            }
            error @ BackupsError::Lost { .. } => {
                Self::new(StatusCode::CONFLICT, "passphrase_lost", error.to_string())
            }
            error => Self::new(StatusCode::INTERNAL_SERVER_ERROR, "backup_failed", chain(&error)),
        }
    }
}
