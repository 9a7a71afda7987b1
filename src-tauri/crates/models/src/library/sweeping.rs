//! Cleans up the folder after a crash or the restore of an older backup.

use super::files::{file_name, remove_file};
use super::{Library, LibraryError};
use crate::failure::{Failure, Kind};
use crate::part::Part;
use crate::record::{Record, State};
use crate::rows;

/// Folder for complete files without a row.
const UNCLAIMED: &str = "unclaimed";

impl Library {
    /// Removes incomplete files of interrupted transfers, and moves complete files without a row to `unclaimed`: after the restore of an older
    /// backup, they may be downloads that took hours. To be called when a service starts. A model whose file is missing, as can happen after a
    /// restore, is turned into a failed download with the reason.
    pub fn sweep(&self, now: i64) -> Result<u64, LibraryError> {
        for model in self.list()?.iter().filter(|model| !self.path(model).exists()) {
            let mut record = Record::new(&model.name, "", now);
            record.state = State::Failed;
            record.failure = Some(Failure::new(
                Kind::NotFound,
                format!("The file of the model is not in {} any more.", self.folder.display()),
                "Download it again, or take it in from a file.",
            ));
            self.write(|rows| {
                rows::remove_model(rows, &model.name)?;
                rows::put_record(rows, &record, now)
            })?;
        }
        let models = self.list()?;
        let records = self.records()?;
        let mut freed = self.sweep_exports()?;
        for entry in std::fs::read_dir(&self.folder).into_iter().flatten() {
            let path = entry?.path();
            let name = file_name(&path);
            let Some(sha256) = name.strip_prefix("sha256-") else { continue };
            let is_known = models.iter().any(|model| model.sha256 == sha256)
                || records.iter().any(|record| record.found.as_deref() == Some(sha256));
            if !is_known {
                let aside = self.folder.join(UNCLAIMED);
                std::fs::create_dir_all(&aside)?;
                std::fs::rename(&path, aside.join(&name))?;
            }
        }
        for entry in std::fs::read_dir(self.folder.join("incoming")).into_iter().flatten() {
            let path = entry?.path();
            let name = file_name(&path);
            let is_known = name
                .strip_suffix(".part")
                .is_some_and(|name| records.iter().any(|record| record.name == name));
            // Another program may be using it: then it is locked.
            if !is_known && Part::open(&path).is_ok() {
                freed += path.metadata().map_or(0, |file| file.len());
                remove_file(&path)?;
            }
        }
        Ok(freed)
    }
}
