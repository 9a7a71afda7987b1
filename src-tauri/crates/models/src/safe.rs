//! Where secret settings are: in a place of their own, with a note in the database that finds them there.

use crate::definitions::{Changes, definition};

/// Begins a note in place of a secret. No secret begins so: they are sent in headers, which have no such letters.
const MARK: char = '\u{1}';

/// A place for secrets that is not the database: the keyring of the system, or a seal whose key is elsewhere.
pub trait Safe: Send + Sync {
    /// Keeps a secret in place of the one before; answers the note with which it is found again. An error says in words why not. Blocks.
    fn keep(&self, name: &str, secret: &str) -> Result<String, String>;

    /// What was kept under that note. Blocks.
    fn find(&self, name: &str, note: &str) -> Result<String, String>;

    /// Takes a secret away; that there is none is fine. Blocks.
    fn forget(&self, name: &str);

    /// Where it is, as people are told: "In the keyring of this computer".
    fn about(&self) -> &'static str;
}

/// A value of the database, whoever wrote it: a secret is found where its note says; one that an older version left is as it is.
pub(crate) fn opened(safe: Option<&dyn Safe>, name: &str, value: &str) -> Result<String, String> {
    let Some(note) = value.strip_prefix(MARK) else { return Ok(value.to_owned()) };
    let safe = safe.ok_or_else(|| "there is no place for secrets here".to_owned())?;
    safe.find(name, note)
}

/// Whether a value of the database is a secret in plain text.
pub(crate) fn is_open(name: &str, value: &str) -> bool {
    is_secret(name) && !value.is_empty() && !value.starts_with(MARK)
}

/// The same changes with a note in place of each secret.
pub(crate) fn kept(safe: Option<&dyn Safe>, changes: &Changes) -> Result<Changes, String> {
    let one = |(name, value): (&String, &Option<String>)| {
        let secret = value.as_deref().map(str::trim).filter(|value| is_open(name, value));
        Ok(match (secret, safe) {
            (Some(secret), Some(safe)) => (name.clone(), Some(format!("{MARK}{}", safe.keep(name, secret)?))),
            _ => (name.clone(), value.clone()),
        })
    };
    changes.iter().map(one).collect()
}

/// What these changes take back is taken out of its place, too.
pub(crate) fn forget(safe: Option<&dyn Safe>, changes: &Changes) {
    let Some(safe) = safe else { return };
    let gone = |value: &Option<String>| value.as_deref().is_none_or(|value| value.trim().is_empty());
    for (name, _) in changes.iter().filter(|(name, value)| is_secret(name) && gone(value)) {
        safe.forget(name);
    }
}

fn is_secret(name: &str) -> bool {
    definition(name).is_some_and(|definition| definition.is_secret)
}
