//! What many operations need: arguments by name, rows by name.

mod arguments;
mod look;

pub(crate) use arguments::Arguments;
#[allow(unused_imports, reason = "the areas that use it are being written")]
pub(crate) use look::Look;
