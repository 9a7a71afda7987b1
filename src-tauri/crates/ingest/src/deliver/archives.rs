//! Reports on files that are archives.

use crate::archive_members::Kind;
use crate::error::ImportError;
use crate::import::{File, Options};
use crate::report::{Report, State};
use crate::write::{Job, imports};
use catalogue::Caller;
use store::Store;

/// Creates the reports of archives.
pub(super) struct Archives<'a> {
    pub store: &'a Store,
    pub caller: &'a Caller,
    pub options: Options<'a>,
}

impl Archives<'_> {
    /// The report of a file handed in, from the reports of the files it contains.
    pub fn report(
        &self,
        file: File<'_>,
        kind: Kind,
        imported: &mut impl Iterator<Item = Result<Report, ImportError>>,
    ) -> Result<Result<Report, ImportError>, ImportError> {
        let mut next = || imported.next().unwrap_or(Err(ImportError::Cancelled));
        match kind {
            Kind::Plain => Ok(next()),
            Kind::Single { sha256, note, .. } => {
                let result = next().map(|mut report| {
                    report.notes.push(note);
                    report
                });
                let is_kept = result
                    .as_ref()
                    .is_ok_and(|report| !matches!(report.state, State::Failed | State::Unchanged));
                if is_kept && file.original.is_none() {
                    self.store_file(file, &sha256);
                }
                Ok(result)
            }
            Kind::Many(contents) => {
                let members: Vec<_> = contents.members.iter().map(|_| next()).collect();
                let mut report = contents.report(file, self.options, &members);
                self.save(file, &report)?;
                if report.state != State::Failed && file.original.is_none() {
                    self.store_file(file, &report.sha256);
                }
                let is_waiting = |result: &Result<Report, _>| {
                    result.as_ref().is_ok_and(|result| result.state == State::NeedsDecision)
                };
                if members.iter().any(is_waiting) {
                    // For the caller's result only: the stored import of the archive itself does not wait.
                    report.state = State::NeedsDecision;
                }
                Ok(Ok(report))
            }
            Kind::Refused(failure) => {
                let size = std::fs::metadata(file.path).map_or(0, |at| at.len());
                let report = Report { error: Some(*failure), ..Report::of(file.name, size) };
                self.save(file, &report)?;
                Ok(Ok(report))
            }
            Kind::Unreadable(cause) => Ok(Err(ImportError::Read { path: file.path.to_owned(), cause })),
        }
    }

    fn save(&self, file: File<'_>, report: &Report) -> Result<(), ImportError> {
        if self.options.dry_run {
            return Ok(());
        }
        let now = (self.options.clock)();
        let job = Job {
            tenant: self.caller.tenant().ok_or(ImportError::NoTenant)?,
            import: file.import_id,
            user: self.caller.user,
            owner: self.options.owner,
            now,
            delivery: self.options.delivery,
        };
        Ok(self.store.transaction(self.caller, |rows| imports::finish(rows, &job, report, now, 0))?)
    }

    fn store_file(&self, file: File<'_>, sha256: &str) {
        if let Some(archive) = self.options.archive.filter(|_| !self.options.dry_run) {
            archive.store(file.path, sha256);
        }
    }
}
