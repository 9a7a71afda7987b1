//! Fixed texts for reports: the reason a part of a file gives no record.

/// A check that has to be done by a person.
pub const MANUAL: &str = "a person must check it: it neither passed nor failed";
/// The tool did not run the check.
pub const NOT_RUN: &str = "the check did not apply or did not run";
/// A value that is not an object this format defines.
pub const NO_OBJECT: &str = "not an object as the format has them";
/// The identifying field is missing.
pub const NO_ID: &str = "nothing says which check or thing it is about";
/// A message that is not an alert, such as a ping or a note.
pub const NO_ALERT: &str = "a message that tells of no alert";
/// An entry that is outside the scope of the imported data, such as a licence in a Trivy report.
pub const NOTHING_TO_DO: &str = "there is nothing to do about it";

/// Whether an entry left out with this reason was understood and calls for no action.
pub fn is_without_need(reason: &str) -> bool {
    matches!(reason, MANUAL | NOT_RUN | NO_ALERT | NOTHING_TO_DO)
}
