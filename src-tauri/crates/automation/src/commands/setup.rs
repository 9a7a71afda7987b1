//! What a program is run with beside its arguments: values that are secret go here, never into an argument that every user of the machine can read.

use std::fmt;

/// Where the path of the private file stands in arguments.
pub const FILE: &str = "{file}";

/// How a program is run.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ProgramSetup {
    /// Whether it sees nothing of the environment of the service but where programs and certificates are, and has a home of its own.
    pub is_apart: bool,
    /// Names of the environment of the service that it sees all the same.
    pub kept: &'static [&'static str],
    pub environment: Environment,
    /// Written where only this program's user reads it, and gone when it ends; [`FILE`] in arguments is its path.
    pub file: Option<PrivateFile>,
    pub output: OutputFormat,
}

/// Variables by name; never shown with their values.
#[derive(Clone, Default, PartialEq)]
pub struct Environment(pub Vec<(String, String)>);

impl fmt::Debug for Environment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

impl Environment {
    /// Sets a variable, unless the value is empty.
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

/// What a program writes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OutputFormat {
    /// A text, given as it is.
    #[default]
    Text,
    /// JSON, given as what it stands for.
    Json,
    /// Rows under a line of names, with commas and quotes.
    Csv,
    /// Rows under a line of names, with tabs and backslashes.
    Tsv,
}
