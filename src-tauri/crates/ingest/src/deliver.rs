//! Groups the files of an import into deliveries: one for each export run that a manifest describes, and one for all other files, which
//! are decided by content.
//!
//! No part of a run is written before all parts are present. Parts that arrive earlier wait in the archive. The newest run of an export
//! replaces the older ones, whatever the order of arrival.

mod archives;
mod export_runs;

use crate::archive_members::{Kind, OpenedFile};
use crate::error::ImportError;
use crate::import::{self, File, Options, Progress};
use crate::report::Report;
use archives::Archives;
use catalogue::Caller;
use export_runs::ExportRuns;
use store::Store;

/// The result for each file, in the order of the files.
type Reports = Vec<Option<Result<Report, ImportError>>>;

/// Imports files, including those in archives: first the export runs whose manifests are among them or have parts waiting, then all
/// other files as one delivery.
///
/// Blocks the thread. A file that is not understood is not an error: it gets a stored report in state `failed`. After an error the
/// database contains nothing of the delivery; an error inside the list belongs to one file whose bytes could not be read.
pub fn import(
    store: &Store,
    caller: &Caller,
    files: &[File<'_>],
    options: Options<'_>,
) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
    let opened: Vec<OpenedFile> = files.iter().map(|file| OpenedFile::new(*file)).collect();
    let callbacks: Vec<_> = files
        .iter()
        .map(|file| {
            let size = std::fs::metadata(file.path).map_or(0, |at| at.len());
            move |bytes: u64, rows: u64| (file.progress.on_progress)(bytes.min(size), rows)
        })
        .collect();
    let mut all: Vec<File<'_>> = Vec::new();
    for ((file, opened), tell) in files.iter().zip(&opened).zip(&callbacks) {
        let inner = Progress { on_progress: tell, cancelled: file.progress.cancelled };
        match &opened.kind {
            Kind::Plain => all.push(*file),
            Kind::Single { path, sha256, size_bytes, .. } => {
                all.push(File { path, original: Some((sha256, *size_bytes)), progress: inner, ..*file });
            }
            Kind::Many(contents) => all.extend(contents.members.iter().map(|member| File {
                import_id: member.id,
                name: &member.name,
                location: &member.location,
                path: &member.path,
                original: None,
                forms: file.forms,
                answers: file.answers,
                progress: inner,
            })),
            Kind::Refused(_) | Kind::Unreadable(_) => {}
        }
    }
    let mut imported = import_unpacked(store, caller, &all, options)?.into_iter();
    let archives = Archives { store, caller, options };
    let reports =
        files.iter().zip(opened).map(|(file, opened)| archives.report(*file, opened.kind, &mut imported));
    reports.collect()
}

/// Imports files that are not archives.
fn import_unpacked(
    store: &Store,
    caller: &Caller,
    files: &[File<'_>],
    options: Options<'_>,
) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
    let export_runs =
        ExportRuns { store, caller, files, options, tenant: caller.tenant().ok_or(ImportError::NoTenant)? };
    let mut reports: Reports = files.iter().map(|_| None).collect();
    for run in export_runs.runs()? {
        export_runs.import_run(&run, &mut reports)?;
    }
    let others: Vec<usize> = (0..files.len()).filter(|file| reports[*file].is_none()).collect();
    if !others.is_empty() {
        let chosen: Vec<File<'_>> = others.iter().map(|file| files[*file]).collect();
        let imported = import::deliver(store, caller, &chosen, options, None)?;
        for (file, report) in others.into_iter().zip(imported.files) {
            reports[file] = Some(report);
        }
    }
    Ok(reports.into_iter().flatten().collect())
}
