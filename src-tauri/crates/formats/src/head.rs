//! The beginning of a file, as formats look at it.

/// The first bytes of a file's content: inflated, without a byte order mark, in UTF-8 where it is text.
#[derive(Debug, Clone, Copy)]
pub struct Head<'a> {
    pub bytes: &'a [u8],
    /// Whether that is all of the file.
    pub is_whole: bool,
}
