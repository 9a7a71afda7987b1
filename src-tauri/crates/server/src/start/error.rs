//! Why the service did not start.

use crate::backups::offline_restore::RecoveryOption;
use crate::data::directory::DataDirError;
use crate::data::open::OpenDataError;
use auth::AccountError;
use std::net::SocketAddr;
use std::path::PathBuf;

/// Why the service did not start.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    OpenData(#[from] OpenDataError),
    #[error(transparent)]
    DataDir(#[from] DataDirError),
    #[error("port {} is in use by another program; choose another one with --listen {}:PORT, or 0 for a free one", address.port(), address.ip())]
    PortInUse { address: SocketAddr },
    #[error("{address} cannot be listened on; choose another address with --listen")]
    Listen {
        address: SocketAddr,
        #[source]
        cause: std::io::Error,
    },
    #[error(transparent)]
    Account(#[from] AccountError),
    #[error(transparent)]
    Interface(#[from] graphql::BuildError),
    #[error("the folder of uploaded files {path} cannot be used")]
    Spool {
        path: PathBuf,
        #[source]
        cause: std::io::Error,
    },
    #[error(transparent)]
    Backup(#[from] backup::BackupError),
    #[error(
        "{cause}. The newest sound backup is {0}: `quarterdeck-server restore {0} --data-dir {data_dir}` (the program of the service, a \
             package of its own) shows what is in it and puts it back; what is there now is kept aside",
        way_out.backup
    )]
    Damaged { cause: String, way_out: RecoveryOption, data_dir: String },
    #[error("the threads that answer requests cannot be started")]
    Threads(#[source] std::io::Error),
    #[error("the service was interrupted while it started")]
    Interrupted(#[from] tokio::task::JoinError),
}
