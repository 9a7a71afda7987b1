//! How a program is run besides its arguments.
//!
//! Secret values belong here, not in arguments, which every user of the machine can read.

use std::fmt;

/// Placeholder in arguments for the path of the private file.
pub const FILE: &str = "{file}";

/// How a program is run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProgramSetup {
    /// Isolates the program: of the environment it gets only the paths of programs and certificates, and it has its own home folder.
    pub is_apart: bool,
    /// Environment variables that are passed on despite the isolation.
    pub kept: &'static [&'static str],
    pub environment: Environment,
    /// Written with permissions for this user only, and deleted when the program ends; [`FILE`] in arguments is its path.
    pub file: Option<PrivateFile>,
    pub output: OutputFormat,
}

/// Environment variables by name. The `Debug` output hides their values.
#[derive(Clone, Default, PartialEq)]
pub struct Environment(pub Vec<(String, String)>);

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Environment {
    /// Sets a variable unless the value is empty.
    pub(super) fn set(&mut self, name: &str, value: impl Into<String>) {
        let value = value.into();
        if !value.is_empty() {
            self.0.push((name.to_owned(), value));
        }
    }
}

#[derive(Clone, PartialEq)]
pub struct PrivateFile {
    pub name: String,
    pub text: String,
}

impl fmt::Debug for PrivateFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "PrivateFile({}, {} bytes)", self.name, self.text.len())
    }
}

/// The format of a program's output.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// Text, returned unchanged.
    #[default]
    Text,
    /// JSON, returned as the parsed value.
    Json,
    /// CSV with a header line.
    Csv,
    /// TSV with a header line and backslash escapes.
    Tsv,
}
