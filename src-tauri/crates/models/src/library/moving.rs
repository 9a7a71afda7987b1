//! Moves all models to another folder.

use super::files::{copy, file_name, remove_file, same_folder, sync_folder};
use super::{Library, LibraryError};
use crate::settings;
use std::path::Path;

impl Library {
    /// Moves models, partial downloads and quarantined files to another folder: links or copies the files, then changes the setting, then removes
    /// the old files. After a crash one of the two folders is complete.
    pub fn move_to(&self, folder: &Path, now: i64) -> Result<Self, LibraryError> {
        if self.records()?.iter().any(|record| record.state.is_active()) {
            return Err(LibraryError::Busy);
        }
        let target = Self::new(self.store.clone(), folder.to_owned());
        if same_folder(&self.folder, folder) {
            return Ok(target);
        }
        let mut pairs = Vec::new();
        for name in ["", "incoming", "quarantine"] {
            let (from, to) = (self.folder.join(name), folder.join(name));
            std::fs::create_dir_all(&to)
                .map_err(LibraryError::io(format!("{} cannot be created", to.display())))?;
            for entry in std::fs::read_dir(&from).into_iter().flatten() {
                let path = entry?.path();
                let is_ours = !name.is_empty() || file_name(&path).starts_with("sha256-");
                if path.is_file() && is_ours {
                    pairs.push((path.clone(), to.join(file_name(&path))));
                }
            }
        }
        for (from, to) in &pairs {
            copy(from, to).map_err(LibraryError::io(format!("{} cannot be written", to.display())))?;
        }
        sync_folder(folder)?;
        let change = [(settings::FOLDER.to_owned(), Some(folder.display().to_string()))].into();
        self.write(|rows| settings::save(rows, &change, now))?;
        for (from, _) in &pairs {
            remove_file(from)?;
        }
        Ok(target)
    }
}
