//! Opens the contents of the data directory at start, before the service listens.

use crate::app::ModelState;
use crate::background::language_models::LanguageModels;
use crate::background::notices::NoticeDesk;
use crate::background::registry::JobRegistry;
use crate::background::tickets::TicketDesk;
use crate::backups::BackupService;
use crate::clock;
use crate::data::directory::{DATABASE, DataDir};
use crate::data::engine;
use crate::data::open::OpenData;
use crate::error::chain;
use crate::guard::login_tokens::LocalUser;
use crate::jobs::operations::ImportsHandler;
use crate::jobs::watched_folders::bucket::BucketDesk;
use crate::jobs::{ImportState, Jobs, SharedQueue, Spool};
use crate::metrics::Metrics;
use crate::secrets::model_secrets;
use crate::secrets::secret_key::SecretKey;
use crate::settings::Settings;
use crate::start::error::StartError;
use auth::{Signer, tenancy};
use std::sync::Arc;
use std::time::Duration;
use store::MigrationStep;
use tokio::sync::oneshot;

/// How long to wait for other processes to close a database that a restore replaces: the process before a restart may still be ending.
const CLOSE_WITHIN: Duration = Duration::from_secs(30);

/// The components that are opened at start.
pub struct ServiceParts {
    pub data: OpenData,
    pub administrator: LocalUser,
    pub engine: graphql::Engine,
    pub signer: Signer,
    pub imports: ImportState,
    pub backups: BackupService,
    pub models: ModelState,
    pub tickets: TicketDesk,
    pub notices: NoticeDesk,
    pub jobs: JobRegistry,
    pub metrics: Arc<Metrics>,
    pub key: Arc<SecretKey>,
}

/// Opens all components of the service. Blocks the thread.
///
/// `opened` is notified when the database has been opened, `progress` receives the steps of its migration. Links in messages begin with `base_url`.
pub fn open(
    data_dir: DataDir,
    settings: &Settings,
    base_url: &str,
    opened: Option<oneshot::Sender<()>>,
    progress: impl Fn(MigrationStep) + Send + 'static,
) -> Result<ServiceParts, StartError> {
    let replaced = backup::finish(data_dir.path(), DATABASE, &settings.backups.folder, CLOSE_WITHIN)?;
    if let Some(replaced) = replaced {
        tracing::info!(aside = %replaced.previous_files.display(), "a backup was put back; what was there before is kept aside");
        for place in replaced.left {
            tracing::warn!(place = %place.display(), "this could not be moved aside and is where it was");
        }
    }
    let met = || {
        if let Some(opened) = opened {
            // The receiver may be gone.
            let _ = opened.send(());
        }
    };
    let data = OpenData::open_in(data_dir, settings, None, met, progress)?;
    let jobs = JobRegistry::default();
    let key = Arc::new(SecretKey::of(data.data_dir.path(), settings.is_desktop));
    let backups =
        BackupService::new(data.store.clone(), data.data_dir.path(), &settings.backups, Arc::clone(&key))
            .with_registry(&jobs);
    clock::set_ahead(data.store.clock_ahead());
    let archive = ingest::Archive::new(data.data_dir.imports(), settings.importing.kept_bytes);
    let archive = Arc::new(archive.shared_by(&data.store));
    let common = data
        .store
        .is_shared()
        .then(|| SharedQueue::new(data.store.clone(), Arc::clone(&archive), data.data_dir.path(), base_url));
    let incoming = data.data_dir.incoming();
    let queue = Spool::open(incoming.clone())
        .and_then(|spool| {
            Jobs::start(
                data.store.clone(),
                spool,
                Arc::clone(&archive),
                settings.importing.most_lower,
                &jobs,
                common,
            )
        })
        .map_err(|cause| StartError::Spool { path: incoming, cause })?;
    let models = open_models(&data, settings, Arc::clone(&key));
    let tickets = TicketDesk::new(
        data.store.clone(),
        Arc::clone(&key),
        models.clone(),
        settings.egress.clone(),
        data.tenant.id,
    );
    let notices = NoticeDesk::new(
        data.store.clone(),
        Arc::clone(&key),
        models.clone(),
        settings.egress.clone(),
        data.tenant.id,
        base_url,
    );
    let buckets = BucketDesk::new(Arc::clone(&key), models.clone(), settings.egress.instance.clone());
    let providers = llm::Providers::new(data.store.clone(), settings.providers.clone(), clock::now)
        .with_keys(key.clone())
        .with_downloads(models.clone());
    let chat: Arc<dyn operations::Models> = Arc::new(LanguageModels(providers.clone()));
    let engine = engine::over(data.store.clone(), settings)?;
    let imports = ImportsHandler {
        store: data.store.clone(),
        archive: Arc::clone(&archive),
        most_lower: settings.importing.most_lower,
    };
    let operations = operations::all(
        providers.clone(),
        Arc::clone(&chat),
        Arc::new(tickets.clone()),
        Arc::new(notices.clone()),
        Arc::new(imports),
    );
    let metrics = Arc::new(Metrics::default());
    let engine = engine
        .with_operations(operations)?
        .with_limits(settings.limits.request)
        .with_observer(Arc::clone(&metrics.graphql) as Arc<dyn graphql::Observer>);
    let signer = Signer::new(&data.signing_secret);
    auth::saml::warm_up();
    let administrator = LocalUser { user: tenancy::administrator(&data.store)?, tenant: data.tenant.id };
    Ok(ServiceParts {
        data,
        administrator,
        engine,
        signer,
        imports: ImportState { queue, archive, most_lower: settings.importing.most_lower, buckets },
        backups,
        models: ModelState { downloads: models, providers, chat },
        tickets,
        notices,
        jobs,
        metrics,
        key,
    })
}

/// The models, including downloads that were interrupted when an earlier service ended. Errors are logged and do not prevent the start.
fn open_models(data: &OpenData, settings: &Settings, key: Arc<SecretKey>) -> models::Downloads {
    let models = model_secrets::downloads(data, settings, key);
    if let Err(failure) = models.put_secrets_away() {
        tracing::warn!("secrets of models stay in the database as they are: {failure}");
    }
    match models.library().map_err(models::LibraryError::from).and_then(|library| library.sweep(clock::now()))
    {
        Ok(0) => {}
        Ok(bytes) => tracing::info!(bytes, "files of models that nothing refers to were removed"),
        Err(error) => tracing::warn!("the models folder cannot be tidied: {}", chain(&error)),
    }
    if let Err(error) = models.restore() {
        tracing::error!("downloads of models cannot be taken up again: {}", chain(&error));
    }
    models
}
