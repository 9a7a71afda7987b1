//! Fixed texts for reports: the reason a part of a file gives no record.

/// A check that has to be done by a person.
pub const MANUAL: &str = "manual check: neither passed nor failed";
/// The tool did not run the check.
pub const NOT_RUN: &str = "the check did not apply or did not run";
/// A value that is not an object this format defines.
pub const NO_OBJECT: &str = "not an object of this format";
/// The identifying field is missing.
pub const NO_ID: &str = "no check id or resource id";
/// A message that is not an alert, such as a ping or a note.
pub const NO_ALERT: &str = "a message without an alert";
/// An entry that is outside the scope of the imported data, such as a licence in a Trivy report.
pub const NOTHING_TO_DO: &str = "there is nothing to do about it";

/// Whether an entry left out with this reason was understood and calls for no action.
pub fn is_without_action(reason: &str) -> bool {
    matches!(reason, MANUAL | NOT_RUN | NO_ALERT | NOTHING_TO_DO)
}
