//! Where a download stands: as it is written down, and as people see it.

use crate::digest::{Algorithm, ExpectedDigest};
use crate::failure::{Failure, Kind};
use crate::ranges::Ranges;
use outgoing::header::{self, HeaderMap};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The steps of a download, and how it may stand still.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[schemars(rename = "DownloadState")]
#[serde(rename_all = "snake_case")]
pub enum State {
    Queued,
    Preflight,
    SpaceCheck,
    Downloading,
    /// Connected, and nothing comes.
    Stalled,
    WaitingNetwork,
    Verifying,
    Installing,
    Paused,
    Failed,
    /// The hash was wrong; the file is kept for inspection.
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

    /// Whether it goes on by itself, after a restart too.
    pub fn is_active(self) -> bool {
        !matches!(self, Self::Paused | Self::Failed | Self::Quarantined)
    }
}

/// Something a person should know of, such as a start from the beginning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Notice {
    /// µs since 1970 UTC.
    pub at: i64,
    pub text: String,
}

/// What proves that the file at the registry is still the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Validator {
    ETag(String),
    LastModified(String),
}

impl Validator {
    /// The strong ETag, else the time of the last change.
    pub fn of(headers: &HeaderMap) -> Option<Self> {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok()).map(str::to_owned);
        match text(header::ETAG).filter(|tag| tag.starts_with('"')) {
            Some(tag) => Some(Self::ETag(tag)),
            None => text(header::LAST_MODIFIED).map(Self::LastModified),
        }
    }

    /// The value of `If-Range`.
    pub fn as_str(&self) -> &str {
        match self {
            Self::ETag(text) | Self::LastModified(text) => text,
        }
    }

    /// Whether an answer says that it is of another file. One that says nothing does not.
    pub fn is_contradicted_by(&self, headers: &HeaderMap) -> bool {
        let name = match self {
            Self::ETag(_) => header::ETAG,
            Self::LastModified(_) => header::LAST_MODIFIED,
        };
        headers.get(name).is_some_and(|found| found.as_bytes() != self.as_str().as_bytes())
    }
}

/// What is written down of a download.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Record {
    pub name: String,
    pub state: State,
    /// The registry's address, without the name of the model.
    pub registry: String,
    pub size: Option<u64>,
    /// Bytes that are in the part file, safe against a power cut.
    pub done: Ranges,
    /// Since when the machine runs that wrote them: what was noted in the part file since counts as long as it does.
    pub boot: Option<String>,
    /// The most that ever was: what is shown never goes back.
    pub shown: u64,
    /// Bytes that had to be fetched a second time.
    pub again: u64,
    pub validator: Option<Validator>,
    pub expected: Vec<ExpectedDigest>,
    /// SHA-256 of the whole file, from the moment it is known: the file may have its final name and no row yet.
    pub found: Option<String>,
    pub notices: Vec<Notice>,
    /// What it waits for, while it does.
    pub trouble: Option<String>,
    pub failure: Option<Failure>,
    /// µs since 1970 UTC.
    pub started_at: i64,
    pub updated_at: i64,
}

/// More would only repeat itself.
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

    /// What came so far counts no more.
    pub fn start_over(&mut self, why: &str, now: i64) {
        let lost = self.done.total();
        if lost > 0 {
            self.again += lost;
            self.note(why, now);
        }
        self.done = Ranges::default();
        self.found = None;
    }

    /// The SHA-256 the file must have, where the registry said one.
    fn sha256(&self) -> Option<String> {
        let told = self.expected.iter().find(|told| told.algorithm == Algorithm::Sha256);
        told.map(|told| told.hex.clone())
    }

    /// The same for people; rate and time left are those of a download that runs.
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

/// A download as people see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Status {
    pub name: String,
    pub state: State,
    pub size_bytes: Option<u64>,
    /// Never goes back.
    pub bytes: u64,
    /// Bytes that had to be fetched a second time, beside `bytes`.
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
