//! Manifests: files in an export that list the data files of one run.
//!
//! Three kinds are supported: Azure cost exports (`manifest.json`: `manifestVersion`, `blobs`, `runInfo`), AWS Data Exports
//! (`dataFiles`, `exportArn`, `executionId`) and AWS Cost and Usage Reports (`reportKeys`, `assemblyId`).

mod aws;
mod azure;
mod matching;

use crate::report::{ManifestReport, Part as PartReport};
use crate::source::Source;
use catalogue::{format_timestamp, parse_timestamp};
use serde_json::Value;
use std::io::{self, Read};
use std::path::Path;

pub use matching::{FileLocation, find_part};

/// The format id of a manifest in reports.
pub const FORMAT: &str = "manifest";
/// Maximum size: a manifest contains names of files and columns; a longer file is something else.
const MOST_BYTES: u64 = 32 << 20;

/// The kind of export a manifest belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Azure,
    AwsExport,
    AwsCur,
}

/// One run of an export, from its manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Manifest {
    pub kind: Kind,
    /// Identifies the export and billing period; the same for all runs.
    pub export: String,
    pub run_id: String,
    /// When the run was submitted, µs since 1970 UTC; `None` when the manifest does not state it.
    pub submitted_at: Option<i64>,
    /// The billing period as display text.
    pub period: Option<String>,
    pub parts: Vec<Part>,
}

/// A file that a manifest lists.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// Its path in the container or bucket.
    pub path: String,
    /// Its stored size, if the manifest states it.
    pub bytes: Option<u64>,
}

impl Kind {
    const ALL: [Self; 3] = [Self::Azure, Self::AwsExport, Self::AwsCur];

    /// The name used in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Azure => "azure",
            Self::AwsExport => "aws_export",
            Self::AwsCur => "aws_cur",
        }
    }

    /// The display name.
    pub fn title(self) -> &'static str {
        match self {
            Self::Azure => "Manifest of an Azure cost export",
            Self::AwsExport => "Manifest of an AWS data export",
            Self::AwsCur => "Manifest of an AWS Cost and Usage Report",
        }
    }
}

impl Manifest {
    /// Reads a file, compressed or not; `None` when it is not a manifest.
    pub fn read(path: &Path) -> io::Result<Option<Self>> {
        if !path.is_file() {
            return Ok(None);
        }
        let mut source = Source::open(path)?;
        // A damaged file is reported when it is read as data.
        let Ok(head) = source.peek() else { return Ok(None) };
        let text = head.strip_prefix(b"\xef\xbb\xbf").unwrap_or(head).trim_ascii_start();
        if !text.starts_with(b"{") {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        let read = source.take(MOST_BYTES + 1).read_to_end(&mut bytes);
        if read.is_err() || bytes.len() as u64 > MOST_BYTES {
            return Ok(None);
        }
        Ok(Self::parse(bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&bytes)))
    }

    /// Parses a JSON document; `None` when it is not a manifest or lists no files.
    pub fn parse(json: &[u8]) -> Option<Self> {
        let document: Value = serde_json::from_slice(json).ok()?;
        let manifest = azure::parse(&document).or_else(|| aws::parse(&document))?;
        (!manifest.parts.is_empty()).then_some(manifest)
    }

    /// The manifest that a report describes.
    pub fn of_report(manifest: &ManifestReport, parts: &[PartReport]) -> Option<Self> {
        Some(Self {
            kind: Kind::ALL.into_iter().find(|kind| kind.name() == manifest.kind)?,
            export: manifest.export.clone(),
            run_id: manifest.run_id.clone(),
            submitted_at: manifest.submitted_at.as_deref().and_then(parse_timestamp),
            period: manifest.period.clone(),
            parts: parts
                .iter()
                .map(|part| Part { path: part.file_name.clone(), bytes: part.size_bytes })
                .collect(),
        })
    }

    /// The description of the manifest in a report.
    pub fn report(&self, file_name: &str) -> ManifestReport {
        ManifestReport {
            kind: self.kind.name().to_owned(),
            file_name: file_name.to_owned(),
            run_id: self.run_id.clone(),
            submitted_at: self.submitted_at.map(|at| format!("{}Z", format_timestamp(at))),
            period: self.period.clone(),
            export: self.export.clone(),
        }
    }

    /// Whether both belong to the same run.
    pub fn is_same_run(&self, other: &Self) -> bool {
        self.kind == other.kind && self.export == other.export && self.run_id == other.run_id
    }
}

/// The non-empty string under a key.
fn text(object: &Value, name: &str) -> Option<String> {
    object.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The date part of a timestamp, `2026-06-01`.
fn day(time: &str) -> &str {
    time.split(['T', ' ']).next().unwrap_or(time)
}

#[cfg(test)]
mod tests {
    use super::*;

    const AZURE: &str = r#"{"manifestVersion":"2024-04-01","blobCount":2,
        "blobs":[{"blobName":"root/20260601-20260630/run-1/part_0_0001.csv.gz","byteCount":915,"dataRowCount":5},
                 {"blobName":"root/20260601-20260630/run-1/part_1_0001.csv","byteCount":10}],
        "exportConfig":{"exportName":"daily","resourceId":"/subscriptions/0/exports/daily","type":"FocusCost"},
        "runInfo":{"runId":"run-1","submittedTime":"2026-07-02T07:02:45.9876543Z",
                   "startDate":"2026-06-01T00:00:00","endDate":"2026-06-30T00:00:00Z"}}"#;

    #[test]
    fn an_azure_manifest_names_its_files_and_its_run() {
        let manifest = Manifest::parse(AZURE.as_bytes()).unwrap();
        assert_eq!((manifest.kind, manifest.run_id.as_str()), (Kind::Azure, "run-1"));
        assert_eq!(manifest.export, "/subscriptions/0/exports/daily 2026-06-01");
        assert_eq!(manifest.period.as_deref(), Some("2026-06-01 to 2026-06-30"));
        assert_eq!(
            manifest.submitted_at.map(format_timestamp).as_deref(),
            Some("2026-07-02T07:02:45.987654")
        );
        let parts: Vec<_> = manifest.parts.iter().map(|part| (part.path.as_str(), part.bytes)).collect();
        assert_eq!(
            parts,
            [
                ("root/20260601-20260630/run-1/part_0_0001.csv.gz", Some(915)),
                ("root/20260601-20260630/run-1/part_1_0001.csv", Some(10))
            ]
        );
        let later = AZURE.replace("2026-06-30T", "2026-06-15T").replace("run-1\",\"sub", "run-0\",\"sub");
        assert_eq!(Manifest::parse(later.as_bytes()).unwrap().export, manifest.export);
    }

    #[test]
    fn manifests_of_aws_name_their_files() {
        let export = r#"{"exportArn":"arn:aws:bcm-data-exports:us-east-1:1:export/focus",
            "executionId":"2024-09-10T11:44:33.000Z-0b","dataFiles":["s3://b/p/data/BILLING_PERIOD=2024-09/f-00001.csv.gz"]}"#;
        let manifest = Manifest::parse(export.as_bytes()).unwrap();
        assert_eq!((manifest.kind, manifest.period.as_deref()), (Kind::AwsExport, Some("2024-09")));
        assert_eq!(manifest.parts[0].path, "p/data/BILLING_PERIOD=2024-09/f-00001.csv.gz");
        assert_eq!(manifest.submitted_at.map(format_timestamp).as_deref(), Some("2024-09-10T11:44:33"));
        let report = r#"{"assemblyId":"20240105T080910Z","account":"1","reportName":"cur","reportKeys":["a/cur-1.csv.gz"],
            "billingPeriod":{"start":"20240101T000000.000Z","end":"20240201T000000.000Z"}}"#;
        let manifest = Manifest::parse(report.as_bytes()).unwrap();
        assert_eq!((manifest.kind, manifest.period.as_deref()), (Kind::AwsCur, Some("2024-01")));
        assert_eq!(manifest.submitted_at.map(format_timestamp).as_deref(), Some("2024-01-05T08:09:10"));
        let unknown = report.replace("20240105T080910Z", "123e4567-e89b-12d3-a456-426614174000");
        assert_eq!(Manifest::parse(unknown.as_bytes()).unwrap().submitted_at, None);
    }

    #[test]
    fn other_documents_are_no_manifests() {
        for json in ["{}", "[]", "{\"blobs\":[]}", "{\"assemblyId\":\"a\",\"reportKeys\":[]}", "{\"blobs\":"]
        {
            assert_eq!(Manifest::parse(json.as_bytes()), None, "{json}");
        }
    }
}
