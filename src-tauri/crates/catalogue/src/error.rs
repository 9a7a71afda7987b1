//! Errors in the files of the catalogue, with file and line.

/// One error in one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    pub file: String,
    /// Line number, from 1; 0 when the error has no line.
    pub line: usize,
    pub message: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.message)
    }
}

/// All errors found in a catalogue, in file order.
#[derive(Debug, thiserror::Error)]
#[error("mistakes in the catalogue:{}", lines(problems))]
pub struct CatalogueError {
    pub problems: Vec<Problem>,
}

fn lines(problems: &[Problem]) -> String {
    problems.iter().fold(String::new(), |text, problem| text + "\n  " + &problem.to_string())
}
