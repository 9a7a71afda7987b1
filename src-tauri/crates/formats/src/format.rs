//! The list of formats, and what each can do.

use crate::head::Head;
use crate::sink::Sink;
use crate::{advice, alerts, bundle, kubernetes, logs, metering, metrics, opencost, security};
use std::fmt;
use std::io::Read;

/// A kind of file, and how it is read.
pub struct Format {
    /// The id of the interface, such as `trivy`.
    pub id: &'static str,
    /// The name for people, such as "Trivy report".
    pub title: &'static str,
    /// How people get such a file, in one line for the page, the command line's help and the README.
    pub source: &'static str,
    /// What it fills, in words, such as "recommendations, resources".
    pub fills: &'static str,
    /// How sure it is that the file is of this kind: 0 not at all, 100 certain. By content, never by name.
    pub certainty: fn(&Head<'_>) -> u8,
    /// Reads the whole content into records.
    pub read: fn(&mut dyn Read, &mut dyn Sink) -> Result<(), ReadError>,
}

impl fmt::Debug for Format {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Format({})", self.id)
    }
}

/// All formats of documents, in the order in which people read about them. One line a format.
pub const FORMATS: &[Format] = &[
    // clusters
    kubernetes::FORMAT,
    bundle::FORMAT,
    metering::FORMAT,
    opencost::FORMAT,
    metrics::FORMAT,
    logs::FORMAT,
    // security
    security::TRIVY,
    security::KUBE_BENCH,
    security::KUBESCAPE,
    security::PROWLER,
    security::AWS_SECURITY_HUB,
    security::POPEYE,
    security::POLARIS,
    security::CHECKOV,
    security::SARIF,
    // savings
    advice::KRR,
    // alerts
    alerts::FORMAT,
];

/// The format of a file that begins so; `None` when none is more than half sure.
pub fn recognise(head: &Head<'_>) -> Option<&'static Format> {
    let (certainty, format) = FORMATS
        .iter()
        .map(|format| ((format.certainty)(head), format))
        .max_by_key(|(certainty, _)| *certainty)?;
    (certainty > 50).then_some(format)
}

/// Why a file could not be read to its end.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    /// The file's fault. `message` says what was expected, what came and what to do.
    #[error("{message}")]
    Refused { message: String, expected: String, found: String },
    /// Whoever takes the records wants no more.
    #[error("reading was ended")]
    Ended,
    #[error("the file could not be read")]
    Io(#[from] std::io::Error),
}
