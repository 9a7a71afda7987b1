//! Deals the files of an import into deliveries: the parts of each run of an export that a manifest names, and all others
//! together, about which their content decides.
//!
//! Nothing of a run is written before every part of it is there. Parts that came before the others wait with their bytes in the
//! archive. The newest run of an export takes the place of the others, in whatever order they come.

mod archives;
mod export_runs;

use crate::error::ImportError;
use crate::import::{self, File, Options, Progress};
use crate::packed::{Kind, OpenedFile};
use crate::report::Report;
use archives::Archives;
use catalogue::Caller;
use export_runs::Deal;
use store::Store;

/// What became of each file, in their order.
type Reports = Vec<Option<Result<Report, ImportError>>>;

/// Imports files, those in archives among them: the runs of exports whose manifests are among them or wait for parts, then all
/// others as one delivery.
///
/// Blocks the thread. A file that cannot be understood is no error but a report in state `failed`, kept like any other. After an
/// error nothing of the delivery is in the database; an error inside the list is that of one file, whose bytes could not be read.
pub fn import(
    store: &Store,
    caller: &Caller,
    files: &[File<'_>],
    options: Options<'_>,
) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
    let opened: Vec<OpenedFile> = files.iter().map(|file| OpenedFile::new(*file)).collect();
    let tells: Vec<_> = files
        .iter()
        .map(|file| {
            let size = std::fs::metadata(file.path).map_or(0, |at| at.len());
            move |bytes: u64, rows: u64| (file.progress.tell)(bytes.min(size), rows)
        })
        .collect();
    let mut all: Vec<File<'_>> = Vec::new();
    for ((file, opened), tell) in files.iter().zip(&opened).zip(&tells) {
        let inner = Progress { tell, cancelled: file.progress.cancelled };
        match &opened.kind {
            Kind::Plain => all.push(*file),
            Kind::Single { path, sha256, size_bytes, .. } => {
                all.push(File { path, original: Some((sha256, *size_bytes)), progress: inner, ..*file });
            }
            Kind::Many(head) => all.extend(head.members.iter().map(|member| File {
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

/// Imports files of which none is an archive.
fn import_unpacked(
    store: &Store,
    caller: &Caller,
    files: &[File<'_>],
    options: Options<'_>,
) -> Result<Vec<Result<Report, ImportError>>, ImportError> {
    let deal = Deal { store, caller, files, options, tenant: caller.tenant().ok_or(ImportError::NoTenant)? };
    let mut reports: Reports = files.iter().map(|_| None).collect();
    for run in deal.runs()? {
        deal.import_run(&run, &mut reports)?;
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
