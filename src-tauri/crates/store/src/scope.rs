//! What is known of a read before it begins.

/// What is known beforehand of what is read from one snapshot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadScope {
    /// Single rows are looked at.
    pub is_glance: bool,
    /// At most one statement looks at rows.
    pub is_one_statement: bool,
}
