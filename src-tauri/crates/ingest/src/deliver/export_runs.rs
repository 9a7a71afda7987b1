//! Assigns files to export runs, lets incomplete runs wait, and writes complete ones.

use super::Reports;
use crate::archive::Archive;
use crate::error::ImportError;
use crate::import::{self, ExportRun, File, Options, Progress};
use crate::manifest::{FORMAT, FileLocation, Manifest, find_part};
use crate::report::{DeliveryReport, Part, Report, ReportFormat, State};
use crate::source;
use crate::write::export_imports::{self, ExportImport, RunState};
use crate::write::{Job, imports};
use catalogue::Caller;
use std::path::PathBuf;
use store::Store;
use uuid::Uuid;

/// Assigns files to the export runs that they are parts of.
pub(super) struct ExportRuns<'a> {
    pub store: &'a Store,
    pub caller: &'a Caller,
    pub files: &'a [File<'a>],
    pub options: Options<'a>,
    pub tenant: Uuid,
}

/// An export run that some of the files belong to.
pub(super) struct Run {
    manifest: Manifest,
    /// The import of its manifest.
    head: ManifestImport,
    /// The files handed in that are parts: (file index, part index).
    given: Vec<(usize, usize)>,
    /// Files handed in again: the manifest or a part that is stored already.
    already_stored: Vec<usize>,
}

/// The import of a manifest.
struct ManifestImport {
    /// Its index among the files handed in, if it is one of them.
    file: Option<usize>,
    import: Uuid,
    name: String,
    size_bytes: u64,
    sha256: String,
}

/// A part of a run that is available.
enum AvailablePart<'s> {
    /// One of the files of this import.
    Given(usize),
    /// Waiting to be written, with its bytes in the archive.
    Waiting(&'s ExportImport, PathBuf),
    Stored(&'s ExportImport),
}

impl ExportRuns<'_> {
    /// The runs whose manifest or parts are among the files, newest first.
    pub fn runs(&self) -> Result<Vec<Run>, ImportError> {
        let mut runs: Vec<Run> = Vec::new();
        let mut manifests = Vec::new();
        for (place, file) in self.files.iter().enumerate() {
            // An unreadable file fails when it is read as data, without affecting the others.
            let read = Manifest::read(file.path).unwrap_or_default();
            manifests.extend(read.map(|manifest| (place, manifest)));
        }
        let exports: Vec<String> = manifests.iter().map(|(_, manifest)| manifest.export.clone()).collect();
        let stored = self.store.snapshot(self.caller, |rows| export_imports::find(rows, &exports))?;
        for head in stored.iter().filter(|row| row.is_manifest && row.state != RunState::Gone) {
            let is_new = !runs.iter().any(|run| run.manifest.is_same_run(&head.manifest));
            let is_asked = head.state == RunState::Waiting
                || manifests.iter().any(|(_, manifest)| manifest.is_same_run(&head.manifest));
            if is_new && is_asked {
                runs.push(Run {
                    manifest: head.manifest.clone(),
                    head: ManifestImport {
                        file: None,
                        import: head.id,
                        name: head.name.clone(),
                        size_bytes: head.size_bytes,
                        sha256: head.sha256.clone(),
                    },
                    given: Vec::new(),
                    already_stored: Vec::new(),
                });
            }
        }
        let are_manifests: Vec<usize> = manifests.iter().map(|(place, _)| *place).collect();
        for (place, manifest) in manifests {
            if let Some(run) = runs.iter_mut().find(|run| run.manifest.is_same_run(&manifest)) {
                run.already_stored.push(place);
            } else {
                let head = self.manifest_import(place)?;
                runs.push(Run { manifest, head, given: Vec::new(), already_stored: Vec::new() });
            }
        }
        for place in (0..self.files.len()).filter(|place| !are_manifests.contains(place)) {
            let Some((run, part)) = self.part(place, &runs, &stored) else { continue };
            if runs[run].given.iter().any(|(_, other)| *other == part) {
                runs[run].already_stored.push(place);
            } else {
                runs[run].given.push((place, part));
            }
        }
        runs.retain(|run| run.head.file.is_some() || !run.given.is_empty() || !run.already_stored.is_empty());
        runs.sort_by_key(|run| std::cmp::Reverse(run.manifest.submitted_at));
        Ok(runs)
    }

    fn manifest_import(&self, place: usize) -> Result<ManifestImport, ImportError> {
        let file = self.files[place];
        let hash = source::hash(file.path);
        Ok(ManifestImport {
            file: Some(place),
            import: file.import_id,
            name: file.name.to_owned(),
            size_bytes: self.size(place),
            sha256: hash.map_err(|cause| ImportError::Read { path: file.path.to_owned(), cause })?,
        })
    }

    fn size(&self, place: usize) -> u64 {
        let file = self.files[place];
        let original = file.original.map(|(_, size)| size);
        original.unwrap_or_else(|| std::fs::metadata(file.path).map_or(0, |at| at.len()))
    }

    /// The run and part of a file: from its earlier import, otherwise by path and size.
    fn part(&self, place: usize, runs: &[Run], stored: &[ExportImport]) -> Option<(usize, usize)> {
        let file = self.files[place];
        if let Some(row) = stored.iter().find(|row| row.id == file.import_id) {
            let run = runs.iter().position(|run| run.manifest.is_same_run(&row.manifest))?;
            let path = row.part.as_ref()?;
            let part = runs[run].manifest.parts.iter().position(|part| part.path == *path)?;
            return Some((run, part));
        }
        let manifests: Vec<&Manifest> = runs.iter().map(|run| &run.manifest).collect();
        find_part(&manifests, FileLocation { path: file.location, bytes: self.size(place) })
    }

    /// Imports a complete run; otherwise its available parts wait.
    pub fn import_run(&self, run: &Run, reports: &mut Reports) -> Result<(), ImportError> {
        let export = std::slice::from_ref(&run.manifest.export);
        let stored = self.store.snapshot(self.caller, |rows| export_imports::find(rows, export))?;
        let others: Vec<&ExportImport> = stored
            .iter()
            .filter(|row| {
                row.manifest.export == run.manifest.export && row.manifest.kind == run.manifest.kind
            })
            .filter(|row| row.id != run.head.import)
            .filter(|row| !run.given.iter().any(|(file, _)| self.files[*file].import_id == row.id))
            .collect();
        let (of_run, of_others): (Vec<&ExportImport>, Vec<&ExportImport>) =
            others.into_iter().partition(|row| row.manifest.is_same_run(&run.manifest));
        for file in &run.already_stored {
            reports[*file] = Some(Ok(self.report_already_stored(run, *file)?));
        }
        let is_newer = |row: &&&ExportImport| {
            let times = (row.manifest.submitted_at, run.manifest.submitted_at);
            matches!(times, (Some(its), Some(own)) if its > own)
        };
        let in_force = |row: &&&ExportImport| row.state == RunState::InForce && !row.is_manifest;
        if let Some(newer) = of_others.iter().filter(in_force).find(is_newer) {
            return self.report_superseded(run, &of_run, &newer.manifest, reports);
        }
        let available = self.available_parts(run, &of_run)?;
        if available.iter().any(Option::is_none) {
            return self.wait(run, &available, reports);
        }
        let is_older = |row: &&&ExportImport| {
            let times = (row.manifest.submitted_at, run.manifest.submitted_at);
            matches!(times, (Some(its), Some(own)) if its < own)
        };
        let older: Vec<&ExportImport> = of_others.iter().filter(is_older).copied().collect();
        self.complete(run, &available, &older, reports)
    }

    /// For each part of the run, where it is available; `None` when it is missing.
    fn available_parts<'s>(
        &self,
        run: &Run,
        of_run: &[&'s ExportImport],
    ) -> Result<Vec<Option<AvailablePart<'s>>>, ImportError> {
        let parts = run.manifest.parts.iter().enumerate();
        parts
            .map(|(part, named)| {
                if let Some((file, _)) = run.given.iter().find(|(_, given)| *given == part) {
                    return Ok(Some(AvailablePart::Given(*file)));
                }
                let same = || of_run.iter().filter(|row| row.part.as_deref() == Some(named.path.as_str()));
                if let Some(row) = same().find(|row| row.state == RunState::InForce) {
                    return Ok(Some(AvailablePart::Stored(row)));
                }
                for row in same().filter(|row| row.state == RunState::Waiting) {
                    let path = self.options.archive.map(|archive| archive.find(&row.sha256)).transpose()?;
                    if let Some(path) = path.flatten() {
                        return Ok(Some(AvailablePart::Waiting(row, path)));
                    }
                }
                Ok(None)
            })
            .collect()
    }

    /// Writes a complete run as one delivery.
    fn complete(
        &self,
        run: &Run,
        available: &[Option<AvailablePart<'_>>],
        older: &[&ExportImport],
        reports: &mut Reports,
    ) -> Result<(), ImportError> {
        let mut files: Vec<File<'_>> = Vec::new();
        let mut part_of = Vec::new();
        let mut own = Vec::new();
        let cancelled = self.files.first().map(|file| file.progress.cancelled);
        for (part, available) in available.iter().enumerate() {
            match (available, cancelled) {
                (Some(AvailablePart::Given(file)), _) => {
                    files.push(self.files[*file]);
                    part_of.push(part);
                }
                (Some(AvailablePart::Waiting(row, path)), Some(cancelled)) => {
                    files.push(File {
                        import_id: row.id,
                        name: &row.name,
                        location: &row.name,
                        path,
                        original: Some((&row.sha256, row.size_bytes)),
                        forms: Some(row.report.forms.or(self.options.forms)),
                        answers: &row.report.answers,
                        progress: Progress { on_progress: &|_, _| {}, cancelled },
                    });
                    part_of.push(part);
                }
                (Some(AvailablePart::Stored(row)), _) => own.push(row.id),
                (None | Some(AvailablePart::Waiting(..)), _) => {}
            }
        }
        let in_force = older.iter().filter(|row| row.state == RunState::InForce && !row.is_manifest);
        let export_run = ExportRun {
            job: self.job(run.head.import),
            report: self.head_report(run, State::Done, |_| true),
            manifest: &run.manifest,
            part_of,
            older: in_force.map(|row| row.id).collect(),
            own,
        };
        let imported = import::deliver(self.store, self.caller, &files, self.options, Some(&export_run))?;
        let is_done = imported.manifest.as_ref().is_some_and(|report| report.state != State::WaitingForParts);
        for (file, report) in files.iter().zip(imported.files) {
            let given = self.files.iter().position(|given| given.import_id == file.import_id);
            if let Some(place) = given {
                reports[place] = Some(report);
            }
        }
        if let (Some(place), Some(report)) = (run.head.file, imported.manifest) {
            self.store_bytes(place, &report);
            reports[place] = Some(Ok(report));
        }
        if is_done {
            for row in older.iter().filter(|row| row.state == RunState::Waiting) {
                self.save(row.id, &superseded(row.report.clone(), &run.manifest))?;
            }
        }
        Ok(())
    }

    /// Reports that parts are missing; the available parts wait.
    fn wait(
        &self,
        run: &Run,
        available: &[Option<AvailablePart<'_>>],
        reports: &mut Reports,
    ) -> Result<(), ImportError> {
        let is_present = |part: usize| available[part].is_some();
        let head = self.head_report(run, State::WaitingForParts, is_present);
        let delivery = head.delivery.clone();
        self.save(run.head.import, &head)?;
        if let Some(place) = run.head.file {
            self.store_bytes(place, &head);
            reports[place] = Some(Ok(head));
        }
        for (part, available) in available.iter().enumerate() {
            let part = run.manifest.parts[part].path.clone();
            let delivery = delivery.clone().map(|delivery| DeliveryReport { part: Some(part), ..delivery });
            match available {
                Some(AvailablePart::Given(file)) => {
                    let report = Report {
                        state: State::WaitingForParts,
                        delivery,
                        ..import::recognised(self.store, self.caller, self.files[*file], self.options)?
                    };
                    self.store_bytes(*file, &report);
                    self.save(self.files[*file].import_id, &report)?;
                    reports[*file] = Some(Ok(report));
                }
                Some(AvailablePart::Waiting(row, _)) => {
                    self.save(row.id, &Report { delivery, ..row.report.clone() })?;
                }
                Some(AvailablePart::Stored(_)) | None => {}
            }
        }
        Ok(())
    }

    /// A newer run is current: nothing of this run is written.
    fn report_superseded(
        &self,
        run: &Run,
        of_run: &[&ExportImport],
        newer: &Manifest,
        reports: &mut Reports,
    ) -> Result<(), ImportError> {
        let head = superseded(self.head_report(run, State::Unchanged, |_| true), newer);
        self.save(run.head.import, &head)?;
        for (file, part) in &run.given {
            let report = import::recognised(self.store, self.caller, self.files[*file], self.options)?;
            let mut delivery = head.delivery.clone();
            if let Some(delivery) = &mut delivery {
                delivery.part = Some(run.manifest.parts[*part].path.clone());
            }
            let report = superseded(Report { delivery, ..report }, newer);
            self.store_bytes(*file, &report);
            self.save(self.files[*file].import_id, &report)?;
            reports[*file] = Some(Ok(report));
        }
        for row in of_run.iter().filter(|row| row.state == RunState::Waiting) {
            self.save(row.id, &superseded(row.report.clone(), newer))?;
        }
        if let Some(place) = run.head.file {
            self.store_bytes(place, &head);
            reports[place] = Some(Ok(head));
        }
        Ok(())
    }

    /// The report of a file that is stored already.
    fn report_already_stored(&self, run: &Run, place: usize) -> Result<Report, ImportError> {
        let file = self.files[place];
        let mut report = import::recognised(self.store, self.caller, file, self.options)?;
        report.state = State::Unchanged;
        if report.format.is_none() {
            report.format = Some(manifest_format(run));
        }
        report
            .notes
            .push("The same file of this run of the export is there already; it counts once.".to_owned());
        self.save(file.import_id, &report)?;
        Ok(report)
    }

    fn head_report(&self, run: &Run, state: State, is_present: impl Fn(usize) -> bool) -> Report {
        let parts = run.manifest.parts.iter().enumerate().map(|(part, named)| Part {
            file_name: named.path.clone(),
            is_present: is_present(part),
            size_bytes: named.bytes,
        });
        Report {
            state,
            sha256: run.head.sha256.clone(),
            format: Some(manifest_format(run)),
            delivery: Some(DeliveryReport {
                id: self.options.delivery.to_string(),
                manifest: Some(run.manifest.report(&run.head.name)),
                parts: parts.collect(),
                part: None,
            }),
            ..Report::of(&run.head.name, run.head.size_bytes)
        }
    }

    fn job(&self, import: Uuid) -> Job {
        Job {
            tenant: self.tenant,
            import,
            user: self.caller.user,
            owner: self.options.owner,
            now: (self.options.clock)(),
            delivery: self.options.delivery,
        }
    }

    fn save(&self, import: Uuid, report: &Report) -> Result<(), ImportError> {
        if self.options.dry_run {
            return Ok(());
        }
        let now = (self.options.clock)();
        Ok(self
            .store
            .transaction(self.caller, |rows| imports::finish(rows, &self.job(import), report, now, 0))?)
    }

    fn store_bytes(&self, place: usize, report: &Report) {
        if let Some(archive) = self.options.archive.filter(|_| !self.options.dry_run) {
            store_file(archive, self.files[place], report);
        }
    }
}

fn manifest_format(run: &Run) -> ReportFormat {
    ReportFormat { id: FORMAT.to_owned(), title: run.manifest.kind.title().to_owned() }
}

fn store_file(archive: &Archive, file: File<'_>, report: &Report) {
    if file.original.is_none() && !report.sha256.is_empty() {
        archive.store(file.path, &report.sha256);
    }
}

/// The report of a file whose run was superseded by a newer one.
fn superseded(report: Report, newer: &Manifest) -> Report {
    let mut notes = report.notes;
    let when = newer.report("").submitted_at.unwrap_or_default();
    notes.push(format!(
        "A newer run of the same export is imported (submitted {when}); nothing of this one is needed."
    ));
    Report { state: State::Unchanged, rows_written: 0, decision: None, notes, ..report }
}
