//! Opens a data directory: catalogue, database, and on the first start its tenant and administrator.

use crate::clock;
use crate::data::catalogue_source::{self, SchemaError};
use crate::data::directory::{DataDir, DataDirError};
use crate::settings::Settings;
use auth::{AccountError, Tenant, signing_secret, tenancy};
use store::{DatabaseFile, MigrationStep, OpenError, Store, StoreError};

/// Why a data directory cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenDataError {
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error("the catalogue cannot be used")]
    Schema(#[from] SchemaError),
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error("what follows from changes cannot be attached to the database")]
    Following(#[source] StoreError),
    #[error("the secret that bearer tokens are signed with cannot be kept")]
    SigningSecret(#[source] StoreError),
}

/// An open data directory.
pub struct OpenData {
    pub data_dir: DataDir,
    pub store: Store,
    /// The requested tenant, otherwise the default one.
    pub tenant: Tenant,
    /// The secret that signs bearer tokens.
    pub signing_secret: String,
}

impl OpenData {
    /// Opens the data directory of the settings and its contents. `tenant` is the name of the tenant to work in; on the first start, of the tenant
    /// to create.
    pub fn open(settings: &Settings, tenant: Option<&str>) -> Result<Self, OpenDataError> {
        Self::open_in(DataDir::create(&settings.data_dir)?, settings, tenant, || (), |_| ())
    }

    /// Opens the contents of a data directory that exists. `met` is called when the database has proved usable, as far as that is possible before
    /// the catalogue is read; `progress` receives the steps of its migration.
    pub fn open_in(
        data_dir: DataDir,
        settings: &Settings,
        tenant: Option<&str>,
        met: impl FnOnce(),
        progress: impl Fn(MigrationStep) + Send + 'static,
    ) -> Result<Self, OpenDataError> {
        let catalogue = || catalogue_source::load(settings.schema.as_deref());
        let store = if let Some(address) = &settings.database {
            met();
            let store = Store::open_postgres(address, catalogue()?)?;
            match &settings.database_replica {
                Some(replica) => store.with_replica(replica)?,
                None => store,
            }
        } else {
            let file = DatabaseFile::open(&data_dir.database())?.with_progress(progress);
            met();
            Store::open_file(file, catalogue()?)?
        };
        let store = store.with_bounds(settings.limits.answer).with_slow_reads_logged(settings.slow_statement);
        // Before a secret is stored in it.
        data_dir.keep_private();
        let store = store.with_hooks(&operations::AFTER_WRITE_HOOKS).map_err(OpenDataError::Following)?;
        let tenant = tenancy::ensure(&store, tenant, clock::now(), &mut rand::rng())?;
        // Here and not only where tokens are signed: a server that starts during a long import could not store it then.
        let configured = settings.appauth_secret.as_deref();
        let signing_secret = signing_secret(&store, configured, clock::now(), &mut rand::rng())
            .map_err(OpenDataError::SigningSecret)?;
        Ok(Self { data_dir, store, tenant, signing_secret })
    }
}
