//! Storage of secret settings outside the database, with a reference in the database.

use crate::definitions::{Changes, definition};

/// First character of a reference in place of a secret. No secret begins with it: secrets are sent in headers, which cannot contain it.
const MARK: char = '\u{1}';

/// A store for secrets outside the database: the system's keyring, or encryption with a key that is elsewhere.
pub trait SecretStore: Send + Sync {
    /// Stores a secret, replacing the previous one, and returns its reference. The error is a message for users. Blocks the thread.
    fn keep(&self, name: &str, secret: &str) -> Result<String, String>;

    /// The secret with that reference. Blocks the thread.
    fn find(&self, name: &str, note: &str) -> Result<String, String>;

    /// Removes a secret, if there is one. Blocks the thread.
    fn forget(&self, name: &str);

    /// Where secrets are stored, as text for users: "In the keyring of this computer".
    fn about(&self) -> &'static str;
}

/// Resolves a value of the database: a reference gives the stored secret; any other value, such as a secret saved by an older version, is returned
/// unchanged.
pub(crate) fn opened(safe: Option<&dyn SecretStore>, name: &str, value: &str) -> Result<String, String> {
    let Some(note) = value.strip_prefix(MARK) else { return Ok(value.to_owned()) };
    let safe = safe.ok_or_else(|| "there is no place for secrets here".to_owned())?;
    safe.find(name, note)
}

/// Whether a value of the database is a secret in plain text.
pub(crate) fn is_open(name: &str, value: &str) -> bool {
    is_secret(name) && !value.is_empty() && !value.starts_with(MARK)
}

/// The changes with a reference in place of each secret.
pub(crate) fn kept(safe: Option<&dyn SecretStore>, changes: &Changes) -> Result<Changes, String> {
    let one = |(name, value): (&String, &Option<String>)| {
        let secret = value.as_deref().map(str::trim).filter(|value| is_open(name, value));
        Ok(match (secret, safe) {
            (Some(secret), Some(safe)) => (name.clone(), Some(format!("{MARK}{}", safe.keep(name, secret)?))),
            _ => (name.clone(), value.clone()),
        })
    };
    changes.iter().map(one).collect()
}

/// Removes the secrets that these changes unset.
pub(crate) fn forget(safe: Option<&dyn SecretStore>, changes: &Changes) {
    let Some(safe) = safe else { return };
    let gone = |value: &Option<String>| value.as_deref().is_none_or(|value| value.trim().is_empty());
    for (name, _) in changes.iter().filter(|(name, value)| is_secret(name) && gone(value)) {
        safe.forget(name);
    }
}

fn is_secret(name: &str) -> bool {
    definition(name).is_some_and(|definition| definition.is_secret)
}
