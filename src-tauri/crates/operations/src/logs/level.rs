//! Severity levels of log lines, parsed from the many spellings that programs use.

/// A normalised severity level, most severe first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    Error,
    Warn,
    Info,
    Debug,
}

/// All levels, most severe first.
pub(super) const LEVELS: [Level; 4] = [Level::Error, Level::Warn, Level::Info, Level::Debug];

impl Level {
    /// Parses a severity by its prefix, ignoring case. An unknown word becomes [`Level::Info`].
    pub(super) fn of(severity: &str) -> Self {
        let word = severity.trim().to_lowercase();
        let begins = |all: &[&str]| all.iter().any(|start| word.starts_with(start));
        if begins(&["err", "fatal", "panic", "crit", "alert", "emerg", "kill"]) {
            Self::Error
        } else if begins(&["warn"]) {
            Self::Warn
        } else if begins(&["debug", "trace", "verbose"]) {
            Self::Debug
        } else {
            Self::Info
        }
    }

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Level;

    #[test]
    fn levels_are_known_however_they_are_spelled() {
        let of = |words: &[&str]| words.iter().map(|word| Level::of(word)).collect::<Vec<_>>();
        assert_eq!(of(&["ERROR", "err", "Fatal", "CRITICAL", "panic"]), [Level::Error; 5]);
        assert_eq!(of(&["warning", "WARN"]), [Level::Warn; 2]);
        assert_eq!(of(&["trace", "DEBUG"]), [Level::Debug; 2]);
        assert_eq!(of(&["info", "notice", "", "7"]), [Level::Info; 4]);
    }
}
