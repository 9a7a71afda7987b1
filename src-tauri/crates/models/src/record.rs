//! The state of a download, as saved and as shown.

use crate::digest::{Algorithm, ExpectedDigest};
use crate::failure::{Failure, Kind};
use crate::ranges::Ranges;
use outgoing::header::{self, HeaderMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The state of a download.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DownloadState")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Queued,
    Preflight,
    SpaceCheck,
    Downloading,
    /// Connected, but no data arrives.
    Stalled,
    WaitingNetwork,
    Verifying,
    Installing,
    Paused,
    Failed,
    /// The hash did not match. The file is kept for inspection.
    Quarantined,
}

impl State {
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Queued => "queued",
            Self::Preflight => "preflight",
            Self::SpaceCheck => "space_check",
            Self::Downloading => "downloading",
            Self::Stalled => "stalled",
            Self::WaitingNetwork => "waiting_network",
            Self::Verifying => "verifying",
            Self::Installing => "installing",
            Self::Paused => "paused",
            Self::Failed => "failed",
            Self::Quarantined => "quarantined",
        }
    }

    /// Whether it continues without user action, even after a restart.
    pub fn is_active(self) -> bool {
        !matches!(self, Self::Paused | Self::Failed | Self::Quarantined)
    }
}

/// A note for the user, such as a restart from the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// µs since 1970 UTC.
    pub at: i64,
    pub text: String,
}

/// Proves that the file at the registry has not changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validator {
    ETag(String),
    LastModified(String),
}

impl Validator {
    /// The strong ETag, else the modification time.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        match text(header::ETAG).filter(|tag| tag.starts_with('"')) {
            Some(tag) => Some(Self::ETag(tag)),
            None => text(header::LAST_MODIFIED).map(Self::LastModified),
        }
    }

    /// The value for `If-Range`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::ETag(text) | Self::LastModified(text) => text,
        }
    }

    /// Whether a response is about another file. A response without the header is not.
    pub fn is_contradicted_by(&self, headers: &HeaderMap) -> bool {
        let name = match self {
            Self::ETag(_) => header::ETAG,
            Self::LastModified(_) => header::LAST_MODIFIED,
        };
        headers.get(name).is_some_and(|found| found.as_bytes() != self.as_str().as_bytes())
    }
}

/// The saved state of a download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub name: String,
    pub state: State,
    /// The registry's address, without the model's name.
    pub registry: String,
    pub size: Option<u64>,
    /// Ranges that are in the part file, safe against a power cut.
    pub done: Ranges,
    /// Identifies the boot of the machine; notes in the part file are valid only within the same boot.
    pub boot: Option<String>,
    /// Maximum progress so far: the displayed value never decreases.
    pub shown: u64,
    /// Bytes that had to be downloaded again.
    pub again: u64,
    pub validator: Option<Validator>,
    pub expected: Vec<ExpectedDigest>,
    /// SHA-256 of the whole file once it is known: the file may have its final name but no row yet.
    pub found: Option<String>,
    pub notices: Vec<Notice>,
    /// The problem it is waiting for, if any.
    pub trouble: Option<String>,
    pub failure: Option<Failure>,
    /// µs since 1970 UTC.
    pub started_at: i64,
    pub updated_at: i64,
}

/// Maximum number of notices: more would be repetitive.
const NOTICES: usize = 20;

impl Record {
    pub fn new(name: &str, registry: &str, now: i64) -> Self {
        Self {
            name: name.to_owned(),
            state: State::Queued,
            registry: registry.to_owned(),
            size: None,
            done: Ranges::default(),
            boot: None,
            shown: 0,
            again: 0,
            validator: None,
            expected: Vec::new(),
            found: None,
            notices: Vec::new(),
            trouble: None,
            failure: None,
            started_at: now,
            updated_at: now,
        }
    }

    pub fn note(&mut self, text: impl Into<String>, now: i64) {
        self.notices.push(Notice { at: now, text: text.into() });
        if self.notices.len() > NOTICES {
            self.notices.remove(0);
        }
    }

    /// Discards the progress.
    pub fn start_over(&mut self, why: &str, now: i64) {
        let lost = self.done.total();
        if lost > 0 {
            self.again += lost;
            self.note(why, now);
        }
        self.done = Ranges::default();
        self.found = None;
    }

    /// The expected SHA-256, if the registry sent one.
    fn sha256(&self) -> Option<String> {
        let told = self.expected.iter().find(|told| told.algorithm == Algorithm::Sha256);
        told.map(|told| told.hex.clone())
    }

    /// The status for users. Rate and remaining time are set only while it runs.
    pub fn status(&self) -> Status {
        let bytes = self.shown.max(self.done.total());
        Status {
            name: self.name.clone(),
            state: self.state,
            size_bytes: self.size,
            bytes: self.size.map_or(bytes, |size| bytes.min(size)),
            again_bytes: self.again,
            hashed_bytes: 0,
            rate: 0,
            seconds_left: None,
            can_resume: match self.state {
                State::Paused => true,
                State::Failed => !matches!(
                    self.failure.as_ref().map(|failure| failure.kind),
                    Some(Kind::Contradiction | Kind::Mismatch)
                ),
                _ => false,
            },
            kept_bytes: self.done.total(),
            registry: self.registry.clone(),
            sha256: self.sha256(),
            trouble: self.trouble.clone(),
            failure: self.failure.clone(),
            notices: self.notices.clone(),
            started_at: self.started_at,
            updated_at: self.updated_at,
        }
    }
}

/// The status of a download, as shown.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    pub name: String,
    pub state: State,
    pub size_bytes: Option<u64>,
    /// Never goes back.
    pub bytes: u64,
    /// Bytes downloaded again, not included in `bytes`.
    pub again_bytes: u64,
    /// How far verification is.
    pub hashed_bytes: u64,
    /// Bytes per second.
    pub rate: u64,
    pub seconds_left: Option<u64>,
    pub can_resume: bool,
    /// What a resume goes on from.
    pub kept_bytes: u64,
    /// The address of the registry it comes from; empty where it came from none.
    pub registry: String,
    /// The SHA-256 it must have, where the registry said one.
    pub sha256: Option<String>,
    /// What it waits for, while it does.
    pub trouble: Option<String>,
    pub failure: Option<Failure>,
    pub notices: Vec<Notice>,
    pub started_at: i64,
    pub updated_at: i64,
}
