//! Why something a file says gives no record, in fixed words that reports show.

/// A check that nobody can run by machine.
pub const MANUAL: &str = "a person must check it: it neither passed nor failed";
/// Its tool did not look.
pub const NOT_RUN: &str = "the check did not apply or did not run";
/// An object that is none of what the format lists.
pub const NO_OBJECT: &str = "not an object as the format has them";
/// What identifies it is not there.
pub const NO_ID: &str = "nothing says which check or thing it is about";
/// An alert that is none: a ping, a note.
pub const NO_ALERT: &str = "a message that tells of no alert";
/// A change of something that stands elsewhere in the file.
pub const NOTHING_TO_DO: &str = "there is nothing to do about it";

/// Whether a row with that reason was read, and there is just nothing to do about it.
pub fn is_without_need(reason: &str) -> bool {
    matches!(reason, MANUAL | NOT_RUN | NO_ALERT | NOTHING_TO_DO)
}
