//! What is wrong with a catalogue, with file and line.

/// One mistake in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    /// Counted from 1; 0 when the mistake has no line.
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// Everything that is wrong with a catalogue, in the order of the files.
#[derive(Debug, thiserror::Error)]
#[error("mistakes in the catalogue:{}", lines(problems))]
pub struct CatalogueError {
    pub problems: Vec<Problem>,
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().fold(String::new(), |text, problem| text + "\n  " + &problem.to_string())
}
