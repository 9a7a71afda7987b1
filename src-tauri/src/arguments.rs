//! The command line, of this start or of a second one that hands over.

#[cfg(any(windows, test))]
use std::path::Path;
use std::path::PathBuf;

use clap::Parser;
use server::{Flags, Settings, Source};

/// Reads cost and usage exports and shows where the money goes: service and pages in one window.
///
/// A second start brings the open window to the front. Without a display, use `quarterdeck-server serve`.
#[derive(Debug, Clone, Parser)]
#[command(name = "quarterdeck", version)]
pub struct Arguments {
    /// Files or folders to add to the Imports page; they are imported only after you confirm it there
    #[arg(value_name = "FILE|DIR")]
    files: Vec<PathBuf>,
    /// Folder for the database and for files waiting for import [env: QUARTERDECK_DATA_DIR]
    #[arg(long, value_name = "DIR")]
    data_dir: Option<PathBuf>,
    /// Settings file to read instead of DATA_DIR/quarterdeck.toml
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Folder of a catalogue that replaces the built-in one [env: QUARTERDECK_SCHEMA]
    #[arg(long, value_name = "DIR")]
    schema: Option<PathBuf>,
}

/// The arguments of a start: the files on its command line, the folder they are relative to, and its activation token.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct StartArguments {
    pub folder: PathBuf,
    pub files: Vec<PathBuf>,
    /// The activation token of the launcher, see `activation.rs`.
    pub token: Option<String>,
}

impl StartArguments {
    /// The arguments in the command line of another start, made in `folder`; empty if it cannot be parsed.
    #[cfg(any(windows, test))]
    pub fn of_line(line: &[impl Into<std::ffi::OsString> + Clone], folder: &Path) -> Self {
        Arguments::try_parse_from(line.iter().cloned())
            .map(|arguments| arguments.given(folder.to_owned()))
            .unwrap_or_default()
    }

    /// The absolute paths of the files.
    pub fn whole(&self) -> Vec<PathBuf> {
        self.files.iter().map(|file| self.folder.join(file)).collect()
    }
}

impl Arguments {
    /// The files on the command line, relative to `folder`.
    pub fn given(&self, folder: PathBuf) -> StartArguments {
        StartArguments { folder, files: self.files.clone(), token: None }
    }

    /// A command line that starts the program on the same data, from any folder and environment. It repeats the locations that came from flags or
    /// from environment variables, which another start may not have.
    pub fn like_this(&self, settings: &Settings) -> Vec<String> {
        let said = settings.origins.iter().filter_map(|origin| {
            let flag = match origin.definition.name {
                "data_dir" => "--data-dir",
                "schema" => "--schema",
                _ => return None,
            };
            let is_said = matches!(origin.source, Source::Flag | Source::Environment);
            Some((flag, PathBuf::from(origin.value.as_ref().filter(|_| is_said)?)))
        });
        said.chain(self.config.clone().map(|file| ("--config", file)))
            .flat_map(|(flag, path)| {
                let whole = std::path::absolute(&path).unwrap_or(path);
                [flag.to_owned(), whole.display().to_string()]
            })
            .collect()
    }

    /// The flags for reading the settings.
    pub fn flags(&self) -> Flags {
        let Self { data_dir, config, schema, .. } = self.clone();
        Flags { data_dir, config, schema, ..Flags::default() }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, StartArguments};
    use clap::Parser;
    use server::Settings;
    use std::path::Path;

    fn like(line: &[&str], environment: &[(&str, &str)]) -> Vec<String> {
        let arguments = Arguments::try_parse_from([&["quarterdeck"], line].concat()).unwrap();
        let said = |asked: &str| {
            environment.iter().find(|(name, _)| *name == asked).map(|(_, value)| (*value).to_owned())
        };
        arguments.like_this(&Settings::read(&arguments.flags(), &said).unwrap())
    }

    #[test]
    fn another_start_like_this_one_finds_the_same_data_wherever_it_is_made() {
        let data_dir = tempfile::tempdir().unwrap();
        let data_dir = data_dir.path().to_str().unwrap();
        let expected = ["--data-dir", data_dir];
        assert_eq!(like(&["--data-dir", data_dir, "bill.csv"], &[]), expected);
        assert_eq!(like(&[], &[("QUARTERDECK_DATA_DIR", data_dir)]), expected);
        assert_eq!(like(&[], &[]), [""; 0]);
        let here = std::env::current_dir().unwrap().join("schema").display().to_string();
        assert_eq!(
            like(&["--data-dir", data_dir, "--schema", "schema"], &[]),
            ["--data-dir", data_dir, "--schema", &here]
        );
    }

    #[test]
    fn files_of_another_start_are_found_from_where_it_was_started() {
        let line = ["quarterdeck", "--data-dir", "/data", "bill.csv", "/tmp/other.csv.gz"];
        let files = StartArguments::of_line(&line, Path::new("/home/ada")).whole();
        assert_eq!(files, [Path::new("/home/ada/bill.csv"), Path::new("/tmp/other.csv.gz")]);
    }

    #[test]
    fn a_line_that_cannot_be_read_names_no_files() {
        assert_eq!(
            StartArguments::of_line(&["quarterdeck", "--no-such-thing", "bill.csv"], Path::new("/")),
            StartArguments::default()
        );
    }
}
