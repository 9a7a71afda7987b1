//! Properties of a read that are known before it starts.

/// Properties of the reads in one snapshot.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct ReadScope {
    /// Only single rows are read, by key.
    pub is_point_read: bool,
    /// At most one statement reads rows.
    pub is_one_statement: bool,
}
