//! Why a download failed, and how to solve it.

use outgoing::Fault;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Error codes of downloads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "ModelFailureKind")]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// The registry address is missing or invalid.
    NotConfigured,
    NoLicenseKey,
    KeyRefused,
    NotFound,
    /// The registry returned a permanent error.
    Refused,
    /// The registry's certificate could not be verified, or its address cannot be used.
    Unreachable,
    /// The maximum number of attempts without progress was reached.
    GaveUp,
    /// The file at the registry changed during every attempt.
    Changing,
    /// The registry returned contradictory information about the file.
    Contradiction,
    DiskFull,
    Disk,
    /// Another process is downloading the same model.
    InUse,
    /// The file does not match the expected hash.
    Mismatch,
}

/// A download error. The texts contain host names but no full addresses and no keys.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema, thiserror::Error)]
#[schemars(rename = "DownloadFailure")]
#[error("{reason} {remedy}")]
pub struct Failure {
    pub kind: Kind,
    pub reason: String,
    pub remedy: String,
}

impl Failure {
    pub fn new(kind: Kind, reason: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { kind, reason: reason.into(), remedy: remedy.into() }
    }

    pub(crate) fn disk(what: &str, cause: &std::io::Error) -> Self {
        if matches!(cause.kind(), std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded) {
            return Self::new(
                Kind::DiskFull,
                "The disk is full.",
                "Free some space or move the models folder to another volume, then resume: what came so far is kept.",
            );
        }
        Self::new(
            Kind::Disk,
            format!("{what} ({cause})."),
            "Look at the models folder and its rights, then resume.",
        )
    }

    /// `what` requires more free space on the volume of `folder` than there is.
    pub(crate) fn no_room(what: &str, needed: u64, folder: &Path, free: u64, remedy: &str) -> Self {
        let gb = |bytes: u64| format!("{}.{} GB", bytes / 1_000_000_000, bytes % 1_000_000_000 / 100_000_000);
        let (needed, free) = (gb(needed), gb(free));
        let reason =
            format!("{what} needs {needed} on the volume of {}, which has {free} free.", folder.display());
        Self::new(Kind::DiskFull, reason, remedy)
    }

    pub(crate) fn store(cause: &store::StoreError) -> Self {
        Self::new(
            Kind::Disk,
            format!("Where the download stands could not be written down ({cause})."),
            "Look at the data directory, then resume.",
        )
    }

    pub(crate) fn changing(why: &str) -> Self {
        Self::new(
            Kind::Changing,
            format!("The registry answers differently each time: {why}"),
            "Ask whoever runs the registry, or try again later.",
        )
    }
}

/// Why a request yielded less than expected.
#[derive(Debug)]
pub(crate) enum FetchError {
    /// No connection: wait for the network.
    Network(String),
    /// Connected, but no data for too long.
    Stalled(String),
    /// The response broke off, or the server reports a problem: retry a few times, after the time it asked for.
    Broken { text: String, wait: Option<std::time::Duration> },
    /// The file has changed.
    Changed(String),
    /// The whole file was sent instead of a part.
    Unranged,
    /// Retrying does not help.
    Final(Failure),
}

impl From<Fault> for FetchError {
    fn from(fault: Fault) -> Self {
        use outgoing::FaultKind as Cause;
        let text = fault.to_string();
        match fault.trouble {
            Cause::Name | Cause::Connection => Self::Network(text),
            Cause::Time => Self::Stalled(text),
            Cause::Answer => Self::Broken { text, wait: None },
            Cause::Address | Cause::Inside | Cause::Certificate | Cause::Size => Self::Final(Failure::new(
                Kind::Unreachable,
                text,
                "Correct the settings of the registry, then resume.",
            )),
        }
    }
}
