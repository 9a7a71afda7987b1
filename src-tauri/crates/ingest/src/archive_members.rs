//! Unpacks archives among the files of an import; their members are imported instead.
//!
//! An archive of one file is treated as that file, compressed. The members of a larger archive are separate imports, named after the archive
//! and the member; the import of the archive itself reports the result of each.

use crate::detect::{detect, is_unknown, unknown};
use crate::error::ImportError;
use crate::formats::ReadStop;
use crate::ids;
use crate::import::{File, Options};
use crate::manifest::Manifest;
use crate::open::{JsonColumns, Mappings, open};
use crate::report::{DeliveryReport, Failure, Part, Report, ReportFormat, State};
use crate::source::{self, Source};
use crate::unpack::{self, UnpackError, UnpackedArchive};
use std::collections::HashMap;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use uuid::Uuid;

/// The format id of an archive in reports.
pub const FORMAT: &str = "archive";
/// The position of the magic bytes in a tar archive.
const TAR_MAGIC: Range<usize> = 257..262;
/// Maximum number of names in a note.
const LISTED: usize = 20;

/// A file handed in, unpacked if it is an archive.
pub struct OpenedFile {
    pub kind: Kind,
    /// The temporary folder; it exists as long as this value.
    _unpacked: Option<UnpackedArchive>,
}

/// The kind of a file handed in.
pub enum Kind {
    Plain,
    /// An archive of one file.
    Single {
        path: PathBuf,
        sha256: String,
        size_bytes: u64,
        note: String,
    },
    Many(ArchiveContents),
    Refused(Box<Failure>),
    Unreadable(io::Error),
}

/// An archive of several files.
pub struct ArchiveContents {
    pub title: String,
    pub sha256: String,
    pub members: Vec<ArchiveMember>,
    /// Members that were not imported (unknown format or not a regular file), with the reason.
    pub left_out: Vec<String>,
}

/// A member of an archive that is imported.
pub struct ArchiveMember {
    pub id: Uuid,
    pub name: String,
    pub location: String,
    pub path: PathBuf,
}

/// Whether a tar archive is one document, such as a support bundle, and not several files.
fn is_document(path: &Path) -> bool {
    let Ok(mut source) = Source::open(path) else { return false };
    source
        .peek()
        .is_ok_and(|head| head.get(TAR_MAGIC).is_some_and(|magic| magic == b"ustar") && detect(head).is_ok())
}

impl OpenedFile {
    /// Unpacks a file if it is an archive.
    pub fn new(file: File<'_>) -> Self {
        let of = |kind| Self { kind, _unpacked: None };
        if is_document(file.path) {
            return of(Kind::Plain);
        }
        let unpacked = match unpack::unpack(file.path) {
            Ok(Some(unpacked)) => unpacked,
            Ok(None) => return of(Kind::Plain),
            Err(UnpackError::Refused(failure)) => return of(Kind::Refused(failure)),
            Err(UnpackError::Io(cause)) => return of(Kind::Unreadable(cause)),
        };
        let original = match file.original {
            Some((sha256, size)) => Ok((sha256.to_owned(), size)),
            None => std::fs::metadata(file.path)
                .and_then(|metadata| Ok((source::hash(file.path)?, metadata.len()))),
        };
        match original {
            Ok((sha256, size_bytes)) => {
                let kind = Self::kind(file, &unpacked, sha256, size_bytes);
                Self { kind, _unpacked: Some(unpacked) }
            }
            Err(cause) => of(Kind::Unreadable(cause)),
        }
    }

    fn kind(file: File<'_>, unpacked: &UnpackedArchive, sha256: String, size_bytes: u64) -> Kind {
        if let [member] = unpacked.members.as_slice() {
            let named = if member.name.is_empty() { String::new() } else { format!(", {},", member.name) };
            let note = format!("The file is a {}; the file in it{named} was read.", unpacked.title);
            return Kind::Single { path: member.path.clone(), sha256, size_bytes, note };
        }
        let mut members = Vec::new();
        let mut left_out: Vec<String> = unpacked.left_out.clone();
        let mut names: HashMap<&str, usize> = HashMap::new();
        for member in &unpacked.members {
            // An archive may contain two members with the same name.
            let count = names.entry(&member.name).or_default();
            *count += 1;
            let name = match *count {
                1 => member.name.clone(),
                count => format!("{} ({count})", member.name),
            };
            match what_it_is(&member.path) {
                None => members.push(ArchiveMember {
                    id: ids::derived(file.import_id, "member", &[&name]),
                    name: format!("{}/{name}", file.name),
                    location: format!("{}/{name}", file.location),
                    path: member.path.clone(),
                }),
                Some(found) => left_out.push(format!("{name} ({found})")),
            }
        }
        if members.is_empty() {
            let names = shown(&left_out);
            let found = if left_out.is_empty() {
                format!("a {} without files", unpacked.title)
            } else {
                format!("a {} of files that cannot be imported: {names}", unpacked.title)
            };
            return Kind::Refused(Box::new(unknown(&found)));
        }
        let title = format!("{} of {} files", unpacked.title, unpacked.members.len());
        Kind::Many(ArchiveContents { title, sha256, members, left_out })
    }
}

impl ArchiveContents {
    /// The report of the archive, from the reports of its members.
    pub fn report(
        &self,
        file: File<'_>,
        options: Options<'_>,
        members: &[Result<Report, ImportError>],
    ) -> Report {
        let size = std::fs::metadata(file.path).map_or(0, |at| at.len());
        let mut report = Report::of(file.name, size);
        report.sha256.clone_from(&self.sha256);
        report.format = Some(ReportFormat { id: FORMAT.to_owned(), title: self.title.clone() });
        let part = |member: &ArchiveMember| Part {
            file_name: member.name.clone(),
            is_present: true,
            size_bytes: None,
        };
        report.delivery = Some(DeliveryReport {
            id: options.delivery.to_string(),
            parts: self.members.iter().map(part).collect(),
            ..DeliveryReport::default()
        });
        for (member, result) in self.members.iter().zip(members) {
            report.notes.push(match result {
                Ok(result) => format!("{}: {}", member.name, outcome(result)),
                Err(error) => format!("{}: {error}", member.name),
            });
        }
        if !self.left_out.is_empty() {
            report.notes.push(format!("Left out: {}.", shown(&self.left_out)));
        }
        let states =
            || members.iter().map(|result| result.as_ref().map_or(State::Failed, |result| result.state));
        report.state = if states().all(|state| state == State::Unchanged) {
            State::Unchanged
        } else if states().all(|state| state == State::Failed) {
            report.error = Some(Failure {
                message: "None of the files in the archive could be imported.".to_owned(),
                looked_for: Vec::new(),
                found: report.notes.join(" "),
            });
            State::Failed
        } else if states().all(|state| matches!(state, State::Done | State::Unchanged)) {
            State::Done
        } else {
            State::DoneWithSkips
        };
        report
    }
}

/// The result of importing a file, as text.
fn outcome(report: &Report) -> String {
    let totals: Vec<String> = report
        .totals
        .iter()
        .filter_map(|total| Some(format!("{} {}", total.billed_cost.as_ref()?, total.currency)))
        .collect();
    let totals = if totals.is_empty() { String::new() } else { format!(", {}", totals.join(" and ")) };
    match (report.state, &report.error, &report.decision) {
        (State::Done | State::DoneWithSkips, ..) => {
            let skipped = match report.rows_skipped {
                0 => String::new(),
                count => format!(", {count} left out"),
            };
            format!("{} rows{skipped}{totals}", report.rows_written)
        }
        (State::Unchanged, ..) => "imported before, nothing has changed".to_owned(),
        (_, Some(error), _) => error.message.clone(),
        (State::NeedsDecision, _, Some(decision)) => format!("waits for a decision: {}", decision.question),
        (State::WaitingForParts, ..) => "waits for the other files of its run".to_owned(),
        _ => "no row could be read".to_owned(),
    }
}

/// A description of a file that no format recognises.
fn what_it_is(path: &Path) -> Option<String> {
    if matches!(Manifest::read(path), Ok(Some(_))) {
        return None;
    }
    match open(path, &JsonColumns::new(), &Mappings::default()) {
        Err(ReadStop::Refused(failure)) => Some(*failure).filter(is_unknown).map(|failure| failure.found),
        // Damaged files are reported when they are read as data.
        _ => None,
    }
}

/// Joins names; of many, only the first ones and the number of the others.
fn shown(names: &[String]) -> String {
    let first: Vec<&str> = names.iter().take(LISTED).map(String::as_str).collect();
    match names.len().saturating_sub(LISTED) {
        0 => first.join(", "),
        more => format!("{} and {more} more", first.join(", ")),
    }
}
