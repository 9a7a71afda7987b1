//! What stands on the command line, of this start or of a second one that hands over.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use clap::Parser;
use server::Flags;

/// Reads cost and usage exports and shows where the money goes: service and pages in one window.
///
/// A second start brings the open window to the front. Without a display, use `quarterdeck-server serve`.
#[derive(Debug, Parser)]
#[command(name = "quarterdeck", version)]
pub struct Arguments {
    /// Files to put forward for import; nothing of them is read before somebody says so
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Folder of the database and of files waiting for import [env: QUARTERDECK_DATA_DIR]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Settings file to read instead of DATA_DIR/quarterdeck.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of a catalogue to use instead of the built-in one [env: QUARTERDECK_SCHEMA]
    #[arg(long, value_name = "DIR")]
    schema: Option<PathBuf>,
}

impl Arguments {
    /// The files, as found from the folder `from`.
    pub fn files(&self, from: &Path) -> Vec<PathBuf> {
        self.files.iter().map(|file| from.join(file)).collect()
    }

    /// What the settings are read with.
    pub fn flags(self) -> Flags {
        Flags { data_dir: self.data_dir, config: self.config, schema: self.schema, listen: None }
    }
}

/// The files on the command line of another start, in the folder it was started in.
pub fn files_of(line: &[impl Into<OsString> + Clone], folder: &Path) -> Vec<PathBuf> {
    Arguments::try_parse_from(line.iter().cloned()).map(|line| line.files(folder)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::files_of;
    use std::path::Path;

    #[test]
    fn files_of_another_start_are_found_from_where_it_was_started() {
        let line = ["quarterdeck", "--data-dir", "/data", "bill.csv", "/tmp/other.csv.gz"];
        let files = files_of(&line, Path::new("/home/ada"));
        assert_eq!(files, [Path::new("/home/ada/bill.csv"), Path::new("/tmp/other.csv.gz")]);
    }

    #[test]
    fn a_line_that_cannot_be_read_names_no_files() {
        assert!(files_of(&["quarterdeck", "--no-such-thing", "bill.csv"], Path::new("/")).is_empty());
    }
}
